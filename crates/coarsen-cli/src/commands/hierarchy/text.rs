//! A hierarchy as a person reads it, and as a program does.

use coarsen::domain::Kind;
use coarsen::domain::hierarchy::{Level, Node};
use coarsen::policy::HierarchySpec;
use coarsen_engine::CountedHierarchy;
use serde_json::{Map, Value as Json, json};

use crate::text::{FAINT, HEAD, columns, counted, cut, in_style, number};

/// A tree that is not cut by `--depth` goes as deep as this many lines allow.
const LINES: usize = 100;
/// Of a longer list of leaves this many are shown.
const LEAVES: usize = 6;
/// Of a longer list of inner nodes this many are shown.
const INNER: usize = 24;
/// The widest name that is shown whole.
const WIDTH: usize = 60;

/// Where a hierarchy comes from, in a few words.
pub fn origin(spec: Option<&HierarchySpec>, kind: Kind) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match spec {
        None if kind.is_ordered() => {
            "no hierarchy in the policy, so that neighbours are paired off".into()
        }
        None => "no hierarchy in the policy, so that there is nothing above the values".into(),
        Some(HierarchySpec::File { path }) => path.clone(),
        Some(HierarchySpec::Intervals { widths, origin }) => format!(
            "intervals of {} from {origin}",
            list(widths.iter().map(ToString::to_string).collect())
        ),
        Some(HierarchySpec::Mask { side, .. }) => format!("masked from the {side}"),
        Some(HierarchySpec::Dates { units }) => {
            format!(
                "dates by {}",
                list(units.iter().map(ToString::to_string).collect())
            )
        }
        Some(HierarchySpec::Tree(_)) => "the tree in the policy".into(),
        Some(HierarchySpec::Quantiles { limit }) => format!("at most {limit} quantiles"),
    }
}

/// Prints a hierarchy: what it is, its levels, its tree.
pub fn print(hierarchy: &CountedHierarchy, origin: &str, depth: Option<usize>, all: bool) {
    let attribute = &hierarchy.attribute;
    anstream::println!(
        "\n{}  {}, {origin}\n",
        in_style(HEAD, &attribute.name),
        attribute.domain.kind()
    );
    for line in columns(&facts(hierarchy), &[1]) {
        anstream::println!("{line}");
    }
    anstream::println!(
        "\n{}  {}",
        in_style(HEAD, "Levels"),
        in_style(FAINT, "what a search by levels can release")
    );
    for line in columns(&levels(hierarchy), &[0, 1, 2]) {
        anstream::println!("{line}");
    }
    let height = attribute.hierarchy.height();
    let tree = |depth| Tree {
        hierarchy,
        bottom: height.saturating_sub(depth),
        all,
        rows: Vec::new(),
    };
    let (depth, rows) = match (all, depth) {
        (true, _) => (height, tree(height).draw()),
        (false, Some(depth)) => (depth, tree(depth).draw()),
        (false, None) => {
            let mut shown = (1, tree(1).draw());
            for depth in 2..=height {
                let rows = tree(depth).draw();
                if rows.len() > LINES {
                    break;
                }
                shown = (depth, rows);
            }
            shown
        }
    };
    anstream::println!("\n{}", in_style(HEAD, "Tree"));
    for line in columns(&rows, &[1, 2]) {
        anstream::println!("{line}");
    }
    if depth < height {
        let left = counted((height - depth) as u64, "level", "levels");
        let note = format!("{left} below not shown; --depth {height} goes to the leaves");
        anstream::println!("  {}", in_style(FAINT, note));
    }
    anstream::println!();
}

fn facts(hierarchy: &CountedHierarchy) -> Vec<Vec<String>> {
    let row = |name: &str, figure: usize, meaning: String| {
        let figure = number(figure as u64);
        vec![format!("  {name}"), figure, in_style(FAINT, meaning)]
    };
    let (domain, tree) = (&hierarchy.attribute.domain, &hierarchy.attribute.hierarchy);
    let leaf = match domain.is_binned() {
        true => "runs of values, each a leaf",
        false => "values that it knows",
    };
    let mut facts = vec![
        row("height", tree.height(), "steps from a leaf to *".into()),
        row("leaves", domain.present(), leaf.into()),
    ];
    if let (Some(rows), Some(unused)) = (&hierarchy.rows, hierarchy.unused()) {
        let used = match unused {
            0 => "all values of the data are covered, and every leaf is used".into(),
            _ => format!(
                "all values of the data are covered; {} in no row",
                counted(unused as u64, "leaf is", "leaves are")
            ),
        };
        facts.push(row("used", domain.present() - unused, used));
        let missing = match hierarchy.missing_rows() {
            0 => "none with a missing value".into(),
            rows => format!("{} of them with a missing value", number(rows)),
        };
        facts.push(row("rows", rows.iter().sum::<u64>() as usize, missing));
    }
    facts
}

/// The nodes of a level that stand for values.
fn present<'a>(
    hierarchy: &'a CountedHierarchy,
    level: &'a Level,
) -> impl Iterator<Item = &'a Node> {
    let missing = hierarchy.attribute.domain.missing();
    level
        .nodes
        .iter()
        .filter(move |node| Some(node.first) != missing)
}

/// The least number of rows behind a node of a level that has any.
fn smallest(hierarchy: &CountedHierarchy, level: &Level) -> Option<u64> {
    let rows = present(hierarchy, level).filter_map(|node| hierarchy.rows_of(node));
    rows.filter(|rows| *rows > 0).min()
}

fn levels(hierarchy: &CountedHierarchy) -> Vec<Vec<String>> {
    let tree = &hierarchy.attribute.hierarchy;
    let line = |(height, level): (usize, &Level)| {
        let nodes: Vec<&Node> = present(hierarchy, level).collect();
        let mut examples: Vec<String> = nodes
            .iter()
            .take(3)
            .map(|node| cut(&node.label, 24))
            .collect();
        if nodes.len() > examples.len() {
            examples.push("…".into());
        }
        let what = match height {
            0 => "as they are: ",
            top if top == tree.height() => "suppressed: ",
            _ => "",
        };
        let least = match smallest(hierarchy, level) {
            None => String::new(),
            Some(rows) => format!("smallest {}", counted(rows, "row", "rows")),
        };
        vec![
            format!("  {height}"),
            counted(nodes.len() as u64, "node", "nodes"),
            least,
            format!("{}{}", in_style(FAINT, what), examples.join(", ")),
        ]
    };
    tree.levels().iter().enumerate().map(line).collect()
}

/// A tree on its way to lines of name, rows and leaves.
struct Tree<'a> {
    hierarchy: &'a CountedHierarchy,
    /// The lowest level that is shown.
    bottom: usize,
    all: bool,
    rows: Vec<Vec<String>>,
}

impl Tree<'_> {
    fn draw(mut self) -> Vec<Vec<String>> {
        let hierarchy = self.hierarchy;
        let top = hierarchy.attribute.hierarchy.height();
        if let Some(root) = hierarchy.attribute.hierarchy.level(top).nodes.first() {
            self.node("  ", "  ", top, root);
        }
        self.rows
    }

    fn node(&mut self, branch: &str, below: &str, level: usize, node: &Node) {
        let name = cut(&self.hierarchy.name_of(node), WIDTH);
        let is_missing = Some(node.first) == self.hierarchy.attribute.domain.missing();
        let leaves = match level == 0 || is_missing {
            true => String::new(),
            false => counted(self.hierarchy.leaves_of(node), "leaf", "leaves"),
        };
        self.line(
            format!("{branch}{name}"),
            self.hierarchy.rows_of(node),
            leaves,
        );
        let alone = is_missing && level < self.hierarchy.attribute.hierarchy.height();
        if level <= self.bottom || alone {
            return;
        }
        let children = children(self.hierarchy, level, node);
        let limit = if level == 1 { LEAVES } else { INNER };
        // Nothing is gained by leaving out one or two.
        let shown = match self.all || children.len() <= limit + 2 {
            true => children.len(),
            false => limit,
        };
        for (place, child) in children[..shown].iter().enumerate() {
            let (turn, pass) = match place + 1 == children.len() {
                true => ("└── ", "    "),
                false => ("├── ", "│   "),
            };
            let (branch, deeper) = (format!("{below}{turn}"), format!("{below}{pass}"));
            self.node(&branch, &deeper, level - 1, child);
        }
        let rest = &children[shown..];
        if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
            let hidden = Node {
                end: last.end,
                ..first.clone()
            };
            let name = format!("{below}└── … and {} more", number(rest.len() as u64));
            self.line(name, self.hierarchy.rows_of(&hidden), String::new());
        }
    }

    fn line(&mut self, name: String, rows: Option<u64>, leaves: String) {
        let rows = rows.map_or(String::new(), |rows| counted(rows, "row", "rows"));
        let leaves = match leaves.is_empty() {
            true => leaves,
            false => in_style(FAINT, leaves),
        };
        self.rows.push(vec![name, rows, leaves]);
    }
}

fn children<'a>(hierarchy: &'a CountedHierarchy, level: usize, node: &Node) -> &'a [Node] {
    let tree = &hierarchy.attribute.hierarchy;
    let place = tree.level(level).node_of[node.first as usize];
    tree.children(level, place as usize)
}

/// The same as one JSON object.
pub fn as_json(hierarchy: &CountedHierarchy, origin: &str, depth: Option<usize>) -> Json {
    let (domain, tree) = (&hierarchy.attribute.domain, &hierarchy.attribute.hierarchy);
    let unused = hierarchy.unused();
    let levels: Vec<Json> = tree
        .levels()
        .iter()
        .enumerate()
        .map(|(height, level)| {
            let nodes: Vec<&Node> = present(hierarchy, level).collect();
            let examples: Vec<&str> = nodes.iter().take(3).map(|n| n.label.as_str()).collect();
            json!({
                "level": height,
                "nodes": nodes.len(),
                "smallest": smallest(hierarchy, level),
                "examples": examples,
            })
        })
        .collect();
    let bottom = tree.height().saturating_sub(depth.unwrap_or(usize::MAX));
    let root = tree.level(tree.height()).nodes.first();
    json!({
        "column": hierarchy.attribute.name,
        "type": domain.kind(),
        "from": origin,
        "height": tree.height(),
        "leaves": domain.present(),
        "unused_leaves": unused,
        "rows": hierarchy.rows.as_ref().map(|rows| rows.iter().sum::<u64>()),
        "missing_rows": hierarchy.rows.as_ref().map(|_| hierarchy.missing_rows()),
        "levels": levels,
        "tree": root.map(|root| branch(hierarchy, tree.height(), root, bottom)),
    })
}

fn branch(hierarchy: &CountedHierarchy, level: usize, node: &Node, bottom: usize) -> Json {
    let mut object = Map::new();
    object.insert("name".into(), node.label.clone().into());
    object.insert("rows".into(), hierarchy.rows_of(node).into());
    if level > 0 {
        object.insert("leaves".into(), hierarchy.leaves_of(node).into());
    }
    if level > bottom {
        let below = children(hierarchy, level, node).iter();
        let below: Vec<Json> = below
            .map(|child| branch(hierarchy, level - 1, child, bottom))
            .collect();
        object.insert("children".into(), below.into());
    }
    object.into()
}

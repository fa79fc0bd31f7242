//! The form of one column, as the policy fills it or as it was sent, and the column that it describes.

use coarsen::domain::hierarchy::layout_tree;
use coarsen::policy::{
    Column, DateUnit, HierarchySpec, Kind, Represent, Role, Scheme, Side, Treatment, TreeSpec,
};

use crate::fields::Fields;
use crate::said::Said;

/// What the form holds; texts as they were typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    pub role: String,
    pub kind: String,
    pub format: String,
    pub treatment: String,
    /// Which kind of hierarchy; empty for none.
    pub how: String,
    pub widths: String,
    pub origin: String,
    pub side: String,
    pub levels: String,
    pub units: Vec<String>,
    pub file: String,
    pub tree: String,
    pub quantiles: String,
    pub scheme: String,
    pub weight: String,
    pub represent: String,
}

impl Form {
    /// As a policy describes the column.
    pub fn of(column: &Column) -> Self {
        let mut form = Form {
            role: column.role.word().into(),
            kind: column.kind.map_or("", Kind::word).into(),
            format: column.format.clone().unwrap_or_default(),
            treatment: column.treatment.map_or("", Treatment::word).into(),
            how: column
                .hierarchy
                .as_ref()
                .map_or("", HierarchySpec::kind)
                .into(),
            scheme: column.scheme.map_or("", Scheme::word).into(),
            weight: column
                .weight
                .map_or(String::new(), |weight| weight.to_string()),
            represent: column.represent.map_or("", Represent::word).into(),
            ..Form::default()
        };
        match &column.hierarchy {
            None => {}
            Some(HierarchySpec::File { path }) => form.file = path.clone(),
            Some(HierarchySpec::Intervals { widths, origin }) => {
                form.widths = widths
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", ");
                form.origin = if *origin == 0.0 {
                    String::new()
                } else {
                    origin.to_string()
                };
            }
            Some(HierarchySpec::Mask { side, levels }) => {
                form.side = side.word().into();
                form.levels = levels.map_or(String::new(), |levels| levels.to_string());
            }
            Some(HierarchySpec::Dates { units }) => {
                form.units = units.iter().map(ToString::to_string).collect();
            }
            Some(HierarchySpec::Tree(tree)) => form.tree = written(tree),
            Some(HierarchySpec::Quantiles { limit }) => form.quantiles = limit.to_string(),
        }
        form
    }

    /// As it was sent.
    pub fn sent(fields: &Fields) -> Self {
        let text = |name: &str| fields.text(name).to_string();
        Form {
            role: text("role"),
            kind: text("type"),
            format: text("format"),
            treatment: text("treatment"),
            how: text("how"),
            widths: text("widths"),
            origin: text("origin"),
            side: text("side"),
            levels: text("levels"),
            units: fields.all("units").map(str::to_string).collect(),
            file: text("file"),
            tree: fields.raw("tree").unwrap_or_default().replace('\r', ""),
            quantiles: text("quantiles"),
            scheme: text("scheme"),
            weight: text("weight"),
            represent: text("represent"),
        }
    }

    /// The column that the form describes; what the form has no field for stays as it is in `now`.
    pub fn column(&self, now: &Column) -> Result<Column, Said> {
        let role = word(&self.role, Role::from_word, "role")?.unwrap_or(now.role);
        let mut column = Column {
            role,
            kind: word(&self.kind, Kind::from_word, "type")?,
            format: filled(&self.format),
            ..Column::default()
        };
        match role {
            Role::Identifier => {
                column.treatment = word(&self.treatment, Treatment::from_word, "treatment")?;
                column.key = now
                    .key
                    .clone()
                    .filter(|_| column.treatment == Some(Treatment::KeyedHash));
                (column.kind, column.format) = (None, None);
            }
            Role::QuasiIdentifier => {
                column.hierarchy = self.hierarchy()?;
                column.scheme = word(&self.scheme, Scheme::from_word, "scheme")?;
                column.represent = word(&self.represent, Represent::from_word, "representation")?;
                column.weight = number(&self.weight, "The weight")?;
                column.order = now.order.clone();
            }
            Role::Sensitive => {
                column.hierarchy = self.hierarchy()?;
                column.distance = now.distance;
                column.order = now.order.clone();
            }
            Role::Target | Role::Other => column.order = now.order.clone(),
        }
        Ok(column)
    }

    fn hierarchy(&self) -> Result<Option<HierarchySpec>, Said> {
        Ok(Some(match self.how.as_str() {
            "intervals" => HierarchySpec::Intervals {
                widths: self.widths()?,
                origin: number(&self.origin, "The beginning")?.unwrap_or(0.0),
            },
            "mask" => HierarchySpec::Mask {
                side: word(&self.side, Side::from_word, "side")?.unwrap_or(Side::Right),
                levels: number(&self.levels, "The number of masked characters")?,
            },
            "dates" => HierarchySpec::Dates {
                units: self.units()?,
            },
            "file" => HierarchySpec::File {
                path: filled(&self.file).ok_or_else(|| {
                    Said::new(
                        "No hierarchy file is chosen.",
                        "Choose one, or another kind.",
                    )
                })?,
            },
            "tree" => HierarchySpec::Tree(layout_tree(&self.tree).map_err(|message| {
                Said::new(format!("The tree cannot be read: {message}."), TREE_HELP)
            })?),
            "quantiles" => HierarchySpec::Quantiles {
                limit: number(&self.quantiles, "The number of runs")?.ok_or_else(|| {
                    Said::new(
                        "How many runs there may be is not given.",
                        "Type a number, such as 20.",
                    )
                })?,
            },
            _ => return Ok(None),
        }))
    }

    fn widths(&self) -> Result<Vec<f64>, Said> {
        let parts = self
            .widths
            .split([',', ' ', ';'])
            .filter(|part| !part.is_empty());
        let widths = parts
            .map(|part| {
                part.parse::<f64>().map_err(|_| {
                    Said::new(
                        format!("The width `{part}` is not a number."),
                        "Type widths from narrow to wide, such as 5, 10, 20.",
                    )
                })
            })
            .collect::<Result<Vec<f64>, Said>>()?;
        match widths.is_empty() {
            true => Err(Said::new(
                "The intervals have no widths.",
                "Type widths from narrow to wide, such as 5, 10, 20.",
            )),
            false => Ok(widths),
        }
    }

    fn units(&self) -> Result<Vec<DateUnit>, Said> {
        // In the order of the calendar, whatever the order of the boxes.
        let asked = |unit: &&DateUnit| self.units.iter().any(|word| word == unit.word());
        let units: Vec<DateUnit> = DateUnit::ALL.iter().filter(asked).copied().collect();
        match units.is_empty() {
            true => Err(Said::new(
                "No unit of the calendar is chosen.",
                "Tick at least one, such as year.",
            )),
            false => Ok(units),
        }
    }
}

const TREE_HELP: &str = "One line a value, then its ever coarser names, such as Masters;Graduate;*";

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_string())
}

fn word<T>(text: &str, find: fn(&str) -> Option<T>, what: &str) -> Result<Option<T>, Said> {
    match text {
        "" => Ok(None),
        text => find(text).map(Some).ok_or_else(|| {
            Said::new(
                format!("There is no {what} `{text}`."),
                "Choose one from the list.",
            )
        }),
    }
}

/// A number that may be left out.
pub fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<Option<T>, Said> {
    match text {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| {
            Said::new(
                format!("{what} is `{text}`, which is not such a number."),
                "Type a number.",
            )
        }),
    }
}

/// A tree as lines of a hierarchy file.
fn written(tree: &TreeSpec) -> String {
    fn walk(tree: &TreeSpec, above: &mut Vec<String>, out: &mut String) {
        match tree {
            TreeSpec::Leaves(leaves) => {
                for leaf in leaves {
                    let names = std::iter::once(leaf).chain(above.iter().rev());
                    let cells: Vec<String> =
                        names.map(|name| cell(name)).chain(["*".into()]).collect();
                    out.push_str(&cells.join(";"));
                    out.push('\n');
                }
            }
            TreeSpec::Inner(children) => {
                for (name, child) in children {
                    above.push(name.clone());
                    walk(child, above, out);
                    above.pop();
                }
            }
        }
    }
    let mut out = String::new();
    walk(tree, &mut Vec::new(), &mut out);
    out
}

fn cell(text: &str) -> String {
    match text.contains([';', '"', '\n', '\t', ',']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(toml: &str) -> Column {
        let policy = format!(
            "version = 1\ninput = {{ path = \"a.csv\" }}\noutput = {{ path = \"b.csv\" }}\n[columns]\nc = {toml}\nd = {{ role = \"quasi-identifier\" }}\n[privacy]\nk = 2\n"
        );
        coarsen::policy::Policy::parse(&policy, &[])
            .unwrap()
            .columns["c"]
            .clone()
    }

    #[test]
    fn a_column_goes_through_the_form_unharmed() {
        for toml in [
            "{ role = \"identifier\", treatment = \"token\" }",
            "{ role = \"quasi-identifier\", type = \"integer\", scheme = \"ordered\", weight = 2.0, represent = \"midpoint\", hierarchy = { intervals = [5, 10], origin = 2 } }",
            "{ role = \"quasi-identifier\", hierarchy = { mask = \"left\", levels = 2 } }",
            "{ role = \"quasi-identifier\", type = \"date\", format = \"%d.%m.%Y\", hierarchy = { dates = [\"month\", \"decade\"] } }",
            "{ role = \"quasi-identifier\", hierarchy = { tree = { \"a;b\" = [\"x\", \"y\"], c = [\"z\", \"1\"] } } }",
            "{ role = \"quasi-identifier\", type = \"integer\", hierarchy = { quantiles = 20 } }",
            "{ role = \"sensitive\", hierarchy = { file = \"d.csv\" } }",
            "{ role = \"other\" }",
        ] {
            let known = column(toml);
            assert_eq!(Form::of(&known).column(&known).unwrap(), known, "{toml}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let now = column("{ role = \"quasi-identifier\" }");
        let form = |how: &str, widths: &str| Form {
            role: "quasi-identifier".into(),
            how: how.into(),
            widths: widths.into(),
            ..Form::default()
        };
        assert!(
            form("intervals", "5 x")
                .column(&now)
                .unwrap_err()
                .message
                .contains("`x`")
        );
        assert!(form("intervals", "").column(&now).is_err());
        assert!(form("dates", "").column(&now).is_err());
        assert!(form("tree", "").column(&now).is_err());
        assert_eq!(form("", "").column(&now).unwrap(), now);
    }
}

//! Taxonomies for Adult of the sizes that seed 003's Table 1 gives, and a policy over them.
//!
//! The paper took its hierarchies from the authors of seed 000, who never published them; those in
//! `taxonomies/` are our own, with as many leaves and levels. `relationship`, which neither paper uses,
//! has one as well, so that every nominal column of Adult can be a quasi-identifier.

use std::path::{Path, PathBuf};

/// A nominal column of Adult, the leaves of its taxonomy and its levels, leaves and root among them.
pub struct Taxonomy {
    /// The column, and the name of the file.
    pub column: &'static str,
    /// Values that it knows.
    pub leaves: usize,
    /// Cells in a line of the file.
    pub levels: usize,
}

const fn taxonomy(column: &'static str, leaves: usize, levels: usize) -> Taxonomy {
    Taxonomy {
        column,
        leaves,
        levels,
    }
}

/// Table 1 of seed 003, in the order of Adult's columns.
pub const TABLE_1: [Taxonomy; 7] = [
    taxonomy("workclass", 8, 3),
    taxonomy("education", 16, 5),
    taxonomy("marital-status", 7, 3),
    taxonomy("occupation", 14, 3),
    taxonomy("race", 5, 2),
    taxonomy("sex", 2, 2),
    taxonomy("native-country", 41, 4),
];

/// The nominal column that Table 1 leaves out.
pub const RELATIONSHIP: Taxonomy = taxonomy("relationship", 6, 3);

/// Adult's columns that are numbers.
const NUMBERS: [&str; 6] = [
    "age",
    "fnlwgt",
    "education-num",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
];

impl Taxonomy {
    /// Where its file is.
    pub fn path(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("taxonomies");
        folder.join(format!("{}.csv", self.column))
    }

    /// Where the file of the flatter tree is that comes with the data.
    pub fn shipped(&self, adult: &Path) -> PathBuf {
        adult.join(format!("adult_hierarchy_{}.csv", self.column))
    }
}

/// Which trees over Adult's nominal columns.
#[derive(Clone, Copy)]
pub enum Trees {
    /// Ours, of the paper's sizes.
    Paper,
    /// Those that come with the data, which are flatter.
    Shipped,
}

/// A policy for a file of Adult: Table 1's columns are quasi-identifiers with scheme `cut`, the salary
/// class is the target, the rest `other`. `own` describes a column in other words, as the policy's line
/// does: `("age", "role = \"quasi-identifier\", type = \"integer\", scheme = \"ordered\"")`. The policy
/// ends after `[columns]`: sections are to be added.
pub fn policy(input: &Path, own: &[(&str, &str)]) -> String {
    let mut policy = format!(
        "version = 1\ninput = {{ path = {input:?} }}\noutput = {{ path = \"release.csv\", recoding = \"recoding.json\" }}\n\n[columns]\n"
    );
    let described = |name: &str| own.iter().find(|(column, _)| *column == name);
    let mut line = |name: &str, usual: String| {
        let words = described(name).map_or(usual, |(_, words)| words.to_string());
        policy += &format!("{name} = {{ {words} }}\n");
    };
    for taxonomy in &TABLE_1 {
        let file = taxonomy.path();
        let usual = format!(
            "role = \"quasi-identifier\", scheme = \"cut\", hierarchy = {{ file = {file:?} }}"
        );
        line(taxonomy.column, usual);
    }
    for name in NUMBERS.into_iter().chain([RELATIONSHIP.column]) {
        line(name, "role = \"other\"".into());
    }
    line("salary-class", "role = \"target\"".into());
    policy
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn each_has_the_leaves_and_levels_of_table_1_and_is_a_tree() {
        for taxonomy in TABLE_1.iter().chain([&RELATIONSHIP]) {
            let text = std::fs::read_to_string(taxonomy.path()).unwrap();
            let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(';').collect()).collect();
            let mut leaves: Vec<&str> = lines.iter().map(|line| line[0]).collect();
            leaves.sort_unstable();
            leaves.dedup();
            assert_eq!(leaves.len(), taxonomy.leaves, "{}", taxonomy.column);
            assert_eq!(lines.len(), taxonomy.leaves, "{}", taxonomy.column);
            let mut parents = BTreeMap::new();
            for line in &lines {
                assert_eq!(line.len(), taxonomy.levels, "{}", taxonomy.column);
                assert_eq!(line.last(), Some(&"*"));
                for (level, pair) in line.windows(2).enumerate() {
                    let parent = *parents.entry((level, pair[0])).or_insert(pair[1]);
                    assert_eq!(parent, pair[1], "{} of {}", pair[0], taxonomy.column);
                }
            }
        }
    }

    #[test]
    fn a_policy_describes_every_column_once_and_takes_other_words() {
        let words = "role = \"quasi-identifier\", type = \"integer\", scheme = \"ordered\"";
        let text = policy(Path::new("adult.csv"), &[("age", words)]) + "\n[privacy]\nk = 10\n";
        let made: coarsen::policy::Policy = toml::from_str(&text).unwrap();
        assert_eq!(made.columns.len(), 15);
        assert_eq!(text.matches("quasi-identifier").count(), 8);
        assert!(text.contains(&format!("age = {{ {words} }}")));
    }
}

//! What every figure means: one table for the report, the page, the command line and Python.

use coarsen::loss::LOSSES;
use serde::Serialize;

/// A figure that is shown somewhere, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// How programs name it.
    pub key: &'static str,
    /// How people name it.
    pub name: &'static str,
    /// What it means, in one line.
    pub short: &'static str,
    /// What it means, in full.
    pub explanation: &'static str,
}

/// Every figure but the losses, which have a table of their own; see [`find`] and [`all`].
pub static TERMS: &[Term] = &[
    Term {
        key: "k",
        name: "smallest class (k)",
        short: "every row hides among at least this many",
        explanation: "Rows that are alike in every quasi-identifier form a class. The smallest class has k rows: whoever knows all quasi-identifiers of a person and that the person is in the table still finds at least k rows that fit (k-anonymity; Sweeney 2002).",
    },
    Term {
        key: "classes",
        name: "classes",
        short: "groups of rows that are alike in every quasi-identifier",
        explanation: "How many distinct combinations of quasi-identifier values there are. Few classes of many rows protect more and tell less.",
    },
    Term {
        key: "average_class",
        name: "average class",
        short: "rows over classes",
        explanation: "The rows of a class on average. As near to k as possible is best: larger classes are coarser than the requirement asks for.",
    },
    Term {
        key: "uniques",
        name: "unique rows",
        short: "rows that no other row is like",
        explanation: "Rows that are alone in their class. Whoever knows the quasi-identifiers of such a person finds exactly one row.",
    },
    Term {
        key: "at_risk",
        name: "rows at risk",
        short: "rows whose risk of being recognized is above the threshold",
        explanation: "The rows in classes so small that one over the class's size is above the threshold. The threshold is one over the k that the policy asks for, or 20 % where it asks for none.",
    },
    Term {
        key: "prosecutor_max",
        name: "highest risk (prosecutor)",
        short: "chance to pick the right row for the most exposed person",
        explanation: "One over the size of the smallest class: how likely somebody who knows that a person is in the table, and all quasi-identifiers of that person, picks the right row by guessing among those that fit (El Emam and Dankar 2008).",
    },
    Term {
        key: "prosecutor_mean",
        name: "average risk (prosecutor)",
        short: "the same chance, over all rows",
        explanation: "The mean over all rows of one over the size of their class, which is classes over rows.",
    },
    Term {
        key: "marketer",
        name: "expected hits (marketer)",
        short: "share of all rows that would be recognized on average",
        explanation: "Somebody who tries to match every person at once, with all quasi-identifiers known, gets this share of the matches right on average. Without a table of the population it equals the average prosecutor risk.",
    },
    Term {
        key: "journalist_max",
        name: "highest risk (journalist)",
        short: "the chance for somebody who only knows that a person is in the population",
        explanation: "One over the number of people of the population whom the most exposed class covers. It needs a table of the population: `coarsen check --population`.",
    },
    Term {
        key: "distinct_l",
        name: "distinct values (l)",
        short: "fewest different sensitive values in any class",
        explanation: "Where all rows of a class share one sensitive value, one need not know which row is the person's to learn it. Distinct l-diversity asks for at least l different values in every class (Machanavajjhala et al. 2007).",
    },
    Term {
        key: "entropy_l",
        name: "effective values (entropy l)",
        short: "as many equally frequent values would be as mixed",
        explanation: "e to the entropy of the sensitive values in the least mixed class: 3.0 means that the class is as mixed as one with three equally frequent values.",
    },
    Term {
        key: "t",
        name: "distance from the whole (t)",
        short: "how far a class's sensitive values are from the whole table's",
        explanation: "The earth mover's distance between the distribution of a sensitive column in the most different class and in the whole table: 0 is alike, 1 as far as can be (t-closeness; Li, Li and Venkatasubramanian 2007).",
    },
    Term {
        key: "rows",
        name: "rows",
        short: "rows of the table",
        explanation: "Before: the rows of the input that took part (those with missing values may have been left out, as the policy says). After: the rows of the written file.",
    },
    Term {
        key: "suppressed_rows",
        name: "suppressed rows",
        short: "rows left out or masked because their class fell short",
        explanation: "Rows whose class misses a requirement are left out of the release, or written with * in every quasi-identifier, as the policy says. The policy limits how many.",
    },
    Term {
        key: "column_lm",
        name: "lost of a column",
        short: "0 is untouched, 1 is suppressed",
        explanation: "The column's share of LM: how much of the domain a released value covers, on average over the rows; a suppressed row counts as 1.",
    },
    Term {
        key: "distance",
        name: "moved rows",
        short: "how far the column's distribution moved",
        explanation: "The share of rows that would have to be moved to turn the distribution after into the one before, over the groups of the chart (total variation distance). Blocks are spread evenly over their values.",
    },
    Term {
        key: "association",
        name: "association (Cramér's V)",
        short: "how strongly two columns hang together",
        explanation: "Cramér's V, corrected for chance (Bergsma 2013), over at most eight groups of each column's values, the same before and after: 0 for none, 1 where the columns tell each other. A released block is spread evenly over its values.",
    },
    Term {
        key: "imprecision_of_selection",
        name: "rows too many",
        short: "rows that a selection returns beyond those it asks for",
        explanation: "A selection over the release returns every class that overlaps it, and suppressed rows, which could be anywhere. The rows beyond those that satisfy it in the input are its imprecision (LeFevre et al. 2006, section 3.4).",
    },
    Term {
        key: "seed",
        name: "seed",
        short: "where randomness starts",
        explanation: "The same input, policy and seed give the same bytes, on any number of threads.",
    },
    Term {
        key: "sha256",
        name: "SHA-256",
        short: "a fingerprint of a file's bytes",
        explanation: "Two files with the same fingerprint are the same file, for all that is known. `coarsen check FILE --manifest manifest.json` compares it and recounts the file.",
    },
    Term {
        key: "bound",
        name: "proven bound",
        short: "no release of this kind costs less",
        explanation: "A cost that was proven to be the least possible for releases of the kind that the algorithm makes. Where it equals the release's own cost, the release is optimal.",
    },
    Term {
        key: "model_error",
        name: "error of a model",
        short: "how often a decision tree guesses the target wrong",
        explanation: "A decision tree learns the target from the quasi-identifiers of some rows, and is asked about others: the share of labels that it gets wrong, or for a number the mean distance from the true one. Before and after tell what the release costs; with nothing known, the most frequent label (or the mean) is guessed, which is what any tree can fall back to.",
    },
];

/// The figure of a key; losses are found by their names, with hyphens or underscores.
pub fn find(key: &str) -> Option<Term> {
    let term = TERMS.iter().find(|term| term.key == key).cloned();
    let same = |name: &str| name.replace('-', "_") == key.replace('-', "_");
    let loss = || LOSSES.iter().find(|loss| same(loss.name)).map(of_loss);
    term.or_else(loss)
}

/// Every figure, losses last.
pub fn all() -> Vec<Term> {
    let losses = LOSSES.iter().map(of_loss);
    TERMS.iter().cloned().chain(losses).collect()
}

fn of_loss(loss: &coarsen::loss::LossEntry) -> Term {
    Term {
        key: loss.name,
        name: loss.name,
        short: loss.summary,
        explanation: loss.formula,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_is_found_and_says_something() {
        let all = all();
        for term in &all {
            assert_eq!(find(term.key).as_ref(), Some(term));
            assert!(!term.short.is_empty() && !term.explanation.is_empty());
        }
        let mut keys: Vec<&str> = all.iter().map(|term| term.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all.len(), "keys are told apart");
        assert_eq!(find("average_class_size"), find("average-class-size"));
        assert!(find("no-such-figure").is_none());
    }
}

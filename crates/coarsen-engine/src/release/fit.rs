//! Whether a search fits in the memory that the user allows. It is asked before it starts, so that no
//! one waits for a search that ends when the machine does.

use coarsen::policy::{Key, Policy, PolicyError, format_bytes};
use coarsen::problem::Problem;

use super::choose::find_algorithm;
use crate::EngineError;

/// What a search needs and does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lacking {
    needed: u64,
    allowed: u64,
    combinations: usize,
}

/// How many bytes a combination takes where it is held: as it was counted, and in codes.
pub(super) fn bytes_of_combination(columns: usize) -> u64 {
    2 * (4 * columns as u64 + 8)
}

/// What a search lacks; nothing where it fits, or where there is no limit.
pub(crate) fn lacking(
    limit: Option<u64>,
    policy: &Policy,
    problem: &Problem,
) -> Result<Option<Lacking>, EngineError> {
    let Some(allowed) = limit else {
        return Ok(None);
    };
    let combinations = problem.counts.combinations();
    let held = combinations as u64 * bytes_of_combination(policy.columns.len());
    let whole = find_algorithm(policy)?.memory(problem);
    // The share of a sample's combinations is at most that of all rows, rarely less than half of it.
    let searched = (whole as f64 * policy.search.sample.unwrap_or(1.0)) as u64;
    let needed = held + searched;
    Ok((needed > allowed).then_some(Lacking {
        needed,
        allowed,
        combinations,
    }))
}

impl Lacking {
    /// Why the search does not start, and what could be done instead.
    pub fn refuse(self, policy: &Policy) -> EngineError {
        let name = &policy.search.algorithm;
        let message = format!(
            "`{name}` needs about {} of memory for {} distinct combinations, and {} are allowed.",
            format_bytes(rounded(self.needed)),
            self.combinations,
            format_bytes(self.allowed)
        );
        let help = "Allow more memory; search a sample (search.sample = 0.1); choose algorithm = \"mondrian\", which passes over the table instead; or start coarser: give columns with very many values fewer of them.";
        let error = PolicyError::new(&Key::of(["engine", "memory"]), message);
        error.with_help(help).into()
    }
}

/// Two digits are all that an estimate has.
fn rounded(bytes: u64) -> u64 {
    let digits = bytes.checked_ilog10().unwrap_or(0).saturating_sub(1);
    let step = 10u64.pow(digits);
    bytes.div_ceil(step) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_two_digits() {
        assert_eq!(rounded(123_456), 130_000);
        assert_eq!(rounded(99), 99);
        assert_eq!(rounded(991_000_000), 1_000_000_000);
        assert_eq!(rounded(0), 0);
    }
}

//! The frontier: the candidates that no other beats. One beats another where it is better in risk or loss
//! and at least as good in the other. Risk is the highest risk of a row, for that is what a requirement
//! promises; the loss is the policy's, measured of every candidate whatever it searched for.

use serde::Serialize;

use super::{Candidate, Measured, Outcome};

/// A searched grid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frontier {
    /// The loss that candidates are compared by.
    pub loss: String,
    /// The candidates, in the order of the grid.
    pub candidates: Vec<Candidate>,
}

impl Frontier {
    pub(super) fn of(mut candidates: Vec<Candidate>, loss: &str) -> Self {
        let places: Vec<Option<(f64, f64)>> = candidates
            .iter()
            .map(|candidate| candidate.measured().and_then(|m| place(m, loss)))
            .collect();
        for (candidate, place) in candidates.iter_mut().zip(&places) {
            candidate.undominated = place.is_some_and(|(risk, cost)| {
                let beats = |other: &(f64, f64)| {
                    other.0 <= risk && other.1 <= cost && (other.0 < risk || other.1 < cost)
                };
                !places.iter().flatten().any(beats)
            });
        }
        Frontier {
            loss: loss.to_string(),
            candidates,
        }
    }

    /// A candidate's loss, by which it is compared: less is better.
    pub fn cost(&self, measured: &Measured) -> Option<f64> {
        place(measured, &self.loss).map(|(_, cost)| cost)
    }
}

/// Risk and cost; none for a release that does not protect, or that the loss does not apply to.
fn place(measured: &Measured, loss: &str) -> Option<(f64, f64)> {
    if measured.unproven_rows.is_some() {
        return None;
    }
    let shown = measured.loss.get(&loss.replace('-', "_"))?.as_f64()?;
    // Prec is shown as what is kept, and minimized as what is lost.
    let cost = if loss == "prec" { 1.0 - shown } else { shown };
    Some((measured.highest_risk, cost))
}

impl Candidate {
    /// Its figures, where it has a release.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Reason(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::GridPoint;

    fn candidate(number: usize, risk: f64, lm: f64) -> Candidate {
        let mut loss = serde_json::Map::new();
        loss.insert("lm".into(), lm.into());
        Candidate {
            point: GridPoint {
                number,
                algorithm: "a".into(),
                k: 2,
                search_loss: "lm".into(),
                limit: 0.0,
            },
            undominated: false,
            outcome: Outcome::Measured(Box::new(Measured {
                by: "a".into(),
                stop: "complete".into(),
                bound: None,
                rows_out: 1,
                suppressed_rows: 0,
                classes: 1,
                smallest_class: 1,
                highest_risk: risk,
                average_risk: risk,
                loss,
                unproven_rows: None,
                seconds: 0.0,
            })),
        }
    }

    #[test]
    fn only_the_unbeaten_are_marked() {
        let mut unproven = candidate(5, 0.1, 0.0);
        if let Outcome::Measured(measured) = &mut unproven.outcome {
            measured.unproven_rows = Some(3);
        }
        let all = vec![
            candidate(1, 0.5, 0.1),
            candidate(2, 0.5, 0.2),
            candidate(3, 0.2, 0.3),
            candidate(4, 0.3, 0.3),
            unproven,
            candidate(6, 0.5, 0.1),
        ];
        let frontier = Frontier::of(all, "lm");
        let marked: Vec<usize> = frontier
            .candidates
            .iter()
            .filter(|candidate| candidate.undominated)
            .map(|candidate| candidate.point.number)
            .collect();
        // 2 loses more than 1 at the same risk, 4 risks more than 3; 1 and 6 are equals.
        assert_eq!(marked, [1, 3, 6]);
    }
}

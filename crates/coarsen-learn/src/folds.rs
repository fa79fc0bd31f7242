//! Who is trained on and who is tested: a hold-out file, or k folds in which every label has its share
//! (seed 001, section 4.1, step 1), dealt anew for every trial.

use coarsen::synthetic::Random;

use crate::error::LearnError;
use crate::rows::Rows;

/// How rows are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// The first rows train, the others test: [`Rows::training`].
    HoldOut,
    /// Each of so many parts is tested once by a model of the others.
    Folds(usize),
}

/// One division: the rows to train on and the rows to test on.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The trial that it belongs to, from 0.
    pub trial: usize,
    /// Rows to train on, rising.
    pub training: Vec<u32>,
    /// Rows to test on, rising.
    pub test: Vec<u32>,
}

/// All rounds of all trials. `strata` gives each row's label where folds should have their share of
/// each.
pub fn rounds(
    rows: &Rows,
    division: Division,
    trials: usize,
    seed: u64,
    strata: Option<&[u32]>,
) -> Result<Vec<Round>, LearnError> {
    let all = rows.len();
    match division {
        Division::HoldOut => Ok((0..trials)
            .map(|trial| Round {
                trial,
                training: (0..rows.training() as u32).collect(),
                test: (rows.training() as u32..all as u32).collect(),
            })
            .collect()),
        Division::Folds(folds) if folds < 2 => Err(LearnError::unfit(
            format!("{folds} folds leave nothing to test on."),
            "ask for at least 2",
        )),
        Division::Folds(folds) if folds > all => Err(LearnError::unfit(
            format!("The table has {all} rows, which cannot be dealt to {folds} folds."),
            format!("ask for at most {all} folds"),
        )),
        Division::Folds(folds) => {
            let mut rounds = Vec::new();
            for trial in 0..trials {
                let fold_of = deal(all, folds, seed, trial as u64, strata);
                for fold in 0..folds as u32 {
                    let (test, training): (Vec<u32>, Vec<u32>) =
                        (0..all as u32).partition(|row| fold_of[*row as usize] == fold);
                    rounds.push(Round {
                        trial,
                        training,
                        test,
                    });
                }
            }
            Ok(rounds)
        }
    }
}

/// The fold of each row: rows are shuffled, put in the order of their labels, and dealt like cards.
pub(crate) fn deal(
    rows: usize,
    folds: usize,
    seed: u64,
    trial: u64,
    strata: Option<&[u32]>,
) -> Vec<u32> {
    let mut random = Random::stream(seed, trial);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place as u64 + 1) as usize);
    }
    if let Some(strata) = strata {
        order.sort_by_key(|row| strata[*row as usize]);
    }
    let mut fold_of = vec![0; rows];
    for (place, row) in order.into_iter().enumerate() {
        fold_of[row as usize] = (place % folds) as u32;
    }
    fold_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_have_their_share_of_each_label() {
        let strata: Vec<u32> = (0..103).map(|row| u32::from(row % 5 == 0)).collect();
        let fold_of = deal(103, 10, 1, 0, Some(&strata));
        let held = |fold: u32, label: u32| {
            let here = fold_of.iter().zip(&strata);
            here.filter(|(f, l)| (**f, **l) == (fold, label)).count()
        };
        for fold in 0..10 {
            assert!((2..=3).contains(&held(fold, 1)) && (8..=9).contains(&held(fold, 0)));
        }
        assert_eq!(fold_of, deal(103, 10, 1, 0, Some(&strata)));
        assert_ne!(fold_of, deal(103, 10, 1, 1, Some(&strata)));
        assert_ne!(fold_of, deal(103, 10, 2, 0, Some(&strata)));
    }

    #[test]
    fn every_row_is_tested_once_a_trial() {
        let column = crate::rows::RowColumn {
            name: "q".into(),
            role: coarsen::policy::Role::QuasiIdentifier,
            kind: coarsen::domain::Kind::Text,
            cells: vec![None],
            codes: vec![0],
        };
        let rows = Rows::new(vec![column], &[7]);
        let dealt = rounds(&rows, Division::Folds(3), 2, 1, None).unwrap();
        assert_eq!(dealt.len(), 6);
        for trial in 0..2 {
            let tested = dealt.iter().filter(|round| round.trial == trial);
            let mut rows: Vec<u32> = tested.flat_map(|round| round.test.clone()).collect();
            rows.sort_unstable();
            assert_eq!(rows, [0, 1, 2, 3, 4, 5, 6]);
        }
        for round in &dealt {
            assert_eq!(round.training.len() + round.test.len(), 7);
        }
        assert!(rounds(&rows, Division::Folds(1), 1, 1, None).is_err());
        let error = rounds(&rows, Division::Folds(8), 1, 1, None).unwrap_err();
        assert!(error.to_string().contains("7 rows"));
    }
}

//! The rows: distributions, seeds, chunks, constants, noise.

use super::*;

fn table(settings: AgrawalSettings, rows: usize) -> AgrawalColumns {
    let mut columns = AgrawalColumns::default();
    Agrawal::new(settings)
        .unwrap()
        .next_rows(rows, &mut columns);
    columns
}

fn seeded(seed: u64) -> AgrawalSettings {
    AgrawalSettings {
        seed,
        ..AgrawalSettings::default()
    }
}

#[test]
fn distributions_are_those_of_figure_6() {
    const ROWS: usize = 100_000;
    let all = table(seeded(5), ROWS);
    for place in 0..ROWS {
        let row = all.row(place);
        assert!((20e3..=150e3).contains(&row.salary) && (0.0..=500e3).contains(&row.loan));
        assert_eq!(row.commission == 0.0, row.salary >= 75e3);
        assert!(row.commission == 0.0 || (10e3..=75e3).contains(&row.commission));
        let unit = row.zipcode as f64 * 100e3;
        assert!((0.5 * unit..=1.5 * unit).contains(&row.hvalue));
        assert_eq!((row.salary * 100.0).round() / 100.0, row.salary);
    }
    for (column, low, high) in [
        (&all.age, 20, 80),
        (&all.elevel, 0, 4),
        (&all.car, 1, 20),
        (&all.zipcode, 0, 9),
        (&all.hyears, 1, 30),
    ] {
        let share = ROWS as f64 / (high - low + 1) as f64;
        assert!(column.iter().all(|value| (low..=high).contains(value)));
        for value in low..=high {
            let seen = column.iter().filter(|&&v| v == value).count() as f64;
            assert!(
                (seen - share).abs() < 5.0 * share.sqrt(),
                "{value}: {seen} of {share}"
            );
        }
    }
    let mean = |column: &[f64]| column.iter().sum::<f64>() / column.len() as f64;
    assert!((mean(&all.salary) - 85e3).abs() < 600.0);
    assert!((mean(&all.loan) - 250e3).abs() < 2_500.0);
    assert!((mean(&all.hvalue) - 450e3).abs() < 5_000.0);
    let paid: Vec<f64> = all
        .commission
        .iter()
        .copied()
        .filter(|&c| c > 0.0)
        .collect();
    assert!((mean(&paid) - 42_500.0).abs() < 500.0);
    let mut salaries: Vec<u64> = all.salary.iter().map(|s| s.to_bits()).collect();
    salaries.sort_unstable();
    salaries.dedup();
    assert!(salaries.len() > ROWS * 99 / 100);
}

#[test]
fn same_rows_whatever_the_chunks() {
    for noise in [0.0, 0.05] {
        let settings = AgrawalSettings {
            functions: (1..=10).collect(),
            seed: 9,
            random_constants: true,
            noise,
        };
        let whole = table(settings.clone(), 1000);
        for chunk in [1, 7, 999] {
            let (mut maker, mut part, mut place) =
                (Agrawal::new(settings.clone()).unwrap(), whole.clone(), 0);
            while place < 1000 {
                maker.next_rows(chunk.min(1000 - place), &mut part);
                for at in 0..part.age.len() {
                    assert_eq!(part.row(at), whole.row(place + at));
                    assert!(
                        part.labels
                            .iter()
                            .zip(&whole.labels)
                            .all(|(p, w)| p[at] == w[place + at])
                    );
                }
                place += part.age.len();
            }
        }
        let (mut skipped, mut part) = (Agrawal::new(settings).unwrap(), AgrawalColumns::default());
        skipped.skip_rows(600);
        skipped.next_rows(1, &mut part);
        assert_eq!(part.row(0), whole.row(600));
    }
}

#[test]
fn a_seed_gives_its_rows_for_ever() {
    let first = AgrawalRow {
        salary: 131_330.96,
        commission: 0.0,
        age: 41,
        elevel: 2,
        car: 13,
        zipcode: 7,
        hvalue: 943_852.14,
        hyears: 7,
        loan: 308_917.24,
    };
    assert_eq!(table(seeded(1), 1).row(0), first);
    assert_ne!(table(seeded(1), 50), table(seeded(2), 50));
}

#[test]
fn constants_vary_by_seed_and_not_with_company() {
    let drawn = |seed, functions| {
        let settings = AgrawalSettings {
            functions,
            seed,
            random_constants: true,
            noise: 0.0,
        };
        Agrawal::new(settings).unwrap().functions().to_vec()
    };
    assert_ne!(drawn(1, vec![2]), drawn(2, vec![2]));
    assert_eq!(drawn(1, vec![2])[0], drawn(1, vec![7, 2])[1]);
    assert_eq!(drawn(1, vec![7]), drawn(2, vec![7]));
}

#[test]
fn noise_moves_numbers_only_and_not_far() {
    let (still, moved) = (
        table(seeded(4), 5000),
        table(
            AgrawalSettings {
                noise: 0.05,
                ..seeded(4)
            },
            5000,
        ),
    );
    assert_eq!(
        (&still.labels, &still.zipcode, &still.car),
        (&moved.labels, &moved.zipcode, &moved.car)
    );
    assert_eq!(still.elevel, moved.elevel);
    assert_ne!(still.hyears, moved.hyears);
    for place in 0..5000 {
        let (old, new) = (still.row(place), moved.row(place));
        assert!(
            (old.salary - new.salary).abs() <= 3_250.01 && (20e3..=150e3).contains(&new.salary)
        );
        assert!((old.loan - new.loan).abs() <= 12_500.01 && (0.0..=500e3).contains(&new.loan));
        assert!((old.age - new.age).abs() <= 2 && (20..=80).contains(&new.age));
        assert_eq!(old.commission == 0.0, new.commission == 0.0);
    }
}

#[test]
fn senseless_settings_are_refused() {
    let refused = |functions, noise| {
        Agrawal::new(AgrawalSettings {
            functions,
            noise,
            ..AgrawalSettings::default()
        })
        .err()
    };
    assert_eq!(
        refused(vec![0], 0.0),
        Some(AgrawalError::UnknownFunction(0))
    );
    assert_eq!(
        refused(vec![2, 11], 0.0),
        Some(AgrawalError::UnknownFunction(11))
    );
    assert_eq!(
        refused(vec![2, 2], 0.0),
        Some(AgrawalError::RepeatedFunction(2))
    );
    assert!(refused(vec![2], f64::NAN).is_some() && refused(vec![2], 1.1).is_some());
    assert_eq!(refused(vec![], 1.0), None);
}

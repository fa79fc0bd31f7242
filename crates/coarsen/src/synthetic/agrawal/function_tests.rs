//! The label functions on rows chosen by hand, and their random constants.

use super::functions::Shape;
use super::*;

/// Young, and 60,000 with no commission: not of the generator's making, but easy to reckon with.
const ROW: AgrawalRow = AgrawalRow {
    salary: 60e3,
    commission: 0.0,
    age: 30,
    elevel: 1,
    car: 1,
    zipcode: 3,
    hvalue: 300e3,
    hyears: 10,
    loan: 150e3,
};

fn a(number: u8, row: AgrawalRow) -> bool {
    LabelFunction::printed(number).unwrap().group_a(&row)
}

#[test]
fn one_and_three_on_ages_and_levels() {
    let at = |age, elevel| AgrawalRow { age, elevel, ..ROW };
    assert_eq!(
        [39, 40, 59, 60].map(|age| a(1, at(age, 0))),
        [true, false, false, true]
    );
    assert_eq!(
        [0, 1, 2, 3, 4].map(|l| a(3, at(39, l))),
        [true, true, false, false, false]
    );
    assert_eq!(
        [0, 1, 2, 3, 4].map(|l| a(3, at(40, l))),
        [false, true, true, true, false]
    );
    assert_eq!(
        [0, 1, 2, 3, 4].map(|l| a(3, at(60, l))),
        [false, false, true, true, true]
    );
}

#[test]
fn two_and_six_on_salary_and_income() {
    let salaries = [
        24_999.99, 25e3, 50e3, 75e3, 75_000.01, 100e3, 125e3, 125_000.01,
    ];
    let wanted = [
        (39, [false, false, true, true, true, true, false, false]),
        (59, [false, false, false, true, true, true, true, false]),
        (60, [false, true, true, true, false, false, false, false]),
    ];
    for (age, groups) in wanted {
        assert_eq!(
            salaries.map(|salary| a(2, AgrawalRow { salary, age, ..ROW })),
            groups,
            "age {age}"
        );
        let split = |sum: f64| AgrawalRow {
            salary: sum - 20e3,
            commission: 20e3,
            age,
            ..ROW
        };
        assert_eq!(
            [30e3, 60e3, 90e3, 110e3].map(|s| a(6, split(s))),
            [30e3, 60e3, 90e3, 110e3].map(|s| {
                a(
                    2,
                    AgrawalRow {
                        salary: s,
                        age,
                        ..ROW
                    },
                )
            })
        );
    }
}

#[test]
fn four_and_five_hang_on_a_test() {
    let four = |age, elevel, salary| {
        a(
            4,
            AgrawalRow {
                age,
                elevel,
                salary,
                ..ROW
            },
        )
    };
    assert!(four(30, 1, 30e3) && !four(30, 2, 30e3) && four(30, 2, 90e3) && !four(30, 1, 90e3));
    assert!(four(50, 3, 60e3) && !four(50, 4, 60e3) && four(50, 0, 110e3) && !four(50, 1, 110e3));
    assert!(four(70, 2, 90e3) && !four(70, 1, 90e3) && four(70, 0, 30e3) && !four(70, 4, 30e3));
    let five = |age, salary, loan| {
        a(
            5,
            AgrawalRow {
                age,
                salary,
                loan,
                ..ROW
            },
        )
    };
    assert!(
        five(30, 60e3, 150e3)
            && !five(30, 60e3, 350e3)
            && five(30, 40e3, 350e3)
            && !five(30, 40e3, 150e3)
    );
    assert!(
        five(50, 80e3, 250e3)
            && !five(50, 80e3, 450e3)
            && five(50, 60e3, 450e3)
            && !five(50, 60e3, 250e3)
    );
    assert!(
        five(70, 60e3, 450e3)
            && !five(70, 60e3, 150e3)
            && five(70, 90e3, 150e3)
            && !five(70, 90e3, 450e3)
    );
}

#[test]
fn seven_to_ten_on_what_is_left() {
    // 0.67 × 60,000 = 40,200.
    let loan = |loan| AgrawalRow { loan, ..ROW };
    assert!(a(7, loan(100e3)) && !a(7, loan(101e3)) && !a(7, loan(102e3)));
    let elevel = |salary, elevel| AgrawalRow {
        salary,
        elevel,
        ..ROW
    };
    assert!(a(8, elevel(60e3, 4)) && !a(8, elevel(59e3, 4)) && a(8, elevel(59e3, 3)));
    // 40,200 − 5,000 − 10,000 = 25,200 = 0.2 × 126,000.
    assert!(a(9, loan(125_999.0)) && !a(9, loan(126_001.0)));
    // 0.67 × 20,000 − 20,000 − 10,000 = −16,600; 0.2 × 0.1 × 300,000 = 6,000 for each year from the twentieth on.
    let home = |hyears| AgrawalRow {
        salary: 20e3,
        elevel: 4,
        hyears,
        ..ROW
    };
    assert!(!a(10, home(1)) && !a(10, home(22)) && a(10, home(23)) && a(10, home(30)));
}

#[test]
fn random_constants_are_ordered_in_range_and_vary() {
    let mut texts = Vec::new();
    for seed in 0..200 {
        for number in 1..=10 {
            let function = LabelFunction::drawn(number, &mut Random::new(seed)).unwrap();
            let fixed = function == LabelFunction::printed(number).unwrap();
            assert_eq!(fixed, !(2..=6).contains(&number), "{function}");
            if let Shape::Plain {
                ages,
                measure,
                within,
            } = &function.shape
            {
                let (low, high) = measure.limits();
                assert!(20.0 <= ages[0] && ages[0] <= ages[1] && ages[1] <= 80.0);
                assert!(
                    within
                        .iter()
                        .all(|[l, h]| low as f64 <= *l && l <= h && *h <= high as f64)
                );
            }
            texts.extend((number == 2).then(|| function.to_string()));
        }
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 200);
}

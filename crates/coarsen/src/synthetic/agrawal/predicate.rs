//! A label function of Agrawal et al. 1993 written out with its constants, in the words of a selection: LeFevre et al.
//! 2006 (section 4.6) uses function 2 as one, and a manifest should say by which rule the labels came about.

use std::fmt;

use super::functions::{LabelFunction, Measure, Range, Shape};

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Measure::Salary => "salary",
            Measure::Income => "salary + commission",
            Measure::Elevel => "elevel",
            Measure::Loan => "loan",
        }
    }
}

impl fmt::Display for LabelFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = |measure: &Measure, [low, high]: &Range| {
            let name = measure.name();
            format!("{name} >= {low} and {name} <= {high}")
        };
        let (ages, wanted): (&Range, [String; 3]) = match &self.shape {
            Shape::Outside { ages: [young, old] } => {
                return write!(f, "age < {young} or age >= {old}");
            }
            Shape::Plain {
                ages,
                measure,
                within,
            } => (ages, within.each_ref().map(|range| inside(measure, range))),
            Shape::Nested {
                ages,
                test,
                when,
                measure,
                then,
                otherwise,
            } => {
                let branch = |band: usize| {
                    let (test, asked) = (inside(test, &when[band]), |range| inside(measure, range));
                    format!(
                        "({test} and {} or not ({test}) and {})",
                        asked(&then[band]),
                        asked(&otherwise[band])
                    )
                };
                (ages, [branch(0), branch(1), branch(2)])
            }
            Shape::Disposable {
                elevel,
                loan,
                equity,
                fixed,
            } => {
                write!(f, "0.67 * (salary + commission)")?;
                for (factor, name) in [
                    (elevel, " * elevel"),
                    (loan, " * loan"),
                    (equity, " * equity"),
                    (fixed, ""),
                ] {
                    if *factor != 0.0 {
                        let sign = if *factor < 0.0 { '-' } else { '+' };
                        write!(f, " {sign} {}{name}", factor.abs())?;
                    }
                }
                return write!(f, " > 0");
            }
        };
        let [young, old] = ages;
        let [first, second, third] = wanted;
        write!(
            f,
            "(age < {young} and {first}) or (age >= {young} and age < {old} and {second}) or (age >= {old} and {third})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_read_as_the_paper_prints_them() {
        let text = |number| LabelFunction::printed(number).unwrap().to_string();
        assert_eq!(
            text(3),
            "(age < 40 and elevel >= 0 and elevel <= 1) or (age >= 40 and age < 60 and elevel >= 1 and elevel <= 3) \
             or (age >= 60 and elevel >= 2 and elevel <= 4)"
        );
        assert_eq!(
            text(9),
            "0.67 * (salary + commission) - 5000 * elevel - 0.2 * loan - 10000 > 0"
        );
        assert!(
            text(4).starts_with("(age < 40 and (elevel >= 0 and elevel <= 1 and salary >= 25000")
        );
    }
}

//! Asking the data holder on a terminal (seed 002, Fig. 11 step 4): which column to generalize next, or
//! none. Questions go to stderr, for stdout is for results. Where stdin or stderr is no terminal nobody is
//! asked, so that a pipeline never waits.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use coarsen::search::Question;

/// Whether there is somebody to ask.
pub fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// The lines of a terminal, read by a thread of its own so that Ctrl-C is heard while nobody answers.
pub struct Terminal {
    lines: Mutex<mpsc::Receiver<String>>,
    cancelled: Arc<AtomicBool>,
}

impl Terminal {
    /// Starts to listen.
    pub fn new(cancelled: Arc<AtomicBool>) -> Self {
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Terminal {
            lines: Mutex::new(lines),
            cancelled,
        }
    }

    /// Asks; none where the answer is none, the input ends, or the work is cancelled.
    pub fn ask(&self, question: &Question) -> Option<usize> {
        let lines = self.lines.lock().ok()?;
        let next = || loop {
            match lines.recv_timeout(Duration::from_millis(100)) {
                Ok(line) => return Some(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(mpsc::RecvTimeoutError::Timeout) if self.cancelled.load(Ordering::Relaxed) => {
                    return None;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        };
        ask(question, next, &mut std::io::stderr())
    }
}

/// Puts the question and reads answers until one makes sense.
fn ask(
    question: &Question,
    mut next: impl FnMut() -> Option<String>,
    out: &mut impl Write,
) -> Option<usize> {
    // What cannot be shown is not asked.
    show(question, out).ok()?;
    loop {
        write!(out, "Generalize which one (Enter for none)? ").ok()?;
        out.flush().ok()?;
        let line = next()?;
        let answer = line.trim();
        if answer.is_empty() {
            return None;
        }
        let by_number = answer.parse::<usize>().ok();
        let by_number = by_number.filter(|n| (1..=question.columns.len()).contains(n));
        let by_name = || question.columns.iter().position(|c| c.column == answer);
        if let Some(place) = by_number.map(|n| n - 1).or_else(by_name) {
            return Some(place);
        }
        writeln!(
            out,
            "There is no such column: type a number or a name from the list."
        )
        .ok()?;
    }
}

fn show(question: &Question, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "\n{} rows hold values that too few share, in these columns together:",
        question.rows
    )?;
    for outlying in &question.outlying {
        writeln!(
            out,
            "  {:>8}  {}",
            outlying.rows,
            outlying.columns.join(", ")
        )?;
    }
    writeln!(
        out,
        "A column may be generalized by a level; what is left then loses single cells."
    )?;
    for (place, column) in question.columns.iter().enumerate() {
        writeln!(
            out,
            "  {:>3}  {}, level {} of {}, in {} of these",
            place + 1,
            column.column,
            column.level,
            column.height,
            column.combinations
        )?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use coarsen::search::{Generalizable, Outlying};

    use super::*;

    fn question() -> Question {
        let column = |column: &str| Generalizable {
            column: column.into(),
            level: 1,
            height: 3,
            combinations: 2,
        };
        Question {
            rows: 2,
            outlying: vec![Outlying {
                columns: vec!["birth".into(), "zip".into()],
                rows: 1,
            }],
            columns: vec![column("birth"), column("zip")],
        }
    }

    fn answered(lines: &[&str]) -> (Option<usize>, String) {
        let mut lines = lines.iter().map(|line| line.to_string());
        let mut out = Vec::new();
        let answer = ask(&question(), || lines.next(), &mut out);
        (answer, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_number_or_a_name_is_an_answer_and_nothing_is_none() {
        assert_eq!(answered(&["2"]).0, Some(1));
        assert_eq!(answered(&[" birth "]).0, Some(0));
        assert_eq!(answered(&[""]).0, None);
        // The input ends.
        assert_eq!(answered(&[]).0, None);
    }

    #[test]
    fn what_makes_no_sense_is_asked_again() {
        let (answer, said) = answered(&["3", "zap", "1"]);
        assert_eq!(answer, Some(0));
        assert_eq!(said.matches("no such column").count(), 2);
        assert!(
            said.contains("birth, zip") && said.contains("2  zip, level 1 of 3, in 2 of these"),
            "{said}"
        );
    }
}

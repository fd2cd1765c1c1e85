//! Reads the answer of a program: the `s` and `v` lines of the SAT competitions, or MiniSat's
//! result file (`SAT`, `UNSAT` or `INDET`, then the model).

use gridsat_encodings::Lit;
use gridsat_model::text::excerpt;
use thiserror::Error;

/// Why an answer cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Unusable {
    #[error("it is not text")]
    NotText,
    #[error("there is no line 's ...'")]
    NoAnswer,
    #[error("the result file is empty")]
    Empty,
    #[error("its answer is too long for the formula")]
    TooLong,
    #[error("it answers both '{0}' and '{1}'")]
    Both(String, String),
    #[error("'{0}' is not an answer")]
    Unknown(String),
    #[error("it answers {0}, but its exit code says otherwise")]
    ExitCode(&'static str),
    #[error("'{0}' in its model is not a literal")]
    Literal(String),
}

/// A program's answer. The model has one value per variable and is not checked yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Sat(Vec<bool>),
    Unsat,
    Unknown,
}

impl Reply {
    /// By convention the exit code is 10 with a model and 20 without; all other codes are ignored.
    pub(super) fn agreeing_with(self, code: Option<i32>) -> Result<Self, Unusable> {
        match (&self, code) {
            (Self::Sat(_), Some(20)) => Err(Unusable::ExitCode("SATISFIABLE")),
            (Self::Unsat, Some(10)) => Err(Unusable::ExitCode("UNSATISFIABLE")),
            _ => Ok(self),
        }
    }
}

/// Reads `s` and `v` lines; other lines are ignored.
pub(super) fn from_lines(text: &[u8], variables: usize) -> Result<Reply, Unusable> {
    let text = utf8(text)?;
    let body = |mark| move |line: &'_ str| body_of(line, mark).map(str::to_owned);
    let mut answers = text.lines().filter_map(body("s"));
    let answer = answers.next().ok_or(Unusable::NoAnswer)?;
    if let Some(second) = answers.find(|other| *other != answer) {
        return Err(Unusable::Both(answer, second));
    }
    match answer.as_str() {
        "SATISFIABLE" => {
            let values: Vec<_> = text.lines().filter_map(body("v")).collect();
            let words = values.iter().flat_map(|line| line.split_whitespace());
            model(words, variables).map(Reply::Sat)
        }
        "UNSATISFIABLE" => Ok(Reply::Unsat),
        "UNKNOWN" => Ok(Reply::Unknown),
        other => Err(Unusable::Unknown(format!("s {}", excerpt(other)))),
    }
}

/// Reads a result file as MiniSat writes it.
pub(super) fn from_file(text: &[u8], variables: usize) -> Result<Reply, Unusable> {
    let text = utf8(text)?;
    let mut words = text.split_whitespace();
    match words.next() {
        Some("SAT") => model(words, variables).map(Reply::Sat),
        Some("UNSAT") => Ok(Reply::Unsat),
        Some("INDET") => Ok(Reply::Unknown),
        Some(other) => Err(Unusable::Unknown(excerpt(other))),
        None => Err(Unusable::Empty),
    }
}

fn utf8(text: &[u8]) -> Result<&str, Unusable> {
    std::str::from_utf8(text).map_err(|_| Unusable::NotText)
}

/// The rest of a line that begins with this word; `None` for other lines.
fn body_of<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(mark)?;
    let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
    is_word.then(|| rest.trim())
}

/// Reads literals up to 0 or the end; variables that are not listed are false.
fn model<'a>(
    words: impl Iterator<Item = &'a str>,
    variables: usize,
) -> Result<Vec<bool>, Unusable> {
    let mut model = vec![false; variables];
    for word in words {
        let number: i32 = word.parse().map_err(|_| Unusable::Literal(excerpt(word)))?;
        let Some(lit) = Lit::from_dimacs(number) else {
            break;
        };
        // A program may use more variables than the formula has; their values are ignored.
        if let Some(value) = model.get_mut(lit.var().index()) {
            *value = !lit.is_negative();
        }
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_competition_lines() {
        let text = b"c hello\r\ns SATISFIABLE\r\nv 1 -2\r\nv 9 3\nv 0\nvery 4\n";
        let model = vec![true, false, true];
        assert_eq!(from_lines(text, 3), Ok(Reply::Sat(model)));
        assert_eq!(from_lines(b"s UNSATISFIABLE\n", 3), Ok(Reply::Unsat));
        assert_eq!(from_lines(b"s UNKNOWN", 3), Ok(Reply::Unknown));
    }

    #[test]
    fn refuses_what_is_no_answer() {
        for text in [
            "",
            "s\n",
            "s MAYBE\n",
            "SATISFIABLE\n",
            "s SATISFIABLE\nv 1 x 0\n",
            "s SATISFIABLE\nv 99999999999 0\n",
            "s SATISFIABLE\ns UNSATISFIABLE\n",
        ] {
            assert!(from_lines(text.as_bytes(), 3).is_err(), "{text}");
        }
        assert!(from_lines(b"s \xff", 3).is_err());
    }

    #[test]
    fn reads_result_files() {
        assert_eq!(from_file(b"SAT\n-1 2 0\n", 2), Ok(Reply::Sat(vec![false, true])));
        assert_eq!(from_file(b"UNSAT\n", 2), Ok(Reply::Unsat));
        assert_eq!(from_file(b"INDET\n", 2), Ok(Reply::Unknown));
        assert!(from_file(b"", 2).is_err());
        assert!(from_file(b"s UNSATISFIABLE", 2).is_err());
    }

    #[test]
    fn the_exit_code_must_not_contradict() {
        assert!(Reply::Unsat.agreeing_with(Some(10)).is_err());
        assert!(Reply::Sat(Vec::new()).agreeing_with(Some(20)).is_err());
        assert!(Reply::Unsat.agreeing_with(Some(0)).is_ok());
        assert!(Reply::Unsat.agreeing_with(None).is_ok());
    }
}

//! Identifies the question that an exported file asks, in one comment line of it, so that an answer
//! is never read as the answer to another question.
//!
//! ```text
//! question HASH k=600 form=adder
//! ```
//!
//! k is in ticks, or `-` where the makespan is minimised. The form is the encoding of the loads,
//! `opb` or `mps`: together with the instance it determines what each variable means. The hash is
//! that of the text `gridsat-question 1`, the digest of the instance, k and the form, one line
//! each.

use std::fmt;

use gridsat_model::certificate::{instance_digest, sha256_hex};
use gridsat_model::{Instance, Ticks};

/// The question a file asks: about which instance, for which k, in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    hash: String,
    k: Option<Ticks>,
    form: String,
}

impl Question {
    /// The question about an instance; without a k it asks for the smallest makespan.
    pub fn new(instance: &Instance, k: Option<Ticks>, form: &str) -> Self {
        let digest = instance_digest(instance);
        let text = format!("gridsat-question 1\n{digest}\n{}\n{form}\n", shown(k));
        Self { hash: sha256_hex(text.as_bytes()), k, form: form.to_owned() }
    }

    /// The first question in the comments of an exported file or of an answer.
    pub fn find(text: &str) -> Option<Self> {
        text.lines().find_map(Self::parse)
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["c" | "*", "question", hash, k, form] = words[..] else { return None };
        let k = match k.strip_prefix("k=")? {
            "-" => None,
            ticks => Some(Ticks(ticks.parse().ok()?)),
        };
        let form = form.strip_prefix("form=")?.to_owned();
        Some(Self { hash: hash.to_owned(), k, form })
    }

    /// The makespan asked about, in ticks; `None` if the makespan is minimised.
    pub fn k(&self) -> Option<Ticks> {
        self.k
    }

    /// The encoding of the loads, `opb` or `mps`.
    pub fn form(&self) -> &str {
        &self.form
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "question {} k={} form={}", self.hash, shown(self.k), self.form)
    }
}

fn shown(k: Option<Ticks>) -> String {
    k.map_or("-".to_owned(), |k| k.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_comments_and_back() {
        let instance = Instance::from_rows([[4, 7], [3, 5]]).expect("valid");
        for (k, mark) in [(Some(Ticks(6)), "c"), (None, "*")] {
            let question = Question::new(&instance, k, "adder");
            let text = format!("{mark} title\n{mark} {question}\n{mark} more\n");
            assert_eq!(Question::find(&text), Some(question));
        }
        assert_eq!(Question::find("c question of life\np cnf 1 1\n"), None);
    }

    #[test]
    fn everything_that_matters_changes_the_hash() {
        let one = Instance::from_rows([[4, 7], [3, 5]]).expect("valid");
        let other = Instance::from_rows([[4, 7], [3, 6]]).expect("valid");
        let question = Question::new(&one, Some(Ticks(6)), "adder");
        for different in [
            Question::new(&other, Some(Ticks(6)), "adder"),
            Question::new(&one, Some(Ticks(7)), "adder"),
            Question::new(&one, None, "adder"),
            Question::new(&one, Some(Ticks(6)), "bdd"),
        ] {
            assert_ne!(question.hash, different.hash);
        }
    }
}

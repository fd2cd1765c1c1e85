//! The arguments of a run.

use std::time::Duration;

/// A short run, as a part of all tests.
const SHORT: Duration = Duration::from_secs(20);

pub struct Options {
    pub seed: u64,
    pub time: Duration,
    /// Only this round of each check.
    pub round: Option<u64>,
    /// Nothing is run: a runner asks for the names of tests, or wants ignored tests only.
    pub idle: bool,
    /// Parts of names of checks; all checks if there is none.
    names: Vec<String>,
}

impl Options {
    pub fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options =
            Self { seed: 1, time: SHORT, round: None, idle: false, names: Vec::new() };
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let word = arguments.next().unwrap_or_default();
                word.parse::<u64>().map_err(|_| format!("{argument} '{word}': not a whole number"))
            };
            match argument.as_str() {
                "--seed" => options.seed = number()?,
                "--seconds" => options.time = Duration::from_secs(number()?),
                "--round" => options.round = Some(number()?),
                "--list" | "--ignored" => options.idle = true,
                // Of cargo's own tests, given to all.
                "--include-ignored" | "--nocapture" | "--no-capture" | "--quiet" | "-q" => {}
                _ if argument.starts_with('-') => {
                    return Err(format!(
                        "no option {argument}; there are --seed, --seconds, --round"
                    ));
                }
                _ => options.names.push(argument),
            }
        }
        Ok(options)
    }

    pub fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }
}

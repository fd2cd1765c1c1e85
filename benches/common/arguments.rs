//! The arguments of a bench.

use std::path::PathBuf;

use anyhow::{Result, bail};

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Only enough to show that it runs: `cargo test --all-targets` starts benches too.
    Smoke,
    /// About a minute.
    Quick,
    /// The measurements shown in the documentation.
    Full,
}

/// The parsed command line.
pub struct Arguments {
    /// How much to measure.
    pub effort: Effort,
    /// The file for every single value, if requested.
    pub csv: Option<PathBuf>,
    only: Vec<String>,
}

impl Arguments {
    /// Reads `[--quick] [--csv PATH] [--only SECTION]…`; cargo adds `--bench`.
    pub fn read() -> Result<Self> {
        let mut found = Self { effort: Effort::Smoke, csv: None, only: Vec::new() };
        let mut quick = false;
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match (word.as_str(), &mut words) {
                ("--bench", _) => found.effort = Effort::Full,
                ("--quick", _) => quick = true,
                ("--csv", rest) => found.csv = rest.next().map(PathBuf::from),
                ("--only", rest) => found.only.extend(rest.next()),
                (other, _) => bail!("unknown argument '{other}'"),
            }
        }
        if quick {
            found.effort = found.effort.min(Effort::Quick);
        }
        Ok(found)
    }

    /// Whether the section is requested.
    pub fn wants(&self, section: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == section)
    }
}

//! The formats of logs, and how each is recognised by its content.
//!
//! File names tell little: all of these are called `.json`, `.tsv`, `.txt` or nothing at all. The
//! first bytes tell XML from JSON, the keys of the JSON object or the names in the first line tell
//! the rest. Whatever is none of them may be a plain list.

use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A format of logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JUnit XML, as most test runners write it.
    Junit,
    /// The durations of pytest-split: an object of seconds by test.
    PytestSplit,
    /// The job log of GNU parallel.
    Joblog,
    /// The JSON of hyperfine.
    Hyperfine,
    /// The benchmark table of Snakemake.
    Snakemake,
    /// The trace of Nextflow.
    Nextflow,
    /// Slurm's accounting, as lines with `|` or as JSON.
    Sacct,
    /// A list of tasks: CSV, TSV, JSON, or one name per line.
    List,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Junit,
        Self::PytestSplit,
        Self::Joblog,
        Self::Hyperfine,
        Self::Snakemake,
        Self::Nextflow,
        Self::Sacct,
        Self::List,
    ];

    /// The name of the format, as in `--from`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Junit => "junit",
            Self::PytestSplit => "pytest-split",
            Self::Joblog => "joblog",
            Self::Hyperfine => "hyperfine",
            Self::Snakemake => "snakemake",
            Self::Nextflow => "nextflow",
            Self::Sacct => "sacct",
            Self::List => "list",
        }
    }

    /// The format of a text, by its content.
    ///
    /// ```
    /// use gridsat_tasks::Format;
    ///
    /// assert_eq!(Format::of("<testsuites/>"), Some(Format::Junit));
    /// assert_eq!(Format::of("JobID|Elapsed\n"), Some(Format::Sacct));
    /// assert_eq!(Format::of("14 5 9\n"), None);
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        match text.as_bytes().first()? {
            b'<' => Some(Self::Junit),
            b'{' => Self::of_object(text),
            b'[' => Self::of_array(text),
            _ => Self::of_table(text.lines().next()?),
        }
    }

    fn of_object(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Keys {
            results: Option<IgnoredAny>,
            jobs: Option<IgnoredAny>,
            tasks: Option<IgnoredAny>,
            etc: Option<IgnoredAny>,
        }
        let Ok(keys) = serde_json::from_str::<Keys>(text) else { return None };
        match keys {
            Keys { etc: Some(_), .. } => None,
            Keys { results: Some(_), .. } => Some(Self::Hyperfine),
            Keys { jobs: Some(_), .. } => Some(Self::Sacct),
            Keys { tasks: Some(_), .. } => Some(Self::List),
            _ => is_durations(text).then_some(Self::PytestSplit),
        }
    }

    /// Lists of objects are lists of tasks; lists of pairs are what old versions of pytest-split
    /// wrote.
    fn of_array(text: &str) -> Option<Self> {
        let inner = text[1..].trim_start();
        match inner.as_bytes().first()? {
            b'{' => Some(Self::List),
            b'[' if inner[1..].trim_start().starts_with('"') => Some(Self::PytestSplit),
            _ => None,
        }
    }

    fn of_table(first: &str) -> Option<Self> {
        let first = first.trim_end_matches('\r').to_ascii_lowercase();
        let has = |separator: char, names: &[&str]| {
            let cells: Vec<&str> =
                first.split(separator).map(|cell| cell.trim_matches('"').trim()).collect();
            names.iter().all(|name| cells.contains(name))
        };
        let any =
            |separator: char, names: &[&str]| names.iter().any(|name| has(separator, &[name]));
        if has('\t', &["seq", "jobruntime", "command"]) {
            return Some(Self::Joblog);
        }
        if has('\t', &["s", "h:m:s"]) {
            return Some(Self::Snakemake);
        }
        if any('\t', &["realtime", "duration"]) && any('\t', &["task_id", "native_id", "hash"]) {
            return Some(Self::Nextflow);
        }
        if has('|', &["jobid"]) || any('|', &["elapsed", "elapsedraw"]) {
            return Some(Self::Sacct);
        }
        let is_list =
            |separator| any(separator, &crate::list::NAMES) && any(separator, &crate::list::TIMES);
        [',', ';', '\t'].into_iter().any(is_list).then_some(Self::List)
    }
}

/// Whether every value of the object is a number.
fn is_durations(text: &str) -> bool {
    serde_json::from_str::<crate::durations::Durations>(text).is_ok_and(|found| !found.is_empty())
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

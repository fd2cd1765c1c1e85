//! What is asked for.

use std::fmt;

use gridsat_model::text::excerpt;

/// Into how many shards the tasks are split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shards {
    /// This many equal ones.
    Count(usize),
    /// The fewest equal ones that end within this time, in nanoseconds.
    Target(u64),
    /// One for each of these runners.
    Runners(Vec<Runner>),
}

/// A machine that works on a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// The name of the runner in lists and plans.
    pub name: String,
    /// How fast it is, in thousandths: 2000 needs half the time of 1000.
    pub speed: u64,
}

/// What happens to groups of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Groups {
    /// They mean nothing.
    #[default]
    Ignored,
    /// Tasks of one group are in one shard, which spends this many nanoseconds on preparing it.
    Together {
        /// Nanoseconds for each group.
        setup: u64,
    },
    /// Groups may be divided; each shard that has tasks of a group spends the time on preparing it.
    Divided {
        /// Nanoseconds for each group in each shard that has tasks of it.
        setup: u64,
    },
}

/// The time of tasks that were never measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// The mean of all tasks that were.
    #[default]
    Mean,
    /// This many nanoseconds.
    Nanos(u64),
}

/// Options of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitOptions {
    /// Into how many shards.
    pub shards: Shards,
    /// What each shard needs before its first task, in nanoseconds.
    pub overhead: u64,
    /// Whether groups of tasks are ignored, stay together, or pay a set-up per shard.
    pub groups: Groups,
    /// The time of tasks that were never measured.
    pub unknown: Unknown,
    /// Times are rounded up to this many decimals of a second, at most 9.
    pub decimals: u8,
}

impl SplitOptions {
    /// No overhead, no groups, and microseconds.
    pub fn new(shards: Shards) -> Self {
        Self {
            shards,
            overhead: 0,
            groups: Groups::default(),
            unknown: Unknown::default(),
            decimals: 6,
        }
    }
}

/// Why a text is not a list of runners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRunnersError(String);

impl fmt::Display for ParseRunnersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (expected NAME=SPEED or NAME=SPEEDxCOUNT, separated by commas)", self.0)
    }
}

impl std::error::Error for ParseRunnersError {}

/// Runners such as `big=2,small=1x3`: a name, a speed with at most three decimals, and how many.
/// Several of one kind are numbered from 1.
///
/// ```
/// let runners = gridsat_split::runners("big=2,small=1x2")?;
/// let names: Vec<&str> = runners.iter().map(|runner| &*runner.name).collect();
/// assert_eq!(names, ["big", "small-1", "small-2"]);
/// # Ok::<(), gridsat_split::ParseRunnersError>(())
/// ```
pub fn runners(text: &str) -> Result<Vec<Runner>, ParseRunnersError> {
    /// More runners than this are a typo.
    const MOST: usize = 10_000;
    let mut all = Vec::new();
    for part in text.split(',') {
        let wrong = |why: &str| ParseRunnersError(format!("'{}' {why}", excerpt(part)));
        let (name, rest) = part.trim().rsplit_once('=').unwrap_or((part.trim(), "1"));
        let (speed, count) = rest.split_once('x').unwrap_or((rest, "1"));
        let speed = thousandths(speed).ok_or_else(|| wrong("has no speed above 0"))?;
        let count = count.parse::<usize>().ok().filter(|&count| count > 0);
        let count = count.ok_or_else(|| wrong("has no count above 0"))?;
        if name.is_empty() {
            return Err(wrong("has no name"));
        }
        if count > MOST - all.len().min(MOST) {
            return Err(wrong("makes more than 10000 runners"));
        }
        all.extend((1..=count).map(|number| {
            let name = if count > 1 { format!("{name}-{number}") } else { name.to_owned() };
            Runner { name, speed }
        }));
    }
    let mut names: Vec<&str> = all.iter().map(|runner| &*runner.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            Err(ParseRunnersError(format!("two runners are called '{}'", excerpt(pair[0]))))
        }
        None => Ok(all),
    }
}

/// A positive decimal number in thousandths.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty()
        || whole.len() > 6
        || fraction.len() > 3
        || !is_number(whole)
        || !is_number(fraction)
    {
        return None;
    }
    format!("{whole}{fraction:0<3}").parse().ok().filter(|&speed| speed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_are_read_or_named() {
        let found = runners("a=1.5,b").expect("valid");
        assert_eq!(found[0], Runner { name: "a".into(), speed: 1500 });
        assert_eq!(found[1].speed, 1000);
        let cases = [
            ("a=0", "'a=0' has no speed above 0"),
            ("a=1x0", "'a=1x0' has no count above 0"),
            ("=1", "'=1' has no name"),
            ("a=1,a=2", "two runners are called 'a'"),
            ("a=1x10001", "'a=1x10001' makes more than 10000 runners"),
            ("a=-1", "'a=-1' has no speed above 0"),
        ];
        for (text, message) in cases {
            let error = runners(text).expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}

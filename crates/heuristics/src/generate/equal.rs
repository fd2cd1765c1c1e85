//! Classes of instances with equal hosts (P||Cmax): one time per task.
//!
//! | class | time of a task | source |
//! |---|---|---|
//! | `equal-Ua-b` | U(a, b) | França et al. 1994, Dell'Amico and Martello 1995 |
//! | `equal-NUa-b` | 98 % of the tasks U(0.9·(b − a), b), the others U(a, 0.2·(b − a)) | Frangioni et al. 2004 |
//! | `equal-Na-b` | normal with mean a and standard deviation b, at least one tick | Dell'Amico and Martello 1995 |
//! | `equal-plantedk` | pieces of m hosts of length k, cut at n − m random places | Akram et al. 2024 |
//! | `equal-plantedk+p` | the same, with p percent of the tasks one tick longer | the same |
//!
//! The optimum of a planted instance is k by construction, and it is hard to find: no host may have
//! any time left. The longer tasks destroy that, and the optimum is not known.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt};

use gridsat_model::Ticks;

/// How the times of an instance with equal hosts are distributed. Numbers are time units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table of the module says what each number is")]
pub enum EqualClass {
    /// Uniform in a range, both ends included.
    Uniform { low: u32, high: u32 },
    /// Mostly near the upper end of a range, a few near its lower end.
    NonUniform { low: u32, high: u32 },
    /// Normal, without the times below one tick.
    Normal { mean: u32, deviation: u32 },
    /// Pieces of hosts of this length; this percentage of them is one tick longer.
    Planted { makespan: u32, longer: u8 },
}

/// The share of long tasks in the non-uniform classes, in percent.
const LONG: u32 = 98;

impl EqualClass {
    /// Classes of the literature, one or more of each kind.
    pub fn all() -> Vec<Self> {
        let uniform =
            [(1, 100), (20, 100), (50, 100)].map(|(low, high)| Self::Uniform { low, high });
        let normal = [20, 50].map(|deviation| Self::Normal { mean: 100, deviation });
        let planted = [0, 1].map(|longer| Self::Planted { makespan: 1000, longer });
        let skewed = Self::NonUniform { low: 1, high: 10_000 };
        [&uniform[..], &[skewed], &normal, &planted].concat()
    }

    /// Whether the numbers make sense together.
    pub(super) fn is_valid(self) -> bool {
        match self {
            Self::Uniform { low, high } | Self::NonUniform { low, high } => 0 < low && low <= high,
            Self::Normal { mean, .. } => mean > 0,
            Self::Planted { makespan, longer } => makespan > 0 && longer <= 100,
        }
    }

    /// The fewest and the most tasks that are possible on this many hosts; `unit` ticks are one
    /// time unit.
    pub(super) fn task_counts(self, hosts: usize, unit: u64) -> (u128, u128) {
        match self {
            Self::Planted { makespan, .. } => {
                let pieces = u128::from(u64::from(makespan) * unit) * hosts as u128;
                (hosts as u128, pieces)
            }
            _ => (0, u128::MAX),
        }
    }

    /// Draws the times of all tasks in ticks.
    pub(super) fn draw(
        self,
        tasks: usize,
        hosts: usize,
        unit: u64,
        random: &mut impl Rng,
    ) -> Vec<Ticks> {
        let ticks = |units: u32| u64::from(units) * unit;
        let many = |time: &mut dyn FnMut() -> u64| (0..tasks).map(|_| Ticks(time())).collect();
        match self {
            Self::Uniform { low, high } => {
                many(&mut || random.random_range(ticks(low)..=ticks(high)))
            }
            Self::NonUniform { low, high } => {
                let (low, high) = (ticks(low), ticks(high));
                let (long, short) = ((high - low) / 10 * 9, (high - low) / 5);
                many(&mut || match random.random_range(0..100) < LONG {
                    true => random.random_range(long.max(low)..=high),
                    false => random.random_range(low..=short.max(low)),
                })
            }
            Self::Normal { mean, deviation } => {
                let (mean, deviation) = (ticks(mean) as f64, ticks(deviation) as f64);
                many(&mut || normal(mean, deviation, random))
            }
            Self::Planted { makespan, longer } => {
                let mut times = pieces(ticks(makespan), (tasks, hosts), random);
                let longer = (tasks * usize::from(longer) + 50) / 100;
                times.iter_mut().take(longer).for_each(|time| *time += 1);
                times.into_iter().map(Ticks).collect()
            }
        }
    }
}

/// A whole number near a normal one, at least 1 (Marsaglia's polar method).
fn normal(mean: f64, deviation: f64, random: &mut impl Rng) -> u64 {
    loop {
        let (a, b) = (2.0 * random.random::<f64>() - 1.0, 2.0 * random.random::<f64>() - 1.0);
        let square = a * a + b * b;
        if square > 0.0 && square < 1.0 {
            let standard = a * libm::sqrt(-2.0 * libm::log(square) / square);
            let value = libm::round(mean + deviation * standard);
            if value >= 1.0 {
                return value as u64;
            }
        }
    }
}

/// Hosts of this length, cut at random places so that there are this many pieces, in random order.
fn pieces(length: u64, (tasks, hosts): (usize, usize), random: &mut impl Rng) -> Vec<u64> {
    let ends = (1..=hosts as u64).map(|host| host * length);
    let mut cuts: BTreeSet<u64> = ends.collect();
    while cuts.len() < tasks {
        cuts.insert(random.random_range(1..hosts as u64 * length));
    }
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let mut pieces: Vec<u64> = starts.zip(&cuts).map(|(start, end)| end - start).collect();
    for last in (1..pieces.len()).rev() {
        pieces.swap(last, random.random_range(0..=last as u64) as usize);
    }
    pieces
}

impl fmt::Display for EqualClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Uniform { low, high } => write!(f, "equal-U{low}-{high}"),
            Self::NonUniform { low, high } => write!(f, "equal-NU{low}-{high}"),
            Self::Normal { mean, deviation } => write!(f, "equal-N{mean}-{deviation}"),
            Self::Planted { makespan, longer: 0 } => write!(f, "equal-planted{makespan}"),
            Self::Planted { makespan, longer } => write!(f, "equal-planted{makespan}+{longer}"),
        }
    }
}

impl FromStr for EqualClass {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        parse(name).filter(|class| class.is_valid()).ok_or(())
    }
}

fn parse(name: &str) -> Option<EqualClass> {
    let rest = name.strip_prefix("equal-")?;
    if let Some(numbers) = rest.strip_prefix("planted") {
        let (makespan, longer) = numbers.split_once('+').unwrap_or((numbers, "0"));
        return Some(EqualClass::Planted { makespan: number(makespan)?, longer: number(longer)? });
    }
    let letters = rest.find(|c: char| !c.is_ascii_uppercase())?;
    let (first, second) = rest[letters..].split_once('-')?;
    let (first, second) = (number(first)?, number(second)?);
    match &rest[..letters] {
        "U" => Some(EqualClass::Uniform { low: first, high: second }),
        "NU" => Some(EqualClass::NonUniform { low: first, high: second }),
        "N" => Some(EqualClass::Normal { mean: first, deviation: second }),
        _ => None,
    }
}

/// A number without a sign.
fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

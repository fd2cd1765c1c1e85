//! Classes of instances: their names and their distributions.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::EqualClass;
use gridsat_model::Ticks;
use gridsat_model::names::suggestion;

/// How the times of an instance are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EtcClass {
    /// Range-based times of Braun et al. 2001.
    Braun {
        /// Whether hosts have the same order of speed for all tasks.
        consistency: Consistency,
        /// The range of the factor per task.
        tasks: Heterogeneity,
        /// The range of the factor per pair.
        hosts: Heterogeneity,
    },
    /// Uniform whole numbers in a range, both ends included.
    Uniform {
        /// The shortest time, in time units.
        low: u32,
        /// The longest time, in time units.
        high: u32,
    },
    /// Times correlated by task: a value per task plus a small value per pair.
    JobCorrelated,
    /// Times correlated by host: a value per host plus a small value per pair.
    MachineCorrelated,
    /// One time per task, the same on all hosts.
    Equal(EqualClass),
}

/// Whether a host that is faster for one task is faster for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consistency {
    /// Yes: each row is sorted.
    Consistent,
    /// Only among the hosts of even number: those columns of each row are sorted.
    SemiConsistent,
    /// No: rows are not sorted.
    Inconsistent,
}

/// The width of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heterogeneity {
    /// Factors up to 3000 for tasks, up to 1000 for hosts.
    High,
    /// Factors up to 100 for tasks, up to 10 for hosts.
    Low,
}

/// The name denotes no class.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown class '{}'; {}known: u_c_hihi to u_i_lolo, U1-100 or any U<low>-<high>, jobcorr, \
     maccorr; for equal hosts equal-U1-100, equal-NU1-10000, equal-N100-20, equal-planted1000",
    .0.escape_debug(), suggestion(.0, all_names())
)]
pub struct UnknownClass(String);

/// Braun's factors are drawn in millionths.
const MILLION: u64 = 1_000_000;

impl EtcClass {
    /// The named classes of matrices of the literature: twelve of Braun et al., five ranges, two
    /// correlated.
    pub fn all() -> Vec<Self> {
        use Consistency::{Consistent, Inconsistent, SemiConsistent};
        use Heterogeneity::{High, Low};
        let mut all = Vec::new();
        for consistency in [Consistent, SemiConsistent, Inconsistent] {
            for (tasks, hosts) in [(High, High), (High, Low), (Low, High), (Low, Low)] {
                all.push(Self::Braun { consistency, tasks, hosts });
            }
        }
        let ranges = [(1, 100), (10, 100), (100, 120), (100, 200), (1000, 1100)];
        all.extend(ranges.map(|(low, high)| Self::Uniform { low, high }));
        all.extend([Self::JobCorrelated, Self::MachineCorrelated]);
        all
    }

    /// Draws the times of all tasks, row by row, in ticks; `unit` ticks are one time unit.
    pub(super) fn draw(
        self,
        tasks: usize,
        hosts: usize,
        unit: u64,
        random: &mut ChaCha8Rng,
    ) -> Vec<Vec<Ticks>> {
        let between = |low: u64, high: u64, random: &mut ChaCha8Rng| {
            Ticks(random.random_range(low * unit..=high * unit))
        };
        let host_bases: Vec<Ticks> = match self {
            Self::MachineCorrelated => (0..hosts).map(|_| between(1, 100, random)).collect(),
            _ => Vec::new(),
        };
        let mut equal = match self {
            Self::Equal(class) => class.draw(tasks, hosts, unit, random),
            _ => Vec::new(),
        }
        .into_iter();
        let mut row = || match self {
            Self::Braun { consistency, tasks, hosts: spread } => {
                let mut row = braun_row(tasks, spread, hosts, unit, random);
                consistency.order(&mut row);
                row
            }
            Self::Uniform { low, high } => {
                let (low, high) = (u64::from(low), u64::from(high));
                (0..hosts).map(|_| between(low, high, random)).collect()
            }
            Self::JobCorrelated => {
                let base = between(1, 100, random);
                (0..hosts).map(|_| base + between(1, 20, random)).collect()
            }
            Self::MachineCorrelated => {
                host_bases.iter().map(|&base| base + between(1, 20, random)).collect()
            }
            Self::Equal(_) => vec![equal.next().expect("one time per task"); hosts],
        };
        (0..tasks).map(|_| row()).collect()
    }
}

/// `b · r_h` for one task's b, rounded to ticks, at least one tick.
fn braun_row(
    tasks: Heterogeneity,
    hosts: Heterogeneity,
    count: usize,
    unit: u64,
    random: &mut ChaCha8Rng,
) -> Vec<Ticks> {
    let base = random.random_range(MILLION..=tasks.widest_task() * MILLION);
    let mut time = || {
        let factor = random.random_range(MILLION..=hosts.widest_host() * MILLION);
        let exact = u128::from(base) * u128::from(factor) * u128::from(unit);
        let per_tick = u128::from(MILLION) * u128::from(MILLION);
        let ticks = ((exact + per_tick / 2) / per_tick).max(1);
        Ticks::try_from(ticks).expect("at most 3000 * 1000 units of 10^9 ticks")
    };
    (0..count).map(|_| time()).collect()
}

impl Consistency {
    fn order(self, row: &mut [Ticks]) {
        match self {
            Self::Consistent => row.sort_unstable(),
            Self::Inconsistent => {}
            Self::SemiConsistent => {
                let mut even: Vec<Ticks> = row.iter().copied().step_by(2).collect();
                even.sort_unstable();
                row.iter_mut().step_by(2).zip(even).for_each(|(slot, time)| *slot = time);
            }
        }
    }

    fn letter(self) -> char {
        match self {
            Self::Consistent => 'c',
            Self::SemiConsistent => 's',
            Self::Inconsistent => 'i',
        }
    }
}

impl Heterogeneity {
    fn widest_task(self) -> u64 {
        match self {
            Self::High => 3000,
            Self::Low => 100,
        }
    }

    fn widest_host(self) -> u64 {
        match self {
            Self::High => 1000,
            Self::Low => 10,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::High => "hi",
            Self::Low => "lo",
        }
    }
}

impl fmt::Display for EtcClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Braun { consistency, tasks, hosts } => {
                write!(f, "u_{}_{}{}", consistency.letter(), tasks.name(), hosts.name())
            }
            Self::Uniform { low, high } => write!(f, "U{low}-{high}"),
            Self::JobCorrelated => f.write_str("jobcorr"),
            Self::MachineCorrelated => f.write_str("maccorr"),
            Self::Equal(class) => class.fmt(f),
        }
    }
}

impl FromStr for EtcClass {
    type Err = UnknownClass;

    fn from_str(name: &str) -> Result<Self, UnknownClass> {
        let known = Self::all().into_iter().find(|class| class.to_string() == name);
        let unknown = || UnknownClass(name.to_owned());
        let equal = || name.parse().ok().map(Self::Equal);
        known.or_else(|| any_range(name)).or_else(equal).ok_or_else(unknown)
    }
}

fn all_names() -> impl Iterator<Item = String> {
    let equal = EqualClass::all().into_iter().map(EtcClass::Equal);
    EtcClass::all().into_iter().chain(equal).map(|class| class.to_string())
}

fn any_range(name: &str) -> Option<EtcClass> {
    let (low, high) = name.strip_prefix('U')?.split_once('-')?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (0 < low && low <= high).then_some(EtcClass::Uniform { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let all = EtcClass::all();
        assert_eq!(all.len(), 19);
        for class in all {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
        assert_eq!("U5-7".parse(), Ok(EtcClass::Uniform { low: 5, high: 7 }));
        for wrong in ["", "u_c_hi", "U7-5", "U0-5", "U-1-5", "u_x_hihi", "JOBCORR"] {
            assert!(wrong.parse::<EtcClass>().is_err(), "{wrong}");
        }
        for class in EqualClass::all().into_iter().map(EtcClass::Equal) {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
        for wrong in [
            "equal-",
            "equal-U5",
            "equal-U7-5",
            "equal-U0-5",
            "equal-U+1-5",
            "equal-X1-5",
            "equal-N0-5",
            "equal-NU9-8",
            "equal-planted",
            "equal-planted0",
            "equal-planted9+101",
            "equal-planted9+",
        ] {
            assert!(wrong.parse::<EtcClass>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn semi_consistency_orders_the_even_columns_only() {
        let mut row = [9, 8, 7, 6, 5].map(Ticks);
        Consistency::SemiConsistent.order(&mut row);
        assert_eq!(row, [5, 8, 7, 6, 9].map(Ticks));
    }
}

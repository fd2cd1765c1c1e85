//! Speed-up of a job on several nodes.
//!
//! `S(n)` is the run time on one node divided by that on `n`:
//!
//! - Amdahl (1967), serial share `f`: `1 / (f + (1 − f) / n)`;
//! - Downey (1997), average parallelism `A`, variance `σ`: for `σ ≤ 1`:
//!   `An / (A + σ(n − 1)/2)` up to `A`, then `An / (σ(A − ½) + n(1 − σ/2))` up to
//!   `2A − 1`, then `A`; for `σ ≥ 1`: `nA(σ + 1) / (σ(n + A − 1) + A)` up to
//!   `A + Aσ − σ`, then `A`;
//! - a table of measured values.
//!
//! Only sums, products and quotients are used, so results are identical on every machine.

use thiserror::Error;

/// A speed-up curve.
#[derive(Clone, Debug, PartialEq)]
pub enum Speedup {
    /// Amdahl's law: a fraction of the work is serial.
    Amdahl {
        /// The serial fraction, from 0 to 1.
        serial: f64,
    },
    /// Downey's two-parameter curve.
    Downey {
        /// Average parallelism, at least 1.
        parallelism: f64,
        /// Variance of parallelism, at least 0.
        variance: f64,
    },
    /// Values for 1, 2, 3, … nodes; constant after the last.
    Table(Vec<f64>),
}

/// Why a speed-up curve or a range of nodes is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum SpeedupError {
    #[error("{what} is {value}, not {range}")]
    Number { what: &'static str, value: f64, range: &'static str },
    #[error("a table of speed-ups without values")]
    Empty,
    #[error("from {least} to {most} nodes: not a range that starts at 1 or more")]
    Range { least: u32, most: u32 },
}

impl Speedup {
    fn check(&self) -> Result<(), SpeedupError> {
        match self {
            Self::Amdahl { serial } => within("serial share", *serial, 0.0, 1.0, "from 0 to 1"),
            Self::Downey { parallelism, variance } => {
                within("average parallelism", *parallelism, 1.0, f64::MAX, "a number >= 1")?;
                within("variance of parallelism", *variance, 0.0, f64::MAX, "a number >= 0")
            }
            Self::Table(values) if values.is_empty() => Err(SpeedupError::Empty),
            Self::Table(values) => values.iter().try_for_each(|&value| {
                within("speed-up", value, f64::MIN_POSITIVE, f64::MAX, "a number above 0")
            }),
        }
    }

    /// `S(nodes)`; 0 nodes count as one.
    pub fn at(&self, nodes: u32) -> f64 {
        let n = f64::from(nodes.max(1));
        match self {
            Self::Amdahl { serial } => 1.0 / (serial + (1.0 - serial) / n),
            Self::Downey { parallelism, variance } => downey(*parallelism, *variance, n),
            Self::Table(values) => values[(nodes.max(1) as usize).min(values.len()) - 1],
        }
    }
}

fn within(
    what: &'static str,
    value: f64,
    low: f64,
    high: f64,
    range: &'static str,
) -> Result<(), SpeedupError> {
    let valid = (low..=high).contains(&value);
    if valid { Ok(()) } else { Err(SpeedupError::Number { what, value, range }) }
}

fn downey(a: f64, sigma: f64, n: f64) -> f64 {
    if sigma <= 1.0 {
        if n <= a {
            a * n / (a + sigma * (n - 1.0) / 2.0)
        } else if n <= 2.0 * a - 1.0 {
            a * n / (sigma * (a - 0.5) + n * (1.0 - sigma / 2.0))
        } else {
            a
        }
    } else if n <= a + a * sigma - sigma {
        n * a * (sigma + 1.0) / (sigma * (n + a - 1.0) + a)
    } else {
        a
    }
}

/// A job that runs on any number of nodes in a range, chosen when it starts: of the available
/// counts the smallest with the highest speed-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Moldable {
    least: u32,
    speedup: Speedup,
    /// The best count up to each count in the range: `best[i]` is that up to `least + i`.
    best: Vec<u32>,
}

impl Moldable {
    /// Checks the range and the curve.
    pub fn new(least: u32, most: u32, speedup: Speedup) -> Result<Self, SpeedupError> {
        if least == 0 || most < least {
            return Err(SpeedupError::Range { least, most });
        }
        speedup.check()?;
        let mut best = Vec::with_capacity((most - least) as usize + 1);
        let mut leader = least;
        for nodes in least..=most {
            if speedup.at(nodes) > speedup.at(leader) {
                leader = nodes;
            }
            best.push(leader);
        }
        Ok(Self { least, speedup, best })
    }

    /// The smallest number of nodes it runs on.
    pub fn least(&self) -> u32 {
        self.least
    }

    /// The largest number of nodes that is ever chosen.
    pub fn most(&self) -> u32 {
        self.best.last().copied().unwrap_or(self.least)
    }

    /// The count to start with if this many nodes are available; `None` if they are too few.
    pub fn choose(&self, available: u32) -> Option<u32> {
        let over = available.checked_sub(self.least)? as usize;
        self.best.get(over.min(self.best.len() - 1)).copied()
    }

    /// Speed relative to that on `reference` nodes.
    pub(super) fn factor(&self, nodes: u32, reference: u32) -> f64 {
        self.speedup.at(nodes) / self.speedup.at(reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_by_hand() {
        let amdahl = Speedup::Amdahl { serial: 0.5 };
        assert_eq!([1, 3].map(|n| amdahl.at(n)), [1.0, 1.5]);
        let linear = Speedup::Downey { parallelism: 8.0, variance: 0.0 };
        assert_eq!([1, 4, 8, 9, 100].map(|n| linear.at(n)), [1.0, 4.0, 8.0, 8.0, 8.0]);
        let table = Speedup::Table(vec![1.0, 1.9, 1.7]);
        assert_eq!([1, 2, 3, 9].map(|n| table.at(n)), [1.0, 1.9, 1.7, 1.7]);
    }

    /// The pieces of Downey's curve join, start at 1, never decrease and end at A.
    #[test]
    fn downeys_curve_is_one_curve() {
        for variance in [0.0, 0.5, 1.0, 1.0 + 1e-12, 2.0] {
            let curve = Speedup::Downey { parallelism: 16.0, variance };
            assert!((curve.at(1) - 1.0).abs() < 1e-12);
            assert!((curve.at(100) - 16.0).abs() < 1e-9);
            for n in 1..100 {
                let step = curve.at(n + 1) - curve.at(n);
                assert!((-1e-9..=1.0 + 1e-9).contains(&step), "{variance} {n}: {step}");
            }
        }
    }

    #[test]
    fn takes_the_smallest_of_the_fastest_counts() {
        let table = Speedup::Table(vec![1.0, 1.9, 1.7, 1.9, 2.5]);
        let job = Moldable::new(2, 9, table).expect("valid");
        let chosen = [1, 2, 3, 4, 5, 6, 50].map(|available| job.choose(available));
        assert_eq!(chosen, [None, Some(2), Some(2), Some(2), Some(5), Some(5), Some(5)]);
        assert_eq!(job.most(), 5);
    }

    #[test]
    fn rejects_nonsense_in_one_line() {
        let error =
            |least, most, curve| Moldable::new(least, most, curve).expect_err("bad").to_string();
        let amdahl = |serial| Speedup::Amdahl { serial };
        assert_eq!(
            error(3, 2, amdahl(0.1)),
            "from 3 to 2 nodes: not a range that starts at 1 or more"
        );
        assert_eq!(error(1, 2, amdahl(1.5)), "serial share is 1.5, not from 0 to 1");
        assert_eq!(error(1, 2, Speedup::Table(vec![])), "a table of speed-ups without values");
    }
}

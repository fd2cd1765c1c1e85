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
//! Only sums, products and quotients are used, so results are identical on every machine. Run times
//! use exact fractions of the numbers as written, see [`Moldable::slowdown`].

use thiserror::Error;

use super::exact::{Exact, Number};
use super::speed::Ratio;

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
        self.with(nodes, |value| value)
    }

    /// `S(nodes)` computed with the numbers that `number` makes of the parameters.
    fn with<N: Number>(&self, nodes: u32, number: impl Fn(f64) -> N) -> N {
        let n = N::from(nodes.max(1));
        match self {
            Self::Amdahl { serial } => amdahl(number(*serial), n),
            Self::Downey { parallelism, variance } => {
                downey(number(*parallelism), number(*variance), n)
            }
            Self::Table(values) => number(values[(nodes.max(1) as usize).min(values.len()) - 1]),
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

fn amdahl<N: Number>(serial: N, n: N) -> N {
    let one = N::from(1);
    one / (serial + (one - serial) / n)
}

fn downey<N: Number>(a: N, sigma: N, n: N) -> N {
    let (one, two) = (N::from(1), N::from(2));
    if sigma <= one {
        if n <= a {
            a * n / (a + sigma * (n - one) / two)
        } else if n <= two * a - one {
            a * n / (sigma * (a - one / two) + n * (one - sigma / two))
        } else {
            a
        }
    } else if n <= a + a * sigma - sigma {
        n * a * (sigma + one) / (sigma * (n + a - one) + a)
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

    /// Run time relative to that on `reference` nodes. Exact, unless the fraction is one of very
    /// large numbers.
    pub(super) fn slowdown(&self, nodes: u32, reference: u32) -> Ratio {
        let exact = |nodes| self.speedup.with(nodes, Exact::decimal);
        Ratio::exact(exact(reference) / exact(nodes))
            .unwrap_or_else(|| Ratio::near(self.speedup.at(reference) / self.speedup.at(nodes)))
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
    fn slowdowns_are_exact_fractions() {
        let slowdown = |speedup, nodes, reference| {
            let ratio = Moldable::new(1, 99, speedup).expect("valid").slowdown(nodes, reference);
            (ratio.over, ratio.under)
        };
        assert_eq!(slowdown(Speedup::Amdahl { serial: 0.2 }, 5, 4), (9, 10));
        assert_eq!(slowdown(Speedup::Table(vec![1.0, 1.9, 2.7]), 3, 2), (19, 27));
        for (variance, expected) in [(0.5, [(27, 44), (30, 11)]), (1.5, [(20, 31), (75, 31)])] {
            let downey = || Speedup::Downey { parallelism: 5.0, variance };
            assert_eq!([slowdown(downey(), 6, 3), slowdown(downey(), 1, 3)], expected);
        }
        // 2^-44 and less is not exact, but close.
        let far = slowdown(Speedup::Table(vec![1.0, 3.000_000_000_000_001]), 2, 1);
        assert!((far.0 as f64 / far.1 as f64 * 3.0 - 1.0).abs() < 1e-12, "{far:?}");
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

//! Random rigid jobs of the Beosim simulator: sizes, run times and interarrival times are
//! independent, each uniform or exponential (Jones and Pang, sections 1 and 6).
//!
//! The defaults are those of Beosim's largest test: 100 nodes, sizes U(1, 100), run times
//! EXP(7600), interarrival times EXP(15000), the upper end of the range varied there (E25).
//!
//! Uniform sizes are integers, both ends included. Exponential sizes are rounded up and conditioned
//! on fitting the machine. Arrival times are summed before they are rounded to ticks; a run takes
//! at least one tick. The estimate equals the run time.

use std::str::FromStr;

use rand_chacha::ChaCha8Rng;

use super::parameters::ModelError;
use super::{Distribution, RigidJob};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::{stream, unit};

/// The parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beosim {
    /// Number of nodes of the machine.
    pub nodes: u32,
    /// Number of nodes per job.
    pub size: BeosimLaw,
    /// Run time of a job in seconds.
    pub run: BeosimLaw,
    /// Interarrival time in seconds.
    pub gap: BeosimLaw,
}

/// Distribution of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BeosimLaw {
    /// Uniform between two numbers.
    Uniform {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// Exponential.
    Exponential {
        /// Mean of the distribution.
        mean: f64,
    },
}

/// Parses `uniform:LOW:HIGH` or `exp:MEAN`.
impl FromStr for BeosimLaw {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let parts: Vec<_> = text.split(':').collect();
        let number = |text: &str| text.parse::<f64>().ok();
        let law = match parts[..] {
            ["uniform", low, high] => {
                number(low).zip(number(high)).map(|(low, high)| Self::Uniform { low, high })
            }
            ["exp", mean] => number(mean).map(|mean| Self::Exponential { mean }),
            _ => None,
        };
        let expected = "uniform:LOW:HIGH or exp:MEAN";
        law.ok_or_else(|| ModelError::Text { value: text.to_owned(), expected })
    }
}

impl std::fmt::Display for BeosimLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Uniform { low, high } => write!(f, "uniform:{low}:{high}"),
            Self::Exponential { mean } => write!(f, "exp:{mean}"),
        }
    }
}

impl BeosimLaw {
    fn distribution(self) -> Result<Distribution, ModelError> {
        Ok(match self {
            Self::Uniform { low, high } => Distribution::uniform(low, high)?,
            Self::Exponential { mean } => Distribution::exponential(mean)?,
        })
    }
}

impl Beosim {
    /// The default distributions, with sizes from 1 to this many nodes.
    pub fn new(nodes: u32) -> Self {
        Self {
            nodes,
            size: BeosimLaw::Uniform { low: 1.0, high: f64::from(nodes) },
            run: BeosimLaw::Exponential { mean: 7600.0 },
            gap: BeosimLaw::Exponential { mean: 15_000.0 },
        }
    }

    /// Sets the distribution called `size`, `run` or `gap`.
    pub fn set(&mut self, name: &str, law: BeosimLaw) -> Result<(), ModelError> {
        let place = match name {
            "size" => &mut self.size,
            "run" => &mut self.run,
            "gap" => &mut self.gap,
            _ => {
                let (name, known) = (name.to_owned(), "size, run, gap".to_owned());
                return Err(ModelError::Unknown { name, known });
            }
        };
        *place = law;
        Ok(())
    }

    /// The three distributions with their names.
    pub fn list(&self) -> [(&'static str, BeosimLaw); 3] {
        [("size", self.size), ("run", self.run), ("gap", self.gap)]
    }

    /// An endless stream of jobs.
    pub fn jobs(&self, seed: u64, scale: Scale) -> Result<BeosimJobs, ModelError> {
        let random = |name: &str| stream(seed, &format!("workload/beosim/{name}"), 0);
        Ok(BeosimJobs {
            size: Sizes::new(self.size, self.nodes)?,
            run: self.run.distribution()?,
            gap: self.gap.distribution()?,
            sizes: random("sizes"),
            runs: random("runs"),
            gaps: random("gaps"),
            unit: scale.ticks_per_unit().as_f64(),
            clock: 0.0,
            number: 0,
        })
    }
}

/// Validated distribution of sizes.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    Uniform { low: u32, high: u32 },
    Exponential { mean: f64, nodes: u32 },
}

impl Sizes {
    fn new(law: BeosimLaw, nodes: u32) -> Result<Self, ModelError> {
        let expected = "a whole number from 1 to the number of nodes";
        match law {
            BeosimLaw::Uniform { low, high } => {
                let whole = |name, value: f64| {
                    let valid = value.fract() == 0.0 && value >= 1.0 && value <= f64::from(nodes);
                    let error = ModelError::Value { name, value, expected };
                    valid.then_some(value as u32).ok_or(error)
                };
                Distribution::uniform(low, high)?;
                Ok(Self::Uniform {
                    low: whole("smallest size", low)?,
                    high: whole("largest size", high)?,
                })
            }
            BeosimLaw::Exponential { mean } if mean.is_finite() && mean > 0.0 && nodes > 0 => {
                Ok(Self::Exponential { mean, nodes })
            }
            BeosimLaw::Exponential { mean } => {
                let expected = "a number above 0, on a node or more";
                Err(ModelError::Value { name: "mean size", value: mean, expected })
            }
        }
    }

    fn draw(self, random: &mut ChaCha8Rng) -> u32 {
        match self {
            Self::Uniform { low, high } => {
                let count = f64::from(high) - f64::from(low) + 1.0;
                low + (unit(random) * count) as u32
            }
            Self::Exponential { mean, nodes } => {
                let fits = -libm::expm1(-f64::from(nodes) / mean);
                let size = -mean * libm::log1p(-unit(random) * fits);
                (size.ceil() as u32).clamp(1, nodes)
            }
        }
    }
}

/// Iterator over the jobs of the model; never ends.
#[derive(Clone, Debug)]
pub struct BeosimJobs {
    size: Sizes,
    run: Distribution,
    gap: Distribution,
    sizes: ChaCha8Rng,
    runs: ChaCha8Rng,
    gaps: ChaCha8Rng,
    unit: f64,
    /// Arrival time of the latest job, in seconds.
    clock: f64,
    number: u64,
}

impl Iterator for BeosimJobs {
    type Item = RigidJob;

    fn next(&mut self) -> Option<RigidJob> {
        self.number += 1;
        self.clock += self.gap.sample(&mut self.gaps);
        let ticks = |seconds: f64| Ticks::truncated(libm::round(seconds * self.unit));
        let run = ticks(self.run.sample(&mut self.runs)).max(Ticks(1));
        Some(RigidJob {
            number: self.number,
            submit: ticks(self.clock),
            nodes: self.size.draw(&mut self.sizes),
            run,
            estimate: run,
            priority: 0,
            user: 0,
        })
    }
}

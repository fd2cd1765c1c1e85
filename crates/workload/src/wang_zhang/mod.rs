//! The workload model of Wang Qingjiang and Zhang Lin for computational grids, an extension of that
//! of Lublin and Feitelson.
//!
//! - Size: serial with probability `serial` (21 %), else a power of two with probability `power2`
//!   (89 %), whose logarithm is two-stage uniform, rounded. All others are drawn from the same
//!   distribution without the rounding until they are not a power of two (our choice; the paper
//!   does not say).
//! - Pure run time l = `log_base`^h, h hyper-gamma. The paper prints five numbers for four names.
//!   Read as a1, a2, b1, b2, p they are plausible with base 2 (means of 2^5.9 = 60 s and 2^14 = 4.7
//!   h), but the paper writes ln (E20); so the base is a parameter.
//! - Interarrival times: gamma(`agap`, `bgap`) seconds times the factor `s`, as in the paper.
//!   Lublin and Feitelson fitted these two numbers to the daily cycle, not to interarrival times
//!   (E21). [`GridArrivals::Daily`] uses their arrival process instead, with s times the points for
//!   each job, so that the length of a day does not change.
//! - Place: the j-th scheduler of a random order, from 0, receives α^j times as many jobs as the
//!   first.
//! - Estimate l·e, e uniform in [e1, e2]; deadline submit + B·l·e, B uniform in [deadline1,
//!   deadline2] (E22); pure migration cost uniform in [migration1, migration2] seconds.
//!
//! In the simulator, a resource of computing power c runs a job in l / c, and a network of index n
//! moves it in cost / n.

mod parameters;
mod places;

use rand_chacha::ChaCha8Rng;

use super::lublin::Arrivals;
use super::parameters::ModelError;
use super::two_stage;
use super::{Distribution, HyperGamma, LublinParameters, RigidJob};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::{stream, unit};

pub use parameters::WangZhangParameters;
use places::Places;

/// The arrival process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridArrivals {
    /// Gamma-distributed interarrival times, as in the paper.
    Gaps,
    /// The process of Lublin and Feitelson with its daily cycle.
    Daily,
}

/// The model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WangZhang {
    /// The constants of the model.
    pub parameters: WangZhangParameters,
    /// The arrival process.
    pub arrivals: GridArrivals,
}

/// A rigid job of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridJob {
    /// The job; its run time is that on a resource of computing power 1.
    pub job: RigidJob,
    /// Number of the scheduler it is submitted to, from 0.
    pub scheduler: u32,
    /// Time in ticks by which it should be complete.
    pub deadline: Ticks,
    /// Time in ticks to move it through a network of index 1.
    pub migration: Ticks,
}

impl WangZhang {
    /// An endless stream of jobs.
    pub fn jobs(&self, seed: u64, scale: Scale) -> Result<GridJobs, ModelError> {
        let p = self.parameters;
        p.check()?;
        let random = |name: &str| stream(seed, &format!("workload/wang-zhang/{name}"), 0);
        let clock = match self.arrivals {
            GridArrivals::Gaps => {
                let (gap, random) = (Distribution::gamma(p.agap, p.bgap)?, random("arrivals"));
                Clock::Gaps { gap, stretch: p.s, now: 0.0, random }
            }
            GridArrivals::Daily => {
                Clock::Daily(Arrivals::new(&LublinParameters::ALL, p.s, random("arrivals"))?)
            }
        };
        Ok(GridJobs {
            parameters: p,
            log_runs: HyperGamma::new((p.a1, p.b1), (p.a2, p.b2))?,
            places: Places::new(p.schedulers as usize, p.alpha, &mut random("order")),
            clock,
            sizes: random("sizes"),
            runs: random("runs"),
            submissions: random("places"),
            estimates: random("estimates"),
            deadlines: random("deadlines"),
            migrations: random("migrations"),
            unit: scale.ticks_per_unit().as_f64(),
            number: 0,
        })
    }
}

/// The arrival process and its state.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Clock {
    Gaps { gap: Distribution, stretch: f64, now: f64, random: ChaCha8Rng },
    Daily(Arrivals),
}

impl Clock {
    /// The next arrival time, in seconds since time 0.
    fn draw(&mut self) -> f64 {
        match self {
            Self::Gaps { gap, stretch, now, random } => {
                *now += *stretch * gap.sample(random);
                *now
            }
            Self::Daily(arrivals) => arrivals.draw(),
        }
    }
}

/// Iterator over the jobs of the model; never ends.
#[derive(Clone, Debug)]
pub struct GridJobs {
    parameters: WangZhangParameters,
    log_runs: HyperGamma,
    places: Places,
    clock: Clock,
    sizes: ChaCha8Rng,
    runs: ChaCha8Rng,
    submissions: ChaCha8Rng,
    estimates: ChaCha8Rng,
    deadlines: ChaCha8Rng,
    migrations: ChaCha8Rng,
    unit: f64,
    number: u64,
}

impl GridJobs {
    /// The schedulers, from the one with the fewest jobs to the one with the most.
    pub fn order(&self) -> &[u32] {
        self.places.order()
    }

    fn size(&mut self) -> u32 {
        let random = &mut self.sizes;
        if unit(random) < self.parameters.serial {
            return 1;
        }
        let log_sizes = self.parameters.log_sizes();
        if unit(random) < self.parameters.power2 {
            return two_stage::size(libm::round(log_sizes.sample(random)));
        }
        loop {
            let size = two_stage::size(log_sizes.sample(random));
            if !size.is_power_of_two() {
                return size;
            }
        }
    }

    /// Draws a run time in ticks, at least 1.
    fn run(&mut self) -> Ticks {
        let log_run = self.log_runs.sample(self.parameters.p, &mut self.runs);
        let seconds = libm::pow(self.parameters.log_base, log_run);
        Ticks::truncated(seconds * self.unit).max(Ticks(1))
    }
}

fn between(low: f64, high: f64, random: &mut ChaCha8Rng) -> f64 {
    low + (high - low) * unit(random)
}

impl Iterator for GridJobs {
    type Item = GridJob;

    fn next(&mut self) -> Option<GridJob> {
        let p = self.parameters;
        self.number += 1;
        let submit = Ticks::truncated(libm::round(self.clock.draw() * self.unit));
        let (nodes, run) = (self.size(), self.run());
        let asked = run.as_f64() * between(p.e1, p.e2, &mut self.estimates);
        let estimate = Ticks::truncated(libm::round(asked)).max(Ticks(1));
        let allowed = asked * between(p.deadline1, p.deadline2, &mut self.deadlines);
        let cost = between(p.migration1, p.migration2, &mut self.migrations);
        let job =
            RigidJob { number: self.number, submit, nodes, run, estimate, priority: 0, user: 0 };
        Some(GridJob {
            job,
            scheduler: self.places.draw(&mut self.submissions),
            deadline: submit.saturating_add(Ticks::truncated(libm::round(allowed))),
            migration: Ticks::truncated(libm::round(cost * self.unit)),
        })
    }
}

//! Local load: how much of a resource its owners use, in whole percent (thesis, section 3.5).
//!
//! An average, constant or by calendar, and optionally a randomiser around it. The load is drawn
//! again at every multiple of the period and at every boundary of the calendar; in between it is
//! constant. These times and draws do not depend on jobs or schedulers, so different schedulers
//! face the same loads.
//!
//! The effect of a load on jobs is in [`Speed::under_load`](super::work::Speed::under_load).

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};

mod binomial;
mod calendar;
mod date;
mod even;

pub use calendar::{Calendar, CalendarParts};
pub use date::{DateError, Start, WEEKS};
pub use even::EvenInLimit;

/// Why the settings of a local load are invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum LoadError {
    #[error("{name}: no value")]
    EmptyDay { name: &'static str },
    #[error("{name}: {percent} % is more than 100 %")]
    Percent { name: &'static str, percent: u8 },
    #[error("time zone {hours} is not within 14 hours of GMT")]
    TimeZone { hours: f64 },
    #[error("holidays need both their loads and their weeks")]
    HalfHolidays,
    #[error("{found} weeks, expected 52")]
    Weeks { found: usize },
    #[error("the load varies by up to {max} percentage points; at most 50 are possible")]
    Limit { max: u8 },
    #[error("the period between changes of the load is 0 ticks")]
    Period,
}

/// The average load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Average {
    /// Always the same percentage.
    Constant(u8),
    /// By time of day, week and year.
    Calendar(Calendar),
}

/// How loads vary around the average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomiser {
    /// Uniform, up to a limit.
    EvenInLimit(EvenInLimit),
    /// By a binomial distribution of 20 trials.
    Binomial,
}

impl Randomiser {
    /// Draws a percentage; an average above 100 counts as 100.
    pub fn draw(self, average: u8, random: &mut ChaCha8Rng) -> u8 {
        let average = average.min(100);
        match self {
            Self::EvenInLimit(even) => even.draw(average, random),
            Self::Binomial => binomial::draw(average, random),
        }
    }
}

/// The local load of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalLoad {
    average: Average,
    randomiser: Option<Randomiser>,
    period: Option<Ticks>,
}

/// No local load.
impl Default for LocalLoad {
    fn default() -> Self {
        Self { average: Average::Constant(0), randomiser: None, period: None }
    }
}

impl LocalLoad {
    /// Checks percentage and period. Without a randomiser the period has no effect.
    pub fn new(
        average: Average,
        randomiser: Option<Randomiser>,
        period: Option<Ticks>,
    ) -> Result<Self, LoadError> {
        match average {
            Average::Constant(percent) if percent > 100 => {
                Err(LoadError::Percent { name: "load", percent })
            }
            _ if period == Some(Ticks(0)) => Err(LoadError::Period),
            average => Ok(Self { average, randomiser, period }),
        }
    }

    /// The load in a simulation that starts at `start`, with this many ticks per second. The random
    /// numbers are asked for only if the load varies: most do not, and a stream takes a hash.
    pub fn start(
        &self,
        random: impl FnOnce() -> ChaCha8Rng,
        scale: Scale,
        start: Start,
    ) -> LoadProcess {
        let randomiser = self.randomiser.map(|randomiser| Box::new((randomiser, random())));
        LoadProcess { load: self.clone(), randomiser, scale, start }
    }
}

/// The local load of a resource during a simulation.
#[derive(Clone, Debug)]
pub struct LoadProcess {
    load: LocalLoad,
    /// With its random numbers; boxed, because these take 300 bytes.
    randomiser: Option<Box<(Randomiser, ChaCha8Rng)>>,
    scale: Scale,
    start: Start,
}

impl LoadProcess {
    /// The load from now on, in percent, and the time of the next draw; `None` if it never changes.
    ///
    /// To be called at time 0 and then exactly at the times it returns.
    pub fn draw(&mut self, now: Time) -> (u8, Option<Time>) {
        let (average, boundary) = self.average(now);
        let period = self.next_period(now);
        match self.randomiser.as_deref_mut() {
            None => (average, boundary.filter(|_| !self.is_constant())),
            Some((randomiser, random)) => {
                let next = boundary.into_iter().chain(period).min();
                (randomiser.draw(average, random), next)
            }
        }
    }

    /// The average, and when the next one begins.
    fn average(&self, now: Time) -> (u8, Option<Time>) {
        match &self.load.average {
            Average::Constant(percent) => (*percent, None),
            Average::Calendar(calendar) => calendar.at(now, self.start, self.scale),
        }
    }

    fn is_constant(&self) -> bool {
        match &self.load.average {
            Average::Constant(_) => true,
            Average::Calendar(calendar) => calendar.is_constant(),
        }
    }

    /// The first multiple of the period after now.
    fn next_period(&self, now: Time) -> Option<Time> {
        let period = self.load.period?;
        (now.0 / period + 1).checked_mul(period.0).map(|ticks| Time(Ticks(ticks)))
    }
}

//! Random failures: times until a resource fails are drawn from one distribution, times until it is
//! up again from another, all independent. There are two ways to combine them:
//!
//! ```text
//! cycle     up, fails ─► down, restores ─► up, fails ─► …,
//!           down for E[restores] / (E[fails] + E[restores]) of the time
//! streams   a failure every `fails`, and independently a restart every `restores`: a failure stops
//!           a resource that is up, a restart restores one that is down, others have no effect
//! ```
//!
//! DSiDE's U(0, a) and U(0, b) give a cycle that is down for b / (a + b) of the time (erratum E26),
//! and streams that are down for 2b / 3a of the time if failures are rare. Times are rounded to the
//! nearest tick, but at least one tick, so that time advances.

use rand_chacha::ChaCha8Rng;

use super::Change;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::Distribution;

/// Alternating periods up and down, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Renewal {
    /// Time until a failure.
    pub fails: Distribution,
    /// Time until the resource is up again.
    pub restores: Distribution,
    /// How the two are combined.
    pub intervals: Intervals,
}

/// The point from which the times of a renewal are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intervals {
    /// Each from the end of the other.
    #[default]
    Cycle,
    /// Each from the previous one of the same kind.
    Streams,
}

impl Renewal {
    pub(super) fn start(self, mut random: ChaCha8Rng, scale: Scale) -> RenewalProcess {
        let mut draw = |gap: Distribution| ticks(gap.sample(&mut random), scale);
        let model = match self.intervals {
            Intervals::Cycle => Model::Cycle { now: Time::ZERO },
            Intervals::Streams => {
                let failure = Time::ZERO.after(draw(self.fails));
                Model::Streams { failure, restart: Time::ZERO.after(draw(self.restores)) }
            }
        };
        RenewalProcess { renewal: self, random, scale, is_up: true, model }
    }
}

fn ticks(seconds: f64, scale: Scale) -> Ticks {
    Ticks::truncated((seconds * scale.ticks_per_unit().as_f64()).round()).max(Ticks(1))
}

#[derive(Clone, Debug)]
pub(super) struct RenewalProcess {
    renewal: Renewal,
    random: ChaCha8Rng,
    scale: Scale,
    is_up: bool,
    model: Model,
}

#[derive(Clone, Copy, Debug)]
enum Model {
    /// Time of the last change.
    Cycle { now: Time },
    /// The next failure and restart; `None` if it does not fit into ticks.
    Streams { failure: Option<Time>, restart: Option<Time> },
}

impl RenewalProcess {
    fn later(&mut self, time: Time, gap: Distribution) -> Option<Time> {
        time.after(ticks(gap.sample(&mut self.random), self.scale))
    }

    /// Time of the next change.
    fn change(&mut self) -> Option<Time> {
        let Renewal { fails, restores, .. } = self.renewal;
        match self.model {
            Model::Cycle { now } => {
                let now = self.later(now, if self.is_up { fails } else { restores })?;
                self.model = Model::Cycle { now };
                Some(now)
            }
            Model::Streams { mut failure, mut restart } => loop {
                let is_failure = match (failure, restart) {
                    (Some(failure), Some(restart)) => failure < restart,
                    (failure, _) => failure.is_some(),
                };
                let (next, gap) =
                    if is_failure { (&mut failure, fails) } else { (&mut restart, restores) };
                let time = (*next)?;
                *next = self.later(time, gap);
                if is_failure == self.is_up {
                    self.model = Model::Streams { failure, restart };
                    return Some(time);
                }
            },
        }
    }
}

impl Iterator for RenewalProcess {
    type Item = (Time, Change);

    /// The next change; `None` if it does not fit into ticks.
    fn next(&mut self) -> Option<(Time, Change)> {
        let time = self.change()?;
        self.is_up = !self.is_up;
        Some((time, if self.is_up { Change::Up } else { Change::Down }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_statistics::random::stream;

    fn uniform(high: f64) -> Distribution {
        Distribution::uniform(0.0, high).expect("valid")
    }

    /// Fraction of downtime with U(0, `fails`) and U(0, `restores`).
    fn down(fails: f64, restores: f64, intervals: Intervals) -> f64 {
        let renewal = Renewal { fails: uniform(fails), restores: uniform(restores), intervals };
        let running = renewal.start(stream(5, "test", 0), Scale::new(3).expect("small"));
        let (mut last, mut down) = (Time::ZERO, Ticks::ZERO);
        for (time, change) in running.take(40_000) {
            down += if change == Change::Up { time - last } else { Ticks(0) };
            last = time;
        }
        down.as_f64() / last.0.as_f64()
    }

    /// E26: row "0 - 400, 0 - 60" of DSiDE's table 1 is down for 60 / 460 of the time.
    #[test]
    fn the_share_of_downtime_is_that_of_the_means() {
        let share = down(400.0, 60.0, Intervals::Cycle);
        assert!((share - 60.0 / 460.0).abs() < 0.003, "{share}");
    }

    /// If failures are rare, the next restart is b/3 after a failure on average: downtime b/3 per
    /// a/2. By symmetry the same holds for the time up if failures are frequent.
    #[test]
    fn streams_are_down_less_where_failures_are_rare_and_more_where_they_are_not() {
        let rare = down(500.0, 40.0, Intervals::Streams);
        assert!((rare - 2.0 * 40.0 / 1500.0).abs() < 0.003, "{rare}");
        let frequent = down(20.0, 350.0, Intervals::Streams);
        assert!((1.0 - frequent - 2.0 * 20.0 / 1050.0).abs() < 0.003, "{frequent}");
        let even = down(200.0, 200.0, Intervals::Streams);
        assert!((even - 0.5).abs() < 0.01, "{even}");
    }

    #[test]
    fn time_goes_on_and_ends_with_the_clock() {
        let never = Distribution::constant(1e300).expect("valid");
        let always = Distribution::constant(1e-300).expect("valid");
        let start = |fails, restores| {
            let intervals = Intervals::Cycle;
            Renewal { fails, restores, intervals }.start(stream(5, "test", 0), Scale::default())
        };
        let expected = [
            (Time(Ticks(1)), Change::Down),
            (Time(Ticks(2)), Change::Up),
            (Time(Ticks(3)), Change::Down),
        ];
        assert_eq!(start(always, always).take(3).collect::<Vec<_>>(), expected);
        assert_eq!(start(always, never).collect::<Vec<_>>(), expected[..1]);
    }
}

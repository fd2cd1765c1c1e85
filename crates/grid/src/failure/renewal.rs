//! An alternating renewal process: up for a time drawn from one distribution, down for one drawn
//! from another, and so on. All times are independent.
//!
//! In the long run a resource is down for `E[down] / (E[up] + E[down])` of the time, for DSiDE's
//! U(0, a) and U(0, b) that is b / (a + b) (erratum E26). Times are rounded to the nearest tick,
//! and none is shorter than one, so that time goes on.

use rand_chacha::ChaCha8Rng;

use super::Change;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::Distribution;

/// Up for a while, down for a while; in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Renewal {
    /// Until it fails.
    pub fails: Distribution,
    /// From then until it is back.
    pub restores: Distribution,
}

impl Renewal {
    pub(super) fn start(self, random: ChaCha8Rng, scale: Scale) -> RenewalProcess {
        RenewalProcess { renewal: self, random, scale, now: Time::ZERO, is_up: true }
    }
}

#[derive(Clone, Debug)]
pub(super) struct RenewalProcess {
    renewal: Renewal,
    random: ChaCha8Rng,
    scale: Scale,
    now: Time,
    is_up: bool,
}

impl Iterator for RenewalProcess {
    type Item = (Time, Change);

    /// The next change; `None` if it is beyond the clock.
    fn next(&mut self) -> Option<(Time, Change)> {
        let Renewal { fails, restores } = self.renewal;
        let seconds = if self.is_up { fails } else { restores }.sample(&mut self.random);
        let ticks = seconds * self.scale.ticks_per_unit().as_f64();
        let ticks = Ticks::truncated(ticks.round());
        self.now = self.now.after(ticks.max(Ticks(1)))?;
        self.is_up = !self.is_up;
        Some((self.now, if self.is_up { Change::Up } else { Change::Down }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_statistics::random::stream;

    fn uniform(high: f64) -> Distribution {
        Distribution::uniform(0.0, high).expect("valid")
    }

    /// E26: row "0 - 400, 0 - 60" of DSiDE's table 1 is down for 60 / 460 of the time.
    #[test]
    fn the_share_of_downtime_is_that_of_the_means() {
        let renewal = Renewal { fails: uniform(400.0), restores: uniform(60.0) };
        let running = renewal.start(stream(5, "test", 0), Scale::new(3).expect("small"));
        let (mut last, mut down) = (Time::ZERO, Ticks::ZERO);
        for (time, change) in running.take(20_000) {
            down += if change == Change::Up { time - last } else { Ticks(0) };
            last = time;
        }
        let share = down.as_f64() / last.0.as_f64();
        assert!((share - 60.0 / 460.0).abs() < 0.003, "{share}");
    }

    #[test]
    fn time_goes_on_and_ends_with_the_clock() {
        let never = Distribution::constant(1e300).expect("valid");
        let always = Distribution::constant(1e-300).expect("valid");
        let start = |fails, restores| {
            Renewal { fails, restores }.start(stream(5, "test", 0), Scale::default())
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

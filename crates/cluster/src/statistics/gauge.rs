//! A number that changes over time: its mean weighted with time, and its largest value.

use gridsat_engine::time::Time;

/// A number over time, from 0 at time 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    value: u64,
    since: Time,
    /// Value × ticks, until `since`.
    area: u128,
    max: u64,
}

impl Gauge {
    /// More from now on.
    pub fn rise(&mut self, now: Time, by: u64) {
        self.pass(now);
        self.value += by;
        self.max = self.max.max(self.value);
    }

    /// Less from now on.
    pub fn fall(&mut self, now: Time, by: u64) {
        self.pass(now);
        self.value -= by;
    }

    fn pass(&mut self, now: Time) {
        self.area += u128::from(self.value) * u128::from(now - self.since);
        self.since = now;
    }

    /// The present value.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The largest value that was ever there, be it for no time at all.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Value × ticks from time 0 until `end`.
    pub fn area(&self, end: Time) -> u128 {
        self.area + u128::from(self.value) * u128::from(end - self.since)
    }

    /// The mean from time 0 until `end`; 0 over no time.
    pub fn mean(&self, end: Time) -> f64 {
        if end == Time::ZERO { 0.0 } else { self.area(end) as f64 / end.0.as_f64() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Ticks;

    #[test]
    fn mean_by_hand() {
        let mut level = Gauge::default();
        level.rise(Time(Ticks(2)), 3);
        level.rise(Time(Ticks(4)), 1);
        level.fall(Time(Ticks(4)), 2);
        level.fall(Time(Ticks(7)), 2);
        // 3·2 + 2·3 over 10 ticks.
        assert_eq!((level.mean(Time(Ticks(10))), level.max(), level.value()), (1.2, 4, 0));
        assert_eq!(Gauge::default().mean(Time::ZERO), 0.0);
    }
}

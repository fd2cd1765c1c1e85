//! A value that changes over time, with its time-weighted mean and its maximum.

use gridsat_engine::time::Time;

/// A value over time, 0 at time 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    value: u64,
    /// Sum of the changes, each times the tick at which it happened: a change by `c` at `t` adds
    /// `c · (end − t)` to the area.
    moment: i128,
    max: u64,
}

impl Gauge {
    /// Increases the value from now on.
    pub fn rise(&mut self, now: Time, by: u64) {
        self.moment += i128::from(by) * i128::from(now.0.0);
        self.value += by;
        self.max = self.max.max(self.value);
    }

    /// Decreases the value from now on.
    pub fn fall(&mut self, now: Time, by: u64) {
        self.moment -= i128::from(by) * i128::from(now.0.0);
        self.value -= by;
    }

    /// The current value.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The largest value ever reached, even if only for zero ticks.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Integral of the value from time 0 until `end`, in value × ticks; `end` is not before the
    /// last change.
    pub fn area(&self, end: Time) -> u128 {
        let area = i128::from(self.value) * i128::from(end.0.0) - self.moment;
        u128::try_from(area).expect("the value is never negative")
    }

    /// The mean from time 0 until `end`; 0 if `end` is 0.
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

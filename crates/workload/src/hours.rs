//! Hours of the day in which users are at work, by the clock of their time zone.
//!
//! Users submit only in `[from, until)` of their local day, on all days or only from Monday to
//! Friday. Their arrival process runs while they are at work and stands still in between: a gap of
//! three hours that begins an hour before the end of the day ends two hours after the beginning of
//! the next. With A(x) the time at work in the first x of a week that begins on Monday at 0:00,
//!
//! ```text
//! real time of s at work = A⁻¹(A(x₀) + s) − x₀       x₀: local time of the week at time 0
//! ```
//!
//! All in whole ticks, so nothing is rounded.

use gridsat_model::{Scale, Ticks};
use thiserror::Error;

const DAY: u64 = 86_400;
const DAYS: u64 = 7;
const WORKDAYS: u64 = 5;

/// Why there are no such hours.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum HoursError {
    #[error("from {from} to {until}: not two hours of a day, 0 to 24, the earlier one first")]
    Order { from: f64, until: f64 },
    #[error("{hours} is not within 14 hours of GMT")]
    TimeZone { hours: f64 },
}

/// Hours of the day, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    from: u64,
    length: u64,
    day: u64,
    /// Days of the week with these hours, from Monday on.
    days: u64,
    /// Local time of the week at time 0.
    start: u64,
}

impl Hours {
    /// Hours from and until, on `weekends` or not. `monday` is the time in GMT since Monday 0:00 at
    /// time 0, and `zone` the time zone in hours east of GMT.
    pub fn new(
        [from, until]: [f64; 2],
        weekends: bool,
        monday: Ticks,
        zone: f64,
        scale: Scale,
    ) -> Result<Self, HoursError> {
        let second = scale.ticks_per_unit().0;
        if !(0.0 <= from && from < until && until <= 24.0) {
            return Err(HoursError::Order { from, until });
        }
        if !(-14.0..=14.0).contains(&zone) {
            return Err(HoursError::TimeZone { hours: zone });
        }
        let ticks = |hours: f64| (hours * 3600.0 * second as f64).round() as i64;
        let week = (DAYS * DAY * second) as i64;
        let start = (monday.0 as i64 + ticks(zone)).rem_euclid(week) as u64;
        let (from, until) = (ticks(from) as u64, ticks(until) as u64);
        if from == until {
            let hour = |ticks: u64| ticks as f64 / second as f64 / 3600.0;
            return Err(HoursError::Order { from: hour(from), until: hour(until) });
        }
        let days = if weekends { DAYS } else { WORKDAYS };
        Ok(Self { from, length: until - from, day: DAY * second, days, start })
    }

    /// Time at work in the first `x` ticks of a week.
    fn at_work(&self, x: u64) -> u128 {
        let (day, time) = (x / self.day, x % self.day);
        let whole = u128::from(day.min(self.days)) * u128::from(self.length);
        let today =
            if day < self.days { time.saturating_sub(self.from).min(self.length) } else { 0 };
        whole + u128::from(today)
    }

    /// The time at which users have been at work for this long since time 0.
    pub fn real(&self, worked: Ticks) -> Ticks {
        let a_week = u128::from(self.days) * u128::from(self.length);
        let worked = self.at_work(self.start) + u128::from(worked);
        let (weeks, rest) = (worked / a_week, worked % a_week);
        let (day, time) = (rest / u128::from(self.length), rest % u128::from(self.length));
        let x = weeks * u128::from(DAYS * self.day)
            + day * u128::from(self.day)
            + u128::from(self.from)
            + time;
        // Beyond the clock such a job never arrives.
        Ticks::try_from(x - u128::from(self.start)).unwrap_or(Ticks::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3600;

    fn hours(hours: [f64; 2], weekends: bool, monday: u64, zone: f64) -> Hours {
        let scale = Scale::default();
        Hours::new(hours, weekends, Ticks(monday), zone, scale).expect("valid")
    }

    /// From 9 to 17 in GMT, from Monday at 0:00: 3 hours of work are over at 12:00, 10 at 11:00 on
    /// Tuesday, and 41 at 10:00 on the next Monday.
    #[test]
    fn by_hand() {
        let office = hours([9.0, 17.0], false, 0, 0.0);
        let real = |worked: u64| office.real(Ticks(worked * HOUR)).0 / HOUR;
        assert_eq!([real(0), real(3), real(8), real(10)], [9, 12, 24 + 9, 24 + 11]);
        assert_eq!(real(41), 7 * 24 + 10);
        // Ten hours east of GMT these are 23:00 to 7:00: at midnight an hour is over.
        let east = hours([9.0, 17.0], true, 0, 10.0);
        assert_eq!(east.real(Ticks(0)).0, 0);
        assert_eq!(east.real(Ticks(7 * HOUR)).0 / HOUR, 23);
        // Five hours west, on Monday at 0:00 it is still Sunday.
        let west = hours([9.0, 17.0], false, 0, -5.0);
        assert_eq!(west.real(Ticks(0)).0 / HOUR, 14);
        let always = hours([0.0, 24.0], true, 12_345, 3.5);
        assert_eq!(always.real(Ticks(987_654)), Ticks(987_654));
    }

    /// Second by second: a clock of work that runs only in these hours.
    #[test]
    fn as_a_clock_that_stands_still() {
        let cases = [
            ([8.0, 18.0], false, 3 * 86_400 + 50_000, 5.5),
            ([0.5, 1.25], true, 6 * 86_400, -14.0),
            ([23.0, 24.0], false, 4 * 86_400 + 86_399, 0.0),
        ];
        for (window, weekends, monday, zone) in cases {
            let hours = hours(window, weekends, monday, zone);
            let mut worked = 0;
            for second in 0..3 * 7 * DAY {
                let local = (monday as i64 + (zone * 3600.0) as i64 + second as i64)
                    .rem_euclid((7 * DAY) as i64) as u64;
                let is_day = weekends || local / DAY < 5;
                let hour = (local % DAY) as f64 / 3600.0;
                if is_day && window[0] <= hour && hour < window[1] {
                    assert_eq!(hours.real(Ticks(worked)), Ticks(second), "{window:?}");
                    worked += 1;
                }
            }
            assert!(worked > 1000);
        }
    }

    #[test]
    fn rejects_nonsense_in_one_line() {
        let error = |window, zone| {
            let hours = Hours::new(window, true, Ticks(0), zone, Scale::default());
            hours.expect_err("invalid").to_string()
        };
        let order = "from 17 to 9: not two hours of a day, 0 to 24, the earlier one first";
        assert_eq!(error([17.0, 9.0], 0.0), order);
        assert!(error([9.0, 25.0], 0.0).starts_with("from 9 to 25"));
        assert!(error([f64::NAN, 5.0], 0.0).starts_with("from NaN"));
        assert_eq!(error([9.0, 17.0], 15.0), "15 is not within 14 hours of GMT");
    }
}

//! Civil dates: the start of a simulation, and the week and weekday of a day.
//!
//! Days are counted from 1970-01-01, in the Gregorian calendar, without leap seconds. Weeks are
//! counted from 1 January on any weekday: week w of a year, from 0, has its days 7w to 7w + 6, and
//! the remaining one or two days belong to the last week, 51. These are not the weeks of
//! `GregorianCalendar` that the thesis (section 3.5) refers to, which depend on the country and
//! count the last days of a year as week 1 of the next.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Seconds in a day.
pub(super) const DAY: i64 = 86_400;
/// Weeks of a year.
pub const WEEKS: usize = 52;
/// Days from 0001-01-01 to 1970-01-01.
const BEFORE_1970: i64 = 719_162;

/// A text that is not a date.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a date such as 2005-01-03 or 2005-01-03T08:00")]
pub struct DateError(String);

/// The start of a simulation: a minute in GMT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    seconds: i64,
}

impl Start {
    /// Seconds since the beginning of 1970; negative before.
    pub fn seconds(self) -> i64 {
        self.seconds
    }
}

/// Midnight of the first Monday of 2005.
impl Default for Start {
    fn default() -> Self {
        Self { seconds: 1_104_710_400 }
    }
}

impl FromStr for Start {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let (date, time) = text.split_once('T').unwrap_or((text, "00:00"));
        let seconds = |(days, seconds)| days * DAY + seconds;
        let start = day_of(date).zip(second_of(time)).map(seconds);
        start.map(|seconds| Self { seconds }).ok_or_else(|| DateError(text.to_owned()))
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, minutes) = (self.seconds.div_euclid(DAY), self.seconds.rem_euclid(DAY) / 60);
        let (year, mut day) = year_and_day(days);
        let mut month = 1;
        while day >= month_length(year, month) {
            day -= month_length(year, month);
            month += 1;
        }
        let (hour, minute) = (minutes / 60, minutes % 60);
        write!(f, "{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}", day + 1)
    }
}

/// Days since 1970 of `YYYY-MM-DD`.
fn day_of(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next()?, 4).filter(|&year| year > 0)?;
    let month = number(parts.next()?, 2).filter(|month| (1..=12).contains(month))?;
    let day = number(parts.next()?, 2)?;
    let exists = (1..=month_length(year, month)).contains(&day);
    let months: i64 = (1..month).map(|month| month_length(year, month)).sum();
    exists.then(|| days_before(year) + months + day - 1)
}

/// Seconds since midnight of `HH:MM`.
fn second_of(text: &str) -> Option<i64> {
    let (hour, minute) = text.split_once(':')?;
    let hour = number(hour, 2).filter(|&hour| hour < 24)?;
    let minute = number(minute, 2).filter(|&minute| minute < 60)?;
    Some((60 * hour + minute) * 60)
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to 1 January of a year.
fn days_before(year: i64) -> i64 {
    let past = year - 1;
    let leaps = past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    365 * past + leaps - BEFORE_1970
}

/// The year of a day, and its day within that year, from 0.
fn year_and_day(days: i64) -> (i64, i64) {
    // 400 years have 146,097 days; the guess is off by one year at most.
    let guess = ((days + BEFORE_1970) * 400).div_euclid(146_097) + 1;
    let year = [guess + 1, guess].into_iter().find(|&year| days_before(year) <= days);
    let year = year.unwrap_or(guess - 1);
    (year, days - days_before(year))
}

/// Whether the day is a Saturday or Sunday.
pub(super) fn is_weekend(days: i64) -> bool {
    // 1970-01-01 was a Thursday: three days after a Monday.
    (days + 3).rem_euclid(7) >= 5
}

/// The week of the year that a day is in, from 0 to 51.
pub(super) fn week(days: i64) -> usize {
    let week = year_and_day(days).1 / 7;
    usize::try_from(week).expect("days of a year start at 0").min(WEEKS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str) -> Start {
        text.parse().expect("a date")
    }

    fn day(text: &str) -> i64 {
        start(text).seconds().div_euclid(DAY)
    }

    #[test]
    fn counts_seconds_from_1970() {
        assert_eq!(start("1970-01-01").seconds(), 0);
        assert_eq!(start("1969-12-31T23:59").seconds(), -60);
        assert_eq!(start("2000-03-01").seconds(), 951_868_800);
        assert_eq!(start("2005-01-03T08:00").seconds(), 1_104_739_200);
        assert_eq!(start("2005-01-03"), Start::default());
    }

    #[test]
    fn is_shown_as_it_is_read() {
        for text in ["2005-01-03T08:00", "2004-02-29T23:59", "0001-01-01T00:00", "9999-12-31T12:30"]
        {
            assert_eq!(start(text).to_string(), text);
        }
        assert_eq!(start("1900-03-01").to_string(), "1900-03-01T00:00");
    }

    #[test]
    fn rejects_what_is_no_date() {
        for text in [
            "",
            "2005",
            "2005-13-01",
            "2005-00-01",
            "2005-01-00",
            "2005-02-29",
            "1900-02-29",
            "2005-04-31",
            "05-01-03",
            "2005-1-3",
            "2005-01-03T24:00",
            "2005-01-03T8:00",
            "2005-01-03T08:60",
            "2005-01-03 08:00",
            "2005-01-03T",
            "0000-01-01",
            "2005-01-+3",
            "2005-01-03-01",
        ] {
            let error = text.parse::<Start>().expect_err(text).to_string();
            assert!(error.starts_with(&format!("'{text}' is not a date")), "{error}");
        }
        assert!("2000-02-29".parse::<Start>().is_ok(), "a year that 400 divides is a leap year");
    }

    /// Every day of 800 years, counted one by one.
    #[test]
    fn knows_the_year_of_every_day() {
        let (mut year, mut day_of_year) = (1600, 0);
        for days in days_before(1600)..days_before(2400) {
            assert_eq!(year_and_day(days), (year, day_of_year));
            day_of_year += 1;
            if day_of_year == 365 + i64::from(is_leap(year)) {
                (year, day_of_year) = (year + 1, 0);
            }
        }
        assert_eq!(year, 2400);
    }

    #[test]
    fn knows_weekends() {
        let weekend = |text| is_weekend(day(text));
        assert!(!weekend("2004-12-31"));
        assert!(weekend("2005-01-01") && weekend("2005-01-02"));
        assert!(!weekend("2005-01-03") && !weekend("2024-02-29"));
    }

    #[test]
    fn the_last_days_belong_to_the_last_week() {
        let weeks = |texts: &[&str]| -> Vec<usize> { texts.iter().map(|t| week(day(t))).collect() };
        assert_eq!(weeks(&["2005-01-01", "2005-01-07", "2005-01-08"]), [0, 0, 1]);
        // 2005: day 357, from 0, is 24 December, 364 the 31st. 2004 has one day more.
        assert_eq!(weeks(&["2005-12-23", "2005-12-24", "2005-12-31"]), [50, 51, 51]);
        assert_eq!(weeks(&["2004-12-22", "2004-12-23", "2004-12-31"]), [50, 51, 51]);
        assert_eq!(weeks(&["2004-02-29", "2005-03-01"]), [8, 8]);
    }
}

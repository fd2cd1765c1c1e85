//! The average load by time of day, week and year (thesis, section 3.5,
//! `CalendarPercentLocalUsage`).
//!
//! A day of each kind - weekday, weekend, holiday - is a list of percentages that cover equal parts
//! of it: 24 values are hours, one is the whole day. With n values and a day of D ticks, value i
//! holds from tick ⌈i·D/n⌉ of the day on: where n does not divide the day the boundary is
//! rounded up to a tick.
//!
//! Days are in the local time of the resource: GMT plus its time zone, without daylight saving
//! time.

use super::LoadError;
use super::date::{DAY, Start, WEEKS, is_weekend, week};
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};

/// The settings of a calendar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CalendarParts {
    /// Percentages of a day from Monday to Friday.
    pub weekdays: Vec<u8>,
    /// Percentages of a Saturday or Sunday.
    pub weekends: Vec<u8>,
    /// Percentages of every day in a holiday week.
    pub holidays: Option<Vec<u8>>,
    /// Which of the 52 weeks of a year are holidays; required if and only if `holidays` is given.
    pub holiday_weeks: Option<Vec<bool>>,
    /// Hours from GMT, positive to the east; rounded to seconds.
    pub time_zone: f64,
}

/// The average load by time of day, week and year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    weekdays: Vec<u8>,
    weekends: Vec<u8>,
    /// Percentages of a holiday, and the holiday weeks.
    holidays: Option<(Vec<u8>, [bool; WEEKS])>,
    zone_seconds: i64,
}

impl Calendar {
    /// Largest distance of a time zone from GMT, in hours.
    pub const FURTHEST_ZONE: f64 = 14.0;

    /// Checks the settings.
    pub fn new(parts: CalendarParts) -> Result<Self, LoadError> {
        check_day("weekdays", &parts.weekdays)?;
        check_day("weekends", &parts.weekends)?;
        if !(-Self::FURTHEST_ZONE..=Self::FURTHEST_ZONE).contains(&parts.time_zone) {
            return Err(LoadError::TimeZone { hours: parts.time_zone });
        }
        let holidays = match (parts.holidays, parts.holiday_weeks) {
            (None, None) => None,
            (Some(day), Some(weeks)) => Some(holidays(day, &weeks)?),
            _ => return Err(LoadError::HalfHolidays),
        };
        let zone_seconds = (parts.time_zone * 3600.0).round() as i64;
        let CalendarParts { weekdays, weekends, .. } = parts;
        Ok(Self { weekdays, weekends, holidays, zone_seconds })
    }

    /// Whether the percentage is always the same.
    pub(super) fn is_constant(&self) -> bool {
        let holidays = self.holidays.iter().flat_map(|(day, _)| day);
        let mut all = self.weekdays.iter().chain(&self.weekends).chain(holidays);
        all.all(|percent| *percent == self.weekdays[0])
    }

    /// The average at a time, and when the next value begins; `None` if that does not fit into
    /// ticks.
    pub(super) fn at(&self, now: Time, start: Start, scale: Scale) -> (u8, Option<Time>) {
        let second = i128::from(scale.ticks_per_unit());
        let day_ticks = i128::from(DAY) * second;
        let local = i128::from(start.seconds() + self.zone_seconds) * second + i128::from(now.0);
        let (day, tick) = (local.div_euclid(day_ticks), local.rem_euclid(day_ticks));
        let loads = self.day(i64::try_from(day).expect("2^64 ticks are fewer than 2^63 days"));
        let parts = loads.len() as i128;
        let part = tick * parts / day_ticks;
        let end = ((part + 1) * day_ticks + parts - 1) / parts;
        let next = i128::from(now.0) + end - tick;
        (loads[part as usize], Ticks::try_from(next).ok().map(Time))
    }

    /// The percentages of a day.
    fn day(&self, day: i64) -> &[u8] {
        match &self.holidays {
            Some((holidays, weeks)) if weeks[week(day)] => holidays,
            _ if is_weekend(day) => &self.weekends,
            _ => &self.weekdays,
        }
    }
}

fn check_day(name: &'static str, percents: &[u8]) -> Result<(), LoadError> {
    if percents.is_empty() {
        return Err(LoadError::EmptyDay { name });
    }
    match percents.iter().find(|&&percent| percent > 100) {
        Some(&percent) => Err(LoadError::Percent { name, percent }),
        None => Ok(()),
    }
}

fn holidays(day: Vec<u8>, weeks: &[bool]) -> Result<(Vec<u8>, [bool; WEEKS]), LoadError> {
    check_day("holidays", &day)?;
    let weeks = weeks.try_into().map_err(|_| LoadError::Weeks { found: weeks.len() })?;
    Ok((day, weeks))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Ticks = Ticks(3600);
    const DAYS: Ticks = Ticks(24 * 3600);

    fn plain() -> CalendarParts {
        let weekdays = (0..24).collect();
        CalendarParts { weekdays, weekends: vec![50], ..CalendarParts::default() }
    }

    /// Average and next change, with ticks of a second.
    fn at(parts: CalendarParts, start: &str, now: Ticks) -> (u8, Ticks) {
        let calendar = Calendar::new(parts).expect("valid");
        let start = start.parse().expect("a date");
        let (percent, next) = calendar.at(Time(now), start, Scale::default());
        (percent, next.expect("soon").0)
    }

    /// 2005-01-07 was a Friday.
    #[test]
    fn weekends_begin_and_end_at_midnight() {
        let friday = |now| at(plain(), "2005-01-07", now);
        assert_eq!(friday(Ticks(0)), (0, HOUR));
        assert_eq!(friday(DAYS - Ticks(1)), (23, DAYS));
        assert_eq!(friday(DAYS), (50, 2 * DAYS));
        assert_eq!(friday(3 * DAYS - Ticks(1)), (50, 3 * DAYS));
        assert_eq!(friday(3 * DAYS), (0, 3 * DAYS + HOUR));
    }

    #[test]
    fn the_start_may_be_in_the_middle_of_a_day() {
        assert_eq!(at(plain(), "2005-01-03T08:20", Ticks(0)), (8, Ticks(40 * 60)));
        assert_eq!(at(plain(), "2005-01-03T08:20", Ticks(40 * 60)), (9, Ticks(100 * 60)));
    }

    #[test]
    fn time_zones_shift_the_day() {
        let zone = |time_zone| CalendarParts { time_zone, ..plain() };
        // Friday 22:00 GMT is Saturday in Karachi, 17:00 in New York and 03:45 in Kathmandu.
        assert_eq!(at(zone(5.0), "2005-01-07T22:00", Ticks(0)), (50, 21 * HOUR));
        assert_eq!(at(zone(-5.0), "2005-01-07T22:00", Ticks(0)), (17, HOUR));
        assert_eq!(at(zone(5.75), "2005-01-06T22:00", Ticks(0)), (3, HOUR / 4));
    }

    /// Week 1, from 0, of 2005 is 8 to 14 January: Saturday to Friday.
    #[test]
    fn holidays_cover_whole_weeks() {
        let mut weeks = vec![false; WEEKS];
        weeks[1] = true;
        let holidays = Some(vec![7, 9]);
        let parts = || CalendarParts {
            holidays: holidays.clone(),
            holiday_weeks: Some(weeks.clone()),
            ..plain()
        };
        assert_eq!(at(parts(), "2005-01-07T23:00", Ticks(0)), (23, HOUR));
        assert_eq!(at(parts(), "2005-01-08", Ticks(0)), (7, 12 * HOUR));
        assert_eq!(at(parts(), "2005-01-08", 12 * HOUR), (9, DAYS));
        assert_eq!(at(parts(), "2005-01-14T12:00", Ticks(0)), (9, 12 * HOUR));
        assert_eq!(at(parts(), "2005-01-15", Ticks(0)), (50, DAYS));
        // New Year's Eve of a leap year is in the last week; 1 January in the first.
        let mut last = vec![false; WEEKS];
        last[WEEKS - 1] = true;
        let parts = CalendarParts { holidays: Some(vec![3]), holiday_weeks: Some(last), ..plain() };
        assert_eq!(at(parts.clone(), "2004-12-31T12:00", Ticks(0)), (3, 12 * HOUR));
        assert_eq!(at(parts, "2004-12-31", DAYS), (50, 2 * DAYS));
    }

    /// A seventh of a day is 12,342 6/7 s.
    #[test]
    fn uneven_parts_begin_at_the_next_tick() {
        let weekdays: Vec<u8> = (0..7).collect();
        let parts = CalendarParts { weekdays, weekends: vec![0], ..CalendarParts::default() };
        let (mut now, mut seen) = (Ticks::ZERO, Vec::new());
        while now < DAYS {
            let (percent, next) = at(parts.clone(), "2005-01-03", now);
            assert!(next > now, "{next} after {now}");
            assert_eq!(at(parts.clone(), "2005-01-03", next - Ticks(1)), (percent, next));
            seen.push((percent, next));
            now = next;
        }
        let ends = [12_343, 24_686, 37_029, 49_372, 61_715, 74_058, 86_400];
        assert_eq!(seen, Vec::from_iter((0..7).zip(ends.map(Ticks))));
    }

    #[test]
    fn follows_the_scale_and_ends_with_time() {
        let calendar = Calendar::new(plain()).expect("valid");
        let start = "2005-01-03".parse().expect("a date");
        let finest = Scale::new(18).expect("allowed");
        let hundredths = Scale::new(2).expect("allowed");
        assert_eq!(
            calendar.at(Time(Ticks(360_001)), start, hundredths),
            (1, Some(Time(Ticks(720_000))))
        );
        assert_eq!(calendar.at(Time::NEVER, start, finest), (0, None));
        let (percent, next) = calendar.at(Time::NEVER, start, Scale::default());
        assert!(percent <= 50 && next.is_none());
    }

    #[test]
    fn rejects_nonsense_in_one_line() {
        let error = |parts| Calendar::new(parts).expect_err("invalid").to_string();
        let weekends = vec![101];
        assert_eq!(
            error(CalendarParts { weekends, ..plain() }),
            "weekends: 101 % is more than 100 %"
        );
        let weekdays = vec![];
        assert_eq!(error(CalendarParts { weekdays, ..plain() }), "weekdays: no value");
        for hours in [f64::NAN, 14.5, -15.0] {
            let parts = CalendarParts { time_zone: hours, ..plain() };
            assert_eq!(error(parts), format!("time zone {hours} is not within 14 hours of GMT"));
        }
        let holidays = Some(vec![1]);
        let half = CalendarParts { holidays: holidays.clone(), ..plain() };
        assert_eq!(error(half), "holidays need both their loads and their weeks");
        let weeks = CalendarParts { holidays, holiday_weeks: Some(vec![true; 53]), ..plain() };
        assert_eq!(error(weeks), "53 weeks, expected 52");
    }
}

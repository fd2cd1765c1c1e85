//! `[resource.load]`: local load of a resource, by its owners.

use super::error::{At, Fault, ensure, given};
use super::file::LoadTable;
use super::number::positive_ticks;
use gridsat_grid::load::{
    Average, Calendar, CalendarParts, EvenInLimit, LocalLoad, Randomiser, WEEKS,
};

/// A local load, and what is known of its values.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub load: LocalLoad,
    /// Whether it always occupies the whole resource.
    pub is_full: bool,
    /// No value is lower, in percent.
    pub least: u8,
    /// The highest average, in percent.
    pub highest: u8,
}

impl Load {
    /// No local load: the resource is dedicated to the grid.
    pub fn none() -> Self {
        let load = LocalLoad::new(Average::Constant(0), None, None).expect("0 is a percentage");
        Self { load, is_full: false, least: 0, highest: 0 }
    }

    pub fn check(table: &LoadTable) -> Result<Self, Fault> {
        let average = average(table)?;
        let randomiser = randomiser(table)?;
        let period = table.period.map(|period| positive_ticks("period", period)).transpose()?;
        ensure(period.is_none() || randomiser.is_some(), || "period needs a randomiser")?;
        // At an average of 100 the uniform randomiser always gives 100, but the binomial one does
        // not.
        let is_full = always_full(table) && randomiser != Some(Randomiser::Binomial);
        let load = LocalLoad::new(average, randomiser, period)?;
        let highest = averages(table).max().unwrap_or(0);
        Ok(Self { load, is_full, least: least(table), highest })
    }
}

fn averages(table: &LoadTable) -> impl Iterator<Item = u8> {
    let days = [&table.weekdays, &table.weekends, &table.holidays];
    days.into_iter().flatten().flatten().chain(&table.average).copied()
}

fn always_full(table: &LoadTable) -> bool {
    averages(table).all(|percent| percent == 100)
}

/// A lower bound on all loads.
fn least(table: &LoadTable) -> u8 {
    let least = averages(table).min().unwrap_or(0);
    match (&table.randomiser, table.limit) {
        (None, _) => least,
        (Some(_), Some(limit)) => least.saturating_sub(limit),
        (Some(_), None) => 0,
    }
}

fn average(table: &LoadTable) -> Result<Average, Fault> {
    let Some(weekdays) = table.weekdays.clone() else {
        let calendar = [
            ("weekends", table.weekends.is_some()),
            ("holidays", table.holidays.is_some()),
            ("holiday_weeks", table.holiday_weeks.is_some()),
            ("time_zone", table.time_zone.is_some()),
        ];
        if let Some(key) = given(&calendar) {
            return Err(Fault::new(format!("{key} needs weekdays")));
        }
        let percent = table.average.ok_or_else(|| Fault::new("average or weekdays is missing"))?;
        ensure(percent <= 100, || format!("average is {percent}, not from 0 to 100"))?;
        return Ok(Average::Constant(percent));
    };
    ensure(table.average.is_none(), || Fault::Exclusive { one: "average", other: "weekdays" })?;
    let parts = CalendarParts {
        weekends: table.weekends.clone().unwrap_or_else(|| weekdays.clone()),
        weekdays,
        holidays: table.holidays.clone(),
        holiday_weeks: table.holiday_weeks.as_deref().map(weeks).transpose()?,
        time_zone: table.time_zone.unwrap_or(0.0),
    };
    Calendar::new(parts).map(Average::Calendar).map_err(Fault::from)
}

/// Converts week numbers, from 1, to a mask.
fn weeks(numbers: &[usize]) -> Result<Vec<bool>, Fault> {
    let mut mask = vec![false; WEEKS];
    for &number in numbers {
        let week = number.checked_sub(1).and_then(|index| mask.get_mut(index));
        let week = week.ok_or_else(|| format!("week {number} is not one of 1 to {WEEKS}"));
        *week.at("holiday_weeks")? = true;
    }
    Ok(mask)
}

fn randomiser(table: &LoadTable) -> Result<Option<Randomiser>, Fault> {
    let is_even = table.randomiser.as_deref() == Some("even");
    ensure(!is_even || table.limit.is_some(), || "randomiser \"even\" needs a limit")?;
    ensure(is_even || table.limit.is_none(), || Fault::only("limit", "randomiser \"even\""))?;
    match (table.randomiser.as_deref(), table.limit) {
        (None, _) => Ok(None),
        (Some("binomial"), _) => Ok(Some(Randomiser::Binomial)),
        (Some("even"), Some(limit)) => {
            let even = EvenInLimit::new(limit).at("limit")?;
            Ok(Some(Randomiser::EvenInLimit(even)))
        }
        (Some(name), _) => Err(Fault::unknown("randomiser", name, ["even", "binomial"])),
    }
}

//! `hours`, `weekends` and `time_zone` of `[[users]]`: when users are at work.

use super::error::{At, Fault, given};
use super::file;
use super::number::scale;
use gridsat_grid::load::Start;
use gridsat_model::Ticks;
use gridsat_workload::{Hours, HoursError};

const WEEK: i64 = 7 * 86_400;
/// 1970-01-01 was a Thursday.
const THURSDAY: i64 = 3 * 86_400;

/// The hours of a group; `None` if its users are always at work.
pub(super) fn check(group: &file::Users, start: Start) -> Result<Option<Hours>, Fault> {
    let Some(hours) = group.hours else {
        let others =
            [("weekends", group.weekends.is_some()), ("time_zone", group.time_zone.is_some())];
        return match given(&others) {
            Some(key) => Err(Fault::new(format!("{key} needs hours"))),
            None => Ok(None),
        };
    };
    let seconds = (start.seconds() + THURSDAY).rem_euclid(WEEK) as u64;
    let monday = Ticks(seconds * scale().ticks_per_unit().0);
    let (weekends, zone) = (group.weekends.unwrap_or(true), group.time_zone.unwrap_or(0.0));
    let hours = Hours::new(hours, weekends, monday, zone, scale());
    let key = match hours {
        Err(HoursError::TimeZone { .. }) => "time_zone",
        _ => "hours",
    };
    hours.map_err(Fault::new).at(key).map(Some)
}

//! Max-Min: the job whose earliest completion is latest, again and again.

use std::cmp::Reverse;

use super::decision::Decision;
use super::lists::List;
use super::sized::SizedJob;
use gridsat_model::{HostId, Ticks};

/// Assigns the jobs of these lists.
pub(super) fn assign(decision: &mut Decision<'_>, lists: &mut [List]) {
    while !decision.is_late() {
        let latest = lists.iter().enumerate().filter_map(|(index, list)| {
            let (completion, host, entry) = latest(decision, list)?;
            Some((completion, Reverse(entry.number), host, entry, index))
        });
        let latest = latest.max_by_key(|&(completion, number, ..)| (completion, number));
        let Some((.., host, entry, index)) = latest else { return };
        let time = decision.view.time_of_size(lists[index].qos, entry.size, host);
        lists[index].jobs.remove(&entry);
        decision.send(entry.number, host, time.expect("the host completes it"));
    }
}

/// The job of a list whose earliest completion is latest, of several the lowest number; `None` if
/// no host completes any of them.
fn latest(decision: &Decision<'_>, list: &List) -> Option<(Ticks, HostId, SizedJob)> {
    let mut found: Option<(Ticks, HostId, SizedJob)> = None;
    let mut last = list.jobs.last();
    while let Some(SizedJob { size, .. }) = last {
        let first = list.jobs.least_from(size).expect("a job of this size");
        let earliest = earliest(decision, list.qos, size);
        match (earliest, found) {
            (Some((completion, _)), Some((latest, ..))) if completion < latest => break,
            (Some((completion, host)), _) => {
                let is_first = found.is_none_or(|(.., other)| first.number < other.number);
                found = if is_first { Some((completion, host, first)) } else { found };
            }
            (None, _) => {}
        }
        last = list.jobs.before_size(size);
    }
    found
}

/// The earliest completion of a job, and the first host with it.
fn earliest(decision: &Decision<'_>, qos: u32, size: f64) -> Option<(Ticks, HostId)> {
    let completion = |host| {
        let time = decision.view.time_of_size(qos, size, host)?;
        Some((decision.completion(host, time), host))
    };
    let all = decision.view.hosts().filter_map(completion);
    all.min().filter(|&(completion, _)| completion < Ticks::MAX)
}

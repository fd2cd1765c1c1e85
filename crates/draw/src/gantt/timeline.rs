//! Start and end of each task.

use std::cmp::Reverse;

use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// The tasks of one host, in order.
pub(super) struct HostRow {
    pub(super) host: HostId,
    pub(super) ready: Ticks,
    pub(super) tasks: Vec<TaskBar>,
    /// Completion time of the host's last task, in ticks.
    pub(super) load: Ticks,
}

/// A task with its start and end.
pub(super) struct TaskBar {
    pub(super) task: TaskId,
    pub(super) start: Ticks,
    pub(super) end: Ticks,
}

/// The hosts that end last, at most so many, in host order.
pub fn latest_hosts(mapping: &Mapping, most: usize) -> Vec<HostId> {
    let loads = mapping.loads();
    let mut hosts: Vec<HostId> = (0..loads.len()).map(|host| HostId(host as u32)).collect();
    if hosts.len() > most {
        hosts.select_nth_unstable_by_key(most, |host| (Reverse(loads[host.index()]), *host));
        hosts.truncate(most);
        hosts.sort_unstable();
    }
    hosts
}

/// The rows of all hosts, in host order.
pub(super) fn rows(instance: &Instance, mapping: &Mapping) -> Vec<HostRow> {
    rows_of(instance, mapping, &instance.hosts().collect::<Vec<_>>())
}

/// The rows of these hosts, which are in host order.
pub(super) fn rows_of(instance: &Instance, mapping: &Mapping, hosts: &[HostId]) -> Vec<HostRow> {
    let mut rows: Vec<HostRow> = hosts.iter().map(|&host| idle(instance, host)).collect();
    for (task, &host) in instance.tasks().zip(mapping.hosts()) {
        let Ok(place) = hosts.binary_search(&host) else { continue };
        let row = &mut rows[place];
        let time = instance.time(task, host);
        let start = row.load;
        row.load += time.expect("mappings use possible pairs only");
        let end = row.load;
        row.tasks.push(TaskBar { task, start, end });
    }
    rows
}

fn idle(instance: &Instance, host: HostId) -> HostRow {
    let ready = instance.ready(host);
    HostRow { host, ready, tasks: Vec::new(), load: ready }
}

/// The first `limit` characters, the last being `…` if some are missing. Control characters
/// become `?`: they would disturb a terminal and are not allowed in XML.
pub(super) fn shortened(name: &str, limit: usize) -> String {
    let printable = |c: char| if c.is_control() { '?' } else { c };
    let long = name.chars().count() > limit;
    let kept = if long { limit.saturating_sub(1) } else { limit };
    let mut short: String = name.chars().take(kept).map(printable).collect();
    if long && limit > 0 {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_that_end_last_are_chosen_the_first_of_equal_ones() {
        let instance = Instance::from_rows([[3, 9, 9, 9, 9], [9, 9, 5, 9, 9], [9, 9, 9, 9, 4]]);
        let instance = instance.expect("valid");
        let hosts = vec![HostId(0), HostId(2), HostId(4)];
        let mapping = Mapping::new(&instance, hosts).expect("valid");
        let chosen = |most| latest_hosts(&mapping, most).iter().map(|h| h.0).collect::<Vec<_>>();
        assert_eq!(chosen(2), [2, 4]);
        assert_eq!(chosen(4), [0, 1, 2, 4]);
        assert_eq!(chosen(9), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn shortens_to_the_limit() {
        let shorts = [0, 1, 2, 4, 5].map(|limit| shortened("nöde\n", limit));
        assert_eq!(shorts, ["", "…", "n…", "nöd…", "nöde?"]);
    }
}

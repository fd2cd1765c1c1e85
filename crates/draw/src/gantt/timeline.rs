//! Start and end of each task.

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

/// The rows of all hosts, in host order.
pub(super) fn rows(instance: &Instance, mapping: &Mapping) -> Vec<HostRow> {
    let mut rows: Vec<HostRow> = instance.hosts().map(|host| idle(instance, host)).collect();
    for (task, &host) in instance.tasks().zip(mapping.hosts()) {
        let row = &mut rows[host.index()];
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
    fn shortens_to_the_limit() {
        let shorts = [0, 1, 2, 4, 5].map(|limit| shortened("nöde\n", limit));
        assert_eq!(shorts, ["", "…", "n…", "nöd…", "nöde?"]);
    }
}

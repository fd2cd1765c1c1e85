//! Levels of service (QoS) that tasks request and hosts offer (Rhodes' thesis, section 2.4.2.7).
//!
//! Levels are nested: a host that offers level l runs tasks that request l or less. So the pairs
//! with `tasks[t] > hosts[h]` are forbidden, in addition to those of the matrix. The levels say
//! more than these pairs: QoS-guided heuristics serve the highest level first, also if every host
//! offers it.

use crate::{HostId, TaskId};

/// The level of each task and of each host; 0 is the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The level that each task requests.
    pub tasks: Vec<u32>,
    /// The level that each host offers.
    pub hosts: Vec<u32>,
}

impl Levels {
    /// Whether the host offers what the task requests.
    pub fn allow(&self, task: TaskId, host: HostId) -> bool {
        self.tasks[task.index()] <= self.hosts[host.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::instance_digest;
    use crate::{Instance, InstanceError, Ticks};

    fn levels(tasks: &[u32], hosts: &[u32]) -> Levels {
        Levels { tasks: tasks.to_vec(), hosts: hosts.to_vec() }
    }

    #[test]
    fn higher_requests_than_offers_are_forbidden_pairs() {
        let plain = Instance::from_rows([[Some(3), Some(4), None], [Some(5), Some(6), Some(7)]]);
        let plain = plain.expect("valid");
        let with = plain.clone().with_levels(levels(&[0, 2], &[1, 2, 3])).expect("possible");
        let rows = [[Some(3), Some(4), None], [None, Some(6), Some(7)]];
        let same = Instance::from_rows(rows).expect("valid");
        for task in same.tasks() {
            assert!(same.hosts().all(|host| same.time(task, host) == with.time(task, host)));
        }
        // The proof is about the matrix; levels are more than the matrix.
        assert_eq!(instance_digest(&with), instance_digest(&same));
        assert_ne!(with, same);
        assert_eq!(
            (with.levels().map(|levels| levels.hosts.len()), same.levels()),
            (Some(3), None)
        );
        assert_eq!(with.time(TaskId(1), HostId(1)), Some(Ticks(6)));
    }

    #[test]
    fn every_task_needs_a_host_that_offers_its_level() {
        let plain = Instance::from_rows([[Some(3), None], [Some(5), Some(6)]]).expect("valid");
        let error = |levels| plain.clone().with_levels(levels).expect_err("impossible");
        let found = error(levels(&[1, 0], &[0, 1]));
        assert_eq!(found, InstanceError::NotOffered { task: 0, level: 1 });
        assert_eq!(found.to_string(), "no host that can run task 0 offers its QoS level 1");
        let found = error(levels(&[1], &[0, 1])).to_string();
        assert_eq!(found, "1 QoS levels for 2 tasks");
        assert_eq!(error(levels(&[0, 0], &[0])).to_string(), "1 QoS levels for 2 hosts");
    }

    /// Levels once kept the numbers of columns that equal hosts had shared before.
    #[test]
    fn equal_hosts_with_different_levels_are_not_alike() {
        let plain = Instance::from_rows([[5, 5, 7], [3, 3, 4]]).expect("valid");
        let with = plain.with_levels(levels(&[1, 2], &[1, 2, 1])).expect("possible");
        let rows = [[Some(5), Some(5), Some(7)], [None, Some(3), None]];
        let same = Instance::from_rows(rows).expect("valid");
        for task in same.tasks() {
            assert!(same.hosts().all(|host| same.time(task, host) == with.time(task, host)));
        }
        let plain = Instance::from_rows([[5, 5], [3, 3]]).expect("valid");
        let alike = plain.clone().with_levels(levels(&[1, 2], &[2, 2])).expect("possible");
        assert!(alike.has_equal_hosts());
    }
}

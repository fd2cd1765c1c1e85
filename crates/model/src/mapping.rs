//! A mapping: the host of each task, with loads and makespan.

use thiserror::Error;

use super::{HostId, Instance, TaskId, Ticks};

/// Why a list of hosts is not a mapping of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum MappingError {
    #[error("mapping has {found} tasks, the instance {expected}")]
    WrongLength { found: usize, expected: usize },
    #[error("task {task} is mapped to host {host}, but there are only {hosts} hosts")]
    NoSuchHost { task: usize, host: usize, hosts: usize },
    #[error("task {task} is mapped to host {host}, which cannot run it")]
    Forbidden { task: usize, host: usize },
}

/// The host of each task. It is checked against an instance and uses only its possible pairs.
///
/// ```
/// use gridsat_model::{HostId, Instance, Mapping, Ticks};
///
/// let instance = Instance::from_rows([[4, 7], [3, 5]])?;
/// let mapping = Mapping::new(&instance, vec![HostId(0), HostId(1)])?;
/// assert_eq!(mapping.makespan(), Ticks(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    hosts: Vec<HostId>,
    loads: Vec<Ticks>,
}

impl Mapping {
    /// Checks the hosts against the instance and computes the loads.
    pub fn new(instance: &Instance, hosts: Vec<HostId>) -> Result<Self, MappingError> {
        let expected = instance.task_count();
        if hosts.len() != expected {
            return Err(MappingError::WrongLength { found: hosts.len(), expected });
        }
        let mut loads: Vec<Ticks> = instance.hosts().map(|h| instance.ready(h)).collect();
        for (task, &host) in instance.tasks().zip(&hosts) {
            let (task_index, host_index) = (task.index(), host.index());
            let hosts = instance.host_count();
            if host_index >= hosts {
                return Err(MappingError::NoSuchHost { task: task_index, host: host_index, hosts });
            }
            let time = instance.time(task, host);
            let forbidden = MappingError::Forbidden { task: task_index, host: host_index };
            loads[host_index] += time.ok_or(forbidden)?;
        }
        Ok(Self { hosts, loads })
    }

    /// The host of the task.
    pub fn host(&self, task: TaskId) -> HostId {
        self.hosts[task.index()]
    }

    /// The host of each task.
    pub fn hosts(&self) -> &[HostId] {
        &self.hosts
    }

    /// The completion time of each host: its ready time plus the times of its tasks.
    pub fn loads(&self) -> &[Ticks] {
        &self.loads
    }

    /// The completion time of the last host.
    pub fn makespan(&self) -> Ticks {
        self.loads.iter().copied().max().unwrap_or(Ticks(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demo() -> Instance {
        let text = r#"{"etc": [[14, 5, null], [3, 8, 2]], "ready": [0, 0, 4]}"#;
        text.parse().expect("valid")
    }

    #[test]
    fn adds_up_loads_from_the_ready_times() {
        let mapping = Mapping::new(&demo(), vec![HostId(1), HostId(2)]).expect("valid");
        assert_eq!(mapping.loads(), [Ticks(0), Ticks(5), Ticks(6)]);
        assert_eq!(mapping.makespan(), Ticks(6));
    }

    #[test]
    fn an_idle_host_still_counts_until_it_is_ready() {
        let mapping = Mapping::new(&demo(), vec![HostId(1), HostId(0)]).expect("valid");
        assert_eq!(mapping.loads(), [Ticks(3), Ticks(5), Ticks(4)]);
    }

    #[test]
    fn rejects_impossible_hosts() {
        let error = |hosts: &[u32]| {
            Mapping::new(&demo(), hosts.iter().map(|&h| HostId(h)).collect()).expect_err("invalid")
        };
        assert_eq!(error(&[1]), MappingError::WrongLength { found: 1, expected: 2 });
        assert_eq!(error(&[2, 0]), MappingError::Forbidden { task: 0, host: 2 });
        assert_eq!(error(&[0, 3]), MappingError::NoSuchHost { task: 1, host: 3, hosts: 3 });
    }
}

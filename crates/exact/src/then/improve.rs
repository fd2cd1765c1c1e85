//! Small changes that make a mapping cheaper without a host that ends after k.
//!
//! A task moves to a cheaper host. Where it does not fit there, one task of that host makes room:
//! it goes to any host where it fits, in particular to the one that the first task leaves.

use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

use super::Then;

/// The stop is checked after this many changes.
const BETWEEN_CHECKS: usize = 1 << 16;

/// The mapping after all changes that make it cheaper, the first one found at a time. At most
/// about `changes` are looked at, because their number grows with the square of that of the tasks.
pub(super) fn improve(
    instance: &Instance,
    then: &Then,
    k: Ticks,
    mapping: &Mapping,
    (changes, stop): (usize, &Stop),
) -> Mapping {
    let mut state = State::new(instance, then, k, mapping, (changes, stop));
    while !state.is_over && state.pass() {}
    Mapping::new(instance, state.hosts).unwrap_or_else(|_| mapping.clone())
}

struct State<'a> {
    instance: &'a Instance,
    then: &'a Then,
    stop: &'a Stop,
    hosts: Vec<HostId>,
    /// The ticks left on each host until k.
    rooms: Vec<Ticks>,
    tasks_of: Vec<Vec<TaskId>>,
    /// Changes that may still be looked at.
    left: usize,
    is_over: bool,
}

impl<'a> State<'a> {
    fn new(
        instance: &'a Instance,
        then: &'a Then,
        k: Ticks,
        mapping: &Mapping,
        (left, stop): (usize, &'a Stop),
    ) -> Self {
        let mut tasks_of = vec![Vec::new(); instance.host_count()];
        instance.tasks().for_each(|task| tasks_of[mapping.host(task).index()].push(task));
        Self {
            instance,
            then,
            stop,
            hosts: mapping.hosts().to_vec(),
            rooms: mapping.loads().iter().map(|&load| k.saturating_sub(load)).collect(),
            tasks_of,
            left,
            is_over: false,
        }
    }

    /// Tries to move every task once; whether one moved.
    fn pass(&mut self) -> bool {
        let mut has_moved = false;
        for task in self.instance.tasks() {
            has_moved |= self.try_task(task);
            if self.is_over {
                break;
            }
        }
        has_moved
    }

    /// Moves the task to a cheaper host, if that is possible.
    fn try_task(&mut self, task: TaskId) -> bool {
        self.count(self.rooms.len());
        let now = self.cost(task, self.host(task));
        for (host, time) in self.instance.times(task) {
            let Some(gain) = now.checked_sub(self.cost(task, host)).filter(|&gain| gain > 0) else {
                continue;
            };
            if time <= self.room(host) {
                self.take(task);
                self.put(task, host);
                return true;
            }
            if self.try_with_another(task, (host, time), gain) {
                return true;
            }
        }
        false
    }

    /// Moves the task to the host, and one task of that host elsewhere at a cost below the gain.
    fn try_with_another(&mut self, task: TaskId, to: (HostId, Ticks), gain: u64) -> bool {
        let (host, time) = to;
        for position in 0..self.tasks_of[host.index()].len() {
            let other = self.tasks_of[host.index()][position];
            let freed = self.time(other, host);
            if time > self.room(host) + freed {
                continue;
            }
            let found = self.place_for(other, task, self.cost(other, host) + gain);
            if let Some(target) = found {
                // Both leave before one arrives: each may need the room of the other.
                self.take(task);
                self.take(other);
                self.put(task, host);
                self.put(other, target);
                return true;
            }
            if self.is_over {
                return false;
            }
        }
        false
    }

    /// A host with room for `other` at a cost below `most`, once `task` has left its host.
    fn place_for(&mut self, other: TaskId, task: TaskId, most: u64) -> Option<HostId> {
        let (from, left) = (self.host(other), self.host(task));
        let freed = self.time(task, left);
        self.count(self.rooms.len());
        let fits = |&(host, time): &(HostId, Ticks)| {
            let extra = if host == left { freed } else { Ticks::ZERO };
            host != from && time <= self.room(host) + extra && self.cost(other, host) < most
        };
        self.instance.times(other).find(fits).map(|(host, _)| host)
    }

    fn count(&mut self, changes: usize) {
        let before = self.left / BETWEEN_CHECKS;
        self.left = self.left.saturating_sub(changes);
        let is_checked = self.left / BETWEEN_CHECKS < before;
        self.is_over |= self.left == 0 || (is_checked && self.stop.is_due());
    }

    fn take(&mut self, task: TaskId) {
        let host = self.host(task);
        let time = self.time(task, host);
        self.rooms[host.index()] += time;
        self.tasks_of[host.index()].retain(|&other| other != task);
    }

    fn put(&mut self, task: TaskId, host: HostId) {
        let time = self.time(task, host);
        self.rooms[host.index()] -= time;
        self.tasks_of[host.index()].push(task);
        self.hosts[task.index()] = host;
    }

    fn time(&self, task: TaskId, host: HostId) -> Ticks {
        self.instance.time(task, host).unwrap_or_default()
    }

    fn host(&self, task: TaskId) -> HostId {
        self.hosts[task.index()]
    }

    fn room(&self, host: HostId) -> Ticks {
        self.rooms[host.index()]
    }

    fn cost(&self, task: TaskId, host: HostId) -> u64 {
        self.then.cost(self.instance, task, host)
    }
}

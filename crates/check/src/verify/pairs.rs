//! The pairs of task and host that a mapping with makespan ≤ k can still have, at a node of a
//! tree.
//!
//! There is one set of pairs for a whole tree. What a case removes is written down, and undone when
//! the case is refuted, so that memory does not grow with the number of open cases.

use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Possible pairs. A task with one pair left is *placed*: its time is taken from its host's room.
/// It keeps only that pair, so that a case that removes it is recognised as empty.
pub(super) struct Pairs<'a> {
    instance: &'a Instance,
    rooms: Vec<Ticks>,
    /// Whether each pair is possible, task by task.
    possible: Vec<bool>,
    placed: Vec<bool>,
    changes: Vec<Change>,
}

/// A change of the pairs that can be undone.
#[derive(Clone, Copy)]
enum Change {
    Removed(TaskId, HostId),
    Placed(TaskId, HostId, Ticks),
}

/// A state of the pairs to which they can be taken back.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl<'a> Pairs<'a> {
    /// All pairs; `None` if they already contain no mapping.
    pub fn new(instance: &'a Instance, k: Ticks) -> Option<Self> {
        let rooms: Option<Vec<Ticks>> =
            instance.hosts().map(|host| k.checked_sub(instance.ready(host))).collect();
        let (n, m) = (instance.task_count(), instance.host_count());
        let possible = vec![true; n * m];
        let changes = Vec::new();
        let mut all = Self { instance, rooms: rooms?, possible, placed: vec![false; n], changes };
        all.settle().then_some(all)
    }

    /// Only the pairs in the list of hosts of each task; `None` if no mapping is left.
    pub fn only(mut self, hosts: &[Vec<u32>]) -> Option<Self> {
        let absent: Vec<_> = self.beyond(hosts).collect();
        self.remove(&absent).then_some(self)
    }

    /// The possible pairs that are not in the list of hosts of each task.
    pub fn beyond<'b>(
        &'b self,
        hosts: &'b [Vec<u32>],
    ) -> impl Iterator<Item = (TaskId, HostId)> + 'b {
        let tasks = self.instance.tasks().zip(hosts);
        tasks.flat_map(move |(task, listed)| {
            let possible = self.instance.hosts().filter(move |&h| self.time(task, h).is_some());
            possible.filter(|host| !listed.contains(&host.0)).map(move |host| (task, host))
        })
    }

    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    pub fn room(&self, host: HostId) -> Ticks {
        self.rooms[host.index()]
    }

    pub fn is_placed(&self, task: TaskId) -> bool {
        self.placed[task.index()]
    }

    /// The number of tasks not placed.
    pub fn open_tasks(&self) -> usize {
        self.placed.iter().filter(|&&is_placed| !is_placed).count()
    }

    /// The tasks not placed that may be on the host, with their times there.
    pub fn open(&self, host: HostId) -> impl Iterator<Item = (TaskId, Ticks)> + '_ {
        let tasks = self.instance.tasks().filter(|&task| !self.is_placed(task));
        tasks.filter_map(move |task| Some((task, self.time(task, host)?)))
    }

    /// Removes these pairs; returns whether a mapping may be left. If not, the pairs can only be
    /// taken back to a mark.
    pub fn remove(&mut self, pairs: &[(TaskId, HostId)]) -> bool {
        for &(task, host) in pairs {
            self.remove_one(task, host);
        }
        self.settle()
    }

    /// Puts the task on the host; returns whether a mapping may be left, as [`Pairs::remove`].
    pub fn put(&mut self, task: TaskId, host: HostId) -> bool {
        let others = self.instance.hosts().filter(|&other| other != host);
        let others: Vec<_> = others.map(|other| (task, other)).collect();
        self.remove(&others)
    }

    /// The present state.
    pub fn mark(&self) -> Mark {
        Mark(self.changes.len())
    }

    /// Takes the pairs back to an earlier state.
    pub fn undo(&mut self, Mark(length): Mark) {
        for change in self.changes.split_off(length).into_iter().rev() {
            match change {
                Change::Removed(task, host) => {
                    let pair = self.index(task, host);
                    self.possible[pair] = true;
                }
                Change::Placed(task, host, time) => {
                    self.rooms[host.index()] += time;
                    self.placed[task.index()] = false;
                }
            }
        }
    }

    fn index(&self, task: TaskId, host: HostId) -> usize {
        task.index() * self.rooms.len() + host.index()
    }

    fn time(&self, task: TaskId, host: HostId) -> Option<Ticks> {
        self.instance.time(task, host).filter(|_| self.possible[self.index(task, host)])
    }

    fn remove_one(&mut self, task: TaskId, host: HostId) {
        let pair = self.index(task, host);
        if self.possible[pair] {
            self.possible[pair] = false;
            self.changes.push(Change::Removed(task, host));
        }
    }

    /// Removes pairs that do not fit and places tasks with one pair left, until nothing changes.
    /// Returns whether a mapping may be left.
    fn settle(&mut self) -> bool {
        let has_host = |task| self.instance.hosts().any(|host| self.time(task, host).is_some());
        if !self.instance.tasks().filter(|&task| self.is_placed(task)).all(has_host) {
            return false;
        }
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for task in self.instance.tasks() {
                if self.is_placed(task) {
                    continue;
                }
                let fits = |&(host, time): &(HostId, Ticks)| time <= self.room(host);
                let choices = self.instance.hosts().filter_map(|h| Some((h, self.time(task, h)?)));
                let mut choices = choices.filter(fits);
                let Some((host, time)) = choices.next() else { return false };
                if choices.next().is_none() {
                    self.place(task, host, time);
                    is_settled = false;
                }
            }
        }
        self.drop_what_does_not_fit();
        true
    }

    fn place(&mut self, task: TaskId, host: HostId, time: Ticks) {
        self.rooms[host.index()] -= time;
        self.placed[task.index()] = true;
        self.changes.push(Change::Placed(task, host, time));
        for other in self.instance.hosts().filter(|&other| other != host) {
            self.remove_one(task, other);
        }
    }

    fn drop_what_does_not_fit(&mut self) {
        for task in self.instance.tasks() {
            if self.is_placed(task) {
                continue;
            }
            for host in self.instance.hosts() {
                if self.instance.time(task, host).is_none_or(|time| time > self.room(host)) {
                    self.remove_one(task, host);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(etc: &[[u64; 2]]) -> Instance {
        Instance::from_rows(etc.iter().copied()).expect("valid")
    }

    #[test]
    fn settling_places_what_has_one_host_and_goes_on() {
        // At 10 task 0 fits only on host 0 and leaves 1 there. Task 1 must go to host 1, where it
        // takes 6, so that tasks 2 and 3 no longer fit there; 2 takes the last tick of host 0.
        let three = instance(&[[9, 11], [2, 6], [1, 5]]);
        let pairs = Pairs::new(&three, Ticks(10)).expect("possible");
        assert!(three.tasks().all(|task| pairs.is_placed(task)));
        assert_eq!((pairs.room(HostId(0)), pairs.room(HostId(1))), (Ticks(0), Ticks(4)));
        let four = instance(&[[9, 11], [2, 6], [1, 5], [1, 5]]);
        assert!(Pairs::new(&four, Ticks(10)).is_none());
    }

    /// Such cases occur where this checker has ruled out more than the program that wrote the
    /// proof.
    #[test]
    fn a_placed_task_is_nowhere_else() {
        let instance = instance(&[[3, 9], [4, 4], [4, 4]]);
        let pairs = || Pairs::new(&instance, Ticks(8)).expect("possible");
        let (task, here, there) = (TaskId(0), HostId(0), HostId(1));
        assert!(pairs().is_placed(task) && !pairs().is_placed(TaskId(1)));
        assert!(pairs().put(task, here) && pairs().remove(&[(task, there)]));
        assert!(!pairs().put(task, there) && !pairs().remove(&[(task, here)]));
    }

    /// Also from a case that was found to be empty half-way.
    #[test]
    fn every_change_can_be_undone() {
        let instance = instance(&[[5, 6], [4, 4], [4, 3], [2, 7]]);
        let mut pairs = Pairs::new(&instance, Ticks(11)).expect("possible");
        let state =
            |pairs: &Pairs| (pairs.rooms.clone(), pairs.possible.clone(), pairs.placed.clone());
        let (start, mark) = (state(&pairs), pairs.mark());
        assert!(pairs.put(TaskId(0), HostId(0)));
        let (inner, inner_mark) = (state(&pairs), pairs.mark());
        assert!(!(pairs.put(TaskId(1), HostId(0)) && pairs.put(TaskId(2), HostId(0))));
        assert_ne!(state(&pairs), inner);
        pairs.undo(inner_mark);
        assert_eq!(state(&pairs), inner);
        assert!(pairs.remove(&[(TaskId(3), HostId(0))]) && pairs.is_placed(TaskId(3)));
        pairs.undo(mark);
        assert_eq!(state(&pairs), start);
    }

    /// Prices are compared pair by pair: one that does not fit must not be among the open ones.
    #[test]
    fn what_does_not_fit_is_not_open() {
        let instance = Instance::from_rows([[3, 3, 9], [3, 3, 9]]).expect("valid");
        let pairs = Pairs::new(&instance, Ticks(8)).expect("possible");
        let open = |host| pairs.open(HostId(host)).count();
        assert_eq!((open(0), open(1), open(2), pairs.open_tasks()), (2, 2, 0, 2));
    }

    #[test]
    fn no_mapping_is_left_before_a_host_is_ready() {
        let text = r#"{"etc": [[1, 1]], "ready": [0, 5]}"#;
        let instance: Instance = text.parse().expect("valid");
        assert!(Pairs::new(&instance, Ticks(4)).is_none());
        assert!(Pairs::new(&instance, Ticks(5)).is_some());
    }
}

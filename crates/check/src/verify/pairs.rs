//! The pairs of task and host that a mapping with makespan ≤ k can still have, at a node of a
//! tree.

use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Possible pairs. A task with one pair left is *placed*: its time is taken from its host's room.
/// It keeps only that pair, so that a case that removes it is recognised as empty.
#[derive(Clone)]
pub(super) struct Pairs<'a> {
    instance: &'a Instance,
    rooms: Vec<Ticks>,
    /// Whether each pair is possible, task by task.
    possible: Vec<bool>,
    placed: Vec<bool>,
}

impl<'a> Pairs<'a> {
    /// All pairs; `None` if they already contain no mapping.
    pub fn new(instance: &'a Instance, k: Ticks) -> Option<Self> {
        let rooms: Option<Vec<Ticks>> =
            instance.hosts().map(|host| k.checked_sub(instance.ready(host))).collect();
        let (n, m) = (instance.task_count(), instance.host_count());
        let possible = vec![true; n * m];
        Self { instance, rooms: rooms?, possible, placed: vec![false; n] }.settled()
    }

    /// Only the pairs in the list of hosts of each task; `None` if no mapping is left.
    pub fn only(self, hosts: &[Vec<u32>]) -> Option<Self> {
        let absent: Vec<_> = self.beyond(hosts).collect();
        self.without(&absent)
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

    /// The tasks not placed that may be on the host, with their times there.
    pub fn open(&self, host: HostId) -> impl Iterator<Item = (TaskId, Ticks)> + '_ {
        let tasks = self.instance.tasks().filter(|&task| !self.is_placed(task));
        tasks.filter_map(move |task| Some((task, self.time(task, host)?)))
    }

    /// Without these pairs; `None` if no mapping is left.
    pub fn without(mut self, pairs: &[(TaskId, HostId)]) -> Option<Self> {
        let m = self.rooms.len();
        pairs
            .iter()
            .for_each(|(task, host)| self.possible[task.index() * m + host.index()] = false);
        self.settled()
    }

    /// With the task on the host; `None` if no mapping is left.
    pub fn with(self, task: TaskId, host: HostId) -> Option<Self> {
        let others = self.instance.hosts().filter(|&other| other != host);
        let others: Vec<_> = others.map(|other| (task, other)).collect();
        self.without(&others)
    }

    fn time(&self, task: TaskId, host: HostId) -> Option<Ticks> {
        let is_possible = self.possible[task.index() * self.rooms.len() + host.index()];
        self.instance.time(task, host).filter(|_| is_possible)
    }

    /// Removes pairs that do not fit and places tasks with one pair left, until nothing changes.
    fn settled(mut self) -> Option<Self> {
        let has_host = |task| self.instance.hosts().any(|host| self.time(task, host).is_some());
        if !self.instance.tasks().filter(|&task| self.is_placed(task)).all(has_host) {
            return None;
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
                let (host, time) = choices.next()?;
                if choices.next().is_none() {
                    self.place(task, host, time);
                    is_settled = false;
                }
            }
        }
        self.drop_what_does_not_fit();
        Some(self)
    }

    fn place(&mut self, task: TaskId, host: HostId, time: Ticks) {
        let m = self.rooms.len();
        self.rooms[host.index()] -= time;
        self.placed[task.index()] = true;
        let row = &mut self.possible[task.index() * m..][..m];
        row.iter_mut().enumerate().for_each(|(other, pair)| *pair = other == host.index());
    }

    fn drop_what_does_not_fit(&mut self) {
        let m = self.rooms.len();
        for task in self.instance.tasks().filter(|task| !self.placed[task.index()]) {
            for (host, &room) in self.instance.hosts().zip(&self.rooms) {
                if self.instance.time(task, host).is_none_or(|time| time > room) {
                    self.possible[task.index() * m + host.index()] = false;
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
        assert!(pairs().with(task, here).is_some());
        assert!(pairs().without(&[(task, there)]).is_some());
        assert!(pairs().with(task, there).is_none());
        assert!(pairs().without(&[(task, here)]).is_none());
    }

    #[test]
    fn no_mapping_is_left_before_a_host_is_ready() {
        let text = r#"{"etc": [[1, 1]], "ready": [0, 5]}"#;
        let instance: Instance = text.parse().expect("valid");
        assert!(Pairs::new(&instance, Ticks(4)).is_none());
        assert!(Pairs::new(&instance, Ticks(5)).is_some());
    }
}

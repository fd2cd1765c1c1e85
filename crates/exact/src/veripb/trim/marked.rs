//! A case of a tree in which each missing pair says why it is missing.
//!
//! Settling removes a pair because of tasks that were placed before, and places a task because its
//! other pairs were removed before. So whatever a proof needs can be traced back to decisions and
//! to pairs that prices removed.

use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Why a pair is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// The host cannot run the task by k.
    Never,
    /// A decision or prices removed it.
    Node,
    /// It does not fit beside this many of the tasks placed first on the host.
    Room(usize),
}

/// Pairs that a proof needs to be missing.
#[derive(Clone, Debug)]
pub struct Needed {
    hosts: usize,
    pairs: Vec<bool>,
}

impl Needed {
    pub fn none(instance: &Instance) -> Self {
        let hosts = instance.host_count();
        Self { hosts, pairs: vec![false; hosts * instance.task_count()] }
    }

    pub fn contains(&self, (task, host): (TaskId, HostId)) -> bool {
        self.pairs[task.index() * self.hosts + host.index()]
    }

    /// Whether the pair is new.
    fn insert(&mut self, (task, host): (TaskId, HostId)) -> bool {
        !std::mem::replace(&mut self.pairs[task.index() * self.hosts + host.index()], true)
    }

    pub fn remove(&mut self, (task, host): (TaskId, HostId)) {
        self.pairs[task.index() * self.hosts + host.index()] = false;
    }

    pub fn join(&mut self, other: &Self) {
        self.pairs.iter_mut().zip(&other.pairs).for_each(|(pair, other)| *pair |= other);
    }
}

/// A task of the case has no pair.
#[derive(Clone, Copy, Debug)]
pub struct Empty(pub TaskId);

/// The pairs of a case.
#[derive(Clone)]
pub struct Marked<'a> {
    pub instance: &'a Instance,
    /// Per pair, task by task; `None` if it is possible.
    missing: Vec<Option<Why>>,
    /// Per host, all the room until k, and the tasks placed so far.
    hosts: Vec<(Ticks, Vec<TaskId>)>,
    placed: Vec<Option<HostId>>,
}

impl<'a> Marked<'a> {
    /// All pairs that fit by k. No host may be ready only after k.
    pub fn root(instance: &'a Instance, k: Ticks) -> Self {
        let room = |host| instance.capacity(host, k).unwrap_or(Ticks::ZERO);
        let fits = |task, host| instance.time(task, host).is_some_and(|time| time <= room(host));
        let why = |task, host| (!fits(task, host)).then_some(Why::Never);
        let pairs =
            instance.tasks().flat_map(|task| instance.hosts().map(move |host| (task, host)));
        Self {
            instance,
            missing: pairs.map(|(task, host)| why(task, host)).collect(),
            hosts: instance.hosts().map(|host| (room(host), Vec::new())).collect(),
            placed: vec![None; instance.task_count()],
        }
    }

    fn why(&self, (task, host): (TaskId, HostId)) -> Option<Why> {
        self.missing[task.index() * self.hosts.len() + host.index()]
    }

    pub fn is_possible(&self, task: TaskId, host: HostId) -> bool {
        self.why((task, host)).is_none()
    }

    /// Whether the pair fits alone.
    pub fn could_be(&self, task: TaskId, host: HostId) -> bool {
        self.why((task, host)) != Some(Why::Never)
    }

    /// The room until k.
    pub fn whole_room(&self, host: HostId) -> Ticks {
        self.hosts[host.index()].0
    }

    /// The tasks placed on the host, in that order.
    pub fn placed_on(&self, host: HostId) -> &[TaskId] {
        &self.hosts[host.index()].1
    }

    pub fn is_placed(&self, task: TaskId) -> bool {
        self.placed[task.index()].is_some()
    }

    /// The time of a task on a host that can run it.
    pub fn time(&self, task: TaskId, host: HostId) -> Ticks {
        self.instance.time(task, host).unwrap_or(Ticks::MAX)
    }

    /// The room beside the tasks that are placed.
    pub fn room(&self, host: HostId) -> Ticks {
        let placed = self.placed_on(host).iter().map(|&task| self.time(task, host));
        placed.fold(self.whole_room(host), |room, time| room - time)
    }

    /// The open tasks that may be on the host.
    pub fn open(&self, host: HostId) -> impl Iterator<Item = TaskId> + '_ {
        let tasks = self.instance.tasks();
        tasks.filter(move |&task| !self.is_placed(task) && self.is_possible(task, host))
    }

    /// A node removes the pair; settle after the last one.
    pub fn remove(&mut self, (task, host): (TaskId, HostId)) {
        self.missing[task.index() * self.hosts.len() + host.index()].get_or_insert(Why::Node);
    }

    /// The possible pairs of the task with other hosts.
    pub fn other_pairs(
        &self,
        (task, host): (TaskId, HostId),
    ) -> impl Iterator<Item = (TaskId, HostId)> + '_ {
        self.others(task, host).filter(|&pair| self.why(pair).is_none())
    }

    /// Places tasks with one pair left and removes pairs that do not fit, until nothing changes.
    pub fn settle(&mut self) -> Result<(), Empty> {
        loop {
            let mut single = None;
            for task in self.instance.tasks() {
                let mut left = self.instance.hosts().filter(|&host| self.is_possible(task, host));
                let first = left.next().ok_or(Empty(task))?;
                if left.next().is_none() && !self.is_placed(task) {
                    single.get_or_insert((task, first));
                }
            }
            let Some((task, host)) = single else { return Ok(()) };
            self.placed[task.index()] = Some(host);
            self.hosts[host.index()].1.push(task);
            self.remove_long(host);
        }
    }

    fn remove_long(&mut self, host: HostId) {
        let (room, count) = (self.room(host), self.placed_on(host).len());
        let long: Vec<TaskId> =
            self.open(host).filter(|&task| self.time(task, host) > room).collect();
        for task in long {
            self.missing[task.index() * self.hosts.len() + host.index()] = Some(Why::Room(count));
        }
    }

    /// Adds the pair with all that has to be missing so that it is.
    pub fn need(&self, pair: (TaskId, HostId), needed: &mut Needed) {
        let mut open = vec![pair];
        while let Some(pair) = open.pop() {
            let Some(why) = self.why(pair) else { continue };
            if why == Why::Never || !needed.insert(pair) {
                continue;
            }
            if let Why::Room(count) = why {
                for task in self.beside(pair, count) {
                    open.extend(self.others(task, pair.1));
                }
            }
        }
    }

    /// Adds all pairs of the task that are missing.
    pub fn need_all(&self, task: TaskId, needed: &mut Needed) {
        self.instance.hosts().for_each(|host| self.need((task, host), needed));
    }

    fn others(&self, task: TaskId, host: HostId) -> impl Iterator<Item = (TaskId, HostId)> + '_ {
        self.instance.hosts().filter(move |&other| other != host).map(move |other| (task, other))
    }

    /// Few of the tasks placed first on the host beside which the pair does not fit.
    fn beside(&self, (task, host): (TaskId, HostId), count: usize) -> Vec<TaskId> {
        let mut placed = self.placed_on(host)[..count].to_vec();
        placed.sort_by_key(|&task| std::cmp::Reverse(self.time(task, host)));
        let mut room = Some(self.whole_room(host));
        let long = self.time(task, host);
        let is_needed = |&task: &TaskId| {
            let Some(left) = room.filter(|&left| long <= left) else { return false };
            room = left.checked_sub(self.time(task, host));
            true
        };
        placed.into_iter().filter(is_needed).collect()
    }
}

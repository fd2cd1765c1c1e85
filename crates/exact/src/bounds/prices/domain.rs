//! The pairs of task and host that are still possible in a mapping with makespan ≤ k.
//!
//! Fixing and branching remove pairs. [`Domain::settle`] draws the conclusions that follow from the
//! rooms alone: a pair that does not fit is removed, and a task with one pair left is *placed*,
//! which takes its time from its host's room. A pair that is neither removed nor placed is open.

use crate::knapsack::Item;
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Rooms up to this size count as small.
const SMALL_ROOM: Ticks = Ticks(1 << 20);

/// The possible pairs at one k. Pairs are only ever removed.
#[derive(Clone, Debug)]
pub struct Domain<'a> {
    instance: &'a Instance,
    /// Per host, the ticks left until k beside the placed tasks.
    rooms: Vec<Ticks>,
    /// Whether each pair is possible, task by task.
    possible: Vec<bool>,
    /// Number of possible pairs per task.
    choices: Vec<u32>,
    placed: Vec<Option<HostId>>,
    /// Per host, the tasks it may still get beside those placed, with their times there.
    open: Vec<Vec<(TaskId, Ticks)>>,
    unplaced: usize,
}

/// The domain contains no mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;

impl<'a> Domain<'a> {
    /// All pairs that fit by k.
    pub fn new(instance: &'a Instance, k: Ticks) -> Result<Self, Contradiction> {
        let mut domain = Self::unsettled(instance, k)?;
        domain.settle()?;
        Ok(domain)
    }

    fn unsettled(instance: &'a Instance, k: Ticks) -> Result<Self, Contradiction> {
        let rooms: Option<Vec<Ticks>> = instance.hosts().map(|h| instance.capacity(h, k)).collect();
        let (n, m) = (instance.task_count(), instance.host_count());
        let mut domain = Self {
            instance,
            rooms: rooms.ok_or(Contradiction)?,
            possible: vec![false; n * m],
            choices: vec![0; n],
            placed: vec![None; n],
            open: vec![Vec::new(); m],
            unplaced: n,
        };
        for task in instance.tasks() {
            for (host, _) in instance.times(task) {
                domain.possible[task.index() * m + host.index()] = true;
                domain.choices[task.index()] += 1;
            }
        }
        Ok(domain)
    }

    /// All pairs between the given hosts and the tasks that the mapping has on them; all other
    /// tasks stay where they are, whether or not they end by k.
    pub fn around(
        instance: &'a Instance,
        k: Ticks,
        mapping: &Mapping,
        hosts: &[HostId],
    ) -> Result<Self, Contradiction> {
        let mut domain = Self::unsettled(instance, k)?;
        for task in instance.tasks() {
            let host = mapping.host(task);
            if hosts.contains(&host) {
                let others = instance.hosts().filter(|other| !hosts.contains(other));
                others.for_each(|other| domain.forbid(task, other));
            } else {
                domain.force(task, host);
                domain.placed[task.index()] = Some(host);
                domain.unplaced -= 1;
            }
        }
        domain.settle()?;
        Ok(domain)
    }

    /// Whether the task can still be on the host.
    pub fn is_possible(&self, task: TaskId, host: HostId) -> bool {
        self.possible[task.index() * self.rooms.len() + host.index()]
    }

    /// The instance whose pairs these are.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The ticks left on the host beside its placed tasks.
    pub fn room(&self, host: HostId) -> Ticks {
        self.rooms[host.index()]
    }

    /// The tasks the host may still get, with their times there.
    pub fn open(&self, host: HostId) -> &[(TaskId, Ticks)] {
        &self.open[host.index()]
    }

    /// The open tasks of the host as knapsack items, valued by `prices`.
    pub fn items(&self, host: HostId, prices: &[u64]) -> Vec<Item> {
        let item = |&(task, weight): &(TaskId, Ticks)| Item {
            name: task.0,
            value: prices[task.index()],
            weight: weight.0,
        };
        self.open(host).iter().map(item).collect()
    }

    /// The host on which the task is placed, if it is.
    pub fn placed(&self, task: TaskId) -> Option<HostId> {
        self.placed[task.index()]
    }

    /// Number of tasks with more than one possible pair.
    pub fn unplaced(&self) -> usize {
        self.unplaced
    }

    /// The sum of the prices of the tasks not placed.
    pub fn unplaced_total(&self, prices: &[u64]) -> i128 {
        let open = self.instance.tasks().filter(|&task| self.placed(task).is_none());
        open.map(|task| i128::from(prices[task.index()])).sum()
    }

    /// The total to which prices in certificates are scaled. The checker's memory grows with prices
    /// or rooms, whichever are smaller.
    pub fn price_total(&self) -> u64 {
        let is_small = self.rooms.iter().all(|&room| room <= SMALL_ROOM);
        if is_small { 10_000_000_000 } else { 1_000_000 }
    }

    /// Whether every host must take as many tasks as fit: together they just have places for all.
    pub fn fixes_counts(&self) -> bool {
        let mut places = 0;
        let mut times: Vec<Ticks> = Vec::new();
        for (open, &room) in self.open.iter().zip(&self.rooms) {
            times.clear();
            times.extend(open.iter().map(|&(_, time)| time));
            times.sort_unstable();
            let ends = times.iter().scan(Ticks(0), |end, &time| {
                *end += time;
                Some(*end)
            });
            places += ends.take_while(|&end| end <= room).count();
        }
        places == self.unplaced
    }

    /// Number of hosts on which the task may be.
    pub fn choices(&self, task: TaskId) -> u32 {
        self.choices[task.index()]
    }

    /// Number of possible pairs of tasks not placed.
    pub fn pairs(&self) -> usize {
        self.open.iter().map(Vec::len).sum()
    }

    /// Removes the pair; call [`Domain::settle`] after the last removal.
    pub fn forbid(&mut self, task: TaskId, host: HostId) {
        let pair = &mut self.possible[task.index() * self.rooms.len() + host.index()];
        if *pair {
            *pair = false;
            self.choices[task.index()] -= 1;
        }
    }

    /// Removes all other pairs of the task.
    pub fn force(&mut self, task: TaskId, host: HostId) {
        for other in self.instance.hosts().filter(|&other| other != host) {
            self.forbid(task, other);
        }
    }

    /// Draws all conclusions that follow from the rooms.
    pub fn settle(&mut self) -> Result<(), Contradiction> {
        loop {
            self.drop_what_does_not_fit();
            if self.choices.contains(&0) {
                return Err(Contradiction);
            }
            let single = |&t: &TaskId| self.placed(t).is_none() && self.choices[t.index()] == 1;
            let singles: Vec<TaskId> = self.instance.tasks().filter(single).collect();
            if singles.is_empty() {
                break;
            }
            for task in singles {
                self.place(task)?;
            }
        }
        self.list_open();
        Ok(())
    }

    fn drop_what_does_not_fit(&mut self) {
        for task in self.instance.tasks() {
            if self.placed(task).is_some() {
                continue;
            }
            for (host, time) in self.instance.times(task) {
                if time > self.room(host) {
                    self.forbid(task, host);
                }
            }
        }
    }

    fn place(&mut self, task: TaskId) -> Result<(), Contradiction> {
        let mut hosts = self.instance.times(task).filter(|&(host, _)| self.is_possible(task, host));
        let (host, time) = hosts.next().ok_or(Contradiction)?;
        let room = &mut self.rooms[host.index()];
        *room = room.checked_sub(time).ok_or(Contradiction)?;
        self.placed[task.index()] = Some(host);
        self.unplaced -= 1;
        Ok(())
    }

    fn list_open(&mut self) {
        for host in self.instance.hosts() {
            let time = |task| match self.placed(task) {
                None if self.is_possible(task, host) => {
                    Some((task, self.instance.time(task, host)?))
                }
                _ => None,
            };
            self.open[host.index()] = self.instance.tasks().filter_map(time).collect();
        }
    }

    /// The only mapping left, if all tasks are placed.
    pub fn mapping(&self) -> Option<Mapping> {
        let hosts: Option<Vec<HostId>> = self.placed.iter().copied().collect();
        Mapping::new(self.instance, hosts?).ok()
    }
}

//! A mapping of most tasks that ends by k, and the tasks it leaves out.

use super::core::Core;
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// The host of each task that is placed, with all loads at most k.
#[derive(Clone)]
pub(super) struct State {
    /// No host ends later.
    pub k: Ticks,
    /// The time still free on each host until k, in ticks.
    pub rooms: Vec<u64>,
    /// The host of each task; `None` if it is left out.
    pub hosts: Vec<Option<usize>>,
    /// The tasks of each host that may move to another.
    pub tasks: Vec<Vec<usize>>,
}

impl State {
    /// All tasks are left out. `None` if a host is not ready by k.
    pub fn empty(instance: &Instance, k: Ticks) -> Option<Self> {
        let rooms: Option<Vec<u64>> =
            instance.hosts().map(|host| instance.capacity(host, k).map(|room| room.0)).collect();
        let (n, m) = (instance.task_count(), instance.host_count());
        Some(Self { k, rooms: rooms?, hosts: vec![None; n], tasks: vec![Vec::new(); m] })
    }

    /// Places the tasks that may not move from their host, where there is room.
    pub fn with_fixed(mut self, core: &Core) -> Self {
        for (task, places) in core.places.iter().enumerate() {
            if let [place] = places[..]
                && !core.is_free(task, place.host)
                && place.time <= self.rooms[place.host]
            {
                self.put(core, task, place.host, place.time);
            }
        }
        self
    }

    /// The mapping without some tasks of each host that ends after k. `None` if a host is not ready
    /// by k.
    pub fn of(
        (instance, core): (&Instance, &Core),
        mapping: &Mapping,
        k: Ticks,
        prices: &[f64],
    ) -> Option<Self> {
        let mut state = Self::empty(instance, k)?;
        let mut on = vec![Vec::new(); instance.host_count()];
        for task in instance.tasks() {
            let time = instance.time(task, mapping.host(task))?.0;
            on[mapping.host(task).index()].push((task.index(), time));
        }
        for (host, mut tasks) in on.into_iter().enumerate() {
            let load: u64 = tasks.iter().map(|&(_, time)| time).sum();
            let excess = load.saturating_sub(state.rooms[host]);
            let (mut free, mut fixed): (Vec<_>, Vec<_>) =
                tasks.drain(..).partition(|&(task, _)| core.is_free(task, host));
            let rest = cure(&mut free, excess, prices);
            cure(&mut fixed, rest, prices);
            let kept = free.into_iter().chain(fixed);
            kept.for_each(|(task, time)| state.put(core, task, host, time));
        }
        Some(state)
    }

    /// Places a task left out on a host that has room for its time.
    pub fn put(&mut self, core: &Core, task: usize, host: usize, time: u64) {
        self.rooms[host] -= time;
        self.hosts[task] = Some(host);
        if core.is_free(task, host) {
            self.tasks[host].push(task);
        }
    }

    /// The tasks left out, in ascending order.
    pub fn left_out(&self) -> Vec<usize> {
        (0..self.hosts.len()).filter(|&task| self.hosts[task].is_none()).collect()
    }

    /// The sum of the prices of the tasks left out.
    pub fn cost(&self, prices: &[f64]) -> f64 {
        let out = self.hosts.iter().zip(prices).filter(|(host, _)| host.is_none());
        out.map(|(_, price)| price).sum()
    }

    /// Removes all tasks that may move from a host; they are left out.
    pub fn clear(&mut self, instance: &Instance, host: usize) {
        for task in std::mem::take(&mut self.tasks[host]) {
            let time = instance.time(TaskId(task as u32), HostId(host as u32));
            self.rooms[host] += time.map_or(0, |time| time.0);
            self.hosts[task] = None;
        }
    }

    /// Raises k, which gives every host more room. A smaller k changes nothing.
    pub fn raise(&mut self, k: Ticks) {
        let more = k.saturating_sub(self.k);
        self.rooms.iter_mut().for_each(|room| *room += more.0);
        self.k += more;
    }

    /// Places tasks left out where they fit: in order of decreasing price, each on the cheapest
    /// host of its core that has room.
    pub fn insert(&mut self, core: &Core, prices: &[f64]) {
        let mut out = self.left_out();
        out.sort_by(|&a, &b| prices[b].total_cmp(&prices[a]).then(a.cmp(&b)));
        for task in out {
            let mut places = core.places[task].iter();
            if let Some(place) = places.find(|place| place.time <= self.rooms[place.host]) {
                self.put(core, task, place.host, place.time);
            }
        }
    }

    /// The mapping, if no task is left out.
    pub fn mapping(&self, instance: &Instance) -> Option<Mapping> {
        let host = |host: &Option<usize>| host.map(|host| HostId(host as u32));
        let hosts: Option<Vec<HostId>> = self.hosts.iter().map(host).collect();
        Mapping::new(instance, hosts?).ok()
    }
}

/// Drops tasks until their times add up to at least `excess` ticks: the task of least price that
/// suffices alone, or the longest first if none does. Tasks are (task, time). Returns what is left
/// of the excess when all tasks are dropped.
fn cure(tasks: &mut Vec<(usize, u64)>, mut excess: u64, prices: &[f64]) -> u64 {
    while excess > 0 {
        let enough = (0..tasks.len()).filter(|&i| tasks[i].1 >= excess);
        let cheapest = enough.min_by(|&a, &b| prices[tasks[a].0].total_cmp(&prices[tasks[b].0]));
        let longest = || (0..tasks.len()).max_by_key(|&i| tasks[i].1);
        let Some(index) = cheapest.or_else(longest) else { return excess };
        excess = excess.saturating_sub(tasks.swap_remove(index).1);
    }
    0
}

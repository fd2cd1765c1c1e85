//! A mapping that can be changed, with its makespan always known.
//!
//! Hosts are kept in descending order of load. So the makespan is the first load, and the largest
//! load of the hosts that a step does not change is among the first few: a step of one move changes
//! two hosts and reads at most three, a step of two moves changes four and reads at most five.
//!
//! | operation | cost |
//! |---|---|
//! | makespan, makespan after a move, a swap or two moves | O(1) |
//! | apply a move | O(m) in the worst case: a host passes those between its old and its new place |
//! | exchange tails with another state | O(n + m log m) |
//!
//! A heap of loads would apply a move in O(log m), but could not compute the makespan after a move
//! without applying it.

use std::cmp::Reverse;

use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// A mapping under search. Uses possible pairs only.
#[derive(Clone, Debug)]
pub struct State<'a> {
    instance: &'a Instance,
    hosts: Vec<HostId>,
    loads: Vec<Ticks>,
    /// All hosts, most loaded first.
    order: Vec<HostId>,
    /// The position of each host in `order`.
    place: Vec<usize>,
}

/// The hosts a step changes, with their loads after it.
type Touched = [(HostId, Ticks)];

impl<'a> State<'a> {
    /// Starts from a mapping of this instance.
    ///
    /// # Panics
    ///
    /// Later calls panic if the mapping belongs to another instance.
    pub fn new(instance: &'a Instance, mapping: &Mapping) -> Self {
        let mut state = Self {
            instance,
            hosts: mapping.hosts().to_vec(),
            loads: mapping.loads().to_vec(),
            order: instance.hosts().collect(),
            place: vec![0; instance.host_count()],
        };
        state.sort();
        state
    }

    /// The instance that is mapped.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The host of the task.
    #[inline]
    pub fn host(&self, task: TaskId) -> HostId {
        self.hosts[task.index()]
    }

    /// The host of each task.
    pub fn hosts(&self) -> &[HostId] {
        &self.hosts
    }

    /// The completion time of the host.
    #[inline]
    pub fn load(&self, host: HostId) -> Ticks {
        self.loads[host.index()]
    }

    /// A host with the largest load.
    #[inline]
    pub fn most_loaded(&self) -> HostId {
        self.order[0]
    }

    /// The completion time of the last host.
    #[inline]
    pub fn makespan(&self) -> Ticks {
        self.load(self.most_loaded())
    }

    /// The makespan if the task moved to this host; `None` if it cannot run there.
    #[inline]
    pub fn after_move(&self, task: TaskId, to: HostId) -> Option<Ticks> {
        let from = self.host(task);
        let time = self.instance.time(task, to)?;
        if to == from {
            return Some(self.makespan());
        }
        let here = self.load(from) - self.time(task);
        Some(self.largest(&[(from, here), (to, self.load(to) + time)]))
    }

    /// The makespan if two tasks exchanged hosts; `None` if either cannot run on the other's host.
    #[inline]
    pub fn after_swap(&self, one: TaskId, other: TaskId) -> Option<Ticks> {
        let (here, there) = (self.host(one), self.host(other));
        let (time_there, time_here) =
            (self.instance.time(one, there)?, self.instance.time(other, here)?);
        if here == there {
            return Some(self.makespan());
        }
        let load_here = self.load(here) - self.time(one) + time_here;
        let load_there = self.load(there) - self.time(other) + time_there;
        Some(self.largest(&[(here, load_here), (there, load_there)]))
    }

    /// The makespan if two different tasks moved to these hosts; `None` if either cannot run there.
    ///
    /// # Panics
    ///
    /// May panic if the tasks are the same.
    #[inline]
    pub fn after_two(&self, one: (TaskId, HostId), other: (TaskId, HostId)) -> Option<Ticks> {
        let (one_time, other_time) =
            (self.instance.time(one.0, one.1)?, self.instance.time(other.0, other.1)?);
        let [a, b] = [self.host(one.0), self.host(other.0)];
        // A host that occurs twice gets all its changes in each of its entries.
        let mut touched = [a, b, one.1, other.1].map(|host| (host, self.load(host)));
        for (host, load) in &mut touched {
            *load -= if *host == a { self.time(one.0) } else { Ticks(0) };
            *load -= if *host == b { self.time(other.0) } else { Ticks(0) };
            *load += if *host == one.1 { one_time } else { Ticks(0) };
            *load += if *host == other.1 { other_time } else { Ticks(0) };
        }
        Some(self.largest(&touched))
    }

    /// Moves the task to this host.
    ///
    /// # Panics
    ///
    /// If it cannot run there.
    pub fn take(&mut self, task: TaskId, to: HostId) {
        let from = self.host(task);
        self.put(task, to);
        self.sink(from);
        self.rise(to);
    }

    /// Exchanges the hosts of all tasks from `first` on with those of another state.
    pub fn exchange_tail(&mut self, other: &mut Self, first: TaskId) {
        for task in self.instance.tasks().skip(first.index()) {
            let (mine, others) = (self.host(task), other.host(task));
            if mine != others {
                self.put(task, others);
                other.put(task, mine);
            }
        }
        self.sort();
        other.sort();
    }

    /// The state as a mapping, with loads computed again from the instance.
    pub fn to_mapping(&self) -> Mapping {
        Mapping::new(self.instance, self.hosts.clone()).expect("states use possible pairs only")
    }

    /// The task's time on its current host.
    #[inline]
    fn time(&self, task: TaskId) -> Ticks {
        let time = self.instance.time(task, self.host(task));
        time.expect("states use possible pairs only")
    }

    /// The makespan once the touched hosts have their new loads.
    #[inline]
    fn largest(&self, touched: &Touched) -> Ticks {
        let is_left_alone = |host: &&HostId| touched.iter().all(|(other, _)| other != *host);
        let rest =
            self.order.iter().find(is_left_alone).map_or(Ticks::ZERO, |&host| self.load(host));
        touched.iter().fold(rest, |largest, &(_, load)| largest.max(load))
    }

    /// Changes the task's host and the loads; the caller must restore the order.
    fn put(&mut self, task: TaskId, to: HostId) {
        let time = self.instance.time(task, to).expect("searches choose among the possible hosts");
        let (from, old) = (self.host(task), self.time(task));
        self.loads[from.index()] -= old;
        self.loads[to.index()] += time;
        self.hosts[task.index()] = to;
    }

    fn sort(&mut self) {
        let loads = &self.loads;
        self.order.sort_unstable_by_key(|&host| (Reverse(loads[host.index()]), host));
        for (place, host) in self.order.iter().enumerate() {
            self.place[host.index()] = place;
        }
    }

    /// Restores the order after the host's load has fallen.
    fn sink(&mut self, host: HostId) {
        let mut place = self.place[host.index()];
        while self.order.get(place + 1).is_some_and(|&next| self.load(next) > self.load(host)) {
            self.trade_places(place);
            place += 1;
        }
    }

    /// Restores the order after the host's load has grown.
    fn rise(&mut self, host: HostId) {
        let mut place = self.place[host.index()];
        while place > 0 && self.load(self.order[place - 1]) < self.load(host) {
            place -= 1;
            self.trade_places(place);
        }
    }

    /// Exchanges the hosts at this position and the next.
    fn trade_places(&mut self, place: usize) {
        self.order.swap(place, place + 1);
        self.place[self.order[place].index()] = place;
        self.place[self.order[place + 1].index()] = place + 1;
    }
}

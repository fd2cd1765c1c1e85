//! Min-Min, QoS-guided Min-Min and Max-Min on jobs that are kept sorted between decisions.
//!
//! Makes the same decisions as [`MinMin`], [`Qgmm`] and [`MaxMin`] on an instance of all waiting
//! jobs. Under a time limit a long queue is examined again and again although little of it is sent;
//! building an instance with a sorted column per host each time took nearly all the time of a
//! simulation.
//!
//! For each host Min-Min needs only the first remaining job by time there, then by place in the
//! queue. Jobs that need only instructions have the same order on all hosts: the time of a size on
//! a host is the size times a constant, rounded, which may make times of different sizes equal but
//! never reverses them ([`View::time_of_size`]). So there is one list per QoS level, sorted by
//! size, then by place, and
//!
//! - the first job of a list has the shortest time on every host that serves the level;
//! - jobs with the same time there follow it immediately, and among those of one size the first has
//!   the first place. So the first job of each size is examined as long as the time stays the same.
//!
//! Max-Min needs the job whose earliest completion is latest. A larger job of the same level is
//! never completed earlier, so this is the last of its list, or one before it with the same
//! completion.
//!
//! As for [`MinMin`], it does not matter how completions follow from times. Places are compared by
//! job numbers, which are in order of arrival. If jobs arrived in another order, sent by another
//! scheduler, or need anything else, the heuristic itself decides.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};
use std::slice::from_mut;

use super::by_heuristic::is_late;
use super::plain_jobs::{Follower, Order, PlainJob};
use super::{Assignment, ByHeuristic, Mapper, MapperError, View};
use gridsat_engine::Table;
use gridsat_heuristics::{Heuristic, HostState, MaxMin, MinMin, Qgmm};
use gridsat_model::{HostId, Ticks};

/// Min-Min, QoS-guided Min-Min or Max-Min.
pub struct Sorted {
    heuristic: &'static dyn Heuristic,
    rule: Rule,
    lists: Lists,
    follower: Follower,
}

/// Which job is assigned next.
#[derive(Clone, Copy)]
enum Rule {
    Shortest,
    /// The jobs of each level are assigned before those of the next.
    ShortestOfLevel,
    Longest,
}

impl Sorted {
    /// Decides as [`MinMin`].
    pub fn min_min() -> Self {
        Self::new(&MinMin, Rule::Shortest)
    }

    /// Decides as [`Qgmm`].
    pub fn qgmm() -> Self {
        Self::new(&Qgmm, Rule::ShortestOfLevel)
    }

    /// Decides as [`MaxMin`].
    pub fn max_min() -> Self {
        Self::new(&MaxMin, Rule::Longest)
    }

    fn new(heuristic: &'static dyn Heuristic, rule: Rule) -> Self {
        Self { heuristic, rule, lists: Lists::default(), follower: Follower::new() }
    }
}

impl Mapper for Sorted {
    fn name(&self) -> String {
        self.heuristic.name().to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let states: Table<HostId, _> = view.hosts().map(|host| view.state(host)).collect();
        if is_late(states.iter(), view.until()) {
            return Ok(Vec::new());
        }
        if !self.follower.follow(view, &mut self.lists) {
            return ByHeuristic(self.heuristic).decide(view);
        }
        let mut decision = Decision { view, states, made: Vec::new() };
        let lists = &mut self.lists.0;
        match self.rule {
            Rule::Shortest => decision.assign(lists),
            Rule::ShortestOfLevel => {
                lists.iter_mut().for_each(|list| decision.assign(from_mut(list)));
            }
            Rule::Longest => decision.assign_longest(lists),
        }
        self.follower.send(decision.made.len());
        Ok(decision.made)
    }
}

/// Jobs by level, highest level first.
#[derive(Default)]
struct Lists(Vec<List>);

impl Order for Lists {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn add(&mut self, _: &View<'_>, PlainJob { size, qos, number }: PlainJob) {
        let place = self.0.binary_search_by(|list| qos.cmp(&list.qos));
        let place = place.unwrap_or_else(|place| {
            self.0.insert(place, List { qos, jobs: BTreeSet::new() });
            place
        });
        self.0[place].jobs.insert(SizedJob { size, number });
    }
}

/// Jobs of one level.
struct List {
    qos: u32,
    jobs: BTreeSet<SizedJob>,
}

/// A job in a list, ordered by size, then number.
#[derive(Clone, Copy)]
struct SizedJob {
    /// Estimated number of instructions.
    size: f64,
    number: u64,
}

impl Ord for SizedJob {
    fn cmp(&self, other: &Self) -> Ordering {
        self.size.total_cmp(&other.size).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for SizedJob {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SizedJob {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SizedJob {}

/// The first jobs of a list.
#[derive(Clone, Copy)]
struct Head {
    first: SizedJob,
    /// The first job of the next size.
    next: Option<SizedJob>,
}

impl List {
    fn head(&self) -> Option<Head> {
        let first = *self.jobs.first()?;
        Some(Head { first, next: self.after(first) })
    }

    /// The first job of the next size.
    fn after(&self, job: SizedJob) -> Option<SizedJob> {
        let last = SizedJob { number: u64::MAX, ..job };
        self.jobs.range((Excluded(last), Unbounded)).next().copied()
    }

    /// The job with the shortest time, and among these the one with the lowest number.
    #[inline]
    fn first(&self, head: Head, time: impl Fn(f64) -> Option<Ticks>) -> Option<(Ticks, SizedJob)> {
        let (mut first, mut next) = (head.first, head.next);
        let shortest = time(first.size)?;
        while let Some(job) = next.filter(|job| time(job.size) == Some(shortest)) {
            if job.number < first.number {
                first = job;
            }
            next = self.after(job);
        }
        Some((shortest, first))
    }
}

/// A decision under way.
struct Decision<'a> {
    view: &'a View<'a>,
    states: Table<HostId, HostState>,
    made: Vec<Assignment>,
}

/// The job that a host can complete first.
#[derive(Clone, Copy)]
struct Candidate {
    /// Completion time, job number and host: the smallest is chosen.
    key: (Ticks, u64, HostId),
    time: Ticks,
    entry: SizedJob,
    /// Index of its list.
    list: usize,
}

impl Decision<'_> {
    /// Min-Min for the jobs of these lists; the same loop as in `heuristics::MinMin`.
    fn assign(&mut self, lists: &mut [List]) {
        if is_late(self.states.iter(), self.view.until()) {
            return;
        }
        let hosts = self.states.ids();
        let mut heads: Vec<_> = lists.iter().map(List::head).collect();
        let mut offers: Vec<_> = hosts.map(|host| self.offer(lists, &heads, host)).collect();
        while let Some(&best) = offers.iter().flatten().min_by_key(|offer| offer.key) {
            let (_, number, host) = best.key;
            let list = &mut lists[best.list];
            list.jobs.remove(&best.entry);
            heads[best.list] = list.head();
            self.states[host].assign(best.time);
            self.made.push(Assignment { job: self.view.place(number), host });
            if is_late(self.states.iter(), self.view.until()) {
                return;
            }
            for (other, offer) in self.states.ids().zip(&mut offers) {
                if offer.is_some_and(|offer| offer.key.1 == number || other == host) {
                    *offer = self.offer(lists, &heads, other);
                }
            }
        }
    }

    /// Max-Min for the jobs of these lists.
    fn assign_longest(&mut self, lists: &mut [List]) {
        while !is_late(self.states.iter(), self.view.until()) {
            let latest = lists.iter().enumerate().filter_map(|(index, list)| {
                let (completion, host, entry) = self.latest(list)?;
                Some((completion, Reverse(entry.number), host, entry, index))
            });
            let latest = latest.max_by_key(|&(completion, number, ..)| (completion, number));
            let Some((.., host, entry, index)) = latest else { return };
            let time = self.view.time_of_size(lists[index].qos, entry.size, host);
            self.states[host].assign(time.expect("the host completes it"));
            lists[index].jobs.remove(&entry);
            self.made.push(Assignment { job: self.view.place(entry.number), host });
        }
    }

    /// The job of a list whose earliest completion is latest, of several the lowest number; `None`
    /// if no host completes any of them.
    fn latest(&self, list: &List) -> Option<(Ticks, HostId, SizedJob)> {
        let mut found: Option<(Ticks, HostId, SizedJob)> = None;
        let mut last = list.jobs.last().copied();
        while let Some(job) = last {
            let size = SizedJob { number: 0, ..job };
            let first = *list.jobs.range(size..).next().expect("a job of this size");
            let earliest = self.earliest(list.qos, job.size);
            match (earliest, found) {
                (Some((completion, _)), Some((latest, ..))) if completion < latest => break,
                (Some((completion, host)), _) => {
                    let is_first = found.is_none_or(|(.., other)| first.number < other.number);
                    found = if is_first { Some((completion, host, first)) } else { found };
                }
                (None, _) => {}
            }
            last = list.jobs.range(..size).next_back().copied();
        }
        found
    }

    /// The earliest completion of a job, and the first host with it.
    fn earliest(&self, qos: u32, size: f64) -> Option<(Ticks, HostId)> {
        let completion = |host| {
            let time = self.view.time_of_size(qos, size, host)?;
            Some((self.states[host].completion(time), host))
        };
        let all = self.states.ids().filter_map(completion);
        all.min().filter(|&(completion, _)| completion < Ticks::MAX)
    }

    /// `None` if the host cannot complete any of the jobs.
    fn offer(&self, lists: &[List], heads: &[Option<Head>], host: HostId) -> Option<Candidate> {
        let first = |(index, (list, head)): (usize, (&List, &Option<Head>))| {
            let time = |size| self.view.time_of_size(list.qos, size, host);
            let (time, entry) = list.first((*head)?, time)?;
            Some((time, entry, index))
        };
        let all = lists.iter().zip(heads).enumerate().filter_map(first);
        let (time, entry, list) = all.min_by_key(|(time, entry, _)| (*time, entry.number))?;
        let completion = self.states[host].completion(time);
        let key = (completion, entry.number, host);
        (completion != Ticks::MAX).then_some(Candidate { key, time, entry, list })
    }
}

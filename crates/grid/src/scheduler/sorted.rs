//! Min-Min and QoS-guided Min-Min on jobs that are kept sorted between decisions.
//!
//! Makes the same decisions as [`MinMin`] and [`Qgmm`] on an instance of all waiting jobs. Under a
//! time limit a long queue is examined again and again although little of it is sent; building an
//! instance with a sorted column per host each time took nearly all the time of a simulation.
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
//! As for [`MinMin`], it does not matter how completions follow from times. Places are compared by
//! job numbers, which are in order of arrival. If jobs arrived in another order, sent by another
//! scheduler, or need anything else, the heuristic itself decides.

use std::collections::VecDeque;
use std::slice::from_mut;

use super::by_heuristic::is_late;
use super::{Assignment, ByHeuristic, JobIndex, Mapper, MapperError, View};
use gridsat_engine::Table;
use gridsat_heuristics::{Heuristic, HostState, MinMin, Qgmm};
use gridsat_model::{HostId, Ticks};
use gridsat_workload::Demand;

/// Min-Min or QoS-guided Min-Min.
pub struct Sorted {
    heuristic: &'static dyn Heuristic,
    /// Whether the jobs of each level are assigned before those of the next.
    is_by_level: bool,
    /// Highest level first.
    lists: Vec<List>,
    /// Number of waiting jobs that are in the lists: the first ones.
    known: usize,
    /// Number of the last of them.
    last: Option<u64>,
    /// [`super::waiting::Waiting::upsets`] when the lists were last updated.
    upsets: u64,
    /// Whether all jobs so far were in order and needed only instructions.
    is_plain: bool,
}

impl Sorted {
    /// Decides as [`MinMin`].
    pub fn min_min() -> Self {
        Self::new(&MinMin, false)
    }

    /// Decides as [`Qgmm`].
    pub fn qgmm() -> Self {
        Self::new(&Qgmm, true)
    }

    fn new(heuristic: &'static dyn Heuristic, is_by_level: bool) -> Self {
        let (lists, known, last, upsets) = (Vec::new(), 0, None, 0);
        Self { heuristic, is_by_level, lists, known, last, upsets, is_plain: true }
    }

    /// Updates the lists.
    fn keep_up(&mut self, view: &View<'_>) {
        if self.upsets != view.upsets() {
            (self.known, self.last, self.upsets) = (0, None, view.upsets());
            self.lists.clear();
        }
        if self.known == view.job_count() {
            return;
        }
        for job in view.jobs().skip(self.known) {
            self.add(view, job);
        }
        self.known = view.job_count();
        self.lists.iter_mut().for_each(List::sort);
    }

    fn add(&mut self, view: &View<'_>, job: JobIndex) {
        let (number, spec) = (view.job(job).number, &view.job(job).spec);
        let (&Demand::Instructions(size), None) = (&spec.demand, spec.data) else {
            self.is_plain = false;
            return;
        };
        self.is_plain &= self.last.is_none_or(|last| last < number);
        self.last = Some(number);
        let place = self.lists.binary_search_by(|list| spec.qos.cmp(&list.qos));
        let place = place.unwrap_or_else(|place| {
            self.lists.insert(place, List { qos: spec.qos, jobs: VecDeque::new() });
            place
        });
        self.lists[place].jobs.push_back(SizedJob { size: size * spec.estimate, number });
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
        if self.is_plain {
            self.keep_up(view);
        }
        if !self.is_plain {
            return ByHeuristic(self.heuristic).decide(view);
        }
        let mut decision = Decision { view, states, made: Vec::new() };
        match self.is_by_level {
            false => decision.assign(&mut self.lists),
            true => self.lists.iter_mut().for_each(|list| decision.assign(from_mut(list))),
        }
        self.known -= decision.made.len();
        Ok(decision.made)
    }
}

/// Jobs of one level.
struct List {
    qos: u32,
    /// By size, then number.
    jobs: VecDeque<SizedJob>,
}

/// A job in a list.
#[derive(Clone, Copy)]
struct SizedJob {
    /// Estimated number of instructions.
    size: f64,
    number: u64,
}

impl List {
    fn sort(&mut self) {
        // This sort is efficient for data that are sorted except at the end.
        self.jobs.make_contiguous().sort_by(|one, other| {
            one.size.total_cmp(&other.size).then(one.number.cmp(&other.number))
        });
    }

    /// The job with the shortest time, and among these the one with the lowest number.
    fn first(&self, time: impl Fn(f64) -> Option<Ticks>) -> Option<(Ticks, SizedJob)> {
        let mut first = *self.jobs.front()?;
        let shortest = time(first.size)?;
        let mut place = self.end_of(0);
        while let Some(&entry) = self.jobs.get(place).filter(|e| time(e.size) == Some(shortest)) {
            if entry.number < first.number {
                first = entry;
            }
            place = self.end_of(place);
        }
        Some((shortest, first))
    }

    /// The index after the jobs of the same size.
    #[inline]
    fn end_of(&self, place: usize) -> usize {
        let size = self.jobs[place].size;
        match self.jobs.get(place + 1) {
            Some(next) if next.size == size => self.jobs.partition_point(|e| e.size <= size),
            _ => place + 1,
        }
    }

    fn remove(&mut self, entry: SizedJob) {
        let is_before =
            |e: &SizedJob| e.size < entry.size || (e.size == entry.size && e.number < entry.number);
        self.jobs.remove(self.jobs.partition_point(is_before));
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
        let mut offers: Vec<_> = hosts.map(|host| self.offer(lists, host)).collect();
        while let Some(&best) = offers.iter().flatten().min_by_key(|offer| offer.key) {
            let (_, number, host) = best.key;
            lists[best.list].remove(best.entry);
            self.states[host].assign(best.time);
            self.made.push(Assignment { job: self.view.place(number), host });
            if is_late(self.states.iter(), self.view.until()) {
                return;
            }
            for (other, offer) in self.states.ids().zip(&mut offers) {
                if offer.is_some_and(|offer| offer.key.1 == number || other == host) {
                    *offer = self.offer(lists, other);
                }
            }
        }
    }

    /// `None` if the host cannot complete any of the jobs.
    fn offer(&self, lists: &[List], host: HostId) -> Option<Candidate> {
        let first = |(index, list): (usize, &List)| {
            let (time, entry) = list.first(|size| self.view.time_of_size(list.qos, size, host))?;
            Some((time, entry, index))
        };
        let all = lists.iter().enumerate().filter_map(first);
        let (time, entry, list) = all.min_by_key(|(time, entry, _)| (*time, entry.number))?;
        let completion = self.states[host].completion(time);
        let key = (completion, entry.number, host);
        (completion != Ticks::MAX).then_some(Candidate { key, time, entry, list })
    }
}

//! The hosts that would complete a task first, updated cheaply while loads grow.
//!
//! The textbook loop of Sufferage evaluates every pair again after every pass. If completions only
//! grow, a completion computed once stays a lower bound. A task therefore remembers a few hosts and
//! `rest`, a lower bound on its completion on all others: as long as the two best of the few stay
//! strictly below `rest` they are the two best, ties included, and no other host need be evaluated.
//! If completions may also shrink, all hosts are evaluated.
//!
//! The second best is the best host of another site; for Sufferage each host is a site.

use super::{Partial, partial::Completion};
use gridsat_model::{HostId, TaskId, Ticks};

/// Number of hosts a task remembers. At 10,000 tasks on 100 consistent hosts, two make Sufferage
/// twice as slow; at 512 tasks on 16 hosts the number hardly matters.
const LENGTH: usize = 8;

/// Later than any possible completion.
const NOWHERE: Completion = (Ticks::MAX, HostId(u32::MAX));

/// The hosts that would complete a task first, as of the last [`Shortlist::refresh`].
pub(super) struct Shortlist {
    pub(super) task: TaskId,
    pub(super) best: Completion,
    second: Completion,
    /// Hosts with the task's time there.
    hosts: [(HostId, Ticks); LENGTH],
    /// Number of remembered hosts.
    length: usize,
    rest: Ticks,
}

impl Shortlist {
    fn new(partial: &Partial, sites: &[u32], task: TaskId) -> Self {
        let hosts = [(HostId(0), Ticks::ZERO); LENGTH];
        let mut list =
            Self { task, best: NOWHERE, second: NOWHERE, hosts, length: 0, rest: Ticks::MAX };
        list.rebuild(partial, sites);
        list
    }

    /// The shortlists of all tasks, in task order.
    pub(super) fn of_all_tasks(partial: &Partial, sites: &[u32]) -> Vec<Self> {
        partial.instance().tasks().map(|task| Self::new(partial, sites, task)).collect()
    }

    /// Whether any host completes the task.
    pub(super) fn is_somewhere(&self) -> bool {
        self.best != NOWHERE
    }

    /// How much later the task ends if it does not get its best site; the largest possible value if
    /// it has no other site.
    pub(super) fn sufferage(&self) -> Ticks {
        match self.second.0 {
            Ticks::MAX => Ticks::MAX,
            second => second - self.best.0,
        }
    }

    /// Whether one more task on this host, and on no other, leaves the two best hosts unchanged.
    pub(super) fn ignores(&self, host: HostId, partial: &Partial) -> bool {
        partial.is_monotone() && self.best.1 != host && self.second.1 != host
    }

    /// Updates `best` to the current states of the hosts, but not the second best.
    pub(super) fn refresh_best(&mut self, partial: &Partial, sites: &[u32]) {
        self.rank(partial, sites);
        if self.best.0 >= self.rest || !partial.is_monotone() {
            self.rebuild(partial, sites);
        }
    }

    /// Updates the list to the current states of the hosts.
    pub(super) fn refresh(&mut self, partial: &Partial, sites: &[u32]) {
        self.rank(partial, sites);
        if self.second.0 >= self.rest || !partial.is_monotone() {
            self.rebuild(partial, sites);
        }
    }

    /// Chooses the remembered hosts again from all hosts.
    fn rebuild(&mut self, partial: &Partial, sites: &[u32]) {
        // One more than is remembered: the rest.
        let mut few = [NOWHERE; LENGTH + 1];
        partial.each_completion(self.task, |new| {
            // Hosts come in order, so of equal completions the first stays in front.
            if new.0 < few[LENGTH].0 {
                insert(&mut few, new);
            }
        });
        self.rest = few[LENGTH].0;
        self.remember(partial, &few[..LENGTH]);
        self.rank(partial, sites);
        // The remembered hosts may all be on one site.
        if self.second.0 > self.rest {
            self.second = two_best(partial.completions(self.task), sites).1;
        }
    }

    fn remember(&mut self, partial: &Partial, few: &[Completion]) {
        let time = |host| partial.instance().time(self.task, host);
        let few = few.iter().filter(|&&place| place != NOWHERE);
        self.length = 0;
        for (place, &(_, host)) in self.hosts.iter_mut().zip(few) {
            *place = (host, time(host).expect("shortlisted hosts can run the task"));
            self.length += 1;
        }
    }

    /// Finds the two best of the remembered hosts.
    fn rank(&mut self, partial: &Partial, sites: &[u32]) {
        let hosts = self.hosts[..self.length].iter();
        let ends = hosts.map(|&(host, time)| (partial.completion(host, time), host));
        (self.best, self.second) = two_best(ends, sites);
    }
}

/// The earliest completion, and the earliest on any other site.
fn two_best(ends: impl Iterator<Item = Completion>, sites: &[u32]) -> (Completion, Completion) {
    let site = |place: Completion| sites.get(place.1.index());
    let (mut best, mut second) = (NOWHERE, NOWHERE);
    for new in ends {
        if new >= second || new.0 == Ticks::MAX {
            continue;
        }
        let is_elsewhere = site(new) != site(best);
        if new < best {
            second = if is_elsewhere { best } else { second };
            best = new;
        } else if is_elsewhere {
            second = new;
        }
    }
    (best, second)
}

/// Inserts `new` in order and drops the last. Not inlined, so that the loop around it, which
/// seldom comes here, stays small.
#[inline(never)]
fn insert(few: &mut [Completion; LENGTH + 1], new: Completion) {
    let mut place = LENGTH;
    while place > 0 && new.0 < few[place - 1].0 {
        few[place] = few[place - 1];
        place -= 1;
    }
    few[place] = new;
}

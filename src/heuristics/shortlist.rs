//! The hosts that would finish a task first, kept up to date cheaply while loads grow.
//!
//! The textbook loops of Min-Min, Max-Min and Sufferage look at every pair again after every
//! assignment: O(n²·m). Loads only grow, so completion times only grow, and a completion time seen
//! once is a lower bound for ever. A task therefore remembers a few hosts and `rest`, a lower bound
//! on its completion on all others: as long as two of the few stay strictly below `rest` they are
//! the two best, ties included, and no other host need be looked at.

use super::partial::Partial;
use crate::model::{HostId, Instance, TaskId, Ticks};

/// A host and the task's completion time there. Ordered by time, then host.
pub(super) type Completion = (Ticks, HostId);

/// How many hosts a task remembers. At 10,000 tasks on 100 consistent hosts two make all three
/// heuristics twice as slow; at 512 tasks on 16 hosts the number hardly matters.
const LENGTH: usize = 8;

/// The hosts a task would finish on first, as of the last [`Shortlist::refresh`].
pub(super) struct Shortlist {
    pub(super) task: TaskId,
    pub(super) best: Completion,
    /// `Ticks::MAX` if the task can run on one host only.
    second: Ticks,
    /// Hosts with the task's time there; `None` after the last.
    hosts: [Option<(HostId, Ticks)>; LENGTH],
    rest: Ticks,
}

impl Shortlist {
    pub(super) fn new(partial: &Partial, task: TaskId) -> Self {
        let mut list = Self {
            task,
            best: NOWHERE,
            second: Ticks::MAX,
            hosts: [None; LENGTH],
            rest: Ticks::MAX,
        };
        list.rebuild(partial);
        list
    }

    /// All tasks' shortlists, in task order.
    pub(super) fn of_all_tasks(partial: &Partial) -> Vec<Self> {
        let tasks = partial.instance().tasks();
        tasks.map(|task| Self::new(partial, task)).collect()
    }

    /// Catches up with the loads of `partial`, which may only have grown.
    pub(super) fn refresh(&mut self, partial: &Partial) {
        self.rank(partial);
        if self.second >= self.rest {
            self.rebuild(partial);
        }
    }

    /// How much later the task ends if it does not get its best host; the largest value there is
    /// if it has no other.
    pub(super) fn sufferage(&self) -> Ticks {
        match self.second {
            Ticks::MAX => Ticks::MAX,
            second => second - self.best.0,
        }
    }

    /// Chooses the hosts anew from all.
    fn rebuild(&mut self, partial: &Partial) {
        let mut few = [NOWHERE; LENGTH];
        self.rest = Ticks::MAX;
        for (host, time) in partial.instance().times(self.task) {
            let new = (partial.load(host) + time, host);
            let last = few[LENGTH - 1];
            self.rest = self.rest.min(new.max(last).0);
            if new < last {
                insert(&mut few, new);
            }
        }
        self.hosts = few.map(|place| remember(partial.instance(), self.task, place));
        (self.best, self.second) = (few[0], few[1].0);
    }

    /// Finds the two best of the remembered hosts.
    fn rank(&mut self, partial: &Partial) {
        let (mut best, mut second) = (NOWHERE, NOWHERE);
        for &(host, time) in self.hosts.iter().flatten() {
            let new = (partial.load(host) + time, host);
            if new < best {
                (best, second) = (new, best);
            } else {
                second = second.min(new);
            }
        }
        (self.best, self.second) = (best, second.0);
    }
}

/// Later than any completion there is.
const NOWHERE: Completion = (Ticks::MAX, HostId(u32::MAX));

fn remember(instance: &Instance, task: TaskId, place: Completion) -> Option<(HostId, Ticks)> {
    (place != NOWHERE).then(|| {
        let time = instance.time(task, place.1);
        (place.1, time.expect("shortlisted hosts can run the task"))
    })
}

/// Puts `new` in its place and drops the last.
fn insert(few: &mut [Completion; LENGTH], new: Completion) {
    few[LENGTH - 1] = new;
    let mut place = LENGTH - 1;
    while place > 0 && few[place] < few[place - 1] {
        few.swap(place, place - 1);
        place -= 1;
    }
}

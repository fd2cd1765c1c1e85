//! Min-Min: the job and the host with the least completion of all, again and again.
//!
//! If all hosts are queues, and not too many, their completions are scanned. Otherwise:
//!
//! Each host offers its first job. What it offers is completed no earlier than what it offered
//! before: other jobs only leave the lists, and its own state changes only when it gets a job. So
//! hosts are in a heap by a completion that was right once. Only the first host is looked at; if
//! its offer is later by now it moves down. After a job was sent, the offers of most hosts are
//! wrong, but few of them are ever looked at.
//!
//! Many hosts are in the heap by blocks of similar pace, each with a lower bound for the smallest
//! job. A block is replaced by its hosts when it comes first, so those that are slow or busy are
//! never looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::decision::Decision;
use super::lists::{Head, List};
use super::scanned::Scanned;
use super::sized::SizedJob;
use gridsat_model::{HostId, Ticks};

/// The job that a host can complete first.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    /// Completion time, job number and host: the smallest is chosen.
    pub key: (Ticks, u64, HostId),
    pub time: Ticks,
    pub entry: SizedJob,
    /// Index of its list.
    pub list: usize,
}

impl Offer {
    /// What the host offers for the jobs of a list; `None` if it cannot complete any of them.
    pub fn of(
        (index, list): (usize, &List),
        head: Head,
        decision: &Decision<'_>,
        host: HostId,
    ) -> Option<Self> {
        let time = |size| decision.view.time_of_size(list.qos, size, host);
        let (time, entry) = list.first(head, time)?;
        let completion = decision.completion(host, time);
        let key = (completion, entry.number, host);
        (completion != Ticks::MAX).then_some(Self { key, time, entry, list: index })
    }
}

/// A host or a block by a completion that is not after those of its offers. Blocks come before
/// hosts of the same completion.
type Place = Reverse<(Ticks, Of)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Block(u32),
    Host(HostId),
}

/// What decisions reuse to save allocations.
#[derive(Default)]
pub(super) struct Shortest {
    scanned: Scanned,
    heads: Vec<Option<Head>>,
    hosts: BinaryHeap<Place>,
}

impl Shortest {
    /// Assigns the jobs of these lists.
    pub fn assign(&mut self, decision: &mut Decision<'_>, lists: &mut [List]) {
        if decision.is_late() || self.scanned.assign(decision, lists) {
            return;
        }
        self.heads.clear();
        self.heads.extend(lists.iter().map(List::head));
        let mut places = std::mem::take(&mut self.hosts).into_vec();
        places.clear();
        match decision.view.blocks().zip(self.smallest()) {
            Some((blocks, size)) => {
                let bounds = (0..).zip(blocks.bounds(decision.view.now(), size));
                places.extend(bounds.map(|(block, bound)| Reverse((bound, Of::Block(block)))));
            }
            None => {
                let all = decision.view.hosts();
                places.extend(all.filter_map(|host| self.place(decision, lists, host)));
            }
        }
        self.hosts = places.into();
        while let Some(best) = self.take_best(decision, lists) {
            let (_, number, host) = best.key;
            let list = &mut lists[best.list];
            list.jobs.remove(&best.entry);
            self.heads[best.list] = list.head();
            decision.send(number, host, best.time);
            if decision.is_late() {
                return;
            }
            if let Some(place) = self.place(decision, lists, host) {
                self.hosts.push(place);
            }
        }
    }

    /// The smallest size of a job.
    fn smallest(&self) -> Option<f64> {
        let sizes = self.heads.iter().flatten().map(|head| head.first.size);
        sizes.min_by(f64::total_cmp)
    }

    /// Replaces the block that comes first by its hosts.
    fn open(&mut self, block: u32, decision: &Decision<'_>, lists: &[List]) {
        self.hosts.pop();
        let blocks = decision.view.blocks().expect("they were there before");
        for id in blocks.members(block) {
            let place = self.place(decision, lists, HostId(id.0));
            self.hosts.extend(place);
        }
    }

    /// The best offer; its host is removed.
    fn take_best(&mut self, decision: &Decision<'_>, lists: &[List]) -> Option<Offer> {
        let first = loop {
            let &Reverse((completion, of)) = self.hosts.peek()?;
            let host = match of {
                Of::Host(host) => host,
                Of::Block(block) => {
                    self.open(block, decision, lists);
                    continue;
                }
            };
            let place = self.place(decision, lists, host);
            let mut first = self.hosts.peek_mut()?;
            match place {
                Some(place) if place.0.0 == completion => {
                    PeekMut::pop(first);
                    break self.offer(decision, lists, host)?;
                }
                Some(place) => *first = place,
                None => drop(PeekMut::pop(first)),
            }
        };
        Some(self.best_of_equals(first, decision, lists))
    }

    /// Replaces the offer by that of another host with the same completion if a job with a lower
    /// number is offered there.
    fn best_of_equals(
        &mut self,
        mut best: Offer,
        decision: &Decision<'_>,
        lists: &[List],
    ) -> Offer {
        let completion = best.key.0;
        let mut others = Vec::new();
        // A block with this completion would have come before the host.
        while let Some(&Reverse((earliest, Of::Host(host)))) = self.hosts.peek()
            && earliest == completion
        {
            self.hosts.pop();
            let Some(offer) = self.offer(decision, lists, host) else { continue };
            let is_better = offer.key < best.key;
            let other = if is_better { std::mem::replace(&mut best, offer) } else { offer };
            others.push(Reverse((other.key.0, Of::Host(other.key.2))));
        }
        self.hosts.extend(others);
        best
    }

    /// When the host completes the first of the first jobs; `None` if it cannot complete any.
    #[inline]
    fn place(&self, decision: &Decision<'_>, lists: &[List], host: HostId) -> Option<Place> {
        let time = |(list, head): (&List, &Option<Head>)| {
            decision.view.time_of_size(list.qos, (*head)?.first.size, host)
        };
        let shortest = lists.iter().zip(&self.heads).filter_map(time).min()?;
        let completion = decision.completion(host, shortest);
        (completion != Ticks::MAX).then_some(Reverse((completion, Of::Host(host))))
    }

    /// What the host offers; `None` if it cannot complete any of the jobs.
    fn offer(&self, decision: &Decision<'_>, lists: &[List], host: HostId) -> Option<Offer> {
        let of = |(index, (list, head)): (usize, (&List, &Option<Head>))| {
            Offer::of((index, list), (*head)?, decision, host)
        };
        let all = lists.iter().zip(&self.heads).enumerate().filter_map(of);
        all.min_by_key(|offer| (offer.time, offer.entry.number))
    }
}

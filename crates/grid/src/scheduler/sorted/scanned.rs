//! Min-Min where all hosts are queues, and not too many.
//!
//! A queue completes the first job of a list at `free + size · pace` or within a tick of it. Both
//! numbers of all hosts are in arrays of floats, so that these bounds take a few vector
//! instructions for several hosts at a time, and there is no order of hosts to maintain. Floats
//! only exclude: hosts whose bounds are near the least are compared by exact completions.
//!
//! The best offer of a list stays right until a job of the list is sent, or its host gets a job:
//! all other hosts complete jobs as before.

use super::super::View;
use super::decision::Decision;
use super::lists::List;
use super::shortest::Offer;
use crate::resource::raised;
use gridsat_model::{HostId, Ticks};

/// Beyond this many hosts, a heap is faster.
const MOST: usize = 256;

/// Hosts whose bounds are computed at a time.
const LANES: usize = 8;

/// What decisions reuse to save allocations.
#[derive(Default)]
pub(super) struct Scanned {
    /// Ticks from now until each host is free, filled up to whole lanes.
    free: Vec<f64>,
    lists: Vec<Best>,
}

/// The best offer for the jobs of a list.
#[derive(Default)]
struct Best {
    /// The level of the list, and [`View::known`], of the paces.
    of: Option<(u32, u64)>,
    /// Ticks per instruction; infinite on hosts that do not serve the level of the list.
    pace: Vec<f64>,
    offer: Option<Offer>,
}

impl Scanned {
    /// Assigns the jobs of these lists; false if hosts are not only queues, or too many.
    pub fn assign(&mut self, decision: &mut Decision<'_>, lists: &mut [List]) -> bool {
        if !self.begin(decision, lists) {
            return false;
        }
        for (best, list) in self.lists.iter_mut().zip(lists.iter().enumerate()) {
            best.update(&self.free, decision, list);
        }
        while let Some(offer) = self.first() {
            let (sent, (_, number, host)) = (offer.list, offer.key);
            lists[sent].jobs.remove(&offer.entry);
            decision.send(number, host, offer.time);
            if decision.is_late() {
                break;
            }
            self.free[host.index()] = decision.free(host).unwrap_or(Ticks::MAX).as_f64();
            for (best, list) in self.lists.iter_mut().zip(lists.iter().enumerate()) {
                if list.0 == sent || best.offer.is_some_and(|offer| offer.key.2 == host) {
                    best.update(&self.free, decision, list);
                }
            }
        }
        true
    }

    /// Sets the bounds of all hosts.
    fn begin(&mut self, decision: &Decision<'_>, lists: &[List]) -> bool {
        let view = decision.view;
        if view.host_count() > MOST {
            return false;
        }
        let lanes = view.host_count().next_multiple_of(LANES);
        self.free.clear();
        for host in view.hosts() {
            let Some(free) = decision.free(host) else { return false };
            self.free.push(free.as_f64());
        }
        self.free.resize(lanes, f64::INFINITY);
        self.lists.resize_with(lists.len(), Best::default);
        let mut all = self.lists.iter_mut().zip(lists);
        all.all(|(best, list)| best.look_at(view, list.qos))
    }

    /// The best offer of all.
    fn first(&self) -> Option<Offer> {
        let offers = self.lists.iter().filter_map(|best| best.offer.as_ref());
        offers.min_by_key(|offer| offer.key).copied()
    }
}

impl Best {
    /// Sets the paces of hosts for the jobs of a level, which change only with the hosts; false if
    /// hosts are not only resources.
    fn look_at(&mut self, view: &View<'_>, qos: u32) -> bool {
        let of = Some((qos, view.known()));
        if self.of == of {
            return true;
        }
        self.of = None;
        self.pace.clear();
        for host in view.hosts() {
            let Some(pace) = view.pace(host) else { return false };
            let is_served = view.time_of_size(qos, 0.0, host).is_some();
            self.pace.push(if is_served { pace } else { f64::INFINITY });
        }
        self.pace.resize(view.host_count().next_multiple_of(LANES), 0.0);
        self.of = of;
        true
    }

    /// Finds the best offer for the jobs that are left.
    fn update(&mut self, free: &[f64], decision: &Decision<'_>, list: (usize, &List)) {
        self.offer = None;
        let Some(head) = list.1.head() else { return };
        let size = head.first.size;
        // A tick more, so that the exact completion where the bound is least is within the limit.
        let limit = raised(self.least(free, size) + 1.0);
        let places = free.as_chunks().0.iter().zip(self.pace.as_chunks().0);
        let consider = |hosts: &mut dyn Iterator<Item = usize>, best: &mut Option<Offer>| {
            for host in hosts {
                let offer = Offer::of(list, head, decision, HostId(host as u32));
                if let Some(offer) = offer
                    && best.is_none_or(|best| offer.key < best.key)
                {
                    *best = Some(offer);
                }
            }
        };
        for (lane, (free, pace)) in places.enumerate() {
            let bounds = bounds(free, pace, size);
            // All at once, because nearly always none is within the limit.
            if bounds.iter().fold(false, |any, &bound| any | (bound <= limit)) {
                let within = (0..LANES).filter(|&place| bounds[place] <= limit);
                consider(&mut within.map(|place| lane * LANES + place), &mut self.offer);
            }
        }
        if self.offer.is_none_or(|offer| offer.key.0.as_f64() > limit) {
            consider(&mut (0..decision.view.host_count()), &mut self.offer);
        }
    }

    /// The least bound for a job of this size.
    fn least(&self, free: &[f64], size: f64) -> f64 {
        // Unlike `f64::min`, one instruction.
        let less = |a: f64, b: f64| if a < b { a } else { b };
        let mut least = [f64::INFINITY; LANES];
        for (free, pace) in free.as_chunks().0.iter().zip(self.pace.as_chunks().0) {
            let bounds = bounds(free, pace, size);
            least.iter_mut().zip(bounds).for_each(|(least, bound)| *least = less(bound, *least));
        }
        least.into_iter().fold(f64::INFINITY, less)
    }
}

/// As a loop over arrays, which is compiled to vector instructions; `std::array::from_fn` was not.
#[inline]
fn bounds(free: &[f64; LANES], pace: &[f64; LANES], size: f64) -> [f64; LANES] {
    let mut bounds = *free;
    for (bound, pace) in bounds.iter_mut().zip(pace) {
        *bound += size * pace;
    }
    bounds
}

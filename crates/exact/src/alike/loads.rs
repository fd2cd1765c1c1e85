//! The lower bound by all work, for hosts that differ in speed or ready time.
//!
//! The tasks that are too long for all but some hosts must fit these hosts together. What a host
//! can do is not all work for which it has time, but the largest sum of works within it.

use super::sums::Sums;
use super::{Alike, MANY_PAIRS};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{Instance, Stop, Ticks};

/// Common multiples above this are too large for weights.
const MOST_WEIGHT: u64 = 1 << 40;

/// A list of sets in the checker's knapsack is at most as long as the largest room, and must not be
/// longer than this.
const MOST_SETS: u64 = (1 << 22) - 1;

/// Whether rooms until `upper` are small enough for works as prices.
pub(super) fn suits(alike: &Alike, upper: Ticks) -> bool {
    alike.rooms(upper).is_some_and(|rooms| rooms.largest() < MOST_SETS)
}

/// The best bound; `upper` is the makespan of a mapping.
pub(super) fn bound(alike: &Alike, instance: &Instance, upper: Ticks, stop: &Stop) -> LowerBound {
    let loads = Loads::new(alike, upper, stop);
    let latest = instance.latest_ready();
    let (mut low, mut high) = (latest, upper);
    while low < high {
        let middle = low + (high - low) / 2;
        match loads.too_much(middle) {
            Some(_) => low = middle + Ticks(1),
            None => high = middle,
        }
    }
    LowerBound::new(low, |k| loads.reason(instance, k))
}

struct Loads<'a> {
    alike: &'a Alike,
    /// The work of the longest tasks, by their number.
    works: Vec<u128>,
    /// Sums of works; `None` if there was no time.
    sums: Option<Sums>,
}

impl<'a> Loads<'a> {
    fn new(alike: &'a Alike, upper: Ticks, stop: &Stop) -> Self {
        let mut works = vec![0];
        works.extend(alike.times.iter().scan(0, |sum, &work| {
            *sum += u128::from(work);
            Some(*sum)
        }));
        Self { alike, works, sums: sums(alike, upper, stop) }
    }

    /// A number of longest tasks that do not fit until k; `None` if all seem to fit.
    fn too_much(&self, k: Ticks) -> Option<usize> {
        let Some(rooms) = self.alike.rooms(k) else { return Some(0) };
        let times = &self.alike.times;
        let mut all: u128 = 0;
        for (place, &(room, count)) in rooms.kinds().iter().enumerate() {
            // The tasks too long for all hosts so far, at first those too long for any.
            let longer = times.partition_point(|&time| time > room);
            if self.works[longer] > all {
                return Some(longer);
            }
            all += u128::from(self.reached(room)) * count as u128;
            if place + 1 == rooms.kinds().len() && self.works[times.len()] > all {
                return Some(times.len());
            }
        }
        None
    }

    /// The largest sum of works within the room.
    fn reached(&self, room: u64) -> u64 {
        self.sums.as_ref().map_or(room, |sums| sums.previous(room))
    }

    /// Why no mapping ends until k: the longest tasks that do not fit, with their works as prices.
    fn reason(&self, instance: &Instance, k: Ticks) -> Reason {
        let alike = self.alike;
        if let Some(host) = instance.hosts().find(|&host| instance.ready(host) > k) {
            return Reason::Ready { k, host: host.0 };
        }
        let number = self.too_much(k).unwrap_or(alike.times.len());
        let largest = alike.rooms(k).map_or(0, |rooms| rooms.largest());
        if alike.times.first().is_some_and(|&time| time > largest) {
            return Reason::LongestTask { k, task: alike.tasks[0].0 };
        }
        if number == alike.times.len()
            && alike.times.len() * alike.hosts < MANY_PAIRS
            && let Some(weights) = self.weights(k)
        {
            return Reason::Weights { k, weights };
        }
        let mut prices = vec![0; instance.task_count()];
        for (task, &time) in alike.tasks.iter().zip(&alike.times).take(number) {
            prices[task.index()] = time;
        }
        Reason::Prices { k, prices }
    }

    /// Weights that refute k by the average load, host by host. They have a form for VeriPB.
    fn weights(&self, k: Ticks) -> Option<Vec<u64>> {
        let alike = self.alike;
        let common = alike.classes.iter().try_fold(1, |all: u64, class| {
            let (work, time) = (class.rate.0, class.rate.1.0);
            let unit = time.is_multiple_of(work).then_some(time / work)?;
            let multiple = (all / gcd(all, unit)).checked_mul(unit)?;
            (multiple <= MOST_WEIGHT).then_some(multiple)
        })?;
        let mut weights = vec![0; alike.hosts];
        let mut room: u128 = 0;
        for class in &alike.classes {
            let weight = common / (class.rate.1.0 / class.rate.0);
            let busy = u128::from(k.checked_sub(class.ready)?) * class.hosts.len() as u128;
            room += busy.checked_mul(u128::from(weight))?;
            class.hosts.iter().for_each(|host| weights[host.index()] = weight);
        }
        let work = self.works.last()?.checked_mul(u128::from(common))?;
        (alike.rounding == Ticks::ZERO && work > room).then_some(weights)
    }
}

/// The sums of works up to the largest room until `upper`; `None` if the stop is due.
fn sums(alike: &Alike, upper: Ticks, stop: &Stop) -> Option<Sums> {
    let mut sums = Sums::new(alike.rooms(upper)?.largest());
    for (item, &time) in alike.times.iter().enumerate() {
        if item % 64 == 0 && stop.is_due() {
            return None;
        }
        sums.add(time, item as u32);
    }
    Some(sums)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

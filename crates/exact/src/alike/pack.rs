//! Fills one host after the other with a subset of the tasks left that comes nearest to its room.
//!
//! The longest task left that fits is always placed, since it only gets harder to place later, and
//! the rest of the room is filled by the best subset of the others. Of subsets that fill it equally
//! well, one of long tasks is taken: short tasks fit anywhere. Random changes of the order give
//! other subsets in the next attempt. Where the room is too large for a table of sums, two lists of
//! sums take its place ([`Halves`]). The waste of all hosts together must not exceed the slack.

use rand::{Rng, RngExt};

use super::halves::{Halves, Timed};
use super::sums::{LARGEST, Sums};
use super::{Packing, Rooms};
use gridsat_model::Stop;

/// How the hosts are filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Items are moved in the order in which they are tried, up to this part of their number.
    pub noise: f64,
    /// Whether the smallest rooms come first.
    pub smallest_first: bool,
}

/// A packing that keeps to the rooms, if this finds one.
pub(super) fn pack(
    times: &[u64],
    rooms: &Rooms,
    Manner { noise, smallest_first }: Manner,
    rng: &mut impl Rng,
    (sums, halves): (&mut Sums, &mut Halves),
    stop: &Stop,
) -> Option<Packing> {
    let mut slack = rooms.slack(times)?;
    let mut packing = Packing::empty(rooms.hosts());
    let mut left = Equal::all(times);
    let mut hosts: Vec<(usize, u64)> = rooms.each().enumerate().collect();
    if smallest_first {
        hosts.reverse();
    }
    for (host, room) in hosts {
        if left.is_empty() {
            break;
        }
        if stop.is_due() {
            return None;
        }
        let fitting = left.partition_point(|equal| equal.time > room);
        let Some(longest) = left.get_mut(fitting) else {
            slack = slack.checked_sub(room)?;
            continue;
        };
        let (rest, first) = (room - longest.time, longest.next);
        longest.next += 1;
        let order = shuffled(&left[fitting..], rest, noise, rng);
        let (filled, mut items) = match rest <= LARGEST {
            true => {
                let filled = fill(&order, rest, sums);
                (filled, sums.items(filled, times))
            }
            false => fill_large(&order, rest, halves, rng),
        };
        slack = slack.checked_sub(rest - filled)?;
        for &item in &items {
            // Of equal items the first ones are used first.
            let place = left.partition_point(|equal| equal.end <= item);
            left[place].next += 1;
        }
        left.retain(|equal| equal.next < equal.end);
        items.push(first);
        packing.set(host, items);
    }
    left.is_empty().then_some(packing)
}

/// Items of the same time that are left.
#[derive(Clone, Copy, Debug)]
struct Equal {
    time: u64,
    next: u32,
    end: u32,
}

impl Equal {
    /// All items.
    fn all(times: &[u64]) -> Vec<Self> {
        let mut end = 0;
        let mut equal = |times: &[u64]| {
            let next = end;
            end += times.len() as u32;
            Self { time: times[0], next, end }
        };
        times.chunk_by(|a, b| a == b).map(&mut equal).collect()
    }
}

/// The items that fit, nearly in their order.
fn shuffled(left: &[Equal], room: u64, noise: f64, rng: &mut impl Rng) -> Vec<Equal> {
    let fitting = left.iter().copied().filter(|equal| equal.time <= room);
    if noise == 0.0 {
        return fitting.collect();
    }
    let width = noise * left.len() as f64;
    let mut keyed: Vec<(f64, Equal)> = fitting
        .enumerate()
        .map(|(place, equal)| (place as f64 + width * rng.random::<f64>(), equal))
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    keyed.into_iter().map(|(_, equal)| equal).collect()
}

/// The largest sum found of some of the items within a large room, and the items.
fn fill_large(
    order: &[Equal],
    room: u64,
    halves: &mut Halves,
    rng: &mut impl Rng,
) -> (u64, Vec<u32>) {
    let single = |equal: &Equal| {
        let Equal { time, next, end } = *equal;
        (next..end).map(move |item| (time, item))
    };
    let items: Vec<Timed> = order.iter().flat_map(single).collect();
    let (filled, mut chosen) = halves.fill(&items, room, rng);
    // Of equal items the first ones are used first.
    chosen.sort_unstable();
    for equal in order {
        let from = chosen.partition_point(|&item| item < equal.next);
        let to = chosen.partition_point(|&item| item < equal.end);
        chosen[from..to].iter_mut().zip(equal.next..).for_each(|(item, first)| *item = first);
    }
    (filled, chosen)
}

/// The largest sum of some of the items within the room.
fn fill(order: &[Equal], room: u64, sums: &mut Sums) -> u64 {
    sums.restart(room);
    for &Equal { time, next, end } in order {
        // More equal items than fit the room give no new sums.
        let most = u32::try_from(room / time).unwrap_or(u32::MAX);
        if (next..end).take(most as usize).any(|item| sums.add(time, item)) {
            return room;
        }
    }
    sums.largest()
}

//! The profile beside a list of ticks.

use super::holes::short;
use super::*;
use gridsat_model::Ticks;
use gridsat_statistics::random;
use rand::RngExt;

/// Free nodes of each tick, and every answer by looking at all of them.
struct Plain {
    now: u64,
    free: Vec<u32>,
}

impl Plain {
    fn fits(&self, start: u64, span: u64, nodes: u32, own: u64) -> bool {
        (start..start + span).all(|tick| {
            tick >= own || self.free.get(tick as usize).is_none_or(|&free| free >= nodes)
        })
    }

    fn earliest(&self, nodes: u32, span: u64, last: u64, own: u64) -> Option<u64> {
        (self.now..last.min(self.free.len() as u64 + 1))
            .find(|&start| self.fits(start, span, nodes, own))
    }
}

const NODES: u32 = 40;
const TICKS: u64 = 6000;

fn check(equal: &Equal, plain: &Plain, seed: u64) {
    let mut steps: Vec<(u64, u32)> = Vec::new();
    for tick in plain.now..TICKS {
        let free = plain.free[tick as usize];
        if steps.last().is_none_or(|last| last.1 != free) {
            steps.push((tick, free));
        }
    }
    let shown = equal.steps().map(|(time, free)| (time.0.0, free));
    assert_eq!(shown.collect::<Vec<_>>(), steps, "seed {seed}");
}

/// The time for which nodes stay free from each step on is within the bound of its block.
fn check_bounds(equal: &Equal, seed: u64) {
    let steps: Vec<(usize, Time, u32)> = (equal.blocks.iter().enumerate())
        .flat_map(|(at, block)| block.steps().map(move |(time, free)| (at, time, free)))
        .collect();
    for (class, longest) in equal.longest.iter().enumerate() {
        let mut end = Time::NEVER;
        for &(at, time, free) in steps.iter().rev() {
            if free >> class == 0 {
                end = time;
            } else {
                let (bound, length) = (longest[at], short(end - time));
                assert!(bound >= length, "seed {seed}: class {class}, {bound} < {length}");
            }
        }
    }
}

/// Moves a booking in both profiles to the same time before a limit; number of moves.
fn move_both(
    equal: &mut Equal,
    plain: &mut Plain,
    (from, to, nodes): &mut (u64, u64, u32),
    last: u64,
    seed: u64,
) -> u32 {
    let time = |tick| Time(Ticks(tick));
    let span = *to - *from;
    let better = plain.earliest(*nodes, span, last.min(*from), (*from).max(plain.now));
    let moved = equal.move_earlier(*nodes, time(*from), time(*to), time(last));
    assert_eq!(moved, better.map(time), "seed {seed}: {nodes} nodes from {from} to {to}");
    let Some(start) = better else { return 0 };
    (*from..*to).for_each(|tick| plain.free[tick as usize] += *nodes);
    (*from, *to) = (start, start + span);
    (*from..*to).for_each(|tick| plain.free[tick as usize] -= *nodes);
    1
}

/// Compares with the plain profile on random bookings, moves, ends and searches.
#[test]
fn does_what_a_list_of_ticks_does() {
    let time = |tick| Time(Ticks(tick));
    let (mut moves, mut most) = (0, 0);
    for seed in 0..8 {
        let mut random = random::stream(seed, "test/profile", 0);
        let mut equal = Equal::default();
        equal.reset(Time::ZERO, NODES);
        let mut plain = Plain { now: 0, free: vec![NODES; TICKS as usize] };
        let mut booked: Vec<(u64, u64, u32)> = Vec::new();
        for step in 0..600 {
            let nodes = random.random_range(1..=if step % 5 == 0 { NODES } else { 8 });
            let span = random.random_range(1..if step % 7 == 0 { 300 } else { 40 });
            let start = plain.earliest(nodes, span, TICKS, TICKS).expect("it is long");
            let found = equal.earliest(nodes, Ticks(span));
            assert_eq!(found, Some(time(start)), "seed {seed}, step {step}");
            if start + span < TICKS && random.random_range(0..3) > 0 {
                equal.take(time(start), time(start + span), nodes);
                (start..start + span).for_each(|tick| plain.free[tick as usize] -= nodes);
                booked.push((start, start + span, nodes));
            }
            if step % 4 == 0 && !booked.is_empty() {
                let at = random.random_range(0..booked.len());
                let (from, to, nodes) = booked.swap_remove(at);
                equal.give(time(from), time(to), nodes);
                (from..to).for_each(|tick| plain.free[tick as usize] += nodes);
            }
            if step % 3 == 0 && !booked.is_empty() {
                let at = random.random_range(0..booked.len());
                let from = booked[at].0.max(plain.now);
                let last = random.random_range(plain.now..2 * from + 2);
                moves += move_both(&mut equal, &mut plain, &mut booked[at], last, seed);
            }
            if step % 25 == 0 {
                for booking in &mut booked {
                    moves += move_both(&mut equal, &mut plain, booking, TICKS, seed);
                    check_bounds(&equal, seed);
                }
            }
            if step % 40 == 0 {
                plain.now += random.random_range(0..10);
                equal.advance(time(plain.now));
                booked.retain(|booking| booking.0 >= plain.now);
            }
            check(&equal, &plain, seed);
            check_bounds(&equal, seed);
            most = most.max(equal.blocks.len());
        }
    }
    assert!(moves > 5000 && most > 4, "{moves} moves, {most} blocks");
}

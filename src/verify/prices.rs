//! The rule `prices`: task prices that no packing of the hosts can reach.
//!
//! `Σ_t u_t > Σ_h KP_h`, where `KP_h` is the largest total price of a set of tasks that fits host h
//! by k. Each knapsack is solved again by the plainest exact method there is, a table over the room
//! or over the price, whichever is smaller.

use super::steps::StepFault;
use crate::model::{HostId, Instance, Ticks};

/// Tables have at most this many entries, half a gigabyte.
const MAX_ENTRIES: u64 = 1 << 26;

/// Whether the prices refute k.
pub(super) fn check(instance: &Instance, k: Ticks, prices: &[u64]) -> Result<(), StepFault> {
    let (found, tasks) = (prices.len(), instance.task_count());
    if found != tasks {
        return Err(StepFault::WrongPriceCount { found, tasks });
    }
    let total: u128 = prices.iter().map(|&price| u128::from(price)).sum();
    let mut packed: u128 = 0;
    for host in instance.hosts() {
        packed += u128::from(knapsack(instance, k, prices, host)?);
    }
    if total > packed { Ok(()) } else { Err(StepFault::PricesFit { total, packed }) }
}

/// The largest total price of tasks that fit the host together.
fn knapsack(instance: &Instance, k: Ticks, prices: &[u64], host: HostId) -> Result<u64, StepFault> {
    let ready = instance.ready(host);
    let room = k.checked_sub(ready).ok_or(StepFault::NotReady { host: host.0, ready })?;
    let mut items: Vec<(u64, Ticks)> = Vec::new();
    let mut total: u64 = 0;
    for (task, &price) in instance.tasks().zip(prices) {
        match instance.time(task, host) {
            Some(time) if time <= room && price > 0 => {
                total = total.checked_add(price).ok_or(StepFault::Overflow)?;
                items.push((price, time));
            }
            _ => {}
        }
    }
    if room.min(total) >= MAX_ENTRIES {
        return Err(StepFault::TableTooLarge { host: host.0, entries: room.min(total) });
    }
    let share = total / instance.host_count() as u64;
    match room <= share {
        true => Ok(by_room(&items, room)),
        false => Ok(by_price(&items, room, total, 2 * share)),
    }
}

/// `most[w]`: the largest price that fits into w.
fn by_room(items: &[(u64, Ticks)], room: Ticks) -> u64 {
    let mut most = vec![0_u64; room as usize + 1];
    for &(price, time) in items {
        let time = time as usize;
        for w in (time..most.len()).rev() {
            most[w] = most[w].max(most[w - time] + price);
        }
    }
    most[room as usize]
}

/// `least[v]`: the shortest time of tasks whose prices add up to v, for v up to a limit that starts at
/// a guess.
///
/// If a set worth more than the limit fits, take its tasks away one by one: the rest still fits, and
/// as no step is longer than the highest price, some rest is worth between the limit less that price
/// and the limit. So if nothing in that window fits, nothing beyond it does, and else the limit is
/// doubled.
fn by_price(items: &[(u64, Ticks)], room: Ticks, total: u64, guess: u64) -> u64 {
    let highest = items.iter().map(|&(price, _)| price).max().unwrap_or(0);
    let mut limit = guess.max(highest).min(total);
    loop {
        let least = shortest_times(items, limit);
        let best = (0..=limit).rev().find(|&v| least[v as usize] <= room).unwrap_or(0);
        if limit == total || best <= limit - highest {
            return best;
        }
        limit = limit.saturating_mul(2).min(total);
    }
}

/// Sums of times are below 2^63, so the mark for "impossible" is never taken for one, and adding a
/// time to it does not overflow.
fn shortest_times(items: &[(u64, Ticks)], limit: u64) -> Vec<Ticks> {
    const IMPOSSIBLE: Ticks = 1 << 63;
    let mut least = vec![IMPOSSIBLE; limit as usize + 1];
    least[0] = 0;
    let mut before = least.clone();
    for &(price, time) in items {
        before.copy_from_slice(&least);
        for (with, &without) in least[price as usize..].iter_mut().zip(&before) {
            *with = (*with).min(without + time);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_agree_with_a_hand_computed_case() {
        // Room 10: 6 + 4 is worth 13, 5 + 5 is worth 14, with the weightless one 17.
        let items = [(8, 6), (7, 5), (7, 5), (5, 4), (3, 0)];
        assert_eq!(by_room(&items, 10), 17);
        for guess in [0, 1, 8, 9, 17, 20, 30] {
            assert_eq!(by_price(&items, 10, 30, guess), 17);
            assert_eq!(by_price(&items, 100, 30, guess), 30);
        }
        assert_eq!(by_room(&items, 0), 3);
        assert_eq!(by_price(&items, 0, 30, 5), 3);
        assert_eq!(by_price(&[], 5, 0, 0), 0);
    }
}

//! Knapsacks against brute force.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// The most valuable set that fits, among sets whose items all pass; brute force.
fn best_value(items: &[Item], capacity: u64, passes: impl Fn(u32) -> bool) -> Option<u64> {
    let sets = (0..1_u32 << items.len()).filter(|&set| passes(set));
    let sum = |set: u32| {
        let chosen = items.iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1);
        chosen.fold((0, 0), |(w, v), (_, item)| (w + item.weight, v + item.value))
    };
    sets.map(sum).filter(|&(w, _)| w <= capacity).map(|(_, v)| v).max()
}

/// Unrelated, equal and correlated values; few or many different weights, large or small.
fn random_items(rng: &mut ChaCha8Rng, round: usize, n: u32) -> (Vec<Item>, u64) {
    let spread: u64 = [3, 20, 1000, 1 << 40, 1 << 56][round % 5];
    let item = |name| {
        let weight = rng.random_range(0..=spread);
        let value = match round % 4 {
            0 => rng.random_range(0..=spread),
            1 => weight,
            2 => rng.random_range(0..=1) * spread / 2,
            _ => weight + spread / 10,
        };
        Item { name, value, weight }
    };
    let items = (0..n).map(item).collect();
    (items, rng.random_range(0..=spread * 4))
}

/// Checks that the items named by the packer fit and have the value it reports.
#[track_caller]
fn check_names(packer: &Packer, items: &[Item], capacity: u64, worth: &Worth) {
    let chosen = packer.names().iter().map(|&name| items[name as usize]);
    let (weight, value) = chosen.fold((0, 0), |(w, v), item| (w + item.weight, v + item.value));
    assert!(weight <= capacity && value == worth.value, "{items:?} {capacity}");
}

#[test]
fn agrees_with_trying_all_sets() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut packer = Packer::default();
    for round in 0..6000 {
        let n = rng.random_range(0..11);
        let (items, capacity) = random_items(&mut rng, round, n);
        let effort = [usize::MAX, 0, 5][round % 7 % 3];
        let worth = packer.pack(&items, capacity, effort);
        let best = best_value(&items, capacity, |_| true).unwrap_or(0);
        assert!(worth.value <= best && best <= worth.at_most, "{items:?} {capacity} {worth:?}");
        if effort == usize::MAX {
            assert_eq!(worth.value, worth.at_most, "{items:?} {capacity}");
        }
        check_names(&packer, &items, capacity, &worth);
    }
}

/// A plain table, for more items than brute force can handle.
fn by_table(items: &[Item], capacity: u64) -> u64 {
    let mut best = vec![0; capacity as usize + 1];
    for item in items {
        for c in (item.weight as usize..best.len()).rev() {
            best[c] = best[c].max(best[c - item.weight as usize] + item.value);
        }
    }
    best[capacity as usize]
}

#[test]
fn agrees_with_a_plain_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut packer = Packer::default();
    for round in 0..300 {
        let n = rng.random_range(30..200);
        let spread: u64 = [5, 50, 500][round % 3];
        let item = |name| {
            let weight = rng.random_range(1..=spread);
            let noise = [1, 4, 1000][round / 3 % 3];
            Item { name, value: weight * 1000 + rng.random_range(0..=noise * 100), weight }
        };
        let items: Vec<Item> = (0..n).map(item).collect();
        let capacity = rng.random_range(1..spread * 10);
        let effort = [usize::MAX, 10_000, 100_000][round % 7 % 3];
        let worth = packer.pack(&items, capacity, effort);
        assert_eq!((worth.value, worth.at_most), (worth.at_most, by_table(&items, capacity)));
        check_names(&packer, &items, capacity, &worth);
    }
}

#[test]
fn too_large_totals_give_no_bound() {
    let item = Item { name: 0, value: 1 << 61, weight: 1 };
    let packing = pack(&[item, Item { name: 1, ..item }], 1, usize::MAX);
    assert_eq!(packing, Packing { value: 0, at_most: u64::MAX, names: vec![] });
}

#[test]
fn forced_values_agree_with_trying_all_sets() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut packer = Packer::default();
    for round in 0..4000 {
        let n = rng.random_range(0..10);
        let (items, capacity) = random_items(&mut rng, round, n);
        let best = best_value(&items, capacity, |_| true).unwrap_or(0);
        let threshold = match round / 20 % 3 {
            0 => 0,
            1 => best,
            _ => rng.random_range(0..=best),
        };
        let effort = [usize::MAX, 0, 20][round % 7 % 3];
        let (worth, forced) = packer.forced(&items, capacity, threshold, effort);
        assert_eq!(worth, packer.pack(&items, capacity, effort));
        for (i, bounds) in forced.iter().enumerate() {
            let with = best_value(&items, capacity, |set| set >> i & 1 == 1).unwrap_or(0);
            let without = best_value(&items, capacity, |set| set >> i & 1 == 0).unwrap_or(0);
            for (bound, exact) in [(bounds.with, with), (bounds.without, without)] {
                assert!(bound >= exact, "{i} {bounds:?} {with} {without} {items:?} {capacity}");
                let is_exact = bound == exact || bound < threshold;
                let context = (&items, capacity, threshold, i, bounds, with, without);
                assert!(is_exact || effort != usize::MAX, "{context:?}");
            }
        }
    }
}

#[test]
fn tables_and_single_knapsacks_force_alike() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut packer = Packer::default();
    for _ in 0..60 {
        let mut item = |name| {
            let weight = rng.random_range(1..100);
            Item { name, value: weight * 50 + rng.random_range(0..1000), weight }
        };
        let items: Vec<Item> = (0..60).map(&mut item).collect();
        // The same knapsack, but with weights too large for tables.
        let many = 1 << 32;
        let large: Vec<Item> =
            items.iter().map(|item| Item { weight: item.weight * many, ..*item }).collect();
        let best = packer.pack(&items, 500, usize::MAX).value;
        let threshold = best - 200;
        let small = packer.forced(&items, 500, threshold, usize::MAX);
        let large = packer.forced(&large, 500 * many, threshold, usize::MAX);
        assert_eq!(small.0, large.0);
        for (small, large) in small.1.iter().zip(&large.1) {
            assert_eq!(small.with.max(threshold), large.with.max(threshold));
            assert_eq!(small.without.max(threshold), large.without.max(threshold));
        }
    }
}

/// Weights that are similar but not equal, of any size; a capacity near a multiple of them.
fn similar_items(rng: &mut ChaCha8Rng, round: usize) -> (Vec<Item>, u64) {
    let least: u64 = [1, 2, 10, 100, 1000, 1 << 40, 1 << 56][round % 7];
    let spread: u64 = [0, 1, 3, 10, 30][round % 5];
    let n = rng.random_range(1..12);
    let (dearest, rate) = ([2, 10, 1000][round % 3], [0, 0, 1, 5][round % 4]);
    let item = |name| {
        let excess = rng.random_range(0..=spread);
        let value = rng.random_range(0..=dearest) + excess * rate;
        Item { name, value, weight: least + excess }
    };
    let items = (0..n).map(item).collect();
    let number = rng.random_range(0..=u64::from(n));
    let more = rng.random_range(0..=spread * number + 1);
    (items, (number * least + more).saturating_sub(rng.random_range(0..=1)))
}

/// Calls the table over the number of items directly, because small knapsacks never use it.
#[test]
fn counted_sets_agree_with_trying_all_sets() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut counted = Counted::default();
    for round in 0..8000 {
        let (items, capacity) = similar_items(&mut rng, round);
        let best = best_value(&items, capacity, |_| true).unwrap_or(0) as i64;
        let floor = [-1, 0, best / 2, best - 1, best, best + 1][rng.random_range(0..6)];
        let pairs = items.iter().map(|item| (item.value as i64, item.weight as i64));
        let cells = counted.plan(pairs, capacity as i64, floor, usize::MAX, Aim::Best);
        assert!(cells < 1 << 20, "{items:?} {capacity}");
        let value = counted.solve();
        assert!(value == best || value <= floor && best <= floor, "{items:?} {capacity} {floor}");
        let chosen = counted.chosen();
        let weight: u64 = chosen.iter().map(|&i| items[i].weight).sum();
        let total: u64 = chosen.iter().map(|&i| items[i].value).sum();
        assert!(weight <= capacity && total as i64 == value, "{items:?} {capacity} {floor}");
    }
}

#[test]
fn counted_changes_agree_with_trying_all_sets() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut counted = Counted::default();
    for round in 0..4000 {
        let (items, capacity) = similar_items(&mut rng, round);
        let best = best_value(&items, capacity, |_| true).unwrap_or(0) as i64;
        let floor = [-1, 0, best / 2, best - 1, best][rng.random_range(0..5)];
        let pairs = || items.iter().map(|item| (item.value as i64, item.weight as i64));
        let added = rng.random_range(0..1_u32 << items.len());
        counted.plan(pairs(), capacity as i64, floor, usize::MAX, Aim::Changes);
        let changes = counted.changes(|i| added >> i & 1 == 1);
        let fitting = items.iter().filter(|item| item.weight <= capacity).count();
        assert_eq!(changes.len(), fitting);
        for (i, value) in changes {
            let passes = |set: u32| (set ^ added) >> i & 1 == 0;
            let exact = best_value(&items, capacity, passes).unwrap_or(0) as i64;
            let context = (&items, capacity, floor, added, i, value, exact);
            assert!(value == exact || value.max(exact) <= floor, "{context:?}");
        }
    }
}

/// As many items as in practice, with weights too large for the table over the capacity.
#[test]
fn large_weights_that_are_alike_are_packed_as_small_ones() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut packer = Packer::default();
    for round in 0..30 {
        let least = [100, 1000][round % 2];
        let item = |name| {
            let value = 100_000 + rng.random_range(0..20_000);
            Item { name, value, weight: least + rng.random_range(0..=least / 10) }
        };
        let items: Vec<Item> = (0..100).map(item).collect();
        let number = rng.random_range(2..12);
        let capacity = number * least + rng.random_range(0..least / 10);
        let more = 1 << 40;
        // As many of the large items fit as of the small ones, so the best sets are the same.
        let heavy = |item: &Item| Item { weight: item.weight + more, ..*item };
        let large: Vec<Item> = items.iter().map(heavy).collect();
        let best = by_counts_and_weights(&items, number as usize, capacity);
        let threshold = best - rng.random_range(0..30_000);
        let (worth, forced) = packer.forced(&large, capacity + number * more, threshold, 20_000);
        assert_eq!((worth.value, worth.at_most), (best, best));
        for (i, bounds) in forced.iter().enumerate().skip(round).step_by(30) {
            let mut others = items.clone();
            let item = others.remove(i);
            let without = by_counts_and_weights(&others, number as usize, capacity);
            let beside =
                by_counts_and_weights(&others, number as usize - 1, capacity - item.weight);
            for (bound, exact) in [(bounds.with, beside + item.value), (bounds.without, without)] {
                assert!(bound == exact || bound.max(exact) < threshold, "{i} {bound} {exact}");
            }
        }
    }
}

/// The best of up to `number` items within a capacity, where more of them never fit and fewer
/// always do.
fn by_counts_and_weights(items: &[Item], number: usize, capacity: u64) -> u64 {
    let mut best = vec![vec![None; capacity as usize + 1]; number + 1];
    best[0].fill(Some(0));
    for item in items {
        let weight = item.weight as usize;
        for r in (1..=number).rev() {
            for c in weight..best[r].len() {
                let with = best[r - 1][c - weight].map(|value: u64| value + item.value);
                best[r][c] = best[r][c].max(with);
            }
        }
    }
    let mut values: Vec<u64> = items.iter().map(|item| item.value).collect();
    values.sort_unstable_by(|a, b| b.cmp(a));
    let fewer: u64 = values.iter().take(number - 1).sum();
    best[number][capacity as usize].map_or(fewer, |value| value.max(fewer))
}

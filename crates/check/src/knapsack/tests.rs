use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn items(pairs: &[(u64, Ticks)]) -> Vec<Item> {
    pairs.iter().map(|&(price, time)| Item { price, time }).collect()
}

fn scaled(items: &[Item], by: u64) -> Vec<Item> {
    items.iter().map(|&Item { price, time }| Item { price, time: time * by }).collect()
}

/// The best value of all sets, and for each item the best with it and without it.
fn by_brute_force(items: &[Item], room: Ticks) -> (u64, Vec<Forced>) {
    let mut best = 0;
    let mut forced = vec![Forced { with: None, without: 0 }; items.len()];
    for set in 0_u32..1 << items.len() {
        let is_in = |i: usize| set >> i & 1 == 1;
        let chosen = || (0..items.len()).filter(|&i| is_in(i)).map(|i| items[i]);
        if chosen().map(|item| item.time).sum::<Ticks>() > room {
            continue;
        }
        let price = chosen().map(|item| item.price).sum();
        best = best.max(price);
        for (i, value) in forced.iter_mut().enumerate() {
            match is_in(i) {
                true => value.with = value.with.max(Some(price)),
                false => value.without = value.without.max(price),
            }
        }
    }
    (best, forced)
}

/// Whether the value is exact, or both are below the threshold and the value is an upper bound.
fn is_as_good(value: u64, exact: u64, threshold: u64) -> bool {
    value == exact || (exact < value && value < threshold)
}

fn agree(found: &[Forced], exact: &[Forced], threshold: u64) -> bool {
    let is_right = |(found, exact): (&Forced, &Forced)| {
        let with = match (found.with, exact.with) {
            (Some(found), Some(exact)) => is_as_good(found, exact, threshold),
            (found, exact) => found == exact,
        };
        with && is_as_good(found.without, exact.without, threshold)
    };
    found.len() == exact.len() && found.iter().zip(exact).all(is_right)
}

/// By lists alone, however long they take.
fn by_lists(items: &[Item], room: Ticks, best: u64, threshold: u64) -> Vec<Forced> {
    let values = lists::forced(items, room, (best, threshold), u64::MAX);
    values.expect("small").expect("no limit")
}

#[test]
fn values_agree_with_a_hand_computed_case() {
    // Room 10: 6 + 4 is worth 13, 5 + 5 is worth 14, 17 with the weightless item. With the first
    // item: 8 + 5 + 3; without the last but one: 14; the item of time 20 does not fit.
    let case = items(&[
        (8, Ticks(6)),
        (7, Ticks(5)),
        (7, Ticks(5)),
        (5, Ticks(4)),
        (3, Ticks(0)),
        (9, Ticks(20)),
    ]);
    let values = [
        (Some(16), 17),
        (Some(17), 16),
        (Some(17), 16),
        (Some(16), 17),
        (Some(17), 14),
        (None, 17),
    ];
    let expected = values.map(|(with, without)| Forced { with, without });
    for scale in [1, 1_000_000_000] {
        let best = |room| Knapsack::new(scaled(&case, scale), Ticks(room * scale)).expect("small");
        assert_eq!([best(0).best, best(10).best, best(100).best], [3, 17, 39]);
        assert_eq!(best(10).forced(0), Ok(expected.to_vec()));
    }
    assert_eq!(Knapsack::new(Vec::new(), Ticks(5)).expect("small").best, 0);
}

/// Tables and lists give the same values, for small and huge times and any threshold.
#[test]
fn tables_and_lists_agree_with_brute_force() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut below = 0;
    for case in 0..6000 {
        let (prices, times) = (random.random_range(0..40), random.random_range(0..30));
        let mut item = |_| Item {
            price: random.random_range(0..=prices),
            time: Ticks(random.random_range(0..=times)),
        };
        let count = case % 10;
        let small: Vec<Item> = (0..count).map(&mut item).collect();
        let room = random.random_range(0..=times * 4 + 1);
        let scale = [1, 1_000, 1 << 50][case % 3];
        let (huge, wide) = (scaled(&small, Ticks(scale).0), room * scale + scale / 2);
        let (best, exact) = by_brute_force(&small, Ticks(room));
        assert_eq!(table::best(&small, Ticks(room)), best, "case {case}");
        assert_eq!(table::forced(&small, Ticks(room)), exact, "case {case}");
        assert_eq!(Ordered::new(&huge).best(Ticks(wide), 0, u64::MAX), Ok(best), "case {case}");
        for threshold in [0, best / 2, random.random_range(0..=best), best] {
            let found = by_lists(&huge, Ticks(wide), best, threshold);
            assert!(agree(&found, &exact, threshold), "case {case}: {found:?}, {exact:?}");
            let by_table = lists::forced_by_table(&small, Ticks(room), (best, threshold));
            assert!(agree(&by_table, &exact, threshold), "case {case}: {by_table:?}, {exact:?}");
            below += found.iter().filter(|value| value.without < threshold).count();
        }
    }
    assert!(below > 1000, "only {below} values were below their threshold");
}

/// All lists of up to three items with prices and times up to 3, with every room and threshold.
#[test]
fn every_tiny_knapsack_agrees_with_brute_force() {
    let kinds: Vec<Item> =
        (0..16).map(|code| Item { price: code / 4, time: Ticks(code % 4) }).collect();
    for code in 0..17_usize.pow(3) {
        // The seventeenth kind is no item.
        let places = [code % 17, code / 17 % 17, code / 289];
        let small: Vec<Item> = places.iter().filter_map(|&kind| kinds.get(kind).copied()).collect();
        let huge = scaled(&small, 1 << 40);
        for room in 0..=10 {
            let (best, exact) = by_brute_force(&small, Ticks(room));
            let by_table = Knapsack::new(small.clone(), Ticks(room)).expect("small");
            assert_eq!(
                (by_table.best, by_table.forced(0)),
                (best, Ok(exact.clone())),
                "{code} {room}"
            );
            let wide = Knapsack::new(huge.clone(), Ticks(room << 40)).expect("small");
            assert_eq!(wide.best, best, "{code} {room}");
            for threshold in 0..=best {
                let found = wide.forced(threshold).expect("small");
                assert!(agree(&found, &exact, threshold), "{code} {room} {threshold}");
            }
        }
    }
}

/// Equal items, and prices proportional to times, where the linear bound is weakest.
#[test]
fn lists_agree_with_tables_where_items_are_alike() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    for case in 0..300 {
        let kinds = random.random_range(1..=5_u64);
        let mut item = |_| {
            let kind = random.random_range(0..kinds);
            Item { price: 3 * kind + u64::from(case % 2 == 0), time: Ticks(7 * kind) }
        };
        let all: Vec<Item> = (0..40).map(&mut item).collect();
        let room = random.random_range(0..300);
        let best = table::best(&all, Ticks(room));
        assert_eq!(Ordered::new(&all).best(Ticks(room), 0, u64::MAX), Ok(best), "case {case}");
        let found = by_lists(&all, Ticks(room), best, best.saturating_sub(4));
        assert!(
            agree(&found, &table::forced(&all, Ticks(room)), best.saturating_sub(4)),
            "case {case}"
        );
    }
}

/// If either prices or room are small, lists are short, however large the other is.
#[test]
fn numbers_may_be_huge() {
    let best = |pairs, room| Knapsack::new(items(pairs), room).expect("small").best;
    assert_eq!(best(&[(1 << 62, Ticks(60)), (1 << 61, Ticks(50))], Ticks(100)), 1 << 62);
    assert_eq!(best(&[(1 << 62, Ticks(6000)), (1 << 61, Ticks(5000))], Ticks(10_000)), 1 << 62);
    assert_eq!(best(&[(6, Ticks(1 << 60)), (5, Ticks(1 << 60))], Ticks((1 << 60) + 1)), 6);
    assert_eq!(best(&[(6, Ticks(1 << 60)), (5, Ticks(1 << 60))], Ticks(u64::MAX)), 11);
}

/// Prices and times that hardly differ: by lists alone this takes minutes.
#[test]
fn long_lists_are_replaced_by_a_table() {
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let mut item = |_| Item {
        price: random.random_range(1_000_000..1_001_000),
        time: Ticks(random.random_range(1000..=1100)),
    };
    let all: Vec<Item> = (0..300).map(&mut item).collect();
    let room = Ticks(17_027);
    let knapsack = Knapsack::new(all.clone(), room).expect("small");
    let threshold = knapsack.best - 100_000;
    let most = room.0 * all.len() as u64 / 16;
    assert_eq!(lists::forced(&all, room, (knapsack.best, threshold), most), Ok(None));
    let values = knapsack.forced(threshold).expect("small");
    assert!(agree(&values, &table::forced(&all, room), threshold));
}

#[test]
fn lists_have_a_limit() {
    // Prices equal times and all sums differ, so no set dominates another.
    let item = |i: u32| Item { price: (1 << 40) + (1 << i), time: Ticks((1 << 40) + (1 << i)) };
    let all: Vec<Item> = (0..40).map(item).collect();
    assert!(Knapsack::new(all, Ticks(20 << 40 | 1)).is_err());
}

/// A host of a large instance: times in tiny ticks, of which about one task in sixteen fits.
#[test]
fn large_knapsacks_stay_within_the_limit() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let mut item = |_| Item {
        price: random.random_range(500..4000),
        time: Ticks(random.random_range(1_000_000_000_000..4_000_000_000_000)),
    };
    let all: Vec<Item> = (0..512).map(&mut item).collect();
    let knapsack = Knapsack::new(all, Ticks(50_000_000_000_000)).expect("small");
    for slack in [0, 10, 100, 1000] {
        knapsack.forced(knapsack.best - slack).expect("small");
    }
}

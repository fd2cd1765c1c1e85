//! Temporary.
use crate::knapsack::{Item, pack};

/// The best value and, item by item, the best with it in and with it out.
pub(super) struct Forced {
    /// The best value.
    pub best: u64,
    /// `(in, out)`; 0 for an item that does not fit.
    pub each: Vec<(u64, u64)>,
}

/// All forced values.
pub(super) fn forced(items: &[Item], capacity: u64, effort: usize) -> Forced {
    if (items.len() as u64 + 1).saturating_mul(capacity.saturating_add(1)) < 4_000_000 {
        return forced_by_tables(items, capacity as usize);
    }
    let best = pack(items, capacity, effort);
    let each = items.iter().enumerate().map(|(i, item)| {
        let mut others = items.to_vec();
        others.remove(i);
        let is_in = best.names.contains(&item.name);
        let out = if is_in { pack(&others, capacity, effort).at_most } else { best.at_most };
        let with = match capacity.checked_sub(item.weight) {
            _ if is_in => best.at_most,
            Some(rest) => item.value + pack(&others, rest, effort).at_most,
            None => 0,
        };
        (with, out)
    });
    let each = each.collect();
    Forced { best: best.at_most, each }
}

fn forced_by_tables(items: &[Item], capacity: usize) -> Forced {
    let width = capacity + 1;
    // before[i][w]: best of the first i items within w; after[i][w]: of the items from i on.
    let n = items.len();
    let mut before = vec![0_u64; (n + 1) * width];
    for (i, item) in items.iter().enumerate() {
        let (old, new) = before[i * width..(i + 2) * width].split_at_mut(width);
        add_item(old, new, item);
    }
    let mut after = vec![0_u64; width];
    let mut next = vec![0_u64; width];
    let mut each = vec![(0, 0); n];
    let join = |a: &[u64], b: &[u64], room: usize| -> u64 {
        a[..=room].iter().zip(b[..=room].iter().rev()).map(|(x, y)| x + y).max().unwrap_or(0)
    };
    for (i, item) in items.iter().enumerate().rev() {
        let front = &before[i * width..(i + 1) * width];
        let out = join(front, &after, capacity);
        let with = match (capacity as u64).checked_sub(item.weight) {
            Some(rest) => item.value + join(front, &after, rest as usize),
            None => 0,
        };
        each[i] = (with, out);
        add_item(&after, &mut next, item);
        std::mem::swap(&mut after, &mut next);
    }
    Forced { best: before[n * width + capacity], each }
}

fn add_item(old: &[u64], new: &mut [u64], item: &Item) {
    new.copy_from_slice(old);
    let weight = item.weight as usize;
    if weight < old.len() {
        for (value, &without) in new[weight..].iter_mut().zip(old) {
            *value = (*value).max(without + item.value);
        }
    }
}


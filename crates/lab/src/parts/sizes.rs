//! How much work a part contains.
//!
//! Starting a process costs up to seconds on a cluster, and a killed process loses its part. Parts
//! of half a minute cost little either way.

use std::ops::Range;
use std::time::Duration;

/// Job arrays of Slurm have at most 1,001 tasks unless its administrator allows more.
pub(super) const MOST: usize = 1_000;

/// The size of the parts of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Number of parts; `None` for as many as their time requires.
    pub parts: Option<usize>,
    /// Time that a part should take.
    pub time: Duration,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { parts: None, time: Duration::from_secs(30) }
    }
}

/// The first item of each part. Every part has an item, unless there are none.
pub(super) type Cuts = Vec<usize>;

/// Parts of equal numbers of items.
pub(super) fn equal(items: usize, parts: usize) -> Cuts {
    let parts = parts.clamp(1, items.max(1));
    (0..parts).map(|part| part * items / parts).collect()
}

/// Parts that take about equally long, each this many seconds if that makes at most [`MOST`].
pub(super) fn by_seconds(items: &[f64], seconds: f64) -> Cuts {
    let total: f64 = items.iter().sum();
    let parts = (total / seconds.max(1e-3)).ceil().clamp(1.0, MOST as f64);
    let mut cuts = vec![0];
    let mut sum = 0.0;
    for (place, item) in items.iter().enumerate() {
        let is_due = sum + item / 2.0 >= total * cuts.len() as f64 / parts;
        if is_due && place > 0 && (cuts.len() as f64) < parts {
            cuts.push(place);
        }
        sum += item;
    }
    cuts
}

/// The items of a part.
pub(super) fn range(cuts: &[usize], part: usize, items: usize) -> Option<Range<usize>> {
    let start = *cuts.get(part)?;
    Some(start..cuts.get(part + 1).copied().unwrap_or(items))
}

/// Whether the parts are all of the items, each item once.
pub(super) fn is_whole(cuts: &[usize], items: usize) -> bool {
    let ascends = cuts.windows(2).all(|pair| pair[0] < pair[1]);
    cuts.first() == Some(&0) && ascends && cuts.last().is_some_and(|&last| last < items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_part() {
        for (items, parts) in [(1, 1), (10, 3), (10, 10), (3, 10), (1000, 7)] {
            let cuts = equal(items, parts);
            assert!(is_whole(&cuts, items) && cuts.len() == parts.min(items), "{cuts:?}");
            let sizes = (0..cuts.len()).map(|part| range(&cuts, part, items).expect("there").len());
            assert_eq!(sizes.sum::<usize>(), items);
        }
        assert_eq!(range(&[0, 5], 2, 9), None);
        for wrong in [&[][..], &[1], &[0, 0], &[0, 9], &[0, 5, 3]] {
            assert!(!is_whole(wrong, 9), "{wrong:?}");
        }
    }

    #[test]
    fn long_items_make_small_parts() {
        let items: Vec<f64> = [1.0; 60].into_iter().chain([10.0; 12]).collect();
        let cuts = by_seconds(&items, 30.0);
        assert!(is_whole(&cuts, items.len()));
        let seconds: Vec<f64> = (0..cuts.len())
            .map(|part| items[range(&cuts, part, items.len()).expect("there")].iter().sum())
            .collect();
        assert_eq!(seconds, [30.0; 6]);
        assert_eq!(by_seconds(&[100.0; 3], 30.0), [0, 1, 2], "an item is never split");
        assert_eq!(by_seconds(&[1.0; 5000], 0.1).len(), MOST);
        assert_eq!(by_seconds(&[0.0; 5], 30.0), [0]);
    }
}

//! The packings of one host in a `bundle`, with their shares.

use super::bundle::Point;

/// Packings kept per host, beside twice the average number of tasks per host: in a best model about
/// as many packings have a share as there are tasks.
const KEPT: usize = 20;
/// Moves of share per packing in one visit of a host.
const MOVES: usize = 2;

/// Sets of tasks that fit the host. All lists have one entry per packing.
#[derive(Clone, Debug, Default)]
pub(super) struct Packings {
    /// Task numbers, ascending.
    tasks: Vec<Vec<u32>>,
    /// Number of tasks.
    sizes: Vec<f64>,
    /// Shares in the fractional mapping; they add up to 1.
    shares: Vec<f64>,
    /// Total price of the tasks at the model's prices.
    worths: Vec<f64>,
    /// Product with the direction of the model's centre.
    along: Vec<f64>,
    /// Number of tasks that two packings have in common.
    common: Vec<Vec<f64>>,
}

impl Packings {
    /// The packings in the fractional mapping, with their shares.
    pub fn shared(&self) -> impl Iterator<Item = (&[u32], f64)> {
        let all = self.tasks.iter().zip(&self.shares);
        all.filter(|(_, share)| **share > 0.0).map(|(tasks, &share)| (tasks.as_slice(), share))
    }

    /// Reduces each packing to the tasks that `adapt` returns; `None` drops it.
    pub fn adapt(&mut self, adapt: impl Fn(&[u32]) -> Option<Vec<u32>>) {
        let before = std::mem::take(self);
        for (tasks, share) in before.tasks.iter().zip(before.shares) {
            let Some(tasks) = adapt(tasks) else { continue };
            match self.tasks.iter().position(|other| *other == tasks) {
                Some(same) => self.shares[same] += share,
                None => self.push(tasks, share),
            }
        }
        self.share_out();
    }

    /// Adds a packing. If there are too many, it replaces the one that matters least.
    pub fn add(&mut self, tasks: Vec<u32>, tasks_per_host: usize) {
        if self.tasks.contains(&tasks) {
            return;
        }
        if self.tasks.len() >= KEPT + 2 * tasks_per_host {
            let order = |&a: &usize, &b: &usize| {
                let shares = self.shares[a].total_cmp(&self.shares[b]);
                shares.then(self.worths[a].total_cmp(&self.worths[b]))
            };
            let least = (0..self.tasks.len()).min_by(order);
            self.remove(least.unwrap_or(0));
        }
        self.push(tasks, 0.0);
        self.share_out();
    }

    fn push(&mut self, tasks: Vec<u32>, share: f64) {
        let mut row: Vec<f64> = self.tasks.iter().map(|other| common(other, &tasks)).collect();
        self.common.iter_mut().zip(&row).for_each(|(other, &common)| other.push(common));
        row.push(tasks.len() as f64);
        self.common.push(row);
        self.sizes.push(tasks.len() as f64);
        self.shares.push(share);
        self.worths.push(f64::INFINITY);
        self.tasks.push(tasks);
    }

    fn remove(&mut self, index: usize) {
        self.tasks.remove(index);
        self.sizes.remove(index);
        self.shares.remove(index);
        self.worths.remove(index);
        self.common.remove(index);
        self.common.iter_mut().for_each(|row| {
            row.remove(index);
        });
    }

    /// Makes shares add up to 1.
    fn share_out(&mut self) {
        let sum: f64 = self.shares.iter().sum();
        if sum > 0.0 {
            self.shares.iter_mut().for_each(|share| *share /= sum);
        } else if let Some(share) = self.shares.last_mut() {
            *share = 1.0;
        }
    }

    /// Moves share to the packings worth most. Returns the worth of the best packing, and the gain
    /// that was possible before.
    pub fn balance(&mut self, point: &mut Point) -> (f64, f64) {
        for (worth, tasks) in self.worths.iter_mut().zip(&self.tasks) {
            *worth = tasks.iter().map(|&t| point.price(t)).sum();
        }
        self.along = self.tasks.iter().map(|tasks| point.along(tasks)).collect();
        let most = self.worths.iter().copied().fold(0.0, f64::max);
        let lost =
            self.shares.iter().zip(&self.worths).map(|(share, worth)| share * (most - worth));
        let spread: f64 = lost.sum();
        let before = self.shares.clone();
        for _ in 0..MOVES * self.tasks.len() {
            if !self.move_once(point, 0.1 * spread) {
                break;
            }
        }
        for ((tasks, share), before) in self.tasks.iter().zip(&self.shares).zip(before) {
            if *share != before {
                point.move_share(tasks, share - before);
            }
        }
        (most, spread)
    }

    /// Moves share from the cheapest packing to the dearest until both are worth the same, or until
    /// the cheapest has none left. `false` if they already are, within the tolerance.
    fn move_once(&mut self, point: &Point, tolerance: f64) -> bool {
        let Some((best, worst)) = self.extremes() else { return false };
        let difference = self.worths[best] - self.worths[worst];
        if best == worst || difference <= tolerance {
            return false;
        }
        let (gains, loses) = (&self.common[best], &self.common[worst]);
        // Prices keep their total, so a large packing's worth falls less.
        let mean = (self.sizes[best] - self.sizes[worst]) / point.open;
        let rate = gains[best] + loses[worst] - 2.0 * gains[worst];
        let along = self.along[best] - self.along[worst];
        let rate = rate - mean * (self.sizes[best] - self.sizes[worst]) - along * along;
        let share = self.shares[worst];
        let by = if rate > 0.0 { share.min(difference / (point.radius * rate)) } else { share };
        let step = point.radius * by;
        let changes = gains.iter().zip(loses).zip(self.sizes.iter().zip(&self.along));
        for (worth, ((gain, lose), (size, other))) in self.worths.iter_mut().zip(changes) {
            *worth -= step * (gain - lose - mean * size - along * other);
        }
        self.shares[best] += by;
        self.shares[worst] -= by;
        true
    }

    /// The dearest packing, and the cheapest of those with a share.
    fn extremes(&self) -> Option<(usize, usize)> {
        let (mut best, mut worst) = (0, None);
        let mut least = f64::INFINITY;
        for (i, (&worth, &share)) in self.worths.iter().zip(&self.shares).enumerate() {
            if worth > self.worths[best] {
                best = i;
            }
            if share > 0.0 && worth < least {
                least = worth;
                worst = Some(i);
            }
        }
        worst.map(|worst| (best, worst))
    }
}

/// Number of tasks in both lists, which must be ascending.
fn common(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        count += i32::from(a[i] == b[j]);
        let (next_i, next_j) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(next_i);
        j += usize::from(next_j);
    }
    f64::from(count)
}

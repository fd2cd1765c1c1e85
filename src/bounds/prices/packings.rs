//! The packings of one host in a `bundle`, with their shares.

use super::bundle::Point;

/// Packings kept a host, beside twice the tasks a host: a best model has about as many with a share
/// as there are tasks.
const KEPT: usize = 20;
/// Moves of share in one visit of a host, for each packing.
const MOVES: usize = 2;

/// A set of tasks that fits the host.
#[derive(Clone, Debug)]
struct Packing {
    /// In order of number.
    tasks: Vec<u32>,
    /// Its part in the fractional mapping.
    share: f64,
    /// What it is worth at the model's prices.
    worth: f64,
    /// How many tasks it has in common with each packing up to itself.
    common: Vec<f64>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Packings {
    all: Vec<Packing>,
}

impl Packings {
    /// The packings in the fractional mapping.
    pub fn shared(&self) -> impl Iterator<Item = (&[u32], f64)> {
        let shared = self.all.iter().filter(|packing| packing.share > 0.0);
        shared.map(|packing| (packing.tasks.as_slice(), packing.share))
    }

    /// Keeps of each packing what `adapt` leaves.
    pub fn adapt(&mut self, adapt: impl Fn(&[u32]) -> Option<Vec<u32>>) {
        for packing in std::mem::take(&mut self.all) {
            let Some(tasks) = adapt(&packing.tasks) else { continue };
            match self.all.iter_mut().find(|other| other.tasks == tasks) {
                Some(same) => same.share += packing.share,
                None => self.push(tasks, packing.share),
            }
        }
        self.share_out();
    }

    /// Adds a packing, in place of the one that matters least if there are too many.
    pub fn add(&mut self, tasks: Vec<u32>, tasks_a_host: usize) {
        if self.all.iter().any(|packing| packing.tasks == tasks) {
            return;
        }
        if self.all.len() >= KEPT + 2 * tasks_a_host {
            let key = |packing: &Packing| (packing.share, packing.worth);
            let least = (0..self.all.len()).min_by(|&a, &b| {
                let (a, b) = (key(&self.all[a]), key(&self.all[b]));
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
            self.remove(least.unwrap_or(0));
        }
        self.push(tasks, 0.0);
        self.share_out();
    }

    fn push(&mut self, tasks: Vec<u32>, share: f64) {
        let mut common: Vec<f64> =
            self.all.iter().map(|other| common(&other.tasks, &tasks)).collect();
        common.push(tasks.len() as f64);
        self.all.push(Packing { tasks, share, worth: f64::INFINITY, common });
    }

    fn remove(&mut self, index: usize) {
        self.all.remove(index);
        for packing in &mut self.all[index..] {
            packing.common.remove(index);
        }
    }

    /// Makes shares add up to 1.
    fn share_out(&mut self) {
        let sum: f64 = self.all.iter().map(|packing| packing.share).sum();
        if sum > 0.0 {
            self.all.iter_mut().for_each(|packing| packing.share /= sum);
        } else if let Some(packing) = self.all.last_mut() {
            packing.share = 1.0;
        }
    }

    /// Moves share to where it is worth most; what the best packing is worth, and what there was to
    /// gain before.
    pub fn balance(&mut self, point: &mut Point) -> (f64, f64) {
        for packing in &mut self.all {
            packing.worth = packing.tasks.iter().map(|&t| point.price(t)).sum();
        }
        let most = self.all.iter().map(|packing| packing.worth).fold(0.0, f64::max);
        let lost = |packing: &Packing| packing.share * (most - packing.worth);
        let spread: f64 = self.all.iter().map(lost).sum();
        let before: Vec<f64> = self.all.iter().map(|packing| packing.share).collect();
        for _ in 0..MOVES * self.all.len() {
            if !self.move_once(point, 0.1 * spread) {
                break;
            }
        }
        for (packing, before) in self.all.iter().zip(before) {
            if packing.share != before {
                point.move_share(&packing.tasks, packing.share - before);
            }
        }
        (most, spread)
    }

    /// Moves share from the cheapest packing to the dearest until they are worth the same, or all of
    /// it; `false` if they are already, within the tolerance.
    fn move_once(&mut self, point: &Point, tolerance: f64) -> bool {
        let (mut best, mut worst) = (0, None);
        for (i, packing) in self.all.iter().enumerate() {
            if packing.worth > self.all[best].worth {
                best = i;
            }
            if packing.share > 0.0
                && worst.is_none_or(|worst: usize| packing.worth < self.all[worst].worth)
            {
                worst = Some(i);
            }
        }
        let Some(worst) = worst else { return false };
        let difference = self.all[best].worth - self.all[worst].worth;
        if best == worst || difference <= tolerance {
            return false;
        }
        let common = |a, b| self.common(a, b, point.open);
        let rate = common(best, best) + common(worst, worst) - 2.0 * common(best, worst);
        let share = self.all[worst].share;
        let by = if rate > 0.0 { share.min(difference / (point.radius * rate)) } else { share };
        for i in 0..self.all.len() {
            let change = self.common(i, best, point.open) - self.common(i, worst, point.open);
            self.all[i].worth -= point.radius * by * change;
        }
        self.all[best].share += by;
        self.all[worst].share -= by;
        true
    }

    /// The product of two packings, less their means: what share on one takes from the other's worth.
    fn common(&self, a: usize, b: usize, open: f64) -> f64 {
        let sizes = self.all[a].tasks.len() as f64 * self.all[b].tasks.len() as f64;
        self.all[a.max(b)].common[a.min(b)] - sizes / open
    }
}

/// How many tasks are in both; the lists are in order.
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

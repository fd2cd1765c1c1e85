//! Prices of some tasks on some hosts, improved by supergradient steps.
//!
//! Every host packs the most valuable set of the tasks offered to it. A task in no packing is too
//! cheap, one in several is too dear: if `c_t` packings contain task t, its price moves in the
//! direction `1 − c_t`, a supergradient of the price bound, smoothed over the last steps. The
//! averaged packings tend to a fractional mapping, which shows a dive where tasks belong.
//!
//! The change of a price is proportional to its square root. Prices differ by orders of magnitude,
//! and equal changes for all would be too large for low prices and too small for high ones.

use crate::knapsack::{Item, Packer};

/// The integer value of the mean price in the knapsacks. Finer prices only make knapsacks harder.
const UNIT: f64 = 65_536.0;

/// The weight of the previous direction in the smoothed direction of a step.
const INERTIA: f64 = 0.8;

/// The least price, as a fraction of the mean price. A price of zero could never rise again, since
/// changes are relative to the price.
const LEAST: f64 = 1e-6;

/// A host with its room and the tasks offered to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Stall {
    /// The index of the host in the instance.
    pub host: usize,
    /// The time still free on the host, in ticks.
    pub room: u64,
    /// The items of the knapsack, one per task offered; an item's name is its index here.
    items: Vec<Item>,
    /// The task of each item, as an index into [`Market::prices`].
    tasks: Vec<u32>,
    /// The share of each item: the fraction of recent packings that contain it, as a moving
    /// average between 0 and 1.
    shares: Vec<f64>,
}

impl Stall {
    pub fn new(host: usize, room: u64) -> Self {
        Self { host, room, ..Self::default() }
    }

    /// Offers a task, given as an index into [`Market::prices`], with its time in ticks.
    pub fn offer(&mut self, task: usize, time: u64) {
        self.items.push(Item { name: self.items.len() as u32, value: 0, weight: time });
        self.tasks.push(task as u32);
        self.shares.push(0.0);
    }

    /// The tasks offered, each with its time and share.
    pub fn offers(&self) -> impl Iterator<Item = (usize, u64, f64)> + '_ {
        let items = self.tasks.iter().zip(&self.items).zip(&self.shares);
        items.map(|((&task, item), &share)| (task as usize, item.weight, share))
    }

    /// Removes the tasks that are closed or no longer fit.
    fn retain(&mut self, is_open: &[bool]) {
        let mut kept = 0;
        for i in 0..self.items.len() {
            let stays = is_open[self.tasks[i] as usize] && self.items[i].weight <= self.room;
            if stays {
                self.items[kept] = Item { name: kept as u32, ..self.items[i] };
                self.tasks[kept] = self.tasks[i];
                self.shares[kept] = self.shares[i];
                kept += 1;
            }
        }
        self.items.truncate(kept);
        self.tasks.truncate(kept);
        self.shares.truncate(kept);
    }
}

/// Some tasks with their prices, and the hosts that they are offered to.
pub(super) struct Market {
    /// One per host.
    pub stalls: Vec<Stall>,
    /// The price of each task, positive.
    pub prices: Vec<f64>,
    /// Whether each task is open: neither placed on a host nor given up.
    is_open: Vec<bool>,
    /// The smoothed direction of each price.
    trend: Vec<f64>,
    /// In a step, the number of packings with each task; in `tidy`, the number of stalls that
    /// still offer it.
    counts: Vec<f64>,
    /// The sum of the prices of all open tasks; price steps do not change it.
    total: f64,
    /// The number of open tasks.
    open: usize,
    /// States visited per knapsack, at most.
    effort: usize,
    /// The number of items of all knapsacks solved so far.
    work: u64,
}

impl Market {
    /// Prices must be positive.
    pub fn new(stalls: Vec<Stall>, prices: Vec<f64>, effort: usize) -> Self {
        let (total, open) = (prices.iter().sum(), prices.len());
        Self {
            stalls,
            is_open: vec![true; open],
            trend: vec![0.0; open],
            counts: vec![0.0; open],
            prices,
            total,
            open,
            effort,
            work: 0,
        }
    }

    /// The number of open tasks.
    pub fn open(&self) -> usize {
        self.open
    }

    /// The number of items of all knapsacks solved so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Solves all knapsacks and moves the prices. A price changes by `step` times its smoothed
    /// direction times the geometric mean of itself and the mean price. The new packings enter the
    /// shares with weight `pace`. Returns `(Σ u − Σ_h KP_h) / Σ u` at the prices u before the
    /// step.
    pub fn step(&mut self, step: f64, pace: f64, packer: &mut Packer) -> f64 {
        let gap = self.pack(pace, packer);
        self.move_prices(step);
        gap
    }

    /// Solves all knapsacks and updates shares and counts; the result is that of `step`.
    fn pack(&mut self, pace: f64, packer: &mut Packer) -> f64 {
        let unit = UNIT * self.open as f64 / self.total;
        self.counts.fill(0.0);
        let mut packed = 0.0;
        for stall in &mut self.stalls {
            for (item, &task) in stall.items.iter_mut().zip(&stall.tasks) {
                item.value = (self.prices[task as usize] * unit) as u64;
            }
            self.work += stall.items.len() as u64;
            packed += packer.pack(&stall.items, stall.room, self.effort).at_most as f64;
            stall.shares.iter_mut().for_each(|share| *share *= 1.0 - pace);
            for &name in packer.names() {
                stall.shares[name as usize] += pace;
                self.counts[stall.tasks[name as usize] as usize] += 1.0;
            }
        }
        1.0 - packed / (UNIT * self.open as f64)
    }

    /// Moves the prices of open tasks and scales them to the same sum as before.
    fn move_prices(&mut self, step: f64) {
        let mean = self.total / self.open as f64;
        let mut sum = 0.0;
        for task in (0..self.prices.len()).filter(|&task| self.is_open[task]) {
            let trend = &mut self.trend[task];
            *trend = INERTIA * *trend + (1.0 - INERTIA) * (1.0 - self.counts[task]);
            let price = &mut self.prices[task];
            *price = (*price + step * (mean * *price).sqrt() * *trend).max(LEAST * mean);
            sum += *price;
        }
        let scale = self.total / sum;
        self.prices.iter_mut().for_each(|price| *price *= scale);
    }

    /// Places a task on a host; `false` if the task is closed or does not fit.
    pub fn place(&mut self, task: usize, stall: usize, time: u64) -> bool {
        let stall = &mut self.stalls[stall];
        let fits = self.is_open[task] && time <= stall.room;
        if fits {
            stall.room -= time;
            self.close(task);
        }
        fits
    }

    fn close(&mut self, task: usize) {
        self.is_open[task] = false;
        self.total -= self.prices[task];
        self.open -= 1;
    }

    /// Removes offers that no longer fit, then closes and returns the open tasks that no host is
    /// left for.
    pub fn tidy(&mut self) -> Vec<usize> {
        self.counts.fill(0.0);
        for stall in &mut self.stalls {
            stall.retain(&self.is_open);
            stall.tasks.iter().for_each(|&task| self.counts[task as usize] += 1.0);
        }
        let is_lost = |&task: &usize| self.is_open[task] && self.counts[task] == 0.0;
        let lost: Vec<usize> = (0..self.prices.len()).filter(is_lost).collect();
        lost.iter().for_each(|&task| self.close(task));
        lost
    }
}

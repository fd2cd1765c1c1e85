//! Prices of some tasks on some hosts, improved step by step.
//!
//! Every host packs the most valuable set of the tasks it may get. A task in no packing is too
//! cheap, one in several too dear: with `c_t` packings the price moves along `1 − c_t`, a
//! supergradient of the price bound, smoothed over the last steps. The averaged packings tend to a
//! fractional mapping, which tells a dive where tasks belong.
//!
//! A step is relative to the price, by its square root: prices differ by orders of magnitude, and
//! steps of one length for all would be noise for the cheap ones and nothing for the dear.

use crate::knapsack::{Item, Packer};

/// What the mean price is as an integer in a knapsack: finer prices only make knapsacks harder.
const UNIT: f64 = 65_536.0;

/// How much of the direction is kept from step to step.
const INERTIA: f64 = 0.8;

/// No price falls below this part of the mean, or it could not come back.
const LEAST: f64 = 1e-6;

/// A host, its room and the tasks it may get.
#[derive(Clone, Debug, Default)]
pub(super) struct Stall {
    /// The host's number outside.
    pub host: usize,
    pub room: u64,
    /// The knapsack; an item's name is its place here.
    items: Vec<Item>,
    /// The task of each item, by its place in the market.
    tasks: Vec<u32>,
    /// How often each item was packed of late, between 0 and 1.
    shares: Vec<f64>,
}

impl Stall {
    pub fn new(host: usize, room: u64) -> Self {
        Self { host, room, ..Self::default() }
    }

    /// Offers a task, by its place in the market.
    pub fn offer(&mut self, task: usize, time: u64) {
        self.items.push(Item { name: self.items.len() as u32, value: 0, weight: time });
        self.tasks.push(task as u32);
        self.shares.push(0.0);
    }

    /// Each task with its time and share.
    pub fn offers(&self) -> impl Iterator<Item = (usize, u64, f64)> + '_ {
        let items = self.tasks.iter().zip(&self.items).zip(&self.shares);
        items.map(|((&task, item), &share)| (task as usize, item.weight, share))
    }

    /// Forgets the tasks that are gone or do not fit any more.
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

/// Tasks, hosts and prices.
pub(super) struct Market {
    pub stalls: Vec<Stall>,
    pub prices: Vec<f64>,
    /// Which tasks still want a host.
    is_open: Vec<bool>,
    /// The smoothed direction.
    trend: Vec<f64>,
    counts: Vec<f64>,
    /// What the prices of open tasks add up to.
    total: f64,
    open: usize,
    /// States looked at in one knapsack, at most.
    effort: usize,
    /// Items packed so far, or not.
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

    pub fn open(&self) -> usize {
        self.open
    }

    pub fn work(&self) -> u64 {
        self.work
    }

    /// One step of length `step`; shares move by `pace` towards the new packings. Returns what the
    /// prices lack, `Σ u − Σ_h KP_h` as a part of `Σ u`, before the step.
    pub fn step(&mut self, step: f64, pace: f64, packer: &mut Packer) -> f64 {
        let gap = self.pack(pace, packer);
        self.move_prices(step);
        gap
    }

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

    /// Puts a task on a host; `false` if there is no room.
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

    /// Drops what no longer fits; the tasks that have no host left, which are closed.
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

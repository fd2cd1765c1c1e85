//! Which missing pairs a node needs, so that its prices refute a case or exclude pairs in it.
//!
//! With a pair (t, h) that is missing, host h could hold more. It is not needed that it is missing
//! if no set with t fits h that is worth more than the node allows there: `KP_h` if
//! the prices refute the case, or `KP_h` less the losses that exclude
//! pairs. A task that is placed on h gets a price so high that h holds it in its best sets, and
//! which is otherwise as low as possible: then its other pairs are often not needed either.

use std::collections::HashMap;

use super::marked::{Marked, Needed};
use super::{Node, Refuted};
use crate::knapsack::{Item, Packer};
use crate::veripb::prices::EFFORT;
use gridsat_model::{HostId, TaskId};

/// A host's open tasks with their prices.
#[derive(Clone)]
struct Sack {
    host: HostId,
    items: Vec<Item>,
    room: u64,
    /// The largest total price that fits.
    best: u64,
}

/// The knapsacks of a case.
#[derive(Clone)]
pub struct Priced {
    prices: Vec<u64>,
    sacks: Vec<Sack>,
    /// The price of all open tasks.
    total: u64,
}

/// What a host loses at least with a task, or without it.
struct Losses {
    slack: u64,
    /// With the task, and without it.
    of: HashMap<(TaskId, HostId), (u64, u64)>,
}

impl Priced {
    pub fn new(case: &Marked, prices: &[u64]) -> Self {
        let mut packer = Packer::default();
        let mut sacks = Vec::new();
        for host in case.instance.hosts() {
            let item = |task: TaskId| Item {
                name: task.0,
                value: prices[task.index()],
                weight: case.time(task, host).0,
            };
            let items: Vec<Item> = case.open(host).map(item).collect();
            let room = case.room(host).0;
            let best = packer.pack(&items, room, EFFORT).at_most;
            sacks.push(Sack { host, items, room, best });
        }
        let open = case.instance.tasks().filter(|&task| !case.is_placed(task));
        let total = open.map(|task| prices[task.index()]).sum();
        Self { prices: prices.to_vec(), sacks, total }
    }

    fn packed(&self) -> u64 {
        self.sacks.iter().map(|sack| sack.best).sum()
    }

    /// How much more the prices add up to than fits.
    fn spare(&self) -> Option<u64> {
        self.total.checked_sub(self.packed() + 1)
    }

    /// The same with prices that add up to less, the least first.
    fn coarser<'c>(&'c self, case: &'c Marked) -> impl Iterator<Item = Self> + 'c {
        let least = 4 * self.prices.len() as u64;
        let totals = std::iter::successors(Some(least), |total| Some(total * 2));
        let total = self.total.max(1);
        totals.take_while(move |&sum| sum < total).map(move |sum| {
            let scaled = |&price: &u64| {
                let scaled = u128::from(price) * u128::from(sum) * 2 / u128::from(total);
                scaled.div_ceil(2) as u64
            };
            Self::new(case, &self.prices.iter().map(scaled).collect::<Vec<u64>>())
        })
    }

    /// The refutation of the case, if these prices refute it: the coarsest that keep half of what
    /// they have to spare.
    pub fn refute(&self, case: &Marked) -> Option<Refuted> {
        let spare = self.spare()?;
        let is_good = |coarse: &Self| {
            let part = |priced: &Self, spare: u64| spare as f64 / priced.total as f64;
            coarse.spare().is_some_and(|left| part(coarse, left) * 2.0 >= part(self, spare))
        };
        let mut priced = self.coarser(case).find(is_good).unwrap_or_else(|| self.clone());
        priced.widen(case, 0);
        let mut needed = Needed::none(case.instance);
        priced.need(case, |sack| sack.best, &mut needed);
        Some(Refuted { nodes: vec![Node::Prices(priced.prices)], needed })
    }

    /// The refutation of the case by a solver. Formulas grow fast with the pairs of the case, so all
    /// missing pairs are needed.
    pub fn narrow(self, case: &Marked) -> Refuted {
        let mut needed = Needed::none(case.instance);
        case.instance.tasks().for_each(|task| case.need_all(task, &mut needed));
        Refuted { nodes: vec![Node::Unsat(self.prices)], needed }
    }

    /// The pairs that the prices exclude; they must not refute the case.
    pub fn excluded(&self, case: &Marked) -> Vec<(TaskId, HostId)> {
        let losses = self.losses();
        let pairs =
            self.sacks.iter().flat_map(|sack| case.open(sack.host).map(|task| (task, sack.host)));
        pairs.filter(|&pair| losses.excess(pair, self).is_some()).collect()
    }

    fn losses(&self) -> Losses {
        let mut packer = Packer::default();
        let slack = self.packed().saturating_sub(self.total);
        let mut of = HashMap::new();
        for sack in &self.sacks {
            let threshold = sack.best.saturating_sub(slack);
            let (_, forced) = packer.forced(&sack.items, sack.room, threshold, EFFORT);
            for (item, values) in sack.items.iter().zip(forced) {
                let loss = |value: u64| sack.best.saturating_sub(value).min(slack + 1);
                let pair = (TaskId(item.name), sack.host);
                of.insert(pair, (loss(values.with), loss(values.without)));
            }
        }
        Losses { slack, of }
    }

    /// Prices that exclude these pairs, which those of the node do.
    pub fn exclude(
        &self,
        case: &Marked,
        pairs: &[(TaskId, HostId)],
        needed: &mut Needed,
    ) -> Option<Vec<u64>> {
        let excess = |priced: &Self, losses: &Losses| {
            let all = pairs.iter().map(|&pair| losses.excess(pair, priced));
            all.min().flatten().map(|least| (least + 1) as f64 / priced.total as f64)
        };
        let losses = self.losses();
        let exact = excess(self, &losses)?;
        let with_losses = |priced: Self| {
            let losses = priced.losses();
            (priced, losses)
        };
        let is_good = |(priced, losses): &(Self, Losses)| {
            priced.spare().is_none()
                && excess(priced, losses).is_some_and(|left| left * 2.0 >= exact)
        };
        let coarse = self.coarser(case).map(with_losses).find(is_good);
        let (mut priced, losses) = coarse.unwrap_or_else(|| (self.clone(), losses));
        let mut most: HashMap<HostId, u64> = HashMap::new();
        for &pair in pairs {
            for (host, loss) in losses.used(pair, &priced) {
                let most = most.entry(host).or_default();
                *most = loss.max(*most);
            }
        }
        priced.widen(case, losses.slack + 1);
        let top =
            |sack: &Sack| sack.best.saturating_sub(most.get(&sack.host).copied().unwrap_or(0));
        priced.need(case, top, needed);
        Some(priced.prices)
    }

    /// Gives prices to the tasks that are placed. Without one of them, its host holds less than its
    /// best by the margin.
    fn widen(&mut self, case: &Marked, margin: u64) {
        let mut packer = Packer::default();
        for sack in &mut self.sacks {
            for &task in case.placed_on(sack.host).iter().rev() {
                let weight = case.time(task, sack.host).0;
                sack.room += weight;
                let without = packer.pack(&sack.items, sack.room, EFFORT).at_most;
                let value = (without + margin).saturating_sub(sack.best);
                self.prices[task.index()] = value;
                self.total += value;
                sack.best += value;
                sack.items.push(Item { name: task.0, value, weight });
            }
        }
    }

    /// Adds the missing pairs with which a host would hold more than `top` says.
    fn need(&mut self, case: &Marked, top: impl Fn(&Sack) -> u64, needed: &mut Needed) {
        let mut packer = Packer::default();
        for sack in &mut self.sacks {
            let (host, most) = (sack.host, top(sack));
            let item = |task: TaskId| Item {
                name: task.0,
                value: self.prices[task.index()],
                weight: case.time(task, host).0,
            };
            let missing = case
                .instance
                .tasks()
                .filter(|&task| case.could_be(task, host) && !case.is_possible(task, host));
            let mut missing: Vec<Item> = missing.map(item).collect();
            let rate = |item: &Item| item.value as f64 / item.weight.max(1) as f64;
            missing.sort_by(|a, b| rate(a).total_cmp(&rate(b)));
            for item in missing {
                let room = sack.room - item.weight;
                let with = packer.pack(&sack.items, room, EFFORT).at_most;
                if with + item.value <= most {
                    sack.items.push(item);
                } else {
                    case.need((TaskId(item.name), host), needed);
                }
            }
        }
    }
}

impl Losses {
    /// The losses of all hosts if the pair is used, largest first.
    fn all(&self, (task, host): (TaskId, HostId), priced: &Priced) -> Vec<(HostId, u64)> {
        let loss = |sack: &Sack| {
            let &(with, without) = self.of.get(&(task, sack.host))?;
            Some((sack.host, if sack.host == host { with } else { without }))
        };
        let mut all: Vec<_> = priced.sacks.iter().filter_map(loss).collect();
        all.sort_by_key(|&(_, loss)| std::cmp::Reverse(loss));
        all
    }

    /// By how much the losses exceed the slack, less 1; `None` if they do not.
    fn excess(&self, pair: (TaskId, HostId), priced: &Priced) -> Option<u64> {
        let sum: u64 = self.all(pair, priced).iter().map(|(_, loss)| loss).sum();
        sum.checked_sub(self.slack + 1)
    }

    /// Losses of few hosts that exclude the pair.
    fn used(&self, pair: (TaskId, HostId), priced: &Priced) -> Vec<(HostId, u64)> {
        let mut left = self.slack + 1;
        let mut used = Vec::new();
        for (host, loss) in self.all(pair, priced) {
            if left == 0 {
                break;
            }
            used.push((host, loss.min(left)));
            left = left.saturating_sub(loss);
        }
        used
    }
}

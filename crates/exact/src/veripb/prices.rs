//! Cases refuted by task prices.
//!
//! Each host h has the constraint `Σ_t u_t·x_th ≤ KP_h`, shown by its table ([`Table`]). Added to
//! the task constraints times their prices that is `Σ u ≤ Σ KP_h`: a contradiction if the prices
//! refute the case. What they exceed by more than 1 is added to the values of the hosts, which
//! makes tables smaller.

use std::io::Write;

use super::VeripbError;
use super::case::{Case, Fact, Refuted};
use super::lines::{Definition, Lines};
use super::states::{Item, State};
use super::table::Table;
use crate::knapsack::{self, Packer};
use gridsat_model::{HostId, TaskId, Ticks};

/// States visited per knapsack; enough for the values of all certificates that were accepted.
pub const EFFORT: usize = 100_000_000;

/// Items of a knapsack; a table has a row per item, as long as the items left.
const MOST_ITEMS: usize = 5000;

/// A host's knapsack: its open tasks with a price, and its room.
pub(super) struct Sack {
    pub tasks: Vec<TaskId>,
    pub items: Vec<Item>,
    /// Its open tasks without a price, which only take room.
    pub unpriced: Vec<(TaskId, Item)>,
    pub room: u64,
    /// The largest total price that fits.
    pub best: u64,
    /// The total price of all its tasks.
    total: u64,
    /// The host's load constraint.
    pub row: Fact,
}

impl Sack {
    /// Whether the items have these weights and values, and the room is this.
    fn is_alike(&self, items: &[Item], room: u64) -> bool {
        let numbers = |item: &Item| (item.weight, item.value);
        self.room == room && self.items.iter().map(numbers).eq(items.iter().map(numbers))
    }

    /// A table in the order that is best to show that the host holds no more than this price.
    fn table(&self, most: u64) -> Table {
        Table::new(&self.items, State { room: self.room, need: most + 1 })
    }
}

/// The knapsacks of a case for some prices.
pub struct Sacks<'c, 'a> {
    case: &'c mut Case<'a>,
    prices: &'c [u64],
    sacks: Vec<Sack>,
    /// The total price of the open tasks.
    total: u128,
}

impl<'c, 'a> Sacks<'c, 'a> {
    /// Those of all hosts.
    pub fn new<W: Write>(
        case: &'c mut Case<'a>,
        prices: &'c [u64],
        lines: &mut Lines<W>,
    ) -> Result<Self, VeripbError> {
        let hosts = case.problem.instance.hosts();
        Self::of(case, prices, hosts, lines)
    }

    /// Those of some hosts.
    pub fn of<W: Write>(
        case: &'c mut Case<'a>,
        prices: &'c [u64],
        hosts: impl Iterator<Item = HostId>,
        lines: &mut Lines<W>,
    ) -> Result<Self, VeripbError> {
        let total = case.open_tasks().map(|task| u128::from(prices[task.index()])).sum();
        if total > u128::from(knapsack::MAX_TOTAL) {
            return Err(VeripbError::NotShown);
        }
        let mut packer = Packer::default();
        let mut sacks: Vec<Sack> = Vec::new();
        for host in hosts {
            lines.go_on()?;
            let item = |(task, time): (TaskId, Ticks)| {
                let literal = case.problem.pair(task, host);
                (task, Item { literal, weight: time.0, value: prices[task.index()] })
            };
            let open = case.open(host).map(item);
            let (priced, unpriced): (Vec<_>, Vec<_>) = open.partition(|(_, item)| item.value > 0);
            let (tasks, items): (Vec<TaskId>, Vec<Item>) = priced.into_iter().unzip();
            let total = items.iter().map(|item| item.value).sum();
            let room = case.room(host).0;
            if items.len() > MOST_ITEMS {
                return Err(VeripbError::NotShown);
            }
            let best = match sacks.last().filter(|last| last.is_alike(&items, room)) {
                Some(last) => last.best,
                None => packer.pack(&packable(&items), room, EFFORT).at_most,
            };
            let row = case.row(host, lines)?;
            sacks.push(Sack { tasks, items, unpriced, room, best, total, row });
        }
        Ok(Self { case, prices, sacks, total })
    }

    fn packed(&self) -> u128 {
        self.sacks.iter().map(|sack| u128::from(sack.best)).sum()
    }

    /// The case is refuted because no packing of the hosts reaches the total price.
    pub fn refute<W: Write>(self, lines: &mut Lines<W>) -> Result<Refuted, VeripbError> {
        let tasks = self.task_sum(lines)?;
        let total = self.total;
        self.refute_by(tasks, total, lines)
    }

    /// The case is refuted because no packing reaches this total price, which the hosts hold
    /// together by a constraint on their tasks.
    pub fn refute_by<W: Write>(
        self,
        held: Fact,
        total: u128,
        lines: &mut Lines<W>,
    ) -> Result<Refuted, VeripbError> {
        let spare = total.checked_sub(self.packed() + 1).ok_or(VeripbError::NotShown)?;
        let mut spare = u64::try_from(spare).unwrap_or(u64::MAX);
        let mut facts = vec![held];
        let mut left = self.sacks.iter().filter(|sack| sack.best < sack.total).count() as u64;
        for sack in self.sacks.iter().filter(|sack| sack.best < sack.total) {
            let share = (spare / left).min(sack.total - sack.best);
            (spare, left) = (spare - share, left - 1);
            let most = sack.best + share;
            if most < sack.total {
                let start = (lines.next(), lines.names());
                let limit = self.limit(sack, most, &mut sack.table(most), lines)?;
                lines.forget(start, limit.id)?;
                facts.push(limit);
            }
        }
        let sum = self.case.sum(&facts.iter().map(|fact| (fact, 1)).collect::<Vec<_>>(), lines)?;
        Ok(self.case.refute(&[&sum], lines)?)
    }

    /// Every open task is on a host, times the prices.
    fn task_sum<W: Write>(&self, lines: &mut Lines<W>) -> Result<Fact, VeripbError> {
        let price = |task: TaskId| u128::from(self.prices[task.index()]);
        let tasks = self.case.open_tasks().map(|task| (self.case.task(task), price(task)));
        Ok(self.case.sum(&tasks.collect::<Vec<_>>(), lines)?)
    }

    /// The constraint that the host holds tasks of at most this price, which is less than all of
    /// its tasks have.
    fn limit<W: Write>(
        &self,
        sack: &Sack,
        most: u64,
        table: &mut Table,
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        let root = State { room: sack.room, need: most + 1 };
        let shown = table.show(root, lines)?;
        let heavy = self.heavy(sack, shown.light, lines)?;
        let clause = Fact::always(shown.clause);
        let not_worth = self.case.derive(&[!shown.worth.literal], &[&clause, &heavy], lines)?;
        let limit = Fact::always(shown.worth.when_false);
        Ok(self.case.sum(&[(&limit, 1), (&not_worth, u128::from(sack.total - most))], lines)?)
    }

    /// Either `light`, about tasks of the host, is true, or its load exceeds the room.
    fn heavy<W: Write>(
        &self,
        sack: &Sack,
        light: Definition,
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        Ok(self.case.sum(&[(&sack.row, 1), (&Fact::always(light.when_false), 1)], lines)?)
    }

    /// The limits of all hosts; the refutation if the prices refute the case.
    pub fn limited<W: Write>(
        self,
        lines: &mut Lines<W>,
    ) -> Result<Result<Limited<'c, 'a>, Refuted>, VeripbError> {
        match self.packed().checked_sub(self.total) {
            None => Ok(Err(self.refute(lines)?)),
            Some(slack) => {
                let slack = u64::try_from(slack).map_err(|_| VeripbError::NotShown)?;
                Ok(Ok(Limited::new(self, slack, lines)?))
            }
        }
    }
}

pub(super) fn packable(items: &[Item]) -> Vec<knapsack::Item> {
    let item = |(name, item): (u32, &Item)| knapsack::Item {
        name,
        value: item.value,
        weight: item.weight,
    };
    (0..).zip(items).map(item).collect()
}

/// The knapsacks with the limit of each host shown.
pub struct Limited<'c, 'a> {
    sacks: Sacks<'c, 'a>,
    /// How much less than their best all hosts hold together.
    pub(super) slack: u64,
    pub(super) tables: Vec<Table>,
    /// The task constraints times their prices.
    tasks: Fact,
    /// The limit of each host; `None` if it holds anyway.
    limits: Vec<Option<Fact>>,
    /// The sum of the task constraints and the limits of all hosts but one, for each host.
    pub(super) others: Vec<Fact>,
}

impl<'c, 'a> Limited<'c, 'a> {
    fn new<W: Write>(
        sacks: Sacks<'c, 'a>,
        slack: u64,
        lines: &mut Lines<W>,
    ) -> Result<Self, VeripbError> {
        let tasks = sacks.task_sum(lines)?;
        let mut tables: Vec<Table> = sacks.sacks.iter().map(|sack| sack.table(sack.best)).collect();
        let mut limits = Vec::new();
        for (sack, table) in sacks.sacks.iter().zip(&mut tables) {
            let is_needed = sack.best < sack.total;
            let limit = is_needed.then(|| sacks.limit(sack, sack.best, table, lines));
            limits.push(limit.transpose()?);
        }
        let mut limited = Self { sacks, slack, tables, tasks, limits, others: Vec::new() };
        for index in 0..limited.len() {
            let others = limited.all_but(&[index], lines)?;
            limited.others.push(others);
        }
        Ok(limited)
    }

    /// The number of hosts.
    pub fn len(&self) -> usize {
        self.sacks.sacks.len()
    }

    pub fn case(&self) -> &Case<'a> {
        self.sacks.case
    }

    pub(super) fn sacks(&self) -> &[Sack] {
        &self.sacks.sacks
    }

    /// The open tasks of the host that have a price.
    pub fn items(&self, index: usize) -> &[Item] {
        &self.sacks.sacks[index].items
    }

    /// What the host must hold at least, and its room.
    pub fn window(&self, index: usize) -> State {
        let Sack { room, best, .. } = self.sacks.sacks[index];
        State { room, need: best.saturating_sub(self.slack) }
    }

    /// Either `light`, about tasks of the host, is true, or its load exceeds the room.
    pub fn heavy<W: Write>(
        &self,
        index: usize,
        light: Definition,
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        self.sacks.heavy(&self.sacks.sacks[index], light, lines)
    }

    /// Either `worth`, about tasks of the host, is true, or all hosts hold too little.
    pub fn too_little<W: Write>(
        &self,
        index: usize,
        worth: Definition,
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        let worth = Fact::always(worth.when_false);
        Ok(self.case().sum(&[(&self.others[index], 1), (&worth, 1)], lines)?)
    }

    /// The sum of the task constraints and the limits of all hosts but these.
    pub(super) fn all_but<W: Write>(
        &self,
        without: &[usize],
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        let kept = (0..).zip(&self.limits).filter(|(index, _)| !without.contains(index));
        let limits = kept.filter_map(|(_, limit)| limit.as_ref());
        let parts: Vec<(&Fact, u128)> =
            [&self.tasks].into_iter().chain(limits).map(|fact| (fact, 1)).collect();
        Ok(self.case().sum(&parts, lines)?)
    }
}

//! Fills hosts in a given order, with a beam of partial fillings.
//!
//! A partial filling costs what its hosts waste, and for each task that is left the least regret on
//! the later hosts. Where that exceeds the budget, the filling is dropped. Of the others those are
//! kept for which waste and *soft* regrets (`soft`) add up to least. With the soft regrets `here`
//! and `later`, on the hosts from the present one on and after it, filling host h with the tasks X
//! adds
//!
//! `w_h·room_h + Σ_left (later_t − here_t) − Σ_X (least_t + later_t)`
//!
//! so the best X is a knapsack with the values `least_t + later_t`. Its table gives the best set,
//! and random ones that are worse by a few ticks.

use std::collections::HashSet;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::costs::Costs;
use super::soft;
use gridsat_model::Stop;

/// Partial fillings kept per host.
const WIDTH: usize = 50;
/// Sets of tasks drawn for a host of a partial filling.
const SETS: usize = 6;
/// How much worse than the best set others may be, in ticks of mean weight.
const DEPTH: f64 = 2.0;

/// The tasks that are left, by their positions in the pool: one bit each.
type Left = Vec<u64>;

/// Some hosts are filled.
struct Partial {
    left: Left,
    /// By least regrets; at most the budget.
    cost: i64,
    /// By soft regrets; less is better.
    rank: i64,
    /// Draws between equal ranks.
    luck: u32,
    /// The partial filling without the last host.
    before: usize,
    /// The tasks of the last host, by their positions in the pool.
    tasks: Vec<usize>,
}

/// A task that the present host may take.
struct Item {
    position: usize,
    time: usize,
    /// 32 bits, so that a table takes half the time.
    value: i32,
}

/// Buffers that are reused, and what has been done.
#[derive(Default)]
pub(super) struct Beam {
    items: Vec<Item>,
    /// The best value of the items from one on within a room: one row per item.
    table: Vec<i32>,
    /// Entries of tables so far.
    pub effort: u64,
}

/// The hosts to fill, in order, with the tasks of the pool.
pub(super) struct Task<'a> {
    pub costs: &'a Costs,
    pub order: &'a [usize],
    pub pool: &'a [usize],
    /// What these hosts may waste.
    pub budget: i64,
    /// Of the soft regrets, per tick.
    pub beta: f64,
    /// What a filled host is worth beside a lower rank.
    pub worth: i64,
}

impl Task<'_> {
    /// More than the budget: the regret of a task that has no host.
    fn never(&self) -> i64 {
        2 * (self.budget.max(0) + 1)
    }
}

/// The best partial filling.
pub(super) struct Filled {
    /// The tasks of the first hosts of the order.
    pub columns: Vec<Vec<usize>>,
    /// Its rank, less the worth of the hosts filled.
    pub energy: i64,
}

impl Beam {
    /// The partial filling of least energy whose cost is within the budget. `None` if the least
    /// regrets alone exceed it.
    pub fn fill(
        &mut self,
        task: &Task<'_>,
        random: &mut ChaCha8Rng,
        stop: &Stop,
    ) -> Option<Filled> {
        let Task { costs, order, pool, budget, .. } = *task;
        // Counted even if nothing is tried, so that searches end.
        self.effort += (order.len() * pool.len()) as u64;
        let regrets = least_regrets(task);
        let soft = soft::regrets(costs, order, pool, (task.beta, task.never()));
        let cost = regrets[0].iter().sum::<i64>();
        if budget < 0 || cost > budget {
            return None;
        }
        let (left, rank) = (full(pool.len()), soft[0].iter().sum());
        let first = Partial { left, cost, rank, luck: 0, before: 0, tasks: vec![] };
        let mut layers = vec![vec![first]];
        for (number, &host) in order.iter().enumerate() {
            let delays = Delays {
                least: (&regrets[number], &regrets[number + 1]),
                soft: (&soft[number], &soft[number + 1]),
            };
            let place = Place { costs, pool, host, budget, delays };
            let next = self.layer(&layers[number], &place, random, stop);
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        Some(best(&layers, task))
    }

    /// The best partial fillings with one more host.
    fn layer(
        &mut self,
        before: &[Partial],
        place: &Place,
        random: &mut ChaCha8Rng,
        stop: &Stop,
    ) -> Vec<Partial> {
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        for (number, partial) in before.iter().enumerate() {
            if stop.is_due() {
                return Vec::new();
            }
            for set in self.sets(partial, place, random) {
                let mut left = partial.left.clone();
                let taken = set.tasks.iter();
                taken.for_each(|&position| left[position / 64] &= !(1 << (position % 64)));
                if seen.insert(left.clone()) {
                    let (luck, Set { cost, rank, tasks }) = (random.random(), set);
                    next.push(Partial { left, cost, rank, luck, before: number, tasks });
                }
            }
        }
        if next.len() > WIDTH {
            next.select_nth_unstable_by_key(WIDTH, |partial| (partial.rank, partial.luck));
            next.truncate(WIDTH);
        }
        next
    }

    /// Sets of tasks for the host that keep the filling within the budget.
    fn sets(&mut self, partial: &Partial, place: &Place, random: &mut ChaCha8Rng) -> Vec<Set> {
        let Place { costs, pool, host, budget, delays } = *place;
        let room = costs.rooms[host];
        let left = || (0..pool.len()).filter(|&position| has(&partial.left, position));
        let delay = |(here, later): (&[i64], &[i64])| {
            left().map(|position| later[position] - here[position]).sum::<i64>()
        };
        let empty = room as i64 * costs.weights[host];
        let cost = partial.cost + empty + delay(delays.least);
        let rank = partial.rank + empty + delay(delays.soft);
        self.items.clear();
        self.items.extend(left().filter_map(|position| place.item(position)));
        self.items.shuffle(random);
        self.tabulate(room);
        let mut sets = Vec::with_capacity(SETS);
        for number in 0..SETS {
            let worse = random.random_range(0..=Costs::of_ticks(DEPTH)) as i32;
            let (value, tasks) = self.draw(room, if number == 0 { 0 } else { worse }, random);
            let saved = |&position: &usize| costs.least[pool[position]] + delays.least.1[position];
            let cost = cost - tasks.iter().map(saved).sum::<i64>();
            if cost <= budget {
                sets.push(Set { cost, rank: rank - value, tasks });
            }
        }
        sets
    }

    /// Computes the table; its first row is that of all items.
    fn tabulate(&mut self, room: usize) {
        let row = room + 1;
        self.table.clear();
        self.table.resize((self.items.len() + 1) * row, 0);
        self.effort += self.table.len() as u64;
        for (number, item) in self.items.iter().enumerate().rev() {
            let (this, next) = self.table[number * row..].split_at_mut(row);
            let next = &next[..row];
            this[..item.time].copy_from_slice(&next[..item.time]);
            for ((best, &without), &with) in
                this[item.time..].iter_mut().zip(&next[item.time..]).zip(next)
            {
                // Without the check for overflow, which would keep the loop from being vectorised:
                // no sum exceeds the worth of the room.
                *best = without.max(with.wrapping_add(item.value));
            }
        }
    }

    /// A random set whose value is at most `worse` below the best. Returns value and positions.
    fn draw(&self, room: usize, mut worse: i32, random: &mut ChaCha8Rng) -> (i64, Vec<usize>) {
        let (row, mut room) = (room + 1, room);
        let (mut value, mut tasks) = (0, Vec::new());
        for (number, item) in self.items.iter().enumerate() {
            let best = self.table[number * row + room];
            let next = &self.table[(number + 1) * row..];
            let loss_without = best - next[room];
            let loss_with = room.checked_sub(item.time).map(|rest| best - next[rest] - item.value);
            let may_leave = loss_without <= worse;
            let takes = match loss_with.filter(|&loss| loss <= worse) {
                Some(loss) if !may_leave || random.random_bool(0.5) => Some(loss),
                _ => None,
            };
            worse -= takes.unwrap_or(loss_without);
            if takes.is_some() {
                room -= item.time;
                value += i64::from(item.value);
                tasks.push(item.position);
            }
        }
        (value, tasks)
    }
}

/// The regrets of the tasks of the pool on the present host and later ones, and on later ones
/// alone.
#[derive(Clone, Copy)]
struct Delays<'a> {
    least: (&'a [i64], &'a [i64]),
    soft: (&'a [i64], &'a [i64]),
}

/// Some tasks for the present host, by their positions in the pool, with the cost and the rank of
/// the filling that they lead to.
struct Set {
    cost: i64,
    rank: i64,
    tasks: Vec<usize>,
}

/// The host to fill, and what does not change while it is filled.
struct Place<'a> {
    costs: &'a Costs,
    pool: &'a [usize],
    host: usize,
    budget: i64,
    delays: Delays<'a>,
}

impl Place<'_> {
    /// The task at this position of the pool, unless it is much better off on a later host.
    fn item(&self, position: usize) -> Option<Item> {
        let task = self.pool[position];
        let regret = self.costs.regret(task, self.host)?;
        let time = self.costs.time(task, self.host)?;
        let value = self.costs.least[task] + self.delays.soft.1[position];
        let is_near = regret <= self.delays.least.1[position] + Costs::of_ticks(DEPTH);
        let value = i32::try_from(value).ok().filter(|_| is_near)?;
        Some(Item { position, time, value })
    }
}

/// The least regret of each task of the pool on the hosts of the order from each one on. Where
/// there is none, leaving the task out costs more than the budget.
fn least_regrets(task: &Task<'_>) -> Vec<Vec<i64>> {
    let Task { costs, order, pool, .. } = *task;
    let mut regrets = vec![vec![task.never(); pool.len()]; order.len() + 1];
    for (number, &host) in order.iter().enumerate().rev() {
        for (position, &task) in pool.iter().enumerate() {
            let later = regrets[number + 1][position];
            let here = costs.regret(task, host).unwrap_or(later);
            regrets[number][position] = later.min(here);
        }
    }
    regrets
}

/// All positions below `count`.
fn full(count: usize) -> Left {
    let mut left = vec![u64::MAX; count.div_ceil(64)];
    if let (Some(last), rest @ 1..) = (left.last_mut(), count % 64) {
        *last = (1 << rest) - 1;
    }
    left
}

fn has(left: &[u64], position: usize) -> bool {
    left[position / 64] >> (position % 64) & 1 == 1
}

/// The partial filling of least energy of all layers, or of the last one if all hosts are filled.
fn best(layers: &[Vec<Partial>], task: &Task<'_>) -> Filled {
    let energy = |depth: usize, partial: &Partial| partial.rank - depth as i64 * task.worth;
    let from = if layers.len() > task.order.len() { task.order.len() } else { 0 };
    let numbered = layers.iter().enumerate().skip(from).flat_map(|(depth, layer)| {
        let partials = layer.iter().enumerate();
        partials.map(move |(number, p)| (energy(depth, p), p.luck, depth, number))
    });
    let (energy, _, depth, mut number) = numbered.min().expect("layers are not empty");
    let mut columns = Vec::with_capacity(depth);
    for layer in layers[1..=depth].iter().rev() {
        let partial = &layer[number];
        columns.push(partial.tasks.iter().map(|&position| task.pool[position]).collect());
        number = partial.before;
    }
    columns.reverse();
    Filled { columns, energy }
}

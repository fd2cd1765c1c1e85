//! Fills hosts in a given order, with a beam of partial fillings.
//!
//! A partial filling costs what its hosts waste, and for each task that is left the least regret on
//! the later hosts. With the regrets `here` and `later`, the least ones on the hosts from the
//! present one on and after it, filling host h with the tasks X adds
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
use gridsat_model::Stop;

/// Partial fillings kept per host.
const WIDTH: usize = 50;
/// Sets of tasks drawn for a host of a partial filling.
const SETS: usize = 6;
/// How much worse than the best set others may be, in ticks of mean weight.
const DEPTH: i64 = 2;

/// The tasks that are left, by their positions in the pool: one bit each.
type Left = Vec<u64>;

/// Some hosts are filled.
struct Partial {
    left: Left,
    cost: i64,
    /// Draws between equal costs.
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
    value: i64,
}

/// Buffers that are reused, and what has been done.
#[derive(Default)]
pub(super) struct Beam {
    items: Vec<Item>,
    /// The best value of the items from one on within a room: one row per item.
    table: Vec<i64>,
    /// Entries of tables so far.
    pub effort: u64,
}

impl Beam {
    /// The tasks of the first hosts of the order, as many hosts as could be filled such that the
    /// cost stays within the budget.
    pub fn fill(
        &mut self,
        costs: &Costs,
        order: &[usize],
        pool: &[usize],
        budget: i64,
        random: &mut ChaCha8Rng,
        stop: &Stop,
    ) -> Vec<Vec<usize>> {
        // Counted even if nothing is tried, so that searches end.
        self.effort += (order.len() * pool.len()) as u64;
        let regrets = regrets(costs, order, pool, budget);
        let cost = regrets[0].iter().sum::<i64>();
        if budget < 0 || cost > budget {
            return Vec::new();
        }
        let all = pool.len().div_ceil(64);
        let first =
            Partial { left: full(pool.len(), all), cost, luck: 0, before: 0, tasks: vec![] };
        let mut layers = vec![vec![first]];
        for (number, &host) in order.iter().enumerate() {
            let (here, later) = (&regrets[number], &regrets[number + 1]);
            let place = Place { costs, pool, host, budget, here, later };
            let next = self.layer(&layers[number], &place, random, stop);
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        trace(&layers, pool)
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
            for (cost, tasks) in self.sets(partial, place, random) {
                let mut left = partial.left.clone();
                tasks.iter().for_each(|&position| left[position / 64] &= !(1 << (position % 64)));
                if seen.insert(left.clone()) {
                    let luck = random.random();
                    next.push(Partial { left, cost, luck, before: number, tasks });
                }
            }
        }
        if next.len() > WIDTH {
            next.select_nth_unstable_by_key(WIDTH, |partial| (partial.cost, partial.luck));
            next.truncate(WIDTH);
        }
        next
    }

    /// Sets of tasks for the host, each with the cost of the filling that it leads to.
    fn sets(
        &mut self,
        partial: &Partial,
        place: &Place,
        random: &mut ChaCha8Rng,
    ) -> Vec<(i64, Vec<usize>)> {
        let Place { costs, host, budget, here, later, .. } = *place;
        let room = costs.rooms[host];
        let left = || (0..here.len()).filter(|&position| has(&partial.left, position));
        let delay: i64 = left().map(|position| later[position] - here[position]).sum();
        let nothing = partial.cost + room as i64 * costs.weights[host] + delay;
        self.items.clear();
        self.items.extend(left().filter_map(|position| place.item(position)));
        self.items.shuffle(random);
        self.tabulate(room);
        let least = nothing - self.table[room];
        if least > budget {
            return Vec::new();
        }
        let most = (budget - least).min(Costs::of_ticks(DEPTH));
        let mut sets = Vec::with_capacity(SETS);
        for number in 0..SETS as i64 {
            let worse = Costs::of_ticks(random.random_range(0..=DEPTH)).min(most);
            let (value, tasks) = self.draw(room, if number == 0 { 0 } else { worse }, random);
            sets.push((nothing - value, tasks));
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
                *best = without.max(with + item.value);
            }
        }
    }

    /// A random set whose value is at most `worse` below the best. Returns value and positions.
    fn draw(&self, room: usize, mut worse: i64, random: &mut ChaCha8Rng) -> (i64, Vec<usize>) {
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
                value += item.value;
                tasks.push(item.position);
            }
        }
        (value, tasks)
    }
}

/// The host to fill, and what does not change while it is filled.
struct Place<'a> {
    costs: &'a Costs,
    pool: &'a [usize],
    host: usize,
    budget: i64,
    /// The least regret of each task of the pool on this host and later ones.
    here: &'a [i64],
    /// The same on later ones alone.
    later: &'a [i64],
}

impl Place<'_> {
    /// The task at this position of the pool, unless it is much better off on a later host.
    fn item(&self, position: usize) -> Option<Item> {
        let (task, later) = (self.pool[position], self.later[position]);
        let regret = self.costs.regret(task, self.host)?;
        let time = self.costs.time(task, self.host)?;
        let value = self.costs.least[task] + later;
        (regret <= later + Costs::of_ticks(DEPTH)).then_some(Item { position, time, value })
    }
}

/// The least regret of each task of the pool on the hosts of the order from each one on. Where
/// there is none, leaving the task out costs more than the budget.
fn regrets(costs: &Costs, order: &[usize], pool: &[usize], budget: i64) -> Vec<Vec<i64>> {
    let never = 2 * (budget.max(0) + 1);
    let mut regrets = vec![vec![never; pool.len()]; order.len() + 1];
    for (number, &host) in order.iter().enumerate().rev() {
        for (position, &task) in pool.iter().enumerate() {
            let here = costs.regret(task, host).unwrap_or(never);
            regrets[number][position] = regrets[number + 1][position].min(here);
        }
    }
    regrets
}

/// All positions below `count`, in this many words.
fn full(count: usize, words: usize) -> Left {
    let mut left = vec![u64::MAX; words];
    if let (Some(last), rest @ 1..) = (left.last_mut(), count % 64) {
        *last = (1 << rest) - 1;
    }
    left
}

fn has(left: &[u64], position: usize) -> bool {
    left[position / 64] >> (position % 64) & 1 == 1
}

/// The tasks of each host of the best partial filling of the last layer.
fn trace(layers: &[Vec<Partial>], pool: &[usize]) -> Vec<Vec<usize>> {
    let last = layers.last().expect("the first layer is there");
    let best = (0..last.len()).min_by_key(|&i| (last[i].cost, last[i].luck));
    let mut number = best.expect("layers are not empty");
    let mut columns = Vec::new();
    for layer in layers[1..].iter().rev() {
        let partial = &layer[number];
        columns.push(partial.tasks.iter().map(|&position| pool[position]).collect());
        number = partial.before;
    }
    columns.reverse();
    columns
}

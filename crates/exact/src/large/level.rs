//! A mapping from host weights, whose loads are levelled by steps of least regret.
//!
//! Every task starts on the host where its weighted time is least. The weighted sum of all loads is
//! then the value of the bound, and only uneven loads separate the makespan from it. In each step
//! the host of largest load moves a task to another host, or swaps one with it, such that both
//! hosts end below the present makespan. Of all such steps the one of least *regret* is taken: the
//! increase of the weighted sum.
//!
//! Finding the best move takes O(n_h·m) time for a host with n_h tasks. So each host keeps the
//! moves of least regret that such a search found ([`MOVES`]), and searches again only when none of
//! them is possible any more. Swaps are considered only if there is no move. For a swap, each of
//! the two hosts offers only its few tasks of least regret.

use std::cmp::Ordering;

use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// The number of tasks that a host offers for swaps with another host. It bounds the pairs of
/// tasks compared per pair of hosts.
const OFFERS: usize = 24;

/// The number of moves that a host keeps.
const MOVES: usize = 2048;

/// The mapping after all steps, when no step helps any more or the stop is due.
pub(crate) fn level(instance: &Instance, weights: &[u64], stop: &Stop) -> Mapping {
    let mut levelling = Levelling::new(instance, weights);
    while !stop.is_due() {
        let from = levelling.fullest();
        let Some(step) = levelling.best_move(from).or_else(|| levelling.best_swap(from)) else {
            break;
        };
        levelling.take(from, step);
    }
    Mapping::new(instance, levelling.hosts).expect("steps use possible pairs only")
}

/// The present mapping with its loads.
struct Levelling<'a> {
    instance: &'a Instance,
    /// One per host.
    weights: Vec<f64>,
    /// The host of each task.
    hosts: Vec<HostId>,
    /// The time at which each host ends, ready time included.
    loads: Vec<Ticks>,
    /// The tasks of each host.
    tasks: Vec<Vec<TaskId>>,
    /// Moves off each host, in order of regret; some are of tasks that have left it.
    moves: Vec<Vec<Move>>,
}

/// A task that may move from its host to `to`.
#[derive(Clone, Copy)]
struct Move {
    regret: f64,
    task: TaskId,
    to: HostId,
    /// The time of the task on `to`.
    time: Ticks,
}

/// `task` moves from the host of largest load to `to`; `back`, if any, moves the other way.
#[derive(Clone, Copy)]
struct Step {
    task: TaskId,
    to: HostId,
    back: Option<TaskId>,
}

/// A task that may move from its host to another.
#[derive(Clone, Copy)]
struct Offer {
    /// The weighted time on the other host less that on its own host.
    regret: f64,
    task: TaskId,
    /// The time of the task on its own host.
    here: Ticks,
    /// The time of the task on the other host.
    there: Ticks,
}

impl<'a> Levelling<'a> {
    fn new(instance: &'a Instance, weights: &[u64]) -> Self {
        let mut levelling = Self {
            instance,
            weights: weights.iter().map(|&weight| weight as f64).collect(),
            hosts: Vec::with_capacity(instance.task_count()),
            loads: instance.hosts().map(|host| instance.ready(host)).collect(),
            tasks: vec![Vec::new(); instance.host_count()],
            moves: vec![Vec::new(); instance.host_count()],
        };
        for task in instance.tasks() {
            let costs = instance.times(task).map(|(h, time)| (levelling.cost(h, time), h, time));
            let cheapest = costs.min_by(|one, other| one.0.total_cmp(&other.0));
            let (_, host, time) = cheapest.expect("every task can run somewhere");
            levelling.hosts.push(host);
            levelling.loads[host.index()] += time;
            levelling.tasks[host.index()].push(task);
        }
        levelling
    }

    /// The weighted time.
    fn cost(&self, host: HostId, time: Ticks) -> f64 {
        self.weights[host.index()] * time.as_f64()
    }

    fn time(&self, task: TaskId, host: HostId) -> Ticks {
        self.instance.time(task, host).expect("a possible pair")
    }

    fn load(&self, host: HostId) -> Ticks {
        self.loads[host.index()]
    }

    /// The host of largest load.
    fn fullest(&self) -> HostId {
        let hosts = self.instance.hosts();
        hosts.max_by_key(|&host| self.load(host)).expect("there is a host")
    }

    /// The move of least regret from `from` that keeps the other host below the load of `from`.
    fn best_move(&mut self, from: HostId) -> Option<Step> {
        let possible = self.first_possible(from).or_else(|| {
            self.find_moves(from);
            self.first_possible(from)
        });
        possible.map(|Move { task, to, .. }| Step { task, to, back: None })
    }

    /// The first of the moves kept that is possible.
    fn first_possible(&self, from: HostId) -> Option<Move> {
        let is_here = |step: &&Move| self.hosts[step.task.index()] == from;
        self.moves[from.index()].iter().filter(is_here).find(|step| self.fits(from, step)).copied()
    }

    fn fits(&self, from: HostId, step: &Move) -> bool {
        self.load(step.to) + step.time < self.load(from)
    }

    /// Replaces the moves kept by those of least regret that are possible now.
    fn find_moves(&mut self, from: HostId) {
        let mut found: Vec<Move> = Vec::new();
        let mut worst = f64::INFINITY;
        for &task in &self.tasks[from.index()] {
            for step in self.moves_of(task, from) {
                if step.regret < worst && self.fits(from, &step) {
                    found.push(step);
                }
            }
            if found.len() >= 2 * MOVES {
                worst = keep_least(&mut found);
            }
        }
        keep_least(&mut found);
        found.sort_unstable_by(by_regret);
        self.moves[from.index()] = found;
    }

    /// All moves of a task off its host.
    fn moves_of(&self, task: TaskId, from: HostId) -> impl Iterator<Item = Move> + '_ {
        let here = self.cost(from, self.time(task, from));
        let others = self.instance.times(task).filter(move |&(to, _)| to != from);
        others.map(move |(to, time)| Move { regret: self.cost(to, time) - here, task, to, time })
    }

    /// The swap of least regret between `from` and another host that leaves both below the present
    /// load of `from`.
    fn best_swap(&self, from: HostId) -> Option<Step> {
        let others = self.instance.hosts().filter(|&host| host != from);
        let swaps = others.filter_map(|to| self.best_swap_with(from, to));
        swaps.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, step)| step)
    }

    fn best_swap_with(&self, from: HostId, to: HostId) -> Option<(f64, Step)> {
        let (leaving, coming) = (self.offers(from, to), self.offers(to, from));
        let limit = self.load(from);
        let mut best: Option<(f64, Step)> = None;
        for out in &leaving {
            for back in &coming {
                let regret = out.regret + back.regret;
                if best.is_some_and(|(least, _)| regret >= least) {
                    break;
                }
                let here = limit - out.here + back.there;
                let there = self.load(to) - back.here + out.there;
                if here < limit && there < limit {
                    best = Some((regret, Step { task: out.task, to, back: Some(back.task) }));
                }
            }
        }
        best
    }

    /// The tasks of `host` that move to `other` with least regret, in order of regret.
    fn offers(&self, host: HostId, other: HostId) -> Vec<Offer> {
        let offer = |&task: &TaskId| {
            let (here, there) = (self.time(task, host), self.instance.time(task, other)?);
            let regret = self.cost(other, there) - self.cost(host, here);
            Some(Offer { regret, task, here, there })
        };
        let mut offers: Vec<Offer> = self.tasks[host.index()].iter().filter_map(offer).collect();
        let by_regret = |one: &Offer, two: &Offer| one.regret.total_cmp(&two.regret);
        if offers.len() > OFFERS {
            offers.select_nth_unstable_by(OFFERS, by_regret);
            offers.truncate(OFFERS);
        }
        offers.sort_unstable_by(by_regret);
        offers
    }

    fn take(&mut self, from: HostId, step: Step) {
        self.put(step.task, step.to);
        if let Some(back) = step.back {
            self.put(back, from);
        }
    }

    fn put(&mut self, task: TaskId, host: HostId) {
        let old = self.hosts[task.index()];
        let (before, after) = (self.time(task, old), self.time(task, host));
        self.loads[old.index()] -= before;
        self.loads[host.index()] += after;
        self.tasks[old.index()].retain(|&other| other != task);
        self.tasks[host.index()].push(task);
        self.hosts[task.index()] = host;
        self.keep_moves_of(task, host);
    }

    /// Adds the moves of a new task to those that its host keeps.
    fn keep_moves_of(&mut self, task: TaskId, host: HostId) {
        let Some(worst) = self.moves[host.index()].last().map(|last| last.regret) else { return };
        let new: Vec<Move> = self.moves_of(task, host).filter(|s| s.regret < worst).collect();
        let kept = &mut self.moves[host.index()];
        for step in new {
            let place = kept.partition_point(|other| other.regret <= step.regret);
            kept.insert(place, step);
        }
    }
}

fn by_regret(one: &Move, other: &Move) -> Ordering {
    one.regret.total_cmp(&other.regret)
}

/// Keeps only the moves of least regret, and returns their largest regret if some were dropped.
fn keep_least(moves: &mut Vec<Move>) -> f64 {
    if moves.len() <= MOVES {
        return f64::INFINITY;
    }
    let (_, worst, _) = moves.select_nth_unstable_by(MOVES - 1, by_regret);
    let worst = worst.regret;
    moves.truncate(MOVES);
    worst
}

//! Repacks the tasks of a few hosts by a layered dynamic programme.
//!
//! Tasks are placed one after the other; a state is the load of each host of the group so far. The
//! duals keep the number of states small. With costs `w_h·p_th + d_h` every placement has a
//! *regret*, its cost above that of the cheapest host of the group. In a packing with `count_h`
//! tasks on each host h that exceeds the rooms by at most o ticks in total, all regrets together
//! are at most the budget
//!
//! `B = Σ_h (w_h·room_h + d_h·count_h) + o·max_h w_h − Σ_t min_h cost(t, h)`
//!
//! and room that stays empty uses up budget as well, `w_h` per tick. Of two states that agree on
//! all hosts but the last, the one with less on the last host is at least as good.
//!
//! Where more states are left than the beam allows, those of least regret are kept, so a packing
//! may be missed.

use super::duals::Duals;
use super::seen::{Seen, Slot};
use super::times::Times;

/// The most hosts of a group: the number of states grows steeply with it.
pub(super) const MOST: usize = 6;

/// The position of the last host of every group.
const LAST: usize = MOST - 1;

/// The load of each host of a group, in ticks. A smaller group uses the last positions.
type Loads = [i64; MOST];

/// Some hosts, their rooms, and the tasks to pack on them. The last host should be the one of least
/// weight.
pub(crate) struct Group<'a> {
    pub hosts: &'a [usize],
    /// The room of each host in ticks.
    pub rooms: &'a [i64],
    /// The present number of tasks of each host.
    pub counts: &'a [usize],
    /// The tasks of all these hosts.
    pub pool: &'a [usize],
    /// Ticks by which the rooms may be exceeded in total.
    pub overflow: i64,
}

/// The loads after some tasks are placed.
#[derive(Clone, Copy)]
struct State {
    loads: Loads,
    /// The sum of the regrets of all placements so far.
    regret: f64,
    /// The index of the placement that led here.
    last: u32,
}

/// One task on one host of the group, and the placement before it.
#[derive(Clone, Copy)]
struct Placement {
    /// The index of the placement before this one; `u32::MAX` for the first task.
    before: u32,
    /// The position of the host in [`Loads`].
    place: u8,
}

/// A host of the group that a task may be placed on.
struct Choice {
    /// The position of the host in [`Loads`].
    place: usize,
    /// The time of the task on the host, in ticks.
    time: i64,
    /// The cost there above that of the cheapest host of the group.
    regret: f64,
}

/// A task with the hosts it may be placed on.
struct Layer {
    /// The position of the task in the pool.
    position: usize,
    choices: Vec<Choice>,
}

/// A packing of a group.
pub(crate) struct Repacked {
    /// Ticks by which the rooms are exceeded in total.
    pub overflow: i64,
    /// The host of each task of the pool, in the order of the pool.
    pub hosts: Vec<usize>,
}

/// Buffers that are reused from group to group.
#[derive(Default)]
pub(crate) struct Repacker {
    /// The states of the present layer.
    states: Vec<State>,
    /// The states of the next layer.
    next: Vec<State>,
    seen: Seen,
    /// The placements of all layers.
    placements: Vec<Placement>,
    /// States made so far, over all groups.
    pub effort: u64,
}

impl Repacker {
    /// A packing of least overflow. `choose` gets the number of equally good ones and returns the
    /// index of one.
    /// `None` if no packing within the overflow was found with `beam` states per layer.
    pub fn repack(
        &mut self,
        (times, duals): (&Times, &Duals),
        group: &Group,
        beam: usize,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Repacked> {
        let plan = self.pack((times, duals), group, beam)?;
        let over = |state: &State| plan.overflow(&state.loads);
        let least = self.states.iter().map(over).min().filter(|&least| least <= group.overflow)?;
        let best: Vec<&State> = self.states.iter().filter(|state| over(state) == least).collect();
        let chosen = best[choose(best.len())];
        Some(Repacked { overflow: least, hosts: self.trace(chosen, &plan) })
    }

    /// A packing of little regret: the one of least total cost, where a tick of overflow costs
    /// `dear` times as much as a tick of load. `None` as for `repack`.
    pub fn repack_cheaply(
        &mut self,
        (times, duals): (&Times, &Duals),
        group: &Group,
        beam: usize,
        dear: f64,
    ) -> Option<Repacked> {
        let plan = self.pack((times, duals), group, beam)?;
        let cost = |state: &State| state.regret + dear * plan.cost_of_overflow(&state.loads);
        let over = |state: &State| plan.overflow(&state.loads);
        let fits = self.states.iter().filter(|state| over(state) <= group.overflow);
        let best = fits.min_by(|one, other| cost(one).total_cmp(&cost(other)))?;
        Some(Repacked { overflow: over(best), hosts: self.trace(best, &plan) })
    }

    /// Places all tasks of the group; `states` are then the packings found. `None` if there is
    /// none within the overflow.
    fn pack(
        &mut self,
        (times, duals): (&Times, &Duals),
        group: &Group,
        beam: usize,
    ) -> Option<Plan> {
        let plan = Plan::new(times, duals, group)?;
        let mut rest = plan.rest();
        self.placements.clear();
        self.states.clear();
        self.states.push(State { loads: [0; MOST], regret: 0.0, last: u32::MAX });
        for layer in &plan.layers {
            layer.choices.iter().for_each(|choice| rest[choice.place] -= choice.time);
            self.place(layer, &plan, &rest);
            self.keep(beam);
        }
        Some(plan)
    }

    /// Extends every state by the task of the layer on each of its hosts. `rest` is the time that
    /// all later tasks would take on each host.
    fn place(&mut self, layer: &Layer, plan: &Plan, rest: &Loads) {
        self.next.clear();
        self.seen.clear(self.states.len() * layer.choices.len());
        for i in 0..self.states.len() {
            let State { loads, regret, last } = self.states[i];
            for choice in &layer.choices {
                let (mut loads, regret) = (loads, regret + choice.regret);
                loads[choice.place] += choice.time;
                if plan.is_possible(&loads, regret, choice.place, rest) {
                    self.add(loads, regret, Placement { before: last, place: choice.place as u8 });
                }
            }
        }
        self.effort += 1 + self.next.len() as u64;
        std::mem::swap(&mut self.states, &mut self.next);
    }

    /// Adds a state unless there is one at least as good.
    fn add(&mut self, loads: Loads, regret: f64, placement: Placement) {
        let state = State { loads, regret, last: self.placements.len() as u32 };
        let others = &loads[..LAST];
        match self.seen.find(others, |i| self.next[i].loads[..LAST] == *others) {
            Slot::Free(slot) => {
                self.seen.put(slot, self.next.len());
                self.next.push(state);
            }
            Slot::Same(i) if loads[LAST] < self.next[i].loads[LAST] => self.next[i] = state,
            Slot::Same(_) => return,
        }
        self.placements.push(placement);
    }

    /// Keeps the states of least regret if there are too many.
    fn keep(&mut self, beam: usize) {
        if self.states.len() > beam {
            let order =
                |a: &State, b: &State| a.regret.total_cmp(&b.regret).then(a.loads.cmp(&b.loads));
            self.states.select_nth_unstable_by(beam, order);
            self.states.truncate(beam);
        }
    }

    /// The host of each task of the pool in the packing that ends in this state.
    fn trace(&self, state: &State, plan: &Plan) -> Vec<usize> {
        let mut hosts = vec![0; plan.layers.len()];
        let mut last = state.last;
        for layer in plan.layers.iter().rev() {
            let Placement { before, place } = self.placements[last as usize];
            hosts[layer.position] = plan.hosts[usize::from(place)];
            last = before;
        }
        hosts
    }
}

/// A group prepared for packing. Its hosts use the last positions of the arrays; unused positions
/// have no room and no weight.
struct Plan {
    hosts: [usize; MOST],
    rooms: Loads,
    weights: [f64; MOST],
    /// Ticks by which the rooms may be exceeded in total.
    overflow: i64,
    /// The most that all regrets may add up to.
    budget: f64,
    layers: Vec<Layer>,
}

impl Plan {
    /// `None` if the budget is negative: no packing with these counts is within the overflow.
    fn new(times: &Times, duals: &Duals, group: &Group) -> Option<Self> {
        let cheapest: Vec<f64> =
            group.pool.iter().map(|&task| cheapest(times, duals, group, task)).collect();
        let budget = budget(duals, group, &cheapest);
        if budget < 0.0 {
            return None;
        }
        let mut plan = Self {
            hosts: [0; MOST],
            rooms: [0; MOST],
            weights: [0.0; MOST],
            overflow: group.overflow,
            budget,
            layers: Vec::with_capacity(group.pool.len()),
        };
        let first = MOST - group.hosts.len();
        for (i, &host) in group.hosts.iter().enumerate() {
            plan.hosts[first + i] = host;
            plan.rooms[first + i] = group.rooms[i];
            plan.weights[first + i] = duals.weights[host];
        }
        for (position, &least) in cheapest.iter().enumerate() {
            let choices = plan.choices(times, duals, group.pool[position], least, first);
            plan.layers.push(Layer { position, choices });
        }
        plan.layers.sort_by(|one, other| other.urgency().total_cmp(&one.urgency()));
        Some(plan)
    }

    /// The hosts that the task may be placed on with a regret within the budget. `least` is its
    /// cost on the cheapest host; hosts begin at position `first`.
    fn choices(
        &self,
        times: &Times,
        duals: &Duals,
        task: usize,
        least: f64,
        first: usize,
    ) -> Vec<Choice> {
        let choice = |place: usize| {
            let host = self.hosts[place];
            let regret = duals.cost(times, task, host) - least;
            let time = times.get(task, host)?;
            (regret <= self.budget).then_some(Choice { place, time, regret })
        };
        (first..MOST).filter_map(choice).collect()
    }

    /// The time that all tasks together would take on each host they may be placed on.
    fn rest(&self) -> Loads {
        let mut rest = [0; MOST];
        for choice in self.layers.iter().flat_map(|layer| &layer.choices) {
            rest[choice.place] += choice.time;
        }
        rest
    }

    /// Whether the budget and the overflow allow the state. `changed` is the position that got the
    /// last task; `rest` is the time that all later tasks would take on each host.
    fn is_possible(&self, loads: &Loads, regret: f64, changed: usize, rest: &Loads) -> bool {
        if regret > self.budget || loads[changed] - self.rooms[changed] > self.overflow {
            return false;
        }
        (0..MOST).all(|place| {
            let empty = self.rooms[place] - loads[place] - rest[place];
            empty <= 0 || regret + self.weights[place] * empty as f64 <= self.budget
        })
    }

    /// Ticks by which the loads exceed the rooms in total.
    fn overflow(&self, loads: &Loads) -> i64 {
        let over = self.rooms.iter().zip(loads).map(|(room, load)| (load - room).max(0));
        over.fold(0, i64::saturating_add)
    }

    /// The same, where a tick costs the weight of its host.
    fn cost_of_overflow(&self, loads: &Loads) -> f64 {
        let over = self.rooms.iter().zip(loads).map(|(room, load)| (load - room).max(0) as f64);
        over.zip(self.weights).map(|(over, weight)| over * weight).sum()
    }
}

impl Layer {
    /// Larger for tasks to place earlier: infinite for those with at most one choice, else the
    /// least positive regret.
    fn urgency(&self) -> f64 {
        let regrets = self.choices.iter().map(|choice| choice.regret);
        let is_only = self.choices.len() <= 1;
        let second = regrets.filter(|&regret| regret > 0.0).fold(f64::INFINITY, f64::min);
        if is_only { f64::INFINITY } else { second }
    }
}

/// The cost of the task on the cheapest host of the group.
fn cheapest(times: &Times, duals: &Duals, group: &Group, task: usize) -> f64 {
    let costs = group.hosts.iter().map(|&host| duals.cost(times, task, host));
    costs.fold(f64::INFINITY, f64::min)
}

/// The most that regrets may add up to, plus a margin for the rounding of these sums.
fn budget(duals: &Duals, group: &Group, cheapest: &[f64]) -> f64 {
    let (mut allowed, mut dearest) = (0.0, 0.0);
    for ((&host, &room), &count) in group.hosts.iter().zip(group.rooms).zip(group.counts) {
        allowed += duals.weights[host] * room as f64 + duals.places[host] * count as f64;
        dearest = f64::max(dearest, duals.weights[host]);
    }
    let rounding = 1e-9 * cheapest.iter().map(|cost| cost.abs()).sum::<f64>();
    allowed + group.overflow as f64 * dearest - cheapest.iter().sum::<f64>() + rounding
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::{HostId, Instance, TaskId};
    use gridsat_test_support::tiny;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The least overflow of all assignments; `None` if there is no possible one.
    fn least_overflow(instance: &Instance, rooms: &[i64]) -> Option<i64> {
        let (n, m) = (instance.task_count(), instance.host_count());
        let all = (0..m.pow(n as u32)).filter_map(|number| {
            let mut loads = vec![0; m];
            let mut digits = number;
            for t in 0..n {
                let time = instance.time(TaskId(t as u32), HostId((digits % m) as u32))?;
                loads[digits % m] += time.0 as i64;
                digits /= m;
            }
            Some(loads.iter().zip(rooms).map(|(load, room)| (load - room).max(0)).sum())
        });
        all.min()
    }

    /// Whatever the weights, pruning by the budget loses no packing within the overflow.
    #[test]
    fn the_least_overflow_is_found() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut found, mut missing) = (0, 0);
        for case in 0..2000 {
            let size = (random.random_range(2..=6), random.random_range(2..=4));
            let instance = tiny::drawn(&mut random, size, (30, 0), 0.1);
            let (n, m) = (instance.task_count(), instance.host_count());
            let rooms: Vec<i64> = (0..m).map(|_| random.random_range(0..=40)).collect();
            let weights: Vec<f64> = (0..m).map(|_| random.random_range(0.01..1.0)).collect();
            let group = Group {
                hosts: &(0..m).collect::<Vec<_>>(),
                rooms: &rooms,
                counts: &vec![0; m],
                pool: &(0..n).collect::<Vec<_>>(),
                overflow: random.random_range(0..=20),
            };
            let (times, duals) = (Times::new(&instance), Duals::from_weights(&weights));
            let repacked =
                Repacker::default()
                    .repack((&times, &duals), &group, 100_000, &mut |count| count - 1);
            let expected = least_overflow(&instance, &rooms).filter(|&o| o <= group.overflow);
            assert_eq!(repacked.as_ref().map(|packed| packed.overflow), expected, "case {case}");
            if expected.is_some() { found += 1 } else { missing += 1 }
        }
        assert!(found > 100 && missing > 100, "{found} {missing}");
    }
}

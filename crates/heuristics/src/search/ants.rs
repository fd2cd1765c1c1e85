//! Ant colony optimisation, a max-min ant system (Stützle and Hoos 2000) with local search, as
//! Ritchie and Levine (2004) combine the two for this problem.
//!
//! Each ant takes the tasks in the order in which Min-Min assigns them and draws the host h of task
//! t with probability proportional to
//! `trail[t,h] · (earliest completion of t / completion on h)^β`. The best ant of a round is
//! improved by local search. Then every trail moves by the share ρ of the way towards 1 where the
//! best mapping so far has the pair, and towards 0 elsewhere, and stays within [min, 1 - min].
//! O(n·m) per ant.
//!
//! Rhodes' thesis gives only the name of the method; the parameters are our choice.

use rand_chacha::ChaCha8Rng;

use super::local::descend;
use super::{Run, Search};
use crate::{Heuristic, MinMin, Problem};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};
use gridsat_statistics::random::unit;

/// Ant colony optimisation and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ants {
    /// Ants per round, at least 1.
    pub ants: u64,
    /// Number of rounds.
    pub rounds: u64,
    /// β, the exponent of completion times relative to trails.
    pub greed: u32,
    /// ρ from 0 to 1, how fast trails follow the best mapping.
    pub evaporation: f64,
    /// Trails stay between this and one minus this.
    pub least_trail: f64,
}

impl Ants {
    /// Two hundred rounds of ten ants, our choice.
    pub const TEN: Self =
        Self { ants: 10, rounds: 200, greed: 10, evaporation: 0.05, least_trail: 0.002 };
}

impl Search for Ants {
    fn search(&self, run: &mut Run) {
        let mut colony = Colony::new(*self, run.instance());
        let mut random = run.random(0);
        for _ in 0..self.rounds {
            let Some(best) = colony.best_ant(run, &mut random) else { return };
            descend(best, run);
            colony.follow(&run.best());
        }
    }
}

struct Colony<'a> {
    ants: Ants,
    instance: &'a Instance,
    order: Vec<TaskId>,
    /// Task by task, one value per host.
    trails: Vec<f64>,
}

impl<'a> Colony<'a> {
    fn new(ants: Ants, instance: &'a Instance) -> Self {
        let order = MinMin.assign(&Problem::of(instance)).into_iter().map(|(task, _)| task);
        let trails = vec![0.5; instance.task_count() * instance.host_count()];
        Self { ants, instance, order: order.collect(), trails }
    }

    /// The best ant of a round; `None` if the budget is used up.
    fn best_ant(&self, run: &mut Run, random: &mut ChaCha8Rng) -> Option<Mapping> {
        let mut best: Option<Mapping> = None;
        for _ in 0..self.ants.ants.max(1) {
            if !run.may_evaluate(self.trails.len()) {
                return None;
            }
            let ant = self.walk(random);
            run.offer_mapping(&ant);
            if best.as_ref().is_none_or(|best| ant.makespan() < best.makespan()) {
                best = Some(ant);
            }
        }
        best
    }

    fn walk(&self, random: &mut ChaCha8Rng) -> Mapping {
        let mut hosts = vec![HostId(0); self.order.len()];
        let mut loads: Vec<Ticks> =
            self.instance.hosts().map(|host| self.instance.ready(host)).collect();
        let mut wheel = Vec::with_capacity(loads.len());
        for &task in &self.order {
            let (host, end) = self.draw(task, &loads, &mut wheel, random);
            hosts[task.index()] = host;
            loads[host.index()] = end;
        }
        Mapping::new(self.instance, hosts).expect("possible pairs")
    }

    /// A host for the task, and its completion time there. `wheel` is a reused buffer.
    fn draw(
        &self,
        task: TaskId,
        loads: &[Ticks],
        wheel: &mut Vec<(f64, HostId, Ticks)>,
        random: &mut ChaCha8Rng,
    ) -> (HostId, Ticks) {
        let ends =
            || self.instance.times(task).map(|(host, time)| (host, loads[host.index()] + time));
        let earliest = ends().map(|(_, end)| end).min().expect("every task can run somewhere");
        let row = task.index() * loads.len();
        let mut sum = 0.0;
        wheel.clear();
        for (host, end) in ends() {
            let near = (earliest + Ticks(1)).as_f64() / (end + Ticks(1)).as_f64();
            sum += self.trails[row + host.index()] * power(near, self.ants.greed);
            wheel.push((sum, host, end));
        }
        let at = unit(random) * sum;
        let drawn = wheel.partition_point(|&(until, _, _)| until <= at).min(wheel.len() - 1);
        (wheel[drawn].1, wheel[drawn].2)
    }

    fn follow(&mut self, best: &Mapping) {
        let Ants { evaporation, least_trail, .. } = self.ants;
        let m = self.instance.host_count();
        for (row, host) in self.trails.chunks_exact_mut(m).zip(best.hosts()) {
            for (h, trail) in row.iter_mut().enumerate() {
                let aim = if h == host.index() { 1.0 } else { 0.0 };
                *trail += evaporation * (aim - *trail);
                *trail = trail.max(least_trail).min(1.0 - least_trail);
            }
        }
    }
}

/// By repeated squaring, because the power function of the standard library may differ between
/// machines.
fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers() {
        assert_eq!([0, 1, 5, 10].map(|exponent| power(2.0, exponent)), [1.0, 2.0, 32.0, 1024.0]);
    }
}

//! Host weights and prices of places: the duals of the linear relaxation with task counts.
//!
//! Where times are alike, a makespan of k nearly fixes how many tasks c_h each host gets. The
//! relaxation then has one more row per host, `Σ_t x_th = c_h`. Its dual is d_h, the price of a
//! place on host h. With host weights w, a task costs `w_h·p_th + d_h` on host h, and
//!
//! `Σ_t min_h (w_h·p_th + d_h) − Σ_h d_h·c_h ≤ Σ_h w_h·(k − ready_h)`
//!
//! holds in every mapping with makespan ≤ k and these counts. Without counts d = 0, and this is
//! the linear bound.
//!
//! The duals are found by a subgradient ascent in floating point. They decide which placements are
//! tried, never what is proven.

use super::times::Times;
use gridsat_model::Stop;

/// The step falls geometrically from the first value to the second. A weight changes by a factor of
/// at most `exp(step)` per round, before weights are scaled to sum to one.
const STEPS: (f64, f64) = (0.1, 1e-6);
/// The first step where good duals are known.
const NEAR_STEP: f64 = 0.02;
/// Pairs of task and host visited per ascent: one round visits all pairs once.
const PAIRS: usize = 20_000_000;
/// The fewest and the most rounds of an ascent, whatever the number of pairs.
const ROUNDS: (usize, usize) = (200, 4000);

/// The least weight. Smaller ones would take too many rounds to grow again.
const LEAST: f64 = 1e-12;

/// Factor of the relative excess of a load in a step with counts, where loads differ little.
const EXCESS: f64 = 30.0;
/// Factor of the relative deviation of a count in a step with counts.
const DEVIATION: f64 = 0.1;

/// What a task costs on a host: `weights[h]·p_th + places[h]`.
#[derive(Clone, Debug)]
pub(crate) struct Duals {
    /// One per host, positive; they sum to one.
    pub weights: Vec<f64>,
    /// One per host; all zero without counts.
    pub places: Vec<f64>,
}

impl Duals {
    /// Weights alone, scaled to sum to one.
    pub fn from_weights(weights: &[f64]) -> Self {
        let sum: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.iter().map(|weight| (weight / sum).max(LEAST)).collect();
        Self { places: vec![0.0; weights.len()], weights }
    }

    /// The cost of the task on the host; infinite where it cannot run.
    pub fn cost(&self, times: &Times, task: usize, host: usize) -> f64 {
        self.weights[host] * times.row(task)[host] + self.places[host]
    }

    /// The host on which the task costs least, and what it costs there.
    pub fn cheapest(&self, times: &Times, task: usize) -> (usize, f64) {
        let prices = self.weights.iter().zip(&self.places);
        let mut best = (0, f64::INFINITY);
        for (host, (time, (weight, place))) in times.row(task).iter().zip(prices).enumerate() {
            let cost = weight * time + place;
            if cost < best.1 {
                best = (host, cost);
            }
        }
        best
    }
}

/// The relaxation for one k: the room of each host and, if given, the number of tasks it must get.
pub(super) struct Question<'a> {
    pub times: &'a Times,
    /// The time each host has until k, in ticks.
    pub rooms: &'a [i64],
    /// One per host.
    pub counts: Option<&'a [usize]>,
}

impl Question<'_> {
    /// The best duals that an ascent from `start` finds, and their value: the bound divided by the
    /// weighted room, less one. A positive value refutes k with these counts, up to rounding.
    pub fn ascend(&self, start: Duals, stop: &Stop) -> (f64, Duals) {
        let rounds = self.rounds();
        Ascent::new(self, start).run(STEPS, rounds, stop)
    }

    /// The same in a quarter of the rounds: good enough as a start for prices.
    pub fn ascend_roughly(&self, start: Duals, stop: &Stop) -> (f64, Duals) {
        let rounds = self.rounds() / 4;
        Ascent::new(self, start).run(STEPS, rounds, stop)
    }

    /// The same from duals that are good for nearly the same counts, in a third of the rounds.
    pub fn ascend_nearby(&self, start: Duals, stop: &Stop) -> (f64, Duals) {
        let rounds = self.rounds() / 3;
        Ascent::new(self, start).run((NEAR_STEP, STEPS.1), rounds, stop)
    }

    fn rounds(&self) -> usize {
        let pairs = self.times.task_count() * self.times.host_count();
        (PAIRS / pairs.max(1)).clamp(ROUNDS.0, ROUNDS.1)
    }
}

/// The present duals of an ascent and the placement that they lead to.
struct Ascent<'a> {
    question: &'a Question<'a>,
    duals: Duals,
    /// The load of each host, in ticks, with every task where it costs least.
    loads: Vec<f64>,
    /// The number of tasks of each host in the same placement.
    taken: Vec<f64>,
}

impl<'a> Ascent<'a> {
    fn new(question: &'a Question<'a>, duals: Duals) -> Self {
        let m = question.rooms.len();
        Self { question, duals, loads: vec![0.0; m], taken: vec![0.0; m] }
    }

    /// The best duals and their value. The step falls from the first of `steps` to the second.
    fn run(mut self, steps: (f64, f64), rounds: usize, stop: &Stop) -> (f64, Duals) {
        let decay = (steps.1 / steps.0).powf(1.0 / rounds as f64);
        let mut step = steps.0;
        let mut best = (f64::NEG_INFINITY, self.duals.clone());
        for _ in 0..rounds {
            let value = self.value();
            if value > best.0 {
                best = (value, self.duals.clone());
            }
            if stop.is_due() {
                break;
            }
            (0..self.loads.len()).for_each(|host| self.adjust(host, step));
            self.normalise();
            step *= decay;
        }
        best
    }

    /// The bound divided by the weighted room, less one. Updates `loads` and `taken`.
    fn value(&mut self) -> f64 {
        let Question { times, rooms, counts } = *self.question;
        self.loads.fill(0.0);
        self.taken.fill(0.0);
        let mut sum = 0.0;
        for task in 0..times.task_count() {
            let (host, cost) = self.duals.cheapest(times, task);
            sum += cost;
            self.loads[host] += times.row(task)[host];
            self.taken[host] += 1.0;
        }
        let Duals { weights, places } = &self.duals;
        let room: f64 = rooms.iter().zip(weights).map(|(&r, w)| r as f64 * w).sum();
        let counts = counts.into_iter().flatten();
        let held: f64 = counts.zip(places).map(|(&count, price)| count as f64 * price).sum();
        (sum - held) / room.max(f64::MIN_POSITIVE) - 1.0
    }

    /// Raises the weight and the price of places of a host that has too much, and lowers them where
    /// it has too little.
    fn adjust(&mut self, host: usize, step: f64) {
        let room = (self.question.rooms[host] as f64).max(1.0);
        let weight = self.duals.weights[host];
        let grown = |excess: f64| (weight * (step * excess.clamp(-1.0, 1.0)).exp()).max(LEAST);
        let Some(counts) = self.question.counts else {
            self.duals.weights[host] = grown(self.loads[host] / room - 1.0);
            return;
        };
        let count = counts[host].max(1) as f64;
        // The price of places offsets the change of weight for a task of this time, so that its
        // cost stays the same. Thus the change for the load does not disturb that for the count.
        let typical = room / count;
        let heavier = grown(EXCESS * (self.loads[host] - typical * self.taken[host]) / room);
        let deviation = (self.taken[host] / count - 1.0).clamp(-1.0, 1.0);
        self.duals.weights[host] = heavier;
        self.duals.places[host] +=
            (weight - heavier) * typical + step * DEVIATION * deviation * heavier * typical;
    }

    /// Scales the duals so that weights sum to one.
    fn normalise(&mut self) {
        let sum: f64 = self.duals.weights.iter().sum();
        self.duals.weights.iter_mut().for_each(|weight| *weight /= sum);
        self.duals.places.iter_mut().for_each(|price| *price /= sum);
    }
}

//! A model of the gap from packings seen before, and its best point nearby.
//!
//! Every packing x of host h shows `KP_h(u) ≥ Σ_{t ∈ x} u_t`, so the packings X_h kept for
//! each host give an upper model of the gap, `M(u) = Σ u − Σ_h max_{x ∈ X_h} x·u`. Far from
//! the prices at which the packings were found the model is too optimistic. Hence the next prices
//! maximise `M(u) − |u − û|²/2r` for the best prices û so far and a radius r (a proximal
//! bundle method with one model per host; Lemaréchal 1975).
//!
//! The dual has a share α_x ≥ 0 for each packing, adding up to 1 on each host: a fractional
//! mapping, which packs task t `c_t = Σ_x α_x·x_t` times. The prices are
//! `u_t = û_t + r·(1 − c_t)`, shifted so that their total stays the same (otherwise all would
//! shrink towards 0, where the gap is 0). The dual is solved approximately, host by host, by moving
//! share from the cheapest packing to the dearest.

use super::packings::Packings;

/// Rounds over all hosts for one proposal.
const ROUNDS: usize = 5;
/// The model counts as solved when the possible gain from moving shares is at most this part of the
/// gain it promises.
const ROUGHLY: f64 = 0.2;

/// The packings kept for each host.
#[derive(Clone, Debug, Default)]
pub(super) struct Bundle {
    pub hosts: Vec<Packings>,
}

/// The best point of the model.
pub(super) struct Proposal {
    pub prices: Vec<f64>,
    /// The gap that the model predicts at these prices.
    pub promised: f64,
    /// Whether this is approximately the best point, rather than a point on the way there.
    pub is_solved: bool,
}

impl Bundle {
    /// Reduces each packing to the tasks that `adapt` returns; `None` drops the packing.
    pub fn adapt(&mut self, hosts: usize, adapt: impl Fn(usize, &[u32]) -> Option<Vec<u32>>) {
        self.hosts.resize_with(hosts, Packings::default);
        for (h, packings) in self.hosts.iter_mut().enumerate() {
            packings.adapt(|tasks| adapt(h, tasks));
        }
    }

    /// How often each task is packed in the fractional mapping.
    pub fn counts(&self, tasks: usize) -> Vec<f64> {
        let mut counts = vec![0.0; tasks];
        for (tasks, share) in self.hosts.iter().flat_map(Packings::shared) {
            tasks.iter().for_each(|&t| counts[t as usize] += share);
        }
        counts
    }

    /// The best prices of the model near `centre`, whose gap is `gap`, with the same total. Tasks
    /// that are not open keep their prices and are not part of the model.
    pub fn solve(
        &mut self,
        centre: &Centre<'_>,
        gap: f64,
        radius: f64,
        is_open: &[bool],
    ) -> Proposal {
        let mut point = Point::new(centre, &self.counts(centre.prices.len()), radius, is_open);
        let (mut promised, mut is_solved) = (gap, false);
        for _ in 0..ROUNDS {
            let (mut packed, mut unbalanced) = (0.0, 0.0);
            for packings in &mut self.hosts {
                let (most, spread) = packings.balance(&mut point);
                packed += most;
                unbalanced += spread;
            }
            promised = point.total() - packed;
            is_solved = unbalanced <= ROUGHLY * (promised - gap);
            if is_solved {
                break;
            }
        }
        let price = |t: usize| if is_open[t] { point.price(t as u32) } else { centre.prices[t] };
        let prices = (0..centre.prices.len()).map(price).collect();
        Proposal { prices, promised, is_solved }
    }
}

/// The prices to stay close to.
pub(super) struct Centre<'a> {
    pub prices: &'a [f64],
    /// A vector of length 1 whose entries add up to 0 over the open tasks. If given, the product of
    /// prices and this vector does not change.
    pub direction: Option<&'a [f64]>,
}

/// Prices as implied by the shares.
pub(super) struct Point<'a> {
    /// `û_t + r·(1 − c_t)`, and −∞ for tasks that are not open.
    raw: Vec<f64>,
    /// Added to all prices, so that the total does not change.
    shift: f64,
    direction: Option<&'a [f64]>,
    /// This many times the direction is added, so that the product with it does not change.
    tilt: f64,
    pub radius: f64,
    pub open: f64,
}

impl<'a> Point<'a> {
    fn new(centre: &Centre<'a>, counts: &[f64], radius: f64, is_open: &[bool]) -> Self {
        let Centre { prices, direction } = *centre;
        let (mut open, mut excess, mut along) = (0.0, 0.0, 0.0);
        let mut raw = vec![f64::NEG_INFINITY; prices.len()];
        for t in (0..prices.len()).filter(|&t| is_open[t]) {
            raw[t] = prices[t] + radius * (1.0 - counts[t]);
            open += 1.0;
            excess += 1.0 - counts[t];
            along += direction.map_or(0.0, |direction| direction[t] * (1.0 - counts[t]));
        }
        let open = f64::max(open, 1.0);
        let (shift, tilt) = (-radius * excess / open, -radius * along);
        Self { raw, shift, direction, tilt, radius, open }
    }

    /// The product of the direction and the tasks.
    pub fn along(&self, tasks: &[u32]) -> f64 {
        self.direction.map_or(0.0, |d| tasks.iter().map(|&t| d[t as usize]).sum())
    }

    fn moved(&self, task: usize) -> f64 {
        self.shift + self.direction.map_or(0.0, |direction| self.tilt * direction[task])
    }

    pub fn price(&self, task: u32) -> f64 {
        (self.raw[task as usize] + self.moved(task as usize)).max(0.0)
    }

    fn total(&self) -> f64 {
        self.raw.iter().enumerate().map(|(t, raw)| (raw + self.moved(t)).max(0.0)).sum()
    }

    /// Updates the prices after a packing's share has grown by `by`.
    pub fn move_share(&mut self, tasks: &[u32], by: f64) {
        let step = self.radius * by;
        tasks.iter().for_each(|&t| self.raw[t as usize] -= step);
        self.shift += step * tasks.len() as f64 / self.open;
        self.tilt += step * self.along(tasks);
    }
}

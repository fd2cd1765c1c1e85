//! The best weights, starting from good ones.
//!
//! Around weights w⁰ consider only w_h = w⁰_h·y_h with 1/R ≤ y_h ≤ R. There a pair whose
//! weighted time at w⁰ is more than R² times the task's least can never become the least. Most
//! tasks then have one possible host and need no variable, and the explicit dual
//!
//! ```text
//! max Σ_t v_t + Σ_h w_h·ready_h   with   v_t ≤ w_h·p_th for the remaining pairs,   Σ_h w_h = 1
//! ```
//!
//! shrinks to a few hundred rows with coefficients near one. f is concave, so weights that are best
//! in the box and do not touch its walls are best everywhere; otherwise the box is moved there and
//! the program is solved again. R is as large as a budget of rows allows, so small instances have
//! all their pairs from the start.
//!
//! The primal would be smaller still, but the LP solver does not return dual values.

use gridsat_model::Stop;
use std::time::Duration;

use microlp::{
    ComparisonOp, OptimizationDirection, Problem, ResumeOptions, TerminationReason, Variable,
};

use super::relaxation::{Relaxation, cheapest, normalise};

/// Most rows of one linear program; solving it takes a few tens of milliseconds.
const ROWS: usize = 1500;

/// Box sizes R, largest first.
const RADII: [f64; 9] = [1000.0, 100.0, 10.0, 3.0, 1.5, 1.2, 1.1, 1.03, 1.01];

/// The box is moved at most this often.
const MOVES: usize = 20;

/// The LP solver runs this long between two checks of the stop.
const SLICE: Duration = Duration::from_millis(100);

/// Improves positive weights that sum to one as far as possible. Never makes them worse.
pub(super) fn perfect(relaxation: &Relaxation, mut weights: Vec<f64>, stop: &Stop) -> Vec<f64> {
    let mut value = relaxation.value(&weights).0;
    for _ in 0..MOVES {
        let region = Region::around(relaxation, &weights);
        let Some(factors) = region.solve(relaxation, stop) else {
            break;
        };
        let mut next: Vec<f64> = weights.iter().zip(&factors).map(|(w, y)| w * y).collect();
        normalise(&mut next);
        let next_value = relaxation.value(&next).0;
        if next_value <= value {
            break;
        }
        (weights, value) = (next, next_value);
        if region.is_inside(&factors) || stop.is_due() {
            break;
        }
    }
    weights
}

struct Region {
    centre: Vec<f64>,
    radius: f64,
}

impl Region {
    fn around(relaxation: &Relaxation, centre: &[f64]) -> Self {
        let mut ratios: Vec<f64> = relaxation
            .rows()
            .flat_map(|row| {
                let (_, least) = cheapest(row, centre);
                let costs = row.iter().zip(centre).map(move |(time, w)| time * w);
                // The least itself needs no row.
                costs.map(move |cost| cost / least).filter(|&r| r > 1.0)
            })
            .filter(|&ratio| ratio <= RADII[0] * RADII[0])
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let rows = |radius: f64| ratios.partition_point(|&ratio| ratio <= radius * radius);
        let fitting = RADII.into_iter().find(|&radius| rows(radius) <= ROWS);
        Self { centre: centre.to_vec(), radius: fitting.unwrap_or(RADII[RADII.len() - 1]) }
    }

    /// Whether the factors stay off the walls of the box, relative to their common scale.
    fn is_inside(&self, factors: &[f64]) -> bool {
        let wall = self.radius * 0.999;
        factors.iter().all(|&y| y < wall && y * wall > 1.0)
    }

    /// The best factors y in the box. `None` if the solver fails or is stopped.
    fn solve(&self, relaxation: &Relaxation, stop: &Stop) -> Option<Vec<f64>> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let (fixed, split) = self.sort_out(relaxation);
        let factors: Vec<Variable> = fixed
            .iter()
            .zip(&self.centre)
            .zip(relaxation.ready())
            .map(|((fixed, w), ready)| {
                problem.add_var(w * (fixed + ready), (1.0 / self.radius, self.radius))
            })
            .collect();
        for task in split {
            let price = problem.add_var(task.least, (0.0, f64::INFINITY));
            for (host, ratio) in task.ratios {
                let row = [(price, 1.0), (factors[host], -ratio)];
                problem.add_constraint(row, ComparisonOp::Le, 0.0);
            }
        }
        let sum: Vec<_> = factors.iter().copied().zip(self.centre.iter().copied()).collect();
        problem.add_constraint(&sum, ComparisonOp::Eq, 1.0);
        run(problem, &factors, stop)
    }

    /// Per host the total time of the tasks that can be cheapest only there; and the remaining
    /// tasks.
    fn sort_out(&self, relaxation: &Relaxation) -> (Vec<f64>, Vec<Split>) {
        let mut fixed = vec![0.0; relaxation.host_count()];
        let mut split = Vec::new();
        for row in relaxation.rows() {
            let (host, least) = cheapest(row, &self.centre);
            // A task that takes no time on some host costs nothing whatever the weights.
            if least <= 0.0 || !least.is_finite() {
                continue;
            }
            let costs = row.iter().zip(&self.centre).map(|(time, w)| time * w);
            let ratios: Vec<(usize, f64)> = costs
                .map(|cost| cost / least)
                .enumerate()
                .filter(|&(_, ratio)| ratio <= self.radius * self.radius)
                .collect();
            match ratios.len() {
                1 => fixed[host] += row[host],
                _ => split.push(Split { least, ratios }),
            }
        }
        (fixed, split)
    }
}

/// A task that can be cheapest on more than one host.
struct Split {
    /// Its least weighted time at the centre of the box.
    least: f64,
    /// Hosts, and the weighted time there as a multiple of the least.
    ratios: Vec<(usize, f64)>,
}

/// Solves the program; the values of `wanted`. `None` if the solver fails or is stopped.
fn run(mut problem: Problem, wanted: &[Variable], stop: &Stop) -> Option<Vec<f64>> {
    problem.set_time_limit(SLICE);
    let mut outcome = problem.solve().ok()?;
    while outcome.termination_reason() == TerminationReason::TimeLimit {
        if stop.is_due() {
            return None;
        }
        let mut options = ResumeOptions::default();
        options.time_limit = Some(SLICE);
        outcome = outcome.resume_with(options).ok()?;
    }
    let solution = outcome.into_solution().ok()?;
    Some(wanted.iter().map(|&var| solution.var_value(var)).collect())
}

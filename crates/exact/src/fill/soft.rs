//! Soft regrets: what a task that is left will waste, when some hosts are still empty.
//!
//! The least regret on these hosts says little about how hard it will be to fill them: a task that
//! suits five of them leaves more choices than one that suits a single host. Choices are counted
//! by a sum over all ways to place the tasks that are left, where a way that wastes c ticks counts
//! `e^(−β·c)`. Without regard to the rooms this is `Π_t Σ_h e^(−β·regret_th)`, so the *soft regret*
//!
//! `−ln(Σ_h e^(−β·regret_th)) / β`
//!
//! takes the place of the least regret, to which it tends for large β. Of all β that one is used
//! for which the mean waste, of the tasks and of rooms that end a little before k, is the budget:
//! then most of the sum is due to mappings that waste as much as they may.

use super::costs::Costs;

/// The range of β, per tick of mean weight, and how often it is halved.
const BETAS: (f64, f64) = (0.05, 20.0);
const HALVINGS: u32 = 30;

/// The β for which tasks and rooms waste the budget on average.
pub(super) fn beta(costs: &Costs) -> f64 {
    let budget = costs.ticks(costs.budget);
    let (mut low, mut high) = BETAS;
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if mean_waste(costs, middle) > budget {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The mean waste in ticks at this β: regrets of all tasks, and ticks at the end of each host,
/// whose number is geometrically distributed.
fn mean_waste(costs: &Costs, beta: f64) -> f64 {
    let tasks = (0..costs.task_count()).map(|task| {
        let (mut sum, mut weighted) = (0.0, 0.0);
        for host in 0..costs.rooms.len() {
            let Some(regret) = costs.regret(task, host) else { continue };
            let regret = costs.ticks(regret);
            let weight = (-beta * regret).exp();
            sum += weight;
            weighted += weight * regret;
        }
        weighted / sum
    });
    let ends = costs.weights.iter().map(|&weight| {
        let tick = costs.ticks(weight);
        tick / ((beta * tick).exp() - 1.0)
    });
    tasks.sum::<f64>() + ends.sum::<f64>()
}

/// The soft regret of each task of the pool on the hosts of the order from each one on, and
/// `never` where there is none.
pub(super) fn regrets(
    costs: &Costs,
    order: &[usize],
    pool: &[usize],
    (beta, never): (f64, i64),
) -> Vec<Vec<i64>> {
    let mut regrets = vec![vec![never; pool.len()]; order.len() + 1];
    let mut sums = vec![0.0_f64; pool.len()];
    for (number, &host) in order.iter().enumerate().rev() {
        for (position, &task) in pool.iter().enumerate() {
            if let Some(regret) = costs.regret(task, host) {
                sums[position] += (-beta * costs.ticks(regret)).exp();
            }
            if sums[position] > 0.0 {
                let soft = Costs::of_ticks(-sums[position].ln() / beta);
                regrets[number][position] = soft.min(never);
            }
        }
    }
    regrets
}

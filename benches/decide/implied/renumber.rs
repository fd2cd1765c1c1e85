//! Phases and branching order, which varisat offers no option for.
//!
//! It first branches on the variables with the smallest numbers and first tries false. So the pairs
//! of the tasks with the largest regret are numbered first, and the variables of the best
//! mapping's pairs stand for their negation.

use gridsat_check::formula::{Load, pairs};
use gridsat_encodings::{ClauseSink, Cnf, Lit, OverBudget, Var};
use gridsat_model::{TaskId, Ticks};

use super::constraints;
use super::prices::Prices;
use crate::question::Question;

/// Windows, renumbered.
pub fn windows(question: &Question, k: Ticks, prices: &Prices) -> Result<Cnf, OverBudget> {
    let formula = constraints::windows(question, k, prices)?;
    let pairs = pairs(&question.instance, k, Load::Window);
    let mut tasks: Vec<TaskId> = question.instance.tasks().collect();
    tasks.sort_by_key(|&task| std::cmp::Reverse(regret(question, task)));
    let mut numbers: Vec<usize> = (0..formula.variables()).collect();
    let mut is_negated = vec![false; formula.variables()];
    let ordered = tasks.iter().flat_map(|&task| pairs.of_task(task).map(move |of| (task, of)));
    for (number, (task, (host, var))) in ordered.enumerate() {
        numbers[var.index()] = number;
        is_negated[var.index()] = question.best.host(task) == host;
    }
    let renumbered = |lit: Lit| {
        let var = Var::new(numbers[lit.var().index()]);
        let is_positive = (lit == lit.var().positive()) != is_negated[lit.var().index()];
        if is_positive { var.positive() } else { var.negative() }
    };
    let mut result = Cnf::new();
    for _ in 0..formula.variables() {
        result.new_var();
    }
    for clause in formula.clauses() {
        result.add_clause(&clause.iter().map(|&lit| renumbered(lit)).collect::<Vec<_>>());
    }
    Ok(result)
}

/// By how much the task's second cheapest host is more expensive, in weighted time.
fn regret(question: &Question, task: TaskId) -> u128 {
    let cost = |(host, time): (gridsat_model::HostId, Ticks)| {
        u128::from(question.weights[host.index()]) * u128::from(time)
    };
    let mut costs: Vec<u128> = question.instance.times(task).map(cost).collect();
    costs.sort_unstable();
    costs.get(1).map_or(u128::MAX, |second| second - costs[0])
}

//! Formulas that differ by one implied constraint.

use gridsat_check::formula::{
    Encoding, HostWeights, Load, PairVars, Surrogate, TaskPrices, encode, pairs,
};
use gridsat_encodings::window::{self, Item};
use gridsat_encodings::{
    AtMostOne, Budget, ClauseSink, Cnf, Lit, LoadEncoding, OverBudget, Term, Var,
};
use gridsat_model::{HostId, TaskId, Ticks};

use super::Write;
use super::prices::{Packed, Prices};
use crate::question::{BUDGET, Question};

type Written = Result<Cnf, OverBudget>;

/// Decision diagrams for the loads, and nothing else.
pub fn nothing(question: &Question, k: Ticks, _: &Prices) -> Written {
    plain(question, k).map(|(formula, _)| formula)
}

fn plain(question: &Question, k: Ticks) -> Result<(Cnf, PairVars), OverBudget> {
    written(question, k, &Encoding::engineered(LoadEncoding::Bdd, AtMostOne::Pairwise))
}

fn written(
    question: &Question,
    k: Ticks,
    encoding: &Encoding,
) -> Result<(Cnf, PairVars), OverBudget> {
    let mut formula = Cnf::new();
    let mut budget = Budget::clauses(BUDGET);
    let pairs = encode(&question.instance, k, encoding, &mut formula, &mut budget)?;
    Ok((formula, pairs))
}

/// Windows instead of loads.
pub fn windows(question: &Question, k: Ticks, prices: &Prices) -> Written {
    let prices = TaskPrices::new(&question.instance, prices.0.clone()).expect("one per task");
    let encoding = Encoding::windows(prices, AtMostOne::Pairwise);
    written(question, k, &encoding).map(|(formula, _)| formula)
}

/// Windows, and what another formula has beside the plain one.
pub fn windows_and(other: Write, question: &Question, k: Ticks, prices: &Prices) -> Written {
    let (plain, with) = (nothing(question, k, prices)?, other(question, k, prices)?);
    let mut formula = windows(question, k, prices)?;
    let pairs = pairs(&question.instance, k, Load::Window);
    let (known, offset) = (pairs.iter().count(), formula.variables());
    // Pair variables are the first ones in both formulas; the others follow those of the windows.
    let moved = |lit: Lit| match lit.var().index() < known {
        true => lit,
        false => {
            let var = Var::new(lit.var().index() - plain.variables() + offset);
            if lit == lit.var().positive() { var.positive() } else { var.negative() }
        }
    };
    for _ in plain.variables()..with.variables() {
        formula.new_var();
    }
    for clause in with.clauses().skip(plain.len()) {
        formula.add_clause(&clause.iter().map(|&lit| moved(lit)).collect::<Vec<_>>());
    }
    Ok(formula)
}

/// The constraint over all hosts from the weights of the linear bound.
pub fn surrogate(question: &Question, k: Ticks, _: &Prices) -> Written {
    let (mut formula, pairs) = plain(question, k)?;
    let weights = HostWeights::new(&question.instance, question.weights.clone());
    let weights = weights.expect("one per host");
    if let Some(surrogate) = Surrogate::new(&question.instance, &pairs, k, &weights) {
        surrogate.encode(k, &mut formula, &mut Budget::clauses(BUDGET))?;
    }
    Ok(formula)
}

/// Adds a constraint for each host. Prices that refute k count as having no slack, so that the
/// solver has to find the contradiction.
fn for_hosts(
    question: &Question,
    k: Ticks,
    prices: &Prices,
    mut add: impl FnMut(HostId, &Packed, u64, &PairVars, &mut Cnf) -> Result<(), OverBudget>,
) -> Written {
    let (mut formula, pairs) = plain(question, k)?;
    let (hosts, slack) = prices.packed(&question.instance, k);
    for (id, host) in question.instance.hosts().zip(&hosts) {
        add(id, host, slack, &pairs, &mut formula)?;
    }
    Ok(formula)
}

fn items(id: HostId, host: &Packed, pairs: &PairVars, weighs: bool, prices: &Prices) -> Vec<Item> {
    let item = |&(task, time): &(TaskId, u64)| {
        let weight = if weighs { time } else { 0 };
        let lit = pairs.get(task, id)?.positive();
        Some(Item { lit, weight, worth: prices.0[task.index()] })
    };
    host.tasks.iter().filter_map(item).collect()
}

/// The price on a host is at most that of its best packing.
pub fn price_limits(question: &Question, k: Ticks, prices: &Prices) -> Written {
    let prices = &prices.coarse();
    for_hosts(question, k, prices, |id, host, _, pairs, formula| {
        let items = items(id, host, pairs, false, prices);
        let terms = items.iter().map(|item| Term { lit: item.lit, weight: item.worth });
        let terms: Vec<Term> = terms.filter(|term| term.weight > 0).collect();
        LoadEncoding::Bdd.encode(&terms, host.best, formula, &mut Budget::clauses(BUDGET))
    })
}

/// The price on a host is at least that of its best packing less the slack.
pub fn price_floors(question: &Question, k: Ticks, prices: &Prices) -> Written {
    let prices = &prices.coarse();
    for_hosts(question, k, prices, |id, host, slack, pairs, formula| {
        let items = items(id, host, pairs, false, prices);
        let need = host.best.saturating_sub(slack);
        window::encode(&items, u64::MAX, need, formula, &mut Budget::clauses(BUDGET))
    })
}

/// Windows for equal prices: the number of tasks on a host is at least the largest possible one
/// less the slack.
pub fn counts(question: &Question, k: Ticks, _: &Prices) -> Written {
    let prices = &Prices::equal(&question.instance);
    for_hosts(question, k, prices, |id, host, slack, pairs, formula| {
        let items = items(id, host, pairs, true, prices);
        let need = host.best.saturating_sub(slack);
        window::encode(&items, host.room, need, formula, &mut Budget::clauses(BUDGET))
    })
}

/// The pairs whose losses exceed the slack are false.
pub fn fixed_pairs(question: &Question, k: Ticks, prices: &Prices) -> Written {
    let mut losses: Vec<(TaskId, HostId, u64, u64)> = Vec::new();
    let mut all_slack = 0;
    let mut formula = for_hosts(question, k, prices, |id, host, slack, _, _| {
        all_slack = slack;
        for (i, &(task, time)) in host.tasks.iter().enumerate() {
            let mut others = host.tasks.clone();
            others.remove(i);
            let with = prices.0[task.index()] + prices.best(&others, host.room - time);
            let without = prices.best(&others, host.room);
            losses.push((task, id, host.best - with, host.best - without));
        }
        Ok(())
    })?;
    let pairs = pairs(&question.instance, k, Load::Window);
    for &(task, host, with, without) in &losses {
        let all: u64 = losses.iter().filter(|loss| loss.0 == task).map(|loss| loss.3).sum();
        if let Some(var) = pairs.get(task, host)
            && with + all - without > all_slack
        {
            formula.add_clause(&[var.negative()]);
        }
    }
    Ok(formula)
}

//! Derives "the makespan exceeds k", for each kind of reason.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use gridsat_encodings::{AtMostOne, Budget, LoadEncoding};

use super::case::{Case, Fact, Problem, Refuted};
use super::derive::{Derived, DerivingSink};
use super::lines::{ConstraintId, Definition, Lines, Literal};
use super::part::Part;
use super::solver_steps::SolverSteps;
use super::tree::Walk;
use super::{Refuter, VeripbError, trim, windows};
use crate::alike::{Alike, Fillings};
use crate::cases::compact;
use crate::reason::{OpenCase, Reason};
use crate::sat::Answer;
use gridsat_check::formula::{Encoding, Load, PairVars, Surrogate, TaskPrices, terms};
use gridsat_model::certificate::{FillingNode, Node};
use gridsat_model::{Instance, Stop, TaskId, Ticks, Works};

/// Derives the variable that `over` defines: the makespan exceeds the k of the reason.
pub(super) fn refute<W: Write>(
    problem: Problem<'_>,
    over: Definition,
    reason: &Reason,
    lines: &mut Lines<W>,
    refuter: &Refuter<'_>,
) -> Result<Refuted, VeripbError> {
    let k = reason.k();
    let mut case = match Case::root(problem, k, over, lines)? {
        Ok(case) => case,
        Err(refuted) => return Ok(refuted),
    };
    match reason {
        // The case would have been refuted.
        Reason::Ready { .. } | Reason::LongestTask { .. } => Err(VeripbError::NotShown),
        Reason::Weights { weights, .. } => Ok(by_weights(&mut case, weights, lines)?),
        Reason::Prices { prices, .. } => {
            let node = [Node::Prices { prices: prices.clone() }];
            by_cases(case, k, &node, lines, refuter)
        }
        Reason::Tree { nodes, .. } => by_cases(case, k, nodes, lines, refuter),
        Reason::Unsat(formula) if formula.encoding.load == Load::Window => {
            let prices = formula.encoding.prices.as_ref().map(TaskPrices::as_slice);
            by_windows(case, prices, lines, refuter)
        }
        &Reason::Part { hosts, tasks, sums, .. } => {
            let part = Part::new(problem.instance, hosts as usize, tasks as usize);
            by_part(case, k, &part, sums, lines, refuter)
        }
        Reason::Fillings { nodes, .. } => {
            match prices_of_fillings(problem.instance, k, nodes, refuter.stop) {
                Some(prices) => by_cases(case, k, &[Node::Prices { prices }], lines, refuter),
                None => by_solver(&mut case, k, lines, refuter),
            }
        }
        Reason::Unsat(_) => by_solver(&mut case, k, lines, refuter),
    }
}

fn by_part<W: Write>(
    mut case: Case<'_>,
    k: Ticks,
    part: &Part,
    sums: bool,
    lines: &mut Lines<W>,
    refuter: &Refuter<'_>,
) -> Result<Refuted, VeripbError> {
    let instance = case.problem.instance;
    match part.prices(instance) {
        // All tasks together take longer than all hosts have time.
        Some(_) if part.has_all_hosts() && !sums => {
            Ok(by_weights(&mut case, &vec![1; instance.host_count()], lines)?)
        }
        Some(prices) => by_cases(case, k, &[Node::Prices { prices }], lines, refuter),
        None => part.refute(&mut case, lines),
    }
}

/// Where prices refute k before any host is filled: the price of each task. The tasks that fit a
/// host have no more work than its room, so they are not worth more than the node says.
fn prices_of_fillings(
    instance: &Instance,
    k: Ticks,
    nodes: &[FillingNode],
    stop: &Stop,
) -> Option<Vec<u64>> {
    let found = match nodes {
        [only @ FillingNode::Prices { .. }] => only.clone(),
        _ => Fillings::new(&Alike::of(instance)?).prices(k, stop)?,
    };
    let FillingNode::Prices { prices } = found else { return None };
    let works = Works::of(instance)?.of_task;
    let distinct: BTreeSet<u64> = works.iter().copied().filter(|&work| work > 0).collect();
    let price: BTreeMap<u64, u64> = distinct.into_iter().rev().zip(prices).collect();
    Some(works.iter().map(|work| price.get(work).copied().unwrap_or(0)).collect())
}

fn by_cases<W: Write>(
    case: Case<'_>,
    k: Ticks,
    nodes: &[Node<OpenCase>],
    lines: &mut Lines<W>,
    refuter: &Refuter<'_>,
) -> Result<Refuted, VeripbError> {
    let instance = case.problem.instance;
    let smaller = smaller(instance, k, nodes, refuter.stop);
    let nodes = trim::trim(instance, k, smaller.as_deref().unwrap_or(nodes))?;
    let case = case.settled(lines)?;
    Walk::new(&nodes, lines, refuter).refute(case)
}

/// Trees with more prices than this are not searched again: their proofs are too large anyway.
const MOST_PRICES: usize = 1000;

/// A tree with no more prices, if one is found. Trees with formulas are kept: a formula about a
/// small case takes the place of many prices.
fn smaller(
    instance: &Instance,
    k: Ticks,
    nodes: &[Node<OpenCase>],
    stop: &Stop,
) -> Option<Vec<Node<OpenCase>>> {
    let has_branch = nodes.iter().any(|node| matches!(node, Node::Branch { .. }));
    let has_formula = nodes.iter().any(|node| matches!(node, Node::Unsat(_)));
    let mut all = nodes.iter().filter_map(trim::prices_of).peekable();
    let first = all.peek().copied().filter(|_| has_branch && !has_formula)?;
    let count = all.count();
    (count <= MOST_PRICES).then(|| compact(instance, k, first, count, stop))?
}

fn by_windows<W: Write>(
    case: Case<'_>,
    prices: Option<&[u64]>,
    lines: &mut Lines<W>,
    refuter: &Refuter<'_>,
) -> Result<Refuted, VeripbError> {
    let none = vec![0; case.problem.instance.task_count()];
    match case.settled(lines)? {
        Ok(mut case) => windows::refute(&mut case, prices.unwrap_or(&none), lines, refuter),
        Err(refuted) => Ok(refuted),
    }
}

/// Host rows times their weights plus task rows times their smallest weighted time.
fn by_weights<W: Write>(
    case: &mut Case<'_>,
    weights: &[u64],
    lines: &mut Lines<W>,
) -> io::Result<Refuted> {
    let instance = case.problem.instance;
    let mut parts: Vec<(Fact, u128)> = Vec::new();
    for (host, &weight) in instance.hosts().zip(weights) {
        parts.push((case.row(host, lines)?, u128::from(weight)));
    }
    for task in instance.tasks() {
        let time = |h| instance.time(task, h).map_or(0, |time| u128::from(time.0));
        let weighted = case.hosts(task).iter().map(|&h| u128::from(weights[h.index()]) * time(h));
        parts.push((case.task(task).clone(), weighted.min().unwrap_or(0)));
    }
    let parts: Vec<(&Fact, u128)> = parts.iter().map(|(fact, factor)| (fact, *factor)).collect();
    let sum = case.sum(&parts, lines)?;
    case.refute(&[&sum], lines)
}

fn by_solver<W: Write>(
    case: &mut Case<'_>,
    k: Ticks,
    lines: &mut Lines<W>,
    refuter: &Refuter<'_>,
) -> Result<Refuted, VeripbError> {
    let derived = derive_formula(case, k, &(refuter.encoding)(), lines)?;
    let (formula, mut steps) = SolverSteps::new(derived);
    let answer = refuter.solver.prove(&formula, &mut steps, refuter.stop)?;
    match (answer, steps.last()) {
        (Answer::Unsat, Some(contradiction)) => Ok(Refuted(contradiction)),
        (Answer::Unknown, _) => Err(VeripbError::Stopped),
        (answer, _) => Err(VeripbError::NotRefuted { k, answer }),
    }
}

/// The decision formula at k, with a derivation of every clause. No task may be placed.
fn derive_formula<'l, W: Write>(
    case: &mut Case<'_>,
    k: Ticks,
    encoding: &Encoding,
    lines: &'l mut Lines<W>,
) -> Result<Derived<'l, W>, VeripbError> {
    let (problem, instance) = (case.problem, case.problem.instance);
    let mut rows = Vec::new();
    for host in instance.hosts() {
        rows.push(case.row(host, lines)?.id);
    }
    let mut sink = DerivingSink::new(lines, case.guard(), pair_literals(case));
    let pairs = PairVars::within(instance, k, &mut sink);
    for task in instance.tasks() {
        let lits = pairs.literals(task);
        sink.add_hinted(&lits, &[case.task(task).id]);
        sink.set_row(problem.at_most_one(task));
        AtMostOne::Pairwise.encode(&lits, &mut sink);
    }
    let mut budget = Budget::default();
    let load = match encoding.load {
        Load::Engineered(load) => load,
        Load::Thesis | Load::Window => LoadEncoding::Adder,
    };
    for (host, &row) in instance.hosts().zip(&rows) {
        sink.set_row(row);
        let terms = terms(instance, &pairs, host);
        load.encode(&terms, case.room(host).0, &mut sink, &mut budget)?;
    }
    if let Some(surrogate) = encoding.surrogate(instance, &pairs, k) {
        let weights = encoding.surrogate.iter().flat_map(|weights| weights.as_slice());
        let hosts = rows.iter().copied().zip(weights.map(|&weight| u128::from(weight)));
        let tasks = instance.tasks().map(|task| case.task(task).id);
        let parts = hosts.chain(tasks.zip(surrogate.least().iter().copied()));
        let row = surrogate_row(&surrogate, parts.collect(), &mut sink)?;
        sink.set_row(row);
        surrogate.encode(k, &mut sink, &mut budget)?;
    }
    Ok(sink.finish()?)
}

/// The literals of the possible pairs, in the order of their variables.
fn pair_literals(case: &Case<'_>) -> Vec<Literal> {
    let pairs = |task: TaskId| case.hosts(task).iter().map(move |&host| (task, host));
    let pairs = case.problem.instance.tasks().flat_map(pairs);
    pairs.map(|(task, host)| case.problem.pair(task, host)).collect()
}

/// Weighted host rows plus task rows times their smallest weighted time, minus the rounding,
/// divided.
fn surrogate_row<W: Write>(
    surrogate: &Surrogate<'_>,
    mut parts: Vec<(ConstraintId, u128)>,
    sink: &mut DerivingSink<'_, W>,
) -> io::Result<ConstraintId> {
    parts.retain(|&(_, factor)| factor > 0);
    let remainders = surrogate.remainders().filter(|&(_, rest)| rest > 0);
    let remainders: Vec<_> = remainders.map(|(lit, rest)| (sink.literal(lit), rest)).collect();
    sink.lines().divided_sum(&parts, &remainders, surrogate.unit())
}

//! A case decided by a SAT solver.
//!
//! Prices that refute nothing more still narrow what each host must carry. Where that makes
//! decision diagrams small ([`encode_case`]), clause learning decides at once what would take many
//! cases. Where it does not, the solver gives up; then the tree continues to branch and tries the
//! solver again on smaller cases.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gridsat_encodings::{Budget, Cnf, Var};

use crate::bounds::{Contradiction, Domain};
use crate::knapsack::Packer;
use crate::reason::OpenCase;
use crate::sat::{Answer, SatSolver, SolverChoice};
use gridsat_check::formula::{CaseHost, PairVars, encode_case};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// States visited per knapsack.
const EFFORT: usize = 1_000_000;

/// Largest formula tried at first, in variables: pairs and nodes of diagrams.
const VARIABLES: usize = 800;
/// States and clauses visited per variable of the formula while its diagrams are built.
const STATES_PER_VARIABLE: u64 = 10;
/// Conflicts after which a solver gives up. The limit grows by this number each time, so that cases
/// which the tree settles quickly are not delayed.
const CONFLICTS: u64 = 100;
/// The limit on conflicts never exceeds this.
const MAX_CONFLICTS: u64 = 1000;

/// The result of trying the solver.
pub(super) enum Decided {
    /// A mapping in the domain.
    Found(Mapping),
    /// The domain contains no mapping.
    Refuted,
    /// The case is too large or too hard.
    Open,
}

/// A solver for small cases. It learns up to which size formulas are easy enough; threads that
/// share it share what it has learnt.
#[derive(Debug)]
pub(super) struct CaseSolver {
    choice: SolverChoice,
    stop: Stop,
    limits: Mutex<Limits>,
}

#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Formulas with more variables are not tried.
    largest: usize,
    /// Conflicts allowed in the last formula.
    conflicts: u64,
}

impl CaseSolver {
    pub fn new(choice: SolverChoice, stop: Stop) -> Self {
        Self { choice, stop, limits: Mutex::new(Limits { largest: VARIABLES, conflicts: 0 }) }
    }

    /// Decides the domain if that looks easy enough.
    pub fn decide(&self, domain: &Domain, prices: &[u64]) -> Decided {
        self.try_to(domain, prices).unwrap_or(Decided::Open)
    }

    fn limits(&self) -> MutexGuard<'_, Limits> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_to(&self, domain: &Domain, prices: &[u64]) -> Option<Decided> {
        let is_due = || self.stop.is_due();
        let largest = self.limits().largest;
        let states = largest as u64 * STATES_PER_VARIABLE;
        let mut budget = Budget::clauses(states).until(&is_due);
        let (formula, pairs) = encode(domain, prices, &mut budget)?;
        if formula.variables() > largest {
            return None;
        }
        // A solver that cannot be started is no reason to fail: the tree continues without it.
        let mut solver = self.choice.build().ok()?;
        load(&formula, &mut *solver);
        let conflicts = self.limits().raise_conflicts();
        let answer = solver.solve_briefly(conflicts, &self.stop).ok()?;
        self.limits().learn(formula.variables(), answer);
        match answer {
            Answer::Sat => mapping(domain, &pairs, |var| solver.value(var)).map(Decided::Found),
            Answer::Unsat => Some(Decided::Refuted),
            Answer::Unknown => None,
        }
    }
}

impl Limits {
    fn raise_conflicts(&mut self) -> u64 {
        self.conflicts = (self.conflicts + CONFLICTS).min(MAX_CONFLICTS);
        self.conflicts
    }

    /// After a failure only smaller formulas are tried, after a success also larger ones.
    fn learn(&mut self, size: usize, answer: Answer) {
        self.largest = match answer {
            Answer::Unknown => size - size / 8,
            Answer::Sat | Answer::Unsat => self.largest.max(size + size / 4),
        };
    }
}

fn load(formula: &Cnf, solver: &mut dyn SatSolver) {
    for _ in 0..formula.variables() {
        solver.new_var();
    }
    formula.clauses().for_each(|clause| solver.add_clause(clause));
}

fn mapping(domain: &Domain, pairs: &PairVars, is_true: impl Fn(Var) -> bool) -> Option<Mapping> {
    let host = |task| {
        let chosen = || pairs.of_task(task).find(|&(_, var)| is_true(var)).map(|(host, _)| host);
        domain.placed(task).or_else(chosen)
    };
    let hosts: Option<Vec<HostId>> = domain.instance().tasks().map(host).collect();
    Mapping::new(domain.instance(), hosts?).ok()
}

/// For each task the hosts that are still possible.
pub(super) fn hosts_left(domain: &Domain) -> Vec<Vec<u32>> {
    let instance = domain.instance();
    let left = |task: TaskId| {
        let hosts = instance.hosts().filter(|&host| domain.is_possible(task, host));
        hosts.map(|host| host.0).collect()
    };
    instance.tasks().map(left).collect()
}

/// The pairs of a case at k, settled.
pub(super) fn domain_of<'a>(
    instance: &'a Instance,
    k: Ticks,
    case: &OpenCase,
) -> Result<Domain<'a>, Contradiction> {
    let mut domain = Domain::new(instance, k)?;
    for (task, left) in instance.tasks().zip(&case.hosts) {
        let gone = instance.hosts().filter(|host| !left.contains(&host.0));
        gone.for_each(|host| domain.forbid(task, host));
    }
    domain.settle()?;
    Ok(domain)
}

/// Whether the rooms alone contradict a case.
pub fn is_empty(instance: &Instance, k: Ticks, case: &OpenCase) -> bool {
    domain_of(instance, k, case).is_err()
}

/// The formula of a case. `None` if the rooms alone contradict it, if it is too large, or if
/// stopped.
pub fn formula(instance: &Instance, k: Ticks, case: &OpenCase, stop: &Stop) -> Option<Cnf> {
    let domain = domain_of(instance, k, case).ok()?;
    let is_due = || stop.is_due();
    let (formula, _) = encode(&domain, &case.prices, &mut Budget::default().until(&is_due))?;
    Some(formula)
}

/// `None` if the formula is too large, or if a knapsack is too hard to bound exactly.
fn encode(domain: &Domain, prices: &[u64], budget: &mut Budget) -> Option<(Cnf, PairVars)> {
    let mut packer = Packer::default();
    let mut host = |host: HostId| {
        let tasks = domain.open(host).to_vec();
        let worth = packer.pack(&domain.items(host, prices), domain.room(host).0, EFFORT);
        let is_exact = worth.value == worth.at_most;
        is_exact.then_some(CaseHost { room: domain.room(host), tasks, best: worth.value })
    };
    let instance = domain.instance();
    let hosts: Option<Vec<CaseHost>> = instance.hosts().map(&mut host).collect();
    let mut formula = Cnf::new();
    let pairs = encode_case(instance, &hosts?, prices, &mut formula, budget).ok()?;
    Some((formula, pairs))
}

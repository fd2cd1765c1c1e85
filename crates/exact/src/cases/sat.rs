//! A case given to a SAT solver.
//!
//! Prices that get no further still narrow what each host must carry; where that makes diagrams
//! small ([`encode_case`]), clause learning decides in one go what would take many cases. Where it
//! does not, a solver gets nowhere: then the tree goes on branching, and tries again with what is
//! left.

use gridsat_encodings::{Budget, Cnf, Var};

use crate::bounds::Domain;
use crate::knapsack::Packer;
use crate::reason::OpenCase;
use crate::sat::{Answer, SatSolver, SolverChoice};
use gridsat_check::formula::{CaseHost, PairVars, encode_case};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// States looked at in a knapsack.
const EFFORT: usize = 1_000_000;

/// Variables of the largest formula tried at first: pairs and nodes of diagrams.
const VARIABLES: usize = 800;
/// A diagram's nodes are what is left of this many states and clauses looked at.
const STATES_A_VARIABLE: u64 = 10;
/// Conflicts before a solver gives up: this many more each time, so that what the tree itself can
/// do quickly is not held up …
const CONFLICTS: u64 = 100;
/// … up to this many.
const MAX_CONFLICTS: u64 = 1000;

/// What the solver says.
pub(super) enum Decided {
    /// A mapping in the domain.
    Found(Mapping),
    /// There is none.
    Refuted,
    /// Too large, or too hard.
    Open,
}

/// A solver for small cases. Learns what size is easy enough.
#[derive(Clone, Debug)]
pub(super) struct CaseSolver {
    choice: SolverChoice,
    stop: Stop,
    /// Larger formulas are not tried.
    largest: usize,
    conflicts: u64,
}

impl CaseSolver {
    pub fn new(choice: SolverChoice, stop: Stop) -> Self {
        Self { choice, stop, largest: VARIABLES, conflicts: 0 }
    }

    /// Decides the domain if that is easy enough.
    pub fn decide(&mut self, domain: &Domain, prices: &[u64]) -> Decided {
        self.try_to(domain, prices).unwrap_or(Decided::Open)
    }

    fn try_to(&mut self, domain: &Domain, prices: &[u64]) -> Option<Decided> {
        let is_due = || self.stop.is_due();
        let states = self.largest as u64 * STATES_A_VARIABLE;
        let mut budget = Budget::clauses(states).until(&is_due);
        let (formula, pairs) = encode(domain, prices, &mut budget)?;
        if formula.variables() > self.largest {
            return None;
        }
        // A solver that fails is no reason not to go on without it.
        let mut solver = self.choice.build().ok()?;
        load(&formula, &mut *solver);
        self.conflicts = (self.conflicts + CONFLICTS).min(MAX_CONFLICTS);
        let answer = solver.solve_briefly(self.conflicts, &self.stop).ok()?;
        self.learn(formula.variables(), answer);
        match answer {
            Answer::Sat => mapping(domain, &pairs, |var| solver.value(var)).map(Decided::Found),
            Answer::Unsat => Some(Decided::Refuted),
            Answer::Unknown => None,
        }
    }

    /// What was too hard is not tried again unless it gets smaller, what was not may get larger.
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

/// The hosts left to each task.
pub(super) fn hosts_left(domain: &Domain) -> Vec<Vec<u32>> {
    let instance = domain.instance();
    let left = |task: TaskId| {
        let hosts = instance.hosts().filter(|&host| domain.is_possible(task, host));
        hosts.map(|host| host.0).collect()
    };
    instance.tasks().map(left).collect()
}

/// The formula of a case. `None` if it cannot be written.
pub fn formula(instance: &Instance, k: Ticks, case: &OpenCase, stop: &Stop) -> Option<Cnf> {
    let mut domain = Domain::new(instance, k).ok()?;
    for (task, left) in instance.tasks().zip(&case.hosts) {
        let gone = instance.hosts().filter(|host| !left.contains(&host.0));
        gone.for_each(|host| domain.forbid(task, host));
    }
    domain.settle().ok()?;
    let is_due = || stop.is_due();
    let (formula, _) = encode(&domain, &case.prices, &mut Budget::default().until(&is_due))?;
    Some(formula)
}

/// `None` if it is too large, or some knapsack too hard to be sure of.
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

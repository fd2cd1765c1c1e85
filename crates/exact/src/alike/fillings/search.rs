//! The search over fillings, depth first, with a proof if it ends without a packing.
//!
//! Open branches are kept in a list, not on the program's stack: there can be as many as hosts.

use std::collections::HashMap;

use super::Effort;
use super::case::{Case, Filling, Problem};
use super::choices::{FEW_STEPS, STEPS, choices};
use super::forced::forced;
use super::patterns::{self, Pattern};
use super::prices::{Pricer, Prices};
use gridsat_model::Stop;
use gridsat_model::certificate::FillingNode;

/// More refuted cases than this are not remembered.
const MOST_SEEN: usize = 100_000;

/// More nodes than this make a certificate too large.
const MOST_NODES: usize = 200_000;

/// With at most this many fillings by waste alone, prices are not worth their time.
const FEW_CHOICES: usize = 3;

/// Like [`super::Answer`], by classes.
pub(super) enum Answer {
    Packed(Vec<Filling>),
    Refuted(Vec<FillingNode>),
    Open,
}

/// A case that was divided.
struct Branch {
    /// The fillings of its host that are not tried yet, the next one last.
    untried: Vec<Filling>,
    /// The number of hosts filled when the case began, and when its fillings began.
    filled: (usize, usize),
}

/// What a case came to.
enum Step {
    Packed(Vec<Filling>),
    Refuted,
    Branch(Vec<Filling>),
    Open,
}

/// A search for one makespan.
pub(super) struct Search<'a> {
    problem: &'a Problem,
    effort: Effort,
    stop: &'a Stop,
    pricer: Pricer,
    /// The tasks left in refuted cases, with the hosts for which they were refuted.
    seen: HashMap<Vec<u32>, Vec<Vec<usize>>>,
    nodes: Vec<FillingNode>,
    filled: Vec<Filling>,
}

impl<'a> Search<'a> {
    pub fn new(problem: &'a Problem, effort: Effort, stop: &'a Stop) -> Self {
        let pricer = Pricer::new(problem);
        let (seen, nodes, filled) = (HashMap::new(), Vec::new(), Vec::new());
        Self { problem, effort, stop, pricer, seen, nodes, filled }
    }

    pub fn run(mut self, mut case: Case) -> Answer {
        let mut branches: Vec<Branch> = Vec::new();
        loop {
            let before = self.filled.len();
            match self.step(&mut case) {
                Step::Open => return Answer::Open,
                Step::Packed(rest) => {
                    self.filled.extend(rest);
                    return Answer::Packed(self.filled);
                }
                Step::Branch(untried) => {
                    branches.push(Branch { untried, filled: (before, self.filled.len()) });
                }
                Step::Refuted => self.unfill(&mut case, before),
            }
            loop {
                let Some(branch) = branches.last_mut() else { return Answer::Refuted(self.nodes) };
                let (before, after) = branch.filled;
                let next = branch.untried.pop();
                self.unfill(&mut case, after);
                match next {
                    Some(filling) => {
                        self.fill(&mut case, filling);
                        break;
                    }
                    None => {
                        self.unfill(&mut case, before);
                        branches.pop();
                    }
                }
            }
        }
    }

    fn fill(&mut self, case: &mut Case, filling: Filling) {
        case.fill(&filling);
        self.filled.push(filling);
    }

    /// Empties hosts until only this many are filled.
    fn unfill(&mut self, case: &mut Case, most: usize) {
        while self.filled.len() > most
            && let Some(filling) = self.filled.pop()
        {
            case.empty(&filling);
        }
    }

    /// Packs, refutes or divides a case, after filling the hosts whose fillings are forced.
    fn step(&mut self, case: &mut Case) -> Step {
        if self.stop.is_due() || self.nodes.len() > MOST_NODES {
            return Step::Open;
        }
        if let Some(rest) = self.problem.best_fit(case) {
            return Step::Packed(rest);
        }
        if self.force(case)
            && let Some(rest) = self.problem.best_fit(case)
        {
            return Step::Packed(rest);
        }
        if let Some(node) = self.problem.too_much_work(case) {
            self.nodes.push(node);
            return Step::Refuted;
        }
        let has_more = |hosts: &Vec<usize>| hosts.iter().zip(&case.hosts).all(|(a, b)| a >= b);
        if self.seen.get(&case.counts).is_some_and(|all| all.iter().any(has_more)) {
            self.nodes.push(FillingNode::Seen {});
            return Step::Refuted;
        }
        self.divide(case)
    }

    /// Fills hosts as long as there is no choice, and returns whether some were filled.
    fn force(&mut self, case: &mut Case) -> bool {
        let before = self.filled.len();
        while self.problem.too_much_work(case).is_none()
            && !self.stop.is_due()
            && let Some(filling) = forced(self.problem, case)
        {
            self.fill(case, filling);
        }
        let hosts = (self.filled.len() - before) as u32;
        if hosts > 0 {
            self.nodes.push(FillingNode::Forced { hosts });
        }
        hosts > 0
    }

    /// Refutes a case by prices, or lists the fillings that they leave.
    fn divide(&mut self, case: &mut Case) -> Step {
        if let Some(step) = self.divide_by_times(case) {
            return step;
        }
        let prices = self.pricer.prices(self.problem, case, self.stop);
        if prices.refute() {
            self.nodes.push(FillingNode::Prices { prices: prices.list(case) });
            self.remember(case);
            return Step::Refuted;
        }
        if !self.effort.may_branch || self.pricer.work > self.effort.work {
            return Step::Open;
        }
        let least = |place| prices.least(place);
        let found = choices(self.problem, case, &prices.of_class, least, STEPS);
        let Some(found) = found else { return Step::Open };
        self.branch(case, &prices, &found)
    }

    /// With times as prices a host must waste no more than all hosts together may. Where that
    /// leaves hardly a choice, no linear program is needed.
    fn divide_by_times(&mut self, case: &mut Case) -> Option<Step> {
        let slack = self.problem.slack(case)?;
        let times = &self.problem.times;
        // A sum of times may be the most that fits; this is a quick look only.
        let least = |place: usize| self.problem.rooms[place].saturating_sub(slack);
        let quick = choices(self.problem, case, times, least, FEW_STEPS)?;
        let most = if self.effort.may_branch { FEW_CHOICES } else { 1 };
        if quick.len() > most {
            return None;
        }
        self.pricer.work += patterns::entries(self.problem, case);
        let prices = Prices::of(self.problem, case, times.clone());
        let found = choices(self.problem, case, times, |place| prices.least(place), FEW_STEPS)?;
        Some(self.branch(case, &prices, &found))
    }

    fn branch(&mut self, case: &Case, prices: &Prices, found: &[Filling]) -> Step {
        let order = self.order(found, prices);
        let untried = order.iter().rev().map(|&place| found[place as usize].clone()).collect();
        self.nodes.push(FillingNode::Branch { prices: prices.list(case), order });
        self.remember(case);
        Step::Branch(untried)
    }

    /// The case is refuted before another case like it is met: only cases with more tasks left are
    /// open at that time.
    fn remember(&mut self, case: &Case) {
        if self.seen.len() < MOST_SEEN {
            self.seen.entry(case.counts.clone()).or_default().push(case.hosts.clone());
        }
    }

    /// The order in which fillings are tried: those of the linear program first, then by price.
    fn order(&self, fillings: &[Filling], prices: &Prices) -> Vec<u32> {
        let used: HashMap<(usize, &Pattern), f64> = self.pricer.in_use().collect();
        let key = |filling: &Filling| {
            let classes = filling.classes.iter();
            let price: u64 = classes.map(|&class| prices.of_class[class as usize]).sum();
            (used.get(&(filling.place, &pattern(filling))).copied().unwrap_or(0.0), price)
        };
        let keys: Vec<(f64, u64)> = fillings.iter().map(key).collect();
        let mut order: Vec<u32> = (0..fillings.len() as u32).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (keys[a as usize], keys[b as usize]);
            b.0.total_cmp(&a.0).then(b.1.cmp(&a.1))
        });
        order
    }
}

/// The filling with the number of tasks of each class.
fn pattern(filling: &Filling) -> Pattern {
    let equal = filling.classes.chunk_by(|a, b| a == b);
    equal.map(|equal| (equal[0], equal.len() as u32)).collect()
}

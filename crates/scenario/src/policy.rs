//! The scheduling policies by name: the built-in ones and user-defined ones.
//!
//! Built in are every mapping heuristic, its time-limit forms named as in the thesis, the searches,
//! the optimum of each batch, brokers that spend money, and the replay of a given mapping. A name
//! such as `cmd:python3 mine.py` is a program.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::Fault;
use crate::optimal_batches::{Kept, OptimalBatches};
use crate::searched_batches::SearchedBatches;
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::strategy::Strategy;
use gridsat_grid::{
    Broker, ByHeuristic, Fixed, Mapper, Mode, OneByOne, OntoFree, Optimise, ResourceId, Sorted,
};
use gridsat_heuristics::search::{self, NamedSearch};
use gridsat_heuristics::{Heuristic, Heuristics, List, MaxMin, MinMin, OnLine, Qgmm, Sufferage};
use gridsat_model::Stop;
use gridsat_model::Ticks;
use gridsat_model::names;
use gridsat_outside::{ByProgram, Program, is_program};

/// When a scheduler decides, without the parameters of the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// When a job arrives.
    OnLine,
    /// At fixed intervals.
    Batch,
    /// When a fixed number of jobs wait.
    Count,
    /// At fixed intervals, sending only the jobs that keep resources busy until the next decision.
    TimeLimit,
    /// When a resource is free.
    WhenFree,
}

impl When {
    /// All modes.
    pub const ALL: [Self; 5] =
        [Self::OnLine, Self::Batch, Self::Count, Self::TimeLimit, Self::WhenFree];

    /// The name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnLine => "on-line",
            Self::Batch => "batch",
            Self::Count => "count",
            Self::TimeLimit => "time-limit",
            Self::WhenFree => "when-free",
        }
    }

    /// The mode with a time between decisions and a number of jobs; `None` if it needs the number
    /// and that is missing.
    pub fn mode(self, wait: Ticks, jobs: Option<usize>) -> Option<Mode> {
        Some(match self {
            Self::OnLine => Mode::OnLine,
            Self::Batch => Mode::Batch(wait),
            Self::Count => Mode::Count(jobs?),
            Self::TimeLimit => Mode::TimeLimit(wait),
            Self::WhenFree => Mode::WhenFree,
        })
    }
}

/// Parameters that some policies need.
#[derive(Clone, Debug)]
pub struct Means {
    /// `sat`: how the optimum of a batch is searched for.
    pub exactness: Exactness,
    /// Searches: most evaluations per batch.
    pub evaluations: u64,
    /// Searches: seed of the scheduler.
    pub seed: u64,
    /// `sat` and searches: ends all of them early.
    pub stop: Stop,
    /// `fixed`: the resource of each job.
    pub mapping: Vec<ResourceId>,
    /// `sat`: where the certificates of batches are kept, if they are.
    pub kept: Option<Kept>,
}

/// How the optimum of a batch is searched for.
#[derive(Clone, Debug)]
pub struct Exactness {
    /// Relative gap at which the search stops.
    pub gap: f64,
    /// Time limit per batch.
    pub limit: Duration,
    /// Which methods may be used.
    pub strategy: Strategy,
    /// The SAT solver.
    pub solver: SolverChoice,
}

impl Default for Exactness {
    /// A gap of 0.1 % and a minute per batch. The limit on work is reached long before, so that
    /// results do not depend on the speed of the computer.
    fn default() -> Self {
        Self {
            gap: 0.001,
            limit: Duration::from_secs(60),
            strategy: Strategy::Auto,
            solver: SolverChoice::Varisat,
        }
    }
}

type MakeMapper = dyn Fn(&Means) -> Box<dyn Mapper> + Send + Sync;

/// A policy: its names, when it decides, and a function that makes its mappers.
///
/// ```
/// use gridsat_scenario::{Policy, When};
///
/// let policy = Policy::of(&gridsat_heuristics::MinMin);
/// assert!(policy.name == "minmin" && policy.when == When::Batch);
/// ```
#[derive(Clone)]
pub struct Policy {
    /// The name in files and on the command line.
    pub name: &'static str,
    /// The name in the literature.
    pub title: &'static str,
    /// The default mode, which a file may replace.
    pub when: When,
    kind: Kind,
    make: Arc<MakeMapper>,
}

/// What a policy requires of a scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Any,
    /// Prices of resources, and a time between decisions.
    Broker,
    /// A mapping in `[etc] mapping`.
    Fixed,
}

impl Policy {
    /// A user-defined policy; `make` is called for every scheduler in every run.
    pub fn new(
        name: &'static str,
        title: &'static str,
        when: When,
        make: impl Fn(&Means) -> Box<dyn Mapper> + Send + Sync + 'static,
    ) -> Self {
        Self { name, title, when, kind: Kind::Any, make: Arc::new(make) }
    }

    /// The policy that applies a mapping heuristic.
    pub fn of(heuristic: &'static dyn Heuristic) -> Self {
        let on_line = [OnLine::Olb, OnLine::Met, OnLine::Mct];
        let on_line = on_line.into_iter().find(|rule| rule.name() == heuristic.name());
        let when = match heuristic.name() {
            "fcfs" | "fjfr" | "fjbr" | "minmax" | "maxmax" => When::WhenFree,
            _ if on_line.is_some() => When::OnLine,
            _ => When::Batch,
        };
        let (name, title) = (heuristic.name(), heuristic.title());
        match on_line {
            Some(rule) => Self::new(name, title, when, move |_| Box::new(OneByOne(rule))),
            None => Self::new(name, title, when, move |_| by_heuristic(heuristic)),
        }
    }

    /// The policy that maps each batch by a search.
    pub fn searching(entry: NamedSearch) -> Self {
        Self::new(entry.name, entry.title, When::Batch, move |means| {
            let Means { evaluations, seed, ref stop, .. } = *means;
            Box::new(SearchedBatches::new(entry, evaluations, seed, stop.clone()))
        })
    }

    /// The policy that asks a program, which every scheduler starts for itself.
    fn program(name: &str) -> Result<Self, Fault> {
        let (program, name) = (Program::of(name)?, names::kept(name));
        Ok(Self::new(name, name, When::Batch, move |means| {
            Box::new(ByProgram::new(program.clone(), means.stop.clone()))
        }))
    }

    /// The same rule in another mode, with names of its own.
    fn renamed(self, name: &'static str, title: &'static str, when: When) -> Self {
        Self { name, title, when, ..self }
    }

    fn broker(name: &'static str, title: &'static str, optimise: Optimise) -> Self {
        let policy = Self::new(name, title, When::Batch, move |_| Box::new(Broker::new(optimise)));
        Self { kind: Kind::Broker, ..policy }
    }

    /// Whether the policy requires time-limit mode.
    pub fn is_time_limited(&self) -> bool {
        self.when == When::TimeLimit
    }

    /// Whether the policy replays `[etc] mapping`.
    pub fn is_fixed(&self) -> bool {
        self.kind == Kind::Fixed
    }

    /// Whether the policy uses deadlines and budgets.
    pub fn is_broker(&self) -> bool {
        self.kind == Kind::Broker
    }

    /// A new mapper.
    pub fn mapper(&self, means: &Means) -> Box<dyn Mapper> {
        (self.make)(means)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Policy({:?})", self.name)
    }
}

/// The mapper of a heuristic, in its fast implementation if there is one.
fn by_heuristic(heuristic: &'static dyn Heuristic) -> Box<dyn Mapper> {
    let name = heuristic.name();
    if name == MinMin.name() {
        return Box::new(Sorted::min_min());
    }
    if name == Qgmm.name() {
        return Box::new(Sorted::qgmm());
    }
    if name == MaxMin.name() {
        return Box::new(Sorted::max_min());
    }
    if name == Sufferage.name() {
        return Box::new(Sorted::sufferage());
    }
    let lists: [&'static List; 5] =
        [&List::Fcfs, &List::Fjfr, &List::Fjbr, &List::MinMax, &List::MaxMax];
    match lists.into_iter().find(|list| list.name() == name) {
        Some(list) => Box::new(OntoFree::new(list)),
        None => Box::new(ByHeuristic(heuristic)),
    }
}

/// The policies that scenarios may name. Clones share them.
#[derive(Clone, Debug)]
pub struct Policies(Arc<[Policy]>);

impl Policies {
    /// The built-in policies.
    pub fn built_in() -> Self {
        Self::of(&Heuristics::built_in())
    }

    /// Policies for these heuristics, and the built-in policies that are not heuristics.
    pub fn of(heuristics: &Heuristics) -> Self {
        let heuristics: Vec<Policy> = heuristics.iter().map(Policy::of).collect();
        let others = others(&heuristics);
        let searches = search::named().map(Policy::searching);
        Self(heuristics.into_iter().chain(others).chain(searches).collect())
    }

    /// The same rule in this mode by its own name if it has one, so that one policy has one name:
    /// `minmin` in mode `time-limit` is `tlmm`.
    pub(super) fn in_mode(&self, policy: Policy, mode: Mode) -> Policy {
        let is_same = |other: &&Policy| Arc::ptr_eq(&other.make, &policy.make);
        let mut same = self.iter().filter(is_same).filter(|other| other.when.name() == mode.name());
        same.next().cloned().unwrap_or(policy)
    }

    /// Adds a policy, or replaces the one of the same name.
    pub fn with(&self, policy: Policy) -> Self {
        let others = self.0.iter().filter(|other| other.name != policy.name).cloned();
        Self(others.chain([policy.clone()]).collect())
    }

    /// All policies, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Policy> {
        self.0.iter()
    }

    /// The policy of this name or title, compared as by [`names::fold`].
    pub fn named(&self, name: &str) -> Option<&Policy> {
        names::find(self.iter(), |policy| [policy.name, policy.title], name)
    }

    /// All names, for help texts and errors.
    pub fn names(&self) -> String {
        self.iter().map(|policy| policy.name).collect::<Vec<_>>().join(", ")
    }

    /// The policy of this name, which may be a program, or a fault that lists all names.
    pub(super) fn find(&self, name: &str) -> Result<Policy, Fault> {
        if is_program(name) {
            return Policy::program(name);
        }
        let names = || self.iter().map(|policy| policy.name);
        self.named(name).cloned().ok_or_else(|| Fault::unknown("policy", name, names()))
    }
}

/// Built-in policies that are more than a heuristic. Those that differ from one of `heuristics`
/// only by the mode share its rule.
fn others(heuristics: &[Policy]) -> [Policy; 10] {
    let like = |heuristic: &'static dyn Heuristic| {
        let found = heuristics.iter().find(|policy| policy.name == heuristic.name());
        found.cloned().unwrap_or_else(|| Policy::of(heuristic))
    };
    let optimal = |means: &Means| -> Box<dyn Mapper> {
        let Means { exactness, stop, kept, .. } = means;
        Box::new(OptimalBatches::new(exactness.clone(), stop.clone(), kept.clone()))
    };
    let sat = Policy::new("sat", "Optimal batches", When::Batch, optimal);
    let fixed = Policy::new("fixed", "Fixed mapping", When::OnLine, |means| {
        Box::new(Fixed(means.mapping.clone()))
    });
    [
        // MCT of the thesis: in its experiments every scheduler waits, also this one, but it takes
        // jobs in order of arrival.
        like(&OnLine::Mct).renamed("mct-batch", "MCT in batches", When::Batch),
        like(&MinMin).renamed("tlmm", "Time-limit Min-Min", When::TimeLimit),
        like(&Qgmm).renamed("tlqmm", "Time-limit QoS-guided Min-Min", When::TimeLimit),
        sat.clone(),
        sat.renamed("tlsat", "Time-limit optimal batches", When::TimeLimit),
        Policy::broker("broker-cost", "Broker, cost optimisation", Optimise::Cost),
        Policy::broker("broker-time", "Broker, time optimisation", Optimise::Time),
        Policy::broker("broker-cost-time", "Broker, cost-time optimisation", Optimise::CostTime),
        Policy::broker("broker-none", "Broker, no optimisation", Optimise::Nothing),
        Policy { kind: Kind::Fixed, ..fixed },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_those_the_policies_were_made_for() {
        let policies = Policies::built_in();
        let of = |when| -> Vec<&str> {
            let fitting = policies.iter().filter(|policy| policy.when == when);
            fitting.map(|policy| policy.name).collect()
        };
        assert_eq!(of(When::OnLine), ["olb", "met", "mct", "fixed"]);
        let heuristics = ["minmin", "maxmin", "sufferage", "duplex", "sufferage-rounds"];
        let others = ["xsufferage", "xsufferage-passes", "qgmm", "mct-batch", "sat"];
        let brokers = ["broker-cost", "broker-time", "broker-cost-time", "broker-none"];
        let searches: Vec<&str> = search::named().map(|entry| entry.name).collect();
        let batch = [&heuristics[..], &others, &brokers, &searches].concat();
        assert_eq!(of(When::Batch), batch);
        assert_eq!(of(When::WhenFree), ["fcfs", "fjfr", "fjbr", "minmax", "maxmax"]);
        assert_eq!(of(When::TimeLimit), ["tlmm", "tlqmm", "tlsat"]);
        assert_eq!(of(When::Count).len(), 0, "no default can know a number of jobs");
    }

    #[test]
    fn one_rule_in_one_mode_has_one_name() {
        let policies = Policies::built_in();
        let wait = Ticks(10);
        for (name, mode, canonical) in [
            ("minmin", Mode::TimeLimit(wait), "tlmm"),
            ("qgmm", Mode::TimeLimit(wait), "tlqmm"),
            ("sat", Mode::TimeLimit(wait), "tlsat"),
            ("mct", Mode::Batch(wait), "mct-batch"),
            ("mct-batch", Mode::OnLine, "mct"),
            ("mct", Mode::Count(3), "mct"),
            ("maxmin", Mode::TimeLimit(wait), "maxmin"),
        ] {
            let policy = policies.named(name).expect("known").clone();
            assert_eq!(policies.in_mode(policy, mode).name, canonical, "{name} {mode:?}");
        }
    }

    #[test]
    fn each_is_found_by_its_own_name() {
        let means = Means {
            exactness: Exactness::default(),
            evaluations: 1,
            seed: 1,
            stop: Stop::never(),
            mapping: vec![],
            kept: None,
        };
        let policies = Policies::built_in();
        for one in policies.iter() {
            for name in [one.name, one.title, &one.name.to_uppercase()] {
                assert_eq!(policies.named(name).map(|found| found.name), Some(one.name));
            }
            assert!(!one.mapper(&means).name().is_empty());
        }
        assert!(policies.named("tl").is_none());
    }

    #[test]
    fn one_of_ones_own_is_added_or_takes_the_place_of_another() {
        let own = |name| Policy::new(name, "Own", When::Batch, |_| Box::new(OneByOne(OnLine::Olb)));
        let built_in = Policies::built_in();
        let added = built_in.with(own("own"));
        assert_eq!(added.named("own").map(|policy| policy.title), Some("Own"));
        assert_eq!(added.iter().count(), built_in.iter().count() + 1);
        let replaced = built_in.with(own("sat"));
        assert_eq!(replaced.named("sat").map(|policy| policy.title), Some("Own"));
        assert_eq!(replaced.iter().count(), built_in.iter().count());
    }
}

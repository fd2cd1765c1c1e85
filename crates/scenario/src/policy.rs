//! The scheduling policies by name: the one place that knows them all.
//!
//! Every mapping heuristic, its time-limit forms as the thesis names them, the optimum of each batch,
//! brokers that spend money, and a mapping made before.

use std::time::Duration;

use crate::optimal::Optimal;
use gridsat_grid::{
    Broker, ByHeuristic, Fixed, Mapper, Mode, OneByOne, OntoFree, Optimise, ResourceId, Sorted,
};
use gridsat_heuristics::{Heuristic, List, OnLine};
use gridsat_model::Stop;
use gridsat_model::Ticks;

/// When a scheduler decides, without the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// As jobs arrive.
    OnLine,
    /// Every so many seconds.
    Batch,
    /// Whenever so many jobs wait.
    Count,
    /// Every so many seconds, and only so much that resources have enough to do until the next time.
    TimeLimit,
    /// When a resource is free.
    WhenFree,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::OnLine, Self::Batch, Self::Count, Self::TimeLimit, Self::WhenFree];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnLine => "on-line",
            Self::Batch => "batch",
            Self::Count => "count",
            Self::TimeLimit => "time-limit",
            Self::WhenFree => "when-free",
        }
    }

    /// The mode, with a time between decisions and a number of jobs; `None` if the number is missing.
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

/// What some policies need to know.
#[derive(Clone, Debug)]
pub struct Means {
    /// `sat`: the relative gap that is near enough.
    pub gap: f64,
    /// `sat`: how long a batch may take.
    pub limit: Duration,
    /// `sat`: when to give up altogether.
    pub stop: Stop,
    /// `fixed`: the resource of each job.
    pub mapping: Vec<ResourceId>,
}

/// A policy.
#[derive(Clone, Copy)]
pub struct Policy {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// Its name in the literature.
    pub title: &'static str,
    /// When it decides unless told otherwise.
    pub when: When,
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    OneByOne(OnLine),
    Heuristic(&'static dyn Heuristic),
    Optimal,
    Broker(Optimise),
    Fixed,
}

impl Policy {
    /// The mode is part of what it is.
    pub fn is_time_limited(&self) -> bool {
        self.when == When::TimeLimit
    }

    /// Follows `[etc] mapping`.
    pub fn is_fixed(&self) -> bool {
        matches!(self.how, How::Fixed)
    }

    /// Looks at deadlines and budgets.
    pub fn is_broker(&self) -> bool {
        matches!(self.how, How::Broker(_))
    }

    /// A fresh mapper.
    pub fn mapper(&self, means: &Means) -> Box<dyn Mapper> {
        match self.how {
            How::OneByOne(rule) => Box::new(OneByOne(rule)),
            How::Heuristic(heuristic) => {
                quick(heuristic).unwrap_or(Box::new(ByHeuristic(heuristic)))
            }
            How::Optimal => Box::new(Optimal::new(means.gap, means.limit, means.stop.clone())),
            How::Broker(optimise) => Box::new(Broker::new(optimise)),
            How::Fixed => Box::new(Fixed(means.mapping.clone())),
        }
    }
}

/// The quick form of a heuristic, if it has one.
fn quick(heuristic: &dyn Heuristic) -> Option<Box<dyn Mapper>> {
    let name = heuristic.name();
    if name == gridsat_heuristics::MinMin.name() {
        return Some(Box::new(Sorted::min_min()));
    }
    if name == gridsat_heuristics::Qgmm.name() {
        return Some(Box::new(Sorted::qgmm()));
    }
    let lists: [&'static List; 3] = [&List::Fcfs, &List::Fjfr, &List::Fjbr];
    let list = lists.into_iter().find(|list| list.name() == name);
    list.and_then(OntoFree::new).map(|list| Box::new(list) as _)
}

/// All policies.
pub fn policies() -> Vec<Policy> {
    let mut all: Vec<Policy> =
        gridsat_heuristics::all().iter().map(|&heuristic| of(heuristic)).collect();
    let mut add = |name, title, when, how| all.push(Policy { name, title, when, how });
    // Rhodes' MCT: in his experiments every scheduler waits, this one too, but it takes jobs as they came.
    add(
        "mct-batch",
        "Minimum completion time, in batches",
        When::Batch,
        How::OneByOne(OnLine::Mct),
    );
    add("tlmm", "Time-limit Min-Min", When::TimeLimit, How::Heuristic(&gridsat_heuristics::MinMin));
    add(
        "tlqmm",
        "Time-limit QoS-guided Min-Min",
        When::TimeLimit,
        How::Heuristic(&gridsat_heuristics::Qgmm),
    );
    add("sat", "Optimal batches", When::Batch, How::Optimal);
    add("tlsat", "Optimal batches with time limit", When::TimeLimit, How::Optimal);
    let broker = |optimise| (When::Batch, How::Broker(optimise));
    let brokers = [
        ("broker-cost", "Broker, cost optimisation", broker(Optimise::Cost)),
        ("broker-time", "Broker, time optimisation", broker(Optimise::Time)),
        ("broker-cost-time", "Broker, cost-time optimisation", broker(Optimise::CostTime)),
        ("broker-none", "Broker, no optimisation", broker(Optimise::Nothing)),
    ];
    brokers.into_iter().for_each(|(name, title, (when, how))| add(name, title, when, how));
    add("fixed", "Fixed mapping", When::OnLine, How::Fixed);
    all
}

/// The policy of this name.
pub fn policy(name: &str) -> Option<Policy> {
    policies().into_iter().find(|policy| policy.name == name)
}

/// A fresh mapper of the policy of this name.
pub fn mapper(name: &str, means: &Means) -> Option<Box<dyn Mapper>> {
    policy(name).map(|policy| policy.mapper(means))
}

/// All names, for help and errors.
pub fn policy_names() -> String {
    policies().iter().map(|policy| policy.name).collect::<Vec<_>>().join(", ")
}

fn of(heuristic: &'static dyn Heuristic) -> Policy {
    let on_line = [OnLine::Olb, OnLine::Met, OnLine::Mct];
    let on_line = on_line.into_iter().find(|rule| rule.heuristic().name() == heuristic.name());
    let how = on_line.map_or(How::Heuristic(heuristic), How::OneByOne);
    let when = match heuristic.name() {
        "fcfs" | "fjfr" | "fjbr" | "minmax" | "maxmax" => When::WhenFree,
        _ if on_line.is_some() => When::OnLine,
        _ => When::Batch,
    };
    Policy { name: heuristic.name(), title: heuristic.title(), when, how }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_those_the_policies_were_made_for() {
        let of = |when| -> Vec<&str> {
            policies()
                .iter()
                .filter(|policy| policy.when == when)
                .map(|policy| policy.name)
                .collect()
        };
        assert_eq!(of(When::OnLine), ["olb", "met", "mct", "fixed"]);
        let batch =
            ["minmin", "maxmin", "sufferage", "duplex", "xsufferage", "qgmm", "mct-batch", "sat"];
        let brokers = ["broker-cost", "broker-time", "broker-cost-time", "broker-none"];
        assert_eq!(of(When::Batch), [&batch[..], &brokers[..]].concat());
        assert_eq!(of(When::WhenFree), ["fcfs", "fjfr", "fjbr", "minmax", "maxmax"]);
        assert_eq!(of(When::TimeLimit), ["tlmm", "tlqmm", "tlsat"]);
        assert_eq!(of(When::Count).len(), 0, "no default can know a number of jobs");
    }

    #[test]
    fn each_is_found_by_its_own_name() {
        let means = Means { gap: 0.0, limit: Duration::ZERO, stop: Stop::never(), mapping: vec![] };
        for one in policies() {
            assert_eq!(policy(one.name).map(|found| found.title), Some(one.title));
            assert!(mapper(one.name, &means).is_some());
        }
        assert!(policy("TLMM").is_none());
    }
}

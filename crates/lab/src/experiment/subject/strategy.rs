//! Subject: the search over k, and the number of decisions each strategy needs to prove the optimum
//! (claim C16).
//!
//! The thesis claims at most ⌈log₂(n·E_max)⌉ decisions and, for a solver that only answers
//! yes or no, at most m·n more to extract the mapping. Its strategy is tested against the first
//! claim; the other strategies start with bounds and mappings that leave fewer decisions.

use gridsat_model::Ticks;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::decision::World;
use super::etc::instance;
use super::flat::{Case, Wishes};
use super::worlds::Worlds;
use super::{Measure, SubjectError, measure};
use gridsat_exact::solve::{Solution, Solver};
use gridsat_exact::strategy::{Extract, Options, Order, Strategy};
use gridsat_model::Instance;

#[derive(Serialize, Deserialize)]
pub(super) struct Strategies {
    class: String,
    tasks: usize,
    hosts: usize,
    extract: Extraction,
    #[serde(skip)]
    worlds: Worlds<World>,
}

/// How the mapping is extracted.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Extraction {
    Model,
    Oracle,
}

impl Default for Strategies {
    fn default() -> Self {
        Self {
            class: "U1-100".to_owned(),
            tasks: 8,
            hosts: 3,
            extract: Extraction::Oracle,
            worlds: Worlds::default(),
        }
    }
}

pub(super) struct Searched {
    solution: Solution,
    published: u32,
    pairs: usize,
    is_best: bool,
    time: Duration,
}

const STRATEGIES: [(&str, Strategy, Order); 5] = [
    ("thesis", Strategy::Thesis, Order::Bisect),
    ("sat", Strategy::Sat, Order::Bisect),
    ("sat-descend", Strategy::Sat, Order::Descend),
    ("auto", Strategy::Auto, Order::Bisect),
    ("auto-descend", Strategy::Auto, Order::Descend),
];

/// ⌈log₂(n·E_max)⌉.
fn published(instance: &Instance) -> u32 {
    let times = instance.tasks().flat_map(|task| instance.times(task).map(|(_, time)| time));
    let longest = times.max().unwrap_or(Ticks(1));
    (instance.task_count() as u64).saturating_mul(longest.0).next_power_of_two().ilog2()
}

/// 1 for yes, 0 for no.
fn number(is_so: bool) -> Option<f64> {
    Some(f64::from(u8::from(is_so)))
}

impl Strategies {
    fn options(&self, name: &str) -> Options {
        let found = STRATEGIES.iter().find(|(known, _, _)| *known == name);
        let &(_, strategy, order) = found.expect("algorithms are checked before they are run");
        let extract = match self.extract {
            Extraction::Model => Extract::Model,
            Extraction::Oracle => Extract::Oracle,
        };
        Options { strategy, order, extract, ..Options::default() }
    }
}

impl Case for Strategies {
    const NAME: &'static str = "strategy";
    const MEASURES: &'static [Measure<Searched>] = &[
        measure("decisions", "decisions", "", |run| Some(run.solution.decisions.len() as f64)),
        measure("limit", "⌈log₂(n·E_max)⌉", "", |run| Some(run.published.into())),
        measure("within", "decisions within that limit", "", |run| {
            number(run.solution.decisions.len() <= run.published as usize)
        }),
        measure("questions", "questions to extract the mapping", "", |run| {
            Some(run.solution.oracle_calls as f64)
        }),
        measure("pairs", "m·n", "", |run| Some(run.pairs as f64)),
        measure("optimal", "the makespan is the optimum, and proven", "", |run| {
            number(run.is_best && run.solution.is_optimal())
        }),
        measure("seconds", "time", "s", |run| Some(run.time.as_secs_f64())),
    ];

    type Measured = Searched;

    fn algorithms() -> Vec<String> {
        STRATEGIES.map(|(name, _, _)| name.to_owned()).to_vec()
    }

    fn check(&self) -> Result<(), SubjectError> {
        instance(&self.class, self.tasks, self.hosts, 1).map(drop)
    }

    fn run(&self, algorithm: &str, seed: u64, wishes: &Wishes) -> Result<Searched, SubjectError> {
        let options = self.options(algorithm);
        let make =
            || World::new(instance(&self.class, self.tasks, self.hosts, seed)?, &wishes.stop);
        self.worlds.within(seed, make, |world| {
            let (instance, start) = (&world.instance, Instant::now());
            let solution = Solver::with(options).stop(wishes.stop.clone()).solve(instance)?;
            Ok(Searched {
                published: published(instance),
                pairs: instance.task_count() * instance.host_count(),
                is_best: solution.makespan().ticks() == world.optimum,
                solution,
                time: start.elapsed(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: &Value, metric: &str, algorithm: &str) -> Result<f64, String> {
        measured("strategy", settings, metric, algorithm, 1)
    }

    #[test]
    fn limits_by_hand() {
        // 4 tasks of 8: log₂ 32 = 5; of 9: log₂ 36 = 5.2.
        let limit = |class| of(&json!({ "class": class, "tasks": 4, "hosts": 2 }), "limit", "auto");
        assert_eq!((limit("U8-8"), limit("U9-9")), (Ok(5.0), Ok(6.0)));
        assert_eq!(of(&json!({ "tasks": 4, "hosts": 2 }), "pairs", "auto"), Ok(8.0));
    }

    #[test]
    fn all_find_the_optimum() {
        let settings = json!({ "tasks": 6, "hosts": 2 });
        for strategy in ["thesis", "sat", "sat-descend", "auto", "auto-descend"] {
            assert_eq!(of(&settings, "optimal", strategy), Ok(1.0), "{strategy}");
        }
        assert!(of(&settings, "decisions", "thesis").expect("some") >= 1.0);
        assert!(of(&settings, "questions", "thesis").expect("some") <= 12.0);
    }

    #[test]
    fn nonsense_is_named() {
        let error = |settings, algorithm| of(&settings, "pairs", algorithm).expect_err("bad");
        assert!(error(json!({ "extract": "x" }), "auto").starts_with("extract: unknown variant"));
        assert!(error(json!({ "hosts": 0 }), "auto").starts_with("tasks, hosts: "));
        assert!(error(json!({}), "best").starts_with("no algorithm \"best\" in strategy"));
    }
}

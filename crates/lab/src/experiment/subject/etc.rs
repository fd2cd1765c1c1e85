//! Subject: heuristics and searches on random matrices of the classes of the literature (claims C18
//! and C19).
//!
//! A world is a matrix; its seed is also that of searches. `excess` is the relative distance of a
//! makespan from a lower bound, that of the linear relaxation. `evaluations` limits every search;
//! with 0 each search stops by its default rules.
//!
//! `seconds` is measured wall-clock time: an experiment with this metric is not reproducible to the
//! byte. Heuristics take microseconds, so the best of three timings is used.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::flat::{Case, Wishes};
use super::worlds::Worlds;
use super::{Measure, SubjectError, measure};
use crate::bench::Algorithm;
use gridsat_exact::bounds;
use gridsat_heuristics::Heuristics;
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_heuristics::search::Budget;
use gridsat_model::{Instance, Ticks};

#[derive(Serialize, Deserialize)]
pub(super) struct Etc {
    class: String,
    tasks: usize,
    hosts: usize,
    /// Largest number of makespans a search may compute; 0 is no limit.
    evaluations: u64,
    #[serde(skip)]
    worlds: Worlds<World>,
}

impl Default for Etc {
    fn default() -> Self {
        let class = "u_c_hihi".to_owned();
        Self { class, tasks: 512, hosts: 16, evaluations: 0, worlds: Worlds::default() }
    }
}

struct World {
    instance: Instance,
    /// Computed only if a metric needs it.
    bound: Option<Ticks>,
}

pub(super) struct Mapped {
    makespan: Ticks,
    bound: Option<Ticks>,
    evaluations: Option<u64>,
    time: Duration,
}

impl Mapped {
    fn excess(&self) -> Option<f64> {
        let bound = self.bound.filter(|&bound| bound > Ticks(0))?.as_f64();
        Some(100.0 * (self.makespan.as_f64() / bound - 1.0))
    }
}

/// An instance with integer times.
pub(super) fn instance(
    class: &str,
    tasks: usize,
    hosts: usize,
    seed: u64,
) -> Result<Instance, SubjectError> {
    Ok(generate(&EtcSpec::plain(class.parse()?, tasks, hosts, seed))?)
}

const BOUND: &str = "bound";
const EXCESS: &str = "excess";
const TIMINGS: usize = 3;

impl Etc {
    fn world(&self, seed: u64, wishes: &Wishes) -> Result<World, SubjectError> {
        let instance = instance(&self.class, self.tasks, self.hosts, seed)?;
        let is_asked = wishes.include(BOUND) || wishes.include(EXCESS);
        let bound = is_asked.then(|| bounds::lower_bound(&instance, &wishes.stop).value());
        Ok(World { instance, bound })
    }

    fn map(
        &self,
        algorithm: Algorithm,
        world: &World,
        seed: u64,
        wishes: &Wishes,
    ) -> Result<Mapped, SubjectError> {
        let budget =
            Budget { evaluations: Some(self.evaluations).filter(|&most| most > 0), time: None };
        // A program that fails requests the stop; the error must reach the caller before that.
        let stop = wishes.stop.branch();
        let map = || {
            let start = Instant::now();
            let found = algorithm.map(&world.instance, seed, budget, &stop);
            (found, start.elapsed())
        };
        let (found, mut time) = map();
        if let Some(why) = gridsat_outside::failure() {
            return Err(SubjectError::Program(why));
        }
        let found = found.ok_or(SubjectError::Interrupted)?;
        if !algorithm.is_search() && wishes.include("seconds") {
            time = (1..TIMINGS).map(|_| map().1).fold(time, Duration::min);
        }
        let (makespan, evaluations) = (found.mapping.makespan(), found.evaluations);
        Ok(Mapped { makespan, bound: world.bound, evaluations, time })
    }
}

impl Case for Etc {
    const NAME: &'static str = "etc";
    const MEASURES: &'static [Measure<Mapped>] = &[
        measure("makespan", "makespan", "", |run| Some(run.makespan.as_f64())),
        measure(BOUND, "lower bound of the makespan", "", |run| Some(run.bound?.as_f64())),
        measure(EXCESS, "makespan above its lower bound", "%", Mapped::excess),
        measure("evaluations", "makespans worked out", "", |run| Some(run.evaluations? as f64)),
        measure("seconds", "time", "s", |run| Some(run.time.as_secs_f64())),
    ];

    type Measured = Mapped;

    /// Checks the settings, independently of the seed.
    fn check(&self) -> Result<(), SubjectError> {
        instance(&self.class, self.tasks, self.hosts, 1).map(drop)
    }

    fn check_algorithm(&self, name: &str) -> Result<(), SubjectError> {
        Ok(Algorithm::by_name(name, &Heuristics::built_in()).map(drop)?)
    }

    fn run(&self, algorithm: &str, seed: u64, wishes: &Wishes) -> Result<Mapped, SubjectError> {
        let algorithm = Algorithm::by_name(algorithm, &Heuristics::built_in())?;
        let make = || self.world(seed, wishes);
        self.worlds.within(seed, make, |world| self.map(algorithm, world, seed, wishes))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: &Value, metric: &str, algorithm: &str) -> Result<f64, String> {
        measured("etc", settings, metric, algorithm, 1)
    }

    #[test]
    fn one_host_leaves_no_choice() {
        let settings = json!({ "class": "U5-5", "tasks": 7, "hosts": 1 });
        for algorithm in ["mct", "ga"] {
            assert_eq!(of(&settings, "makespan", algorithm), Ok(35.0), "{algorithm}");
            assert_eq!(of(&settings, "excess", algorithm), Ok(0.0), "{algorithm}");
        }
        assert_eq!(of(&settings, "evaluations", "mct"), Err("not defined".to_owned()));
    }

    #[test]
    fn budgets_hold_and_all_are_above_the_bound() {
        let settings = json!({ "class": "u_c_lolo", "tasks": 30, "hosts": 4, "evaluations": 500 });
        let bound = of(&settings, "bound", "mct").expect("valid");
        for algorithm in ["mct", "minmin", "ga", "tabu"] {
            assert_eq!(of(&settings, "bound", algorithm), Ok(bound), "{algorithm}");
            assert!(of(&settings, "makespan", algorithm).expect("valid") >= bound, "{algorithm}");
        }
        assert!(of(&settings, "evaluations", "ga").expect("a search") <= 500.0);
        assert!(of(&settings, "seconds", "mct").expect("a time") > 0.0);
    }

    #[test]
    fn nonsense_is_named() {
        let error = |settings, algorithm| of(&settings, "makespan", algorithm).expect_err("bad");
        assert!(error(json!({ "class": "u_x" }), "mct").starts_with("class: unknown class 'u_x'"));
        assert!(error(json!({ "tasks": 0 }), "mct").starts_with("tasks, hosts: "));
        assert!(error(json!({}), "best").contains("'best'"));
        assert!(error(json!({ "worlds": 1 }), "mct").starts_with("no setting \"worlds\""));
    }
}

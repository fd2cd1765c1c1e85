//! Subject: one SAT decision, whether there is a mapping with makespan ≤ k (claims C16 and C17).
//!
//! k is the optimum, for which the answer is yes, or the optimum less one, for which it is no.
//! Algorithms are `ENCODING/SOLVER`: an encoding of loads, and a solver by name or as a command
//! line, as for `gridsat decide`.
//!
//! Sizes of formulas depend only on the instance. `steps`, the clauses a solver derives in a
//! refutation, and `conflicts` do not depend on the machine; varisat does not report conflicts, and
//! external programs report neither. `seconds`, the time of writing the formula and solving it,
//! differs in each run.

use std::time::{Duration, Instant};

use gridsat_encodings::{AtMostOne, Budget, ClauseSink, Cnf, Counter, Lit};
use serde::{Deserialize, Serialize};

use super::etc::instance;
use super::flat::{Case, Wishes};
use super::worlds::Worlds;
use super::{Measure, SubjectError, measure};
use gridsat_check::formula::{self, Encoding, Load};
use gridsat_exact::bounds;
use gridsat_exact::sat::{Answer, ProofSink, SatSolver, SolverChoice, SolverError};
use gridsat_exact::solve::Solver;
use gridsat_exact::strategy::EncodingChoice;
use gridsat_model::Stop;
use gridsat_model::{Instance, Ticks};

#[derive(Serialize, Deserialize)]
pub(super) struct Question {
    class: String,
    tasks: usize,
    hosts: usize,
    question: Asked,
    /// Whether the implied constraint over all hosts is added; it never is in the formula of the
    /// thesis.
    surrogate: bool,
    /// Largest number of clauses; larger formulas are not written.
    clauses: u64,
    #[serde(skip)]
    worlds: Worlds<World>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Asked {
    AtOptimum,
    BelowOptimum,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            class: "U1-100".to_owned(),
            tasks: 12,
            hosts: 3,
            question: Asked::BelowOptimum,
            surrogate: false,
            clauses: 2_000_000,
            worlds: Worlds::default(),
        }
    }
}

/// An instance, its proven optimum, and the weights of its linear bound.
pub(super) struct World {
    pub instance: Instance,
    pub optimum: Ticks,
    weights: Vec<u64>,
}

impl World {
    /// Solves the instance with all methods; an error if that was stopped.
    pub fn new(instance: Instance, stop: &Stop) -> Result<Self, SubjectError> {
        let solution = Solver::new().stop(stop.clone()).solve(&instance)?;
        if !solution.is_optimal() {
            return Err(SubjectError::NoOptimum(instance.name().to_owned()));
        }
        let weights = bounds::linear(&instance, stop).weights;
        Ok(Self { optimum: solution.makespan().ticks(), instance, weights })
    }
}

pub(super) struct Answered {
    size: Counter,
    is_right: bool,
    conflicts: Option<u64>,
    steps: Option<u64>,
    time: Duration,
}

/// Parses the name of an algorithm.
fn parse(name: &str) -> Result<(Load, SolverChoice), SubjectError> {
    let (load, solver) = name.split_once('/').unwrap_or((name, "varisat"));
    let load =
        load.parse().map_err(|error| SubjectError::Encoding { name: name.to_owned(), error })?;
    let Ok(solver) = solver.parse::<SolverChoice>();
    Ok((load, solver))
}

/// Checks that a solver answers: a program may be missing, or have another output format.
fn try_out(solver: &SolverChoice) -> Result<(), SolverError> {
    let mut solver = solver.build()?;
    let clause = [solver.new_var().positive()];
    solver.add_clause(&clause);
    solver.solve(&[], &Stop::default()).map(drop)
}

const STEPS: &str = "steps";

impl Question {
    fn encoding(&self, load: Load, world: &World, k: Ticks) -> Encoding {
        let choice = EncodingChoice {
            load: Some(load),
            at_most_one: AtMostOne::Pairwise,
            symmetry: true,
            surrogate: self.surrogate,
        };
        choice.at(&world.instance, k, &world.weights, &Stop::never())
    }

    fn ask(
        &self,
        (load, solver): &(Load, SolverChoice),
        world: &World,
        wishes: &Wishes,
    ) -> Result<Answered, SubjectError> {
        let k = match self.question {
            Asked::AtOptimum => world.optimum,
            Asked::BelowOptimum => world.optimum.saturating_sub(Ticks(1)),
        };
        let encoding = self.encoding(*load, world, k);
        let write = |sink: &mut dyn ClauseSink| {
            let mut budget = Budget::clauses(self.clauses);
            let written = formula::encode(&world.instance, k, &encoding, sink, &mut budget);
            Ok(written.map(drop)?)
        };
        let mut size = Counter::default();
        write(&mut size)?;
        let start = Instant::now();
        let mut solver = solver.build()?;
        write(&mut *solver)?;
        let answer = solver.solve(&[], &wishes.stop)?;
        let time = start.elapsed();
        let steps = wishes.include(STEPS) && answer == Answer::Unsat;
        let steps = steps.then(|| steps_of(&*solver, &write, &wishes.stop)).transpose()?.flatten();
        let expected = if self.question == Asked::AtOptimum { Answer::Sat } else { Answer::Unsat };
        let conflicts = Some(solver.statistics().conflicts).filter(|&conflicts| conflicts > 0);
        Ok(Answered { size, is_right: answer == expected, conflicts, steps, time })
    }
}

/// Number of clauses of a refutation; `None` if the solver writes none.
fn steps_of(
    solver: &dyn SatSolver,
    write: &dyn Fn(&mut dyn ClauseSink) -> Result<(), SubjectError>,
    stop: &Stop,
) -> Result<Option<u64>, SubjectError> {
    let (mut cnf, mut steps) = (Cnf::new(), Steps(0));
    write(&mut cnf)?;
    let proven = solver.prove(&cnf, &mut steps, stop);
    Ok((proven.ok() == Some(Answer::Unsat)).then_some(steps.0))
}

struct Steps(u64);

impl ProofSink for Steps {
    fn derive(&mut self, _: u64, _: &[Lit], _: &[u64]) -> std::io::Result<()> {
        self.0 += 1;
        Ok(())
    }

    fn delete(&mut self, _: &[u64]) -> std::io::Result<()> {
        Ok(())
    }
}

impl Case for Question {
    const NAME: &'static str = "decision";
    const MEASURES: &'static [Measure<Answered>] = &[
        measure("variables", "variables", "", |run| Some(run.size.variables as f64)),
        measure("clauses", "clauses", "", |run| Some(run.size.clauses as f64)),
        measure("literals", "literals in all clauses", "", |run| Some(run.size.literals as f64)),
        measure("right", "the answer is right", "", |run| Some(f64::from(u8::from(run.is_right)))),
        measure("conflicts", "conflicts", "", |run| Some(run.conflicts? as f64)),
        measure(STEPS, "clauses of the refutation", "", |run| Some(run.steps? as f64)),
        measure("seconds", "time", "s", |run| Some(run.time.as_secs_f64())),
    ];

    type Measured = Answered;

    fn check(&self) -> Result<(), SubjectError> {
        instance(&self.class, self.tasks, self.hosts, 1).map(drop)
    }

    fn check_algorithm(&self, name: &str) -> Result<(), SubjectError> {
        let (_, solver) = parse(name)?;
        try_out(&solver).map_err(|error| SubjectError::TriedOut { name: name.to_owned(), error })
    }

    fn run(&self, algorithm: &str, seed: u64, wishes: &Wishes) -> Result<Answered, SubjectError> {
        let algorithm = parse(algorithm)?;
        let make =
            || World::new(instance(&self.class, self.tasks, self.hosts, seed)?, &wishes.stop);
        self.worlds.within(seed, make, |world| self.ask(&algorithm, world, wishes))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: &Value, metric: &str, algorithm: &str) -> Result<f64, String> {
        measured("decision", settings, metric, algorithm, 1)
    }

    #[test]
    fn every_encoding_is_right_on_both_sides_of_the_optimum() {
        for question in ["at-optimum", "below-optimum"] {
            let settings = json!({ "question": question, "tasks": 7, "hosts": 2 });
            for load in ["thesis", "adder", "bdd", "totalizer", "counter"] {
                let right = of(&settings, "right", &format!("{load}/varisat"));
                assert_eq!(right, Ok(1.0), "{question} {load}");
            }
        }
    }

    /// Four equal tasks with two variables each, and at least one clause per task.
    #[test]
    fn sizes_and_effort_are_counted() {
        let settings = json!({ "class": "U5-5", "tasks": 4, "hosts": 2, "question": "at-optimum" });
        for load in ["thesis", "adder", "bdd", "totalizer", "counter"] {
            assert!(of(&settings, "variables", load).expect("some") >= 8.0, "{load}");
            assert!(of(&settings, "clauses", load).expect("some") >= 8.0, "{load}");
        }
        assert_eq!(of(&settings, "steps", "bdd"), Err("not defined".to_owned()));
        let refuted = json!({ "tasks": 8, "hosts": 2 });
        assert!(of(&refuted, "steps", "bdd/varisat").expect("a refutation") >= 1.0);
        assert_eq!(of(&refuted, "conflicts", "bdd"), Err("not defined".to_owned()));
    }

    #[test]
    fn nonsense_is_named() {
        let error = |settings, algorithm| of(&settings, "right", algorithm).expect_err("bad");
        assert!(error(json!({}), "x/varisat").starts_with("algorithm \"x/varisat\": unknown"));
        assert!(error(json!({}), "bdd/no-such-program").contains("no-such-program"));
        assert!(error(json!({ "question": "x" }), "bdd").starts_with("question: unknown variant"));
        assert!(error(json!({ "clauses": 10 }), "bdd").starts_with("the formula "));
        assert!(error(json!({ "solver": 10 }), "bdd").starts_with("no setting \"solver\""));
    }
}

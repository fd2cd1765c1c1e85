//! Every encoding with every solver, at the optimum and one tick below.
//!
//! Sizes increase within a class. Once a setup has no answer for any seed of a size, larger sizes
//! of the class are not tried and count as unsolved, because trying them would only take time.

use gridsat_model::Ticks;
use std::time::Duration;

use anyhow::Result;
use gridsat_check::formula::Load;
use gridsat_exact::strategy::EncodingChoice;

use crate::common::{Bench, Effort, Record, Table, seconds};
use crate::question::{Decided, Ended, Question, decide, instance, limit, mean};
use crate::solvers::{self, NamedSolver};

/// Time limit of a decision where many setups are compared.
const SHORT: Duration = Duration::from_secs(1);

/// A solver and an encoding.
struct Setup {
    encoding: EncodingChoice,
    solver: NamedSolver,
}

impl Setup {
    /// Every load encoding, without and, where possible, with the constraint over all hosts.
    fn with_all_encodings(solver: &NamedSolver) -> Vec<Self> {
        let both = |load| [false, true].map(|surrogate| (load, surrogate));
        let pairs = Load::ALL.into_iter().flat_map(both);
        let stands_alone = |load| matches!(load, Load::Thesis | Load::Window);
        let possible = pairs.filter(|&(load, surrogate)| !(stands_alone(load) && surrogate));
        let setup = |(load, surrogate)| Self {
            encoding: EncodingChoice { load: Some(load), surrogate, ..EncodingChoice::default() },
            solver: solver.clone(),
        };
        possible.map(setup).collect()
    }

    fn name(&self) -> String {
        let load = self.encoding.load.map_or("default", Load::name);
        let surrogate = if self.encoding.surrogate { " + surrogate" } else { "" };
        format!("{} | {load}{surrogate}", self.solver.name)
    }
}

/// The questions of one class, smallest first.
struct Class {
    name: &'static str,
    sizes: Vec<Vec<Question>>,
    unknown: usize,
}

const CLASSES: [&str; 6] = ["U1-100", "U100-200", "jobcorr", "maccorr", "u_c_lolo", "u_i_hihi"];

/// Sizes, and the number of seeds for each.
type Sizes = (&'static [(usize, usize)], u64);

fn classes(effort: Effort, full: Sizes, limit: Duration) -> Result<Vec<Class>> {
    let (names, (sizes, seeds)) = match effort {
        Effort::Smoke => (&CLASSES[..1], (&[(8, 3)][..], 1)),
        Effort::Quick => (&CLASSES[..3], (&[(12, 3)][..], 1)),
        Effort::Full => (&CLASSES[..], full),
    };
    names.iter().map(|name| class(name, sizes, seeds, limit)).collect()
}

fn class(
    name: &'static str,
    sizes: &[(usize, usize)],
    seeds: u64,
    limit: Duration,
) -> Result<Class> {
    let mut class = Class { name, sizes: Vec::new(), unknown: 0 };
    eprintln!("{name}");
    for &(tasks, hosts) in sizes {
        let mut questions = Vec::new();
        for seed in 1..=seeds {
            match Question::new(instance(name, tasks, hosts, seed)?, limit)? {
                Some(question) => questions.push(question),
                None => class.unknown += 1,
            }
        }
        class.sizes.push(questions);
    }
    Ok(class)
}

/// The decisions of one setup on one class.
#[derive(Default)]
struct Results {
    unsatisfiable: Vec<Decided>,
    satisfiable: Vec<Decided>,
}

/// All encodings for these solvers.
pub fn encodings(solvers: &[NamedSolver], bench: &mut Bench) -> Result<()> {
    let effort = bench.effort;
    let setups = solvers.iter().flat_map(Setup::with_all_encodings).collect();
    let classes = classes(effort, (&[(12, 3), (16, 4)], 3), limit(effort))?;
    run(setups, classes, SHORT, &mut bench.record)
}

/// All solvers, with the default encoding.
pub fn solvers(effort: Effort, record: &mut Record) -> Result<()> {
    let setup = |solver| Setup { encoding: EncodingChoice::default(), solver };
    let setups = solvers::all().into_iter().map(setup).collect();
    let sizes = (&[(16, 4), (20, 4), (24, 4)][..], 2);
    run(setups, classes(effort, sizes, limit(effort))?, limit(effort), record)
}

fn run(
    setups: Vec<Setup>,
    classes: Vec<Class>,
    limit: Duration,
    record: &mut Record,
) -> Result<()> {
    let mut columns = vec!["solver", "encoding"];
    columns.extend(classes.iter().map(|class| class.name));
    columns.extend(["all", "solved", "too large"]);
    let mut tables = (Vec::new(), Vec::new());
    for setup in setups {
        eprintln!("{}", setup.name());
        let results: Vec<Results> = classes
            .iter()
            .map(|class| decide_class(class, &setup, limit, record))
            .collect::<Result<_>>()?;
        tables.0.push(row(&setup, results.iter().map(|results| &results.unsatisfiable)));
        tables.1.push(row(&setup, results.iter().map(|results| &results.satisfiable)));
    }
    for (title, rows) in [("optimum − 1: UNSAT", tables.0), ("optimum: SAT", tables.1)] {
        let table = Table::start(&format!("Time to decide k = {title}, limit {limit:?}"), &columns);
        rows.iter().for_each(|row| table.row(row));
    }
    for class in classes.iter().filter(|class| class.unknown > 0) {
        println!("\n{}: {} instances left out, optimum not found.", class.name, class.unknown);
    }
    Ok(())
}

fn decide_class(
    class: &Class,
    setup: &Setup,
    limit: Duration,
    record: &mut Record,
) -> Result<Results> {
    let mut results = Results::default();
    let mut hopeless = [false; 2];
    for questions in &class.sizes {
        let lists = [&mut results.unsatisfiable, &mut results.satisfiable];
        for ((list, hopeless), below) in lists.into_iter().zip(&mut hopeless).zip([1, 0]) {
            let before = list.len();
            for question in questions {
                let k = question.optimum - Ticks(below);
                let decided = match *hopeless {
                    true => Decided::given_up(limit),
                    false => decide(question, k, &setup.encoding, &setup.solver.choice, limit)?,
                };
                let section = if below == 1 { "unsat" } else { "sat" };
                decided.record(record, [section, question.instance.name(), &setup.name()])?;
                list.push(decided);
            }
            let latest = &list[before..];
            *hopeless |= !latest.is_empty() && !latest.iter().any(Decided::is_solved);
        }
    }
    Ok(results)
}

/// One mean per class, the mean of all, the number solved, and the number of formulas too large.
fn row<'a>(setup: &Setup, classes: impl Iterator<Item = &'a Vec<Decided>> + Clone) -> Vec<String> {
    let all = || classes.clone().flatten();
    let mut row = vec![setup.name()];
    row.extend(classes.clone().map(|decided| seconds(mean(decided.iter().map(|d| d.time)))));
    row.push(seconds(mean(all().map(|d| d.time))));
    row.push(format!("{} of {}", all().filter(|d| d.is_solved()).count(), all().count()));
    row.push(all().filter(|d| d.ended == Ended::TooLarge).count().to_string());
    row
}

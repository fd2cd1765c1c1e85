//! What each implied constraint is worth, class by class.
//!
//! Each is added to the plain formula, decision diagrams for loads, and decided by varisat at the
//! optimum and one tick below. The last rows start from windows instead. Times include the search
//! for weights and prices.

mod constraints;
mod prices;
mod renumber;

use std::time::Duration;

use anyhow::Result;
use gridsat_encodings::{Cnf, OverBudget};
use gridsat_exact::sat::{Answer, SolverChoice};
use gridsat_model::Ticks;

use crate::common::{CpuClock, Effort, Record, Table, seconds};
use crate::limit::within;
use crate::question::{Question, instance, mean};

use constraints::{
    counts, fixed_pairs, nothing, price_floors, price_limits, surrogate, windows, windows_and,
};
use prices::Prices;

const CLASSES: [&str; 6] = ["U1-100", "U100-200", "jobcorr", "maccorr", "u_c_lolo", "u_i_hihi"];

type Write = fn(&Question, Ticks, &Prices) -> Result<Cnf, OverBudget>;

/// Name in the table, and how the formula is written.
const FORMULAS: [(&str, Write); 11] = [
    ("none", nothing),
    ("surrogate, by host weights", surrogate),
    ("price at most the knapsack's", price_limits),
    ("price at least the knapsack's less the slack", price_floors),
    ("number of tasks per host", counts),
    ("pairs ruled out by prices", fixed_pairs),
    ("**windows** instead of loads", windows),
    ("windows, surrogate", |question, k, prices| windows_and(surrogate, question, k, prices)),
    ("windows, number of tasks", |question, k, prices| windows_and(counts, question, k, prices)),
    ("windows, pairs ruled out", |question, k, prices| {
        windows_and(fixed_pairs, question, k, prices)
    }),
    ("windows, phases and order of the best mapping", renumber::windows),
];

/// Decides everything and prints one table for each answer.
pub fn run(effort: Effort, record: &mut Record) -> Result<()> {
    let (names, sizes, seeds, limit): (&[&str], &[(usize, usize)], u64, u64) = match effort {
        Effort::Smoke => (&CLASSES[..1], &[(8, 3)], 1, 1),
        Effort::Quick => (&CLASSES, &[(16, 4)], 1, 1),
        Effort::Full => (&CLASSES, &[(16, 4), (24, 4)], 2, 2),
    };
    let limit = Duration::from_secs(limit);
    let mut classes = Vec::new();
    for name in names {
        let mut questions = Vec::new();
        for &(tasks, hosts) in sizes {
            for seed in 1..=seeds {
                questions.extend(Question::new(instance(name, tasks, hosts, seed)?, 4 * limit)?);
            }
        }
        classes.push(questions);
    }
    for (title, below) in [("one tick below the optimum", 1), ("at the optimum", 0)] {
        let mut columns = vec!["implied constraint"];
        columns.extend(names);
        let title = format!("Mean time (decided), {title}, limit {limit:?}");
        let table = Table::start(&title, &columns);
        for (name, write) in FORMULAS {
            let mut row = vec![name.to_owned()];
            for questions in &classes {
                row.push(cell(questions, Ticks(below), (name, write), limit, record)?);
            }
            table.row(&row);
        }
    }
    Ok(())
}

/// The mean time of one class and the number decided. After two failures at a size larger ones are
/// not tried.
fn cell(
    questions: &[Question],
    below: Ticks,
    (name, write): (&str, Write),
    limit: Duration,
    record: &mut Record,
) -> Result<String> {
    let (mut times, mut decided, mut failures) = (Vec::new(), 0, (0, 0));
    for question in questions {
        let size = question.instance.task_count();
        let is_hopeless = failures.0 < size && failures.1 >= 2;
        let time = match is_hopeless {
            true => None,
            false => decide(question, question.optimum - below, write, limit)?,
        };
        if time.is_none() && !is_hopeless {
            failures = (size, if failures.0 == size { failures.1 + 1 } else { 1 });
        }
        let place = ["implied", question.instance.name(), name];
        record.put(place, if below.0 == 1 { "unsat" } else { "sat" }, seconds_or_limit(time))?;
        decided += usize::from(time.is_some());
        times.push(time.unwrap_or(limit));
    }
    Ok(format!("{} ({decided})", seconds(mean(times))))
}

fn seconds_or_limit(time: Option<Duration>) -> String {
    time.map_or("none".to_owned(), |time| time.as_secs_f64().to_string())
}

/// The CPU time of the decision; `None` if it is not decided or the formula is too large.
fn decide(
    question: &Question,
    k: Ticks,
    write: Write,
    limit: Duration,
) -> Result<Option<Duration>> {
    let clock = CpuClock::start();
    let Ok(formula) = write(question, k, &Prices::new(question, k)) else { return Ok(None) };
    let mut solver = SolverChoice::Varisat.build()?;
    for _ in 0..formula.variables() {
        solver.new_var();
    }
    formula.clauses().for_each(|clause| solver.add_clause(clause));
    let answer = within(limit, |stop| solver.solve(&[], stop))?;
    anyhow::ensure!(
        answer != if k < question.optimum { Answer::Sat } else { Answer::Unsat },
        "wrong answer for {} at {k}",
        question.instance.name()
    );
    Ok((answer != Answer::Unknown).then(|| clock.elapsed()))
}

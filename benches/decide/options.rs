//! The effect of the at-most-one encoding and of symmetry breaking, one tick below the optimum,
//! where everything must be excluded. The constraint over all hosts is left out: with it most of
//! these instances need no search at all, and there is nothing to compare.

use anyhow::Result;
use gridsat_check::formula::Load;
use gridsat_encodings::{AtMostOne, LoadEncoding};
use gridsat_exact::strategy::EncodingChoice;
use gridsat_model::{Instance, InstanceParts, Ticks};

use crate::common::{Effort, Record, Table, seconds};
use crate::question::{Decided, Question, decide, instance, limit, mean};
use crate::solvers;

const PLAIN: EncodingChoice = EncodingChoice {
    load: Some(Load::Engineered(LoadEncoding::Bdd)),
    at_most_one: AtMostOne::Pairwise,
    symmetry: true,
    surrogate: false,
};

/// Below seven hosts all four encodings have the same clauses, so there are more hosts here.
pub fn at_most_one(effort: Effort, record: &mut Record) -> Result<()> {
    let (tasks, hosts) = if effort == Effort::Full { (16, 8) } else { (10, 8) };
    let choices: Vec<_> = AtMostOne::ALL
        .iter()
        .map(|&at_most_one| {
            let choice = EncodingChoice { at_most_one, ..PLAIN };
            (at_most_one.name(), choice)
        })
        .collect();
    let mut questions = Vec::new();
    for class in ["U1-100", "U100-200", "u_c_lolo"] {
        for seed in 1..=seeds(effort) {
            questions.extend(Question::new(instance(class, tasks, hosts, seed)?, limit(effort))?);
        }
    }
    let title = format!("At most one, {tasks}×{hosts}, {} instances", questions.len());
    compare(&title, "at-most-one", &questions, &choices, effort, record)
}

/// Equal tasks from coarse rounding, equal hosts from doubling each.
pub fn symmetry(effort: Effort, record: &mut Record) -> Result<()> {
    let choices = [("ordered", true), ("all orders", false)]
        .map(|(name, symmetry)| (name, EncodingChoice { symmetry, ..PLAIN }));
    let tasks = if effort == Effort::Full { 14 } else { 8 };
    for (what, step, twins) in
        [("equal tasks", 30, false), ("equal hosts", 1, true), ("both", 10, true)]
    {
        let mut questions = Vec::new();
        for class in ["jobcorr", "U100-200"] {
            for seed in 1..=seeds(effort) {
                let plain = instance(class, tasks, if twins { 2 } else { 3 }, seed)?;
                let alike = with_twins(&plain, Ticks(step), twins)?;
                questions.extend(Question::new(alike, limit(effort))?);
            }
        }
        let title = format!("Symmetry: {what}, {} instances", questions.len());
        compare(&title, "symmetry", &questions, &choices, effort, record)?;
    }
    Ok(())
}

fn seeds(effort: Effort) -> u64 {
    if effort == Effort::Full { 3 } else { 1 }
}

/// Rounds times up to a multiple of `step` and, if `twins`, adds a copy of each host.
fn with_twins(instance: &Instance, step: Ticks, twins: bool) -> Result<Instance> {
    let copies = if twins { 2 } else { 1 };
    let round = |time: Ticks| Ticks(time.0.div_ceil(step.0));
    let row = |task| {
        let times = instance.times(task).map(|(_, time)| Some(round(time)));
        times.flat_map(|time| std::iter::repeat_n(time, copies)).collect()
    };
    Ok(Instance::new(InstanceParts {
        name: format!("{}_step{step}_copies{copies}", instance.name()),
        etc: instance.tasks().map(row).collect(),
        ..InstanceParts::default()
    })?)
}

fn compare(
    title: &str,
    section: &str,
    questions: &[Question],
    choices: &[(&str, EncodingChoice)],
    effort: Effort,
    record: &mut Record,
) -> Result<()> {
    let columns = ["solver", "choice", "mean clauses", "time", "solved", "mean conflicts"];
    let table = Table::start(title, &columns);
    for solver in solvers::all() {
        for (name, choice) in choices {
            let mut all: Vec<Decided> = Vec::new();
            for question in questions {
                let k = question.optimum - Ticks(1);
                let decided = decide(question, k, choice, &solver.choice, limit(effort))?;
                let subject = format!("{} {name}", solver.name);
                decided.record(record, [section, question.instance.name(), &subject])?;
                all.push(decided);
            }
            let count = all.len().max(1) as u64;
            let conflicts = all.iter().map(|d| d.conflicts).sum::<u64>() / count;
            table.row(&[
                solver.name.to_owned(),
                (*name).to_owned(),
                (all.iter().map(|d| d.size.clauses).sum::<u64>() / count).to_string(),
                seconds(mean(all.iter().map(|d| d.time))),
                format!("{} of {}", all.iter().filter(|d| d.is_solved()).count(), all.len()),
                if solver.tells_conflicts() { conflicts.to_string() } else { "–".to_owned() },
            ]);
        }
    }
    Ok(())
}

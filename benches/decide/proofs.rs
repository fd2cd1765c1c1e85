//! The cost of logging a proof and of checking it, one tick below the optimum.

use gridsat_model::Ticks;
use std::io::{BufReader, Seek};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use gridsat_check::formula::{self, Load};
use gridsat_check::verify::LratChecker;
use gridsat_encodings::{Budget, ClauseSink, Cnf, LoadEncoding};
use gridsat_exact::sat::{Answer, LratStatistics, LratWriter, SolverChoice};
use gridsat_exact::strategy::EncodingChoice;

use crate::common::{CpuClock, Effort, Record, Table, seconds};
use crate::limit::{used, within};
use crate::question::{BUDGET, Question, decide, instance, limit, mean};
use crate::solvers;

/// One refutation, logged and checked.
struct Proof {
    clauses: usize,
    solving: Duration,
    proving: Duration,
    checking: Duration,
    statistics: LratStatistics,
}

pub fn run(effort: Effort, record: &mut Record) -> Result<()> {
    let table = Table::start(
        "Proofs of k = optimum − 1 (default options)",
        &[
            "solver",
            "encoding",
            "proofs",
            "clauses",
            "steps",
            "hints",
            "LRAT",
            "solve",
            "prove",
            "verify",
            "prove / solve",
            "verify / prove",
        ],
    );
    let questions = questions(effort)?;
    for solver in solvers::built_in() {
        for load in [Load::Engineered(LoadEncoding::Bdd), Load::Engineered(LoadEncoding::Adder)] {
            let mut proofs = Vec::new();
            for question in &questions {
                let choice = EncodingChoice { load: Some(load), ..EncodingChoice::default() };
                let Some(proof) = prove(question, &choice, &solver.choice, limit(effort))? else {
                    continue;
                };
                let subject = format!("{} {}", solver.name, load.name());
                proof.record(record, ["proofs", question.instance.name(), &subject])?;
                proofs.push(proof);
            }
            let of = questions.len();
            table.row(&row(solver.name, load.name(), of, &proofs));
        }
    }
    Ok(())
}

fn questions(effort: Effort) -> Result<Vec<Question>> {
    let (classes, sizes): (&[_], &[_]) = match effort {
        Effort::Full => (&["U1-100", "U100-200", "jobcorr", "u_c_lolo"], &[(16, 4), (20, 4)]),
        _ => (&["U1-100"], &[(12, 3)]),
    };
    let mut questions = Vec::new();
    for class in classes {
        for &(tasks, hosts) in sizes {
            for seed in 1..=2 {
                let instance = instance(class, tasks, hosts, seed)?;
                questions.extend(Question::new(instance, limit(effort))?);
            }
        }
    }
    Ok(questions)
}

/// `None` if either of the two runs exceeds its time limit.
fn prove(
    question: &Question,
    choice: &EncodingChoice,
    solver: &SolverChoice,
    limit: Duration,
) -> Result<Option<Proof>> {
    let k = question.optimum - Ticks(1);
    let decided = decide(question, k, choice, solver, limit)?;
    if !decided.is_solved() {
        return Ok(None);
    }
    let encoding = question.encoding(choice, k);
    let (mut cnf, mut budget) = (Cnf::new(), Budget::clauses(BUDGET));
    formula::encode(&question.instance, k, &encoding, &mut cnf, &mut budget)?;
    let mut file = tempfile::tempfile()?;
    let started = used();
    let mut writer = LratWriter::new(&mut file, cnf.len() as u64);
    let logging = solver.build()?;
    let answer = within(3 * limit, |stop| logging.prove(&cnf, &mut writer, stop))?;
    if answer == Answer::Unknown {
        return Ok(None);
    }
    ensure!(answer == Answer::Unsat, "{} has makespan {k}", question.instance.name());
    let (_, statistics) = writer.finish()?;
    // CaDiCaL logs from a separate thread, which the clock of this thread would miss.
    let proving = used().zip(started).map(|(now, before)| now.saturating_sub(before));
    let proving = proving.context("proofs are timed on Linux only")?;
    file.rewind()?;
    let clock = CpuClock::start();
    let mut checker = LratChecker::new();
    for _ in 0..cnf.variables() {
        checker.new_var();
    }
    cnf.clauses().for_each(|clause| checker.add_clause(clause));
    checker.check(BufReader::new(file))?;
    let checking = clock.elapsed();
    let (clauses, solving) = (cnf.len(), decided.time);
    Ok(Some(Proof { clauses, solving, proving, checking, statistics }))
}

impl Proof {
    fn record(&self, record: &mut Record, place: [&str; 3]) -> Result<()> {
        record.put(place, "clauses", self.clauses)?;
        record.put(place, "steps", self.statistics.derived)?;
        record.put(place, "hints", self.statistics.hints)?;
        record.put(place, "bytes", self.statistics.bytes)?;
        record.put(place, "solve time", self.solving.as_secs_f64())?;
        record.put(place, "prove time", self.proving.as_secs_f64())?;
        record.put(place, "verify time", self.checking.as_secs_f64())
    }
}

/// Counts are totals over the proofs, times shifted geometric means; the ratios are of totals.
fn row(solver: &str, load: &str, of: usize, proofs: &[Proof]) -> Vec<String> {
    let total = |value: fn(&Proof) -> u64| proofs.iter().map(value).sum::<u64>();
    let time = |value: fn(&Proof) -> Duration| proofs.iter().map(value).collect::<Vec<_>>();
    let ratio = |above: &[Duration], below: &[Duration]| {
        let sum = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
        format!("{:.2}", sum(above) / sum(below).max(1e-9))
    };
    let solving = time(|proof| proof.solving);
    let proving = time(|proof| proof.proving);
    let checking = time(|proof| proof.checking);
    vec![
        solver.to_owned(),
        load.to_owned(),
        format!("{} of {of}", proofs.len()),
        total(|proof| proof.clauses as u64).to_string(),
        total(|proof| proof.statistics.derived).to_string(),
        total(|proof| proof.statistics.hints).to_string(),
        format!("{:.1} MB", total(|proof| proof.statistics.bytes) as f64 / 1e6),
        seconds(mean(solving.iter().copied())),
        seconds(mean(proving.iter().copied())),
        seconds(mean(checking.iter().copied())),
        ratio(&proving, &solving),
        ratio(&checking, &proving),
    ]
}

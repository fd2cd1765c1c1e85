//! The command `gridsat experiment list`.

use std::io::{self, Write};

use comfy_table::Table;
use gridsat_lab::experiment::{BUILT_IN, BuiltIn, Changes, Experiment, ExperimentError};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::ExperimentArgs;
use super::super::exit::{Exit, Failure};
use super::super::output::print;
use super::super::table::with_head;

/// An experiment that is built in.
#[derive(Serialize, JsonSchema)]
pub struct Listed {
    /// Its name, which `gridsat experiment` takes.
    name: String,
    /// What is varied, in a few words.
    title: String,
    /// Combinations of swept values.
    points: usize,
    /// Replications of each point.
    replications: u32,
    /// Algorithms that are compared.
    algorithms: Vec<String>,
    /// Total number of runs.
    runs: usize,
}

pub fn run(args: &ExperimentArgs) -> Result<Exit, Failure> {
    let read = |built_in: &BuiltIn| built_in.read(&Changes::default()).map(row);
    let rows: Result<Vec<Listed>, ExperimentError> = BUILT_IN.iter().map(read).collect();
    let rows = rows.map_err(Failure::internal)?;
    print(&args.output, |out| writeln!(out, "{}", table(&rows)), || &rows, |out| csv(out, &rows))?;
    Ok(Exit::Answered)
}

fn csv(out: &mut dyn Write, rows: &[Listed]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["name", "title", "points", "replications", "algorithms", "runs"])?;
    for Listed { name, title, points, replications, algorithms, runs } in rows {
        let algorithms = algorithms.join(" ");
        csv.serialize((name, title, points, replications, algorithms, runs))?;
    }
    csv.flush()
}

fn row(experiment: Experiment) -> Listed {
    Listed {
        points: experiment.point_count(),
        runs: experiment.run_count(),
        name: experiment.name,
        title: experiment.title,
        replications: experiment.replications,
        algorithms: experiment.algorithms.to_vec(),
    }
}

fn table(rows: &[Listed]) -> Table {
    let mut table = with_head(["name", "points", "runs", "what"], 1..3);
    for row in rows {
        let numbers = [row.points, row.runs].map(|number| number.to_string());
        table.add_row([&row.name, &numbers[0], &numbers[1], &row.title]);
    }
    table
}

//! `gridsat experiment list`.

use comfy_table::Table;
use gridsat_lab::experiment::{BUILT_IN, BuiltIn, Changes, Experiment, ExperimentError};
use serde::Serialize;

use super::super::args::{ExperimentArgs, Format};
use super::super::exit::{Exit, Failure};
use super::super::output::{write_json, write_to};
use super::super::table::with_head;

#[derive(Serialize)]
struct Listed {
    name: String,
    title: String,
    points: usize,
    replications: u32,
    algorithms: Vec<String>,
    runs: usize,
}

pub fn run(args: &ExperimentArgs) -> Result<Exit, Failure> {
    let read = |built_in: &BuiltIn| built_in.read(&Changes::default()).map(row);
    let rows: Result<Vec<Listed>, ExperimentError> = BUILT_IN.iter().map(read).collect();
    let rows = rows.map_err(Failure::internal)?;
    write_to(args.output.output.as_deref(), |out| match args.output.format {
        Format::Table => writeln!(out, "{}", table(&rows)),
        Format::Json => write_json(out, &rows),
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(["name", "title", "points", "replications", "algorithms", "runs"])?;
            for row in &rows {
                let Listed { name, title, points, replications, algorithms, runs } = row;
                let numbers = [*points, *replications as usize, *runs].map(|n| n.to_string());
                let algorithms = algorithms.join(" ");
                csv.write_record([
                    name,
                    title,
                    &numbers[0],
                    &numbers[1],
                    &algorithms,
                    &numbers[2],
                ])?;
            }
            csv.flush()
        }
    })?;
    Ok(Exit::Answered)
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

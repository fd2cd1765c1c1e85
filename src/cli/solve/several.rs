//! Solves several instances one after the other: one line of JSON each, or one table.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use gridsat_model::text::printable;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::{Format, SolveArgs};
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::json::{Document, Printed, write_json_line};
use super::super::output::write_result;
use super::super::say::{line, say};
use super::super::table::with_head;
use super::explain::Explained;
use super::{Report, Search};

/// The row of one instance in the table.
struct Row {
    instance: String,
    tasks: String,
    hosts: String,
    status: &'static str,
    makespan: String,
    lower_bound: String,
    gap: String,
    seconds: String,
    file: String,
}

/// The line of an instance or a certificate that could not be read or solved, among those of
/// `--format jsonl`.
#[derive(Serialize, JsonSchema)]
pub struct JsonFailed {
    /// Version of gridsat.
    gridsat: &'static str,
    /// Path of the instance.
    instance: String,
    /// Path of the instance, as in solutions.
    file: String,
    /// Always `error`.
    status: ErrorStatus,
    /// What went wrong.
    error: String,
}

impl Printed for JsonFailed {
    const FORMAT: &'static str = "gridsat-failure 1";
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ErrorStatus {
    Error,
}

impl JsonFailed {
    pub fn new(file: &Path, failure: &Failure) -> Self {
        Self {
            gridsat: gridsat_model::VERSION,
            instance: file.display().to_string(),
            file: file.display().to_string(),
            status: ErrorStatus::Error,
            error: failure.to_string(),
        }
    }
}

/// Of CSV; a table names the file only where two instances have one name.
const COLUMNS: [&str; 9] =
    ["instance", "tasks", "hosts", "status", "makespan", "lower_bound", "gap", "seconds", "file"];

/// Solves all instances; returns the most important exit code. An instance that cannot be read or
/// solved does not stop the others.
pub fn run(search: &Search<'_>, files: &[PathBuf]) -> Result<Exit, Failure> {
    check(search.args)?;
    let (format, mut rows, mut worst) = (search.args.output.to.format, Vec::new(), Exit::Answered);
    write_result(search.args.output.to.output.as_deref(), format.into(), |out| {
        for file in files.iter().take_while(|_| !search.stop.is_requested()) {
            let (row, exit) = one(search, file, (format == Format::Jsonl).then_some(&mut *out))?;
            worst = worst.worse(exit);
            rows.push(row);
        }
        match format {
            Format::Csv => csv(out, &rows),
            Format::Table => table(out, &rows, files.len()),
            Format::Json | Format::Jsonl => Ok(()),
        }
    })?;
    let done = Done::new(rows.len(), files.len());
    if format != Format::Table {
        let mut missing = Vec::new();
        done.write(&mut missing, "instances").map_err(Failure::internal)?;
        if !missing.is_empty() {
            line(String::from_utf8_lossy(&missing).trim_end());
        }
    }
    Ok(worst.worse(done.exit()))
}

/// Rejects options that apply to a single instance only.
fn check(args: &SolveArgs) -> Result<(), Failure> {
    let options = [
        ("--certificate", args.certificate.is_some()),
        ("--gantt", args.gantt.is_some()),
        ("--format json", args.output.to.format == Format::Json),
    ];
    let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let remedy = match *option {
        "--format json" => "--format jsonl prints one object per line",
        option => {
            return Err(Failure::BadInput(anyhow!(
                "{option} is for one instance: solve them one by one, in a shell with \
                 for f in FILE...; do gridsat solve \"$f\" {option} \"$f\".{}; done",
                if option == "--gantt" { "svg" } else { "certificate.json" }
            )));
        }
    };
    Err(Failure::BadInput(anyhow!("{option} is for one instance: {remedy}")))
}

/// Solves one instance and prints its line of JSON at once.
fn one(search: &Search<'_>, file: &Path, lines: Option<&mut dyn Write>) -> io::Result<(Row, Exit)> {
    match search.solve(file) {
        Ok(solved) => {
            let (instance, solution) = (&solved.instance, &solved.solution);
            let args = search.args;
            let explained = args.explain.then(|| Explained::new(instance, solution, &solved.stop));
            let (start, saved) = (None, Ok(()));
            let report = Report { file, instance, args, solution, start, explained, saved };
            if let Some(out) = lines {
                write_json_line(out, &Document::from(report.json()))?;
                out.flush()?;
            }
            Ok((Row::of(&report), report.exit()))
        }
        Err(failure) => {
            say(&failure);
            if let Some(out) = lines {
                let failed = JsonFailed::new(file, &failure);
                write_json_line(out, &Document::from(failed))?;
                out.flush()?;
            }
            Ok((Row::failed(file), failure.exit()))
        }
    }
}

impl Row {
    fn of(report: &Report<'_>) -> Self {
        let Report { instance, solution, .. } = report;
        let seconds = report.seconds(solution.time);
        Self {
            instance: printable(instance.name()),
            tasks: instance.task_count().to_string(),
            hosts: instance.host_count().to_string(),
            status: report.status().name(),
            makespan: solution.makespan().to_string(),
            lower_bound: solution.lower_bound().to_string(),
            gap: format!("{:.6}", solution.gap()),
            seconds: seconds.map_or(String::new(), |seconds| format!("{seconds:.3}")),
            file: report.file.display().to_string(),
        }
    }

    fn failed(file: &Path) -> Self {
        let empty = String::new;
        Self {
            instance: printable(&file.display().to_string()),
            tasks: empty(),
            hosts: empty(),
            status: "error",
            makespan: empty(),
            lower_bound: empty(),
            gap: empty(),
            seconds: empty(),
            file: file.display().to_string(),
        }
    }

    fn cells(&self) -> [&str; 9] {
        [
            &self.instance,
            &self.tasks,
            &self.hosts,
            self.status,
            &self.makespan,
            &self.lower_bound,
            &self.gap,
            &self.seconds,
            &self.file,
        ]
    }
}

fn table(out: &mut dyn Write, rows: &[Row], planned: usize) -> io::Result<()> {
    let names: BTreeSet<&str> = rows.iter().map(|row| &*row.instance).collect();
    let columns = COLUMNS.len() - usize::from(names.len() == rows.len());
    let head = COLUMNS.map(|column| column.replace('_', " "));
    let mut table = with_head(head[..columns].to_vec(), [1, 2, 4, 5, 6, 7]);
    for row in rows {
        let cells = row.cells();
        table.add_row(cells[..columns].iter().map(|cell| printable(cell)));
    }
    writeln!(out, "{table}\n")?;
    Done::new(rows.len(), planned).write(out, "instances")?;
    let optimal = rows.iter().filter(|row| row.status == "optimal").count();
    writeln!(out, "{optimal} of {planned} solved to proven optimality")
}

fn csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMNS)?;
    rows.iter().try_for_each(|row| csv.write_record(row.cells()))?;
    csv.flush()
}

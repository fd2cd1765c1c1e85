//! Checks several certificates one after the other: one line of JSON each, or one table.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use gridsat_model::text::printable;

use super::super::args::{Format, VerifyArgs};
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::json::{Document, write_json_line};
use super::super::output::write_result;
use super::super::say::say;
use super::super::signals;
use super::super::solve::JsonFailed;
use super::super::table::with_head;
use super::{Checked, beside};

const COLUMNS: [&str; 7] =
    ["certificate", "tasks", "hosts", "makespan", "lower_bound", "proof", "verdict"];

/// The row of one certificate.
struct Row {
    cells: [String; 7],
    is_accepted: bool,
    is_optimal: bool,
}

/// Checks all certificates; one that is wrong does not stop the others. Returns the most important
/// exit code.
pub fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    check(args)?;
    let all = files(args);
    let (format, stop) = (args.output.format, signals::interrupt());
    let (mut rows, mut worst) = (Vec::new(), Exit::Answered);
    write_result(args.output.output.as_deref(), format.into(), |out| {
        for (certificate, file) in all.iter().take_while(|_| !stop.is_requested()) {
            let is_lines = format == Format::Jsonl;
            let (row, exit) = one(args, certificate, *file, is_lines.then_some(&mut *out))?;
            worst = worst.worse(exit);
            rows.push(row);
        }
        match format {
            Format::Csv => csv(out, &rows),
            Format::Table => table(out, &rows, all.len()),
            Format::Json | Format::Jsonl => Ok(()),
        }
    })?;
    Ok(worst.worse(Done::new(rows.len(), all.len()).exit()))
}

/// Rejects options that apply to a single certificate only.
fn check(args: &VerifyArgs) -> Result<(), Failure> {
    let (option, remedy) = match (args.explain, args.output.format) {
        (true, _) => ("--explain", "check that one alone"),
        (_, Format::Json) => ("--format json", "--format jsonl prints one object per line"),
        _ => return Ok(()),
    };
    Err(Failure::BadInput(anyhow!("{option} is for one certificate: {remedy}")))
}

/// The certificates, with the instance if it is given for all.
fn files(args: &VerifyArgs) -> Vec<(&Path, Option<&Path>)> {
    let given = args.certificates.iter().map(PathBuf::as_path);
    match beside::is_certificate(&args.file) {
        true => std::iter::once(&*args.file).chain(given).map(|path| (path, None)).collect(),
        false => given.map(|path| (path, Some(&*args.file))).collect(),
    }
}

/// Checks one certificate and prints its line of JSON at once.
fn one(
    args: &VerifyArgs,
    certificate: &Path,
    file: Option<&Path>,
    lines: Option<&mut dyn Write>,
) -> io::Result<(Row, Exit)> {
    let checked = beside::claim(certificate).and_then(|claim| {
        let file =
            file.map_or_else(|| beside::instance(certificate), |file| Ok(file.to_owned()))?;
        Ok((Checked::new(args, &claim, &file)?, claim.rules()))
    });
    match checked {
        Ok((checked, rules)) => {
            if let Some(out) = lines {
                write_json_line(out, &Document::from(checked.json(None)))?;
                out.flush()?;
            }
            Ok((Row::of(&checked, &rules), checked.exit()))
        }
        Err(failure) => {
            say(&failure);
            if let Some(out) = lines {
                write_json_line(out, &Document::from(JsonFailed::new(certificate, &failure)))?;
                out.flush()?;
            }
            Ok((Row::failed(certificate), failure.exit()))
        }
    }
}

impl Row {
    fn of(checked: &Checked, rules: &[String]) -> Self {
        let (instance, (makespan, lower_bound)) = (&checked.instance, checked.shown());
        let (is_accepted, is_optimal) = (checked.verdict.is_ok(), checked.is_optimal());
        let verdict = match &checked.verdict {
            Ok(_) if is_optimal => "optimal".to_owned(),
            Ok(_) => "accepted".to_owned(),
            Err(reason) => format!("REJECTED: {reason}"),
        };
        let cells = [
            checked.path.display().to_string(),
            instance.task_count().to_string(),
            instance.host_count().to_string(),
            makespan,
            lower_bound,
            rules.join(" "),
            verdict,
        ];
        Self { cells, is_accepted, is_optimal }
    }

    fn failed(certificate: &Path) -> Self {
        let mut cells = [const { String::new() }; 7];
        cells[0] = certificate.display().to_string();
        cells[6] = "error".to_owned();
        Self { cells, is_accepted: false, is_optimal: false }
    }
}

fn table(out: &mut dyn Write, rows: &[Row], planned: usize) -> io::Result<()> {
    let head = COLUMNS.map(|column| column.replace('_', " "));
    let mut table = with_head(head.to_vec(), [1, 2, 3, 4]);
    for row in rows {
        table.add_row(row.cells.iter().map(|cell| printable(cell)));
    }
    writeln!(out, "{table}\n")?;
    Done::new(rows.len(), planned).write(out, "certificates")?;
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let (accepted, optimal) = (count(|row| row.is_accepted), count(|row| row.is_optimal));
    writeln!(out, "{accepted} of {planned} accepted, {optimal} of them optimal")
}

fn csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMNS)?;
    rows.iter().try_for_each(|row| csv.write_record(&row.cells))?;
    csv.flush()
}

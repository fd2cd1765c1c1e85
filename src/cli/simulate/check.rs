//! `simulate --check mmm`: simulated queues against queueing formulas.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use gridsat_lab::compare::{
    BEOSIM_ROWS, CONFIDENCE, JOBS, Measure, MmmCase, MmmRow, Shape, check_mmm,
};
use gridsat_model::io::{open, shown_name};
use serde::{Deserialize, Serialize};

use super::super::args::SimulateArgs;
use super::super::exit::{Exit, Failure};
use super::super::output::print;
use super::super::table::with_head;

/// Larger numbers of servers are rejected as typing errors.
const MAX_SERVERS: u32 = 10_000;
/// Format and version of the object that `--format json` prints.
const FORMAT: &str = "gridsat-queues 1";

pub fn run(args: &SimulateArgs, rows: Option<&Path>) -> Result<Exit, Failure> {
    let cases =
        rows.map_or_else(|| Ok(BEOSIM_ROWS.map(|case| (String::new(), case)).into()), read)?;
    let seed = args.seed.unwrap_or(1);
    let mut rows = Vec::with_capacity(cases.len() * Shape::ALL.len());
    for (place, case) in cases {
        for shape in Shape::ALL {
            let row = check_mmm(case, shape, seed);
            rows.push(row.map_err(|error| Failure::BadInput(anyhow!("{place}{error}")))?);
        }
    }
    let agree = rows.iter().all(MmmRow::agrees);
    print(
        &args.output.to,
        |out| table(out, &rows, seed),
        || Json::new(&rows, seed),
        |out| write_csv(out, &rows),
    )?;
    Ok(if agree { Exit::Answered } else { Exit::Internal })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueueRow {
    gap: f64,
    service: f64,
    servers: u32,
}

/// The queues of a file, each with its place for messages.
fn read(path: &Path) -> Result<Vec<(String, MmmCase)>, Failure> {
    let parse = || -> anyhow::Result<Vec<(String, MmmCase)>> {
        let mut reader = csv::Reader::from_reader(open(path)?);
        // Only then the position is that of the next row.
        reader.headers()?;
        let mut rows = reader.deserialize();
        let mut cases = Vec::new();
        loop {
            let line = rows.reader().position().line();
            let Some(row) = rows.next() else { break };
            let QueueRow { gap, service, servers } = row?;
            if servers > MAX_SERVERS {
                return Err(anyhow!("servers is {servers}, at most {MAX_SERVERS} are possible"));
            }
            let place = format!("{}:{line}: ", shown_name(path));
            cases.push((place, MmmCase { gap, service, servers }));
        }
        if cases.is_empty() {
            return Err(anyhow!("no queues: expected a line gap,service,servers and one for each"));
        }
        Ok(cases)
    };
    parse().with_context(|| shown_name(path)).map_err(Failure::BadInput)
}

/// The object printed by `--format json`; scripts rely on its field names.
#[derive(Serialize)]
struct Json {
    format: &'static str,
    gridsat: &'static str,
    check: &'static str,
    seed: u64,
    jobs: u64,
    confidence: f64,
    agrees: bool,
    rows: Vec<Flat>,
}

/// One row of JSON and CSV; times in seconds.
#[derive(Serialize)]
struct Flat {
    gap: f64,
    service: f64,
    servers: u32,
    shape: &'static str,
    wait: f64,
    simulated_wait: f64,
    tolerance_wait: f64,
    response: f64,
    simulated_response: f64,
    tolerance_response: f64,
    utilisation: f64,
    simulated_utilisation: f64,
    tolerance_utilisation: f64,
    agrees: bool,
}

impl From<&MmmRow> for Flat {
    fn from(row: &MmmRow) -> Self {
        let MmmCase { gap, service, servers } = row.case;
        Self {
            gap,
            service,
            servers,
            shape: row.shape.name(),
            wait: row.wait.expected,
            simulated_wait: row.wait.found,
            tolerance_wait: row.wait.tolerance,
            response: row.response.expected,
            simulated_response: row.response.found,
            tolerance_response: row.response.tolerance,
            utilisation: row.utilisation.expected,
            simulated_utilisation: row.utilisation.found,
            tolerance_utilisation: row.utilisation.tolerance,
            agrees: row.agrees(),
        }
    }
}

impl Json {
    fn new(rows: &[MmmRow], seed: u64) -> Self {
        Self {
            format: FORMAT,
            gridsat: gridsat_model::VERSION,
            check: "mmm",
            seed,
            jobs: JOBS,
            confidence: CONFIDENCE,
            agrees: rows.iter().all(MmmRow::agrees),
            rows: rows.iter().map(Flat::from).collect(),
        }
    }
}

fn write_csv(out: &mut dyn Write, rows: &[MmmRow]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    rows.iter().try_for_each(|row| writer.serialize(Flat::from(row)))?;
    writer.flush()
}

fn table(out: &mut dyn Write, rows: &[MmmRow], seed: u64) -> io::Result<()> {
    writeln!(out, "M/M/m, {JOBS} jobs each, seed {seed} (gridsat {})", gridsat_model::VERSION)?;
    writeln!(
        out,
        "W: time in the queue, T: in the system (s), U: utilisation; ±: {} % of samples are that \
         near",
        100.0 * CONFIDENCE
    )?;
    let mut table = with_head(
        [
            "gap",
            "service",
            "m",
            "as",
            "W",
            "simulated",
            "T",
            "simulated",
            "U",
            "simulated",
            "verdict",
        ],
        [0, 1, 2, 4, 5, 6, 7, 8, 9],
    );
    for row in rows {
        let MmmCase { gap, service, servers } = row.case;
        let mut cells = vec![
            gap.to_string(),
            service.to_string(),
            servers.to_string(),
            row.shape.name().to_owned(),
        ];
        cells.extend(both(&row.wait, 2));
        cells.extend(both(&row.response, 2));
        cells.extend(both(&row.utilisation, 4));
        cells.push(if row.agrees() { "ok" } else { "WRONG" }.to_owned());
        table.add_row(cells);
    }
    writeln!(out, "\n{table}")?;
    let wrong = rows.iter().filter(|row| !row.agrees()).count();
    match wrong {
        0 => writeln!(out, "\nall {} agree with the formulas", rows.len()),
        wrong => writeln!(out, "\n{wrong} of {} do not agree with the formulas", rows.len()),
    }
}

fn both(measure: &Measure, decimals: usize) -> [String; 2] {
    let Measure { expected, found, tolerance } = measure;
    [format!("{expected:.decimals$}"), format!("{found:.decimals$} ± {tolerance:.decimals$}")]
}

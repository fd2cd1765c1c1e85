//! `gridsat map`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use gridsat_draw::gantt::SvgOptions;
use gridsat_heuristics::Heuristics;
use gridsat_heuristics::search::Budget;
use gridsat_lab::bench::Algorithm;
use gridsat_model::Stop;
use gridsat_model::text::printable;
use gridsat_model::{Instance, Mapping, Ticks};
use serde::Serialize;
use serde_json::value::RawValue;

use super::args::MapArgs;
use super::exit::{Exit, Failure};
use super::output::{number, print, write_gantt};
use super::table::with_head;
use super::{input, solve};

struct Row {
    algorithm: Algorithm,
    mapping: Mapping,
    /// Of a search.
    evaluations: Option<u64>,
    time: Duration,
}

pub fn run(args: &MapArgs) -> Result<Exit, Failure> {
    let chosen =
        Algorithm::choose(&args.algorithm, &Heuristics::built_in()).map_err(Failure::input)?;
    let instance = input::instance(&args.input)?;
    // Without a search nothing asks for a stop.
    let has_search = chosen.iter().any(|one| one.is_search());
    let stop = if has_search { input::interrupt()? } else { Stop::never() };
    let rows: Vec<Row> = chosen.into_iter().map(|one| map(one, &instance, args, &stop)).collect();
    let best = rows.iter().min_by_key(|row| row.mapping.makespan());
    let best = best.ok_or_else(|| Failure::BadInput(anyhow!("no algorithm given")))?;
    let printed = print(
        &args.output.to,
        |out| table(out, &instance, &rows, best, args),
        || json(&instance, &rows, args),
        |out| csv(out, &instance, &rows, args.output.no_times),
    );
    if let Some(path) = &args.gantt {
        let subtitle = Some(best.algorithm.title());
        let options = SvgOptions { subtitle, ..SvgOptions::default() };
        write_gantt(path, &instance, &best.mapping, &options)?;
    }
    printed?;
    Ok(if stop.is_requested() { Exit::Stopped } else { Exit::Answered })
}

fn map(algorithm: Algorithm, instance: &Instance, args: &MapArgs, stop: &Stop) -> Row {
    let start = Instant::now();
    let budget = Budget { evaluations: args.evaluations, time: args.time_limit };
    let (mapping, evaluations, _) = algorithm.map(instance, args.seed, budget, stop);
    Row { algorithm, mapping, evaluations, time: start.elapsed() }
}

/// The seed, if it was of any use.
fn seed(rows: &[Row], args: &MapArgs) -> Option<u64> {
    rows.iter().any(|row| row.evaluations.is_some()).then_some(args.seed)
}

fn seconds(row: &Row, no_times: bool) -> String {
    if no_times { String::new() } else { format!("{:.6}", row.time.as_secs_f64()) }
}

fn table(
    out: &mut dyn Write,
    instance: &Instance,
    rows: &[Row],
    best: &Row,
    args: &MapArgs,
) -> io::Result<()> {
    let (n, m) = (instance.task_count(), instance.host_count());
    let name = printable(instance.name());
    let seed = seed(rows, args).map_or(String::new(), |seed| format!(", seed {seed}"));
    writeln!(out, "{name}: {n} tasks on {m} hosts (gridsat {}{seed})", gridsat_model::VERSION)?;
    let mut table = with_head(["algorithm", "makespan", "above best", "seconds"], 1..=3);
    for row in rows {
        let (makespan, least) = (row.mapping.makespan(), best.mapping.makespan());
        let above = 100.0 * (makespan - least).as_f64() / (least.max(Ticks(1))).as_f64();
        table.add_row([
            row.algorithm.title().to_owned(),
            instance.scale().display(makespan).to_string(),
            format!("{above:.2} %"),
            seconds(row, args.output.no_times),
        ]);
    }
    writeln!(out, "{table}\n\n{}:", best.algorithm.title())?;
    write!(out, "{}", gridsat_draw::gantt::text(instance, &best.mapping, solve::GANTT_WIDTH))
}

#[derive(Serialize)]
struct Json {
    gridsat: &'static str,
    instance: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    results: Vec<JsonRow>,
}

#[derive(Serialize)]
struct JsonRow {
    algorithm: &'static str,
    makespan: Box<RawValue>,
    mapping: Vec<u32>,
    loads: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

fn json(instance: &Instance, rows: &[Row], args: &MapArgs) -> Json {
    let scale = instance.scale();
    let row = |row: &Row| JsonRow {
        algorithm: row.algorithm.name(),
        makespan: number(scale, row.mapping.makespan()),
        mapping: row.mapping.hosts().iter().map(|host| host.0).collect(),
        loads: row.mapping.loads().iter().map(|&load| number(scale, load)).collect(),
        evaluations: row.evaluations,
        seconds: (!args.output.no_times).then_some(row.time.as_secs_f64()),
    };
    Json {
        gridsat: gridsat_model::VERSION,
        instance: instance.name().to_owned(),
        seed: seed(rows, args),
        results: rows.iter().map(row).collect(),
    }
}

fn csv(out: &mut dyn Write, instance: &Instance, rows: &[Row], no_times: bool) -> io::Result<()> {
    writeln!(out, "algorithm,makespan,seconds")?;
    for row in rows {
        let makespan = instance.scale().display(row.mapping.makespan());
        writeln!(out, "{},{makespan},{}", row.algorithm.name(), seconds(row, no_times))?;
    }
    Ok(())
}

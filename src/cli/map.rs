//! `gridsat map`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use gridsat::gantt::SvgOptions;
use gridsat::heuristics::{self, Heuristic};
use gridsat::model::{Instance, Mapping};
use serde::Serialize;
use serde_json::value::RawValue;

use super::args::{Format, MapArgs};
use super::exit::{Exit, Failure};
use super::output::{align_right, number, plain, write_gantt, write_json, write_to};
use super::{input, solve};

struct Row {
    heuristic: &'static dyn Heuristic,
    mapping: Mapping,
    time: Duration,
}

pub fn run(args: &MapArgs) -> Result<Exit, Failure> {
    let chosen = choose(&args.algorithm)?;
    let instance = input::instance(&args.input)?;
    let rows: Vec<Row> = chosen.into_iter().map(|heuristic| map(heuristic, &instance)).collect();
    let best = rows.iter().min_by_key(|row| row.mapping.makespan());
    let best = best.ok_or_else(|| Failure::BadInput(anyhow!("no algorithm given")))?;
    write_to(args.output.output.as_deref(), |out| match args.output.format {
        Format::Table => table(out, &instance, &rows, best, args.no_times),
        Format::Json => write_json(out, &json(&instance, &rows, args.no_times)),
        Format::Csv => csv(out, &instance, &rows, args.no_times),
    })?;
    if let Some(path) = &args.gantt {
        let subtitle = Some(best.heuristic.title());
        let options = SvgOptions { subtitle, ..SvgOptions::default() };
        write_gantt(path, &instance, &best.mapping, &options)?;
    }
    Ok(Exit::Answered)
}

/// The heuristics of these names, comma separated, or all.
pub fn choose(names: &str) -> Result<Vec<&'static dyn Heuristic>, Failure> {
    if names == "all" {
        return Ok(heuristics::all().to_vec());
    }
    let known = || heuristics::all().iter().map(|h| h.name()).collect::<Vec<_>>().join(", ");
    let find = |name: &str| {
        heuristics::by_name(name.trim()).ok_or_else(|| {
            let name = name.escape_debug();
            Failure::BadInput(anyhow!("unknown algorithm '{name}'; known: {}, all", known()))
        })
    };
    names.split(',').map(find).collect()
}

fn map(heuristic: &'static dyn Heuristic, instance: &Instance) -> Row {
    let start = Instant::now();
    let mapping = heuristic.map(instance);
    Row { heuristic, mapping, time: start.elapsed() }
}

fn seconds(row: &Row, no_times: bool) -> String {
    if no_times { String::new() } else { format!("{:.6}", row.time.as_secs_f64()) }
}

fn table(
    out: &mut dyn Write,
    instance: &Instance,
    rows: &[Row],
    best: &Row,
    no_times: bool,
) -> io::Result<()> {
    let (n, m) = (instance.task_count(), instance.host_count());
    let name = plain(instance.name());
    writeln!(out, "{name}: {n} tasks on {m} hosts (gridsat {})", gridsat::VERSION)?;
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["algorithm", "makespan", "above best", "seconds"]);
    for row in rows {
        let (makespan, least) = (row.mapping.makespan(), best.mapping.makespan());
        let above = 100.0 * (makespan - least) as f64 / (least.max(1)) as f64;
        table.add_row([
            row.heuristic.title().to_owned(),
            instance.scale().display(makespan).to_string(),
            format!("{above:.2} %"),
            seconds(row, no_times),
        ]);
    }
    (1..=3).for_each(|column| align_right(&mut table, column));
    writeln!(out, "{table}\n\n{}:", best.heuristic.title())?;
    write!(out, "{}", gridsat::gantt::text(instance, &best.mapping, solve::GANTT_WIDTH))
}

#[derive(Serialize)]
struct Json {
    gridsat: &'static str,
    instance: String,
    results: Vec<JsonRow>,
}

#[derive(Serialize)]
struct JsonRow {
    algorithm: &'static str,
    makespan: Box<RawValue>,
    mapping: Vec<u32>,
    loads: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

fn json(instance: &Instance, rows: &[Row], no_times: bool) -> Json {
    let scale = instance.scale();
    let row = |row: &Row| JsonRow {
        algorithm: row.heuristic.name(),
        makespan: number(scale, row.mapping.makespan()),
        mapping: row.mapping.hosts().iter().map(|host| host.0).collect(),
        loads: row.mapping.loads().iter().map(|&load| number(scale, load)).collect(),
        seconds: (!no_times).then_some(row.time.as_secs_f64()),
    };
    Json {
        gridsat: gridsat::VERSION,
        instance: instance.name().to_owned(),
        results: rows.iter().map(row).collect(),
    }
}

fn csv(out: &mut dyn Write, instance: &Instance, rows: &[Row], no_times: bool) -> io::Result<()> {
    writeln!(out, "algorithm,makespan,seconds")?;
    for row in rows {
        let makespan = instance.scale().display(row.mapping.makespan());
        writeln!(out, "{},{makespan},{}", row.heuristic.name(), seconds(row, no_times))?;
    }
    Ok(())
}

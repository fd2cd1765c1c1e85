//! The command `gridsat map`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use gridsat_draw::gantt::SvgOptions;
use gridsat_heuristics::Heuristics;
use gridsat_heuristics::search::Budget;
use gridsat_lab::bench::{Algorithm, Mapped};
use gridsat_model::Stop;
use gridsat_model::text::printable;
use gridsat_model::{Instance, Mapping, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::MapArgs;
use super::done::Done;
use super::exit::{Exit, Failure};
use super::json::{Document, Number, Printed, Subject};
use super::output::{print, write_gantt};
use super::progress::Log;
use super::table::{paragraph, with_head};
use super::{input, programs, signals, solve};

struct Row {
    algorithm: Algorithm,
    /// `None` if the algorithm was stopped before it had its own mapping.
    mapped: Option<Mapped>,
    /// Whether the algorithm was interrupted, or stopped without a mapping.
    is_interrupted: bool,
    time: Duration,
}

impl Row {
    fn mapping(&self) -> Option<&Mapping> {
        self.mapped.as_ref().map(|mapped| &mapped.mapping)
    }

    fn evaluations(&self) -> Option<u64> {
        self.mapped.as_ref()?.evaluations
    }
}

pub fn run(args: &MapArgs) -> Result<Exit, Failure> {
    let chosen = Algorithm::choose(&args.algorithm, &Heuristics::built_in());
    let chosen = chosen.map_err(Failure::input)?;
    let instance = input::instance(&args.input)?;
    let stop = signals::interrupt();
    let log = Log::new(args.output.verbose);
    let (name, n, m) = (printable(instance.name()), instance.task_count(), instance.host_count());
    log.note(&format!("read {name}: {n} tasks on {m} hosts"));
    let run = |one: Algorithm| {
        log.detail(&format!("{} begins", one.name()));
        let row = map(one, &instance, args, &stop);
        let makespan = row.mapping().map(|mapping| instance.scale().display(mapping.makespan()));
        let found = makespan.map_or("no mapping".to_owned(), |found| format!("makespan {found}"));
        let mark = if row.is_interrupted { ", interrupted" } else { "" };
        log.note(&format!("{} is done: {found}{mark}", one.name()));
        row
    };
    let rows: Vec<Row> = chosen.into_iter().map(run).collect();
    programs::check()?;
    let printed = print(
        &args.output.to,
        |out| table(out, &instance, &rows, args),
        || Document::from(json(&instance, &rows, args)),
        |out| csv(out, &instance, &rows, args.output.no_times),
    );
    if let (Some(path), Some((row, best))) = (&args.gantt, best(&rows)) {
        let subtitle = Some(row.algorithm.title());
        let options = SvgOptions { subtitle, ..SvgOptions::default() };
        write_gantt(path, &instance, best, &options)?;
    }
    printed?;
    Ok(done(&rows).exit())
}

/// The first row with the smallest makespan, if any algorithm has a mapping.
fn best(rows: &[Row]) -> Option<(&Row, &Mapping)> {
    let mapped = rows.iter().filter_map(|row| Some((row, row.mapping()?)));
    mapped.min_by_key(|(_, mapping)| mapping.makespan())
}

fn done(rows: &[Row]) -> Done {
    Done::new(rows.iter().filter(|row| !row.is_interrupted).count(), rows.len())
}

fn map(algorithm: Algorithm, instance: &Instance, args: &MapArgs, stop: &Stop) -> Row {
    let start = Instant::now();
    let budget = Budget { evaluations: args.evaluations, time: args.time_limit };
    let mapped = match stop.is_requested() {
        true => None,
        false => algorithm.map(instance, args.seed, budget, stop),
    };
    let is_cut_short = mapped.as_ref().is_none_or(|mapped| mapped.is_cut_short);
    let is_interrupted = mapped.is_none() || (is_cut_short && stop.is_requested());
    Row { algorithm, mapped, is_interrupted, time: start.elapsed() }
}

/// The seed, if any algorithm used it.
fn seed(rows: &[Row], args: &MapArgs) -> Option<u64> {
    rows.iter().any(|row| row.algorithm.is_search()).then_some(args.seed)
}

fn seconds(row: &Row, no_times: bool) -> String {
    if no_times { String::new() } else { format!("{:.6}", row.time.as_secs_f64()) }
}

fn table(out: &mut dyn Write, instance: &Instance, rows: &[Row], args: &MapArgs) -> io::Result<()> {
    let (n, m) = (instance.task_count(), instance.host_count());
    let name = printable(instance.name());
    let seed = seed(rows, args).map_or(String::new(), |seed| format!(", seed {seed}"));
    let version = gridsat_model::VERSION;
    paragraph(out, &format!("{name}: {n} tasks on {m} hosts (gridsat {version}{seed})"))?;
    done(rows).write(out, "algorithms")?;
    let Some((best, best_mapping)) = best(rows) else { return Ok(()) };
    let mut table = with_head(["algorithm", "makespan", "above best", "seconds"], 1..=3);
    for (row, mapping) in rows.iter().filter_map(|row| Some((row, row.mapping()?))) {
        let (makespan, least) = (mapping.makespan(), best_mapping.makespan());
        let mark = if row.is_interrupted { " (interrupted)" } else { "" };
        let above = 100.0 * (makespan - least).as_f64() / (least.max(Ticks(1))).as_f64();
        table.add_row([
            format!("{}{mark}", row.algorithm.title()),
            instance.scale().display(makespan).to_string(),
            format!("{above:.2} %"),
            seconds(row, args.output.no_times),
        ]);
    }
    writeln!(out, "{table}\n\n{}:", best.algorithm.title())?;
    write!(out, "{}", gridsat_draw::gantt::text(instance, best_mapping, solve::gantt_width()))
}

/// What `gridsat map --format json` prints. Times are in the unit of the instance, with all their
/// digits.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
    /// Seed of the searches; absent without searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(flatten)]
    done: Done,
    /// One per algorithm, in the order asked for.
    results: Vec<JsonRow>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-map 1";
}

#[derive(Serialize, JsonSchema)]
struct JsonRow {
    /// Id of the algorithm, as `--algorithm` takes it.
    algorithm: &'static str,
    /// Largest load: when the last host is done.
    makespan: Number,
    /// Host of each task; numbers from 0 in the order of the instance.
    mapping: Vec<u32>,
    /// Load of each host: when it is done.
    loads: Vec<Number>,
    /// Makespans that a search computed; absent for a heuristic.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluations: Option<u64>,
    /// Whether a search was interrupted after it had improved on its start.
    interrupted: bool,
    /// Wall-clock time; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

fn json(instance: &Instance, rows: &[Row], args: &MapArgs) -> Json {
    let scale = instance.scale();
    let row = |row: &Row| {
        let mapping = row.mapping()?;
        Some(JsonRow {
            algorithm: row.algorithm.name(),
            makespan: Number::new(scale, mapping.makespan()),
            mapping: mapping.hosts().iter().map(|host| host.0).collect(),
            loads: mapping.loads().iter().map(|&load| Number::new(scale, load)).collect(),
            evaluations: row.evaluations(),
            interrupted: row.is_interrupted,
            seconds: (!args.output.no_times).then_some(row.time.as_secs_f64()),
        })
    };
    Json {
        subject: instance.into(),
        seed: seed(rows, args),
        done: done(rows),
        results: rows.iter().filter_map(row).collect(),
    }
}

fn csv(out: &mut dyn Write, instance: &Instance, rows: &[Row], no_times: bool) -> io::Result<()> {
    writeln!(out, "algorithm,makespan,seconds,interrupted")?;
    for row in rows {
        let (name, is_interrupted) = (row.algorithm.name(), row.is_interrupted);
        let Some(mapping) = row.mapping() else {
            writeln!(out, "{name},,,{is_interrupted}")?;
            continue;
        };
        let makespan = instance.scale().display(mapping.makespan()).number();
        writeln!(out, "{name},{makespan},{},{is_interrupted}", seconds(row, no_times))?;
    }
    Ok(())
}

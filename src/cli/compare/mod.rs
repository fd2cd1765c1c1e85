//! The command `gridsat compare`: algorithms on an instance, or policies in a scenario.

mod clusters;
mod instance;
mod scenario;

use std::io::{self, Write};
use std::path::Path;

use anyhow::anyhow;
use comfy_table::Table;
use gridsat_draw::number::{plus_minus, rounded};
use gridsat_lab::compare::{Mean, Turn};
use gridsat_model::io::{Kind, read_bytes, shown_name};
use gridsat_scenario::clusters::ClusterScenario;
use gridsat_scenario::{AnyScenario, Keys, Policies, Text};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::CompareArgs;
use super::done::Done;
use super::exit::{Exit, Failure};
use super::input;
use super::json::{Document, Printed};
use super::output::print;
use super::progress::Log;
use super::table::with_head;

pub use clusters::Json as ClustersJson;
pub use instance::Json as InstanceJson;
pub use scenario::Json as GridJson;

pub fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let CompareArgs { algorithm, time_limit, gap, policy, .. } = args;
    let path = &args.input.file;
    let is_trace = args.input.form.from.is_none() && input::is_trace(path);
    // Standard input has no name, and can be read once only.
    let is_stdin = args.input.form.from.is_none() && path == Path::new("-");
    let bytes = is_stdin.then(|| read_bytes(path)).transpose().map_err(Failure::input)?;
    let kind = bytes.as_deref().and_then(Kind::of);
    if kind == Some(Kind::Trace) {
        return Err(input::piped_trace());
    }
    let is_piped = matches!(kind, Some(Kind::Scenario | Kind::Toml));
    let has_ending = |ending| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let is_toml = args.input.form.from.is_none() && has_ending("toml") || is_piped;
    // JSON may be an instance or a scenario; the reader of instances reports what cannot be read.
    let is_json = args.input.form.from.is_none() && has_ending("json");
    let load = || match &bytes {
        Some(bytes) => Text::of(path, bytes.clone()),
        None => Text::load(path),
    };
    let text = (is_toml || is_json).then(load).transpose();
    let is_described = |keys: &Keys<'_>| is_toml || keys.has("resource") || keys.has("cluster");
    let keys = text.as_ref().ok().and_then(Option::as_ref).map(Text::keys).filter(is_described);
    let is_scenario = is_trace || is_toml || keys.is_some();
    let of_traces = [("--nodes", args.trace.nodes.is_some()), ("--lenient", args.trace.lenient)];
    if let Some((option, _)) = of_traces.iter().find(|(_, is_given)| *is_given && !is_trace) {
        let name = shown_name(path);
        return Err(Failure::BadInput(anyhow!(
            "{option} is for traces only, and {name} is not a trace"
        )));
    }
    let misplaced = match is_scenario {
        true => [
            ("--algorithm", algorithm.is_some()),
            ("--time-limit", time_limit.is_some()),
            ("--gap", gap.is_some()),
        ],
        false => [("--policy", policy.is_some()), ("", false), ("", false)],
    };
    if let Some((option, _)) = misplaced.iter().find(|(_, is_given)| *is_given) {
        let (file, other) =
            if is_scenario { ("a scenario", "instances") } else { ("an instance", "scenarios") };
        let name = shown_name(path);
        return Err(Failure::BadInput(anyhow!(
            "{option} is for {other} only, and {name} is {file}"
        )));
    }
    let of_no_search = |kind: &str| {
        let message = format!("--evaluations is for searches, and {kind} has none");
        args.evaluations.map_or(Ok(()), |_| Err(Failure::BadInput(anyhow!(message))))
    };
    if is_trace {
        of_no_search("a trace")?;
        let scenario = ClusterScenario::of_trace(path, args.trace.options());
        return clusters::run(args, path, &scenario.map_err(Failure::input)?);
    }
    let keys = match (keys, &text) {
        (Some(keys), _) => keys,
        (None, Err(error)) if is_toml => return Err(Failure::input(error.clone())),
        (None, _) => return instance::run(args, bytes.as_deref()),
    };
    match AnyScenario::of(keys, &Policies::built_in()).map_err(Failure::input)? {
        AnyScenario::Grid(scenario) => scenario::run(args, &scenario),
        AnyScenario::Clusters(scenario) => {
            of_no_search("a scenario of clusters")?;
            clusters::run(args, path, &scenario)
        }
    }
}

/// Prints the comparison; the exit code says whether it is complete.
fn finish<J: Printed>(
    args: &CompareArgs,
    done: Done,
    table: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    json: impl FnOnce() -> J,
    csv: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Exit, Failure> {
    print(&args.output.to, table, || Document::from(json()), csv)?;
    Ok(done.exit())
}

/// Logs which policy or heuristic runs.
fn log_turn(log: &Log, turn: Turn<'_>) {
    match turn {
        Turn::Begins(name) => log.detail(&format!("{name} begins")),
        Turn::Ends(name) => log.note(&format!("{name} is done")),
    }
}

/// The policies requested.
fn policies(args: &CompareArgs) -> Vec<String> {
    let named = args.policy.iter().flat_map(|names| names.split(','));
    named.map(|name| name.trim().to_owned()).collect()
}

/// The last column of every CSV: true in rows that have only a name.
const INTERRUPTED: &str = "interrupted";

/// Writes CSV: rows with the same columns, after a header; then a row without values for each name
/// that was left out.
fn write_csv<N: AsRef<str>, M: AsRef<str>>(
    out: &mut dyn Write,
    rows: Vec<Vec<(N, String)>>,
    not_run: &[M],
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    // Only a comparison of policies can be empty; an instance always has its best mapping.
    let first = rows
        .first()
        .map_or(vec!["policy"], |row| row.iter().map(|(name, _)| name.as_ref()).collect());
    csv.write_record(first.iter().copied().chain([INTERRUPTED]))?;
    for row in &rows {
        csv.write_record(row.iter().map(|(_, value)| value.as_str()).chain(["false"]))?;
    }
    for name in not_run {
        let empty = std::iter::repeat_n("", first.len() - 1);
        csv.write_record([name.as_ref()].into_iter().chain(empty).chain(["true"]))?;
    }
    csv.flush()
}

/// One measure of a policy.
struct Measure {
    /// Name in JSON and CSV.
    name: &'static str,
    /// Title in tables.
    title: &'static str,
    /// `None` for the ratio of runs that end early, and for times that were not requested.
    mean: Option<Mean>,
    show: Show,
}

/// The unit and digits of a number in tables, the same as in `simulate`.
#[derive(Clone, Copy)]
enum Show {
    /// Seconds; the title says so.
    Seconds,
    /// A share from 0 to 1, printed in percent.
    Share,
    /// A number with this many decimals.
    Number(usize),
}

/// Name of the ratio of makespan and lower bound.
const RATIO: &str = "ratio";

/// The columns of a CSV row: the policy, mean and standard deviation of each measure, and a last
/// one.
fn columns(policy: &str, measures: &[Measure], last: (&str, String)) -> Vec<(String, String)> {
    let text = |value: Option<f64>| value.map(|v| rounded(v, 6).to_string()).unwrap_or_default();
    let mut columns = vec![("policy".to_owned(), policy.to_owned())];
    for Measure { name, mean, .. } in measures {
        columns.push(((*name).to_owned(), text(mean.map(|mean| mean.mean))));
        columns.push((format!("{name}_deviation"), text(mean.and_then(|mean| mean.deviation))));
    }
    columns.push((last.0.to_owned(), last.1));
    columns
}

/// A mean over replications in the output of `--format json`.
#[derive(Serialize, JsonSchema)]
struct JsonMean {
    /// Mean over the replications.
    mean: f64,
    /// Standard deviation (n − 1); absent with one replication.
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<f64>,
}

impl From<Mean> for JsonMean {
    fn from(mean: Mean) -> Self {
        let deviation = mean.deviation.map(|deviation| rounded(deviation, 6));
        Self { mean: rounded(mean.mean, 6), deviation }
    }
}

/// The table: one row per policy with its title, its measures and a last cell.
fn cells(rows: Vec<(String, Vec<Measure>, String)>, last: &str, is_number: bool) -> Table {
    let count = rows.first().map_or(0, |(_, measures, _)| measures.len());
    let titles = rows.iter().take(1).flat_map(|(_, measures, _)| measures.iter().map(|m| m.title));
    let head = ["policy"].into_iter().chain(titles).chain([last]);
    let mut table = with_head(head, 1..=count + usize::from(is_number));
    for (title, measures, last) in rows {
        let measures = measures.into_iter().map(|Measure { name, mean, show, .. }| match mean {
            Some(mean) => shown(mean, show),
            None if name == RATIO => "-".to_owned(),
            None => String::new(),
        });
        table.add_row([title].into_iter().chain(measures).chain([last]));
    }
    table
}

fn shown(Mean { mean, deviation }: Mean, show: Show) -> String {
    match show {
        Show::Seconds => plus_minus(mean, deviation, 3),
        Show::Number(decimals) => plus_minus(mean, deviation, decimals),
        Show::Share => {
            let deviation = deviation.map(|deviation| 100.0 * deviation);
            format!("{} %", plus_minus(100.0 * mean, deviation, 2))
        }
    }
}

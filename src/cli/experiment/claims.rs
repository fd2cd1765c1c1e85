//! The command `gridsat experiment claims`: runs the experiments of published claims and judges
//! them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use gridsat_files as files;
use gridsat_lab::claims::{Claim, Evidence, Scorecard, claims};
use gridsat_lab::experiment::{BUILT_IN, BuiltIn, Changes, Results};
use gridsat_lab::parts::beside::EndedExperiment;
use gridsat_model::Stop;
use gridsat_model::names::choices;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::{ExperimentArgs, Format};
use super::super::exit::{Exit, Failure};
use super::super::json::{Document, Printed, write_json, write_json_line};
use super::super::output::write_result;
use super::super::parts;
use super::super::signals;
use super::super::table::width;
use super::journey::{Journey, Planned};
use super::{default_result, failed, failure, failures};

pub fn run(args: &ExperimentArgs) -> Result<Exit, Failure> {
    let wanted = wanted(args)?;
    let needed =
        |one: &&BuiltIn| wanted.iter().flat_map(|claim| &claim.needs).any(|name| name == one.name);
    let experiments: Vec<&'static BuiltIn> = BUILT_IN.iter().filter(needed).collect();
    let folder = args.results.clone().unwrap_or_else(|| PathBuf::from("gridsat-results"));
    fs::create_dir_all(&folder)
        .with_context(|| folder.display().to_string())
        .map_err(Failure::BadInput)?;
    let mut work = Work { args, times: Times::read(&folder), folder, stop: signals::interrupt() };
    let planned = experiments.iter().map(|one| work.planned(one)).collect::<Result<Vec<_>, _>>()?;
    let mut journey = Journey::begin(args, &planned, &work.folder);
    let mut evidence = Evidence::default();
    for planned in &planned {
        let title = journey.next(planned);
        let Some(results) = work.results(planned, &title)? else { return Ok(Exit::Stopped) };
        failures(&results);
        let seconds = work.times.get(&planned.path);
        evidence.add(results, seconds);
    }
    let card = Scorecard::of(&evidence, |claim| wanted.contains(&claim));
    print(args, &card, &work.times)?;
    journey.end();
    Ok(Exit::Answered)
}

fn wanted(args: &ExperimentArgs) -> Result<Vec<&'static Claim>, Failure> {
    let bad = |what: String| Err(Failure::BadInput(anyhow!(what)));
    if !args.changes.algorithms.is_empty() || args.result.is_some() {
        let what = "--algorithms and --result are not for gridsat experiment claims";
        return bad(what.to_owned());
    }
    let is = |claim: &Claim, id: &String| claim.id.eq_ignore_ascii_case(id.trim());
    if let Some(id) = args.only.iter().find(|id| !claims().any(|claim| is(claim, id))) {
        let known = choices(id, claims().map(|claim| claim.id.as_str()));
        return bad(format!("--only: no claim '{}'; {known}", id.escape_debug()));
    }
    let is_wanted =
        |claim: &&Claim| args.only.is_empty() || args.only.iter().any(|id| is(claim, id));
    Ok(claims().filter(is_wanted).collect())
}

struct Work<'a> {
    args: &'a ExperimentArgs,
    folder: PathBuf,
    times: Times,
    stop: Stop,
}

impl Work<'_> {
    /// An experiment with the changes of the command line.
    fn planned(&self, built_in: &'static BuiltIn) -> Result<Planned, Failure> {
        let args = self.args;
        let changes = Changes {
            quick: args.changes.quick,
            seed: args.changes.seed,
            // Experiments without randomness need no replications.
            replications: args.changes.replications,
            algorithms: Vec::new(),
        };
        let mut experiment =
            built_in.read(&changes).map_err(|error| failure(built_in.name, error))?;
        let own = built_in
            .read(&Changes::default())
            .map_err(|error| failure(built_in.name, error))?
            .replications;
        experiment.replications = if own == 1 { 1 } else { experiment.replications };
        let path = self.folder.join(default_result(&experiment, args.changes.quick));
        let is_done = path.exists() && !args.fresh;
        Ok(Planned { built_in, experiment, path, is_done })
    }

    /// Runs what has no result yet; `None` if a stop was requested.
    fn results(&mut self, planned: &Planned, title: &str) -> Result<Option<Results>, Failure> {
        let Planned { built_in, experiment, path, .. } = planned;
        let start = Instant::now();
        let fail = |error| failed(built_in.name, None, error);
        let ended = parts::experiment(self.args, experiment, path, (title, &self.stop), fail)?;
        let seconds = start.elapsed().as_secs_f64();
        match ended {
            EndedExperiment::Complete { results, new } => {
                let is_all = new == experiment.run_count();
                if new > 0 {
                    self.times.add(path, seconds, is_all)?;
                }
                Ok(Some(*results))
            }
            EndedExperiment::Stopped { .. } => {
                self.times.add(path, seconds, false)?;
                Ok(None)
            }
        }
    }
}

/// Wall-clock times of experiments, stored with their results.
struct Times {
    path: PathBuf,
    /// Seconds by name of the result.
    all: BTreeMap<String, f64>,
    /// Seconds of the experiments run in this call.
    now: BTreeMap<String, f64>,
}

impl Times {
    /// Reads the stored times; a file that cannot be read counts as empty.
    fn read(folder: &Path) -> Self {
        let path = folder.join("times.json");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let all = serde_json::from_str(&text).unwrap_or_default();
        Self { path, all, now: BTreeMap::new() }
    }

    fn name(result: &Path) -> String {
        result.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn get(&self, result: &Path) -> Option<f64> {
        self.all.get(&Self::name(result)).copied()
    }

    /// Adds the time of an experiment. `is_all` means that no part of it was run before; otherwise
    /// the earlier time is added, if it is known.
    fn add(&mut self, result: &Path, seconds: f64, is_all: bool) -> Result<(), Failure> {
        let name = Self::name(result);
        let before = if is_all { 0.0 } else { self.get(result).unwrap_or_default() };
        self.now.insert(name.clone(), seconds);
        self.all.insert(name, before + seconds);
        let text = serde_json::to_string_pretty(&self.all).map_err(Failure::internal)?;
        files::write_with(&self.path, |out| writeln!(out, "{text}"))
            .with_context(|| self.path.display().to_string())
            .map_err(Failure::Internal)
    }
}

/// What `gridsat experiment claims --format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Json<'a> {
    #[serde(flatten)]
    card: &'a Scorecard,
    /// Wall-clock seconds of the experiments run now, by name of the result.
    seconds: &'a BTreeMap<String, f64>,
}

impl Printed for Json<'_> {
    const FORMAT: &'static str = "gridsat-claims 2";
}

fn print(args: &ExperimentArgs, card: &Scorecard, times: &Times) -> Result<(), Failure> {
    let output = args.output.output.as_deref();
    let is_markdown = output.is_some_and(|path| path.extension().is_some_and(|end| end == "md"));
    write_result(output, args.output.format.into(), |out| match args.output.format {
        Format::Table if is_markdown => card.write_markdown(out, &command(args)),
        Format::Table => table(out, card, times),
        Format::Json => write_json(out, &Document::from(Json { card, seconds: &times.now })),
        Format::Jsonl => write_json_line(out, &Document::from(Json { card, seconds: &times.now })),
        Format::Csv => card.write_csv(out),
    })
}

/// The command that produces the same page, without folders.
fn command(args: &ExperimentArgs) -> String {
    let mut words = vec!["gridsat experiment claims".to_owned()];
    words.extend(args.changes.quick.then(|| "--quick".to_owned()));
    words.extend(args.changes.seed.map(|seed| format!("--seed {seed}")));
    words.extend(args.changes.replications.map(|number| format!("--replications {number}")));
    words.extend((!args.only.is_empty()).then(|| format!("--only {}", args.only.join(","))));
    let file = args.output.output.as_deref().map(Times::name);
    words.extend(file.map(|file| format!("--output {file}")));
    words.join(" ")
}

fn table(out: &mut dyn Write, card: &Scorecard, times: &Times) -> io::Result<()> {
    /// Width of tables where the width of the terminal is unknown.
    const WIDTH: u16 = 180;
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width().unwrap_or(WIDTH));
    table.set_header(["claim", "statement", "published", "ours", "verdict", "why"]);
    for row in &card.rows {
        let verdict = row.verdict.to_string();
        table.add_row([&row.claim, &row.what, &row.published, &row.ours, &verdict, &row.why]);
    }
    writeln!(out, "{table}\n\n{}", card.counts())?;
    for (name, seconds) in &times.now {
        writeln!(out, "{name}: {seconds:.1} s")?;
    }
    match times.now.len() {
        0 | 1 => Ok(()),
        _ => writeln!(out, "total: {:.1} s", times.now.values().sum::<f64>()),
    }
}

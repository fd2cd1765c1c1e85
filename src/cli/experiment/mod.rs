//! The command `gridsat experiment`.

mod claims;
mod journey;
mod json;
mod list;
mod print;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use gridsat_lab::experiment::{
    BUILT_IN, Changes, Experiment, ExperimentError, PlanError, Results, built_in,
};
use gridsat_lab::parts::PartsError;
use gridsat_lab::parts::beside::EndedExperiment;
use gridsat_model::io::{Position, shown_name};
use gridsat_model::names::{is_same, suggestion};
use gridsat_scenario::Text;

use super::args::{ExperimentArgs, OutputArgs};
use super::exit::{Exit, Failure};
use super::output::file_name;
use super::parts;
use super::say::say;
use super::signals;

pub use claims::Json as ClaimsJson;
pub use json::Json;
pub use list::Listed;

pub fn run(args: &ExperimentArgs) -> Result<Exit, Failure> {
    if is_same(&args.what, "list") {
        return list::run(args);
    }
    if is_same(&args.what, "claims") {
        return claims::run(args);
    }
    if !args.only.is_empty() || args.results.is_some() {
        let what = "--only and --results are for gridsat experiment claims";
        return Err(Failure::BadInput(anyhow!(what)));
    }
    let (experiment, source) = find(&args.what, &args.changes.changes())?;
    let quick = args.changes.quick;
    let result = args.result.clone().unwrap_or_else(|| default_result(&experiment, quick));
    let stop = signals::interrupt();
    let with = (experiment.name.as_str(), &stop);
    let fail = |error| failed(&args.what, source.as_ref(), error);
    match parts::experiment(args, &experiment, &result, with, fail)? {
        EndedExperiment::Complete { results, .. } => finished(&args.output, &results, &result),
        EndedExperiment::Stopped { .. } => Ok(Exit::Stopped),
    }
}

/// Prints a result.
pub fn finished(output: &OutputArgs, results: &Results, path: &Path) -> Result<Exit, Failure> {
    print::run(output, results, path)?;
    failures(results);
    Ok(Exit::Answered)
}

/// The error for a name that is not a built-in experiment.
pub fn no_experiment(name: &str) -> Failure {
    let meant = suggestion(name, BUILT_IN.iter().map(|one| one.name));
    let name = name.escape_debug();
    Failure::BadInput(anyhow!("no experiment '{name}'; {meant}see gridsat experiment list"))
}

/// The experiment in a file if the file exists or the name looks like one, else a built-in one.
pub fn find<'a>(
    what: &'a str,
    changes: &Changes,
) -> Result<(Experiment, Option<Text<'a>>), Failure> {
    let path = Path::new(what);
    if let Some(built_in) = built_in(what).filter(|_| !path.is_file()) {
        let experiment = built_in.read(changes).map_err(|error| failure(what, error))?;
        return Ok((experiment, None));
    }
    let is_stdin = path == Path::new("-");
    if !is_stdin && !path.exists() && path.extension().is_none() {
        return Err(no_experiment(what));
    }
    let source = Text::load(path).map_err(Failure::input)?;
    let experiment = Experiment::of(&source, changes).map_err(|error| failure(what, error))?;
    Ok((experiment, Some(source)))
}

/// What cannot be run, with its place in the file if that says it.
fn impossible(what: &str, plan: &PlanError, source: Option<&Text<'_>>) -> Failure {
    let position = source.and_then(|source| plan.position_in(&source.text, source.syntax));
    let name = shown_name(Path::new(what));
    Failure::BadInput(match position {
        Some(Position { line, column }) => anyhow!("{name}:{line}:{column}: {plan}"),
        None => anyhow!("{name}: {plan}"),
    })
}

fn default_result(experiment: &Experiment, quick: bool) -> PathBuf {
    let name = file_name(&experiment.name);
    PathBuf::from(format!("{name}{}.jsonl", if quick { "-quick" } else { "" }))
}

/// What is wrong with an experiment.
pub fn failure(what: &str, error: ExperimentError) -> Failure {
    match error {
        ExperimentError::Impossible(plan) => impossible(what, &plan, None),
        error => Failure::input(error),
    }
}

/// Why an experiment could not be planned or run, with its place in the file if that says it.
pub fn failed(what: &str, source: Option<&Text<'_>>, error: PartsError) -> Failure {
    match error {
        PartsError::Experiment(ExperimentError::Impossible(plan)) => {
            impossible(what, &plan, source)
        }
        error => parts::failure(error),
    }
}

/// Prints the first failures at the end, because the progress bar may have hidden them.
fn failures(results: &Results) {
    const SHOWN: usize = 5;
    let count = results.failures().count();
    for (run, error) in results.failures().take(SHOWN) {
        say(format_args!("failed: {run}: {error}"));
    }
    if count > SHOWN {
        say(format_args!("{} more runs failed", count - SHOWN));
    }
}

/// A number and what it counts.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

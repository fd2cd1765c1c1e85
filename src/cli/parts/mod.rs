//! The commands `gridsat plan`, `work` and `merge`, and experiments and campaigns on engines.

mod engine;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, anyhow};
use gridsat_files as files;
use gridsat_lab::campaign::{Campaign, Row};
use gridsat_lab::child::{WITH_PARENT, become_child};
use gridsat_lab::experiment::{Experiment, existing};
use gridsat_lab::parts::{Merged, PartsError, Plan, Sizes, Worked, ranges};

use self::engine::{Drive, drive, drive_until};
use super::args::{
    CampaignArgs, EngineName, ExperimentArgs, MergeArgs, OutputArgs, PlanArgs, PlanCommand,
    WorkArgs,
};
use super::exit::{Exit, Failure};
use super::output::write_to;
use super::{campaign, experiment, input};

/// Variables that hold the number of a part, and the number of the first one.
const NUMBERS: [(&str, usize); 4] = [
    ("SLURM_ARRAY_TASK_ID", 0),
    ("HQ_TASK_ID", 0),
    ("JOB_COMPLETION_INDEX", 0),
    ("PARALLEL_SEQ", 1),
];

pub fn plan(command: &PlanCommand) -> Result<Exit, Failure> {
    let program = campaign::program()?;
    let plan = match command {
        PlanCommand::Experiment(args) => {
            let (experiment, _) = experiment::find(&args.what, &args.changes.changes())?;
            let stop = input::interrupt()?;
            let plan =
                Plan::experiment(&args.plan.out, &experiment, sizes(&args.plan), &program, &stop);
            plan.map_err(|error| of_experiment(&args.what, error))?
        }
        PlanCommand::Campaign(args) => {
            let campaign = campaign::of(&args.runs)?;
            Plan::campaign(&args.plan.out, &campaign, sizes(&args.plan), &program)
                .map_err(failure)?
        }
    };
    write_to(None, |out| writeln!(out, "{}", plan.parts()))?;
    Ok(Exit::Answered)
}

fn sizes(args: &PlanArgs) -> Sizes {
    Sizes { parts: args.parts.map(NonZeroUsize::get), time: args.part_seconds }
}

pub fn work(args: &WorkArgs) -> Result<Exit, Failure> {
    let part = args.part.map_or_else(number, Ok)?;
    let plan = Plan::open(&args.folder).map_err(failure)?;
    let program = campaign::program()?;
    env::set_current_dir(plan.root())
        .with_context(|| plan.root().display().to_string())
        .map_err(Failure::BadInput)?;
    let stop = input::interrupt()?;
    match plan.work(part, &program, &stop).map_err(failure)? {
        Worked::Done => eprintln!("gridsat: part {part} is done"),
        Worked::Before => eprintln!("gridsat: part {part} was done before"),
        Worked::Stopped => {
            eprintln!("gridsat: part {part} was interrupted; nothing is kept of it");
            return Ok(Exit::Stopped);
        }
    }
    Ok(Exit::Answered)
}

/// The number of the part that the environment names.
fn number() -> Result<usize, Failure> {
    let bad = |what: String| Err(Failure::BadInput(anyhow!(what)));
    let found = NUMBERS.iter().find_map(|&(name, first)| Some((name, first, env::var_os(name)?)));
    let Some((name, first, text)) = found else {
        let names = NUMBERS.map(|(name, _)| name).join(", ");
        return bad(format!("which part? Give --part I, or set one of {names}"));
    };
    let text = text.to_string_lossy();
    match text.parse::<usize>().ok().and_then(|number| number.checked_sub(first)) {
        Some(part) => Ok(part),
        None => bad(format!("{name}='{}' is not the number of a part", text.escape_debug())),
    }
}

pub fn merge(args: &MergeArgs) -> Result<Exit, Failure> {
    let plan = Plan::open(&args.folder).map_err(failure)?;
    let result = args.result.clone().unwrap_or_else(|| plan.folder().join("result.jsonl"));
    if let Some(name) = args.engine {
        let jobs = args.jobs.map(NonZeroUsize::get);
        let options = args.engine_args.as_deref().unwrap_or_default();
        let how = Drive { name, jobs, options, quiet: args.output.quiet, verbose: args.verbose };
        if let Some(exit) = drive(&plan, &how)? {
            return Ok(exit);
        }
    }
    put_together(&plan, &result, &args.output)
}

/// Writes and prints the result of all parts, or prints which are missing.
fn put_together(plan: &Plan, result: &Path, output: &OutputArgs) -> Result<Exit, Failure> {
    match plan.merge(&campaign::program()?).map_err(failure)? {
        Merged::Missing(parts) => {
            write_to(None, |out| writeln!(out, "{}", ranges(&parts)))?;
            let (missing, of, folder) = (parts.len(), plan.parts(), plan.folder().display());
            eprintln!("gridsat: {missing} of {of} parts are missing in {folder}");
            Ok(Exit::Stopped)
        }
        Merged::Experiment(results) => {
            save(result, |out| results.write(out))?;
            experiment::finished(output, &results, result)
        }
        Merged::Campaign(rows) => {
            add(&rows, result)?;
            campaign::finished(&rows)
        }
    }
}

fn save(
    path: &Path,
    fill: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let written = files::write_with(path, fill).with_context(|| path.display().to_string());
    written.map_err(Failure::BadInput)
}

/// Adds rows to a file of results that may have others, and replaces what is there of them.
fn add(rows: &[Row], path: &Path) -> Result<(), Failure> {
    let there = path.metadata().is_ok_and(|file| file.len() > 0);
    let before = if there { gridsat_lab::campaign::read_results(&[path]) } else { Ok(Vec::new()) };
    let mut before = before.map_err(campaign::failure)?;
    before.retain(|row| !rows.iter().any(|new| new.key() == row.key()));
    save(path, |out| {
        before.iter().chain(rows).try_for_each(|row| out.write_all(row.line().as_bytes()))
    })
}

/// An experiment whose parts an engine starts.
pub fn experiment(
    args: &ExperimentArgs,
    name: EngineName,
    experiment: &Experiment,
    result: &Path,
) -> Result<Exit, Failure> {
    let of_file = |error| of_experiment(&args.what, PartsError::from(error));
    if !args.fresh {
        let there = existing(experiment, result).map_err(of_file)?;
        let is_whole = |n: u32| n == experiment.replications;
        if let Some(results) = there.filter(|one| is_whole(one.experiment.replications)) {
            return experiment::finished(&args.output, &results, result);
        }
    }
    let folder = parts_of(result, args.fresh)?;
    let stop = input::interrupt()?;
    let plan = Plan::experiment(&folder, experiment, usual(name), &campaign::program()?, &stop);
    let plan = plan.map_err(|error| of_experiment(&args.what, error))?;
    let jobs = args.jobs.map(NonZeroUsize::get);
    let options = args.engine_args.as_deref().unwrap_or_default();
    let how = Drive { name, jobs, options, quiet: args.output.quiet, verbose: args.verbose };
    match drive_until(&plan, &how, &stop)? {
        Some(exit) => Ok(exit),
        None => put_together(&plan, result, &args.output),
    }
}

/// A campaign whose parts an engine starts.
pub fn campaign(
    args: &CampaignArgs,
    name: EngineName,
    campaign: &Campaign,
    out: &Path,
) -> Result<Exit, Failure> {
    let folder = parts_of(out, false)?;
    let plan = Plan::campaign(&folder, campaign, usual(name), &campaign::program()?);
    let plan = plan.map_err(failure)?;
    let jobs = args.jobs.map(NonZeroUsize::get).or((name == EngineName::Local).then_some(1));
    let options = args.engine_args.as_deref().unwrap_or_default();
    let how = Drive { name, jobs, options, quiet: args.quiet, verbose: args.verbose };
    if let Some(exit) = drive(&plan, &how)? {
        return Ok(exit);
    }
    match plan.merge(&campaign::program()?).map_err(failure)? {
        Merged::Campaign(rows) => {
            add(&rows, out)?;
            campaign::finished(&rows)
        }
        _ => Err(Failure::Internal(anyhow!("{}: no campaign", folder.display()))),
    }
}

/// The size of parts for an engine: a process of this machine is started in milliseconds.
fn usual(name: EngineName) -> Sizes {
    match name {
        EngineName::Local => Sizes { time: Duration::from_secs(5), ..Sizes::default() },
        EngineName::Slurm | EngineName::Hyperqueue => Sizes::default(),
    }
}

/// The folder for the parts of a result; with `fresh` without an earlier plan.
fn parts_of(result: &Path, fresh: bool) -> Result<PathBuf, Failure> {
    let mut name = OsString::from(result);
    name.push(".parts");
    let folder = PathBuf::from(name);
    if fresh && folder.join("plan.json").exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| folder.display().to_string())
            .map_err(Failure::BadInput)?;
    }
    Ok(folder)
}

/// An error about an experiment, with its place in the file if that says it.
fn of_experiment(what: &str, error: PartsError) -> Failure {
    match error {
        PartsError::Experiment(error) => experiment::failure(what, error),
        error => failure(error),
    }
}

/// Nothing is lost in any of these, and all can be corrected.
fn failure(error: PartsError) -> Failure {
    Failure::input(error)
}

/// Becomes another program that ends with its parent, if the command line says so.
pub fn as_child() -> Option<Exit> {
    let mut words = env::args_os().skip(1);
    if words.next()? != WITH_PARENT {
        return None;
    }
    let parent = words.next()?.to_string_lossy().parse().ok()?;
    let program = words.next()?;
    let error = become_child(parent, Command::new(&program).args(words));
    eprintln!("gridsat: {}: {error}", Path::new(&program).display());
    Some(Exit::Internal)
}

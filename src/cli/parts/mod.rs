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
use gridsat_lab::campaign::{Campaign, Program, Row};
use gridsat_lab::child::{WITH_PARENT, become_child};
use gridsat_lab::experiment::{Experiment, existing};
use gridsat_lab::parts::{Merged, PartsError, Plan, PlannedProof, Sizes, Worked, ranges};
use gridsat_model::Stop;

use self::engine::{Drive, drive};
use super::args::{
    CampaignArgs, EngineName, ExperimentArgs, MergeArgs, OutputArgs, PlanArgs, PlanCommand,
    PlanProofArgs, WorkArgs,
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
        PlanCommand::Proof(args) => return plan_proof(args, &program),
    };
    write_to(None, |out| writeln!(out, "{}", plan.parts()))?;
    Ok(Exit::Answered)
}

fn plan_proof(args: &PlanProofArgs, program: &Program) -> Result<Exit, Failure> {
    let stop = input::interrupt()?;
    let how = (sizes(&args.plan), args.time_limit);
    match Plan::proof(&args.plan.out, &args.file, how, program, &stop).map_err(failure)? {
        PlannedProof::Plan(plan) => {
            write_to(None, |out| writeln!(out, "{}", plan.parts()))?;
            Ok(Exit::Answered)
        }
        PlannedProof::Proven(certificate) => {
            let folder = &args.plan.out;
            fs::create_dir_all(folder)
                .with_context(|| folder.display().to_string())
                .map_err(Failure::BadInput)?;
            let path = folder.join("certificate.json");
            certificate.save(&path).map_err(Failure::input)?;
            write_to(None, |out| writeln!(out, "0"))?;
            Ok(Exit::Answered)
        }
        PlannedProof::Stopped => {
            eprintln!("gridsat: interrupted, there is no plan");
            Ok(Exit::Stopped)
        }
    }
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
    let how = match plan.work(part, &program, &stop).map_err(failure)? {
        Worked::Done => "is done",
        Worked::Before => "was done before",
        Worked::Stopped => {
            eprintln!("gridsat: part {part} was interrupted; nothing is kept of it");
            return Ok(Exit::Stopped);
        }
    };
    write_to(None, |out| writeln!(out, "part {part} {how}"))?;
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
    let stop = input::interrupt()?;
    let options = args.engine.options.as_deref().unwrap_or_default();
    let how = args.engine.name.map(|name| Drive {
        name,
        jobs: args.jobs.map(NonZeroUsize::get),
        options,
        quiet: args.output.quiet,
        verbose: args.verbose,
    });
    finish(plan, how.as_ref(), &stop, |merged, plan| {
        let name = match &merged {
            Merged::Proof(_) => "certificate.json",
            _ => "result.jsonl",
        };
        let path = args.result.clone().unwrap_or_else(|| plan.folder().join(name));
        show(merged, plan, &path, &args.output)
    })
}

/// Has the engine, if any, work on missing parts until nothing is missing, and shows the result.
fn finish(
    mut plan: Plan,
    how: Option<&Drive<'_>>,
    stop: &Stop,
    show: impl FnOnce(Merged, &Plan) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    loop {
        if let Some(how) = how
            && let Some(exit) = drive(&plan, how, stop)?
        {
            return Ok(exit);
        }
        let merged = plan.merge(&campaign::program()?, stop).map_err(failure)?;
        // The open cases of a proof are parts of a further round.
        if how.is_none() || !matches!(merged, Merged::Missing(_)) {
            return show(merged, &plan);
        }
        plan = Plan::open(plan.folder()).map_err(failure)?;
    }
}

/// Writes and prints the result of all parts, or prints which are missing.
fn show(merged: Merged, plan: &Plan, path: &Path, output: &OutputArgs) -> Result<Exit, Failure> {
    match merged {
        Merged::Missing(parts) => {
            write_to(None, |out| writeln!(out, "{}", ranges(&parts)))?;
            let plan = Plan::open(plan.folder()).map_err(failure)?;
            let (missing, of, folder) = (parts.len(), plan.parts(), plan.folder().display());
            eprintln!("gridsat: {missing} of {of} parts are missing in {folder}");
            Ok(Exit::Stopped)
        }
        Merged::Experiment(results) => {
            save(path, |out| results.write(out))?;
            experiment::finished(output, &results, path)
        }
        Merged::Campaign(rows) => {
            add(&rows, path)?;
            campaign::finished(&rows)
        }
        Merged::Proof(certificate) => {
            certificate.save(path).map_err(Failure::input)?;
            let path = path.display();
            write_to(None, |out| writeln!(out, "optimal, proven: {path}"))?;
            Ok(Exit::Answered)
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
    let options = args.engine.options.as_deref().unwrap_or_default();
    let how = Drive { name, jobs, options, quiet: args.output.quiet, verbose: args.verbose };
    finish(plan, Some(&how), &stop, |merged, plan| show(merged, plan, result, &args.output))
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
    let options = args.engine.options.as_deref().unwrap_or_default();
    let how = Drive { name, jobs, options, quiet: args.quiet, verbose: args.verbose };
    let stop = input::interrupt()?;
    finish(plan, Some(&how), &stop, |merged, plan| {
        show(merged, plan, out, &OutputArgs::plain(args.quiet))
    })
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

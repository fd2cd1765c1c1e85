//! The commands `gridsat plan`, `work` and `merge`, and parts of experiments and campaigns.

mod engine;

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, anyhow};
use gridsat_children::{WITH_PARENT, become_child};
use gridsat_files as files;
use gridsat_lab::campaign::{Campaign, Program, Rows};
use gridsat_lab::experiment::Experiment;
use gridsat_lab::parts::beside::{self, EndedCampaign, EndedExperiment};
use gridsat_lab::parts::engine::{Driven, finish};
use gridsat_lab::parts::{Merged, PartsError, Plan, PlannedProof, Sizes, Worked, ranges};
use gridsat_model::Stop;

use self::engine::Setup;
use super::args::{
    CampaignArgs, EngineArgs, EngineName, ExperimentArgs, MergeArgs, OutputArgs, PlanArgs,
    PlanCommand, PlanProofArgs, WorkArgs,
};
use super::bar::Bar;
use super::exit::{Exit, Failure};
use super::output::write_to;
use super::say::say;
use super::{campaign, experiment, signals};

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
            let (experiment, source) = experiment::find(&args.what, &args.changes.changes())?;
            let stop = signals::interrupt();
            let plan =
                Plan::experiment(&args.plan.out, &experiment, sizes(&args.plan), &program, &stop);
            plan.map_err(|error| experiment::failed(&args.what, source.as_ref(), error))?
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
    let stop = signals::interrupt();
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
            say("interrupted, there is no plan");
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
    go_to(plan.root())?;
    let stop = signals::interrupt();
    let how = match plan.work(part, &program, &stop).map_err(failure)? {
        Worked::Done => "is done",
        Worked::Before => "was done before",
        Worked::Stopped => {
            say(format_args!("part {part} was interrupted; nothing is kept of it"));
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
    let folder = plan.folder().to_owned();
    let here = env::current_dir().map_err(Failure::internal)?;
    go_to(plan.root())?;
    let merged = merged(args, plan);
    go_to(&here)?;
    let Some(merged) = merged? else { return Ok(Exit::Stopped) };
    let name = match &merged {
        Merged::Proof(_) => "certificate.json",
        _ => "result.jsonl",
    };
    let path = args.result.clone().unwrap_or_else(|| folder.join(name));
    show(merged, &folder, &path, &args.output)
}

/// The current folder is now this one, at which relative paths of a plan start.
fn go_to(folder: &Path) -> Result<(), Failure> {
    let gone = env::set_current_dir(folder).with_context(|| folder.display().to_string());
    gone.map_err(Failure::BadInput)
}

/// All parts together; an engine, if any is named, works on what is missing. `None` if that was
/// interrupted.
fn merged(args: &MergeArgs, plan: Plan) -> Result<Option<Merged>, Failure> {
    let (program, stop) = (campaign::program()?, signals::interrupt());
    if args.engine.name.is_none() {
        return plan.merge(&program, &stop).map(Some).map_err(failure);
    }
    let folder = plan.folder().to_owned();
    let bar = Bar::new(plan.name(), args.output.quiet, args.verbose);
    let jobs = args.jobs.map(NonZeroUsize::get);
    let Setup { mut engine, program, stop, bar, .. } =
        Setup::new(&args.engine, jobs, (program, stop, bar))?;
    let driven = finish(plan, &mut *engine, &program, &stop, &bar);
    bar.finish();
    match driven.map_err(failure)? {
        Driven::Complete(merged) => Ok(Some(merged)),
        Driven::Stopped { done, of } => {
            stopped(done, of, "parts", &folder);
            Ok(None)
        }
    }
}

/// Says that an interrupt lost nothing.
pub fn stopped(done: usize, of: usize, what: &str, kept: &Path) {
    let kept = kept.display();
    say(format_args!(
        "interrupted, {done} of {of} {what} are kept in {kept}; rerun the same command \
         to resume"
    ));
}

/// Writes and prints the result of all parts, or prints which are missing.
fn show(merged: Merged, folder: &Path, path: &Path, output: &OutputArgs) -> Result<Exit, Failure> {
    match merged {
        Merged::Missing(parts) => {
            write_to(None, |out| writeln!(out, "{}", ranges(&parts)))?;
            let plan = Plan::open(folder).map_err(failure)?;
            let (missing, of, folder) = (parts.len(), plan.parts(), folder.display());
            say(format_args!("{missing} of {of} parts are missing in {folder}"));
            Ok(Exit::Stopped)
        }
        Merged::Experiment(results) => {
            save(path, |out| results.write(out))?;
            experiment::finished(output, &results, path)
        }
        Merged::Campaign(rows) => {
            let mut file = Rows::open(path).map_err(campaign::failure)?;
            for row in &rows {
                file.add(row.clone()).map_err(campaign::failure)?;
            }
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

/// Runs an experiment in parts. `title` is shown with the progress.
pub fn experiment(
    args: &ExperimentArgs,
    experiment: &Experiment,
    result: &Path,
    (title, stop): (&str, &Stop),
    failure: impl FnOnce(PartsError) -> Failure,
) -> Result<EndedExperiment, Failure> {
    let bar = Bar::new(title, args.output.quiet, args.verbose);
    let threads = Some(args.threads).filter(|_| is_local(&args.engine));
    let jobs = args.jobs.map(NonZeroUsize::get).or(threads);
    let with = (campaign::program()?, stop.clone(), bar);
    let mut setup = Setup::new(&args.engine, jobs, with)?;
    let ended = beside::experiment(experiment, result, args.fresh, setup.for_experiment());
    setup.bar.finish();
    let ended = ended.map_err(failure)?;
    if let EndedExperiment::Stopped { done, of } = ended {
        stopped(done, of, "parts", &beside::folder_of(result));
    }
    Ok(ended)
}

fn is_local(args: &EngineArgs) -> bool {
    args.name.is_none_or(|name| name == EngineName::Local)
}

/// Runs a campaign in parts.
pub fn campaign(args: &CampaignArgs, campaign: &Campaign, out: &Path) -> Result<Exit, Failure> {
    let jobs = args.jobs.map(NonZeroUsize::get).or(is_local(&args.engine).then_some(1));
    let bar = Bar::new("campaign", args.quiet, args.verbose);
    let with = (campaign::program()?, signals::interrupt(), bar);
    let mut setup = Setup::new(&args.engine, jobs, with)?;
    let ended = beside::campaign(campaign, out, args.retry, setup.for_campaign());
    setup.bar.finish();
    let EndedCampaign { rows, planned } = ended.map_err(failure)?;
    if rows.len() < planned {
        stopped(rows.len(), planned, "runs", out);
        return Ok(Exit::Stopped);
    }
    campaign::finished(&rows)
}

/// Nothing is lost in any of these, and all can be corrected.
pub fn failure(error: PartsError) -> Failure {
    match error {
        PartsError::Campaign(error) => campaign::failure(error),
        error => Failure::input(error),
    }
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
    say(format_args!("{}: {error}", Path::new(&program).display()));
    Some(Exit::Internal)
}

//! Chooses an engine and shows its progress.

use std::env;
use std::thread;

use gridsat_lab::parts::Plan;
use gridsat_lab::parts::engine::{
    Driven, Engine, EngineError, HyperQueue, Local, Slurm, drive as drive_parts,
};
use gridsat_model::Stop;

use super::super::args::EngineName;
use super::super::bar::PartsBar;
use super::super::campaign;
use super::super::exit::{Exit, Failure};
use super::failure;

/// An engine and how it is used.
pub struct Drive<'a> {
    pub name: EngineName,
    /// Parts at the same time; `None` for the engine's default.
    pub jobs: Option<usize>,
    /// Options for the scheduler.
    pub options: &'a str,
    pub quiet: bool,
    pub verbose: u8,
}

/// Has an engine work on all missing parts; the exit code if that was interrupted.
pub fn drive(plan: &Plan, how: &Drive<'_>, stop: &Stop) -> Result<Option<Exit>, Failure> {
    plan.check(&campaign::program()?).map_err(failure)?;
    let mut engine = engine(how)?;
    let bar = PartsBar::new(plan.name(), how.quiet, how.verbose);
    let driven = drive_parts(plan, &mut *engine, stop, &bar);
    bar.finish();
    match driven.map_err(failure)? {
        Driven::Complete => Ok(None),
        Driven::Stopped => {
            let folder = plan.folder().display();
            let done = (0..plan.parts()).filter(|&part| plan.has_file(part)).count();
            eprintln!(
                "gridsat: interrupted, {done} of {} parts are kept in {folder}; rerun the same \
                 command to resume",
                plan.parts()
            );
            Ok(Some(Exit::Stopped))
        }
    }
}

fn engine(how: &Drive<'_>) -> Result<Box<dyn Engine>, Failure> {
    let program = env::current_exe().map_err(Failure::internal)?;
    let made: Result<Box<dyn Engine>, EngineError> = match how.name {
        EngineName::Local => {
            let cores = || thread::available_parallelism().map_or(1, usize::from);
            Ok(Box::new(Local::new(program, how.jobs.unwrap_or_else(cores))))
        }
        EngineName::Slurm => {
            let jobs = how.jobs.unwrap_or(0);
            Slurm::new(program, jobs, how.options).map(|engine| Box::new(engine) as _)
        }
        EngineName::Hyperqueue => {
            HyperQueue::new(program, how.options).map(|engine| Box::new(engine) as _)
        }
    };
    made.map_err(Failure::input)
}

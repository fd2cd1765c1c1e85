//! Chooses an engine and shows its progress.

use std::time::Duration;

use gridsat_lab::campaign::Program;
use gridsat_lab::parts::Sizes;
use gridsat_lab::parts::beside::{Working, local_sizes};
use gridsat_lab::parts::engine::{Engine, EngineError, HyperQueue, Local, Slurm};
use gridsat_model::Stop;

use super::super::args::{EngineArgs, EngineName};
use super::super::bar::Bar;
use super::super::exit::Failure;

/// An engine that is ready, and what is needed to work with it.
pub struct Setup {
    name: EngineName,
    pub engine: Box<dyn Engine>,
    pub program: Program,
    pub stop: Stop,
    pub bar: Bar,
    jobs: usize,
}

impl Setup {
    /// The engine of the arguments, local unless they name another, with so many parts at the same
    /// time; `None` for the engine's default.
    pub fn new(
        args: &EngineArgs,
        jobs: Option<usize>,
        (program, stop, bar): (Program, Stop, Bar),
    ) -> Result<Self, Failure> {
        let name = args.name.unwrap_or(EngineName::Local);
        let options = args.options.as_deref().unwrap_or_default();
        let (path, at_most) = (program.path.clone(), jobs.unwrap_or(0));
        let mut jobs = at_most;
        let made: Result<Box<dyn Engine>, EngineError> = match name {
            EngineName::Local => {
                let local = Local::new(program.clone(), at_most, stop.clone());
                jobs = local.jobs();
                Ok(Box::new(local))
            }
            EngineName::Slurm => Slurm::new(path, at_most, options).map(|one| Box::new(one) as _),
            EngineName::Hyperqueue => HyperQueue::new(path, options).map(|one| Box::new(one) as _),
        };
        let engine = made.map_err(Failure::input)?;
        Ok(Self { name, engine, program, stop, bar, jobs })
    }

    /// For an experiment: a process is started for every part, except on this machine.
    pub fn for_experiment(&mut self) -> Working<'_> {
        let sizes = self.sizes(local_sizes(self.jobs));
        self.working(sizes)
    }

    /// For a campaign: on this machine every run is a part.
    pub fn for_campaign(&mut self) -> Working<'_> {
        let sizes = self.sizes(Sizes { parts: Some(usize::MAX), time: Duration::ZERO });
        self.working(sizes)
    }

    fn sizes(&self, local: Sizes) -> Sizes {
        match self.name {
            EngineName::Local => local,
            EngineName::Slurm | EngineName::Hyperqueue => Sizes::default(),
        }
    }

    fn working(&mut self, sizes: Sizes) -> Working<'_> {
        Working {
            program: &self.program,
            engine: &mut *self.engine,
            sizes,
            keep: self.name != EngineName::Local,
            stop: &self.stop,
            watch: &self.bar,
        }
    }
}

//! Engines: who works on parts.
//!
//! An engine has `gridsat work DIR --part I` started for some parts, or does the same in threads,
//! and says how many of them wait and run. Whether a part is done is seen by its file alone, so
//! nothing is lost if the engine, the driver or a node ends: the next driver starts what is
//! missing.

mod drive;
mod error;
mod hyperqueue;
mod local;
mod outside;
mod slurm;

use std::time::Duration;

use super::Plan;

pub use drive::{Driven, Watch, finish};
pub use error::EngineError;
pub use hyperqueue::HyperQueue;
pub use local::Local;
pub use slurm::Slurm;

/// Has parts worked on.
pub trait Engine {
    /// Begins work on these parts, in ascending order.
    fn submit(&mut self, plan: &Plan, parts: &[usize]) -> Result<(), EngineError>;
    /// How far the submitted parts are, those of an earlier driver included.
    fn state(&mut self, plan: &Plan) -> Result<State, EngineError>;
    /// Ends the work on all parts.
    fn cancel(&mut self, plan: &Plan) -> Result<(), EngineError>;
    /// Waits some time before the next question for the state.
    fn wait(&mut self);
    /// How much later the files of finished parts may be seen here.
    fn delay(&self) -> Duration {
        Duration::from_secs(1)
    }
    /// The job that works on the parts, for messages: `Slurm job 17`; `None` without one.
    fn place(&self) -> Option<String>;
}

/// How far the submitted parts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Parts that wait for a processor.
    pub waiting: usize,
    /// Parts being worked on.
    pub running: usize,
}

impl State {
    /// Whether nothing waits or runs.
    pub fn is_over(self) -> bool {
        self == Self::default()
    }
}

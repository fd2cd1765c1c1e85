//! Engines: who starts the processes that work on parts.
//!
//! An engine starts `gridsat work DIR --part I` for some parts and says how many of them wait and
//! run. Whether a part is done is seen by its file alone, so nothing is lost if the engine, the
//! driver or a node ends: the next driver starts what is missing.

mod drive;
mod error;
mod hyperqueue;
mod local;
mod outside;
mod slurm;

use std::time::Duration;

use super::Plan;

pub use drive::{Driven, Watch, drive};
pub use error::EngineError;
pub use hyperqueue::HyperQueue;
pub use local::Local;
pub use slurm::Slurm;

/// Starts processes for parts.
pub trait Engine {
    /// Begins work on these parts, in ascending order.
    fn submit(&mut self, plan: &Plan, parts: &[usize]) -> Result<(), EngineError>;
    /// How far the submitted parts are, those of an earlier driver included.
    fn state(&mut self, plan: &Plan) -> Result<State, EngineError>;
    /// Ends all processes.
    fn cancel(&mut self, plan: &Plan) -> Result<(), EngineError>;
    /// Time between two questions for the state.
    fn pause(&self) -> Duration;
    /// Where the processes are, for messages: `job 17`.
    fn place(&self) -> String;
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

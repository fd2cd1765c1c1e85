//! Comparisons of algorithms: their makespans, the distances to the optimum or to a lower bound,
//! and their behaviour in the simulator.
//!
//! ```text
//! instance ──► solve, heuristics ──► mappings ──► replay: dedicated, shared, loaded, misjudged
//! scenario ──► simulations under each policy, and one bound on all schedules
//! clusters ──► simulations under each policy
//! M/M/m    ──► simulations of a queue, and its formulas
//! ```

mod bound;
mod clusters;
mod instance;
mod mmm;
mod replay;
mod scenario;

pub(crate) use bound::jobs_and_bound;
pub use bound::lower_bound;
pub use clusters::{ClusterOptions, ClusterPolicies, ClusterPolicyError, ClusterRow, clusters};
pub use instance::{
    Compared, InstanceComparison, InstanceError, InstanceOptions, Replays, Spread, Watched,
    instance,
};
pub use mmm::{
    BEOSIM_ROWS, CONFIDENCE, CheckError, JOBS, Measure, MmmCase, MmmRow, Shape, check_mmm,
    simulate_mmm,
};
pub use replay::{CHANGES, Condition, ERROR, LOAD, Replay, ReplayError, Replayed, SPREAD};
pub use scenario::{
    EconomyMeans, Known, Mean, OWN, Policies, PolicyError, PolicyRow, ProofMeans, ScenarioOptions,
    scenario,
};

/// Which of several runs: an algorithm or a policy, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn<'a> {
    /// Runs from now on.
    Begins(&'a str),
    /// Is done; one that was interrupted never is.
    Ends(&'a str),
}

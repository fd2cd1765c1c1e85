//! Files that describe either a grid or clusters: clusters if they have `[[cluster]]`.

use std::path::Path;

use super::clusters::ClusterScenario;
use super::error::ScenarioError;
use super::text::{Keys, Text};
use super::{Policies, Scenario};

/// A scenario of either kind.
pub enum AnyScenario {
    /// A grid: resources and schedulers that map jobs onto them.
    Grid(Box<Scenario>),
    /// Clusters with parallel jobs.
    Clusters(Box<ClusterScenario>),
}

impl AnyScenario {
    /// Reads a file: JSON if its name ends in `.json`, otherwise TOML.
    pub fn read(path: &Path, policies: &Policies) -> Result<Self, ScenarioError> {
        Self::of(Text::load(path)?.keys(), policies)
    }

    /// Checks keys that have been parsed already.
    pub fn of(keys: Keys<'_>, policies: &Policies) -> Result<Self, ScenarioError> {
        if keys.has("cluster") {
            return Ok(Self::Clusters(Box::new(ClusterScenario::of(keys)?)));
        }
        Ok(Self::Grid(Box::new(Scenario::of(keys, policies)?)))
    }
}

//! What a plan contains: `DIR/plan.json`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::campaign::CampaignWork;
use super::error::PartsError;
use super::experiment::ExperimentWork;
use super::inputs::Input;
use super::proof::ProofWork;
use crate::campaign::Program;

/// The `format` of every plan.
const FORMAT: &str = "gridsat-plan 1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: String,
    /// Version of the program that made it, and the start of its SHA-256.
    pub gridsat: String,
    /// The folder at which relative paths start.
    pub root: PathBuf,
    /// Files that no part may find changed.
    pub inputs: Vec<Input>,
    pub work: Work,
}

/// What is done in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Work {
    Experiment(Box<ExperimentWork>),
    Campaign(CampaignWork),
    Proof(Box<ProofWork>),
}

impl Manifest {
    pub fn new(
        program: &Program,
        root: &Path,
        inputs: Vec<Input>,
        work: Work,
    ) -> Result<Self, PartsError> {
        let root = std::path::absolute(root).map_err(PartsError::read(root))?;
        Ok(Self { format: FORMAT.to_owned(), gridsat: program.version.clone(), root, inputs, work })
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if head.format != FORMAT {
            return Err(format!("format '{}', expected '{FORMAT}'", head.format.escape_debug()));
        }
        let plan: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match &plan.work {
            Work::Experiment(work) => work.check()?,
            Work::Campaign(work) => work.check()?,
            Work::Proof(work) => work.check()?,
        }
        Ok(plan)
    }

    /// The text of the file. Names are on lines of their own, so that it can be read.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data with text keys is JSON") + "\n"
    }

    /// Whether the other plan is for the same work, whatever the size of its parts.
    pub fn is_like(&self, other: &Self) -> bool {
        let is_same = match (&self.work, &other.work) {
            (Work::Experiment(one), Work::Experiment(other)) => one.is_like(other),
            (Work::Campaign(one), Work::Campaign(other)) => one.is_like(other),
            (Work::Proof(one), Work::Proof(other)) => one.is_like(other),
            _ => false,
        };
        is_same
            && (&self.gridsat, &self.root, &self.inputs)
                == (&other.gridsat, &other.root, &other.inputs)
    }
}

//! Makes plans and writes them into their folders.

use std::fs;
use std::path::Path;
use std::time::Duration;

use gridsat_exact::solve::Certificate;
use gridsat_files as files;
use gridsat_model::Stop;

use super::campaign::CampaignWork;
use super::error::PartsError;
use super::experiment::ExperimentWork;
use super::inputs;
use super::manifest::{Manifest, Work};
use super::plan::Plan;
use super::proof::{Planned, ProofWork};
use super::sizes::Sizes;
use crate::campaign::{Campaign, Program};
use crate::experiment::{Experiment, Points};

/// How planning a proof ended.
#[derive(Debug)]
pub enum PlannedProof {
    /// There is a plan.
    Plan(Box<Plan>),
    /// There is nothing left to do: the optimum is proven.
    Proven(Box<Certificate>),
    /// A stop was requested; nothing was written.
    Stopped,
}

impl Plan {
    /// Plans an experiment. A plan for the same work that is there already is kept.
    pub fn experiment(
        folder: &Path,
        experiment: &Experiment,
        sizes: Sizes,
        program: &Program,
        stop: &Stop,
    ) -> Result<Self, PartsError> {
        let points = Points::all(experiment, stop)?;
        let inputs = inputs::of(experiment)?;
        let manifest = |work| {
            let work = Work::Experiment(Box::new(work));
            Manifest::new(program, Path::new("."), inputs.clone(), work)
        };
        let work = ExperimentWork::new(experiment);
        let plan = match Self::existing(folder, &manifest(work.clone())?)? {
            Some(plan) => plan,
            None => Self::create(folder, &manifest(work.divided(&points, sizes, stop)?)?)?,
        };
        Ok(plan.with_points(points))
    }

    /// Plans a campaign. A plan for the same work that is there already is kept.
    pub fn campaign(
        folder: &Path,
        campaign: &Campaign,
        sizes: Sizes,
        program: &Program,
    ) -> Result<Self, PartsError> {
        let work = Work::Campaign(CampaignWork::new(campaign, sizes));
        let manifest = Manifest::new(program, Path::new("."), Vec::new(), work)?;
        match Self::existing(folder, &manifest)? {
            Some(plan) => Ok(plan),
            None => Self::create(folder, &manifest),
        }
    }

    /// Plans the proof of an optimum: searches for this long, then divides what is open into cases.
    /// A plan for the same file that is there already is kept.
    pub fn proof(
        folder: &Path,
        instance: &Path,
        (sizes, search): (Sizes, Duration),
        program: &Program,
        stop: &Stop,
    ) -> Result<PlannedProof, PartsError> {
        if folder.join("plan.json").exists() {
            let plan = Self::open(folder)?;
            plan.check(program)?;
            let is_same =
                matches!(&plan.manifest().work, Work::Proof(work) if work.is_of(instance)?);
            let other = || PartsError::OtherPlan { path: folder.to_owned() };
            return if is_same { Ok(PlannedProof::Plan(Box::new(plan))) } else { Err(other()) };
        }
        let work = match ProofWork::plan(instance, sizes, search, stop)? {
            Some(Planned::Open(work)) => Work::Proof(work),
            Some(Planned::Proven(certificate)) => return Ok(PlannedProof::Proven(certificate)),
            None => return Ok(PlannedProof::Stopped),
        };
        let manifest = Manifest::new(program, Path::new("."), Vec::new(), work)?;
        Ok(PlannedProof::Plan(Box::new(Self::create(folder, &manifest)?)))
    }

    /// The plan that is there already, which must be for the same work.
    fn existing(folder: &Path, manifest: &Manifest) -> Result<Option<Self>, PartsError> {
        if !folder.join("plan.json").exists() {
            return Ok(None);
        }
        let plan = Self::open(folder)?;
        let is_like = plan.manifest().is_like(manifest);
        let other = || PartsError::OtherPlan { path: folder.to_owned() };
        if is_like { Ok(Some(plan)) } else { Err(other()) }
    }

    /// Writes a new plan.
    fn create(folder: &Path, manifest: &Manifest) -> Result<Self, PartsError> {
        let path = folder.join("plan.json");
        for folder in [folder.to_owned(), folder.join("parts"), folder.join("logs")] {
            fs::create_dir_all(&folder).map_err(PartsError::write(&folder))?;
        }
        let text = manifest.text();
        let written = files::write_with(&path, |out| out.write_all(text.as_bytes()));
        written.map_err(PartsError::write(&path))?;
        Self::open(folder)
    }
}

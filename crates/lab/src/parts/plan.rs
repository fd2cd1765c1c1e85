//! A plan in its folder: made once, worked on by many processes, merged.
//!
//! ```text
//! DIR/plan.json     what is to be done; never changes
//! DIR/parts/7       what part 7 found
//! DIR/logs/7.log    what the process of part 7 printed, if an engine started it
//! DIR/rounds/2.json further cases of a proof
//! DIR/best          mappings that parts of a proof have found
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gridsat_exact::solve::Certificate;
use gridsat_files as files;
use gridsat_model::Stop;
use gridsat_model::certificate::sha256_hex;

use super::campaign::CampaignWork;
use super::error::PartsError;
use super::experiment::ExperimentWork;
use super::manifest::{Manifest, Work};
use super::proof::{Joined, Planned, ProofWork, Round};
use super::sizes::Sizes;
use super::{inputs, part_file};
use crate::campaign::{Campaign, Program, Row};
use crate::experiment::{Experiment, Outcome, Results};

/// A plan that was read or made.
#[derive(Clone, Debug)]
pub struct Plan {
    folder: PathBuf,
    manifest: Manifest,
    /// Digest of the manifest, by which parts name their plan.
    sha256: String,
    /// Rounds of a proof; empty for other work.
    rounds: Vec<Round>,
}

/// How the work on a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worked {
    /// Its file was written.
    Done,
    /// Its file was there already.
    Before,
    /// A stop was requested; nothing was written.
    Stopped,
}

/// What the parts are together.
#[derive(Debug)]
pub enum Merged {
    /// The parts that are still to be done.
    Missing(Vec<usize>),
    /// The result of an experiment.
    Experiment(Box<Results>),
    /// The rows of a campaign, in the order of its runs.
    Campaign(Vec<Row>),
    /// The certificate of an optimum, accepted by the checker.
    Proof(Box<Certificate>),
}

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
    /// Plans an experiment.
    pub fn experiment(
        folder: &Path,
        experiment: &Experiment,
        sizes: Sizes,
        program: &Program,
        stop: &Stop,
    ) -> Result<Self, PartsError> {
        let work = ExperimentWork::new(experiment, sizes, stop)?;
        let inputs = inputs::of(experiment)?;
        let work = Work::Experiment(Box::new(work));
        Self::create(folder, Manifest::new(program, Path::new("."), inputs, work)?)
    }

    /// Plans a campaign. Its certificates are not kept.
    pub fn campaign(
        folder: &Path,
        campaign: &Campaign,
        sizes: Sizes,
        program: &Program,
    ) -> Result<Self, PartsError> {
        let work = Work::Campaign(CampaignWork::new(campaign, sizes));
        Self::create(folder, Manifest::new(program, Path::new("."), Vec::new(), work)?)
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
            let is_same = matches!(&plan.manifest.work, Work::Proof(work) if work.is_of(instance)?);
            let other = || PartsError::OtherPlan { path: folder.to_owned() };
            return if is_same { Ok(PlannedProof::Plan(Box::new(plan))) } else { Err(other()) };
        }
        let work = match ProofWork::plan(instance, sizes, search, stop)? {
            Some(Planned::Open(work)) => Work::Proof(work),
            Some(Planned::Proven(certificate)) => return Ok(PlannedProof::Proven(certificate)),
            None => return Ok(PlannedProof::Stopped),
        };
        let manifest = Manifest::new(program, Path::new("."), Vec::new(), work)?;
        Ok(PlannedProof::Plan(Box::new(Self::create(folder, manifest)?)))
    }

    /// Writes the plan; one that is there already is kept if it is for the same work.
    fn create(folder: &Path, manifest: Manifest) -> Result<Self, PartsError> {
        let path = folder.join("plan.json");
        if path.exists() {
            let plan = Self::open(folder)?;
            let is_like = plan.manifest.is_like(&manifest);
            let other = || PartsError::OtherPlan { path: folder.to_owned() };
            return if is_like { Ok(plan) } else { Err(other()) };
        }
        for folder in [folder.to_owned(), folder.join("parts"), folder.join("logs")] {
            fs::create_dir_all(&folder).map_err(PartsError::write(&folder))?;
        }
        let text = manifest.text();
        let written = files::write_with(&path, |out| out.write_all(text.as_bytes()));
        written.map_err(PartsError::write(&path))?;
        Self::open(folder)
    }

    /// Reads the plan in a folder.
    pub fn open(folder: &Path) -> Result<Self, PartsError> {
        let folder = std::path::absolute(folder).map_err(PartsError::read(folder))?;
        let path = folder.join("plan.json");
        if !path.exists() {
            return Err(PartsError::Nothing { path: folder });
        }
        let text = fs::read_to_string(&path).map_err(PartsError::read(&path))?;
        let manifest = Manifest::parse(&text);
        let manifest = manifest.map_err(|what| PartsError::NoPlan { path: path.clone(), what })?;
        let rounds = match &manifest.work {
            Work::Proof(work) => work.rounds(&folder)?,
            Work::Experiment(_) | Work::Campaign(_) => Vec::new(),
        };
        Ok(Self { folder, manifest, sha256: sha256_hex(text.as_bytes()), rounds })
    }

    /// The absolute path of its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder at which relative paths of the plan start. Whoever works on a part makes it the
    /// current folder.
    pub fn root(&self) -> &Path {
        &self.manifest.root
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        match &self.manifest.work {
            Work::Experiment(work) => work.parts(),
            Work::Campaign(work) => work.parts(),
            Work::Proof(_) => self.rounds.iter().map(|round| round.parts).sum(),
        }
    }

    /// A short name for what is planned.
    pub fn name(&self) -> &str {
        match &self.manifest.work {
            Work::Experiment(work) => &work.experiment.name,
            Work::Campaign(_) => "campaign",
            Work::Proof(work) => work.name(),
        }
    }

    /// The file of a part.
    pub fn part_path(&self, part: usize) -> PathBuf {
        self.folder.join("parts").join(part.to_string())
    }

    /// The file for what the process of a part prints.
    pub fn log_path(&self, part: usize) -> PathBuf {
        self.folder.join("logs").join(format!("{part}.log"))
    }

    /// Refuses another build of the program, and inputs that have changed.
    pub fn check(&self, program: &Program) -> Result<(), PartsError> {
        let (found, this) = (&self.manifest.gridsat, &program.version);
        if found != this {
            let (path, found, this) = (self.folder.clone(), found.clone(), this.clone());
            return Err(PartsError::OtherProgram { path, found, this });
        }
        self.manifest.inputs.iter().try_for_each(inputs::Input::check)
    }

    /// Works on a part and writes its file, unless it is there.
    pub fn work(&self, part: usize, program: &Program, stop: &Stop) -> Result<Worked, PartsError> {
        if part >= self.parts() {
            return Err(PartsError::NoPart { part, of: self.parts() });
        }
        self.check(program)?;
        if self.fault(part).is_none() {
            return Ok(Worked::Before);
        }
        let lines = match &self.manifest.work {
            Work::Experiment(work) => work.work(part, stop)?,
            Work::Campaign(work) => work.work(part, program, stop)?,
            Work::Proof(work) => work.work(&self.folder, &self.rounds, part, stop)?,
        };
        let Some(lines) = lines else { return Ok(Worked::Stopped) };
        let path = self.part_path(part);
        let written = part_file::write(&path, &self.sha256, part, &lines);
        written.map_err(PartsError::write(&path))?;
        Ok(Worked::Done)
    }

    /// Whether the file of a part is there, whatever it contains.
    pub fn has_file(&self, part: usize) -> bool {
        self.part_path(part).exists()
    }

    /// Why the file of a part cannot be used, in one line; `None` if it can.
    pub fn fault(&self, part: usize) -> Option<String> {
        let checked = self.lines(part).and_then(|lines| match &self.manifest.work {
            Work::Experiment(work) => work.read(part, &lines).map(drop),
            Work::Campaign(work) => work.read(part, &lines).map(drop),
            Work::Proof(work) => work.read(&self.rounds, part, &lines).map(drop),
        });
        checked.err()
    }

    /// The parts that are still to be done, damaged ones included.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.parts()).filter(|&part| self.fault(part).is_some()).collect()
    }

    /// Puts the parts together, if all of them are there. Open cases of a proof become new parts,
    /// which are missing then.
    pub fn merge(&self, program: &Program, stop: &Stop) -> Result<Merged, PartsError> {
        self.check(program)?;
        Ok(match &self.manifest.work {
            Work::Experiment(work) => {
                let read = |part, lines: &[String]| work.read(part, lines);
                match self.all::<Vec<Outcome>>(read) {
                    Ok(parts) => Merged::Experiment(Box::new(work.merge(parts))),
                    Err(missing) => Merged::Missing(missing),
                }
            }
            Work::Campaign(work) => match self.all(|part, lines| work.read(part, lines)) {
                Ok(rows) => Merged::Campaign(rows.into_iter().flatten().collect()),
                Err(missing) => Merged::Missing(missing),
            },
            Work::Proof(work) => match self.all(|part, lines| work.read(&self.rounds, part, lines))
            {
                Ok(found) => match work.join(&self.folder, found, stop)? {
                    Joined::Weak(parts) => {
                        self.remove(&parts)?;
                        Merged::Missing(parts)
                    }
                    Joined::Further(parts) => Merged::Missing(parts),
                    Joined::Whole(certificate) => Merged::Proof(certificate),
                },
                Err(missing) => Merged::Missing(missing),
            },
        })
    }

    /// Removes the files of parts that must be worked on again.
    fn remove(&self, parts: &[usize]) -> Result<(), PartsError> {
        parts.iter().try_for_each(|&part| {
            let path = self.part_path(part);
            fs::remove_file(&path).map_err(PartsError::write(&path))
        })
    }

    /// What all parts contain, or the numbers of those that are missing.
    fn all<T>(
        &self,
        read: impl Fn(usize, &[String]) -> Result<T, String>,
    ) -> Result<Vec<T>, Vec<usize>> {
        let (mut whole, mut missing) = (Vec::new(), Vec::new());
        for part in 0..self.parts() {
            match self.lines(part).and_then(|lines| read(part, &lines)) {
                Ok(one) => whole.push(one),
                Err(_) => missing.push(part),
            }
        }
        if missing.is_empty() { Ok(whole) } else { Err(missing) }
    }

    fn lines(&self, part: usize) -> Result<Vec<String>, String> {
        part_file::read(&self.part_path(part), &self.sha256, part)
    }
}

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
use std::sync::Arc;

use gridsat_exact::solve::Certificate;
use gridsat_model::Stop;
use gridsat_model::certificate::sha256_hex;

use super::error::PartsError;
use super::manifest::{Manifest, Work};
use super::proof::{Joined, Round};
use super::{inputs, part_file};
use crate::campaign::{Program, Row, Run};
use crate::experiment::{Outcomes, Points, Results};

/// A plan that was read or made.
#[derive(Clone, Debug)]
pub struct Plan {
    folder: PathBuf,
    manifest: Manifest,
    /// Digest of the manifest, by which parts name their plan.
    sha256: String,
    /// Rounds of a proof; empty for other work.
    rounds: Vec<Round>,
    /// Points of an experiment, prepared once for all parts of this process.
    points: Arc<Points>,
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

impl Plan {
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
        let (rounds, points) = match &manifest.work {
            Work::Proof(work) => (work.rounds(&folder)?, Points::default()),
            Work::Experiment(work) => (Vec::new(), Points::none(&work.experiment)),
            Work::Campaign(_) => (Vec::new(), Points::default()),
        };
        let points = Arc::new(points);
        Ok(Self { folder, manifest, sha256: sha256_hex(text.as_bytes()), rounds, points })
    }

    /// The same plan with these points of its experiment.
    pub(super) fn with_points(self, points: Points) -> Self {
        Self { points: Arc::new(points), ..self }
    }

    /// What is planned.
    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
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
        self.perform(part, program, stop)
    }

    /// Works on a part that is missing. The plan was checked before.
    pub(super) fn perform(
        &self,
        part: usize,
        program: &Program,
        stop: &Stop,
    ) -> Result<Worked, PartsError> {
        let lines = match &self.manifest.work {
            Work::Experiment(work) => work.work(&self.points, part, stop)?,
            Work::Campaign(work) => work.work(part, program, stop)?,
            Work::Proof(work) => work.work(&self.folder, &self.rounds, part, stop)?,
        };
        let Some(lines) = lines else { return Ok(Worked::Stopped) };
        self.write_part(part, &lines)?;
        Ok(Worked::Done)
    }

    /// Writes the file of a part.
    pub(super) fn write_part(&self, part: usize, lines: &[String]) -> Result<(), PartsError> {
        let path = self.part_path(part);
        let written = part_file::write(&path, &self.sha256, part, lines);
        written.map_err(PartsError::write(&path))
    }

    /// The parts that have a file, whatever it contains, in ascending order.
    pub fn files(&self) -> Vec<usize> {
        let entries = fs::read_dir(self.folder.join("parts")).into_iter().flatten();
        let part = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        let mut parts: Vec<usize> = entries.filter_map(Result::ok).filter_map(part).collect();
        parts.retain(|&part| part < self.parts());
        parts.sort_unstable();
        parts
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
        let files = self.files();
        let has_file = |part| files.binary_search(&part).is_ok();
        let is_there = |part: usize| has_file(part) && self.fault(part).is_none();
        (0..self.parts()).filter(|&part| !is_there(part)).collect()
    }

    /// Puts the parts together, if all of them are there. Open cases of a proof become new parts,
    /// which are missing then.
    pub fn merge(&self, program: &Program, stop: &Stop) -> Result<Merged, PartsError> {
        self.check(program)?;
        Ok(match &self.manifest.work {
            Work::Experiment(work) => {
                let read = |part, lines: &[String]| work.read(part, lines);
                match self.all::<Outcomes>(read) {
                    Ok(parts) => Merged::Experiment(Box::new(work.merge(&parts))),
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

    /// Removes the files, if any, of parts that must be worked on again.
    pub(super) fn remove(&self, parts: &[usize]) -> Result<(), PartsError> {
        parts.iter().try_for_each(|&part| {
            let path = self.part_path(part);
            match fs::remove_file(&path) {
                Err(error) if path.exists() => Err(PartsError::write(&path)(error)),
                _ => Ok(()),
            }
        })
    }

    /// Number of runs in some parts of an experiment; 0 for other work.
    pub(super) fn run_count(&self, parts: &[usize]) -> usize {
        let Work::Experiment(work) = &self.manifest.work else { return 0 };
        parts.iter().filter_map(|&part| work.range(part)).map(|range| range.len()).sum()
    }

    /// The runs of a part of a campaign; none for other work.
    pub(super) fn runs_of(&self, part: usize) -> Vec<Run> {
        let Work::Campaign(work) = &self.manifest.work else { return Vec::new() };
        work.of_part(part)
    }

    /// The rows of a part of a campaign that is done; none for other work.
    pub(super) fn rows_of(&self, part: usize) -> Vec<Row> {
        let Work::Campaign(work) = &self.manifest.work else { return Vec::new() };
        let rows = self.lines(part).and_then(|lines| work.read(part, &lines));
        rows.unwrap_or_default()
    }

    /// Whether open cases become further parts.
    pub(super) fn has_rounds(&self) -> bool {
        matches!(self.manifest.work, Work::Proof(_))
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

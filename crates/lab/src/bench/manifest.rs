//! A set of instances with what is known about their optima.
//!
//! A manifest is one JSON object; `instances/bench/README.md` documents its keys. An instance is a
//! recipe for `generate` (class, sizes, seed), or a file, or both; whichever way it comes, its
//! digest must be the stated one, the same that ties a certificate to its instance.
//!
//! The project's own manifest is compiled in, and all of its instances have recipes: the set is at
//! hand wherever the program is.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;
use thiserror::Error;

use gridsat_check::verify::{FileVerdict, VerifyError, verify_file};
use gridsat_heuristics::generate::{EtcClass, EtcSpec, GenerateError, UnknownClass, generate};
use gridsat_model::certificate::instance_digest;
use gridsat_model::io::{ReadError, ReadOptions, read_file};
use gridsat_model::{Instance, Ticks};

/// The value of the key `format`.
pub const FORMAT: &str = "gridsat-bench";
/// The version this program reads.
pub const FORMAT_VERSION: u32 = 1;

const BUILT_IN: &str = include_str!("manifest.json");

/// One instance of the set. Times are in ticks, as in certificates.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetInstance {
    /// What reports call it.
    pub name: String,
    /// What it is counted under; with a seed, also the class to generate.
    pub class: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of hosts.
    pub hosts: usize,
    /// The seed it is generated from.
    pub seed: Option<u64>,
    /// The file it is in, relative to the manifest.
    pub file: Option<PathBuf>,
    /// Of its canonical form.
    pub sha256: String,
    /// No makespan is below this.
    pub lower_bound: Ticks,
    /// The best known.
    pub makespan: Ticks,
    /// Seconds the search for both had.
    pub time_limit: Option<u32>,
    /// The certificate of both, relative to the manifest.
    pub certificate: Option<PathBuf>,
}

/// A manifest and the folders its files are in.
#[derive(Clone, Debug)]
pub struct Set {
    /// The instances.
    pub entries: Vec<SetInstance>,
    /// Of the manifest. None for what is compiled in.
    folder: Option<PathBuf>,
    /// Of the instances, if elsewhere.
    data: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: u32,
    instances: Vec<SetInstance>,
}

/// Why a file is no manifest.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ManifestError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("format is {format:?} version {version}, expected {FORMAT:?} version {FORMAT_VERSION}")]
    Format { format: String, version: u32 },
}

/// What is wrong with a set.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum SetError {
    #[error("{}: {reason}", .path.display())]
    Manifest { path: PathBuf, reason: ManifestError },
    #[error("{name}: neither a seed nor a file, or no folder to find the file in")]
    NoSource { name: String },
    #[error("{name}: {reason}")]
    Class { name: String, reason: UnknownClass },
    #[error("{name}: {reason}")]
    Generate { name: String, reason: GenerateError },
    #[error("{name}: {reason}")]
    Read { name: String, reason: Box<ReadError> },
    #[error("{name}: {what} is {found}, the manifest says {stated}")]
    Differs { name: String, what: &'static str, found: String, stated: String },
    #[error("{name}: lower bound {lower_bound} exceeds the makespan {makespan}")]
    Bounds { name: String, lower_bound: Ticks, makespan: Ticks },
    #[error("{name}: {reason}")]
    Certificate { name: String, reason: VerifyError },
    #[error("{name}: {} holds a bare mapping, not a certificate", .path.display())]
    NoProof { name: String, path: PathBuf },
}

impl SetInstance {
    /// Whether the best known makespan is proven optimal.
    pub fn is_closed(&self) -> bool {
        self.lower_bound == self.makespan
    }

    /// How far above the optimum a makespan is, or above the lower bound where that is all there
    /// is, in parts of it: `makespan / lower − 1`. A gap is something else, `(upper − lower) /
    /// upper`.
    pub fn excess(&self, makespan: Ticks) -> f64 {
        makespan.as_f64() / self.lower_bound.max(Ticks(1)).as_f64() - 1.0
    }

    /// Braun's classes by their consistency, any other class by itself.
    pub fn family(&self) -> &str {
        match self.class.parse::<EtcClass>() {
            Ok(EtcClass::Braun { .. }) => &self.class[.."u_c".len()],
            _ => &self.class,
        }
    }

    fn same(&self, what: &'static str, found: String, stated: String) -> Result<(), SetError> {
        if found == stated {
            return Ok(());
        }
        Err(SetError::Differs { name: self.name.clone(), what, found, stated })
    }

    fn generated(&self, seed: u64) -> Result<Instance, SetError> {
        let name = || self.name.clone();
        let class =
            self.class.parse().map_err(|reason| SetError::Class { name: name(), reason })?;
        generate(&EtcSpec::plain(class, self.tasks, self.hosts, seed))
            .map_err(|reason| SetError::Generate { name: name(), reason })
    }

    /// Whether it is the instance that is meant. Sizes first: they tell a person more.
    fn checked(&self, instance: Instance) -> Result<Instance, SetError> {
        let number = |what, found: usize, stated: usize| {
            self.same(what, found.to_string(), stated.to_string())
        };
        number("number of tasks", instance.task_count(), self.tasks)?;
        number("number of hosts", instance.host_count(), self.hosts)?;
        self.same("SHA-256", instance_digest(&instance), self.sha256.clone())?;
        Ok(instance)
    }
}

impl Set {
    /// Everything in the project's own set.
    pub fn all() -> Self {
        let manifest = parse(BUILT_IN).expect("crates/lab/tests/it/bench.rs reads it, too");
        Self { entries: manifest.instances, folder: None, data: None }
    }

    /// Those that are in the repository as files.
    pub fn small() -> Self {
        let mut set = Self::all();
        set.entries.retain(|entry| entry.file.is_some());
        set
    }

    /// A manifest of one's own, with its instances in the same folder or in another.
    pub fn read(path: &Path, data: Option<&Path>) -> Result<Self, SetError> {
        let wrong = |reason| SetError::Manifest { path: path.to_owned(), reason };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.into()))?;
        let manifest = parse(&text).map_err(wrong)?;
        let folder = path.parent().map(Path::to_owned);
        Ok(Self { entries: manifest.instances, folder, data: data.map(Path::to_owned) })
    }

    /// The instance, generated where there is a seed, and known to be the one that is meant.
    pub fn load(&self, entry: &SetInstance) -> Result<Instance, SetError> {
        match entry.seed {
            Some(seed) => entry.checked(entry.generated(seed)?),
            None => {
                let nowhere = || SetError::NoSource { name: entry.name.clone() };
                self.read_instance(entry)?.ok_or_else(nowhere)
            }
        }
    }

    fn read_instance(&self, entry: &SetInstance) -> Result<Option<Instance>, SetError> {
        let folder = self.data.as_ref().or(self.folder.as_ref());
        let Some((folder, file)) = folder.zip(entry.file.as_ref()) else { return Ok(None) };
        let instance = read_file(folder.join(file), &ReadOptions::default())
            .map_err(|reason| SetError::Read { name: entry.name.clone(), reason: reason.into() })?;
        entry.checked(instance).map(Some)
    }

    /// Checks all that the manifest says of an instance: recipe and file give the stated digest,
    /// and the certificate proves the stated numbers. What is compiled in has no files.
    pub fn check(&self, entry: &SetInstance) -> Result<(), SetError> {
        let instance = self.load(entry)?;
        if entry.seed.is_some() {
            self.read_instance(entry)?;
        }
        let (name, lower_bound, makespan) = (entry.name.clone(), entry.lower_bound, entry.makespan);
        if lower_bound > makespan {
            return Err(SetError::Bounds { name, lower_bound, makespan });
        }
        let Some((folder, file)) = self.folder.as_ref().zip(entry.certificate.as_ref()) else {
            return Ok(());
        };
        let path = folder.join(file);
        let accepted = match verify_file(&instance, &path) {
            Ok(FileVerdict::Certificate(accepted)) => accepted,
            Ok(FileVerdict::Mapping { .. }) => return Err(SetError::NoProof { name, path }),
            Err(reason) => return Err(SetError::Certificate { name, reason }),
        };
        let proven = |what, found: Ticks, stated: Ticks| {
            entry.same(what, found.to_string(), stated.to_string())
        };
        proven("certified lower bound", accepted.lower_bound(), lower_bound)?;
        proven("certified makespan", accepted.makespan(), makespan)
    }
}

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let manifest: Manifest = serde_json::from_str(text)?;
    if manifest.format != FORMAT || manifest.version != FORMAT_VERSION {
        let Manifest { format, version, .. } = manifest;
        return Err(ManifestError::Format { format, version });
    }
    Ok(manifest)
}

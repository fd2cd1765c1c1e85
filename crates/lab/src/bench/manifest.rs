//! A set of instances with their optima, or bounds on them.
//!
//! A manifest is one JSON object; `instances/bench/README.md` documents its keys. An instance is a
//! recipe for `generate` (class, sizes, seed), or a file, or both. In either case its digest must
//! be the stated one, which is also the one in certificates.
//!
//! The manifest of gridsat is compiled in, and all of its instances have recipes, so the program
//! needs no files for it.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use gridsat_check::verify::{FileVerdict, VerifyError, verify_file};
use gridsat_heuristics::generate::{EtcClass, EtcSpec, GenerateError, UnknownClass, generate};
use gridsat_model::certificate::instance_digest;
use gridsat_model::io::{ReadError, ReadOptions, open, read_file, shown_name};
use gridsat_model::{Instance, Ticks};

/// The required value of the key `format`.
pub const FORMAT: &str = "gridsat-bench";
/// The format version that this program reads.
pub const FORMAT_VERSION: u32 = 1;

const BUILT_IN: &str = include_str!("manifest.json");

/// One instance of the set. Times are in ticks, as in certificates.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetInstance {
    /// The name in reports.
    pub name: String,
    /// The class for statistics; with a seed, also the class to generate.
    pub class: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of hosts.
    pub hosts: usize,
    /// The seed it is generated from, if it has a recipe.
    pub seed: Option<u64>,
    /// Its file, relative to the manifest, if it has one.
    pub file: Option<PathBuf>,
    /// Digest of its canonical form.
    pub sha256: String,
    /// A proven lower bound on the makespan.
    pub lower_bound: Ticks,
    /// The best known makespan.
    pub makespan: Ticks,
    /// Time limit in seconds of the search for both.
    pub time_limit: Option<u32>,
    /// The certificate for both, relative to the manifest.
    pub certificate: Option<PathBuf>,
}

/// A manifest and the folders of its files.
#[derive(Clone, Debug)]
pub struct Set {
    /// One entry per instance, in the order of the manifest.
    pub entries: Vec<SetInstance>,
    /// Folder of the manifest; `None` if it is compiled in.
    folder: Option<PathBuf>,
    /// Folder of the instances, if it is another one.
    data: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: u32,
    instances: Vec<SetInstance>,
}

/// Why a file is not a manifest.
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

/// An error in a set.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum SetError {
    #[error("{}: {reason}", shown_name(.path))]
    Manifest { path: PathBuf, reason: ManifestError },
    #[error("{name}: needs a seed, or a file and the folder to find it in")]
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

    /// Excess of a makespan over the optimum, or over the lower bound if the optimum is unknown:
    /// `makespan / lower − 1`. The gap is defined differently: `(upper − lower) / upper`.
    pub fn excess(&self, makespan: Ticks) -> f64 {
        makespan.as_f64() / self.lower_bound.max(Ticks(1)).as_f64() - 1.0
    }

    /// The consistency for classes of Braun et al., any other class unchanged.
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

    /// Checks that an instance is the stated one. Sizes are checked first, because they make better
    /// messages than digests.
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
    /// All instances of the built-in set.
    pub fn all() -> Self {
        let manifest = parse(BUILT_IN).expect("crates/lab/tests/it/bench.rs reads it, too");
        Self { entries: manifest.instances, folder: None, data: None }
    }

    /// The instances of the built-in set that are in the repository as files.
    pub fn small() -> Self {
        let mut set = Self::all();
        set.entries.retain(|entry| entry.file.is_some());
        set
    }

    /// A manifest in a file, with its instances in the same folder or in `data`. The path `-` reads
    /// standard input, whose relative paths begin in the current folder.
    pub fn read(path: &Path, data: Option<&Path>) -> Result<Self, SetError> {
        let wrong = |reason| SetError::Manifest { path: path.to_owned(), reason };
        let text = open(path).and_then(io::read_to_string).map_err(|error| wrong(error.into()))?;
        let manifest = parse(&text).map_err(wrong)?;
        let folder = path.parent().map(Path::to_owned);
        Ok(Self { entries: manifest.instances, folder, data: data.map(Path::to_owned) })
    }

    /// The instance, generated if there is a seed, and checked against its digest.
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

    /// Checks everything that the manifest states about an instance: recipe and file have the
    /// stated digest, and the certificate proves the stated numbers. The built-in set has no files
    /// to check.
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

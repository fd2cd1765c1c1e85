//! Files to check, recognised by their content.
//!
//! | content | checked |
//! |---|---|
//! | JSON object with `format` `gridsat-certificate` | as a gridsat certificate |
//! | JSON object with `mapping`, as `solve --format json` prints it | mapping, `makespan` if given |
//! | JSON object with `results`, as `map --format json` prints it | each mapping; the best counts |
//! | JSON array of hosts | the mapping |
//! | CSV with a header, as `solve --format csv` prints it | the mapping |
//! | text of hosts, one per line or separated by blanks | the mapping |
//!
//! A host is given by its number; any other text is read as its name. A bare mapping proves its
//! makespan and nothing about optimality, whatever else its file claims. VeriPB proofs are not
//! checked here but by `veripb`.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::de::{IgnoredAny, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use thiserror::Error;

use super::{Accepted, Rejection, check_format, decimal, text, verify_mapping};
use gridsat_model::certificate::{Document, FORMAT};
use gridsat_model::io::{AssignmentError, numbers_of, open, read_assignment, shown_name};
use gridsat_model::text::{excerpt, on_one_line};
use gridsat_model::{Instance, Ticks};

/// The largest file read into memory, in bytes. Proofs are streamed and may be larger.
const MAX_BYTES: u64 = 1 << 30;

/// The first words of every VeriPB proof.
const VERIPB_HEADER: &str = "pseudo-Boolean proof version";

/// What an accepted file proves.
///
/// ```
/// use gridsat_check::verify::{FileVerdict, verify_file};
/// use gridsat_model::{Instance, Ticks};
///
/// let instance = Instance::from_rows([[4, 7], [3, 5]])?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mapping");
/// std::fs::write(&path, "0 1")?;
/// assert_eq!(verify_file(&instance, &path)?, FileVerdict::Mapping { makespan: Ticks(5) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileVerdict {
    /// A certificate: its makespan and its lower bound are proven.
    Certificate(Accepted),
    /// A mapping: only its makespan is proven.
    Mapping {
        /// The makespan of the mapping in the file; the smallest one if there are several.
        makespan: Ticks,
    },
}

impl FileVerdict {
    /// The makespan of the mapping, in ticks.
    pub fn makespan(self) -> Ticks {
        match self {
            Self::Certificate(accepted) => accepted.makespan(),
            Self::Mapping { makespan } => makespan,
        }
    }
}

/// Why a file is not accepted.
///
/// ```
/// use gridsat_check::verify::{VerifyError, verify_file};
///
/// let instance = gridsat_model::Instance::from_rows([[4, 7], [3, 5]])?;
/// let error = verify_file(&instance, "/no/such/file".as_ref()).unwrap_err();
/// assert!(matches!(error, VerifyError::Unreadable { .. }));
/// # Ok::<(), gridsat_model::io::ReadError>(())
/// ```
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum VerifyError {
    /// The file cannot be read, or contains neither a certificate nor a mapping.
    #[error("{}: {}", shown_name(.path), on_one_line(&.reason.to_string()))]
    Unreadable { path: PathBuf, reason: Unreadable },
    /// The file is a VeriPB proof.
    #[error(
        "{}: VeriPB proofs are checked by veripb: run `veripb {} {}`",
        shown_name(.path), .path.with_extension("opb").display(), .path.display()
    )]
    VeriPb { path: PathBuf },
    /// The file was read, but its claim is false or not proven.
    #[error("{}: {}", shown_name(.path), on_one_line(&.reason.to_string()))]
    Rejected { path: PathBuf, reason: Box<Rejection> },
}

/// Why a file contains neither a certificate nor a mapping.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Unreadable {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("larger than {MAX_BYTES} bytes")]
    TooLarge,
    #[error("neither a certificate nor a mapping: not UTF-8 text")]
    NotText,
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("neither 'format' nor 'mapping' in the object")]
    NothingToCheck,
    #[error("an instance, not a certificate or a mapping")]
    Instance,
    #[error("'mapping' is not a list of hosts: {0}")]
    Mapping(serde_json::Error),
    #[error("'makespan' is not a number")]
    Makespan,
    #[error("line {line}: \"{word}\" is neither the number nor the name of a host")]
    NoHost { line: usize, word: String },
    #[error("\"{0}\" is not the name of exactly one host")]
    NoSuchName(String),
    #[error(transparent)]
    Table(#[from] AssignmentError),
    #[error("'results' is not a list of mappings: {0}")]
    Results(serde_json::Error),
    #[error("'results' is empty: there is no mapping")]
    NoResults,
    #[error("a step or node of {values} values, more than the instance can need")]
    TooManyValues { values: usize },
}

/// Checks a certificate or mapping file against the instance.
pub fn verify_file(instance: &Instance, path: &Path) -> Result<FileVerdict, VerifyError> {
    Claim::read(path)?.verify(instance)
}

/// A certificate or mapping file, read once and not yet checked.
pub struct Claim {
    path: PathBuf,
    text: String,
}

impl Claim {
    /// Reads the file, or standard input if the path is `-`. Proof files that a certificate on
    /// standard input names are looked for in the current folder.
    pub fn read(path: &Path) -> Result<Self, VerifyError> {
        let unreadable = |reason| VerifyError::Unreadable { path: path.to_owned(), reason };
        Ok(Self { text: read(path).map_err(unreadable)?, path: path.to_owned() })
    }

    /// The content of a file that was read in another way.
    pub fn of(path: &Path, text: String) -> Self {
        Self { path: path.to_owned(), text }
    }

    /// The file it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rules that the steps of a certificate claim, in order; of other files none.
    pub fn rules(&self) -> Vec<String> {
        #[derive(Deserialize)]
        struct Steps {
            #[serde(default)]
            steps: Vec<Rule>,
        }
        #[derive(Deserialize)]
        struct Rule {
            rule: String,
        }
        let read: Result<Steps, _> = serde_json::from_str(&self.text);
        read.map_or(Vec::new(), |read| read.steps.into_iter().map(|step| step.rule).collect())
    }

    /// What is in the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The certificate, if it is one; nothing of it is checked.
    pub fn certificate(&self) -> Option<Document> {
        serde_json::from_str(&self.text)
            .ok()
            .filter(|document: &Document| document.format == FORMAT)
    }

    /// Checks it against the instance.
    pub fn verify(&self, instance: &Instance) -> Result<FileVerdict, VerifyError> {
        let Self { path, text } = self;
        let is_proof = path.extension().is_some_and(|extension| extension == "pbp");
        if is_proof || text.starts_with(VERIPB_HEADER) {
            return Err(VerifyError::VeriPb { path: path.clone() });
        }
        let directory = path.parent().unwrap_or(Path::new(""));
        check_text(instance, text, directory).map_err(|failure| match failure {
            Failure::Unreadable(reason) => VerifyError::Unreadable { path: path.clone(), reason },
            Failure::Rejected(reason) => {
                VerifyError::Rejected { path: path.clone(), reason: Box::new(reason) }
            }
        })
    }

    /// The decimals to which times were rounded up for the certificate or result; `None` if they
    /// were not, or if it is another kind of file. An instance read with that precision is the one
    /// it speaks of.
    pub fn rounded_decimals(&self) -> Option<u8> {
        #[derive(Deserialize)]
        struct Reading<'a> {
            #[serde(default)]
            rounded: bool,
            decimals: Option<u8>,
            /// An object in certificates, a name in results.
            #[serde(borrow)]
            instance: Option<&'a RawValue>,
        }
        let result: Reading = serde_json::from_str(&self.text).ok()?;
        let reading = match result {
            Reading { rounded: false, instance: Some(value), .. } => {
                serde_json::from_str(value.get()).ok()?
            }
            result => result,
        };
        reading.decimals.filter(|_| reading.rounded)
    }
}

/// [`Claim::rounded_decimals`] of a file; `None` also if it cannot be read.
pub fn rounded_decimals(path: &Path) -> Option<u8> {
    Claim::read(path).ok()?.rounded_decimals()
}

/// Opens proofs in a directory. Only plain files are opened: a device might never end.
pub fn proofs_in(directory: &Path) -> impl Fn(&str) -> io::Result<Box<dyn Read>> {
    let directory = directory.to_owned();
    move |name| {
        let path = directory.join(name);
        if !fs::metadata(&path)?.is_file() {
            return Err(io::Error::other("not a file"));
        }
        Ok(Box::new(File::open(path)?))
    }
}

pub(super) enum Failure {
    Unreadable(Unreadable),
    Rejected(Rejection),
}

impl From<Rejection> for Failure {
    fn from(reason: Rejection) -> Self {
        Self::Rejected(reason)
    }
}

impl<T: Into<Unreadable>> From<T> for Failure {
    fn from(reason: T) -> Self {
        Self::Unreadable(reason.into())
    }
}

fn read(path: &Path) -> Result<String, Unreadable> {
    let mut bytes = Vec::new();
    let count = open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if count as u64 > MAX_BYTES {
        return Err(Unreadable::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| Unreadable::NotText)
}

fn check_text(instance: &Instance, text: &str, directory: &Path) -> Result<FileVerdict, Failure> {
    match text.trim_start().chars().next() {
        Some('{') => check_object(instance, text, directory),
        Some('[') => check_hosts(instance, serde_json::from_str(text)?),
        _ if is_table(text) => check_mapping(instance, read_assignment(instance, text)?),
        _ => check_mapping(instance, read_hosts(instance, text)?),
    }
}

/// Whether the first line looks like a header.
fn is_table(text: &str) -> bool {
    text.trim_start().lines().next().is_some_and(|line| line.contains(','))
}

/// The fields of an object that decide how the rest is read.
#[derive(Deserialize)]
struct Header<'a> {
    format: Option<String>,
    version: Option<u32>,
    #[serde(borrow)]
    mapping: Option<&'a RawValue>,
    #[serde(borrow)]
    makespan: Option<&'a RawValue>,
    #[serde(borrow)]
    results: Option<&'a RawValue>,
    etc: Option<IgnoredAny>,
}

/// One of several mappings.
#[derive(Deserialize)]
struct OneResult<'a> {
    #[serde(borrow)]
    mapping: &'a RawValue,
    #[serde(borrow)]
    makespan: Option<&'a RawValue>,
}

/// A host by number or name.
enum Host {
    Number(u32),
    Name(String),
}

impl<'de> Deserialize<'de> for Host {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HostVisitor)
    }
}

/// Reads one value and skips lists and objects, however deep.
struct HostVisitor;

impl Visitor<'_> for HostVisitor {
    type Value = Host;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number or the name of a host")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Host, E> {
        let wrong = |_| E::invalid_value(Unexpected::Unsigned(number), &self);
        u32::try_from(number).map(Host::Number).map_err(wrong)
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Host, E> {
        Ok(Host::Name(name.to_owned()))
    }
}

fn check_object(instance: &Instance, text: &str, directory: &Path) -> Result<FileVerdict, Failure> {
    let header: Header = serde_json::from_str(text)?;
    let Some(format) = header.format.as_ref().filter(|format| !is_result(format, &header)) else {
        return check_answer(instance, &header);
    };
    // Check the version before the rest is read, because other versions may have other fields.
    check_format(format, header.version.unwrap_or(0))?;
    let verdict = text::verify(instance, text, &proofs_in(directory))?;
    Ok(FileVerdict::Certificate(verdict))
}

/// Whether this is the result of a command; results have the version in the name of their format.
fn is_result(format: &str, header: &Header) -> bool {
    format.starts_with("gridsat-") && format != FORMAT && header.version.is_none()
}

fn check_answer(instance: &Instance, answer: &Header) -> Result<FileVerdict, Failure> {
    let nothing = || match answer.etc {
        Some(_) => Unreadable::Instance,
        None => Unreadable::NothingToCheck,
    };
    if let (None, Some(results)) = (answer.mapping, answer.results) {
        return check_results(instance, results);
    }
    let mapping = answer.mapping.ok_or_else(nothing)?;
    check_claim(instance, &OneResult { mapping, makespan: answer.makespan })
}

/// Every mapping must be valid; the best of them counts.
fn check_results(instance: &Instance, results: &RawValue) -> Result<FileVerdict, Failure> {
    let results: Vec<OneResult> =
        serde_json::from_str(results.get()).map_err(Unreadable::Results)?;
    let verdicts = results.iter().map(|result| check_claim(instance, result));
    let verdicts = verdicts.collect::<Result<Vec<_>, _>>()?;
    let best = verdicts.into_iter().min_by_key(|verdict| verdict.makespan());
    best.ok_or_else(|| Unreadable::NoResults.into())
}

fn check_claim(instance: &Instance, result: &OneResult) -> Result<FileVerdict, Failure> {
    let hosts = serde_json::from_str(result.mapping.get()).map_err(Unreadable::Mapping)?;
    let verdict = check_hosts(instance, hosts)?;
    if let Some(claimed) = result.makespan {
        check_makespan(instance, claimed.get(), verdict.makespan())?;
    }
    Ok(verdict)
}

fn check_hosts(instance: &Instance, hosts: Vec<Host>) -> Result<FileVerdict, Failure> {
    let names = host_numbers(instance);
    let number = |host| match host {
        Host::Number(number) => Ok(number),
        Host::Name(name) => {
            let number = names.get(&*name).copied().flatten();
            number.ok_or_else(|| Unreadable::NoSuchName(excerpt(&name)))
        }
    };
    let hosts: Vec<u32> = hosts.into_iter().map(number).collect::<Result<_, _>>()?;
    check_mapping(instance, hosts)
}

/// Compares the decimal text itself: a float could make two different makespans equal.
fn check_makespan(instance: &Instance, claimed: &str, found: Ticks) -> Result<(), Failure> {
    if !claimed.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Err(Unreadable::Makespan.into());
    }
    if decimal::equals(claimed, found, instance.scale()) {
        return Ok(());
    }
    let (claimed, found) = (excerpt(claimed), instance.scale().display(found).to_string());
    Err(Rejection::Makespan { claimed, found }.into())
}

fn check_mapping(instance: &Instance, hosts: Vec<u32>) -> Result<FileVerdict, Failure> {
    let makespan = verify_mapping(instance, hosts)?;
    Ok(FileVerdict::Mapping { makespan })
}

/// Reads one host per line, or all on one line, as in published solutions. A name that contains
/// blanks needs its own line.
fn read_hosts(instance: &Instance, text: &str) -> Result<Vec<u32>, Unreadable> {
    let names = host_numbers(instance);
    let named = |word: &str| names.get(word).copied().flatten();
    let mut hosts = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(number) = named(text.trim()).filter(|_| text.trim().parse::<u32>().is_err()) {
            hosts.push(number);
            continue;
        }
        for word in text.split_whitespace() {
            let number = word.parse().ok().or_else(|| named(word));
            hosts.push(number.ok_or_else(|| Unreadable::NoHost { line, word: excerpt(word) })?);
        }
    }
    Ok(hosts)
}

fn host_numbers(instance: &Instance) -> HashMap<&str, Option<u32>> {
    numbers_of(instance.hosts().map(|host| instance.host_name(host)))
}

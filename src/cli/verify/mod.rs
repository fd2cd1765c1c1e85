//! The command `gridsat verify`: one certificate or mapping here, several in `several`.

mod beside;
mod several;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use gridsat_check::verify::{Claim, FileVerdict, VerifyError, explain};
use gridsat_model::io::{Kind, Note};
use gridsat_model::text::wrapped;
use gridsat_model::{Instance, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::VerifyArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::json::{Document, Number, Printed, Subject};
use super::output::print;
use super::table::width;

/// Longest line of an explanation, in characters.
const WIDTH: usize = 96;

/// What `gridsat verify --format json` prints. Times are in the unit of the instance.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
    /// Path of the certificate or mapping.
    file: String,
    /// Whether all claims of the file hold.
    accepted: bool,
    /// Makespan of the mapping; null if rejected.
    makespan: Option<Number>,
    /// Proven: no mapping has a smaller makespan; null for a mapping without proof.
    lower_bound: Option<Number>,
    /// Whether the mapping is proven optimal.
    optimal: bool,
    /// Why it was rejected; null if accepted.
    reason: Option<String>,
    /// What was checked, in words; absent without `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Vec<String>>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-verdict 1";
}

pub fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    match &args.certificates[..] {
        [] => {
            let claim = beside::certificate(&args.file)?;
            alone(args, &claim, &beside::instance(&args.file)?)
        }
        [one] if !(beside::is_certificate(&args.file) && beside::is_certificate(one)) => {
            alone(args, &beside::claim(one)?, &args.file)
        }
        _ => several::run(args),
    }
}

/// Checks one certificate against the instance in the file, and prints the verdict.
fn alone(args: &VerifyArgs, claim: &Claim, file: &Path) -> Result<Exit, Failure> {
    let checked = Checked::new(args, claim, file)?;
    let explanation = args.explain.then(|| checked.explanation(claim)).transpose()?;
    print(
        &args.output,
        |out| {
            writeln!(out, "{}", checked.words())?;
            let room = width().map_or(WIDTH, |width| WIDTH.min(width.into()));
            for paragraph in explanation.iter().flatten() {
                writeln!(out, "\n{}", wrapped(paragraph, room).join("\n"))?;
            }
            Ok(())
        },
        || Document::from(checked.json(explanation.clone())),
        |out| {
            writeln!(out, "accepted,makespan,lower_bound,optimal,rounded")?;
            let number = |ticks: Option<Ticks>| {
                let shown = |ticks| checked.instance.scale().display(ticks).number().to_string();
                ticks.map_or(String::new(), shown)
            };
            let [makespan, lower_bound] = [checked.makespan(), checked.lower_bound()].map(number);
            let (accepted, optimal) = (checked.verdict.is_ok(), checked.is_optimal());
            let rounded = checked.instance.is_rounded();
            writeln!(out, "{accepted},{makespan},{lower_bound},{optimal},{rounded}")
        },
    )?;
    Ok(checked.exit())
}

/// What was found out about one file.
struct Checked {
    path: PathBuf,
    instance: Instance,
    verdict: Result<FileVerdict, String>,
}

impl Checked {
    fn new(args: &VerifyArgs, claim: &Claim, file: &Path) -> Result<Self, Failure> {
        let path = claim.path().to_owned();
        let bytes = beside::unpacked(file)?;
        let named = beside::without_gz(file);
        let instance = input::certified_instance(&named, &args.form, claim, bytes.as_deref())?;
        let verdict = match claim.verify(&instance) {
            Ok(verdict) => Ok(verdict),
            Err(error @ VerifyError::Rejected { .. }) => Err(error.to_string()),
            Err(error) => return Err(unreadable(claim, error)),
        };
        Ok(Self { path, instance, verdict })
    }

    fn makespan(&self) -> Option<Ticks> {
        self.verdict.as_ref().ok().map(|verdict| verdict.makespan())
    }

    fn lower_bound(&self) -> Option<Ticks> {
        match &self.verdict {
            Ok(FileVerdict::Certificate(proven)) => Some(proven.lower_bound()),
            Ok(FileVerdict::Mapping { .. }) | Err(_) => None,
        }
    }

    fn is_optimal(&self) -> bool {
        self.makespan().is_some() && self.makespan() == self.lower_bound()
    }

    /// Makespan and lower bound in the unit of the instance; empty where there is none.
    fn shown(&self) -> (String, String) {
        let scale = self.instance.scale();
        let shown =
            |ticks: Option<Ticks>| ticks.map_or(String::new(), |t| scale.display(t).to_string());
        (shown(self.makespan()), shown(self.lower_bound()))
    }

    fn words(&self) -> String {
        let (makespan, lower_bound) = self.shown();
        let notes = self.instance.notes();
        let about = notes.iter().find(|note| matches!(note, Note::Rounded { .. }));
        let about = about.map_or(String::new(), |note| format!(" ({note})"));
        match &self.verdict {
            Err(reason) => format!("REJECTED: {reason}"),
            Ok(FileVerdict::Mapping { .. }) => {
                format!(
                    "ACCEPTED: mapping with makespan {makespan} (no claim of optimality){about}"
                )
            }
            Ok(_) if self.is_optimal() => {
                format!("ACCEPTED: makespan {makespan} is optimal{about}")
            }
            Ok(_) => format!("ACCEPTED: makespan {makespan}, lower bound {lower_bound}{about}"),
        }
    }

    /// What was checked, in words; nothing if it was rejected.
    fn explanation(&self, claim: &Claim) -> Result<Vec<String>, Failure> {
        if self.verdict.is_err() {
            return Ok(Vec::new());
        }
        let remedy = "a mapping has no steps to explain: leave out --explain";
        let certificate = claim.certificate();
        let certificate = certificate
            .ok_or_else(|| Failure::BadInput(anyhow!("{}: {remedy}", self.path.display())))?;
        Ok(explain(&self.instance, &certificate))
    }

    fn json(&self, explanation: Option<Vec<String>>) -> Json {
        let number = |ticks: Ticks| Number::new(self.instance.scale(), ticks);
        Json {
            subject: (&self.instance).into(),
            file: self.path.display().to_string(),
            accepted: self.verdict.is_ok(),
            makespan: self.makespan().map(number),
            lower_bound: self.lower_bound().map(number),
            optimal: self.is_optimal(),
            reason: self.verdict.as_ref().err().cloned(),
            explanation,
        }
    }

    fn exit(&self) -> Exit {
        if self.verdict.is_ok() { Exit::Answered } else { Exit::Internal }
    }
}

/// The failure for a file that is neither a certificate nor a mapping.
fn unreadable(claim: &Claim, error: VerifyError) -> Failure {
    let kinds = [Kind::Certificate, Kind::Mapping, Kind::VeriPb];
    let is_plain =
        claim.path() != Path::new("-") && beside::without_gz(claim.path()) == claim.path();
    let kind = |path: &Path| match is_plain {
        true => input::kind_of(path),
        false => Kind::of(claim.text().as_bytes()),
    };
    input::known_kind(Failure::input(error), claim.path(), &kinds, kind)
}

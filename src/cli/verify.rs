//! The command `gridsat verify`.

use std::path::Path;

use gridsat_check::verify::{Claim, FileVerdict, VerifyError};
use gridsat_model::Ticks;
use gridsat_model::io::{Kind, Note};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::VerifyArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::json::{Document, Number, Printed, Subject};
use super::output::print;

/// What `gridsat verify --format json` prints. Times are in the unit of the instance.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
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
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-verdict 1";
}

pub fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    let path = Some(args.certificate.as_path());
    let kinds = [Kind::Certificate, Kind::Mapping, Kind::VeriPb];
    let claim = match Claim::read(&args.certificate) {
        Ok(claim) => claim,
        Err(error) => return input::of_kind(Err(Failure::input(error)), path, &kinds),
    };
    let instance = input::certified_instance(&args.input, &claim)?;
    let scale = instance.scale();
    let verdict = match claim.verify(&instance) {
        Ok(verdict) => Ok(verdict),
        Err(error @ VerifyError::Rejected { .. }) => Err(error.to_string()),
        Err(error) => {
            let failure = Err(Failure::input(error));
            return match args.certificate.as_path() == Path::new("-") {
                true => {
                    input::of_kind_by(failure, path, &kinds, |_| Kind::of(claim.text().as_bytes()))
                }
                false => input::of_kind(failure, path, &kinds),
            };
        }
    };
    let (makespan, lower_bound) = match &verdict {
        Ok(FileVerdict::Certificate(proven)) => {
            (Some(proven.makespan()), Some(proven.lower_bound()))
        }
        Ok(FileVerdict::Mapping { makespan }) => (Some(*makespan), None),
        Err(_) => (None, None),
    };
    let optimal = makespan.is_some() && makespan == lower_bound;
    let json = Json {
        subject: (&instance).into(),
        accepted: verdict.is_ok(),
        makespan: makespan.map(|ticks| Number::new(scale, ticks)),
        lower_bound: lower_bound.map(|ticks| Number::new(scale, ticks)),
        optimal,
        reason: verdict.as_ref().err().cloned(),
    };
    let shown =
        |ticks: Option<Ticks>| ticks.map_or(String::new(), |t| scale.display(t).to_string());
    let (makespan, lower_bound) = (shown(makespan), shown(lower_bound));
    let about = instance.notes().iter().find(|note| matches!(note, Note::Rounded { .. }));
    let about = about.map_or(String::new(), |note| format!(" ({note})"));
    let words = match &verdict {
        Err(reason) => format!("REJECTED: {reason}"),
        Ok(FileVerdict::Mapping { .. }) => {
            format!("ACCEPTED: mapping with makespan {makespan} (no claim of optimality){about}")
        }
        Ok(_) if optimal => format!("ACCEPTED: makespan {makespan} is optimal{about}"),
        Ok(_) => format!("ACCEPTED: makespan {makespan}, lower bound {lower_bound}{about}"),
    };
    print(
        &args.output,
        |out| writeln!(out, "{words}"),
        || Document::from(json),
        |out| {
            writeln!(out, "accepted,makespan,lower_bound,optimal,rounded")?;
            let (accepted, rounded) = (verdict.is_ok(), instance.is_rounded());
            writeln!(out, "{accepted},{makespan},{lower_bound},{optimal},{rounded}")
        },
    )?;
    Ok(if verdict.is_ok() { Exit::Answered } else { Exit::Internal })
}

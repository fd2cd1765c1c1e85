//! The command `gridsat export`.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use gridsat_check::formula::{Encoding, Load};
use gridsat_check::verify::Claim;
use gridsat_encodings::{Budget, LoadEncoding};
use gridsat_exact::bounds;
use gridsat_exact::export::opb::Opb;
use gridsat_exact::export::{ExportError, write_dimacs, write_mps};
use gridsat_model::certificate::{Document, Step, instance_digest};
use gridsat_model::io::shown_name;
use gridsat_model::{Instance, Stop, Ticks};

use super::args::{ExportArgs, ProblemFormat};
use super::exit::{Exit, Failure};
use super::input;
use super::output::{try_write_to, write_to};

pub fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let claim = args.certificate.as_deref().map(Claim::read).transpose().map_err(Failure::input)?;
    let instance = match &claim {
        Some(claim) => input::certified_instance(&args.input.file, &args.input.form, claim, None)?,
        None => input::instance(&args.input)?,
    };
    let k = args.k.as_deref().map(|k| input::makespan(k, &instance)).transpose()?;
    let path = args.output.as_deref();
    match format(args) {
        ProblemFormat::Dimacs => dimacs(args, &instance, k, claim.as_ref())?,
        ProblemFormat::Opb => write_to(path, |mut out| Opb::new(&instance).write(k, &mut out))?,
        ProblemFormat::Mps => write_to(path, |mut out| write_mps(&instance, k, &mut out))?,
    }
    Ok(Exit::Answered)
}

/// The format requested, or else that of the file name.
fn format(args: &ExportArgs) -> ProblemFormat {
    let extension = args.output.as_deref().and_then(Path::extension).unwrap_or_default();
    args.format.unwrap_or(match &*extension.to_string_lossy().to_ascii_lowercase() {
        "opb" => ProblemFormat::Opb,
        "mps" => ProblemFormat::Mps,
        _ => ProblemFormat::Dimacs,
    })
}

/// What to write: k, the encoding, and the limit on clauses.
fn formula(
    args: &ExportArgs,
    instance: &Instance,
    k: Option<Ticks>,
    claim: Option<&Claim>,
) -> Result<(Ticks, Encoding, Budget<'static>), Failure> {
    if let Some((path, claim)) = args.certificate.as_deref().zip(claim) {
        let name = || shown_name(path);
        let (k, encoding) =
            refuted(instance, claim.text()).with_context(name).map_err(Failure::BadInput)?;
        return Ok((k, encoding, Budget::default()));
    }
    let missing = || Failure::BadInput(anyhow!("DIMACS has no objective: -k K is needed"));
    let k = k.ok_or_else(missing)?;
    let mut choice = input::encoding(&args.sat, false)?;
    choice.load.get_or_insert(Load::Engineered(LoadEncoding::Adder));
    let encoding = match choice.load {
        Some(Load::Window) => {
            let weights = bounds::linear(instance, &Stop::never()).weights;
            choice.at(instance, k, &weights, &Stop::never())
        }
        _ => choice.resolve(instance, k, &[]),
    };
    Ok((k, encoding, input::budget(&args.sat, choice.load)))
}

/// The formula that the certificate's proof is about.
fn refuted(instance: &Instance, text: &str) -> anyhow::Result<(Ticks, Encoding)> {
    let certificate: Document = serde_json::from_str(text)?;
    if certificate.instance.sha256 != instance_digest(instance) {
        bail!("the certificate is for another instance");
    }
    for step in &certificate.steps {
        if let Step::Unsat(refuted) = step {
            return Ok((refuted.k, Encoding::named(instance, refuted)?));
        }
    }
    bail!("the certificate has no step with a formula")
}

fn dimacs(
    args: &ExportArgs,
    instance: &Instance,
    k: Option<Ticks>,
    claim: Option<&Claim>,
) -> Result<(), Failure> {
    let (k, encoding, budget) = formula(args, instance, k, claim)?;
    try_write_to(
        args.output.as_deref(),
        |out| write_dimacs(instance, k, &encoding, budget, out).map(drop),
        |error| match error {
            ExportError::Io(error) => Ok(error),
            ExportError::OverBudget(error) => Err(Failure::BadInput(anyhow!(
                "encoding '{encoding}' at k = {k} {error} (--max-clauses raises it)"
            ))),
        },
    )
}

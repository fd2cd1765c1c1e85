//! The command `gridsat export`.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use gridsat_check::formula::{Encoding, Load};
use gridsat_encodings::{Budget, LoadEncoding};
use gridsat_exact::export::opb::Opb;
use gridsat_exact::export::{ExportError, write_dimacs, write_mps};
use gridsat_model::certificate::{Document, RefutedFormula, Step, instance_digest};
use gridsat_model::{Instance, Ticks};

use super::args::{ExportArgs, ProblemFormat};
use super::exit::{Exit, Failure};
use super::input;
use super::output::{try_write_to, write_to};

pub fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let instance = match &args.certificate {
        Some(certificate) => input::certified_instance(&args.input, certificate)?,
        None => input::instance(&args.input)?,
    };
    let k = args.k.as_deref().map(|k| input::makespan(k, &instance)).transpose()?;
    let path = args.output.as_deref();
    match format(args) {
        ProblemFormat::Dimacs => dimacs(args, &instance, k)?,
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
) -> Result<(Ticks, Encoding, Budget<'static>), Failure> {
    if let Some(path) = &args.certificate {
        let name = || path.display().to_string();
        let (k, encoding) =
            refuted(instance, path).with_context(name).map_err(Failure::BadInput)?;
        return Ok((k, encoding, Budget::default()));
    }
    let missing = || Failure::BadInput(anyhow!("DIMACS has no objective: -k K is needed"));
    let k = k.ok_or_else(missing)?;
    let mut choice = input::encoding(&args.sat, false)?;
    choice.load.get_or_insert(Load::Engineered(LoadEncoding::Adder));
    Ok((k, choice.resolve(instance, k, &[]), input::budget(&args.sat, choice.load)))
}

/// The formula that the certificate's proof is about.
fn refuted(instance: &Instance, path: &Path) -> anyhow::Result<(Ticks, Encoding)> {
    let file = std::fs::File::open(path)?;
    let certificate: Document = serde_json::from_reader(std::io::BufReader::new(file))?;
    if certificate.instance.sha256 != instance_digest(instance) {
        bail!("the certificate is for another instance");
    }
    for step in &certificate.steps {
        if let Step::Unsat(RefutedFormula {
            k, encoding, at_most_one, symmetry, surrogate, ..
        }) = step
        {
            let encoding = Encoding::named(instance, encoding, at_most_one, *symmetry, surrogate)?;
            return Ok((*k, encoding));
        }
    }
    bail!("the certificate has no step with a formula")
}

fn dimacs(args: &ExportArgs, instance: &Instance, k: Option<Ticks>) -> Result<(), Failure> {
    let (k, encoding, budget) = formula(args, instance, k)?;
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

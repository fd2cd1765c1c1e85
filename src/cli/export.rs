//! `gridsat export`.

use std::io::{self, Write};

use anyhow::anyhow;
use encodings::LoadEncoding;
use gridsat::export::opb::Opb;
use gridsat::export::{ExportError, write_dimacs, write_mps};
use gridsat::formula::Load;
use gridsat::model::{Instance, Ticks};

use super::args::{ExportArgs, ProblemFormat};
use super::exit::{Exit, Failure};
use super::input;
use super::output::write_to;

pub fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let instance = input::instance(&args.input)?;
    let k = args.k.as_deref().map(|k| input::makespan(k, &instance)).transpose()?;
    let path = args.output.as_deref();
    match args.format {
        ProblemFormat::Dimacs => dimacs(args, &instance, k)?,
        ProblemFormat::Opb => write_to(path, |mut out| Opb::new(&instance).write(k, &mut out))?,
        ProblemFormat::Mps => write_to(path, |mut out| write_mps(&instance, k, &mut out))?,
    }
    Ok(Exit::Answered)
}

fn dimacs(args: &ExportArgs, instance: &Instance, k: Option<Ticks>) -> Result<(), Failure> {
    let missing = || Failure::BadInput(anyhow!("DIMACS has no objective: -k K is needed"));
    let k = k.ok_or_else(missing)?;
    let mut choice = input::encoding(&args.sat, false)?;
    choice.load.get_or_insert(Load::Engineered(LoadEncoding::Adder));
    let budget = input::budget(&args.sat, choice.load);
    let encoding = choice.resolve(instance, k, &[]);
    let mut too_large = None;
    let written = write_to(args.output.as_deref(), |out: &mut dyn Write| {
        match write_dimacs(instance, k, &encoding, budget, out) {
            Ok(_) => Ok(()),
            Err(ExportError::Io(error)) => Err(error),
            Err(ExportError::OverBudget(error)) => {
                too_large = Some(error);
                Err(io::Error::other("too large"))
            }
        }
    });
    match too_large {
        Some(error) => {
            let more = "(--max-clauses raises it)";
            Err(Failure::BadInput(anyhow!("encoding '{encoding}' at k = {k} {error} {more}")))
        }
        None => written,
    }
}

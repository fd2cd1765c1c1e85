//! Reading the instance and the numbers given with it.

use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use encodings::{AtMostOne, Budget};
use gridsat::formula::{Encoding, Load};
use gridsat::io::{self, Format, ReadOptions};
use gridsat::model::{Instance, Ticks};
use gridsat::sat::{SolverChoice, Stop};

use super::args::{InputArgs, SatArgs, SolverArgs};
use super::exit::Failure;

/// The literal thesis formula grows with k itself; this many clauses are still decided in seconds.
const THESIS_CLAUSES: u64 = 2_000_000;

/// Reads the instance.
pub fn instance(args: &InputArgs) -> Result<Instance, Failure> {
    let format = args.from.as_deref().map(Format::from_str).transpose().map_err(Failure::input)?;
    let options = ReadOptions { format, tasks: args.tasks, hosts: args.hosts };
    io::read_file(&args.file, &options).map_err(Failure::input)
}

/// A makespan in the unit of the file, as the largest whole number of ticks not above it.
pub fn makespan(text: &str, instance: &Instance) -> Result<Ticks, Failure> {
    io::ticks_at_most(text, instance.scale())
        .with_context(|| format!("-k '{text}'"))
        .map_err(Failure::BadInput)
}

/// The encoding asked for; `default` where nothing is.
pub fn encoding(args: &SatArgs, default: Load) -> Result<Encoding, Failure> {
    let load = match args.encoding.as_deref() {
        Some(name) => Load::from_str(name).map_err(Failure::input)?,
        None => default,
    };
    if load == Load::Thesis {
        if args.at_most_one.as_deref().is_some_and(|name| name != "pairwise") {
            let message = "the thesis encoding is pairwise: leave out --at-most-one";
            return Err(Failure::BadInput(anyhow!(message)));
        }
        return Ok(Encoding::THESIS);
    }
    let name = args.at_most_one.as_deref().unwrap_or(AtMostOne::Pairwise.name());
    let at_most_one = AtMostOne::ALL.into_iter().find(|choice| choice.name() == name);
    let at_most_one =
        at_most_one.ok_or_else(|| Failure::BadInput(anyhow!("--at-most-one {name}")))?;
    Ok(Encoding { load, at_most_one, symmetry: !args.no_symmetry })
}

/// Room for clauses.
pub fn budget(args: &SatArgs, encoding: Encoding) -> Budget {
    match (args.max_clauses, encoding.load) {
        (Some(clauses), _) => Budget::clauses(clauses),
        (None, Load::Thesis) => Budget::clauses(THESIS_CLAUSES),
        (None, Load::Engineered(_)) => Budget::default(),
    }
}

/// The solver, and a stop that Ctrl-C requests and the time limit sets.
pub fn solver(args: &SolverArgs) -> Result<(SolverChoice, Stop), Failure> {
    let Ok(choice) = args.solver.parse::<SolverChoice>();
    let stop = Stop::never();
    let handler = stop.clone();
    // A second Ctrl-C ends the program the hard way.
    ctrlc::set_handler(move || {
        if handler.is_requested() {
            std::process::exit(130);
        }
        handler.request();
    })
    .map_err(Failure::internal)?;
    let limit = args.time_limit.map(|s| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX));
    Ok((choice, limit.map_or_else(|| stop.clone(), |limit| stop.within(limit))))
}

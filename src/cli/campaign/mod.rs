//! The command `gridsat campaign`.

mod csv;
mod report;
mod tables;

use anyhow::anyhow;
use clap::parser::ValueSource;
use gridsat_lab::campaign::{
    self as lab, By, Campaign, CampaignError, KnownValues, Limits, Program, Report, Row, Solver,
};

use super::args::{CampaignArgs, CampaignCommand, RunsArgs};
use super::exit::{Exit, Failure};
use super::output::write_to;
use super::{parts, usage};

pub use report::Json;

/// Version of this program in results, to which the start of its SHA-256 is added.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("GRIDSAT_COMMIT"));

pub fn run(args: &CampaignArgs) -> Result<Exit, Failure> {
    match &args.command {
        Some(CampaignCommand::Report(args)) => report::run(args),
        None => execute(args),
    }
}

fn execute(args: &CampaignArgs) -> Result<Exit, Failure> {
    let out = args.out.as_deref().expect("clap requires it");
    let campaign = Campaign { certificates: args.certificates.clone(), ..of(&args.runs)? };
    parts::campaign(args, &campaign, out)
}

/// The campaign that the arguments describe.
pub fn of(args: &RunsArgs) -> Result<Campaign, Failure> {
    check_options(&args.solve)?;
    let peers = lab::peers(&args.peer).map_err(failure)?;
    let cpu_seconds = args.cpu_limit.map(|limit| limit.as_secs_f64());
    let ours = Solver::ours(args.solve.clone(), cpu_seconds);
    Ok(Campaign {
        instances: lab::instances(&args.instances).map_err(failure)?,
        solvers: [ours].into_iter().chain(peers.into_iter().map(Solver::Peer)).collect(),
        limits: Limits {
            seconds: cpu_seconds.unwrap_or(args.time_limit.as_secs_f64()),
            threads: args.threads.get(),
            grace: args.grace.as_secs_f64(),
        },
        certificates: None,
    })
}

/// Prints the report of all rows.
pub fn finished(rows: &[Row]) -> Result<Exit, Failure> {
    let report = Report::new(rows, &KnownValues::default(), By::Class);
    write_to(None, |out| tables::text(out, &report))?;
    Ok(report::exit(&report))
}

/// This program, as rows and plans name it.
pub fn program() -> Result<Program, Failure> {
    Program::this(VERSION).map_err(failure)
}

/// What the user cannot correct is an internal error.
pub fn failure(error: CampaignError) -> Failure {
    if error.is_input() { Failure::input(error) } else { Failure::internal(error) }
}

/// Options of `solve` that the campaign sets itself.
const SET: [&str; 8] =
    ["time_limit", "cpu_limit", "threads", "certificate", "format", "output", "quiet", "gantt"];
/// Options of `solve` about reading; peers and `verify` would read the file without them.
const READING: [&str; 10] =
    ["from", "tasks", "hosts", "ready", "ready_row", "qos", "header", "index", "decimals", "exact"];

/// Refuses options of `solve` that are wrong, before every run fails because of them.
fn check_options(words: &[String]) -> Result<(), Failure> {
    let refused = |what: String| Err(Failure::BadInput(anyhow!("after --: {what}")));
    let given = match usage::options("solve", words) {
        Ok(given) => given,
        Err(error) => return refused(error),
    };
    let is_given = |id: &&&str| given.value_source(id) == Some(ValueSource::CommandLine);
    let option = |id: &str| format!("--{}", id.replace('_', "-"));
    if let Some(id) = SET.iter().find(is_given) {
        return refused(format!("{} is set by the campaign; leave it out", option(id)));
    }
    if let Some(id) = READING.iter().find(is_given) {
        let why = "other solvers would read the file without it; use gridsat convert first";
        return refused(format!("{}: {why}", option(id)));
    }
    match given.get_raw("files").map_or(0, Iterator::count) {
        0 | 1 => Ok(()),
        _ => refused("only options of gridsat solve; instances come before --".to_owned()),
    }
}

//! The commands, one file each; what they share is in `args`, `bar`, `done`, `exit`, `input`,
//! `json`, `output`, `places`, `plain`, `progress` and `say`. `memory_limit`, `panics` and
//! `signals` watch over all of them.

mod args;
mod bar;
mod bench;
mod campaign;
mod compare;
mod completions;
mod convert;
mod cpu_limit;
mod decide;
mod decode;
mod done;
mod emit;
mod etc_from;
mod exit;
mod experiment;
mod export;
mod generate;
mod input;
mod json;
mod man;
mod map;
mod memory_limit;
mod output;
mod panics;
mod parts;
mod picture;
mod places;
mod plain;
mod programs;
mod progress;
mod report;
mod say;
mod schema;
mod signals;
mod simulate;
mod solve;
mod split;
mod table;
mod tasks;
mod usage;
mod verify;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use gridsat_model::io::Kind;

use self::args::{Command, ProcessArgs};
use self::exit::{Exit, Failure};
use self::say::say;

/// Runs the command on the command line and returns its exit code.
pub fn run() -> ExitCode {
    if let Some(exit) = parts::as_child() {
        return exit.code().into();
    }
    let exit = panics::caught(command);
    // `--signal-code` says how a signal is shown.
    let is_shown = exit == Exit::Stopped && SIGNAL_CODE.get().is_some();
    let signal = signals::exit_code().filter(|_| is_shown);
    signal.unwrap_or(exit.code()).into()
}

/// Set if `--signal-code` was given.
static SIGNAL_CODE: OnceLock<()> = OnceLock::new();

fn command() -> Exit {
    let cli = match usage::parse() {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    begin(&cli.process).and_then(|()| perform(cli.command)).unwrap_or_else(|failure| tell(&failure))
}

/// Prepares for what may happen to the process.
fn begin(args: &ProcessArgs) -> Result<(), Failure> {
    signals::handle()?;
    if let Ok(program) = std::env::current_exe() {
        gridsat_children::start_through(program);
    }
    memory_limit::watch(args.memory_limit);
    if args.csv_safe {
        plain::neutralise_formulas();
    }
    if args.signal_code {
        SIGNAL_CODE.get_or_init(|| ());
    }
    panics::inject("start");
    Ok(())
}

fn perform(command: Command) -> Result<Exit, Failure> {
    input::check_standard_input(&command.standard_inputs())?;
    places::check(&command.outputs())?;
    match command {
        Command::Solve(args) => solve::run(&args),
        Command::Decide(args) => decide::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Split(args) => split::run(&args),
        Command::EtcFrom(args) => etc_from::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Bench(args) => {
            input::of_kind(bench::run(&args), args.manifest(), &[Kind::Manifest])
        }
        Command::Campaign(args) => {
            input::of_kind(campaign::run(&args), args.first_results(), &[Kind::Campaign])
        }
        Command::Experiment(args) => {
            let path = Some(Path::new(&args.what));
            input::of_kind(experiment::run(&args), path, &[Kind::Experiment, Kind::Toml])
        }
        Command::Plan(command) => parts::plan(&command),
        Command::Work(args) => parts::work(&args),
        Command::Merge(args) => parts::merge(&args),
        Command::Report(args) => {
            let path = args.results.first().map(PathBuf::as_path);
            input::of_kind(report::run(&args), path, &[Kind::Results])
        }
        Command::Generate(args) => generate::run(&args),
        Command::Simulate(args) => {
            let kinds = [Kind::Scenario, Kind::Trace, Kind::Toml, Kind::Compressed];
            // With `--check` the file is a table of queues, not a scenario.
            let path = args.scenario.as_deref().filter(|_| args.check.is_none());
            input::of_kind(simulate::run(&args), path, &kinds)
        }
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Schema(args) => schema::run(&args),
    }
}

fn tell(failure: &Failure) -> Exit {
    if failure.is_broken_pipe() {
        return Exit::Answered;
    }
    say(failure);
    failure.exit()
}

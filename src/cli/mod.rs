//! The commands, one file each; what they share is in `args`, `bar`, `done`, `exit`, `input`,
//! `json`, `output`, `places` and `progress`.

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
mod output;
mod parts;
mod picture;
mod places;
mod programs;
mod progress;
mod report;
mod schema;
mod simulate;
mod solve;
mod split;
mod table;
mod tasks;
mod usage;
mod verify;

use std::path::{Path, PathBuf};

use gridsat_model::io::Kind;

use self::args::Command;
use self::exit::{Exit, Failure};

/// Runs the command on the command line and returns its exit code.
pub fn run() -> Exit {
    if let Some(exit) = parts::as_child() {
        return exit;
    }
    let cli = match usage::parse() {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    let checked = input::check_standard_input(&cli.command.standard_inputs());
    if let Err(failure) = checked.and_then(|()| places::check(&cli.command.outputs())) {
        return tell(&failure);
    }
    let result = match cli.command {
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
    };
    gridsat_outside::end_all();
    result.unwrap_or_else(|failure| tell(&failure))
}

fn tell(failure: &Failure) -> Exit {
    if failure.is_broken_pipe() {
        return Exit::Answered;
    }
    eprintln!("gridsat: {failure}");
    failure.exit()
}

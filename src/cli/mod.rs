//! One file a command; what they share is in `args`, `done`, `exit`, `input`, `json`, `output`,
//! `places` and `progress`.

mod args;
mod bench;
mod compare;
mod completions;
mod convert;
mod decide;
mod decode;
mod done;
mod exit;
mod experiment;
mod export;
mod generate;
mod input;
mod json;
mod man;
mod map;
mod output;
mod places;
mod progress;
mod report;
mod schema;
mod simulate;
mod solve;
mod table;
mod verify;

use std::io::Write;
use std::path::Path;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use gridsat_model::io::Kind;

use self::args::{Cli, Command};
use self::exit::{Exit, Failure};

/// Runs the command given on the command line and says how it went.
pub fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    if let Err(failure) = places::check(&cli.command.outputs()) {
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
        Command::Compare(args) => compare::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Experiment(args) => {
            let path = Some(Path::new(&args.what));
            input::of_kind(experiment::run(&args), path, &[Kind::Experiment, Kind::Toml])
        }
        Command::Report(args) => report::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Simulate(args) => {
            let kinds = [Kind::Scenario, Kind::Trace, Kind::Toml, Kind::Compressed];
            input::of_kind(simulate::run(&args), args.scenario.as_deref(), &kinds)
        }
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Schema(args) => schema::run(&args),
    };
    result.unwrap_or_else(|failure| tell(&failure))
}

/// `--help` and `--version` are answers; anything else is one line about the mistake.
fn usage(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return if printed.is_ok() { Exit::Answered } else { Exit::Internal };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        eprintln!("gridsat: a command is missing (see --help)");
        return Exit::BadInput;
    }
    let text = error.render().to_string();
    let first = text.lines().next().unwrap_or("usage").trim_start_matches("error: ").trim();
    // clap lists missing arguments on lines of their own.
    let details: Vec<_> = text.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let details = details.iter().map(|line| format!(" {}", line.trim())).collect::<String>();
    let hint = suggestion(error).unwrap_or_else(|| "see --help".to_owned());
    eprintln!("gridsat: {first}{details} ({hint})");
    Exit::BadInput
}

/// What the user may have meant.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let first = |value: &ContextValue| match value {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(several) => several.first().cloned(),
        _ => None,
    };
    let nearest = kinds.into_iter().find_map(|kind| error.get(kind).and_then(first))?;
    Some(format!("did you mean '{nearest}'?"))
}

fn tell(failure: &Failure) -> Exit {
    if failure.is_broken_pipe() {
        return Exit::Answered;
    }
    eprintln!("gridsat: {failure}");
    failure.exit()
}

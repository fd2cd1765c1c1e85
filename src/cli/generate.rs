//! `gridsat generate`.

use std::str::FromStr;

use gridsat::generate::{EtcClass, EtcSpec, generate};
use gridsat::io::{Format, WriteError, write};

use super::args::{GenerateCommand, GenerateEtcArgs};
use super::exit::{Exit, Failure};
use super::output::try_write_to;

pub fn run(command: &GenerateCommand) -> Result<Exit, Failure> {
    let GenerateCommand::Etc(args) = command;
    etc(args)
}

fn etc(args: &GenerateEtcArgs) -> Result<Exit, Failure> {
    let spec = EtcSpec {
        class: EtcClass::from_str(&args.class).map_err(Failure::input)?,
        tasks: args.tasks,
        hosts: args.hosts,
        decimals: args.decimals,
        forbidden_percent: args.forbidden,
        ready_max: args.ready,
        seed: args.seed,
    };
    let format = Format::from_str(&args.format).map_err(Failure::input)?;
    let instance = generate(&spec).map_err(Failure::input)?;
    try_write_to(
        args.output.as_deref(),
        |mut out| write(&instance, format, &mut out),
        |error| match error {
            WriteError::Io(error) => Ok(error),
            refusal => Err(Failure::input(refusal)),
        },
    )?;
    Ok(Exit::Answered)
}

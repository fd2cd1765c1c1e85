//! The command `gridsat convert`: writes an instance in another format, completely or not at all.

use anyhow::anyhow;
use gridsat_model::io::{Format, WriteError, check_names, write};

use super::args::ConvertArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::output::try_write_to;

pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let format = args.to.or_else(|| Format::of_file(&args.target)).ok_or_else(|| {
        let name = args.target.display();
        Failure::BadInput(anyhow!(
            "{name}: cannot recognise the format by the file name: use --to FORMAT"
        ))
    })?;
    let instance = input::instance(&args.input)?;
    if !args.drop_names {
        check_names(&instance, format).map_err(Failure::input)?;
    }
    try_write_to(
        Some(&args.target),
        |mut out| write(&instance, format, &mut out),
        |error| match error {
            WriteError::Io(error) => Ok(error),
            refusal => Err(Failure::input(refusal)),
        },
    )?;
    Ok(Exit::Answered)
}

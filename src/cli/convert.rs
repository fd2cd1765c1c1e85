//! The command `gridsat convert`: writes an instance in another format, completely or not at all.

use anyhow::anyhow;
use gridsat_model::io::{Format, check_names};

use super::args::ConvertArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::output::write_instance;

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
    write_instance(&instance, format, Some(&args.target))?;
    Ok(Exit::Answered)
}

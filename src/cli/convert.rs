//! The command `gridsat convert`: writes an instance in another format, completely or not at all.

use std::path::Path;

use anyhow::anyhow;
use gridsat_model::Instance;
use gridsat_model::io::{Format, check_names, write_host_list, write_task_list};

use super::args::ConvertArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::output::{is_standard_output, write_instance, write_to};

pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    if let Some(hosts) = &args.hosts_to {
        return write_lists(&input::instance(&args.input)?, &args.target, hosts);
    }
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

/// Writes the tasks and the hosts as two tables.
fn write_lists(instance: &Instance, tasks: &Path, hosts: &Path) -> Result<Exit, Failure> {
    if is_standard_output(tasks) && is_standard_output(hosts) {
        let message = "TO and --hosts-to are both '-': give one of them a file";
        return Err(Failure::BadInput(anyhow!(message)));
    }
    let (mut list, mut table) = (Vec::new(), Vec::new());
    write_host_list(instance, &mut table).map_err(Failure::input)?;
    write_task_list(instance, &mut list).map_err(Failure::input)?;
    write_to(Some(tasks), |out| out.write_all(&list))?;
    write_to(Some(hosts), |out| out.write_all(&table))?;
    Ok(Exit::Answered)
}

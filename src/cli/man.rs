//! The command `gridsat man`.

use std::path::Path;

use anyhow::Context;

use super::args::{self, ManArgs};
use super::exit::{Exit, Failure};
use super::output::write_to;

pub fn run(args: &ManArgs) -> Result<Exit, Failure> {
    let folder = args.folder.as_path();
    std::fs::create_dir_all(folder)
        .with_context(|| folder.display().to_string())
        .map_err(Failure::BadInput)?;
    let mut command = args::command();
    // This gives subcommands their full names and inherited options.
    command.build();
    write_pages(folder, &command)?;
    Ok(Exit::Answered)
}

fn write_pages(folder: &Path, command: &clap::Command) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let page = clap_mangen::Man::new(command.clone());
    let path = folder.join(format!("{name}.1"));
    write_to(Some(&path), |out| page.render(out))?;
    let commands =
        command.get_subcommands().filter(|one| one.get_name() != "help" && !one.is_hide_set());
    commands.into_iter().try_for_each(|one| write_pages(folder, one))
}

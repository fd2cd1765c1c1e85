//! The command `gridsat completions`.

use super::args::{self, CompletionsArgs};
use super::exit::{Exit, Failure};
use super::output::write_to;

pub fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "gridsat", &mut script);
    write_to(None, |out| out.write_all(&script))?;
    Ok(Exit::Answered)
}

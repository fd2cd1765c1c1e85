//! The command line: parse, call the library, print, exit. See `gridsat --help`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().into()
}

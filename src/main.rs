//! The program: parses the command line, calls the library, prints, exits. See `gridsat --help`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}

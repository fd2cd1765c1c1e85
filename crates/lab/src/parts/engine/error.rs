//! Errors of engines. Always one line.

use std::io;
use std::path::PathBuf;

use gridsat_exact::sat::CommandFault;
use thiserror::Error;

use super::super::PartsError;

/// Why parts could not be worked on.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum EngineError {
    #[error("no program '{name}' in the PATH; {remedy}")]
    NoProgram { name: &'static str, remedy: &'static str },
    #[error("{name}: {error}")]
    Start { name: String, error: io::Error },
    #[error("{command}: {message}")]
    Refused { command: String, message: String },
    #[error("{command} printed '{found}', expected {expected}")]
    Answer { command: &'static str, found: String, expected: &'static str },
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Part(Box<PartsError>),
    #[error("--engine-args: {0}")]
    Arguments(#[from] CommandFault),
    #[error(
        "{parts} parts, the cluster allows arrays of {most} (MaxArraySize); plan again with \
        --parts {most}"
    )]
    TooMany { parts: usize, most: usize },
    #[error(
        "{place}: no answer for {minutes} minutes ({message}); the parts go on, rerun the \
        same command"
    )]
    Silent { place: String, minutes: u64, message: String },
    #[error("{} failed {attempts} times; part {part} says in {}: {words}", counted(.parts),
        .log.display())]
    Failed { parts: String, attempts: usize, part: usize, log: PathBuf, words: String },
}

fn counted(parts: &str) -> String {
    let plural = if parts.contains([',', '-']) { "s" } else { "" };
    format!("part{plural} {parts}")
}

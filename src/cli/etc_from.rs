//! The command `gridsat etc-from`: a matrix from the logs of several hosts.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use gridsat_model::io::Format;
use gridsat_model::text::printable;
use gridsat_model::{HostId, Instance, TaskId};
use gridsat_tasks::{Etc, Guess, Log, etc_from};

use super::args::EtcFromArgs;
use super::exit::{Exit, Failure};
use super::output::{list, write_instance, write_to};
use super::say::say;

pub fn run(args: &EtcFromArgs) -> Result<Exit, Failure> {
    let logs = args.logs.iter().map(|log| read(log, args)).collect::<Result<Vec<_>, _>>()?;
    let etc = etc_from(&logs, args.missing).map_err(Failure::input)?;
    let by_name = args.output.as_deref().and_then(Format::of_file);
    let format = args.to.or(by_name).unwrap_or(Format::Json);
    if !matches!(format, Format::Json | Format::Csv) {
        let message = format!("{format} cannot hold the names of tasks and hosts: use json or csv");
        return Err(Failure::BadInput(anyhow!(message)));
    }
    if let Some(path) = &args.guesses {
        write_guesses(path, &etc)?;
    }
    write_instance(&etc.instance, format, args.output.as_deref())?;
    if !args.quiet {
        say_guesses(&etc);
    }
    Ok(Exit::Answered)
}

/// The log of an argument, and the host for what names none.
fn read(argument: &str, args: &EtcFromArgs) -> Result<(String, Log), Failure> {
    let (host, path) = split(argument);
    let log = Log::read(&path, args.from).map_err(Failure::input)?;
    Ok((host, log))
}

/// Host and path of an argument; a path that contains '=' is not split if it exists.
pub fn split(argument: &str) -> (String, PathBuf) {
    let path = Path::new(argument);
    let stem = |path: &Path| {
        path.file_stem().map_or("host".to_owned(), |stem| stem.to_string_lossy().into_owned())
    };
    match argument.split_once('=') {
        Some((host, path)) if !host.is_empty() && !Path::new(argument).exists() => {
            (host.to_owned(), PathBuf::from(path))
        }
        _ => (stem(path), path.to_owned()),
    }
}

fn names<'a>(instance: &'a Instance, guess: &Guess) -> (&'a str, &'a str) {
    let (task, host) = (TaskId(guess.task as u32), HostId(guess.host as u32));
    (instance.task_name(task), instance.host_name(host))
}

fn write_guesses(path: &Path, etc: &Etc) -> Result<(), Failure> {
    let instance = &etc.instance;
    write_to(Some(path), |out| {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["task", "host", "time"])?;
        for guess in &etc.guesses {
            let (task, host) = names(instance, guess);
            let time = instance.time(TaskId(guess.task as u32), HostId(guess.host as u32));
            let time = time.map(|time| instance.scale().display(time).to_string());
            csv.write_record([task, host, &time.unwrap_or_default()])?;
        }
        csv.flush()
    })
}

/// Says on standard error what was guessed.
fn say_guesses(etc: &Etc) {
    let instance = &etc.instance;
    let all = instance.task_count() * instance.host_count();
    if !etc.guesses.is_empty() {
        let pairs = etc.guesses.iter().map(|guess| {
            let (task, host) = names(instance, guess);
            printable(&format!("{task}@{host}"))
        });
        let pairs = list(&pairs.collect::<Vec<_>>());
        let count = etc.guesses.len();
        say(format_args!("{count} of {all} times are guesses by the speed of the host: {pairs}"));
    }
    if !etc.alone.is_empty() && !etc.guesses.is_empty() {
        let hosts =
            etc.alone.iter().map(|&host| printable(instance.host_name(HostId(host as u32))));
        let (hosts, first) = (list(&hosts.collect::<Vec<_>>()), instance.host_name(HostId(0)));
        let first = printable(first);
        say(format_args!("{hosts}: no task in common with {first}, taken to be as fast"));
    }
}

//! The program as its users see it: what each command prints, its exit code, and that an error
//! prints exactly one line and leaves no file.

#![allow(clippy::panic, reason = "that is how a test says what it found")]

mod bad_input;
mod bad_output;
mod batches;
mod bench;
#[cfg(unix)]
mod campaign;
mod certificates;
mod claims;
mod clusters;
mod compare;
mod decide;
mod decode;
mod determinism;
mod experiment;
mod export;
mod faults;
mod generate;
#[cfg(unix)]
mod handbook;
mod interrupts;
mod json;
mod limits;
#[cfg(unix)]
mod links;
mod map;
mod page;
#[cfg(unix)]
mod parts;
#[cfg(unix)]
mod plan;
#[cfg(unix)]
mod programs;
mod reading;
mod reference;
mod regression;
mod report;
mod scenario;
mod several;
mod simulate;
mod solve;
mod split;
mod standard_input;
mod usage;
mod users;

use std::process::Stdio;

use gridsat_model::certificate::sha256_hex;
use gridsat_test_support::program::{Folder, Run};
use gridsat_test_support::{example, project};
use serde_json::{Value, json};

/// A folder with three instances. In `even.json` the average load is attained. `odd.json` has three
/// equal tasks on two hosts: the optimum is 10, while the average load is 7.5. Only a search proves
/// it.
fn folder() -> Folder {
    Folder::with("demo.json even.json odd.json")
}

/// A folder with an instance that is not solved within a minute.
fn hard() -> Folder {
    let folder = Folder::default();
    folder
        .run("generate etc --class jobcorr --tasks 60 --hosts 6 --seed 1 --output hard.json")
        .ends(0);
    folder
}

/// Starts a command, waits until it is ready, interrupts it and returns what it printed.
#[cfg(unix)]
fn interrupted(folder: &Folder, words: &str, is_ready: impl Fn() -> bool) -> Value {
    ended_by("-INT", folder, words, is_ready)
}

/// The same with another signal.
#[cfg(unix)]
fn ended_by(signal: &str, folder: &Folder, words: &str, is_ready: impl Fn() -> bool) -> Value {
    let mut command = folder.command(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("starts");
    let pause = || std::thread::sleep(std::time::Duration::from_millis(200));
    while !is_ready() {
        pause();
    }
    pause();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args([signal, &child.id().to_string()]).status().expect("runs").success());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The number of files the program is writing. It handles interrupts before it opens them.
#[cfg(unix)]
fn open_files(folder: &Folder) -> usize {
    folder.list().iter().filter(|name| name.starts_with(".gridsat-")).count()
}

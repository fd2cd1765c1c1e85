//! The program as its users meet it: what each command prints, how it ends, and that nothing that
//! goes wrong leaves more than one line and no file.

mod bad_input;
mod bad_output;
mod bench;
#[cfg(unix)]
mod campaign;
mod certificates;
mod claims;
mod clusters;
mod compare;
mod decide;
mod determinism;
mod experiment;
mod export;
mod generate;
mod limits;
mod map;
mod page;
mod reference;
mod regression;
mod report;
mod scenario;
mod simulate;
mod solve;

use std::io::Write;
use std::process::Stdio;

use gridsat_model::certificate::sha256_hex;
use gridsat_test_support::program::{Folder, Run};
use gridsat_test_support::project;
use serde_json::{Value, json};

const DEMO: &str = r#"{ "name": "demo", "etc": [[14, 5.5, null], [3, 8, 2]],
  "tasks": ["render", "merge"], "hosts": ["a", "b", "c"], "ready": [0, 0, 4] }"#;

/// The average load is attained.
const EVEN: &str = r#"{ "etc": [[7, 7], [5, 5], [6, 6], [6, 6]] }"#;

/// Three equal tasks on two hosts: 10, while they average 7.5 a host. Only a search can tell.
const ODD: &str = r#"{ "etc": [[5, 5], [5, 5], [5, 5]] }"#;

/// A folder with these instances.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("demo.json", DEMO).write("even.json", EVEN).write("odd.json", ODD);
    folder
}

/// A folder with an instance that nobody solves in a minute.
fn hard() -> Folder {
    let folder = Folder::new();
    folder
        .run("generate etc --class jobcorr --tasks 60 --hosts 6 --seed 1 --output hard.json")
        .ends(0);
    folder
}

//! Tells the program what it was built from and with, for `--version`.

use std::env;
use std::path::Path;
use std::process::Command;

/// Changes with every commit. A packaged crate has no such file and names its version only.
const LOG: &str = ".git/logs/HEAD";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit().map_or(String::new(), |commit| format!(" (commit {commit})"));
    println!("cargo::rustc-env=GRIDSAT_COMMIT={commit}");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let cadical = if has("CADICAL") { "CaDiCaL, " } else { "" };
    println!("cargo::rustc-env=GRIDSAT_SOLVERS=varisat, {cadical}any program that reads DIMACS");
    println!("cargo::rustc-env=GRIDSAT_PNG={}", if has("PNG") { "yes" } else { "no" });
}

fn commit() -> Option<String> {
    if !Path::new(LOG).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={LOG}");
    let output = Command::new("git").args(["rev-parse", "--short=9", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

//! Exchange with other programs: exported files have the right meaning, and the answers and checks
//! of other programs agree with ours.
//!
//! DIMACS is read by varisat's own parser and by every solver that is installed; OPB and MPS are
//! read by a tiny evaluator that tries every assignment; VeriPB proofs go to `veripb`. Programs
//! that are not installed are skipped with a note.

mod dimacs;
mod linear;
mod veripb;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use gridsat_exact::export::opb::Opb;
use gridsat_exact::export::{write_dimacs, write_mps};
use gridsat_exact::reason::{OpenCase, Reason};
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::veripb::{Refuter, write_proof};
use gridsat_model::certificate::{FillingNode, Node, Step};
use gridsat_model::io::{Format, ReadOptions, read_file, write};
use gridsat_model::{Instance, Mapping, Stop, Ticks};
use gridsat_test_support::outside::installed;
use gridsat_test_support::program::{Folder, Run};
use gridsat_test_support::tiny::{self, Kind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cases::verify;
use crate::{fillings, part};

/// Options of `export`, each after the name of its load encoding, which `decode` needs.
const ENCODINGS: [(&str, &str); 10] = [
    ("thesis", "--encoding thesis"),
    ("adder", "--encoding adder"),
    ("bdd", "--encoding bdd"),
    ("totalizer", "--encoding totalizer"),
    ("counter", "--encoding counter"),
    ("adder", "--encoding adder --no-symmetry"),
    ("adder", "--encoding adder --at-most-one ladder"),
    ("bdd", "--encoding bdd --at-most-one product"),
    ("totalizer", "--encoding totalizer --at-most-one commander"),
    ("counter", "--encoding counter --at-most-one ladder --no-symmetry"),
];

/// A folder with the instance in `a.json`.
fn folder(instance: &Instance) -> Folder {
    let folder = Folder::default();
    let mut json = Vec::new();
    write(instance, Format::Json, &mut json).expect("writable");
    folder.write("a.json", json);
    folder
}

/// A folder with a reference instance in `a.json`.
fn reference(name: &str) -> Folder {
    let folder = Folder::default();
    folder.copy(&format!("instances/reference/{name}.json"), "a.json");
    folder
}

/// Instances without huge times, which the thesis encoding refuses.
fn instances(count: u64) -> impl Iterator<Item = (u64, Instance)> {
    let seeds = (0..count).filter(|&seed| Kind::of(seed) != Kind::Huge);
    seeds.map(|seed| (seed, tiny::instance(seed)))
}

//! The twelve instances of Braun et al., in millionths of their unit, with published values. They
//! are not part of the repository.

use std::fs;

use gridsat_model::{Instance, InstanceParts, Scale, Ticks};

use crate::outside::data;

const HOSTS: usize = 16;

/// A decimal with at most six places, in millionths.
pub fn millionths(text: &str) -> Ticks {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    Ticks(format!("{whole}{fraction:0<6}").parse().expect("decimal"))
}

/// The instance of this name, such as `u_c_hihi.0`.
pub fn instance(name: &str) -> Instance {
    let text = fs::read_to_string(data("hcsp-512x16").join(name)).expect("readable");
    let times: Vec<_> = text.lines().skip(1).map(|line| Some(millionths(line))).collect();
    let etc = times.chunks(HOSTS).map(<[_]>::to_vec).collect();
    let scale = Scale::new(6).expect("small");
    Instance::new(InstanceParts { etc, scale, ..InstanceParts::default() }).expect("valid")
}

/// Name and published value of each instance, from a column of `best_known.csv`.
pub fn published(column: &str) -> Vec<(String, Ticks)> {
    let table = fs::read_to_string(data("hcsp-512x16/best_known.csv")).expect("readable");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = header.iter().position(|&name| name == column).expect("a column");
    lines.map(|fields| (fields[0].to_owned(), millionths(fields[column]))).collect()
}

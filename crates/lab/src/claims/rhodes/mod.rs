//! Claims of chapter 4 of Rhodes' thesis: time-limit batch mode against batch mode and MCT.

pub(super) mod information;
pub(super) mod local;
pub(super) mod qos;
pub(super) mod size;
pub(super) mod speed;
#[cfg(test)]
mod tests;
pub(super) mod time;
pub(super) mod wait;

use super::evidence::{Pair, View};
use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

const MAKESPAN: &str = "makespan";
const JOBS: &str = "mean_jobs";
const ALL: [&str; 5] = ["mct", "minmin", "qgmm", "tlmm", "tlqmm"];
const BATCH: [&str; 3] = ["mct", "minmin", "qgmm"];
/// The time-limit modes and their batch modes.
const MODES: [Pair; 2] = [("tlmm", "minmin"), ("tlqmm", "qgmm")];
/// The pairs of tables 4.1, 4.3 and 4.4.
const PAIRS: [Pair; 6] =
    [("minmin", "mct"), ("qgmm", "mct"), ("tlmm", "mct"), ("tlqmm", "mct"), MODES[0], MODES[1]];

/// The name in the thesis.
fn title(algorithm: &str) -> &'static str {
    match algorithm {
        "mct" => "MCT",
        "mct-batch" => "MCT in batches",
        "minmin" => "Min-Min",
        "qgmm" => "QGMM",
        "tlmm" => "TLMM",
        _ => "TLQMM",
    }
}

/// One estimate per algorithm.
fn by_algorithm(algorithms: &[&str], of: impl Fn(&str) -> Estimate) -> Estimates {
    algorithms.iter().map(|one| (title(one), of(one))).collect()
}

/// One estimate per pair, named after its first algorithm.
fn by_pair(pairs: &[Pair], of: impl Fn(&str, &str) -> Estimate) -> Estimates {
    pairs.iter().map(|(one, other)| (title(one), of(one, other))).collect()
}

/// The means of the algorithms at a point.
fn means(view: &View<'_>, point: &str, algorithms: &[&str]) -> Estimates {
    by_algorithm(algorithms, |one| view.mean(point, one))
}

/// The decreases of both time-limit modes against their batch modes at a point.
fn gains(view: &View<'_>, point: &str) -> Estimates {
    by_pair(&MODES, |one, other| view.decrease(point, one, other))
}

/// The decreases of one against the other, point by point.
fn decreases(view: &View<'_>, one: &str, other: &str) -> Estimates {
    Estimates::of(view.points(), |point| view.decrease(point, one, other))
}

/// The thesis' t of pairs at a point.
fn ts(view: &View<'_>, point: &str, pairs: &[Pair]) -> Estimates {
    let t = |&(one, other): &Pair| {
        (format!("{}/{}", title(one), title(other)), view.thesis_t(point, one, other))
    };
    pairs.iter().map(t).collect()
}

/// Points whose labels are numbers, with these numbers.
fn numbers(view: &View<'_>) -> Vec<(String, f64)> {
    let number = |point: String| point.parse().ok().map(|number| (point, number));
    view.points().into_iter().filter_map(number).collect()
}

//! Rhodes, chapter 4: time-limit batch mode against batch mode and MCT.

mod information;
mod local;
mod qos;
mod size;
mod speed;
mod time;
mod wait;

use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const CHAPTER_4: Source = Source {
    title: "Rhodes, chapter 4",
    about: "Time-limit batch mode: Min-Min and QoS-guided Min-Min (QGMM) that send only as much as keeps hosts busy \
            (TLMM, TLQMM), against their batch modes and MCT. The thesis shows figures without numbers; what is \
            judged is in its text and tables.",
    claims: &[
        Claim { id: "C1", needs: &["qos-share"], judge: qos::rises },
        Claim { id: "C2", needs: &["qos-share"], judge: qos::significance },
        Claim { id: "C3", needs: &["qos-share"], judge: qos::time_limit },
        Claim { id: "C4", needs: &["qos-share"], judge: qos::guided },
        Claim { id: "C5", needs: &["wait-time"], judge: wait::gain },
        Claim { id: "C6", needs: &["wait-time"], judge: wait::jobs },
        Claim { id: "C7", needs: &["wait-time-long"], judge: wait::long },
        Claim { id: "C8", needs: &["grid-size"], judge: size::gain },
        Claim { id: "C9", needs: &["heterogeneity"], judge: speed::gain },
        Claim { id: "C10", needs: &["information"], judge: information::gain },
        Claim { id: "C11", needs: &["local-usage", "local-usage-readings"], judge: local::gain },
        Claim { id: "C12", needs: time::EXPERIMENTS, judge: time::taken },
    ],
};

const MAKESPAN: &str = "makespan";
const JOBS: &str = "mean_jobs";
const ALL: [&str; 5] = ["mct", "minmin", "qgmm", "tlmm", "tlqmm"];
const BATCH: [&str; 3] = ["mct", "minmin", "qgmm"];
/// The time-limit modes and what they are made of.
const MODES: [(&str, &str); 2] = [("tlmm", "minmin"), ("tlqmm", "qgmm")];

/// As the thesis writes them.
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

/// The algorithms' means at a point.
fn means(view: &View<'_>, point: &str, algorithms: &[&'static str]) -> String {
    let all = algorithms.iter().map(|one| (title(one), view.mean(point, one)));
    super::estimate::list(all)
}

/// The decreases of both time-limit modes against their batch modes at a point.
fn gains(view: &View<'_>, point: &str) -> String {
    let gain = |(one, other): (&'static str, &str)| (title(one), view.decrease(point, one, other));
    super::estimate::list(MODES.map(gain))
}

/// The point where one gains most on the other, and how much.
fn best(view: &View<'_>, one: &str, other: &str) -> (String, Estimate) {
    let all = view.points().into_iter().map(|point| {
        let gain = view.decrease(&point, one, other);
        (point, gain)
    });
    all.max_by(|a, b| a.1.value.total_cmp(&b.1.value)).unwrap_or((String::new(), Estimate::none()))
}

/// The thesis' t of pairs at a point.
fn ts(view: &View<'_>, point: &str, pairs: &[(&'static str, &str)]) -> String {
    let t = |&(one, other): &(&'static str, &str)| {
        format!("{}/{}: {}", title(one), title(other), view.thesis_t(point, one, other))
    };
    pairs.iter().map(t).collect::<Vec<_>>().join(", ")
}

/// Points whose labels are numbers, with the numbers.
fn numbers(view: &View<'_>) -> Vec<(String, f64)> {
    let number = |point: String| point.parse().ok().map(|number| (point, number));
    view.points().into_iter().filter_map(number).collect()
}

fn holds(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    Verdict::all(verdicts)
}

#[cfg(test)]
mod tests;

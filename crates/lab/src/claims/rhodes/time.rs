//! C12: how long an experiment takes. The only claim about our own clock, so that seconds are told
//! by the caller, if it knows them, and no more than the answer is kept.

use super::{Evidence, Judgement, Verdict};

pub(super) const EXPERIMENTS: &[&str] = &[
    "qos-share",
    "wait-time",
    "wait-time-long",
    "grid-size",
    "heterogeneity",
    "information",
    "local-usage",
];
/// Twenty minutes.
const PUBLISHED: f64 = 1200.0;

pub(super) fn taken(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let seconds: Option<Vec<f64>> = EXPERIMENTS.iter().map(|name| evidence.seconds(name)).collect();
    let is_full = evidence
        .results()
        .filter(|results| EXPERIMENTS.contains(&results.experiment.name.as_str()))
        .all(|results| results.experiment.replications >= 100);
    let under = seconds.as_ref().map(|seconds| seconds.iter().all(|&seconds| seconds <= PUBLISHED));
    let answer = match under {
        Some(true) => "under 20 minutes: yes",
        Some(false) => "under 20 minutes: no",
        None => "n/a, read from files",
    };
    Some(vec![Judgement {
        what: "An experiment takes at most 20 minutes",
        published: "20 minutes on a Pentium 4 of 1.8 GHz",
        ours: answer.to_owned(),
        verdict: match under {
            Some(under) if is_full => Verdict::of(under),
            Some(_) => Verdict::TooFewRuns,
            None => Verdict::Undecidable,
        },
        why: "Rule: each of the chapter's experiments within 20 minutes, all replications."
            .to_owned(),
    }])
}

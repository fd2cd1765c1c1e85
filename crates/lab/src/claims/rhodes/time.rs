//! C12: the duration of an experiment. The only claim about wall-clock time: the caller gives the
//! seconds if it knows them, and only the verdict is kept.

use super::{Evidence, Found, Judged, Verdict};
use crate::claims::claims;

/// Twenty minutes, in seconds.
const PUBLISHED: f64 = 1200.0;

pub fn taken(evidence: &Evidence) -> Judged {
    let names = &claims().find(|claim| claim.id == "C12")?.needs;
    let seconds: Option<Vec<f64>> = names.iter().map(|name| evidence.seconds(name)).collect();
    let is_full = evidence
        .results()
        .filter(|results| names.contains(&results.experiment.name))
        .all(|results| results.experiment.replications >= 100);
    let is_under = seconds.map(|seconds| seconds.iter().all(|&seconds| seconds <= PUBLISHED));
    let answer = match is_under {
        Some(true) => "under 20 minutes: yes",
        Some(false) => "under 20 minutes: no",
        None => "n/a, read from files",
    };
    let verdict = match is_under {
        Some(is_under) if is_full => Verdict::of(is_under),
        Some(_) => Verdict::TooFewRuns,
        None => Verdict::Undecidable,
    };
    Some(vec![Found::new(verdict, &[&answer])])
}

//! C9: the heterogeneity of hosts (thesis, section 4.5.2.4, table 4.4).

use super::{BATCH, Estimate, Evidence, Found, JOBS, Judged, MAKESPAN, PAIRS, View, gains, ts};

pub fn gain(evidence: &Evidence) -> Judged {
    let jobs = evidence.view("heterogeneity", JOBS)?;
    let makespan = evidence.view("heterogeneity", MAKESPAN)?;
    let [equal, guided] = ["tlmm", "tlqmm"].map(|one| fewest(&jobs, "100", one));
    let far = fewest(&jobs, "10000", "tlmm");
    let t = ts(&makespan, "10000", &PAIRS);
    Some(vec![
        Found::new(equal.above(93.65), &[&equal]),
        Found::new(guided.above(50.08), &[&guided]),
        Found::new(far.agrees(34.02), &[&far]),
        Found::new(t.within(-0.2, 0.2), &[&t]),
        Found::new(makespan.all(["10000"], &PAIRS, View::alike), &[&gains(&makespan, "10000")]),
    ])
}

/// How many fewer than the batch mode with the fewest.
fn fewest(view: &View<'_>, at: &str, one: &str) -> Estimate {
    let all = BATCH.map(|other| view.decrease(at, one, other));
    all.into_iter().min_by(|a, b| a.value.total_cmp(&b.value)).unwrap_or(Estimate::none())
}

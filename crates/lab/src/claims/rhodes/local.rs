//! C11: machines with local load (thesis, section 4.5.3.1, figures 4.18 and 4.19).

use super::{
    ALL, Estimates, Evidence, Found, Judged, MAKESPAN, Verdict, View, by_algorithm, means, numbers,
};

/// Largest slope that counts as flat, in percentage points per point of variation: 1 % over all 50.
const FLAT: f64 = 0.02;

pub fn gain(evidence: &Evidence) -> Judged {
    let view = evidence.view("local-usage", MAKESPAN)?;
    let readings = evidence.view("local-usage-readings", MAKESPAN)?;
    let rise = by_algorithm(&ALL, |one| view.change(one, "0", "50"));
    let ranks: Vec<Rank> = readings.points().iter().map(|at| rank(&readings, at)).collect();
    let count = |rank| ranks.iter().filter(|&&one| one == rank).count();
    let points = numbers(&view);
    let varied = points.iter().filter(|(_, limit)| *limit > 0.0);
    let slopes = |all: &[&str]| by_algorithm(all, |one| view.slope(&points, one, "mct"));
    let (batch, limit) = (slopes(&["minmin", "qgmm"]), slopes(&["tlmm", "tlqmm"]));
    Some(vec![
        Found::new(rise.above(0.0), &[&rise]),
        Found::new(in_all(&ranks), &[&means(&readings, "10/fast", &ALL)]).because(&[
            &count(Rank::Better),
            &count(Rank::SecondWorst),
            &count(Rank::Worst),
        ]),
        Found::new(
            Verdict::all(varied.map(|(at, _)| lead(&view, at).above(0.0))),
            &[&means(&view, "50", &ALL)],
        ),
        Found::new(batch.within(-FLAT, FLAT), &[&batch]),
        Found::new(limit.above(0.0), &[&limit]),
    ])
}

/// How much less TLMM has than each of the others.
fn lead(view: &View<'_>, at: &str) -> Estimates {
    let others = ALL.into_iter().filter(|&one| one != "tlmm");
    Estimates::of(others, |other| view.decrease(at, "tlmm", other))
}

/// Rank of TLMM among five.
#[derive(Clone, Copy, PartialEq)]
enum Rank {
    Better,
    SecondWorst,
    Worst,
    Open(Verdict),
}

fn rank(view: &View<'_>, at: &str) -> Rank {
    let is_less: Vec<Verdict> = lead(view, at).iter().map(|(_, less)| less.above(0.0)).collect();
    let count = |verdict| is_less.iter().filter(|&&one| one == verdict).count();
    match (count(Verdict::Reproduced), count(Verdict::Refuted)) {
        _ if is_less.contains(&Verdict::TooFewRuns) => Rank::Open(Verdict::TooFewRuns),
        (2.., _) => Rank::Better,
        (_, 4) => Rank::Worst,
        (1, 3) => Rank::SecondWorst,
        _ => Rank::Open(Verdict::Undecidable),
    }
}

/// Reproduced if second worst in all readings, refuted if better in all or worst in all, otherwise
/// open.
fn in_all(all: &[Rank]) -> Verdict {
    let is = |rank| !all.is_empty() && all.iter().all(|&one| one == rank);
    match () {
        () if is(Rank::SecondWorst) => Verdict::Reproduced,
        () if is(Rank::Better) || is(Rank::Worst) => Verdict::Refuted,
        () if all.contains(&Rank::Open(Verdict::TooFewRuns)) => Verdict::TooFewRuns,
        () => Verdict::Undecidable,
    }
}

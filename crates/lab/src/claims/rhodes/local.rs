//! C11: machines that their owners use as well (4.5.3.1, figures 4.18 and 4.19).

use super::{ALL, Evidence, Judgement, MAKESPAN, Verdict, holds, means, numbers, title};
use crate::claims::estimate::list;
use crate::claims::evidence::View;

const NAME: &str = "local-usage";
const READINGS: &str = "local-usage-readings";
/// More than that many points of percent a point of variation is no longer flat: 1 % over all 50.
const FLAT: f64 = 0.02;
const OPEN: &str = "Which machines offer high QoS and how long the scheduler waits is not published; see the template wwg.";

pub(super) fn gain(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let readings = evidence.view(READINGS, MAKESPAN)?;
    let rise = ALL.map(|one| (title(one), view.change(one, "0", "50")));
    let points = numbers(&view);
    let slope = |one: &'static str| (title(one), view.slope(&points, one, "mct"));
    let (batch, limit) = (["minmin", "qgmm"].map(slope), ["tlmm", "tlqmm"].map(slope));
    Some(vec![
        Judgement {
            what: "The makespan rises with the variation",
            published: "figure 4.18",
            ours: format!("s more at 50 points than at 0: {}", list(rise)),
            verdict: holds(rise.map(|(_, change)| change.above(0.0))),
            why: "Rule: every algorithm takes longer at 50 points than at 0.".to_owned(),
        },
        Judgement {
            what: "Without variation TLMM is second worst",
            published: "second worst of five",
            ours: format!("{} s", means(&readings, "10/fast", &ALL)),
            verdict: in_all(readings.points().iter().map(|at| rank(&readings, at))),
            why: format!(
                "Rule: one takes longer than TLMM, three less, by the intervals of the differences, in fifteen readings of what is not \
                 published: waits of 10 to 1000 s, high QoS on the fast machines, the others or all. Undecidable if it is so in \
                 some, or if TLMM is better in some and worse in others; {}.",
                counts(&readings)
            ),
        },
        Judgement {
            what: "With variation TLMM is best",
            published: "best at all others",
            ours: format!("at 50: {} s", means(&view, "50", &ALL)),
            verdict: holds(
                points.iter().filter(|(_, limit)| *limit > 0.0).map(|(at, _)| is_best(&view, at)),
            ),
            why: format!("Rule: all others take longer at every variation above 0. {OPEN}"),
        },
        Judgement {
            what: "What batch modes gain over MCT stays flat",
            published: "figure 4.19",
            ours: format!("points of % a point: {}", list(batch)),
            verdict: holds(batch.map(|(_, slope)| slope.within(-FLAT, FLAT))),
            why: format!(
                "Rule: the slope of the gain over the variation is within ±{FLAT}, 1 % from 0 to 50."
            ),
        },
        Judgement {
            what: "… what time-limit modes gain grows",
            published: "figure 4.19",
            ours: format!("points of % a point: {}", list(limit)),
            verdict: holds(limit.map(|(_, slope)| slope.above(0.0))),
            why: "Rule: both slopes above 0.".to_owned(),
        },
    ])
}

fn others() -> impl Iterator<Item = &'static str> {
    ALL.into_iter().filter(|&one| one != "tlmm")
}

fn is_best(view: &View<'_>, at: &str) -> Verdict {
    holds(others().map(|other| view.decrease(at, "tlmm", other).above(0.0)))
}

/// Where TLMM stands among five.
#[derive(Clone, Copy, PartialEq)]
enum Rank {
    Better,
    SecondWorst,
    Worst,
    Open(Verdict),
}

fn rank(view: &View<'_>, at: &str) -> Rank {
    let is_less: Vec<Verdict> =
        others().map(|other| view.decrease(at, "tlmm", other).above(0.0)).collect();
    let count = |verdict| is_less.iter().filter(|&&one| one == verdict).count();
    match (count(Verdict::Reproduced), count(Verdict::Refuted)) {
        _ if is_less.contains(&Verdict::TooFewRuns) => Rank::Open(Verdict::TooFewRuns),
        (2.., _) => Rank::Better,
        (_, 4) => Rank::Worst,
        (1, 3) => Rank::SecondWorst,
        _ => Rank::Open(Verdict::Undecidable),
    }
}

/// Second worst in all readings, or in none on the same side of it; anything else leaves it open.
fn in_all(readings: impl Iterator<Item = Rank>) -> Verdict {
    let all: Vec<Rank> = readings.collect();
    let is = |rank| !all.is_empty() && all.iter().all(|&one| one == rank);
    match () {
        () if is(Rank::SecondWorst) => Verdict::Reproduced,
        () if is(Rank::Better) || is(Rank::Worst) => Verdict::Refuted,
        () if all.contains(&Rank::Open(Verdict::TooFewRuns)) => Verdict::TooFewRuns,
        () => Verdict::Undecidable,
    }
}

fn counts(readings: &View<'_>) -> String {
    let all: Vec<Rank> = readings.points().iter().map(|at| rank(readings, at)).collect();
    let is = |rank| all.iter().filter(|&&one| one == rank).count();
    format!(
        "here it is better in {}, second worst in {}, worst in {}",
        is(Rank::Better),
        is(Rank::SecondWorst),
        is(Rank::Worst)
    )
}

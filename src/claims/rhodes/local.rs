//! C11: machines that their owners use as well (4.5.3.1, figures 4.18 and 4.19).

use super::{ALL, Evidence, MAKESPAN, Part, Verdict, holds, means, numbers, title};
use crate::claims::estimate::list;
use crate::claims::evidence::View;

const NAME: &str = "local-usage";
const READINGS: &str = "local-usage-readings";
/// More than that many points of percent a point of variation is no longer flat: 1 % over all 50.
const FLAT: f64 = 0.02;
const OPEN: &str = "Which machines offer high QoS and how long the scheduler waits is not published; see the template wwg.";

pub(super) fn gain(evidence: &Evidence) -> Option<Vec<Part>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let readings = evidence.view(READINGS, MAKESPAN)?;
    let rise = ALL.map(|one| (title(one), view.change(one, "0", "50")));
    let points = numbers(&view);
    let slope = |one: &'static str| (title(one), view.slope(&points, one, "mct"));
    let (batch, limit) = (["minmin", "qgmm"].map(slope), ["tlmm", "tlqmm"].map(slope));
    Some(vec![
        Part {
            what: "The makespan rises with the variation",
            published: "figure 4.18",
            ours: format!("s more at 50 points than at 0: {}", list(rise)),
            verdict: holds(rise.map(|(_, change)| change.above(0.0))),
            why: "Rule: every algorithm takes longer at 50 points than at 0.".to_owned(),
        },
        Part {
            what: "Without variation TLMM is second worst",
            published: "second worst of five",
            ours: format!("{} s", means(&readings, "10/fast", &ALL)),
            verdict: in_all(readings.points().iter().map(|at| second_worst(&readings, at))),
            why: format!(
                "Rule: one takes longer than TLMM, three less, by the intervals of the differences, in nine readings of what is not \
                 published: waits of 10, 100 and 1000 s, high QoS on the fast machines, the others or all. Refuted if in none of them; {}.",
                counts(&readings)
            ),
        },
        Part {
            what: "With variation TLMM is best",
            published: "best at all others",
            ours: format!("at 50: {} s", means(&view, "50", &ALL)),
            verdict: holds(
                points.iter().filter(|(_, limit)| *limit > 0.0).map(|(at, _)| is_best(&view, at)),
            ),
            why: format!("Rule: all others take longer at every variation above 0. {OPEN}"),
        },
        Part {
            what: "What batch modes gain over MCT stays flat",
            published: "figure 4.19",
            ours: format!("points of % a point: {}", list(batch)),
            verdict: holds(batch.map(|(_, slope)| slope.within(-FLAT, FLAT))),
            why: format!(
                "Rule: the slope of the gain over the variation is within ±{FLAT}, 1 % from 0 to 50."
            ),
        },
        Part {
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

/// Some readings for and some against it leave it open.
fn in_all(readings: impl Iterator<Item = Verdict>) -> Verdict {
    let all: Vec<Verdict> = readings.collect();
    match all.first() {
        Some(&first) if all.iter().all(|&one| one == first) => first,
        _ if all.contains(&Verdict::TooFewRuns) => Verdict::TooFewRuns,
        _ => Verdict::Undecidable,
    }
}

fn counts(readings: &View<'_>) -> String {
    let all: Vec<Verdict> = readings.points().iter().map(|at| second_worst(readings, at)).collect();
    let is = |verdict| all.iter().filter(|&&one| one == verdict).count();
    format!("here it is so in {} and not in {}", is(Verdict::Reproduced), is(Verdict::Refuted))
}

fn second_worst(view: &View<'_>, at: &str) -> Verdict {
    let is_less: Vec<Verdict> =
        others().map(|other| view.decrease(at, "tlmm", other).above(0.0)).collect();
    let count = |verdict| is_less.iter().filter(|&&one| one == verdict).count();
    let (worse, better) = (count(Verdict::Reproduced), count(Verdict::Refuted));
    match () {
        () if is_less.contains(&Verdict::TooFewRuns) => Verdict::TooFewRuns,
        () if worse > 1 || better > 3 => Verdict::Refuted,
        () if worse == 1 && better == 3 => Verdict::Reproduced,
        () => Verdict::Undecidable,
    }
}

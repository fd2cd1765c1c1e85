//! C10: wrong estimates (4.5.2.5, figure 4.17).

use super::{ALL, Evidence, Judgement, MAKESPAN, MODES, gains, holds, title};
use crate::claims::estimate::list;

const NAME: &str = "information";

pub(super) fn gain(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let rise = ALL.map(|one| (title(one), view.change(one, "0", "90")));
    let guided = |at| view.decrease(at, "qgmm", "minmin");
    let modes = |points: &[String]| {
        holds(
            points.iter().flat_map(|at| MODES.map(|(one, other)| view.significant(at, one, other))),
        )
    };
    Some(vec![
        Judgement {
            what: "Makespans rise with the error",
            published: "figure 4.17",
            ours: format!("s more at 90 % than at 0: {}", list(rise)),
            verdict: holds(rise.map(|(_, change)| change.above(0.0))),
            why: "Rule: every algorithm takes longer at 90 % than at 0.".to_owned(),
        },
        Judgement {
            what: "QGMM is better than Min-Min when the error is small",
            published: "0 and 10 %",
            ours: format!("less by %: {}", list(["0", "10"].map(|at| (at, guided(at))))),
            verdict: holds(["0", "10"].map(|at| guided(at).above(0.0))),
            why: "Rule: the decrease is above 0 at both.".to_owned(),
        },
        Judgement {
            what: "… and worse when it is large",
            published: "\"ever lower makespans\" of Min-Min",
            ours: format!("less by %: {}", list(["50", "70", "90"].map(|at| (at, guided(at))))),
            verdict: holds(["50", "70", "90"].map(|at| guided(at).below(0.0))),
            why: "Rule: the decrease is below 0 at 50, 70 and 90 %.".to_owned(),
        },
        Judgement {
            what: "Time-limit modes stay significantly better than batch modes throughout",
            published: "\"significant in all tests\"",
            ours: format!("less by %: {}; {}", at(&view, "0"), at(&view, "90")),
            verdict: modes(&view.points()),
            why: "Rule: both significantly less at every error, by the paired test.".to_owned(),
        },
    ])
}

fn at(view: &crate::claims::View<'_>, point: &str) -> String {
    format!("at {point} % {}", gains(view, point))
}

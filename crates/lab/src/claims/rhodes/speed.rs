//! C9: how different hosts are (4.5.2.4, table 4.4).

use super::{
    BATCH, Estimate, Evidence, JOBS, Judgement, MAKESPAN, MODES, Verdict, gains, holds, ts,
};
use crate::claims::evidence::View;

const NAME: &str = "heterogeneity";

pub(super) fn gain(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let jobs = evidence.view(NAME, JOBS)?;
    let makespan = evidence.view(NAME, MAKESPAN)?;
    let homogeneous = |what, published, one: &str, value| {
        let ours = fewest(&jobs, "100", one);
        Judgement {
            what,
            published,
            ours: format!("{ours} %"),
            verdict: ours.above(value),
            why: "Rule: fewer than MCT, Min-Min and QGMM, the closest of them, by more than published.".to_owned(),
        }
    };
    let far = fewest(&jobs, "10000", "tlmm");
    let against =
        [("minmin", "mct"), ("qgmm", "mct"), ("tlmm", "mct"), ("tlqmm", "mct"), MODES[0], MODES[1]];
    Some(vec![
        homogeneous(
            "On equal hosts TLMM has at least 93.65 % fewer jobs at a host",
            "93.65 %",
            "tlmm",
            93.65,
        ),
        homogeneous("… and TLQMM at least 50.08 %", "50.08 %", "tlqmm", 50.08),
        Judgement {
            what: "On the most different hosts TLMM has 34.02 % fewer",
            published: "34.02 %",
            ours: format!("{far} %"),
            verdict: far.agrees(34.02),
            why: "Rule: the decrease from the closest of the three agrees.".to_owned(),
        },
        Judgement {
            what: "Makespan differences vanish at 10000 MIPS, by the thesis' t",
            published: "t up to 0.20",
            ours: ts(&makespan, "10000", &against),
            verdict: small(&makespan, &against),
            why: "Rule: every t within ±0.2 with its interval.".to_owned(),
        },
        Judgement {
            what: "… and by the paired test",
            published: "(not tested)",
            ours: format!("less by %: {}", gains(&makespan, "10000")),
            verdict: holds(
                against.map(|(one, other)| makespan.differ("10000", one, other).negated()),
            ),
            why: "Rule: none of the six pairs of table 4.4 differs significantly.".to_owned(),
        },
    ])
}

fn small(view: &View<'_>, pairs: &[(&str, &str)]) -> Verdict {
    holds(pairs.iter().map(|(one, other)| view.thesis_t("10000", one, other).within(-0.2, 0.2)))
}

/// How many fewer than the one of the batch modes that has fewest.
fn fewest(view: &View<'_>, at: &str, one: &str) -> Estimate {
    let all = BATCH.map(|other| view.decrease(at, one, other));
    all.into_iter().min_by(|a, b| a.value.total_cmp(&b.value)).unwrap_or(Estimate::none())
}

//! C1 to C4: the share of applications with high QoS (4.5.2.1, table 4.1).

use super::{
    ALL, Estimate, Evidence, Judgement, MAKESPAN, MODES, Verdict, best, gains, holds, means, ts,
};
use crate::claims::estimate::list;
use crate::claims::evidence::{BOUND, View};

const NAME: &str = "qos-share";

/// The pairs of table 4.1 with their t at 50 %.
const TABLE: [(&str, &str, f64); 6] = [
    ("minmin", "mct", 1.620),
    ("qgmm", "mct", 1.968),
    ("tlmm", "mct", 4.577),
    ("tlqmm", "mct", 5.540),
    ("tlmm", "minmin", 2.966),
    ("tlqmm", "qgmm", 3.574),
];
/// The same scenario, 10 hosts of up to 1000 MIPS with 10 s and 50 %, in tables 4.3 and 4.4.
const AGAIN: [(&str, &str, [f64; 2]); 6] = [
    ("minmin", "mct", [0.16, 0.22]),
    ("qgmm", "mct", [0.23, 0.23]),
    ("tlmm", "mct", [3.20, 1.85]),
    ("tlqmm", "mct", [3.85, 2.10]),
    ("tlmm", "minmin", [2.94, 1.77]),
    ("tlqmm", "qgmm", [3.74, 1.81]),
];

pub(super) fn rises(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let steps = |steps: &[(&str, &str)]| {
        let step =
            |&(from, to): &(&str, &str)| ALL.map(|one| view.change(one, from, to).above(0.0));
        holds(steps.iter().flat_map(step))
    };
    let points = ["0", "25", "50", "75", "100"];
    let ours = list(points.map(|point| (point, view.mean(point, "mct"))));
    let step = |from, to| view.decrease_from(to, "mct", from, "mct");
    let more = |from, to| Estimate { value: -step(from, to).value, ..step(from, to) };
    Some(vec![
        Judgement {
            what: "The makespan grows with the share of high-QoS applications, from 25 over 50 to 75 %",
            published: "figure 4.4, no numbers",
            ours: format!("MCT in s at %: {ours}"),
            verdict: steps(&[("25", "50"), ("50", "75")]),
            why: "Rule: both steps above 0 for every algorithm.".to_owned(),
        },
        Judgement {
            what: "… and at the ends, from 0 to 25 and from 75 to 100 %",
            published: "(ends not in the thesis)",
            ours: list([("0 to 25 % MCT +%", more("0", "25")), ("75 to 100 % MCT +%", more("75", "100"))]),
            verdict: steps(&[("0", "25"), ("75", "100")]),
            why: "Rule: as above. As long as high-QoS jobs are few, the hosts that can run them have time for others: the first step is small.".to_owned(),
        },
        Judgement {
            what: "… steeply",
            published: "\"greatly increases\"",
            ours: list([("25 to 75 % MCT +%", more("25", "75"))]),
            verdict: more("25", "75").above(25.0),
            why: "Rule: from 25 to 75 % MCT takes more than a quarter longer.".to_owned(),
        },
    ])
}

pub(super) fn significance(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let pairs = TABLE.map(|(one, other, _)| (one, other));
    let strong = &pairs[1..];
    let others =
        || ["25", "75"].into_iter().flat_map(|at| pairs.map(|(one, other)| (at, one, other)));
    Some(vec![
        Judgement {
            what: "At 50 % QGMM, TLMM and TLQMM differ from MCT, and time-limit from batch modes, by the thesis' t",
            published: "t 1.968 to 5.540, all above 1.96",
            ours: ts(&view, "50", strong),
            verdict: holds(strong.iter().map(|(one, other)| view.thesis_significant("50", one, other))),
            why: format!("Rule: every t above {BOUND}. {}", spread(&view)),
        },
        Judgement {
            what: "The t values of table 4.1 at 50 %",
            published: "Min-Min 1.620, QGMM 1.968, TLMM 4.577, TLQMM 5.540 against MCT; TLMM/Min-Min 2.966, TLQMM/QGMM 3.574",
            ours: ts(&view, "50", &pairs),
            verdict: holds(TABLE.iter().map(|row| exact(&view, row))),
            why: "Rule: our interval agrees with the t. The same scenario has other t in tables 4.3 and 4.4 (TLMM against MCT \
                  4.577, 3.20, 1.85): where it agrees with one of those only, undecidable; with none, refuted."
                .to_owned(),
        },
        Judgement {
            what: "At 25 and 75 % no difference is significant by the thesis' t",
            published: "t 0.044 to 0.642",
            ours: format!("25 %: {}; 75 %: {}", ts(&view, "25", &pairs), ts(&view, "75", &pairs)),
            verdict: holds(others().map(|(at, one, other)| view.thesis_significant(at, one, other).negated())),
            why: format!("Rule: every t below {BOUND}. Grids vary so much that this test could hardly find any."),
        },
        Judgement {
            what: "Time-limit modes differ from batch modes at 50 %, by the paired test",
            published: "(not tested)",
            ours: format!("less by %: {}", gains(&view, "50")),
            verdict: holds(MODES.map(|(one, other)| view.significant("50", one, other))),
            why: "Rule: both significantly less.".to_owned(),
        },
        Judgement {
            what: "At 25 and 75 % no difference is significant, by the paired test",
            published: "(not tested)",
            ours: format!("less by %: 25 %: {}; 75 %: {}", gains(&view, "25"), gains(&view, "75")),
            verdict: holds(others().map(|(at, one, other)| view.differ(at, one, other).negated())),
            why: "Rule: none of the six pairs of table 4.1 differs significantly at either.".to_owned(),
        },
    ])
}

fn exact(view: &View<'_>, &(one, other, t): &(&str, &str, f64)) -> Verdict {
    let ours = view.thesis_t("50", one, other);
    let again = AGAIN.iter().find(|row| (row.0, row.1) == (one, other));
    let elsewhere = again.map_or([f64::NAN; 2], |row| row.2).map(|t| ours.agrees(t));
    match ours.agrees(t) {
        Verdict::Refuted if elsewhere.contains(&Verdict::Reproduced) => Verdict::Undecidable,
        verdict => verdict,
    }
}

/// What the published t says of the spread of makespans, and what it is.
fn spread(view: &View<'_>) -> String {
    let values: Vec<f64> = view.values("50", "mct").into_iter().flatten().collect();
    let deviation = gridsat_statistics::Summary::of(&values).deviation.unwrap_or(f64::NAN);
    let needed = 0.018 * view.mean("50", "mct").value / 4.577 * 50_f64.sqrt();
    format!(
        "Makespans of MCT have a standard deviation of {deviation:.0} s, as grids of 100 to 1000 MIPS must; a gain of 1.8 % \
         with t = 4.577 needs one of {needed:.0} s, with which the drop of 783 s between two means of MCT that the \
         thesis puts down to chance would be {:.1} standard errors.",
        783.27 / (needed * (2.0_f64 / 100.0).sqrt())
    )
}

pub(super) fn time_limit(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let best = MODES.map(|(one, other)| best(&view, one, other));
    let ours = MODES
        .iter()
        .zip(&best)
        .map(|((one, _), (at, gain))| format!("{} {gain} at {at} %", super::title(one)));
    let most = best.iter().map(|(_, gain)| *gain).max_by(|a, b| a.value.total_cmp(&b.value));
    Some(vec![
        Judgement {
            what: "Time-limit mode lowers the makespan of Min-Min and QGMM, most at 50 %",
            published: "figure 4.5",
            ours: ours.collect::<Vec<_>>().join(", "),
            verdict: holds(best.iter().map(|(at, gain)| {
                holds([gain.above(0.0), if at == "50" { Verdict::Reproduced } else { Verdict::Undecidable }])
            })),
            why: "Rule: the largest decrease in percent is above 0, and at 50 %; elsewhere undecidable, as neighbours differ little.".to_owned(),
        },
        Judgement {
            what: "… by up to 1.8 %",
            published: "1.8 %",
            ours: format!("{} %", most.unwrap_or(Estimate::none())),
            verdict: most.map_or(Verdict::TooFewRuns, |gain| gain.agrees(1.8)),
            why: "Rule: the larger of the two largest decreases agrees.".to_owned(),
        },
    ])
}

pub(super) fn guided(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let (at, gain) = best(&view, "qgmm", "minmin");
    let gains = view.points().into_iter().map(|at| view.decrease(&at, "qgmm", "minmin"));
    Some(vec![
        Judgement {
            what: "QGMM gains at most 0.17 % over Min-Min",
            published: "0.17 %",
            ours: format!("{gain} % at {at} %"),
            verdict: gain.below(0.17),
            why: "Rule: the largest decrease, with its interval, is below that.".to_owned(),
        },
        Judgement {
            what: "… and 0.17 % somewhere",
            published: "0.17 %",
            ours: format!("{gain} % at {at} %"),
            verdict: gain.agrees(0.17),
            why: "Rule: the largest decrease agrees.".to_owned(),
        },
        Judgement {
            what: "… far from the 11.41 % of He et al.",
            published: "11.41 %",
            ours: means(&view, "50", &["minmin", "qgmm"]) + " s at 50 %",
            verdict: holds(gains.map(|gain| gain.below(1.0))),
            why: "Rule: below 1 % at every share.".to_owned(),
        },
    ])
}

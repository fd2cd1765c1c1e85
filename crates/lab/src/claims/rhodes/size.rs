//! C8: the number of hosts (4.5.2.3, table 4.3).

use super::{Evidence, Judgement, MAKESPAN, MODES, Verdict, best, gains, holds, ts};
use crate::claims::evidence::{BOUND, View};

const NAME: &str = "grid-size";

pub(super) fn gain(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let all = ["minmin", "qgmm", "tlmm", "tlqmm"].map(|one| (one, "mct-batch"));
    let alike = |at| holds(MODES.map(|(one, other)| view.differ(at, one, other).negated()));
    Some(vec![
        largest(
            &view,
            0,
            "20",
            1.86,
            "TLMM gains most over Min-Min with 20 hosts: 1.86 %",
            "1.86 % at 20",
        ),
        largest(
            &view,
            1,
            "10",
            2.09,
            "TLQMM gains most over QGMM with 10 hosts: 2.09 %",
            "2.09 % at 10",
        ),
        Judgement {
            what: "With 100 and 250 hosts time-limit and batch modes do not differ, by the thesis' t",
            published: "t 0.39 and 0.66; 0.08 and 0.20",
            ours: format!("100: {}; 250: {}", ts(&view, "100", &MODES), ts(&view, "250", &MODES)),
            verdict: holds(["100", "250"].map(|at| {
                holds(MODES.map(|(one, other)| view.thesis_significant(at, one, other).negated()))
            })),
            why: format!("Rule: every t below {BOUND}."),
        },
        Judgement {
            what: "… nor with 100, by the paired test",
            published: "(not tested)",
            ours: format!("less by %: {}", gains(&view, "100")),
            verdict: alike("100"),
            why: "Rule: no significant difference.".to_owned(),
        },
        Judgement {
            what: "… nor with 250",
            published: "(not tested)",
            ours: format!("less by %: {}", gains(&view, "250")),
            verdict: alike("250"),
            why: "Rule: as above.".to_owned(),
        },
        Judgement {
            what: "With 250 hosts all beat MCT",
            published: "t 10.23 to 10.76",
            ours: ts(&view, "250", &all),
            verdict: holds(all.map(|(one, other)| view.significant("250", one, other))),
            why: format!(
                "Rule: all significantly less than MCT that waits 10 s as well, by the paired test. Against MCT on line: \
                 Min-Min/MCT {}.",
                view.thesis_t("250", "minmin", "mct")
            ),
        },
    ])
}

fn largest(
    view: &View<'_>,
    mode: usize,
    place: &str,
    value: f64,
    what: &'static str,
    published: &'static str,
) -> Judgement {
    let (one, other) = MODES[mode];
    let (at, most) = best(view, one, other);
    let there = view.decrease(place, one, other);
    // The best of all is no better than the published place as long as their intervals meet.
    let is_there = Verdict::of(there.ends().1 >= most.ends().0);
    Judgement {
        what,
        published,
        ours: format!("{most} % at {at} hosts, {there} % at {place}"),
        verdict: holds([there.agrees(value), is_there]),
        why: "Rule: the decrease there agrees, and its interval meets that of our largest."
            .to_owned(),
    }
}

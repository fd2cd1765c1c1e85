//! C5 to C7: the time between decisions (4.5.2.2, table 4.2, figures 4.6 to 4.10).

use super::{
    BATCH, Evidence, JOBS, Judgement, MAKESPAN, MODES, Verdict, gains, holds, numbers, title, ts,
};
use crate::claims::Estimate;
use crate::claims::estimate::list;
use crate::claims::evidence::View;
use gridsat_statistics::line;

const NAME: &str = "wait-time";
const LONG: &str = "wait-time-long";

pub(super) fn gain(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, MAKESPAN)?;
    let others = [("tlmm", "mct"), ("tlqmm", "mct"), ("tlmm", "minmin"), ("tlqmm", "qgmm")];
    let mct = [("tlmm", "mct-batch"), ("tlqmm", "mct-batch")];
    let on_line = [("tlmm", "mct"), ("tlqmm", "mct")];
    let less = |at, pairs: &[(&str, &str)]| {
        holds(pairs.iter().map(|(one, other)| view.significant(at, one, other)))
    };
    let decreases = |at, pairs: &[(&'static str, &str)]| {
        list(pairs.iter().map(|&(one, other)| (title(one), view.decrease(at, one, other))))
    };
    Some(vec![
        slope(&view),
        Judgement {
            what: "At 5 s TLMM and TLQMM beat MCT and their batch modes significantly",
            published: "table 4.2",
            ours: format!("less by %: than batch modes {}; than MCT {}", gains(&view, "5"), decreases("5", &on_line)),
            verdict: less("5", &others),
            why: "Rule: all four significantly less by the paired test.".to_owned(),
        },
        Judgement {
            what: "… with t of 3.7 to 4.3",
            published: "TLMM 3.74 and 3.81, TLQMM 4.17 and 4.28 against MCT and batch mode",
            ours: ts(&view, "5", &others),
            verdict: holds([3.738, 4.174, 3.814, 4.282].iter().zip(others).map(|(t, (one, other))| {
                view.thesis_t("5", one, other).agrees(*t)
            })),
            why: "Rule: each thesis t agrees. As in C2, grids of 100 to 1000 MIPS differ too much for such t.".to_owned(),
        },
        Judgement {
            what: "At 2000 s they beat MCT significantly",
            published: "table 4.2",
            ours: format!("less by %: than MCT that waits as well {}; than MCT on line {}", decreases("2000", &mct), decreases("2000", &on_line)),
            verdict: less("2000", &mct),
            why: "Rule: both significantly less than MCT that decides every 2000 s, as all schedulers of the thesis do (4.5.1). MCT \
                  on line, as it is defined, has no wait and cannot be beaten so."
                .to_owned(),
        },
        Judgement {
            what: "… with t of 3.9 to 4.6",
            published: "TLMM 3.968, TLQMM 4.579",
            ours: ts(&view, "2000", &mct),
            verdict: holds([3.968, 4.579].iter().zip(mct).map(|(t, (one, other))| {
                view.thesis_t("2000", one, other).agrees(*t)
            })),
            why: "Rule: each thesis t agrees.".to_owned(),
        },
        Judgement {
            what: "… but not their batch modes",
            published: "t 0.103 and 0.223",
            ours: format!("less by %: {}", gains(&view, "2000")),
            verdict: holds(MODES.map(|(one, other)| view.differ("2000", one, other).negated())),
            why: "Rule: no significant difference by the paired test.".to_owned(),
        },
    ])
}

/// World by world the gain as a line over log₁₀(wait), and how straight the line of the means is.
fn slope(view: &View<'_>) -> Judgement {
    let log = |(point, wait): (String, f64)| (point, libm::log10(wait));
    let points: Vec<(String, f64)> = numbers(view).into_iter().map(log).collect();
    let slopes = MODES.map(|(one, other)| (title(one), view.slope(&points, one, other)));
    let straight = MODES.map(|(one, other)| {
        let at = |(point, x): &(String, f64)| (*x, view.decrease(point, one, other).value);
        line(&points.iter().map(at).collect::<Vec<_>>()).map_or(f64::NAN, |line| line.r)
    });
    let is_straight = straight.iter().all(|r| *r <= -0.9);
    let falls = holds(slopes.map(|(_, slope)| slope.below(0.0)));
    Judgement {
        what: "What time-limit mode gains over batch mode falls roughly linearly in log(wait)",
        published: "figure 4.8",
        ours: format!(
            "points of % a decade: {}; correlation {:.2}, {:.2}",
            list(slopes),
            straight[0],
            straight[1]
        ),
        verdict: match falls {
            Verdict::Reproduced => Verdict::of(is_straight),
            other => other,
        },
        why: "Rule: both slopes below 0, and correlation of the mean gain with log(wait) at most −0.9.".to_owned(),
    }
}

pub(super) fn jobs(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(NAME, JOBS)?;
    let fewer = |one: &str, other: &str| {
        let points = view.points();
        view.per_world(|world| {
            let all = points.iter().map(|point| world.decrease(point, one, other));
            let all: Option<Vec<f64>> = all.collect();
            all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
        })
    };
    let part = |what, published, one: &str, other: &str, value: f64| {
        let ours = fewer(one, other);
        Judgement {
            what,
            published,
            ours: format!("{ours} %"),
            verdict: ours.within(value - 5.0, value + 5.0),
            why: "Rule: the mean over seven wait times within 5 points. Two of the seven values are not published.".to_owned(),
        }
    };
    Some(vec![
        part(
            "TLMM has fewer jobs at a host than Min-Min, averaged over the wait times",
            "92.07 %",
            "tlmm",
            "minmin",
            92.07,
        ),
        part("TLQMM has fewer jobs at a host than QGMM", "42.02 %", "tlqmm", "qgmm", 42.02),
    ])
}

pub(super) fn long(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let jobs = evidence.view(LONG, JOBS)?;
    let makespan = evidence.view(LONG, MAKESPAN)?;
    let fewer = |at: &str| MODES.map(|(one, other)| (title(one), jobs.decrease(at, one, other)));
    let within =
        |at: &str, limit: f64| holds(fewer(at).map(|(_, gain)| gain.within(-limit, limit)));
    let after = |at: &str, one: &str| {
        let wait: f64 = at.parse().unwrap_or(f64::NAN);
        makespan.per_world(|world| Some(world.value(at, one)? - wait))
    };
    let flat = BATCH[1..].iter().map(|one| {
        let change = makespan.change(one, "2000", "40000");
        Estimate { value: change.value - 38_000.0, ..change }
    });
    Some(vec![
        Judgement {
            what: "Beyond some 30000 s time-limit and batch modes have the same number of jobs at a host",
            published: "just after 30000 s",
            ours: format!("fewer by %: at 35000 s {}; at 40000 s {}", list(fewer("35000")), list(fewer("40000"))),
            verdict: holds([within("35000", 2.0), within("40000", 2.0)]),
            why: "Rule: less than 2 % apart at 35000 and 40000 s. Where it happens is where the wait exceeds the makespan; slow grids take longer than the mean.".to_owned(),
        },
        Judgement {
            what: "… but not before",
            published: "linear increase up to there",
            ours: format!("fewer by %: at 10000 s {}; at 20000 s {}", list(fewer("10000")), list(fewer("20000"))),
            verdict: holds(["10000", "20000"].map(|at| holds(fewer(at).map(|(_, gain)| gain.above(2.0))))),
            why: "Rule: more than 2 % fewer at 10000 and 20000 s.".to_owned(),
        },
        linear(&jobs),
        Judgement {
            what: "Beyond 1000 s batch modes gain no more look-ahead",
            published: "all applications are there after 1000 s on average",
            ours: format!(
                "makespan without the first wait, Min-Min: {}",
                list(["1000", "2000", "40000"].map(|at| (at, after(at, "minmin"))))
            ),
            verdict: holds(flat.map(|change| change.within(-300.0, 300.0))),
            why: "Rule: from 2000 to 40000 s the makespan of Min-Min and QGMM grows by the difference, within 300 s (1 %).".to_owned(),
        },
    ])
}

/// The thesis sees straight lines of jobs over wait up to 30000 s.
fn linear(jobs: &View<'_>) -> Judgement {
    let points: Vec<(String, f64)> =
        numbers(jobs).into_iter().filter(|(_, wait)| *wait <= 30_000.0).collect();
    let lines = MODES.map(|(one, _)| {
        let at = |(point, wait): &(String, f64)| (*wait, jobs.mean(point, one).value);
        line(&points.iter().map(at).collect::<Vec<_>>()).map_or(f64::NAN, |line| line.r)
    });
    let rises = MODES.map(|(one, _)| (title(one), jobs.change(one, "1000", "30000")));
    Judgement {
        what: "Up to there the jobs at a host of both time-limit modes grow linearly with the wait",
        published: "figure 4.10",
        ours: format!(
            "from 1000 to 30000 s: {} more; correlation {:.3}, {:.3}",
            list(rises),
            lines[0],
            lines[1]
        ),
        verdict: match holds(rises.map(|(_, change)| change.above(0.0))) {
            Verdict::Reproduced => Verdict::of(lines.iter().all(|r| *r >= 0.95)),
            other => other,
        },
        why: "Rule: both grow, and correlation with the wait at least 0.95.".to_owned(),
    }
}

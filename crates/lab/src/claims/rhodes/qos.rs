//! C1 to C4: the share of applications with high QoS (thesis, section 4.5.2.1, table 4.1).

use super::{
    ALL, Estimate, Estimates, Evidence, Found, Judged, MAKESPAN, MODES, PAIRS, Verdict, View,
    by_algorithm, decreases, gains, means, title, ts,
};

const NAME: &str = "qos-share";
/// The same with more worlds, without 50 %.
const ENDS: &str = "qos-ends";

/// Smallest increase in percent that counts as one.
const ALIKE: f64 = 0.1;

/// The t of the pairs at 50 % in table 4.1.
const TABLE: [f64; 6] = [1.620, 1.968, 4.577, 5.540, 2.966, 3.574];
/// The same scenario, 10 hosts of up to 1000 MIPS with 10 s and 50 %, in tables 4.3 and 4.4.
const AGAIN: [[f64; 2]; 6] =
    [[0.16, 0.22], [0.23, 0.23], [3.20, 1.85], [3.85, 2.10], [2.94, 1.77], [3.74, 1.81]];

pub fn rises(evidence: &Evidence) -> Judged {
    let view = evidence.view(NAME, MAKESPAN)?;
    let ends = evidence.view(ENDS, MAKESPAN)?;
    let mct = Estimates::of(["0", "25", "50", "75", "100"], |at| view.mean(at, "mct"));
    let steep = more(&view, "mct", "25", "75");
    let middle = steps(&view, [("25", "50"), ("50", "75")]);
    let outer = steps(&ends, [("0", "25"), ("75", "100")]);
    let first = by_algorithm(&ALL, |one| more(&ends, one, "0", "25"));
    Some(vec![
        Found::new(middle.above(0.0), &[&mct]),
        Found::new(
            outer.all(|step| step.above_and_not_alike(ALIKE)),
            &[&first, &more(&ends, "mct", "75", "100")],
        ),
        Found::new(steep.above(25.0), &[&steep]),
    ])
}

/// How much longer an algorithm takes from one share to another, in percent.
fn more(view: &View<'_>, one: &str, from: &str, to: &str) -> Estimate {
    view.decrease_from(to, one, from, one).negative()
}

/// The same for every algorithm and each of the steps.
fn steps(view: &View<'_>, steps: [(&str, &str); 2]) -> Estimates {
    let step = |(from, to)| ALL.map(|one| (title(one), more(view, one, from, to)));
    steps.into_iter().flat_map(step).collect()
}

pub fn significance(evidence: &Evidence) -> Judged {
    let view = evidence.view(NAME, MAKESPAN)?;
    let strong = &PAIRS[1..];
    let all = ts(&view, "50", &PAIRS);
    let agree = all.iter().zip(TABLE).zip(AGAIN).map(|(((_, ours), t), again)| {
        let is_elsewhere = again.iter().any(|&t| ours.agrees(t) == Verdict::Reproduced);
        match ours.agrees(t) {
            Verdict::Refuted if is_elsewhere => Verdict::Undecidable,
            verdict => verdict,
        }
    });
    let others = ["25", "75"];
    let [low, high] = others.map(|at| ts(&view, at, &PAIRS));
    let [low_gains, high_gains] = others.map(|at| gains(&view, at));
    let [deviation, needed, errors] = spread(&view);
    Some(vec![
        Found::new(view.all(["50"], strong, View::thesis_significant), &[&ts(&view, "50", strong)])
            .because(&[
                &format!("{deviation:.0}"),
                &format!("{needed:.0}"),
                &format!("{errors:.1}"),
            ]),
        Found::new(Verdict::all(agree), &[&all]),
        Found::new(view.thesis_finds_none(&others, &PAIRS), &[&low, &high]),
        Found::new(view.all(["50"], &MODES, View::significant), &[&gains(&view, "50")]),
        Found::new(view.all(others, &PAIRS, View::alike), &[&low_gains, &high_gains]),
    ])
}

/// The standard deviation of MCT's makespans, the one implied by the published t, and how many
/// standard errors the drop of 783 s in the thesis would be with that.
fn spread(view: &View<'_>) -> [f64; 3] {
    let values: Vec<f64> = view.values("50", "mct").into_iter().flatten().collect();
    let deviation = gridsat_statistics::Summary::of(&values).deviation.unwrap_or(f64::NAN);
    let needed = 0.018 * view.mean("50", "mct").value / 4.577 * 50_f64.sqrt();
    [deviation, needed, 783.27 / (needed * (2.0_f64 / 100.0).sqrt())]
}

pub fn time_limit(evidence: &Evidence) -> Judged {
    let view = evidence.view(NAME, MAKESPAN)?;
    let gains = MODES.map(|(one, other)| decreases(&view, one, other));
    let best = gains.each_ref().map(Estimates::most);
    let is_there = |at: &str| if at == "50" { Verdict::Reproduced } else { Verdict::Undecidable };
    let shown = MODES.iter().zip(best);
    let shown = shown.map(|((one, _), (at, gain))| format!("{} {gain} at {at} %", title(one)));
    let all: Estimates = best.into_iter().collect();
    let (_, most) = all.most();
    Some(vec![
        Found::new(
            Verdict::all([all.above(0.0), is_there(best[0].0), is_there(best[1].0)]),
            &[&shown.collect::<Vec<_>>().join(", ")],
        ),
        Found::new(most.agrees(1.8), &[&most]),
    ])
}

pub fn guided(evidence: &Evidence) -> Judged {
    let view = evidence.view(NAME, MAKESPAN)?;
    let gains = decreases(&view, "qgmm", "minmin");
    let (at, gain) = gains.most();
    Some(vec![
        Found::new(gain.below(0.17), &[&gain, &at]),
        Found::new(gain.agrees(0.17), &[&gain, &at]),
        Found::new(gains.below(1.0), &[&means(&view, "50", &["minmin", "qgmm"])]),
    ])
}

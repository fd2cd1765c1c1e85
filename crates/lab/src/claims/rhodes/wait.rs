//! C5 to C7: the time between decisions (thesis, section 4.5.2.2, table 4.2, figures 4.6 to 4.10).

use super::{
    BATCH, Estimates, Evidence, Found, JOBS, Judged, MAKESPAN, MODES, Pair, Verdict, View,
    by_algorithm, by_pair, gains, numbers, ts,
};
use gridsat_statistics::line;

const NAME: &str = "wait-time";
const LONG: &str = "wait-time-long";

pub fn gain(evidence: &Evidence) -> Judged {
    let view = evidence.view(NAME, MAKESPAN)?;
    let mct = [("tlmm", "mct-batch"), ("tlqmm", "mct-batch")];
    let on_line = [("tlmm", "mct"), ("tlqmm", "mct")];
    let others = [on_line, MODES].concat();
    let less = |at, pairs: &[Pair]| by_pair(pairs, |one, other| view.decrease(at, one, other));
    let (short, long) = (ts(&view, "5", &others), ts(&view, "2000", &mct));
    Some(vec![
        slope(&view),
        Found::new(
            view.all(["5"], &others, View::significant),
            &[&gains(&view, "5"), &less("5", &on_line)],
        ),
        Found::new(short.agree(&[3.738, 4.174, 3.814, 4.282]), &[&short]),
        Found::new(
            view.all(["2000"], &mct, View::significant),
            &[&less("2000", &mct), &less("2000", &on_line)],
        ),
        Found::new(long.agree(&[3.968, 4.579]), &[&long]),
        Found::new(view.all(["2000"], &MODES, View::alike), &[&gains(&view, "2000")]),
    ])
}

/// Whether values surely rise or fall (`is_sure`) and do so linearly, by the correlation of the
/// means.
fn straight(is_sure: Verdict, shown: &Estimates, is_line: bool, r: [String; 2]) -> Found {
    let verdict = match is_sure {
        Verdict::Reproduced => Verdict::of(is_line),
        other => other,
    };
    Found::new(verdict, &[shown, &r[0], &r[1]])
}

/// The correlation of a value with x.
fn correlation(points: &[(String, f64)], value: impl Fn(&str) -> f64) -> f64 {
    let all: Vec<(f64, f64)> = points.iter().map(|(point, x)| (*x, value(point))).collect();
    line(&all).map_or(f64::NAN, |line| line.r)
}

/// The gain as a linear function of log₁₀(wait), world by world, and how linear the means are.
fn slope(view: &View<'_>) -> Found {
    let log = |(point, wait): (String, f64)| (point, libm::log10(wait));
    let points: Vec<(String, f64)> = numbers(view).into_iter().map(log).collect();
    let slopes = by_pair(&MODES, |one, other| view.slope(&points, one, other));
    let r = MODES
        .map(|(one, other)| correlation(&points, |point| view.decrease(point, one, other).value));
    let is_line = r.iter().all(|r| *r <= -0.9);
    straight(slopes.below(0.0), &slopes, is_line, r.map(|r| format!("{r:.2}")))
}

pub fn jobs(evidence: &Evidence) -> Judged {
    let view = evidence.view(NAME, JOBS)?;
    let points = view.points();
    let part = |(one, other): Pair, value: f64| {
        let fewer = view.per_world(|world| {
            let all = points.iter().map(|point| world.decrease(point, one, other));
            let all: Option<Vec<f64>> = all.collect();
            all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
        });
        Found::new(fewer.within(value - 5.0, value + 5.0), &[&fewer])
    };
    Some(vec![part(MODES[0], 92.07), part(MODES[1], 42.02)])
}

pub fn long(evidence: &Evidence) -> Judged {
    let jobs = evidence.view(LONG, JOBS)?;
    let makespan = evidence.view(LONG, MAKESPAN)?;
    let both = |points: [&str; 2], rule: fn(&Estimates) -> Verdict| {
        let [one, other] = points.map(|at| gains(&jobs, at));
        let all = one.iter().chain(other.iter()).collect::<Estimates>();
        Found::new(rule(&all), &[&one, &other])
    };
    let after = Estimates::of(["1000", "2000", "40000"], |at| {
        let wait: f64 = at.parse().unwrap_or(f64::NAN);
        makespan.per_world(|world| Some(world.value(at, "minmin")? - wait))
    });
    let grows = by_algorithm(&BATCH[1..], |one| makespan.change(one, "2000", "40000"));
    Some(vec![
        both(["35000", "40000"], |fewer| fewer.within(-2.0, 2.0)),
        both(["10000", "20000"], |fewer| fewer.above(2.0)),
        linear(&jobs),
        Found::new(grows.within(38_000.0 - 300.0, 38_000.0 + 300.0), &[&after]),
    ])
}

/// The thesis reports that the number of jobs is linear in the wait up to 30000 s.
fn linear(jobs: &View<'_>) -> Found {
    let points: Vec<(String, f64)> =
        numbers(jobs).into_iter().filter(|(_, wait)| *wait <= 30_000.0).collect();
    let r = MODES.map(|(one, _)| correlation(&points, |point| jobs.mean(point, one).value));
    let rises = by_pair(&MODES, |one, _| jobs.change(one, "1000", "30000"));
    let is_line = r.iter().all(|r| *r >= 0.95);
    straight(rises.above(0.0), &rises, is_line, r.map(|r| format!("{r:.3}")))
}

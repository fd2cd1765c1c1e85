//! Claims about static heuristics on matrices of 512 tasks and 16 hosts, as cited by the thesis.

use super::evidence::View;
use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

/// All heuristics of Braun et al. except A*, which is not run.
const ALL: [&str; 10] =
    ["olb", "met", "mct", "minmin", "maxmin", "duplex", "sa-braun", "ga", "gsa", "tabu-braun"];

/// The decreases in percent for each class of a kind, such as `u_c_`.
fn decreases(view: &View<'_>, kind: &str, one: &str, other: &str) -> Estimates {
    let classes = view.points().into_iter().filter(|class| class.starts_with(kind));
    let gain = |class: String| {
        let gain = view.decrease(&class, one, other);
        (class.trim_start_matches("u_").to_owned(), gain)
    };
    classes.map(gain).collect()
}

/// Whether one algorithm has a smaller value than another in every class of a kind.
fn beats(view: &View<'_>, kind: &str, one: &str, other: &str) -> Verdict {
    decreases(view, kind, one, other).above(0.0)
}

fn others(one: &str) -> impl Iterator<Item = &str> {
    ALL.into_iter().filter(move |&other| other != one)
}

/// The mean over classes of a function of two values, world by world.
fn over_classes(view: &View<'_>, one: &str, other: &str, of: fn(f64, f64) -> f64) -> Estimate {
    let classes = view.points();
    view.per_world(|world| {
        let found = |class: &String| Some(of(world.value(class, one)?, world.value(class, other)?));
        let all: Vec<f64> = classes.iter().map(found).collect::<Option<_>>()?;
        Some(all.iter().sum::<f64>() / all.len() as f64)
    })
}

/// The percentage of matrices on which one is worse than the other.
fn worse(view: &View<'_>, one: &str, other: &str) -> Estimate {
    over_classes(view, one, other, |one, other| if one > other { 100.0 } else { 0.0 })
}

pub fn heuristics(evidence: &Evidence) -> Judged {
    let view = evidence.view("braun", "makespan")?;
    let minmin = |kind| decreases(&view, kind, "minmin", "mct");
    let (all, consistent, inconsistent) = (minmin("u_"), minmin("u_c"), minmin("u_i"));
    let maxmin = worse(&view, "maxmin", "mct");
    let duplex = worse(&view, "duplex", "minmin");
    let genetic = over_classes(&view, "minmin", "ga", |one, other| 100.0 * (one / other - 1.0));
    let times = decreases(&view, "u_c", "met", "mct");
    let times =
        times.iter().map(|(class, gain)| format!("{class} {:.1} times", 1.0 - gain.value / 100.0));
    Some(vec![
        Found::new(all.above(0.0), &[&all]),
        Found::new(consistent.within(10.5, 20.5), &[&consistent]),
        Found::new(inconsistent.within(0.0, 2.0), &[&inconsistent]),
        Found::new(maxmin.above(90.0), &[&maxmin]),
        Found::new(
            Verdict::all(others("met").map(|one| beats(&view, "u_c", one, "met"))),
            &[&times.collect::<Vec<_>>().join(", ")],
        ),
        Found::new(
            Verdict::all(others("ga").map(|other| beats(&view, "u_", "ga", other))),
            &[&decreases(&view, "u_", "ga", "minmin")],
        ),
        Found::new(genetic.within(5.0, 10.0), &[&genetic]),
        Found::new(duplex.within(0.0, 0.0), &[&duplex]),
    ])
}

pub fn local(evidence: &Evidence) -> Judged {
    let view = |metric| evidence.view("local-search", metric);
    let (makespan, seconds) = (view("makespan")?, view("seconds")?);
    let searches = ["ls-minmin", "ls-sufferage"];
    let [minmin, sufferage] = searches.map(|one| decreases(&makespan, "u_", one, "ga"));
    let quick = |percent: f64| {
        let less = searches.map(|one| decreases(&seconds, "u_", one, "ga").above(100.0 - percent));
        let verdict = Verdict::all(less);
        let answer = match verdict {
            Verdict::Reproduced => "yes",
            Verdict::TooFewRuns => "",
            _ => "no",
        };
        Found::new(verdict, &[&answer])
    };
    Some(vec![
        Found::new(minmin.above(0.0), &[&minmin]),
        Found::new(sufferage.above(0.0), &[&sufferage]),
        quick(10.0),
        quick(80.0),
    ])
}

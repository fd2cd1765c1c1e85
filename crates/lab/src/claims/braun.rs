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

/// Algorithms whose comparison with MET takes more matrices; they take no time.
const QUICK: [&str; 3] = ["olb", "mct", "sa-braun"];

/// How much less every other algorithm has than MET, for each consistent class. Some are compared
/// on more matrices.
fn below_met(view: &View<'_>, many: &View<'_>) -> Estimates {
    let view_of = |one: &str| if QUICK.contains(&one) { many } else { view };
    others("met").flat_map(|one| decreases(view_of(one), "u_c", one, "met")).collect()
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
    let many = evidence.view("braun-met", "makespan")?;
    let times = decreases(&many, "u_c", "met", "mct");
    let times =
        times.iter().map(|(class, gain)| format!("{class} {:.1} times", 1.0 - gain.value / 100.0));
    Some(vec![
        Found::new(all.above(0.0), &[&all]),
        Found::new(consistent.within(10.5, 20.5), &[&consistent]),
        Found::new(inconsistent.within(0.0, 2.0), &[&inconsistent]),
        Found::new(maxmin.above(90.0), &[&maxmin]),
        Found::new(
            below_met(&view, &many).above(0.0),
            &[&times.collect::<Vec<_>>().join(", "), &decreases(&many, "u_c", "sa-braun", "met")],
        ),
        Found::new(
            others("ga")
                .flat_map(|other| decreases(&view, "u_", "ga", other))
                .collect::<Estimates>()
                .above(0.0),
            &[&decreases(&view, "u_", "ga", "minmin")],
        ),
        Found::new(genetic.within(5.0, 10.0), &[&genetic]),
        Found::new(duplex.within(0.0, 0.0), &[&duplex]),
    ])
}

pub fn local(evidence: &Evidence) -> Judged {
    let view = |metric| evidence.view("local-search", metric);
    let (makespan, seconds, work) = (view("makespan")?, view("seconds")?, view("evaluations")?);
    let searches = ["ls-minmin", "ls-sufferage"];
    let [minmin, sufferage] = searches.map(|one| decreases(&makespan, "u_", one, "ga"));
    let both = |view: &View<'_>| -> Estimates {
        searches.into_iter().flat_map(|one| decreases(view, "u_", one, "ga")).collect()
    };
    let is_quick = both(&seconds).above(0.0);
    let more = both(&work).into_iter().map(|(class, less)| (class, of_eight(less)));
    let more: Estimates = more.collect();
    Some(vec![
        Found::new(minmin.above(0.0), &[&minmin]),
        Found::new(sufferage.above(0.0), &[&sufferage]),
        Found::new(is_quick, &[&answer(is_quick)]),
        Found::new(more.below(1.0), &[&more]),
    ])
}

/// A decrease in percent of one run of the GA, as a multiple of its eight runs.
fn of_eight(less: Estimate) -> Estimate {
    Estimate { value: (1.0 - less.value / 100.0) / 8.0, half: less.half / 800.0, ..less }
}

/// Seconds differ from run to run, so only the answer is shown.
fn answer(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "yes",
        Verdict::TooFewRuns => "",
        _ => "no",
    }
}

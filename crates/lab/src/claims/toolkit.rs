//! Claims of chapter 3 of Rhodes' thesis: the simulator G-Sim and its random numbers. The table of
//! the GridSim paper is of the same kind.

use super::evidence::View;
use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

/// Whether jobs 1, 2, … of a table end at the published times, and their measured times.
fn ends(view: &View<'_>, before: &str, policy: &str, published: &[f64]) -> (Verdict, String) {
    let jobs = (1..=published.len()).map(|job| job.to_string());
    let ours = Estimates::of(jobs, |job| view.exact(&format!("{before}{job}"), policy));
    let shown: Vec<String> = ours.iter().map(|(_, end)| end.value.to_string()).collect();
    (ours.agree(published), shown.join(", "))
}

pub fn gsim(evidence: &Evidence) -> Judged {
    let view = evidence.view("gsim-table", "end")?;
    let part = |size| {
        let (space, at) = ends(&view, size, "space-shared", &[13.0, 7.0, 17.0, 21.0]);
        let (time, shared) = ends(&view, size, "time-shared-gsim", &[17.0, 7.0, 16.0, 21.0]);
        Found::new(Verdict::all([space, time]), &[&at, &shared])
    };
    Some(vec![part("14/"), part("13/")])
}

pub fn gridsim(evidence: &Evidence) -> Judged {
    let view = evidence.view("gridsim-table", "end")?;
    let part = |policy, table: [f64; 3]| {
        let (verdict, ours) = ends(&view, "", policy, &table);
        Found::new(verdict, &[&ours])
    };
    Some(vec![
        part("time-shared-gridsim", [10.0, 14.0, 18.0]),
        part("space-shared", [10.0, 12.5, 19.5]),
    ])
}

pub fn randomisers(evidence: &Evidence) -> Judged {
    let view = |metric| evidence.view("randomisers", metric);
    let (off, error, chance) = (view("off")?, view("error")?, view("standard_error")?);
    let is_step = |point: &String| {
        point.parse::<u32>().is_ok_and(|average| average % 5 == 0 && (5..100).contains(&average))
    };
    let (steps, between): (Vec<String>, Vec<String>) =
        error.points().into_iter().partition(is_step);
    let unbiased = |points: &[String], one| {
        let bias = Estimates::of(points, |point| error.mean(point, one));
        let worst = bias.iter().map(|(_, bias)| bias);
        let worst = worst.max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()));
        Found::new(bias.within(-0.05, 0.05), &[&worst.unwrap_or(Estimate::none())])
    };
    let off = Estimates::of(["even", "binomial"], |one| off.mean("50", one));
    let error_of = |one| format!("{:.2}", chance.mean("50", one).value);
    Some(vec![
        Found::new(off.below(0.01), &[&off]).because(&[&error_of("even"), &error_of("binomial")]),
        unbiased(&error.points(), "even"),
        unbiased(&steps, "binomial"),
        unbiased(&between, "binomial"),
    ])
}

pub fn exponential(evidence: &Evidence) -> Judged {
    let mean = |metric, rate| Some(evidence.view("exponential", metric)?.mean(rate, "inversion"));
    let both = |metric| -> Option<Estimates> {
        Some([("10", mean(metric, "10")?), ("0.1", mean(metric, "0.1")?)].into_iter().collect())
    };
    let fits = [both("error")?.within(-0.5, 0.5), both("p")?.within(0.35, 0.65)];
    let (tenth, ten) = (mean("first_cell", "0.1")?, mean("first_cell", "10")?);
    Some(vec![
        Found::new(Verdict::all(fits), &[&mean("error", "10")?, &mean("p", "10")?]),
        Found::new(ten.below(50.0), &[&ten, &tenth]),
    ])
}

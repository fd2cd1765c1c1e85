//! Claims of chapter 5 of Rhodes' thesis: scheduling as satisfiability.

use super::evidence::View;
use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

const ENCODINGS: &str = "encodings";
const STRATEGIES: &str = "strategies";
const THESIS: &str = "thesis/varisat";
const OTHERS: [&str; 4] = ["adder/varisat", "bdd/varisat", "totalizer/varisat", "counter/varisat"];
/// The point at which searches are counted.
const SEARCHED: &str = "U1-100/10×3";

/// The percentage of runs with the value 1, over all points; runs have no random variation.
fn share(view: &View<'_>, algorithm: &str) -> Estimate {
    let values = view.points().into_iter().flat_map(|point| view.values(&point, algorithm));
    let all: Vec<f64> = values.map(|value| if value == Some(1.0) { 100.0 } else { 0.0 }).collect();
    if all.is_empty() {
        Estimate::none()
    } else {
        Estimate::exact(all.iter().sum::<f64>() / all.len() as f64)
    }
}

pub fn formula(evidence: &Evidence) -> Judged {
    let right = evidence.view(ENCODINGS, "right")?;
    let clauses = evidence.view("encoding-digits", "clauses")?;
    let search = |metric| evidence.view(STRATEGIES, metric);
    let (within, questions) = (search("within")?, search("questions")?);
    let (pairs, optimal) = (search("pairs")?, search("optimal")?);
    let answers = share(&right, THESIS);
    let [kept, proven] = [within, optimal].map(|view| share(&view, "thesis"));
    let few = questions.points().into_iter().map(|point| {
        let most = pairs.mean(&point, "thesis").value;
        let asked = questions.values(&point, "thesis");
        Verdict::of(asked.into_iter().flatten().all(|asked| asked <= most))
    });
    let all = |share: Estimate| share.within(100.0, 100.0);
    let asked = questions.mean(SEARCHED, "thesis");
    Some(vec![
        Found::new(all(answers), &[&answers]),
        growth(&clauses, THESIS),
        growth(&clauses, "adder/varisat"),
        Found::new(Verdict::all([all(kept), all(proven)]), &[&kept, &proven]),
        Found::new(Verdict::all(few), &[&asked, &pairs.mean(SEARCHED, "thesis").value]),
    ])
}

/// From times of four digits to times of five digits the input grows by about a fifth.
fn growth(clauses: &View<'_>, encoding: &str) -> Found {
    let shown = Estimates::of(["100", "1000", "10000", "100000"], |at| clauses.mean(at, encoding));
    let more = clauses.decrease_from("100000", encoding, "10000", encoding);
    let more = Estimate { value: 1.0 - more.value / 100.0, half: more.half / 100.0, ..more };
    Found::new(more.below(3.0), &[&shown]).because(&[&more])
}

pub fn effective(evidence: &Evidence) -> Judged {
    let decisions = evidence.view(STRATEGIES, "decisions")?;
    let at = "below-optimum/14";
    let fewer = |metric| {
        let view = evidence.view(ENCODINGS, metric)?;
        let all = std::iter::once(THESIS).chain(OTHERS);
        let shown: Estimates =
            all.map(|one| (one.trim_end_matches("/varisat"), view.mean(at, one))).collect();
        let gains = Estimates::of(OTHERS, |one| view.decrease(at, one, THESIS));
        Some(Found::new(gains.any(|gain| gain.above(0.0)), &[&shown]))
    };
    let less = decisions.decrease(SEARCHED, "auto", "thesis");
    let shown = Estimates::of(["thesis", "sat", "auto"], |one| decisions.mean(SEARCHED, one));
    Some(vec![fewer("clauses")?, fewer("steps")?, Found::new(less.above(0.0), &[&shown])])
}

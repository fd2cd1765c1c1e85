//! Rhodes, chapter 5: scheduling as satisfiability.

use super::estimate::list;
use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const CHAPTER_5: Source = Source {
    title: "Rhodes, chapter 5",
    about: "The decision problem \"is there a mapping with makespan ≤ k?\" as a formula, and the optimum by asking it. The thesis proves \
            and counts; it measures nothing.",
    claims: &[
        Claim { id: "C16", needs: &[ENCODINGS, DIGITS, STRATEGIES], judge: formula },
        Claim { id: "C17", needs: &[ENCODINGS, STRATEGIES], judge: effective },
    ],
};

const ENCODINGS: &str = "encodings";
const DIGITS: &str = "encoding-digits";
const STRATEGIES: &str = "strategies";
const THESIS: &str = "thesis/varisat";
const OTHERS: [&str; 4] = ["adder/varisat", "bdd/varisat", "totalizer/varisat", "counter/varisat"];

/// The share of runs in percent with a certain value, over all points; no chance is involved in a
/// run.
fn share(view: &View<'_>, algorithm: &str, holds: impl Fn(f64) -> bool) -> Estimate {
    let values = view.points().into_iter().flat_map(|point| view.values(&point, algorithm));
    let all: Vec<f64> =
        values.map(|value| if value.is_some_and(&holds) { 100.0 } else { 0.0 }).collect();
    if all.is_empty() {
        Estimate::none()
    } else {
        Estimate::exact(all.iter().sum::<f64>() / all.len() as f64)
    }
}

fn formula(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let right = evidence.view(ENCODINGS, "right")?;
    let clauses = evidence.view(DIGITS, "clauses")?;
    let search = |metric| evidence.view(STRATEGIES, metric);
    let (within, questions) = (search("within")?, search("questions")?);
    let (pairs, optimal) = (search("pairs")?, search("optimal")?);
    let answers = share(&right, THESIS, |right| right == 1.0);
    let kept = share(&within, "thesis", |within| within == 1.0);
    let proven = share(&optimal, "thesis", |optimal| optimal == 1.0);
    let few = questions.points().into_iter().map(|point| {
        let most = pairs.mean(&point, "thesis").value;
        questions.values(&point, "thesis").into_iter().flatten().all(|asked| asked <= most)
    });
    let few: Vec<bool> = few.collect();
    let all = |share: Estimate| share.within(100.0, 100.0);
    Some(vec![
        Judgement {
            what: "The formula is satisfiable exactly when there is a mapping with makespan ≤ k",
            published: "proven",
            ours: format!("right answers: {answers} %"),
            verdict: all(answers),
            why: "Rule: right at the proven optimum and one below it, on all instances. With errata E1 and E2 applied.".to_owned(),
        },
        growth(&clauses, THESIS, "Its size is polynomial in that of the instance, as printed"),
        growth(&clauses, "adder/varisat", "… with one clause a zero bit of k for the comparator"),
        Judgement {
            what: "The optimum needs at most ⌈log₂(n·E_max)⌉ decisions",
            published: "⌈log₂(n·E_max)⌉",
            ours: format!("within that: {kept} % of the searches, optimum proven: {proven} %"),
            verdict: Verdict::all([all(kept), all(proven)]),
            why: "Rule: all searches of the thesis' strategy stay within that and end with the optimum.".to_owned(),
        },
        Judgement {
            what: "Extracting the mapping by yes and no takes at most m·n questions more",
            published: "m·n",
            ours: format!(
                "10×3, U1-100: {} of {}",
                questions.mean("U1-100/10×3", "thesis"),
                pairs.mean("U1-100/10×3", "thesis").value
            ),
            verdict: if few.is_empty() { Verdict::TooFewRuns } else { Verdict::of(few.iter().all(|&few| few)) },
            why: "Rule: no search asks more.".to_owned(),
        },
    ])
}

/// From times of four digits to such of five the input grows by a fifth or so.
fn growth(clauses: &View<'_>, encoding: &str, what: &'static str) -> Judgement {
    let points = ["100", "1000", "10000", "100000"];
    let more = clauses.decrease_from("100000", encoding, "10000", encoding);
    let more = Estimate { value: 1.0 - more.value / 100.0, half: more.half / 100.0, ..more };
    Judgement {
        what,
        published: "polynomial",
        ours: format!(
            "clauses by longest time: {}",
            list(points.map(|at| (at, clauses.mean(at, encoding))))
        ),
        verdict: more.below(3.0),
        why: format!(
            "Rule: one digit more in all times makes the formula less than three times as large, here {more} times; polynomial in \
             the digits would be a quarter more to the power of its degree. The printed comparator has about k clauses (erratum E4)."
        ),
    }
}

fn effective(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let (steps, clauses) =
        (evidence.view(ENCODINGS, "steps")?, evidence.view(ENCODINGS, "clauses")?);
    let decisions = evidence.view(STRATEGIES, "decisions")?;
    let at = "below-optimum/14";
    let all = || std::iter::once(THESIS).chain(OTHERS);
    let name = |one: &'static str| one.trim_end_matches("/varisat");
    let shown = |view: &View<'_>| list(all().map(|one| (name(one), view.mean(at, one))));
    let fewer = |view: &View<'_>| {
        let gains = OTHERS.map(|one| view.decrease(at, one, THESIS).above(0.0));
        if gains.contains(&Verdict::Reproduced) { Verdict::Reproduced } else { Verdict::all(gains) }
    };
    let point = "U1-100/10×3";
    let less = decisions.decrease(point, "auto", "thesis");
    Some(vec![
        Judgement {
            what: "There are encodings with fewer clauses than the thesis'",
            published: "(left for later)",
            ours: format!("14 tasks, 3 hosts: {}", shown(&clauses)),
            verdict: fewer(&clauses),
            why: "Rule: at least one of the four others has less.".to_owned(),
        },
        Judgement {
            what: "… and such that are refuted in fewer steps below the optimum",
            published: "(left for later)",
            ours: format!("derived clauses: {}", shown(&steps)),
            verdict: fewer(&steps),
            why:
                "Rule: as above; varisat, 14 tasks, 3 hosts. Steps are independent of the machine."
                    .to_owned(),
        },
        Judgement {
            what: "Fewer decisions than the thesis' bisection suffice",
            published: "(left for later)",
            ours: list(["thesis", "sat", "auto"].map(|one| (one, decisions.mean(point, one)))),
            verdict: less.above(0.0),
            why: "Rule: with bounds and heuristics first, fewer on 10×3, U1-100.".to_owned(),
        },
    ])
}

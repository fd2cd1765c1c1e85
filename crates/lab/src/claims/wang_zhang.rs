//! Wang and Zhang: a model of the workload of a grid.

use super::estimate::{LEAST, list};
use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const SOURCE: Source = Source {
    title: "Wang and Zhang: workload of a grid",
    about: "A model rather than measurements: what is judged is whether our implementation draws what the paper says.",
    claims: &[
        Claim { id: "C21", needs: &[NAME], judge: shares },
        Claim { id: "C22", needs: &[NAME], judge: schedulers },
        Claim { id: "C23", needs: &[NAME], judge: factors },
    ],
};

const NAME: &str = "workload-shares";
const ONE: &str = "wang-zhang";
/// As published for shares; sizes do not depend on either axis.
const POINT: &str = "1/1";

/// p-values of a law that holds are even between 0 and 1. With 100,000 jobs those of any other are
/// close to 0.
fn is_even(p: Estimate) -> Verdict {
    if p.n < LEAST {
        return Verdict::TooFewRuns;
    }
    Verdict::of((p.value - 0.5).abs() <= 2.0 * p.half)
}

fn shares(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = |metric| evidence.view(NAME, metric);
    let mean = |view: View<'_>| view.mean(POINT, ONE);
    let (serial, powers) = (mean(view("serial")?), mean(view("powers")?));
    let (distance, p) = (mean(view("size_distance")?), mean(view("size_p")?));
    let part = |what, published, ours: String, verdict, why: &str| Judgement {
        what,
        published,
        ours,
        verdict,
        why: why.to_owned(),
    };
    Some(vec![
        part(
            "Serial jobs",
            "21 %",
            format!("{serial} %"),
            serial.within(20.5, 21.5),
            "Rule: within half a point.",
        ),
        part(
            "Powers of two among parallel jobs",
            "89 %",
            format!("{powers} %"),
            powers.within(88.5, 89.5),
            "Rule: within half a point. Other sizes that happen to be powers count as well.",
        ),
        part(
            "log₂ of those sizes follows the line (0.8, 0), (4.5, 0.86), (7, 1)",
            "two segments",
            format!("distance {distance}, mean p {p}"),
            Verdict::all([distance.below(0.01), is_even(p)]),
            "Rule: distance below 0.01 half-way between sizes, where rounding to whole exponents makes no difference, and p-values even: 0.5 within two half widths of their mean.",
        ),
    ])
}

fn schedulers(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let (ratio, p) = (evidence.view(NAME, "ratio")?, evidence.view(NAME, "place_p")?);
    let alphas = ["1", "1.2", "1.5", "2"];
    let at = |alpha: &str| format!("{alpha}/1");
    let one = |alpha: &&str| {
        let value: f64 = alpha.parse().unwrap_or(f64::NAN);
        let near = ratio.mean(&at(alpha), ONE).within(value * 0.98, value * 1.02);
        Verdict::all([near, is_even(p.mean(&at(alpha), ONE))])
    };
    Some(vec![Judgement {
        what: "Shares of 8 schedulers are geometric with ratio α",
        published: "α",
        ours: list(alphas.map(|alpha| (alpha, ratio.mean(&at(alpha), ONE)))),
        verdict: Verdict::all(alphas.iter().map(one)),
        why: "Rule: for α of 1, 1.2, 1.5 and 2 the mean ratio is within 2 %, and p-values even as in C21."
            .to_owned(),
    }])
}

fn factors(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let even = |what, published, prefix: &str| {
        let view = |end: &str| evidence.view(NAME, &format!("{prefix}_{end}"));
        let mean = |end: &str| view(end).map(|view| view.mean(POINT, ONE));
        let (least, most, p) = (mean("min")?, mean("max")?, mean("p")?);
        Some(Judgement {
            what,
            published,
            ours: format!("from {least} to {most}, mean p {p}"),
            verdict: is_even(p),
            why: "Rule: p-values of evenness in the range are even themselves: 0.5 within two half widths of their mean.".to_owned(),
        })
    };
    let stretch = evidence.view(NAME, "stretch")?;
    let (plain, three) = (stretch.mean("1/1", ONE), stretch.mean("1/3", ONE));
    let parts = [
        even("Estimate factor", "U[E₁, E₂]", "estimate")?,
        even("Deadline factor", "U[B₁, B₂]", "deadline")?,
        even("Migration cost", "U[D₁, D₂]", "migration")?,
        Judgement {
            what: "Arrivals are scaled by s",
            published: "s",
            ours: format!("gap over that without: {plain} at s = 1, {three} at s = 3"),
            verdict: Verdict::all([plain.within(0.99, 1.01), three.within(2.97, 3.03)]),
            why: "Rule: the mean gap is s times that without, within 1 %.".to_owned(),
        },
    ];
    Some(parts.into())
}

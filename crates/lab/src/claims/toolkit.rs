//! Rhodes, chapter 3: the simulator G-Sim and its random numbers. GridSim's table is of the same
//! kind.

use super::estimate::list;
use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const CHAPTER_3: Source = Source {
    title: "Rhodes, chapter 3",
    about: "The simulator G-Sim: a table worked by hand, and what its random numbers look like.",
    claims: &[
        Claim { id: "C13", needs: &["gsim-table"], judge: gsim },
        Claim { id: "C14", needs: &["randomisers"], judge: randomisers },
        Claim { id: "C15", needs: &["exponential"], judge: exponential },
    ],
};

pub(super) const GRIDSIM: Source = Source {
    title: "Buyya and Murshed: GridSim",
    about: "Table 5.1: three Gridlets on a resource of two PEs, shared in time or in space.",
    claims: &[Claim { id: "C20", needs: &["gridsim-table"], judge: gridsim }],
};

/// Whether jobs 1, 2, … of a table end when they should, and when they do.
fn ends(view: &View<'_>, before: &str, policy: &str, published: &[f64]) -> (Verdict, String) {
    let ours: Vec<Estimate> =
        (1..=published.len()).map(|job| view.exact(&format!("{before}{job}"), policy)).collect();
    let verdict = Verdict::all(ours.iter().zip(published).map(|(ours, end)| ours.agrees(*end)));
    let text: Vec<String> = ours.iter().map(|end| end.value.to_string()).collect();
    (verdict, text.join(", "))
}

fn gsim(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view("gsim-table", "end")?;
    let part = |what, size: &str, why: &str| {
        let (space, at) = ends(&view, size, "space-shared", &[13.0, 7.0, 17.0, 21.0]);
        let (time, shared) = ends(&view, size, "time-shared-gsim", &[17.0, 7.0, 16.0, 21.0]);
        Judgement {
            what,
            published: "space-shared 13, 7, 17, 21; time-shared 17, 7, 16, 21",
            ours: format!("{at}; {shared}"),
            verdict: Verdict::all([space, time]),
            why: why.to_owned(),
        }
    };
    let why = "Rule: all eight ends are equal. ";
    Some(vec![
        part(
            "Table 3.1 with a first job of 14 MI, as printed",
            "14/",
            &format!(
                "{why}On a PE of 1 MIPS no job of 14 MI ends at 13: the printed size is wrong."
            ),
        ),
        part("… with one of 13 MI", "13/", why.trim()),
    ])
}

fn gridsim(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view("gridsim-table", "end")?;
    let part = |what, published, policy, table: &[f64]| {
        let (verdict, ours) = ends(&view, "", policy, table);
        Judgement {
            what,
            published,
            ours,
            verdict,
            why: "Rule: all three ends are equal.".to_owned(),
        }
    };
    Some(vec![
        part(
            "Ends with PEs shared in time",
            "10, 14, 18",
            "time-shared-gridsim",
            &[10.0, 14.0, 18.0],
        ),
        part(
            "Ends with PEs shared in space",
            "10, 12.5, 19.5",
            "space-shared",
            &[10.0, 12.5, 19.5],
        ),
    ])
}

fn randomisers(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let (off, error) =
        (evidence.view("randomisers", "off")?, evidence.view("randomisers", "error")?);
    let chance = evidence.view("randomisers", "standard_error")?;
    let points = error.points();
    let is_step = |point: &String| {
        point.parse::<u32>().is_ok_and(|average| average % 5 == 0 && (5..100).contains(&average))
    };
    let (steps, between): (Vec<String>, Vec<String>) = points.iter().cloned().partition(is_step);
    let worst = |points: &[String], one: &str| {
        let all = points.iter().map(|point| error.mean(point, one));
        all.max_by(|a, b| a.value.abs().total_cmp(&b.value.abs())).unwrap_or(Estimate::none())
    };
    let unbiased = |points: &[String], one: &str| {
        Verdict::all(points.iter().map(|point| error.mean(point, one).within(-0.05, 0.05)))
    };
    Some(vec![
        Judgement {
            what: "Over 10,000 draws the mean is no more than 0.01 points from the average",
            published: "0.01",
            ours: format!(
                "mean distance at 50 %: {}",
                list(["even", "binomial"].map(|one| (one, off.mean("50", one))))
            ),
            verdict: Verdict::all(["even", "binomial"].map(|one| off.mean("50", one).below(0.01))),
            why: format!(
                "Rule: the distance at 50 %, over 100 times 10,000 draws, is below that on average. Chance alone makes it \
                 larger: standard errors are {:.2} and {:.2}.",
                chance.mean("50", "even").value,
                chance.mean("50", "binomial").value
            ),
        },
        Judgement {
            what: "The even randomiser keeps the average",
            published: "equations 3.2 to 3.5",
            ours: format!("largest bias {} points", worst(&points, "even")),
            verdict: unbiased(&points, "even"),
            why: "Rule: the mean distance is within ±0.05 points at every average.".to_owned(),
        },
        Judgement {
            what: "The binomial randomiser keeps averages that are multiples of 5, from 5 to 95",
            published: "20 trials worth 5 % each",
            ours: format!("largest bias {} points", worst(&steps, "binomial")),
            verdict: unbiased(&steps, "binomial"),
            why: "Rule: as above.".to_owned(),
        },
        Judgement {
            what: "… and others",
            published: "\"no more than 0.01 %\"",
            ours: format!("largest bias {} points", worst(&between, "binomial")),
            verdict: unbiased(&between, "binomial"),
            why: "Rule: as above. Averages are rounded to 5 points, so up to 2.5 are lost, and 0 and 100 % stand for the middle of half a step (erratum E13).".to_owned(),
        },
    ])
}

fn exponential(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = |metric| evidence.view("exponential", metric);
    let (p, error, cell) = (view("p")?, view("error")?, view("first_cell")?);
    let one = "inversion";
    Some(vec![
        Judgement {
            what: "Equation 3.10 draws exponential gaps",
            published: "figure 3.16",
            ours: format!(
                "mean {} % from 1/rate; mean p of Kolmogorov-Smirnov {}",
                error.mean("10", one),
                p.mean("10", one)
            ),
            verdict: Verdict::all(["10", "0.1"].map(|rate| {
                let fits = p.mean(rate, one).within(0.35, 0.65);
                Verdict::all([error.mean(rate, one).within(-0.5, 0.5), fits])
            })),
            why: "Rule: mean within 0.5 %, and p-values even as they are for the law itself: their mean within 0.35 to 0.65."
                .to_owned(),
        },
        Judgement {
            what: "The figure shows a rate of 10, counted in cells of ±0.25",
            published: "rate 10",
            ours: format!(
                "in the first half cell: {} % at rate 10, {} % at rate 0.1",
                cell.mean("10", one),
                cell.mean("0.1", one)
            ),
            verdict: cell.mean("10", one).below(50.0),
            why: "Rule: a curve needs more than one cell, so less than half of all in the first. With a mean of 10, rate 0.1, it is one."
                .to_owned(),
        },
    ])
}

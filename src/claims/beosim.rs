//! Jones and Pang: Beosim, clusters with parallel jobs.

use super::estimate::{LEAST, list};
use super::{Claim, Estimate, Evidence, Part, Source, Verdict};

pub(super) const SOURCE: Source = Source {
    title: "Jones and Pang: Beosim",
    about: "A simulator of clusters, checked against queueing theory, and policies for parallel jobs.",
    claims: &[Claim { id: "C28", needs: &[QUEUE], judge: queue }],
};

const QUEUE: &str = "mmm";
/// Mean gap, service time and servers of the published rows, with W, T and U in percent (erratum E23).
const TABLE: [(&str, [f64; 3]); 7] = [
    ("250 s, 150 s, 1", [225.0, 375.0, 60.0]),
    ("250 s, 150 s, 2", [14.84, 164.84, 30.0]),
    ("250 s, 150 s, 3", [1.54, 151.54, 20.0]),
    ("200 s, 170 s, 1", [963.33, 1133.33, 85.0]),
    ("200 s, 170 s, 2", [37.48, 207.48, 42.5]),
    ("200 s, 170 s, 3", [4.80, 174.80, 28.3]),
    ("200 s, 170 s, 4", [0.64, 170.64, 21.25]),
];
const METRICS: [&str; 3] = ["wait", "response", "utilisation"];
/// Half of the last digit that is printed.
const PRINTED: [f64; 3] = [0.005, 0.005, 0.05];

/// A metric of a row: by formula, and simulated on some shape of servers.
fn row(evidence: &Evidence, metric: &str, point: &str, shape: &str) -> (f64, Estimate) {
    let mean = |name: &str| {
        evidence.view(QUEUE, name).map_or(Estimate::none(), |view| view.mean(point, shape))
    };
    (mean(&format!("{metric}_formula")).value, mean(metric))
}

fn queue(evidence: &Evidence) -> Option<Vec<Part>> {
    let wait = evidence.view(QUEUE, "wait")?;
    let printed = TABLE.iter().flat_map(|(point, published)| {
        METRICS.into_iter().zip(published).zip(PRINTED).map(|((metric, published), digit)| {
            let (formula, _) = row(evidence, metric, point, "pool");
            Verdict::of((formula - published).abs() <= 1.001 * digit)
        })
    });
    let part = |what, shape: &'static str| {
        let all = TABLE.iter().flat_map(|(point, _)| METRICS.map(|metric| (metric, *point)));
        Part {
            what,
            published: "W 225.00, 14.84, 1.54; 963.33, 37.48, 4.80, 0.64",
            ours: format!("W in s: {}", list(TABLE.map(|(at, _)| (at, wait.mean(at, shape))))),
            verdict: Verdict::all(all.map(|(metric, point)| {
                let (formula, found) = row(evidence, metric, point, shape);
                is_near(found, formula)
            })),
            why: "Rule: W, T and U of all seven rows are within two half widths of the formulas, as 21 intervals are looked at at once."
                .to_owned(),
        }
    };
    Some(vec![
        Part {
            what: "W, T and U of the table are those of M/M/m",
            published: "225.00/375.00/.600 to 0.64/170.64/.2125",
            ours: "21 numbers by formula".to_owned(),
            verdict: Verdict::all(printed),
            why:
                "Rule: equal as far as printed, with service times of 150 and 170 s (erratum E23)."
                    .to_owned(),
        },
        part("Simulated with 100,000 jobs on a pool of nodes", "pool"),
        part("… on several clusters seen as one pool", "clusters"),
        part("… with jobs of equal size above 1", "wide"),
    ])
}

fn is_near(found: Estimate, formula: f64) -> Verdict {
    if found.n < LEAST {
        return Verdict::TooFewRuns;
    }
    Verdict::of((found.value - formula).abs() <= 2.0 * found.half)
}

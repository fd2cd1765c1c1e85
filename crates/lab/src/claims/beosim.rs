//! Jones and Pang: Beosim, clusters with parallel jobs.

use super::estimate::{LEAST, list};
use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const SOURCE: Source = Source {
    title: "Jones and Pang: Beosim",
    about: "A simulator of clusters, checked against queueing theory, and policies for parallel jobs.",
    claims: &[
        Claim { id: "C28", needs: &[QUEUE], judge: queue },
        Claim { id: "C29", needs: &[POLICIES], judge: policies },
    ],
};

const QUEUE: &str = "mmm";
/// Mean gap, service time and servers of the published rows, with W, T and U in percent (erratum
/// E23).
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

fn queue(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let wait = evidence.view(QUEUE, "wait")?;
    let printed = TABLE.iter().flat_map(|(point, published)| {
        METRICS.into_iter().zip(published).zip(PRINTED).map(|((metric, published), digit)| {
            let (formula, _) = row(evidence, metric, point, "pool");
            Verdict::of((formula - published).abs() <= 1.001 * digit)
        })
    });
    let part = |what, shape: &'static str| {
        let all = TABLE.iter().flat_map(|(point, _)| METRICS.map(|metric| (metric, *point)));
        Judgement {
            what,
            published: "W 225.00, 14.84, 1.54; 963.33, 37.48, 4.80, 0.64",
            ours: format!("W in s: {}", TABLE.map(|(at, _)| wait.mean(at, shape).to_string()).join(", ")),
            verdict: Verdict::all(all.map(|(metric, point)| {
                let (formula, found) = row(evidence, metric, point, shape);
                is_near(found, formula)
            })),
            why: "Rule: W, T and U of all seven rows are within two half widths of the formulas, as 21 intervals are looked at at once."
                .to_owned(),
        }
    };
    Some(vec![
        Judgement {
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

const POLICIES: &str = "beosim-policies";
/// The simple ones of the first test, but for priorities.
const SIMPLE: [&str; 10] =
    ["fcfs", "fcfs-scan", "sjf", "sjf-scan", "smjf", "swjf", "swjf-scan", "ljf", "bjf", "bjf-scan"];
const SCANS: [(&str, &str); 5] = [
    ("fcfs-scan", "fcfs"),
    ("sjf-scan", "sjf"),
    ("swjf-scan", "swjf"),
    ("ljf-scan", "ljf"),
    ("bjf-scan", "bjf"),
];
/// The mean gap with most work: more than the nodes can do.
const FULL: &str = "3000";
/// Gaps at which much waits, but nodes suffice.
const LOADED: [&str; 3] = ["6000", "5000", "4500"];
const BACKFILL: &str = "fcfs-scan-backfill";

fn policies(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = |metric| evidence.view(POLICIES, metric);
    let (used, wait) = (view("utilisation")?, view("wait")?);
    let (depth, longest) = (view("queue_depth")?, view("max_wait")?);
    let points = wait.points();
    let scans =
        points.iter().flat_map(|at| SCANS.map(|(scan, plain)| wait.decrease(at, scan, plain)));
    let more = |one: &str, other: &str| {
        let less = used.decrease(FULL, one, other);
        Estimate { value: -less.value, ..less }
    };
    let beaten = |view: &View<'_>, sign: f64| {
        let gains = SIMPLE[1..].iter().chain(["ljf-scan"].iter()).map(|one| {
            let less = view.decrease(FULL, one, "fcfs");
            Estimate { value: sign * less.value, ..less }.above(0.0)
        });
        let gains: Vec<Verdict> = gains.collect();
        if gains.contains(&Verdict::Reproduced) { Verdict::Reproduced } else { Verdict::all(gains) }
    };
    let shown = |view: &View<'_>, all: &[&'static str]| {
        list(all.iter().map(|&one| (one, view.mean(FULL, one))))
    };
    let gain = more(BACKFILL, "fcfs");
    let points_more =
        used.per_world(|world| Some(world.value(FULL, BACKFILL)? - world.value(FULL, "fcfs")?));
    Some(vec![
        Judgement {
            what: "Every SCAN variant beats its plain counterpart",
            published: "\"always produced better results\"",
            ours: format!(
                "wait less by % at 6000 s: {}",
                list(SCANS.map(|(scan, plain)| (scan, wait.decrease("6000", scan, plain))))
            ),
            verdict: Verdict::all(scans.map(|less| less.above(0.0))),
            why: "Rule: less mean wait for the five pairs of the report at all ten gaps."
                .to_owned(),
        },
        Judgement {
            what: "FCFS is best in no criterion",
            published: "utilisation, queue depth, wait",
            ours: format!(
                "at {FULL} s: utilisation % {}",
                shown(&used, &["fcfs", "fcfs-scan", "sjf-scan"])
            ),
            verdict: Verdict::all([beaten(&used, -1.0), beaten(&wait, 1.0), beaten(&depth, 1.0)]),
            why: format!(
                "Rule: in each of the three another simple policy is better at a gap of {FULL} s."
            ),
        },
        Judgement {
            what: "LJF_SCAN gives the best utilisation of the simple ones",
            published: "best",
            ours: format!(
                "% {}",
                shown(&used, &["ljf-scan", "bjf-scan", "fcfs-scan", "sjf-scan", "swjf-scan"])
            ),
            verdict: Verdict::all(SIMPLE.iter().map(|other| more("ljf-scan", other).above(0.0))),
            why: format!(
                "Rule: more than each of the ten others at a gap of {FULL} s, where there is more work than nodes."
            ),
        },
        Judgement {
            what: "FCFS with backfill uses about 25 % more than FCFS",
            published: "almost 25 %",
            ours: format!("{gain} %"),
            verdict: gain.within(20.0, 30.0),
            why: format!("Rule: 20 to 30 % more at a gap of {FULL} s."),
        },
        Judgement {
            what: "… read as points of utilisation",
            published: "almost 25",
            ours: format!("{points_more} points"),
            verdict: points_more.within(20.0, 30.0),
            why: format!("Rule: 20 to 30 points more at a gap of {FULL} s."),
        },
        Judgement {
            what: "… without starving",
            published: "\"prevents starvation\"",
            ours: format!(
                "longest wait less by % than with FCFS_SCAN: {}",
                list(LOADED.map(|at| (at, longest.decrease(at, BACKFILL, "fcfs-scan"))))
            ),
            verdict: Verdict::all(
                LOADED.map(|at| longest.decrease(at, BACKFILL, "fcfs-scan").above(0.0)),
            ),
            why: "Rule: the longest wait is less than with FCFS_SCAN, which lets others pass for ever, at gaps of 4500 to 6000 s, where nodes suffice."
                .to_owned(),
        },
        Judgement {
            what: "… nor with more work than nodes",
            published: "\"prevents starvation\"",
            ours: format!("longest wait in s: {}", shown(&longest, &["fcfs", "fcfs-scan", BACKFILL])),
            verdict: longest.decrease(FULL, BACKFILL, "fcfs-scan").above(0.0),
            why: format!("Rule: as above at {FULL} s. The queue grows for ever there, so this says little of starving."),
        },
    ])
}

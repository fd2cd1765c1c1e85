//! Claims of Jones and Pang: Beosim, clusters with parallel jobs.

use super::evidence::{Pair, View};
use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

const QUEUE: &str = "mmm";
/// Mean interarrival time, service time and servers of the published rows, with W, T and U in
/// percent (erratum E23).
const TABLE: [(&str, [f64; 3]); 7] = [
    ("250 s, 150 s, 1", [225.0, 375.0, 60.0]),
    ("250 s, 150 s, 2", [14.84, 164.84, 30.0]),
    ("250 s, 150 s, 3", [1.54, 151.54, 20.0]),
    ("200 s, 170 s, 1", [963.33, 1133.33, 85.0]),
    ("200 s, 170 s, 2", [37.48, 207.48, 42.5]),
    ("200 s, 170 s, 3", [4.80, 174.80, 28.3]),
    ("200 s, 170 s, 4", [0.64, 170.64, 21.25]),
];
/// Metrics with half a unit of the last printed digit.
const METRICS: [(&str, f64); 3] = [("wait", 0.005), ("response", 0.005), ("utilisation", 0.05)];

/// A metric of a row: by formula, and simulated with some kind of servers.
fn row(evidence: &Evidence, metric: &str, point: &str, shape: &str) -> (f64, Estimate) {
    let mean = |name: &str| {
        evidence.view(QUEUE, name).map_or(Estimate::none(), |view| view.mean(point, shape))
    };
    (mean(&format!("{metric}_formula")).value, mean(metric))
}

pub fn queue(evidence: &Evidence) -> Judged {
    let wait = evidence.view(QUEUE, "wait")?;
    let printed = TABLE.iter().flat_map(|(point, published)| {
        METRICS.iter().zip(published).map(|((metric, digit), published)| {
            let (formula, _) = row(evidence, metric, point, "pool");
            Verdict::of((formula - published).abs() <= 1.001 * digit)
        })
    });
    let part = |shape| {
        let near = TABLE.iter().flat_map(|(point, _)| {
            METRICS.map(|(metric, _)| {
                let (formula, found) = row(evidence, metric, point, shape);
                found.is_near(formula)
            })
        });
        let shown = TABLE.map(|(point, _)| wait.mean(point, shape).to_string());
        Found::new(Verdict::all(near), &[&shown.join(", ")])
    };
    Some(vec![Found::new(Verdict::all(printed), &[]), part("pool"), part("clusters"), part("wide")])
}

/// The simple policies of the first test, without priorities.
const SIMPLE: [&str; 10] =
    ["fcfs", "fcfs-scan", "sjf", "sjf-scan", "smjf", "swjf", "swjf-scan", "ljf", "bjf", "bjf-scan"];
const SCANS: [Pair; 5] = [
    ("fcfs-scan", "fcfs"),
    ("sjf-scan", "sjf"),
    ("swjf-scan", "swjf"),
    ("ljf-scan", "ljf"),
    ("bjf-scan", "bjf"),
];
/// Difference in percent that counts as none: at long gaps all policies use the nodes equally.
const ALIKE: f64 = 1.0;
/// Mean interarrival time with the most work: more than the nodes can do.
const FULL: &str = "3000";
/// Interarrival times at which many jobs wait but the nodes suffice.
const LOADED: [&str; 3] = ["6000", "5000", "4500"];
const BACKFILL: &str = "fcfs-scan-backfill";

pub fn policies(evidence: &Evidence) -> Judged {
    let view = |metric| evidence.view("beosim-policies", metric);
    let (used, wait) = (view("utilisation")?, view("wait")?);
    let (depth, longest) = (view("queue_depth")?, view("max_wait")?);
    let less = |view: &View<'_>, one: &str, other: &str| view.decrease(FULL, one, other);
    let more = |one: &str, other: &str| less(&used, one, other).negative();
    let better = |gain: &dyn Fn(&str) -> Estimate| {
        let others = SIMPLE[1..].iter().chain(&["ljf-scan"]);
        Estimates::of(others, gain).any(|gain| gain.above(0.0))
    };
    let is_beaten = Verdict::all([
        better(&|one| more(one, "fcfs")),
        better(&|one| less(&wait, one, "fcfs")),
        better(&|one| less(&depth, one, "fcfs")),
    ]);
    let shown = |view: &View<'_>, all: &[&str]| Estimates::of(all, |one| view.mean(FULL, one));
    let criteria = [scans(&wait, 1.0), scans(&depth, 1.0), scans(&used, -1.0)];
    let [shorter, smaller, fuller] = criteria.each_ref().map(Estimates::least);
    let all: Estimates = criteria.iter().cloned().flatten().collect();
    let gain = more(BACKFILL, "fcfs");
    let points_more =
        used.per_world(|world| Some(world.value(FULL, BACKFILL)? - world.value(FULL, "fcfs")?));
    let patient = Estimates::of(LOADED, |at| longest.decrease(at, BACKFILL, "fcfs-scan"));
    Some(vec![
        Found::new(
            all.all(|gain| gain.above_or_alike(ALIKE)),
            &[&shorter.1, &shorter.0, &smaller.1, &smaller.0, &fuller.1, &fuller.0],
        ),
        Found::new(is_beaten, &[&shown(&used, &["fcfs", "fcfs-scan", "sjf-scan"])]),
        Found::new(
            Estimates::of(SIMPLE, |other| more("ljf-scan", other)).above(0.0),
            &[&shown(&used, &["ljf-scan", "bjf-scan", "fcfs-scan", "sjf-scan", "swjf-scan"])],
        ),
        Found::new(gain.within(20.0, 30.0), &[&gain]),
        Found::new(points_more.within(20.0, 30.0), &[&points_more]),
        Found::new(patient.above(0.0), &[&patient]),
        Found::new(
            less(&longest, BACKFILL, "fcfs-scan").above(0.0),
            &[&shown(&longest, &["fcfs", "fcfs-scan", BACKFILL])],
        ),
    ])
}

/// By how much every SCAN variant is better than its plain counterpart at every gap, in percent.
/// `sign` is -1 where more is better.
fn scans(view: &View<'_>, sign: f64) -> Estimates {
    let gain = |at: &str, (scan, plain): &Pair| {
        let less = view.decrease(at, scan, plain);
        (format!("{scan} at {at} s"), Estimate { value: sign * less.value, ..less })
    };
    let at = |at: &String| SCANS.iter().map(|pair| gain(at, pair)).collect::<Vec<_>>();
    view.points().iter().flat_map(at).collect()
}

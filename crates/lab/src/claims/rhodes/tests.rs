//! Simulated worlds in which the claims of chapter 4 hold, and worlds in which they do not.

use super::super::worlds::Made;
use super::*;
use Verdict::{Refuted, Reproduced, TooFewRuns, Undecidable};

const BOTH: &[&str] = &[MAKESPAN, JOBS];

fn verdicts(judge: fn(&Evidence) -> Judged, evidence: &Evidence) -> Vec<Verdict> {
    judge(evidence).expect("all is there").iter().map(|part| part.verdict).collect()
}

fn number(point: &str) -> f64 {
    point.parse().expect("a number")
}

fn shares(worlds: u32) -> Made {
    Made::new("qos-share", &["0", "25", "50", "75", "100"], BOTH).worlds(worlds)
}

/// Time-limit modes gain `percent` at 50 %, and only there.
fn as_published(percent: f64) -> impl Fn(&str, &str, &str) -> f64 {
    move |at, algorithm, _| {
        let gain = if at == "50" && algorithm.starts_with("tl") { percent } else { 0.0 };
        (20_000.0 + 200.0 * number(at)) * (1.0 - gain / 100.0)
    }
}

#[test]
fn share_of_qos() {
    let good = shares(100).evidence(as_published(1.8));
    assert_eq!(verdicts(qos::rises, &good), [Reproduced, Reproduced, Reproduced]);
    // The paired test detects what the thesis' t cannot, because worlds differ by a third.
    let significance = verdicts(qos::significance, &good);
    assert_eq!(significance[0], Refuted, "t above 1.96");
    assert_eq!(significance[2..], [Reproduced, Reproduced, Reproduced]);
    assert_eq!(verdicts(qos::time_limit, &good), [Reproduced, Reproduced]);
    let other = shares(100).evidence(as_published(0.9));
    assert_eq!(verdicts(qos::time_limit, &other), [Reproduced, Refuted]);
    let falls = shares(100).evidence(|at, _, _| 30_000.0 - 100.0 * number(at));
    assert_eq!(verdicts(qos::rises, &falls), [Refuted; 3]);
}

#[test]
fn few_worlds_decide_nothing() {
    let few = shares(5).evidence(as_published(1.8));
    for judge in [qos::rises, qos::significance, qos::time_limit, qos::guided] {
        assert!(verdicts(judge, &few).iter().all(|&verdict| verdict == TooFewRuns));
    }
    // For the thesis' t fewer than a hundred worlds are too few.
    let some = shares(99).evidence(as_published(1.8));
    let verdicts = verdicts(qos::significance, &some);
    assert_eq!((verdicts[0], verdicts[2], verdicts[3]), (TooFewRuns, TooFewRuns, Reproduced));
}

#[test]
fn a_gain_in_the_wrong_place_is_told() {
    let good = shares(100).evidence(|at, algorithm, _| {
        let gain = if at == "75" && algorithm.starts_with("tl") { 1.8 } else { 0.0 };
        25_000.0 * (1.0 - gain / 100.0)
    });
    assert_eq!(verdicts(qos::time_limit, &good), [Undecidable, Reproduced]);
    assert_eq!(verdicts(qos::significance, &good)[3..], [Refuted, Refuted]);
}

#[test]
fn guided_or_not() {
    let gain = |percent: f64| {
        shares(100).evidence(move |_, algorithm, _| {
            let gain = if algorithm == "qgmm" { percent } else { 0.0 };
            25_000.0 * (1.0 - gain / 100.0)
        })
    };
    assert_eq!(verdicts(qos::guided, &gain(0.05)), [Reproduced, Refuted, Reproduced]);
    assert_eq!(verdicts(qos::guided, &gain(0.17)), [Undecidable, Reproduced, Reproduced]);
    assert_eq!(verdicts(qos::guided, &gain(11.41)), [Refuted; 3]);
}

fn waits(worlds: u32) -> Made {
    Made::new("wait-time", &["5", "10", "20", "100", "500", "1000", "2000"], BOTH).worlds(worlds)
}

#[test]
fn wait_times() {
    // From 2 % at 5 s down to 0 at 2000 s, linear in the logarithm; MCT is 1 % worse than batch
    // modes.
    let value = |fall: f64| {
        move |at: &str, algorithm: &str, metric: &str| {
            let gain = fall * (1.0 - (number(at) / 5.0).ln() / 400_f64.ln());
            match (metric, algorithm) {
                (JOBS, "tlmm") => 48.0 * 0.0793,
                (JOBS, "tlqmm") => 48.0 * 0.5798,
                (JOBS, _) => 48.0,
                (_, "tlmm" | "tlqmm") => 30_000.0 * (1.0 - gain / 100.0),
                (_, "mct" | "mct-batch") => 30_300.0,
                _ => 30_000.0,
            }
        }
    };
    let good = waits(100).evidence(value(2.0));
    let found = verdicts(wait::gain, &good);
    assert_eq!(
        (found[0], found[1], found[3], found[5]),
        (Reproduced, Reproduced, Reproduced, Reproduced)
    );
    assert_eq!((found[2], found[4]), (Refuted, Refuted), "no such t in worlds this different");
    assert_eq!(verdicts(wait::jobs, &good), [Reproduced, Reproduced]);
    let grows = waits(100).evidence(value(-2.0));
    assert_eq!(verdicts(wait::gain, &grows)[..2], [Refuted, Refuted]);
    let few = waits(5).evidence(value(2.0));
    assert!(verdicts(wait::gain, &few).iter().all(|&verdict| verdict == TooFewRuns));
}

#[test]
fn long_waits() {
    let points =
        ["1000", "2000", "5000", "10000", "15000", "20000", "25000", "30000", "35000", "40000"];
    let value = |meet: f64| {
        move |at: &str, algorithm: &str, metric: &str| match (metric, algorithm) {
            (JOBS, "tlmm" | "tlqmm") => 45.0 * (number(at) / meet).min(1.0),
            (JOBS, _) => 45.0,
            _ => 30_000.0,
        }
    };
    let good = Made::new("wait-time-long", &points, BOTH).evidence(value(30_000.0));
    assert_eq!(verdicts(wait::long, &good)[..3], [Reproduced; 3]);
    let later = Made::new("wait-time-long", &points, BOTH).evidence(value(60_000.0));
    assert_eq!(verdicts(wait::long, &later)[..3], [Refuted, Reproduced, Reproduced]);
    let sooner = Made::new("wait-time-long", &points, BOTH).evidence(value(5_000.0));
    assert_eq!(verdicts(wait::long, &sooner)[..3], [Reproduced, Refuted, Refuted]);
    // These artificial makespans do not grow with the wait.
    assert_eq!(verdicts(wait::long, &good)[3], Refuted);
}

#[test]
fn sizes() {
    let made =
        || Made::new("grid-size", &["2", "10", "20", "50", "100", "150", "200", "250"], BOTH);
    let value = |far: f64| {
        move |at: &str, algorithm: &str, _: &str| {
            let gain = match (at, algorithm) {
                ("20", "tlmm") => 1.86,
                ("10", "tlqmm") => 2.09,
                ("250", "mct" | "mct-batch") => -3.0,
                ("100" | "250", "tlmm" | "tlqmm") => far,
                _ => 0.0,
            };
            3e5 / number(at) * (1.0 - gain / 100.0)
        }
    };
    assert_eq!(verdicts(size::gain, &made().evidence(value(0.0))), [Reproduced; 6]);
    let far = verdicts(size::gain, &made().evidence(value(4.0)));
    assert_eq!(far, [Refuted, Refuted, Reproduced, Refuted, Refuted, Reproduced]);
}

#[test]
fn speeds() {
    let made = || Made::new("heterogeneity", &["100", "200", "1000", "10000"], BOTH);
    let value = |fewer: f64| {
        move |at: &str, algorithm: &str, metric: &str| match (metric, at, algorithm) {
            (JOBS, "100", "tlmm") => 2.0,
            (JOBS, "100", "tlqmm") => 22.0,
            (JOBS, "10000", "tlmm") => 48.0 * (1.0 - fewer / 100.0),
            (JOBS, ..) => 48.0,
            _ => 1e6 / number(at),
        }
    };
    assert_eq!(verdicts(speed::gain, &made().evidence(value(34.02))), [Reproduced; 5]);
    assert_eq!(verdicts(speed::gain, &made().evidence(value(60.0)))[2], Refuted);
}

#[test]
fn wrong_estimates() {
    let made = || Made::new("information", &["0", "10", "50", "70", "90"], BOTH);
    let value = |limit: f64| {
        move |at: &str, algorithm: &str, _: &str| {
            let guided = if number(at) < 20.0 { 0.3 } else { -0.3 };
            let factor = match algorithm {
                "qgmm" => 1.0 - guided / 100.0,
                "tlmm" | "tlqmm" => limit,
                _ => 1.0,
            };
            (30_000.0 + 100.0 * number(at)) * factor
        }
    };
    assert_eq!(verdicts(information::gain, &made().evidence(value(0.97))), [Reproduced; 4]);
    assert_eq!(verdicts(information::gain, &made().evidence(value(1.03)))[3], Refuted);
}

#[test]
fn local_load() {
    let value = |start: f64| {
        move |at: &str, algorithm: &str, _: &str| {
            let limit = if at.contains('/') { 0.0 } else { number(at) };
            let base = 19_000.0 + 200.0 * limit;
            match algorithm {
                "tlmm" => base * (if limit == 0.0 { start } else { 1.0 - limit / 200.0 }),
                "tlqmm" => base * (0.97 - limit / 400.0),
                "minmin" | "qgmm" => base * 0.98,
                _ => base,
            }
        }
    };
    let found = |start: f64, other: f64| {
        let swept = Made::new("local-usage", &["0", "10", "20", "30", "40", "50"], BOTH);
        let mut evidence = swept.evidence(value(start));
        let readings = Made::new("local-usage-readings", &["10/fast", "10/slow"], BOTH);
        let readings = readings.results(|at, algorithm, metric| {
            value(if at == "10/fast" { start } else { other })(at, algorithm, metric)
        });
        evidence.add(readings, None);
        verdicts(local::gain, &evidence)
    };
    let good = found(0.99, 0.99);
    assert_eq!(
        (good[0], good[1], good[3], good[4]),
        (Reproduced, Reproduced, Reproduced, Reproduced)
    );
    assert_eq!(found(0.9, 0.9)[1], Refuted);
    assert_eq!(found(1.1, 1.1)[1], Refuted);
    assert_eq!(found(0.9, 1.1)[1], Undecidable, "something between may be second worst");
    assert_eq!(found(0.9, 0.99)[1], Undecidable, "it depends on what is not published");
}

#[test]
fn what_is_not_known_is_not_judged() {
    let evidence = shares(100).evidence(|_, _, _| 1.0);
    assert_eq!(verdicts(time::taken, &evidence), [Undecidable]);
    assert!(wait::gain(&evidence).is_none());
}

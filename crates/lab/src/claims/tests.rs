//! The list of claims, the scorecard, and artificial worlds in which claims outside chapter 4 hold
//! or do not.

use std::collections::BTreeSet;

use super::worlds::Made;
use super::*;
use crate::experiment::{BUILT_IN, Changes, Outcome, Outcomes, Results, built_in};
use Verdict::{Refuted, Reproduced, TooFewRuns, Undecidable};

fn card(id: &str, evidence: &Evidence) -> Scorecard {
    let card = Scorecard::of(evidence, |claim| claim.id == id);
    assert!(!card.rows.is_empty(), "{id}");
    card
}

fn verdicts(id: &str, evidence: &Evidence) -> Vec<Verdict> {
    card(id, evidence).rows.iter().map(|row| row.verdict).collect()
}

#[test]
fn all_claims_are_there_once_with_experiments_that_are() {
    let found: Vec<&str> = claims().map(|claim| claim.id.as_str()).collect();
    let expected: BTreeSet<String> = (1..=29).map(|number| format!("C{number}")).collect();
    assert_eq!(found.iter().map(|&id| id.to_owned()).collect::<BTreeSet<_>>(), expected);
    assert_eq!(found.len(), 29);
    for claim in claims() {
        for name in &claim.needs {
            assert!(built_in(name).is_some(), "{} needs {name}", claim.id);
        }
    }
}

/// Arbitrary values for everything that the built-in experiments measure.
fn anything() -> Evidence {
    let mut evidence = Evidence::default();
    for one in BUILT_IN {
        let mut experiment = one.read(&Changes::default()).expect("it is built in");
        experiment.replications = 1;
        let values = experiment.metrics.iter().map(|_| Some(1.0)).collect();
        let all = vec![Outcome::Values(values); experiment.run_count()];
        let outcomes = Outcomes::of(experiment.metrics.len(), all);
        evidence.add(Results::new(experiment, outcomes), None);
    }
    evidence
}

#[test]
fn every_row_has_a_judge_and_every_judge_its_rows() {
    let judges: BTreeSet<&str> = JUDGES.iter().map(|(id, _)| *id).collect();
    assert_eq!(judges, claims().map(|claim| claim.id.as_str()).collect());
    let places = |text: &str| text.matches("{}").count();
    let evidence = anything();
    for claim in claims() {
        let id = &claim.id;
        let found = claim.judge(&evidence).expect("every metric is there");
        assert_eq!(found.len(), claim.statements.len(), "{id}");
        for (found, texts) in found.iter().zip(&claim.statements) {
            assert_eq!(found.ours.len(), places(&texts.ours), "{id}: {}", texts.what);
            assert_eq!(found.why.len(), places(&texts.why), "{id}: {}", texts.what);
        }
    }
}

/// Judges look up points by the labels of their values; all of these must exist.
#[test]
fn built_in_experiments_have_the_points_that_judges_look_for() {
    let points = |name: &str| -> Vec<String> {
        let experiment = built_in(name).and_then(|one| one.read(&Changes::default()).ok());
        let axes = experiment.expect("it is there").axes;
        axes.iter().flat_map(|axis| (0..axis.values.len()).map(|at| axis.value_label(at))).collect()
    };
    for (name, wanted) in [
        ("qos-share", "0 25 50 75 100"),
        ("qos-ends", "0 25 75 100"),
        ("wait-time", "5 2000"),
        ("wait-time-long", "1000 2000 10000 20000 30000 35000 40000"),
        ("grid-size", "10 20 100 250"),
        ("heterogeneity", "100 10000"),
        ("information", "0 10 50 70 90"),
        ("local-usage", "0 50"),
        ("local-usage-readings", "0 10 50 fast idle busy"),
        ("braun-met", "u_c_hihi u_c_lolo"),
        ("gsim-table", "13 14 1 2 3 4"),
        ("gridsim-table", "1 2 3"),
        ("randomisers", "50 22"),
        ("exponential", "10 0.1"),
        ("encodings", "below-optimum 14"),
        ("encoding-digits", "100 1000 10000 100000"),
        ("strategies", "U1-100 10×3"),
        ("workload-shares", "1 1.2 1.5 2 3"),
        ("dside-desktop", "500/40 300/200 200/200 200/280 short medium long"),
        ("dside-recovery", "lost restart checkpoint migrate 500/40 300/200 200/200 medium long"),
        ("beosim-policies", "6000 5000 4500 3000"),
    ] {
        let found = points(name);
        for label in wanted.split(' ') {
            assert!(found.iter().any(|one| one == label), "{name}: no {label} in {found:?}");
        }
    }
    assert_eq!(points("wait-time").len(), 7, "as many as in figure 4.6");
}

#[test]
fn tables() {
    let ends = |policy: &str, job: usize, first: f64| match policy {
        "space-shared" => [first, 7.0, 17.0, first + 8.0][job - 1],
        _ => [first + 4.0, 7.0, 16.0, 21.0][job - 1],
    };
    let points = ["13/1", "13/2", "13/3", "13/4", "14/1", "14/2", "14/3", "14/4"];
    let made = Made::new("gsim-table", &points, &["end"]).worlds(1).exact();
    let evidence =
        made.algorithms(&["space-shared", "time-shared-gsim"]).evidence(|at, policy, _| {
            let (size, job) = at.split_once('/').expect("two axes");
            ends(policy, job.parse().expect("a job"), size.parse().expect("a size"))
        });
    assert_eq!(verdicts("C13", &evidence), [Refuted, Reproduced]);

    let table = |third: f64| {
        let made = Made::new("gridsim-table", &["1", "2", "3"], &["end"]).worlds(1).exact();
        let algorithms = ["time-shared-gridsim", "space-shared", "time-shared-gsim"];
        made.algorithms(&algorithms).evidence(move |at, policy, _| match (at, policy) {
            ("1", _) => 10.0,
            ("2", "space-shared") => 12.5,
            ("2", _) => 14.0,
            (_, "space-shared") => 19.5,
            _ => third,
        })
    };
    assert_eq!(verdicts("C20", &table(18.0)), [Reproduced, Reproduced]);
    assert_eq!(verdicts("C20", &table(17.5)), [Refuted, Reproduced]);
}

fn failing(down: f64, medium: f64) -> Evidence {
    let rows = ["500/40", "300/200", "200/200", "200/280"];
    let lengths = ["short", "medium", "long"];
    let points = rows.iter().flat_map(|row| lengths.map(|length| format!("{row}/{length}")));
    let points: Vec<String> = points.collect();
    let names: Vec<&str> = points.iter().map(String::as_str).collect();
    let metrics = ["lost_jobs", "lost_work", "useful_work", "downtime"];
    let made = Made::new("dside-desktop", &names, &metrics).worlds(20).algorithms(&["own"]);
    let share = move |at: &str| match at.rsplit('/').next() {
        Some("short") => 3.0,
        Some("medium") => medium,
        _ => 57.0,
    };
    let useful = |at: &str| match (at.starts_with("300/200"), at.ends_with("long")) {
        (true, true) => 45.0,
        (true, false) => 70.0,
        (false, true) => 0.5,
        (false, false) => 58.0,
    };
    made.calm().evidence(move |at, _, metric| match metric {
        "downtime" => down,
        "useful_work" => useful(at),
        _ => share(at),
    })
}

#[test]
fn failures() {
    assert_eq!(verdicts("C24", &failing(5.0, 34.0)), [Reproduced; 3]);
    assert_eq!(verdicts("C24", &failing(7.4, 17.0)), [Refuted; 3]);
    assert_eq!(verdicts("C25", &failing(5.0, 34.0)), [Reproduced; 2]);
    let tornado = |lost: f64, worlds| {
        let made =
            Made::new("dside-tornado", &["450/50/x", "400/60/x"], &["lost_jobs", "downtime"]);
        let made = made.worlds(worlds).algorithms(&["own"]).calm();
        made.evidence(move |_, _, metric| if metric == "downtime" { 10.0 } else { lost })
    };
    assert_eq!(verdicts("C26", &tornado(7.0, 10)), [Reproduced]);
    assert_eq!(verdicts("C26", &tornado(2.5, 10)), [Undecidable], "too little is published");
    assert_eq!(verdicts("C26", &tornado(7.0, 3)), [TooFewRuns]);
}

#[test]
fn matrices() {
    let kinds = ["u_c_hihi", "u_c_lolo", "u_s_hihi", "u_i_hihi", "u_i_lolo"];
    let algorithms =
        ["olb", "met", "mct", "minmin", "maxmin", "duplex", "sa-braun", "ga", "gsa", "tabu-braun"];
    let made = || Made::new("braun", &kinds, &["makespan"]).worlds(20).algorithms(&algorithms);
    let value = |genetic: f64| {
        move |at: &str, one: &str, _: &str| {
            let consistent = at.starts_with("u_c");
            let minmin = if consistent { 85.0 } else { 99.0 };
            match one {
                "met" => 500.0,
                "mct" => 100.0,
                "minmin" => minmin,
                // Otherwise noise between runs would make it slightly worse.
                "duplex" => minmin * 0.99,
                "ga" => minmin * genetic,
                "gsa" | "tabu-braun" | "sa-braun" => minmin * 0.985,
                _ => 150.0,
            }
        }
    };
    let with_met = |mut evidence: Evidence, annealing: f64, worlds: u32| {
        let made = Made::new("braun-met", &kinds[..2], &["makespan"]).worlds(worlds);
        let made = made.algorithms(&["olb", "met", "mct", "sa-braun"]);
        let value = move |_: &str, one: &str, _: &str| match one {
            "met" => 500.0,
            "sa-braun" => annealing,
            _ => 150.0,
        };
        evidence.add(made.results(value), None);
        verdicts("C18", &evidence)
    };
    let good = with_met(made().evidence(value(0.93)), 83.0, 20);
    assert_eq!(good, [Reproduced; 8]);
    assert_eq!(with_met(made().evidence(value(0.93)), 600.0, 20)[4], Refuted);
    let worse = with_met(made().evidence(value(0.99)), 83.0, 20);
    assert_eq!(worse[5..7], [Refuted, Refuted]);
    let few = with_met(made().worlds(5).evidence(value(0.93)), 83.0, 5);
    assert!(few.iter().all(|&v| v == TooFewRuns), "{few:?}");
}

#[test]
fn pages_and_tables_are_well_formed() {
    let evidence = failing(5.0, 34.0);
    let card = Scorecard::of(&evidence, |claim| matches!(claim.id.as_str(), "C24" | "C25"));
    assert_eq!(card.counts(), "5 published statements: 5 reproduced");
    let (mut page, mut csv) = (Vec::new(), Vec::new());
    card.write_markdown(&mut page, "gridsat experiment claims").expect("memory");
    let page = String::from_utf8(page).expect("text");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| C2")).collect();
    assert_eq!(rows.len(), 5);
    for row in &rows {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 7, "{row}");
    }
    assert!(page.contains("\n- 20: `dside-desktop`\n"), "{page}");
    assert!(rows[1].contains("| as above |"), "{}", rows[1]);
    assert!(!page.contains("## Rhodes"), "no empty sections");
    card.write_csv(&mut csv).expect("memory");
    assert_eq!(String::from_utf8(csv).expect("text").lines().count(), 6);
}

/// Statements that no source makes are marked, and none of them has a published number.
#[test]
fn own_statements_are_marked() {
    let all: Vec<&Texts> = claims().flat_map(|claim| &claim.statements).collect();
    for texts in &all {
        assert_eq!(texts.own, texts.published.starts_with('('), "{}", texts.what);
    }
    assert_eq!(all.iter().filter(|texts| texts.own).count(), 13);
}

/// Statements of both kinds and what can only hold are counted separately, and rows say why they
/// are open and how their rules were changed.
#[test]
fn counts_and_reasons() {
    let quiet = |at: &str, one: &str, _: &str| match (at, one) {
        ("100", "tlmm" | "tlqmm") => 29_000.0,
        ("250", "mct" | "mct-batch") => 31_000.0,
        _ => 30_000.0,
    };
    let sizes = ["2", "10", "20", "50", "100", "150", "200", "250"];
    let evidence = Made::new("grid-size", &sizes, &["makespan", "mean_jobs"]).evidence(quiet);
    let card = card("C8", &evidence);
    let verdicts: Vec<Verdict> = card.rows.iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts[2..5], [Verdict::Vacuous, Refuted, Reproduced]);
    let counts = "4 published statements: 1 reproduced, 1 vacuous (C8c), 2 refuted; 2 of our own: \
                  1 reproduced, 1 refuted";
    assert_eq!(card.counts(), counts);
    let why = &card.rows[2].why;
    assert!(
        why.ends_with(
            "; *changed after a look at the data:* added, as C8d and C8e had the \
                           only rule"
        ),
        "{why}"
    );
    let open = scorecard_of_tornado();
    assert!(open.contains("; undecidable because too little is published"), "{open}");
}

fn scorecard_of_tornado() -> String {
    let made = Made::new("dside-tornado", &["450/50/x"], &["lost_jobs", "downtime"]);
    let made = made.worlds(10).algorithms(&["own"]).calm();
    let evidence = made.evidence(|_, _, metric| if metric == "downtime" { 10.0 } else { 2.5 });
    card("C26", &evidence).rows[0].why.clone()
}

#[test]
fn what_is_missing_is_told() {
    let card = card("C24", &Evidence::default());
    assert_eq!((card.rows.len(), card.rows[0].verdict), (1, TooFewRuns));
    assert_eq!(card.rows[0].claim, "C24");
}

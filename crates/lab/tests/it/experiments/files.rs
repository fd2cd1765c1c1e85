//! Experiment files: accepted contents, and messages for invalid ones.

use super::*;
use gridsat_lab::experiment::PointId;

fn error(text: &str) -> String {
    let read = Experiment::parse(text, Syntax::Toml, "x.toml", Path::new(""), &Changes::default());
    let checked = read.and_then(|experiment| experiment.prepare(&Stop::never()).map(drop));
    let error = checked.expect_err("something is wrong").to_string();
    assert!(!error.contains('\n'), "one line: {error}");
    error
}

#[test]
fn wrong_files_are_told_in_one_line_with_the_place() {
    let with = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        error(&SMALL.replace(from, to))
    };
    for (from, to, expected) in [
        ("replications = 4", "replicatons = 4", "x.toml:2:1: unknown field `replicatons`"),
        ("replications = 4", "replications = 0", "0 runs, must be 1 to 100000000"),
        ("replications = 4", "replications = 4000000000", "runs, must be 1 to 100000000"),
        ("\"mct\", \"minmin\"", "\"mct\", \"mct\"", "algorithm \"mct\" is listed twice"),
        ("\"minmin\", \"tlmm\"", "\"minmax2\"", "at users.qos = 0: policy \"minmax2\" is unknown"),
        ("\"ratio\"", "\"speed\"", ": metrics: no \"speed\" in grid; known: makespan, "),
        ("\"ratio\"", "\"spe\\ned\"", ": metrics: no \"spe\\ned\" in grid; known: makespan, "),
        ("\"minmin\", \"tlmm\"", "\"a\\nb\", \"a\\nb\"", "algorithm \"a\\nb\" is listed twice"),
        ("baseline = \"mct\"", "baseline = \"met\"", "baseline: \"met\" is not among"),
        ("baseline = \"mct\"", "pairs = [[\"mct\", \"x\"]]", "pairs: \"x\" is not among"),
        ("gsim-base", "gsim", ": base: no template \"gsim\""),
        ("template = \"gsim-base\"", "subject = \"moon\"", "no subject \"moon\"; known: grid,"),
        ("template = \"gsim-base\"", "", "needs exactly one of scenario, template, subject"),
        ("template = \"gsim-base\"", "scenario = \"no/where.toml\"", "no/where.toml: cannot read"),
        (
            "\"users.count\" = 8",
            "\"users[9].count\" = 8",
            "base.set: key \"users[9].count\": no entry 9",
        ),
        ("\"users.count\" = 8", "\"users.cuont\" = 8", "unknown field `cuont`"),
        ("key = \"users.qos\"", "key = \"users.\"", "sweep[0]: key \"users.\" has an empty name"),
        ("key = \"users.qos\"", "", "sweep[0]: needs either key or keys"),
        ("key = \"users.qos\"", "key = \"users.qso\"", "at users.qso = 0: unknown field `qso`"),
        ("to = 1, count = 3", "to = 2, count = 3", "at users.qos = 2: "),
        ("to = 1, count = 3", "to = 1", "sweep[0]: range: needs either count or step"),
        ("to = 1, count = 3", "to = 1, step = 0.3", "no whole number of steps"),
        ("to = 1, count = 3", "to = 1e9, step = 1", "are 1000000001 values, at most 10000"),
        ("to = 1, count = 3", "to = 1, count = 10001", "count is 10001, must be 1 to 10000"),
        ("range =", "log_range =", "sweep[0]: log_range: from 0 to 1: both must be above 0"),
        ("range =", "values = [1]\nrange =", "needs exactly one of values, range, log_range"),
    ] {
        let error = with(from, to);
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn axes_multiply_and_the_last_moves_fastest() {
    let text =
        format!("{SMALL}\n[[sweep]]\nkey = \"scheduler.wait\"\nunit = \"s\"\nvalues = [5, 20]\n");
    let experiment = experiment(&text);
    assert_eq!((experiment.point_count(), experiment.run_count()), (6, 72));
    assert_eq!(experiment.point_label(PointId(3)), "users.qos = 0.5, scheduler.wait = 20 s");
    let settings = experiment.settings(PointId(3)).expect("possible");
    assert_eq!(
        (&settings["users"][0]["qos"], &settings["scheduler"][0]["wait"]),
        (&0.5.into(), &20.into())
    );
}

#[test]
fn json_says_the_same() {
    let value: serde_json::Value = toml::from_str(SMALL).expect("TOML");
    let text = value.to_string();
    let changes = Changes::default();
    let read = Experiment::parse(&text, Syntax::Json, "small.json", Path::new(""), &changes);
    assert_eq!(read.expect("the same keys"), experiment(SMALL));
}

#[test]
fn a_quick_look_is_a_smaller_experiment() {
    let text = format!("{SMALL}\n[quick]\nreplications = 2\nset = {{ \"users.count\" = 3 }}\n");
    let quick = changed(&text, &Changes { quick: true, ..Changes::default() });
    assert_eq!((quick.replications, &quick.base["users"][0]["count"]), (2, &3.into()));
    let usual = experiment(&text);
    assert_eq!((usual.replications, &usual.base["users"][0]["count"]), (4, &8.into()));
    let asked = Changes { quick: true, replications: Some(9), ..Changes::default() };
    assert_eq!(changed(&text, &asked).replications, 9);
}

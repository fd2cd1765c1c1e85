//! The command `bench`.

use super::*;

const QUICK: &str = "bench --only 16x4_1 --algorithms mct,minmin,ls-minmin --no-times";

#[test]
fn every_form_says_the_same_twice() {
    let folder = folder();
    for format in ["table", "csv", "json"] {
        let words = format!("{QUICK} --versus mct --format {format}");
        let first = folder.run(&words).ends(0);
        assert_eq!(first.out, folder.run(&words).ends(0).out);
        assert!(first.err.is_empty(), "{}", first.err);
    }
    let table = folder.run(QUICK).ends(0).out;
    assert!(table.starts_with("Set small: 19 instances, 3 algorithms, seed 1"), "{table}");
    assert!(table.contains("Min-Min + LS") && table.contains("jobcorr"), "{table}");
}

#[test]
fn excesses_are_over_the_optimum() {
    let json = folder().run(&format!("{QUICK} --format json --versus minmin")).ends(0).json();
    let results = json["results"].as_array().expect("a list");
    assert_eq!(results.len(), 3 * 19);
    for row in results {
        let number = |key: &str| row[key].as_f64().expect("a number");
        let excess = number("makespan") / number("lower_bound") - 1.0;
        assert!((number("excess") - excess).abs() < 1e-9 && excess >= 0.0, "{row}");
        assert_eq!(row["proven"], true);
        assert!(row.get("seconds").is_none());
    }
    assert_eq!(json["classes"].as_array().map(Vec::len), Some(19));
    let overall = &json["overall"]["algorithms"];
    assert_eq!(overall[1]["versus"].as_f64(), Some(0.0));
    assert!(overall[2]["versus"].as_f64() < Some(0.0), "the local search improves nothing");
}

#[test]
fn a_row_a_run() {
    let words =
        "bench --only jobcorr_16x4_1 -a ga,mct --runs 3 --evaluations 50 --format csv --no-times";
    let out = folder().run(words).ends(0).out;
    let rows: Vec<Vec<&str>> = out.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0][..6], ["instance", "class", "tasks", "hosts", "algorithm", "seed"]);
    let seeds: Vec<_> = rows[1..].iter().map(|row| (row[4], row[5], row[11])).collect();
    let expected =
        [("ga", "1", "true"), ("ga", "2", "true"), ("ga", "3", "true"), ("mct", "", "false")];
    assert_eq!(seeds, expected);
}

#[test]
fn gap_over_time_is_drawn() {
    let folder = folder();
    folder.run("bench --only 16x4_2 --plot plot.svg --output table.txt").ends(0);
    let svg = folder.read("plot.svg");
    assert!(svg.contains("Sufferage</text>") && svg.ends_with("</svg>\n"));
}

#[test]
fn the_set_is_checked() {
    let folder = folder();
    let run = folder.run("bench --check --only 16x4").ends(0);
    assert!(
        run.out.starts_with("38 instances match the manifest, 38 with proven optimum"),
        "{}",
        run.out
    );
    let manifest = project("instances/bench/manifest.json");
    let words = format!("bench --check --only U1-100_32x4 --set {}", manifest.display());
    assert!(folder.run(&words).ends(0).out.contains("2 certificates accepted"));
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    folder.run("bench --algorithms minimax").fails(2, &["'minimax'", "ls-minmin"]);
    folder.run("bench --versus none").fails(2, &["'none'", "known: olb"]);
    folder.run("bench --only nothing").fails(2, &["no instance", "small"]);
    folder.run("bench --set none.json").fails(2, &["none.json"]);
    folder.run("bench --set demo.json").fails(2, &["demo.json: this is an instance"]);
    folder.run("bench --data .").fails(2, &["--data"]);
    folder.run("bench --plot a.svg --no-times").fails(2, &["--plot"]);
}

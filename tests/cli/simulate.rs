//! The command `simulate` with grids.

use super::*;

/// In `stuck.toml` the only job is halted forever.
fn scenarios() -> Folder {
    Folder::with("small.toml stuck.toml")
}

#[test]
fn tells_what_came_of_it() {
    let folder = scenarios();
    let run = folder.run("simulate small.toml").ends(0);
    assert!(run.out.starts_with("small, seed 7 (gridsat "), "{run:?}");
    for part in ["minmin batch 5 s", "30 submitted, 30 finished, 0 cancelled, 0 left", "own"] {
        assert!(run.out.contains(part), "no '{part}' in {}", run.out);
    }
    let other =
        folder.run("simulate small.toml --seed 8 --policy mct --format json").ends(0).json();
    assert_eq!((&other["seed"], &other["schedulers"][0]["policy"]), (&json!(8), &json!("mct")));
    assert_eq!(other["schedulers"][0]["mode"], "on-line");
}

/// Every number of the summary can be computed from the rows.
#[test]
fn the_summary_agrees_with_the_rows() {
    let folder = scenarios();
    let run = folder.run("simulate small.toml --format json --jobs jobs.csv").ends(0).json();
    let mut rows = csv::Reader::from_reader(std::io::Cursor::new(folder.read("jobs.csv")));
    let columns = rows.headers().expect("a header").clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    let column = |name: &str| -> Vec<f64> {
        let place = columns.iter().position(|column| column == name).expect("known");
        rows.iter().map(|row| row[place].parse().expect("a number")).collect()
    };
    let near = |value: &Value, expected: f64| {
        (value.as_f64().expect("a number") - expected).abs() <= 1e-9 * expected.abs()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let max = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let (flow, wait) = (column("turnaround_time"), column("waiting_time"));
    assert_eq!(run["jobs"]["finished"], rows.len());
    assert!(near(&run["makespan"], max(&column("finish_time"))), "{run}");
    assert!(near(&run["flow_time"]["mean"], mean(&flow)), "{run}");
    assert!(near(&run["flow_time"]["max"], max(&flow)), "{run}");
    assert!(near(&run["waiting_time"]["mean"], mean(&wait)), "{run}");
    for (moments, values) in [("flow_time", &flow), ("waiting_time", &wait)] {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(near(&run[moments]["min"], least), "{run}");
        assert!(near(&run[moments]["sum"], values.iter().sum()), "{run}");
    }
    let finish = column("finish_time");
    assert!(finish.is_sorted(), "{finish:?}");
    let summed = column("submission_time").into_iter().zip(&flow).map(|(at, flow)| at + flow);
    assert!(summed.zip(&finish).all(|(sum, finish)| (sum - finish).abs() < 1e-6));
    let jobs = run["resources"].as_array().expect("a list").iter();
    let finished: u64 = jobs.map(|resource| resource["finished"].as_u64().expect("a count")).sum();
    assert_eq!(finished, rows.len() as u64);
}

#[test]
fn csv_is_one_row() {
    let run = scenarios().run("simulate small.toml --format csv --no-times").ends(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 2, "{run:?}");
    assert!(lines[0].starts_with("gridsat,scenario,seed,policy,end,end_time,submitted,"));
    assert!(lines[1].contains(",small,7,minmin batch 5 s,no-events,"), "{run:?}");
}

#[test]
fn stuck_is_told_with_what_there_is() {
    let folder = scenarios();
    let run = folder.run("simulate stuck.toml --events e.log --gantt g.svg").ends(3);
    assert!(run.out.contains("stuck, no event is left"), "{run:?}");
    assert!(folder.read("e.log").ends_with("7 end reason=stuck\n"));
    let json = folder.run("simulate stuck.toml --format json").ends(3).json();
    assert_eq!((&json["end"], &json["jobs"]["left"]), (&json!("stuck"), &json!(1)));
    assert!(json["stuck"].is_string());
}

#[test]
fn limits_are_normal_ends() {
    let folder = scenarios();
    for (limit, end) in [("time = 8", "time-limit"), ("jobs = 3", "job-limit")] {
        folder.write("limited.toml", format!("{}\n[stop]\n{limit}\n", example("small.toml")));
        let json = folder.run("simulate limited.toml --format json").ends(0).json();
        assert_eq!(json["end"], end);
        assert!(json["jobs"]["left"].as_u64() > Some(0), "{json}");
    }
}

#[test]
fn options_override_the_scenario() {
    let folder = scenarios();
    let output = "\n[output]\njobs = \"a.csv\"\nevents = \"a.log\"\n";
    folder.write("out.toml", example("small.toml") + output);
    folder.run("simulate out.toml --jobs b.csv").ends(0);
    assert_eq!(folder.list(), ["a.log", "b.csv", "out.toml", "small.toml", "stuck.toml"]);
}

#[test]
fn what_is_wrong_is_one_line_and_no_file() {
    let folder = scenarios();
    let before = folder.list();
    folder.run("simulate small.toml --jobs x --gantt x").fails(2, &["x: two outputs"]);
    folder.run("simulate small.toml --policy best").fails(2, &["best"]);
    folder.run("simulate none.toml --jobs x").fails(2, &["none.toml"]);
    assert_eq!(folder.list(), before);
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_there_is() {
    let folder = Folder::with("endless.toml");
    let words = "simulate endless.toml --policy mct --format json --jobs j.csv --gantt g.svg";
    let answer = interrupted(&folder, words, || open_files(&folder) > 0);
    assert_eq!(answer["end"], "interrupted");
    let rows = folder.read("j.csv").lines().count() as u64 - 1;
    assert_eq!(answer["jobs"]["finished"], rows);
}

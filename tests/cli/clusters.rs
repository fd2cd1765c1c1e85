//! `simulate` with clusters and traces.

use super::*;

fn files() -> Folder {
    Folder::with("lublin.toml x.swf grid.toml")
}

#[test]
fn tells_what_came_of_it() {
    let folder = files();
    let run = folder.run("simulate lublin.toml").ends(0);
    assert!(run.out.starts_with("lublin, seed 7 (gridsat "), "{run:?}");
    for part in [
        "\npolicy        easy\n",
        "\njobs          300 submitted, 300 finished,",
        "\nwaiting time  mean ",
        " jobs per hour\n",
        " cluster  nodes ",
        "\n a ",
        "\n b ",
    ] {
        assert!(run.out.contains(part), "no '{part}' in {}", run.out);
    }
    let json = folder.run("simulate lublin.toml --seed 8 --policy FCFS_SCAN --format json").ends(0);
    let json = json.json();
    assert_eq!((&json["seed"], &json["policy"]), (&json!(8), &json!("fcfs-scan")));
    assert_eq!(
        (&json["all"]["finished"], &json["clusters"][1]["cluster"]),
        (&json!(300), &json!("b"))
    );
    let csv = folder.run("simulate lublin.toml --format csv").ends(0).out;
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with("cluster,nodes,submitted,finished,"), "{csv}");
}

#[test]
fn many_clusters_are_not_all_listed() {
    let folder = Folder::default();
    folder.write("many.toml", "[[cluster]]\ncount = 25\nnodes = 1\n[[job]]\nrun = 1\n");
    let run = folder.run("simulate many.toml").ends(0);
    assert!(run.out.contains("\n c23 ") && !run.out.contains("\n c24 "), "{run:?}");
    assert!(run.out.ends_with("… and 1 more (all with --format csv or json)\n"), "{run:?}");
}

/// The header says 4 nodes; first come first served blocks the third job, EASY does not.
#[test]
fn a_trace_stands_alone() {
    let folder = files();
    let starts = |words: &str| {
        folder.run(&format!("simulate x.swf {words} --jobs jobs.csv")).ends(0);
        let mut starts: Vec<(u64, u64)> = Vec::new();
        for row in folder.read("jobs.csv").lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            starts.push((cells[0].parse().expect("a number"), cells[5].parse().expect("a time")));
        }
        starts.sort_unstable();
        starts.into_iter().map(|(_, start)| start).collect::<Vec<_>>()
    };
    assert_eq!(starts(""), [0, 5, 10]);
    assert_eq!(starts("--policy easy"), [0, 5, 2]);
    assert_eq!(starts("--nodes 8"), [0, 1, 2]);
    let table = folder.run("simulate x.swf").ends(0).out;
    assert!(table.contains("x.swf: 3 records, 0 passed over, 3 jobs, 0 longer than estimated\n"));
    let json = folder.run("simulate x.swf --nodes 3 --format json").ends(0).json();
    assert_eq!((&json["trace"]["jobs"], &json["all"]["refused"]), (&json!(3), &json!(1)));
}

#[test]
fn a_page_plays_it_back() {
    let folder = files();
    folder.run("simulate lublin.toml --view page.html").ends(0);
    let page = folder.read("page.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("lublin"), "{:.200}", page);
    folder.run("simulate x.swf --view again.html").ends(0);
    let run = folder.run("simulate x.swf --view same.html --jobs same.html");
    run.fails(2, &["same.html: two outputs cannot be written to the same file"]);
}

/// The first job of x.swf ends at 5, the second and third at 10 and 13.
#[test]
fn a_page_plays_any_part_of_it_back() {
    let folder = files();
    let whole = folder.run("simulate x.swf --view whole.html").ends(0).out;
    let part = folder.run("simulate x.swf --view part.html --from 6 --to 9.5").ends(0).out;
    assert_eq!(whole, part, "the run is the same");
    let data = |file: &str| -> Value {
        let page = folder.read(file);
        let (_, data) = page.split_once("id=\"data\">").expect("a record");
        serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("JSON")
    };
    let (whole, part) = (data("whole.html"), data("part.html"));
    assert_eq!(whole["jobs"]["number"], json!([1, 2, 3]));
    assert_eq!(part["jobs"]["number"], json!([2, 3]), "the first was done");
    let ends = |page: &Value| [&page["start"], &page["end"], &page["cut"]].map(Value::clone);
    assert_eq!(ends(&whole), [json!(0), json!(13), json!(false)]);
    assert_eq!(ends(&part), [json!(6), json!(9), json!(true)]);
}

#[test]
fn a_part_of_a_page_must_be_there() {
    let folder = files();
    let run = folder.run("simulate x.swf --view late.html --from 14 --jobs jobs.csv");
    let why = "--from 14: the run ends at 13 s, so there is no page; give an earlier time";
    assert!(run.code == Some(2) && run.err.contains(why), "{run:?}");
    assert!(run.out.contains("3 submitted, 3 finished"), "the result is not lost: {run:?}");
    assert_eq!(folder.read("jobs.csv").lines().count(), 4);
    assert!(!folder.path("late.html").exists());
    for (words, why) in [
        ("x.swf --from 5", "--from chooses a part of a page; add --view PAGE"),
        ("x.swf --to 5", "--to chooses a part of a page; add --view PAGE"),
        ("x.swf --view a.html --from 5 --to 5", "--from 5 --to 5: nothing is between"),
        ("x.swf --view a.html --from=-5", "expected a number of seconds, 0 or more"),
        ("x.swf --view a.html --to soon", "expected a number of seconds, 0 or more"),
        ("grid.toml --from 5", "--from is not for a grid"),
    ] {
        folder.run(&format!("simulate {words}")).fails(2, &[why]);
        assert!(!folder.path("a.html").exists(), "{words}");
    }
}

#[test]
fn traces_are_compared_on_other_machines() {
    let folder = files();
    let run = folder.run("compare x.swf --nodes 8 --policies fcfs --format csv").ends(0);
    assert!(run.out.contains("fcfs,"), "{run:?}");
    let run = folder.run("compare lublin.toml --nodes 8");
    run.fails(2, &["--nodes is for traces only, and lublin.toml is not a trace"]);
}

#[test]
fn the_log_of_a_run_runs_again() {
    let folder = files();
    let words = "generate workload --model beosim --nodes 64 --jobs 2000";
    folder.run(&format!("{words} --set gap=exp:9000 --output w.swf")).ends(0);
    for policy in ["fcfs", "easy"] {
        folder.run(&format!("simulate w.swf --policy {policy} --swf 1.swf --jobs 1.csv")).ends(0);
        folder.run(&format!("simulate 1.swf --policy {policy} --swf 2.swf --jobs 2.csv")).ends(0);
        assert!(folder.read("1.swf") == folder.read("2.swf"), "{policy}");
        assert!(folder.read("1.csv") == folder.read("2.csv"), "{policy}");
    }
}

/// A table of jobs without the columns for deadlines and migrations, which traces do not have.
fn without_terms(table: &str) -> String {
    let head = table.lines().next().unwrap_or_default();
    let Some(at) = head.split(',').position(|name| name == "deadline") else {
        return table.to_owned();
    };
    let mut kept = String::new();
    for line in table.lines() {
        let cells =
            line.split(',').enumerate().filter(|(column, _)| !(at..at + 2).contains(column));
        kept += &cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",");
        kept.push('\n');
    }
    kept
}

#[test]
fn workloads_as_scenarios_hold_the_same_jobs() {
    let folder = Folder::default();
    let models = [
        "lublin --types batch --nodes 32",
        "beosim --set size=exp:9 --decimals 2",
        "wang-zhang --set schedulers=1 --arrivals daily",
    ];
    for model in models {
        let words = format!("generate workload --model {model} --jobs 500 --seed 3");
        folder.run(&format!("{words} --output w.swf")).ends(0);
        folder.run(&format!("{words} --format scenario --output w.toml")).ends(0);
        let trace = if model.contains("decimals") { "decimals = 2\n" } else { "" };
        let nodes = folder.read("w.toml");
        let nodes = nodes.lines().find(|line| line.starts_with("nodes = ")).expect("nodes");
        let jobs = "[jobs]\ntrace = \"w.swf\"\npriority = \"queue\"\n";
        folder.write("t.toml", format!("{trace}[[cluster]]\n{nodes}\n{jobs}"));
        folder.run("simulate w.toml --policy fcfs --jobs 1.csv").ends(0);
        folder.run("simulate t.toml --policy fcfs --jobs 2.csv").ends(0);
        assert!(without_terms(&folder.read("1.csv")) == folder.read("2.csv"), "{model}");
    }
    folder.run("generate workload --format scenario --jobs 0").fails(2, &["--jobs is 0"]);
    let words = "generate workload --model wang-zhang --format scenario --attributes a.csv";
    folder.run(words).fails(2, &["--attributes is for --format swf"]);
}

#[test]
fn policies_side_by_side() {
    let folder = files();
    let run = folder.run("compare lublin.toml --policies own,fcfs,conservative").ends(0);
    let rows: Vec<&str> = run.out.lines().skip(3).map(str::trim_start).collect();
    let names = ["own (easy) ", "fcfs ", "conservative "];
    assert!(rows.len() == 3 && rows.iter().zip(names).all(|(row, name)| row.starts_with(name)));
    let json = folder.run("compare lublin.toml --format json --replications 2").ends(0).json();
    assert_eq!((&json["jobs"], &json["results"][0]["own"]), (&json!(300), &json!(true)));
    assert!(json["results"][1]["mean_wait"]["deviation"].is_number(), "{json}");
    let csv = folder.run("compare x.swf --policy fcfs,easy --format csv").ends(0).out;
    assert!(csv.starts_with("policy,mean_wait,mean_wait_deviation,max_wait,"), "{csv}");
    assert_eq!(csv.lines().count(), 3);
    folder.run("compare lublin.toml --policy best").fails(2, &["lublin.toml: policy \"best\""]);
    folder.run("compare lublin.toml --gap 0.1").fails(2, &["--gap is for instances"]);
}

#[test]
fn queues_are_checked_against_theory() {
    let folder = Folder::with("one.csv tiny.csv");
    let run = folder.run("simulate --check mmm one.csv").ends(0);
    assert!(run.out.ends_with("\nall 3 agree with the formulas\n"), "{run:?}");
    let json = folder.run("simulate --check mmm one.csv --seed 5 --format json").ends(0).json();
    assert_eq!(
        (&json["agrees"], &json["seed"], &json["jobs"]),
        (&json!(true), &json!(5), &json!(100_000))
    );
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(3));
    let csv = folder.run("simulate --check mmm one.csv --format csv").ends(0).out;
    assert!(csv.starts_with("gap,service,servers,shape,wait,simulated_wait,"), "{csv}");
    // Times are whole microseconds, at least one, so very short ones become longer on average.
    let run = folder.run("simulate --check mmm tiny.csv").ends(1);
    assert!(run.out.ends_with("\n3 of 3 do not agree with the formulas\n"), "{run:?}");
    folder.write("bad.csv", "gap,service,servers\n10,20,2\n");
    folder
        .run("simulate --check mmm bad.csv")
        .fails(2, &["bad.csv:2: ", "offered load is 2 servers"]);
    folder.write("bad.csv", "gap,service\n10,20\n");
    folder.run("simulate --check mmm bad.csv").fails(2, &["bad.csv", "servers"]);
    folder.run("simulate --check mmm none.csv").fails(2, &["none.csv: No such file"]);
    folder.run("simulate --check mmm --policy fcfs").fails(2, &["--policy"]);
}

#[test]
fn what_is_wrong_is_one_line_and_no_file() {
    let folder = files();
    let trace = example("x.swf");
    folder.write("bad.swf", trace.replace("3 2 -1 3", "3 2 -1 x"));
    folder.write("none.swf", trace.replace("MaxProcs: 4", "no nodes"));
    let before = folder.list();
    folder.run("simulate bad.swf --swf l.swf").fails(2, &["gridsat: bad.swf:4: run time is 'x'"]);
    folder.run("simulate none.swf").fails(2, &["none.swf: the number of nodes is unknown"]);
    folder.run("simulate missing.swf").fails(2, &["missing.swf: cannot read"]);
    folder.run("simulate").fails(2, &["SCENARIO"]);
    folder.run("simulate x.swf --gantt g").fails(2, &["--gantt is not for a trace"]);
    folder.run("simulate x.swf --events e").fails(2, &["--events is not for a trace"]);
    let run = folder.run("simulate lublin.toml --nodes 3");
    run.fails(2, &["--nodes is not for a scenario of clusters"]);
    folder.run("simulate lublin.toml --gantt g").fails(2, &["--gantt is not for a scenario"]);
    folder.run("simulate lublin.toml --jobs x --swf x").fails(2, &["x: two outputs"]);
    assert_eq!(folder.list(), before);
    folder.write("grid.toml", "[[resource]]\nmips = 1\n[[job]]\nmi = 1\n");
    folder.run("simulate grid.toml --swf l.swf").fails(2, &["--swf is not for a grid"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_there_is() {
    let folder = Folder::default();
    let long = example("lublin.toml").replace("count = 300", "count = 1000000000000");
    folder.write("long.toml", long);
    let words = "simulate long.toml --format json --jobs j.csv --swf l.swf";
    let answer = interrupted(&folder, words, || open_files(&folder) == 2);
    assert_eq!(answer["end"], "interrupted");
    assert_eq!(answer["all"]["finished"], folder.read("j.csv").lines().count() as u64 - 1);
    let log = folder.read("l.swf").lines().filter(|line| !line.starts_with(';')).count() as u64;
    assert_eq!(answer["all"]["submitted"], log);
}

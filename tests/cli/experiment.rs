//! The command `experiment`.

use std::fs;
use std::time::Duration;

use super::*;

/// Enough runs that it can be killed in the middle.
const LONG: &str = "experiment sweep.toml --replications 40";

fn sweep() -> Folder {
    Folder::with("sweep.toml")
}

fn whole() -> String {
    let folder = sweep();
    folder.run(LONG).ends(0);
    assert_eq!(folder.list(), ["sweep.jsonl", "sweep.toml"]);
    folder.read("sweep.jsonl")
}

#[test]
fn all_that_are_built_in_are_listed() {
    let folder = Folder::default();
    let out = folder.run("experiment list").ends(0).out;
    assert!(out.contains(" qos-share "), "{out}");
    let json = folder.run("experiment list --format json").ends(0).json();
    let names: Vec<&str> =
        json.as_array().expect("a list").iter().filter_map(|e| e["name"].as_str()).collect();
    assert!(names.contains(&"qos-share"));
    let csv = folder.run("experiment list --format csv").ends(0).out;
    assert_eq!(csv.lines().count(), names.len() + 1);
    assert_eq!(folder.list(), [""; 0]);
}

/// The printed file of a built-in experiment gives the same experiment.
#[test]
fn a_built_in_file_is_a_start() {
    let folder = Folder::default();
    folder.run("generate experiment --name qos-share --output qos-share.toml").ends(0);
    let words = "--quick --replications 1 --algorithms mct";
    folder.run(&format!("experiment qos-share {words} --result a.jsonl")).ends(0);
    folder.run(&format!("experiment ./qos-share.toml {words} --result b.jsonl")).ends(0);
    assert_eq!(folder.read("a.jsonl"), folder.read("b.jsonl"));
    folder.run("generate experiment --name no").fails(2, &["no experiment 'no'"]);
}

/// The tables of docs/studies.md that are not built in.
#[test]
fn the_experiments_among_the_examples_run() {
    let folder = Folder::default();
    let files = [
        ("dside/readings", "78 runs"),
        ("dside/tornado", "19 runs"),
        ("waits/waits", "250 runs"),
        ("peers/passing", "18 runs"),
        ("peers/rescheduling", "24 runs"),
    ];
    for (name, runs) in files {
        let file = project("examples").join(format!("{name}.toml"));
        let out = folder.run(&format!("experiment {} --quick --quiet", file.display())).ends(0).out;
        assert!(out.contains(runs), "{out}");
    }
}

#[test]
fn a_quick_look() {
    let folder = sweep();
    let out = folder.run("experiment sweep.toml --quick --algorithms mct,tlmm").ends(0).out;
    for part in
        ["A sweep", "12 runs: 3 points, 2 replications from seed 1", "wait (s)", "tlmm vs mct"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!(folder.list(), ["sweep-quick.jsonl", "sweep.toml"]);
    let words = "experiment sweep.toml --quick --algorithms mct,tlmm --format";
    let json = folder.run(&format!("{words} json")).ends(0).json();
    let one = &json["points"][1]["metrics"][0];
    assert_eq!(
        (&one["metric"], &json["points"][1]["at"]["wait"]),
        (&json!("makespan"), &json!(100))
    );
    assert!(one["comparisons"][0]["paired"]["p"].is_number(), "{one}");
    let csv = folder.run(&format!("{words} csv")).ends(0).out;
    let metrics = "makespan,mean_jobs,ratio,flow,wait,utilisation,finished,decisions";
    assert_eq!(csv.lines().next(), Some(&*format!("wait,seed,algorithm,{metrics},error")));
    assert_eq!(csv.lines().count(), 13);
}

/// The number of parts that are done.
fn parts(folder: &Folder) -> usize {
    let entries = fs::read_dir(folder.path("sweep.jsonl.parts/parts")).into_iter().flatten();
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().parse::<usize>().is_ok()).count()
}

/// Killed without warning, with a part possibly half written.
#[test]
fn killed_and_run_again_it_gives_the_same_bytes() {
    let whole = whole();
    let folder = sweep();
    for kill_after in [2, 60, 150] {
        let mut child = folder.command(&format!("{LONG} --quiet")).spawn().expect("starts");
        // A fast machine is done before the last kill.
        while parts(&folder) < kill_after && child.try_wait().expect("a child of ours").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("still there, or just done");
        child.wait().expect("gone");
    }
    folder.run(LONG).ends(0);
    assert!(folder.read("sweep.jsonl") == whole);
    assert_eq!(folder.list(), ["sweep.jsonl", "sweep.toml"]);
}

/// A disk that takes no more files of this size: no plan, no part, no result.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let whole = whole();
    let folder = sweep();
    let limited = |kilobytes: usize, what: &str| {
        let gridsat = folder.command("").get_program().to_string_lossy().into_owned();
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec {gridsat} {LONG}");
        let mut command = std::process::Command::new("bash");
        command.current_dir(folder.path("")).args(["-c", &script]);
        let run = Run::of(&mut command);
        let told = run.err.contains(what) && run.err.lines().count() == 1;
        let rerun = "what is finished is kept, rerun the same command";
        assert!(run.code == Some(2) && told && run.err.contains(rerun), "{run:?}");
        assert!(run.out.is_empty() && !run.err.contains(".gridsat-"), "{run:?}");
    };
    limited(0, "sweep.jsonl.parts/plan.json: ");
    folder.run(&format!("plan {LONG} --parts 40 --out sweep.jsonl.parts")).ends(0);
    limited(0, "sweep.jsonl.parts/parts/");
    assert_eq!(parts(&folder), 0);
    limited(8, "sweep.jsonl: ");
    assert_eq!(parts(&folder), 40, "nothing is repeated");
    folder.run(LONG).ends(0);
    assert!(folder.read("sweep.jsonl") == whole);
}

#[test]
fn what_is_wrong_is_one_line() {
    let folder = sweep();
    folder.write("typo.toml", example("sweep.toml").replace("metrics", "metrix"));
    let change = |name: &str, from: &str, to: &str| {
        let text = example("sweep.toml");
        assert!(text.contains(from), "{from}");
        folder.write(name, text.replacen(from, to, 1));
    };
    change("set.toml", "\"users.count\" = 10", "\"users..count\" = 10");
    change("range.toml", "count = 3", "count = 0");
    change("metric.toml", "\"makespan\"", "\"makespn\"");
    change("pair.toml", "\"minmin\"]]", "\"olb\"]]");
    change("base.toml", "gsim-base", "gsim-bas");
    change("twice.toml", "\"tlmm\"]\n", "\"tlmm\", \"mct\"]\n");
    change("nim.toml", "\"tlmm\"]\n", "\"tlmm\", \"nim\"]\n");
    change("bad.toml", "scheduler.wait", "scheduler.wiat");
    folder.write("broken.jsonl", "{\"gridsat_result\":1}\n").write("other.jsonl", "no\n");
    for (words, part) in [
        ("no-such", "no experiment 'no-such'; see gridsat experiment list"),
        ("no-such.toml", "no-such.toml: cannot read: "),
        ("typo.toml", "typo.toml:5:1: unknown field `metrix`"),
        ("bad.toml", "bad.toml:13:1: at wait = 10 s: unknown field `wiat`"),
        ("set.toml", "set.toml:11:26: base.set: key \"users..count\" has an empty name"),
        ("range.toml", "range.toml:17:13: sweep[0]: log_range: count is 0"),
        ("metric.toml", "metric.toml:5:12: metrics: no \"makespn\" in grid; did you mean"),
        ("pair.toml", "pair.toml:7:9: pairs: \"olb\" is not among the algorithms"),
        ("base.toml", "base.toml:10:12: base: no template \"gsim-bas\"; did you mean"),
        ("twice.toml", "twice.toml:4:40: algorithm \"mct\" is listed twice"),
        ("nim.toml", "nim.toml:4:40: at wait = 10 s: policy \"nim\" is unknown"),
        (
            "sweep.toml --algorithms mct,nim",
            "sweep.toml: at wait = 10 s: policy \"nim\" is unknown",
        ),
        ("sweep.toml --result broken.jsonl", "broken.jsonl: line 1: missing field"),
        ("sweep.toml --result other.jsonl", "other.jsonl: line 1: not a result of gridsat"),
        (
            "sweep.toml --result no/x.jsonl",
            "no/x.jsonl: cannot be written: the folder 'no' does not exist",
        ),
    ] {
        let run = folder.run(&format!("experiment {words}"));
        assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{words}: {run:?}");
        assert!(run.err.contains(part), "{words}: {}", run.err);
    }
    assert!(
        folder.list().iter().all(|name| name.ends_with(".toml")
            || name.contains("er.jsonl")
            || name == "broken.jsonl"),
        "{:?}",
        folder.list()
    );
}

/// One is not "replications", and has no confidence interval.
#[test]
fn one_replication_has_no_confidence_interval() {
    let folder = sweep();
    let out = folder.run("experiment sweep.toml -r 1 --algorithms mct").ends(0).out;
    assert!(out.contains("\n3 runs: 3 points, 1 replication from seed 1 "), "{out}");
    assert!(!out.contains("confidence"), "{out}");
    let out = folder.run("experiment sweep.toml -r 2 --algorithms mct --fresh").ends(0).out;
    assert!(out.contains("2 replications") && out.contains("95 % confidence interval"), "{out}");
}

#[test]
fn how_far_it_is_can_be_logged() {
    let folder = sweep();
    let run = folder.run("experiment sweep.toml -r 1 --algorithms mct -v");
    for part in ["sweep: 0 of 3 parts are done, ", "sweep: 3 of 3 parts are done, 0 running"] {
        assert!(run.err.contains(part), "{run:?}");
    }
}

#[test]
fn more_replications_are_added() {
    let folder = sweep();
    folder.run("experiment sweep.toml --replications 4").ends(0);
    let four = folder.read("sweep.jsonl");
    let runs = |text: &str| text.lines().filter(|line| line.starts_with("{\"point\"")).count();
    let eight = folder.run("experiment sweep.toml --replications 8 --format json").ends(0);
    let once = sweep();
    assert_eq!(eight.out, once.run("experiment sweep.toml -r 8 --format json").ends(0).out);
    assert_eq!(folder.read("sweep.jsonl"), once.read("sweep.jsonl"));
    assert_eq!(folder.list(), ["sweep.jsonl", "sweep.toml"]);
    // Existing results are kept as they are, whatever they contain.
    let odd = four.replacen("\"algorithm\":0,\"values\":[", "\"algorithm\":0,\"values\":[7", 1);
    folder.write("sweep.jsonl", &odd);
    folder.run("experiment sweep.toml --replications 8").ends(0);
    let kept = folder.read("sweep.jsonl");
    assert!(kept.lines().nth(1) == odd.lines().nth(1) && runs(&kept) == 2 * runs(&four), "{kept}");
    folder.run("experiment sweep.toml --replications 4").fails(2, &["sweep.jsonl", "--fresh"]);
    folder.run("experiment sweep.toml --replications 9 --seed 5").fails(2, &["sweep.jsonl"]);
}

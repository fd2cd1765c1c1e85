//! The command `campaign`: every answer becomes a checked row, a campaign resumes where it stopped,
//! and liars are found.

use std::time::{Duration, Instant};

use gridsat_test_support::outside::installed;
use gridsat_test_support::schema::faults;

use super::*;

/// Three instances, with optima 4, 1 and 11.
const INSTANCES: [(&str, &str); 3] = [
    ("a_3x2.json", r#"{"etc": [[2, 3], [2, 3], [2, 3]]}"#),
    ("b_2x2.json", r#"{"etc": [[1, 9], [9, 1]]}"#),
    ("c_3x2.csv", "7,9\n5,8\n6,4\n"),
];

/// A peer as a shell script: `$1` is the instance, `$2` the seconds, `$3` the threads.
fn with_peer(script: &str) -> Folder {
    let folder = Folder::default();
    std::fs::create_dir(folder.path("set")).expect("writable");
    for (name, text) in INSTANCES {
        folder.write(&format!("set/{name}"), text);
    }
    folder.write("peer.sh", script);
    folder
}

const HONEST: &str = r#"echo loading
case $1 in
    *a_3x2*) echo '{"status": "optimal", "makespan": 4.0, "mapping": [0, 0, 1]}' ;;
    *b_2x2*) echo '{"status": "optimal", "makespan": 1, "lower_bound": 1, "version": "1.2"}' ;;
    *) echo '{"status": "feasible", "makespan": 12, "lower_bound": 4, "mapping": [0, 0, 1]}' ;;
esac"#;

/// Runs the campaign over the folder `set` with the peer.
fn campaign(folder: &Folder, words: &str) -> Run {
    let mut command = folder.command("campaign set --out r.jsonl --time-limit 20 --quiet");
    command.args(["--peer", "sh=sh peer.sh {instance} {seconds} {threads}"]);
    Run::of(command.args(words.split_whitespace()))
}

fn rows(folder: &Folder) -> Vec<Value> {
    let text = folder.read("r.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn column<'a>(rows: &'a [Value], name: &str) -> Vec<&'a Value> {
    rows.iter().map(|row| &row[name]).collect()
}

#[test]
fn every_answer_becomes_a_checked_row() {
    let folder = with_peer(HONEST);
    let report = campaign(&folder, "").ends(0).out;
    assert!(report.contains("Limit 20 s, 1 thread") && report.contains("3/3"), "{report}");
    let rows = rows(&folder);
    assert_eq!(column(&rows, "solver"), ["gridsat", "sh", "gridsat", "sh", "gridsat", "sh"]);
    let [a, b, c] = ["set/a_3x2.json", "set/b_2x2.json", "set/c_3x2.csv"];
    assert_eq!(column(&rows, "instance"), [a, a, b, b, c, c]);
    assert_eq!(column(&rows, "makespan"), [4, 4, 1, 1, 11, 12]);
    let yes = json!(true);
    assert_eq!(column(&rows, "accepted"), [&yes, &yes, &yes, &Value::Null, &yes, &yes]);
    assert_eq!(rows[3]["version"], "1.2");
    assert_eq!(rows[5]["status"], "feasible");
    assert_eq!(rows[4]["class"], "c");
    let schema = project("docs/schema/campaign.json");
    let schema = std::fs::read_to_string(schema).expect("readable");
    let schema: Value = serde_json::from_str(&schema).expect("a schema");
    for row in &rows {
        assert_eq!(faults(&schema, row), [""; 0], "{row}");
        assert!(row["cpu_seconds"].as_f64() > Some(0.0), "{row}");
        assert_eq!(row["tasks"].is_null(), row["accepted"].is_null(), "{row}");
    }
    assert!(rows[0]["certificate_bytes"].as_u64() > Some(100));
}

#[test]
fn reports_in_all_formats() {
    let folder = with_peer(HONEST);
    campaign(&folder, "").ends(0);
    let json = folder.run("campaign report r.jsonl --format json --by size").ends(0).json();
    let group = &json["sections"][0]["groups"][0];
    assert_eq!(
        (&group["tasks"], &group["hosts"], &group["proven"]),
        (&json!(2), &json!(2), &json!(1))
    );
    let words = "campaign report r.jsonl --format markdown --by instance --plot p.svg";
    let page = folder.run(words).ends(0).out;
    assert!(page.contains("| set/c_3x2.csv | gridsat | proven | 11 | 11 | 0.0000 |"), "{page}");
    assert!(page.contains("| set/c_3x2.csv | sh | feasible | 4 | 12 | 66.6667 |"), "{page}");
    let plot = folder.read("p.svg");
    assert!(plot.contains("gridsat  3/3") && plot.contains("sh  2/3"), "{plot}");
    let csv = folder.run("campaign report r.jsonl --format csv").ends(0).out;
    assert!(csv.starts_with("time_limit,threads,class,tasks,hosts,solver,instances,"), "{csv}");
    assert_eq!(csv.lines().count(), 9, "three classes and all, two solvers: {csv}");
    let one = folder.run("campaign report r.jsonl r.jsonl --by class").ends(0).out;
    assert!(one.contains("3/3") && !one.contains("6/6"), "the same rows twice: {one}");
}

#[test]
fn a_campaign_goes_on_where_it_stopped() {
    let folder = with_peer(HONEST);
    campaign(&folder, "").ends(0);
    let whole = folder.read("r.jsonl");
    campaign(&folder, "").ends(0);
    assert!(folder.read("r.jsonl") == whole, "nothing is left to do");
    // As if killed while writing the last row.
    folder.write("r.jsonl", &whole[..whole.len() - 20]);
    campaign(&folder, "").ends(0);
    let again = rows(&folder);
    assert_eq!((again.len(), &again[5]["makespan"]), (6, &json!(12)));
    assert!(folder.read("r.jsonl").starts_with(whole.split_inclusive('\n').next().expect("a row")));
    // Other options and limits are other solvers in the same file.
    campaign(&folder, "--threads 2").ends(0);
    campaign(&folder, "-- --strategy sat").ends(0);
    assert_eq!(rows(&folder).len(), 6 + 6 + 3);
    let report = folder.run("campaign report r.jsonl").ends(0).out;
    assert!(report.contains("gridsat --strategy sat"), "{report}");
    assert!(report.contains("2 threads"), "{report}");
}

/// Waits until the slow peer runs, after the first row.
#[cfg(unix)]
fn wait_for_peer(folder: &Folder) {
    let start = Instant::now();
    while !folder.path("asked").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no peer");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The row of the first run is written just after it ended.
    while rows(folder).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "no row");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(rows(folder).len(), 1);
}

/// The first answer of the peer takes a minute, unless it is killed.
#[cfg(unix)]
const SLOW: &str = r#"[ -e asked ] || { touch asked; sleep 60; }
echo '{"status": "unknown", "lower_bound": 0}'"#;

#[cfg(unix)]
#[test]
fn killed_without_warning_it_loses_one_run() {
    let folder = with_peer(SLOW);
    let mut command = folder.command("campaign set --out r.jsonl --time-limit 20 --quiet");
    command.args(["--peer", "sh=sh peer.sh {instance} {seconds} {threads}"]);
    let mut child = command.spawn().expect("starts");
    wait_for_peer(&folder);
    child.kill().expect("still there");
    child.wait().expect("gone");
    let first = folder.read("r.jsonl");
    assert!(folder.path("r.jsonl.parts/plan.json").exists());
    campaign(&folder, "").ends(0);
    assert!(rows(&folder).len() == 6 && folder.read("r.jsonl").starts_with(&first));
    assert!(!folder.path("r.jsonl.parts").exists());
}

/// What a killed campaign had found is kept, even if its row was not yet in the file and the next
/// campaign is another one.
#[cfg(unix)]
#[test]
fn another_campaign_takes_over_what_a_killed_one_left() {
    let folder = with_peer(SLOW);
    let mut command = folder.command("campaign set --out r.jsonl --time-limit 20 --quiet");
    command.args(["--peer", "sh=sh peer.sh {instance} {seconds} {threads}"]);
    let mut child = command.spawn().expect("starts");
    wait_for_peer(&folder);
    child.kill().expect("still there");
    child.wait().expect("gone");
    let row = rows(&folder).remove(0);
    folder.write("r.jsonl", "");
    folder.run("campaign set/b_2x2.json --out r.jsonl --time-limit 20 --quiet").ends(0);
    assert_eq!(rows(&folder)[0], row);
    assert_eq!(rows(&folder).len(), 2);
    assert!(!folder.path("r.jsonl.parts").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_everything_and_ends_the_peer() {
    let folder = with_peer(SLOW);
    let mut command = folder.command("campaign set --out r.jsonl --time-limit 20 --quiet");
    command.args(["--peer", "sh=sh peer.sh {instance} {seconds} {threads}"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("starts");
    wait_for_peer(&folder);
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-INT", &child.id().to_string()]).status().expect("runs").success());
    let start = Instant::now();
    let output = child.wait_with_output().expect("ends");
    assert!(start.elapsed() < Duration::from_secs(30), "the peer is ended, too");
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains("1 of 6 runs are kept in r.jsonl; rerun the same command"), "{error}");
    assert_eq!(rows(&folder).len(), 1);
}

#[test]
fn liars_are_found() {
    for (answer, part) in [
        (
            r#"{"status": "optimal", "makespan": 3, "mapping": [0, 0, 1]}"#,
            "set/a_3x2.json, sh, 20 s: mapping rejected: claims 3, its mapping has 4",
        ),
        (
            r#"{"status": "optimal", "makespan": 3}"#,
            "a_3x2.json, gridsat, 20 s: lower bound 4 is above the makespan 3 of sh",
        ),
        (
            r#"{"status": "feasible", "makespan": 6, "lower_bound": 5}"#,
            "a_3x2.json, sh, 20 s: lower bound 5 is above the makespan 4 of gridsat",
        ),
        (r#"{"status": "optimal", "makespan": 4, "mapping": [0, 7, 1]}"#, "its mapping is wrong: "),
    ] {
        let quiet = r#"{"status": "unknown"}"#;
        let folder =
            with_peer(&format!("case $1 in *a_3x2*) echo '{answer}' ;; *) echo '{quiet}' ;; esac"));
        let run = campaign(&folder, "");
        assert_eq!(run.code, Some(1), "{run:?}");
        let again = folder.run("campaign report r.jsonl");
        for out in [run.out, again.out] {
            assert!(out.contains("CONTRADICTION") && out.contains(part), "{out}");
        }
        assert_eq!(again.code, Some(1));
    }
}

#[test]
fn what_contradicts_the_list_or_a_table_is_reported() {
    for (known, code, part) in [
        ("4", 0, "1 instances with known values"),
        ("3..9", 0, "1 with a better makespan, 1 proven that were open"),
        ("5", 1, "makespan 4 is below the known bound 5"),
        ("1..3", 1, "lower bound 4 is above the known makespan 3"),
    ] {
        let folder = with_peer(HONEST);
        folder.write("some.list", format!("# one\nset/a*.json\t{known}\n"));
        let run = folder.run("campaign some.list --out r.jsonl --time-limit 20 --quiet");
        assert_eq!(run.code, Some(code), "{run:?}");
        assert!(run.out.contains(part), "{known}: {}", run.out);
        folder.run("campaign set/a_3x2.json --out bare.jsonl --time-limit 20").ends(0);
        let (lower, upper) = known.split_once("..").unwrap_or((known, known));
        let table = format!("instance,best_known,lower_bound\na_3x2.json,{upper},{lower}\n");
        folder.write("set/best_known.csv", table);
        let report = folder.run("campaign report bare.jsonl --known set/best_known.csv");
        assert_eq!((report.code, report.out.contains(part)), (Some(code), true), "{report:?}");
    }
}

#[test]
fn failures_are_rows_and_can_be_repeated() {
    let folder = with_peer("echo 'no licence' >&2; exit 7");
    let out = campaign(&folder, "").ends(0).out;
    assert!(out.contains("failed: set/a_3x2.json, sh, 20 s: no licence"), "{out}");
    assert!(out.contains("0/3 (3 failed)"), "{out}");
    folder.write("peer.sh", "echo '{\"status\": \"best\"}'");
    campaign(&folder, "").ends(0);
    assert_eq!(rows(&folder).len(), 6, "failures are not repeated unasked");
    let out = campaign(&folder, "--retry").ends(0).out;
    assert!(out.contains("its answer is wrong: unknown variant `best`"), "{out}");
    folder.write("peer.sh", HONEST);
    let out = campaign(&folder, "--retry").ends(0).out;
    assert!(!out.contains("failed") && out.contains("2/3"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_peer_that_does_not_stop_is_ended() {
    let folder = with_peer("sleep 60");
    let start = Instant::now();
    let mut command =
        folder.command("campaign set/a_3x2.json --out r.jsonl --time-limit 0.2 --grace 0.2");
    let run = Run::of(command.args(["--peer", "sh=sh peer.sh {instance}"])).ends(0);
    assert!(run.out.contains("failed: set/a_3x2.json, sh, 0.2 s: stopped after 0 s"), "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(rows(&folder)[1]["status"], "killed");
}

#[test]
fn an_instance_that_cannot_be_read_does_not_end_a_campaign() {
    let folder = with_peer(HONEST);
    folder.write("set/0.json", r#"{"etc": [[1, -2]]}"#);
    let out = campaign(&folder, "").ends(0).out;
    assert!(out.contains("failed: set/0.json, gridsat, 20 s: set/0.json:1:14: "), "{out}");
    assert!(out.contains("3/4 (1 failed)"), "{out}");
}

/// One line each that says what to do.
#[test]
fn what_is_wrong_is_one_line() {
    let folder = with_peer(HONEST);
    folder.write("bad.list", "set/a_3x2.json\tmany\n").write("none.list", "\n");
    folder.write("no.jsonl", "{}\n").write("empty.jsonl", "").write("known.csv", "a\n1\n");
    let run = "campaign set/a_3x2.json --out r.jsonl";
    for (words, part) in [
        ("campaign --out r.jsonl", "<INSTANCES>"),
        ("campaign set", "--out <PATH>"),
        ("campaign none.json --out r.jsonl", "none.json: no such file"),
        ("campaign none*.json --out r.jsonl", "none*.json: no instances"),
        ("campaign none.list --out r.jsonl", "none.list: the list has no instances"),
        ("campaign bad.list --out r.jsonl", "bad.list:1: 'many' is neither an optimum nor"),
        ("campaign set set/a* --out r.jsonl", "two instances are called set/a_3x2.json"),
        (
            &format!("{run} --peer lr=no-such-solver.{{instance}}"),
            "no program 'no-such-solver.{inst",
        ),
        (&format!("{run} --peer sh"), "--peer 'sh': expected NAME='COMMAND'"),
        (&format!("{run} --peer lr=sh"), "--peer 'lr=sh': the command needs {instance}"),
        (&format!("{run} -- --stratgy sat"), "after --: unexpected argument '--stratgy'"),
        (&format!("{run} -- --threads 2"), "--threads is set by the campaign"),
        (&format!("{run} -- --decimals 2"), "--decimals: other solvers would read the file"),
        (&format!("{run} -- more.json"), "instances come before --"),
        ("campaign set --out no.jsonl", "no.jsonl:1: not a result of gridsat campaign: missing"),
        ("campaign report no.jsonl", "no.jsonl:1: not a result of gridsat campaign: missing"),
        ("campaign report empty.jsonl", "empty.jsonl: no results in it"),
        ("campaign report none.jsonl", "none.jsonl: cannot read: "),
    ] {
        folder.run(words).fails(2, &[part]);
    }
    assert!(!folder.list().contains(&"r.jsonl".to_owned()), "nothing was begun");
    folder.run(run).ends(0);
    let report = "campaign report r.jsonl --known known.csv";
    folder.run(report).fails(2, &["known.csv: needs the column 'instance'"]);
}

/// Files of results know each other.
#[test]
fn the_right_command_is_named() {
    let folder = with_peer(HONEST);
    campaign(&folder, "").ends(0);
    folder.run("report r.jsonl").fails(2, &["a result of a campaign", "gridsat campaign report"]);
    folder.copy("tests/data/sweep.toml", "sweep.toml");
    folder.run("experiment sweep.toml --quick --algorithms mct").ends(0);
    folder
        .run("campaign report sweep-quick.jsonl")
        .fails(2, &["a result of an experiment", "gridsat report FILE shows it"]);
}

/// A disk with room for two rows or three.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = with_peer(HONEST);
    let gridsat = gridsat_test_support::program::gridsat();
    let words = "campaign set --out r.jsonl --time-limit 20 --quiet";
    let peer = "--peer 'sh=sh peer.sh {instance} {seconds} {threads}'";
    let line = format!("trap '' XFSZ; ulimit -f 2; exec {} {words} {peer}", gridsat.display());
    let mut command = std::process::Command::new("bash");
    let run = Run::of(command.current_dir(folder.path("")).args(["-c", &line]));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("r.jsonl: ") && run.err.contains("rerun the same"), "{run:?}");
    let kept = folder.read("r.jsonl");
    let whole = kept.rfind('\n').expect("a row") + 1;
    campaign(&folder, "").ends(0);
    assert_eq!(rows(&folder).len(), 6);
    assert!(folder.read("r.jsonl").starts_with(&kept[..whole]));
}

/// The driver of LR with a program that answers as LR does.
#[cfg(unix)]
#[test]
fn the_driver_of_lr_reads_its_output() {
    use std::os::unix::fs::PermissionsExt;
    let Some(python) = installed("python3") else { return };
    let folder = with_peer("");
    // Machines are rows: t0 on the second host, the others on the first.
    let script = "#!/bin/sh\n[ \"$(cat $1 | tr -d '\\r')\" = \"$(printf '2,2,2\\n3,3,3')\" ] || exit 9\n\
        echo '2,3,17,20,0.01,1,0,0,4,2,1,1,' >> $4\n";
    folder.write("RCmax", script);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("RCmax"), executable).expect("writable");
    let driver = project("benches/campaign/peers/lr.py");
    let (python, driver) = (python.display(), driver.display());
    let mut command =
        folder.command("campaign set/a_3x2.json --out r.jsonl --time-limit 20 --peer");
    command.arg(format!("lr={python} -B {driver} {{instance}} {{seconds}} {{threads}} ./RCmax"));
    Run::of(&mut command).ends(0);
    let row = &rows(&folder)[1];
    assert_eq!((&row["status"], &row["makespan"]), (&json!("optimal"), &json!(4)), "{row}");
    assert_eq!((&row["accepted"], &row["nodes"]), (&json!(true), &json!(17)), "{row}");
    assert!(row["start_cpu_seconds"].as_f64() > Some(0.0), "{row}");
}

/// Results of one program, one command per peer, and of files that stay as they are.
#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = with_peer(HONEST);
    campaign(&folder, "").ends(0);
    let whole = folder.read("r.jsonl");
    let mut other = folder.command("campaign set --out r.jsonl --time-limit 20");
    let refused = Run::of(other.args(["--peer", "sh=sh -x peer.sh {instance}"]));
    refused.fails(2, &["r.jsonl: peer sh ran as 'sh peer.sh {instance}", "another name"]);
    folder.write("set/b_2x2.json", r#"{"etc": [[1, 9], [9, 2]]}"#);
    campaign(&folder, "").fails(2, &["r.jsonl: set/b_2x2.json has changed"]);
    folder.write("set/b_2x2.json", INSTANCES[1].1);
    let version = rows(&folder)[0]["gridsat"].as_str().expect("a version").to_owned();
    folder.write("r.jsonl", whole.replace(&version, "0.0.1 12345678"));
    campaign(&folder, "").fails(2, &["r.jsonl: has results of gridsat 0.0.1 12345678, this is"]);
    folder.run("campaign report r.jsonl").ends(0);
}

#[test]
fn certificates_can_be_kept() {
    let folder = with_peer(HONEST);
    campaign(&folder, "--certificates proofs").ends(0);
    let kept = "proofs/set_a_3x2.json_20s_1/certificate.json";
    folder.run(&format!("verify set/a_3x2.json {kept}")).ends(0);
}

/// The list of the benchmarks names what is there, with the optima that are proven elsewhere.
#[test]
fn the_reference_list_is_complete() {
    let list = std::fs::read_to_string(project("benches/campaign/reference.list")).expect("there");
    let optima =
        std::fs::read_to_string(project("instances/reference/optima.json")).expect("there");
    let optima: Value = serde_json::from_str(&optima).expect("JSON");
    let listed: Vec<(&str, f64)> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("an optimum"))
        .map(|(path, known)| (path, known.parse().expect("a number")))
        .collect();
    assert_eq!(listed.len(), optima.as_object().expect("an object").len());
    for (path, known) in listed {
        let name = path.rsplit('/').next().and_then(|name| name.strip_suffix(".json"));
        assert_eq!(optima[name.expect("a name")]["optimum"].as_f64(), Some(known), "{path}");
    }
}

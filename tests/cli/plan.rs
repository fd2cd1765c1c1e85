//! `solve --start`, and plans handed on by `--emit`.

use std::process::Command;

use gridsat_test_support::outside::report_missing;

use super::*;

#[test]
fn a_search_begins_with_a_given_mapping() {
    let folder = folder();
    folder.run("solve even.json --format csv -o best.csv").ends(0);
    let best = folder.run("solve even.json --format json -o best.json");
    best.ends(0);
    for start in ["best.csv", "best.json"] {
        let run =
            folder.run(&format!("solve even.json --start {start} --format json")).ends(0).json();
        assert_eq!(
            (&run["status"], &run["start"]["gap"]),
            (&json!("optimal"), &json!(0.0)),
            "{start}"
        );
        assert_eq!(run["found_by"], json!("given"), "{start}");
    }
    folder.write("names", "h0\nh0\nh0\n").write("list", "[1, 1, 1]");
    let run = folder.run("solve odd.json --start names --certificate c.json").ends(0);
    assert!(run.out.contains("Optimal makespan 10, proven."), "{}", run.out);
    let verdict =
        "The given mapping has makespan 15; no mapping ends before 10, proven: gap 33.333 %";
    assert!(run.out.contains(verdict), "{}", run.out);
    folder.run("verify odd.json c.json").ends(0);
}

/// Somebody else's answer is judged within a fixed amount of work, and stays the answer.
#[test]
fn a_given_mapping_is_judged_without_time() {
    let folder = folder();
    folder.write("list", "[1, 1, 1]").write("best", "[1, 1, 0]");
    let run = folder.run("solve odd.json --start list --time-limit 0 --certificate c.json");
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[1].starts_with("The given mapping has makespan 15; no mapping ends before 10"));
    assert_eq!(lines[2], "A mapping with makespan 10 was met; search longer for it.");
    let json = folder.run("solve odd.json --start list --time-limit 0 --format json").json();
    assert_eq!((&json["makespan"], &json["lower_bound"]), (&json!(15), &json!(10)));
    assert_eq!(json["mapping"], json!([1, 1, 1]));
    let start = json!({"status": "feasible", "makespan": 15, "gap": 1.0 / 3.0, "better": 10});
    assert_eq!(json["start"], start);
    // The certificate is about the given mapping.
    let verified = folder.run("verify odd.json c.json --format json").ends(0).json();
    assert_eq!((&verified["makespan"], &verified["lower_bound"]), (&json!(15), &json!(10)));
    let run = folder.run("solve odd.json --start best --time-limit 0").ends(0);
    assert!(run.out.contains("The given mapping has makespan 10, optimal, proven"), "{}", run.out);
    assert!(!run.out.contains("was met"), "{}", run.out);
}

#[test]
fn a_second_stage_chooses_among_the_optima() {
    let folder = Folder::default();
    folder.write("a.json", r#"{"etc": [[9, 9, 9], [2, 2, 6], [3, 3, 8]]}"#);
    folder.write("now", "2\n1\n2\n");
    let total = folder.run("solve a.json --then total-time --format json --certificate c.json");
    let total = total.ends(0).json();
    assert_eq!((&total["status"], &total["makespan"]), (&json!("optimal"), &json!(9)));
    assert_eq!(total["then"]["status"], json!("optimal"));
    assert_eq!((&total["then"]["value"], &total["then"]["lower_bound"]), (&json!(14), &json!(14)));
    folder.run("verify a.json c.json").ends(0);
    let run = folder.run("solve a.json --then fewest-moves --start now").ends(0);
    assert!(run.out.contains("Optimal makespan 9, proven"), "{}", run.out);
    assert!(run.out.contains("Tasks moved: 1"), "{}", run.out);
    folder.run("solve a.json --then fewest-moves").fails(2, &["add --start FILE"]);
    folder
        .run("solve a.json --then total-time --start now --time-limit 0")
        .fails(2, &["--then needs time"]);
    folder.run("solve a.json --then luck").fails(2, &["total-time", "fewest-moves"]);
}

#[test]
fn starts_that_are_none_are_named() {
    let folder = folder();
    folder.write("few", "[0]").write("wrong", "[0, 9, 0]").write("text", "h0\nh7\nh0\n");
    folder.write("object", "{\"a\": 1}").write("csv", "task,host\n0,h0\n");
    for (start, parts) in [
        ("few", &["few: a mapping of 1 tasks, but the instance has 3"][..]),
        ("wrong", &["wrong: ", "9"]),
        ("text", &["task 1: there is no host 'h7'"]),
        ("object", &["no 'mapping' in the object"]),
        ("csv", &["csv: ", "has no host"]),
        ("none", &["none"]),
    ] {
        folder.run(&format!("solve odd.json --start {start}")).fails(2, parts);
    }
    folder.run("solve odd.json even.json --start list").fails(2, &["one instance"]);
    folder.write("ok", "[0, 0, 0]");
    folder.run("solve odd.json --start ok --strategy sat").fails(2, &["--strategy auto"]);
}

/// Six commands that each append to a file of its own.
fn commands() -> Folder {
    let folder = Folder::default();
    let row = |i: u32| format!("task {i},{i},touch done-{i}; echo '$HOME' {i} >> log-{i}\n");
    let rows: String = (1..=6).map(row).collect();
    folder.write("list.csv", format!("task,time,command\n{rows}"));
    folder.write("times.csv", "task,:,b\ntask 1,1,2\ntask 2,2,1\ntask 3,3,3\n");
    folder
}

/// Whether the plan was run completely, each command once.
fn is_done(folder: &Folder, inside: &str, count: u32) {
    for i in 1..=count {
        assert_eq!(folder.read(&format!("{inside}log-{i}")), format!("$HOME {i}\n"), "{i}");
    }
}

#[test]
fn a_makefile_runs_the_plan() {
    let folder = commands();
    folder.run("split list.csv --shards 2 --emit make").ends(0);
    assert!(folder.read("plan/Makefile").contains("all: shard-1 shard-2\n"));
    match Command::new("make").args(["-j2", "-C", "plan"]).current_dir(folder.path("")).output() {
        Ok(made) => {
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            is_done(&folder, "plan/", 6);
        }
        Err(_) => report_missing("make"),
    }
}

#[test]
fn gnu_parallel_runs_the_plan() {
    let folder = commands();
    folder.run("solve times.csv --emit parallel --commands list.csv").ends(0);
    assert!(folder.read("plan/run.sh").contains("--sshlogin \"$(login 'b')\" < 'b.txt'"));
    if Command::new("parallel").arg("--version").output().is_err() {
        return report_missing("parallel");
    }
    let mut run = Command::new("sh");
    run.arg("plan/run.sh")
        .env("LOCAL", "1")
        .env("HOME", folder.path(""))
        .current_dir(folder.path(""));
    let run = run.output().expect("sh runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    is_done(&folder, "plan/", 3);
}

#[test]
fn the_elements_of_the_job_array_run_the_plan() {
    let folder = commands();
    folder.run("solve list.csv --hosts 2 --emit slurm --emit-to array").ends(0);
    let script = folder.read("array/plan.sbatch");
    assert!(script.contains("#SBATCH --array=1-2\n"), "{script}");
    // What Slurm does, one element after the other.
    for (element, code) in [("1", 0), ("2", 0), ("3", 2)] {
        let mut run = Command::new("sh");
        run.arg("array/plan.sbatch")
            .env("SLURM_ARRAY_TASK_ID", element)
            .current_dir(folder.path(""));
        assert_eq!(run.output().expect("sh runs").status.code(), Some(code), "{element}");
    }
    is_done(&folder, "", 6);
}

#[test]
fn plans_without_commands_are_refused_or_made_from_a_template() {
    let folder = commands();
    folder.run("solve times.csv --emit make").fails(2, &["has no command", "--command"]);
    folder.run("solve times.csv --emit csv").ends(0);
    assert!(folder.read("plan/plan.csv").starts_with("host,task,command,start,end\n"));
    let mut words = folder.command("split list.csv --shards 1 --emit make --emit-to made");
    words.args(["--command", "run -t {} -x"]);
    Run::of(&mut words).ends(0);
    assert!(folder.read("made/Makefile").contains("\trun -t 'task 1' -x\n"));
    folder.write("bad.csv", "task,time,command\na,1,\"one\ntwo\"\n");
    folder
        .run("split bad.csv --shards 1 --emit make")
        .fails(2, &["'a' has a command of several lines"]);
    folder.run("split list.csv --shards 1 --command x").fails(2, &["--emit"]);
}

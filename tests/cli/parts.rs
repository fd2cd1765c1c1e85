//! The commands `plan`, `work` and `merge`, and engines.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use gridsat_test_support::outside::installed;

use super::*;

/// A folder with an instance that takes hours.
fn very_hard() -> Folder {
    let folder = Folder::default();
    let words = "generate etc --class jobcorr --tasks 200 --hosts 40 --seed 1 --output hard.json";
    folder.run(words).ends(0);
    folder
}

/// A sweep of 36 runs, planned in six parts.
fn planned() -> Folder {
    let folder = Folder::with("sweep.toml");
    assert_eq!(folder.run("plan experiment sweep.toml --parts 6 --out d").ends(0).out, "6\n");
    folder
}

fn work(folder: &Folder, part: usize) -> Run {
    folder.run(&format!("work d --part {part}"))
}

/// The result of the same sweep by one process.
fn whole(folder: &Folder) -> String {
    folder.run("experiment sweep.toml --quiet --result whole.jsonl").ends(0);
    folder.read("whole.jsonl")
}

/// Runs `gridsat` in a shell in the folder; `{gridsat}` stands for the program.
fn shell(folder: &Folder, script: &str) -> Run {
    let gridsat = folder.command("").get_program().to_string_lossy().into_owned();
    let mut command = std::process::Command::new("bash");
    command.current_dir(folder.path("")).args(["-c", &script.replace("{gridsat}", &gridsat)]);
    Run::of(&mut command)
}

/// Waits until it is true, for a minute at most.
fn eventually(what: &str, is_true: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Ids of processes whose command line contains the text.
fn processes_with(text: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("Linux").filter_map(Result::ok);
    let has = |entry: &fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(text)
    };
    entries.filter(has).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// In any order, some by the variables of schedulers, some twice.
#[test]
fn parts_give_the_bytes_of_one_process() {
    let folder = planned();
    let run = folder.run("merge d");
    assert_eq!((run.code, run.out.as_str()), (Some(3), "0-5\n"), "{run:?}");
    for part in [4, 1, 4] {
        assert_eq!(work(&folder, part).code, Some(0));
    }
    let run = folder.run("merge d");
    assert_eq!((run.code, run.out.as_str()), (Some(3), "0,2-3,5\n"), "{run:?}");
    assert!(run.err.contains("4 of 6 parts are missing in "), "{run:?}");
    for (variable, number) in [
        ("SLURM_ARRAY_TASK_ID", "0"),
        ("HQ_TASK_ID", "2"),
        ("JOB_COMPLETION_INDEX", "3"),
        ("PARALLEL_SEQ", "6"),
    ] {
        let run = Run::of(folder.command("work d").env(variable, number));
        assert!(run.code == Some(0) && run.out.contains("is done"), "{run:?}");
    }
    let out = folder.run("merge d").ends(0).out;
    assert!(out.contains("36 runs: 3 points, 4 replications from seed 1"), "{out}");
    assert!(folder.read("d/result.jsonl") == whole(&folder));
    assert!(work(&folder, 3).out.contains("part 3 was done before"));
}

#[test]
fn gnu_parallel_needs_nothing_else() {
    if installed("parallel").is_none() {
        return;
    }
    let folder = planned();
    let run = shell(
        &folder,
        "seq 0 2 | parallel {gridsat} work d --part {}; \
        parallel -N0 {gridsat} work d ::: a b c d e f",
    );
    assert_eq!((run.code, run.out.matches("is done").count()), (Some(0), 6), "{run:?}");
    assert_eq!(run.out.matches("was done before").count(), 3, "{run:?}");
    folder.run("merge d --quiet").ends(0);
    assert!(folder.read("d/result.jsonl") == whole(&folder));
}

/// A worker elsewhere, in another folder, on the same part at the same time.
#[test]
fn two_workers_on_one_part_do_not_harm() {
    let folder = planned();
    let parts = shell(
        &folder,
        "for i in 0 1 2 3 4 5; do {gridsat} work d --part $i & \
        (cd /; {gridsat} work $OLDPWD/d --part $i) & done; wait",
    );
    assert_eq!(parts.code, Some(0), "{parts:?}");
    folder.run("merge d --result r.jsonl").ends(0);
    assert!(folder.read("r.jsonl") == whole(&folder));
    let files = fs::read_dir(folder.path("d/parts")).expect("readable").count();
    assert_eq!(files, 6, "nothing is left aside");
}

#[test]
fn a_damaged_part_is_missing_and_done_again() {
    let folder = planned();
    (0..6).for_each(|part| drop(work(&folder, part)));
    let text = folder.read("d/parts/2");
    for wrong in [&text[..text.len() - 5], &text.replacen("\"point\":", "\"point\":1", 1), ""] {
        folder.write("d/parts/2", wrong);
        let run = folder.run("merge d");
        assert_eq!((run.code, run.out.as_str()), (Some(3), "2\n"), "{run:?}");
        assert!(work(&folder, 2).out.contains("part 2 is done"));
        assert!(folder.read("d/parts/2") == text);
    }
    folder.write("d/parts/2", folder.read("d/parts/3"));
    assert_eq!(folder.run("merge d").out, "2\n", "the file of another part");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = planned();
    work(&folder, 0);
    work(&folder, 6).fails(2, &["part 6: the plan has parts 0 to 5"]);
    folder.run("work d --part -1").fails(2, &["'-1'", "negative"]);
    folder.run("work d").fails(2, &["which part?", "--part", "SLURM_ARRAY_TASK_ID"]);
    let run = Run::of(folder.command("work d").env("PARALLEL_SEQ", "0"));
    run.fails(2, &["PARALLEL_SEQ='0' is not the number of a part"]);
    folder.run("work no --part 0").fails(2, &["/no: there is no plan", "gridsat plan"]);
    folder.run("plan experiment sweep.toml --seed 2 --out d").fails(2, &["d: has another plan"]);
    assert_eq!(folder.run("plan experiment sweep.toml --parts 6 --out d").ends(0).out, "6\n");
    let plan = folder.read("d/plan.json");
    let version = plan.find("\"gridsat\": \"").expect("named") + "\"gridsat\": \"".len();
    let other = format!("{}9.9.9 {}", &plan[..version], &plan[version..]);
    folder.write("d/plan.json", other);
    for words in ["work d --part 1", "merge d", "merge d --engine local"] {
        folder.run(words).fails(2, &["d: planned by gridsat 9.9.9 0.", ", this is 0."]);
    }
    for (wrong, part) in [
        ("{}", "not a plan of gridsat: missing field `format`"),
        ("{\"format\": \"gridsat-plan 2\"}", "format 'gridsat-plan 2', expected 'gridsat-plan 1'"),
        (&plan.replace("\"cuts\": [", "\"cuts\": [7,"), "its parts are not all runs"),
        (&plan.replace("\"replications\": 4", "\"replications\": 4000000000"), "runs, must be"),
    ] {
        folder.write("d/plan.json", wrong).run("work d --part 1").fails(2, &["plan.json", part]);
    }
    folder.write("d/plan.json", plan);
    let run = folder.run("merge d");
    assert_eq!((run.code, run.out.as_str()), (Some(3), "1-5\n"), "part 0 is still there: {run:?}");
}

#[test]
fn changed_inputs_are_refused() {
    let folder = Folder::with("x.swf sweep.toml tiny.csv");
    let file = "replications = 2\nalgorithms = [\"fcfs\"]\nmetrics = [\"wait\"]\n\
        [base]\nscenario = \"c.toml\"\n";
    folder.write("e.toml", file);
    folder.write("c.toml", "[[cluster]]\nname = \"a\"\nnodes = 8\n[jobs]\ntrace = \"x.swf\"\n");
    folder.run("plan experiment e.toml --parts 2 --out d").ends(0);
    assert_eq!(folder.run("work d --part 0").code, Some(0));
    let trace = folder.read("x.swf");
    folder.write("x.swf", format!("{trace}\n"));
    for words in ["work d --part 1", "merge d"] {
        folder.run(words).fails(2, &["x.swf: has changed since the plan was made"]);
    }
    folder.write("x.swf", trace);
    assert_eq!(folder.run("work d --part 1").code, Some(0));
    folder.run("merge d").ends(0);
    folder.run("plan campaign tiny.csv --time-limit 1 --out c").ends(0);
    folder.write("tiny.csv", "1,2\n3,5\n");
    folder.run("work c --part 0").fails(2, &["tiny.csv: has changed since the plan was made"]);
}

/// Files of at most one kilobyte can be written.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = planned();
    work(&folder, 0);
    let limited = "trap '' XFSZ; ulimit -f 1; exec {gridsat} work d --part 1";
    let part = folder.read("d/parts/0");
    assert!(part.len() > 600, "{} bytes are too few for this test", part.len());
    let run = shell(&folder, &limited.replace("-f 1", "-f 0"));
    run.fails(2, &["d/parts/1: ", "what is finished is kept"]);
    assert_eq!(folder.run("merge d").out, "1-5\n");
    assert_eq!(fs::read_dir(folder.path("d/parts")).expect("readable").count(), 1);
    let plan =
        "trap '' XFSZ; ulimit -f 0; exec {gridsat} plan experiment sweep.toml --parts 2 --out e";
    shell(&folder, plan).fails(2, &["e/plan.json: "]);
}

#[test]
fn a_campaign_in_parts_has_the_rows_of_one() {
    let folder = Folder::with("even.json odd.json demo.json");
    let set = "even.json odd.json demo.json --time-limit 5";
    folder.run(&format!("campaign {set} --out one.jsonl --quiet")).ends(0);
    let plan = format!("plan campaign {set} --parts 2 --out d");
    assert_eq!(folder.run(&plan).ends(0).out, "2\n");
    assert_eq!(folder.run("work d --part 1").code, Some(0));
    assert_eq!(folder.run("merge d").out, "0\n");
    let out = folder.run("merge d --engine local --result two.jsonl").ends(0).out;
    assert!(out.contains("proven"), "{out}");
    let out = folder.run(&format!("campaign {set} --engine local --out three.jsonl")).ends(0).out;
    assert!(out.contains("proven"), "{out}");
    let rows = |name: &str| -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
        let mut rows: Vec<Value> = folder.read(name).lines().map(parse).collect();
        for row in &mut rows {
            let fields = row.as_object_mut().expect("an object");
            fields.retain(|name, _| !name.contains("seconds") && !name.contains("peak"));
        }
        rows
    };
    assert_eq!(rows("one.jsonl").len(), 3);
    assert_eq!(rows("one.jsonl"), rows("two.jsonl"));
    assert_eq!(rows("one.jsonl"), rows("three.jsonl"));
}

/// The driver is killed in the middle; the same command goes on and gives the same bytes.
#[test]
fn a_killed_driver_leaves_no_process_and_goes_on() {
    let folder = Folder::with("sweep.toml");
    let long = "experiment sweep.toml --replications 40 --quiet";
    folder.run(&format!("{long} --result whole.jsonl")).ends(0);
    folder.run("plan experiment sweep.toml --replications 40 --parts 40 --out d").ends(0);
    let mut child = folder.command("merge d --engine local --jobs 2").spawn().expect("starts");
    let parts = || fs::read_dir(folder.path("d/parts")).expect("readable").count();
    eventually("some parts", || parts() > 5);
    child.kill().expect("still there");
    child.wait().expect("gone");
    let name = folder.path("d").display().to_string();
    eventually("no worker is left", || processes_with(&name).is_empty());
    let run = folder.run("merge d");
    assert_eq!(run.code, Some(3), "not all parts were done: {run:?}");
    let run = folder.run("merge d --engine local --jobs 2 -v");
    assert!(
        run.code == Some(0) && run.err.contains("40 of 40 parts are done, 0 running"),
        "{run:?}"
    );
    assert!(folder.read("d/result.jsonl") == folder.read("whole.jsonl"));
    let run = folder.run(&format!("{long} --engine local --result e.jsonl"));
    assert!(run.code == Some(0) && folder.read("e.jsonl") == folder.read("whole.jsonl"));
    assert!(!folder.path("e.jsonl.parts").exists(), "on this machine parts go at the end");
}

/// From another folder, with inputs whose paths are relative.
#[test]
fn a_plan_can_be_finished_from_anywhere() {
    let folder = Folder::with("x.swf");
    let file = "replications = 2\nalgorithms = [\"fcfs\"]\nmetrics = [\"wait\"]\n\
        [base]\nscenario = \"c.toml\"\n";
    folder.write("e.toml", file);
    folder.write("c.toml", "[[cluster]]\nname = \"a\"\nnodes = 8\n[jobs]\ntrace = \"x.swf\"\n");
    folder.run("experiment e.toml --quiet --result whole.jsonl").ends(0);
    folder.run("plan experiment e.toml --parts 2 --out d").ends(0);
    let run = shell(&folder, "mkdir o; cd o; {gridsat} merge ../d --engine local --result r.jsonl");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(folder.read("o/r.jsonl") == folder.read("whole.jsonl"));
    folder.run("plan experiment e.toml --parts 2 --out e").ends(0);
    let script = "cd o; for i in 0 1; do {gridsat} work ../e --part $i; done; {gridsat} merge ../e";
    assert_eq!(shell(&folder, script).code, Some(0));
    assert!(folder.read("e/result.jsonl") == folder.read("whole.jsonl"));
}

/// The engine may change on the way; a second driver is refused.
#[test]
fn one_driver_at_a_time() {
    let folder = planned();
    let empty = folder.path("empty");
    fs::create_dir(&empty).expect("writable");
    let run = Run::of(folder.command("merge d --engine slurm").env("PATH", &empty));
    run.fails(2, &["sbatch"]);
    let lock = fs::File::open(folder.path("d/lock")).expect("there");
    lock.try_lock().expect("nobody else");
    folder.run("merge d --engine local").fails(2, &["/d: another gridsat is at work on it"]);
    assert!(work(&folder, 2).out.contains("is done"), "workers need no lock");
    drop(lock);
    folder.run("merge d --engine local").ends(0);
    assert!(folder.read("d/result.jsonl") == whole(&folder));
}

/// An interrupt ends the processes and says how to go on.
#[test]
fn an_interrupt_ends_the_processes() {
    let folder = very_hard();
    let path = folder.path("hard.json").display().to_string();
    folder.run(&format!("plan campaign {path} --time-limit 100 --out d")).ends(0);
    let mut command = folder.command("merge d --engine local");
    let child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let solve = format!("solve {path} --format");
    let at_work = || !processes_with(&solve).is_empty();
    eventually("solve runs", at_work);
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-INT", &child.id().to_string()]).status().expect("runs").success());
    let output = child.wait_with_output().expect("ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("interrupted, 0 of 1 parts are kept in "), "{err}");
    eventually("solve is gone", || !at_work());
}

/// A part that fails on this machine ends the work with its own message.
#[test]
fn a_failing_part_is_shown() {
    let folder = planned();
    fs::remove_dir(folder.path("d/parts")).expect("empty");
    folder.write("d/parts", "not a folder");
    folder.run("merge d --engine local").fails(2, &["d/parts/", "what is finished is kept"]);
}

/// Programs that do what Slurm's do, except that nothing is ever run.
#[test]
fn a_part_that_fails_on_a_cluster_is_shown_with_its_log() {
    let folder = planned();
    let programs = "mkdir bin; for name in sbatch squeue scancel scontrol; do \
        printf '#!/bin/sh\\n[ %s = sbatch ] || exit 0; echo x >>submitted\\n\
        echo \"gridsat: no memory\" >d/logs/0.log; echo 7\\n' $name >bin/$name; done; \
        chmod +x bin/*";
    assert_eq!(shell(&folder, programs).code, Some(0));
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").expect("set"));
    let run = Run::of(folder.command("merge d --engine slurm -v").env("PATH", path));
    assert_eq!(run.code, Some(2), "{run:?}");
    let failed = "parts 0-5 failed 3 times; part 0 says in ";
    assert!(run.err.contains(failed) && run.err.contains("logs/0.log: gridsat: no memory"));
    assert!(run.err.contains("missing: 0-5; submitted again (") && run.err.contains("6 failed"));
    assert_eq!(folder.read("submitted"), "x\nx\nx\n", "{run:?}");
    assert_eq!(folder.read("d/slurm.job"), "7\n");
}

#[test]
fn schedulers_that_are_not_there_are_named() {
    let folder = planned();
    let empty = folder.path("empty");
    fs::create_dir(&empty).expect("writable");
    for (engine, program) in [("slurm", "sbatch"), ("hyperqueue", "hq")] {
        for words in ["merge d", "experiment sweep.toml --result r.jsonl"] {
            let words = format!("{words} --engine {engine}");
            let run = Run::of(folder.command(&words).env("PATH", &empty));
            run.fails(2, &[&format!("no program '{program}' in the PATH")]);
        }
    }
    assert!(folder.read("d/array.sbatch").contains("#SBATCH --array=0-5\n"));
    folder.run("merge d --engine slurm --engine-args 'x").fails(2, &["--engine-args", "quote"]);
    folder.run("merge d --jobs 2").fails(2, &["--engine"]);
}

/// A campaign that is killed takes its solver with it.
#[test]
fn a_killed_campaign_leaves_no_solver() {
    let folder = very_hard();
    let path = folder.path("hard.json").display().to_string();
    let words = format!("campaign {path} --time-limit 100 --out r.jsonl --quiet");
    let mut child = folder.command(&words).spawn().expect("starts");
    let solve = format!("solve {path} --format");
    eventually("solve runs", || !processes_with(&solve).is_empty());
    child.kill().expect("still there");
    child.wait().expect("gone");
    eventually("solve is gone", || processes_with(&solve).is_empty());
}

/// What only people read may change.
#[test]
fn a_result_is_kept_when_its_description_changes() {
    let folder = Folder::with("sweep.toml");
    folder.run("experiment sweep.toml --quick --quiet").ends(0);
    let before = folder.read("sweep-quick.jsonl");
    let text = folder.read("sweep.toml").replacen("title = ", "about = \"New.\"\ntitle = ", 1);
    folder.write("sweep.toml", text);
    folder.run("experiment sweep.toml --quick --quiet").ends(0);
    assert_eq!(folder.read("sweep-quick.jsonl"), before, "nothing was run");
    folder.run("experiment sweep.toml --quick --quiet -r 3").ends(0);
    let after = folder.read("sweep-quick.jsonl");
    assert!(after.contains("\"about\":\"New.\""));
    let runs = |text: &str| text.lines().filter(|line| line.starts_with("{\"point\"")).count();
    assert_eq!((runs(&before), runs(&after)), (18, 27));
    assert!(Path::new(&folder.path("sweep-quick.jsonl")).exists());
}

/// An instance whose proof takes several rounds of parts of ten cases each.
fn planned_proof() -> Folder {
    let folder = Folder::default();
    folder
        .run("generate etc --class u_c_hihi --tasks 40 --hosts 5 --seed 3 --output x.json")
        .ends(0);
    let plan = "plan proof x.json --time-limit 0 --parts 4 --part-seconds 0 --out d";
    let parts: usize = folder.run(plan).ends(0).out.trim().parse().expect("a number");
    assert!((2..=4).contains(&parts), "{parts} parts");
    folder
}

#[test]
fn a_proof_in_parts_is_one_certificate() {
    let folder = planned_proof();
    shell(&folder, "cp -r d e");
    let run = folder.run("merge d --engine local");
    assert!(run.code == Some(0) && run.out.starts_with("optimal, proven: "), "{run:?}");
    assert!(folder.path("d/rounds/2.json").exists(), "one round is too few for this test");
    let verdict = folder.run("verify x.json d/certificate.json").ends(0).out;
    assert!(verdict.starts_with("ACCEPTED: makespan ") && verdict.contains("is optimal"));
    let solved = folder.run("solve x.json --format json --quiet").ends(0).json();
    let makespan = solved["makespan"].to_string();
    assert!(verdict.contains(&format!("makespan {makespan} is optimal")), "{verdict}, {makespan}");
    // By hand and in another order, until no part is missing.
    for _ in 0..200 {
        let run = folder.run("merge e");
        if run.code == Some(0) {
            break;
        }
        let missing = run.out.trim().rsplit([',', '-']).next().expect("a number").to_owned();
        assert_eq!(folder.run(&format!("work e --part {missing}")).code, Some(0));
    }
    let other = folder.run("verify x.json e/certificate.json").ends(0).out;
    assert_eq!(other, verdict);
}

/// The file of better mappings helps, but is not needed.
#[test]
fn a_proof_needs_no_file_of_mappings() {
    let folder = planned_proof();
    (0..2).for_each(|part| drop(folder.run(&format!("work d --part {part}"))));
    shell(&folder, "rm -rf d/best; mkdir d/best; echo '[0]' >d/best/1.json; echo x >d/best/2");
    assert_eq!(folder.run("merge d --engine local").code, Some(0));
    let verdict = folder.run("verify x.json d/certificate.json").ends(0).out;
    assert!(verdict.contains("is optimal"), "{verdict}");
}

#[test]
fn a_proof_that_is_not_one_is_refused() {
    let folder = planned_proof();
    folder.run("plan proof no.json --out n").fails(2, &["no.json"]);
    folder.write("bad.json", "{\"etc\": [[1], [2, 3]]}");
    folder.run("plan proof bad.json --out n").fails(2, &["bad.json"]);
    folder.copy("tests/data/odd.json", "odd.json");
    let run = folder.run("plan proof odd.json --out o");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0\n"), "{run:?}");
    let verdict = folder.run("verify odd.json o/certificate.json").ends(0).out;
    assert!(verdict.contains("is optimal"), "{verdict}");
    folder.run("plan proof odd.json --out d").fails(2, &["d: has another plan"]);
    let plan = folder.read("d/plan.json");
    folder.write("x.json", folder.read("odd.json"));
    folder.run("work d --part 0").fails(2, &["x.json: has changed since the plan was made"]);
    folder
        .run("generate etc --class u_c_hihi --tasks 40 --hosts 5 --seed 3 --output x.json")
        .ends(0);
    let (top, cases) = plan.split_at(plan.find("\"cases\"").expect("there are cases"));
    let cases = cases.replacen("\"prices\": [", "\"prices\": [1,", 1);
    folder.write("d/plan.json", format!("{top}{cases}"));
    folder.run("work d --part 0").fails(2, &["a case has not one price"]);
}

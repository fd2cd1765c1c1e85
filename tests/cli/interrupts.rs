//! What an interrupt or a time limit leaves undone is counted, and never listed with the mapping it
//! started from.

use super::*;

#[test]
fn a_search_without_time_has_no_result() {
    let folder = folder();
    let words = "map demo.json -a ga,ig --time-limit 0";
    let csv = folder.run(&format!("{words} --format csv --no-times")).ends(3).out;
    assert_eq!(csv, "algorithm,makespan,seconds,interrupted\nga,,,true\nig,,,true\n");
    let json = folder.run(&format!("{words} --format json")).ends(3).json();
    assert_eq!(json["results"], json!([]));
    assert_eq!(json["interrupted"], true);
    let table = folder.run(words).ends(3).out;
    assert!(table.contains("interrupted, 0 of 2 algorithms done"), "{table}");
    let all = folder.run("map demo.json -a ga,mct --format json").ends(0).json();
    assert_eq!((&all["interrupted"], &all["completed"]), (&json!(false), &json!(2)));
}

#[test]
fn instances_without_every_algorithm_are_left_out() {
    let folder = folder();
    let words = "bench --only jobcorr_16x4 -a mct,ga --time-limit 0";
    let json = folder.run(&format!("{words} --format json")).ends(3).json();
    assert_eq!((&json["completed"], &json["planned"]), (&json!(0), &json!(2)));
    let csv = folder.run(&format!("{words} --format csv")).ends(3).out;
    let rows: Vec<_> = csv.lines().collect();
    assert!(rows[0].ends_with(",seconds,interrupted"), "{csv}");
    assert!(rows[1].starts_with("jobcorr_16x4_1,jobcorr,16,4,,") && rows[1].ends_with(",true"));
    let table = folder.run(words).ends(3).out;
    assert!(table.contains("interrupted, 0 of 2 instances done"), "{table}");
}

/// Interrupts a command after two seconds and checks how much it counts as done.
#[cfg(unix)]
fn stopped(folder: &Folder, words: &str, planned: u64) -> Value {
    let start = std::time::Instant::now();
    let json =
        interrupted(folder, &format!("{words} --format json"), || start.elapsed().as_secs() >= 2);
    assert_eq!((&json["interrupted"], &json["planned"]), (&json!(true), &json!(planned)));
    assert!(json["completed"].as_u64() < Some(planned), "{json}");
    json
}

#[cfg(unix)]
#[test]
fn what_did_not_run_is_not_listed() {
    let folder = Folder::with("endless.toml");
    folder.run("generate etc --tasks 3000 --hosts 20 --output big.json").ends(0);
    let names = |json: &Value, key: &str| -> Vec<String> {
        let rows = json["results"].as_array().expect("a list").iter();
        rows.map(|row| row[key].as_str().expect("a name").to_owned()).collect()
    };
    let map = stopped(&folder, "map big.json -a mct,ig,olb,minmin", 4);
    assert_eq!(names(&map, "algorithm"), ["mct", "ig"]);
    assert_eq!(map["results"][1]["interrupted"], true);
    let compare = stopped(&folder, "compare big.json --time-limit 600 -r 1", 17);
    assert_eq!(names(&compare, "algorithm"), ["optimum"]);
    let bench = stopped(&folder, "bench --set all -a searches", 209);
    let rows = bench["results"].as_array().map(Vec::len);
    // One row per search and finished instance, and none for the others.
    let searches = gridsat_heuristics::search::all().len();
    assert_eq!(rows, bench["completed"].as_u64().map(|done| done as usize * searches), "{bench}");
    let policies = stopped(&folder, "compare endless.toml --policy mct,minmin", 2);
    assert_eq!(names(&policies, "policy"), [""; 0]);
    let long = example("lublin.toml").replace("count = 300", "count = 1000000000000");
    folder.write("long.toml", long);
    let clusters = stopped(&folder, "compare long.toml --policy own,easy", 2);
    assert_eq!(names(&clusters, "policy"), [""; 0]);
}

/// As a batch system does at the end of a job's time, and a terminal when it is closed.
#[cfg(unix)]
#[test]
fn other_signals_end_it_as_an_interrupt_does() {
    let folder = hard();
    for signal in ["-TERM", "-HUP"] {
        // Where these tests were started by nohup, so is the program, and it does not end.
        if signal == "-HUP" && is_hangup_ignored() {
            eprintln!("skipped: end by a hangup (it is ignored, as under nohup)");
            continue;
        }
        let start = std::time::Instant::now();
        let is_ready = || start.elapsed().as_secs() >= 1;
        let json =
            ended_by(signal, &folder, "solve hard.json --strategy sat --format json", is_ready);
        assert_eq!(json["status"], "feasible", "{signal}");
    }
}

/// Whether this process, and so every one that it starts, ignores SIGHUP.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 != 0))
}

/// A program started by nohup survives a hangup, and still ends with a result at SIGTERM.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let folder = hard();
    let gridsat = folder.command("").get_program().to_string_lossy().into_owned();
    let script = format!(
        "trap '' HUP; {gridsat} solve hard.json --strategy sat --time-limit 60 --format json & \
         sleep 1; kill -HUP $!; sleep 1; kill -TERM $!; wait $!"
    );
    let mut command = std::process::Command::new("bash");
    let run = Run::of(command.current_dir(folder.path("")).args(["-c", &script]));
    let seconds = run.json()["seconds"].as_f64();
    assert!(run.code == Some(3) && (1.5..30.0).contains(&seconds.unwrap_or(0.0)), "{run:?}");
}

//! Several instances at once, progress and explanations.

use super::*;

#[test]
fn one_line_of_json_each() {
    let folder = folder();
    let run = folder.run("solve demo.json even.json odd.json --format jsonl --no-times").ends(0);
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{}", run.out);
    assert_eq!(lines.iter().map(|line| line["makespan"].to_string()).collect::<Vec<_>>()[0], "5.5");
    // Each line is the same as for the instance alone.
    let alone = folder.run("solve odd.json --format jsonl --no-times").ends(0).out;
    assert_eq!(run.out.lines().nth(2), Some(alone.trim_end()));
    let pretty = folder.run("solve odd.json --format json --no-times").ends(0).json();
    assert_eq!(lines[2], pretty);
}

#[test]
fn a_table_and_csv_of_all() {
    let folder = folder();
    let table = folder.run("solve demo.json odd.json --no-times").ends(0).out;
    assert!(table.contains("2 of 2 solved to proven optimality"), "{table}");
    let csv = folder.run("solve demo.json odd.json --no-times --format csv").ends(0).out;
    let rows: Vec<_> = csv.lines().collect();
    assert_eq!(rows[0], "instance,tasks,hosts,status,makespan,lower_bound,gap,seconds,file");
    assert_eq!(rows[1], "demo,2,3,optimal,5.5,5.5,0.000000,,demo.json");
    assert!(rows[2].contains(",optimal,10,10,"), "{csv}");
}

/// Two files may hold instances of one name.
#[test]
fn files_tell_instances_of_one_name_apart() {
    let folder = folder();
    folder.copy("tests/data/demo.json", "other.json");
    let run = folder.run("solve demo.json other.json none --format jsonl --no-times");
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let files: Vec<&Value> = lines.iter().map(|line| &line["file"]).collect();
    assert_eq!(files, ["demo.json", "other.json", "none"]);
    let table = folder.run("solve demo.json other.json --no-times").ends(0).out;
    assert!(table.contains(" demo.json ") && table.contains(" other.json "), "{table}");
    let table = folder.run("solve demo.json odd.json --no-times").ends(0).out;
    assert!(!table.contains("demo.json"), "{table}");
}

#[test]
fn the_worst_decides_and_none_keeps_the_others_from_it() {
    let folder = hard();
    folder.write("bad.json", "{").copy("tests/data/demo.json", "demo.json");
    // Without any time no search begins; the longest task proves the optimum of the other instance.
    let words = "solve hard.json demo.json --time-limit 0 --format csv";
    let run = folder.run(words).ends(3);
    assert!(run.out.contains(",feasible,") && run.out.contains("demo,2,3,optimal"), "{run:?}");
    let run = folder.run("solve bad.json demo.json missing --format jsonl --no-times");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.err.lines().count(), 2, "{run:?}");
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        lines.iter().map(|line| &line["status"]).collect::<Vec<_>>(),
        ["error", "optimal", "error"]
    );
}

#[test]
fn what_is_for_one_instance_is_refused() {
    let folder = folder();
    folder.run("solve demo.json odd.json --format json").fails(2, &["--format json", "jsonl"]);
    folder
        .run("solve demo.json odd.json --certificate c")
        .fails(2, &["--certificate is for one instance", "for f in FILE...; do gridsat solve"]);
    folder.run("solve demo.json odd.json --gantt g.svg").fails(2, &["--gantt"]);
    folder.run("solve").fails(2, &["FILE"]);
}

#[test]
fn logs_go_to_standard_error() {
    let folder = folder();
    let plain = folder.run("solve odd.json --no-times").ends(0);
    let log = folder.run("solve odd.json --no-times -v");
    assert_eq!((log.code, &log.out), (Some(0), &plain.out));
    assert!(log.err.contains("read odd") && log.err.contains("mapping by"), "{}", log.err);
    assert!(log.err.contains("bound by") && !log.err.contains("<= 9?"), "{}", log.err);
    let words = "solve odd.json --no-times --strategy sat -vv --quiet";
    let more = folder.run(words);
    assert!(more.err.contains("makespan <= 9?"), "{}", more.err);
}

/// At least who runs, and when it ends.
#[test]
fn other_commands_log_too() {
    let folder = Folder::with("demo.json grid.toml lublin.toml");
    for (words, parts) in [
        (
            "map demo.json -a mct",
            &["read demo: 2 tasks on 3 hosts", "mct is done: makespan 5.5"][..],
        ),
        ("map demo.json -a mct -v", &["mct begins"]),
        ("compare demo.json -a mct", &["read demo", "bound by", "mct is done"]),
        ("compare grid.toml --policy mct", &["read ", "mct is done"]),
        ("compare lublin.toml --policy easy -v", &["easy begins", "easy is done"]),
        ("simulate grid.toml", &["simulating ", "ended (", " events"]),
        ("simulate lublin.toml", &["simulating ", "ended (", " events"]),
        ("bench --only jobcorr_16x4_1 -a mct", &["jobcorr_16x4_1: mct begins"]),
    ] {
        let plain = folder.run(&format!("{words} --no-times"));
        let log = folder.run(&format!("{words} --no-times -v"));
        assert_eq!((log.code, &log.out), (Some(0), &plain.out), "{words}: {log:?}");
        for part in parts {
            assert!(log.err.contains(part), "{words}: no '{part}' in {}", log.err);
        }
    }
}

/// What a command prints on a terminal of this width; `None` where there is no program to make one.
#[cfg(target_os = "linux")]
fn on_terminal(folder: &Folder, columns: usize, words: &str) -> Option<String> {
    let Some(script) = gridsat_test_support::outside::installed("script") else {
        gridsat_test_support::outside::report_missing("script");
        return None;
    };
    let gridsat = folder.command("").get_program().to_string_lossy().into_owned();
    let line = format!("stty rows 24 cols {columns}; {gridsat} {words}");
    let mut command = std::process::Command::new(script);
    command.current_dir(folder.path("")).args(["-qec", &line, "/dev/null"]);
    Some(Run::of(command.stdin(Stdio::null())).out.replace('\r', ""))
}

#[cfg(target_os = "linux")]
#[test]
fn lines_fit_the_terminal_and_files_are_not_wrapped() {
    let folder = folder();
    let long = r#"{"name": "an instance with a name that is longer than a narrow terminal",
                   "etc": [[1.5, 2], [2, 1], [3, 3.25]]}"#;
    folder.write("long.json", long);
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    for (words, columns) in [("solve", 40), ("solve", 60), ("solve", 130), ("map", 50)] {
        let words = format!("{words} long.json --no-times --quiet");
        let Some(out) = on_terminal(&folder, columns, &words) else { return };
        assert!(out.contains("an instance with") && widest(&out) <= columns, "{columns}:\n{out}");
        let chart = out.lines().find(|line| line.contains('│')).expect("a chart");
        // As wide as the terminal, but for what the longest load leaves free.
        assert!(chart.chars().count() + 4 >= columns, "{columns}:\n{out}");
        on_terminal(&folder, columns, &format!("{words} -o out.txt"));
        assert_eq!(folder.read("out.txt"), folder.run(&words).ends(0).out, "{columns}");
    }
}

#[test]
fn the_bound_is_explained() {
    let folder = folder();
    // Three equal tasks of 5 on two hosts: 7.5 per host, so at least 8; the optimum is 10.
    let out = folder.run("solve odd.json --explain --no-times").ends(0).out;
    assert!(out.contains("No mapping has a makespan below 8:"), "{out}");
    let out = out.replace('\n', " ");
    assert!(out.contains("The proven lower bound, 10, is higher"), "{out}");
    assert!(out.contains("makespan 10 could at best become 5 with one like h0;"), "{out}");
    let json = folder.run("solve odd.json --explain --format json").ends(0).json();
    let explanation = &json["explanation"];
    assert_eq!(explanation["lower_bound"], 8);
    assert_eq!(explanation["one_more"], json!([{"like": 0, "name": "h0", "lower_bound": 5}]));
    assert_eq!(explanation["tasks"].as_array().map(Vec::len), Some(3));
    // A single task determines the bound: no additional host helps.
    folder.write("one.json", r#"{"etc": [[9, 7], [1, 1]]}"#);
    let out = folder.run("solve one.json --explain --no-times").ends(0).out;
    assert!(out.contains("no host completes task t0 sooner"), "{out}");
    let out = out.replace('\n', " ");
    assert!(out.contains("One more host like h1, h0 cannot shorten the makespan 7."), "{out}");
    let plain = folder.run("solve one.json --format json").ends(0).json();
    assert!(plain.get("explanation").is_none());
}

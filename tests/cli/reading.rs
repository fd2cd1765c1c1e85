//! Instance files as other programs write them, and the notes about reading them.

use super::*;

/// What pandas writes: `DataFrame([[14, 5, 9], [3, 8, 2], [7, 7, 7]]).to_csv()`.
const PANDAS: &str = ",0,1,2\n0,14,5,9\n1,3,8,2\n2,7,7,7\n";

/// What `json.dumps` of measured floats gives.
const MEASURED: &str =
    r#"{"etc": [[137.43642441124012, 12.345678901234567], [3.14159265358979, 41000.12345678901]]}"#;

/// The run ended with 0 and printed exactly this on standard error.
#[track_caller]
fn told(run: &Run, line: &str) {
    assert_eq!((run.code, run.err.as_str()), (Some(0), format!("gridsat: {line}\n").as_str()));
}

/// Runs with this text on standard input.
fn piped(folder: &Folder, words: &str, input: &str) -> Run {
    let mut command = folder.command(words);
    folder.write(".input", input);
    command.stdin(std::fs::File::open(folder.path(".input")).expect("just written"));
    Run::of(&mut command)
}

#[test]
fn a_frame_of_pandas_is_read_with_its_names() {
    let folder = Folder::default();
    folder.write("frame.csv", PANDAS);
    let run = folder.run("solve frame.csv");
    told(
        &run,
        "frame.csv: first row read as host names, first column as task names \
         (--header yes|no and --index yes|no override this)",
    );
    let names = "host names in the first row, task names in the first column";
    let start = format!("frame: 3 tasks on 3 hosts ({names})\nOptimal makespan 7, proven.\n");
    assert!(run.out.starts_with(&start), "{}", run.out);
    let run = folder.run("solve frame.csv --header no --index no").ends(0);
    assert!(
        run.out.starts_with("frame: 4 tasks on 4 hosts (no names in the file)\n"),
        "{}",
        run.out
    );
    let run = folder.run("solve frame.csv --header yes --index yes --format json").ends(0);
    assert_eq!((&run.json()["tasks"], &run.json()["makespan"]), (&json!(3), &json!(7)));
    folder.run("solve frame.csv --header maybe").fails(2, &["--header", "maybe", "yes, no"]);
}

#[test]
fn measured_floats_are_rounded_up_and_that_is_said_everywhere() {
    let folder = Folder::default();
    folder.write("a.json", MEASURED);
    let line = "a.json: times rounded up to 1e-14";
    let run = folder.run("solve a.json --certificate c.json");
    told(&run, line);
    assert!(
        run.out.contains("Optimal makespan 12.34567890123457, proven, times rounded up to 1e-14.")
    );
    let certificate: Value = serde_json::from_str(&folder.read("c.json")).expect("JSON");
    assert_eq!(certificate["instance"]["rounded"], true);
    assert_eq!(certificate["instance"]["decimals"], 14);
    let run = folder.run("verify a.json c.json");
    told(&run, line);
    let verdict = "ACCEPTED: makespan 12.34567890123457 is optimal (times rounded up to 1e-14)\n";
    assert_eq!(run.out, verdict);
    for words in
        ["solve a.json", "verify a.json c.json", "map a.json", "compare a.json -a mct -r 1"]
    {
        let answer = folder.run(&format!("{words} --format json")).json();
        assert_eq!((&answer["rounded"], &answer["decimals"]), (&json!(true), &json!(14)));
    }
    let decision = folder.run("decide a.json -k 20 --format json").json();
    assert_eq!(decision["rounded"], true);
    let csv = folder.run("verify a.json c.json --format csv").out;
    assert!(csv.ends_with(",true,true\n"), "{csv}");
    for words in ["map a.json", "compare a.json -a mct -r 1", "export a.json -k 20"] {
        told(&folder.run(words), line);
    }
    folder.run("solve a.json --exact").fails(2, &["a.json:1:", "too large", "15 decimals"]);
}

#[test]
fn verify_rounds_as_the_certificate_says() {
    let folder = Folder::default();
    folder.write("a.json", MEASURED);
    told(
        &folder.run("solve a.json --decimals 2 --certificate c.json --format json -o s.json"),
        "a.json: times rounded up to 1e-2",
    );
    for file in ["c.json", "s.json"] {
        let run = folder.run(&format!("verify a.json {file}"));
        told(&run, "a.json: times rounded up to 1e-2");
        assert!(run.out.starts_with("ACCEPTED: ") && run.out.contains("12.35"), "{run:?}");
    }
    let run = folder.run("verify a.json c.json --decimals 3");
    assert_eq!(run.code, Some(1), "{run:?}");
    folder.run("verify a.json c.json --exact").fails(2, &["a.json:1:", "too large"]);
    let text = folder.read("c.json").replace("\"decimals\": 2", "\"decimals\": 3");
    folder.write("c.json", text);
    assert_eq!(folder.run("verify a.json c.json").code, Some(1));
    folder.run("solve a.json --decimals 19").fails(2, &["--decimals", "19", "18"]);
    folder.run("solve a.json --decimals=-1").fails(2, &["--decimals", "-1", "negative"]);
    folder.run("solve a.json --decimals 2 --exact").fails(2, &["--exact"]);
}

#[test]
fn what_fits_says_nothing_about_rounding() {
    let run = folder().run("solve demo.json --format json").ends(0);
    assert!(run.json().get("rounded").is_none());
}

#[test]
fn other_dialects_of_csv_are_read_and_named() {
    let folder = Folder::default();
    folder.write("s.csv", "a;b\n1,5;2\nx;3,25\n").write("t.tsv", "# a\na\tb\n1.5\t2\n∞\t3.25\n");
    folder.write("l.csv", b"\xe4,b\n1.5,2\nNA,3.25\n");
    let utf16: Vec<u8> =
        "\u{feff}a,b\n1.5,2\n-,3.25\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("u.csv", utf16);
    for (file, line) in [
        ("s.csv", "s.csv: read as CSV with semicolons, decimal commas"),
        ("t.tsv", "t.tsv: read as CSV with tabs"),
        ("l.csv", "l.csv: read as Latin-1 (Windows-1252)"),
        ("u.csv", "u.csv: read as UTF-16"),
    ] {
        let run = folder.run(&format!("solve {file}"));
        told(&run, line);
        assert!(
            run.out.contains("2 tasks on 2 hosts (host names in the first row, no task names)")
        );
        assert!(run.out.contains("Optimal makespan 3.25, proven."), "{}", run.out);
    }
}

#[test]
fn ready_times_are_given_for_any_format() {
    let folder = Folder::default();
    folder.write("a.csv", "a,b\n5,6\n").write("a.hcsp", "1 2\n5\n6\n");
    folder.write("a.txt", "1\n2\n5\t6\n").write("a.json", r#"{"etc": [[5, 6]], "ready": [9, 9]}"#);
    folder.write("ready.txt", "3.5\n0\n").write("row.csv", "task,a,b\nr,5,6\nready,3.5,0\n");
    for file in ["a.csv", "a.hcsp", "a.txt", "a.json"] {
        for ready in ["3.5,0", "ready.txt"] {
            let run = folder.run(&format!("solve {file} --ready {ready} --format json")).ends(0);
            assert_eq!(run.json()["makespan"], 6, "{file} {ready}");
        }
    }
    let run = folder.run("solve row.csv --ready-row --format json").ends(0);
    assert_eq!((&run.json()["tasks"], &run.json()["makespan"]), (&json!(1), &json!(6)));
    folder.run("solve a.csv --ready 1,2,3").fails(2, &["a.csv", "3 ready times for 2 hosts"]);
    folder.run("solve a.csv --ready -1,0").fails(2, &["--ready:1:1", "-1", "negative"]);
    folder.run("solve a.csv --ready 0,soon").fails(2, &["--ready", "0,soon", "list", "file"]);
    folder.run("solve a.csv --ready none.txt").fails(2, &["none.txt", "cannot read"]);
}

#[test]
fn convert_keeps_all_or_refuses() {
    let folder = folder();
    folder.write("plain.json", r#"{"name": "plain", "etc": [[1, 2], [3, 4]]}"#);
    // Through every format and back.
    for words in ["plain.json 1.csv", "1.csv 2.hcsp", "2.hcsp 3.txt", "3.txt plain.json"] {
        folder.run(&format!("convert {words}")).ends(0);
    }
    let expected = "{\n  \"name\": \"3\",\n  \"etc\": [\n    [1, 2],\n    [3, 4]\n  ]\n}\n";
    assert_eq!(folder.read("plain.json"), expected);
    folder.run("convert demo.json other.json").ends(0);
    assert!(folder.read("other.json").contains("\"ready\": [0, 0, 4]"));
    let run = folder.run("convert demo.json demo.csv");
    let note = "gridsat: demo.csv: ready times are in the row 'ready': --ready-row reads them\n";
    assert_eq!((run.code, run.err.as_str()), (Some(0), note));
    assert_eq!(
        folder.read("demo.csv"),
        "task,a,b,c\nready,0,0,4\nrender,14,5.5,inf\nmerge,3,8,2\n"
    );
    folder.run("convert demo.csv --ready-row again.json").ends(0);
    let renamed = folder.read("other.json");
    assert_eq!(folder.read("again.json"), renamed);
    let run = folder.run("convert demo.csv wrong.json");
    assert!(run.err.contains("the row 'ready' was read as a task (--ready-row"), "{run:?}");
    folder.run("convert demo.json demo.hcsp").fails(2, &["hcsp", "names", "--drop-names"]);
    folder.run("convert demo.json --ready 0,0,0 demo.csv").ends(0);
    assert_eq!(folder.read("demo.csv"), "task,a,b,c\nrender,14,5.5,inf\nmerge,3,8,2\n");
    folder.run("convert demo.csv demo.hcsp --drop-names").ends(0);
    folder.run("convert demo.csv demo.txt --drop-names").fails(2, &["rcmax", "cannot run"]);
    folder.run("convert even.json -").fails(2, &["--to"]);
    let run = piped(&folder, "convert - - --to csv", &folder.read("even.json")).ends(0);
    assert_eq!(run.out, "task,h0,h1\nt0,7,7\nt1,5,5\nt2,6,6\nt3,6,6\n");
    assert!(!folder.list().contains(&"demo.txt".to_owned()));
}

#[test]
fn standard_input_needs_a_format_unless_it_is_json() {
    let folder = folder();
    piped(&folder, "solve -", &folder.read("demo.json")).ends(0);
    piped(&folder, "solve - --from csv", "a,b\n1,2\n").ends(0);
    piped(&folder, "solve -", "a,b\n1,2\n").fails(2, &["stdin: ", "--from"]);
}

const TASKS: &str = "task,time\na,12.5\nb,3\nc,4\nd,7\n";
const HOSTS: &str = "name,speed,count,ready\nbig,2,2,1\nsmall,1,3,0\n";

#[test]
fn lists_of_tasks_and_hosts_are_instances_everywhere() {
    let folder = Folder::default();
    folder.write("tasks.csv", TASKS);
    folder.write("hosts.csv", HOSTS);
    let run = folder.run("solve tasks.csv --hosts hosts.csv --certificate c.json --format json");
    assert_eq!(run.ends(0).json()["makespan"], json!(7.25));
    folder.run("convert tasks.csv lists.json --hosts hosts.csv").ends(0);
    assert!(!folder.read("lists.json").contains("etc"), "{}", folder.read("lists.json"));
    folder.run("convert lists.json t.csv --hosts-to h.csv").ends(0);
    for input in ["tasks.csv --hosts hosts.csv", "lists.json", "t.csv --hosts h.csv"] {
        let (file, hosts) = input.split_once(' ').unwrap_or((input, ""));
        folder.run(&format!("verify {file} c.json {hosts}")).ends(0);
        for command in ["export -k 7.25", "map", "compare", "solve"] {
            folder.run(&format!("{command} {input}")).ends(0);
        }
        folder.run(&format!("decide -k 7.25 {input}")).ends(10);
        folder.run(&format!("decide -k 7.24 {input}")).ends(20);
    }
    let equal = folder.run("convert tasks.csv - --to pcmax --hosts 3 --drop-names");
    assert!(equal.err.contains("decimals") && equal.code == Some(2), "{}", equal.err);
}

/// A speed of 3: nothing is rounded but the numbers in JSON and CSV, which still mean their tick.
#[test]
fn times_that_are_no_decimals_are_exact_everywhere() {
    let folder = Folder::default();
    folder.write("a.csv", "task,time\na,10\nb,10\n");
    folder.write("h.csv", "speed,count\n3,2\n1,1\n");
    let run = folder.run("solve a.csv --hosts h.csv --certificate c.json");
    assert!(run.out.contains("Optimal makespan 3.333…, proven."), "{}", run.out);
    assert_eq!(run.err, "");
    let json = folder.run("solve a.csv --hosts h.csv --format json -o s.json").ends(0);
    assert_eq!(json.err, "");
    let json: serde_json::Value = serde_json::from_str(&folder.read("s.json")).expect("JSON");
    assert_eq!((&json["parts"], &json["decimals"]), (&json!(3), &json!(0)));
    assert_eq!(json["makespan"], json!(3.33333333333333));
    let csv = folder.run("verify a.csv c.json --hosts h.csv --format csv").ends(0);
    assert!(csv.out.contains("true,3.33333333333333,3.33333333333333,true,false"), "{}", csv.out);
    folder.run("verify a.csv s.json --hosts h.csv").ends(0);
    folder.write("s.json", folder.read("s.json").replace("3.33333333333333", "3.34"));
    folder.run("verify a.csv s.json --hosts h.csv").ends(1);
    for (k, code) in [("10/3", 10), ("3.333", 10), ("3.33333333333333", 10), ("3.3", 20)] {
        folder.run(&format!("decide a.csv --hosts h.csv -k {k}")).ends(code);
    }
    folder.run("decide a.csv --hosts h.csv -k 10/0").fails(2, &["-k '10/0'"]);
    for command in ["export -k 10/3", "map --format csv", "compare", "map --format json"] {
        folder.run(&format!("{command} a.csv --hosts h.csv")).ends(0);
    }
    folder.run("convert a.csv lists.json --hosts h.csv").ends(0);
    folder.run("verify lists.json c.json").ends(0);
    let csv = folder.run("convert a.csv b.csv --hosts h.csv");
    csv.fails(2, &["such as 10/3", "--decimals 9"]);
    let rounded = folder.run("convert a.csv b.csv --hosts h.csv --decimals 2");
    told(&rounded, "a.csv: times rounded up to 1e-2");
    assert_eq!(folder.read("b.csv"), "task,h0,h1,h2\na,3.34,3.34,10\nb,3.34,3.34,10\n");
    folder.run("solve a.csv --hosts h.csv --exact").ends(0);
}

#[test]
fn bad_lists_of_hosts_are_one_line_and_exit_2() {
    let folder = Folder::default();
    folder.write("tasks.csv", TASKS);
    folder.write("matrix.csv", "task,x,y\na,1,2\nb,4,3\n");
    folder.write("matrix.json", r#"{"etc": [[1, 2], [4, 3]]}"#);
    folder.write("hosts.csv", HOSTS);
    folder.write("speed.csv", "speed\n0\n");
    folder.write("count.csv", "count\n9999999999999999999999\n");
    folder.write("json.json", r#"{"tasks": [1, -2], "hosts": 2}"#);
    folder.run("solve tasks.csv --hosts 0").fails(2, &["--hosts", "at least one is needed"]);
    folder.run("solve tasks.csv --hosts none.csv").fails(2, &["none.csv", "cannot read"]);
    folder.run("solve tasks.csv --hosts -3").fails(2, &["--hosts", "is negative"]);
    folder.run("solve tasks.csv --hosts speed.csv").fails(2, &["speed.csv:2:1", "above 0"]);
    folder.run("solve tasks.csv --hosts count.csv").fails(2, &["count.csv:2:1", "too large"]);
    folder.run("solve matrix.csv --hosts hosts.csv").fails(2, &["has its own hosts"]);
    folder.run("solve json.json").fails(2, &["json.json:1:15", "'-2' is negative"]);
    folder
        .run("convert matrix.json t.csv --hosts-to h.csv")
        .fails(2, &["these hosts are a matrix"]);
}

#[test]
fn bad_text_of_equal_hosts_is_one_line_and_exit_2() {
    let folder = Folder::default();
    let sum = "p p_cmax 2 2\n4611686018427387904 4611686018427387904 0\n";
    for (text, place, reason) in [
        ("p p_cmax 3 0\n1 2 3 0\n", "1:12", "the number of hosts, found '0'"),
        ("p p_cmax 0 3\n0\n", "1:10", "the number of tasks, found '0'"),
        ("p p_cmax 2 5000000000\n1 2 0\n", "1:1", "number of hosts is 5000000000"),
        ("p p_cmax 3 2\n1 0 3 0\n", "2:3", "a whole time above 0, found '0'"),
        ("p p_cmax 3 2\n1 -2 3 0\n", "2:3", "a whole time above 0, found '-2'"),
        ("p p_cmax 2 2\n1.5 2 0\n", "2:1", "a whole time above 0, found '1.5'"),
        ("p p_cmax 3 2\n1 2 0\n", "2:5", "2 times for 3 tasks"),
        ("p p_cmax 2 2\n1 2 3 0\n", "2:5", "more times than the 2"),
        ("p p_cmax 2 2\n1 2\n", "2:4", "a 0 after the last time"),
        (sum, "2:21", "times are too large"),
    ] {
        folder.write("bad.txt", text);
        folder.run("solve bad.txt").fails(2, &[&format!("bad.txt:{place}: "), reason]);
    }
}

#[test]
fn bad_lists_in_json_are_one_line_and_exit_2() {
    let folder = Folder::default();
    for (hosts, reason) in [
        ("0", "at least 1, found '0'"),
        ("-2", "at least 1, found '-2'"),
        ("1.5", "at least 1, found '1.5'"),
        ("[]", "no hosts"),
        (r#"[{"speed": 0}]"#, "a speed above 0"),
        (r#"[{"speed": "1/0"}]"#, "a speed above 0"),
        (r#"[{"count": 0}]"#, "at least 1, found '0'"),
        (r#"[{"count": 4294967295}, {"count": 4294967295}]"#, "too large: number of hosts"),
        (r#"[{"count": 18446744073709551616}]"#, "too large: number of hosts"),
        (r#"[{"spede": 1}]"#, "unknown key 'spede'"),
    ] {
        folder.write("bad.json", format!(r#"{{"tasks": [1, 2], "hosts": {hosts}}}"#));
        folder.run("solve bad.json").fails(2, &["bad.json:1:", reason]);
    }
}

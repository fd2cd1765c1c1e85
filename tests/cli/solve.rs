//! The command `solve`.

use super::*;

#[test]
fn a_table_for_people() {
    let run = folder().run("solve demo.json").ends(0);
    assert!(run.out.starts_with("demo: 2 tasks on 3 hosts\nOptimal makespan 5.5, proven.\n"));
    for part in ["render", "merge", "Certificate: checked"] {
        assert!(run.out.contains(part), "{}", run.out);
    }
}

#[test]
fn one_json_object_with_all_keys() {
    let answer = folder().run("solve odd.json --strategy sat --format json").ends(0).json();
    let is = |key: &str, test: fn(&Value) -> bool| assert!(test(&answer[key]), "{key}");
    is("instance", Value::is_string);
    is("strategy", |value| value == "sat");
    is("status", |value| value == "optimal");
    is("makespan", |value| value == 10);
    is("lower_bound", |value| value == 10);
    is("gap", |value| value == 0.0);
    is("seconds", Value::is_f64);
    is("certificate", Value::is_null);
    let hosts: Vec<u64> = serde_json::from_value(answer["mapping"].clone()).expect("host indices");
    assert_eq!(hosts.len(), 3);
    let loads: Vec<u64> = serde_json::from_value(answer["loads"].clone()).expect("loads");
    assert_eq!((loads.len(), loads.iter().max()), (2, Some(&10)));
    let decisions = answer["decisions"].as_array().expect("a list");
    let last = decisions.last().expect("a SAT decision");
    assert_eq!((&last["k"], &last["answer"]), (&json!(9), &json!("unsat")));
    assert!(last["seconds"].is_f64() && last["by"].is_string());
}

/// 0.1 + 0.2 is exactly 0.3, and 2^60 + 1 keeps its last digit.
#[test]
fn decimals_are_exact() {
    let folder = Folder::with("cents.json large.json");
    let cents = folder.run("solve cents.json --format json").ends(0);
    assert!(cents.out.contains("\"makespan\": 0.3,"), "{}", cents.out);
    assert!(cents.out.contains("\"decimals\": 1,"), "{}", cents.out);
    let large = folder.run("solve large.json --format json").ends(0);
    assert!(large.out.contains("\"makespan\": 1152921504606846977,"), "{}", large.out);
}

#[test]
fn csv_has_one_row_a_task() {
    let run = folder().run("solve demo.json --format csv").ends(0);
    let expected = "task,task_name,host,host_name,time,start,end\n\
                        0,render,1,b,5.5,0,5.5\n1,merge,0,a,3,0,3\n";
    assert_eq!(run.out, expected);
}

#[test]
fn every_strategy_order_and_extraction_agrees() {
    let folder = folder();
    for more in [
        "--strategy auto",
        "--strategy sat",
        "--strategy sat --search descend",
        "--strategy sat --extract oracle",
        "--strategy thesis",
        "--strategy thesis --extract oracle",
        "--strategy sat --no-symmetry",
    ] {
        let run = folder.run(&format!("solve odd.json --format json {more}")).ends(0);
        assert_eq!(run.json()["makespan"], 10, "{more}");
        assert_eq!(run.json()["status"], "optimal", "{more}");
    }
}

#[test]
fn every_encoding_agrees() {
    let folder = folder();
    for encoding in ["adder", "bdd", "totalizer", "counter"] {
        for at_most_one in ["pairwise", "ladder", "product", "commander"] {
            let run = folder.run(&format!(
                "solve odd.json --strategy sat --format json --certificate c.json \
                     --encoding {encoding} --at-most-one {at_most_one}"
            ));
            assert_eq!(run.ends(0).json()["makespan"], 10, "{encoding} {at_most_one}");
            folder.run("verify odd.json c.json").ends(0);
        }
    }
}

#[test]
fn every_format_is_read() {
    let folder = Folder::with("odd.json bare");
    folder.write("a.csv", "a,b\n5,5\n5,5\n5,5\n").write("a.hcsp", "3 2\n5\n5\n5\n5\n5\n5\n");
    for file in ["odd.json", "a.csv", "a.hcsp", "bare --from hcsp --tasks 3 --hosts 2"] {
        let run = folder.run(&format!("solve {file} --format json")).ends(0);
        assert_eq!(run.json()["makespan"], 10, "{file}");
    }
    folder.run("generate etc --tasks 4 --hosts 2 --format rcmax --output a.txt").ends(0);
    folder.run("solve a.txt --from rcmax").ends(0);
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = folder();
    let mut command = folder.command("solve - --from json --format json");
    command.stdin(std::fs::File::open(folder.path("demo.json")).expect("readable"));
    assert_eq!(Run::of(&mut command).ends(0).json()["makespan"], 5.5);
}

#[test]
fn output_and_gantt_go_to_files() {
    let folder = folder();
    let run = folder.run("solve demo.json --format json --output out.json --gantt g.svg");
    assert_eq!(run.ends(0).out, "");
    let answer: Value = serde_json::from_str(&folder.read("out.json")).expect("JSON");
    assert_eq!(answer["makespan"], 5.5);
    let svg = folder.read("g.svg");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{svg}");
    assert!(svg.contains("render") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn a_gap_is_enough() {
    let folder = folder();
    let run = folder.run("solve odd.json --gap 0.5 --format json").ends(0);
    let answer = run.json();
    assert!(answer["gap"].as_f64().expect("a number") <= 0.5);
    assert_eq!(answer["decisions"], json!([]));
}

#[test]
fn threads_find_the_same_optimum() {
    let folder = Folder::default();
    folder.run("generate etc --class jobcorr --tasks 30 --hosts 6 --seed 3 -o a.json").ends(0);
    let answer = |options: &str| {
        let run = folder.run(&format!("solve a.json --format json --certificate c.json {options}"));
        let answer = run.ends(0).json();
        folder.run("verify a.json c.json").ends(0);
        answer["makespan"].clone()
    };
    assert_eq!(answer("--threads 3"), answer("--threads 1"));
    for number in ["0", "-1", "two"] {
        let words = format!("solve a.json --threads={number}");
        folder.run(&words).fails(2, &["--threads", "at least 1"]);
    }
}

#[test]
fn names_with_blanks_are_quoted() {
    let folder = Folder::default();
    folder.write("a.json", r#"{"etc": [[1], [2]], "tasks": ["draw the map", "merge"]}"#);
    let table = folder.run("solve a.json").ends(0).out;
    assert!(table.contains("\"draw the map\" merge"), "{table}");
}

/// A report for people has no line for each of a million hosts, and takes no memory for them.
#[test]
fn of_many_hosts_those_that_end_last_are_shown() {
    let folder = Folder::default();
    folder.write("wide.txt", "p p_cmax 2 1000000\n5 7\n0\n");
    let out = folder.run("solve wide.txt --no-times").ends(0).out;
    assert!(out.contains("999800 hosts that end no later are not shown"), "{}", &out[..500]);
    assert_eq!(out.lines().filter(|line| line.starts_with('h')).count(), 200);
    folder.write("wider.txt", "p p_cmax 2 1048577\n5 7\n0\n");
    folder.run("solve wider.txt").fails(2, &["number of hosts is 1048577", "at most 1048576"]);
}

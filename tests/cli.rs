//! The program as its users meet it: what each command prints, how it ends, and that nothing that
//! goes wrong leaves more than one line and no file.

mod support;

use std::io::Write;
use std::process::Stdio;

use gridsat::certificate::sha256_hex;
use serde_json::{Value, json};
use support::program::{Folder, Run, project};

const DEMO: &str = r#"{ "name": "demo", "etc": [[14, 5.5, null], [3, 8, 2]],
  "tasks": ["render", "merge"], "hosts": ["a", "b", "c"], "ready": [0, 0, 4] }"#;

/// The average load is attained.
const EVEN: &str = r#"{ "etc": [[7, 7], [5, 5], [6, 6], [6, 6]] }"#;

/// Three equal tasks on two hosts: 10, while they average 7.5 a host. Only a search can tell.
const ODD: &str = r#"{ "etc": [[5, 5], [5, 5], [5, 5]] }"#;

/// A folder with these instances.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("demo.json", DEMO).write("even.json", EVEN).write("odd.json", ODD);
    folder
}

/// A folder with an instance that nobody solves in a minute.
fn hard() -> Folder {
    let folder = Folder::new();
    folder
        .run("generate etc --class jobcorr --tasks 60 --hosts 6 --seed 1 --output hard.json")
        .ends(0);
    folder
}

mod solve {
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
        let hosts: Vec<u64> =
            serde_json::from_value(answer["mapping"].clone()).expect("host indices");
        assert_eq!(hosts.len(), 3);
        let loads: Vec<u64> = serde_json::from_value(answer["loads"].clone()).expect("loads");
        assert_eq!((loads.len(), loads.iter().max()), (2, Some(&10)));
        let decisions = answer["decisions"].as_array().expect("a list");
        let last = decisions.last().expect("a SAT decision");
        assert_eq!((&last["k"], &last["answer"]), (&json!(9), &json!("unsat")));
        assert!(last["seconds"].is_f64() && last["by"].is_string());
    }

    /// 0.1 + 0.2 is 0.3 here, and 2^60 + 1 keeps its last digit.
    #[test]
    fn decimals_are_exact() {
        let folder = Folder::new();
        folder.write("cents.json", r#"{"etc": [[0.1], [0.20]]}"#);
        folder.write("large.json", r#"{"etc": [[1152921504606846977]]}"#);
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
        let folder = Folder::new();
        folder.write("a.csv", "a,b\n5,5\n5,5\n5,5\n").write("a.hcsp", "3 2\n5\n5\n5\n5\n5\n5\n");
        folder.write("bare", "5\n5\n5\n5\n5\n5\n").write("a.json", ODD);
        for file in ["a.json", "a.csv", "a.hcsp", "bare --from hcsp --tasks 3 --hosts 2"] {
            let run = folder.run(&format!("solve {file} --format json")).ends(0);
            assert_eq!(run.json()["makespan"], 10, "{file}");
        }
        folder.run("generate etc --tasks 4 --hosts 2 --format rcmax --output a.txt").ends(0);
        folder.run("solve a.txt --from rcmax").ends(0);
    }

    #[test]
    fn standard_input_is_a_file_too() {
        let folder = Folder::new();
        let mut command = folder.command("solve - --from json --format json");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let mut input = child.stdin.take().expect("piped");
        input.write_all(DEMO.as_bytes()).expect("read by the program");
        drop(input);
        let output = child.wait_with_output().expect("ends");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success() && text.contains("\"makespan\": 5.5"), "{text}");
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
}

mod decide {
    use super::*;

    #[test]
    fn answers_like_a_sat_solver() {
        let folder = folder();
        for encoding in ["adder", "bdd", "totalizer", "counter", "thesis"] {
            let ask = |k| folder.run(&format!("decide demo.json -k {k} --encoding {encoding}"));
            let yes = ask("5.5").ends(10);
            assert!(yes.out.contains("\ns SATISFIABLE\n") && yes.out.contains("\nv "), "{yes:?}");
            let no = ask("5.4").ends(20);
            assert!(no.out.contains("\ns UNSATISFIABLE\n") && !no.out.contains("\nv"), "{no:?}");
            ask("0").ends(20);
            ask("1e3").ends(10);
        }
    }

    /// A k between two ticks asks for the tick below it.
    #[test]
    fn k_may_be_finer_than_the_ticks() {
        let folder = folder();
        folder.run("decide demo.json -k 5.59").ends(10);
        folder.run("decide demo.json -k 5.49").ends(20);
    }

    #[test]
    fn unknown_when_stopped() {
        let run = hard().run("decide hard.json -k 1 --time-limit 0");
        assert!(matches!(run.code, Some(0 | 20)), "{run:?}");
        let run = hard().run("decide hard.json -k 900 --time-limit 0").ends(0);
        assert!(run.out.contains("\ns UNKNOWN\n"), "{run:?}");
    }

    #[test]
    fn its_own_answer_can_be_decoded() {
        let folder = folder();
        folder.run("decide demo.json -k 6 --output answer").ends(10);
        let run = folder.run("decode demo.json -k 6 answer --format json").ends(0);
        assert!(run.json()["makespan"].as_f64().expect("a number") <= 6.0);
        folder.write("mapping.json", &run.out);
        folder.run("verify demo.json mapping.json").ends(0);
    }

    #[test]
    fn a_wrong_answer_is_not_decoded() {
        let folder = folder();
        folder.write("no", "s UNSATISFIABLE\n").write("none", "c nothing\n");
        folder.write("late", "s SATISFIABLE\nv x1 -x2 x3 0\n").write("less", "v -1 -2 0\n");
        folder.write("odd", "v 1 two 0\n");
        folder.run("decode demo.json -k 6 no").fails(2, &["no: ", "UNSATISFIABLE"]);
        folder.run("decode demo.json -k 6 none").fails(2, &["none: ", "no 'v' line"]);
        folder.run("decode demo.json -k 6 late").fails(2, &["late: ", "above 6"]);
        folder.run("decode demo.json -k 6 less").fails(2, &["less: ", "without a host"]);
        folder.run("decode demo.json -k 6 odd").fails(2, &["odd: ", "line 1", "two"]);
        folder.run("decode demo.json -k 6 missing").fails(2, &["missing: "]);
    }
}

mod map {
    use super::*;

    const NAMES: [&str; 7] = ["olb", "met", "mct", "minmin", "maxmin", "sufferage", "duplex"];

    #[test]
    fn all_algorithms_in_every_form() {
        let folder = folder();
        let table = folder.run("map demo.json").ends(0);
        assert!(table.out.starts_with("demo: 2 tasks on 3 hosts"), "{}", table.out);
        assert!(table.out.contains("Min-Min"), "{}", table.out);
        let csv = folder.run("map demo.json --format csv --no-times --algorithm all").ends(0);
        let rows: Vec<_> = csv.out.lines().skip(1).collect();
        let names: Vec<_> = rows.iter().map(|row| row.split(',').next().expect("name")).collect();
        assert_eq!(names[..7], NAMES);
        let json = folder.run("map demo.json --format json").ends(0).json();
        let results = json["results"].as_array().expect("a list");
        assert!(results.iter().all(|row| row["makespan"].as_f64().expect("a number") >= 5.5));
    }

    #[test]
    fn chosen_algorithms_in_the_order_given() {
        let run = folder().run("map demo.json --algorithm mct,olb --format csv --no-times").ends(0);
        assert_eq!(run.out, "algorithm,makespan,seconds\nmct,5.5,\nolb,14,\n");
    }

    #[test]
    fn unknown_algorithms_are_named_with_the_known_ones() {
        let folder = folder();
        folder.run("map demo.json --algorithm minimax").fails(2, &["'minimax'", "minmin, maxmin"]);
        folder.run("map demo.json --algorithm mct,").fails(2, &["''"]);
    }

    #[test]
    fn the_best_is_drawn() {
        let folder = folder();
        folder.run("map demo.json --gantt best.svg").ends(0);
        assert!(folder.read("best.svg").contains("</svg>"));
    }
}

mod generate {
    use super::*;

    #[test]
    fn the_seed_decides_every_byte() {
        let folder = Folder::new();
        for class in ["u_c_hihi", "u_s_lolo", "u_i_hilo", "U1-100", "jobcorr", "maccorr"] {
            for format in ["json", "csv", "hcsp", "rcmax"] {
                let make = |seed| {
                    folder.run(&format!(
                        "generate etc --class {class} --tasks 5 --hosts 3 --seed {seed} \
                         --format {format}"
                    ))
                };
                let first = make(7).ends(0);
                assert_eq!(first, make(7));
                assert_ne!(first, make(8), "{class} {format}");
            }
        }
    }

    #[test]
    fn what_it_makes_can_be_solved() {
        let folder = Folder::new();
        folder
            .run(
                "generate etc --tasks 6 --hosts 3 --decimals 2 --forbidden 30 --ready 9 \
                 --output a.json",
            )
            .ends(0);
        folder.run("solve a.json").ends(0);
    }

    #[test]
    fn impossible_wishes_are_refused() {
        let folder = Folder::new();
        folder.run("generate etc --class nonsense").fails(2, &["'nonsense'"]);
        folder.run("generate etc --tasks 0").fails(2, &["no tasks"]);
        folder.run("generate etc --hosts 0").fails(2, &["no hosts"]);
        folder.run("generate etc --forbidden 101").fails(2, &["101"]);
        folder.run("generate etc --decimals 99").fails(2, &["99"]);
        assert_eq!(folder.list().len(), 0);
    }
}

mod export {
    use super::*;

    #[test]
    fn each_format_starts_as_it_should() {
        let folder = folder();
        let dimacs = folder.run("export demo.json -k 6").ends(0).out;
        assert!(dimacs.starts_with("c ") && dimacs.contains("\np cnf "), "{dimacs}");
        assert!(dimacs.contains("\nc 1 = task 0 'render' on host 1 'b'\n"), "{dimacs}");
        let opb = folder.run("export demo.json --format opb").ends(0).out;
        assert!(opb.starts_with("* #variable= ") && opb.contains("\nmin: "), "{opb}");
        let opb = folder.run("export demo.json --format opb -k 6").ends(0).out;
        assert!(!opb.contains("min:"), "{opb}");
        let mps = folder.run("export demo.json --format mps").ends(0).out;
        assert!(mps.ends_with("ENDATA\n"), "{mps}");
    }

    #[test]
    fn dimacs_needs_a_k() {
        folder().run("export demo.json").fails(2, &["DIMACS", "-k"]);
    }

    #[test]
    fn too_many_clauses_are_refused_before_they_are_written() {
        let folder = folder();
        let run = folder.run("export demo.json -k 9 --encoding thesis --max-clauses 3 --output f");
        run.fails(2, &["thesis", "budget of 3", "--max-clauses"]);
        assert!(!folder.list().contains(&"f".to_owned()));
    }
}

mod certificates {
    use super::*;

    /// The certificate of an instance in the folder, beside its proof.
    fn certified(name: &str) -> Folder {
        let folder = folder();
        let run = folder.run(&format!(
            "solve {name}.json --strategy sat --format json --certificate cert.json"
        ));
        assert_eq!(run.ends(0).json()["certificate"], "cert.json");
        folder
    }

    fn certificate(folder: &Folder) -> Value {
        serde_json::from_str(&folder.read("cert.json")).expect("JSON")
    }

    #[track_caller]
    fn accepts(folder: &Folder, name: &str) {
        let run = folder.run(&format!("verify {name}.json cert.json")).ends(0);
        assert!(run.out.starts_with("ACCEPTED: ") && run.out.contains("is optimal"), "{run:?}");
    }

    #[track_caller]
    fn rejects(folder: &Folder, name: &str, reason: &str) {
        let run = folder.run(&format!("verify {name}.json cert.json")).ends(1);
        assert!(run.out.starts_with("REJECTED: cert.json: "), "{run:?}");
        assert!(run.out.contains(reason), "no '{reason}' in {}", run.out);
        let run = folder.run(&format!("verify {name}.json cert.json --format json")).ends(1);
        let verdict = run.json();
        assert_eq!((&verdict["accepted"], &verdict["optimal"]), (&json!(false), &json!(false)));
        assert!(verdict["reason"].as_str().expect("text").contains(reason));
    }

    #[track_caller]
    fn rejects_changed(name: &str, reason: &str, change: impl FnOnce(&mut Value)) {
        let folder = certified(name);
        let mut content = certificate(&folder);
        change(&mut content);
        folder.write("cert.json", content.to_string());
        rejects(&folder, name, reason);
    }

    #[test]
    fn good_ones_are_accepted() {
        accepts(&certified("demo"), "demo");
        accepts(&certified("even"), "even");
        let odd = certified("odd");
        accepts(&odd, "odd");
        assert!(odd.list().contains(&"cert.lrat".to_owned()));
        let csv = odd.run("verify odd.json cert.json --format csv").ends(0).out;
        assert_eq!(csv, "accepted,makespan,lower_bound,optimal\ntrue,10,10,true\n");
        let json = odd.run("verify odd.json cert.json --format json").ends(0).json();
        assert_eq!((&json["accepted"], &json["optimal"]), (&json!(true), &json!(true)));
    }

    #[test]
    fn a_changed_mapping_is_rejected() {
        rejects_changed("odd", "makespan is claimed", |c| c["mapping"] = json!([0, 0, 0]));
        rejects_changed("odd", "host 2", |c| c["mapping"] = json!([0, 1, 2]));
        rejects_changed("odd", "2 tasks", |c| c["mapping"] = json!([0, 1]));
    }

    #[test]
    fn a_changed_claim_is_rejected() {
        rejects_changed("odd", "lower bound", |c| c["lower_bound"] = json!(9));
        rejects_changed("odd", "lower bound", |c| c["steps"] = json!([]));
        rejects_changed("odd", "step 0", |c| c["steps"][0]["k"] = json!(10));
        rejects_changed("even", "step 0", |c| c["steps"][0]["weights"] = json!([1, 0]));
        rejects_changed("demo", "step 0", |c| c["steps"][0]["task"] = json!(1));
        rejects_changed("odd", "version", |c| c["version"] = json!(2));
    }

    #[test]
    fn a_changed_encoding_is_rejected() {
        rejects_changed("odd", "step 0", |c| c["steps"][0]["encoding"] = json!("thesis"));
        rejects_changed("odd", "step 0", |c| c["steps"][0]["encoding"] = json!("magic"));
    }

    #[test]
    fn a_changed_instance_is_rejected() {
        let folder = certified("odd");
        folder.write("odd.json", ODD.replacen('5', "4", 1));
        rejects(&folder, "odd", "SHA-256");
        folder.write("odd.json", DEMO);
        rejects(&folder, "odd", "the instance has 2");
    }

    #[test]
    fn a_changed_proof_is_rejected() {
        let folder = certified("odd");
        let proof = folder.read("cert.lrat");
        let lines: Vec<_> = proof.lines().collect();
        let shorter = lines[..lines.len() - 1].join("\n") + "\n";
        folder.write("cert.lrat", &shorter);
        rejects(&folder, "odd", "SHA-256");
        // The same with the right digest: now the proof itself must fail.
        let mut content = certificate(&folder);
        content["steps"][0]["proof_sha256"] = json!(sha256_hex(shorter.as_bytes()));
        folder.write("cert.json", content.to_string());
        rejects(&folder, "odd", "step 0");
        std::fs::remove_file(folder.path("cert.lrat")).expect("removable");
        rejects(&folder, "odd", "cannot read proof");
    }

    #[test]
    fn a_mapping_is_checked_without_a_claim() {
        let folder = folder();
        folder.write("good", "1\n0\n").write("bad", "2 0").write("worse", "one\n");
        folder.write("list.json", "[1, 0]");
        folder.write("lie.json", r#"{"mapping": [1, 0], "makespan": 5.4}"#);
        for name in ["good", "list.json"] {
            let run = folder.run(&format!("verify demo.json {name}")).ends(0);
            assert!(run.out.starts_with("ACCEPTED: mapping with makespan 5.5"), "{run:?}");
        }
        for name in ["bad", "lie.json"] {
            let run = folder.run(&format!("verify demo.json {name}")).ends(1);
            assert!(run.out.starts_with("REJECTED: "), "{run:?}");
        }
        folder.run("verify demo.json worse").fails(2, &["worse: ", "line 1", "one"]);
        folder.run("verify demo.json missing").fails(2, &["missing: "]);
    }

    #[test]
    fn the_answer_of_solve_is_a_mapping_too() {
        let folder = folder();
        folder.run("solve demo.json --format json --output answer.json").ends(0);
        folder.run("verify demo.json answer.json").ends(0);
    }
}

mod determinism {
    use super::*;

    /// Everything that a run writes, by name.
    fn written(words: &str) -> Vec<(String, String)> {
        let folder = folder();
        let reference = project("instances/reference/u_c_lolo_9x3.json");
        folder.write("ref.json", std::fs::read(reference).expect("readable"));
        folder.write("stdout", folder.run(words).ends(0).out);
        folder.list().into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
    }

    #[test]
    fn equal_runs_write_equal_bytes() {
        for words in [
            "solve ref.json --strategy sat --no-times --certificate c.json --gantt g.svg",
            "solve ref.json --no-times --format json --certificate c.json",
            "solve ref.json --strategy thesis --no-times --format json --certificate c.json",
            "solve ref.json --strategy sat --no-times --format csv --certificate c.pbp",
            "map ref.json --no-times",
            "map ref.json --no-times --format json",
        ] {
            let first = written(words);
            assert_eq!(first, written(words), "{words}");
            let proofs = ["c.json", "c.pbp"];
            let proof = first.iter().any(|(name, _)| proofs.contains(&&**name));
            assert_eq!(proof, words.starts_with("solve"), "{words}");
        }
    }
}

mod limits {
    use super::*;

    #[test]
    fn out_of_time_the_best_mapping_is_printed() {
        let folder = hard();
        for strategy in ["auto", "sat", "thesis"] {
            let run = folder.run(&format!(
                "solve hard.json --strategy {strategy} --time-limit 0 --format json \
                 --certificate cert.json"
            ));
            let answer = run.clone().json();
            assert_eq!((run.code, &answer["status"]), (Some(3), &json!("feasible")), "{strategy}");
            assert_eq!(answer["mapping"].as_array().map(Vec::len), Some(60), "{strategy}");
            assert!(answer["gap"].as_f64().expect("a number") > 0.0, "{strategy}");
            let verdict = folder.run("verify hard.json cert.json").ends(0);
            assert!(verdict.out.contains("none is below"), "{strategy}: {verdict:?}");
        }
    }

    #[test]
    fn time_limits_are_kept() {
        let start = std::time::Instant::now();
        let run = hard().run("solve hard.json --strategy sat --time-limit 1 --format json");
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupt_prints_the_best_mapping() {
        let folder = hard();
        let mut command = folder.command("solve hard.json --strategy sat --format json");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("starts");
        std::thread::sleep(std::time::Duration::from_secs(2));
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args(["-INT", &child.id().to_string()]).status().expect("runs").success());
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["mapping"].as_array().map(Vec::len), Some(60));
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let folder = Folder::new();
        let mut command = folder.command("generate etc --tasks 4000 --hosts 50");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        let err = String::from_utf8(output.stderr).expect("text");
        assert_eq!((output.status.code(), &*err), (Some(0), ""));
    }
}

mod bad_input {
    use super::*;

    /// Name, content, and what the one line must contain besides the name.
    const FILES: &[(&str, &[u8], &[&str])] = &[
        ("ragged.json", br#"{"etc": [[1, 2], [3]]}"#, &[":1:", "task 1"]),
        ("negative.json", br#"{"etc": [[1, -2]]}"#, &[":1:14:", "-2"]),
        ("nan.json", b"{\"etc\": [[1,\n NaN]]}", &[":2:2:", "NaN"]),
        ("nan.csv", b"1,2\n3,NaN\n", &[":2:3:", "NaN"]),
        ("no-tasks.json", br#"{"etc": []}"#, &["no tasks"]),
        ("no-hosts.json", br#"{"etc": [[]]}"#, &["no hosts"]),
        ("nowhere.json", br#"{"etc": [[1], [null]]}"#, &[":1:", "task 1"]),
        ("huge.json", br#"{"etc": [[99999999999999999999]]}"#, &[":1:11:", "9999999999"]),
        ("fine.json", br#"{"etc": [[4000000000000000000, 0.01]]}"#, &["4000000000000000000"]),
        ("sum.json", br#"{"etc": [[4000000000000000000], [4000000000000000000]]}"#, &["too large"]),
        ("key.json", br#"{"etc": [[1]], "speed": 2}"#, &[":1:", "'speed'"]),
        ("twice.json", br#"{"etc": [[1]], "etc": [[1]]}"#, &[":1:", "'etc'"]),
        ("names.json", br#"{"etc": [[1]], "hosts": ["a", "b"]}"#, &["2 names for 1 hosts"]),
        ("same.json", br#"{"etc": [[1, 1]], "hosts": ["a", "a"]}"#, &["'a'"]),
        ("word.json", br#"{"etc": [[1, "x"]]}"#, &[":1:14:", "x"]),
        ("escape.json", b"{\"etc\": [[1, \"\\u001b[31m\"]]}", &[":1:14:"]),
        ("raw-escape.json", b"{\"etc\": [[1, \x1b[31m]]}", &[":1:14:"]),
        ("list.json", b"[[1]]", &[":1:1:"]),
        ("empty.json", b"", &["ends"]),
        ("cut.json", br#"{"etc": [[1, 2"#, &["ends"]),
        ("bytes.json", b"\xff\xfe\x00", &["UTF-8"]),
        ("ragged.csv", b"a,b\n1,2\n3\n", &[":3:", "task 1"]),
        ("quote.csv", b"a,b\n1,\"2\n", &["quote"]),
        ("empty.csv", b"", &[]),
        ("short.hcsp", b"2 2\n1\n2\n3\n", &["3 times", "expected 2 x 2"]),
        ("word.hcsp", b"1 2\n1\ntwo\n", &[":3:1:", "two"]),
        ("word.txt", b"many\n", &[":1:1:", "many"]),
        ("instance.xyz", b"1 2\n", &["--from"]),
    ];

    #[test]
    fn every_bad_file_gets_one_line_and_leaves_nothing() {
        for (name, content, parts) in FILES {
            let folder = Folder::new();
            folder.write(name, content);
            let run = folder.run(&format!(
                "solve {name} --output out.json --certificate cert.json --gantt g.svg"
            ));
            run.fails(2, &[&[*name][..], *parts].concat());
            assert_eq!(folder.list(), [*name]);
        }
    }

    #[test]
    fn a_million_brackets_are_refused_at_once() {
        let folder = Folder::new();
        folder.write("deep.json", format!("{{\"etc\": {}", "[".repeat(5_000_000)));
        folder.write("deeper.json", "[".repeat(5_000_000));
        for name in ["deep.json", "deeper.json"] {
            let run = folder.run(&format!("solve {name}")).fails(2, &[name, ":1:"]);
            assert!(run.err.len() < 500, "{} bytes", run.err.len());
        }
    }

    #[test]
    fn every_command_reads_the_same_way() {
        let folder = folder();
        folder.write("bad.json", r#"{"etc": [[1, -2]]}"#);
        for words in [
            "solve FILE",
            "decide FILE -k 5",
            "export FILE -k 5",
            "decode FILE -k 5 demo.json",
            "verify FILE demo.json",
            "map FILE",
        ] {
            let bad = folder.run(&words.replace("FILE", "bad.json"));
            bad.fails(2, &["bad.json:1:14:", "-2"]);
            folder.run(&words.replace("FILE", "missing.json")).fails(2, &["missing.json: "]);
            folder.run(&words.replace("FILE", ".")).fails(2, &["."]);
        }
    }

    #[test]
    fn a_bad_k_is_named() {
        let folder = folder();
        for k in ["x", "-1", "nan", "inf", "1e999", ""] {
            let mut command = folder.command("decide demo.json");
            let run = Run::of(command.arg(format!("-k={k}")));
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "-k {k}: {run:?}");
            run.fails(2, &["-k", k]);
        }
        folder.run("export demo.json -k six").fails(2, &["six"]);
        folder.run("decode demo.json -k six demo.json").fails(2, &["six"]);
    }

    #[test]
    fn bad_usage_gets_one_line() {
        let folder = folder();
        for (words, part) in [
            ("conquer demo.json", "conquer"),
            ("solve", "<FILE>"),
            ("solve demo.json --fast", "--fast"),
            ("solve demo.json --format xml", "xml"),
            ("solve demo.json --strategy luck", "luck"),
            ("solve demo.json --encoding magic", "magic"),
            ("solve demo.json --time-limit=-1", "-1"),
            ("solve demo.json --time-limit=nan", "nan"),
            ("solve demo.json --gap 2", "2"),
            ("solve demo.json --strategy thesis --encoding adder", "--encoding"),
            ("decide demo.json", "-k"),
            ("decide demo.json -k 5 --encoding thesis --at-most-one ladder", "--at-most-one"),
            ("decide demo.json -k 9 --encoding thesis --max-clauses 3", "budget of 3"),
            ("verify demo.json", "<CERT>"),
            ("generate etc --tasks many", "many"),
        ] {
            folder.run(words).fails(2, &[part]);
        }
    }

    #[test]
    fn help_and_version_are_answers() {
        let folder = Folder::new();
        let version = folder.run("--version").ends(0).out;
        assert_eq!(version, format!("gridsat {}\n", gridsat::VERSION));
        for words in ["--help", "solve --help", "generate etc --help"] {
            assert!(folder.run(words).ends(0).out.contains("Usage"), "{words}");
        }
        let help = folder.run("--help").ends(0).out;
        assert!(help.contains("Exit codes"), "{help}");
    }
}

mod bad_output {
    use super::*;

    fn is_one_line_of_failure(run: &Run, part: &str) {
        assert!(matches!(run.code, Some(1 | 2)), "{run:?}");
        assert!(run.err.lines().count() == 1 && run.err.contains(part), "{run:?}");
    }

    #[test]
    fn a_folder_that_is_not_there() {
        let folder = folder();
        let before = folder.list();
        for words in [
            "solve demo.json --output no/out.json",
            "solve demo.json --gantt no/g.svg",
            "solve odd.json --strategy sat --certificate no/cert.json",
            "solve odd.json --strategy sat --certificate no/cert.pbp",
            "map demo.json --output no/out",
            "decide demo.json -k 6 --output no/out",
            "export demo.json -k 6 --output no/out",
            "export demo.json --format opb --output no/out",
            "generate etc --tasks 3 --hosts 2 --output no/out",
            "verify demo.json even.json --output no/out",
        ] {
            let run = folder.run(words);
            is_one_line_of_failure(&run, if words.starts_with("verify") { "json" } else { "no/" });
            assert_eq!(folder.list(), before, "{words}");
        }
    }

    #[test]
    fn a_file_that_was_there_is_kept_on_failure() {
        let folder = folder();
        folder.write("out", "precious").write("bad.json", "{}");
        let words = "export demo.json -k 9 --encoding thesis --max-clauses 3 --output out";
        folder.run(words).fails(2, &[]);
        folder.run("solve bad.json --output out --certificate out --gantt out").fails(2, &[]);
        folder.run("generate etc --tasks 0 --output out").fails(2, &[]);
        assert_eq!(folder.read("out"), "precious");
        folder.run("solve demo.json --format csv --output out").ends(0);
        assert!(folder.read("out").starts_with("task,"));
    }

    #[test]
    fn a_solver_that_is_not_there() {
        let folder = folder();
        for words in [
            "solve odd.json --strategy sat --solver no-such-solver",
            "decide demo.json -k 6 --solver no-such-solver",
            "decide demo.json -k 6 --solver ./demo.json",
        ] {
            let run = folder.run(words);
            assert_eq!(run.out, "", "{words}");
            is_one_line_of_failure(&run, "solver '");
        }
    }

    /// Programs that answer nonsense must not be believed.
    #[cfg(unix)]
    #[test]
    fn a_solver_that_lies() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        for (name, answer) in
            [("mute", ""), ("all-false", "s SATISFIABLE\\nv 0\\n"), ("babble", "s MAYBE\\n")]
        {
            folder.write(name, format!("#!/bin/sh\nprintf '{answer}'\n"));
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder.path(name), mode).expect("mine");
            let run = folder.run(&format!("decide odd.json -k 10 --solver ./{name}"));
            assert!(!matches!(run.code, Some(10 | 20)), "{name}: {run:?}");
            assert!(!run.out.contains("SATISFIABLE"), "{name}: {run:?}");
        }
    }

    /// "Unsatisfiable" is a solver's word only; `solve` proves it again and does not repeat a lie.
    #[cfg(unix)]
    #[test]
    fn a_solver_that_denies_what_is_there() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        folder.write("deny", "#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path("deny"), mode).expect("mine");
        let reference = project("instances/reference/U1-100_9x3.json");
        folder.write("ref.json", std::fs::read(reference).expect("readable"));
        let run = folder.run("solve ref.json --strategy sat --solver ./deny --format json");
        assert_eq!(run.json()["makespan"] == 97, run.json()["status"] == "optimal", "{run:?}");
    }

    #[test]
    fn control_characters_in_names_do_not_reach_the_terminal() {
        let folder = Folder::new();
        let evil = r#"{"etc": [[1, 2], [3, 4]],
            "tasks": ["a\u001b]0;x\u0007", "b\n"], "hosts": ["h\u001b[2J", "k\u0000\t"]}"#;
        folder.write("evil.json", evil).write("answer", "v x1 x4\n");
        for words in [
            "solve evil.json",
            "solve evil.json --format json",
            "map evil.json",
            "map evil.json --format csv",
            "export evil.json -k 5",
            "export evil.json --format opb",
            "export evil.json --format mps",
            "decide evil.json -k 5",
            "decode evil.json -k 5 answer",
        ] {
            let run = folder.run(words);
            let raw = |c: char| c.is_control() && c != '\n';
            assert!(!run.out.contains(raw) && run.err.is_empty(), "{words}: {run:?}");
        }
    }
}

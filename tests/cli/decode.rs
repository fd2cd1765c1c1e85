//! The command `decode`, on answers of other solvers.

use super::*;

/// Answers to demo.json with task 0 on host 1 and task 1 on host 0: makespan 5.5.
const ANSWERS: [(&str, &str); 6] = [
    ("competition", "s SATISFIABLE\nv 1 2 -3 0\n"),
    ("minisat", "SAT\n1 2 -3 0\n"),
    ("roundingsat", "o 55\ns OPTIMUM FOUND\nv -x1 x2 x3 -x4 -x5\n"),
    ("highs.sol", "Model status\nOptimal\n\n# Columns 5\nmakespan 55\nx_0_1 1\nx_1_0 0.9999999\n"),
    ("scip.sol", "solution status: optimal solution found\nx_0_1 1 \t(obj:0)\nx_1_0 1 \t(obj:0)\n"),
    ("cbc.sol", "Optimal - objective value 55.0\n 1 x_0_1 1 0\n 4 x_1_0 1 0\n"),
];

#[test]
fn every_kind_of_answer_is_read() {
    let folder = folder();
    for (name, text) in ANSWERS {
        folder.write(name, text);
        let json =
            folder.run(&format!("decode demo.json -k 6 {name} --format json")).ends(0).json();
        assert_eq!((&json["answer"], &json["mapping"]), (&json!("sat"), &json!([1, 0])), "{name}");
        assert_eq!(json["makespan"], 5.5, "{name}");
    }
    // Without a k, for formats whose variables do not depend on it.
    folder.run("decode demo.json highs.sol").ends(0);
    folder.run("decode demo.json roundingsat").ends(0);
    folder.run("decode demo.json minisat").fails(2, &["-k K", "--problem"]);
}

/// Files that solvers wrote for `export demo.json`: HiGHS 1.15.1, SCIP 10.0, CBC 2.10.3 without -k,
/// Kissat 4.0.4 with -k 6; and the same for `-k 5`, which has no solution.
#[test]
fn what_solvers_wrote_is_read() {
    let folder = folder();
    let copy = |name: &str| folder.copy(&format!("tests/data/answers/{name}"), name);
    for name in ["highs-raw.sol", "highs-pretty.sol", "scip-mps.sol", "scip-opb.sol", "cbc.sol"] {
        copy(name);
        let json = folder.run(&format!("decode demo.json {name} --format json")).ends(0).json();
        assert_eq!((&json["mapping"], &json["makespan"]), (&json!([1, 0]), &json!(5.5)), "{name}");
    }
    copy("kissat.txt");
    let json = folder.run("decode demo.json -k 6 kissat.txt --format json").ends(0).json();
    assert_eq!(json["mapping"], json!([1, 2]));
    for name in [
        "highs-raw-infeasible.sol",
        "highs-pretty-infeasible.sol",
        "cbc-infeasible.sol",
        "kissat-unsat.txt",
    ] {
        copy(name);
        let run = folder.run(&format!("decode demo.json -k 5 {name}")).ends(20);
        assert!(run.out.starts_with("No mapping ≤ 5"), "{name}: {}", run.out);
    }
}

#[test]
fn no_mapping_is_an_answer() {
    let folder = folder();
    for text in ["s UNSATISFIABLE\n", "UNSAT\n", "Model status\nInfeasible\n"] {
        folder.write("no", text);
        let run = folder.run("decode demo.json -k 5 no").ends(20);
        assert_eq!(run.out, "No mapping ≤ 5, according to the solver; not checked.\n");
    }
    let json = folder.run("decode demo.json -k 5 no --format json").ends(20).json();
    assert_eq!((&json["answer"], &json["mapping"]), (&json!("unsat"), &Value::Null));
    let csv = folder.run("decode demo.json -k 5 no --format csv").ends(20).out;
    assert_eq!(csv, "task,task_name,host,host_name,time,start,end\n");
    folder.run("decode demo.json no").fails(2, &["no mapping at all", "-k K"]);
}

#[test]
fn an_answer_to_another_question_is_noticed() {
    let folder = folder();
    folder.run("export demo.json -k 6 --encoding bdd -o a.cnf").ends(0);
    folder.write("answer", ANSWERS[1].1);
    let decode = |words: &str| folder.run(&format!("decode {words} answer --problem a.cnf"));
    assert!(decode("demo.json").ends(0).out.contains("makespan 5.5"));
    decode("demo.json -k 6 --encoding bdd").ends(0);
    decode("demo.json -k 7").fails(2, &["makespan <= 6, not makespan <= 7", "-k"]);
    decode("demo.json --encoding adder").fails(2, &["encoding 'bdd', not 'adder'"]);
    decode("odd.json").fails(2, &["another instance"]);
    folder.run("decode demo.json answer --problem demo.json").fails(2, &["demo.json: no comment"]);
    folder.run("decode demo.json answer --problem none").fails(2, &["none: "]);
    // The answers of `decide` contain the question.
    folder.run("decide demo.json -k 6 --encoding adder --output own").ends(10);
    folder.run("decode demo.json own").ends(0);
    folder.run("decode demo.json -k 8 own").fails(2, &["makespan <= 6, not makespan <= 8"]);
}

#[test]
fn export_follows_the_extension() {
    let folder = folder();
    for (name, part) in [("a.cnf", "\np cnf "), ("a.OPB", "* #variable= "), ("a.mps", "ENDATA\n")] {
        folder.run(&format!("export demo.json -k 6 -o {name}")).ends(0);
        let text = folder.read(name);
        assert!(text.contains(part) && text.contains(" question "), "{name}: {text}");
        folder.write("no", "UNSAT\n");
        let run = folder.run(&format!("decode demo.json --problem {name} no"));
        run.fails(2, &["finds no mapping ≤ 6, but there is one with makespan 5.5"]);
    }
    folder.run("export demo.json -k 6 --format opb -o b.cnf").ends(0);
    assert!(folder.read("b.cnf").starts_with("* #variable= "));
}

#[test]
fn every_mapping_that_is_written_is_verified() {
    let folder = folder();
    folder.write("answer", ANSWERS[0].1);
    for words in [
        "solve demo.json --format csv",
        "solve demo.json --format json",
        "map demo.json -a mct --format json",
        "map demo.json --format json",
        "decode demo.json -k 6 answer --format csv",
        "decode demo.json -k 6 answer --format json",
    ] {
        folder.run(&format!("{words} --output mapping")).ends(0);
        let verdict = folder.run("verify demo.json mapping").ends(0).out;
        assert!(verdict.starts_with("ACCEPTED: mapping with makespan 5.5 "), "{words}: {verdict}");
    }
    for text in ["b\na\n", "1 0", "b a", r#"["b", "a"]"#, "task,host\nmerge,a\nrender,1\n"] {
        folder.write("mapping", text);
        let verdict = folder.run("verify demo.json mapping").ends(0).out;
        assert!(verdict.contains("makespan 5.5 "), "{text}: {verdict}");
    }
    folder.write("wrong", r#"{"results": [{"mapping": [1, 0], "makespan": 5}]}"#);
    assert!(folder.run("verify demo.json wrong").ends(1).out.starts_with("REJECTED"));
    folder.write("less", "task,host\nmerge,c\n");
    folder.run("verify demo.json less").fails(2, &["less: ", "task 'render' has no host"]);
    folder.write("odd", "b d");
    folder.run("verify demo.json odd").fails(2, &["line 1", "\"d\""]);
}

//! The command `decide`.

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

/// A k between two ticks is rounded down.
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
    folder.run("decode demo.json -k 6 no").fails(2, &["no: ", "there is one with makespan 5.5"]);
    folder.run("decode demo.json -k 6 none").fails(2, &["none: ", "no 'v' line"]);
    folder.run("decode demo.json -k 6 late").fails(2, &["late: ", "above 6"]);
    folder.run("decode demo.json -k 6 less").fails(2, &["less: ", "without a host"]);
    folder.run("decode demo.json -k 6 odd").fails(2, &["odd: ", "line 1", "two"]);
    folder.run("decode demo.json -k 6 missing").fails(2, &["missing: "]);
}

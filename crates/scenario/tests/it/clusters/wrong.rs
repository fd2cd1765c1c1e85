//! Invalid files and their one-line messages.

use super::*;
use crate::bad::mutate;

const A: &str = "[[cluster]]\nname = 'a'\nnodes = 4\n";

#[test]
fn unknown_policies_are_told_with_the_known_ones() {
    let text = format!("scheduler = {{ policy = 'best' }}\n{A}[[job]]\nrun = 5\n");
    let known: Vec<String> = QueuePolicy::all().into_iter().map(QueuePolicy::name).collect();
    let what = format!("policy \"best\" is unknown; known: {}", known.join(", "));
    assert_eq!(error(&text), format!("x.toml:1:24: scheduler: {what}"));
}

/// An error in the middle of a trace ends the simulation; the message has its line number.
#[test]
fn wrong_traces_name_the_line() {
    let fail = |trace: &str, more: &str| {
        let (folder, _) = written("x.swf", trace);
        let text = format!("{A}[[cluster]]\nnodes = 2\n[jobs]\ntrace = 'x.swf'\n{more}");
        let scenario = parse_in(&text, folder.path());
        let error: ClusterError = simulate(setup(&scenario).0, &mut ()).expect_err("wrong");
        let text = error.to_string();
        text.strip_prefix(&format!("{}/", folder.path().display())).unwrap_or(&text).to_owned()
    };
    let job = |number, submit, partition| {
        format!("{number} {submit} -1 5 1 -1 -1 1 9 -1 1 1 1 1 1 {partition} -1 -1\n")
    };
    let good = job(1, 0, 1);
    assert_eq!(fail(&format!("{good}2 x\n"), ""), "x.swf:2: 2 fields, expected 18");
    assert_eq!(
        fail(&format!("{}{good}", job(2, 7, 2)), ""),
        "x.swf:2: submit time is 0, before that of the previous job, 7"
    );
    assert_eq!(
        fail(&format!("{}{good}", job(2, 7, 2)), "lenient = true"),
        "job 1 is submitted at 0, before job 2 at 7"
    );
    let third = format!("{good}{}", job(2, 7, 3));
    assert_eq!(fail(&third, ""), "job 2 has partition 3, but there are 2 clusters");
    let none = format!("{good}{}", job(2, 7, -1));
    assert_eq!(fail(&none, ""), "job 2 has no partition, which home \"partition\" needs");
    let (folder, _) = written("x.swf", &none);
    let text =
        format!("{A}[[cluster]]\nnodes = 2\n[jobs]\ntrace = 'x.swf'\nhome = 'in-turn'\ncount = 1");
    assert_eq!(run(&parse_in(&text, folder.path())).all.jobs.finished, 1);
}

/// A truncated or changed text either is valid and runs, or gives a one-line error.
#[test]
fn damaged_files_never_panic() {
    let line = "1 0 -1 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n";
    let (folder, _) = written("KTH-SP2-1996-2.swf", line);
    let list = format!("{TWO}[[job]]\nrequest = 'unordered'\ncomponents = [1, 2]\nrun = 4\n");
    let list = format!("{list}[[job]]\nrun = 7\nmoldable = {{ least = 1, amdahl = 0.5 }}\n");
    let texts = CLUSTER_TEMPLATES.iter().map(|one| one.text.to_owned()).chain([list]);
    let texts: Vec<String> = texts.collect();
    let mut random = random::stream(1, "damage", 0);
    let mut right = 0;
    for case in 0..2000 {
        let mut bytes = texts[case % texts.len()].clone().into_bytes();
        for _ in 0..random.random_range(1..=3) {
            mutate(&mut bytes, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        match ClusterScenario::parse(&text, Syntax::Toml, "x.toml", folder.path()) {
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{case}: {error}"),
            Ok(scenario) => {
                right += 1;
                let (mut setup, _) = setup(&scenario);
                setup.source = Box::new(setup.source.take(100));
                simulate(setup, &mut ()).unwrap_or_else(|error| panic!("{case}: {error}"));
            }
        }
    }
    assert!(right > 300, "only {right} were right");
}

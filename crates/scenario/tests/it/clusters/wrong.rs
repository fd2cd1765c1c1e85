//! Files that are wrong, and what is said of them in one line.

use super::*;

const A: &str = "[[cluster]]\nname = 'a'\nnodes = 4\n";
const JOB: &str = "[[job]]\nrun = 5\n";

#[track_caller]
fn wrong(text: &str, expected: &str) {
    let parsed = ClusterScenario::parse(text, Syntax::Toml, "x.toml", Path::new(""));
    let Err(error) = parsed else { panic!("nothing wrong with\n{text}") };
    assert_eq!(error.to_string(), format!("x.toml: {expected}"), "\n{text}");
}

#[test]
fn wrong_clusters() {
    wrong(JOB, "there is no [[cluster]]");
    wrong("[[cluster]]\n", "cluster[0]: needs exactly one of nodes and groups");
    wrong("[[cluster]]\nnodes = 0\n", "cluster[0]: nodes is 0, must be above 0");
    wrong("[[cluster]]\nnodes = 1\ncount = 0\n", "cluster[0]: count is 0, must be above 0");
    wrong(&format!("{A}{A}"), "cluster[1] \"a\": name \"a\" is used twice");
    wrong(
        "[[cluster]]\nname = 'random'\nnodes = 1\n",
        "cluster[0] \"random\": \"random\" cannot be a name",
    );
    wrong(
        "[[cluster]]\nnodes = 1\nspeed = -2\n",
        "cluster[0]: speed is -2, not a number from 0.000001 to 4294",
    );
    wrong(
        "[[cluster]]\ngroups = [{ nodes = 1 }, { nodes = 1, speed = 1e9 }]\n",
        "cluster[0]: groups[1]: speed is 1000000000, not a number from 0.000001 to 4294",
    );
    wrong(
        "[[cluster]]\nnodes = 4000000000\ncount = 2\n",
        "all clusters have 8000000000 nodes, at most 4294967295 are possible",
    );
    wrong(
        "[[cluster]]\nnodes = 1\ncount = 10001\n",
        "cluster[0]: 10001 clusters, at most 10000 are possible",
    );
}

#[test]
fn wrong_jobs() {
    wrong(A, "there are no jobs: [jobs] or [[job]] is missing");
    wrong(&format!("{A}{JOB}[jobs]\n"), "[jobs] and [[job]] exclude each other");
    let job = |more: &str, what: &str| {
        wrong(&format!("{A}[[job]]\nname = 'x'\n{more}\n"), &format!("job[0] \"x\": {what}"));
    };
    job("run = 0", "run is 0, must be above 0");
    job("run = -1", "run is -1, not a number of seconds from 0");
    job("run = 1.5", "run is 1.5, with more decimals than the scenario: decimals is 0");
    job("run = 1e30", "run is 1e30 seconds, beyond the clock");
    job("run = 1\nnodes = 0", "nodes is 0, must be above 0");
    job("run = 1\nhome = 'b'", "home: there is no cluster \"b\"");
    job("run = 1\nrequest = 'all'", "request is \"all\"; known: total, single, ordered, unordered");
    let needs = "components is for request \"ordered\" and \"unordered\", which need it";
    job("run = 1\nrequest = 'ordered'", needs);
    job("run = 1\ncomponents = [1]", needs);
    job(
        "run = 1\nnodes = 4\nrequest = 'unordered'\ncomponents = [1, 2]",
        "nodes is 4, but components add up to 3",
    );
    job(
        "run = 1\nmoldable = { least = 3, most = 2, amdahl = 0.5 }",
        "moldable: from 3 to 2 nodes: not a range from 1",
    );
    job(
        "run = 1\nmoldable = { most = 9, amdahl = 0.5 }",
        "moldable: most is 9, and there are 4 nodes",
    );
    job("run = 1\nmoldable = { }", "moldable: needs exactly one of amdahl, downey, table");
    job("run = 1\nmoldable = { amdahl = 2 }", "moldable: serial share is 2, not from 0 to 1");
}

#[test]
fn wrong_streams() {
    let jobs =
        |more: &str, what: &str| wrong(&format!("{A}[jobs]\n{more}\n"), &format!("jobs: {what}"));
    jobs("", "needs exactly one of trace and model");
    jobs("model = 'x'\ncount = 1", "model is \"x\"; known: lublin, wang-zhang, beosim");
    jobs("model = 'lublin'", "a model needs count");
    jobs("model = 'lublin'\ncount = 0", "count is 0, must be above 0");
    jobs("model = 'lublin'\ncount = 1\nlenient = true", "lenient is for traces only");
    jobs("model = 'lublin'\ncount = 1\narrivals = 'daily'", "arrivals is not for model \"lublin\"");
    jobs(
        "model = 'lublin'\ncount = 1\nset = { umed = { exponential = 1 } }",
        "set: umed is not a plain number",
    );
    jobs("model = 'lublin'\ncount = 1\nset = { a1 = -1 }", "a1 is -1, not a number above 0");
    jobs(
        "model = 'beosim'\ncount = 1\nset = { run = 5 }",
        "set: run is not { uniform = [LOW, HIGH] } or { exponential = MEAN }",
    );
    jobs(
        "model = 'wang-zhang'\ncount = 1\nset = { schedulers = 2 }",
        "set: schedulers is 2, and there are 1 clusters",
    );
    jobs(
        "model = 'beosim'\ncount = 1\nhome = 'partition'",
        "home is \"partition\", and this model has none",
    );
    jobs(
        "model = 'beosim'\ncount = 1\nhome = 'b'",
        "home: there is no cluster \"b\"; or one of in-turn, random, partition",
    );
    jobs(
        "model = 'beosim'\ncount = 1\nrequest = 'unordered'",
        "request \"unordered\" needs component, the most nodes of a part",
    );
    jobs(
        "model = 'beosim'\ncount = 1\ncomponent = 3",
        "component is for request \"unordered\" only",
    );
    jobs("trace = 'x.swf'\nnodes = 3", "nodes is for models only");
    jobs(
        "trace = 'none.swf'",
        "trace: none.swf: cannot read: No such file or directory (os error 2)",
    );
    jobs(
        "trace = 'x.swf'\nzero_run = 'never'",
        "trace: zero_run is \"never\"; known: tick, keep, skip",
    );
}

#[test]
fn other_wrong_values() {
    let case = |more: &str, what: &str| wrong(&format!("{more}\n{A}{JOB}"), what);
    case("decimals = 10", "decimals is 10, not from 0 to 9");
    case("overrun = 'stop'", "overrun is \"stop\"; known: extend, kill");
    case("stop = { jobs = 0 }", "stop: jobs is 0, must be above 0");
    case("stop = { time = 0 }", "stop: time is 0, must be above 0");
    case("penalty = { fixed = -1 }", "penalty: fixed is -1, not a number of seconds from 0");
    case(
        "estimates = { exact = true, factor = [1, 2] }",
        "estimates: exact and factor exclude each other",
    );
    case(
        "estimates = { factor = [2, 1] }",
        "estimates: factor is [2, 1], not a range above 0, to 1e6",
    );
    case("scheduler = { queue = 'none' }", "scheduler: queue is \"none\"; known: global, local");
    let known =
        QueuePolicy::all().into_iter().map(QueuePolicy::name).collect::<Vec<_>>().join(", ");
    case(
        "scheduler = { policy = 'best' }",
        &format!("scheduler: policy \"best\" is unknown; known: {known}"),
    );
    case(
        "scheduler = { delay_percent = 0 }",
        "scheduler: delay_percent is 0, must be above 0; without delay it is policy \"fcfs-scan-backfill\"",
    );
}

/// What is wrong in the middle of a trace ends the simulation with its line.
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
    assert_eq!(fail(&format!("{good}2 x\n"), ""), "x.swf:2: 2 fields, but a job has 18");
    assert_eq!(
        fail(&format!("{}{good}", job(2, 7, 2)), ""),
        "x.swf:2: submit time is 0, but the job before has 7"
    );
    assert_eq!(
        fail(&format!("{}{good}", job(2, 7, 2)), "lenient = true"),
        "job 1 is submitted at 0, before job 2 at 7"
    );
    let third = format!("{good}{}", job(2, 7, 3));
    assert_eq!(fail(&third, ""), "job 2 has partition 3, and there are 2 clusters");
    let none = format!("{good}{}", job(2, 7, -1));
    assert_eq!(fail(&none, ""), "job 2 has no partition, which home \"partition\" needs");
    let (folder, _) = written("x.swf", &none);
    let text =
        format!("{A}[[cluster]]\nnodes = 2\n[jobs]\ntrace = 'x.swf'\nhome = 'in-turn'\ncount = 1");
    assert_eq!(run(&parse_in(&text, folder.path())).all.jobs.finished, 1);
}

/// A text cut short or with bytes changed is right, and then runs, or wrong in one line.
#[test]
fn damaged_files_never_panic() {
    const LIKELY: &[u8] = b"0123456789.-+e[]{}=\"'#,\n abinf\0\xff";
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
            let at = random.random_range(0..bytes.len());
            let byte = LIKELY[random.random_range(0..LIKELY.len())];
            match random.random_range(0..3) {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
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

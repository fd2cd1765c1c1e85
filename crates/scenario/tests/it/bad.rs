//! Scenario files that are wrong: one line each, with the place or the key and the value; and never
//! a panic, whatever is done to a file.

use std::path::Path;

use gridsat_grid::simulate;
use gridsat_scenario::{Changes, Policies, Scenario, Syntax, TEMPLATES};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const A: &str = "[[resource]]\nname = 'a'\nmips = 100\n";
const JOB: &str = "[[job]]\nmi = 5\n";
const ETC: &str = "[[resource]]\ncount = 2\nmips = 1\n[etc]\n";
const USERS: &str = "[[users]]\ncount = 2\ntasks = 3\ngap = 1\nsize = 7\n";

fn error(text: &str, syntax: Syntax) -> String {
    let parsed = Scenario::parse(text, syntax, "x.toml", Path::new(""));
    match parsed.and_then(|scenario| scenario.setup(&Changes::default())) {
        Ok(_) => panic!("nothing wrong with\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(cases: &[(String, &str)]) {
    for (text, expected) in cases {
        assert_eq!(error(text, Syntax::Toml), *expected, "\n{text}");
    }
}

/// A grid, jobs, and something more.
fn with(more: &str) -> String {
    format!("{A}{JOB}{more}")
}

#[test]
fn wrong_text() {
    check(&[
        (
            "name = \n".to_owned(),
            "x.toml:1:8: string values must be quoted, expected literal string",
        ),
        ("[stop\n".to_owned(), "x.toml:1:6: unclosed table, expected `]`"),
        (with("[stop]\ntime = 'x'\n"), "x.toml:7:8: invalid type: string \"x\", expected f64"),
        (
            with("[stop]\ntimes = 1\n"),
            "x.toml:7:1: unknown field `times`, expected one of `time`, `jobs`, `inactivity`",
        ),
        (with("[[job]]\nat = 1\n"), "x.toml: job[1]: mi or io is missing"),
        (format!("seed = -1\n{A}{JOB}"), "x.toml:1:8: invalid value: integer `-1`, expected u64"),
        (
            format!("{JOB}[[resource]]\nmips = {{ unifrom = [1, 2] }}\n"),
            "x.toml:4:10: unknown field `unifrom`, expected one of `constant`, `uniform`, `exponential`, `normal`, `weibull`, `lognormal`, `gamma`",
        ),
        (
            format!("{JOB}[[resource]]\nmips = {{ uniform = [1, 2], constant = 3 }}\n"),
            "x.toml:4:8: expected exactly one of constant, uniform, exponential, normal, weibull, lognormal, gamma",
        ),
        (
            format!("{JOB}[[resource]]\nmips = 'fast'\n"),
            "x.toml:4:8: invalid type: string \"fast\", expected a number, or one of constant, uniform, exponential, normal, weibull, lognormal, gamma as a table",
        ),
        (format!("{A}load = 101\n{JOB}"), "x.toml:4:8: load is 101, not from 0 to 100"),
        (
            format!("{ETC}matrix = [[1, 0.1234567890123456]]"),
            "x.toml:5:15: 0.1234567890123456 has more digits than a float keeps: put it in quotes",
        ),
    ]);
    assert_eq!(
        error("{ \"seed\": 1,\n  \"job\": 5 }", Syntax::Json),
        "x.toml:2:10: invalid type: integer `5`, expected a sequence"
    );
    assert_eq!(error("{ \"seed\": 1", Syntax::Json), "x.toml:1:11: EOF while parsing an object");
}

#[test]
fn wrong_resources() {
    let slow = "[[resource]]\nname = 'slow'\n";
    let case = |keys: &str| format!("{A}{slow}{keys}\n{JOB}");
    check(&[
        (JOB.to_owned(), "x.toml: there is no [[resource]]"),
        (case(""), "x.toml: resource[1] \"slow\": mips or machines is missing"),
        (case("mips = 0"), "x.toml: resource[1] \"slow\": mips is 0, must be above 0"),
        (case("mips = -2"), "x.toml: resource[1] \"slow\": mips is -2, must be above 0"),
        (case("mips = nan"), "x.toml: resource[1] \"slow\": mips is NaN, must be above 0"),
        (
            case("mips = { uniform = [9, 3] }"),
            "x.toml: resource[1] \"slow\": mips: uniform from 9 to 3: the second is smaller",
        ),
        (
            case("mips = { uniform = [0, 0] }"),
            "x.toml: resource[1] \"slow\": mips is always 0, must be above 0",
        ),
        (case("mips = 1\npes = 0"), "x.toml: resource[1] \"slow\": pes is 0, must be above 0"),
        (case("mips = 1\ncount = 0"), "x.toml: resource[1] \"slow\": count is 0, must be above 0"),
        (
            case("mips = 1\ncount = 1000000"),
            "x.toml: resource[1] \"slow\": count is 1000000: 1000001 resources so far, at most 1000000 are possible",
        ),
        (
            case("mips = 1\ncount = 1000\npes = 100000"),
            "x.toml: resource[1] \"slow\": 100000001 PEs so far, at most 10000000 are possible",
        ),
        (
            case("mips = 1\nmachines = []"),
            "x.toml: resource[1] \"slow\": machines already say pes and mips",
        ),
        (case("machines = []"), "x.toml: resource[1] \"slow\": machines is empty"),
        (
            case("machines = [{ mips = 1 }, { mips = 0 }]"),
            "x.toml: resource[1] \"slow\": machines[1]: mips is 0, must be above 0",
        ),
        (
            case("machines = [{ mips = 1 }, { mips = 2 }]\npolicy = 'time-shared'"),
            "x.toml: resource[1] \"slow\": policy \"time-shared\" needs machines of one rate; space-shared takes any",
        ),
        (
            case("mips = 1\npolicy = 'shared'"),
            "x.toml: resource[1] \"slow\": policy \"shared\" is unknown; known: space-shared, time-shared-gsim, time-shared-gridsim, time-shared",
        ),
        (format!("{A}{A}{JOB}"), "x.toml: resource[1] \"a\": name \"a\" is used twice"),
        (
            format!("[[resource]]\nname = '*'\nmips = 1\n{JOB}"),
            "x.toml: resource[0] \"*\": \"*\" cannot be a name",
        ),
        (
            format!("[[resource]]\nname = \"b\\n\\u001b[2J\"\nmips = 0\n{JOB}"),
            "x.toml: resource[0] \"b\\n\\u{1b}[2J\": mips is 0, must be above 0",
        ),
    ]);
}

#[test]
fn wrong_loads() {
    let case = |load: &str| format!("{A}load = {{ {load} }}\n{JOB}");
    check(&[
        (case("limit = 5"), "x.toml: resource[0] \"a\": load: average or weekdays is missing"),
        (
            case("average = 101"),
            "x.toml: resource[0] \"a\": load: average is 101, not from 0 to 100",
        ),
        (
            case("weekends = [1]"),
            "x.toml: resource[0] \"a\": load: weekends needs weekdays beside it",
        ),
        (
            case("average = 1, weekdays = [1]"),
            "x.toml: resource[0] \"a\": load: average and weekdays exclude each other",
        ),
        (case("weekdays = []"), "x.toml: resource[0] \"a\": load: weekdays: no value"),
        (
            case("weekdays = [1], holidays = [2], holiday_weeks = [53]"),
            "x.toml: resource[0] \"a\": load: holiday_weeks: week 53 is not one of 1 to 52",
        ),
        (
            case("average = 5, randomiser = 'odd'"),
            "x.toml: resource[0] \"a\": load: randomiser \"odd\" is unknown; known: even, binomial",
        ),
        (
            case("average = 5, randomiser = 'even', limit = 51"),
            "x.toml: resource[0] \"a\": load: limit: a load evenly spread by up to 51 points; at most 50 are possible",
        ),
        (
            case("average = 5, randomiser = 'even'"),
            "x.toml: resource[0] \"a\": load: randomiser \"even\" needs a limit",
        ),
        (
            case("average = 5, limit = 3"),
            "x.toml: resource[0] \"a\": load: limit is for randomiser \"even\" only",
        ),
        (
            case("average = 5, period = 3"),
            "x.toml: resource[0] \"a\": load: period means nothing without a randomiser",
        ),
        (
            case("average = 5, randomiser = 'binomial', period = 0"),
            "x.toml: resource[0] \"a\": load: period is 0, must be at least a nanosecond",
        ),
    ]);
}

#[test]
fn wrong_jobs() {
    let users = |from: &str, to: &str| format!("{A}{}", USERS.replace(from, to));
    check(&[
        (A.to_owned(), "x.toml: there are no jobs: [[users]], [[job]] or [etc] is missing"),
        (users("count = 2", "count = 0"), "x.toml: users[0]: number of users is 0"),
        (users("size = 7", "size = -7"), "x.toml: users[0]: size is -7, must be above 0"),
        (users("gap = 1", "gap = -1"), "x.toml: users[0]: gap: mean is -1, not a number from 0"),
        (
            users("gap = 1", "gap = 1e10"),
            "x.toml: users[0]: the last arrival is 2e10 seconds; the clock ends after 584 years, 1.845e10 seconds",
        ),
        (
            users("size = 7", "size = 7\nqos = 1.5"),
            "x.toml: users[0]: qos: the probability of a high QoS is 1.5, not from 0 to 1",
        ),
        (
            users("size = 7", "size = 7\nqos = 0.1"),
            "x.toml: users[0]: QoS 1 is asked for, but no resource that scheduler[0] \"main\" reaches offers it",
        ),
        (
            users("size = 7", "size = 7\nweights = [1, 0, 1, 0]"),
            "x.toml: users[0]: QoS 2 is asked for, but no resource that scheduler[0] \"main\" reaches offers it",
        ),
        (
            users("size = 7", "size = 7\nqos = 0\nweights = [1]"),
            "x.toml: users[0]: qos and weights exclude each other",
        ),
        (
            users("size = 7", "size = 7\nschedulers = ['b']"),
            "x.toml: users[0]: schedulers[0]: there is no scheduler \"b\"",
        ),
        (users("size = 7", "size = 7\nschedulers = []"), "x.toml: users[0]: schedulers is empty"),
        (
            users("tasks = 3", "tasks = 4000000000\napplications = 4000000000"),
            "x.toml: 32000000000000000000 jobs, at most 1000000000000 are possible",
        ),
        (
            users("size = 7", "size = 1e14"),
            "x.toml: users[0]: the time of a job of 1e14 MI at 100 MIPS is 1e12 seconds; the clock ends after 584 years, 1.845e10 seconds",
        ),
        (
            format!("{A}[[job]]\nname = 'j'\nmi = 0\n"),
            "x.toml: job[0] \"j\": mi is 0, must be above 0",
        ),
        (
            format!("{A}[[job]]\nmi = 1\nat = -0.5\n"),
            "x.toml: job[0]: at is -0.5, not a number of seconds from 0",
        ),
        (
            format!("{A}[[job]]\nmi = 1\nat = nan\n"),
            "x.toml: job[0]: at is NaN, not a number of seconds from 0",
        ),
        (
            format!("{A}[[job]]\nmi = 1\nat = 2e10\n"),
            "x.toml: job[0]: at is 2e10 seconds; the clock ends after 584 years, 1.845e10 seconds",
        ),
        (
            format!("{A}[[job]]\nmi = 1\nscheduler = 'x'\n"),
            "x.toml: job[0]: scheduler: there is no scheduler \"x\"",
        ),
        (
            format!("{A}[[job]]\nmi = 1\nqos = 1\n"),
            "x.toml: job[0]: QoS 1 is asked for, but no resource that scheduler[0] \"main\" reaches offers it",
        ),
        (
            format!("{A}load = 100\n{JOB}"),
            "x.toml: job[0]: never starts, every resource for it that scheduler[0] \"main\" reaches has a load of 100 %",
        ),
        (
            format!(
                "{A}qos = 1\nload = {{ weekdays = [100], randomiser = 'even', limit = 9 }}\n[[resource]]\nmips = 1\n{JOB}qos = 1\n"
            ),
            "x.toml: job[0]: never starts, every resource for it that scheduler[0] \"main\" reaches has a load of 100 %",
        ),
        (
            with("[estimates]\nerror = 100\n"),
            "x.toml: estimates: the estimate error is up to 100 %, not from 0 to below 100",
        ),
        (
            with("[estimates]\nerror = 1\nless = 0.5\n"),
            "x.toml: estimates: error excludes less and more",
        ),
    ]);
}

#[test]
fn wrong_matrices() {
    let case = |keys: &str| format!("{ETC}{keys}\n");
    check(&[
        (case("at = 1"), "x.toml: etc: needs either file or matrix"),
        (case("file = '-'"), "x.toml: etc: file is \"-\", not a path"),
        (
            case("file = 'none.json'"),
            "x.toml: etc: file: none.json: cannot read: No such file or directory (os error 2)",
        ),
        (case("matrix = []"), "x.toml: etc: matrix: no tasks"),
        (
            case("matrix = [[1, 2], [3]]"),
            "x.toml: etc: matrix: task 1 has 1 times, expected 2 (one a host)",
        ),
        (case("matrix = [[1, 2, 3]]"), "x.toml: etc: 3 hosts in the matrix, but 2 resources"),
        (case("matrix = [[1, 2], ['inf', inf]]"), "x.toml: etc: matrix: task 1 can run on no host"),
        (case("matrix = [[1, -2]]"), "x.toml: etc: matrix: '-2' is negative"),
        (
            case("matrix = [[1, 'soon']]"),
            "x.toml: etc: matrix: '\"soon\"' is not a time (a decimal number, or inf where the task cannot run)",
        ),
        (
            case("matrix = [[1, 0.1234567891]]"),
            "x.toml: etc: times have 10 decimals, at most 9 are possible",
        ),
        (
            case("matrix = [[1, 1e11]]"),
            "x.toml: etc: task 0: a time is 1e11 seconds; the clock ends after 584 years, 1.845e10 seconds",
        ),
        (
            case("matrix = [[1, 2]]\nmapping = [0, 1]"),
            "x.toml: etc: mapping has 2 hosts for 1 tasks",
        ),
        (
            case("matrix = [[1, 2]]\nmapping = [2]"),
            "x.toml: etc: mapping[0] is 2, but there is no such resource",
        ),
        (
            case("matrix = [[1, inf]]\nmapping = [1]"),
            "x.toml: etc: mapping[0] is 1, where task 0 cannot run",
        ),
        (
            case("matrix = [[1, 2]]\nmapping = [1]\n[[job]]\nmi = 3"),
            "x.toml: scheduler[0] \"main\": policy \"fixed\" is for the jobs of [etc] only, and there are others",
        ),
        (
            case(
                "matrix = [[1, 2]]\nmapping = [1]\n[[scheduler]]\npolicy = 'fixed'\ntargets = ['r0']",
            ),
            "x.toml: etc: mapping[0] is 1, no target of scheduler[0], or one with a load of 100 %",
        ),
        (
            case("matrix = [[inf, 2]]\n[[scheduler]]\ntargets = ['r0']"),
            "x.toml: etc: task 0 never starts on any resource that scheduler[0] reaches",
        ),
        (
            case("matrix = [[1, 2]]\n[[scheduler]]\npolicy = 'fixed'"),
            "x.toml: scheduler[0]: policy \"fixed\" needs a mapping in [etc]",
        ),
    ]);
}

#[test]
fn wrong_schedulers() {
    let case = |keys: &str| with(&format!("[[scheduler]]\nname = 'main'\n{keys}\n"));
    let unknown = format!(
        "x.toml: scheduler[0] \"main\": policy \"minmax2\" is unknown; known: {}",
        Policies::built_in().names()
    );
    check(&[
        (case("policy = 'minmax2'"), &unknown),
        (
            case("mode = 'lazy'"),
            "x.toml: scheduler[0] \"main\": mode \"lazy\" is unknown; known: on-line, batch, count, time-limit, when-free",
        ),
        (
            case("policy = 'tlmm'\nmode = 'batch'"),
            "x.toml: scheduler[0] \"main\": policy \"tlmm\" means mode \"time-limit\", not \"batch\"",
        ),
        (
            case("wait = 0"),
            "x.toml: scheduler[0] \"main\": wait is 0, must be at least a nanosecond",
        ),
        (
            case("wait = -1"),
            "x.toml: scheduler[0] \"main\": wait is -1, not a number of seconds from 0",
        ),
        (case("mode = 'count'"), "x.toml: scheduler[0] \"main\": mode \"count\" needs jobs"),
        (
            case("mode = 'count'\njobs = 0"),
            "x.toml: scheduler[0] \"main\": jobs is 0, must be above 0",
        ),
        (
            case("estimator = 'guess'"),
            "x.toml: scheduler[0] \"main\": estimator \"guess\" is unknown; known: auto, delay, shares, exact",
        ),
        (
            format!("{A}policy = 'time-shared'\n{JOB}[[scheduler]]\nestimator = 'delay'\n"),
            "x.toml: scheduler[0]: estimator \"delay\" is for space-shared resources only, and a target is time-shared",
        ),
        (case("targets = []"), "x.toml: scheduler[0] \"main\": targets is empty"),
        (
            case("targets = ['b']"),
            "x.toml: scheduler[0] \"main\": targets[0] \"b\": there is no such resource or scheduler",
        ),
        (
            case("targets = ['site:b']"),
            "x.toml: scheduler[0] \"main\": targets[0] \"site:b\": there is no such site",
        ),
        (
            case("targets = ['*', 'a']"),
            "x.toml: scheduler[0] \"main\": targets[1] \"a\": a target is listed twice",
        ),
        (
            case("targets = ['main']"),
            "x.toml: scheduler[0] \"main\": targets[0] \"main\": a scheduler sends only to those listed after it",
        ),
        (
            case("[[scheduler]]\nname = 'main'"),
            "x.toml: scheduler[1] \"main\": name \"main\" is used twice",
        ),
        (
            case("[[scheduler]]\nname = 'a'"),
            "x.toml: scheduler[1] \"a\": \"a\" is also the name of a resource",
        ),
        (case("gap = 2"), "x.toml: scheduler[0] \"main\": gap is 2, not from 0 to 1"),
        (
            case("time_limit = 0"),
            "x.toml: scheduler[0] \"main\": time_limit is 0, not a number of seconds above 0",
        ),
    ]);
}

#[test]
fn wrong_rest() {
    check(&[
        (
            with("[[command]]\nat = 1\n"),
            "x.toml: command[0]: needs exactly one of halt, resume, cancel, end = true",
        ),
        (
            with("[[command]]\nat = 1\nhalt = 0\nend = true\n"),
            "x.toml: command[0]: needs exactly one of halt, resume, cancel, end = true",
        ),
        (
            with("[[command]]\nat = 1\ncancel = 1\n"),
            "x.toml: command[0]: cancel is 1, but jobs are numbered 0 to 0",
        ),
        (
            with("[[command]]\nat = -1\nhalt = 0\n"),
            "x.toml: command[0]: at is -1, not a number of seconds from 0",
        ),
        (with("[stop]\ntime = 0\n"), "x.toml: stop: time is 0, must be at least a nanosecond"),
        (with("[stop]\njobs = 0\n"), "x.toml: stop: jobs is 0, must be above 0"),
        (
            format!("start = '2005-02-29'\n{A}{JOB}"),
            "x.toml: start: '2005-02-29' is no date like 2005-01-03 or 2005-01-03T08:00",
        ),
    ]);
    let scenario =
        Scenario::parse(&with(""), Syntax::Toml, "x.toml", Path::new("")).expect("right");
    let refused = |policy| scenario.policy(policy).expect_err("refused").to_string();
    assert_eq!(
        refused("best"),
        format!("x.toml: policy \"best\" is unknown; known: {}", Policies::built_in().names())
    );
    assert_eq!(
        refused("fixed"),
        "x.toml: scheduler[0] \"main\": policy \"fixed\" needs a mapping in [etc]"
    );
}

#[test]
fn wrong_files() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join("x.toml");
    let error = || Scenario::read(&path).err().expect("wrong").to_string();
    assert!(
        error().ends_with("x.toml: cannot read: No such file or directory (os error 2)"),
        "{}",
        error()
    );
    std::fs::write(&path, b"name = '\xff'").expect("writable");
    assert!(error().ends_with("x.toml: not UTF-8 text: byte 8 is wrong"), "{}", error());
}

/// It is right, or wrong in one line.
fn survives(text: &str, syntax: Syntax) -> Option<Scenario> {
    let scenario = Scenario::parse(text, syntax, "x.toml", Path::new(""));
    let setup = |scenario: Scenario| Ok((scenario.setup(&Changes::default())?, scenario));
    match scenario.and_then(setup) {
        Ok((_, scenario)) => Some(scenario),
        Err(error) => {
            let line = error.to_string();
            assert!(line.starts_with("x.toml:") && !line.contains(char::is_control), "{line:?}");
            None
        }
    }
}

fn json(text: &str) -> String {
    toml::from_str::<serde_json::Value>(text).expect("valid").to_string()
}

#[test]
fn every_prefix_is_right_or_wrong_in_one_line() {
    for template in TEMPLATES {
        let json = json(template.text);
        for (text, syntax) in [(template.text, Syntax::Toml), (&json, Syntax::Json)] {
            for (end, _) in text.char_indices() {
                survives(&text[..end], syntax);
            }
        }
    }
}

#[test]
fn every_mutation_is_right_or_wrong_in_one_line() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let texts: Vec<(String, Syntax)> = TEMPLATES
        .iter()
        .flat_map(|one| [(one.text.to_owned(), Syntax::Toml), (json(one.text), Syntax::Json)])
        .collect();
    let mut right = 0;
    for case in 0..2000 {
        let (text, syntax) = &texts[case % texts.len()];
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.random_range(1..=3) {
            mutate(&mut bytes, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some(scenario) = survives(&text, *syntax) else { continue };
        right += 1;
        // Few jobs in the tables: what is taken for right must also run.
        if scenario.name().ends_with("-table") {
            let setup = scenario.setup(&Changes::default()).expect("checked");
            simulate(setup, &mut ()).unwrap_or_else(|error| panic!("{error}: case {case}\n{text}"));
        }
    }
    assert!(right > 100, "only {right} were right");
}

fn mutate(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    const LIKELY: &[u8] = b"0123456789.-+e[]{}=\"'#,\n abinf\0\xff";
    let at = random.random_range(0..bytes.len());
    let byte = LIKELY[random.random_range(0..LIKELY.len())];
    match random.random_range(0..4) {
        0 => bytes[at] = byte,
        1 => bytes.insert(at, byte),
        2 => drop(bytes.remove(at)),
        _ => {
            let end = (at + random.random_range(1..40)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
    }
}

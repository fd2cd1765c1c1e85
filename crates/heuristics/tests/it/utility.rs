//! Wishes in several dimensions of service become a matrix; cases computed by hand.

use std::fs;

use gridsat_heuristics::utility::{
    Dimension, Level, Matrix, Utility, UtilityError, Wish, apply, read_file,
};
use gridsat_model::{HostId, Instance, InstanceParts, TaskId, Ticks};
use gridsat_test_support::project;

fn level(value: f64) -> Level {
    Level::new(value).expect("a level")
}

fn times() -> Instance {
    let etc = vec![
        vec![Some(Ticks(10)), Some(Ticks(20)), Some(Ticks(30))],
        vec![Some(Ticks(4)), None, Some(Ticks(8))],
    ];
    let parts = InstanceParts {
        etc,
        ready: vec![Ticks(0), Ticks(1), Ticks(2)],
        ..InstanceParts::default()
    };
    Instance::new(parts).expect("valid")
}

fn wish(dimension: usize, utility: Utility) -> Wish {
    Wish { tasks: None, dimension, utility }
}

fn row(instance: &Instance, task: u32) -> Vec<Option<Ticks>> {
    instance.hosts().map(|host| instance.time(TaskId(task), host)).collect()
}

const WHOLE: Matrix = Matrix::Time { decimals: 0 };

#[test]
fn without_wishes_the_times_stay() {
    assert_eq!(apply(&times(), &[Dimension::Time], &[], WHOLE), Ok(times()));
    let finer = apply(&times(), &[], &[], Matrix::Time { decimals: 2 }).expect("valid");
    assert_eq!(row(&finer, 0), [Some(Ticks(1000)), Some(Ticks(2000)), Some(Ticks(3000))]);
    assert_eq!(finer.ready(HostId(2)), Ticks(200));
}

#[test]
fn hard_levels_forbid_pairs() {
    let security = Dimension::Offered(vec![level(3.0), level(2.0), level(1.0)]);
    for (least, expected) in [(1.0, 3), (1.5, 2), (2.0, 2), (3.0, 1)] {
        let one = Wish { tasks: Some(vec![TaskId(0)]), ..wish(0, Utility::AtLeast(level(least))) };
        let made = apply(&times(), std::slice::from_ref(&security), &[one], WHOLE).expect("valid");
        assert_eq!(made.times(TaskId(0)).count(), expected, "{least}");
        assert_eq!(row(&made, 1), row(&times(), 1));
    }
    let much = [wish(0, Utility::AtLeast(level(4.0)))];
    let error = apply(&times(), &[security], &much, WHOLE).expect_err("impossible");
    assert_eq!(error.to_string(), "no host grants the wishes of task 't0'");
    let quick = [wish(0, Utility::AtMost(level(8.0))), wish(0, Utility::AtMost(level(20.0)))];
    let quick = apply(&times(), &[Dimension::Time], &quick[1..], WHOLE).expect("valid");
    assert_eq!(row(&quick, 0), [Some(Ticks(10)), Some(Ticks(20)), None]);
}

/// Time: 1 up to 10, 0 from 30. Uptime: 1 from 1, 0 at 0.5. Weights 1 and 0.5, so for task 0
/// U = (1·1 + 0.5·0)/1.5 = 2/3, (0.5 + 0.5·1)/1.5 = 2/3, (0 + 0.5·0.5)/1.5 = 1/6.
#[test]
fn soft_dimensions_weigh_in_by_equation_2_1() {
    let uptime = Dimension::Offered(vec![level(0.5), level(1.0), level(0.75)]);
    let soft = |full, none, weight| Utility::Soft { full: level(full), none: level(none), weight };
    let wishes = [wish(0, soft(10.0, 30.0, 1_000_000)), wish(1, soft(1.0, 0.5, 500_000))];
    let dimensions = [Dimension::Time, uptime];
    let made = apply(&times(), &dimensions, &wishes, WHOLE).expect("valid");
    assert_eq!(row(&made, 0), [Some(Ticks(15)), Some(Ticks(30)), Some(Ticks(180))]);
    let loss = apply(&times(), &dimensions, &wishes, Matrix::Loss).expect("valid");
    assert_eq!(row(&loss, 0), [Some(Ticks(333_334)), Some(Ticks(333_334)), Some(Ticks(833_334))]);
    assert_eq!((loss.scale().decimals(), loss.latest_ready()), (6, Ticks(0)));
}

#[test]
fn no_utility_at_all_forbids_a_pair_of_times_but_costs_one_as_a_loss() {
    let soft = Utility::Soft { full: level(10.0), none: level(30.0), weight: 1_000_000 };
    let made = |matrix| apply(&times(), &[Dimension::Time], &[wish(0, soft)], matrix);
    assert_eq!(row(&made(WHOLE).expect("valid"), 0), [Some(Ticks(10)), Some(Ticks(40)), None]);
    let loss = made(Matrix::Loss).expect("valid");
    assert_eq!(row(&loss, 0), [Some(Ticks(0)), Some(Ticks(500_000)), Some(Ticks(1_000_000))]);
    assert_eq!(row(&loss, 1), [Some(Ticks(0)), None, Some(Ticks(0))]);
}

#[test]
fn nonsense_is_refused() {
    let error = |dimensions: &[Dimension], wishes: &[Wish], matrix| {
        apply(&times(), dimensions, wishes, matrix).expect_err("nonsense")
    };
    let flat = Utility::Soft { full: level(1.0), none: level(1.0), weight: 1 };
    assert_eq!(error(&[Dimension::Time], &[wish(0, flat)], WHOLE), UtilityError::Flat(level(1.0)));
    assert_eq!(error(&[], &[wish(0, flat)], WHOLE), UtilityError::NoDimension(0));
    let two = Dimension::Offered(vec![level(1.0); 2]);
    assert_eq!(error(&[two], &[], WHOLE), UtilityError::Levels { found: 2, expected: 3 });
    let fine = Matrix::Time { decimals: 19 };
    assert_eq!(error(&[], &[], fine), UtilityError::Decimals(19));
    let nobody = Wish { tasks: Some(vec![TaskId(9)]), ..wish(0, Utility::AtMost(level(1.0))) };
    assert_eq!(error(&[Dimension::Time], &[nobody], WHOLE), UtilityError::NoTask(9));
}

const TIMES: &str = r#"{ "etc": [[10, 20, 30], [4, null, 8]], "tasks": ["render", "merge"] }"#;

fn read(text: &str) -> Result<Instance, String> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("etc.json"), TIMES).expect("written");
    let path = folder.path().join("qos.toml");
    fs::write(&path, text).expect("written");
    read_file(&path).map_err(|error| error.what.to_string())
}

#[test]
fn a_file_says_it_all() {
    let text = r#"
        times = "etc.json"
        decimals = 0
        [[dimension]]
        name = "security"
        hosts = [3, 2, 1]
        [[wish]]
        dimension = "security"
        tasks = ["render"]
        at_least = 2
        [[wish]]
        dimension = "time"
        full = 10
        none = 30
        weight = 0.3
    "#;
    let made = read(text).expect("valid");
    assert_eq!(row(&made, 0), [Some(Ticks(10)), Some(Ticks(40)), None]);
    assert_eq!(row(&made, 1), [Some(Ticks(4)), None, Some(Ticks(8))]);
}

#[test]
fn mistakes_in_a_file_are_named_in_one_line() {
    let with = |rest: &str| read(&format!("times = \"etc.json\"\n{rest}")).expect_err("a mistake");
    let cases = [
        ("hosts = 3", "line 2: unknown field `hosts`"),
        ("[[dimension]]\nname = \"time\"\nhosts = [1]", "dimension 1: name: 'time' is taken"),
        ("[[dimension]]\nname = \"a\"\nhosts = [1]", "dimension 1: hosts: 1 levels for 3 hosts"),
        ("[[wish]]\ndimension = \"a\"", "wish 1: dimension: unknown 'a'; known: time"),
        ("[[wish]]\ndimension = \"time\"", "wish 1: needs at_least, or at_most"),
        ("[[wish]]\ndimension = \"time\"\nat_most = nan", "wish 1: at_most: NaN is not"),
        ("[[wish]]\ndimension = \"time\"\nfull = 1\nnone = 2\nweight = 2", "weight: 2 is not"),
        ("[[wish]]\ndimension = \"time\"\nfull = 1\nnone = 1", "wish 1: full: the same as none"),
        (
            "[[wish]]\ndimension = \"time\"\nat_most = 1",
            "no host grants the wishes of task 'render'",
        ),
        ("[[wish]]\ndimension = \"time\"\ntasks = [\"x\"]\nat_most = 1", "no task 'x'"),
        ("matrix = \"loss\"\ndecimals = 2", "decimals: losses have six"),
    ];
    for (rest, expected) in cases {
        let error = with(rest);
        assert!(error.contains(expected) && !error.contains('\n'), "{rest}: {error}");
    }
    let absent = read("times = \"none.json\"").expect_err("absent");
    assert!(absent.starts_with("times: ") && absent.contains("none.json"), "{absent}");
}

#[test]
fn the_documented_file_works() {
    let docs = project("docs/heuristics.md");
    let docs = fs::read_to_string(docs).expect("readable");
    let (_, rest) = docs.split_once("```toml\n").expect("an example");
    let (text, _) = rest.split_once("```").expect("an end");
    let times = r#"{ "etc": [[10, 20, 29], [15, 12, 8]], "tasks": ["payroll", "merge"] }"#;
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("render.json"), times).expect("written");
    fs::write(folder.path().join("qos.toml"), text).expect("written");
    let made = read_file(&folder.path().join("qos.toml")).expect("valid");
    assert_eq!(row(&made, 0), [Some(Ticks(10_000)), Some(Ticks(40_000)), None]);
    assert_eq!(row(&made, 1), [Some(Ticks(20_000)), Some(Ticks(13_334)), Some(Ticks(8_000))]);
}

//! Runs scenarios written in tests to their end, and checks what must hold of every run.

use std::fmt::Display;
use std::path::Path;

use gridsat_grid::output::{Description, Events, Gantt};
use gridsat_grid::{GridEvents, Observer, Setup, Summary, simulate};
use gridsat_scenario::{Changes, Scenario, Syntax};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

pub fn parse(text: &str) -> Scenario {
    let scenario = Scenario::parse(text, Syntax::Toml, "test.toml", Path::new(""));
    scenario.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The error message of an invalid scenario, also one found when it is drawn.
pub fn error(text: &str) -> String {
    error_in(text, Syntax::Toml)
}

pub fn error_in(text: &str, syntax: Syntax) -> String {
    let parsed = Scenario::parse(text, syntax, "x.toml", Path::new(""));
    match parsed.and_then(|scenario| scenario.setup(&Changes::default())) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("nothing wrong with\n{text}"),
    }
}

pub fn setup(text: &str) -> Setup {
    parse(text).setup(&Changes::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn run(text: &str, observer: &mut dyn Observer<GridEvents>) -> Summary {
    let summary = simulate(setup(text), observer).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_adds_up(&summary, text);
    summary
}

/// Asserts that no job and no work is lost.
#[track_caller]
pub fn assert_adds_up(summary: &Summary, case: &str) {
    let (counts, work) = (&summary.counts, &summary.accounts);
    let left = counts.submitted - counts.finished - counts.lost - counts.cancelled;
    assert_eq!(summary.left, left, "{counts:?}\n{case}");
    let sum = work.useful + work.lost + work.overhead + work.in_progress;
    assert_eq!(work.given, sum, "{work:?}\n{case}");
    let lost: u64 = summary.resources.iter().map(|resource| resource.lost).sum();
    assert_eq!(counts.lost, lost, "{case}");
}

/// The lines of the log, and the summary.
pub fn whole_log(text: &str) -> (Vec<String>, Summary) {
    let setup = setup(text);
    let description = Description::of("test", &setup);
    let mut events = Events::new(&description, Vec::new());
    let mut gantt = Gantt::new(&description);
    let mut observers = (&mut events, &mut gantt);
    let summary = simulate(setup, &mut observers).unwrap_or_else(|error| panic!("{error}"));
    assert_adds_up(&summary, text);
    assert!(gantt.svg(&summary).ends_with("</svg>\n"));
    let bytes = events.finish(&summary).expect("memory is enough");
    let log = String::from_utf8(bytes).expect("text");
    (log.lines().map(str::to_owned).collect(), summary)
}

/// The log lines except those of schedulers.
pub fn log(text: &str) -> (Vec<String>, Summary) {
    let (mut log, summary) = whole_log(text);
    log.retain(|line| !line.contains(" decided ") && !line.contains(" arrived "));
    (log, summary)
}

pub fn command(at: impl Display, what: &str, job: u32) -> String {
    format!("[[command]]\nat = {at}\n{what} = {job}\n")
}

pub fn pick<'a>(random: &mut ChaCha8Rng, from: &[&'a str]) -> &'a str {
    from[random.random_range(0..from.len())]
}

/// The rules for the jobs of a failed resource, as in scenario files.
pub const FAILURE_RULES: [&str; 8] = [
    "'lost'",
    "'lost'\nalso_lost = ['queued', 'transit']",
    "'migrate'\nalso_lost = ['transit']",
    "'restart'",
    "'resubmit'",
    "'checkpoint'\ncheckpoint = 7\ncheckpoint_cost = 0.3",
    "'checkpoint'\ncheckpoint = 0.7\ncheckpoint_cost = 1\nstay = true",
    "'migrate'\nmigration_cost = 2.5",
];

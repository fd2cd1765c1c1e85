//! Decisions at other times than every `wait` seconds.

use gridsat_engine::time::Time;
use gridsat_grid::{GridEvents, JobRecord, Observer};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{log, run};

/// Two jobs on one machine, the second while it is busy, and a third while it is idle.
fn three(keys: &str) -> Vec<String> {
    let text = format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[[job]]\nmi = 10\n[[job]]\nat = 5\nmi = 10\n\
         [[job]]\nat = 150\nmi = 10\n[[scheduler]]\npolicy = 'minmin'\nwait = 100\n{keys}\n"
    );
    let (log, _) = log(&text);
    let started = log.iter().filter(|line| line.contains("started"));
    started.map(|line| line.split(" resource").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn decisions_are_put_forward_when_a_machine_runs_dry() {
    assert_eq!(three(""), ["0 started job=0", "100 started job=1", "200 started job=2"]);
    let early = ["0 started job=0", "10 started job=1", "150 started job=2"];
    assert_eq!(three("early = true"), early);
    assert_eq!(three("early = true\nmode = 'time-limit'"), early);
    // The estimates are right, so that the wait ends when the machine runs dry, but not before 10
    // seconds have passed, and after at most 1000.
    assert_eq!(three("adapt = 'dry'"), early);
    let slow = ["0 started job=0", "30 started job=1", "150 started job=2"];
    assert_eq!(three("adapt = 'dry'\nwait_least = 30"), slow);
    assert_eq!(three("adapt = 'dry'\nwait_least = 30\nearly = true"), early);
}

/// The first wait is 100. One job arrived in it, and two are wanted: (100 + 200) / 2 = 150. In the
/// next 150 seconds another one: (150 + 300) / 2 = 225, which is too long.
#[test]
fn waits_follow_the_flow_of_jobs() {
    let flow = three("adapt = 'flow'\njobs = 2\nwait_most = 200");
    // Jobs 0 and 1 are there at 100: the wait stays 100. Job 2 is decided on at 200.
    assert_eq!(flow, ["100 started job=0", "110 started job=1", "200 started job=2"]);
    let four = three("adapt = 'flow'\njobs = 4\nwait_most = 140");
    assert_eq!(four, ["100 started job=0", "110 started job=1", "240 started job=2"]);
}

/// A machine that only low jobs can use does not put decisions on high jobs forward.
#[test]
fn only_jobs_that_could_run_put_decisions_forward() {
    let text = "[[resource]]\nname = 'low'\nmips = 1\n[[resource]]\nname = 'high'\nqos = 1\n\
                mips = 1\n\
        [[job]]\nmi = 50\nqos = 1\n[[job]]\nat = 1\nmi = 50\nqos = 1\n[[job]]\nat = 20\nmi = 5\n\
        [[scheduler]]\npolicy = 'minmin'\nwait = 100\nearly = true\n";
    let (log, _) = log(text);
    let sent: Vec<&String> = log.iter().filter(|line| line.contains("sent")).collect();
    let expected =
        ["0 sent job=0 resource=high", "20 sent job=2 resource=low", "20 sent job=1 resource=high"];
    assert_eq!(sent, expected);
}

#[derive(Default)]
struct Starts(Vec<(u64, Option<Time>, Time)>);

impl Observer<GridEvents> for Starts {
    fn left(&mut self, job: &JobRecord) {
        self.0.push((job.number, job.started.map(|(start, _)| start), job.end));
    }
}

/// On equal machines, jobs that are decided on in order of arrival as soon as a machine runs dry
/// start as if each were decided on when it arrives.
#[test]
fn early_batches_in_order_of_arrival_are_as_good_as_on_line() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (machines, wait) = (random.random_range(1..5), random.random_range(1..200));
        let text = |scheduler: &str| {
            format!(
                "seed = {seed}\n[[resource]]\ncount = {machines}\nmips = 1\n[[users]]\ncount = 40\n\
                 gap = 9\ntasks = 3\nsize = {{ uniform = [1, 20] }}\n[[scheduler]]\n{scheduler}\n"
            )
        };
        let starts = |scheduler: &str| {
            let mut starts = Starts::default();
            let decisions = run(&text(scheduler), &mut starts).decisions;
            starts.0.sort_unstable();
            (starts.0, decisions)
        };
        let (on_line, _) = starts("policy = 'mct'");
        let (early, decisions) =
            starts(&format!("policy = 'mct-batch'\nwait = {wait}\nearly = true"));
        assert_eq!(on_line, early, "seed {seed}");
        let (late, fewer) = starts(&format!("policy = 'mct-batch'\nwait = {wait}"));
        assert!(fewer <= decisions, "seed {seed}");
        let end = |jobs: &[(u64, Option<Time>, Time)]| jobs.iter().map(|job| job.2).max();
        assert!(end(&late) >= end(&early), "seed {seed}");
    }
}

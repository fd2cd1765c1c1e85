//! Schedulers that pass jobs to each other.

use gridsat_engine::time::Time;
use gridsat_grid::{GridEvents, JobRecord, Observer};
use gridsat_statistics::queueing::Mmm;

use crate::grid::{command, log, run};

/// Two machines of 1 MIPS, each with a scheduler.
fn two(keys: &str, jobs: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 1\n\
         [[scheduler]]\nname = 's'\ntargets = ['a']\n{keys}\n\
         [[scheduler]]\nname = 't'\ntargets = ['b']\n{keys}\n{jobs}"
    )
}

fn job(at: u32, mi: u32, scheduler: &str) -> String {
    format!("[[job]]\nat = {at}\nmi = {mi}\nscheduler = '{scheduler}'\n")
}

const FCFS: &str = "policy = 'fcfs'\n";

#[test]
fn a_sender_passes_what_would_have_to_wait() {
    let jobs = job(0, 10, "s").repeat(2);
    let (now, _) = log(&two("pass = 'sender'", &jobs));
    let expected = [
        "0 sent job=0 resource=a",
        "0 started job=0 resource=a pe=0",
        "0 passed job=1 from=s to=t",
        "0 sent job=1 resource=b",
        "0 started job=1 resource=b pe=0",
        "10 finished job=1 resource=b",
        "10 finished job=0 resource=a",
        "10 end reason=no-events",
    ];
    assert_eq!(now, expected);
    let (later, _) = log(&two("pass = 'sender'\npass_time = 3", &jobs));
    assert_eq!(later[later.len() - 2], "13 finished job=1 resource=b");
    // With a higher limit jobs stay.
    let (stays, _) = log(&two("pass = 'sender'\npass_above = 2", &jobs));
    assert_eq!(stays[stays.len() - 2], "20 finished job=1 resource=a");
}

#[test]
fn a_receiver_takes_what_waits_or_is_queued() {
    let jobs = job(0, 10, "s").repeat(3) + &job(0, 4, "t");
    for keys in ["pass = 'receiver'", &format!("{FCFS}pass = 'receiver'")] {
        let (log, _) = log(&two(keys, &jobs));
        let expected = [
            "4 passed job=2 from=s to=t",
            "4 sent job=2 resource=b",
            "4 started job=2 resource=b pe=0",
        ];
        let at = log.iter().position(|line| line.contains("passed")).expect("one is passed");
        assert_eq!(log[at..at + 3], expected, "{keys}");
        assert_eq!(log[log.len() - 2], "20 finished job=1 resource=a", "{keys}");
    }
}

/// A job that its scheduler cannot run is passed to a peer that can.
#[test]
fn what_a_scheduler_cannot_run_is_passed_on() {
    let text = "[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 1\nqos = 1\n\
        [[scheduler]]\nname = 's'\ntargets = ['a']\npass = 'sender'\n\
        [[scheduler]]\nname = 't'\ntargets = ['b']\n[[job]]\nmi = 5\nqos = 1\nscheduler = 's'\n";
    let (log, _) = log(text);
    assert_eq!(log[0], "0 passed job=0 from=s to=t");
    assert_eq!(log[log.len() - 2], "5 finished job=0 resource=b");
}

#[test]
fn commands_reach_jobs_on_their_way() {
    let keys = "pass = 'sender'\npass_time = 30";
    let run = |commands: String| log(&two(keys, &(job(0, 10, "s").repeat(2) + &commands)));
    // Job 1 is held at t, to which it was passed.
    let (log, _) = run(command(1, "halt", 1) + &command(20, "resume", 1));
    assert!(log.contains(&"20 sent job=1 resource=b".to_owned()), "{log:#?}");
    assert_eq!(log.last().map(String::as_str), Some("30 end reason=no-events"));
    let (log, summary) = run(command(2, "cancel", 1));
    assert_eq!((summary.counts.finished, summary.counts.cancelled), (1, 1));
    assert_eq!(log.last().map(String::as_str), Some("10 end reason=no-events"));
}

#[derive(Default)]
struct Ends(Vec<Time>);

impl Observer<GridEvents> for Ends {
    fn left(&mut self, job: &JobRecord) {
        self.0.push(job.end);
    }
}

/// Jobs of equal size that are passed in no time by both sides end when they would with one queue
/// for all machines, whichever scheduler they are sent to.
#[test]
fn symmetric_passing_is_one_queue() {
    for seed in 0..20 {
        let ends = |schedulers: &str| {
            let text = format!(
                "seed = {seed}\n[[resource]]\nname = 'm'\ncount = 3\nmips = 1\n[[users]]\n\
                 count = 60\ngap = 7\ntasks = 2\nsize = 10\n{schedulers}"
            );
            let mut ends = Ends::default();
            run(&text, &mut ends);
            ends.0
        };
        let peers = |machine: u32| {
            format!("[[scheduler]]\n{FCFS}targets = ['m-{machine}']\npass = 'symmetric'\n")
        };
        let three = (0..3).map(peers).collect::<String>();
        let together = ends(&three);
        assert_eq!(together, ends(&format!("[[scheduler]]\n{FCFS}")), "seed {seed}");
        let alone = three.replace("pass = 'symmetric'", "");
        assert!(ends(&alone).last() >= together.last(), "seed {seed}");
    }
}

/// Two queues with one server each that pass jobs symmetrically wait as one M/M/2 queue does;
/// senders or receivers alone are in between.
#[test]
fn waits_are_those_of_queueing_theory() {
    let wait = |seed: u32, schedulers: &str| {
        let text = format!(
            "seed = {seed}\n[[resource]]\nname = 'm'\ncount = 2\nmips = 1\n[[users]]\n\
             count = 25000\ngap = 1\ntasks = 1\nsize = {{ exponential = 1 }}\n{schedulers}"
        );
        run(&text, &mut ()).counts.wait.mean() / 1e9
    };
    let peers = |seed, pass: &str| {
        let one = |name| format!("[[scheduler]]\nname = '{name}'\n{FCFS}{pass}\n");
        let both = format!(
            "schedulers = ['s', 't']\n{}targets = ['m-0']\n{}targets = ['m-1']\n",
            one("s"),
            one("t")
        );
        wait(seed, &both)
    };
    let mut sum = 0.0;
    for seed in 1..=4 {
        let [alone, sender, receiver, both] =
            ["", "pass = 'sender'", "pass = 'receiver'", "pass = 'symmetric'"]
                .map(|pass| peers(seed, pass));
        let central = wait(seed, &format!("[[scheduler]]\n{FCFS}"));
        assert!((both / central - 1.0).abs() < 0.02, "{both} instead of {central}");
        assert!(both < sender && sender < alone, "{both} {sender} {alone}");
        assert!(both < receiver && receiver < alone, "{both} {receiver} {alone}");
        sum += both / 4.0;
    }
    let pooled = Mmm::new(1.0, 1.0, 2).expect("stable").wait();
    assert!((sum / pooled - 1.0).abs() < 0.05, "{sum} instead of {pooled}");
}

//! What schedulers know of reservations, and reservations beside the queues for jobs on several
//! PEs.

use super::chance::chaos;
use super::*;

/// A fast resource that is reserved from 12 to 100, and a slow one. From 10 on a job of 10 would
/// run for 2 s, wait, and end at 103; on the other it ends at 20. One of 4 ends in time.
#[test]
fn schedulers_see_future_reservations() {
    for pes in [1, 2] {
        for scheduler in [
            "policy = 'mct'",
            "policy = 'mct'\nestimator = 'exact'",
            "policy = 'minmin'\nmode = 'batch'\nwait = 10",
            "policy = 'mct'\n[information]\nping = 5",
        ] {
            for (mi, expected) in [(10, 'b'), (4, 'a')] {
                let (log, _) = log(&format!(
                    "[[resource]]\nname = 'a'\npes = {pes}\nmips = 2\n\
                     [[resource]]\nname = 'b'\nmips = 1\n\
                     [[reservation]]\nname = 'R'\nresource = 'a'\npes = {pes}\nstart = 12\n\
                     duration = 88\n[[job]]\nat = 10\nmi = {mi}\n[[scheduler]]\n{scheduler}\n"
                ));
                let is_told = scheduler.contains("ping");
                // What pings say is when PEs are free, not for how long.
                let expected = if is_told && mi == 10 { 'a' } else { expected };
                let end = format!("finished job=0 resource={expected}");
                assert!(log.iter().any(|line| line.ends_with(&end)), "{scheduler} {mi}\n{log:#?}");
            }
        }
    }
}

/// Without errors of estimates, on equal PEs and without jobs in reservations, equation 4.3 with
/// foresight must decide as the simulation of a copy does.
#[test]
fn foresight_is_what_a_copy_does() {
    let mut differ = 0;
    for seed in 0..300 {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut text = String::new();
        for name in ["a", "b"] {
            let (pes, mips) = (random.random_range(1..4), random.random_range(1..4));
            text += &format!("[[resource]]\nname = '{name}'\npes = {pes}\nmips = {mips}\n");
            for number in 0..random.random_range(1..4) {
                let (start, duration) = (random.random_range(0..60), random.random_range(1..25));
                let reserved = random.random_range(1..=pes);
                let requested = random.random_range(0..=start.min(20));
                text += &format!(
                    "[[reservation]]\nname = '{name}{number}'\nresource = '{name}'\n\
                     pes = {reserved}\nstart = {start}\nduration = {duration}\n\
                     requested = {requested}\non_conflict = 'move'\n"
                );
            }
        }
        for _ in 0..25 {
            let (at, mi) = (random.random_range(0..60), random.random_range(1..40));
            text += &format!("[[job]]\nat = {at}\nmi = {mi}\n");
        }
        let of = |estimator: &str| {
            log(&format!("{text}[[scheduler]]\npolicy = 'mct'\nestimator = '{estimator}'\n")).0
        };
        assert_eq!(of("delay"), of("exact"), "seed {seed}\n{text}");
        let unaware = of("shares");
        differ += u32::from(of("delay") != unaware);
    }
    assert!(differ > 200, "{differ}");
}

/// Jobs on one PE each: first come, first served with a choice of queue is the plain policy, with
/// reservations, failures, halts and all the rest.
#[test]
fn one_pe_each_is_the_plain_policy() {
    let mut suspended = 0;
    for seed in 0..250 {
        let (text, _) = chaos(seed, seed % 3 == 0);
        let (plain, _) = crate::grid::log(&text);
        let queued =
            text.replace("\n[[resource]]\n", "\n[[resource]]\npolicy = 'space-shared-fcfs'\n");
        let (queued, _) = crate::grid::log(&queued);
        suspended += plain.iter().filter(|line| line.contains("suspended")).count();
        assert_eq!(queued, plain, "seed {seed}\n{text}");
    }
    assert!(suspended > 200, "{suspended}");
}

/// Four PEs. At 10 the reservation takes the idle one and one of the three of job 0, which loses
/// all of them with 10 s left and needs three again: at 15. Job 2 ends before and overtakes it only
/// with backfilling.
#[test]
fn jobs_on_several_pes_give_way_and_wait() {
    let of = |policy: &str| {
        let (log, summary) = log(&format!(
            "[[resource]]\nname = 'a'\npes = 4\nmips = 1\npolicy = '{policy}'\n\
             [[reservation]]\nname = 'R'\nresource = 'a'\npes = 2\nstart = 10\nduration = 5\n\
             [[job]]\nmi = 20\npes = 3\n[[job]]\nmi = 3\npes = 2\nreservation = 'R'\n\
             [[job]]\nat = 11\nmi = 2\npes = 2\n"
        ));
        assert_eq!(came_to(&summary.reservations[0]), ("finished", 6.0, 4.0));
        log.into_iter().filter(|line| !line.contains("reservation")).collect::<Vec<_>>()
    };
    let first = [
        "0 started job=0 resource=a pe=0",
        "10 suspended job=0 resource=a",
        "10 started job=1 resource=a pe=0",
    ];
    for policy in ["space-shared-fcfs", "space-shared-sjf"] {
        let log = of(policy);
        assert_eq!(log[..3], first, "{policy}");
        let expected = [
            "13 finished job=1 resource=a",
            "15 started job=0 resource=a pe=0",
            "25 finished job=0 resource=a",
            "25 started job=2 resource=a pe=0",
            "27 finished job=2 resource=a",
        ];
        assert_eq!(log[3..8], expected, "{policy}");
    }
    let log = of("space-shared-backfill");
    assert_eq!(log[..3], first);
    let expected = [
        "11 started job=2 resource=a pe=2",
        "13 finished job=1 resource=a",
        "13 finished job=2 resource=a",
        "15 started job=0 resource=a pe=0",
        "25 finished job=0 resource=a",
    ];
    assert_eq!(log[3..8], expected);
}

/// Three of four PEs of the first resource are idle, but the job needs four at once.
#[test]
fn a_job_on_several_pes_is_estimated_by_the_last_of_them() {
    let of = |pes: u32| {
        let (log, _) = log(&format!(
            "[[resource]]\nname = 'a'\npes = 4\nmips = 1\npolicy = 'space-shared-fcfs'\n\
             [[resource]]\nname = 'b'\npes = 4\nmips = 0.5\npolicy = 'space-shared-fcfs'\n\
             [[job]]\nmi = 20\n[[job]]\nat = 1\nmi = 5\npes = {pes}\n[[scheduler]]\npolicy = 'mct'\n"
        ));
        log.into_iter().find(|line| line.contains("finished job=1"))
    };
    assert_eq!(of(3).as_deref(), Some("6 finished job=1 resource=a"));
    // At 25 on the first one.
    assert_eq!(of(4).as_deref(), Some("11 finished job=1 resource=b"));
}

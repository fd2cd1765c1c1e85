//! Advance reservations of nodes.

use super::{job, one, times};
use crate::policies::work::{Estimates, Log, Note, jobs};
use gridsat_cluster::{
    ClusterError, ClusterId, ClusterSpec, Failures, OnFailure, Outage, ParallelJob, QueueOrder,
    QueuePolicy, ReservationSpec, ReservationState, Setup, Terms, simulate, source,
};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_statistics::random::{stream, unit};

fn reservation(nodes: u32, start: u64, duration: u64) -> ReservationSpec {
    ReservationSpec {
        name: format!("r{start}"),
        cluster: ClusterId(0),
        nodes,
        start: Time(Ticks(start)),
        duration: Ticks(duration),
        requested: Time::ZERO,
        price: 2_500_000,
    }
}

/// Policies that work with reservations.
fn policies() -> impl Iterator<Item = QueuePolicy> {
    let works = |policy: &QueuePolicy| !matches!(policy, QueuePolicy::Preemptive { .. });
    QueuePolicy::all().into_iter().filter(works)
}

/// Ten nodes, of which six are reserved from 20 to 30. Job 1 ends at 15 and may start. Job 2, of 5
/// nodes and 10 ticks, would be in the way from 15 on and waits for 30. Job 3 is as long but
/// has 4 nodes, which nobody else wants: it starts when job 1 ends if it may overtake job 2.
#[test]
fn nobody_is_in_the_way_of_a_reservation() {
    let jobs = [job(1, 0, 10, 15), job(2, 1, 5, 10), job(3, 2, 4, 10)];
    let starts = |policy| {
        let mut setup = one(10, policy, &jobs);
        setup.reservations = vec![reservation(6, 20, 10)];
        let run = setup.run().expect("valid");
        let reserved = &run.summary.reservations[0];
        assert_eq!((reserved.state, reserved.used), (ReservationState::Ended, 0), "{policy:?}");
        assert_eq!(reserved.cost, 150_000_000, "6 nodes, 10 s, 2.5 each");
        times(&run).iter().map(|time| time.1).collect::<Vec<_>>()
    };
    assert_eq!(starts(QueuePolicy::Plain(QueueOrder::Fcfs)), [0, 30, 30]);
    for policy in [
        QueuePolicy::Scan(QueueOrder::Fcfs),
        QueuePolicy::Easy,
        QueuePolicy::Conservative,
        QueuePolicy::Backfill { delay_percent: 10 },
    ] {
        assert_eq!(starts(policy), [0, 30, 15], "{policy:?}");
    }
}

/// Four nodes, three reserved from 10 to 20. Job 1 was expected to end at 8, but runs for 15: it is
/// suspended at 10 and goes on for 5 ticks from 20. Jobs 2 and 3 are in the reservation, one after
/// the other; job 3 is not done at 20 and goes on as an ordinary job, behind job 1. Job 4 comes
/// after the reservation.
#[test]
fn jobs_in_and_around_a_reservation() {
    let reserved = |job| {
        let terms = Terms { reservation: Some(0), ..Terms::default() };
        ParallelJob { terms: Some(Box::new(terms)), ..ParallelJob::from(job) }
    };
    let mut first = job(1, 0, 3, 15);
    first.estimate = Ticks(8);
    let jobs = vec![
        first.into(),
        reserved(job(2, 0, 2, 6)),
        reserved(job(3, 5, 3, 10)),
        reserved(job(4, 21, 1, 1)),
    ];
    for policy in policies() {
        let clusters = vec![ClusterSpec::equal("four", 4)];
        let mut setup = Setup::global(clusters, policy, source(jobs.clone()));
        setup.reservations = vec![reservation(3, 10, 10)];
        let run = setup.run().expect("valid");
        let part = run.summary.reservations[0].clone();
        // Jobs 2 and 3 had 2 · 6 and 3 · 4 of the 30 node seconds.
        assert_eq!((part.jobs, part.used, part.cost), (2, 24, 75_000_000), "{policy:?}");
        let found = times(&run);
        assert_eq!(found[1], (2, 10, 16), "{policy:?}");
        assert_eq!(found[2].1, 16, "{policy:?}");
        if policy == QueuePolicy::Plain(QueueOrder::Fcfs) {
            assert_eq!(found, [(1, 0, 25), (2, 10, 16), (3, 16, 31), (4, 25, 26)]);
        }
        let suspensions: Vec<u32> = run.jobs.iter().map(|job| job.suspensions).collect();
        assert_eq!(suspensions, [1, 0, 1, 0], "{policy:?}");
    }
}

/// Requests that overlap are refused; those that follow each other are not.
#[test]
fn reservations_conflict_with_each_other_only() {
    let mut setup = one(4, QueuePolicy::Easy, &[job(1, 0, 1, 100)]);
    let late = ReservationSpec { requested: Time(Ticks(40)), ..reservation(4, 50, 10) };
    setup.reservations = vec![
        reservation(3, 10, 10),
        reservation(2, 15, 10),
        reservation(2, 20, 10),
        reservation(2, 20, 10),
        reservation(1, 29, 5),
        late,
    ];
    let run = setup.run().expect("valid");
    let states: Vec<_> = run.summary.reservations.iter().map(|one| one.state).collect();
    use ReservationState::{Ended, Refused};
    assert_eq!(states, [Ended, Refused, Ended, Ended, Refused, Ended]);
    // All nodes are reserved from 20 to 30, so job 1 waits. The last reservation was requested when
    // it had started: it loses its node for 10 ticks.
    assert_eq!(times(&run), [(1, 30, 140)]);
    let cost: u128 = run.summary.reservations.iter().map(|one| one.cost).sum();
    assert_eq!(cost, (3 + 2 + 2 + 4) * 10 * 2_500_000);
}

/// The earliest start on free nodes around promised ones, tick by tick: with exact estimates and
/// nothing else to look at, first come first served and conservative backfilling do this.
fn twin(
    jobs: &[(u64, u32, u64)],
    nodes: u32,
    reserved: &[(u32, u64, u64)],
    in_order: bool,
) -> Vec<u64> {
    let mut used = vec![0_u32; 20_000];
    for &(nodes, start, duration) in reserved {
        used[start as usize..(start + duration) as usize].iter_mut().for_each(|u| *u += nodes);
    }
    let mut earliest = 0;
    jobs.iter()
        .map(|&(submit, size, run)| {
            let from = if in_order { submit.max(earliest) } else { submit };
            let fits = |start: &u64| {
                used[*start as usize..(start + run) as usize].iter().all(|u| u + size <= nodes)
            };
            let start = (from..).find(fits).expect("it fits in the end");
            used[start as usize..(start + run) as usize].iter_mut().for_each(|u| *u += size);
            earliest = start;
            start
        })
        .collect()
}

#[test]
fn policies_do_what_the_plain_twin_does() {
    for seed in 0..30 {
        let mut random = stream(seed, "test/reservations", 0);
        let mut draw = |most: u64| (unit(&mut random) * most as f64) as u64;
        let mut start = 0;
        let reserved: Vec<(u32, u64, u64)> = (0..8)
            .map(|_| {
                start += 20 + draw(150);
                let duration = 1 + draw(60);
                start += duration;
                (1 + draw(12) as u32, start - duration, duration)
            })
            .collect();
        let all: Vec<_> = jobs(seed, 60, 12, Estimates::Exact)
            .into_iter()
            .map(|rigid| job(rigid.number, rigid.submit.0, rigid.nodes, rigid.run.0 + 1))
            .collect();
        let plain: Vec<_> = all.iter().map(|job| (job.submit.0, job.nodes, job.run.0)).collect();
        for (policy, in_order) in
            [(QueuePolicy::Plain(QueueOrder::Fcfs), true), (QueuePolicy::Conservative, false)]
        {
            let mut setup = one(12, policy, &all);
            setup.reservations = reserved.iter().map(|&(n, s, d)| reservation(n, s, d)).collect();
            let run = setup.run().expect("valid");
            let starts: Vec<u64> = run.jobs.iter().map(|job| job.start.0.0).collect();
            assert_eq!(starts, twin(&plain, 12, &reserved, in_order), "seed {seed}, {policy:?}");
            assert!(run.jobs.iter().all(|job| job.suspensions == 0));
        }
    }
}

/// Under every policy, with wrong estimates, failures and reservations: reserved nodes are never
/// used by others, and every job does all its work.
#[test]
fn every_policy_keeps_its_promises() {
    for seed in 0..8 {
        for policy in policies() {
            let all = jobs(seed, 120, 12, Estimates::AnyLength);
            let mut setup = one(12, policy, &all);
            let mut random = stream(seed, "test/promises", 0);
            let mut draw = |most: u64| (unit(&mut random) * most as f64) as u64;
            let mut start = 0;
            let reserved: Vec<(u32, u64, u64)> = (0..10)
                .map(|_| {
                    start += 20 + draw(90);
                    let duration = 1 + draw(60);
                    start += duration;
                    (1 + draw(9) as u32, start - duration, duration)
                })
                .collect();
            setup.reservations = reserved.iter().map(|&(n, s, d)| reservation(n, s, d)).collect();
            if seed % 2 == 0 {
                let outages = (1..30).map(|number| Outage {
                    at: Time(Ticks(number * 37)),
                    cluster: ClusterId(0),
                    nodes: 1,
                    repair: Ticks(25),
                });
                let on_failure = OnFailure::Continue;
                setup.failures = Some(Failures { outages: Box::new(outages), on_failure, seed });
            }
            let mut log = Log::default();
            let summary = simulate(setup, &mut log).expect("valid");
            assert_eq!(summary.all.jobs.finished, 120, "seed {seed}, {policy:?}");
            assert!(log.left.iter().all(|left| left.held == left.job.run), "seed {seed}");
            let mut busy = 0;
            for (index, (now, note)) in log.notes.iter().enumerate() {
                match note {
                    Note::Started(job, _) => busy += all[*job as usize - 1].nodes,
                    Note::Suspended(job) | Note::Ended(job) => {
                        busy -= all[*job as usize - 1].nodes;
                    }
                    _ => {}
                }
                let is_last = log.notes.get(index + 1).is_none_or(|(next, _)| next > now);
                let held: u32 = reserved
                    .iter()
                    .filter(|&&(_, start, duration)| (start..start + duration).contains(&now.0.0))
                    .map(|one| one.0)
                    .sum();
                let down = if seed % 2 == 0 { 1 } else { 0 };
                assert!(!is_last || busy + held <= 12 + down, "seed {seed}, {policy:?}, {now:?}");
            }
        }
    }
}

#[test]
fn nonsense_is_named() {
    let error = |spec: ReservationSpec, policy| {
        let mut setup = one(4, policy, &[]);
        setup.reservations = vec![spec];
        simulate(setup, &mut ()).expect_err("wrong").to_string()
    };
    let easy = QueuePolicy::Easy;
    assert_eq!(
        error(reservation(5, 1, 1), easy),
        "reservation 'r1': 5 nodes are requested, but the cluster has 4"
    );
    assert_eq!(
        error(reservation(4, 1, 0), easy),
        "reservation 'r1': a duration of 0 ticks is not possible"
    );
    let early = ReservationSpec { requested: Time(Ticks(2)), ..reservation(4, 1, 1) };
    assert_eq!(error(early, easy), "reservation 'r1': it starts before it is requested");
    assert_eq!(
        error(reservation(4, 1, 1), QueuePolicy::Preemptive { keeps_work: true }),
        "reservation 'r1': policy 'preemptive' does not work with reservations"
    );
    let named = |id, nodes| {
        let terms = Terms { reservation: Some(id), ..Terms::default() };
        let job = ParallelJob { terms: Some(Box::new(terms)), ..job(7, 0, nodes, 1).into() };
        let mut setup = Setup::global(vec![ClusterSpec::equal("c", 4)], easy, source([job]));
        setup.reservations = vec![reservation(2, 1, 1)];
        let result: Result<_, ClusterError> = simulate(setup, &mut ());
        result.expect_err("wrong").to_string()
    };
    let cannot = |id| format!("job 7 cannot run in reservation {id}: ");
    assert_eq!(named(1, 1), cannot(1) + "there is none of this number");
    assert_eq!(named(0, 3), cannot(0) + "it has too few nodes");
}

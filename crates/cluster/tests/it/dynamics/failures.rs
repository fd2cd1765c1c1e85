//! Nodes that fail and are repaired.

use super::{job, one, times};
use crate::policies::work::{Estimates, Log, Note, jobs};
use gridsat_cluster::{
    ClusterId, Failures, OnFailure, Outage, Outcome, QueueOrder, QueuePolicy, simulate,
};
use gridsat_engine::StopRules;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_statistics::random::{stream, unit};

fn outage(at: u64, nodes: u32, repair: u64) -> Outage {
    Outage { at: Time(Ticks(at)), cluster: ClusterId(0), nodes, repair: Ticks(repair) }
}

fn failures(outages: &[Outage], on_failure: OnFailure) -> Option<Failures> {
    let outages = outages.to_vec();
    Some(Failures { outages: Box::new(outages.into_iter()), on_failure, seed: 1 })
}

/// Four nodes. Job 1 has all of them from 0 to 10. At 7 all fail, for 5 ticks; job 2 waits.
#[test]
fn each_rule_by_hand() {
    let run = |on_failure| {
        let mut setup =
            one(4, QueuePolicy::Plain(QueueOrder::Fcfs), &[job(1, 0, 4, 10), job(2, 1, 4, 2)]);
        setup.failures = failures(&[outage(7, 4, 5)], on_failure);
        let run = setup.run().expect("valid");
        let counts = run.summary.all.jobs.failures;
        assert_eq!((counts.failed, counts.down), (4, 20));
        let lost = (counts.interrupted, counts.lost, counts.lost_work);
        (times(&run), lost, run.jobs[0].outcome, run.summary.all.jobs.finished)
    };
    let finished = Outcome::Finished;
    assert_eq!(run(OnFailure::Restart), (vec![(1, 0, 22), (2, 22, 24)], (1, 0, 28), finished, 2));
    assert_eq!(run(OnFailure::Continue), (vec![(1, 0, 15), (2, 15, 17)], (1, 0, 0), finished, 2));
    // The checkpoint at 6 is kept: four ticks are left.
    assert_eq!(
        run(OnFailure::Checkpoint { every: Ticks(3) }),
        (vec![(1, 0, 16), (2, 16, 18)], (1, 0, 4), finished, 2)
    );
    assert_eq!(run(OnFailure::Lost), (vec![(1, 0, 7), (2, 12, 14)], (0, 1, 28), Outcome::Lost, 1));
}

/// A job that does not need the failed nodes runs on, one that needs them waits for the repair, and
/// backfilling plans with it: job 2 is expected at 30, when the node is back, so job 3 may start.
#[test]
fn policies_plan_with_repairs() {
    for policy in [QueuePolicy::Easy, QueuePolicy::Conservative] {
        let jobs = [job(1, 5, 3, 10), job(2, 6, 4, 10), job(3, 7, 1, 15)];
        let mut setup = one(4, policy, &jobs);
        setup.failures = failures(&[outage(0, 1, 30)], OnFailure::Restart);
        let run = setup.run().expect("valid");
        assert_eq!(times(&run), [(1, 5, 15), (2, 30, 40), (3, 15, 30)], "{policy:?}");
        assert_eq!(run.summary.all.jobs.failures.interrupted, 0);
    }
}

/// First come first served, if all nodes fail together: from the definition, tick by tick.
fn twin(jobs: &[(u64, u32, u64)], nodes: u32, outages: &[Outage], keeps: bool) -> Vec<u64> {
    let mut ends = vec![0; jobs.len()];
    let mut left: Vec<u64> = jobs.iter().map(|job| job.2).collect();
    let mut running = vec![false; jobs.len()];
    for now in 0.. {
        for job in 0..jobs.len() {
            if running[job] && left[job] == 0 {
                (running[job], ends[job]) = (false, now);
            }
        }
        if ends.iter().all(|&end| end > 0) {
            return ends;
        }
        let is_down = |o: &Outage| (o.at.0.0..o.at.0.0 + o.repair.0).contains(&now);
        if outages.iter().any(is_down) {
            for job in 0..jobs.len() {
                if running[job] && !keeps {
                    left[job] = jobs[job].2;
                }
                running[job] = false;
            }
            continue;
        }
        for job in 0..jobs.len() {
            let free =
                nodes - (0..jobs.len()).filter(|&j| running[j]).map(|j| jobs[j].1).sum::<u32>();
            let waits = ends[job] == 0 && !running[job] && jobs[job].0 <= now;
            if waits && jobs[job].1 > free {
                break;
            }
            running[job] |= waits;
        }
        (0..jobs.len()).filter(|&job| running[job]).for_each(|job| left[job] -= 1);
    }
    ends
}

#[test]
fn fcfs_does_what_its_plain_twin_does() {
    let mut interrupted = 0;
    for seed in 0..40 {
        let mut random = stream(seed, "test/failures", 0);
        let mut draw = |most: u64| (unit(&mut random) * most as f64) as u64;
        let mut at = 0;
        let outages: Vec<Outage> = (0..12)
            .map(|_| {
                at += 40 + draw(120);
                let repair = 1 + draw(30);
                at += repair;
                outage(at - repair, 12, repair)
            })
            .collect();
        let all: Vec<_> = jobs(seed, 40, 12, Estimates::Exact)
            .into_iter()
            .map(|rigid| job(rigid.number, rigid.submit.0, rigid.nodes, rigid.run.0 % 35 + 1))
            .collect();
        let plain: Vec<_> = all.iter().map(|job| (job.submit.0, job.nodes, job.run.0)).collect();
        for (on_failure, keeps) in [(OnFailure::Restart, false), (OnFailure::Continue, true)] {
            let mut setup = one(12, QueuePolicy::Plain(QueueOrder::Fcfs), &all);
            setup.failures = failures(&outages, on_failure);
            let run = setup.run().expect("valid");
            let ends: Vec<u64> = run.jobs.iter().map(|job| job.end.0.0).collect();
            assert_eq!(ends, twin(&plain, 12, &outages, keeps), "seed {seed}, {on_failure:?}");
            interrupted += run.summary.all.jobs.failures.interrupted;
        }
    }
    assert!(interrupted > 100, "only {interrupted}");
}

/// Under every policy no node has two jobs or is down with one, every job that is not lost does all
/// its work, and the counts add up.
#[test]
fn every_policy_survives() {
    let mut lost = 0;
    for seed in 0..8 {
        for policy in QueuePolicy::all() {
            for on_failure in [
                OnFailure::Lost,
                OnFailure::Restart,
                OnFailure::Checkpoint { every: Ticks(7) },
                OnFailure::Continue,
            ] {
                let all = jobs(seed, 120, 12, Estimates::AnyLength);
                let mut random = stream(seed, "test/outages", 0);
                let mut at = 0;
                let outages: Vec<Outage> = (0..60)
                    .map(|_| {
                        let mut draw = |most: f64| (unit(&mut random) * most) as u64;
                        at += draw(50.0);
                        outage(at, 1 + draw(4.0) as u32, 1 + draw(60.0))
                    })
                    .collect();
                let mut setup = one(12, policy, &all);
                setup.failures = failures(&outages, on_failure);
                let mut log = Log::default();
                let summary = simulate(setup, &mut log).expect("valid");
                let what = format!("seed {seed}, {policy:?}, {on_failure:?}");
                let counts = &summary.all.jobs;
                assert_eq!(counts.finished + counts.failures.lost, 120, "{what}");
                check_nodes(&log, &all, &what);
                lost += counts.failures.lost;
                for left in log.left.iter().filter(|left| left.outcome == Outcome::Finished) {
                    let is_exact = left.suspensions == 0 || on_failure == OnFailure::Continue;
                    assert!(left.held >= left.job.run, "{what}: {left:?}");
                    assert!(!is_exact || left.held == left.job.run, "{what}: {left:?}");
                }
            }
        }
    }
    assert!(lost > 100, "only {lost}");
}

/// Nodes of running jobs never exceed those of the cluster.
fn check_nodes(log: &Log, jobs: &[gridsat_workload::RigidJob], what: &str) {
    let mut busy = 0;
    for (now, note) in &log.notes {
        match note {
            Note::Started(job, _) => busy += jobs[*job as usize - 1].nodes,
            Note::Suspended(job) | Note::Ended(job) => busy -= jobs[*job as usize - 1].nodes,
            _ => {}
        }
        assert!(busy <= 12, "{what}: {busy} nodes at {now:?}");
    }
}

/// Little's formula: nodes that fail one at a time every 100 ticks on average, for 700 on average,
/// keep seven down on average. A thousand nodes are enough for all.
#[test]
fn nodes_are_down_as_little_says() {
    let mut random = stream(3, "test/little", 0);
    let mut at = 0.0;
    let outages: Vec<Outage> = (0..200_000)
        .map(|_| {
            let mut draw = |mean: f64| -mean * (1.0 - unit(&mut random)).ln();
            at += draw(100.0);
            outage(at as u64, 1, draw(700.0).round().max(1.0) as u64)
        })
        .collect();
    let mut setup = one(1000, QueuePolicy::Easy, &[job(1, 0, 1, 15_000_000)]);
    setup.failures = failures(&outages, OnFailure::Continue);
    setup.stop = StopRules { time: Some(Time(Ticks(15_000_000))), ..StopRules::default() };
    let summary = simulate(setup, &mut ()).expect("valid");
    let mean = summary.all.jobs.failures.down as f64 / summary.end_time.0.as_f64();
    assert!((mean - 7.0).abs() < 0.1, "{mean}");
}

/// Failures after the last job do not keep the simulation going.
#[test]
fn an_endless_list_of_failures_ends_with_the_jobs() {
    let mut setup = one(2, QueuePolicy::Easy, &[job(1, 0, 1, 100)]);
    let outages = (0..).map(|number| outage(number * 1000 + 500, 1, 10));
    let outages = Box::new(outages);
    setup.failures = Some(Failures { outages, on_failure: OnFailure::Restart, seed: 1 });
    let summary = setup.run().expect("valid").summary;
    assert_eq!((summary.end_time, summary.end.name()), (Time(Ticks(100)), "no-events"));
}

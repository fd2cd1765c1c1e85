//! One queue per cluster and a metascheduler that chooses among them: a plain twin, the formulas of
//! M/M/m with and without priorities, and a case by hand.

use std::collections::VecDeque;

use rand_chacha::ChaCha8Rng;

use super::work::{Estimates, jobs};
use gridsat_cluster::{
    ClusterError, ClusterId, ClusterSpec, ParallelJob, QueueChoice, QueueOrder, QueuePolicy, Setup,
    simulate, source,
};
use gridsat_model::Ticks;
use gridsat_statistics::queueing::Mmm;
use gridsat_statistics::random::{stream, unit};
use gridsat_workload::RigidJob;

const CHOICES: [QueueChoice; 3] =
    [QueueChoice::Priority, QueueChoice::InTurn, QueueChoice::Random { seed: 7 }];

/// Three clusters with twelve nodes in all.
fn clusters() -> Vec<ClusterSpec> {
    [("a", 5), ("b", 3), ("c", 4)].map(|(name, nodes)| ClusterSpec::equal(name, nodes)).into()
}

fn setup(
    clusters: Vec<ClusterSpec>,
    policy: QueuePolicy,
    queues: QueueChoice,
    jobs: Vec<ParallelJob>,
) -> Setup {
    let mut setup = Setup::global(clusters, policy, source(jobs));
    setup.schedulers[0].queues = queues;
    setup
}

fn at(job: RigidJob, home: u32) -> ParallelJob {
    ParallelJob { home: ClusterId(home), ..job.into() }
}

/// The start of each job, in the order of the list, from the definition. All nodes are alike, so
/// only their number counts.
fn twin(jobs: &[ParallelJob], policy: QueuePolicy, queues: QueueChoice) -> Vec<u64> {
    let mut random: ChaCha8Rng = stream(7, "clusters/queues", 0);
    let mut starts = vec![u64::MAX; jobs.len()];
    let (mut waiting, mut running): (Vec<usize>, Vec<(u64, u32)>) = (Vec::new(), Vec::new());
    let mut arrivals: VecDeque<usize> = (0..jobs.len()).collect();
    let (mut free, mut next) = (12, 0);
    while let Some(now) = arrivals
        .front()
        .map(|&job| jobs[job].rigid.submit.0)
        .into_iter()
        .chain(running.iter().map(|run| run.0))
        .min()
    {
        while arrivals.front().is_some_and(|&job| jobs[job].rigid.submit.0 == now) {
            waiting.extend(arrivals.pop_front());
        }
        free += running.iter().filter(|run| run.0 == now).map(|run| run.1).sum::<u32>();
        running.retain(|run| run.0 > now);
        let mut open: Vec<u32> = vec![0, 1, 2];
        open.retain(|&queue| waiting.iter().any(|&job| jobs[job].home.0 == queue));
        while !open.is_empty() && free > 0 {
            let turn = match queues {
                QueueChoice::Random { .. } => (unit(&mut random) * open.len() as f64) as usize,
                QueueChoice::InTurn => open.iter().position(|&queue| queue >= next).unwrap_or(0),
                _ => 0,
            };
            let queue = open[turn];
            let mut own: Vec<usize> =
                waiting.iter().copied().filter(|&job| jobs[job].home.0 == queue).collect();
            if matches!(policy.order(), QueueOrder::Smjf) {
                own.sort_by_key(|&job| jobs[job].rigid.nodes);
            }
            let fits = |job: &&usize| jobs[**job].rigid.nodes <= free;
            let chosen = match policy {
                QueuePolicy::Scan(_) => own.iter().find(fits),
                _ => own.first().filter(fits),
            };
            let Some(&job) = chosen else {
                open.remove(turn);
                continue;
            };
            (starts[job], next) = (now, queue + 1);
            waiting.retain(|&other| other != job);
            free -= jobs[job].rigid.nodes;
            running.push((now + jobs[job].rigid.run.0, jobs[job].rigid.nodes));
            if own.len() == 1 {
                open.remove(turn);
            }
        }
    }
    starts
}

#[test]
fn each_choice_does_what_its_plain_twin_does() {
    for seed in 0..40 {
        let rigid = jobs(seed, 120, 12, Estimates::Exact);
        let jobs: Vec<ParallelJob> = rigid
            .into_iter()
            .map(|job| at(RigidJob { run: job.run.max(Ticks(1)), ..job }, job.number as u32 % 3))
            .collect();
        for queues in CHOICES {
            for policy in [
                QueuePolicy::Plain(QueueOrder::Fcfs),
                QueuePolicy::Scan(QueueOrder::Fcfs),
                QueuePolicy::Plain(QueueOrder::Smjf),
                QueuePolicy::Scan(QueueOrder::Smjf),
            ] {
                let run = setup(clusters(), policy, queues, jobs.clone()).run().expect("valid");
                let starts: Vec<u64> = run.jobs.iter().map(|job| job.start.0.0).collect();
                let plain = twin(&jobs, policy, queues);
                assert_eq!(starts, plain, "seed {seed}, {policy:?}, {queues:?}");
            }
        }
    }
}

/// Two nodes in two clusters. Job 1 of a takes both until 10; then the queues have jobs 2, 3, 6 of
/// a, and 4, 5 of b, of one node and 10 ticks each, except that job 4 needs both nodes.
#[test]
fn six_jobs_by_hand() {
    let job = |number, nodes, home| {
        let rigid = RigidJob {
            number,
            submit: Ticks(0),
            nodes,
            run: Ticks(10),
            estimate: Ticks(10),
            priority: 0,
            user: 0,
        };
        at(rigid, home)
    };
    let jobs = [job(1, 2, 0), job(2, 1, 0), job(3, 1, 0), job(4, 2, 1), job(5, 1, 1), job(6, 1, 0)];
    let starts = |policy, queues| {
        let nodes = ["a", "b"].map(|name| ClusterSpec::equal(name, 1)).into();
        let run = setup(nodes, policy, queues, jobs.to_vec()).run().expect("valid");
        run.jobs.iter().map(|job| job.start.0.0).collect::<Vec<_>>()
    };
    let plain = QueuePolicy::Plain(QueueOrder::Fcfs);
    // Job 6 takes one node before job 4 of the other queue can have both.
    assert_eq!(starts(plain, QueueChoice::Priority), [0, 10, 10, 30, 40, 20]);
    // b is next after job 1, and then a and b in turn until b has no more.
    assert_eq!(starts(plain, QueueChoice::InTurn), [0, 20, 30, 10, 20, 30]);
    let scan = QueuePolicy::Scan(QueueOrder::Fcfs);
    assert_eq!(starts(scan, QueueChoice::Priority), [0, 10, 10, 30, 20, 20]);
}

/// Poisson arrivals at two queues, exponential run times with mean 1000, two nodes, load 0.625. The
/// order of service does not depend on run times, so the mean wait is that of M/M/2 under every
/// choice. By fixed priority it is W·(1 − ρ) / ((1 − σ₋)·(1 − σ)) in the queue with load σ − σ₋
/// (Cobham 1954), with W·(1 − ρ) the mean residual time until a node is free.
#[test]
fn mean_waits_are_those_of_the_formulas() {
    let mut random = stream(2, "test/turns", 0);
    let mut submit = 0.0;
    let jobs: Vec<ParallelJob> = (1..=300_000)
        .map(|number| {
            let mut draw = |mean: f64| -mean * (1.0 - unit(&mut random)).ln();
            submit += draw(800.0);
            let run = Ticks(draw(1000.0).round().max(1.0) as u64);
            let submit = Ticks(submit.round() as u64);
            let rigid =
                RigidJob { number, submit, nodes: 1, run, estimate: run, priority: 0, user: 0 };
            at(rigid, u32::from(unit(&mut random) < 0.5))
        })
        .collect();
    // The means that were drawn; those of the distributions differ by a fraction of a percent,
    // which is several percent of the wait.
    let count = jobs.len() as f64;
    let service = jobs.iter().map(|job| job.rigid.run.as_f64()).sum::<f64>() / count;
    let queue = Mmm::new(submit / count, service, 2).expect("stable");
    let formula = queue.wait();
    let plain = QueuePolicy::Plain(QueueOrder::Fcfs);
    for queues in CHOICES {
        let nodes = ["a", "b"].map(|name| ClusterSpec::equal(name, 1)).into();
        let summary = simulate(setup(nodes, plain, queues, jobs.clone()), &mut ()).expect("valid");
        let near = |wait: f64, expected: f64| {
            assert!((wait / expected - 1.0).abs() < 0.04, "{queues:?}: {wait}, not {expected}");
        };
        near(summary.all.jobs.wait.mean(), formula);
        let waits = [0, 1].map(|queue: usize| summary.clusters[queue].jobs.wait.mean());
        if queues == QueueChoice::Priority {
            let (load, half) = (queue.utilisation(), queue.utilisation() / 2.0);
            let residual = formula * (1.0 - load);
            near(waits[0], residual / (1.0 - half));
            near(waits[1], residual / ((1.0 - half) * (1.0 - load)));
        } else {
            waits.into_iter().for_each(|wait| near(wait, formula));
        }
    }
}

#[test]
fn policies_that_protect_the_first_job_need_one_queue() {
    for policy in QueuePolicy::all() {
        let result = simulate(setup(clusters(), policy, QueueChoice::InTurn, vec![]), &mut ());
        let is_simple = matches!(policy, QueuePolicy::Plain(_) | QueuePolicy::Scan(_));
        assert_eq!(matches!(result, Err(ClusterError::Queues { .. })), !is_simple, "{policy:?}");
    }
}

//! The guarantees of each policy, on random jobs with fixed random seeds.

mod turns;
mod twin;
pub mod work;

use gridsat_model::Ticks;
use std::collections::{BTreeMap, BTreeSet};

use gridsat_cluster::{
    ClusterId, ClusterSpec, JobRecord, NodeChoice, NodeShare, Outcome, Overrun, ParallelJob,
    Penalty, QueueOrder, QueuePolicy, Request, Setup, Summary, simulate, source,
};
use gridsat_engine::time::Time;
use gridsat_engine::{End, StopRules};
use gridsat_workload::RigidJob;
use work::{Estimates, Log, Note, grid, jobs, spread_jobs};

const NODES: u32 = 12;
const ALL_ESTIMATES: [Estimates; 3] = [Estimates::Exact, Estimates::TooLong, Estimates::AnyLength];

fn run_setup(setup: Setup) -> (Log, Summary) {
    let mut log = Log::default();
    let summary = simulate(setup, &mut log).expect("valid");
    (log, summary)
}

/// Runs on one cluster of equal nodes.
fn run(policy: QueuePolicy, jobs: &[RigidJob]) -> Log {
    let clusters = vec![ClusterSpec::equal("one", NODES)];
    run_setup(Setup::global(clusters, policy, source(jobs.to_vec()))).0
}

fn by_number(jobs: &[RigidJob]) -> BTreeMap<u64, RigidJob> {
    jobs.iter().map(|job| (job.number, *job)).collect()
}

/// Calls `check` with the waiting and the running jobs after the decisions of each point in time.
fn after_each_pass(log: &Log, mut check: impl FnMut(&BTreeSet<u64>, &BTreeSet<u64>)) {
    let (mut waiting, mut running) = (BTreeSet::new(), BTreeSet::new());
    let mut last = Time::ZERO;
    for (now, note) in &log.notes {
        if std::mem::replace(&mut last, *now) < *now {
            check(&waiting, &running);
        }
        match note {
            Note::Arrived(job) => _ = waiting.insert(*job),
            Note::Started(job, _) => {
                assert!(waiting.remove(job), "job {job} runs twice");
                running.insert(*job);
            }
            Note::Suspended(job) => {
                assert!(running.remove(job));
                waiting.insert(*job);
            }
            Note::Ended(job) => assert!(running.remove(job)),
            Note::Refused(_) | Note::Reserved(..) | Note::Delayed(..) => {}
        }
    }
}

#[test]
fn easy_and_conservative_do_what_their_plain_twins_do() {
    for seed in 0..60 {
        for estimates in ALL_ESTIMATES {
            let jobs = jobs(seed, 60, NODES, estimates);
            for (policy, is_conservative) in
                [(QueuePolicy::Easy, false), (QueuePolicy::Conservative, true)]
            {
                let fast = run(policy, &jobs).starts();
                let plain = twin::starts(&jobs, NODES, is_conservative);
                assert_eq!(fast, plain, "{policy:?}, seed {seed}, estimates {estimates:?}");
            }
        }
    }
}

/// In every queue order, the plain policies start the first job or none.
#[test]
fn plain_policies_let_nobody_overtake() {
    for seed in 0..10 {
        let jobs = jobs(seed, 200, NODES, Estimates::TooLong);
        let all = by_number(&jobs);
        for order in QueueOrder::ALL {
            let key = |job: u64| {
                let RigidJob { nodes, estimate, priority, number, .. } = all[&job];
                let nodes = i64::from(nodes);
                let rank = match order {
                    QueueOrder::Fcfs => 0,
                    QueueOrder::Sjf => estimate.0 as i64,
                    QueueOrder::Longest => -(estimate.0 as i64),
                    QueueOrder::Smjf => nodes,
                    QueueOrder::Ljf => -nodes,
                    QueueOrder::Swjf => nodes * estimate.0 as i64,
                    QueueOrder::Bjf => -nodes * estimate.0 as i64,
                    QueueOrder::Priority => -i64::from(priority),
                    // None has a deadline.
                    QueueOrder::Edf => 0,
                };
                (rank, number)
            };
            let mut waiting = BTreeSet::new();
            for (_, note) in &run(QueuePolicy::Plain(order), &jobs).notes {
                match note {
                    Note::Arrived(job) => _ = waiting.insert(key(*job)),
                    Note::Started(job, _) => {
                        assert_eq!(waiting.pop_first(), Some(key(*job)), "seed {seed}, {order:?}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn scan_leaves_nobody_waiting_who_fits() {
    for seed in 0..10 {
        let jobs = jobs(seed, 200, NODES, Estimates::TooLong);
        let all = by_number(&jobs);
        for order in QueueOrder::ALL {
            after_each_pass(&run(QueuePolicy::Scan(order), &jobs), |waiting, running| {
                let free = NODES - running.iter().map(|job| all[job].nodes).sum::<u32>();
                let fits = waiting.iter().find(|job| all[job].nodes <= free);
                assert_eq!(fits, None, "seed {seed}, {order:?}");
            });
        }
    }
}

/// With exact estimates no job starts later than any of its reservations, including the first.
#[test]
fn easy_never_delays_the_first_that_waits() {
    let mut reservations = 0;
    for seed in 0..30 {
        let jobs = jobs(seed, 200, NODES, Estimates::Exact);
        let log = run(QueuePolicy::Easy, &jobs);
        let starts: BTreeMap<u64, Ticks> = log.starts().into_iter().collect();
        for (_, note) in &log.notes {
            if let Note::Reserved(job, start) = note {
                assert!(starts[job] <= start.0, "seed {seed}: job {job}, reserved for {start:?}");
                reservations += 1;
            }
        }
    }
    assert!(reservations > 1000, "only {reservations}");
}

#[test]
fn beosims_backfill_without_a_budget_is_easy() {
    for seed in 0..20 {
        for estimates in ALL_ESTIMATES {
            let jobs = jobs(seed, 200, NODES, estimates);
            let backfill = run(QueuePolicy::Backfill { delay_percent: 0 }, &jobs);
            assert_eq!(
                backfill.notes,
                run(QueuePolicy::Easy, &jobs).notes,
                "seed {seed}, {estimates:?}"
            );
        }
    }
}

/// The budget of the _Var variant only decreases, is a percentage of the run time, and limits the
/// total delay of a job.
#[test]
fn the_budget_for_delays_is_spent_once() {
    let mut delays = 0;
    for seed in 0..30 {
        let jobs = jobs(seed, 200, NODES, Estimates::Exact);
        let all = by_number(&jobs);
        let log = run(QueuePolicy::Backfill { delay_percent: 30 }, &jobs);
        let starts: BTreeMap<u64, Ticks> = log.starts().into_iter().collect();
        let (mut left, mut latest) = (BTreeMap::new(), BTreeMap::new());
        for (_, note) in &log.notes {
            match note {
                Note::Reserved(job, start) => _ = latest.entry(*job).or_insert(start.0),
                Note::Delayed(job, by, now_left) => {
                    let budget = left.entry(*job).or_insert(all[job].estimate * 30 / 100);
                    assert_eq!(*budget, *by + *now_left, "seed {seed}, job {job}");
                    *budget = *now_left;
                    *latest.get_mut(job).expect("reserved before") += *by;
                    delays += usize::from(*by > Ticks::ZERO);
                }
                _ => {}
            }
        }
        for (job, latest) in latest {
            assert!(starts[&job] <= latest, "seed {seed}, job {job}");
        }
    }
    assert!(delays > 50, "only {delays}");
}

/// If jobs end when expected or earlier, bookings only move to earlier times, and are kept.
#[test]
fn conservative_backfilling_keeps_every_booking() {
    for seed in 0..30 {
        for estimates in [Estimates::Exact, Estimates::TooLong] {
            let jobs = jobs(seed, 200, NODES, estimates);
            let log = run(QueuePolicy::Conservative, &jobs);
            let mut bookings = BTreeMap::new();
            for (now, note) in &log.notes {
                match note {
                    Note::Reserved(job, start) => {
                        let old = bookings.insert(*job, *start);
                        assert!(old.is_none_or(|old| old > *start), "seed {seed}, job {job}");
                    }
                    Note::Started(job, _) => {
                        assert_eq!(bookings.get(job), Some(now), "seed {seed}, job {job}");
                    }
                    _ => {}
                }
            }
            assert_eq!(bookings.len(), jobs.len());
        }
    }
}

/// Largest number of later jobs that started before a job.
fn most_hops(log: &Log) -> u32 {
    let mut hops: BTreeMap<u64, u32> = BTreeMap::new();
    let mut most = 0;
    for (_, note) in &log.notes {
        match note {
            Note::Arrived(job) => _ = hops.insert(*job, 0),
            Note::Started(job, _) => {
                hops.remove(job);
                for (_, hops) in hops.range_mut(..job) {
                    *hops += 1;
                    most = most.max(*hops);
                }
            }
            _ => {}
        }
    }
    most
}

#[test]
fn no_starvation_means_so_many_hops_at_most() {
    let mut reached = 0;
    for seed in 0..20 {
        let jobs = jobs(seed, 300, NODES, Estimates::AnyLength);
        let hops = |max_hops| run(QueuePolicy::NoStarvation { max_hops }, &jobs);
        for max_hops in [1, 3, 10] {
            let most = most_hops(&hops(max_hops));
            assert!(most <= max_hops, "seed {seed}: {most} of {max_hops}");
            reached += usize::from(most == max_hops);
        }
        let fcfs = run(QueuePolicy::Plain(QueueOrder::Fcfs), &jobs);
        assert_eq!(hops(0).notes, fcfs.notes, "seed {seed}");
        let scan = run(QueuePolicy::Scan(QueueOrder::Fcfs), &jobs);
        assert_eq!(hops(u32::MAX).notes, scan.notes, "seed {seed}");
    }
    assert!(reached > 20, "only {reached}");
}

/// The first waiting job could not start even if all jobs of lower priority stopped; and work is
/// done once.
#[test]
fn preemptive_priority_suspends_whenever_that_helps() {
    let mut suspensions = 0;
    for (seed, keeps_work) in (0..20).flat_map(|seed| [(seed, true), (seed, false)]) {
        let jobs = jobs(seed, 200, NODES, Estimates::AnyLength);
        let all = by_number(&jobs);
        let log = run(QueuePolicy::Preemptive { keeps_work }, &jobs);
        after_each_pass(&log, |waiting, running| {
            let first = waiting.iter().min_by_key(|job| (-all[job].priority, **job));
            let Some(first) = first.map(|job| all[job]) else { return };
            let held = running.iter().map(|job| all[job]);
            let higher = held.filter(|job| job.priority >= first.priority);
            let left = NODES - higher.map(|job| job.nodes).sum::<u32>();
            assert!(first.nodes > left, "seed {seed}: job {} waits", first.number);
        });
        for left in &log.left {
            let exact = left.held == left.job.run;
            assert!(exact || (!keeps_work && left.held > left.job.run), "seed {seed}: {left:?}");
            suspensions += left.suspensions;
        }
    }
    assert!(suspensions > 100, "only {suspensions}");
}

/// Run time in ticks on these nodes, by the definition: the slowest node counts, nodes that are not
/// local cost a penalty, and more nodes make moldable jobs faster.
fn expected_span(left: &JobRecord, work: Ticks, penalty: Penalty, is_moldable: bool) -> Ticks {
    let grid = grid();
    let speed = |part: &NodeShare| {
        grid[part.cluster.index()].groups[part.group as usize].speed.millionths()
    };
    let rate = left.parts.iter().map(speed).min().expect("it has nodes");
    let (over, under) = if is_moldable {
        assert!((2..=7).contains(&left.nodes()), "{left:?}");
        let ((over, under), (a, b)) = (curve_at(left.job.nodes), curve_at(left.nodes()));
        (over * b, under * a)
    } else {
        (1, 1)
    };
    let remote: u32 = left.parts.iter().filter(|p| p.cluster != left.home).map(|p| p.nodes).sum();
    let extra =
        if remote > 0 { penalty.fixed + penalty.per_node * u64::from(remote) } else { Ticks::ZERO };
    let work = u128::from(work) * 1_000_000 * u128::from(over);
    Ticks(work.div_ceil(u128::from(rate) * u128::from(under)) as u64) + extra
}

/// The speed-up on the curve of moldable jobs, as a fraction: Downey's formula for A = 5, σ = ½.
fn curve_at(nodes: u32) -> (u32, u32) {
    match nodes {
        1..=5 => (20 * nodes, 19 + nodes),
        6..=9 => (20 * nodes, 9 + 3 * nodes),
        _ => (5, 1),
    }
}

/// Asserts that no node belongs to two jobs at once.
fn check_nodes(log: &Log, what: &str) {
    let mut free: Vec<Vec<u32>> =
        grid().iter().map(|c| c.groups.iter().map(|group| group.nodes).collect()).collect();
    let mut held = BTreeMap::new();
    for (_, note) in &log.notes {
        match note {
            Note::Started(job, parts) => {
                for part in parts {
                    let free = &mut free[part.cluster.index()][part.group as usize];
                    let left = free.checked_sub(part.nodes);
                    *free = left.unwrap_or_else(|| panic!("{what}: job {job} on {part:?}"));
                }
                assert_eq!(held.insert(*job, parts.clone()), None, "{what}");
            }
            Note::Suspended(job) | Note::Ended(job) => {
                for part in held.remove(job).expect("it ran") {
                    free[part.cluster.index()][part.group as usize] += part.nodes;
                }
            }
            _ => {}
        }
    }
}

fn check_sums(log: &Log, summary: &Summary, jobs: usize, what: &str) {
    for cluster in summary.clusters.iter().chain([&summary.all]) {
        let counts = &cluster.jobs;
        let gone = counts.finished + counts.killed + counts.refused + counts.failures.lost;
        assert_eq!(counts.submitted, gone + cluster.queued + cluster.running, "{what}");
    }
    let all = &summary.all;
    assert_eq!(all.jobs.finished + all.jobs.killed, log.left.len() as u64, "{what}");
    if summary.end != End::NoEvents {
        return;
    }
    assert_eq!((all.jobs.submitted, all.queued, all.running), (jobs as u64, 0, 0), "{what}");
    if all.jobs.suspensions == 0 {
        let busy: Ticks = log.left.iter().map(|left| left.held * u64::from(left.nodes())).sum();
        assert_eq!(all.busy, u128::from(busy), "{what}");
        let depth = all.jobs.wait.total() as f64 / summary.end_time.0.as_f64();
        assert!((all.queue_depth - depth).abs() < 1e-9, "{what}");
    }
}

/// Every policy on a grid of unequal clusters, with requests of every kind: no node has two jobs,
/// every job runs exactly its time, none is lost.
#[test]
fn every_policy_adds_up_on_a_grid() {
    let penalty = Penalty { fixed: Ticks(5), per_node: Ticks(2) };
    for seed in 0..6 {
        for (estimates, overrun) in [
            (Estimates::Exact, Overrun::Extend),
            (Estimates::AnyLength, Overrun::Extend),
            (Estimates::AnyLength, Overrun::Kill),
        ] {
            let jobs = spread_jobs(seed, 150, estimates);
            for policy in QueuePolicy::all() {
                for limit in [None, Some(Time(Ticks(700)))] {
                    let what =
                        format!("seed {seed}, {estimates:?}, {overrun:?}, {policy:?}, {limit:?}");
                    let mut setup = Setup::global(grid(), policy, source(jobs.clone()));
                    setup.schedulers[0].choice =
                        if seed % 2 == 0 { NodeChoice::FirstFit } else { NodeChoice::NearestFit };
                    (setup.penalty, setup.overrun) = (penalty, overrun);
                    setup.stop = StopRules { time: limit, ..StopRules::default() };
                    let (log, summary) = run_setup(setup);
                    check_nodes(&log, &what);
                    check_sums(&log, &summary, jobs.len(), &what);
                    check_times(&log, &jobs, penalty, overrun, &what);
                }
            }
        }
    }
}

fn check_times(log: &Log, jobs: &[ParallelJob], penalty: Penalty, overrun: Overrun, what: &str) {
    let moldable = jobs.iter().filter(|job| matches!(job.request, Request::Moldable(_)));
    let moldable: BTreeSet<u64> = moldable.map(|job| job.rigid.number).collect();
    for left in &log.left {
        let RigidJob { number, submit, run, estimate, .. } = left.job;
        let is_cut = overrun == Overrun::Kill && estimate < run;
        assert_eq!(left.outcome == Outcome::Killed, is_cut, "{what}: {left:?}");
        assert!(left.start >= Time(submit) && left.end >= left.start, "{what}: {left:?}");
        if left.suspensions == 0 {
            let work = if is_cut { estimate } else { run };
            let expected = expected_span(left, work, penalty, moldable.contains(&number));
            assert_eq!(left.held, expected, "{what}: {left:?}");
            assert_eq!(left.held, left.end - left.start, "{what}: {left:?}");
        }
    }
}

/// With exact estimates reservations hold on a grid of unequal clusters too.
#[test]
fn reservations_hold_on_a_grid() {
    for seed in 0..12 {
        let jobs = spread_jobs(seed, 150, Estimates::Exact);
        for policy in [QueuePolicy::Easy, QueuePolicy::Conservative] {
            let (log, _) = run_setup(Setup::global(grid(), policy, source(jobs.clone())));
            let starts: BTreeMap<u64, Ticks> = log.starts().into_iter().collect();
            for (_, note) in &log.notes {
                if let Note::Reserved(job, start) = note {
                    assert!(starts[job] <= start.0, "{policy:?}, seed {seed}: {job}, {start:?}");
                }
            }
        }
    }
}

/// One queue per cluster is equivalent to separate simulations.
#[test]
fn local_queues_know_nothing_of_each_other() {
    for policy in QueuePolicy::all() {
        // At most one event per tick, because the order within a tick depends on other events.
        let mut jobs = jobs(3, 200, 5, Estimates::TooLong);
        for job in &mut jobs {
            let noise = job.number * job.number * 7919 % 1_000_003;
            job.submit = job.submit * 1_000_003 + Ticks(noise % 1000) + Ticks(job.number * 1000);
            job.run = job.run * 1_000_003 + Ticks(noise);
            job.estimate = job.estimate * 1_000_003 + Ticks(noise);
        }
        let home = |job: &RigidJob| ClusterId((job.number % 2) as u32);
        let at_home = |job: &RigidJob| ParallelJob { home: home(job), ..(*job).into() };
        let clusters = vec![ClusterSpec::equal("even", 5), ClusterSpec::equal("odd", 5)];
        let both = jobs.iter().map(at_home).collect::<Vec<_>>();
        let (log, _) = run_setup(Setup::local(clusters.clone(), policy, source(both)));
        let mut alone = Vec::new();
        for (index, cluster) in clusters.into_iter().enumerate() {
            let part = jobs.iter().filter(|job| home(job).index() == index).copied();
            let setup = Setup::global(vec![cluster], policy, source(part.collect::<Vec<_>>()));
            alone.extend(run_setup(setup).0.starts());
        }
        alone.sort_unstable();
        assert_eq!(log.starts(), alone, "{policy:?}");
    }
}

//! Clusters: known results, schedules computed by hand, statistics and errors.

mod w4;

use gridsat_cluster::{
    ClusterId, ClusterSpec, Components, Moldable, NodeChoice, NodeGroup, ParallelJob, Penalty,
    QueueOrder, QueuePolicy, QueueRule, QueueView, Request, SchedulerSpec, Setup, Speed, Speedup,
    simulate, source, statistics,
};
use gridsat_engine::time::Time;
use gridsat_model::Scale;
use gridsat_model::Ticks;
use gridsat_statistics::random;
use gridsat_workload::RigidJob;

/// Expected values are those of another program with this EASY, which also decides once per point
/// in time, for the same jobs. Simulators that decide after every event have the same makespans and
/// mean waits of 6634.74363 and 36430.49037.
#[test]
fn easy_on_128_nodes_gives_what_others_give() {
    for (load, makespan, wait) in
        [(0.80, 114_198_892, 6_638.021_51), (0.92, 99_372_476, 36_479.329_36)]
    {
        let clusters = vec![ClusterSpec::equal("w4", w4::NODES)];
        let setup = Setup::global(clusters, QueuePolicy::Easy, source(w4::jobs(100_000, load)));
        let summary = simulate(setup, &mut ()).expect("valid");
        assert_eq!(summary.makespan, Time(Ticks(makespan)), "load {load}");
        assert!((summary.all.jobs.wait.mean() - wait).abs() < 1e-5, "load {load}");
        assert_eq!(summary.events, 200_000);
    }
}

/// Number, start and end of every job, by number.
fn times(setup: Setup) -> Vec<(u64, u64, u64)> {
    let jobs = setup.run().expect("valid").jobs;
    jobs.iter().map(|job| (job.job.number, job.start.0.0, job.end.0.0)).collect()
}

fn job(number: u64, submit: u64, nodes: u32, run: u64) -> RigidJob {
    RigidJob {
        number,
        submit: Ticks(submit),
        nodes,
        run: Ticks(run),
        estimate: Ticks(run),
        priority: 0,
        user: 0,
    }
}

/// On ten nodes: one runs, one is too large, two could overtake it, the last delays no other job
/// but finds no nodes.
fn five_jobs() -> [RigidJob; 5] {
    [job(1, 0, 6, 10), job(2, 1, 8, 10), job(3, 2, 4, 8), job(4, 3, 2, 30), job(5, 4, 3, 5)]
}

fn ten_nodes(policy: QueuePolicy) -> Setup {
    Setup::global(vec![ClusterSpec::equal("ten", 10)], policy, source(five_jobs()))
}

/// The five jobs, but job 3 runs until 11: in the hole before 10 it delays job 2.
#[test]
fn starts_of_five_jobs_by_hand() {
    let starts = |policy| {
        let jobs = five_jobs().map(|j| if j.number == 3 { job(3, 2, 4, 9) } else { j });
        starts(Setup::global(vec![ClusterSpec::equal("ten", 10)], policy, source(jobs)))
    };
    assert_eq!(starts(QueuePolicy::Plain(QueueOrder::Fcfs)), [0, 10, 20, 20, 20]);
    assert_eq!(starts(QueuePolicy::Scan(QueueOrder::Fcfs)), [0, 15, 2, 10, 10]);
    assert_eq!(starts(QueuePolicy::Plain(QueueOrder::Sjf)), [0, 15, 2, 15, 10]);
    assert_eq!(starts(QueuePolicy::Plain(QueueOrder::Longest)), [0, 10, 20, 3, 20]);
    assert_eq!(starts(QueuePolicy::Plain(QueueOrder::Ljf)), [0, 10, 20, 20, 20]);
    assert_eq!(starts(QueuePolicy::Plain(QueueOrder::Bjf)), [0, 10, 20, 10, 20]);
    assert_eq!(starts(QueuePolicy::Easy), [0, 10, 20, 3, 20]);
    assert_eq!(starts(QueuePolicy::Conservative), [0, 10, 20, 3, 20]);
    // Half of its 10 ticks: jobs 3 and 5 may delay job 2 from 10 to 11 and then to 15.
    assert_eq!(starts(QueuePolicy::Backfill { delay_percent: 50 }), [0, 15, 2, 10, 10]);
    assert_eq!(starts(QueuePolicy::Backfill { delay_percent: 40 }), [0, 11, 2, 10, 21]);
    assert_eq!(starts(QueuePolicy::NoStarvation { max_hops: 1 }), [0, 11, 2, 11, 21]);
}

fn starts(setup: Setup) -> Vec<u64> {
    times(setup).iter().map(|time| time.1).collect()
}

/// Schedulers decide once, after all events of a point in time: the order of jobs in the file does
/// not matter, nor whether an end or an arrival is processed first.
#[test]
fn all_events_of_a_time_come_before_the_decision() {
    let on = |nodes, policy, jobs: &[RigidJob]| {
        let clusters = vec![ClusterSpec::equal("one", nodes)];
        starts(Setup::global(clusters, policy, source(jobs.to_vec())))
    };
    let sjf = QueuePolicy::Plain(QueueOrder::Sjf);
    assert_eq!(on(1, sjf, &[job(1, 0, 1, 9), job(2, 0, 1, 5)]), [5, 0]);
    assert_eq!(on(1, sjf, &[job(1, 0, 1, 7), job(2, 7, 1, 9), job(3, 7, 1, 5)]), [0, 12, 7]);
    let scan = QueuePolicy::Scan(QueueOrder::Ljf);
    assert_eq!(on(4, scan, &[job(1, 0, 2, 7), job(2, 0, 3, 9), job(3, 0, 1, 5)]), [9, 0, 0]);
    // Job 4 could delay neither of the others if they were booked after it.
    let jobs = [job(1, 0, 2, 10), job(2, 10, 3, 10), job(3, 10, 2, 5), job(4, 10, 1, 20)];
    assert_eq!(on(3, QueuePolicy::Conservative, &jobs), [0, 10, 20, 20]);
}

/// A job without run time frees its nodes in the tick in which it starts, for another decision
/// then.
#[test]
fn jobs_without_run_time_follow_each_other_in_one_tick() {
    for policy in QueuePolicy::all() {
        let jobs = [job(1, 3, 2, 0), job(2, 3, 2, 0), job(3, 3, 1, 0)];
        let clusters = vec![ClusterSpec::equal("two", 2)];
        let starts = starts(Setup::global(clusters, policy, source(jobs)));
        assert_eq!(starts, [3, 3, 3], "{policy:?}");
    }
}

/// Backfilling looks again when a job is still running at its expected end. Job 1 is expected to
/// end at 10, 20, 40, 80; job 3 fits before the reservation of job 2 from 40 on.
#[test]
fn an_expected_end_that_passes_is_an_event() {
    let late = RigidJob { estimate: Ticks(10), ..job(1, 0, 3, 100) };
    let jobs = [late, job(2, 1, 4, 50), job(3, 2, 1, 30)];
    for policy in [QueuePolicy::Easy, QueuePolicy::Conservative] {
        let clusters = vec![ClusterSpec::equal("four", 4)];
        let setup = Setup::global(clusters, policy, source(jobs));
        assert_eq!(starts(setup), [0, 100, 40], "{policy:?}");
    }
}

/// 0.2 + 0.8 / 5 is nine tenths of 0.2 + 0.8 / 4, and 90 s are not rounded up.
#[test]
fn the_time_of_a_moldable_job_is_rounded_once() {
    let range = Moldable::new(5, 5, Speedup::Amdahl { serial: 0.2 }).expect("valid");
    let request = Request::Moldable(range.into());
    let jobs = [ParallelJob { request, ..job(1, 0, 4, 100).into() }];
    let clusters = vec![ClusterSpec::equal("five", 5)];
    assert_eq!(times(Setup::global(clusters, QueuePolicy::Easy, source(jobs))), [(1, 0, 90)]);
}

/// First come, first served, and "start every job that fits", as user-defined rules.
#[test]
fn rules_of_ones_own_are_obeyed() {
    struct Fcfs;
    impl QueueRule for Fcfs {
        fn name(&self) -> &str {
            "own-fcfs"
        }

        fn next(&self, view: &QueueView<'_>) -> Option<usize> {
            view.waiting().next().filter(|job| job.fits).map(|_| 0)
        }
    }
    struct Scan;
    impl QueueRule for Scan {
        fn name(&self) -> &str {
            "own-scan"
        }

        fn next(&self, view: &QueueView<'_>) -> Option<usize> {
            view.waiting().position(|job| job.fits && job.nodes <= view.free_nodes())
        }
    }
    let fcfs = (QueuePolicy::own(&Fcfs), QueuePolicy::Plain(QueueOrder::Fcfs));
    let scan = (QueuePolicy::own(&Scan), QueuePolicy::Scan(QueueOrder::Fcfs));
    for (own, built_in) in [fcfs, scan] {
        assert!(own.name().starts_with("own-") && own != built_in);
        let run = |policy| {
            let clusters = vec![ClusterSpec::equal("w4", w4::NODES)];
            times(Setup::global(clusters, policy, source(w4::jobs(2_000, 0.9))))
        };
        assert_eq!(run(own), run(built_in), "{own:?}");
    }
}

/// An index without a job, or of a job that does not fit, starts nothing; running jobs are visible.
#[test]
fn a_rule_that_names_no_job_that_fits_waits() {
    struct Last;
    impl QueueRule for Last {
        fn name(&self) -> &str {
            "last"
        }

        fn next(&self, view: &QueueView<'_>) -> Option<usize> {
            let is_idle = view.releases().next().is_none();
            if is_idle { Some(view.waiting().count().saturating_sub(1)) } else { Some(99) }
        }
    }
    assert_eq!(starts(ten_nodes(QueuePolicy::own(&Last))), [0, 53, 45, 15, 10]);
}

#[test]
fn a_job_is_as_fast_as_its_slowest_node_and_pays_for_strangers() {
    let speed = |speed| Speed::new(speed).expect("a speed");
    let slow = NodeGroup { speed: speed(0.8), nodes: 2 };
    let mut second = ClusterSpec::equal("second", 2);
    second.groups.push(slow);
    let jobs = [
        ParallelJob::from(job(1, 0, 5, 100)),
        ParallelJob { home: ClusterId(1), ..job(2, 0, 2, 100).into() },
        ParallelJob {
            request: Request::Unordered(Components::new(vec![1, 3])),
            ..job(3, 200, 4, 100).into()
        },
    ];
    let clusters = vec![ClusterSpec::equal("first", 3), second];
    let mut setup = Setup::global(clusters, QueuePolicy::Plain(QueueOrder::Fcfs), source(jobs));
    setup.penalty = Penalty { fixed: Ticks(10), per_node: Ticks(3) };
    setup.schedulers[0].choice = NodeChoice::NearestFit;
    // Job 1 uses two fast remote nodes, job 2 the slow nodes at home, job 3 one remote node.
    assert_eq!(times(setup), [(1, 0, 116), (2, 0, 125), (3, 200, 313)]);
}

#[test]
fn a_job_too_large_for_its_scheduler_is_counted_and_forgotten() {
    let clusters = vec![ClusterSpec::equal("small", 2), ClusterSpec::equal("large", 4)];
    let jobs = [job(1, 0, 3, 5), job(2, 0, 2, 5)];
    let refused = |setup| simulate(setup, &mut ()).expect("valid").all.jobs.refused;
    let policy = QueuePolicy::Plain(QueueOrder::Fcfs);
    assert_eq!(refused(Setup::local(clusters.clone(), policy, source(jobs))), 1);
    assert_eq!(refused(Setup::global(clusters.clone(), policy, source(jobs))), 0);
    let single = jobs.map(|job| ParallelJob { request: Request::Single, ..job.into() });
    assert_eq!(refused(Setup::global(clusters, policy, source(single))), 0);
}

/// `W = C(m, a) / (mμ − λ)` with Erlang's C.
fn erlang_wait(arrival: f64, service: f64, servers: u32) -> f64 {
    let (m, a) = (f64::from(servers), arrival * service);
    let mut term = 1.0;
    let mut sum = 0.0;
    for k in 0..servers {
        sum += term;
        term *= a / f64::from(k + 1);
    }
    let last = term * m / (m - a);
    last / (sum + last) / (m / service - arrival)
}

/// Exponential interarrival and run times in milliseconds.
fn markov_jobs(nodes: u32) -> impl Iterator<Item = RigidJob> + Send {
    let mut gaps = random::stream(5, "test/gaps", 0);
    let mut runs = random::stream(5, "test/runs", 0);
    let mut submit = 0;
    (1..=20_000).map(move |number| {
        submit += (-200_000.0 * (1.0 - random::unit(&mut gaps)).ln()) as u64;
        job(number, submit, nodes, (-170_000.0 * (1.0 - random::unit(&mut runs)).ln()) as u64)
    })
}

/// As one pool, as clusters used as one pool, and with equal jobs of several nodes: the same waits,
/// close to theory.
#[test]
fn exponential_jobs_wait_as_erlang_says() {
    assert!((erlang_wait(0.005, 170.0, 2) - 37.48).abs() < 0.01);
    // About three standard errors of the mean of 20,000 waits.
    for (servers, tolerance) in [(1, 0.40), (2, 0.12), (3, 0.20)] {
        let run = |clusters: Vec<ClusterSpec>, nodes| {
            let policy = QueuePolicy::Plain(QueueOrder::Fcfs);
            let mut setup = Setup::global(clusters, policy, source(markov_jobs(nodes)));
            setup.scale = Scale::new(3).expect("small");
            simulate(setup, &mut ()).expect("valid")
        };
        let pool = run(vec![ClusterSpec::equal("pool", servers)], 1);
        let single = (0..servers).map(|index| ClusterSpec::equal(format!("c{index}"), 1));
        let clusters = run(single.collect(), 1);
        let large = run(vec![ClusterSpec::equal("pool", 3 * servers)], 3);
        assert_eq!(pool.all.jobs.wait, clusters.all.jobs.wait);
        assert_eq!(pool.all.jobs.wait, large.all.jobs.wait);
        let (wait, theory) =
            (pool.all.jobs.wait.mean() / 1000.0, erlang_wait(0.005, 170.0, servers));
        let error = wait / theory - 1.0;
        assert!(error.abs() < tolerance, "{servers} servers: {wait}, theory {theory}");
        let load = 0.005 * 170.0 / f64::from(servers);
        assert!((pool.all.utilisation / load - 1.0).abs() < 0.02, "{}", pool.all.utilisation);
    }
}

const TEXT: &str = "\
eventdriven: 10 events processed
simTime = 50 (no-events)

cluster ten
totalJobs = 5
Smallest Job Size = 5
Largest Job Size = 30
Smallest Nodes Job Size = 2
Largest Nodes Job Size = 8
Avg Nodes Req Per Job = 4.600000
Largest Waiting Time in Q = 18
totalRunTime = 63
totalQueueTime = 60
avRunTime = 12.600000
avQueueTime = 12
avTimeInSys = 24.600000
avQueueDepth = 1.200000
avClusterUtilization = 0.494000
Number of nodes = 10
Throughput = 0.100000
submitted = 5
refused = 0
killed = 0
suspensions = 0
queued at the end = 0
running at the end = 0
largest queue depth = 4
mean slowdown = 2.383333
largest slowdown = 4.200000
mean bounded slowdown = 1.833333
largest bounded slowdown = 2.600000
";

#[test]
fn statistics_by_hand() {
    let summary =
        simulate(ten_nodes(QueuePolicy::Plain(QueueOrder::Fcfs)), &mut ()).expect("valid");
    let mut text = Vec::new();
    statistics::text(&summary, &mut text).expect("memory");
    assert_eq!(String::from_utf8_lossy(&text), TEXT);
    let mut csv = Vec::new();
    statistics::csv(&summary, &mut csv).expect("memory");
    let csv = String::from_utf8_lossy(&csv).into_owned();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("cluster,nodes,submitted,finished,"), "{csv}");
    assert!(lines[1].starts_with("ten,10,5,5,0,0,0,0,0,2,8,4.6,5.0,30.0,12.6,63.0,12.0,"), "{csv}");
    assert!(lines[2].starts_with("all,10,5,5,"), "{csv}");
    let mut json = Vec::new();
    statistics::json(&summary, &mut json).expect("memory");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["end_time"], 50.0);
    assert_eq!(json["clusters"][0]["mean_queue_depth"], 1.2);
    assert_eq!(json["all"]["throughput"], 0.1);
}

#[test]
fn jobs_as_csv() {
    let clusters = vec![ClusterSpec::equal("a", 3), ClusterSpec::equal("b", 4)];
    let jobs = [job(1, 0, 5, 100), job(2, 10, 7, 20), job(3, 10, 8, 5)];
    let setup = Setup::global(clusters, QueuePolicy::Easy, source(jobs));
    let mut csv = statistics::JobCsv::new(Vec::new(), Scale::new(1).expect("small"), false);
    simulate(setup, &mut csv).expect("valid");
    let text = String::from_utf8(csv.finish().expect("memory")).expect("text");
    let expected = "\
job,user,priority,home,submit,start,end,wait,run,estimate,nodes,parts,suspensions,outcome
1,0,0,0,0,0,10,0,10,10,5,0:0:3 1:0:2,0,finished
2,0,0,0,1,10,12,9,2,2,7,0:0:3 1:0:4,0,finished
3,0,0,0,1,,,,,0.5,8,,0,refused
";
    let mut lines: Vec<_> = text.lines().collect();
    lines[1..].sort_unstable();
    assert_eq!(lines, expected.lines().collect::<Vec<_>>());
}

fn error(setup: Setup) -> String {
    simulate(setup, &mut ()).expect_err("invalid").to_string()
}

#[test]
fn bad_jobs_are_named() {
    let with = |jobs: Vec<ParallelJob>| {
        let clusters = vec![ClusterSpec::equal("one", 4)];
        error(Setup::global(clusters, QueuePolicy::Easy, source(jobs)))
    };
    assert_eq!(with(vec![job(7, 0, 0, 1).into()]), "job 7 requests 0 nodes");
    assert_eq!(
        with(vec![job(1, 9, 1, 1).into(), job(2, 8, 1, 1).into()]),
        "job 2 is submitted at 8, before job 1 at 9"
    );
    let home = ParallelJob { home: ClusterId(3), ..job(1, 0, 1, 1).into() };
    assert_eq!(with(vec![home]), "job 1 is submitted to cluster 3, but there are 1");
    let request = Request::Ordered([1, 2].into());
    let components = ParallelJob { request, ..job(1, 0, 4, 1).into() };
    assert_eq!(with(vec![components]), "job 1 requests 4 nodes, but its components add up to 3");
    let clusters = vec![ClusterSpec::equal("one", 4)];
    let broken = std::iter::once(Err("line 3: no number".into()));
    let setup = Setup::global(clusters, QueuePolicy::Easy, Box::new(broken));
    assert_eq!(error(setup), "line 3: no number");
}

#[test]
fn bad_grids_are_named() {
    let setup = |clusters: Vec<ClusterSpec>| {
        Setup::global(clusters, QueuePolicy::Easy, source(Vec::<RigidJob>::new()))
    };
    let one = || ClusterSpec::equal("one", 1);
    assert_eq!(error(setup(vec![])), "no clusters");
    assert_eq!(
        error(setup(vec![ClusterSpec::equal("none", 0)])),
        "cluster 'none' has 0 nodes, not from 1 to 4294967295"
    );
    let half = || ClusterSpec::equal("half", 1 << 31);
    assert_eq!(
        error(setup(vec![half(), half()])),
        "all clusters have 4294967296 nodes, more than 4294967295"
    );
    let with = |change: fn(&mut Vec<SchedulerSpec>)| {
        let mut setup = setup(vec![one()]);
        change(&mut setup.schedulers);
        error(setup)
    };
    assert_eq!(
        with(|schedulers| schedulers.clear()),
        "cluster 'one' belongs to 0 schedulers, not to one"
    );
    assert_eq!(
        with(|schedulers| schedulers.extend_from_within(..)),
        "cluster 'one' belongs to 2 schedulers, not to one"
    );
    assert_eq!(
        with(|schedulers| schedulers[0].clusters.push(ClusterId(9))),
        "scheduler 'metascheduler' names cluster 9, but there are 1"
    );
    assert_eq!(
        with(|schedulers| schedulers[0].clusters.clear()),
        "scheduler 'metascheduler' has no clusters"
    );
}

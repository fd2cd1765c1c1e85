//! Heuristics against slow versions written directly from their definitions, and against published
//! makespans.

mod twins;

use std::cmp::Reverse;

use gridsat_heuristics::{Heuristics, HostState, OnLine, Problem, improve, improve_by_weights};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};
use gridsat_test_support::{braun, tiny};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use twins::hosts::{SpaceShared, TimeShared};
use twins::{Assigned, one_by_one, sufferage, suffering};

fn instance(etc: &str, ready: &str) -> Instance {
    format!(r#"{{"etc": {etc}, "ready": {ready}}}"#).parse().expect("valid")
}

/// Small times, so that ties are common; forbidden pairs and ready times.
fn random_instance(seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (n, m) = (rng.random_range(1..25), rng.random_range(1..7));
    let longest = [3, 20, 1_000_000][rng.random_range(0..3)];
    let forbidden = [0.0, 0.3][rng.random_range(0..2)];
    tiny::drawn(&mut rng, (n, m), (longest, longest), forbidden)
}

fn map(name: &str, instance: &Instance) -> Mapping {
    Heuristics::built_in().named(name).expect("known").map(instance)
}

fn assign(name: &str, problem: &Problem) -> Assigned {
    Heuristics::built_in().named(name).expect("known").assign(problem)
}

/// Hosts of all kinds, including some that complete nothing; few sites and levels; with or without
/// a limit.
fn random_problem(instance: &Instance, seed: u64) -> Problem<'_> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut problem = Problem::of(instance);
    let queues_only = rng.random_bool(0.3);
    for host in problem.hosts.iter_mut().filter(|_| !queues_only) {
        let (pes, jobs) = (rng.random_range(0..3), rng.random_range(0..4));
        let queued = jobs * rng.random_range(0..20);
        match rng.random_range(0..3) {
            0 => {}
            1 => *host = HostState::Other(Box::new(TimeShared { pes, jobs })),
            _ => {
                *host = HostState::Other(Box::new(SpaceShared {
                    pes: pes + 1,
                    jobs,
                    queued: Ticks(queued),
                }))
            }
        }
    }
    problem.sites.iter_mut().for_each(|site| *site = rng.random_range(0..3));
    problem.levels.iter_mut().for_each(|level| *level = rng.random_range(0..3));
    problem.until = rng.random_bool(0.3).then(|| rng.random_range(0..60)).map(Ticks);
    problem
}

fn check_against_twins(problem: &Problem, case: &str) {
    let level = |task: TaskId| problem.levels[task.index()];
    let hosts: Vec<u32> = problem.instance.hosts().map(|host| host.0).collect();
    let min_min = one_by_one(problem, &hosts, |_, ends| Reverse(ends[0].0));
    let guided = one_by_one(problem, &hosts, |task, ends| (level(task), Reverse(ends[0].0)));
    let max_min = one_by_one(problem, &hosts, |_, ends| ends[0].0);
    assert_eq!(assign("minmin", problem), min_min, "{case}");
    assert_eq!(assign("qgmm", problem), guided, "{case}");
    assert_eq!(assign("maxmin", problem), max_min, "{case}");
    for (sites, rounds, passes) in [
        (&hosts, "sufferage-rounds", "sufferage"),
        (&problem.sites, "xsufferage", "xsufferage-passes"),
    ] {
        let by_rounds = one_by_one(problem, sites, |_, ends| suffering(ends));
        assert_eq!(assign(rounds, problem), by_rounds, "{case}");
        assert_eq!(assign(passes, problem), sufferage(problem, sites), "{case}");
    }
}

#[test]
fn fast_ones_equal_their_slow_twins() {
    for seed in 0..3000 {
        let instance = random_instance(seed);
        check_against_twins(&Problem::of(&instance), &format!("static, seed {seed}"));
        check_against_twins(&random_problem(&instance, seed), &format!("seed {seed}"));
    }
}

/// Stopped at any moment, a heuristic has no mapping, or the one it would have had anyway.
#[test]
fn every_heuristic_obeys_the_stop() {
    for seed in 0..100 {
        let instance = random_instance(seed);
        for heuristic in Heuristics::built_in().iter() {
            let (name, whole) = (heuristic.name(), heuristic.map(&instance));
            assert_eq!(heuristic.map_unless(&instance, &Stop::after(0)), None, "{name}");
            for checks in 1..40 {
                let found = heuristic.map_unless(&instance, &Stop::after(checks));
                assert!(found.is_none_or(|found| found == whole), "{name}, seed {seed}");
            }
        }
    }
}

/// More hosts than a shortlist remembers, and sites larger than that.
#[test]
fn twins_with_many_hosts() {
    for seed in 0..30 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let longest = [30, 1_000_000][rng.random_range(0..2)];
        let row = |_| (0..40).map(|_| rng.random_range(1..longest)).collect::<Vec<u64>>();
        let instance = Instance::from_rows((0..40).map(row)).expect("valid");
        check_against_twins(&Problem::of(&instance), &format!("static, seed {seed}"));
        check_against_twins(&random_problem(&instance, seed), &format!("seed {seed}"));
        let mut problem = Problem::of(&instance);
        problem.sites = (0..40).map(|host| host / 20).collect();
        check_against_twins(&problem, &format!("two sites, seed {seed}"));
    }
}

/// The states of the hosts before each assignment and at the end.
fn replay(problem: &Problem, made: &Assigned) -> Vec<Vec<HostState>> {
    let mut states = vec![problem.hosts.clone()];
    for &(task, host) in made {
        let mut hosts = states[states.len() - 1].clone();
        hosts[host.index()].assign(problem.instance.time(task, host).expect("possible"));
        states.push(hosts);
    }
    states
}

fn delays(hosts: &[HostState]) -> Vec<Ticks> {
    hosts.iter().map(HostState::delay).collect()
}

#[test]
fn the_time_limit_stops_all_as_soon_as_every_host_is_busy_but_no_sooner() {
    for seed in 0..500 {
        let instance = random_instance(seed);
        for heuristic in Heuristics::built_in().iter() {
            let (name, mut problem) = (heuristic.name(), random_problem(&instance, seed));
            let until = *problem.until.insert(Ticks(seed % 40));
            let made = heuristic.assign(&problem);
            let states = replay(&problem, &made);
            let least = |hosts: &Vec<HostState>| delays(hosts).into_iter().min().expect("hosts");
            // Passes check the limit only once each.
            if !["sufferage", "xsufferage-passes"].contains(&name) {
                let mut before = states[..made.len()].iter();
                assert!(before.all(|hosts| least(hosts) <= until), "{name}, seed {seed}");
            }
            let end = states.last().expect("a last state");
            let is_done = |task: TaskId| made.iter().any(|&(other, _)| other == task);
            for task in instance.tasks().filter(|&task| !is_done(task) && least(end) <= until) {
                let is_list = ["fcfs", "fjfr", "fjbr", "minmax", "maxmax"].contains(&name);
                let is_free = |h: HostId| !is_list || end[h.index()].delay() <= until;
                let completes = |h: HostId, time| end[h.index()].completion(time) != Ticks::MAX;
                let mut times = instance.times(task);
                let could = times.any(|(h, time)| is_free(h) && completes(h, time));
                // A wait that is an average can also fall below the limit again.
                let is_monotone = end.iter().all(HostState::is_monotone);
                assert!(!could || (is_list && !is_monotone), "{name}, seed {seed}, {task:?}");
            }
        }
    }
}

#[test]
fn lists_use_idle_hosts_only_when_the_limit_is_zero() {
    // The middle host is busy; the second task can run on it only.
    let etc = "[[5, 1, 4], [null, 1, null], [2, 1, 3], [1, 1, 1]]";
    let instance = instance(etc, "[0, 7, 0]");
    let mut problem = Problem::of(&instance);
    problem.idle = vec![Ticks(3), Ticks(0), Ticks(8)];
    problem.until = Some(Ticks(0));
    let pairs = |name: &str| -> Vec<(u32, u32)> {
        assign(name, &problem).into_iter().map(|(task, host)| (task.0, host.0)).collect()
    };
    assert_eq!(pairs("fcfs"), [(0, 2), (2, 0)]);
    assert_eq!(pairs("fjfr"), [(0, 0), (2, 2)]);
    assert_eq!(pairs("fjbr"), [(0, 2), (2, 0)]);
    // All tasks have least time 1, so they keep their order.
    assert_eq!(pairs("minmax"), [(0, 2), (2, 0)]);
    assert_eq!(pairs("maxmax"), [(0, 2), (2, 0)]);
}

#[test]
fn tasks_with_few_hosts_go_first_when_guided() {
    let instance = Instance::from_rows([[Some(2), Some(3)], [Some(4), None]]).expect("valid");
    assert_eq!(map("minmin", &instance).makespan(), Ticks(6));
    assert_eq!(map("qgmm", &instance).makespan(), Ticks(4));
}

#[test]
fn one_task_on_line() {
    let dead = || HostState::Other(Box::new(TimeShared { pes: 0, jobs: 0 }));
    let hosts = [
        dead(),
        HostState::Queue(Ticks(4)),
        HostState::Queue(Ticks(0)),
        HostState::Queue(Ticks(0)),
    ];
    let choose = |rule: OnLine, times: [Ticks; 4]| {
        let hosts = times.iter().zip(&hosts).zip(0..);
        rule.choose(hosts.map(|((&time, state), host)| (HostId(host), time, state)))
            .map(|host| host.0)
    };
    assert_eq!(choose(OnLine::Olb, [Ticks(1), Ticks(1), Ticks(9), Ticks(2)]), Some(2));
    assert_eq!(choose(OnLine::Met, [Ticks(1), Ticks(2), Ticks(9), Ticks(2)]), Some(1));
    assert_eq!(choose(OnLine::Mct, [Ticks(1), Ticks(1), Ticks(6), Ticks(5)]), Some(1));
    assert_eq!(OnLine::Mct.choose([(HostId(0), Ticks(1), &hosts[0])].into_iter()), None);
    assert_eq!(OnLine::Olb.choose(std::iter::empty::<(HostId, Ticks, HostState)>()), None);
}

#[test]
fn duplex_is_the_better_half() {
    for seed in 0..200 {
        let instance = random_instance(seed);
        let makespan = |name| map(name, &instance).makespan();
        let better = makespan("minmin").min(makespan("maxmin"));
        assert_eq!(makespan("duplex"), better, "seed {seed}");
        let best = Heuristics::starts().iter().map(|start| start.map(&instance).makespan()).min();
        assert!(best.is_some_and(|best| best <= better), "seed {seed}");
        let problem = random_problem(&instance, seed);
        let count = |name| assign(name, &problem).len();
        assert_eq!(count("duplex"), count("minmin").max(count("maxmin")), "seed {seed}");
    }
}

#[test]
fn hand_computed_cases() {
    // Rows: tasks on hosts a, b; b is ready at 4.
    let instance = instance("[[3, 1], [2, 2], [6, 1], [2, 9]]", "[0, 4]");
    let hosts = |name| -> Vec<u32> { map(name, &instance).hosts().iter().map(|h| h.0).collect() };
    // OLB: loads 0|4 → a 3 → a 5 → b 5 → tie, a.
    assert_eq!(hosts("olb"), [0, 0, 1, 0]);
    // MET: the tie of task 1 goes to a.
    assert_eq!(hosts("met"), [1, 0, 1, 0]);
    // MCT: a 3 | 5; tie of 5 and 6 → a 5; 11 | 5 → b; 7 | 14 → a.
    assert_eq!(hosts("mct"), [0, 0, 1, 0]);
    // Min-Min: task 1 (a, 2), task 3 (a, 4), task 0 (b, 5), task 2 (b, 6).
    assert_eq!(hosts("minmin"), [1, 0, 1, 0]);
    // Max-Min: task 2 (b, 5), task 0 (a, 3), then 1 and 3 both end at 5: the lower, task 1 (a, 5),
    // task 3 (a, 7).
    assert_eq!(hosts("maxmin"), [0, 0, 1, 0]);
    // Sufferage: pass 1 a: tasks 0 (2), 1 (4), 3 (11) → 3; b: task 2 (1). Pass 2, loads 2|5: a:
    // tasks 0 (5 against 6: 1), 1 (4 against 7: 3) → 1. Pass 3, loads 4|5: b.
    assert_eq!(hosts("sufferage"), [1, 0, 1, 0]);
    // XSufferage: task 3 (11), then task 2 (8 against 5: 3), task 1 (3), task 0 (b, 6).
    assert_eq!(hosts("xsufferage"), [1, 0, 1, 0]);
    // Each host is a site.
    assert_eq!(hosts("sufferage-rounds"), hosts("xsufferage"));
    assert_eq!(hosts("xsufferage-passes"), hosts("sufferage"));
    // All tasks can run everywhere, so have one level.
    assert_eq!(hosts("qgmm"), hosts("minmin"));
    assert_eq!(hosts("fcfs"), hosts("olb"));
    assert_eq!(hosts("fjfr"), hosts("olb"));
    // FJBR: as OLB, and task 3 is faster on a.
    assert_eq!(hosts("fjbr"), [0, 0, 1, 0]);
    // MinMax: task 0 (a, 3), 2 (a, 9), 1 (b, 6), 3 (b, 15).
    assert_eq!(hosts("minmax"), [0, 1, 0, 1]);
    // MaxMax: task 1 (a, 2), 3 (a, 4), both free at 4: 0 (b, 5), 2 (a, 10).
    assert_eq!(hosts("maxmax"), [1, 0, 0, 0]);
}

/// Hosts a, b on one site and c on the other; two tasks of times 4 4 9 and 3 6 7.
///
/// Between hosts task 0 suffers 0 and task 1 suffers 3; between sites 5 and 4. So both want host a,
/// and who gets it depends on what counts as the second best.
#[test]
fn sufferage_between_hosts_and_between_sites_by_hand() {
    let instance = instance("[[4, 4, 9], [3, 6, 7]]", "[0, 0, 0]");
    let problem = Problem { sites: vec![0, 0, 1], ..Problem::of(&instance) };
    let pairs = |name: &str| -> Vec<(u32, u32)> {
        assign(name, &problem).into_iter().map(|(task, host)| (task.0, host.0)).collect()
    };
    // Task 1 on a ends at 3; task 0 then ends at 7 on a, 4 on b.
    assert_eq!(pairs("sufferage-rounds"), [(1, 0), (0, 1)]);
    assert_eq!(pairs("sufferage"), [(1, 0), (0, 1)]);
    // Task 0 on a ends at 4; task 1 then ends at 7 on a, 6 on b, 7 on c.
    assert_eq!(pairs("xsufferage"), [(0, 0), (1, 1)]);
    assert_eq!(pairs("xsufferage-passes"), [(0, 0), (1, 1)]);
}

/// In rounds the loads after each task count, in a pass only those before it.
#[test]
fn rounds_and_passes_differ_by_hand() {
    let instance = instance("[[2, 6, 2], [4, 3, 1], [4, 5, 6]]", "[0, 0, 0]");
    let pairs = |name: &str| -> Vec<(u32, u32)> {
        let made = assign(name, &Problem::of(&instance));
        made.into_iter().map(|(task, host)| (task.0, host.0)).collect()
    };
    // Sufferages 0, 2, 1: task 1 on c until 1. Then tasks 0 (a 2, c 3) and 2 (a 4, b 5) both suffer
    // 1: task 0 on a until 2. Task 2 ends at 6 on a, at 5 on b.
    assert_eq!(pairs("sufferage-rounds"), [(1, 2), (0, 0), (2, 1)]);
    // Pass 1: tasks 0 and 2 request a, which keeps task 2; c keeps task 1. Pass 2, loads 4|0|1:
    // task 0 ends at 3 on c.
    assert_eq!(pairs("sufferage"), [(2, 0), (1, 2), (0, 2)]);
}

#[test]
fn improvement_never_hurts_and_leaves_nothing_to_improve() {
    for seed in 0..500 {
        let instance = random_instance(seed);
        for heuristic in Heuristics::built_in().iter() {
            let before = heuristic.map(&instance);
            let after = improve(&instance, before.clone(), &Stop::never());
            assert!(sorted_loads(&after) <= sorted_loads(&before), "seed {seed}");
            assert!(is_locally_best(&instance, &after), "seed {seed}");
            let weights: Vec<u64> = (0..instance.host_count() as u64).map(|h| h % 3).collect();
            let after = improve_by_weights(&instance, before.clone(), &weights, &Stop::never());
            assert!(sorted_loads(&after) <= sorted_loads(&before), "seed {seed}");
            assert!(is_locally_best(&instance, &after), "seed {seed}");
            let untouched = improve(&instance, before.clone(), &Stop::after(0));
            assert_eq!(untouched, before);
        }
    }
}

fn sorted_loads(mapping: &Mapping) -> Vec<Ticks> {
    let mut loads = mapping.loads().to_vec();
    loads.sort_unstable_by(|a, b| b.cmp(a));
    loads
}

/// No move and no swap makes the sorted loads smaller.
fn is_locally_best(instance: &Instance, mapping: &Mapping) -> bool {
    let now = sorted_loads(mapping);
    let helps = |hosts: Vec<HostId>| {
        Mapping::new(instance, hosts).is_ok_and(|other| sorted_loads(&other) < now)
    };
    let n = instance.task_count();
    let moves = (0..n).any(|t| {
        instance.hosts().any(|h| {
            let mut hosts = mapping.hosts().to_vec();
            hosts[t] = h;
            helps(hosts)
        })
    });
    let swaps = (0..n).any(|t| {
        (0..t).any(|s| {
            let mut hosts = mapping.hosts().to_vec();
            hosts.swap(s, t);
            helps(hosts)
        })
    });
    !moves && !swaps
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn min_min_gives_the_published_makespans() {
    let best = braun::published("best_known");
    for ((name, published), (_, best)) in braun::published("minmin_published").into_iter().zip(best)
    {
        let instance = braun::instance(&name);
        let mapping = map("minmin", &instance);
        assert_eq!(mapping.makespan(), published, "{name}");
        let polished = improve(&instance, mapping, &Stop::never()).makespan();
        assert!(polished >= best, "{name} beats the best known");
    }
}

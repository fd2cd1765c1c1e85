//! Heuristics against slow twins written straight from their definitions, and against published
//! makespans.

use std::path::PathBuf;
use std::time::Instant;

use gridsat::bounds::{Reason, lower_bound};
use gridsat::heuristics::{all, by_name, improve, improve_by_weights, map_by_weights};
use gridsat::model::{HostId, Instance, InstanceParts, Mapping, TaskId, Ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn instance(etc: Vec<Vec<Option<Ticks>>>, ready: Vec<Ticks>) -> Instance {
    let parts = InstanceParts { etc, ready, ..InstanceParts::default() };
    Instance::new(parts).expect("valid")
}

/// Small times, so that ties are common; forbidden pairs and ready times.
fn random_instance(seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (n, m) = (rng.random_range(1..25), rng.random_range(1..7));
    let longest = [3, 20, 1_000_000][rng.random_range(0..3)];
    let forbidden = [0.0, 0.3][rng.random_range(0..2)];
    let mut row = || -> Vec<Option<Ticks>> {
        let sure = rng.random_range(0..m);
        (0..m)
            .map(|h| {
                let time = rng.random_range(0..=longest);
                (h == sure || !rng.random_bool(forbidden)).then_some(time)
            })
            .collect()
    };
    let etc = (0..n).map(|_| row()).collect();
    let ready = (0..m).map(|_| rng.random_range(0..=longest)).collect();
    instance(etc, ready)
}

fn map(name: &str, instance: &Instance) -> Mapping {
    by_name(name).expect("known").map(instance)
}

/// Completion times of a task, earliest first, ties by host.
fn completions(instance: &Instance, loads: &[Ticks], task: TaskId) -> Vec<(Ticks, HostId)> {
    let times = instance.times(task);
    let mut all: Vec<_> = times.map(|(h, time)| (loads[h.index()] + time, h)).collect();
    all.sort_unstable();
    all
}

fn ready(instance: &Instance) -> Vec<Ticks> {
    instance.hosts().map(|h| instance.ready(h)).collect()
}

fn slow_min_or_max_min(instance: &Instance, max: bool) -> Vec<HostId> {
    let mut loads = ready(instance);
    let mut left: Vec<TaskId> = instance.tasks().collect();
    let mut hosts = vec![HostId(0); left.len()];
    while !left.is_empty() {
        let mut chosen: Option<(Ticks, TaskId, HostId)> = None;
        for &task in &left {
            let (completion, host) = completions(instance, &loads, task)[0];
            let better = chosen.is_none_or(
                |(best, _, _)| {
                    if max { completion > best } else { completion < best }
                },
            );
            if better {
                chosen = Some((completion, task, host));
            }
        }
        let (completion, task, host) = chosen.expect("tasks are left");
        loads[host.index()] = completion;
        hosts[task.index()] = host;
        left.retain(|&t| t != task);
    }
    hosts
}

fn slow_sufferage(instance: &Instance) -> Vec<HostId> {
    let mut loads = ready(instance);
    let mut left: Vec<TaskId> = instance.tasks().collect();
    let mut hosts = vec![HostId(0); left.len()];
    while !left.is_empty() {
        let mut holder: Vec<Option<(f64, Ticks, TaskId)>> = vec![None; loads.len()];
        for &task in &left {
            let ends = completions(instance, &loads, task);
            let second = ends.get(1).map_or(f64::INFINITY, |&(end, _)| end as f64);
            let sufferage = second - ends[0].0 as f64;
            let place = &mut holder[ends[0].1.index()];
            if place.is_none_or(|(held, _, _)| held < sufferage) {
                *place = Some((sufferage, ends[0].0, task));
            }
        }
        for (host, held) in instance.hosts().zip(holder) {
            if let Some((_, completion, task)) = held {
                loads[host.index()] = completion;
                hosts[task.index()] = host;
                left.retain(|&t| t != task);
            }
        }
    }
    hosts
}

#[test]
fn fast_ones_equal_their_slow_twins() {
    for seed in 0..2000 {
        let instance = random_instance(seed);
        let fast = |name| map(name, &instance).hosts().to_vec();
        let min_min = slow_min_or_max_min(&instance, false);
        let max_min = slow_min_or_max_min(&instance, true);
        assert_eq!(fast("minmin"), min_min, "seed {seed}");
        assert_eq!(fast("maxmin"), max_min, "seed {seed}");
        assert_eq!(fast("sufferage"), slow_sufferage(&instance), "seed {seed}");
    }
}

#[test]
fn duplex_is_the_better_half() {
    for seed in 0..200 {
        let instance = random_instance(seed);
        let makespan = |name| map(name, &instance).makespan();
        let better = makespan("minmin").min(makespan("maxmin"));
        assert_eq!(makespan("duplex"), better, "seed {seed}");
    }
}

#[test]
fn hand_computed_cases() {
    // Rows: tasks on hosts a, b; b is ready at 4.
    let etc = [[3, 1], [2, 2], [6, 1], [2, 9]];
    let etc = etc.map(|row| row.map(Some).to_vec()).to_vec();
    let instance = instance(etc, vec![0, 4]);
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
    // Sufferage: pass 1 a: tasks 0 (2), 1 (4), 3 (11) → 3; b: task 2 (1).
    // Pass 2, loads 2|5: a: tasks 0 (5 against 6: 1), 1 (4 against 7: 3) → 1. Pass 3, loads 4|5: b.
    assert_eq!(hosts("sufferage"), [1, 0, 1, 0]);
}

#[test]
fn improvement_never_hurts_and_leaves_nothing_to_improve() {
    for seed in 0..500 {
        let instance = random_instance(seed);
        for heuristic in all() {
            let before = heuristic.map(&instance);
            let after = improve(&instance, before.clone(), &|| false);
            assert!(sorted_loads(&after) <= sorted_loads(&before), "seed {seed}");
            assert!(is_locally_best(&instance, &after), "seed {seed}");
            let weights: Vec<u64> = (0..instance.host_count() as u64).map(|h| h % 3).collect();
            let after = improve_by_weights(&instance, before.clone(), &weights, &|| false);
            assert!(sorted_loads(&after) <= sorted_loads(&before), "seed {seed}");
            assert!(is_locally_best(&instance, &after), "seed {seed}");
            let untouched = improve(&instance, before.clone(), &|| true);
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

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/hcsp-512x16")
}

/// A decimal with at most six places, in millionths.
fn micro(text: &str) -> Ticks {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    format!("{whole}{fraction:0<6}").parse().expect("decimal")
}

fn read_hcsp(name: &str) -> Instance {
    let text = std::fs::read_to_string(data().join(name)).expect("readable");
    let times: Vec<_> = text.lines().skip(1).map(|line| Some(micro(line))).collect();
    instance(times.chunks(16).map(<[_]>::to_vec).collect(), vec![])
}

#[test]
fn min_min_gives_the_published_makespans() {
    let Ok(table) = std::fs::read_to_string(data().join("best_known.csv")) else {
        eprintln!("skipped: no benchmark data");
        return;
    };
    let header: Vec<&str> = table.lines().next().expect("header").split(',').collect();
    let column = header.iter().position(|&c| c == "minmin_published").expect("column");
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let instance = read_hcsp(fields[0]);
        let start = Instant::now();
        let mapping = map("minmin", &instance);
        assert_eq!(mapping.makespan(), micro(fields[column]), "{}", fields[0]);
        let mapped = start.elapsed();
        let polished = improve(&instance, mapping, &|| false).makespan();
        let best = micro(fields[1]);
        assert!(polished >= best, "{} beats the best known", fields[0]);
        let gap = 100.0 * (polished - best) as f64 / best as f64;
        let both = start.elapsed();
        println!("{}: {mapped:?}, {both:?} polished, {gap:.3} % above best", fields[0]);
    }
}

fn weights(reason: Reason) -> Option<Vec<u64>> {
    match reason {
        Reason::Weights { weights } => Some(weights),
        _ => None,
    }
}

#[test]
fn weights_of_the_bound_give_good_mappings() {
    if !data().exists() {
        eprintln!("skipped: no benchmark data");
        return;
    }
    for kind in ["c", "i", "s"] {
        for spread in ["hihi", "hilo", "lohi", "lolo"] {
            let name = format!("u_{kind}_{spread}.0");
            let instance = read_hcsp(&name);
            let bound = lower_bound(&instance, &|| false);
            let weights = weights(bound.reason).expect("the linear bound is best here");
            let start = Instant::now();
            let mapping = map_by_weights(&instance, &weights, &|| false);
            let gap = mapping.makespan() as f64 / bound.value as f64 - 1.0;
            println!("{name}: {:?}, gap {:.3} %", start.elapsed(), 100.0 * gap);
            assert!(gap < 0.014, "{name}: {gap}");
        }
    }
}

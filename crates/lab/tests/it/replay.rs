//! Mappings in the simulator: exact to the tick on dedicated hosts, and within limits otherwise.

use gridsat_exact::solve::Solver;
use gridsat_heuristics::generate::{EtcClass, EtcSpec, generate};
use gridsat_heuristics::{Heuristic, Heuristics, OnLine};
use gridsat_lab::compare::{Condition, ERROR, Replay, Replayed};
use gridsat_model::{HostId, Instance, InstanceParts, Mapping, Ticks};
use gridsat_test_support::tiny;

const CLASSES: [&str; 16] = [
    "u_c_hihi",
    "u_c_hilo",
    "u_c_lohi",
    "u_c_lolo",
    "u_s_hihi",
    "u_s_hilo",
    "u_s_lohi",
    "u_s_lolo",
    "u_i_hihi",
    "u_i_hilo",
    "u_i_lohi",
    "u_i_lolo",
    "U1-100",
    "U1000-1100",
    "jobcorr",
    "maccorr",
];

/// Every class, with decimals, forbidden pairs and ready times in turn.
fn generated() -> impl Iterator<Item = Instance> {
    CLASSES.into_iter().zip(0..).flat_map(|(class, number)| {
        (0..3).map(move |turn| {
            let spec = EtcSpec {
                class: class.parse::<EtcClass>().expect("a class"),
                tasks: 7 + 9 * turn,
                hosts: 2 + 2 * turn,
                decimals: (number + turn as u32) % 4,
                forbidden_percent: [0, 30, 60][(turn + number as usize) % 3],
                ready_max: [0, 500, 20][(turn + number as usize / 3) % 3],
                qos: None,
                seed: u64::from(number),
            };
            generate(&spec).expect("valid")
        })
    })
}

/// The mapping of each heuristic, and the best of a short search.
fn mappings(instance: &Instance) -> Vec<(&'static str, Mapping)> {
    let heuristics = Heuristics::built_in();
    let mut all: Vec<_> = heuristics.iter().map(|h| (h.name(), h.map(instance))).collect();
    let mut solver = Solver::new().gap(0.01).time_limit(std::time::Duration::from_millis(500));
    all.push(("optimum", solver.solve(instance).expect("solved").mapping().clone()));
    all
}

/// Replays every mapping of the instances and passes it to the check.
fn each(
    instances: impl Iterator<Item = Instance>,
    condition: Condition,
    check: impl Fn(&Instance, &Mapping, Replayed) -> bool,
) {
    for instance in instances {
        let replay = Replay::new(&instance, OnLine::Mct.map(&instance).makespan());
        for (name, mapping) in mappings(&instance) {
            let case = format!("{name} on {}", instance.name());
            let run = replay.run(&mapping, condition).unwrap_or_else(|e| panic!("{case}: {e}"));
            let expected = (mapping.makespan(), mean_end(&instance, &mapping));
            assert!(check(&instance, &mapping, run), "{case}: {run:?}, static {expected:?}");
        }
    }
}

/// Mean completion time of the tasks, if those of a host run one after the other in order.
fn mean_end(instance: &Instance, mapping: &Mapping) -> f64 {
    let mut clock: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    let mut total = 0_u128;
    for task in instance.tasks() {
        let end = &mut clock[mapping.host(task).index()];
        *end += instance.time(task, mapping.host(task)).expect("possible");
        total += u128::from(*end);
    }
    total as f64 / instance.task_count() as f64
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * a.max(b).max(1.0)
}

#[test]
fn dedicated_hosts_need_exactly_the_makespan() {
    let exact = |instance: &Instance, mapping: &Mapping, run: Replayed| {
        run.makespan == mapping.makespan().as_f64()
            && near(run.mean_flow, mean_end(instance, mapping))
    };
    each(generated(), Condition::Dedicated, exact);
    each((0..100).map(tiny::instance), Condition::Dedicated, exact);
}

/// A PE is never idle while it has work, shared or not, so makespans are equal; completion times of
/// tasks may differ.
#[test]
fn sharing_changes_flow_times_only() {
    let same = |_: &Instance, mapping: &Mapping, run: Replayed| {
        near(run.makespan, mapping.makespan().as_f64())
    };
    each(generated(), Condition::Shared, same);
    each((0..100).map(tiny::instance), Condition::Shared, same);
}

/// 30 to 70 percent of a host are left, from its ready time on.
#[test]
fn local_load_makes_everything_longer() {
    let longer = |instance: &Instance, mapping: &Mapping, run: Replayed| {
        let own = mapping.makespan().as_f64();
        let work = own - instance.latest_ready().min(mapping.makespan()).as_f64();
        run.makespan >= own + work * 0.3 / 0.7 - 1e-6 * own
            && run.makespan <= own / 0.3 + 1e-6 * own
    };
    each(generated(), Condition::Loaded { seed: 5 }, longer);
}

#[test]
fn misjudged_times_stay_within_the_error() {
    let within = |_: &Instance, mapping: &Mapping, run: Replayed| {
        let own = mapping.makespan().as_f64();
        run.makespan >= own * (1.0 - ERROR) - 1e-6 * own
            && run.makespan <= own * (1.0 + ERROR) + 1e-6 * own
    };
    each(generated(), Condition::Misjudged { seed: 5 }, within);
}

fn by_hand(etc: Vec<Vec<Option<Ticks>>>, ready: Vec<Ticks>, hosts: &[u32]) -> (Instance, Mapping) {
    let parts = InstanceParts { etc, ready, ..InstanceParts::default() };
    let instance = Instance::new(parts).expect("valid");
    let hosts = hosts.iter().map(|&host| HostId(host)).collect();
    let mapping = Mapping::new(&instance, hosts).expect("valid");
    (instance, mapping)
}

/// Two tasks of 2 and 4 on a host ready at 1: one after the other they end at 3 and 7, shared at 5
/// and 7. An idle host that is ready at 9 determines the makespan.
#[test]
fn shared_and_not_by_hand() {
    let row = |time| vec![Some(time), None];
    let (instance, mapping) =
        by_hand(vec![row(Ticks(2)), row(Ticks(4))], vec![Ticks(1), Ticks(9)], &[0, 0]);
    let replay = Replay::new(&instance, Ticks(9));
    let run = |condition| replay.run(&mapping, condition).expect("replayed");
    assert_eq!(run(Condition::Dedicated), Replayed { makespan: 9.0, mean_flow: 5.0 });
    assert_eq!(run(Condition::Shared), Replayed { makespan: 9.0, mean_flow: 6.0 });
}

/// The same seed gives the same world: the load of a host and the error of a task do not depend on
/// the placement of other tasks, or on the tasks before them.
#[test]
fn all_mappings_meet_the_same_world() {
    let etc = vec![vec![Some(Ticks(1000)); 2]; 3];
    let worlds = [Condition::Loaded { seed: 3 }, Condition::Misjudged { seed: 3 }];
    for condition in worlds {
        let end = |hosts: &[u32]| {
            let (instance, mapping) = by_hand(etc.clone(), vec![Ticks(0), Ticks(10)], hosts);
            Replay::new(&instance, Ticks(2000)).run(&mapping, condition).expect("replayed").makespan
        };
        // Two tasks on host 0 determine the makespan; the third, on another host, comes before or
        // after.
        assert_eq!(end(&[0, 0, 1]), end(&[0, 0, 1]));
        let alone = by_hand(etc[..2].to_vec(), vec![Ticks(0), Ticks(10)], &[0, 0]);
        let alone = Replay::new(&alone.0, Ticks(2000)).run(&alone.1, condition).expect("replayed");
        assert_eq!(end(&[0, 0, 1]), alone.makespan, "{condition:?}");
    }
}

#[test]
fn seeds_make_a_difference() {
    let (instance, mapping) = by_hand(vec![vec![Some(Ticks(1000))]; 3], vec![], &[0, 0, 0]);
    let replay = Replay::new(&instance, Ticks(3000));
    for condition in [|seed| Condition::Loaded { seed }, |seed| Condition::Misjudged { seed }] {
        let makespan = |seed| replay.run(&mapping, condition(seed)).expect("replayed").makespan;
        assert_eq!(makespan(1), makespan(1));
        assert_ne!(makespan(1), makespan(2));
    }
}

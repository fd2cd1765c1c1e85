//! Searches as scheduling policies: a batch in the simulator ends when the search's mapping does.

use gridsat_exact::solve::Solver;
use gridsat_grid::{Summary, simulate};
use gridsat_heuristics::search::{self, Budget, NamedSearch};
use gridsat_model::{Instance, InstanceParts, Scale, Stop, Ticks};
use gridsat_scenario::{Changes, Scenario};
use gridsat_statistics::random;

use crate::optimal_policy::{instance, run, scenario};

fn seconds(summary: &Summary) -> f64 {
    summary.counts.makespan.0.as_f64() / summary.scale.ticks_per_unit().as_f64()
}

/// Tasks of 3, 3, 2, 2, 2 seconds on two equal hosts. Min-Min gives the short ones first: 2, 2 and
/// 3 on one host, which ends at 7. A swap of 3 and 2 between the hosts ends both at 6, the optimum.
#[test]
fn by_hand() {
    let instance = Instance::from_rows([[3, 3], [3, 3], [2, 2], [2, 2], [2, 2]]).expect("valid");
    let scenario = scenario(&instance, "[[scheduler]]\nevaluations = 5000\n");
    assert_eq!(seconds(&run(&scenario, "minmin")), 7.0);
    for entry in search::all().iter().filter(|entry| entry.name != "sa-braun") {
        let summary = run(&scenario, entry.name);
        assert_eq!(seconds(&summary), 6.0, "{}", entry.name);
        let (_, note) = &summary.notes[0];
        assert!(note.starts_with("1 batches, "), "{note}");
        assert!(note.ends_with("by the limit of 5000"), "{note}");
    }
}

/// Hosts a and b on one site, c on the other, as in the tests of the heuristics: between hosts task
/// 1 suffers most and gets a, between sites task 0 does.
#[test]
fn sufferage_on_sites_by_hand() {
    let text = "
        [[resource]]\nname = 'a'\nsite = 'x'\nmips = 1
        [[resource]]\nname = 'b'\nsite = 'x'\nmips = 1
        [[resource]]\nname = 'c'\nsite = 'y'\nmips = 1
        [etc]\nmatrix = [[4, 4, 9], [3, 6, 7]]\n";
    let scenario: Scenario = text.parse().expect("valid");
    for (policy, makespan) in [
        ("sufferage", 4.0),
        ("sufferage-rounds", 4.0),
        ("xsufferage", 6.0),
        ("xsufferage-passes", 6.0),
        // Swapped, the tasks end at 3 and 4.
        ("ls-xsufferage", 4.0),
    ] {
        assert_eq!(seconds(&run(&scenario, policy)), makespan, "{policy}");
    }
    // The start of a search knows the sites too: one evaluation improves nothing.
    let changes = Changes {
        policy: Some(scenario.policy("ls-xsufferage").expect("known")),
        evaluations: Some(1),
        ..Changes::default()
    };
    let summary = simulate(scenario.setup(&changes).expect("valid"), &mut ()).expect("runs");
    assert_eq!(seconds(&summary), 6.0);
}

/// The seed of a batch of the first scheduler.
fn seed(scenario: &Scenario, batch: u64) -> u64 {
    random::seed(random::seed(scenario.seed(), "scheduler", 0), "search/batch", batch)
}

fn found(entry: &NamedSearch, instance: &Instance, seed: u64, limit: u64) -> Ticks {
    let budget = Budget { evaluations: Some(limit), time: None };
    search::find(entry.search, instance, seed, budget, &Stop::never()).mapping.makespan()
}

/// The instance in ticks of the simulator; a search may round differently in seconds.
fn in_nanoseconds(instance: &Instance) -> Instance {
    let unit = Scale::new(9).expect("small").ticks_per_unit().0;
    let row = |task| {
        let time = |host| instance.time(task, host).map(|time| Ticks(time.0 * unit));
        instance.hosts().map(time).collect()
    };
    let etc = instance.tasks().map(row).collect();
    Instance::new(InstanceParts { etc, ..InstanceParts::default() }).expect("valid")
}

/// The slow twin is the search itself on the instance of the batch.
#[test]
fn a_batch_ends_when_the_mapping_of_the_search_does() {
    for case in 0..3 {
        let instance = instance(["U1-100", "jobcorr", "maccorr"][case as usize], case);
        let batch = in_nanoseconds(&instance);
        let optimum = Solver::new().solve(&batch).expect("solves").makespan().ticks();
        // In a scenario sites and levels of service are given, in an instance they follow from it.
        let is_other =
            |entry: &NamedSearch| ["xsuff", "qgmm"].iter().any(|s| entry.name.contains(s));
        for entry in search::named().filter(|entry| !is_other(entry)) {
            for limit in [1, 300] {
                let settings = format!("[[scheduler]]\nevaluations = {limit}\n");
                let scenario = scenario(&instance, &settings);
                let simulated = run(&scenario, entry.name).counts.makespan.0;
                let expected = found(&entry, &batch, seed(&scenario, 0), limit);
                assert_eq!(simulated, expected, "{}, case {case}", entry.name);
                assert!(expected >= optimum);
            }
        }
    }
}

#[test]
fn a_time_limit_sends_only_what_keeps_hosts_busy() {
    let instance = instance("U1-100", 3);
    let settings = "[[scheduler]]\npolicy = 'ig'\nmode = 'time-limit'\nwait = 5.0\n";
    let limited = scenario(&instance, settings);
    let limited = simulate(limited.setup(&Changes::default()).expect("valid"), &mut ());
    let limited = limited.expect("runs to its end");
    let whole = run(&scenario(&instance, ""), "ig");
    assert_eq!((limited.counts.finished, whole.counts.finished), (14, 14));
    assert!(limited.mean_jobs() < whole.mean_jobs());
    assert!(limited.decisions > whole.decisions);
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let instance = instance("U1-100", 9);
    let text = "[[scheduler]]\nwait = 5.0\nmode = 'time-limit'\nevaluations = 400\npolicy = 'ga'\n";
    let scenario = scenario(&instance, text);
    let with = |seed| {
        let changes = Changes { seed: Some(seed), ..Changes::default() };
        simulate(scenario.setup(&changes).expect("valid"), &mut ()).expect("runs to its end")
    };
    assert_eq!(with(1), with(1));
    let makespans: Vec<_> = (1..9).map(|seed| with(seed).counts.makespan).collect();
    assert!(makespans.iter().any(|&makespan| makespan != makespans[0]), "{makespans:?}");
}

//! The optimum as a scheduling policy: batches in the simulator have the makespan that the solver
//! gives.

use gridsat_exact::solve::Solver;
use gridsat_grid::{Summary, simulate};
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_model::{Instance, Scale};
use gridsat_scenario::{Changes, Scenario, Syntax};

/// All tasks arrive at time 0 on dedicated hosts.
pub fn scenario(instance: &Instance, extra: &str) -> Scenario {
    on("mips = 1\n", instance, extra)
}

/// The same, on one resource with these keys per host.
fn on(resource: &str, instance: &Instance, extra: &str) -> Scenario {
    let hosts = format!("[[resource]]\n{resource}").repeat(instance.host_count());
    let row = |task| {
        let time = |host| instance.time(task, host).map_or("\"inf\"".to_owned(), |t| t.to_string());
        let times: Vec<String> = instance.hosts().map(time).collect();
        format!("[{}]", times.join(", "))
    };
    let rows: Vec<String> = instance.tasks().map(row).collect();
    let text = format!("{hosts}[etc]\nmatrix = [{}]\n{extra}", rows.join(", "));
    Scenario::parse(&text, Syntax::Toml, "test.toml", std::path::Path::new(".")).expect("valid")
}

pub fn run(scenario: &Scenario, policy: &str) -> Summary {
    let policy = Some(scenario.policy(policy).expect("known"));
    let changes = Changes { policy, ..Changes::default() };
    simulate(scenario.setup(&changes).expect("valid"), &mut ()).expect("runs to its end")
}

pub fn instance(class: &str, seed: u64) -> Instance {
    let class = class.parse().expect("a class");
    let plain = EtcSpec::plain(class, 14, 4, seed);
    generate(&EtcSpec { forbidden_percent: 10, ..plain }).expect("valid")
}

fn optimum(instance: &Instance) -> u64 {
    Solver::new().solve(instance).expect("solves").makespan().ticks().0
}

#[test]
fn a_batch_ends_at_the_optimum() {
    for class in ["U1-100", "jobcorr", "maccorr"] {
        for seed in 0..6 {
            let instance = instance(class, seed);
            let scenario = scenario(&instance, "[[scheduler]]\ngap = 0.0\ntime_limit = 60.0\n");
            let summary = run(&scenario, "sat");
            let unit = Scale::new(9).expect("small").ticks_per_unit();
            assert_eq!(
                summary.counts.makespan.0,
                optimum(&instance) * unit,
                "{class}, seed {seed}"
            );
            let (_, note) = &summary.notes[0];
            assert_eq!(note, "1 of 1 batches proven optimal, largest gap 0.000 %");
        }
    }
}

#[test]
fn a_time_limit_sends_only_what_keeps_hosts_busy() {
    let instance = instance("U1-100", 3);
    let settings = "[[scheduler]]\nwait = 5.0\ngap = 0.0\ntime_limit = 60.0\n";
    let scenario = scenario(&instance, settings);
    let (whole, limited) = (run(&scenario, "sat"), run(&scenario, "tlsat"));
    assert_eq!(limited.counts.finished, 14);
    assert!(limited.mean_jobs() < whole.mean_jobs(), "{} jobs at a host", limited.mean_jobs());
    assert!(limited.counts.makespan >= whole.counts.makespan);
}

#[test]
fn two_runs_are_the_same() {
    let scenario =
        scenario(&instance("U1-100", 9), "[[scheduler]]\nwait = 5.0\ntime_limit = 60.0\n");
    assert_eq!(run(&scenario, "tlsat"), run(&scenario, "tlsat"));
}

fn shared(instance: &Instance, policy: &str, pes: u32) -> Scenario {
    let resource = format!("mips = 1\npes = {pes}\npolicy = '{policy}'\n");
    on(&resource, instance, "[[scheduler]]\ngap = 0\n")
}

/// Sharing one PE changes no sum of times, so the batch problem is exact for the last job; ends are
/// rounded up to a tick each.
#[test]
fn a_batch_on_time_shared_pes_ends_at_the_optimum() {
    for policy in ["time-shared", "time-shared-gsim"] {
        for seed in 0..4 {
            let instance = instance("U1-100", seed);
            let summary = run(&shared(&instance, policy, 1), "sat");
            let unit = summary.scale.ticks_per_unit().0;
            let late = summary.counts.makespan.0.0 - optimum(&instance) * unit;
            assert!(late <= 14, "{policy}, seed {seed}: {late} ticks late");
        }
    }
}

/// With several PEs it is not: three jobs of 2 s on two PEs take 4 s undivided, and 3 s shared. The
/// batch is proven optimal all the same, as the instance it is.
#[test]
fn several_time_shared_pes_are_treated_as_space_shared() {
    let three = Instance::from_rows([[2], [2], [2]]).expect("valid");
    for (policy, expected) in
        [("space-shared", 4.0), ("time-shared", 3.0), ("time-shared-gsim", 3.0)]
    {
        let summary = run(&shared(&three, policy, 2), "sat");
        let makespan = summary.counts.makespan.0.as_f64() / 1e9;
        assert!((makespan - expected).abs() < 1e-8, "{policy}: {makespan}");
        assert_eq!(summary.all_proofs().and_then(|proofs| proofs.share()), Some(1.0));
    }
}

/// What is called proven has an accepted certificate, and what has none has a gap.
#[test]
fn batches_are_proven_by_certificates_or_not_at_all() {
    // No division of five tasks of 3 ends before 9; sums alone show 8.
    let instance = Instance::from_rows([[3, 3]; 5]).expect("valid");
    for gap in ["0.0", "1.0"] {
        let scenario = scenario(&instance, &format!("[[scheduler]]\ngap = {gap}\n"));
        let summary = run(&scenario, "sat");
        let proofs = summary.all_proofs().expect("sat proves");
        assert_eq!(proofs.batches, 1);
        assert_eq!(proofs.proven == 1, proofs.largest_gap == 0.0, "{proofs:?}");
        assert!(gap != "0.0" || proofs.proven == 1, "{proofs:?}");
        assert_eq!(summary.counts.makespan.0.as_f64(), 9e9);
    }
}

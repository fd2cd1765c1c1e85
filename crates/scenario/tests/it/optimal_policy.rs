//! The optimum as a scheduling policy: batches in the simulator have the makespan that the solver
//! gives.

use gridsat_exact::solve::Solver;
use gridsat_grid::{Summary, simulate};
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_model::{Instance, Scale};
use gridsat_scenario::{Changes, Scenario, Syntax};

/// All tasks arrive at time 0 on dedicated hosts.
pub fn scenario(instance: &Instance, extra: &str) -> Scenario {
    let hosts = "[[resource]]\n".repeat(instance.host_count()).replace("]]\n", "]]\nmips = 1\n");
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

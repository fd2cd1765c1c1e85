//! A heuristic of one's own, in the whole of gridsat: copy this folder, change `assign`, and run
//!
//! ```sh
//! cargo run --release --example own_heuristic -- map instances/braun-demo.json -a kpb,mct,minmin
//! cargo run --release --example own_heuristic -- compare instances/braun-demo.json
//! cargo run --release --example own_heuristic -- simulate instances/scenarios/gsim-base.toml --policy kpb
//! cargo run --release --example own_heuristic -- bench -a kpb,mct,minmin
//! ```
//!
//! The one here is k-percent best (Maheswaran et al. 1999): each task, as it comes, goes to the host that
//! completes it first among the k percent of hosts on which it runs fastest. With k = 100 this is MCT, with
//! one host MET.

#[path = "../../src/cli/mod.rs"]
mod cli;

use std::process::ExitCode;

use gridsat_heuristics::{self as heuristics, Heuristic, Problem};
use gridsat_model::{HostId, TaskId, Ticks};

/// K-percent best.
struct KPercentBest {
    percent: usize,
}

impl Heuristic for KPercentBest {
    fn name(&self) -> &'static str {
        "kpb"
    }

    fn title(&self) -> &'static str {
        "K-percent best"
    }

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        // Hosts know when they would complete something; what they are given changes that.
        let mut hosts = problem.hosts.clone();
        let mut assigned = Vec::new();
        for task in problem.instance.tasks() {
            let is_busy = |until| hosts.iter().all(|host| host.delay() > until);
            if problem.until.is_some_and(is_busy) {
                break;
            }
            let mut times: Vec<(Ticks, HostId)> =
                problem.instance.times(task).map(|(host, time)| (time, host)).collect();
            times.sort_unstable();
            times.truncate((times.len() * self.percent).div_ceil(100).max(1));
            let completions = times
                .iter()
                .map(|&(time, host)| (hosts[host.index()].completion(time), host, time));
            // A host that is down never completes anything.
            let Some((_, host, time)) = completions.min().filter(|best| best.0 < Ticks::MAX) else {
                continue;
            };
            hosts[host.index()].assign(time);
            assigned.push((task, host));
        }
        assigned
    }
}

static OWN: KPercentBest = KPercentBest { percent: 20 };

fn main() -> ExitCode {
    match heuristics::add(&[&OWN]) {
        Ok(()) => cli::run().into(),
        Err(error) => {
            eprintln!("own_heuristic: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gridsat_grid::simulate;
    use gridsat_heuristics::generate::{EtcClass, EtcSpec, generate};
    use gridsat_scenario::{Changes, Scenario, template};

    use super::*;

    /// One test, as the list can be made once.
    #[test]
    fn is_known_everywhere() {
        heuristics::add(&[&OWN]).expect("first");
        let found = heuristics::by_name("kpb").expect("added");
        let class: EtcClass = "u_i_hihi".parse().expect("a class");
        for seed in 0..20 {
            let (tasks, hosts, decimals, forbidden_percent, ready_max) = (40, 6, 0, 10, 100);
            let spec =
                EtcSpec { class, tasks, hosts, decimals, forbidden_percent, ready_max, seed };
            let instance = generate(&spec).expect("a small instance");
            let all = KPercentBest { percent: 100 }.map(&instance);
            assert_eq!(all.makespan(), heuristics::Mct.map(&instance).makespan(), "seed {seed}");
            assert!(found.map(&instance).makespan() > Ticks(0));
        }
        let text = template("gsim-base").expect("a template").text;
        let scenario = Scenario::parse(text, gridsat_scenario::Syntax::Toml, "x", Path::new(""));
        let scenario = scenario.expect("a good template");
        let policy = Some(scenario.policy("kpb").expect("known"));
        let changes = Changes { policy, ..Changes::default() };
        let setup = scenario.setup(&changes).expect("possible");
        assert_eq!(simulate(setup, &mut ()).expect("it runs").counts.finished, 1000);
    }
}

//! Adds a mapping heuristic, compares it with the built-in ones and the optimum, and uses it as a
//! scheduling policy. Replace the body of `assign` with your own rule, then run
//!
//! ```sh
//! cargo run --release -- instance.json     # default: a matrix of 5 tasks and 4 hosts
//! ```
//!
//! The heuristic here is k-percent best (Maheswaran et al. 1999): each task, in order of arrival,
//! goes to the host that completes it first among the k percent of hosts on which it runs fastest.
//! With k = 100 this is MCT; with a single host left it is MET.

use std::error::Error;

use gridsat::heuristics::{Heuristic, Heuristics, HostId, Problem, TaskId, Ticks};
use gridsat::simulate::Changes;
use gridsat::{Instance, Policy, Scenario};

/// K-percent best; `percent` is k, from 1 to 100.
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
        // A host knows when it would complete a task; `assign` updates that.
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

static OWN: KPercentBest = KPercentBest { percent: 40 };

/// A hundred users, one every 100 seconds on average, with ten jobs each.
const SCENARIO: &str = r#"
[[resource]]
name = "fast"
count = 2
mips = 500

[[resource]]
name = "slow"
count = 4
mips = 200

[[users]]
count = 100
gap = 100.0
applications = 1
tasks = 10
size = { uniform = [10000, 20000] }

[[scheduler]]
policy = "mct"
wait = 10.0
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let instance = match std::env::args().nth(1) {
        Some(path) => Instance::read(path)?,
        None => Instance::from_rows([
            [13, 21, 34, 8],
            [18, 11, 29, 30],
            [24, 17, 12, 20],
            [9, 26, 31, 15],
            [16, 14, 22, 27],
        ])?,
    };
    let optimum = gridsat::solve(&instance)?;
    println!("{:40} {:>8}", "optimum", optimum.makespan());
    for heuristic in Heuristics::built_in().with(&OWN).iter() {
        let makespan = instance.scale().display(heuristic.map(&instance).makespan());
        println!("{:40} {makespan:>8}", heuristic.title());
    }
    let scenario: Scenario = SCENARIO.parse()?;
    let run = scenario.run(&Changes::policy(Policy::of(&OWN)))?;
    println!("{} jobs in {} s", run.jobs.len(), run.makespan());
    Ok(())
}

//! Adds a scheduling policy to the grid simulator and compares it with two built-in ones. Replace
//! the body of `decide` with your own rule, then run
//!
//! ```sh
//! cargo run --release -- grid.toml     # default: the template gsim-base
//! ```
//!
//! The policy here sends each job to the resource with the fewest jobs, regardless of its speed.

use std::error::Error;

use gridsat::simulate::{Assignment, Changes, Mapper, MapperError, View, When, template};
use gridsat::{Policy, Scenario};

/// Sends each job to the resource that has the fewest jobs when it decides.
struct FewestJobs;

impl Mapper for FewestJobs {
    fn name(&self) -> String {
        "fewest-jobs".to_owned()
    }

    /// Assigns jobs of the view to hosts of the view. A job without an assignment waits for the
    /// next decision. A job cannot run on a host for which `View::time` is `None`.
    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let jobs_at = |host| view.host(host).map_or(0, |host| host.jobs);
        let mut jobs: Vec<u32> = view.hosts().map(jobs_at).collect();
        let mut assignments = Vec::new();
        for job in view.jobs() {
            let possible = view.hosts().filter(|&host| view.time(job, host).is_some());
            if let Some(host) = possible.min_by_key(|host| jobs[host.index()]) {
                jobs[host.index()] += 1;
                assignments.push(Assignment { job, host });
            }
        }
        Ok(assignments)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let scenario = match std::env::args().nth(1) {
        Some(path) => Scenario::read(path)?,
        None => template("gsim-base").ok_or("no such template")?.text.parse()?,
    };
    let own = Policy::new("fewest-jobs", "Fewest jobs", When::OnLine, |_| Box::new(FewestJobs));
    for policy in [own, scenario.policy("mct")?, scenario.policy("minmin")?] {
        let run = scenario.run(&Changes::policy(policy.clone()))?;
        println!("{:20} makespan {} s", policy.title, run.makespan());
    }
    Ok(())
}

//! The simulated work, as scenarios.

use anyhow::{Context, Result};
use gridsat_grid::Setup;
use gridsat_scenario::{Changes, Scenario, template};

/// Jobs of 100,000 to 200,000 MI that arrive one by one at hosts of 100 to 1000 MIPS, at this
/// multiple of what the hosts can do.
pub fn arriving(policy: &str, jobs: usize, hosts: usize, load: f64) -> Result<Setup> {
    let gap = 150_000.0 / (load * 550.0 * hosts as f64);
    scenario(policy, hosts, &format!("count = {jobs}\ntasks = 1\ngap = {gap}"))
}

/// The same jobs, all at the start.
pub fn at_once(policy: &str, jobs: usize, hosts: usize) -> Result<Setup> {
    scenario(policy, hosts, &format!("count = 1\ngap = 1\ntasks = {jobs}"))
}

fn scenario(policy: &str, hosts: usize, users: &str) -> Result<Setup> {
    let text = format!(
        "seed = 2\n[[resource]]\ncount = {hosts}\nmips = {{ uniform = [100, 1000] }}\n\
         [[scheduler]]\npolicy = '{policy}'\nwait = 10\n\
         [[users]]\n{users}\nsize = {{ uniform = [100000, 200000] }}\n"
    );
    setup(&text, None)
}

/// Template gsim-base with as many users as have this many jobs together.
pub fn gsim_base(policy: &str, jobs: usize) -> Result<Setup> {
    let text = template("gsim-base").context("built in")?.text;
    let text = text.replacen("count = 100\n", &format!("count = {}\n", jobs / 10), 1);
    setup(&text, Some(policy))
}

/// Template wwg with this many users.
pub fn wwg(policy: &str, users: usize) -> Result<Setup> {
    let text = template("wwg").context("built in")?.text;
    setup(&text.replacen("count = 20 ", &format!("count = {users} "), 1), Some(policy))
}

fn setup(text: &str, policy: Option<&str>) -> Result<Setup> {
    let scenario: Scenario = text.parse()?;
    let policy = policy.map(|name| scenario.policy(name)).transpose()?;
    Ok(scenario.setup(&Changes { policy, ..Changes::default() })?)
}

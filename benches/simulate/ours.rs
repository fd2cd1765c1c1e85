//! The workloads in gridsat's grid simulator.

use anyhow::{Context, Result};
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, StopRules, World};
use gridsat_grid::allocation::{AllocationPolicy, Pes};
use gridsat_grid::{Mapper, OneByOne, ResourceSpec, Setup, Summary, simulate};
use gridsat_heuristics::OnLine;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::{Demand, JobSpec};

use super::round_robin::RoundRobin;
use super::work::{self, Jobs, TIMERS};

fn scale() -> Result<Scale> {
    Scale::new(9).context("nine decimals")
}

/// Timers: every event schedules the next one.
struct Timers {
    delays: Vec<Ticks>,
    next: usize,
    left: usize,
}

impl Timers {
    fn set(&mut self, engine: &mut Engine<()>) {
        let delay = self.delays[self.next % self.delays.len()];
        self.next += 1;
        engine.schedule(engine.now() + delay, ());
    }
}

impl World<()> for Timers {
    fn handle(&mut self, (): (), engine: &mut Engine<()>) {
        self.left -= 1;
        if self.left == 0 {
            engine.end();
        }
        self.set(engine);
    }
}

/// W1: when the last of this many events happens, in seconds.
pub fn timers(events: usize) -> f64 {
    let delays = work::delays().iter().map(|delay| Ticks((delay * 1e9).round() as u64)).collect();
    let mut timers = Timers { delays, next: 0, left: events };
    let mut engine = Engine::new(StopRules::default());
    (0..TIMERS).for_each(|_| timers.set(&mut engine));
    engine.run(&mut timers);
    engine.now().0.as_f64() / 1e9
}

/// W2 from a list of jobs.
pub fn arriving(work: &Jobs) -> Result<Summary> {
    let jobs = Box::new(work.one_by_one());
    run(&work.mips, jobs, AllocationPolicy::SpaceShared, 1, OneByOne(OnLine::Mct))
}

/// W2 with jobs generated when they arrive.
pub fn streaming(count: usize) -> Result<Summary> {
    let (mips, jobs) = work::stream();
    let jobs = Box::new(jobs.take(count));
    run(&mips, jobs, AllocationPolicy::SpaceShared, 1, OneByOne(OnLine::Mct))
}

/// W3 under an allocation policy.
pub fn at_once(work: &Jobs, policy: AllocationPolicy) -> Result<Summary> {
    let jobs = Box::new(work.one_by_one());
    run(&work.mips, jobs, policy, work::PES, RoundRobin::default())
}

fn run(
    mips: &[f64],
    jobs: Box<dyn Iterator<Item = (u64, f64)> + Send>,
    policy: AllocationPolicy,
    pes: u32,
    mapper: impl Mapper + 'static,
) -> Result<Summary> {
    let resource = |(index, &mips): (usize, &f64)| -> Result<ResourceSpec> {
        let pes = Pes::new(&[(pes, mips)])?;
        Ok(ResourceSpec { policy, ..ResourceSpec::new(format!("h{index}"), pes) })
    };
    let resources = mips.iter().enumerate().map(resource).collect::<Result<Vec<_>>>()?;
    let job = |(arrival, size): (u64, f64)| {
        JobSpec::new(Ticks(arrival * 1_000_000), Demand::Instructions(size))
    };
    let setup = Setup { scale: scale()?, seed: 1, ..Setup::new(resources, mapper, jobs.map(job)) };
    Ok(simulate(setup, &mut ())?)
}

/// Makespan and mean response in seconds.
pub fn check_values(summary: &Summary) -> (f64, f64) {
    let Time(makespan) = summary.counts.makespan;
    (makespan.as_f64() / 1e9, summary.counts.flow.mean() / 1e9)
}

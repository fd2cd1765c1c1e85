//! The work in our simulator.

use anyhow::{Context, Result};
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, StopRules, World};
use gridsat_grid::allocation::{Pes, Policy};
use gridsat_grid::economy::Money;
use gridsat_grid::load::{Average, LocalLoad};
use gridsat_grid::{
    Estimator, Grid, Group, Information, Mapper, Mode, OneByOne, ResourceId, ResourceSpec,
    SchedulerId, SchedulerSpec, Setup, SiteId, Summary, Target, simulate,
};
use gridsat_heuristics::OnLine;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::{Demand, JobSpec, Unit};

use super::round_robin::RoundRobin;
use super::work::{self, Jobs, TIMERS};

fn scale() -> Result<Scale> {
    Scale::new(9).context("nine decimals")
}

/// Every event sets the next one.
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

/// W1: when the last of so many events happens, in seconds.
pub fn timers(events: usize) -> f64 {
    let delays = work::delays().iter().map(|delay| Ticks((delay * 1e9).round() as u64)).collect();
    let mut timers = Timers { delays, next: 0, left: events };
    let mut engine = Engine::new(StopRules::default());
    (0..TIMERS).for_each(|_| timers.set(&mut engine));
    engine.run(&mut timers);
    engine.now().0.as_f64() / 1e9
}

/// W2.
pub fn arriving(work: &Jobs) -> Result<Summary> {
    let jobs = Box::new(work.jobs.clone().into_iter());
    run(&work.mips, jobs, Policy::SpaceShared, 1, Box::new(OneByOne(OnLine::Mct)))
}

/// W2 with jobs made as they arrive.
pub fn streaming(count: usize) -> Result<Summary> {
    let (mips, jobs) = work::stream();
    let jobs = Box::new(jobs.take(count));
    run(&mips, jobs, Policy::SpaceShared, 1, Box::new(OneByOne(OnLine::Mct)))
}

/// W3.
pub fn at_once(work: &Jobs, policy: Policy) -> Result<Summary> {
    let jobs = Box::new(work.jobs.clone().into_iter());
    run(&work.mips, jobs, policy, work::PES, Box::new(RoundRobin::default()))
}

fn run(
    mips: &[f64],
    jobs: Box<dyn Iterator<Item = (u64, f64)> + Send>,
    policy: Policy,
    pes: u32,
    mapper: Box<dyn Mapper>,
) -> Result<Summary> {
    let resource = |(index, &mips): (usize, &f64)| -> Result<ResourceSpec> {
        Ok(ResourceSpec {
            price: Money::ZERO,
            failures: None,
            registers: Time::ZERO,
            name: format!("h{index}"),
            site: SiteId(0),
            machine: 0,
            pes: Pes::new(&[(pes, mips)])?,
            serves: Unit::Instructions,
            policy,
            qos: 0,
            load: LocalLoad::new(Average::Constant(0), None, None)?,
        })
    };
    let resources = mips.iter().enumerate().map(resource).collect::<Result<Vec<_>>>()?;
    let targets = (0..resources.len() as u32).map(|id| Target::Resource(ResourceId(id)));
    let scheduler = SchedulerSpec {
        name: "main".to_owned(),
        mode: Mode::OnLine,
        mapper,
        estimator: Estimator::Auto,
        targets: targets.collect(),
    };
    let job = |(arrival, size): (u64, f64)| {
        JobSpec::new(Ticks(arrival * 1_000_000), Demand::Instructions(size))
    };
    let source = Box::new(jobs.map(job));
    let setup = Setup {
        grid: Grid { sites: vec!["grid".to_owned()], resources },
        schedulers: vec![scheduler],
        groups: vec![Group { source, schedulers: vec![SchedulerId(0)] }],
        information: Information::Immediate,
        data: None,
        contracts: Vec::new(),
        reservations: Vec::new(),
        commands: Vec::new(),
        stop: StopRules::default(),
        scale: scale()?,
        start: "2005-01-03".parse()?,
        seed: 1,
        timing: false,
    };
    Ok(simulate(setup, &mut ())?)
}

/// Makespan and mean response in seconds.
pub fn check_values(summary: &Summary) -> (f64, f64) {
    let Time(makespan) = summary.counts.makespan;
    (makespan.as_f64() / 1e9, summary.counts.flow.mean() / 1e9)
}

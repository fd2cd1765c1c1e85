//! `model` of `[jobs]`: jobs drawn exactly as by `gridsat generate workload`.
//!
//! A run time of 0 counts as one tick, as in a trace, so that a scenario and a generated trace with
//! the same seed have the same jobs.

use super::file;
use super::jobs::Arrival;
use super::words::one_of;
use crate::error::{At, Fault, ensure, given as given_of, quoted};
use crate::number::Number;
use gridsat_cluster::Terms;
use gridsat_engine::time::Time;
use gridsat_model::Scale;
use gridsat_model::Ticks;
use gridsat_workload::{
    Beosim, BeosimLaw, GridArrivals, GridJob, JobTypes, Lublin, ModelError, RigidJob, WangZhang,
    WangZhangParameters,
};

/// A model with its parameters.
#[derive(Clone, Debug)]
pub(super) enum Model {
    Lublin(Lublin),
    WangZhang(WangZhang),
    Beosim(Beosim),
}

/// Properties of the clusters that a model depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Largest size of a job in nodes, unless the file gives another.
    pub nodes: u32,
    pub clusters: usize,
}

impl Model {
    pub fn check(name: &str, given: &file::Jobs, room: Room, scale: Scale) -> Result<Self, Fault> {
        let model = match name {
            "lublin" => lublin(given, room)?,
            "wang-zhang" => wang_zhang(given, room)?,
            "beosim" => beosim(given, room)?,
            _ => {
                let known = "lublin, wang-zhang, beosim";
                return Err(Fault::new(format!("model is {}; known: {known}", quoted(name))));
            }
        };
        let others = [
            ("types", given.types.is_some() && name != "lublin"),
            ("arrivals", given.arrivals.is_some() && name != "wang-zhang"),
            ("nodes", given.nodes.is_some() && name == "wang-zhang"),
        ];
        if let Some(key) = given_of(&others) {
            return Err(Fault::new(format!("{key} is not for model \"{name}\"")));
        }
        drop(model.arrivals(0, scale)?);
        Ok(model)
    }

    /// Whether the model determines where jobs are submitted.
    pub fn has_partitions(&self) -> bool {
        matches!(self, Self::WangZhang(_))
    }

    /// Whether its jobs have deadlines and migration costs.
    pub fn has_terms(&self) -> bool {
        matches!(self, Self::WangZhang(_))
    }

    /// An endless stream of jobs.
    pub fn arrivals(
        &self,
        seed: u64,
        scale: Scale,
    ) -> Result<Box<dyn Iterator<Item = Arrival> + Send>, Fault> {
        let anywhere = |job: RigidJob| Arrival { job: timed(job), partition: None, terms: None };
        Ok(match self {
            Self::Lublin(model) => Box::new(model.jobs(seed, scale)?.map(anywhere)),
            Self::Beosim(model) => Box::new(model.jobs(seed, scale)?.map(anywhere)),
            Self::WangZhang(model) => {
                let somewhere =
                    |GridJob { job, scheduler, deadline, migration }: GridJob| Arrival {
                        job: timed(job),
                        partition: Some(scheduler + 1),
                        terms: Some(Terms {
                            deadline: Some(Time(deadline)),
                            migration,
                            reservation: None,
                        }),
                    };
                Box::new(model.jobs(seed, scale)?.map(somewhere))
            }
        })
    }
}

fn timed(job: RigidJob) -> RigidJob {
    let run = job.run.max(Ticks(1));
    RigidJob { run, estimate: if job.estimate == Ticks(0) { run } else { job.estimate }, ..job }
}

fn lublin(given: &file::Jobs, room: Room) -> Result<Model, Fault> {
    let types = [
        ("none", JobTypes::None),
        ("both", JobTypes::Both),
        ("batch", JobTypes::Batch),
        ("interactive", JobTypes::Interactive),
    ];
    let types = one_of("types", given.types.as_deref(), &types)?;
    let mut model = Lublin::new(types, given.nodes.unwrap_or(room.nodes));
    set_all(given, |name, value| model.set(name, value))?;
    Ok(Model::Lublin(model))
}

fn wang_zhang(given: &file::Jobs, room: Room) -> Result<Model, Fault> {
    let arrivals = [("gaps", GridArrivals::Gaps), ("daily", GridArrivals::Daily)];
    let arrivals = one_of("arrivals", given.arrivals.as_deref(), &arrivals)?;
    let mut parameters =
        WangZhangParameters { schedulers: room.clusters as f64, ..Default::default() };
    set_all(given, |name, value| parameters.set(name, value))?;
    ensure(parameters.schedulers <= room.clusters as f64, || {
        let clusters = room.clusters;
        format!("set: schedulers is {}, but there are {clusters} clusters", parameters.schedulers)
    })?;
    Ok(Model::WangZhang(WangZhang { parameters, arrivals }))
}

fn beosim(given: &file::Jobs, room: Room) -> Result<Model, Fault> {
    let mut model = Beosim::new(given.nodes.unwrap_or(room.nodes));
    for (name, number) in given.set.iter().flatten() {
        let law = match *number {
            Number::Uniform(low, high) => BeosimLaw::Uniform { low, high },
            Number::Exponential(mean) => BeosimLaw::Exponential { mean },
            _ => {
                let kinds = "{ uniform = [LOW, HIGH] } or { exponential = MEAN }";
                return Err(Fault::new(format!("set: {name} is not {kinds}")));
            }
        };
        model.set(name, law).at("set")?;
    }
    Ok(Model::Beosim(model))
}

fn set_all(
    given: &file::Jobs,
    mut set: impl FnMut(&str, f64) -> Result<(), ModelError>,
) -> Result<(), Fault> {
    for (name, number) in given.set.iter().flatten() {
        let Number::Plain(value) = *number else {
            return Err(Fault::new(format!("set: {name} is not a plain number")));
        };
        set(name, value).at("set")?;
    }
    Ok(())
}

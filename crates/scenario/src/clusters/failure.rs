//! `[cluster.failure]`, `[[failure]]` and `[recovery]`: nodes that fail, drawn or listed, and what
//! happens to their jobs.

use std::collections::VecDeque;

use rand_chacha::ChaCha8Rng;

use super::file;
use super::grid::Clusters;
use super::words::ticks;
use crate::error::{At, Fault, ensure, label, positive};
use gridsat_cluster::{ClusterId, Failures, OnFailure, Outage};
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::stream;
use gridsat_workload::Distribution;

/// All failures of a scenario.
#[derive(Clone, Debug)]
pub(super) struct FailureRules {
    /// In order of time.
    listed: Vec<Outage>,
    drawn: Vec<Drawn>,
    on_failure: OnFailure,
}

/// Random failures of one cluster, in seconds.
#[derive(Clone, Debug)]
struct Drawn {
    cluster: ClusterId,
    nodes: u32,
    fails: Distribution,
    restores: Distribution,
}

impl FailureRules {
    pub fn check(given: &file::File, clusters: &Clusters, scale: Scale) -> Result<Self, Fault> {
        let mut listed = Vec::new();
        for (index, one) in given.failure.iter().enumerate() {
            listed.push(outage(one, clusters, scale).at(label("failure", index, None))?);
        }
        listed.sort_by_key(|outage| outage.at);
        let (mut drawn, mut next) = (Vec::new(), 0);
        for (index, cluster) in given.cluster.iter().enumerate() {
            let copies = cluster.count.unwrap_or(1);
            if let Some(failure) = &cluster.failure {
                let label = label("cluster", index, cluster.name.as_deref());
                for copy in 0..copies {
                    let id = ClusterId(next + copy);
                    drawn.push(random(failure, id).at("failure").at(&label)?);
                }
            }
            next += copies;
        }
        Ok(Self { listed, drawn, on_failure: recovery(&given.recovery, scale).at("recovery")? })
    }

    /// The failures of one simulation, if there are any.
    pub fn build(&self, seed: u64, scale: Scale) -> Option<Failures> {
        if self.listed.is_empty() && self.drawn.is_empty() {
            return None;
        }
        let unit = scale.ticks_per_unit().as_f64();
        let stream = |rule: &Drawn| {
            let random = stream(seed, "clusters/outages", rule.cluster.0.into());
            let mut next = Next { rule: rule.clone(), random, unit, seconds: 0.0 };
            next.advance();
            next
        };
        let drawn = self.drawn.iter().map(stream).collect();
        let outages = Box::new(Merged { listed: self.listed.clone().into(), drawn });
        Some(Failures { outages, on_failure: self.on_failure, seed })
    }
}

fn outage(given: &file::Outage, clusters: &Clusters, scale: Scale) -> Result<Outage, Fault> {
    positive("nodes", given.nodes)?;
    let repair = ticks("repair", given.repair, scale)?;
    ensure(repair > Ticks(0), || format!("repair is {}, must be above 0", given.repair))?;
    Ok(Outage {
        at: Time(ticks("at", given.at, scale)?),
        cluster: clusters.chosen(given.cluster.as_deref())?,
        nodes: given.nodes,
        repair,
    })
}

fn random(given: &file::Failure, cluster: ClusterId) -> Result<Drawn, Fault> {
    let nodes = given.nodes.unwrap_or(1);
    positive("nodes", nodes)?;
    let (fails, restores) = (given.fails.positive("fails")?, given.restores.positive("restores")?);
    Ok(Drawn { cluster, nodes, fails, restores })
}

fn recovery(given: &file::Recovery, scale: Scale) -> Result<OnFailure, Fault> {
    let name = given.on_failure.as_deref().unwrap_or("restart");
    ensure(name == "checkpoint" || given.checkpoint.is_none(), || {
        Fault::only("checkpoint", "on_failure = \"checkpoint\"")
    })?;
    match name {
        "lost" => Ok(OnFailure::Lost),
        "restart" => Ok(OnFailure::Restart),
        "continue" => Ok(OnFailure::Continue),
        "checkpoint" => {
            let missing = "on_failure = \"checkpoint\" needs checkpoint, the seconds between two";
            let every = given.checkpoint.ok_or_else(|| Fault::new(missing))?;
            let every = ticks("checkpoint", every, scale)?;
            ensure(every > Ticks(0), || "checkpoint is 0, must be above 0")?;
            Ok(OnFailure::Checkpoint { every })
        }
        unknown => {
            let known = ["lost", "restart", "checkpoint", "continue"];
            Err(Fault::unknown("on_failure", unknown, known))
        }
    }
}

/// The random failures of one cluster, from the next on.
struct Next {
    rule: Drawn,
    random: ChaCha8Rng,
    /// Ticks of a second.
    unit: f64,
    /// Time of the next failure.
    seconds: f64,
}

impl Next {
    fn advance(&mut self) {
        self.seconds += self.rule.fails.sample(&mut self.random);
    }

    fn at(&self) -> Time {
        Time(Ticks::truncated(libm::round(self.seconds * self.unit)))
    }

    /// The next failure, after which the following is due.
    fn take(&mut self) -> Outage {
        let repair = self.rule.restores.sample(&mut self.random) * self.unit;
        let Drawn { cluster, nodes, .. } = self.rule;
        let repair = Ticks::truncated(libm::round(repair)).max(Ticks(1));
        let outage = Outage { at: self.at(), cluster, nodes, repair };
        self.advance();
        outage
    }
}

/// All failures in order of time; at equal times listed ones first, then by cluster.
struct Merged {
    listed: VecDeque<Outage>,
    drawn: Vec<Next>,
}

impl Iterator for Merged {
    type Item = Outage;

    fn next(&mut self) -> Option<Outage> {
        let drawn = self.drawn.iter_mut().min_by_key(|next| next.at());
        match (self.listed.front(), drawn) {
            (Some(listed), Some(drawn)) if drawn.at() < listed.at => Some(drawn.take()),
            (None, Some(drawn)) => Some(drawn.take()),
            _ => self.listed.pop_front(),
        }
    }
}

//! What reports need of a setup, copied before the simulation consumes it.
//!
//! Control characters in names become U+FFFD, so that no file can send them to a terminal.

use crate::allocation::AllocationPolicy;
use crate::data::{Breakage, Part};
use crate::economy::Terms;
use crate::{Mode, ResourceId, SchedulerId, Setup};
use gridsat_engine::time::Time;
use gridsat_model::text::{decimal, printable};
use gridsat_model::{Scale, Ticks};
use gridsat_workload::ContractId;

/// What reports need of a setup.
#[derive(Clone, Debug)]
pub struct Description {
    /// Name of the scenario.
    pub name: String,
    /// Seed of the random streams.
    pub seed: u64,
    /// Length of a tick in seconds.
    pub scale: Scale,
    /// The resources, in order.
    pub resources: Vec<ResourceFacts>,
    /// The schedulers, in order.
    pub schedulers: Vec<SchedulerFacts>,
    /// Names of the reservations, in order.
    pub reservations: Vec<String>,
    /// Deadlines and budgets of applications.
    pub contracts: Vec<Terms>,
    /// Names of the nodes of the network, if there is one.
    pub nodes: Vec<String>,
    /// Names of the files, if there are any.
    pub files: Vec<String>,
    /// Disks and links that can fail, each with its kind and name.
    pub parts: Vec<(&'static str, String)>,
}

/// What reports need of a resource.
#[derive(Clone, Debug)]
pub struct ResourceFacts {
    /// Name of the resource.
    pub name: String,
    /// Name of its site; empty if it has none.
    pub site: String,
    /// Number of PEs.
    pub pes: u32,
    /// Number of its first PE if the PEs of all resources are numbered consecutively.
    pub first_pe: u64,
    /// How it divides them among jobs.
    pub policy: AllocationPolicy,
}

/// What reports need of a scheduler.
#[derive(Clone, Debug)]
pub struct SchedulerFacts {
    /// Name of the scheduler.
    pub name: String,
    /// Name of its policy.
    pub policy: String,
    /// When it decides.
    pub mode: Mode,
}

impl Description {
    /// The description of a setup, with the name of its scenario.
    pub fn of(name: &str, setup: &Setup) -> Self {
        let mut first_pe = 0;
        let mut resources = Vec::with_capacity(setup.grid.resources.len());
        for spec in &setup.grid.resources {
            let (name, pes) = (printable(&spec.name), spec.pes.count());
            let site = setup.grid.sites.get(spec.site.0 as usize);
            let site = site.map_or_else(String::new, |site| printable(site));
            resources.push(ResourceFacts { name, site, pes, first_pe, policy: spec.policy });
            first_pe += u64::from(pes);
        }
        let schedulers = setup.schedulers.iter().map(|spec| SchedulerFacts {
            name: printable(&spec.name),
            policy: printable(&spec.policy),
            mode: spec.mode,
        });
        let data = setup.data.as_ref();
        let nodes = data.iter().flat_map(|data| &data.nodes);
        let files = data.iter().flat_map(|data| &data.files);
        let part = |one: &Breakage| match one.part {
            Part::Disk(_) => ("disk", printable(&one.name)),
            Part::Link(_) => ("link", printable(&one.name)),
        };
        let parts = data.iter().flat_map(|data| &data.breakages).map(part).collect();
        Self {
            parts,
            nodes: nodes.map(|name| printable(name)).collect(),
            files: files.map(|file| printable(&file.name)).collect(),
            name: printable(name),
            seed: setup.seed,
            scale: setup.scale,
            resources,
            schedulers: schedulers.collect(),
            contracts: setup.contracts.clone(),
            reservations: setup.reservations.iter().map(|spec| printable(&spec.name)).collect(),
        }
    }

    /// The facts of a resource.
    pub fn resource(&self, id: ResourceId) -> &ResourceFacts {
        &self.resources[id.index()]
    }

    /// The facts of a scheduler.
    pub fn scheduler(&self, id: SchedulerId) -> &SchedulerFacts {
        &self.schedulers[id.index()]
    }

    /// The policies of its schedulers with their modes, each once.
    pub fn policies(&self) -> String {
        let mut policies: Vec<String> = Vec::new();
        for scheduler in &self.schedulers {
            let policy = format!("{} {}", scheduler.policy, self.mode(scheduler.mode));
            if !policies.contains(&policy) {
                policies.push(policy);
            }
        }
        policies.join(", ")
    }

    /// A mode in words.
    pub fn mode(&self, mode: Mode) -> String {
        match mode {
            Mode::OnLine => "on-line".to_owned(),
            Mode::Batch(wait) => format!("batch {} s", self.seconds(wait)),
            Mode::Count(jobs) => format!("count {jobs}"),
            Mode::TimeLimit(wait) => format!("time-limit {} s", self.seconds(wait)),
            Mode::WhenFree => "when-free".to_owned(),
        }
    }

    /// A time in seconds, with all digits.
    pub fn time(&self, time: Time) -> String {
        self.seconds(time.0)
    }

    /// Ticks in seconds, with all digits.
    pub fn seconds(&self, ticks: Ticks) -> String {
        self.scale.display(ticks).to_string()
    }

    /// The exact number of seconds of a sum of times.
    pub fn sum_in_seconds(&self, ticks: u128) -> String {
        decimal(ticks, self.scale.decimals() as usize)
    }

    /// Deadline and budget of a contract; without one there are none.
    pub fn terms(&self, contract: Option<ContractId>) -> Terms {
        let found = contract.and_then(|contract| self.contracts.get(contract.index()));
        found.copied().unwrap_or_default()
    }
}

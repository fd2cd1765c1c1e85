//! What a grid consists of: sites, their resources, the resources' machines.
//!
//! A resource is what schedulers send jobs to. It has one queue and one allocation policy over the
//! PEs of all its machines. Schedulers that should choose between machines see each as a resource.

use super::allocation::{AllocationPolicy, Pes};
use super::economy::Money;
use super::failure::Failures;
use super::load::LocalLoad;
use gridsat_engine::time::Time;
use gridsat_workload::Unit;

gridsat_engine::id! {
    /// A resource, numbered from 0.
    ResourceId
}

gridsat_engine::id! {
    /// A site, numbered from 0.
    SiteId
}

/// One resource as described.
#[derive(Clone, Debug)]
pub struct ResourceSpec {
    /// For reports.
    pub name: String,
    /// Where it is.
    pub site: SiteId,
    /// The machine it is part of, numbered from 0: PEs and devices of one machine fail together and
    /// have one disk.
    pub machine: u32,
    /// Its PEs, machine by machine.
    pub pes: Pes,
    /// What they are for.
    pub serves: Unit,
    /// How they are divided among jobs.
    pub policy: AllocationPolicy,
    /// The QoS level it offers: jobs of this level and lower ones can run.
    pub qos: u32,
    /// What a PE-second costs.
    pub price: Money,
    /// What its owners use themselves.
    pub load: LocalLoad,
    /// When it fails, if it does.
    pub failures: Option<Failures>,
    /// When the information service hears of it. No jobs are sent there before.
    pub registers: Time,
}

impl ResourceSpec {
    /// A space-shared resource of machine 0 at site 0: for all jobs that need instructions, always
    /// up, free of charge and without local load. Other machine numbers matter where machines fail
    /// or hold data.
    pub fn new(name: impl Into<String>, pes: Pes) -> Self {
        Self {
            name: name.into(),
            site: SiteId(0),
            machine: 0,
            pes,
            serves: Unit::Instructions,
            policy: AllocationPolicy::SpaceShared,
            qos: 0,
            price: Money::ZERO,
            load: LocalLoad::default(),
            failures: None,
            registers: Time::ZERO,
        }
    }
}

/// Resources of one site.
impl From<Vec<ResourceSpec>> for Grid {
    fn from(resources: Vec<ResourceSpec>) -> Self {
        Self { sites: vec!["grid".to_owned()], resources }
    }
}

/// All resources.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Names of the sites.
    pub sites: Vec<String>,
    /// The resources, site by site or not.
    pub resources: Vec<ResourceSpec>,
}

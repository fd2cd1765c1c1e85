//! Description of a grid: sites, resources and their machines.
//!
//! A resource is the target to which schedulers send jobs. It has one queue and one allocation
//! policy over the PEs of all its machines. If schedulers should choose between machines, each must
//! be a resource.

use super::allocation::{AllocationPolicy, Pes};
use super::economy::Money;
use super::failure::Failures;
use super::load::LocalLoad;
use super::memory::MemorySpec;
use gridsat_engine::time::Time;
use gridsat_workload::Unit;

gridsat_engine::id! {
    /// Identifies a resource, numbered from 0.
    ResourceId
}

gridsat_engine::id! {
    /// Identifies a site, numbered from 0.
    SiteId
}

/// The I/O device of a machine, a resource of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// The resource.
    pub resource: ResourceId,
    /// Operations per second.
    pub rate: f64,
}

/// Description of a resource.
#[derive(Clone, Debug)]
pub struct ResourceSpec {
    /// Name for reports.
    pub name: String,
    /// The site it belongs to.
    pub site: SiteId,
    /// The machine it is part of, numbered from 0. PEs and devices of one machine fail together and
    /// share its storage and memory.
    pub machine: u32,
    /// Its PEs, machine by machine.
    pub pes: Pes,
    /// The kind of work they process.
    pub serves: Unit,
    /// How they are divided among jobs.
    pub policy: AllocationPolicy,
    /// The QoS level it offers: jobs of this level and lower ones can run.
    pub qos: u32,
    /// Price per PE-second.
    pub price: Money,
    /// Local load, by its owners.
    pub load: LocalLoad,
    /// The I/O device of its machine, if it has one and this is not it.
    pub device: Option<Device>,
    /// Memory of its machine; `None` is unlimited. Resources of one machine share it.
    pub memory: Option<MemorySpec>,
    /// Its failures, if it has any.
    pub failures: Option<Failures>,
    /// Time at which it registers with the information service. No jobs are sent to it before.
    pub registers: Time,
}

impl ResourceSpec {
    /// A space-shared resource of machine 0 at site 0, for all jobs that need instructions; always
    /// up, free of charge and without local load. Other machine numbers matter if machines fail,
    /// hold data or have limited memory.
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
            device: None,
            memory: None,
            failures: None,
            registers: Time::ZERO,
        }
    }
}

/// A grid of these resources at one site.
impl From<Vec<ResourceSpec>> for Grid {
    fn from(resources: Vec<ResourceSpec>) -> Self {
        Self { sites: vec!["grid".to_owned()], resources }
    }
}

/// All resources of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Names of the sites.
    pub sites: Vec<String>,
    /// The resources, in any order of sites.
    pub resources: Vec<ResourceSpec>,
}

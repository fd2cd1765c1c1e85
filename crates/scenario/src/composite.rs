//! Jobs that need more than an amount of work on one PE: `mi` with `io`, `pes`, `memory`; and
//! whether some resource can run them.
//!
//! One resource must have all that a job needs, so the conditions are applied one after the other
//! to the resources that are left; the message names the first that leaves none.

use super::error::{Fault, ensure, positive};
use super::grid::{ResourceEntry, Resources};
use super::possible::usable;
use super::schedulers::Schedulers;
use gridsat_grid::SchedulerId;
use gridsat_grid::allocation::AllocationPolicy;
use gridsat_workload::Unit;

/// What a job needs of a resource, at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wants {
    pub unit: Unit,
    pub qos: u32,
    /// I/O operations of a job that needs instructions; 0 for others.
    pub operations: f64,
    pub pes: u32,
    /// Bytes of memory.
    pub memory: u64,
}

/// The number of PEs of a job; only jobs with instructions may have several.
pub(super) fn pes(given: Option<u32>, unit: Unit, size_key: &str) -> Result<u32, Fault> {
    let pes = given.unwrap_or(1);
    positive("pes", pes)?;
    ensure(pes == 1 || unit == Unit::Instructions, || {
        format!("pes is {pes}, but a job without {size_key} uses no PEs")
    })?;
    Ok(pes)
}

impl Wants {
    /// Whether the job needs more than work of one unit on one PE.
    pub fn is_composite(&self) -> bool {
        self.memory > 0 || self.pes > 1 || self.operations > 0.0
    }

    /// Whether every resource that can run this job can run the other one.
    pub fn covers(&self, other: &Self) -> bool {
        self.unit == other.unit
            && self.qos >= other.qos
            && (self.operations > 0.0 || other.operations == 0.0)
            && self.pes >= other.pes
            && self.memory >= other.memory
    }

    /// Checks that a resource that the scheduler reaches can run the job.
    pub fn check(
        &self,
        label: &str,
        scheduler: SchedulerId,
        resources: &Resources,
        schedulers: &Schedulers,
    ) -> Result<(), Fault> {
        if !self.is_composite() {
            return Ok(());
        }
        let reached = usable(scheduler, resources, schedulers);
        let entries = resources.all().filter(|id| reached[id.index()]);
        let mut left: Vec<&ResourceEntry> = entries.map(|id| resources.entry(id)).collect();
        left.retain(|entry| entry.serves == self.unit && entry.qos >= self.qos);
        let of = schedulers.entry(scheduler).label();
        let Self { pes, memory, operations, .. } = *self;
        left.retain(|entry| pes == 1 || entry.sharing.has_wide_jobs() && entry.pes() >= pes);
        ensure(!left.is_empty(), || {
            let policies =
                AllocationPolicy::ALL.into_iter().filter(|policy| policy.has_wide_jobs());
            let policies: Vec<&str> = policies.map(AllocationPolicy::name).collect();
            format!(
                "{label}: needs {pes} PEs at once, but no resource that {of} reaches has them and \
                 one of the policies {}",
                policies.join(", ")
            )
        })?;
        left.retain(|entry| operations == 0.0 || entry.device.is_some());
        ensure(!left.is_empty(), || {
            format!(
                "{label}: needs instructions and io, but no resource that {of} reaches and that \
                 can run it has an I/O device (key io)"
            )
        })?;
        let most = |entry: &&ResourceEntry| entry.memory.as_ref().map_or(u64::MAX, |m| m.most);
        left.retain(|entry| most(entry) >= memory);
        ensure(!left.is_empty(), || {
            format!(
                "{label}: needs up to {memory} bytes of memory, more than any resource that {of} \
                 reaches and that can run it has"
            )
        })
    }
}

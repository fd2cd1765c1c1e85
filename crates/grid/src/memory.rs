//! Memory of machines, which jobs occupy while they run.
//!
//! A job that needs memory asks for it when its data have arrived, gets it before it is queued for
//! a PE, and keeps it until its run ends or it leaves the machine. Requests are served in order;
//! one that does not fit blocks those behind it. Halted, suspended and interrupted jobs that stay
//! keep theirs.
//!
//! First come, first served, it makes no difference whether a job gets its memory in the queue or
//! at its start: when a job can start, all before it have started, so what queued jobs hold is no
//! obstacle. Under time sharing there is no queue for PEs.
//!
//! Local load `p` of the owners leaves `⌊memory · (100 − p) / 100⌋`. If it rises, jobs keep what
//! they have, and none gets more until it fits.
//!
//! An active reservation sets memory aside: what its jobs do not use of it others cannot have. Its
//! jobs wait in a queue of their own, from their arrival until there is enough of it. When it ends,
//! those that have memory keep it, and those that wait join the end of the ordinary queue.
//!
//! Not modelled: swapping.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::allocation::JobId;
use super::grid::{Grid, ResourceId};
use super::load::LocalLoad;
use super::network::Bytes;
use gridsat_workload::ReservationId;

/// Memory of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySpec {
    /// Bytes that jobs and owners share.
    pub size: Bytes,
    /// How much of it its owners use.
    pub load: LocalLoad,
}

/// The memory of one machine during a simulation.
#[derive(Debug, Default)]
struct Memory {
    /// `None` is unlimited.
    size: Option<u64>,
    /// Local load in percent.
    percent: u8,
    used: u128,
    /// Jobs that wait for memory, in order.
    gate: VecDeque<(JobId, u64)>,
    /// Reservations that are active or have jobs here.
    shares: BTreeMap<ReservationId, Share>,
}

/// Memory of a reservation.
#[derive(Debug, Default)]
struct Share {
    /// `None` before it is active.
    size: Option<u64>,
    used: u128,
    /// Its jobs that wait for memory, in order.
    gate: VecDeque<(JobId, u64)>,
}

impl Share {
    fn left(&self) -> u128 {
        self.size.map_or(0, |size| u128::from(size).saturating_sub(self.used))
    }
}

impl Memory {
    /// Whether a job of a reservation, or an ordinary one, can have this much.
    fn has_room(&self, bytes: u64, of: Option<ReservationId>) -> bool {
        let bytes = u128::from(bytes);
        let left = |size: u64| u128::from(size) * u128::from(100 - self.percent) / 100;
        let others = self.shares.iter().filter(|(id, _)| Some(**id) != of);
        let set_aside: u128 = others.map(|(_, share)| share.left()).sum();
        let has_share = |id| self.shares.get(&id).is_some_and(|share| bytes <= share.left());
        of.is_none_or(has_share)
            && self.size.is_none_or(|size| self.used + bytes + set_aside <= left(size))
    }

    fn gate(&mut self, of: Option<ReservationId>) -> &mut VecDeque<(JobId, u64)> {
        match of {
            None => &mut self.gate,
            Some(id) => &mut self.shares.entry(id).or_default().gate,
        }
    }

    /// Gives memory to the first waiting job of a queue if it fits.
    fn admit(&mut self, of: Option<ReservationId>) -> Option<(JobId, u64)> {
        let &(job, bytes) = self.gate(of).front()?;
        if !self.has_room(bytes, of) {
            return None;
        }
        self.gate(of).pop_front();
        self.used += u128::from(bytes);
        if let Some(share) = of.and_then(|id| self.shares.get_mut(&id)) {
            share.used += u128::from(bytes);
        }
        Some((job, bytes))
    }
}

/// The memory of a job.
#[derive(Clone, Copy, Debug)]
struct Held {
    machine: usize,
    bytes: u64,
    /// The reservation whose memory it is, until that ends.
    of: Option<ReservationId>,
}

/// The memory of all machines.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// By number of the machine.
    machines: Vec<Memory>,
    /// What jobs have, and where.
    held: HashMap<JobId, Held>,
    /// The machine that gives no memory now, because it is failing.
    closed: Option<u32>,
}

impl Memories {
    /// `None` if no machine has a limit.
    pub fn new(grid: &Grid) -> Option<Box<Self>> {
        let mut all = Self::default();
        for spec in &grid.resources {
            let Some(memory) = &spec.memory else { continue };
            let machine = spec.machine as usize;
            if all.machines.len() <= machine {
                all.machines.resize_with(machine + 1, Memory::default);
            }
            all.machines[machine].size.get_or_insert(memory.size.0);
        }
        (!all.machines.is_empty()).then(|| Box::new(all))
    }

    /// Loads of the memories, each with the first resource of its machine.
    pub fn loads(grid: &Grid) -> Vec<(ResourceId, LocalLoad)> {
        let mut seen = Vec::new();
        let mut loads = Vec::new();
        for (number, spec) in (0..).zip(&grid.resources) {
            if let Some(memory) = &spec.memory
                && !seen.contains(&spec.machine)
                && memory.load != LocalLoad::default()
            {
                seen.push(spec.machine);
                loads.push((ResourceId(number), memory.load.clone()));
            }
        }
        loads
    }

    /// A job asks for memory, of a reservation or not; false if it has to wait for it.
    pub fn ask(&mut self, job: JobId, machine: u32, bytes: u64, of: Option<ReservationId>) -> bool {
        let Some(memory) = self.machines.get_mut(machine as usize) else { return true };
        let gate = memory.gate(of);
        gate.push_back((job, bytes));
        gate.len() == 1 && self.admit_of(machine, of).is_some()
    }

    /// A reservation has its memory from now on.
    pub fn begin_share(&mut self, id: ReservationId, machine: u32, size: Bytes) {
        if let Some(memory) = self.machines.get_mut(machine as usize) {
            memory.shares.entry(id).or_default().size = Some(size.0);
        }
    }

    /// A reservation has ended, or will never begin: its jobs become ordinary ones.
    pub fn end_share(&mut self, id: ReservationId, machine: u32) {
        let Some(memory) = self.machines.get_mut(machine as usize) else { return };
        let Some(share) = memory.shares.remove(&id) else { return };
        memory.gate.extend(share.gate);
        for held in self.held.values_mut().filter(|held| held.of == Some(id)) {
            held.of = None;
        }
    }

    /// Closes a machine while it is failing, or opens all.
    pub fn close(&mut self, machine: Option<u32>) {
        self.closed = machine;
    }

    /// Gives memory to the first waiting job of a queue that fits.
    pub fn admit(&mut self, machine: u32) -> Option<JobId> {
        let shares = self.machines.get(machine as usize)?.shares.keys();
        let all: Vec<_> = shares.copied().map(Some).chain([None]).collect();
        all.into_iter().find_map(|of| self.admit_of(machine, of))
    }

    fn admit_of(&mut self, machine: u32, of: Option<ReservationId>) -> Option<JobId> {
        if self.closed == Some(machine) {
            return None;
        }
        let (job, bytes) = self.machines.get_mut(machine as usize)?.admit(of)?;
        self.held.insert(job, Held { machine: machine as usize, bytes, of });
        Some(job)
    }

    /// Takes the memory of a job, or its request, at this machine. Others may fit now.
    pub fn release(&mut self, job: JobId, machine: u32) {
        if let Some(Held { machine, bytes, of }) = self.held.remove(&job) {
            let memory = &mut self.machines[machine];
            memory.used -= u128::from(bytes);
            if let Some(share) = of.and_then(|id| memory.shares.get_mut(&id)) {
                share.used -= u128::from(bytes);
            }
        } else if let Some(memory) = self.machines.get_mut(machine as usize) {
            memory.gate.retain(|&(other, _)| other != job);
            let gates = memory.shares.values_mut().map(|share| &mut share.gate);
            gates.for_each(|gate| gate.retain(|&(other, _)| other != job));
        }
    }

    /// Jobs that wait for memory of this machine, in order, those of reservations last.
    pub fn waiting_at(&self, machine: u32) -> Vec<JobId> {
        let Some(memory) = self.machines.get(machine as usize) else { return Vec::new() };
        let of_shares = memory.shares.values().flat_map(|share| &share.gate);
        memory.gate.iter().chain(of_shares).map(|&(job, _)| job).collect()
    }

    /// Sets the local load of a machine.
    pub fn set_load(&mut self, machine: u32, percent: u8) {
        if let Some(memory) = self.machines.get_mut(machine as usize) {
            memory.percent = percent.min(100);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn memories(size: u64) -> Memories {
        let memory = Memory { size: Some(size), ..Memory::default() };
        Memories { machines: vec![memory], ..Memories::default() }
    }

    #[test]
    fn one_that_does_not_fit_blocks_those_behind_it() {
        let mut all = memories(10);
        assert!(all.ask(JobId(0), 0, 6, None));
        assert!(!all.ask(JobId(1), 0, 5, None));
        assert!(!all.ask(JobId(2), 0, 1, None));
        assert_eq!((all.admit(0), all.waiting_at(0)), (None, vec![JobId(1), JobId(2)]));
        all.release(JobId(1), 0);
        assert_eq!((all.admit(0), all.admit(0)), (Some(JobId(2)), None));
        all.release(JobId(0), 0);
        assert_eq!(all.machines[0].used, 1);
        assert!(all.ask(JobId(3), 7, u64::MAX, None), "machine 7 has no limit");
    }

    #[test]
    fn owners_use_their_share_first() {
        let mut all = memories(11);
        all.set_load(0, 50);
        // 5.5 rounded down.
        assert!(all.ask(JobId(0), 0, 5, None) && !all.ask(JobId(1), 0, 1, None));
        all.set_load(0, 100);
        assert_eq!((all.admit(0), all.machines[0].used), (None, 5));
        all.set_load(0, 0);
        assert_eq!(all.admit(0), Some(JobId(1)));
    }

    #[test]
    fn what_is_set_aside_is_for_the_jobs_of_a_reservation() {
        let id = ReservationId::new(0).expect("a small number");
        let mut all = memories(10);
        assert!(all.ask(JobId(0), 0, 5, None));
        assert!(!all.ask(JobId(1), 0, 3, Some(id)), "it is not active yet");
        all.begin_share(id, 0, Bytes(6));
        // One of the six bytes is still used by others.
        assert_eq!((all.admit(0), all.ask(JobId(2), 0, 1, None)), (Some(JobId(1)), false));
        assert!(all.ask(JobId(3), 0, 2, Some(id)) && !all.ask(JobId(4), 0, 1, Some(id)));
        all.release(JobId(0), 0);
        // Five of ten are used, and one is set aside: for job 4, and four for others.
        assert_eq!((all.admit(0), all.admit(0)), (Some(JobId(4)), Some(JobId(2))));
        assert!(!all.ask(JobId(5), 0, 1, Some(id)) && all.ask(JobId(6), 0, 3, None));
        all.release(JobId(3), 0);
        assert_eq!((all.admit(0), all.admit(0)), (Some(JobId(5)), None));
        assert!(!all.ask(JobId(7), 0, 4, Some(id)) && !all.ask(JobId(8), 0, 1, None));
        all.end_share(id, 0);
        // Nine are used; the job of the reservation waits behind the ordinary one.
        assert_eq!((all.admit(0), all.waiting_at(0)), (Some(JobId(8)), vec![JobId(7)]));
        all.release(JobId(1), 0);
        all.release(JobId(6), 0);
        assert_eq!((all.admit(0), all.machines[0].used), (Some(JobId(7)), 8));
    }

    /// A list of requests in order, from whose head those that fit are taken.
    #[test]
    fn does_what_a_plain_list_does() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut all = memories(100);
        let mut list: Vec<(JobId, u64)> = Vec::new();
        let mut held: Vec<(JobId, u64)> = Vec::new();
        let mut open = 100;
        for step in 0..3000 {
            match random.random_range(0..4) {
                0 | 1 => {
                    let (job, bytes) = (JobId(step), random.random_range(0..60));
                    list.push((job, bytes));
                    let is_in = all.ask(job, 0, bytes, None);
                    assert_eq!(is_in, list.len() == 1 && fits(&held, bytes, open));
                    if is_in {
                        held.push(list.remove(0));
                    }
                }
                2 => {
                    let percent = random.random_range(0..=100_u8);
                    all.set_load(0, percent);
                    open = u64::from(100 - percent);
                }
                _ => {
                    let of = if random.random() { &mut list } else { &mut held };
                    if !of.is_empty() {
                        let place = random.random_range(0..of.len());
                        all.release(of.remove(place).0, 0);
                    }
                }
            }
            while list.first().is_some_and(|&(_, bytes)| fits(&held, bytes, open)) {
                assert_eq!(all.admit(0), Some(list[0].0), "step {step}");
                held.push(list.remove(0));
            }
            assert_eq!(all.admit(0), None, "step {step}");
        }
        assert!(!list.is_empty() && !held.is_empty());
    }

    fn fits(held: &[(JobId, u64)], bytes: u64, open: u64) -> bool {
        held.iter().map(|&(_, bytes)| bytes).sum::<u64>() + bytes <= open
    }
}

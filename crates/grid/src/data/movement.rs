//! Data transfers of jobs: admission, download and upload.
//!
//! It does not schedule events: transfers that begin, jobs whose data are complete, and jobs whose
//! results are home are collected here until the simulation fetches them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::super::allocation::JobId;
use super::super::grid::ResourceId;
use super::super::network::{Bytes, ChannelId, NodeId};
use super::super::summary::Moments;
use super::catalogue::Catalogue;
use super::store::Store;
use super::transfers::{Cargo, Flow, TransferId, Transfers};
use super::{Data, FileId, Needs, Part};
use gridsat_engine::time::Time;
use gridsat_engine::{EventId, Table};
use gridsat_model::Ticks;
use gridsat_workload::{DataId, ReservationId};

/// A job at a resource, from when it was sent there until its results are home.
#[derive(Debug)]
pub(super) struct Stay {
    needs: DataId,
    pub(super) at: NodeId,
    /// Whether it has been admitted.
    is_in: bool,
    /// Number of transfers that it waits for.
    missing: u32,
    /// Storage that it occupies in addition to files: for its output and its unnamed data.
    pub(super) held: u128,
    /// The transfer of its unnamed input.
    pub(super) input: Option<TransferId>,
    /// End of its run.
    ran_until: Time,
    /// Its reservation, until that ends.
    reservation: Option<Reserved>,
    /// What it takes of the storage of its reservation.
    share: u128,
}

/// What a reservation has for the data of its jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Reserved {
    pub id: ReservationId,
    /// Whether it has storage.
    pub has_storage: bool,
}

impl Reserved {
    /// The channel for transfers of its jobs, if it has one.
    pub fn channel(id: ReservationId) -> ChannelId {
        ChannelId(id.index() as u32)
    }
}

impl Stay {
    /// The reservation whose storage it uses.
    fn owner(&self) -> Option<ReservationId> {
        self.reservation.filter(|reserved| reserved.has_storage).map(|reserved| reserved.id)
    }
}

/// Statistics of data transfers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataSummary {
    /// Number of completed transfers.
    pub transfers: u64,
    /// Total number of bytes they carried.
    pub bytes: u128,
    /// Their durations.
    pub time: Moments,
    /// How long jobs with data waited at their resource until all data had arrived.
    pub staging: Moments,
}

/// All data transfers of a simulation.
pub(in super::super) struct Movement {
    pub(in super::super) transfers: Transfers,
    /// The machine of each resource.
    pub(super) machines: Table<ResourceId, NodeId>,
    pub(super) needs: Arc<[Needs]>,
    pub(super) catalogue: Catalogue,
    pub(super) stores: Table<NodeId, Store>,
    /// Whether jobs that are not admitted yet may wait for files to exist, because some storage is
    /// limited.
    is_limited: bool,
    pub(super) entries: HashMap<JobId, Stay>,
    /// Jobs whose data are complete.
    ready: VecDeque<JobId>,
    /// Jobs whose results are all home.
    done: VecDeque<(JobId, Time)>,
    summary: DataSummary,
}

impl Movement {
    pub fn new(data: Data, machines: Table<ResourceId, NodeId>) -> Self {
        let mut stores: Table<NodeId, Store> = data.storage.into_iter().map(Store::new).collect();
        for (number, file) in data.files.iter().enumerate() {
            for holder in &file.holders {
                if let Some(store) = stores.get_mut(*holder) {
                    store.add(FileId(number as u32), file.size, None).is_original = true;
                }
            }
        }
        let mut network = data.network;
        if data.breakages.iter().any(|one| matches!(one.part, Part::Link(_))) {
            network.let_links_fail();
        }
        Self {
            transfers: Transfers::new(network),
            machines,
            needs: data.needs.into(),
            catalogue: Catalogue::new(&data.files),
            is_limited: stores.iter().any(Store::is_limited),
            stores,
            entries: HashMap::new(),
            ready: VecDeque::new(),
            done: VecDeque::new(),
            summary: DataSummary::default(),
        }
    }

    pub(super) fn total<'a>(&self, files: impl Iterator<Item = &'a FileId>) -> u128 {
        files.map(|&file| u128::from(self.catalogue.size(file).0)).sum()
    }

    /// Storage for a job's output and its unnamed data.
    pub(super) fn own_room(&self, needs: &Needs) -> u128 {
        self.total(needs.outputs.iter()) + u128::from(needs.input.0) + u128::from(needs.output.0)
    }

    /// The channel of a job's reservation; the network knows whether there is one.
    pub(super) fn channel(&self, job: JobId) -> Option<ChannelId> {
        let reservation = self.entries.get(&job).and_then(|entry| entry.reservation);
        reservation.map(|reserved| Reserved::channel(reserved.id))
    }

    /// A reservation has its storage at a resource from now on.
    pub fn begin_share(&mut self, id: ReservationId, at: ResourceId, size: Bytes, now: Time) {
        let at = self.machines[at];
        self.stores[at].open_share(id, size);
        self.open(at, now);
    }

    /// A reservation at a resource has ended, or will never begin: its jobs become ordinary ones.
    pub fn end_reservation(&mut self, id: ReservationId, at: ResourceId, now: Time) {
        let at = self.machines[at];
        self.stores[at].close_share(id);
        for entry in self.entries.values_mut() {
            if entry.reservation.is_some_and(|reserved| reserved.id == id) {
                (entry.reservation, entry.share) = (None, 0);
            }
        }
        self.open(at, now);
    }

    /// A job was sent to a resource.
    pub fn enter(
        &mut self,
        job: JobId,
        needs: DataId,
        at: ResourceId,
        reservation: Option<Reserved>,
        now: Time,
    ) {
        let at = self.machines[at];
        let entry = Stay {
            needs,
            at,
            is_in: false,
            missing: 0,
            held: 0,
            input: None,
            ran_until: Time::NEVER,
            reservation,
            share: 0,
        };
        self.entries.insert(job, entry);
        self.stores[at].gate.push_back(job);
        self.open(at, now);
    }

    /// Admits waiting jobs in order until one does not fit; those of each reservation with storage
    /// separately. Jobs whose files do not exist yet are passed over.
    pub(super) fn open(&mut self, at: NodeId, now: Time) {
        let waiting = std::mem::take(&mut self.stores[at].gate);
        let is_down = self.stores[at].is_down;
        let mut full: Vec<Option<ReservationId>> = Vec::new();
        for job in waiting {
            let owner = self.entries[&job].owner();
            if is_down || full.contains(&owner) || !self.exist(job) {
                self.stores[at].gate.push_back(job);
            } else if !self.let_in(job, at, now) {
                full.push(owner);
                self.stores[at].gate.push_back(job);
            }
        }
    }

    /// Whether all files that the job needs exist, if that is required.
    fn exist(&self, job: JobId) -> bool {
        let entry = &self.entries[&job];
        let mut inputs = self.needs[entry.needs.index()].inputs.iter();
        !self.stores[entry.at].is_limited() || inputs.all(|&file| self.catalogue.exists(file))
    }

    /// Makes room and requests missing files; false, without any change, if there is not enough
    /// room.
    fn let_in(&mut self, job: JobId, at: NodeId, now: Time) -> bool {
        let all = Arc::clone(&self.needs);
        let needs = &all[self.entries[&job].needs.index()];
        let is_absent = |file: &&FileId| self.stores[at].get(**file).is_none();
        let coming = self.total(needs.inputs.iter().filter(is_absent));
        let held = self.own_room(needs);
        let owner = self.entries[&job].owner();
        let store = &mut self.stores[at];
        let catalogue = &self.catalogue;
        let has_other = |file| catalogue.has_several(file);
        let Some(going) = store.make_room(coming + held, owner, &needs.inputs, has_other) else {
            return false;
        };
        store.take(held);
        let share = owner.map_or(0, |id| {
            store.take_share(id, coming + held);
            coming + held
        });
        store.staging.push(job);
        going.iter().for_each(|&file| self.catalogue.remove(file, at));
        let entry = self.entry(job);
        (entry.is_in, entry.held, entry.share) = (true, held, share);
        for &file in &needs.inputs {
            self.request(file, job, at, now);
        }
        if let (Some(home), true) = (needs.home, needs.input.0 > 0) {
            self.await_one_more(job);
            let (channel, cargo) = (self.channel(job), Cargo::Input(job));
            let id = self.transfers.start([home, at], channel, needs.input, cargo, now);
            self.entry(job).input = id;
        }
        if self.entries[&job].missing == 0 {
            self.make_ready(job);
        }
        true
    }

    fn request(&mut self, file: FileId, job: JobId, at: NodeId, now: Time) {
        let store = &mut self.stores[at];
        match store.get_mut(file).map(|copy| &mut copy.awaited_by) {
            Some(None) => return store.hold(file),
            Some(Some(awaited_by)) => {
                awaited_by.push(job);
                store.hold(file);
            }
            None => {
                store.add(file, self.catalogue.size(file), Some(vec![job]));
                store.hold(file);
                if self.catalogue.exists(file) {
                    self.download(file, self.channel(job), at, now);
                } else {
                    self.catalogue.want(file, at);
                }
            }
        }
        self.await_one_more(job);
    }

    fn await_one_more(&mut self, job: JobId) {
        self.entry(job).missing += 1;
    }

    pub(super) fn download(
        &mut self,
        file: FileId,
        channel: Option<ChannelId>,
        at: NodeId,
        now: Time,
    ) {
        let best = self.catalogue.best_holder(file, channel, at, &*self.transfers.network);
        // Without a route, starting the transfer reports the error.
        let from = best.map_or(NodeId(u32::MAX), |(from, _)| from);
        let size = self.catalogue.size(file);
        self.transfers.start([from, at], channel, size, Cargo::File(file), now);
    }

    /// The next job whose data are complete.
    pub fn take_ready(&mut self) -> Option<JobId> {
        self.ready.pop_front()
    }

    /// The next job whose results are all home, and the end of its run.
    pub fn take_done(&mut self) -> Option<(JobId, Time)> {
        self.done.pop_front()
    }

    /// Completes a transfer.
    pub fn arrive(&mut self, id: TransferId, now: Time) -> Flow {
        let (flow, cargo, since) = self.transfers.end(id);
        self.summary.transfers += 1;
        self.summary.bytes += u128::from(flow.size.0);
        self.summary.time.add(now - since);
        match cargo {
            Cargo::File(file) => {
                self.be_there(file, flow.to);
                self.appear(file, flow.to, now);
            }
            Cargo::Input(job) => {
                self.entry(job).input = None;
                self.count_down(job);
            }
            Cargo::Output(job, file) => {
                match file {
                    Some(file) => {
                        self.stores[flow.from].release(file);
                        self.appear(file, flow.to, now);
                    }
                    None => self.stores[flow.from].give_back(u128::from(flow.size.0)),
                }
                self.count_down_home(job);
                self.open(flow.from, now);
            }
        }
        flow
    }

    pub(super) fn entry(&mut self, job: JobId) -> &mut Stay {
        self.entries.get_mut(&job).expect("jobs stay until they are released or have run")
    }

    /// The file is stored: notifies the jobs that wait for it there.
    fn be_there(&mut self, file: FileId, at: NodeId) {
        let copy = self.stores[at].get_mut(file);
        let awaited_by = copy.and_then(|copy| copy.awaited_by.take());
        awaited_by.into_iter().flatten().for_each(|job| self.count_down(job));
    }

    fn count_down(&mut self, job: JobId) {
        let entry = self.entry(job);
        entry.missing -= 1;
        if entry.missing == 0 {
            self.make_ready(job);
        }
    }

    fn make_ready(&mut self, job: JobId) {
        let at = self.entries[&job].at;
        self.stores[at].staging.retain(|&other| other != job);
        self.ready.push_back(job);
    }

    fn count_down_home(&mut self, job: JobId) {
        let entry = self.entry(job);
        entry.missing -= 1;
        if entry.missing == 0 {
            let ran_until = entry.ran_until;
            self.done.push_back((job, ran_until));
            self.entries.remove(&job);
        }
    }

    /// Adds a node that holds the file, perhaps the first one.
    fn appear(&mut self, file: FileId, at: NodeId, now: Time) {
        let is_new = !self.catalogue.exists(file);
        for by in self.catalogue.add(file, at) {
            match self.stores[by].get(file) {
                Some(copy) if copy.awaited_by.is_none() => {}
                Some(copy) if copy.users > 0 => self.download(file, None, by, now),
                _ => self.stores[by].forget(file),
            }
        }
        if is_new && self.is_limited {
            self.stores.ids().for_each(|at| self.open(at, now));
        }
    }

    /// A job has run: its files exist now. Returns whether results are being transferred home.
    pub fn make(&mut self, job: JobId, now: Time) -> bool {
        let all = Arc::clone(&self.needs);
        let entry = self.entry(job);
        let (at, held, owner) = (entry.at, entry.held, entry.owner());
        let share = std::mem::take(&mut entry.share);
        (entry.held, entry.ran_until) = (0, now);
        let needs = &all[entry.needs.index()];
        let store = &mut self.stores[at];
        owner.into_iter().for_each(|id| store.return_share(id, share));
        // Output keeps its storage until it is home.
        let leaving = needs.home.map_or(0, |_| u128::from(needs.output.0));
        store.give_back(held - leaving);
        needs.inputs.iter().for_each(|&file| store.release(file));
        for &file in &needs.outputs {
            if store.get(file).is_none() {
                store.add(file, self.catalogue.size(file), None);
            }
            if needs.home.is_some() {
                store.hold(file);
            }
        }
        for &file in &needs.outputs {
            self.be_there(file, at);
            self.appear(file, at, now);
        }
        let count = needs.home.map_or(0, |home| self.send_home(job, needs, at, home, now));
        match count {
            0 => drop(self.entries.remove(&job)),
            count => self.entry(job).missing = count,
        }
        self.open(at, now);
        count > 0
    }

    fn send_home(&mut self, job: JobId, needs: &Needs, at: NodeId, home: NodeId, now: Time) -> u32 {
        let channel = self.channel(job);
        for &file in &needs.outputs {
            let (size, cargo) = (self.catalogue.size(file), Cargo::Output(job, Some(file)));
            self.transfers.start([at, home], channel, size, cargo, now);
        }
        if needs.output.0 > 0 {
            let cargo = Cargo::Output(job, None);
            self.transfers.start([at, home], channel, needs.output, cargo, now);
        }
        needs.outputs.len() as u32 + u32::from(needs.output.0 > 0)
    }

    /// Removes a job that has not run to its end; returns an event that is no longer needed.
    pub fn release(&mut self, job: JobId, now: Time) -> Option<EventId> {
        let entry = self.entries.remove(&job)?;
        let store = &mut self.stores[entry.at];
        if !entry.is_in {
            store.gate.retain(|&other| other != job);
            self.open(entry.at, now);
            return None;
        }
        store.staging.retain(|&other| other != job);
        store.give_back(entry.held);
        entry.owner().into_iter().for_each(|id| store.return_share(id, entry.share));
        for &file in &self.needs[entry.needs.index()].inputs {
            store.release(file);
            if let Some(awaited_by) = store.get_mut(file).and_then(|copy| copy.awaited_by.as_mut())
            {
                awaited_by.retain(|&other| other != job);
            }
        }
        let event = entry.input.and_then(|id| self.transfers.give_up(id));
        self.transfers.stalled.retain(|stalled| stalled.cargo != Cargo::Input(job));
        self.open(entry.at, now);
        event
    }

    /// Jobs with data at the machine of the resource that have run, in no particular order.
    pub fn leaving(&self, at: ResourceId) -> Vec<JobId> {
        let at = self.machines[at];
        let has_run = |stay: &Stay| stay.at == at && stay.ran_until < Time::NEVER;
        self.entries.iter().filter(|(_, stay)| has_run(stay)).map(|(&job, _)| job).collect()
    }

    /// Removes a job that has run before its results are home: returns events that are no longer
    /// needed. Files that it wrote remain on its machine.
    pub fn abort_results(&mut self, job: JobId, now: Time) -> Vec<EventId> {
        let Some(Stay { at, .. }) = self.entries.remove(&job) else { return Vec::new() };
        let mut events = Vec::new();
        for (id, file, size) in self.transfers.results_of(job) {
            match file {
                Some(file) => self.stores[at].release(file),
                None => self.stores[at].give_back(u128::from(size.0)),
            }
            events.extend(self.transfers.give_up(id));
        }
        let is_of_job = |cargo| matches!(cargo, Cargo::Output(by, _) if by == job);
        let stalled = std::mem::take(&mut self.transfers.stalled);
        let (lost, kept): (Vec<_>, _) = stalled.into_iter().partition(|one| is_of_job(one.cargo));
        self.transfers.stalled = kept;
        for one in lost {
            match one.cargo {
                Cargo::Output(_, Some(file)) => self.stores[at].release(file),
                _ => self.stores[at].give_back(u128::from(one.size.0)),
            }
        }
        self.open(at, now);
        events
    }

    /// Whether the job still waits for storage or for data.
    pub fn is_waiting(&self, job: JobId) -> bool {
        self.entries.get(&job).is_some_and(|entry| !entry.is_in || entry.missing > 0)
    }

    /// Jobs at the machine of the resource that wait for data or for storage, in this order.
    pub fn waiting_at(&self, at: ResourceId) -> Vec<JobId> {
        let store = &self.stores[self.machines[at]];
        store.staging.iter().chain(&store.gate).copied().collect()
    }

    /// Records that the data of a job were complete after this many ticks.
    pub fn count_staging(&mut self, ticks: Ticks) {
        self.summary.staging.add(ticks);
    }

    pub fn summary(&self) -> &DataSummary {
        &self.summary
    }
}

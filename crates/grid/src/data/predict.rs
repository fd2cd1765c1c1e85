//! Estimated transfer times of a job at a resource, before anything is moved.

use super::super::grid::ResourceId;
use super::super::network::{Bytes, NodeId};
use super::movement::Movement;
use super::{FileId, Needs};
use gridsat_model::Ticks;
use gridsat_workload::DataId;

impl Movement {
    /// Time that transfers add to a job if it is sent to the resource now: all input in parallel,
    /// then the output to its home. Files that do not exist yet count 0. `None` if the job can
    /// never be admitted.
    pub(in super::super) fn predict(&self, needs: DataId, at: ResourceId) -> Option<Ticks> {
        let at = self.machines[at];
        let needs = &self.needs[needs.index()];
        if !self.could_hold(needs, at) {
            return None;
        }
        Some(self.time_to_come(needs, at)?.saturating_add(self.time_home(needs, at)?))
    }

    /// Duration of a transfer; 0 if it has to wait for a link that has failed.
    fn duration(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<Ticks> {
        let network = &self.transfers.network;
        let waits = || network.can_fail().then_some(Ticks(0));
        network.predict(from, to, size).or_else(waits)
    }

    fn could_hold(&self, needs: &Needs, at: NodeId) -> bool {
        let store = &self.stores[at];
        let is_foreign = |file: &&FileId| !store.get(**file).is_some_and(|copy| copy.is_original);
        let coming = self.total(needs.inputs.iter().filter(is_foreign));
        store.could_hold(coming + self.own_room(needs))
    }

    fn time_to_come(&self, needs: &Needs, at: NodeId) -> Option<Ticks> {
        let network = &*self.transfers.network;
        let mut longest = match needs.home.filter(|_| needs.input.0 > 0) {
            Some(home) => self.duration(home, at, needs.input)?,
            None => Ticks(0),
        };
        for &file in &needs.inputs {
            let copy = self.stores[at].get(file);
            let is_here = copy.is_some_and(|copy| copy.awaited_by.is_none());
            if !is_here && self.catalogue.exists(file) {
                let time = match self.catalogue.best_holder(file, None, at, network) {
                    Some((from, _)) => self.duration(from, at, self.catalogue.size(file))?,
                    None if network.can_fail() => Ticks(0),
                    None => return None,
                };
                longest = longest.max(time);
            }
        }
        Some(longest)
    }

    fn time_home(&self, needs: &Needs, at: NodeId) -> Option<Ticks> {
        let Some(home) = needs.home else { return Some(Ticks(0)) };
        let files = needs.outputs.iter().map(|&file| self.catalogue.size(file));
        let unnamed = Some(needs.output).filter(|size| size.0 > 0);
        let mut times = files.chain(unnamed).map(|size| self.duration(at, home, size));
        times.try_fold(Ticks::ZERO, |longest, time| Some(longest.max(time?)))
    }
}

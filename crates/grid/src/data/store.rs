//! The storage of one machine.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::super::allocation::JobId;
use super::super::network::Bytes;
use super::FileId;
use gridsat_workload::ReservationId;

/// A file in this storage, or being transferred to it.
#[derive(Debug)]
pub(super) struct Copy {
    pub size: Bytes,
    /// Number of jobs here that need it and of transfers home.
    pub users: u32,
    /// Whether it was stored here initially.
    pub is_original: bool,
    /// Sequence number of its last use.
    last_used: u64,
    /// Jobs that wait for it; `None` once it has arrived.
    pub awaited_by: Option<Vec<JobId>>,
}

/// The storage of a machine and the jobs that wait for room.
#[derive(Debug, Default)]
pub(super) struct Store {
    capacity: Option<Bytes>,
    /// Bytes of files, stored or expected, and of what jobs occupy in addition.
    used: u128,
    copies: HashMap<FileId, Copy>,
    uses: u64,
    /// Jobs that are not admitted yet, in order.
    pub gate: VecDeque<JobId>,
    /// Admitted jobs that wait for files.
    pub staging: Vec<JobId>,
    /// Whether the disk has failed.
    pub is_down: bool,
    /// What active reservations have of it.
    shares: BTreeMap<ReservationId, Share>,
}

/// Storage of an active reservation.
#[derive(Clone, Copy, Debug)]
struct Share {
    size: u128,
    /// What its jobs here were admitted with.
    used: u128,
}

impl Share {
    fn left(self) -> u128 {
        self.size.saturating_sub(self.used)
    }
}

impl Store {
    pub fn new(capacity: Option<Bytes>) -> Self {
        Self { capacity, ..Self::default() }
    }

    pub fn is_limited(&self) -> bool {
        self.capacity.is_some()
    }

    /// Whether this much would fit next to only the files stored initially.
    pub fn could_hold(&self, size: u128) -> bool {
        let originals = self.copies.values().filter(|copy| copy.is_original);
        let taken: u128 = originals.map(|copy| u128::from(copy.size.0)).sum();
        self.capacity.is_none_or(|capacity| taken + size <= u128::from(capacity.0))
    }

    pub fn get(&self, file: FileId) -> Option<&Copy> {
        self.copies.get(&file)
    }

    pub fn get_mut(&mut self, file: FileId) -> Option<&mut Copy> {
        self.copies.get_mut(&file)
    }

    /// Reserves room for a file that is here or will arrive.
    pub fn add(&mut self, file: FileId, size: Bytes, awaited_by: Option<Vec<JobId>>) -> &mut Copy {
        self.uses += 1;
        let (last_used, is_original) = (self.uses, false);
        self.used += u128::from(size.0);
        let copy = Copy { size, users: 0, is_original, last_used, awaited_by };
        self.copies.entry(file).insert_entry(copy).into_mut()
    }

    /// Counts one more user of the file.
    pub fn hold(&mut self, file: FileId) {
        self.uses += 1;
        if let Some(copy) = self.copies.get_mut(&file) {
            copy.users += 1;
            copy.last_used = self.uses;
        }
    }

    /// Counts one user of the file less.
    pub fn release(&mut self, file: FileId) {
        if let Some(copy) = self.copies.get_mut(&file) {
            copy.users -= 1;
        }
    }

    /// Occupies storage for unnamed data.
    pub fn take(&mut self, size: u128) {
        self.used += size;
    }

    /// Frees storage of unnamed data.
    pub fn give_back(&mut self, size: u128) {
        self.used -= size;
    }

    /// Removes a file whose transfer was aborted.
    pub fn forget(&mut self, file: FileId) {
        if let Some(copy) = self.copies.remove(&file) {
            self.used -= u128::from(copy.size.0);
        }
    }

    /// Removes all files that no job here needs, in order of their numbers.
    pub fn erase(&mut self) -> Vec<FileId> {
        let is_idle = |copy: &Copy| copy.users == 0 && copy.awaited_by.is_none();
        let idle = self.copies.iter().filter(|(_, copy)| is_idle(copy));
        let mut gone: Vec<FileId> = idle.map(|(&file, _)| file).collect();
        gone.sort_unstable();
        gone.iter().for_each(|&file| self.forget(file));
        gone
    }

    /// Sets storage aside for a reservation.
    pub fn open_share(&mut self, reservation: ReservationId, size: Bytes) {
        self.shares.insert(reservation, Share { size: size.0.into(), used: 0 });
    }

    /// Gives the storage of a reservation back; its jobs keep what they have.
    pub fn close_share(&mut self, reservation: ReservationId) {
        self.shares.remove(&reservation);
    }

    /// Counts what a job of a reservation takes of its share.
    pub fn take_share(&mut self, reservation: ReservationId, size: u128) {
        self.shares.entry(reservation).and_modify(|share| share.used += size);
    }

    /// Counts what a job of a reservation no longer needs of its share.
    pub fn return_share(&mut self, reservation: ReservationId, size: u128) {
        self.shares.entry(reservation).and_modify(|share| share.used -= size);
    }

    /// Bytes that jobs of a reservation, or ordinary jobs, may have in all; `None` if there is no
    /// limit. What others have set aside and do not use is missing.
    fn limit(&self, of: Option<ReservationId>) -> Option<u128> {
        let others = self.shares.iter().filter(|(id, _)| Some(**id) != of);
        let others: u128 = others.map(|(_, share)| share.left()).sum();
        self.capacity.map(|Bytes(capacity)| u128::from(capacity).saturating_sub(others))
    }

    /// Whether a reservation has this much left; always true for ordinary jobs.
    fn has_share(&self, of: Option<ReservationId>, size: u128) -> bool {
        of.is_none_or(|id| self.shares.get(&id).is_some_and(|share| size <= share.left()))
    }

    /// Makes room for this much, of a reservation or not: returns the copies to remove, least
    /// recently used first; `None`, without any change, if that is not enough. `needed` are files
    /// that must stay; `has_other` says whether another node holds a file too.
    pub fn make_room(
        &mut self,
        size: u128,
        of: Option<ReservationId>,
        needed: &[FileId],
        has_other: impl Fn(FileId) -> bool,
    ) -> Option<Vec<FileId>> {
        if !self.has_share(of, size) {
            return None;
        }
        let Some(limit) = self.limit(of) else { return Some(Vec::new()) };
        let mut excess = (self.used + size).saturating_sub(limit);
        if excess == 0 {
            return Some(Vec::new());
        }
        let may_go = |(file, copy): &(&FileId, &Copy)| {
            let is_idle = copy.users == 0 && !copy.is_original && copy.awaited_by.is_none();
            is_idle && !needed.contains(file) && has_other(**file)
        };
        let mut idle: Vec<(u64, FileId, u128)> = (self.copies.iter().filter(may_go))
            .map(|(&file, copy)| (copy.last_used, file, u128::from(copy.size.0)))
            .collect();
        idle.sort_unstable();
        let mut going = Vec::new();
        for (_, file, size) in idle {
            if excess == 0 {
                break;
            }
            excess = excess.saturating_sub(size);
            going.push(file);
        }
        if excess > 0 {
            return None;
        }
        going.iter().for_each(|&file| self.forget(file));
        Some(going)
    }
}

#[cfg(test)]
impl Store {
    /// `others` is the storage occupied in addition to copies.
    pub fn assert_sound(&self, others: u128, case: &str) {
        let copies: u128 = self.copies.values().map(|copy| u128::from(copy.size.0)).sum();
        assert_eq!(self.used, copies + others, "{case}");
        let fits = |Bytes(capacity)| self.used <= u128::from(capacity);
        assert!(
            self.capacity.is_none_or(fits),
            "{case}: {} used of {:?}",
            self.used,
            self.capacity
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> Store {
        let mut store = Store::new(Some(Bytes(10)));
        store.add(FileId(0), Bytes(4), None).is_original = true;
        store.add(FileId(1), Bytes(3), None);
        store.add(FileId(2), Bytes(2), None);
        store
    }

    #[test]
    fn the_longest_unused_copy_goes_first() {
        let mut store = store();
        store.hold(FileId(1));
        store.release(FileId(1));
        assert_eq!(store.make_room(1, None, &[], |_| true), Some(vec![]));
        assert_eq!(store.make_room(2, None, &[], |_| true), Some(vec![FileId(2)]));
        assert_eq!(store.make_room(6, None, &[], |_| true), Some(vec![FileId(1)]));
    }

    #[test]
    fn what_is_needed_original_or_the_last_stays() {
        let mut store = store();
        assert_eq!(store.make_room(7, None, &[], |_| true), None);
        assert_eq!(store.make_room(6, None, &[FileId(1)], |_| true), None);
        assert_eq!(store.make_room(6, None, &[], |file| file != FileId(2)), None);
        store.hold(FileId(1));
        assert_eq!(store.make_room(6, None, &[], |_| true), None);
        assert_eq!(store.make_room(3, None, &[], |_| true), Some(vec![FileId(2)]));
    }

    #[test]
    fn originals_count_in_what_could_ever_fit() {
        assert!(store().could_hold(6) && !store().could_hold(7));
        assert!(Store::new(None).could_hold(u128::MAX));
    }

    #[test]
    fn what_is_set_aside_is_for_the_jobs_of_a_reservation() {
        let id = ReservationId::new(0).expect("a small number");
        let (mut store, reserved) = (store(), Some(id));
        assert_eq!(store.make_room(1, reserved, &[], |_| true), None, "not active yet");
        store.open_share(id, Bytes(3));
        // Nine of ten bytes are used, and three are set aside.
        assert_eq!(store.make_room(0, None, &[], |_| false), None);
        assert_eq!(store.make_room(1, None, &[], |_| true), Some(vec![FileId(1)]));
        assert_eq!(store.make_room(4, reserved, &[], |_| true), None, "it has three");
        assert_eq!(store.make_room(3, reserved, &[], |_| true), Some(vec![]));
        store.take(3);
        store.take_share(id, 3);
        assert_eq!(store.make_room(1, reserved, &[], |_| true), None);
        assert_eq!(store.make_room(1, None, &[], |_| false), Some(vec![]), "9 of 10 are used");
        store.return_share(id, 3);
        assert_eq!(store.make_room(1, None, &[], |_| false), None);
        store.close_share(id);
        assert_eq!(store.make_room(1, None, &[], |_| false), Some(vec![]));
    }
}

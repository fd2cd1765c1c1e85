//! The disk of one resource.

use std::collections::{HashMap, VecDeque};

use super::super::allocation::JobId;
use super::super::network::Bytes;
use super::FileId;

/// A file on this disk, or on its way to it.
#[derive(Debug)]
pub(super) struct Copy {
    pub size: Bytes,
    /// Jobs here that need it, and transfers home.
    pub users: u32,
    /// Whether it was here from the beginning.
    pub is_original: bool,
    /// When it was last of use, as a number that grows.
    last_used: u64,
    /// Jobs that wait for it; `None` once it is here.
    pub awaited_by: Option<Vec<JobId>>,
}

/// A disk and who waits for room on it.
#[derive(Debug, Default)]
pub(super) struct Store {
    capacity: Option<Bytes>,
    /// Files, here or announced, and what jobs hold besides.
    used: u128,
    copies: HashMap<FileId, Copy>,
    uses: u64,
    /// Jobs that are not let in yet, in order.
    pub gate: VecDeque<JobId>,
    /// Jobs that were let in and wait for files.
    pub staging: Vec<JobId>,
}

impl Store {
    pub fn new(capacity: Option<Bytes>) -> Self {
        Self { capacity, ..Self::default() }
    }

    pub fn is_limited(&self) -> bool {
        self.capacity.is_some()
    }

    /// Whether so much would fit if there were nothing else, but for what was there from the
    /// beginning.
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

    /// Room for one more file, which is there or will come.
    pub fn add(&mut self, file: FileId, size: Bytes, awaited_by: Option<Vec<JobId>>) -> &mut Copy {
        self.uses += 1;
        let (last_used, is_original) = (self.uses, false);
        self.used += u128::from(size.0);
        let copy = Copy { size, users: 0, is_original, last_used, awaited_by };
        self.copies.entry(file).insert_entry(copy).into_mut()
    }

    /// One more needs the file.
    pub fn hold(&mut self, file: FileId) {
        self.uses += 1;
        if let Some(copy) = self.copies.get_mut(&file) {
            copy.users += 1;
            copy.last_used = self.uses;
        }
    }

    /// One fewer does.
    pub fn release(&mut self, file: FileId) {
        if let Some(copy) = self.copies.get_mut(&file) {
            copy.users -= 1;
        }
    }

    /// Room for data without a name.
    pub fn take(&mut self, size: u128) {
        self.used += size;
    }

    /// Room that is free again.
    pub fn give_back(&mut self, size: u128) {
        self.used -= size;
    }

    /// A file that never came is no longer expected.
    pub fn forget(&mut self, file: FileId) {
        if let Some(copy) = self.copies.remove(&file) {
            self.used -= u128::from(copy.size.0);
        }
    }

    /// Makes room for so much: the copies that have to go, oldest use first; `None`, and nothing is
    /// changed, if that is not enough. `needed`: files that must stay; `has_other`: whether another
    /// node holds a file, too.
    pub fn make_room(
        &mut self,
        size: u128,
        needed: &[FileId],
        has_other: impl Fn(FileId) -> bool,
    ) -> Option<Vec<FileId>> {
        let Some(Bytes(capacity)) = self.capacity else { return Some(Vec::new()) };
        let mut excess = (self.used + size).saturating_sub(u128::from(capacity));
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
    /// `others`: what is held besides copies.
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
        assert_eq!(store.make_room(1, &[], |_| true), Some(vec![]));
        assert_eq!(store.make_room(2, &[], |_| true), Some(vec![FileId(2)]));
        assert_eq!(store.make_room(6, &[], |_| true), Some(vec![FileId(1)]));
    }

    #[test]
    fn what_is_needed_original_or_the_last_stays() {
        let mut store = store();
        assert_eq!(store.make_room(7, &[], |_| true), None);
        assert_eq!(store.make_room(6, &[FileId(1)], |_| true), None);
        assert_eq!(store.make_room(6, &[], |file| file != FileId(2)), None);
        store.hold(FileId(1));
        assert_eq!(store.make_room(6, &[], |_| true), None);
        assert_eq!(store.make_room(3, &[], |_| true), Some(vec![FileId(2)]));
    }

    #[test]
    fn originals_count_in_what_could_ever_fit() {
        assert!(store().could_hold(6) && !store().could_hold(7));
        assert!(Store::new(None).could_hold(u128::MAX));
    }
}

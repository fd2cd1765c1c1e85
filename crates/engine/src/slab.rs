//! Storage with reused ids: memory is proportional to the largest number of entries held at once.

use std::ops::{Index, IndexMut};

use crate::{Id, Table};

/// Entries by id. An id is valid from [`Slab::insert`] until [`Slab::remove`].
#[derive(Clone, Debug)]
pub struct Slab<I, T> {
    entries: Table<I, Option<T>>,
    free: Vec<I>,
}

impl<I, T> Default for Slab<I, T> {
    fn default() -> Self {
        Self { entries: Table::default(), free: Vec::new() }
    }
}

impl<I: Id, T> Slab<I, T> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an entry under the id that was freed last, or under a new id if none is free.
    pub fn insert(&mut self, entry: T) -> I {
        if let Some(id) = self.free.pop() {
            self.entries[id] = Some(entry);
            return id;
        }
        self.entries.push(Some(entry))
    }

    /// The entry with this id; `None` if the id is not in use.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id)?.as_ref()
    }

    /// Removes and returns the entry with this id; `None` if the id is not in use.
    #[inline]
    pub fn remove(&mut self, id: I) -> Option<T> {
        let entry = self.entries.get_mut(id)?.take()?;
        self.free.push(id);
        Some(entry)
    }

    /// Removes the entry with this id, if there is one. Unlike [`Slab::remove`] it does not move
    /// it.
    #[inline]
    pub fn discard(&mut self, id: I) {
        if let Some(entry) = self.entries.get_mut(id)
            && entry.is_some()
        {
            *entry = None;
            self.free.push(id);
        }
    }

    /// All entries with their ids, in order of id.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.entries.pairs().filter_map(|(id, entry)| Some((id, entry.as_ref()?)))
    }
}

/// Panics if the id is not in use.
impl<I: Id, T> Index<I> for Slab<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        self.entries[id].as_ref().expect("an id in use")
    }
}

impl<I: Id, T> IndexMut<I> for Slab<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        self.entries[id].as_mut().expect("an id in use")
    }
}

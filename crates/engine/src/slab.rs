//! Things that come and go, by ids that are used again: memory follows the most there were at once.

use std::ops::{Index, IndexMut};

use crate::{Id, Table};

/// Things by id. An id is valid from [`Slab::insert`] until [`Slab::remove`].
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
    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives a new thing the id that became free last, or a new one.
    pub fn insert(&mut self, entry: T) -> I {
        if let Some(id) = self.free.pop() {
            self.entries[id] = Some(entry);
            return id;
        }
        self.entries.push(Some(entry))
    }

    /// What has this id, if anything does.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id)?.as_ref()
    }

    /// Takes a thing out; `None` if it is not there.
    #[inline]
    pub fn remove(&mut self, id: I) -> Option<T> {
        let entry = self.entries.get_mut(id)?.take()?;
        self.free.push(id);
        Some(entry)
    }

    /// All that are there with their ids, in the order of these.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.entries.pairs().filter_map(|(id, entry)| Some((id, entry.as_ref()?)))
    }
}

/// For ids known to be in use.
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

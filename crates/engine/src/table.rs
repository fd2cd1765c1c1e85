//! Tables indexed by the id type of their entries, so that an id of another kind cannot be used by
//! mistake.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use gridsat_model::HostId;

/// A number from 0 that identifies one kind of object.
pub trait Id: Copy {
    /// The id for a position, which must fit into 32 bits; memory runs out long before.
    fn at(position: usize) -> Self;

    /// The position in tables with one entry per object.
    fn index(self) -> usize;
}

/// Declares an id type with the doc comments given.
#[macro_export]
macro_rules! id {
    ($(#[$comment:meta])* $name:ident) => {
        $(#[$comment])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in tables with one entry per object of this kind.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        $crate::id!(impl $name);
    };
    (impl $name:ident) => {
        impl $crate::Id for $name {
            #[inline]
            fn at(position: usize) -> Self {
                Self(position as u32)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

crate::id!(impl HostId);

/// A vector with one entry per id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<I, T> {
    entries: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<I, T> From<Vec<T>> for Table<I, T> {
    fn from(entries: Vec<T>) -> Self {
        Self { entries, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for Table<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(entries: S) -> Self {
        Self::from(Vec::from_iter(entries))
    }
}

impl<I: Id, T> Table<I, T> {
    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends an entry and returns its id.
    pub fn push(&mut self, entry: T) -> I {
        self.entries.push(entry);
        I::at(self.entries.len() - 1)
    }

    /// The entry with this id; `None` if it is not in the table.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// Like [`Table::get`], mutable.
    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// All ids, in ascending order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = I> + use<I, T> {
        (0..self.entries.len()).map(I::at)
    }

    /// All entries, in order of id.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// All entries, mutable, in order of id.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// All entries with their ids, in order of id.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.ids().zip(&self.entries)
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

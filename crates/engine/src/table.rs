//! Tables indexed by the id of what they hold, so that the id of one thing never finds another.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use gridsat_model::HostId;

/// A number from 0 that stands for one kind of thing.
pub trait Id: Copy {
    /// The id of this position; positions fit into 32 bits, as memory ends before.
    fn at(position: usize) -> Self;

    /// Position in tables with one entry per thing.
    fn index(self) -> usize;
}

/// Declares an id type with the comments given to it.
#[macro_export]
macro_rules! id {
    ($(#[$comment:meta])* $name:ident) => {
        $(#[$comment])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in tables with one entry per thing of this kind.
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

/// One entry per id.
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

    /// A new last entry: its id.
    pub fn push(&mut self, entry: T) -> I {
        self.entries.push(entry);
        I::at(self.entries.len() - 1)
    }

    /// The entry of an id that may not be in the table.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// The same, to be changed.
    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = I> + use<I, T> {
        (0..self.entries.len()).map(I::at)
    }

    /// All entries, in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// All entries, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// All entries with their ids.
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

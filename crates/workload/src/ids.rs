//! Ids of data that several jobs share. An optional id takes no more memory than the id.

use std::num::NonZeroU32;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id with this index, from 0; `None` if it does not fit into 32 bits.
            pub fn new(index: usize) -> Option<Self> {
                let number = u32::try_from(index).ok()?.checked_add(1)?;
                NonZeroU32::new(number).map(Self)
            }

            /// The index, from 0, in tables with one entry per id.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )* };
}

ids! {
    /// Identifies the contract of an application: its budget and deadline.
    ContractId
    /// Identifies the files that a job reads and writes.
    DataId
    /// Identifies an advance reservation.
    ReservationId
}

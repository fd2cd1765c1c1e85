//! Numbers of what jobs have in common. A job names it by an optional number, which takes no more
//! room than the number itself.

use std::num::NonZeroU32;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// Numbered from 0; `None` beyond four billion.
            pub fn new(index: usize) -> Option<Self> {
                let number = u32::try_from(index).ok()?.checked_add(1)?;
                NonZeroU32::new(number).map(Self)
            }

            /// Position in tables with one entry each.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )* };
}

ids! {
    /// What the user of an application demands, by its number.
    ContractId
    /// What data a job needs and makes, by its number.
    DataId
    /// An advance reservation, by its number.
    ReservationId
}

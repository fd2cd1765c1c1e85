//! Knapsacks, exactly: by a table over the room where it is small ([`table`]), else by lists of
//! sets ([`lists`]), which do not care how large times are.

mod lists;
mod table;
#[cfg(test)]
mod tests;

use gridsat_model::Ticks;
use lists::Ordered;

/// A task as one host sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub price: u64,
    pub time: Ticks,
}

/// What an item is worth to a knapsack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forced {
    /// The largest total price that fits with the item in; `None` if it does not fit.
    pub with: Option<u64>,
    /// The largest total price that fits with it out.
    pub without: u64,
}

/// Up to this room there are tables. They take as long whatever the prices, while lists of many
/// items that are hard to tell apart are about as long as the room.
const SMALL_ROOM: Ticks = Ticks(1 << 12);

/// A list has grown to this many entries.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge(pub u64);

/// Some items and the room for them.
pub(super) struct Knapsack {
    items: Vec<Item>,
    room: Ticks,
    /// The largest total price that fits.
    pub best: u64,
}

impl Knapsack {
    /// Finds the largest total price that fits. All prices must add up to less than 2^64.
    pub fn new(items: Vec<Item>, room: Ticks) -> Result<Self, TooLarge> {
        // More is of no use, and sums of times stay below 2^63.
        let room = room.min(items.iter().map(|item| item.time).sum());
        let best = match room <= SMALL_ROOM {
            true => table::best(&items, room),
            false => Ordered::new(&items).best(room, 0, u64::MAX)?,
        };
        Ok(Self { items, room, best })
    }

    /// The values of each item. Below the threshold, which must not be above the best, they may be
    /// replaced by upper bounds that are below it as well.
    pub fn forced(&self, threshold: u64) -> Result<Vec<Forced>, TooLarge> {
        match self.room <= SMALL_ROOM {
            true => Ok(table::forced(&self.items, self.room)),
            false => lists::forced(&self.items, self.room, self.best, threshold),
        }
    }
}

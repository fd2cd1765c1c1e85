//! Exact knapsacks: by a table over the room where it is small ([`table`]), else by lists of sets
//! ([`lists`]), whose length does not depend on the size of the times.

mod lists;
mod table;
#[cfg(test)]
mod tests;

use gridsat_model::Ticks;
use lists::Ordered;

/// A task on one host, with its price and its time there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub price: u64,
    pub time: Ticks,
}

/// The value of a knapsack with an item and without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forced {
    /// The largest total price that fits with the item included; `None` if it does not fit.
    pub with: Option<u64>,
    /// The largest total price that fits without the item.
    pub without: u64,
}

/// Up to this room a table is used. Its time does not depend on the prices, while lists of many
/// similar items become about as long as the room.
const SMALL_ROOM: Ticks = Ticks(1 << 12);

/// Up to this room a table replaces lists that take long: it takes 8 megabytes per doubling of the
/// number of items.
const LARGE_ROOM: Ticks = Ticks(1 << 20);

/// A list exceeded its limit, with this many entries.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge(pub u64);

/// Some items, the room for them, and the best packing.
pub(crate) struct Knapsack {
    items: Vec<Item>,
    room: Ticks,
    /// The largest total price that fits.
    pub best: u64,
}

impl Knapsack {
    /// Finds the largest total price that fits. All prices must add up to less than 2^64.
    pub fn new(items: Vec<Item>, room: Ticks) -> Result<Self, TooLarge> {
        // A larger room is of no use, and this keeps sums of times below 2^63.
        let room = room.min(items.iter().map(|item| item.time).sum());
        let best = match room <= SMALL_ROOM {
            true => table::best(&items, room),
            false => Ordered::new(&items).best(room, 0, u64::MAX)?,
        };
        Ok(Self { items, room, best })
    }

    /// The values of each item. Values below the threshold, which must not exceed the best, may be
    /// replaced by upper bounds that are below it as well.
    pub fn forced(&self, threshold: u64) -> Result<Vec<Forced>, TooLarge> {
        let (items, room) = (&self.items, self.room);
        if room <= SMALL_ROOM {
            return Ok(table::forced(items, room));
        }
        // Where prices hardly differ, each item takes a list about as long as the room, while one
        // table serves all items.
        let most = if room <= LARGE_ROOM { room.0 * items.len() as u64 / 16 } else { u64::MAX };
        let by_lists = lists::forced(items, room, (self.best, threshold), most)?;
        Ok(by_lists.unwrap_or_else(|| lists::forced_by_table(items, room, (self.best, threshold))))
    }
}

//! A hash table that is emptied in constant time, for states that may have been met before.

/// Indices of states by their loads.
#[derive(Default)]
pub(super) struct Seen {
    /// Generation and index; a slot of an older generation is empty. The length is a power of two.
    slots: Vec<(u32, u32)>,
    /// The present generation; clearing the table starts the next one.
    generation: u32,
}

/// The result of a lookup.
pub(super) enum Slot {
    /// No such state; it belongs in this slot.
    Free(usize),
    /// The state with this index has the same loads.
    Same(usize),
}

impl Seen {
    /// Forgets all states and makes room for this many.
    pub fn clear(&mut self, most: usize) {
        let size = (2 * most).next_power_of_two().max(16);
        if self.slots.len() < size || self.generation == u32::MAX {
            self.slots = vec![(0, 0); size.max(self.slots.len())];
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Looks for a state with these loads; `is_same` compares with the state of an index.
    pub fn find(&self, loads: &[i64], is_same: impl Fn(usize) -> bool) -> Slot {
        let mask = self.slots.len() - 1;
        let mut slot = hash(loads) as usize & mask;
        loop {
            let (generation, index) = self.slots[slot];
            if generation != self.generation {
                return Slot::Free(slot);
            }
            if is_same(index as usize) {
                return Slot::Same(index as usize);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Puts a state into the slot that [`Seen::find`] returned for it.
    pub fn put(&mut self, slot: usize, index: usize) {
        self.slots[slot] = (self.generation, index as u32);
    }
}

fn hash(loads: &[i64]) -> u64 {
    // Multiplying by an odd number near 2^64 / φ, the golden ratio, spreads similar loads widely.
    let mix = |hash: u64, load: &i64| {
        (hash ^ *load as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    };
    loads.iter().fold(0, mix) >> 20
}

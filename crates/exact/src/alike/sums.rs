//! The sums that some of the items added so far have, one bit each, with a way back to the items.
//!
//! For every sum the item is kept with which it was first reached. The rest of that sum was reached
//! before, by items added earlier, so following the way back never uses an item twice. Items added
//! early are used first.

/// The largest limit: a sum takes four bytes and a bit.
pub(super) const LARGEST: u64 = 1 << 24;

/// Sums up to a limit.
pub(super) struct Sums {
    words: Vec<u64>,
    last: Vec<u32>,
    limit: usize,
    /// No sum is above this.
    top: usize,
    /// Words changed or looked at.
    work: u64,
}

impl Sums {
    /// Only the sum of no items, 0. The limit is at most [`LARGEST`].
    pub fn new(limit: u64) -> Self {
        let mut sums = Self { words: Vec::new(), last: Vec::new(), limit: 0, top: 0, work: 0 };
        sums.restart(limit);
        sums
    }

    /// Forgets all items.
    pub fn restart(&mut self, limit: u64) {
        debug_assert!(limit <= LARGEST);
        self.limit = limit as usize;
        self.words.clear();
        self.words.resize(self.limit / 64 + 1, 0);
        self.words[0] = 1;
        self.last.resize(self.last.len().max(self.limit + 1), 0);
        self.top = 0;
        self.work += self.words.len() as u64;
    }

    /// Adds an item; returns whether the limit itself is a sum now.
    pub fn add(&mut self, time: u64, item: u32) -> bool {
        let Ok(time) = usize::try_from(time) else { return false };
        if time == 0 || time > self.limit {
            return self.has(self.limit);
        }
        let (words, bits) = (time / 64, time % 64);
        self.top = (self.top + time).min(self.limit);
        self.work += (self.top / 64 - words) as u64 + 1;
        for to in (words..=self.top / 64).rev() {
            let mut moved = self.words[to - words] << bits;
            if bits > 0 && to > words {
                moved |= self.words[to - words - 1] >> (64 - bits);
            }
            self.note(to, moved & !self.words[to], item);
        }
        self.has(self.limit)
    }

    /// Sets new sums in a word. Sums above the limit are dropped: they share its last word.
    fn note(&mut self, word: usize, mut new: u64, item: u32) {
        let spare = 63 - self.limit % 64;
        if word == self.limit / 64 {
            new &= u64::MAX >> spare;
        }
        self.words[word] |= new;
        while new != 0 {
            self.last[word * 64 + new.trailing_zeros() as usize] = item;
            new &= new - 1;
        }
    }

    /// Whether some of the items have this sum.
    pub fn has(&self, sum: usize) -> bool {
        self.words[sum / 64] >> (sum % 64) & 1 == 1
    }

    /// The largest sum.
    pub fn largest(&self) -> u64 {
        let word = self.words.iter().rposition(|&word| word != 0).unwrap_or(0);
        word as u64 * 64 + 63 - u64::from(self.words[word].leading_zeros())
    }

    /// The smallest sum that is at least this.
    pub fn next(&self, from: u64) -> Option<u64> {
        (from..=self.limit as u64).find(|&sum| self.has(sum as usize))
    }

    /// The largest sum that is at most this, which must not exceed the limit.
    pub fn previous(&self, from: u64) -> u64 {
        (0..=from.min(self.limit as u64)).rev().find(|&sum| self.has(sum as usize)).unwrap_or(0)
    }

    /// Items that have this sum.
    pub fn items(&self, mut sum: u64, times: &[u64]) -> Vec<u32> {
        let mut items = Vec::new();
        while sum > 0 {
            let item = self.last[sum as usize];
            items.push(item);
            sum -= times[item as usize];
        }
        items
    }

    /// Words changed or looked at since the last call.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}

//! A sorted list in blocks, each with a digest of its items.
//!
//! Items are kept in order of their keys in blocks of up to 64. A search skips a block if its
//! digest shows that no item in it matches: searching `n` items costs `n / 64` digests and the
//! blocks that are not skipped, and inserting or removing moves one block, not the list. The
//! vectors are reused, so nothing is allocated once the list has reached its largest size.

const FULL: usize = 64;

/// Sort key: a rank, and a number that is unique per item.
pub type Key = (u64, u64);

/// An item of a sorted list.
pub trait Item: Copy {
    /// A summary of several items; the default is that of none.
    type Digest: Copy + Default;

    /// The sort key.
    fn key(&self) -> Key;

    /// Adds this item to a digest.
    fn join(&self, digest: &mut Self::Digest);

    /// Removes this item from a digest, of which the others are `rest`.
    fn leave(&self, digest: &mut Self::Digest, rest: &[Self]);
}

struct Block<T: Item> {
    /// At least one item.
    items: Vec<T>,
    digest: T::Digest,
}

impl<T: Item> Block<T> {
    fn last(&self) -> Key {
        self.items.last().expect("blocks are not empty").key()
    }

    fn refresh(&mut self) {
        self.digest = T::Digest::default();
        self.items.iter().for_each(|item| item.join(&mut self.digest));
    }
}

/// Position of an item; valid until an item before it is inserted or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    block: usize,
    item: usize,
}

impl At {
    /// The following position.
    pub fn next(self) -> Self {
        Self { item: self.item + 1, ..self }
    }
}

/// A sorted list of items.
pub struct Blocks<T: Item> {
    blocks: Vec<Block<T>>,
    /// Empty vectors for reuse.
    spare: Vec<Vec<T>>,
    len: usize,
}

impl<T: Item> Default for Blocks<T> {
    fn default() -> Self {
        Self { blocks: Vec::new(), spare: Vec::new(), len: 0 }
    }
}

impl<T: Item> Blocks<T> {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The first item in order.
    pub fn first(&self) -> Option<&T> {
        self.blocks.first().map(|block| &block.items[0])
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flat_map(|block| &block.items)
    }

    /// All items before a position.
    pub fn before(&self, at: At) -> impl Iterator<Item = &T> {
        let whole = self.blocks[..at.block].iter().flat_map(|block| &block.items);
        whole.chain(self.blocks.get(at.block).into_iter().flat_map(move |b| &b.items[..at.item]))
    }

    /// The digest and the items of each block.
    pub fn blocks(&self) -> impl Iterator<Item = (&T::Digest, &[T])> {
        self.blocks.iter().map(|block| (&block.digest, block.items.as_slice()))
    }

    /// The first matching item from a position on; skips blocks whose digest rules out a match.
    pub fn find(
        &self,
        from: At,
        may: impl Fn(&T::Digest) -> bool,
        does: impl Fn(&T) -> bool,
    ) -> Option<(At, T)> {
        let mut skip = from.item;
        for (block, Block { items, digest }) in self.blocks.iter().enumerate().skip(from.block) {
            let from = skip.min(items.len());
            if may(digest)
                && let Some(offset) = items[from..].iter().position(&does)
            {
                let item = from + offset;
                return Some((At { block, item }, items[item]));
            }
            skip = 0;
        }
        None
    }

    /// Inserts an item in order.
    pub fn insert(&mut self, item: T) {
        self.len += 1;
        let key = item.key();
        if let Some(Block { items, digest }) = self.blocks.last_mut()
            && items.len() < FULL
            && items.last().is_some_and(|last| last.key() < key)
        {
            items.push(item);
            return item.join(digest);
        }
        let mut block = self.blocks.partition_point(|block| block.last() < key);
        if block == self.blocks.len() {
            match self.blocks.last() {
                Some(last) if last.items.len() < FULL => block -= 1,
                _ => return self.open(block, item),
            }
        } else if self.blocks[block].items.len() == FULL {
            self.split(block);
            block += usize::from(self.blocks[block].last() < key);
        }
        let Block { items, digest } = &mut self.blocks[block];
        let at = items.partition_point(|other| other.key() < key);
        items.insert(at, item);
        item.join(digest);
    }

    /// Removes an item; the next item is then at the same position.
    pub fn remove_at(&mut self, at: At) -> T {
        self.len -= 1;
        let Block { items, digest } = &mut self.blocks[at.block];
        let item = items.remove(at.item);
        if items.is_empty() {
            let block = self.blocks.remove(at.block);
            self.spare.push(block.items);
        } else {
            item.leave(digest, items);
            if items.len() <= FULL / 2 {
                self.close_up(at.block);
            }
        }
        item
    }

    /// Removes the item with this key, if there is one.
    pub fn remove(&mut self, key: Key) -> Option<T> {
        let block = match self.blocks.len() {
            1 => 0,
            _ => self.blocks.partition_point(|block| block.last() < key),
        };
        let items = &self.blocks.get(block)?.items;
        let item = items.partition_point(|other| other.key() < key);
        let is_there = items.get(item).is_some_and(|found| found.key() == key);
        is_there.then(|| self.remove_at(At { block, item }))
    }

    fn open(&mut self, at: usize, item: T) {
        let mut items = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(FULL));
        items.push(item);
        self.put(at, items);
    }

    /// Inserts a block with these items.
    fn put(&mut self, at: usize, items: Vec<T>) {
        let mut block = Block { items, digest: T::Digest::default() };
        block.refresh();
        self.blocks.insert(at, block);
    }

    fn split(&mut self, at: usize) {
        let mut items = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(FULL));
        items.extend(self.blocks[at].items.drain(FULL / 2..));
        self.blocks[at].refresh();
        self.put(at + 1, items);
    }

    /// Merges a block with the next if both have few items.
    fn close_up(&mut self, at: usize) {
        let few = |block: Option<&Block<T>>| block.map_or(FULL, |block| block.items.len());
        if few(self.blocks.get(at)) + few(self.blocks.get(at + 1)) <= FULL / 2 {
            let mut next = self.blocks.remove(at + 1);
            self.blocks[at].items.append(&mut next.items);
            self.blocks[at].refresh();
            self.spare.push(next.items);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;

    use super::*;
    use gridsat_statistics::random;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Number(Key, u32);

    /// The largest complement.
    impl Item for Number {
        type Digest = u32;

        fn key(&self) -> Key {
            self.0
        }

        fn join(&self, digest: &mut u32) {
            *digest = (*digest).max(!self.1);
        }

        fn leave(&self, digest: &mut u32, rest: &[Self]) {
            *digest = rest.iter().map(|number| !number.1).max().unwrap_or(0);
        }
    }

    /// Compares the list with an ordered map on random operations.
    #[test]
    fn does_what_an_ordered_map_does() {
        for seed in 0..20 {
            let mut random = random::stream(seed, "test/blocks", 0);
            let (mut blocks, mut map) = (Blocks::default(), BTreeMap::new());
            for step in 0..3000 {
                let grows = random.random_range(0..2000) > step % 2000;
                let key = (random.random_range(0..if seed < 10 { 9 } else { 1 }), step);
                if grows || map.is_empty() {
                    let number = Number(key, random.random_range(0..1000));
                    blocks.insert(number);
                    map.insert(key, number.1);
                } else {
                    let at = random.random_range(0..map.len());
                    let key = *map.keys().nth(at).expect("it is shorter");
                    let number = blocks.remove(key).expect("it is there");
                    assert_eq!(map.remove(&key), Some(number.1), "seed {seed}, step {step}");
                    assert_eq!(blocks.remove(key), None);
                }
                check(&blocks, &map, random.random_range(0..1000), seed);
            }
        }
    }

    fn check(blocks: &Blocks<Number>, map: &BTreeMap<Key, u32>, limit: u32, seed: u64) {
        assert_eq!(blocks.len(), map.len());
        let first = map.iter().find(|(_, value)| **value <= limit).map(|(key, _)| *key);
        let found = blocks.find(At::default(), |most| !most <= limit, |n| n.1 <= limit);
        assert_eq!(found.map(|(_, number)| number.0), first, "seed {seed}");
        let second = map.iter().filter(|(_, value)| **value <= limit).nth(1).map(|(key, _)| *key);
        if let Some((at, number)) = found {
            let next = blocks.find(at.next(), |most| !most <= limit, |n| n.1 <= limit);
            assert_eq!(next.map(|(_, number)| number.0), second, "seed {seed}");
            assert!(blocks.before(at).all(|other| other.0 < number.0));
        }
        if map.len().is_multiple_of(50) {
            assert!(blocks.iter().map(|number| (number.0, number.1)).eq(map.clone()));
        }
    }

    #[test]
    fn what_followed_a_removed_item_is_at_its_place() {
        let mut blocks = Blocks::default();
        (0..500).for_each(|n| blocks.insert(Number((0, n), n as u32)));
        let (mut at, mut seen) = (At::default(), Vec::new());
        while let Some((found, number)) = blocks.find(at, |_| true, |_| true) {
            seen.push(number.0.1);
            at = if number.1 % 7 == 0 {
                found.next()
            } else {
                blocks.remove_at(found);
                found
            };
        }
        assert!(seen.into_iter().eq(0..500));
        assert!(blocks.iter().all(|number| number.1 % 7 == 0));
    }
}

//! A sorted list in blocks, with digests of blocks and of groups of blocks.
//!
//! Items are kept in order of their keys in blocks of up to 64; 32 blocks in a row are a group. A
//! search skips a group or a block if its digest shows that no item in it matches: searching `n`
//! items costs `n / 2048` digests and the groups and blocks that are not skipped, and inserting or
//! removing moves one block, not the list. Digests are computed when a search first asks for them,
//! so lists that are too short to be searched by digests do without. The vectors are reused, so
//! nothing is allocated once the list has reached its largest size.

const FULL: usize = 64;
/// Number of blocks of a group.
const GROUP: usize = 32;

/// Sort key: a rank in the upper half, and a number that is unique per item in the lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u128);

impl Key {
    #[inline]
    pub fn new(rank: u64, number: u64) -> Self {
        Self(u128::from(rank) << 64 | u128::from(number))
    }
}

/// An item of a sorted list.
pub trait Item: Copy {
    /// A summary of several items; the default is that of none.
    type Digest: Copy + Default;

    /// The sort key.
    fn key(&self) -> Key;

    /// Adds this item to a digest.
    fn join(&self, digest: &mut Self::Digest);

    /// Removes this item from a digest. False if only the other items can tell the new one.
    fn leave(&self, digest: &mut Self::Digest) -> bool;

    /// Adds the items of another digest.
    fn merge(digest: &mut Self::Digest, other: &Self::Digest);
}

/// Where an item with this key belongs.
fn place<T: Item>(items: &[T], key: Key) -> usize {
    items.partition_point(|other| other.key() < key)
}

/// Removes an item from a digest, which may then become unknown.
fn leave<T: Item>(item: &T, digest: &mut Option<T::Digest>) {
    if digest.as_mut().is_some_and(|known| !item.leave(known)) {
        *digest = None;
    }
}

struct Block<T: Item> {
    /// At least one item, unless it is the only block.
    items: Vec<T>,
    /// Digest of the items, if it is known.
    digest: Option<T::Digest>,
}

impl<T: Item> Block<T> {
    fn last(&self) -> Key {
        self.items.last().expect("of several blocks none is empty").key()
    }

    fn digest(&mut self) -> &T::Digest {
        self.digest.get_or_insert_with(|| {
            let mut digest = T::Digest::default();
            self.items.iter().for_each(|item| item.join(&mut digest));
            digest
        })
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
    /// Digest of each group, if it is known; groups after these are unknown.
    groups: Vec<Option<T::Digest>>,
    /// Empty vectors for reuse.
    spare: Vec<Vec<T>>,
    len: usize,
}

impl<T: Item> Default for Blocks<T> {
    fn default() -> Self {
        Self { blocks: Vec::new(), groups: Vec::new(), spare: Vec::new(), len: 0 }
    }
}

impl<T: Item> Blocks<T> {
    /// Number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The first item in order.
    #[inline]
    pub fn first(&self) -> Option<&T> {
        self.blocks.first().and_then(|block| block.items.first())
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

    /// The items of each block.
    pub fn blocks(&self) -> impl Iterator<Item = &[T]> {
        self.blocks.iter().map(|block| block.items.as_slice())
    }

    /// The digest and the items of each block; an only block needs no digest.
    pub fn digests(&mut self) -> impl Iterator<Item = (Option<T::Digest>, &[T])> {
        let are_several = self.blocks.len() > 1;
        self.blocks
            .iter_mut()
            .map(move |block| (are_several.then(|| *block.digest()), block.items.as_slice()))
    }

    /// The position of the first item with this key or a later one.
    pub fn seek(&self, key: Key) -> At {
        let block = match self.blocks.len() {
            1 => 0,
            _ => self.blocks.partition_point(|block| block.last() < key),
        };
        let items = self.blocks.get(block).map_or(&[][..], |block| &block.items);
        At { block, item: place(items, key) }
    }

    /// The first matching item from a position on.
    #[inline]
    pub fn find(&self, from: At, does: impl Fn(&T) -> bool) -> Option<(At, T)> {
        let At { mut block, item: mut skip } = from;
        while let Some(Block { items, .. }) = self.blocks.get(block) {
            let rest = items.get(skip..).unwrap_or_default();
            if let Some(offset) = rest.iter().position(&does) {
                let item = skip + offset;
                return Some((At { block, item }, items[item]));
            }
            (block, skip) = (block + 1, 0);
        }
        None
    }

    /// The same; skips groups and blocks whose digest rules out a match.
    pub fn find_by_digest(
        &mut self,
        from: At,
        may: impl Fn(&T::Digest) -> bool,
        does: impl Fn(&T) -> bool,
    ) -> Option<(At, T)> {
        let At { mut block, item: mut skip } = from;
        while block < self.blocks.len() {
            if block % GROUP == 0 && skip == 0 && !may(self.group(block / GROUP)) {
                block += GROUP;
                continue;
            }
            let part = &mut self.blocks[block];
            if may(part.digest())
                && let Some(offset) =
                    part.items[skip.min(part.items.len())..].iter().position(&does)
            {
                let item = skip + offset;
                return Some((At { block, item }, part.items[item]));
            }
            (block, skip) = (block + 1, 0);
        }
        None
    }

    fn group(&mut self, number: usize) -> &T::Digest {
        if self.groups.len() <= number {
            self.groups.resize(number + 1, None);
        }
        self.groups[number].get_or_insert_with(|| {
            let mut digest = T::Digest::default();
            let blocks = self.blocks.iter_mut().skip(number * GROUP).take(GROUP);
            blocks.for_each(|block| T::merge(&mut digest, block.digest()));
            digest
        })
    }

    /// Inserts an item in order.
    #[inline]
    pub fn insert(&mut self, item: T) {
        self.len += 1;
        let key = item.key();
        if let [Block { items, digest: None }] = self.blocks.as_mut_slice()
            && items.len() < FULL
            && self.groups.is_empty()
        {
            let is_last = items.last().is_none_or(|last| last.key() < key);
            let at = if is_last { items.len() } else { place(items, key) };
            return items.insert(at, item);
        }
        self.insert_into_some(item, key);
    }

    fn insert_into_some(&mut self, item: T, key: Key) {
        let mut block = match self.blocks.len() {
            0 => return self.open(0, item),
            1 => 0,
            _ => self.blocks.partition_point(|block| block.last() < key),
        };
        if block == self.blocks.len() {
            block -= 1;
        }
        if self.blocks[block].items.len() == FULL {
            if block + 1 == self.blocks.len() && self.blocks[block].last() < key {
                return self.open(block + 1, item);
            }
            self.split(block);
            block += usize::from(self.blocks[block].last() < key);
        }
        let items = &mut self.blocks[block].items;
        items.insert(place(items, key), item);
        self.joined(block, &item);
    }

    /// Adds an item to the digests of its block, as far as they are known.
    fn joined(&mut self, block: usize, item: &T) {
        if let Some(digest) = &mut self.blocks[block].digest {
            item.join(digest);
        }
        if let Some(Some(digest)) = self.groups.get_mut(block / GROUP) {
            item.join(digest);
        }
    }

    /// Removes an item; the next item is then at the same position.
    #[inline]
    pub fn remove_at(&mut self, at: At) -> T {
        self.len -= 1;
        if let [Block { items, digest: None }] = self.blocks.as_mut_slice()
            && self.groups.is_empty()
        {
            return items.remove(at.item);
        }
        self.remove_from_some(at)
    }

    fn remove_from_some(&mut self, At { block, item }: At) -> T {
        let Block { items, digest } = &mut self.blocks[block];
        let item = items.remove(item);
        leave(&item, digest);
        let left = items.len();
        if let Some(group) = self.groups.get_mut(block / GROUP) {
            leave(&item, group);
        }
        if left == 0 && self.blocks.len() > 1 {
            let empty = self.blocks.remove(block);
            self.spare.push(empty.items);
            self.forget_groups(block);
        } else if left <= FULL / 2 {
            self.close_up(block);
        }
        item
    }

    /// Removes the item with this key, if there is one.
    pub fn remove(&mut self, key: Key) -> Option<T> {
        let at = self.seek(key);
        let found = self.blocks.get(at.block)?.items.get(at.item)?;
        (found.key() == key).then(|| self.remove_at(at))
    }

    /// Forgets what is known about the groups from that of a block on, and a digest that is no
    /// longer needed.
    fn forget_groups(&mut self, from: usize) {
        self.groups.truncate(from / GROUP);
        if let [only] = self.blocks.as_mut_slice() {
            only.digest = None;
        }
    }

    fn open(&mut self, at: usize, item: T) {
        let mut items = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(FULL));
        items.push(item);
        self.put(at, items);
    }

    /// Inserts a block with these items.
    fn put(&mut self, at: usize, items: Vec<T>) {
        self.blocks.insert(at, Block { items, digest: None });
        self.forget_groups(at);
    }

    fn split(&mut self, at: usize) {
        let mut items = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(FULL));
        items.extend(self.blocks[at].items.drain(FULL / 2..));
        self.blocks[at].digest = None;
        self.put(at + 1, items);
    }

    /// Merges a block with the next if both have few items.
    #[inline]
    fn close_up(&mut self, at: usize) {
        let few = |block: Option<&Block<T>>| block.map_or(FULL, |block| block.items.len());
        if few(self.blocks.get(at + 1)) + few(self.blocks.get(at)) <= FULL / 2 {
            let mut next = self.blocks.remove(at + 1);
            self.blocks[at].items.append(&mut next.items);
            self.blocks[at].digest = None;
            self.spare.push(next.items);
            self.forget_groups(at);
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

        fn leave(&self, digest: &mut u32) -> bool {
            *digest != !self.1
        }

        fn merge(digest: &mut u32, other: &u32) {
            *digest = (*digest).max(*other);
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
                let rank = random.random_range(0..if seed < 10 { 9 } else { 1 });
                let key = Key::new(rank, step);
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
                check(&mut blocks, &map, random.random_range(0..1000), seed);
            }
        }
    }

    fn check(blocks: &mut Blocks<Number>, map: &BTreeMap<Key, u32>, limit: u32, seed: u64) {
        assert_eq!(blocks.len(), map.len());
        let first = map.iter().find(|(_, value)| **value <= limit).map(|(key, _)| *key);
        let found = blocks.find_by_digest(At::default(), |most| !most <= limit, |n| n.1 <= limit);
        assert_eq!(found.map(|(_, number)| number.0), first, "seed {seed}");
        let second = map.iter().filter(|(_, value)| **value <= limit).nth(1).map(|(key, _)| *key);
        if let Some((at, number)) = found {
            let next = blocks.find_by_digest(at.next(), |most| !most <= limit, |n| n.1 <= limit);
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
        (0..500).for_each(|n| blocks.insert(Number(Key::new(0, n), n as u32)));
        let (mut at, mut seen) = (At::default(), Vec::new());
        while let Some((found, number)) = blocks.find(at, |_| true) {
            seen.push(u64::from(number.1));
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

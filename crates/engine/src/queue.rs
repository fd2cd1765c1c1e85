//! The pending events.
//!
//! A binary heap of keys of 16 bytes: time, sequence number, and the place that holds the event.
//! The sequence number breaks ties and tells whether a key is still valid: a place knows the
//! number of its event, so a cancelled or moved event leaves a dead key behind. Dead keys are
//! dropped when they come first, and all together when most keys are dead after a cancellation. The
//! first key is never dead.
//!
//! Most events schedule another one. So the key of the event that was taken last stays first in
//! the heap until the next operation: if that adds an event, its key replaces the old one, which
//! takes half the time of a removal and an insertion.
//!
//! One event can be kept beside the heap: the next of a source whose events come one after the
//! other. It is neither inserted nor removed, only compared with the first key.
//!
//! Sequence numbers have 32 bits. When they run out, all pending events are numbered anew in their
//! order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::time::Time;
use gridsat_model::Ticks;

/// Identifies a scheduled event. No longer valid once the event was processed or cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventId {
    place: u32,
    /// Distinguishes events that occupied the same place one after the other.
    use_number: u32,
}

/// Time, sequence number and place, from the highest bits to the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u128);

impl Key {
    /// After all keys of events.
    const LAST: Self = Self(u128::MAX);

    #[inline]
    fn new(time: Time, sequence: u32, place: u32) -> Self {
        let low = u64::from(sequence) << 32 | u64::from(place);
        Self(u128::from(time.0) << 64 | u128::from(low))
    }

    #[inline]
    pub(crate) fn time(self) -> Time {
        Time(Ticks((self.0 >> 64) as u64))
    }

    #[inline]
    fn sequence(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    fn place(self) -> usize {
        self.0 as u32 as usize
    }
}

struct Place<E> {
    use_number: u32,
    /// The sequence number of its event.
    sequence: u32,
    event: Option<E>,
}

/// The pending events.
pub struct Queue<E> {
    heap: BinaryHeap<Reverse<Key>>,
    places: Vec<Place<E>>,
    free: Vec<u32>,
    sequence: u32,
    /// Number of keys of events that were cancelled or moved.
    dead: usize,
    /// Whether the first key is that of the event taken last.
    is_first_taken: bool,
    /// The event beside the heap, with the place [`BESIDE`].
    beside: Option<E>,
    /// Its key, or [`Key::LAST`].
    beside_key: Key,
}

const BESIDE: u32 = u32::MAX;

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self {
            heap: BinaryHeap::new(),
            places: Vec::new(),
            free: Vec::new(),
            sequence: 0,
            dead: 0,
            is_first_taken: false,
            beside: None,
            beside_key: Key::LAST,
        }
    }
}

impl<E> Queue<E> {
    /// Number of pending events.
    pub fn len(&self) -> usize {
        self.places.len() - self.free.len() + usize::from(self.beside.is_some())
    }

    /// Whether no events are pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time of the next event; `None` without events.
    #[inline]
    pub fn next_time(&mut self) -> Option<Time> {
        self.next_key().map(Key::time)
    }

    /// The key of the next event; `None` without events.
    #[inline]
    pub(crate) fn next_key(&mut self) -> Option<Key> {
        self.drop_taken();
        let first =
            self.heap.peek().map_or(self.beside_key, |&Reverse(key)| key.min(self.beside_key));
        (first != Key::LAST).then_some(first)
    }

    /// Adds an event after all others at the same time and keeps it beside the heap, if no other is
    /// there. It can be neither cancelled nor moved.
    #[inline]
    pub fn push_beside(&mut self, time: Time, event: E) {
        if self.beside.is_some() {
            self.push(time, event);
            return;
        }
        let sequence = self.next_sequence();
        (self.beside, self.beside_key) = (Some(event), Key::new(time, sequence, BESIDE));
    }

    /// Adds an event after all others at the same time.
    #[inline(always)]
    pub fn push(&mut self, time: Time, event: E) -> EventId {
        let sequence = self.next_sequence();
        let place = self.new_place(sequence, event);
        self.add_key(Key::new(time, sequence, place));
        EventId { place, use_number: self.places[place as usize].use_number }
    }

    /// Removes and returns the next event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        self.next_key().map(|key| (key.time(), self.take(key)))
    }

    /// Removes and returns the event with the key that [`Queue::next_key`] just returned.
    #[inline]
    pub(crate) fn take(&mut self, key: Key) -> E {
        if key.place() as u32 == BESIDE {
            self.beside_key = Key::LAST;
            return self.beside.take().expect("an event has this key");
        }
        self.is_first_taken = true;
        self.vacate(key.place() as u32)
    }

    /// Removes and returns an event; `None` if it is no longer pending.
    pub fn cancel(&mut self, id: EventId) -> Option<E> {
        if !self.is_pending(id) {
            return None;
        }
        self.drop_taken();
        let event = self.vacate(id.place);
        self.dead += 1;
        self.clean();
        Some(event)
    }

    /// Moves an event to another time, after all others there. False if it is no longer pending.
    pub fn reschedule(&mut self, id: EventId, time: Time) -> bool {
        if !self.is_pending(id) {
            return false;
        }
        let sequence = self.next_sequence();
        self.places[id.place as usize].sequence = sequence;
        self.dead += 1;
        self.add_key(Key::new(time, sequence, id.place));
        self.clean();
        true
    }

    fn is_pending(&self, id: EventId) -> bool {
        let place = self.places.get(id.place as usize);
        place.is_some_and(|place| place.use_number == id.use_number && place.event.is_some())
    }

    #[inline(always)]
    fn new_place(&mut self, sequence: u32, event: E) -> u32 {
        if let Some(number) = self.free.pop() {
            let place = &mut self.places[number as usize];
            (place.sequence, place.event) = (sequence, Some(event));
            return number;
        }
        let place =
            u32::try_from(self.places.len()).expect("memory ends before four billion events");
        self.places.push(Place { use_number: 0, sequence, event: Some(event) });
        place
    }

    #[inline]
    fn vacate(&mut self, number: u32) -> E {
        self.free.push(number);
        let place = &mut self.places[number as usize];
        place.use_number = place.use_number.wrapping_add(1);
        place.event.take().expect("keys that are not dead have events")
    }

    #[inline]
    fn add_key(&mut self, key: Key) {
        if !self.is_first_taken {
            return self.heap.push(Reverse(key));
        }
        self.is_first_taken = false;
        *self.heap.peek_mut().expect("the taken key is still there") = Reverse(key);
        self.drop_dead();
    }

    /// Removes the key of the event that was taken last, if that has not happened yet.
    #[inline]
    fn drop_taken(&mut self) {
        if self.is_first_taken {
            self.remove_taken();
        }
    }

    fn remove_taken(&mut self) {
        self.is_first_taken = false;
        self.heap.pop();
        self.drop_dead();
    }

    /// Removes dead keys where they must not or should not stay.
    fn clean(&mut self) {
        if 2 * self.dead > self.heap.len() {
            let places = &self.places;
            self.heap.retain(|&Reverse(key)| is_alive(places, key));
            self.dead = 0;
        }
        self.drop_dead();
    }

    /// Removes dead keys until the first one is alive.
    #[inline]
    fn drop_dead(&mut self) {
        if self.dead > 0 {
            self.drop_dead_keys();
        }
    }

    fn drop_dead_keys(&mut self) {
        while self.dead > 0
            && let Some(&Reverse(key)) = self.heap.peek()
            && !is_alive(&self.places, key)
        {
            self.heap.pop();
            self.dead -= 1;
        }
    }

    #[inline]
    fn next_sequence(&mut self) -> u32 {
        if self.sequence == u32::MAX {
            self.renumber();
        }
        self.sequence += 1;
        self.sequence
    }

    /// Numbers the pending events from 1 in their order, and drops dead keys.
    #[cold]
    fn renumber(&mut self) {
        self.drop_taken();
        let mut keys: Vec<Key> = self.heap.drain().map(|Reverse(key)| key).collect();
        keys.retain(|&key| is_alive(&self.places, key));
        keys.extend(self.beside.is_some().then_some(self.beside_key));
        keys.sort_unstable();
        (self.sequence, self.dead) = (0, 0);
        for key in &mut keys {
            self.sequence += 1;
            *key = Key::new(key.time(), self.sequence, key.place() as u32);
            match self.places.get_mut(key.place()) {
                Some(place) => place.sequence = self.sequence,
                None => self.beside_key = *key,
            }
        }
        keys.retain(|key| key.place() as u32 != BESIDE);
        self.heap = keys.into_iter().map(Reverse).collect();
    }
}

/// Whether the event of a key is pending at the time of the key.
#[inline]
fn is_alive<E>(places: &[Place<E>], key: Key) -> bool {
    let place = &places[key.place()];
    place.sequence == key.sequence() && place.event.is_some()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// From the start, and where sequence numbers run out.
    #[test]
    fn does_what_an_ordered_map_does() {
        for sequence in [0, u32::MAX - 3_000] {
            compare_with_an_ordered_map(Queue { sequence, ..Queue::default() });
        }
    }

    /// Compares the queue with an ordered map on random operations.
    fn compare_with_an_ordered_map(mut queue: Queue<u32>) {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut model: BTreeMap<(Time, u64), u32> = BTreeMap::new();
        let mut ids: Vec<(EventId, (Time, u64))> = Vec::new();
        for step in 1..=20_000_u32 {
            let time = Time(Ticks(random.random_range(0..50)));
            let sequence = u64::from(step);
            match random.random_range(0..9) {
                8 => {
                    queue.push_beside(time, step);
                    model.insert((time, sequence), step);
                }
                0..4 => {
                    ids.push((queue.push(time, step), (time, sequence)));
                    model.insert((time, sequence), step);
                }
                4 if !ids.is_empty() => {
                    let (id, key) = ids.swap_remove(random.random_range(0..ids.len()));
                    let cancelled = model.remove(&key);
                    assert_eq!(queue.cancel(id), cancelled);
                    let are_most_alive = queue.heap.len() <= 2 * queue.len();
                    assert!(cancelled.is_none() || are_most_alive, "{} dead keys", queue.dead);
                    assert_eq!(queue.cancel(id), None);
                }
                5 if !ids.is_empty() => {
                    let chosen = random.random_range(0..ids.len());
                    let (id, key) = &mut ids[chosen];
                    let event = model.remove(key);
                    assert_eq!(queue.reschedule(*id, time), event.is_some());
                    if let Some(event) = event {
                        *key = (time, sequence);
                        model.insert(*key, event);
                    }
                }
                _ => {
                    let expected = model.pop_first().map(|((time, _), event)| (time, event));
                    assert_eq!(queue.pop(), expected);
                }
            }
            // The queue's sequence numbers may differ from those of the model; only their order
            // matters.
            assert_eq!(queue.len(), model.len());
            if step % 3 == 0 {
                let first = model.first_key_value().map(|(&(time, _), _)| time);
                assert_eq!(queue.next_time(), first);
            }
        }
    }
}

//! The queue of pending events: earliest first, and first scheduled first among equal times.
//!
//! A heap with four children per node, ordered by (time, sequence number), and a table with the
//! position of each event in the heap, so that an event can be removed or moved in O(log n). Four
//! children halve the depth, and the children of a node are adjacent in memory. Cancelled events
//! are removed at once.

use crate::time::Time;
use gridsat_model::Ticks;

const CHILDREN: usize = 4;

/// Identifies a scheduled event. No longer valid once the event was processed or cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventId {
    place: u32,
    /// Distinguishes events that occupied the same slot one after the other.
    use_number: u32,
}

/// Time and sequence number in one integer, compared in one step.
type Key = u128;

fn key(time: Time, sequence: u64) -> Key {
    Key::from(time.0) << 64 | Key::from(sequence)
}

#[derive(Clone, Copy)]
struct HeapEntry {
    key: Key,
    place: u32,
}

struct Place<E> {
    position: u32,
    use_number: u32,
    event: Option<E>,
}

/// The pending events.
pub struct Queue<E> {
    heap: Vec<HeapEntry>,
    places: Vec<Place<E>>,
    free: Vec<u32>,
    sequence: u64,
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self { heap: Vec::new(), places: Vec::new(), free: Vec::new(), sequence: 0 }
    }
}

impl<E> Queue<E> {
    /// Number of pending events.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether no events are pending.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The time of the next event; `None` without events.
    pub fn next_time(&self) -> Option<Time> {
        self.heap.first().map(|entry| Time(Ticks((entry.key >> 64) as u64)))
    }

    /// Adds an event after all others at the same time.
    pub fn push(&mut self, time: Time, event: E) -> EventId {
        let place = self.new_place(event);
        let entry = HeapEntry { key: self.next_key(time), place };
        self.heap.push(entry);
        self.rise(self.heap.len() - 1, entry);
        EventId { place, use_number: self.places[place as usize].use_number }
    }

    /// Removes and returns the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let first = *self.heap.first()?;
        self.take_out(0);
        let event = self.vacate(first.place);
        Some((Time(Ticks((first.key >> 64) as u64)), event))
    }

    /// Removes and returns an event; `None` if it is no longer pending.
    pub fn cancel(&mut self, id: EventId) -> Option<E> {
        let position = self.position(id)?;
        self.take_out(position);
        Some(self.vacate(id.place))
    }

    /// Moves an event to another time, after all others there. False if it is no longer pending.
    pub fn reschedule(&mut self, id: EventId, time: Time) -> bool {
        let Some(position) = self.position(id) else { return false };
        let entry = HeapEntry { key: self.next_key(time), place: id.place };
        self.put(position, entry);
        true
    }

    fn next_key(&mut self, time: Time) -> Key {
        self.sequence += 1;
        key(time, self.sequence)
    }

    fn position(&self, id: EventId) -> Option<usize> {
        let place = self.places.get(id.place as usize)?;
        (place.use_number == id.use_number && place.event.is_some())
            .then_some(place.position as usize)
    }

    fn new_place(&mut self, event: E) -> u32 {
        if let Some(place) = self.free.pop() {
            self.places[place as usize].event = Some(event);
            return place;
        }
        let place =
            u32::try_from(self.places.len()).expect("memory ends before four billion events");
        self.places.push(Place { position: 0, use_number: 0, event: Some(event) });
        place
    }

    fn vacate(&mut self, place: u32) -> E {
        self.free.push(place);
        let place = &mut self.places[place as usize];
        place.use_number = place.use_number.wrapping_add(1);
        place.event.take().expect("entries of the heap have events")
    }

    /// Removes the heap entry at a position and fills the gap with the last entry.
    fn take_out(&mut self, position: usize) {
        let last = self.heap.pop().expect("there is an entry at the position");
        if position < self.heap.len() {
            self.put(position, last);
        }
    }

    /// Puts an entry into a gap, or moves it up or down from there to where it belongs.
    fn put(&mut self, position: usize, entry: HeapEntry) {
        let is_early = position > 0 && entry.key < self.heap[(position - 1) / CHILDREN].key;
        if is_early { self.rise(position, entry) } else { self.sink(position, entry) }
    }

    fn rise(&mut self, mut position: usize, entry: HeapEntry) {
        while position > 0 {
            let parent = (position - 1) / CHILDREN;
            if self.heap[parent].key <= entry.key {
                break;
            }
            self.set(position, self.heap[parent]);
            position = parent;
        }
        self.set(position, entry);
    }

    fn sink(&mut self, mut position: usize, entry: HeapEntry) {
        while let Some(child) = self.earliest_child(position) {
            if entry.key <= self.heap[child].key {
                break;
            }
            self.set(position, self.heap[child]);
            position = child;
        }
        self.set(position, entry);
    }

    fn earliest_child(&self, position: usize) -> Option<usize> {
        let first = CHILDREN * position + 1;
        let last = (first + CHILDREN).min(self.heap.len());
        (first..last).min_by_key(|&child| self.heap[child].key)
    }

    fn set(&mut self, position: usize, entry: HeapEntry) {
        self.heap[position] = entry;
        self.places[entry.place as usize].position = position as u32;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// Compares the queue with an ordered map on random operations.
    #[test]
    fn does_what_an_ordered_map_does() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut queue = Queue::default();
        let mut model: BTreeMap<(Time, u64), u32> = BTreeMap::new();
        let mut ids: Vec<(EventId, (Time, u64))> = Vec::new();
        for step in 1..=20_000_u32 {
            let time = Time(Ticks(random.random_range(0..50)));
            let sequence = u64::from(step);
            match random.random_range(0..8) {
                0..4 => {
                    ids.push((queue.push(time, step), (time, sequence)));
                    model.insert((time, sequence), step);
                }
                4 if !ids.is_empty() => {
                    let (id, key) = ids.swap_remove(random.random_range(0..ids.len()));
                    assert_eq!(queue.cancel(id), model.remove(&key));
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
        }
    }
}

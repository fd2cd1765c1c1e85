//! A subset of items that fills a room as far as possible where a table of sums would be too large.
//!
//! Meet in the middle: the sums of all subsets of sixteen items, and of sixteen others, are two
//! sorted lists; one walk along both, up in one and down in the other, finds the largest sum of two
//! within the room. That looks at 2^32 subsets in about 2^18 steps, enough to fill rooms of 10^9
//! ticks exactly if several of the items fit. Of the other items the first ones are taken as long
//! as half of what the sixteens have still fits.

use rand::Rng;
use rand::seq::SliceRandom;

/// Items in each list.
const HALF: usize = 16;

/// Samples of items that are tried for a room, unless one fills it exactly.
const SAMPLES: usize = 3;

/// An item and its time.
pub(super) type Timed = (u64, u32);

/// The buffers, which are used again and again, and the work done.
#[derive(Default)]
pub(super) struct Halves {
    lists: [Vec<(u64, u32)>; 2],
    spare: Vec<(u64, u32)>,
    work: u64,
}

impl Halves {
    /// Some of the items with a sum at most `room`, as large as is found, and that sum.
    pub fn fill(&mut self, items: &[Timed], room: u64, rng: &mut impl Rng) -> (u64, Vec<u32>) {
        let mut best = (0, Vec::new());
        let samples = if items.len() > 2 * HALF { SAMPLES } else { 1 };
        for _ in 0..samples {
            let filled = self.try_fill(items, room, rng);
            if filled.0 > best.0 {
                best = filled;
            }
            if best.0 == room {
                break;
            }
        }
        best
    }

    fn try_fill(&mut self, items: &[Timed], room: u64, rng: &mut impl Rng) -> (u64, Vec<u32>) {
        let mut places: Vec<usize> = (0..items.len()).collect();
        let (sample, _) = places.partial_shuffle(rng, 2 * HALF);
        let mut is_sampled = vec![false; items.len()];
        sample.iter().for_each(|&place| is_sampled[place] = true);
        let sample: Vec<Timed> = sample.iter().map(|&place| items[place]).collect();
        let half = sample.iter().map(|(time, _)| time).sum::<u64>() / 2;
        let mut rest = room;
        let mut chosen = Vec::new();
        for (&(time, item), _) in items.iter().zip(&is_sampled).filter(|(_, is_in)| !**is_in) {
            if time.saturating_add(half) <= rest {
                rest -= time;
                chosen.push(item);
            }
        }
        let (first, second) = sample.split_at(sample.len() / 2);
        let (sum, sets) = self.largest(first, second, rest);
        for (set, part) in sets.into_iter().zip([first, second]) {
            let items = part.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
            chosen.extend(items.map(|(_, (_, item))| item));
        }
        self.work += items.len() as u64;
        (room - rest + sum, chosen)
    }

    /// The largest sum of a subset of each within the room, and the subsets as bits.
    fn largest(&mut self, first: &[Timed], second: &[Timed], room: u64) -> (u64, [u32; 2]) {
        for (list, items) in self.lists.iter_mut().zip([first, second]) {
            sums(items, list, &mut self.spare);
        }
        let [low, high] = &self.lists;
        self.work += 4 * (low.len() + high.len()) as u64;
        let (mut best, mut sets) = (0, [0, 0]);
        let mut above = high.len();
        for &(sum, set) in low.iter().take_while(|(sum, _)| *sum <= room) {
            while above > 0 && sum + high[above - 1].0 > room {
                above -= 1;
            }
            // No items at all have the sum 0, so one is always left.
            let (other, other_set) = high[above - 1];
            if sum + other > best {
                (best, sets) = (sum + other, [set, other_set]);
            }
            if best == room {
                break;
            }
        }
        (best, sets)
    }

    /// Steps since the last call, about as long as those for words of sums.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}

/// All sums of subsets of at most 32 items, ascending, with the subsets as bits.
fn sums(items: &[Timed], list: &mut Vec<(u64, u32)>, spare: &mut Vec<(u64, u32)>) {
    list.clear();
    list.push((0, 0));
    for (place, &(time, _)) in items.iter().enumerate() {
        spare.clear();
        let mut without = list.iter().copied().peekable();
        let with = list.iter().map(|&(sum, set)| (sum + time, set | 1 << place));
        for next in with {
            while let Some(smaller) = without.next_if(|other| other.0 <= next.0) {
                spare.push(smaller);
            }
            spare.push(next);
        }
        spare.extend(without);
        std::mem::swap(list, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Few items: the best of all subsets. The slow twin tries them one by one.
    #[test]
    fn few_items_fill_the_room_as_far_as_possible() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut halves = Halves::default();
        for n in (0..12).cycle().take(300) {
            let items: Vec<Timed> =
                (0..n).map(|item| (rng.random_range(0..1_000_000_000), item + 5)).collect();
            let room = rng.random_range(0..4_000_000_000);
            let (sum, chosen) = halves.fill(&items, room, &mut rng);
            let sum_of = |set: u32| {
                let set = items.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
                set.map(|(_, (time, _))| time).sum::<u64>()
            };
            let best = (0..1 << n).map(sum_of).filter(|&sum| sum <= room).max();
            assert_eq!(Some(sum), best, "{items:?} {room}");
            assert_eq!(sum_of_items(&items, &chosen), Some(sum), "{items:?} {chosen:?}");
        }
    }

    /// The sum of the chosen items; `None` if one is chosen twice or is no item.
    fn sum_of_items(items: &[Timed], chosen: &[u32]) -> Option<u64> {
        let mut left = items.to_vec();
        let mut sum = 0;
        for item in chosen {
            let place = left.iter().position(|(_, other)| other == item)?;
            sum += left.swap_remove(place).0;
        }
        Some(sum)
    }

    #[test]
    fn many_items_fill_large_rooms_to_the_tick() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let (mut halves, mut exact) = (Halves::default(), 0);
        for _ in 0..40 {
            let items: Vec<Timed> =
                (0..200).map(|item| (rng.random_range(1_000_000..100_000_000), item)).collect();
            let room = rng.random_range(900_000_000..1_100_000_000);
            let (sum, chosen) = halves.fill(&items, room, &mut rng);
            assert_eq!(sum_of_items(&items, &chosen), Some(sum));
            assert!(sum <= room && room - sum < 10, "{sum} {room}");
            exact += u32::from(sum == room);
        }
        assert!(exact >= 30, "{exact}");
        assert!(halves.take_work() > 1_000_000 && halves.take_work() == 0);
    }
}

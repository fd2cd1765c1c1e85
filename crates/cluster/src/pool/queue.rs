//! The waiting and the running jobs, in order.

use super::blocks::{At, Blocks, Item, Key};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub key: Key,
    pub slot: u32,
    /// The smallest number of nodes it can start with.
    pub nodes: u32,
    /// Lower bound on its expected run time, on any nodes.
    pub least: Ticks,
}

const CLASSES: usize = 64;
/// A queue of up to this many jobs is searched without digests.
const SHORT: usize = 64;

/// The size class of a job: four for each power of two; the last has all larger sizes too.
fn class(nodes: u32) -> usize {
    let log = nodes.max(1).ilog2();
    let class = match log {
        0 | 1 => nodes,
        _ => 4 * (log - 1) + (nodes >> (log - 2) & 3),
    };
    (class as usize).min(CLASSES - 1)
}

/// The smallest size of a class.
const fn least_size(class: usize) -> u32 {
    match class {
        0..4 => class as u32,
        _ => (4 + class as u32 % 4) << (class / 4 - 1),
    }
}

/// A lower bound on a run time that fits 32 bits and is not their maximum.
fn short(least: Ticks) -> u32 {
    u32::try_from(least.0).map_or(u32::MAX - 1, |least| least.min(u32::MAX - 1))
}

/// Lower bounds on the shortest run time of several waiting jobs, for each size class; `u32::MAX`
/// without any. A small job and a short job are not taken for one that is both.
#[derive(Clone, Copy, Debug)]
pub struct Shortest([u32; CLASSES]);

impl Default for Shortest {
    fn default() -> Self {
        Self([u32::MAX; CLASSES])
    }
}

impl Item for Waiting {
    type Digest = Shortest;

    fn key(&self) -> Key {
        self.key
    }

    fn join(&self, digest: &mut Shortest) {
        let shortest = &mut digest.0[class(self.nodes)];
        *shortest = short(self.least).min(*shortest);
    }

    fn leave(&self, digest: &mut Shortest) -> bool {
        digest.0[class(self.nodes)] < short(self.least)
    }

    fn merge(digest: &mut Shortest, other: &Shortest) {
        digest.0.iter_mut().zip(&other.0).for_each(|(shortest, other)| {
            *shortest = (*shortest).min(*other);
        });
    }
}

/// A condition on waiting jobs: of at most `free` nodes, and of at most `extra` nodes or a run time
/// of at most `room`.
#[derive(Clone, Copy)]
pub struct Fit {
    pub free: u32,
    pub extra: u32,
    pub room: Ticks,
}

impl Fit {
    /// All jobs of at most this many nodes.
    pub fn nodes(free: u32) -> Self {
        Self { free, extra: free, room: Ticks::MAX }
    }

    #[inline]
    fn does(&self, job: &Waiting) -> bool {
        job.nodes <= self.free && (job.nodes <= self.extra || job.least <= self.room)
    }

    /// For each class up to that of the largest jobs: shorter jobs may meet the condition.
    fn ends(&self) -> ([u32; CLASSES], usize) {
        let (mut ends, classes) = ([0; CLASSES], class(self.free) + 1);
        let room = u32::try_from(self.room.0).map_or(u32::MAX, |room| room.saturating_add(1));
        for (class, end) in ends[..classes].iter_mut().enumerate() {
            *end = if least_size(class) <= self.extra { u32::MAX } else { room };
        }
        (ends, classes)
    }
}

impl Queue {
    /// The first job from a position on that meets a condition. Digests are not worth the while in
    /// a short queue.
    #[inline]
    pub fn find_fit(&mut self, from: At, fit: &Fit) -> Option<(At, Waiting)> {
        if self.len() <= SHORT {
            return self.find(from, |job| fit.does(job));
        }
        self.find_in_long(from, fit)
    }

    #[inline(never)]
    fn find_in_long(&mut self, from: At, fit: &Fit) -> Option<(At, Waiting)> {
        let (ends, classes) = fit.ends();
        let may = |digest: &Shortest| {
            // Without a branch per class.
            let classes = digest.0[..classes].iter().zip(&ends);
            classes.fold(false, |may, (shortest, end)| may | (shortest < end))
        };
        self.find_by_digest(from, may, |job| fit.does(job))
    }
}

/// Nodes that are expected to become free.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    pub time: Time,
    /// Sequence number of the start, which orders equal times.
    pub start: u64,
    pub slot: u32,
    pub nodes: u32,
}

impl Item for Release {
    /// Total number of nodes.
    type Digest = u32;

    fn key(&self) -> Key {
        Key::new(self.time.0.0, self.start)
    }

    fn join(&self, digest: &mut u32) {
        *digest += self.nodes;
    }

    fn leave(&self, digest: &mut u32) -> bool {
        *digest -= self.nodes;
        true
    }

    fn merge(digest: &mut u32, other: &u32) {
        *digest += other;
    }
}

/// Waiting jobs in queue order.
pub type Queue = Blocks<Waiting>;

/// Running jobs by expected end.
pub type Releases = Blocks<Release>;

impl Releases {
    /// The time at which this many nodes are free, given the number free now, and how many are free
    /// after all releases of that tick.
    pub fn until(&mut self, free: u32, need: u32) -> (u32, Time) {
        let (mut total, mut fits_at) = (free, Time::NEVER);
        for (nodes, releases) in self.digests() {
            if let Some(nodes) = nodes.filter(|nodes| total + nodes < need) {
                total += nodes;
                continue;
            }
            for release in releases {
                if release.time > fits_at {
                    return (total, fits_at);
                }
                total += release.nodes;
                if total >= need {
                    fits_at = release.time;
                }
            }
        }
        (total, fits_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_statistics::random;
    use rand::RngExt;

    fn ticks(random: &mut impl RngExt) -> Ticks {
        let most = 1 << random.random_range(1..40);
        Ticks(random.random_range(0..most))
    }

    /// Compares the search with one that looks at every job.
    #[test]
    fn finds_what_a_plain_search_finds() {
        let mut random = random::stream(1, "test/queue", 0);
        let mut queue = Queue::default();
        let mut found = 0;
        for number in 0..4000 {
            let nodes = 1 << random.random_range(0..20);
            let nodes = random.random_range(1..=nodes);
            let least = ticks(&mut random);
            queue.insert(Waiting { key: Key::new(0, number), slot: 0, nodes, least });
            if number % 3 > 0 {
                let items: Vec<Waiting> = queue.iter().copied().collect();
                let gone = items[random.random_range(0..items.len())];
                queue.remove(gone.key);
            }
            let most = 1 << random.random_range(0..20);
            let [free, extra] = [0; 2].map(|_: u32| random.random_range(0..=most));
            let room = ticks(&mut random);
            let fits =
                |job: &&Waiting| job.nodes <= free && (job.nodes <= extra || job.least <= room);
            let plain = queue.iter().find(fits).map(|job| job.key);
            let fast = queue.find_fit(At::default(), &Fit { free, extra, room });
            assert_eq!(fast.map(|(_, job)| job.key), plain, "{free} {extra} {room:?}");
            found += usize::from(plain.is_some());
        }
        assert!((1000..3900).contains(&found), "{found}");
    }
}

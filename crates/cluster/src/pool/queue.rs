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

const CLASSES: usize = 16;
/// A queue of up to this many jobs is searched without digests.
const SHORT: usize = 64;

/// The size class of a job: class `c` has the sizes from 2^c to 2^(c+1) − 1, the last all larger
/// ones too.
fn class(nodes: u32) -> usize {
    (nodes.max(1).ilog2() as usize).min(CLASSES - 1)
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

    fn leave(&self, digest: &mut Shortest, rest: &[Self]) {
        let class = class(self.nodes);
        if digest.0[class] == short(self.least) {
            digest.0[class] = u32::MAX;
            rest.iter().for_each(|other| other.join(digest));
        }
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

    fn does(&self, job: &Waiting) -> bool {
        job.nodes <= self.free && (job.nodes <= self.extra || job.least <= self.room)
    }

    /// For each class: shorter jobs may meet the condition.
    fn ends(&self) -> [u32; CLASSES] {
        std::array::from_fn(|class| match 1 << class {
            nodes if nodes > self.free => 0,
            nodes if nodes <= self.extra => u32::MAX,
            _ => u32::try_from(self.room.0).map_or(u32::MAX, |room| room.saturating_add(1)),
        })
    }
}

impl Queue {
    /// The first job from a position on that meets a condition. Digests are not worth the while in
    /// a short queue.
    pub fn find_fit(&self, from: At, fit: &Fit) -> Option<(At, Waiting)> {
        if self.len() <= SHORT {
            return self.find(from, |_| true, |job| fit.does(job));
        }
        let ends = fit.ends();
        let may = |digest: &Shortest| {
            // Without a branch per class.
            digest.0.iter().zip(&ends).fold(false, |may, (shortest, end)| may | (shortest < end))
        };
        self.find(from, may, |job| fit.does(job))
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
        (self.time.0.0, self.start)
    }

    fn join(&self, digest: &mut u32) {
        *digest += self.nodes;
    }

    fn leave(&self, digest: &mut u32, _: &[Self]) {
        *digest -= self.nodes;
    }
}

/// Waiting jobs in queue order.
pub type Queue = Blocks<Waiting>;

/// Running jobs by expected end.
pub type Releases = Blocks<Release>;

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
            queue.insert(Waiting { key: (0, number), slot: 0, nodes, least });
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

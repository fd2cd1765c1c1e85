//! One queue per cluster, and a metascheduler for all clusters that chooses from which queue the
//! next job comes: Beosim's fixed priority, and the two alternatives it names.
//!
//! Each queue has the order of the policy, and its own first job: a plain policy considers only the
//! first job of each queue, a SCAN policy every job. The metascheduler starts one job after the
//! other, each from the queue chosen among those that have a job that fits: the first of the list
//! of clusters, the next one after that of the last start, or any with equal probability.
//!
//! Jobs that start never free nodes, so a queue without a job that fits has none for the rest of
//! the pass. Cost of a pass: one look at each queue that is not empty, and at each start.

use rand_chacha::ChaCha8Rng;

use super::QueuePolicy;
use crate::pool::{At, Fit, Pool, Queue, Waiting};
use gridsat_engine::time::Time;
use gridsat_statistics::random::{stream, unit};

/// The queues of a scheduler, and which of several is next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueChoice {
    /// One queue for all clusters.
    #[default]
    One,
    /// One queue per cluster; those of earlier clusters have priority.
    Priority,
    /// One queue per cluster, each in turn.
    InTurn,
    /// One queue per cluster, one at random.
    Random {
        /// Seed of the random choices.
        seed: u64,
    },
}

impl QueueChoice {
    /// Whether it works with this policy: several queues have no single first job, which
    /// backfilling protects, and which overtaking and preemption are about.
    pub fn suits(self, policy: QueuePolicy) -> bool {
        self == Self::One || matches!(policy, QueuePolicy::Plain(_) | QueuePolicy::Scan(_))
    }
}

/// Several queues.
pub struct Turns {
    choice: QueueChoice,
    queues: Vec<Queue>,
    /// The queue after that of the last start.
    next: usize,
    random: ChaCha8Rng,
    /// Queues that may have a job that fits, in order; reused.
    open: Vec<usize>,
}

impl Turns {
    /// `None` for one queue.
    pub fn new(choice: QueueChoice, clusters: usize) -> Option<Box<Self>> {
        let seed = match choice {
            QueueChoice::One => return None,
            QueueChoice::Random { seed } => seed,
            QueueChoice::Priority | QueueChoice::InTurn => 0,
        };
        Some(Box::new(Self {
            choice,
            queues: (0..clusters).map(|_| Queue::default()).collect(),
            next: 0,
            random: stream(seed, "clusters/queues", 0),
            open: Vec::new(),
        }))
    }

    /// Adds a job to the queue of a cluster.
    pub fn insert(&mut self, cluster: usize, job: Waiting) {
        self.queues[cluster].insert(job);
    }

    /// All waiting jobs.
    pub fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flat_map(Queue::iter)
    }

    /// Position in `open` of the queue to try.
    fn pick(&mut self) -> usize {
        match self.choice {
            QueueChoice::One | QueueChoice::Priority => 0,
            QueueChoice::InTurn => {
                self.open.partition_point(|&queue| queue < self.next) % self.open.len()
            }
            QueueChoice::Random { .. } => {
                (unit(&mut self.random) * self.open.len() as f64) as usize
            }
        }
    }
}

/// Starts jobs one after the other until no queue has one that fits.
pub fn pass(pool: &mut Pool, now: Time, is_scan: bool) {
    let Some(mut turns) = pool.turns.take() else { return };
    turns.open.clear();
    let waiting = (0..turns.queues.len()).filter(|&queue| turns.queues[queue].len() > 0);
    turns.open.extend(waiting.collect::<Vec<_>>());
    while !turns.open.is_empty() && pool.free_total > 0 {
        let at = turns.pick();
        let queue = turns.open[at];
        std::mem::swap(&mut pool.queue, &mut turns.queues[queue]);
        let found = if is_scan { first_fit(pool) } else { head(pool) };
        found.into_iter().for_each(|at| pool.start(at, now));
        std::mem::swap(&mut pool.queue, &mut turns.queues[queue]);
        if found.is_some() {
            turns.next = queue + 1;
        }
        if found.is_none() || turns.queues[queue].len() == 0 {
            turns.open.remove(at);
        }
    }
    pool.turns = Some(turns);
}

/// The first job of the queue, if it fits.
fn head(pool: &mut Pool) -> Option<At> {
    let first = *pool.queue.first()?;
    pool.fits(&first).then(At::default)
}

/// The first job of the queue that fits.
fn first_fit(pool: &mut Pool) -> Option<At> {
    let mut at = At::default();
    loop {
        let (found, job) = pool.queue.find_fit(at, &Fit::nodes(pool.free_total))?;
        if pool.fits(&job) {
            return Some(found);
        }
        at = found.next();
    }
}

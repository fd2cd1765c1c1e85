//! Lowers the upper bound a few hosts at a time.
//!
//! A dive maps the tasks of a few hosts again, at least one of them overloaded, onto the same
//! hosts. Each success reduces the number of overloaded hosts.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{News, Origin, View, Worker};
use crate::bounds::{Domain, Volume};
use crate::cases::dive;
use gridsat_model::{HostId, Instance, Mapping, Stop, Ticks};

/// Dives per turn.
const TURN: usize = 10;
/// Approximate number of tasks in one dive.
const TASKS: usize = 70;

pub(super) struct Polisher<'a> {
    instance: &'a Instance,
    random: ChaCha8Rng,
    /// The mapping being improved, and the best makespan when this began.
    current: Option<(Mapping, Ticks)>,
}

impl<'a> Polisher<'a> {
    pub fn new(instance: &'a Instance, seed: u64) -> Self {
        Self { instance, random: ChaCha8Rng::seed_from_u64(seed), current: None }
    }

    /// One overloaded host and some others, at random.
    fn hosts(&mut self, mapping: &Mapping, k: Ticks) -> Option<Vec<HostId>> {
        let is_over = |host: &HostId| mapping.loads()[host.index()] > k;
        let (mut over, mut rest): (Vec<HostId>, Vec<HostId>) =
            self.instance.hosts().partition(is_over);
        over.shuffle(&mut self.random);
        rest.shuffle(&mut self.random);
        let first = over.pop()?;
        let a_host = self.instance.task_count().div_ceil(self.instance.host_count());
        let most = (TASKS / a_host).max(3);
        let count = self.random.random_range(2..=most);
        let mut hosts = vec![first];
        hosts.extend(rest.into_iter().chain(over).take(count - 1));
        Some(hosts)
    }
}

impl Worker for Polisher<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        let upper = view.upper();
        if self.current.as_ref().is_none_or(|(_, at)| *at != upper) {
            self.current = Some((view.mapping.clone(), upper));
        }
        let k = upper - Ticks(1);
        for _ in 0..TURN {
            let (mapping, _) = self.current.clone()?;
            let hosts = self.hosts(&mapping, k)?;
            let seed = self.random.random();
            let Ok(domain) = Domain::around(self.instance, k, &mapping, &hosts) else { continue };
            let mapping = dive(domain, Volume::new(self.instance), seed, stop);
            if let Some(better) = mapping {
                if better.makespan() <= k {
                    return Some(News::Mapping(better, Origin::Repacking));
                }
                self.current = Some((better, upper));
            }
        }
        None
    }
}

//! Several sources merged into one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;

use super::{JobSpec, Source};
use gridsat_model::Ticks;

/// All jobs in order of arrival; jobs of the same tick in order of their sources.
pub struct Merged {
    sources: Vec<Peekable<Source>>,
    /// Arrival of the next job of each unfinished source.
    next: BinaryHeap<Reverse<(Ticks, usize)>>,
}

/// Merges sources that are each in order of arrival. Holds one job of each.
pub fn merge(sources: Vec<Source>) -> Merged {
    let sources: Vec<_> = sources.into_iter().map(Iterator::peekable).collect();
    let mut merged = Merged { next: BinaryHeap::with_capacity(sources.len()), sources };
    for source in 0..merged.sources.len() {
        merged.await_next(source);
    }
    merged
}

impl Merged {
    fn await_next(&mut self, source: usize) {
        if let Some(job) = self.sources[source].peek() {
            self.next.push(Reverse((job.arrival, source)));
        }
    }
}

impl Iterator for Merged {
    type Item = JobSpec;

    fn next(&mut self) -> Option<JobSpec> {
        let Reverse((_, source)) = self.next.pop()?;
        let job = self.sources[source].next();
        self.await_next(source);
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Demand, list};

    fn source(user: u32, arrivals: &[Ticks]) -> Source {
        let demand = Demand::Instructions(1.0);
        let job = |&arrival| JobSpec { user, ..JobSpec::new(arrival, demand.clone()) };
        Box::new(list(arrivals.iter().map(job).collect()).expect("valid"))
    }

    #[test]
    fn is_in_order_of_arrival_then_of_sources() {
        let merged = merge(vec![
            source(0, &[Ticks(2), Ticks(5), Ticks(5)]),
            source(1, &[]),
            source(2, &[Ticks(1), Ticks(2), Ticks(5), Ticks(9)]),
        ]);
        let seen: Vec<_> = merged.map(|job| (job.arrival, job.user)).collect();
        assert_eq!(
            seen,
            [(1, 2), (2, 0), (2, 2), (5, 0), (5, 0), (5, 2), (9, 2)]
                .map(|(time, part)| (Ticks(time), part))
        );
        assert_eq!(merge(Vec::new()).next(), None);
    }
}

//! Fills hosts with steps back, then empties a few of them again and again.
//!
//! After a first pass some hosts are left whose tasks do not fit. The tasks of a few hosts chosen
//! at random join them, and these hosts are filled anew. That costs little, and what is reached is
//! kept unless more hosts are left than before: so the tasks that are left change, until they
//! happen to fit.

use std::ops::Range;

use rand::{Rng, RngExt};

use super::complete::{Case, Completer, Equal, Filling, Outcome, Style};
use super::{Packing, Rooms, parts};
use gridsat_model::Stop;

/// Moves of a first pass beside those of each host, and after some hosts were emptied.
const MOVES: (usize, usize) = (2000, 300);

/// At most so many hosts are emptied at a time.
const EMPTIED: usize = 4;

/// Rounds without fewer hosts left before a new start.
const ROUNDS: usize = 2000;

/// What a search may use.
pub(super) struct Means<'a, R> {
    /// Steps.
    pub effort: u64,
    pub rng: &'a mut R,
    pub stop: &'a Stop,
}

/// A packing that keeps to the rooms, if this finds one within the effort; and the steps it took.
/// The tight part of the tasks, if there is one on equal hosts, is packed on hosts of its own.
pub(super) fn repack<R: Rng>(
    times: &[u64],
    rooms: &Rooms,
    means: &mut Means<'_, R>,
) -> (Option<Packing>, u64) {
    let &[(room, hosts)] = rooms.kinds() else { return whole(times, rooms, means) };
    let Some((tight, part)) = tightest(times, hosts) else { return whole(times, rooms, means) };
    let (first, steps) = whole(&times[tight.clone()], &Rooms::equal(part, room), means);
    let Some(first) = first else { return (None, steps) };
    let others = [&times[..tight.start], &times[tight.end..]].concat();
    means.effort = means.effort.saturating_sub(steps);
    let (second, more) = whole(&others, &Rooms::equal(hosts - part, room), means);
    let item = |other: u32| match (other as usize) < tight.start {
        true => other,
        false => other + tight.len() as u32,
    };
    let joined = second.map(|second| {
        let first =
            first.hosts().map(|items| items.iter().map(|i| i + tight.start as u32).collect());
        let second = second.hosts().map(|items| items.iter().map(|&i| item(i)).collect());
        Packing::from_lists(first.chain(second).collect())
    });
    (joined, steps + more)
}

/// Of the tasks that give the best bound on part of the hosts, those that these hosts have at
/// least; and the number of these hosts. `None` if all hosts together give it.
fn tightest(times: &[u64], hosts: usize) -> Option<(Range<usize>, usize)> {
    let best =
        parts::by_means(times, hosts).into_iter().max_by_key(|part| (part.bound, part.hosts))?;
    (best.hosts < hosts).then(|| (best.tasks - best.least(hosts)..best.tasks, best.hosts))
}

fn whole<R: Rng>(times: &[u64], rooms: &Rooms, means: &mut Means<'_, R>) -> (Option<Packing>, u64) {
    let Some(slack) = rooms.slack(times) else { return (None, 0) };
    let classes = Classes::new(times);
    let (kinds, counts) = rooms.kinds().iter().copied().unzip();
    let first = Case { tasks: classes.list(&classes.counts), hosts: counts, slack };
    let mut completer = Completer::new(kinds, means.rng, means.stop);
    let styles = [Style::Longest, Style::Random].into_iter().cycle();
    // On equal hosts there is no other order.
    for (style, smallest_first) in styles.zip([true, true, false, false].into_iter().cycle()) {
        if completer.steps >= means.effort || completer.is_due() {
            break;
        }
        completer.smallest_first = smallest_first;
        let start = completer.complete(first.clone(), style, MOVES.0 + rooms.hosts());
        let outcome = rounds(start, &classes, &mut completer, means.effort);
        if outcome.rest.tasks.is_empty() {
            return (Some(classes.packing(&outcome.filled, rooms)), completer.steps);
        }
    }
    (None, completer.steps)
}

/// Empties and fills hosts until all are filled or this gets no further.
fn rounds<R: Rng>(
    Outcome { mut filled, mut rest }: Outcome,
    classes: &Classes,
    completer: &mut Completer<'_, R>,
    effort: u64,
) -> Outcome {
    let mut vain = 0;
    while !rest.tasks.is_empty() && vain < ROUNDS {
        if completer.steps >= effort || completer.is_due() {
            break;
        }
        let emptied = some(&mut filled, completer.rng);
        let case = classes.with(&rest, &emptied);
        let style = if completer.rng.random() { Style::Longest } else { Style::Random };
        let next = completer.complete(case, style, MOVES.1);
        completer.steps += classes.times.len() as u64;
        let [before, after] = [&rest, &next.rest].map(|case| completer.room(case));
        vain = if after < before { 0 } else { vain + 1 };
        if after <= before {
            filled.extend(next.filled);
            rest = next.rest;
        } else {
            filled.extend(emptied);
        }
    }
    Outcome { filled, rest }
}

/// Takes the fillings of a few hosts away, each the more wasteful of two.
fn some(filled: &mut Vec<Filling>, rng: &mut impl Rng) -> Vec<Filling> {
    let number = rng.random_range(1..=EMPTIED).min(filled.len());
    let mut one = |_| {
        let [a, b] = [0; 2].map(|_| rng.random_range(0..filled.len()));
        filled.swap_remove(if filled[b].waste > filled[a].waste { b } else { a })
    };
    (0..number).map(&mut one).collect()
}

/// The distinct times, longest first.
struct Classes {
    times: Vec<u64>,
    counts: Vec<u32>,
}

impl Classes {
    fn new(times: &[u64]) -> Self {
        let equal = || times.chunk_by(|a, b| a == b);
        let counts = equal().map(|equal| equal.len() as u32).collect();
        Self { times: equal().map(|equal| equal[0]).collect(), counts }
    }

    fn list(&self, counts: &[u32]) -> Vec<Equal> {
        let classes = self.times.iter().zip(counts).zip(0..);
        let equal = classes.map(|((&time, &count), class)| Equal { class, count, time });
        equal.filter(|equal| equal.count > 0).collect()
    }

    /// The case with some more hosts and their tasks.
    fn with(&self, case: &Case, emptied: &[Filling]) -> Case {
        let mut counts = vec![0; self.times.len()];
        case.tasks.iter().for_each(|equal| counts[equal.class as usize] = equal.count);
        emptied.iter().flat_map(|filling| &filling.classes).for_each(|&c| counts[c as usize] += 1);
        let waste: u64 = emptied.iter().map(|filling| filling.waste).sum();
        let mut hosts = case.hosts.clone();
        emptied.iter().for_each(|filling| hosts[filling.kind] += 1);
        Case { tasks: self.list(&counts), hosts, slack: case.slack + waste }
    }

    fn packing(&self, fillings: &[Filling], rooms: &Rooms) -> Packing {
        let mut next = starts(self.counts.iter().copied());
        let mut next_host = starts(rooms.kinds().iter().map(|&(_, count)| count as u32));
        let mut packing = Packing::empty(rooms.hosts());
        for filling in fillings {
            let host = next_host[filling.kind];
            next_host[filling.kind] += 1;
            for &class in &filling.classes {
                packing.add(host as usize, next[class as usize]);
                next[class as usize] += 1;
            }
        }
        packing
    }
}

/// Where each of some runs of these lengths starts if one follows the other.
pub(super) fn starts(lengths: impl Iterator<Item = u32>) -> Vec<u32> {
    let start = |next: &mut u32, length: u32| {
        let start = *next;
        *next += length;
        Some(start)
    };
    lengths.scan(0, start).collect()
}

//! Sufferage in passes, without a look at every job in every pass.
//!
//! In a pass each job asks for the host that completes it first, and each host takes the job that
//! would suffer most: whose second earliest completion is latest after the earliest. If all hosts
//! are queues, the completion of a job of size `s` on a host is `free + s · pace`, a line. Take two
//! jobs with the same first and the same second host. Between two sizes lines cross at most once,
//! so all jobs of sizes in between have these hosts too, and suffer most at one of the two ends. So
//! the jobs of a level, sorted by size, are divided in halves until both ends agree.
//!
//! Times are rounded to ticks, so completions are only near a line. Ends agree only if they differ
//! from the completions of other hosts by more than roundings can add up to, and from the end
//! where jobs suffer most, neighbours are looked at until the difference exceeds this. Hosts of the
//! same pace round alike and need no such margin. Whatever cannot be excluded is compared by exact
//! times.

use super::decision::Decision;
use super::lists::List;
use super::sized::SizedJob;
use gridsat_model::{HostId, Ticks};

/// Times and sums of times must stay below this, so that nothing saturates.
const LARGEST: f64 = (1_u64 << 62) as f64;

/// Whether the hosts are all queues, and no sum gets too large, which [`assign`] requires.
pub(super) fn suits(decision: &Decision<'_>, lists: &[List]) -> bool {
    let free = |host| {
        decision.view.pace(host)?;
        decision.free(host)
    };
    let Some(free) = decision.view.hosts().map(free).collect::<Option<Vec<Ticks>>>() else {
        return false;
    };
    let latest = free.into_iter().filter(|&free| free < Ticks::MAX).max().unwrap_or(Ticks::ZERO);
    let work: f64 = lists.iter().flat_map(|list| list.jobs.iter()).map(|job| job.size).sum();
    latest.as_f64() + work * slowest(decision) < LARGEST
}

fn slowest(decision: &Decision<'_>) -> f64 {
    decision.view.hosts().filter_map(|host| decision.view.pace(host)).fold(0.0, f64::max)
}

/// Assigns the jobs of these lists.
pub(super) fn assign(decision: &mut Decision<'_>, lists: &mut [List]) {
    let pace = slowest(decision);
    let level = |list: &List| Level::new(decision, list, pace);
    let mut levels: Vec<Level> = lists.iter().map(level).collect();
    let mut winners = vec![None; decision.view.host_count()];
    while !decision.is_late() {
        winners.fill(None);
        for (index, level) in levels.iter().enumerate() {
            let pass = Pass { decision, level, index };
            pass.run(&mut winners);
        }
        if winners.iter().all(Option::is_none) {
            return;
        }
        for (winner, host) in winners.iter().zip(decision.view.hosts()) {
            let Some(Winner { job, level, .. }) = *winner else { continue };
            let qos = lists[level].qos;
            let time = decision.view.time_of_size(qos, job.size, host);
            decision.send(job.number, host, time.expect("the host completes it"));
            lists[level].jobs.remove(&job);
            levels[level].remove(&job);
        }
    }
}

/// Jobs of one level, and the hosts that serve it.
struct Level {
    qos: u32,
    jobs: Vec<SizedJob>,
    /// With their ticks per instruction.
    hosts: Vec<(HostId, f64)>,
    /// Completions that differ by this are in the same order on lines.
    margin: Ticks,
}

impl Level {
    fn new(decision: &Decision<'_>, list: &List, slowest: f64) -> Self {
        let view = decision.view;
        let serves = |host: &HostId| {
            let is_up = decision.free(*host).is_some_and(|free| free < Ticks::MAX);
            is_up && view.time_of_size(list.qos, 0.0, *host).is_some()
        };
        let hosts = view.hosts().filter(serves);
        let hosts = hosts.map(|host| (host, view.pace(host).unwrap_or_default())).collect();
        let longest = list.jobs.last().map_or(0.0, |job| job.size * slowest);
        // A time is half a tick and a part of 2^-53 from its line, or less. Four times: for two
        // hosts, at two sizes.
        let error = 1.0 + longest * f64::EPSILON;
        let margin = Ticks::truncated(4.0 * error + 1.0);
        Self { qos: list.qos, jobs: list.jobs.iter().collect(), hosts, margin }
    }

    fn remove(&mut self, job: &SizedJob) {
        if let Ok(place) = self.jobs.binary_search(job) {
            self.jobs.remove(place);
        }
    }
}

/// The job that a host takes.
#[derive(Clone, Copy)]
struct Winner {
    sufferage: Ticks,
    job: SizedJob,
    /// Index of its level.
    level: usize,
}

/// A host with its pace, and when it completes a job.
#[derive(Clone, Copy)]
struct End {
    host: HostId,
    pace: f64,
    time: Ticks,
}

/// The hosts that complete a job first.
#[derive(Clone, Copy)]
struct Ends {
    first: End,
    second: Option<End>,
    /// Whether margins separate the two from each other and from all other hosts.
    is_clear: bool,
}

impl Ends {
    /// The largest value if there is no second host.
    fn sufferage(&self) -> Ticks {
        self.second.map_or(Ticks::MAX, |second| second.time.saturating_sub(self.first.time))
    }

    fn hosts(&self) -> (HostId, Option<HostId>) {
        (self.first.host, self.second.map(|second| second.host))
    }

    /// Whether all jobs between the two have the same hosts.
    fn agree(&self, other: &Self) -> bool {
        self.is_clear && other.is_clear && self.hosts() == other.hosts()
    }
}

/// The jobs of a level in one pass.
struct Pass<'a> {
    decision: &'a Decision<'a>,
    level: &'a Level,
    index: usize,
}

impl Pass<'_> {
    fn run(&self, winners: &mut [Option<Winner>]) {
        let Some(last) = self.level.jobs.len().checked_sub(1) else { return };
        let (Some(low), Some(high)) = (self.ends(0), self.ends(last)) else { return };
        self.consider(0, &low, winners);
        self.consider(last, &high, winners);
        let mut parts = vec![((0, low), (last, high))];
        while let Some((low, high)) = parts.pop() {
            if low.1.agree(&high.1) {
                self.consider_between(low, high, winners);
            } else if high.0 - low.0 > 1 {
                let place = low.0 + (high.0 - low.0) / 2;
                let Some(ends) = self.ends(place) else { return };
                self.consider(place, &ends, winners);
                parts.extend([(low, (place, ends)), ((place, ends), high)]);
            }
        }
    }

    /// Considers the jobs between two that agree, as far as they may suffer most.
    fn consider_between(
        &self,
        (low, at_low): (usize, Ends),
        (high, at_high): (usize, Ends),
        winners: &mut [Option<Winner>],
    ) {
        let Ends { first, second, .. } = at_low;
        let all_suffer_alike = second.is_none_or(|second| second.pace == first.pace);
        if all_suffer_alike {
            let least = (low + 1..high).min_by_key(|&place| self.level.jobs[place].number);
            least.into_iter().for_each(|place| self.consider(place, &at_low, winners));
            return;
        }
        let most = at_low.sufferage().max(at_high.sufferage());
        let from_low = at_low.sufferage() == most;
        for step in 1..high - low {
            let place = if from_low { low + step } else { high - step };
            let Some(ends) = self.ends_at(place, at_low) else { return };
            self.consider(place, &ends, winners);
            if ends.sufferage().saturating_add(self.level.margin) < most {
                break;
            }
        }
    }

    /// Makes this the job of its first host if it suffers more than the present one.
    fn consider(&self, place: usize, ends: &Ends, winners: &mut [Option<Winner>]) {
        let (job, sufferage) = (self.level.jobs[place], ends.sufferage());
        let winner = &mut winners[ends.first.host.index()];
        let suffers_most = winner.is_none_or(|other| {
            sufferage > other.sufferage
                || sufferage == other.sufferage && job.number < other.job.number
        });
        if suffers_most {
            *winner = Some(Winner { sufferage, job, level: self.index });
        }
    }

    fn end(&self, host: HostId, pace: f64, size: f64) -> Option<End> {
        let time = self.decision.view.time_of_size(self.level.qos, size, host)?;
        Some(End { host, pace, time: self.decision.completion(host, time) })
    }

    /// The completions of another job on the same two hosts.
    fn ends_at(&self, place: usize, ends: Ends) -> Option<Ends> {
        let size = self.level.jobs[place].size;
        let first = self.end(ends.first.host, ends.first.pace, size)?;
        let second = ends.second.and_then(|second| self.end(second.host, second.pace, size));
        Some(Ends { first, second, ..ends })
    }

    /// The two hosts that complete the job first; `None` if there is no host.
    fn ends(&self, place: usize) -> Option<Ends> {
        let size = self.level.jobs[place].size;
        let all = || self.level.hosts.iter().filter_map(|&(host, pace)| self.end(host, pace, size));
        let (mut first, mut second): (Option<End>, Option<End>) = (None, None);
        for end in all() {
            // Hosts come in order, so of equal completions the first stays in front.
            if first.is_none_or(|first| end.time < first.time) {
                (first, second) = (Some(end), first);
            } else if second.is_none_or(|second| end.time < second.time) {
                second = Some(end);
            }
        }
        let first = first?;
        let margin = self.level.margin;
        let is_apart = |one: &End, other: &End| {
            one.pace == other.pace || other.time >= one.time.saturating_add(margin)
        };
        let is_clear = second.is_none_or(|second| {
            let mut others = all().filter(|end| ![first.host, second.host].contains(&end.host));
            is_apart(&first, &second) && others.all(|end| is_apart(&second, &end))
        });
        Some(Ends { first, second, is_clear })
    }
}

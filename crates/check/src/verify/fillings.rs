//! The rule `fillings`: hosts that are equal, or differ in speed and ready time, filled one after
//! the other in all ways that matter.
//!
//! Times are works here, in a unit that is the same on all hosts; faster hosts have more room. A
//! case is a number of hosts of each room and the tasks left for them. Some host has the longest of
//! these tasks; a node says what else that host may have, or why there is no k-mapping of the case
//! at all. `docs/certificates.md` has the proofs.

use std::collections::HashMap;

use super::part::largest_sum;
use super::steps::StepFault;
use crate::knapsack::{Item, Knapsack, TooLarge};
use gridsat_model::certificate::FillingNode;
use gridsat_model::{Instance, Ticks, Works};

/// Most fillings of one node, and most steps in the search for them.
const MOST_FILLINGS: usize = 1 << 20;
const MOST_STEPS: u64 = 1 << 32;

/// Most numbers in all cases that are kept, open or seen; each takes four bytes.
const MOST_COUNTS: usize = 1 << 28;

/// Hosts and tasks left.
#[derive(Clone)]
struct Case {
    /// How many hosts of each room are left.
    hosts: Vec<u64>,
    /// How many tasks of each distinct time are left.
    counts: Vec<u32>,
}

/// What all cases share.
struct Problem {
    /// The distinct times above 0, longest first.
    times: Vec<u64>,
    /// The distinct rooms of hosts, largest first.
    rooms: Vec<u64>,
}

/// For the tasks left of every case with a branch or prices, the hosts.
type Seen = HashMap<Vec<u32>, Vec<Vec<u64>>>;

/// A proof by fillings, given node by node.
pub(super) struct Fillings {
    problem: Problem,
    /// The cases that are not refuted yet, the next one last.
    open: Vec<Case>,
    seen: Seen,
    /// The number of cases seen.
    cases_seen: usize,
    nodes: usize,
}

impl Fillings {
    pub fn new(instance: &Instance, k: Ticks) -> Result<Self, StepFault> {
        let (problem, first) = start(instance, k)?;
        let (open, seen) = (vec![first], Seen::new());
        Ok(Self { problem, open, seen, cases_seen: 0, nodes: 0 })
    }

    /// Checks the next node.
    pub fn take(&mut self, node: &FillingNode) -> Result<(), StepFault> {
        let index = self.nodes;
        self.nodes += 1;
        let case = self.open.pop().ok_or(StepFault::NodesLeftOver { used: index })?;
        let wrong = |fault| StepFault::Node { index, fault: Box::new(fault) };
        let below = self.problem.cases(&case, node, &self.seen).map_err(wrong)?;
        if let FillingNode::Branch { .. } | FillingNode::Prices { .. } = node {
            self.seen.entry(case.counts).or_default().push(case.hosts);
            self.cases_seen += 1;
        }
        self.open.extend(below.into_iter().rev());
        let numbers = self.problem.times.len() + self.problem.rooms.len();
        if (self.open.len() + self.cases_seen) * numbers > MOST_COUNTS {
            return Err(StepFault::TooManyCases { index });
        }
        Ok(())
    }

    /// Whether the nodes refute k.
    pub fn finish(self) -> Result<(), StepFault> {
        let cases = self.open.len();
        if cases == 0 { Ok(()) } else { Err(StepFault::CasesLeftOver { cases }) }
    }
}

fn start(instance: &Instance, k: Ticks) -> Result<(Problem, Case), StepFault> {
    let works = Works::of(instance).ok_or(StepFault::NoWorks)?;
    if let Some(host) = instance.hosts().find(|&host| instance.ready(host) > k) {
        return Err(StepFault::NotReady { host: host.0, ready: instance.ready(host) });
    }
    let rooms = works.rooms(instance, k).unwrap_or_default();
    let mut times = works.of_task;
    times.sort_unstable_by(|a, b| b.cmp(a));
    let equal = || times.chunk_by(|a, b| a == b).filter(|equal| equal[0] > 0);
    let counts = equal().map(|equal| equal.len() as u32).collect();
    let times = equal().map(|equal| equal[0]).collect();
    let (rooms, hosts) = rooms.into_iter().unzip();
    Ok((Problem { times, rooms }, Case { hosts, counts }))
}

/// What prices say about a case.
struct Values {
    /// The total price of the tasks left.
    total: u128,
    /// The largest price of a set that fits a host, room by room.
    best: Vec<u64>,
    /// What all hosts left can hold.
    packed: u128,
}

impl Problem {
    /// The cases below a node.
    fn cases(&self, case: &Case, node: &FillingNode, seen: &Seen) -> Result<Vec<Case>, StepFault> {
        match node {
            FillingNode::Work {} => self.check_work(case).map(|()| Vec::new()),
            FillingNode::Seen {} => {
                let has_more =
                    |hosts: &Vec<u64>| hosts.iter().zip(&case.hosts).all(|(a, b)| a >= b);
                let is_seen = seen.get(&case.counts).is_some_and(|all| all.iter().any(has_more));
                is_seen.then(Vec::new).ok_or(StepFault::NotSeen)
            }
            FillingNode::Prices { prices } => {
                let Values { total, packed, .. } = self.values(case, prices)?;
                let is_refuted = total > packed;
                is_refuted.then(Vec::new).ok_or(StepFault::PricesFit { total, packed })
            }
            FillingNode::Forced { hosts } => {
                let mut case = case.clone();
                for _ in 0..*hosts {
                    self.force(&mut case)?;
                }
                Ok(vec![case])
            }
            FillingNode::Branch { prices, order } => ordered(self.branch(case, prices)?, order),
        }
    }

    fn check_work(&self, case: &Case) -> Result<(), StepFault> {
        let product = |(&time, &count): (&u64, &u32)| u128::from(time) * u128::from(count);
        let work = self.times.iter().zip(&case.counts).map(product).sum();
        let room = self.rooms.iter().zip(&case.hosts);
        let room = room.map(|(&room, &hosts)| u128::from(room) * u128::from(hosts)).sum();
        if work > room { Ok(()) } else { Err(StepFault::PartFits { work, room }) }
    }

    fn values(&self, case: &Case, prices: &[u64]) -> Result<Values, StepFault> {
        let left: Vec<usize> = left(&case.counts).collect();
        if prices.len() != left.len() {
            let (found, tasks) = (prices.len(), left.len());
            return Err(StepFault::WrongPriceCount { found, tasks });
        }
        let price =
            |(&class, &price): (&usize, &u64)| u128::from(price) * u128::from(case.counts[class]);
        let total = left.iter().zip(prices).map(price).sum();
        if total > u128::from(u64::MAX) {
            return Err(StepFault::Overflow);
        }
        let mut best = Vec::new();
        for (&room, &hosts) in self.rooms.iter().zip(&case.hosts) {
            let items = left.iter().zip(prices).flat_map(|(&class, &price)| {
                let fitting = u64::from(case.counts[class]).min(room / self.times[class]);
                let item = Item { price, time: Ticks(self.times[class]) };
                std::iter::repeat_n(item, fitting as usize)
            });
            let too_large = |TooLarge(entries)| StepFault::TableTooLarge { host: 0, entries };
            let items = if hosts > 0 { items.collect() } else { Vec::new() };
            best.push(Knapsack::new(items, Ticks(room)).map_err(too_large)?.best);
        }
        let all = best.iter().zip(&case.hosts);
        let packed = all.map(|(&best, &hosts)| u128::from(best) * u128::from(hosts)).sum();
        Ok(Values { total, best, packed })
    }

    /// The longest task left, and the rooms with hosts left that it fits. An error if there is
    /// none.
    fn longest(&self, case: &Case) -> Result<(usize, Vec<usize>), StepFault> {
        let longest = left(&case.counts).next().ok_or(StepFault::NothingLeft)?;
        let time = self.times[longest];
        let hosts = || (0..self.rooms.len()).filter(|&place| case.hosts[place] > 0);
        let largest = hosts().next().ok_or(StepFault::NothingLeft)?;
        let fitting: Vec<usize> = hosts().filter(|&place| self.rooms[place] >= time).collect();
        if fitting.is_empty() {
            return Err(StepFault::TooLong { time, room: self.rooms[largest] });
        }
        Ok((longest, fitting))
    }

    /// Fills a host with the longest task left and the one that takes as long as any set that fits
    /// beside it. Hosts of one room only must fit the longest task.
    fn force(&self, case: &mut Case) -> Result<(), StepFault> {
        let (longest, fitting) = self.longest(case)?;
        let &[place] = fitting.as_slice() else { return Err(StepFault::SeveralRooms) };
        let rest = self.rooms[place] - self.times[longest];
        case.counts[longest] -= 1;
        case.hosts[place] -= 1;
        let longest = left(&case.counts).find(|&class| self.times[class] <= rest);
        let Some(longest) = longest else { return Ok(()) };
        let equal = |class: usize| {
            let most = (rest / self.times[class]).min(case.counts[class].into());
            std::iter::repeat_n(Ticks(self.times[class]), most as usize)
        };
        let fitting: Vec<Ticks> = left(&case.counts).flat_map(equal).collect();
        let sum = largest_sum(&fitting, Ticks(rest))?.0;
        if self.times[longest] < sum {
            return Err(StepFault::NotForced { longest: self.times[longest], sum });
        }
        case.counts[longest] -= 1;
        Ok(())
    }

    /// The cases after each filling of the host with the longest task left, of the largest room
    /// first.
    fn branch(&self, case: &Case, prices: &[u64]) -> Result<Vec<Case>, StepFault> {
        let Values { total, best, packed } = self.values(case, prices)?;
        let mut of_class = vec![0; self.times.len()];
        left(&case.counts).zip(prices).for_each(|(class, &price)| of_class[class] = price);
        let (longest, fitting) = self.longest(case)?;
        let mut search = Search::new(self, of_class);
        for place in fitting {
            // The other hosts have at most this, so this one has at least the rest.
            let others = packed - u128::from(best[place]);
            let least = u64::try_from(total.saturating_sub(others));
            let least = least.map_err(|_| StepFault::Overflow)?;
            let mut rest = case.clone();
            rest.counts[longest] -= 1;
            rest.hosts[place] -= 1;
            let room = self.rooms[place] - self.times[longest];
            let least = least.saturating_sub(search.prices[longest]);
            search.extend(&mut rest, 0, (room, least), &mut Vec::new())?;
        }
        Ok(search.found)
    }
}

/// The cases in this order, which must have each of them once.
fn ordered(cases: Vec<Case>, order: &[u32]) -> Result<Vec<Case>, StepFault> {
    let wrong = || StepFault::WrongOrder { fillings: cases.len() };
    let mut is_there = vec![false; cases.len()];
    for &number in order {
        let place = is_there.get_mut(number as usize).filter(|place| !**place);
        *place.ok_or_else(wrong)? = true;
    }
    if order.len() != cases.len() {
        return Err(wrong());
    }
    Ok(order.iter().map(|&number| cases[number as usize].clone()).collect())
}

/// The classes of which tasks are left.
fn left(counts: &[u32]) -> impl Iterator<Item = usize> + '_ {
    counts.iter().enumerate().filter(|&(_, &count)| count > 0).map(|(class, _)| class)
}

/// The search for all fillings of one host.
struct Search<'a> {
    problem: &'a Problem,
    /// The price of each class.
    prices: Vec<u64>,
    /// Of each class and those after it, the one with the highest price per time.
    dearest: Vec<usize>,
    /// The cases after each filling.
    found: Vec<Case>,
    steps: u64,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, prices: Vec<u64>) -> Self {
        let mut dearest: Vec<usize> = (0..prices.len()).collect();
        for class in (1..prices.len()).rev() {
            let (before, after) = (class - 1, dearest[class]);
            let product = |a: usize, b: usize| u128::from(prices[a]) * u128::from(problem.times[b]);
            if product(after, before) > product(before, after) {
                dearest[before] = after;
            }
        }
        Self { problem, prices, dearest, found: Vec::new(), steps: 0 }
    }

    /// Adds tasks of this class and the following ones in all ways. `set` has the classes of the
    /// tasks added so far; the room and the price that the host still needs go with it. Fillings
    /// are found in lexicographic order of their times, longest first.
    fn extend(
        &mut self,
        case: &mut Case,
        from: usize,
        (room, least): (u64, u64),
        set: &mut Vec<usize>,
    ) -> Result<(), StepFault> {
        for class in from..self.problem.times.len() {
            self.steps += 1;
            let time = self.problem.times[class];
            if case.counts[class] == 0 || time > room || !self.can_reach(class, room, least) {
                continue;
            }
            case.counts[class] -= 1;
            set.push(class);
            let least = least.saturating_sub(self.prices[class]);
            self.extend(case, class, (room - time, least), set)?;
            set.pop();
            case.counts[class] += 1;
        }
        if least == 0 && self.is_longest(case, room, set) {
            self.found.push(case.clone());
        }
        if self.steps > MOST_STEPS || self.found.len() > MOST_FILLINGS {
            return Err(StepFault::TooManyFillings);
        }
        Ok(())
    }

    /// Whether tasks of this class and shorter ones can have this price together, if parts of tasks
    /// would do. It only saves steps.
    fn can_reach(&self, class: usize, room: u64, least: u64) -> bool {
        let dearest = self.dearest[class];
        let (price, time) = (self.prices[dearest], self.problem.times[dearest]);
        u128::from(price) * u128::from(room) >= u128::from(least) * u128::from(time)
    }

    /// Whether the set cannot be made longer by adding a task that is left, or by taking one in
    /// place of a shorter one.
    fn is_longest(&self, case: &Case, room: u64, set: &[usize]) -> bool {
        let times = &self.problem.times;
        let fits = |class: usize| times[class] <= room;
        let replaces = |class: usize| {
            let is_better = |&in_set: &usize| {
                times[in_set] < times[class] && times[class] - times[in_set] <= room
            };
            set.iter().any(is_better)
        };
        !left(&case.counts).any(|class| fits(class) || replaces(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random(rng: &mut ChaCha8Rng) -> (Problem, Case) {
        let mut distinct = |count: usize, least: u64, most: u64| {
            let mut all: Vec<u64> = (0..count).map(|_| rng.random_range(least..=most)).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            all.dedup();
            all
        };
        let (times, rooms) = (distinct(4, 1, 12), distinct(2, 6, 24));
        let counts = times.iter().map(|_| rng.random_range(0..4)).collect();
        let hosts = rooms.iter().map(|_| rng.random_range(0..3)).collect();
        (Problem { times, rooms }, Case { hosts, counts })
    }

    /// All ways to take some of these tasks.
    fn sets(counts: &[u32]) -> Vec<Vec<u32>> {
        let mut sets = vec![Vec::new()];
        for &count in counts {
            let longer = |set: &Vec<u32>| {
                let set = set.clone();
                (0..=count).map(move |taken| [&set[..], &[taken]].concat())
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        sets
    }

    fn sum(set: &[u32], values: &[u64]) -> u64 {
        set.iter().zip(values).map(|(&count, value)| u64::from(count) * value).sum()
    }

    /// The fillings as the format describes them: with the longest task left, worth what the other
    /// hosts cannot hold, and not to be made longer by one task more or in place of another.
    fn plain(problem: &Problem, case: &Case, of_class: &[u64]) -> Vec<(Vec<u64>, Vec<u32>)> {
        let Problem { times, rooms } = problem;
        let best = |room: u64| {
            let sets = sets(&case.counts);
            let fitting = sets.iter().filter(|set| sum(set, times) <= room);
            fitting.map(|set| sum(set, of_class)).max().unwrap_or(0)
        };
        let all = |case: &Case| {
            rooms.iter().zip(&case.hosts).map(|(&room, hosts)| hosts * best(room)).sum::<u64>()
        };
        let longest = case.counts.iter().position(|&count| count > 0).expect("a task");
        let mut found = Vec::new();
        for (place, &room) in rooms.iter().enumerate().filter(|&(place, _)| case.hosts[place] > 0) {
            let mut rest = case.clone();
            rest.hosts[place] -= 1;
            let least = sum(&case.counts, of_class).saturating_sub(all(&rest));
            for set in sets(&case.counts) {
                let time = sum(&set, times);
                if set[longest] == 0 || time > room || sum(&set, of_class) < least {
                    continue;
                }
                let is_longer = |class: usize| {
                    let is_left = set[class] < case.counts[class];
                    let others = (0..times.len()).filter(|&other| {
                        set[other] > u32::from(other == longest) && times[other] < times[class]
                    });
                    let mut gains =
                        others.map(|other| times[class] - times[other]).chain([times[class]]);
                    is_left && gains.any(|gain| time + gain <= room)
                };
                if !(0..times.len()).any(is_longer) {
                    let counts = case.counts.iter().zip(&set).map(|(all, taken)| all - taken);
                    found.push((rest.hosts.clone(), counts.collect()));
                }
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn a_branch_has_every_filling_that_matters() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut branches = 0;
        for number in 0..3000 {
            let (problem, case) = random(&mut rng);
            let prices: Vec<u64> = left(&case.counts).map(|_| rng.random_range(0..10)).collect();
            let mut of_class = vec![0; problem.times.len()];
            left(&case.counts).zip(&prices).for_each(|(class, &price)| of_class[class] = price);
            let Ok(found) = problem.branch(&case, &prices) else { continue };
            let mut found: Vec<_> =
                found.into_iter().map(|case| (case.hosts, case.counts)).collect();
            found.sort_unstable();
            assert_eq!(found, plain(&problem, &case, &of_class), "number {number}");
            branches += usize::from(found.len() > 1);
        }
        assert!(branches > 300, "{branches}");
    }

    #[test]
    fn a_host_is_forced_only_if_no_set_takes_longer_than_one_task() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let (mut forced, mut refused) = (0, 0);
        for number in 0..3000 {
            let (problem, case) = random(&mut rng);
            let Ok((longest, fitting)) = problem.longest(&case) else { continue };
            let mut after = case.clone();
            let result = problem.force(&mut after);
            let &[place] = fitting.as_slice() else {
                assert!(matches!(result, Err(StepFault::SeveralRooms)), "number {number}");
                continue;
            };
            let mut expected = case.clone();
            expected.counts[longest] -= 1;
            expected.hosts[place] -= 1;
            let rest = problem.rooms[place] - problem.times[longest];
            let sums = sets(&expected.counts).into_iter().map(|set| sum(&set, &problem.times));
            let most = sums.filter(|&sum| sum <= rest).max().unwrap_or(0);
            let second = left(&expected.counts).find(|&class| problem.times[class] <= rest);
            if second.is_some_and(|second| problem.times[second] < most) {
                assert!(matches!(result, Err(StepFault::NotForced { .. })), "number {number}");
                refused += 1;
                continue;
            }
            second.into_iter().for_each(|second| expected.counts[second] -= 1);
            assert!(result.is_ok(), "number {number}");
            assert_eq!((after.hosts, after.counts), (expected.hosts, expected.counts));
            forced += 1;
        }
        assert!(forced > 300 && refused > 300, "{forced} {refused}");
    }
}

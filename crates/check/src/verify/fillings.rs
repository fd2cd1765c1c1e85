//! The rule `fillings`: equal hosts, filled one after the other in all ways that matter.
//!
//! A case is a number of hosts and the tasks left for them. Some host has the longest of these
//! tasks; a node says what else that host may have, or why there is no k-mapping of the case at all.
//! `docs/certificates.md` has the proofs.

use std::collections::HashMap;

use super::part::{largest_sum, times_on_equal_hosts};
use super::steps::StepFault;
use crate::knapsack::{Item, Knapsack, TooLarge};
use gridsat_model::certificate::FillingNode;
use gridsat_model::{Instance, Ticks};

/// Most fillings of one node, and most steps in the search for them.
const MOST_FILLINGS: usize = 1 << 20;
const MOST_STEPS: u64 = 1 << 32;

/// Most numbers in all cases that are kept, open or seen; each takes four bytes.
const MOST_COUNTS: usize = 1 << 28;

/// Hosts and tasks left.
#[derive(Clone)]
struct Case {
    hosts: u64,
    /// How many tasks of each distinct time are left.
    counts: Vec<u32>,
}

/// What all cases share.
struct Problem {
    /// The distinct times above 0, longest first.
    times: Vec<u64>,
    /// The time that every host has for its tasks.
    room: u64,
}

/// A proof by fillings, given node by node.
pub(super) struct Fillings {
    problem: Problem,
    /// The cases that are not refuted yet, the next one last.
    open: Vec<Case>,
    /// For the tasks left of every case with a branch or prices, the most hosts.
    seen: HashMap<Vec<u32>, u64>,
    nodes: usize,
}

impl Fillings {
    pub fn new(instance: &Instance, k: Ticks) -> Result<Self, StepFault> {
        let (problem, first) = start(instance, k)?;
        Ok(Self { problem, open: vec![first], seen: HashMap::new(), nodes: 0 })
    }

    /// Checks the next node.
    pub fn take(&mut self, node: &FillingNode) -> Result<(), StepFault> {
        let index = self.nodes;
        self.nodes += 1;
        let case = self.open.pop().ok_or(StepFault::NodesLeftOver { used: index })?;
        let wrong = |fault| StepFault::Node { index, fault: Box::new(fault) };
        let below = self.problem.cases(&case, node, &self.seen).map_err(wrong)?;
        if let FillingNode::Branch { .. } | FillingNode::Prices { .. } = node {
            let hosts = self.seen.entry(case.counts).or_default();
            *hosts = case.hosts.max(*hosts);
        }
        self.open.extend(below.into_iter().rev());
        let cases = self.open.len() + self.seen.len();
        if cases * self.problem.times.len() > MOST_COUNTS {
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
    let times = times_on_equal_hosts(instance)?;
    let host = instance.hosts().next().ok_or(StepFault::UnequalHosts)?;
    let ready = instance.ready(host);
    let room = k.checked_sub(ready).ok_or(StepFault::NotReady { host: host.0, ready })?;
    let equal = || times.chunk_by(|a, b| a == b).filter(|equal| equal[0].0 > 0);
    let problem = Problem { times: equal().map(|equal| equal[0].0).collect(), room: room.0 };
    let counts = equal().map(|equal| equal.len() as u32).collect();
    Ok((problem, Case { hosts: instance.host_count() as u64, counts }))
}

impl Problem {
    /// The cases below a node.
    fn cases(
        &self,
        case: &Case,
        node: &FillingNode,
        seen: &HashMap<Vec<u32>, u64>,
    ) -> Result<Vec<Case>, StepFault> {
        match node {
            FillingNode::Work {} => self.check_work(case).map(|()| Vec::new()),
            FillingNode::Seen {} => match seen.get(&case.counts) {
                Some(&hosts) if hosts >= case.hosts => Ok(Vec::new()),
                _ => Err(StepFault::NotSeen),
            },
            FillingNode::Prices { prices } => {
                let (total, best) = self.values(case, prices)?;
                let packed = u128::from(case.hosts) * u128::from(best);
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
        let room = u128::from(case.hosts) * u128::from(self.room);
        if work > room { Ok(()) } else { Err(StepFault::PartFits { work, room }) }
    }

    /// The total price of the tasks left, and the largest price of a set that fits a host.
    fn values(&self, case: &Case, prices: &[u64]) -> Result<(u128, u64), StepFault> {
        let left: Vec<usize> = left(&case.counts).collect();
        if prices.len() != left.len() {
            let (found, tasks) = (prices.len(), left.len());
            return Err(StepFault::WrongPriceCount { found, tasks });
        }
        let mut items = Vec::new();
        let mut total: u128 = 0;
        for (&class, &price) in left.iter().zip(prices) {
            total += u128::from(price) * u128::from(case.counts[class]);
            let most = self.room / self.times[class];
            let fitting = u64::from(case.counts[class]).min(most) as usize;
            let item = Item { price, time: Ticks(self.times[class]) };
            items.extend(std::iter::repeat_n(item, fitting));
        }
        if total > u128::from(u64::MAX) {
            return Err(StepFault::Overflow);
        }
        let too_large = |TooLarge(entries)| StepFault::TableTooLarge { host: 0, entries };
        let knapsack = Knapsack::new(items, Ticks(self.room)).map_err(too_large)?;
        Ok((total, knapsack.best))
    }

    /// Takes the longest task left, and removes it and one host. An error if there is none, or if it
    /// does not fit.
    fn take_longest(&self, case: &mut Case) -> Result<u64, StepFault> {
        let longest = left(&case.counts).next().filter(|_| case.hosts > 0);
        let longest = longest.ok_or(StepFault::NothingLeft)?;
        case.counts[longest] -= 1;
        case.hosts -= 1;
        let time = self.times[longest];
        self.room.checked_sub(time).ok_or(StepFault::TooLong { time, room: self.room })
    }

    /// Fills a host with the longest task left and the one that takes as long as any set that fits
    /// beside it.
    fn force(&self, case: &mut Case) -> Result<(), StepFault> {
        let rest = self.take_longest(case)?;
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

    /// The cases after each filling of the host with the longest task left.
    fn branch(&self, case: &Case, prices: &[u64]) -> Result<Vec<Case>, StepFault> {
        let (total, best) = self.values(case, prices)?;
        let mut of_class = vec![0; self.times.len()];
        left(&case.counts).zip(prices).for_each(|(class, &price)| of_class[class] = price);
        // The other hosts have at most `best` each, so this one has at least the rest.
        let others = u128::from(case.hosts.saturating_sub(1)) * u128::from(best);
        let least = u64::try_from(total.saturating_sub(others)).map_err(|_| StepFault::Overflow)?;
        let mut rest = case.clone();
        let longest = left(&case.counts).next().ok_or(StepFault::NothingLeft)?;
        let room = self.take_longest(&mut rest)?;
        let least = least.saturating_sub(of_class[longest]);
        let mut search = Search::new(self, of_class);
        search.extend(&mut rest, 0, (room, least), &mut Vec::new())?;
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
    /// tasks added so far; the room and the price that the host still needs go with it. Fillings are
    /// found in lexicographic order of their times, longest first.
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

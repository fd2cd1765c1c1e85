//! The rule `part`: some of the hosts, which are equal, hold too many of the longest tasks.
//!
//! With one host or with all, task prices say the same ([`prices`]). Otherwise hosts are put in
//! order: host j holds no fewer of the l longest tasks than host j + 1. No mapping is lost, since
//! hosts can be exchanged; the dominance rule shows that with the order `Σ_j j·c_j`, where c_j
//! counts the tasks of host j: an exchange of two hosts in the wrong order makes the sum smaller.
//!
//! Then the first h hosts hold at least q of the l tasks together. Let `l = a·m + r` with `r < m`.
//! Either the last of these hosts holds at least a + 1, and so does each before it, or the others
//! hold at most a each: `q = min(h·(a + 1), h·a + r)`. So they hold at least the time of the q
//! shortest, but their rooms are smaller.

use std::cmp::Reverse;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::ops::Range;

use super::VeripbError;
use super::case::{Case, Fact, Problem, Refuted};
use super::lines::{ConstraintId, Lines, Literal, Weighted};
use super::prices::Sacks;
use gridsat_model::{HostId, Instance, TaskId};

/// The longest tasks and some of the hosts.
pub struct Part {
    /// The tasks, longest first, with their times on any host.
    longest: Vec<(TaskId, u64)>,
    /// Number of the hosts, which are the first ones.
    hosts: usize,
    all_hosts: usize,
}

impl Part {
    /// This many of the longest tasks and of the hosts, of which there is one at least.
    pub fn new(instance: &Instance, hosts: usize, tasks: usize) -> Self {
        let time = |task| instance.time(task, HostId(0)).map_or(0, |time| time.0);
        let mut longest: Vec<_> = instance.tasks().map(|task| (task, time(task))).collect();
        longest.sort_by_key(|&(_, time)| Reverse(time));
        longest.truncate(tasks);
        Self { longest, hosts, all_hosts: instance.host_count() }
    }

    /// Prices that refute what the part refutes if it has one host or all. On one host there are
    /// too many tasks for their number, so each has price 1; on all there is too much time.
    pub fn prices(&self, instance: &Instance) -> Option<Vec<u64>> {
        match self.hosts {
            1 => Some(self.priced(instance, |_| 1)),
            _ if self.has_all_hosts() => Some(self.times(instance)),
            _ => None,
        }
    }

    pub fn has_all_hosts(&self) -> bool {
        self.hosts == self.all_hosts
    }

    /// The times of the longest tasks; 0 for all others.
    fn times(&self, instance: &Instance) -> Vec<u64> {
        self.priced(instance, |time| time)
    }

    fn priced(&self, instance: &Instance, price: impl Fn(u64) -> u64) -> Vec<u64> {
        let mut prices = vec![0; instance.task_count()];
        self.longest.iter().for_each(|&(task, time)| prices[task.index()] = price(time));
        prices
    }

    /// The most that each of the hosts after the first ones can hold if they hold as few as
    /// possible: a.
    fn least(&self) -> usize {
        self.longest.len() / self.all_hosts
    }

    /// How many of the tasks the hosts hold at least: q.
    fn held(&self) -> usize {
        let rest = self.longest.len() % self.all_hosts;
        self.hosts * self.least() + self.hosts.min(rest)
    }

    /// The case is refuted. No pair is removed from it, and no task placed.
    pub fn refute<W: Write>(
        &self,
        case: &mut Case<'_>,
        lines: &mut Lines<W>,
    ) -> Result<Refuted, VeripbError> {
        let problem = case.problem;
        let hosts = Ordered { part: self, problem, first: order_hosts(self, problem, lines)? };
        let count = hosts.count(lines)?;
        let time = Fact::always(hosts.time(count, lines)?);
        let shortest = self.longest.iter().rev().take(self.held());
        let total = shortest.map(|&(_, time)| u128::from(time)).sum();
        let hosts = || problem.instance.hosts().take(self.hosts);
        if hosts().map(|host| u128::from(case.room(host).0)).sum::<u128>() < total {
            return Ok(by_rooms(case, hosts(), time, lines)?);
        }
        let prices = self.times(problem.instance);
        Sacks::of(case, &prices, hosts(), lines)?.refute_by(time, total, lines)
    }
}

/// The hosts have to hold more than their rooms together, whatever sums of times fit.
fn by_rooms<W: Write>(
    case: &mut Case<'_>,
    hosts: impl Iterator<Item = HostId>,
    held: Fact,
    lines: &mut Lines<W>,
) -> io::Result<Refuted> {
    let mut facts = vec![held];
    for host in hosts {
        facts.push(case.row(host, lines)?);
    }
    let parts: Vec<(&Fact, u128)> = facts.iter().map(|fact| (fact, 1)).collect();
    let sum = case.sum(&parts, lines)?;
    case.refute(&[&sum], lines)
}

/// Number of constraints that a line `dom` adds and that the checker deletes again.
const INNER: u64 = 3;

/// Puts the hosts in order of how many of the tasks they hold; returns the number of the first of
/// the constraints `c_j ≥ c_{j+1}`. All constraints so far must hold with any two hosts exchanged.
fn order_hosts<W: Write>(
    part: &Part,
    problem: Problem<'_>,
    lines: &mut Lines<W>,
) -> io::Result<ConstraintId> {
    let hosts = part.all_hosts;
    let variables = part.longest.len() * hosts;
    let weight = |i: usize| 1 + i % hosts;
    let names = |name| Listed(move || (1..=variables).map(move |i| format!("{name}{i}")));
    let terms = |sign, name| {
        let term = move |i| format!("{sign}{} {name}{}", weight(i), i + 1);
        Listed(move || (0..variables).map(term))
    };
    lines.note("def_order hosts")?;
    lines.note(format_args!("vars left{} ; right{} ; end vars ;", names("a"), names("b")))?;
    lines.note(format_args!("def{}{} >= 0 ; end def ;", terms("-", "a"), terms("", "b")))?;
    lines.note(format_args!("transitivity vars fresh_right{} ; end vars ;", names("c")))?;
    lines
        .note("proof proofgoal #1 pol 1 2 + 3 + ; qed #1 : -1 ; qed proof ; end transitivity ;")?;
    lines.note("end def_order ;")?;
    let pair = |task, host| problem.pair(task, HostId(host as u32));
    let of_task = |&(task, _): &(TaskId, u64)| (0..hosts).map(move |host| pair(task, host));
    let all = Listed(|| part.longest.iter().flat_map(of_task));
    lines.note(format_args!("load_order hosts{all} ;"))?;
    let mut kept = Vec::new();
    for host in 1..hosts {
        let pairs = |task| [pair(task, host - 1), pair(task, host)];
        let more = |[a, b]: [Literal; 2]| format!("1 {a} -1 {b}");
        let row = Listed(|| part.longest.iter().map(|&(task, _)| more(pairs(task))));
        let swap = |[a, b]: [Literal; 2]| format!("{a} -> {b} {b} -> {a}");
        let witness = Listed(|| problem.instance.tasks().map(|task| swap(pairs(task))));
        lines.note(format_args!("dom{row} >= 0 :{witness} : subproof"))?;
        lines.note("proofgoal #2 pol -1 -2 + ; qed #2 : -1 ;")?;
        kept.push(lines.step_after(INNER, "qed dom")?);
    }
    lines.note("load_order ;")?;
    Ok(kept[0])
}

/// The items of a list that can be made again, each after a blank.
struct Listed<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Display>> Display for Listed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)().try_for_each(|item| write!(f, " {item}"))
    }
}

/// The problem with its hosts in order.
struct Ordered<'a> {
    part: &'a Part,
    problem: Problem<'a>,
    /// The constraint about the first two hosts.
    first: ConstraintId,
}

impl Ordered<'_> {
    /// The host holds no fewer of the tasks than the next one, times the factor.
    fn pair(&self, host: usize, factor: usize) -> (ConstraintId, u128) {
        (self.first.after((INNER + 1) * host as u64), factor as u128)
    }

    /// The literals of the tasks on these hosts.
    fn literals(&self, hosts: Range<usize>) -> impl Iterator<Item = Literal> + '_ {
        let tasks = self.part.longest.iter();
        let of_task = move |&(task, _): &(TaskId, u64)| {
            hosts.clone().map(move |host| self.problem.pair(task, HostId(host as u32)))
        };
        tasks.flat_map(of_task)
    }

    fn weighted(&self, hosts: Range<usize>) -> Vec<Weighted> {
        self.literals(hosts).map(|literal| (literal, 1)).collect()
    }

    /// The first hosts hold at least q of the tasks.
    fn count<W: Write>(&self, lines: &mut Lines<W>) -> io::Result<ConstraintId> {
        let (last, end, held) = (self.part.hosts - 1, self.part.all_hosts, self.part.held());
        let many = lines.define(&self.weighted(last..last + 1), self.part.least() as u128 + 1)?;
        let enough = lines.define(&self.weighted(0..last + 1), held as u128)?;
        // Each host holds no fewer than the last one: h·(a + 1) if that holds many.
        let before = (0..last).map(|host| self.pair(host, host + 1));
        let more = [(many.when_true, last as u128 + 1), (enough.when_false, 1)];
        let more = lines.sum(&more.into_iter().chain(before).collect::<Vec<_>>())?;
        // Each of the others holds no more: h·a + r if it does not.
        let behind = (last..end - 1).map(|host| self.pair(host, end - 1 - host));
        let tasks = self.part.longest.iter().map(|&(task, _)| self.problem.at_least_one(task));
        let rest = (end - 1 - last) as u128;
        let fewer = [(many.when_false, rest), (enough.when_false, 1)].into_iter();
        let fewer = fewer.chain(behind).chain(tasks.map(|task| (task, 1)));
        let fewer = lines.sum(&fewer.collect::<Vec<_>>())?;
        let shown = lines.clause(&[enough.literal], &[more, fewer])?;
        lines.sum(&[(enough.when_true, 1), (shown, held as u128)])
    }

    /// The tasks of the first hosts take at least the time of the q shortest.
    ///
    /// Let p be the time of the longest of these. The count times p says `Σ p·x ≥ q·p`. Shorter
    /// tasks are on one of the hosts at most, so they save no more than `p − p_t` each; longer
    /// ones take longer.
    fn time<W: Write>(
        &self,
        count: ConstraintId,
        lines: &mut Lines<W>,
    ) -> io::Result<ConstraintId> {
        let part = self.part;
        let (_, common) = part.longest[part.longest.len() - part.held()];
        let mut sums = vec![(count, u128::from(common))];
        let mut literals = Vec::new();
        for &(task, time) in &part.longest {
            let beside = if time < common { part.hosts..part.all_hosts } else { 0..part.hosts };
            let factor = u128::from(time.abs_diff(common));
            if time < common {
                sums.push((self.problem.at_most_one(task), factor));
            }
            let beside = beside.map(|host| self.problem.pair(task, HostId(host as u32)));
            literals.extend(beside.filter(|_| factor > 0).map(|literal| (literal, factor)));
        }
        sums.retain(|&(_, factor)| factor > 0);
        lines.divided_sum(&sums, &literals, 1)
    }
}

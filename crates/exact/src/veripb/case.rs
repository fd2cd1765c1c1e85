//! A case of a tree as constraints: which pairs are possible, and how much room hosts have.
//!
//! Every case has a *guard*, a fresh variable that is true wherever the case does not apply. What
//! holds in the case is derived with the guard as one more literal, and the case is refuted when
//! its guard alone is derived. The guard g of a case below one with guard f, with the decision d,
//! is defined by `g ⇔ f ∨ ¬d`; the guard of the whole problem says that the makespan exceeds k. So
//! what holds in a case also holds below it: assuming ¬g, unit propagation gives ¬f.
//!
//! A case is *settled* like one of the checker: pairs that do not fit are removed, and a task with
//! one pair left is placed. Each step is unit propagation over the hosts' load constraints, which
//! are rewritten without the pairs removed and the tasks placed since they were last used.

use std::io::{self, Write};

use super::lines::{ConstraintId, Definition, Lines, Literal};
use crate::export::opb::Opb;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// The problem, and where its constraints are.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    pub instance: &'a Instance,
    pub opb: &'a Opb<'a>,
}

impl Problem<'_> {
    pub fn pair(&self, task: TaskId, host: HostId) -> Literal {
        Literal::problem(self.opb.pair(task, host))
    }

    pub fn at_least_one(&self, task: TaskId) -> ConstraintId {
        Lines::<io::Sink>::input(2 * u64::from(task.0))
    }

    pub fn at_most_one(&self, task: TaskId) -> ConstraintId {
        Lines::<io::Sink>::input(2 * u64::from(task.0) + 1)
    }

    pub fn load(&self, host: HostId) -> ConstraintId {
        let first = 2 * self.instance.task_count() as u64;
        Lines::<io::Sink>::input(first + u64::from(host.0))
    }
}

/// A constraint that holds in a case and in all cases below it.
#[derive(Clone, Debug)]
pub struct Fact {
    pub id: ConstraintId,
    /// The depths of the cases whose guards are in the constraint, in order.
    depths: Vec<usize>,
}

impl Fact {
    /// A constraint without a guard.
    pub fn always(id: ConstraintId) -> Self {
        Self { id, depths: Vec::new() }
    }
}

#[derive(Clone)]
struct Guard {
    literal: Literal,
    /// The constraint `g ∨ ¬f`; `None` at the root.
    above: Option<ConstraintId>,
}

/// A host's load constraint over the pairs it had when it was written.
#[derive(Clone)]
struct Row {
    fact: Fact,
    /// Pairs removed since then.
    removed: Vec<TaskId>,
    /// Tasks placed since then.
    placed: Vec<TaskId>,
}

/// The case was refuted by this constraint, its guard alone.
#[derive(Clone, Copy, Debug)]
pub struct Refuted(pub ConstraintId);

/// Possible pairs, and the constraints that hold about them.
#[derive(Clone)]
pub struct Case<'a> {
    pub problem: Problem<'a>,
    /// From the root to this case.
    guards: Vec<Guard>,
    /// The hosts left to each task.
    hosts: Vec<Vec<HostId>>,
    placed: Vec<bool>,
    rooms: Vec<Ticks>,
    /// For each task: it is on one of the hosts left.
    tasks: Vec<Fact>,
    rows: Vec<Row>,
}

/// A case that is still open, or the refutation of it.
pub type Opened<'a> = Result<Case<'a>, Refuted>;

/// A pair and the constraint that excludes it.
pub type Excluded = (TaskId, HostId, Fact);

impl<'a> Case<'a> {
    /// All pairs that fit by k. `over` defines the guard: the makespan exceeds k.
    pub fn root<W: Write>(
        problem: Problem<'a>,
        k: Ticks,
        over: Definition,
        lines: &mut Lines<W>,
    ) -> io::Result<Opened<'a>> {
        let instance = problem.instance;
        let (mut rows, mut rooms) = (Vec::new(), Vec::new());
        for host in instance.hosts() {
            let id = lines.sum(&[(problem.load(host), 1), (over.when_false, 1)])?;
            let Some(room) = instance.capacity(host, k) else {
                return Ok(Err(Refuted(lines.clause(&[over.literal], &[id])?)));
            };
            rooms.push(room);
            let fact = Fact { id, depths: vec![0] };
            rows.push(Row { fact, removed: Vec::new(), placed: Vec::new() });
        }
        let hosts = |task| instance.times(task).map(|(host, _)| host).collect();
        let tasks = instance.tasks();
        let mut case = Self {
            problem,
            guards: vec![Guard { literal: over.literal, above: None }],
            hosts: tasks.clone().map(hosts).collect(),
            placed: vec![false; instance.task_count()],
            rooms,
            tasks: tasks.clone().map(|task| Fact::always(problem.at_least_one(task))).collect(),
            rows,
        };
        for task in tasks {
            if let Some(refuted) = case.shrink(task, &[], lines)? {
                return Ok(Err(refuted));
            }
        }
        Ok(Ok(case))
    }

    /// This case's guard.
    pub fn guard(&self) -> Literal {
        self.guards[self.depth()].literal
    }

    fn depth(&self) -> usize {
        self.guards.len() - 1
    }

    /// The room beside the tasks that are placed.
    pub fn room(&self, host: HostId) -> Ticks {
        self.rooms[host.index()]
    }

    pub fn is_placed(&self, task: TaskId) -> bool {
        self.placed[task.index()]
    }

    /// The tasks that are not placed.
    pub fn open_tasks(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.problem.instance.tasks().filter(|&task| !self.is_placed(task))
    }

    /// The open tasks that may be on the host, with their times there.
    pub fn open(&self, host: HostId) -> impl Iterator<Item = (TaskId, Ticks)> + '_ {
        let possible = self.open_tasks().filter(move |&task| self.is_possible(task, host));
        possible.map(move |task| (task, self.time(task, host)))
    }

    pub fn is_possible(&self, task: TaskId, host: HostId) -> bool {
        self.hosts[task.index()].contains(&host)
    }

    /// The hosts left to the task.
    pub fn hosts(&self, task: TaskId) -> &[HostId] {
        &self.hosts[task.index()]
    }

    /// The constraint that the task is on one of the hosts left.
    pub fn task(&self, task: TaskId) -> &Fact {
        &self.tasks[task.index()]
    }

    fn time(&self, task: TaskId, host: HostId) -> Ticks {
        self.problem.instance.time(task, host).unwrap_or(Ticks::MAX)
    }

    /// The host's load constraint over its open tasks: `Σ p·x ≤ room`.
    pub fn row<W: Write>(&mut self, host: HostId, lines: &mut Lines<W>) -> io::Result<Fact> {
        let row = &self.rows[host.index()];
        if row.removed.is_empty() && row.placed.is_empty() {
            return Ok(row.fact.clone());
        }
        let has_weight = |task: &&TaskId| self.time(**task, host) > Ticks(0);
        let removed = row.removed.iter().filter(has_weight);
        let removed: Vec<Literal> = removed.map(|&task| self.problem.pair(task, host)).collect();
        let placed: Vec<&TaskId> = row.placed.iter().filter(has_weight).collect();
        let times = placed.iter().map(|&&task| u128::from(self.time(task, host).0));
        let plus = placed.iter().map(|&&task| self.task(task).id).zip(times).collect::<Vec<_>>();
        let id = lines.reduced(row.fact.id, &removed, &plus)?;
        let used = placed.iter().map(|&&task| self.task(task)).chain([&row.fact]);
        let fact = Fact { id, depths: depths(used) };
        self.rows[host.index()] =
            Row { fact: fact.clone(), removed: Vec::new(), placed: Vec::new() };
        Ok(fact)
    }

    /// Writes a clause that follows in this case by unit propagation over the facts.
    pub fn derive<W: Write>(
        &self,
        clause: &[Literal],
        facts: &[&Fact],
        lines: &mut Lines<W>,
    ) -> io::Result<Fact> {
        let mut hints = Vec::new();
        if let Some(&least) = depths(facts.iter().copied()).first() {
            let guards = &self.guards[least + 1..];
            hints.extend(guards.iter().rev().filter_map(|guard| guard.above));
        }
        hints.extend(facts.iter().map(|fact| fact.id));
        let clause: Vec<Literal> = clause.iter().copied().chain([self.guard()]).collect();
        let id = lines.clause(&clause, &hints)?;
        Ok(Fact { id, depths: vec![self.depth()] })
    }

    /// The sum of facts, each multiplied by a factor; those multiplied by 0 are left out.
    pub fn sum<W: Write>(&self, parts: &[(&Fact, u128)], lines: &mut Lines<W>) -> io::Result<Fact> {
        let used = || parts.iter().filter(|(_, factor)| *factor > 0);
        let ids: Vec<_> = used().map(|(fact, factor)| (fact.id, *factor)).collect();
        let id = lines.sum(&ids)?;
        Ok(Fact { id, depths: depths(used().map(|(fact, _)| *fact)) })
    }

    /// The case is refuted by these facts.
    pub fn refute<W: Write>(&self, facts: &[&Fact], lines: &mut Lines<W>) -> io::Result<Refuted> {
        self.derive(&[], facts, lines).map(|fact| Refuted(fact.id))
    }

    /// The case with the task on the host, or the one with the task elsewhere, and the constraint
    /// `¬g ∨ f ∨ ¬d` by which its refutation is used. The task must be open, and the pair possible.
    pub fn below<W: Write>(
        &self,
        (task, host): (TaskId, HostId),
        is_on: bool,
        lines: &mut Lines<W>,
    ) -> io::Result<(ConstraintId, Opened<'a>)> {
        let pair = self.problem.pair(task, host);
        let decision = if is_on { pair } else { !pair };
        let (guard, above) = (lines.fresh(), self.guard());
        let link = lines.clause_by(&[guard, !above])?;
        let decided = lines.clause_by(&[guard, decision])?;
        let back = lines.clause_by(&[!guard, above, !decision])?;
        let mut case = self.clone();
        case.guards.push(Guard { literal: guard, above: Some(link) });
        let decided = Fact { id: decided, depths: vec![case.depth()] };
        if !is_on {
            return Ok((back, case.without(vec![(task, host, decided)], lines)?));
        }
        case.keep_only(task, &[host], decided);
        Ok((back, case.settled(lines)?))
    }

    /// Without these pairs, each excluded by a fact, and settled.
    pub fn without<W: Write>(
        mut self,
        mut pairs: Vec<Excluded>,
        lines: &mut Lines<W>,
    ) -> io::Result<Opened<'a>> {
        pairs.sort_by_key(|(task, ..)| *task);
        for group in pairs.chunk_by(|(a, ..), (b, ..)| a == b) {
            let out: Vec<_> = group.iter().map(|(_, host, fact)| (*host, fact)).collect();
            if let Some(refuted) = self.shrink(group[0].0, &out, lines)? {
                return Ok(Err(refuted));
            }
        }
        self.settled(lines)
    }

    /// Places tasks with one pair left and removes pairs that do not fit, until nothing changes.
    pub fn settled<W: Write>(mut self, lines: &mut Lines<W>) -> io::Result<Opened<'a>> {
        loop {
            let has_one = |&task: &TaskId| self.hosts(task).len() == 1;
            let Some(task) = self.open_tasks().find(has_one) else { return Ok(Ok(self)) };
            let host = self.hosts(task)[0];
            self.placed[task.index()] = true;
            let time = self.time(task, host);
            self.rooms[host.index()] -= time;
            self.rows[host.index()].placed.push(task);
            let neighbours: Vec<TaskId> = self.open(host).map(|(task, _)| task).collect();
            for task in neighbours {
                if let Some(refuted) = self.shrink(task, &[], lines)? {
                    return Ok(Err(refuted));
                }
            }
        }
    }

    /// Removes pairs of an open task: those excluded by facts, and those that do not fit.
    fn shrink<W: Write>(
        &mut self,
        task: TaskId,
        excluded: &[(HostId, &Fact)],
        lines: &mut Lines<W>,
    ) -> io::Result<Option<Refuted>> {
        let is_out = |host: &HostId| excluded.iter().any(|(other, _)| other == host);
        let is_long = |host: &HostId| self.time(task, *host) > self.room(*host);
        let (gone, left): (Vec<HostId>, Vec<HostId>) =
            self.hosts(task).iter().partition(|host| is_out(host) || is_long(host));
        if gone.is_empty() {
            return Ok(None);
        }
        let mut facts: Vec<Fact> = excluded.iter().map(|(_, fact)| (*fact).clone()).collect();
        for &host in gone.iter().filter(|host| !is_out(host)) {
            facts.push(self.row(host, lines)?);
        }
        facts.push(self.task(task).clone());
        let clause: Vec<Literal> = left.iter().map(|&h| self.problem.pair(task, h)).collect();
        let fact = self.derive(&clause, &facts.iter().collect::<Vec<_>>(), lines)?;
        if left.is_empty() {
            return Ok(Some(Refuted(fact.id)));
        }
        self.keep_only(task, &left, fact);
        Ok(None)
    }

    fn keep_only(&mut self, task: TaskId, left: &[HostId], fact: Fact) {
        for host in std::mem::replace(&mut self.hosts[task.index()], left.to_vec()) {
            if !left.contains(&host) {
                self.rows[host.index()].removed.push(task);
            }
        }
        self.tasks[task.index()] = fact;
    }
}

/// The depths of all guards in the facts, in order.
fn depths<'b>(facts: impl Iterator<Item = &'b Fact>) -> Vec<usize> {
    let mut all: Vec<usize> = facts.flat_map(|fact| fact.depths.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

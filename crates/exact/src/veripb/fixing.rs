//! Pairs that prices rule out.
//!
//! With t on h, host h holds no more than its best packing with t, and every other host no more
//! than its best packing without t. The sum of all task constraints and hosts' limits, with these
//! values for as few hosts as suffice, rules out the pair. Where the linear bound of a host is
//! enough, there is no table: one sum serves all tasks with the same critical item.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;

use super::VeripbError;
use super::case::{Case, Excluded, Fact, Opened};
use super::lines::{Definition, Lines};
use super::prices::{EFFORT, Limited, Sack, Sacks, packable};
use super::states::{Item, Items, Multipliers, Pruned, State};
use super::table::Shown;
use crate::knapsack::{Forced, Packer};
use gridsat_model::{HostId, TaskId};

/// The case without the pairs that the prices rule out.
pub fn fix<'a, W: Write>(
    sacks: Sacks<'_, 'a>,
    pairs: &[(TaskId, HostId)],
    lines: &mut Lines<W>,
) -> Result<Opened<'a>, VeripbError> {
    let (first, names) = (lines.next(), lines.names());
    let limited = match sacks.limited(lines)? {
        Ok(limited) => limited,
        Err(refuted) => {
            lines.delete_range(first, refuted.0)?;
            return Ok(Err(refuted));
        }
    };
    let (case, gone) = Fixing::new(limited).excluded(pairs, lines)?;
    let mut start = first;
    for (.., fact) in &gone {
        lines.delete_range(start, fact.id)?;
        start = fact.id.next();
    }
    lines.forget((start, names), lines.next())?;
    Ok(case.without(gone, lines)?)
}

/// What each host loses with each of its tasks, and without it. Losses above the slack may be
/// larger than stated.
fn losses(limited: &Limited<'_, '_>) -> Vec<Vec<Loss>> {
    let mut all = Vec::new();
    let mut packer = Packer::default();
    for sack in limited.sacks() {
        let threshold = sack.best.saturating_sub(limited.slack);
        let items = packable(&sack.items);
        let (_, forced) = packer.forced(&items, sack.room, threshold, EFFORT);
        let loss = |values: Forced| Loss {
            with: sack.best.saturating_sub(values.with),
            without: sack.best.saturating_sub(values.without),
        };
        all.push(forced.into_iter().map(loss).collect());
    }
    all
}

/// How much less than its best a host can hold with a task, and without it.
#[derive(Clone, Copy)]
struct Loss {
    with: u64,
    without: u64,
}

/// A host that must or must not hold a task.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Force {
    sack: usize,
    item: usize,
    is_in: bool,
}

/// Shown for a forced host: `light → ¬worth`, and that `light` is true.
struct Bounded {
    /// If the task is where it is forced to be, the rest is light.
    heavy: Fact,
    clause: Fact,
    worth: Definition,
}

/// Rules out pairs one by one.
struct Fixing<'c, 'a> {
    limited: Limited<'c, 'a>,
    losses: Vec<Vec<Loss>>,
    /// Sums for a host's linear bound with these multipliers.
    linear: HashMap<(usize, Multipliers), Fact>,
    /// Tables without one item.
    bounded: HashMap<(Force, u64), Bounded>,
    /// Whole tables of hosts with less room; `None` if that is enough for what they must hold.
    narrower: HashMap<(usize, u64), Option<Bounded>>,
}

impl<'c, 'a> Fixing<'c, 'a> {
    fn new(limited: Limited<'c, 'a>) -> Self {
        let losses = losses(&limited);
        let (linear, bounded, narrower) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { limited, losses, linear, bounded, narrower }
    }

    /// The case, and those of the pairs that it has, each with why it is excluded.
    fn excluded<W: Write>(
        mut self,
        pairs: &[(TaskId, HostId)],
        lines: &mut Lines<W>,
    ) -> Result<(Case<'a>, Vec<Excluded>), VeripbError> {
        let mut gone: Vec<Excluded> = Vec::new();
        for &(task, host) in pairs {
            let case = self.case();
            if case.is_placed(task) || !case.is_possible(task, host) {
                continue;
            }
            let sack = host.index();
            let priced = self.sack(sack).tasks.iter().position(|&other| other == task);
            let fact = match priced {
                Some(item) => self.exclude(sack, item, lines)?,
                None => self.exclude_unpriced(sack, task, lines)?,
            };
            gone.push((task, host, fact.ok_or(VeripbError::NotShown)?));
        }
        Ok((self.case().clone(), gone))
    }

    fn sack(&self, index: usize) -> &Sack {
        &self.limited.sacks()[index]
    }

    fn case(&self) -> &Case<'a> {
        self.limited.case()
    }

    /// The constraint that the host does not get the task, if that follows.
    fn exclude<W: Write>(
        &mut self,
        sack: usize,
        item: usize,
        lines: &mut Lines<W>,
    ) -> Result<Option<Fact>, VeripbError> {
        let task = self.sack(sack).tasks[item];
        let mut forced = vec![(Force { sack, item, is_in: true }, self.losses[sack][item].with)];
        for (other, entry) in self.limited.sacks().iter().enumerate() {
            let place = entry.tasks.iter().position(|&name| name == task);
            if let Some(item) = place.filter(|_| other != sack) {
                let force = Force { sack: other, item, is_in: false };
                forced.push((force, self.losses[other][item].without));
            }
        }
        // Few hosts with large losses make short proofs.
        forced.sort_by_key(|&(_, loss)| Reverse(loss));
        let mut sum = 0_u64;
        let enough = forced.iter().position(|&(_, loss)| {
            sum = sum.saturating_add(loss);
            sum > self.limited.slack
        });
        let Some(last) = enough else { return Ok(None) };
        forced.truncate(last + 1);
        match forced[..] {
            [(force, _)] => self.exclude_by_one(task, (sack, item), force, lines).map(Some),
            _ => self.exclude_by_several(task, (sack, item), &forced, lines).map(Some),
        }
    }

    /// The constraint that the host does not get a task without a price, if that follows. The other
    /// hosts lose nothing without the task; this one has less room with it.
    fn exclude_unpriced<W: Write>(
        &mut self,
        sack: usize,
        task: TaskId,
        lines: &mut Lines<W>,
    ) -> Result<Option<Fact>, VeripbError> {
        let unpriced = self.sack(sack).unpriced.iter().find(|(other, _)| *other == task);
        let Some(&(_, item)) = unpriced else { return Ok(None) };
        let Sack { room, best, ref items, .. } = *self.sack(sack);
        let root =
            State { room: room - item.weight, need: best.saturating_sub(self.limited.slack) };
        if root.need == 0 {
            return Ok(None);
        }
        let facts = match Items::new(items.clone()).pruned(0, root) {
            Some(Pruned::TooLittle | Pruned::NoRoom) => vec![self.limited.others[sack].clone()],
            Some(Pruned::Dantzig(by)) => vec![self.linear(sack, by, lines)?],
            None => {
                let Some(bounded) = self.narrower(sack, root, lines)? else { return Ok(None) };
                let worth = Fact::always(bounded.worth.when_false);
                let mut facts = vec![bounded.heavy.clone(), bounded.clause.clone()];
                let parts = [(&self.limited.others[sack], 1), (&worth, 1)];
                facts.push(self.case().sum(&parts, lines)?);
                facts
            }
        };
        let facts: Vec<&Fact> = facts.iter().collect();
        Ok(Some(self.case().derive(&[!item.literal], &facts, lines)?))
    }

    /// Shows that the host cannot reach the state, if it cannot.
    fn narrower<W: Write>(
        &mut self,
        sack: usize,
        root: State,
        lines: &mut Lines<W>,
    ) -> Result<Option<&Bounded>, VeripbError> {
        let key = (sack, root.room);
        if !self.narrower.contains_key(&key) {
            let items = packable(&self.sack(sack).items);
            let most = Packer::default().pack(&items, root.room, EFFORT).at_most;
            let shown = (most < root.need).then(|| self.limited.tables[sack].show(root, lines));
            let bounded = shown.transpose()?.map(|shown| self.bounded_by(sack, shown, lines));
            self.narrower.insert(key, bounded.transpose()?);
        }
        Ok(self.narrower[&key].as_ref())
    }

    /// What a table shows about a host.
    fn bounded_by<W: Write>(
        &self,
        sack: usize,
        shown: Shown,
        lines: &mut Lines<W>,
    ) -> Result<Bounded, VeripbError> {
        let heavy = self.limited.heavy(sack, shown.light, lines)?;
        Ok(Bounded { heavy, clause: Fact::always(shown.clause), worth: shown.worth })
    }

    /// By one host, which loses more than the slack.
    fn exclude_by_one<W: Write>(
        &mut self,
        task: TaskId,
        (sack, item): (usize, usize),
        force: Force,
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        let forced = self.sack(force.sack);
        let need = forced.best.saturating_sub(self.limited.slack);
        let (others, root) = self.rest(force, need)?;
        let unique = Fact::always(self.case().problem.at_most_one(task));
        let mut facts = if force.is_in { Vec::new() } else { vec![unique] };
        match Items::new(others).pruned(0, root) {
            Some(Pruned::TooLittle | Pruned::NoRoom) => {
                facts.push(self.limited.others[force.sack].clone());
            }
            Some(Pruned::Dantzig(by)) => facts.push(self.linear(force.sack, by, lines)?),
            None => {
                self.bound(force, root, lines)?;
                let bounded = &self.bounded[&(force, root.need)];
                let worth = Fact::always(bounded.worth.when_false);
                facts.extend([bounded.heavy.clone(), bounded.clause.clone()]);
                let parts = [(&self.limited.others[force.sack], 1), (&worth, 1)];
                facts.push(self.case().sum(&parts, lines)?);
            }
        }
        self.not_on(sack, item, &facts, lines)
    }

    /// By several hosts, whose losses together exceed the slack.
    fn exclude_by_several<W: Write>(
        &mut self,
        task: TaskId,
        (sack, item): (usize, usize),
        forced: &[(Force, u64)],
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        let hosts: Vec<usize> = forced.iter().map(|(force, _)| force.sack).collect();
        let mut facts = vec![Fact::always(self.case().problem.at_most_one(task))];
        let mut sum = vec![self.limited.all_but(&hosts, lines)?];
        for &(force, loss) in forced {
            // No set is worth more than the best less the loss.
            let need = self.sack(force.sack).best - loss + 1;
            let (others, root) = self.rest(force, need)?;
            if others.iter().map(|item| item.value).sum::<u64>() < root.need {
                continue;
            }
            self.bound(force, root, lines)?;
            let bounded = &self.bounded[&(force, root.need)];
            facts.extend([bounded.heavy.clone(), bounded.clause.clone()]);
            sum.push(Fact::always(bounded.worth.when_false));
        }
        let parts: Vec<(&Fact, u128)> = sum.iter().map(|fact| (fact, 1)).collect();
        facts.push(self.case().sum(&parts, lines)?);
        self.not_on(sack, item, &facts, lines)
    }

    fn not_on<W: Write>(
        &self,
        sack: usize,
        item: usize,
        facts: &[Fact],
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        let literal = self.sack(sack).items[item].literal;
        let facts: Vec<&Fact> = facts.iter().collect();
        Ok(self.case().derive(&[!literal], &facts, lines)?)
    }

    /// The items but the forced one, with the claim that no set of the host is worth `need`.
    fn rest(&self, force: Force, need: u64) -> Result<(Vec<Item>, State), VeripbError> {
        let sack = self.sack(force.sack);
        let mut others = sack.items.clone();
        let item = others.remove(force.item);
        let state = match force.is_in {
            true => State { room: sack.room - item.weight, need: need.saturating_sub(item.value) },
            false => State { room: sack.room, need },
        };
        // A set that needs nothing more is always there.
        if state.need == 0 { Err(VeripbError::NotShown) } else { Ok((others, state)) }
    }

    /// The others' sum and the host's load constraint, with the multipliers of its linear bound.
    fn linear<W: Write>(
        &mut self,
        sack: usize,
        by: Multipliers,
        lines: &mut Lines<W>,
    ) -> Result<Fact, VeripbError> {
        if let Some(known) = self.linear.get(&(sack, by)) {
            return Ok(known.clone());
        }
        let row = self.sack(sack).row.clone();
        let parts =
            [(&self.limited.others[sack], u128::from(by.need)), (&row, u128::from(by.room))];
        let fact = self.case().sum(&parts, lines)?;
        self.linear.insert((sack, by), fact.clone());
        Ok(fact)
    }

    /// Shows that the items but the forced one cannot reach the state.
    fn bound<W: Write>(
        &mut self,
        force: Force,
        root: State,
        lines: &mut Lines<W>,
    ) -> Result<(), VeripbError> {
        if self.bounded.contains_key(&(force, root.need)) {
            return Ok(());
        }
        let sack = self.sack(force.sack);
        let literal = sack.items[force.item].literal;
        let shown = self.limited.tables[force.sack].show_without(literal, root, lines)?;
        let bounded = self.bounded_by(force.sack, shown, lines)?;
        self.bounded.insert((force, root.need), bounded);
        Ok(())
    }
}

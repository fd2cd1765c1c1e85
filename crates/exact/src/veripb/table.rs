//! Proofs that a knapsack is worth no more than claimed.
//!
//! A state ([`super::states`]) is the clause `¬A ∨ ¬B`, where A says that the items left weigh at
//! most `room` and B that they are worth at least `need`; both are fresh variables, shared by the
//! states of a level. The clauses are derived from the last level to the first. With x for the
//! level's item, A and B imply
//!
//! - `A'` (without x there is no more room needed), and `B''` (with x, at most its value is
//!   gained),
//! - `B'` unless x, and `A''` if x,
//!
//! each by the sum of two definitions. So if both successors `¬A' ∨ ¬B'` and `¬A'' ∨ ¬B''` are
//! known, unit propagation finds the contradiction: A', B'', ¬B', x, A''. A successor that a bound
//! shows takes one sum instead, of which x or ¬x is a unit. Items that such a sum decides are units
//! of it, too, and the successor is the state after them; then the clause `¬A ∨ ¬B ∨ x` comes first.
//!
//! Nothing here depends on the makespan or on the case of a tree; only the use of the root does.

use std::collections::HashMap;
use std::io::{self, Write};

use super::VeripbError;
use super::lines::{ConstraintId, Definition, Lines, Literal, Weighted};
use super::states::{Frontiers, Item, Items, Landing, Multipliers, NotShown, Pruned, State};

/// A state whose clause is in the proof.
#[derive(Clone, Copy)]
pub struct Shown {
    pub state: State,
    /// The items left weigh at most the room.
    pub light: Definition,
    /// The items left are worth at least the need.
    pub worth: Definition,
    /// One of the two is false.
    pub clause: ConstraintId,
}

/// What a variable says about the items left at a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// They weigh at most this; not all of them together do.
    Light(u64),
    /// They are worth at least this, which is above 0 and no more than they all are.
    Worth(u64),
}

impl Claim {
    /// The claim as a sum of literals that is at least the second value.
    fn terms(self, items: &Items, level: usize) -> (Vec<Weighted>, u64) {
        let left = items.items[level..].iter();
        match self {
            Self::Light(room) => {
                let terms = left.map(|item| (!item.literal, item.weight));
                let terms = terms.filter(|term| term.1 > 0).collect();
                (terms, items.weight(level).saturating_sub(room))
            }
            Self::Worth(need) => (left.map(|item| (item.literal, item.value)).collect(), need),
        }
    }
}

/// The variables about the items left at each level.
pub struct Thresholds(Vec<LevelThresholds>);

#[derive(Default)]
struct LevelThresholds(HashMap<Claim, Definition>);

impl Thresholds {
    /// None yet, for this many items.
    pub fn new(items: usize) -> Self {
        Self((0..=items).map(|_| LevelThresholds::default()).collect())
    }

    /// The variable of this claim.
    pub fn define<W: Write>(
        &mut self,
        items: &Items,
        level: usize,
        claim: Claim,
        lines: &mut Lines<W>,
    ) -> io::Result<Definition> {
        self.0[level].define(items, level, claim, lines)
    }
}

impl LevelThresholds {
    fn define<W: Write>(
        &mut self,
        items: &Items,
        level: usize,
        claim: Claim,
        lines: &mut Lines<W>,
    ) -> io::Result<Definition> {
        if let Some(&known) = self.0.get(&claim) {
            return Ok(known);
        }
        let (terms, bound) = claim.terms(items, level);
        let definition = lines.define(&terms, u128::from(bound))?;
        self.0.insert(claim, definition);
        Ok(definition)
    }
}

/// The constraint by which a bound contradicts `light` and `worth`, or one value of the item. It
/// is `None` if a definition is missing that it needs.
pub fn bound<W: Write>(
    pruned: Pruned,
    light: Option<Definition>,
    worth: Option<Definition>,
    lines: &mut Lines<W>,
) -> io::Result<Option<ConstraintId>> {
    let (light, worth) = (light.map(|d| d.when_true), worth.map(|d| d.when_true));
    Ok(match pruned {
        Pruned::NoRoom => light,
        Pruned::TooLittle => worth,
        Pruned::Dantzig(by) => match light.zip(worth) {
            None => None,
            Some((light, worth)) => Some(linear(by, light, worth, lines)?),
        },
    })
}

fn linear<W: Write>(
    by: Multipliers,
    light: ConstraintId,
    worth: ConstraintId,
    lines: &mut Lines<W>,
) -> io::Result<ConstraintId> {
    lines.sum(&[(light, u128::from(by.room)), (worth, u128::from(by.need))])
}

/// What the proof contains about one level.
#[derive(Default)]
struct Level {
    thresholds: LevelThresholds,
    /// For each root its undominated states of this level, by room, largest first.
    shown: Vec<Vec<Shown>>,
}

impl Level {
    /// A state that covers this one. Of undominated states the last with enough room has the
    /// smallest need.
    fn covering(&self, state: &State) -> Option<Shown> {
        let candidate = |shown: &Vec<Shown>| {
            let end = shown.partition_point(|shown| shown.state.room >= state.room);
            end.checked_sub(1).map(|last| shown[last]).filter(|shown| shown.state.covers(state))
        };
        self.shown.iter().rev().find_map(candidate)
    }
}

/// The knapsack of a host, and what has been shown about it.
pub struct Table {
    items: Items,
    levels: Vec<Level>,
}

/// Most states of one knapsack; beyond that the proof would exceed any sensible limit.
const MOST_STATES: usize = 1 << 22;

impl Table {
    /// The order of the items that takes the shortest rows to show the root.
    pub fn new(items: &[Item], root: State) -> Self {
        let mut best: Option<(usize, Items)> = None;
        for order in orders(items, root.room) {
            let items = Items::new(order);
            let frontiers = Frontiers::new(&items, root.room);
            let plan = items.plan(root, MOST_STATES, frontiers.as_ref(), |_, _| false);
            let terms = plan.map_or(usize::MAX, |levels| terms(&levels));
            if best.as_ref().is_none_or(|(least, _)| terms < *least) {
                best = Some((terms, items));
            }
        }
        let items = best.map_or_else(|| Items::new(items.to_vec()), |(_, items)| items);
        let levels = (0..=items.len()).map(|_| Level::default()).collect();
        Self { items, levels }
    }

    /// Shows that no set of the items weighs at most the room and is worth at least the need,
    /// which must be above 0 and no more than all items are worth.
    pub fn show<W: Write>(
        &mut self,
        root: State,
        lines: &mut Lines<W>,
    ) -> Result<Shown, VeripbError> {
        let Self { items, levels } = self;
        show(items, levels, root, lines)
    }

    /// The same for the items but one. Levels after that item are those of the whole table.
    pub fn show_without<W: Write>(
        &mut self,
        literal: Literal,
        root: State,
        lines: &mut Lines<W>,
    ) -> Result<Shown, VeripbError> {
        let mut others = self.items.items.clone();
        let place = others.iter().position(|item| item.literal == literal);
        let item = place.ok_or(VeripbError::NotShown)?;
        others.remove(item);
        let others = Items::new(others);
        // Level `item` of the others has the items after it.
        let mut levels: Vec<Level> = (0..item).map(|_| Level::default()).collect();
        levels.extend(self.levels.drain(item + 1..));
        let shown = show(&others, &mut levels, root, lines);
        self.levels.extend(levels.drain(item..));
        shown
    }
}

/// The number of items left at all states.
fn terms(levels: &[Vec<State>]) -> usize {
    levels.iter().rev().zip(1..).map(|(states, left)| states.len() * left).sum()
}

/// Items far from the rate at which the room ends first; those worth least for their weight first;
/// largest first.
fn orders(items: &[Item], room: u64) -> [Vec<Item>; 3] {
    let by_rate = Items::new(items.to_vec());
    let (weight, value) = by_rate.rate_at(room);
    let gain = |item: &Item| {
        let product = |a: u64, b: u64| i128::from(a) * i128::from(b);
        product(item.value, weight) - product(item.weight, value)
    };
    let mut far = items.to_vec();
    far.sort_by_key(|item| std::cmp::Reverse(gain(item).abs()));
    let mut least = items.to_vec();
    least.sort_by_key(gain);
    let mut large = items.to_vec();
    large.sort_by_key(|item| std::cmp::Reverse(item.weight));
    [far, least, large]
}

fn show<W: Write>(
    items: &Items,
    levels: &mut [Level],
    root: State,
    lines: &mut Lines<W>,
) -> Result<Shown, VeripbError> {
    let known = |level: usize, state: &State| levels[level].covering(state).is_some();
    let plan = match items.pruned(0, root) {
        Some(_) => vec![vec![root]],
        None => {
            let frontiers = Frontiers::new(items, root.room);
            let plan = items.plan(root, MOST_STATES, frontiers.as_ref(), known);
            plan.map_err(|NotShown| VeripbError::NotShown)?
        }
    };
    let mut last = None;
    for (level, states) in plan.iter().enumerate().rev().filter(|(_, states)| !states.is_empty()) {
        let mut writer = Writer { items, level, levels, lines, implied: HashMap::new() };
        let shown: Vec<Shown> =
            states.iter().map(|&state| writer.write(state)).collect::<Result<_, _>>()?;
        last = shown.last().copied();
        levels[level].shown.push(shown);
    }
    last.ok_or(VeripbError::NotShown)
}

/// Writes the states of one level.
struct Writer<'a, W> {
    items: &'a Items,
    level: usize,
    levels: &'a mut [Level],
    lines: &'a mut Lines<W>,
    /// Sums of two definitions, which need to be written only once.
    implied: HashMap<(ConstraintId, ConstraintId), ConstraintId>,
}

impl<W: Write> Writer<'_, W> {
    fn write(&mut self, state: State) -> io::Result<Shown> {
        let (items, level) = (self.items, self.level);
        let thresholds = &mut self.levels[level].thresholds;
        let light = thresholds.define(items, level, Claim::Light(state.room), self.lines)?;
        let worth = thresholds.define(items, level, Claim::Worth(state.need), self.lines)?;
        let hints = match self.items.pruned(self.level, state) {
            Some(pruned) => vec![self.bound(pruned, light, worth)?],
            None => self.hints(state, light, worth)?,
        };
        let clause = self.lines.clause(&[!light.literal, !worth.literal], &hints)?;
        Ok(Shown { state, light, worth, clause })
    }

    fn hints(
        &mut self,
        state: State,
        light: Definition,
        worth: Definition,
    ) -> io::Result<Vec<ConstraintId>> {
        let (items, level, mut hints) = (self.items, self.level, Vec::new());
        let own = items.landing(level, state);
        if own.level > level {
            self.reach(own, light, worth, &mut hints)?;
            return Ok(hints);
        }
        let without = items.without(level, state).map(|next| items.landing(level + 1, next));
        let with = items.with(level, state).map(|next| items.landing(level + 1, next));
        for pruned in [without.err(), with.err()].into_iter().flatten() {
            hints.push(self.bound(pruned, light, worth)?);
        }
        match (without, with) {
            (Ok(without), Ok(with)) => {
                self.put_in(without, light, worth, &mut hints)?;
                self.reach(with, light, worth, &mut hints)?;
            }
            // The bound of the other successor has decided the item.
            (Ok(next), Err(_)) | (Err(_), Ok(next)) => {
                self.reach(next, light, worth, &mut hints)?
            }
            (Err(_), Err(_)) => {}
        }
        Ok(hints)
    }

    /// Hints for a contradiction once the items before the landing are decided.
    fn reach(
        &mut self,
        landing: Landing,
        light: Definition,
        worth: Definition,
        hints: &mut Vec<ConstraintId>,
    ) -> io::Result<()> {
        if let Some(by) = landing.decided_by {
            hints.push(linear(by, light.when_true, worth.when_true, self.lines)?);
        }
        let next = self.shown(&landing);
        hints.push(self.implied(worth.when_true, next.worth.when_false)?);
        hints.push(self.implied(light.when_true, next.light.when_false)?);
        hints.push(next.clause);
        Ok(())
    }

    /// Hints for the level's item, which is needed because nothing is left without it.
    fn put_in(
        &mut self,
        without: Landing,
        light: Definition,
        worth: Definition,
        hints: &mut Vec<ConstraintId>,
    ) -> io::Result<()> {
        if without.decided_by.is_some() {
            let mut why = Vec::new();
            self.reach(without, light, worth, &mut why)?;
            let item = self.items.items[self.level].literal;
            let clause = [!light.literal, !worth.literal, item];
            hints.push(self.lines.clause(&clause, &why)?);
            return Ok(());
        }
        let next = self.shown(&without);
        // With or without the item, the rest has no more room; the clause makes `next.worth` false,
        // and that puts the item in.
        hints.push(self.implied(light.when_true, next.light.when_false)?);
        hints.push(next.clause);
        hints.push(self.implied(worth.when_true, next.worth.when_false)?);
        Ok(())
    }

    /// A state that covers the one at which it lands.
    fn shown(&self, landing: &Landing) -> Shown {
        self.levels[landing.level].covering(&landing.state).expect("planned or shown before")
    }

    fn implied(&mut self, a: ConstraintId, b: ConstraintId) -> io::Result<ConstraintId> {
        if let Some(&known) = self.implied.get(&(a, b)) {
            return Ok(known);
        }
        let sum = self.lines.sum(&[(a, 1), (b, 1)])?;
        self.implied.insert((a, b), sum);
        Ok(sum)
    }

    /// The constraint by which a bound decides the item, or contradicts the state itself.
    fn bound(
        &mut self,
        pruned: Pruned,
        light: Definition,
        worth: Definition,
    ) -> io::Result<ConstraintId> {
        let id = bound(pruned, Some(light), Some(worth), self.lines)?;
        Ok(id.expect("both definitions are there"))
    }
}

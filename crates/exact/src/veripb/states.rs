//! Which states of a knapsack a proof has to visit.
//!
//! The claim: no set of the items weighs at most `room` and is worth at least `need`. Items are
//! decided one by one. A *state* (i, room, need) says the same of the items from the i-th on:
//!
//! - without item i it needs (i + 1, room, need);
//! - with it, (i + 1, room − weight, need − value).
//!
//! A successor needs no state of its own if Dantzig's bound shows it, or if another state of that
//! level with no less room and no larger need is visited anyway. As in the lists of the checker,
//! only undominated states remain. The sum behind that bound also decides every item whose reduced
//! price exceeds what the bound leaves: these items need no states, and the successor is the one
//! after them ([`Items::landing`]). Rows are as long as items are left, so most of a proof is saved
//! where few items remain undecided.
//!
//! Neighbouring states of a level are joined to one that covers both, with the larger room and the
//! smaller need, as long as the claim stays true ([`Frontiers`]). Where a host holds few items,
//! many rooms and needs allow the same sets, and few states remain.
//!
//! States speak of the items that are left and not of those decided, so they hold wherever the same
//! items are left: with and without an item in front, and at every node of a tree.

use std::cmp::Reverse;

use super::lines::Literal;

/// A task on a host; its value is above 0.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub literal: Literal,
    pub weight: u64,
    pub value: u64,
}

/// No set of the items left weighs at most `room` and is worth at least `need`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub room: u64,
    pub need: u64,
}

impl State {
    /// Whether this state implies the other one.
    pub fn covers(&self, other: &Self) -> bool {
        self.room >= other.room && self.need <= other.need
    }
}

/// Why a successor needs no state of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruned {
    /// The item does not fit.
    NoRoom,
    /// All items left together are worth too little.
    TooLittle,
    /// `value · room + weight · need` of the item at which the room ends, with these multipliers.
    Dantzig(Multipliers),
}

/// Where a state leads when Dantzig's bound has decided what it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The first level whose item is not decided, and the state there.
    pub level: usize,
    pub state: State,
    /// The sum that decides the items before it; `None` if there are none.
    pub decided_by: Option<Multipliers>,
}

/// `room` times "these items are light" plus `need` times "they are worth this much" bounds the
/// items by their reduced prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Multipliers {
    pub room: u64,
    pub need: u64,
}

/// The claim is false, or it takes more states than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotShown;

/// The items of a knapsack in the order in which they are decided.
pub struct Items {
    pub items: Vec<Item>,
    /// For each level the items from there on by value per weight, highest first.
    levels: Vec<Vec<Filled>>,
}

/// Totals of the items up to and with one of them.
#[derive(Clone, Copy)]
struct Filled {
    item: Item,
    weight: u64,
    value: u64,
}

impl Items {
    /// All sums of weights, and of values, must be below 2^63.
    pub fn new(items: Vec<Item>) -> Self {
        let mut levels = vec![Vec::new()];
        let mut sorted: Vec<Item> = Vec::with_capacity(items.len());
        for &item in items.iter().rev() {
            let place = sorted.partition_point(|other| !has_better_rate(&item, other));
            sorted.insert(place, item);
            let mut sum = (0, 0);
            let filled = sorted.iter().map(|&item| {
                sum = (sum.0 + item.weight, sum.1 + item.value);
                Filled { item, weight: sum.0, value: sum.1 }
            });
            levels.push(filled.collect());
        }
        levels.reverse();
        Self { items, levels }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The total weight of the items from this level on.
    pub fn weight(&self, level: usize) -> u64 {
        self.levels[level].last().map_or(0, |all| all.weight)
    }

    fn value(&self, level: usize) -> u64 {
        self.levels[level].last().map_or(0, |all| all.value)
    }

    /// Weight and value of the item at which the room ends, or of the last one.
    pub fn rate_at(&self, room: u64) -> (u64, u64) {
        let all = &self.levels[0];
        let end = all.partition_point(|sum| sum.weight <= room);
        all.get(end).or(all.last()).map_or((1, 1), |sum| (sum.item.weight, sum.item.value))
    }

    /// Whether a bound shows the state of this level.
    pub fn pruned(&self, level: usize, state: State) -> Option<Pruned> {
        let State { room, need } = state;
        if self.value(level) < need {
            return Some(Pruned::TooLittle);
        }
        let filled = &self.levels[level];
        let end = filled.partition_point(|sum| sum.weight <= room);
        let next = filled.get(end)?.item;
        let (weight, value) =
            end.checked_sub(1).map_or((0, 0), |last| (filled[last].weight, filled[last].value));
        let missing = u128::from(need.checked_sub(value)?);
        let part = u128::from(room - weight) * u128::from(next.value);
        (part < missing * u128::from(next.weight))
            .then_some(Pruned::Dantzig(Multipliers { room: next.value, need: next.weight }))
    }

    /// The successor with the item of this level, or why there is none.
    pub fn with(&self, level: usize, state: State) -> Result<State, Pruned> {
        let Item { weight, value, .. } = self.items[level];
        let Some(room) = state.room.checked_sub(weight) else { return Err(Pruned::NoRoom) };
        let next = State { room, need: state.need.saturating_sub(value) };
        self.pruned(level + 1, next).map_or(Ok(next), Err)
    }

    /// The successor without the item of this level, or why there is none.
    pub fn without(&self, level: usize, state: State) -> Result<State, Pruned> {
        self.pruned(level + 1, state).map_or(Ok(state), Err)
    }

    /// The state after the items from this level on that the state decides. It must not be pruned.
    pub fn landing(&self, level: usize, state: State) -> Landing {
        let mut landing = Landing { level, state, decided_by: None };
        let Some(linear) = self.linear(level, state) else { return landing };
        for item in &self.items[level..] {
            let gain = linear.gain(item);
            if gain.unsigned_abs() <= linear.slack {
                break;
            }
            if gain > 0 {
                landing.state.room = landing.state.room.saturating_sub(item.weight);
                landing.state.need = landing.state.need.saturating_sub(item.value);
            }
            landing.level += 1;
            landing.decided_by = Some(linear.multipliers);
        }
        landing
    }

    /// `None` if all items fit, or enough of them: then the claim is false.
    fn linear(&self, level: usize, State { room, need }: State) -> Option<Linear> {
        let filled = &self.levels[level];
        let end = filled.partition_point(|sum| sum.weight <= room);
        let Item { weight, value, .. } = filled.get(end)?.item;
        let (taken, gained) =
            end.checked_sub(1).map_or((0, 0), |last| (filled[last].weight, filled[last].value));
        let missing = u128::from(need.checked_sub(gained)?) * u128::from(weight);
        let slack = (u128::from(room - taken) * u128::from(value)).checked_sub(missing)?;
        Some(Linear { multipliers: Multipliers { room: value, need: weight }, slack })
    }

    /// The successors of a state that is not pruned: one if it decides items, else two.
    fn successors(&self, level: usize, state: State) -> impl Iterator<Item = Landing> {
        let own = self.landing(level, state);
        let is_decided = own.level > level;
        let both = (!is_decided).then(|| [self.without(level, state), self.with(level, state)]);
        let both = both.into_iter().flatten().flatten();
        both.map(move |next| self.landing(level + 1, next)).chain(is_decided.then_some(own))
    }

    /// The states to visit, level by level, at most `most` of them, joined if there are frontiers.
    /// `is_known` says which states have been shown before.
    pub fn plan(
        &self,
        root: State,
        most: usize,
        frontiers: Option<&Frontiers>,
        is_known: impl Fn(usize, &State) -> bool,
    ) -> Result<Vec<Vec<State>>, NotShown> {
        let mut count = 0;
        let mut levels = vec![Vec::new(); self.len() + 1];
        levels[0].push(root);
        for level in 0..self.len() {
            let mut here = undominated(std::mem::take(&mut levels[level]));
            if let Some(frontiers) = frontiers {
                here = frontiers.merged(level, here);
            }
            count += here.len();
            if count > most {
                return Err(NotShown);
            }
            for next in here.iter().flat_map(|&state| self.successors(level, state)) {
                if next.state.need == 0 {
                    return Err(NotShown);
                }
                if !is_known(next.level, &next.state) {
                    levels[next.level].push(next.state);
                }
            }
            levels[level] = here;
        }
        match levels.pop() {
            Some(last) if last.is_empty() => Ok(levels),
            _ => Err(NotShown),
        }
    }
}

/// The largest values that fit, for each level and room.
pub struct Frontiers(Vec<Vec<u64>>);

/// Largest number of values of all levels.
const MOST_VALUES: u64 = 1 << 22;

impl Frontiers {
    /// `None` if the room is too large.
    pub fn new(items: &Items, room: u64) -> Option<Self> {
        let rooms = room.checked_add(1)?;
        let size = rooms.checked_mul(items.len() as u64 + 1)?;
        let width = usize::try_from(rooms).ok().filter(|_| size <= MOST_VALUES)?;
        let mut levels = vec![vec![0; width]];
        for item in items.items.iter().rev() {
            let mut best = levels[levels.len() - 1].clone();
            let weight = usize::try_from(item.weight).unwrap_or(width).min(width);
            for room in (weight..width).rev() {
                best[room] = best[room].max(best[room - weight] + item.value);
            }
            levels.push(best);
        }
        levels.reverse();
        Some(Self(levels))
    }

    /// Fewer states that cover these: neighbours are joined where the claim stays true.
    fn merged(&self, level: usize, states: Vec<State>) -> Vec<State> {
        let mut merged: Vec<State> = Vec::with_capacity(states.len());
        for state in states {
            let joined =
                merged.last_mut().filter(|last| self.0[level][last.room as usize] < state.need);
            match joined {
                Some(last) => last.need = state.need,
                None => merged.push(state),
            }
        }
        merged
    }
}

/// Dantzig's bound of a state.
struct Linear {
    multipliers: Multipliers,
    /// How far the bound is above the need, times the weight of its critical item.
    slack: u128,
}

impl Linear {
    /// What an item is worth more than its weight, times the weight of the critical item. An item
    /// for which that exceeds the slack is decided.
    fn gain(&self, item: &Item) -> i128 {
        let product = |value: u64, weight: u64| i128::from(value) * i128::from(weight);
        product(item.value, self.multipliers.need) - product(item.weight, self.multipliers.room)
    }
}

/// Whether `a` is worth more per weight than `b`.
fn has_better_rate(a: &Item, b: &Item) -> bool {
    let product = |value: u64, weight: u64| u128::from(value) * u128::from(weight);
    product(a.value, b.weight) > product(b.value, a.weight)
}

/// The states that no other one covers, by room, largest first.
fn undominated(mut states: Vec<State>) -> Vec<State> {
    states.sort_unstable_by_key(|state| (Reverse(state.room), state.need));
    let mut least = u64::MAX;
    states.retain(|state| {
        let is_kept = state.need < least;
        least = least.min(state.need);
        is_kept
    });
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(list: &[(u64, u64)]) -> Items {
        let item = |(i, &(weight, value))| Item { literal: Literal::problem(i), weight, value };
        Items::new((1..).zip(list).map(item).collect())
    }

    /// The largest value within the room, by trying all sets.
    fn best(list: &[(u64, u64)], room: u64) -> u64 {
        let value = |set: u32| {
            let chosen = || list.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            let weight: u64 = chosen().map(|(_, item)| item.0).sum();
            (weight <= room).then(|| chosen().map(|(_, item)| item.1).sum::<u64>())
        };
        (0..1 << list.len()).filter_map(value).max().unwrap_or(0)
    }

    #[test]
    fn a_claim_is_shown_exactly_if_it_is_true() {
        let list = [(4, 5), (3, 4), (5, 6), (0, 2), (7, 3), (2, 2), (3, 4)];
        let (mut shown, mut not) = (0, 0);
        for room in 0..26 {
            let best = best(&list, room);
            for need in 1..28 {
                let state = State { room, need };
                let items = items(&list);
                let frontiers = Frontiers::new(&items, room);
                let plan = |frontiers| items.plan(state, 1000, frontiers, |_, _| false).is_ok();
                let is_shown = items.pruned(0, state).is_some() || plan(None);
                assert_eq!(is_shown, need > best, "room {room}, need {need}, best {best}");
                let is_joined = items.pruned(0, state).is_some() || plan(frontiers.as_ref());
                assert_eq!(is_joined, is_shown, "joined: room {room}, need {need}, best {best}");
                *(if is_shown { &mut shown } else { &mut not }) += 1;
            }
        }
        assert!(shown > 100 && not > 100, "{shown} shown, {not} not");
    }

    /// Sets that contradict the claim agree in the items before the landing, and those contradict
    /// the claim there. The claims are false by up to 8, so there are such sets.
    #[test]
    fn a_landing_keeps_all_sets_worth_the_need() {
        let list = [(9, 2), (2, 9), (4, 5), (3, 4), (5, 6), (7, 3), (3, 4)];
        let all = items(&list);
        let (mut sets, mut skipped) = (0, 0);
        for room in 1..30 {
            let most = best(&list, room);
            for need in most.saturating_sub(8).max(1)..=most {
                let landing = all.landing(0, State { room, need });
                let State { room: left, need: rest } = landing.state;
                skipped += landing.level;
                for set in 0..1_u32 << list.len() {
                    let sum = |from: usize| {
                        let chosen = list.iter().enumerate().skip(from);
                        let chosen = chosen.filter(|(i, _)| set >> i & 1 == 1);
                        chosen.fold((0, 0), |sum, (_, item)| (sum.0 + item.0, sum.1 + item.1))
                    };
                    if sum(0).0 <= room && sum(0).1 >= need {
                        let (weight, value) = sum(landing.level);
                        assert!(weight <= left && value >= rest, "{room} {need}: {landing:?}");
                        sets += 1;
                    }
                }
            }
        }
        assert!(sets > 100 && skipped > 20, "{sets} sets, {skipped} skipped");
    }

    #[test]
    fn states_are_joined_where_the_claim_stays_true() {
        let items = items(&[(4, 5), (6, 9)]);
        let frontiers = Frontiers::new(&items, 9).expect("small");
        let state = |room, need| State { room, need };
        // Within 9 and within 5 fit 9 and 5; with room 9 the need of 6 would be met.
        let states = vec![state(9, 12), state(8, 10), state(5, 7), state(3, 6)];
        assert_eq!(frontiers.merged(0, states), [state(9, 10), state(5, 6)]);
        assert!(Frontiers::new(&items, u64::MAX - 1).is_none());
    }

    #[test]
    fn covered_states_are_not_visited() {
        let state = |room, need| State { room, need };
        let kept = undominated(vec![state(5, 7), state(6, 7), state(6, 9), state(4, 3)]);
        assert_eq!(kept, [state(6, 7), state(4, 3)]);
        assert!(kept[0].covers(&state(5, 7)) && !kept[0].covers(&state(4, 3)));
    }
}

//! The true literals weigh at most `room` *and* are worth at least `need`.
//!
//! A decision diagram over both sums at once: a state is the weight and worth of the items so far,
//! and an edge takes the next item or leaves it. Items are in order of worth per weight, so that
//! Dantzig's bound on the worth of the remaining items removes most states that cannot succeed.
//! Then, from the end backwards, the other states that cannot succeed are removed and states with
//! the same successors are merged into one *node*. The result does not depend on the quality of the
//! bound.
//!
//! A node's variable is true if the items before it lead to it. Clauses: the root is true; a node
//! and its item's value imply the successor or exclude that value. Further clauses, which are
//! implied but not by unit propagation, propagate upwards and sideways: a node needs one of its
//! parents, and an item's value needs a node of its level that allows it.
//!
//! Diagrams over the weight alone (`bdd`) are smaller and weaker: most sets that fit are worth too
//! little.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::{Budget, ClauseSink, Lit, OverBudget};

/// A literal with the weight and the worth that it adds when true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The literal that adds weight and worth when true.
    pub lit: Lit,
    /// Counts towards `room`.
    pub weight: u64,
    /// Counts towards `need`.
    pub worth: u64,
}

/// Writes that the true items weigh at most `room` and are worth at least `need`. Every state
/// visited is charged like a clause.
pub fn encode(
    items: &[Item],
    room: u64,
    need: u64,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    budget.charge(items.len() as u64, true)?;
    for item in items.iter().filter(|item| item.weight > room) {
        sink.add_clause(&[!item.lit]);
    }
    // An item with neither weight nor worth is unconstrained.
    let is_asked = |item: &&Item| item.weight <= room && (item.weight > 0 || item.worth > 0);
    let mut items: Vec<Item> = items.iter().filter(is_asked).copied().collect();
    items.sort_by(better_rate);
    match Search::new(&items, room, need, budget)?.reduced() {
        Some(levels) => write(&items, &levels, sink, budget),
        None => {
            sink.add_clause(&[]);
            Ok(())
        }
    }
}

/// Orders by worth per weight, highest first. No item may have neither.
fn better_rate(a: &Item, b: &Item) -> Ordering {
    let product = |worth: u64, weight: u64| u128::from(worth) * u128::from(weight);
    product(b.worth, a.weight).cmp(&product(a.worth, b.weight))
}

/// Weight and worth of the items so far; worth beyond the need is not counted.
type State = (u64, u64);

/// Bounds on the worth of the items from any level on.
struct Prospects<'a> {
    items: &'a [Item],
    room: u64,
    need: u64,
    /// Total weight of the items before each level.
    weights: Vec<u128>,
    worths: Vec<u128>,
}

impl<'a> Prospects<'a> {
    fn new(items: &'a [Item], room: u64, need: u64) -> Self {
        let (mut weights, mut worths) = (vec![0], vec![0]);
        for (i, item) in items.iter().enumerate() {
            weights.push(weights[i] + u128::from(item.weight));
            worths.push(worths[i] + u128::from(item.worth));
        }
        Self { items, room, need, weights, worths }
    }

    /// Whether the items from `level` on, the last one possibly as a fraction, can reach the need.
    /// At the end this is exact.
    fn is_hopeful(&self, level: usize, (weight, worth): State) -> bool {
        let Some(room) = self.room.checked_sub(weight) else { return false };
        let missing = u128::from(self.need - worth);
        let full = self.weights[level] + u128::from(room);
        let end = self.weights.partition_point(|&before| before <= full) - 1;
        let whole = self.worths[end] - self.worths[level];
        let Some(item) = self.items.get(end) else { return whole >= missing };
        let part = (full - self.weights[end]) * u128::from(item.worth) / u128::from(item.weight);
        whole + part >= missing
    }

    /// The state after taking the item; `None` if there is no room for it.
    fn with(&self, (weight, worth): State, item: &Item) -> Option<State> {
        Some((weight.checked_add(item.weight)?, worth.saturating_add(item.worth).min(self.need)))
    }
}

/// The successors of a node for both values of its item: an index in the next level, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    without: Option<u32>,
    with: Option<u32>,
}

/// The distinct states of a level.
#[derive(Default)]
struct Level {
    states: Vec<State>,
    places: HashMap<State, u32>,
}

impl Level {
    fn place(&mut self, state: State) -> u32 {
        *self.places.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32 - 1
        })
    }
}

/// All states that may reach the end.
struct Search {
    levels: Vec<Vec<Node>>,
    /// Number of states after the last item; all of them satisfy the constraint.
    ends: usize,
}

impl Search {
    fn new(items: &[Item], room: u64, need: u64, budget: &mut Budget) -> Result<Self, OverBudget> {
        let prospects = Prospects::new(items, room, need);
        let root: State = (0, 0);
        let mut states: Vec<State> = Vec::new();
        states.extend(prospects.is_hopeful(0, root).then_some(root));
        let mut levels = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let mut next = Level::default();
            let mut nodes = Vec::with_capacity(states.len());
            for state in states {
                budget.charge(1, true)?;
                let mut reach =
                    |state: State| prospects.is_hopeful(i + 1, state).then(|| next.place(state));
                let without = reach(state);
                let with = prospects.with(state, item).and_then(reach);
                nodes.push(Node { without, with });
            }
            levels.push(nodes);
            states = next.states;
        }
        Ok(Self { levels, ends: states.len() })
    }

    /// Removes states that cannot reach the end and merges equal nodes and all end states; `None`
    /// if nothing is left.
    fn reduced(self) -> Option<Vec<Vec<Node>>> {
        let mut levels = Vec::with_capacity(self.levels.len());
        // For each state of the level below, the node it was merged into.
        let mut merged: Vec<Option<u32>> = vec![Some(0); self.ends];
        for states in self.levels.into_iter().rev() {
            let (nodes, places) = merge(&states, &merged);
            levels.push(nodes);
            merged = places;
        }
        levels.reverse();
        merged.first().copied().flatten().map(|_| levels)
    }
}

/// The distinct nodes of a level that can reach the end, and the node of each state.
fn merge(states: &[Node], below: &[Option<u32>]) -> (Vec<Node>, Vec<Option<u32>>) {
    let mut known: HashMap<Node, u32> = HashMap::new();
    let mut nodes = Vec::new();
    let now = |place: Option<u32>| below[place? as usize];
    let place = |state: &Node| {
        let node = Node { without: now(state.without), with: now(state.with) };
        if node.without.is_none() && node.with.is_none() {
            return None;
        }
        Some(*known.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        }))
    };
    let places = states.iter().map(place).collect();
    (nodes, places)
}

fn write(
    items: &[Item],
    levels: &[Vec<Node>],
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    let mut here: Vec<Lit> = Vec::new();
    for (i, (item, nodes)) in items.iter().zip(levels).enumerate() {
        let below = levels.get(i + 1).map_or(1, Vec::len);
        budget.charge(2 * nodes.len() as u64 + below as u64 + 3, i + 1 < levels.len())?;
        if i == 0 {
            here.push(sink.new_var().positive());
            sink.add_clause(&here);
        }
        let next: Vec<Lit> = (0..below).map(|_| sink.new_var().positive()).collect();
        for (value, child) in [(item.lit, with as Child), (!item.lit, without)] {
            let mut supports = vec![!value];
            for (&node, successors) in here.iter().zip(nodes) {
                match child(successors) {
                    Some(place) => {
                        sink.add_clause(&[!node, !value, next[place as usize]]);
                        supports.push(node);
                    }
                    None => sink.add_clause(&[!node, !value]),
                }
            }
            sink.add_clause(&supports);
        }
        write_parents(&here, nodes, &next, sink);
        here = next;
    }
    Ok(())
}

type Child = fn(&Node) -> Option<u32>;

fn with(node: &Node) -> Option<u32> {
    node.with
}

fn without(node: &Node) -> Option<u32> {
    node.without
}

/// A node needs one of its parents.
fn write_parents(here: &[Lit], nodes: &[Node], next: &[Lit], sink: &mut dyn ClauseSink) {
    let mut clauses: Vec<Vec<Lit>> = next.iter().map(|&lit| vec![!lit]).collect();
    for (&node, &Node { with, without }) in here.iter().zip(nodes) {
        let other = without.filter(|_| without != with);
        for place in with.into_iter().chain(other) {
            clauses[place as usize].push(node);
        }
    }
    clauses.iter().for_each(|clause| sink.add_clause(clause));
}

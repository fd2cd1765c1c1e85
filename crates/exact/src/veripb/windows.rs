//! Cases refuted by a SAT solver: each host must carry at least its best price less the slack.
//!
//! As in the certificate's formula a host's tasks fit its room *and* are worth at least
//! `KP_h − slack`, which follows from the limits of all other hosts. The clauses are others:
//! variables say that the items from some level on weigh at most a room, or are worth at least a
//! need, for the rooms and needs that deciding the items in order leads to. They imply those of the
//! next level; where Dantzig's bound shows that an item's value leads to nothing, it is excluded.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};

use gridsat_encodings::{ClauseSink, Cnf, Lit, Var};

use super::case::{Case, Fact, Refuted};
use super::derive::Derived;
use super::lines::{ConstraintId, Definition, Lines, Literal};
use super::prices::{Limited, Sacks};
use super::solver_steps::SolverSteps;
use super::states::{Items, State};
use super::table::{Claim, Thresholds, bound};
use super::{Refuter, VeripbError};
use crate::sat::Answer;

/// Most states of one host.
const MOST_STATES: usize = 1 << 20;

/// Refutes the case by the solver, or by the prices alone if they suffice.
pub fn refute<W: Write>(
    case: &mut Case<'_>,
    prices: &[u64],
    lines: &mut Lines<W>,
    refuter: &Refuter<'_>,
) -> Result<Refuted, VeripbError> {
    let sacks = Sacks::new(case, prices, lines)?;
    let limited = match sacks.limited(lines)? {
        Ok(limited) => limited,
        Err(refuted) => return Ok(refuted),
    };
    let mut clauses = Clauses::default();
    clauses.add_tasks(limited.case(), lines)?;
    for index in 0..limited.len() {
        add_window(&limited, index, &mut clauses, lines)?;
    }
    let Clauses { literals, formula, ids, .. } = clauses;
    let guard = limited.case().guard();
    let (formula, mut steps) = SolverSteps::new(Derived { lines, guard, literals, formula, ids });
    let answer = refuter.solver.prove(&formula, &mut steps, refuter.stop)?;
    match (answer, steps.last()) {
        (Answer::Unsat, Some(contradiction)) => Ok(Refuted(contradiction)),
        (Answer::Unknown, _) => Err(VeripbError::Stopped),
        _ => Err(VeripbError::NotShown),
    }
}

/// A formula whose clauses are in the proof.
#[derive(Default)]
struct Clauses {
    formula: Cnf,
    vars: std::collections::HashMap<Literal, Var>,
    /// The literal of each variable.
    literals: Vec<Literal>,
    ids: Vec<ConstraintId>,
}

impl Clauses {
    fn lit(&mut self, literal: Literal) -> Lit {
        let positive = literal.positive();
        let var = *self.vars.entry(positive).or_insert_with(|| {
            self.literals.push(positive);
            self.formula.new_var()
        });
        if literal == positive { var.positive() } else { var.negative() }
    }

    /// Adds a clause that follows in the case from the facts.
    fn add<W: Write>(
        &mut self,
        case: &Case<'_>,
        clause: &[Literal],
        facts: &[&Fact],
        lines: &mut Lines<W>,
    ) -> io::Result<()> {
        let fact = case.derive(clause, facts, lines)?;
        let lits: Vec<Lit> = clause.iter().map(|&literal| self.lit(literal)).collect();
        self.formula.add_clause(&lits);
        self.ids.push(fact.id);
        Ok(())
    }

    /// Every open task is on exactly one of its hosts.
    fn add_tasks<W: Write>(&mut self, case: &Case<'_>, lines: &mut Lines<W>) -> io::Result<()> {
        for task in case.open_tasks() {
            let pair = |&host| case.problem.pair(task, host);
            let pairs: Vec<Literal> = case.hosts(task).iter().map(pair).collect();
            self.add(case, &pairs, &[case.task(task)], lines)?;
            let unique = Fact::always(case.problem.at_most_one(task));
            for (i, &first) in pairs.iter().enumerate() {
                for &second in &pairs[i + 1..] {
                    self.add(case, &[!first, !second], &[&unique], lines)?;
                }
            }
        }
        Ok(())
    }
}

/// The host's tasks fit its room and are worth what the others leave.
fn add_window<W: Write>(
    limited: &Limited<'_, '_>,
    index: usize,
    clauses: &mut Clauses,
    lines: &mut Lines<W>,
) -> Result<(), VeripbError> {
    let items = Items::new(limited.items(index).to_vec());
    let thresholds = Thresholds::new(items.len());
    let case = limited.case();
    let mut window = Window { items, thresholds, case, clauses, lines, written: HashSet::new() };
    let root = window.normal(0, limited.window(index));
    if let Some(light) = window.light(0, root.room)? {
        let heavy = limited.heavy(index, light, window.lines)?;
        window.add(&[light.literal], &heavy)?;
    }
    if let Some(worth) = window.worth(0, root.need)? {
        let too_little = limited.too_little(index, worth, window.lines)?;
        window.add(&[worth.literal], &too_little)?;
    }
    window.write(root)
}

/// Writes the clauses of one host.
struct Window<'w, 'a, W> {
    items: Items,
    thresholds: Thresholds,
    case: &'w Case<'a>,
    clauses: &'w mut Clauses,
    lines: &'w mut Lines<W>,
    /// Pairs of thresholds that are connected already.
    written: HashSet<(Literal, Literal)>,
}

impl<W: Write> Window<'_, '_, W> {
    /// The same state with no more room than all items weigh.
    fn normal(&self, level: usize, state: State) -> State {
        State { room: state.room.min(self.items.weight(level)), ..state }
    }

    /// `None` if all items left fit.
    fn light(&mut self, level: usize, room: u64) -> io::Result<Option<Definition>> {
        if room >= self.items.weight(level) {
            return Ok(None);
        }
        self.thresholds.define(&self.items, level, Claim::Light(room), self.lines).map(Some)
    }

    /// `None` if nothing is needed.
    fn worth(&mut self, level: usize, need: u64) -> io::Result<Option<Definition>> {
        if need == 0 {
            return Ok(None);
        }
        self.thresholds.define(&self.items, level, Claim::Worth(need), self.lines).map(Some)
    }

    fn add(&mut self, clause: &[Literal], fact: &Fact) -> io::Result<()> {
        self.clauses.add(self.case, clause, &[fact], self.lines)
    }

    fn write(&mut self, root: State) -> Result<(), VeripbError> {
        if self.items.pruned(0, root).is_some() {
            // The claim at the root is false: both thresholds contradict each other.
            let (light, worth) = (self.light(0, root.room)?, self.worth(0, root.need)?);
            return self.exclude(0, root, None, light, worth);
        }
        let mut states = BTreeSet::from([root]);
        let mut count = 0;
        for level in 0..self.items.len() {
            count += states.len();
            if count > MOST_STATES {
                return Err(VeripbError::NotShown);
            }
            let mut next = BTreeSet::new();
            for state in states {
                self.write_state(level, state, &mut next)?;
            }
            states = next;
        }
        Ok(())
    }

    fn write_state(
        &mut self,
        level: usize,
        state: State,
        next: &mut BTreeSet<State>,
    ) -> Result<(), VeripbError> {
        let (light, worth) = (self.light(level, state.room)?, self.worth(level, state.need)?);
        let item = self.items.items[level].literal;
        let both =
            [(item, self.items.with(level, state)), (!item, self.items.without(level, state))];
        for (value, below) in both {
            let Ok(below) = below else {
                self.exclude(level, state, Some(value), light, worth)?;
                continue;
            };
            let below = self.normal(level + 1, below);
            if let (Some(light), Some(fits)) = (light, self.light(level + 1, below.room)?) {
                // Without the item the rest has no more room than with it.
                let with = (value == item).then_some(!value);
                self.imply(light, with, fits)?;
            }
            if let (Some(worth), Some(rest)) = (worth, self.worth(level + 1, below.need)?) {
                let without = (value != item).then_some(!value);
                self.imply(worth, without, rest)?;
            }
            next.insert(below);
        }
        Ok(())
    }

    /// `from`, unless the literal, implies `to`.
    fn imply(
        &mut self,
        from: Definition,
        unless: Option<Literal>,
        to: Definition,
    ) -> io::Result<()> {
        if !self.written.insert((from.literal, to.literal)) {
            return Ok(());
        }
        let sum = Fact::always(self.lines.sum(&[(from.when_true, 1), (to.when_false, 1)])?);
        let clause: Vec<Literal> =
            [!from.literal].into_iter().chain(unless).chain([to.literal]).collect();
        self.add(&clause, &sum)
    }

    /// The state excludes the item's value, by a bound.
    fn exclude(
        &mut self,
        level: usize,
        state: State,
        value: Option<Literal>,
        light: Option<Definition>,
        worth: Option<Definition>,
    ) -> Result<(), VeripbError> {
        let item = self.items.items.get(level).map(|item| item.literal);
        let pruned = match value {
            None => self.items.pruned(level, state),
            Some(value) if Some(value) == item => self.items.with(level, state).err(),
            Some(_) => self.items.without(level, state).err(),
        };
        let pruned = pruned.ok_or(VeripbError::NotShown)?;
        let fact =
            Fact::always(bound(pruned, light, worth, self.lines)?.ok_or(VeripbError::NotShown)?);
        let known = [light, worth].into_iter().flatten().map(|definition| !definition.literal);
        let clause: Vec<Literal> = known.chain(value.map(|value| !value)).collect();
        Ok(self.add(&clause, &fact)?)
    }
}

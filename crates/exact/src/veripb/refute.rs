//! Derives a contradiction from "makespan ≤ k", for each kind of reason.

use std::collections::HashMap;
use std::io::{self, Write};

use gridsat_encodings::{AtMostOne, Budget, Cnf, LoadEncoding};

use super::derive::DerivingSink;
use super::lines::{self, ConstraintId, Lines};
use super::solver_steps::SolverSteps;
use super::{Refuter, VeripbError};
use crate::export::opb::Opb;
use crate::reason::Reason;
use crate::sat::Answer;
use gridsat_check::formula::{Encoding, Load, PairVars, Surrogate, terms};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// A proof by contradiction from "makespan ≤ k".
pub(super) struct Proof<'a> {
    pub instance: &'a Instance,
    pub opb: &'a Opb<'a>,
    pub k: Ticks,
    /// The checker's number of "makespan ≤ k".
    pub makespan_is_small: ConstraintId,
}

/// A host's load constraint at k, and the pairs that it alone excludes.
struct HostRow {
    id: ConstraintId,
    excluded: Vec<(TaskId, ConstraintId)>,
}

impl Proof<'_> {
    /// Derives the contradiction.
    pub fn refute<W: Write>(
        &self,
        reason: &Reason,
        lines: &mut Lines<W>,
        refuter: &Refuter<'_>,
    ) -> Result<ConstraintId, VeripbError> {
        match reason {
            Reason::Ready { host, .. } => {
                let row = self.capacity_row(HostId(*host), lines)?;
                Ok(lines.clause(&[], &[row])?)
            }
            Reason::LongestTask { task, .. } => Ok(self.refute_by_task(TaskId(*task), lines)?),
            Reason::Weights { weights, .. } => Ok(self.refute_by_weights(weights, lines)?),
            Reason::Part { .. }
            | Reason::Prices { .. }
            | Reason::Tree { .. }
            | Reason::Unsat(_) => self.refute_by_solver(refuter, lines),
        }
    }

    fn at_least_one(&self, task: TaskId) -> ConstraintId {
        Lines::<io::Sink>::input(2 * u64::from(task.0))
    }

    fn at_most_one(&self, task: TaskId) -> ConstraintId {
        Lines::<io::Sink>::input(2 * u64::from(task.0) + 1)
    }

    fn capacity_row<W: Write>(
        &self,
        host: HostId,
        lines: &mut Lines<W>,
    ) -> io::Result<ConstraintId> {
        let first = 2 * self.instance.task_count() as u64;
        let input = Lines::<W>::input(first + u64::from(host.0));
        lines.sum(&[(input, 1), (self.makespan_is_small, 1)])
    }

    fn fits(&self, task: TaskId, host: HostId) -> bool {
        let room = self.instance.capacity(host, self.k);
        self.instance.time(task, host).zip(room).is_some_and(|(time, room)| time <= room)
    }

    /// The host's load constraint without the pairs that do not fit, and those pairs excluded.
    fn host_row<W: Write>(&self, host: HostId, lines: &mut Lines<W>) -> io::Result<HostRow> {
        let full = self.capacity_row(host, lines)?;
        let mut excluded = Vec::new();
        let mut weaken = String::new();
        for task in self.instance.tasks() {
            if self.instance.time(task, host).is_some() && !self.fits(task, host) {
                let number = self.opb.pair(task, host);
                let unit = lines.step(&format!("rup +1 ~x{number} >= 1 : ~ {full}"))?;
                excluded.push((task, unit));
                weaken.push_str(&format!(" x{number} w"));
            }
        }
        if weaken.is_empty() {
            return Ok(HostRow { id: full, excluded });
        }
        let id = lines.step(&format!("pol {full}{weaken}"))?;
        lines.delete(&[full])?;
        Ok(HostRow { id, excluded })
    }

    fn refute_by_task<W: Write>(
        &self,
        task: TaskId,
        lines: &mut Lines<W>,
    ) -> io::Result<ConstraintId> {
        let mut hints = Vec::new();
        for (host, _) in self.instance.times(task) {
            hints.push(self.capacity_row(host, lines)?);
        }
        hints.push(self.at_least_one(task));
        lines.clause(&[], &hints)
    }

    /// Host rows times their weights plus task rows times their smallest weighted time.
    fn refute_by_weights<W: Write>(
        &self,
        weights: &[u64],
        lines: &mut Lines<W>,
    ) -> io::Result<ConstraintId> {
        let mut parts: Vec<(ConstraintId, u128)> = Vec::new();
        let mut excluded: HashMap<(TaskId, HostId), ConstraintId> = HashMap::new();
        for (host, &weight) in self.instance.hosts().zip(weights) {
            let row = self.host_row(host, lines)?;
            parts.push((row.id, u128::from(weight)));
            excluded.extend(row.excluded.into_iter().map(|(task, unit)| ((task, host), unit)));
        }
        for task in self.instance.tasks() {
            let fitting = self.instance.times(task).filter(|&(host, _)| self.fits(task, host));
            let weighted =
                fitting.map(|(h, time)| u128::from(weights[h.index()]) * u128::from(time));
            let Some(price) = weighted.min() else {
                return self.refute_by_task(task, lines);
            };
            parts.push((self.at_least_one(task), price));
            let of_task = self.instance.times(task);
            parts.extend(of_task.filter_map(|(h, _)| Some((*excluded.get(&(task, h))?, price))));
        }
        parts.retain(|&(_, factor)| factor > 0);
        let id = lines.step(&format!("pol {}", lines::polish_sum(&parts)))?;
        lines.clause(&[], &[id])
    }

    fn refute_by_solver<W: Write>(
        &self,
        refuter: &Refuter<'_>,
        lines: &mut Lines<W>,
    ) -> Result<ConstraintId, VeripbError> {
        let (formula, ids, lines) = self.derive_formula(refuter.encoding, lines)?;
        let mut steps = SolverSteps::new(lines, ids);
        let answer = refuter.solver.prove(&formula, &mut steps, refuter.stop)?;
        match (answer, steps.last()) {
            (Answer::Unsat, Some(contradiction)) => Ok(contradiction),
            (answer, _) => Err(VeripbError::NotRefuted { k: self.k, answer }),
        }
    }

    /// The decision formula at k, with a derivation of every clause.
    fn derive_formula<'l, W: Write>(
        &self,
        encoding: &Encoding,
        lines: &'l mut Lines<W>,
    ) -> Result<(Cnf, Vec<ConstraintId>, &'l mut Lines<W>), VeripbError> {
        let mut rows = Vec::new();
        let mut excluded: Vec<Vec<ConstraintId>> = vec![Vec::new(); self.instance.task_count()];
        for host in self.instance.hosts() {
            let row = self.host_row(host, lines)?;
            rows.push(row.id);
            row.excluded.iter().for_each(|&(task, unit)| excluded[task.index()].push(unit));
        }
        let mut sink = DerivingSink::new(lines, self.pair_names());
        let pairs = PairVars::within(self.instance, self.k, &mut sink);
        for task in self.instance.tasks() {
            let lits = pairs.literals(task);
            let mut hints = excluded[task.index()].clone();
            hints.push(self.at_least_one(task));
            sink.add_hinted(&lits, &hints);
            sink.set_row(self.at_most_one(task));
            AtMostOne::Pairwise.encode(&lits, &mut sink);
        }
        let mut budget = Budget::default();
        let load = match encoding.load {
            Load::Engineered(load) => load,
            Load::Thesis | Load::Window => LoadEncoding::Adder,
        };
        for (host, &row) in self.instance.hosts().zip(&rows) {
            sink.set_row(row);
            match self.instance.capacity(host, self.k) {
                Some(room) => {
                    let terms = terms(self.instance, &pairs, host);
                    load.encode(&terms, room.0, &mut sink, &mut budget)?;
                }
                None => sink.add_hinted(&[], &[row]),
            }
        }
        if let Some(surrogate) = encoding.surrogate(self.instance, &pairs, self.k) {
            let weights = encoding.surrogate.iter().flat_map(|weights| weights.as_slice());
            let weights: Vec<u64> = weights.copied().collect();
            let row = self.surrogate_row(&surrogate, &weights, &rows, &excluded, &mut sink)?;
            sink.set_row(row);
            surrogate.encode(self.k, &mut sink, &mut budget)?;
        }
        Ok(sink.finish()?)
    }

    /// The names of the pairs that fit, in the order of their variables.
    fn pair_names(&self) -> Vec<String> {
        let tasks = self.instance.tasks();
        let pairs = tasks.flat_map(|task| self.instance.hosts().map(move |host| (task, host)));
        let fitting = pairs.filter(|&(task, host)| self.fits(task, host));
        fitting.map(|(task, host)| format!("x{}", self.opb.pair(task, host))).collect()
    }

    /// Weighted host rows plus task rows times their smallest weighted time, minus the rounding,
    /// divided.
    fn surrogate_row<W: Write>(
        &self,
        surrogate: &Surrogate<'_>,
        weights: &[u64],
        rows: &[ConstraintId],
        excluded: &[Vec<ConstraintId>],
        sink: &mut DerivingSink<'_, W>,
    ) -> io::Result<ConstraintId> {
        let hosts = rows.iter().zip(weights).map(|(&row, &weight)| (row, u128::from(weight)));
        let mut parts: Vec<(ConstraintId, u128)> = hosts.collect();
        for (task, &least) in self.instance.tasks().zip(surrogate.least()) {
            parts.push((self.at_least_one(task), least));
            parts.extend(excluded[task.index()].iter().map(|&unit| (unit, least)));
        }
        parts.retain(|&(_, factor)| factor > 0);
        let remainders: Vec<_> = surrogate.remainders().filter(|&(_, rest)| rest > 0).collect();
        sink.lines().divided_sum(&parts, &remainders, surrogate.unit())
    }
}

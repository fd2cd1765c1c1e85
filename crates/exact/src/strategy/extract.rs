//! Extracts a mapping from yes/no answers, as in Rhodes' thesis.
//!
//! Task by task and host by host: assume the pair and ask again. On yes keep it and go to the next
//! task, on no exclude it. At most n·m questions. A solver that returns models makes this
//! unnecessary; it shows that a mere decision procedure suffices.

use gridsat_encodings::Lit;

use super::decide::too_large;
use super::{Extract, Found, Options, Origin, StrategyError};
use crate::sat::Answer;
use gridsat_check::formula::{self, Encoding};
use gridsat_model::{HostId, Instance, Mapping, Stop};

/// Replaces the mapping found by the extracted one, if the options ask for it.
pub(super) fn extract(
    found: Found,
    instance: &Instance,
    options: &Options,
    stop: &Stop,
) -> Result<Found, StrategyError> {
    if options.extract == Extract::Model || found.note.is_some() {
        return Ok(found);
    }
    match extract_by_oracle(instance, &found, options, stop) {
        Err(error) => Ok(Found { note: error.note()?, ..found }),
        Ok((None, oracle_calls)) => Ok(Found { oracle_calls, ..found }),
        Ok((Some(mapping), oracle_calls)) => {
            let mapping_by = Origin::Oracle;
            Ok(Found { mapping, mapping_by, oracle_calls, ..found })
        }
    }
}

/// A mapping no longer than the one found, or `None` when stopped, and the number of questions
/// asked.
fn extract_by_oracle(
    instance: &Instance,
    found: &Found,
    options: &Options,
    stop: &Stop,
) -> Result<(Option<Mapping>, usize), StrategyError> {
    let k = found.mapping.makespan();
    // With symmetry breaking the answers would still be right, but the mapping would no longer be
    // the first one in lexicographic order.
    let resolve = || options.encoding.resolve_afresh(instance, k, stop);
    let chosen = found.encoding.clone().unwrap_or_else(resolve);
    let encoding = &Encoding { symmetry: false, ..chosen };
    let mut solver = options.solver.build()?;
    let is_due = || stop.is_due();
    let budget = &mut options.budget.until(&is_due);
    let pairs = formula::encode(instance, k, encoding, &mut *solver, budget)
        .map_err(too_large(encoding, k))?;
    let mut fixed: Vec<Lit> = Vec::new();
    let mut hosts: Vec<HostId> = Vec::new();
    let mut calls = 0;
    for task in instance.tasks() {
        for (host, var) in pairs.of_task(task) {
            calls += 1;
            fixed.push(var.positive());
            match solver.solve(&fixed, stop)? {
                Answer::Sat => {
                    hosts.push(host);
                    break;
                }
                Answer::Unsat => {
                    fixed.pop();
                    fixed.push(var.negative());
                }
                Answer::Unknown => return Ok((None, calls)),
            }
        }
    }
    let mapping = Mapping::new(instance, hosts).ok().filter(|found| found.makespan() <= k);
    mapping.map(|found| (Some(found), calls)).ok_or(StrategyError::BadModel { k })
}

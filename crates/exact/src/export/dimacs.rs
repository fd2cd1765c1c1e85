//! DIMACS CNF of the decision problem.
//!
//! The formula is encoded twice, first to count the clauses for the header, then to write them, so
//! it is never held in memory.

use std::io::Write;

use gridsat_encodings::{Budget, Counter, DimacsWriter};

use super::{ExportError, Question, describe, title};
use gridsat_check::formula::{self, Encoding};
use gridsat_model::{Instance, Ticks};

/// Writes "makespan ≤ k?" in the given encoding and returns its size.
pub fn write_dimacs(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    budget: Budget,
    out: impl Write,
) -> Result<Counter, ExportError> {
    let mut counts = Counter::default();
    let pairs = formula::encode(instance, k, encoding, &mut counts, &mut budget.clone())?;
    let question = Question::new(instance, Some(k), encoding.load.name());
    let mut comments =
        vec![title(instance, Some(k.0)), question.to_string(), format!("encoding {encoding}")];
    comments.extend(pairs.iter().map(|(task, host, var)| {
        format!("{} = {}", var.positive().to_dimacs(), describe(instance, task, host))
    }));
    let comments = comments.iter().map(String::as_str);
    let mut sink = DimacsWriter::new(out, counts, comments)?;
    formula::encode(instance, k, encoding, &mut sink, &mut budget.clone())?;
    Ok(sink.finish()?)
}

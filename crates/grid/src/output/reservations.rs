//! Results of reservations: a list for JSON, rows for a table, and their lines in the event log.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use super::description::Description;
use super::exact::Exact;
use super::summary::Report;
use crate::reservation::{Period, ReservationState, ReservationSummary};
use crate::work::Work;
use gridsat_model::Ticks;

/// The result of one reservation; times in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReservationFacts {
    /// Name of the reservation.
    pub name: String,
    /// Name of its resource.
    pub resource: String,
    /// Number of PEs.
    pub pes: u32,
    /// Bytes of memory, if it has any.
    #[serde(skip_serializing_if = "is_zero")]
    pub memory: u64,
    /// Bytes of storage, if it has any.
    #[serde(skip_serializing_if = "is_zero")]
    pub storage: u64,
    /// Bits per second, if it has bandwidth.
    #[serde(skip_serializing_if = "is_zero")]
    pub bandwidth: u64,
    /// The other end of that bandwidth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The requested period.
    pub asked: PeriodFacts,
    /// The period that was granted, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<PeriodFacts>,
    /// The nearest possible period, if the request was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<PeriodFacts>,
    /// Its final state.
    pub state: &'static str,
    /// Number of jobs submitted for it.
    pub jobs: u64,
    /// PE time that its jobs used.
    pub used: Exact,
    /// PE time that no job used.
    pub unused: Exact,
    /// Its price for the time in which it was active, in units of currency.
    pub cost: Exact,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(amount: &u64) -> bool {
    *amount == 0
}

/// A period, in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "said above")]
pub struct PeriodFacts {
    pub start: Exact,
    pub end: Exact,
}

impl fmt::Display for PeriodFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.start, self.end)
    }
}

impl Report<'_> {
    /// All reservations, in order.
    pub fn reservations(&self) -> Vec<ReservationFacts> {
        let both = self.description.reservations.iter().zip(&self.summary.reservations);
        both.map(|(name, summary)| facts(self, name, summary)).collect()
    }
}

fn facts(report: &Report<'_>, name: &str, summary: &ReservationSummary) -> ReservationFacts {
    let about = report.description;
    // The total of all PEs may exceed the range of ticks.
    let pe_time = |ticks: u128| Exact(report.work(Work(ticks * Work::of(Ticks(1)).0)));
    let exact = |time| Exact(about.time(time));
    let seconds =
        |period: Period| PeriodFacts { start: exact(period.start), end: exact(period.end) };
    let nearest = match summary.state {
        ReservationState::Refused { nearest } => nearest,
        _ => None,
    };
    ReservationFacts {
        name: name.to_owned(),
        resource: about.resource(summary.spec.resource).name.clone(),
        pes: summary.spec.pes,
        memory: summary.spec.memory.0,
        storage: summary.spec.storage.0,
        bandwidth: summary.spec.connection.map_or(0, |to| to.bandwidth.bits() as u64),
        to: summary.spec.connection.map(|to| about.nodes[to.to.index()].clone()),
        asked: seconds(summary.spec.asked()),
        given: summary.state.period().map(seconds),
        nearest: nearest.map(seconds),
        state: summary.state.name(),
        jobs: summary.jobs,
        used: pe_time(summary.used),
        unused: pe_time(summary.unused),
        cost: Exact(summary.cost.to_string()),
    }
}

/// Writes the end of an event's line: its period, or the nearest possible one.
pub(super) fn write_period(
    out: &mut dyn Write,
    about: &Description,
    state: ReservationState,
) -> io::Result<()> {
    let (is, period) = match state {
        ReservationState::Refused { nearest } => ("nearest_", nearest),
        state => ("", state.period()),
    };
    if let Some(Period { start, end }) = period {
        let (start, end) = (about.time(start), about.time(end));
        write!(out, " {is}start={start} {is}end={end}")?;
    }
    writeln!(out)
}

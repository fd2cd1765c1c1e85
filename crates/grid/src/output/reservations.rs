//! What reservations came to: a list for programs, rows for a table, and their part of the event
//! log.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use super::description::Description;
use super::exact::Exact;
use super::summary::Report;
use crate::reservation::{Period, ReservationState, ReservationSummary};
use crate::work::Work;
use gridsat_model::Ticks;

/// One reservation in words; times in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReservationFacts {
    /// Its name.
    pub name: String,
    /// Where.
    pub resource: String,
    /// How many PEs.
    pub pes: u32,
    /// When they were wanted.
    pub asked: PeriodFacts,
    /// When they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<PeriodFacts>,
    /// The nearest possible period, of one that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<PeriodFacts>,
    /// How far it is.
    pub state: &'static str,
    /// Jobs that came for it.
    pub jobs: u64,
    /// PE time that its jobs used.
    pub used: Exact,
    /// PE time that no job used.
    pub unused: Exact,
}

/// From when to when, in seconds.
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
    // Together PEs may have more ticks than the clock.
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
        asked: seconds(summary.spec.asked()),
        given: summary.state.period().map(seconds),
        nearest: nearest.map(seconds),
        state: summary.state.name(),
        jobs: summary.jobs,
        used: pe_time(summary.used),
        unused: pe_time(summary.unused),
    }
}

/// The rest of an event's line: the period it has, or the nearest it could have.
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

//! What reservations came to: a list for programs, rows for a table, and their part of the event
//! log.

use gridsat_model::Ticks;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::description::Description;
use super::summary::Report;
use crate::reservation::{Period, ReservationState, ReservationSummary};
use crate::work::Work;

/// One reservation in words; times in seconds, every digit kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationFacts {
    /// Its name.
    pub name: String,
    /// Where.
    pub resource: String,
    /// How many PEs.
    pub pes: u32,
    /// When they were wanted: from, to.
    pub asked: (String, String),
    /// When they were given.
    pub given: Option<(String, String)>,
    /// The nearest possible period, of one that was refused.
    pub nearest: Option<(String, String)>,
    /// How far it is.
    pub state: &'static str,
    /// Jobs that came for it.
    pub jobs: u64,
    /// PE time that its jobs used.
    pub used: String,
    /// PE time that no job used.
    pub unused: String,
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
    let pe_time = |ticks: u128| report.work(Work(ticks * Work::of(Ticks(1)).0));
    let seconds = |period: Period| (about.time(period.start), about.time(period.end));
    let nearest = match summary.state {
        ReservationState::Refused { nearest } => nearest,
        _ => None,
    };
    ReservationFacts {
        name: name.to_owned(),
        resource: about.resource(summary.resource).name.clone(),
        pes: summary.pes,
        asked: seconds(summary.asked),
        given: summary.state.period().map(seconds),
        nearest: nearest.map(seconds),
        state: summary.state.name(),
        jobs: summary.jobs,
        used: pe_time(summary.used),
        unused: pe_time(summary.unused),
    }
}

#[derive(Serialize)]
pub(super) struct JsonReservation {
    name: String,
    resource: String,
    pes: u32,
    asked: JsonPeriod,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<JsonPeriod>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<JsonPeriod>,
    state: &'static str,
    jobs: u64,
    used: Box<RawValue>,
    unused: Box<RawValue>,
}

#[derive(Serialize)]
struct JsonPeriod {
    start: Box<RawValue>,
    end: Box<RawValue>,
}

pub(super) fn json_reservations(report: &Report<'_>) -> Vec<JsonReservation> {
    let number = |text| RawValue::from_string(text).expect("a decimal number is JSON");
    let period = |(start, end)| JsonPeriod { start: number(start), end: number(end) };
    let json = |facts: ReservationFacts| JsonReservation {
        name: facts.name,
        resource: facts.resource,
        pes: facts.pes,
        asked: period(facts.asked),
        given: facts.given.map(period),
        nearest: facts.nearest.map(period),
        state: facts.state,
        jobs: facts.jobs,
        used: number(facts.used),
        unused: number(facts.unused),
    };
    report.reservations().into_iter().map(json).collect()
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

//! The life cycle of one reservation. The next transition follows from its state alone:
//! [`Life::next`] gives it with its time, [`Life::step`] carries it out, and nothing else changes a
//! reservation.

use super::pools::{Amounts, Books, Pool};
use super::{OnConflict, ReservationSpec};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A half-open interval of time, from `start` until just before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "said above")]
pub struct Period {
    pub start: Time,
    pub end: Time,
}

impl Period {
    /// `None` if it is empty, or ends after the last tick.
    pub fn new(start: Time, duration: Ticks) -> Option<Self> {
        let end = start.after(duration)?;
        (duration > Ticks(0)).then_some(Self { start, end })
    }
}

/// State of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReservationState {
    /// Not requested yet.
    Requested,
    /// Offered: what it needs is held for it.
    Offered(Period),
    /// What it needs is not free.
    Refused {
        /// The nearest period in which it is; `None` if there is none.
        nearest: Option<Period>,
    },
    /// Committed: it will get what it needs.
    Committed(Period),
    /// Active: it has what it needs.
    Active(Period),
    /// It has ended.
    Finished(Period),
    /// It was cancelled, at any time after the offer.
    Cancelled(Period),
    /// The offer was not committed in time.
    Expired(Period),
}

impl ReservationState {
    /// The name of the state, one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Offered(_) => "offered",
            Self::Refused { .. } => "refused",
            Self::Committed(_) => "committed",
            Self::Active(_) => "active",
            Self::Finished(_) => "finished",
            Self::Cancelled(_) => "cancelled",
            Self::Expired(_) => "expired",
        }
    }

    /// The period in which it has what it needs, or would have had it.
    pub fn period(self) -> Option<Period> {
        match self {
            Self::Requested | Self::Refused { .. } => None,
            Self::Offered(period)
            | Self::Committed(period)
            | Self::Active(period)
            | Self::Finished(period)
            | Self::Cancelled(period)
            | Self::Expired(period) => Some(period),
        }
    }

    /// Whether the state is final.
    pub fn is_over(self) -> bool {
        matches!(
            self,
            Self::Refused { .. } | Self::Finished(_) | Self::Cancelled(_) | Self::Expired(_)
        )
    }
}

/// The next transition of a reservation, in the order in which transitions of the same time happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Transition {
    Finish,
    Cancel,
    Expire,
    Request,
    Commit,
    Start,
}

/// A reservation and its state.
#[derive(Clone, Debug)]
pub(super) struct Life {
    spec: ReservationSpec,
    amounts: Amounts,
    state: ReservationState,
}

impl Life {
    pub fn new(spec: ReservationSpec, amounts: Amounts) -> Self {
        Self { spec, amounts, state: ReservationState::Requested }
    }

    pub fn spec(&self) -> &ReservationSpec {
        &self.spec
    }

    pub fn state(&self) -> ReservationState {
        self.state
    }

    pub fn links(&self) -> Vec<u32> {
        let link = |&(pool, _): &(Pool, u64)| match pool {
            Pool::Link(link) => Some(link),
            _ => None,
        };
        self.amounts.iter().filter_map(link).collect()
    }

    /// The next transition and its time; `None` in a final state.
    pub fn next(&self) -> Option<(Time, Transition)> {
        let ReservationSpec { requested, commit, timeout, cancel, .. } = self.spec;
        let unless_cancelled_by = |last: Time, (time, step)| match cancel {
            Some(cancel) if cancel <= last => (cancel.max(requested), Transition::Cancel),
            _ => (time, step),
        };
        match self.state {
            ReservationState::Requested => Some((requested, Transition::Request)),
            ReservationState::Offered(period) => {
                let expires =
                    timeout.map_or(period.start, |wait| (requested + wait).min(period.start));
                let commit = commit.max(requested);
                let next = if commit <= expires {
                    (commit, Transition::Commit)
                } else {
                    (expires, Transition::Expire)
                };
                Some(unless_cancelled_by(next.0, next))
            }
            ReservationState::Committed(Period { start, .. }) => {
                Some(unless_cancelled_by(start, (start, Transition::Start)))
            }
            // A reservation that ends at this time is finished, not cancelled.
            ReservationState::Active(Period { end, .. }) => {
                Some(unless_cancelled_by(Time(end.0 - Ticks(1)), (end, Transition::Finish)))
            }
            _ => None,
        }
    }

    /// Carries out the next transition and updates the calendars.
    pub fn step(&mut self, books: &mut Books) -> ReservationState {
        let step = self.next().map(|(_, step)| step);
        self.state = match (step, self.state.period()) {
            (Some(Transition::Request), _) => self.ask(books),
            (Some(Transition::Commit), Some(period)) => ReservationState::Committed(period),
            (Some(Transition::Start), Some(period)) => ReservationState::Active(period),
            (Some(Transition::Expire), Some(period)) => ReservationState::Expired(period),
            (Some(Transition::Finish), Some(period)) => ReservationState::Finished(period),
            (Some(Transition::Cancel), Some(period)) => ReservationState::Cancelled(period),
            (None, _) | (_, None) => return self.state,
        };
        match self.state {
            ReservationState::Offered(period) => books.add(&self.amounts, period),
            state if state.is_over() => {
                state.period().into_iter().for_each(|period| books.remove(&self.amounts, period));
            }
            _ => {}
        }
        self.state
    }

    fn ask(&self, books: &Books) -> ReservationState {
        let ReservationSpec { start, on_conflict, .. } = self.spec;
        match (books.nearest(&self.amounts, &self.spec), on_conflict) {
            (Some(period), _) if period.start == start => ReservationState::Offered(period),
            (Some(period), OnConflict::Move) => ReservationState::Offered(period),
            (nearest, _) => ReservationState::Refused { nearest },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ResourceId;

    fn spec(start: u64) -> ReservationSpec {
        let period = Period { start: Time(Ticks(start)), end: Time(Ticks(start + 10)) };
        let spec = ReservationSpec::new("", ResourceId(0), 1, period);
        ReservationSpec { requested: Time(Ticks(5)), commit: Time(Ticks(5)), ..spec }
    }

    fn new(spec: ReservationSpec) -> Life {
        Life::new(spec, vec![(Pool::Pes(ResourceId(0)), 1), (Pool::Memory(0), 7)])
    }

    /// One PE and ten bytes of memory.
    fn books() -> Books {
        let mut books = Books::default();
        books.open(Pool::Pes(ResourceId(0)), 1);
        books.open(Pool::Memory(0), 10);
        books
    }

    /// All transitions with empty calendars.
    fn life(spec: ReservationSpec) -> Vec<(u64, &'static str)> {
        let (mut life, mut books) = (new(spec), books());
        let step = || Some((life.next()?.0.0.0, life.step(&mut books).name()));
        std::iter::from_fn(step).collect()
    }

    #[test]
    fn every_way_to_live() {
        let plain = [(5, "offered"), (5, "committed"), (20, "active"), (30, "finished")];
        assert_eq!(life(spec(20)), plain);
        assert_eq!(life(spec(5))[2..], [(5, "active"), (15, "finished")]);
        let cancel = |time| life(ReservationSpec { cancel: Some(Time(Ticks(time))), ..spec(20) });
        assert_eq!(cancel(0), [(5, "offered"), (5, "cancelled")]);
        assert_eq!(cancel(20)[1..], [(5, "committed"), (20, "cancelled")]);
        assert_eq!(cancel(29)[2..], [(20, "active"), (29, "cancelled")]);
        assert_eq!(cancel(30), plain);
        let commit = |commit, timeout: Option<u64>| {
            let (commit, timeout) = (Time(Ticks(commit)), timeout.map(Ticks));
            life(ReservationSpec { commit, timeout, ..spec(20) })
        };
        assert_eq!(commit(20, None)[1..3], [(20, "committed"), (20, "active")]);
        assert_eq!(commit(21, None), [(5, "offered"), (20, "expired")]);
        assert_eq!(commit(9, Some(4))[1], (9, "committed"));
        assert_eq!(commit(9, Some(3))[1], (8, "expired"));
    }

    #[test]
    fn conflicts_are_refused_or_moved() {
        let mut book = books();
        new(spec(20)).step(&mut book);
        let period = |start| Period::new(Time(Ticks(start)), Ticks(10));
        // 14 after the free period before it, 6 before the one after it.
        let refused = new(spec(24)).step(&mut book);
        assert_eq!(refused, ReservationState::Refused { nearest: period(30) });
        let moved = ReservationSpec { on_conflict: OnConflict::Move, ..spec(15) };
        let moved = new(moved).step(&mut book);
        assert_eq!(Some(moved), period(10).map(ReservationState::Offered));
        // Another PE does not help if the memory is missing, until the first one has ended.
        let memory = Life::new(spec(22), vec![(Pool::Memory(0), 4)]).step(&mut book);
        assert_eq!(memory, ReservationState::Refused { nearest: period(30) });
        let little = Life::new(spec(22), vec![(Pool::Memory(0), 3)]).step(&mut book);
        assert_eq!(Some(little), period(22).map(ReservationState::Offered));
    }
}

//! Failures of disks and links.

use super::{Event, Simulation};
use crate::data::{Breakage, Part};
use crate::failure::{AvailabilityProcess, Change};
use crate::happening::Happening;
use gridsat_engine::{Engine, EventId};
use gridsat_model::Scale;
use gridsat_statistics::random;

/// A disk or link with its future changes.
struct Breaking {
    part: Part,
    is_up: bool,
    changes: AvailabilityProcess,
    event: Option<EventId>,
}

/// All disks and links that can fail.
#[derive(Default)]
pub(super) struct Breakages(Vec<Breaking>);

impl Breakages {
    pub fn new(given: &[Breakage], seed: u64, scale: Scale) -> Self {
        let start = |one: &Breakage| {
            let random = match one.part {
                Part::Disk(node) => random::stream(seed, "disk failures", u64::from(node.0)),
                Part::Link(link) => random::stream(seed, "link failures", u64::from(link)),
            };
            let changes = one.availability.start(random, scale);
            Breaking { part: one.part, is_up: true, changes, event: None }
        };
        Self(given.iter().map(start).collect())
    }

    /// Schedules the first changes.
    pub fn begin(&mut self, engine: &mut Engine<Event>) {
        (0..self.0.len() as u32).for_each(|number| self.expect_change(number, engine));
    }

    fn expect_change(&mut self, number: u32, engine: &mut Engine<Event>) {
        let one = &mut self.0[number as usize];
        let next = one.changes.next();
        one.event =
            next.map(|(time, change)| engine.schedule(time, Event::Breakage(number, change)));
    }

    pub fn events(&mut self) -> impl Iterator<Item = &mut Option<EventId>> {
        self.0.iter_mut().map(|one| &mut one.event)
    }
}

impl Simulation<'_> {
    pub(super) fn change_part(&mut self, number: u32, change: Change, engine: &mut Engine<Event>) {
        self.breakages.expect_change(number, engine);
        let one = &mut self.breakages.0[number as usize];
        let is_up = match change {
            Change::Down => false,
            Change::Up => true,
            Change::Capacity(_) => return,
        };
        if is_up == std::mem::replace(&mut one.is_up, is_up) {
            return;
        }
        let (part, now) = (one.part, engine.now());
        self.observer.happened(now, &Happening::Part { number, is_up });
        let Some(data) = &mut self.data else { return };
        let events = match part {
            Part::Link(link) => data.set_link(link, is_up, now),
            Part::Disk(node) => {
                data.set_disk(node, is_up, now);
                Vec::new()
            }
        };
        for event in events {
            engine.cancel(event);
        }
        self.follow(engine);
        self.look_again(engine);
    }
}

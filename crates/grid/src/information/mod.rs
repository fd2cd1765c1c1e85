//! The grid information service: what schedulers know about resources, and how old it is.
//!
//! Resources register with it, as in GridSim, and schedulers query it before they decide. As in
//! DSiDE it has two modes. Immediate: schedulers see the current state. Delayed: it pings every
//! resource at 0, p, 2p, …, and all schedulers receive the results d later:
//!
//! ```text
//! ping 0 ──d──► report      ping p ──d──► report      ping 2p ──d──► report
//!               └─ decisions use ping 0 ───┴─ ping p ──────────────┴─ …
//! ```
//!
//! Because d ≤ p at most one report is pending. Until the first one arrives nothing is known and
//! jobs wait. A scheduler may remember the jobs it sent since the ping; it learns of jobs of others
//! from the next one.
//!
//! Not modelled: several services, lost messages, notifications by resources.

mod told;

use std::collections::HashMap;

pub(super) use told::Told;

use super::grid::ResourceId;
use super::resource::{Front, Resource};
use super::scheduler::SchedulerId;
use gridsat_engine::Table;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// How old the schedulers' information is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Information {
    /// Schedulers see the current state.
    #[default]
    Immediate,
    /// Schedulers see the state at the last reported ping.
    Delayed(Pings),
}

/// Period and delay of pings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pings {
    every: Ticks,
    delay: Ticks,
    own_jobs: bool,
}

impl Pings {
    /// `own_jobs` says whether schedulers remember the jobs they sent since a ping. `None` if the
    /// period is 0 or shorter than the delay.
    pub fn new(every: Ticks, delay: Ticks, own_jobs: bool) -> Option<Self> {
        (every > Ticks(0) && delay <= every).then_some(Self { every, delay, own_jobs })
    }

    /// Ticks between pings.
    pub fn every(self) -> Ticks {
        self.every
    }

    /// Ticks from a ping until schedulers receive its results.
    pub fn delay(self) -> Ticks {
        self.delay
    }
}

/// The state of each resource; `None` for those that have not registered.
type Answer = Table<ResourceId, Option<Told>>;

/// What a scheduler remembers.
#[derive(Default)]
struct Own {
    /// Jobs it sent that the last report does not include, with their estimated times.
    sent: Vec<(Time, ResourceId, Ticks)>,
    /// How many of them the next report includes.
    counted: usize,
    /// The reported state of their resources, with these jobs added.
    known: HashMap<ResourceId, Told>,
}

/// The information service in delayed mode.
pub(super) struct Service {
    pings: Pings,
    told: Answer,
    on_its_way: Option<Answer>,
    own: Table<SchedulerId, Own>,
    /// Fixed properties of each resource, for decisions.
    fronts: Table<ResourceId, Front>,
    /// Whether there were no other pending events at the last ping, and no job was sent since.
    is_quiet: bool,
}

impl Service {
    pub fn new(pings: Pings, resources: &Table<ResourceId, Resource>, schedulers: usize) -> Self {
        Self {
            pings,
            told: Table::default(),
            on_its_way: None,
            own: (0..schedulers).map(|_| Own::default()).collect(),
            fronts: resources.iter().map(|resource| resource.front().without_state()).collect(),
            is_quiet: false,
        }
    }

    pub fn pings(&self) -> Pings {
        self.pings
    }

    pub fn fronts(&self) -> &Table<ResourceId, Front> {
        &self.fronts
    }

    /// Whether another ping can find anything new. `is_last` says that no other events are pending.
    pub fn has_use(&mut self, is_last: bool) -> bool {
        !(std::mem::replace(&mut self.is_quiet, is_last) && is_last)
    }

    pub fn ping(&mut self, resources: &Table<ResourceId, Resource>, now: Time) {
        let look = |resource: &Resource| {
            (resource.spec().registers <= now).then(|| Told::of(resource, now))
        };
        self.on_its_way = Some(resources.iter().map(look).collect());
        self.own.iter_mut().for_each(|own| own.counted = own.sent.len());
    }

    /// Delivers the pending report; returns whether it has resources that were not known.
    pub fn tell(&mut self) -> bool {
        let Some(answer) = self.on_its_way.take() else { return false };
        let count = |answer: &Answer| answer.iter().flatten().count();
        let is_more = count(&answer) > count(&self.told);
        self.told = answer;
        for own in self.own.iter_mut() {
            own.sent.drain(..own.counted);
            (own.counted, own.known) = (0, HashMap::new());
            for &(at, resource, time) in &own.sent {
                own.known
                    .entry(resource)
                    .or_insert_with(|| told(&self.told, resource).clone())
                    .add(time, at);
            }
        }
        is_more
    }

    /// Number of resources found by the last ping, and how many of them were up: of the pending
    /// report if there is one, otherwise of the last delivered one.
    pub fn found(&self) -> (usize, usize) {
        let answer = self.on_its_way.as_ref().unwrap_or(&self.told);
        let found = answer.iter().flatten();
        (found.clone().count(), found.filter(|told| told.seen.is_up).count())
    }

    pub fn is_known(&self, resource: ResourceId) -> bool {
        self.told.get(resource).is_some_and(Option::is_some)
    }

    /// What the scheduler knows of a resource.
    pub fn told(&self, scheduler: SchedulerId, resource: ResourceId) -> &Told {
        let own = self.own[scheduler].known.get(&resource);
        own.unwrap_or_else(|| told(&self.told, resource))
    }

    pub fn sent(&mut self, by: SchedulerId, to: ResourceId, time: Ticks, now: Time) {
        self.is_quiet = false;
        if self.pings.own_jobs {
            let own = &mut self.own[by];
            own.sent.push((now, to, time));
            own.known.entry(to).or_insert_with(|| told(&self.told, to).clone()).add(time, now);
        }
    }
}

fn told(answer: &Answer, resource: ResourceId) -> &Told {
    answer[resource].as_ref().expect("what is not known is no target")
}

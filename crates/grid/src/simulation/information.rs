//! How schedulers learn of resources.

use super::resources::Resources;
use super::schedulers::Schedulers;
use super::{Event, Simulation};
use crate::SimError;
use crate::estimate::Estimator;
use crate::grid::ResourceId;
use crate::happening::Happening;
use crate::information::{Information, Service};
use crate::scheduler::SchedulerId;
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId};
use gridsat_model::Ticks;

/// The information service, and its next event.
pub(super) struct InformationService {
    /// The service in delayed mode; `None` if schedulers see the current state.
    delayed: Option<Box<Service>>,
    /// The event of the next registration or ping.
    look: Option<EventId>,
    answer: Option<EventId>,
}

impl InformationService {
    pub fn new(
        information: Information,
        resources: &Resources,
        schedulers: &Schedulers,
    ) -> Result<Self, SimError> {
        let Information::Delayed(pings) = information else {
            return Ok(Self { delayed: None, look: None, answer: None });
        };
        if let Some(exact) = schedulers.all.iter().find(|one| one.estimator == Estimator::Exact) {
            return Err(SimError::Exact(exact.name.clone()));
        }
        if let Some(one) = schedulers.all.iter().find(|one| one.needs_current) {
            return Err(SimError::Current(one.name.clone()));
        }
        let service = Service::new(pings, resources, schedulers.all.len());
        Ok(Self { delayed: Some(Box::new(service)), look: None, answer: None })
    }

    /// The service in delayed mode, if it is used.
    pub fn service(&self) -> Option<&Service> {
        self.delayed.as_deref()
    }

    /// Records that a scheduler sent a job of this estimated time.
    pub fn sent(&mut self, by: SchedulerId, to: ResourceId, time: Ticks, now: Time) {
        if let Some(service) = &mut self.delayed {
            service.sent(by, to, time, now);
        }
    }

    pub fn events(&mut self) -> impl Iterator<Item = &mut Option<EventId>> {
        [&mut self.look, &mut self.answer].into_iter()
    }
}

impl Simulation<'_> {
    pub(super) fn open_service(&mut self, engine: &mut Engine<Event>) {
        if self.information.delayed.is_some() {
            self.schedulers.know(|_| false);
            self.ping(engine);
        } else if self.next_registration(engine.now()).is_some() {
            self.register(engine);
        }
    }

    fn next_registration(&self, now: Time) -> Option<Time> {
        let times = self.resources.iter().map(|resource| resource.spec().registers);
        times.filter(|&time| time > now).min()
    }

    /// In immediate mode schedulers know the resources that have registered by now.
    pub(super) fn register(&mut self, engine: &mut Engine<Event>) {
        let now = engine.now();
        let is_known = |id: ResourceId| self.resources[id].spec().registers <= now;
        self.schedulers.know(is_known);
        self.report_registered(Time(now.0.saturating_sub(Ticks(1))), now);
        let next = self.next_registration(now);
        let event = next.map(|time| engine.schedule(time, Event::Registration));
        self.information.look = event;
        self.look_again(engine);
    }

    /// Reports to observers the resources that registered after `after`, until now.
    fn report_registered(&mut self, after: Time, now: Time) {
        for (resource, it) in self.resources.pairs() {
            if after < it.spec().registers && it.spec().registers <= now {
                self.observer.happened(now, &Happening::Registered { resource });
            }
        }
    }

    /// Pings end when no other events are pending and everything was reported: they do not prolong
    /// a simulation.
    pub(super) fn ping(&mut self, engine: &mut Engine<Event>) {
        let now = engine.now();
        self.information.look = None;
        let is_last = now > Time::ZERO && engine.is_idle() && self.next_registration(now).is_none();
        let Some(service) = &mut self.information.delayed else { return };
        if !service.has_use(is_last) {
            return;
        }
        service.ping(&self.resources, now);
        let (pings, (resources, up)) = (service.pings(), service.found());
        self.report_registered(Time(now.0.saturating_sub(pings.every())), now);
        self.observer.happened(now, &Happening::Pinged { resources, up });
        if pings.delay() == Ticks(0) {
            self.tell(engine);
        } else {
            let event = now.after(pings.delay()).map(|time| engine.schedule(time, Event::Telling));
            self.information.answer = event;
        }
        let next = now.after(pings.every()).map(|time| engine.schedule(time, Event::Ping));
        self.information.look = next;
    }

    pub(super) fn tell(&mut self, engine: &mut Engine<Event>) {
        self.information.answer = None;
        let Some(service) = &mut self.information.delayed else { return };
        let is_more = service.tell();
        let (resources, up) = service.found();
        self.observer.happened(engine.now(), &Happening::Told { resources, up });
        if is_more {
            let is_known = |id: ResourceId| service.is_known(id);
            self.schedulers.know(is_known);
        }
        self.look_again(engine);
    }
}

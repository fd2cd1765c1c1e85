//! Schedulers learn of resources.

use super::super::grid::ResourceId;
use super::super::observer::Happening;
use super::{Event, Simulation};
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

impl Simulation<'_> {
    pub(super) fn open_service(&mut self, engine: &mut Engine<Event>) {
        if self.service.is_some() {
            self.schedulers.iter_mut().for_each(|scheduler| scheduler.know(|_| false));
            self.ping(engine);
        } else if self.next_registration(engine.now()).is_some() {
            self.register(engine);
        }
    }

    fn next_registration(&self, now: Time) -> Option<Time> {
        let times = self.resources.iter().map(|resource| resource.spec().registers);
        times.filter(|&time| time > now).min()
    }

    /// Schedulers that see the present know what has registered by now.
    pub(super) fn register(&mut self, engine: &mut Engine<Event>) {
        let now = engine.now();
        let is_known = |id: ResourceId| self.resources[id.index()].spec().registers <= now;
        self.schedulers.iter_mut().for_each(|scheduler| scheduler.know(is_known));
        self.report_registered(Time(now.0.saturating_sub(Ticks(1))), now);
        let next = self.next_registration(now);
        let event = next.map(|time| engine.schedule(time, Event::Registration));
        self.information_events[0] = event;
        self.look_again(engine);
    }

    /// Observers learn of those that registered later than `after`, and by now.
    fn report_registered(&mut self, after: Time, now: Time) {
        for (resource, it) in (0..).map(ResourceId).zip(&self.resources) {
            if after < it.spec().registers && it.spec().registers <= now {
                self.observer.happened(now, &Happening::Registered { resource });
            }
        }
    }

    /// Pings end when nothing else is to come and what there is has been told: they alone keep nothing
    /// alive.
    pub(super) fn ping(&mut self, engine: &mut Engine<Event>) {
        let now = engine.now();
        self.information_events[0] = None;
        let is_last = now > Time::ZERO && engine.is_idle() && self.next_registration(now).is_none();
        let Some(service) = &mut self.service else { return };
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
            self.information_events[1] = event;
        }
        let next = now.after(pings.every()).map(|time| engine.schedule(time, Event::Ping));
        self.information_events[0] = next;
    }

    pub(super) fn tell(&mut self, engine: &mut Engine<Event>) {
        self.information_events[1] = None;
        let Some(service) = &mut self.service else { return };
        let is_more = service.tell();
        let (resources, up) = service.found();
        self.observer.happened(engine.now(), &Happening::Told { resources, up });
        if is_more {
            let is_known = |id: ResourceId| service.is_known(id);
            self.schedulers.iter_mut().for_each(|scheduler| scheduler.know(is_known));
        }
        self.look_again(engine);
    }
}

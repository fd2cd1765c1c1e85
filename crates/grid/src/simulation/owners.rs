//! Local load on memory and on links: how much of them their owners use.

use super::{Event, Simulation};
use crate::data::Data;
use crate::grid::{Grid, ResourceId};
use crate::happening::Happening;
use crate::load::{LoadProcess, LocalLoad, Start};
use crate::memory::Memories;
use crate::network::{LinkLoad, NodeId};
use gridsat_engine::{Engine, EventId};
use gridsat_model::Scale;
use gridsat_statistics::random;

/// What has a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loaded {
    /// The memory of the machine of this resource.
    Memory(ResourceId),
    /// The link of this number, with its ends.
    Link(u32, [NodeId; 2]),
}

/// The load of something other than PEs, and the event of its next draw.
struct OwnerLoad {
    of: Loaded,
    percent: u8,
    process: LoadProcess,
    event: Option<EventId>,
}

/// All of them.
pub(super) struct OwnerLoads(Vec<OwnerLoad>);

impl OwnerLoads {
    pub fn new(grid: &Grid, data: Option<&Data>, start: Start, seed: u64, scale: Scale) -> Self {
        let load = |of, stream: &str, index: u32, load: &LocalLoad| {
            let random = || random::stream(seed, stream, u64::from(index));
            let process = load.start(random, scale, start);
            OwnerLoad { of, percent: 0, process, event: None }
        };
        let memory = Memories::loads(grid)
            .into_iter()
            .map(|(at, given)| load(Loaded::Memory(at), "local load of memory", at.0, &given));
        let links = data.map_or_else(Vec::new, |data| data.network.loads());
        let links = links.into_iter().map(|LinkLoad { number, ends, load: given }| {
            load(Loaded::Link(number, ends), "local load of links", number, &given)
        });
        Self(memory.chain(links).collect())
    }

    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    pub fn events(&mut self) -> impl Iterator<Item = &mut Option<EventId>> {
        self.0.iter_mut().map(|load| &mut load.event)
    }
}

impl Simulation<'_> {
    /// Draws a load, and schedules the next draw.
    pub(super) fn draw_owner_load(&mut self, number: u32, engine: &mut Engine<Event>) {
        let load = &mut self.owners.0[number as usize];
        let (percent, next) = load.process.draw(engine.now());
        load.event = next.map(|time| engine.schedule(time, Event::OwnerLoad(number)));
        let before = std::mem::replace(&mut load.percent, percent);
        if percent != before {
            let of = load.of;
            self.set_owner_load(of, percent, engine);
        }
    }

    fn set_owner_load(&mut self, of: Loaded, percent: u8, engine: &mut Engine<Event>) {
        match of {
            Loaded::Memory(resource) => {
                let happening = Happening::MemoryLoad { resource, percent };
                self.observer.happened(engine.now(), &happening);
                let machine = self.resources[resource].spec().machine;
                self.memory.iter_mut().for_each(|memory| memory.set_load(machine, percent));
                self.admit_waiting(machine, engine);
            }
            Loaded::Link(number, ends) => {
                self.observer.happened(engine.now(), &Happening::LinkLoad { ends, percent });
                let network = self.data.as_mut().map(|data| &mut data.transfers.network);
                network.into_iter().for_each(|network| network.set_load(number, percent));
            }
        }
    }
}

//! Storage is never exceeded, for random sequences of jobs that are sent, aborted and finished.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::super::allocation::JobId;
use super::super::grid::ResourceId;
use super::super::network::{BaudRate, Bytes, NodeId};
use super::movement::Movement;
use super::{Data, FileId, FileSpec, Needs, TransferId};
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId, StopRules};
use gridsat_model::Scale;
use gridsat_workload::DataId;

const MACHINES: u32 = 3;
const HOME: NodeId = NodeId(MACHINES);
const FILES: u32 = 8;
const NEEDS: usize = 12;

fn data(random: &mut ChaCha8Rng) -> Data {
    let rates = ["a", "b", "c", "home"].map(|name| (name, random.random_range(8..800)));
    let file = |number: u32| FileSpec {
        name: format!("f{number}"),
        size: Bytes(random.random_range(1..40)),
        // The others exist after a job has written them.
        holders: if number < 5 { vec![HOME, NodeId(0)] } else { Vec::new() },
    };
    let files: Vec<FileSpec> = (0..FILES).map(file).collect();
    let mut pick = |from: u32, most: usize| -> Vec<FileId> {
        let mut files: Vec<u32> = (from..FILES).filter(|_| random.random_bool(0.3)).collect();
        files.truncate(most);
        files.into_iter().map(FileId).collect()
    };
    let needs = (0..NEEDS).map(|number| Needs {
        inputs: pick(0, 3),
        outputs: pick(5, 1),
        home: (number % 3 > 0).then_some(HOME),
        input: Bytes(if number % 3 == 1 { 20 } else { 0 }),
        output: Bytes(if number % 3 == 2 { 15 } else { 0 }),
    });
    Data {
        needs: needs.collect(),
        network: Box::new(BaudRate::new(rates, Scale::default()).expect("good rates")),
        nodes: Vec::new(),
        files,
        storage: vec![Some(Bytes(250)), Some(Bytes(120)), None],
        breakages: Vec::new(),
    }
}

#[derive(Clone, Copy)]
struct Moving {
    ends: Time,
    id: TransferId,
    event: EventId,
}

/// Jobs anywhere between admission and completion, and transfers that have not ended.
struct World {
    waiting: Vec<JobId>,
    running: Vec<JobId>,
    moving: Vec<Moving>,
    engine: Engine<()>,
    home: u32,
    now: Time,
}

impl World {
    fn follow(&mut self, movement: &mut Movement) {
        while let Some((id, _, ends)) = movement.transfers.take_begun() {
            let event = self.engine.schedule(ends, ());
            movement.transfers.set_event(id, event);
            self.moving.push(Moving { ends, id, event });
        }
        while let Some(job) = movement.take_ready() {
            self.waiting.retain(|&other| other != job);
            self.running.push(job);
        }
        while movement.take_done().is_some() {
            self.home += 1;
        }
        assert_eq!(movement.transfers.take_fault(), None);
    }

    /// Completes the next transfer.
    fn advance(&mut self, movement: &mut Movement) {
        let first = (0..self.moving.len()).min_by_key(|&index| self.moving[index].ends);
        let Some(first) = first else { return };
        let Moving { ends, id, .. } = self.moving.swap_remove(first);
        self.now = ends;
        movement.arrive(id, ends);
    }
}

#[test]
fn disks_are_never_overfull() {
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let machines = (0..MACHINES).map(NodeId).collect();
        let mut movement = Movement::new(data(&mut random), machines);
        let mut world = World {
            waiting: Vec::new(),
            running: Vec::new(),
            moving: Vec::new(),
            engine: Engine::new(StopRules::default()),
            home: 0,
            now: Time::ZERO,
        };
        let (mut sent, mut gone) = (0, 0);
        for step in 0..400 {
            match random.random_range(0..10) {
                0..3 => {
                    let needs = DataId::new(random.random_range(0..NEEDS)).expect("small");
                    let at = ResourceId(random.random_range(0..MACHINES));
                    if movement.predict(needs, at).is_some() {
                        world.waiting.push(JobId(sent));
                        movement.enter(JobId(sent), needs, at, None, world.now);
                        sent += 1;
                    }
                }
                3 if !world.waiting.is_empty() => {
                    let job =
                        world.waiting.swap_remove(random.random_range(0..world.waiting.len()));
                    let event = movement.release(job, world.now);
                    world.moving.retain(|moving| Some(moving.event) != event);
                    gone += 1;
                }
                4..6 if !world.running.is_empty() => {
                    let job =
                        world.running.swap_remove(random.random_range(0..world.running.len()));
                    gone += u32::from(!movement.make(job, world.now));
                }
                _ => world.advance(&mut movement),
            }
            world.follow(&mut movement);
            movement.assert_sound(&format!("seed {seed}, step {step}"));
        }
        let inside = (world.waiting.len() + world.running.len()) as u32;
        assert!(gone + world.home + inside <= sent, "seed {seed}");
        assert!(world.home > 0 && gone > 0, "seed {seed}: {} home, {gone} gone", world.home);
    }
}

impl Movement {
    /// Asserts that storage contains exactly what copies and jobs occupy, and no more than fits,
    /// and that copies have as many users as there are jobs and transfers for them.
    fn assert_sound(&self, case: &str) {
        for (number, store) in self.stores.iter().enumerate() {
            let here = self.entries.values().filter(|entry| entry.at.index() == number);
            let held: u128 = here.map(|entry| entry.held).sum();
            let leaving = self.transfers.unnamed_from(NodeId(number as u32));
            store.assert_sound(held + leaving, case);
        }
    }
}

//! The prices that the search would use at one k, and the knapsacks that belong to them.

use gridsat_check::formula::Load;
use gridsat_exact::knapsack::{Item, pack};
use gridsat_exact::strategy::EncodingChoice;
use gridsat_model::{Instance, Stop, TaskId, Ticks};

use crate::question::Question;

/// States visited per knapsack; enough for all sizes here.
const EFFORT: usize = 10_000_000;

/// Prices at one k.
pub struct Prices(pub Vec<u64>);

/// A host: the tasks that fit it, and their largest total price.
pub struct Packed {
    pub room: u64,
    pub tasks: Vec<(TaskId, u64)>,
    pub best: u64,
}

impl Prices {
    /// The prices of the encoding `window`; all 0 if the search finds none.
    pub fn new(question: &Question, k: Ticks) -> Self {
        let choice = EncodingChoice { load: Some(Load::Window), ..EncodingChoice::default() };
        let encoding = choice.at(&question.instance, k, &question.weights, &Stop::never());
        let none = vec![0; question.instance.task_count()];
        Self(encoding.prices.map_or(none, |prices| prices.as_slice().to_vec()))
    }

    /// One for each task.
    pub fn equal(instance: &Instance) -> Self {
        Self(vec![1; instance.task_count()])
    }

    /// In the same proportion, with a total of about 1000: diagrams over prices alone grow with it.
    pub fn coarse(&self) -> Self {
        let total: u64 = self.0.iter().sum::<u64>().max(1);
        Self(
            self.0
                .iter()
                .map(|&price| (u128::from(price) * 1000 / u128::from(total)) as u64)
                .collect(),
        )
    }

    /// The packed hosts, and the slack, 0 if the prices refute k.
    pub fn packed(&self, instance: &Instance, k: Ticks) -> (Vec<Packed>, u64) {
        let host = |host| {
            let room = instance.capacity(host, k).map_or(0, |room| room.0);
            let time = |task| Some((task, instance.time(task, host)?.0));
            let tasks = instance.tasks().filter_map(time).filter(|&(_, time)| time <= room);
            let tasks: Vec<_> = tasks.collect();
            let best = self.best(&tasks, room);
            Packed { room, tasks, best }
        };
        let hosts: Vec<Packed> = instance.hosts().map(host).collect();
        let packed: u64 = hosts.iter().map(|host| host.best).sum();
        let slack = packed.saturating_sub(self.0.iter().sum());
        (hosts, slack)
    }

    /// The largest total price of these tasks within the room.
    pub fn best(&self, tasks: &[(TaskId, u64)], room: u64) -> u64 {
        let item = |&(task, weight): &(TaskId, u64)| {
            let value = self.0[task.index()];
            Item { name: task.0, value, weight }
        };
        let items: Vec<Item> = tasks.iter().map(item).collect();
        pack(&items, room, EFFORT).at_most
    }
}

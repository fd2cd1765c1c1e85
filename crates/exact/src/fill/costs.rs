//! Costs as integers: what tasks cost on each host, and what room is worth.

use crate::walk::Times;

/// The mean weight of a host: the worth of a tick.
const TICK: i64 = 1024;

/// The regret up to which a host is near a task, in ticks of mean weight.
const NEAR: i64 = 1;

/// Times, weights and costs. A task costs weight times time; its *regret* on a host is what it
/// costs there above its cheapest host.
pub(super) struct Costs {
    hosts: usize,
    /// The room of each host in ticks.
    pub rooms: Vec<usize>,
    /// The worth of a tick of each host.
    pub weights: Vec<i64>,
    /// The time of each pair in ticks, one row per task; `None` where it cannot run.
    times: Vec<Option<u32>>,
    /// The cost of each task on its cheapest host.
    pub least: Vec<i64>,
    /// What room that stays empty and regrets may add up to.
    pub budget: i64,
}

impl Costs {
    /// `None` if a time does not fit, if a task has no host, or if the budget is negative.
    pub fn new(times: &Times, rooms: Vec<usize>, weights: &[f64]) -> Option<Self> {
        let (tasks, hosts) = (times.task_count(), times.host_count());
        let mean = weights.iter().sum::<f64>() / hosts as f64;
        let weight = |weight: &f64| ((weight / mean * TICK as f64).round() as i64).max(1);
        let weights: Vec<i64> = weights.iter().map(weight).collect();
        let fits = |task: usize, host: usize| {
            let time = usize::try_from(times.get(task, host)?).ok()?;
            (time <= rooms[host]).then_some(time as u32)
        };
        let pairs = (0..tasks).flat_map(|task| (0..hosts).map(move |host| (task, host)));
        let times: Vec<Option<u32>> = pairs.map(|(task, host)| fits(task, host)).collect();
        let cost = |(time, weight): (&Option<u32>, &i64)| Some(i64::from((*time)?) * weight);
        let least = |row: &[Option<u32>]| row.iter().zip(&weights).filter_map(cost).min();
        let least: Option<Vec<i64>> = times.chunks(hosts).map(least).collect();
        let least = least?;
        let worth: i64 = rooms.iter().zip(&weights).map(|(&room, w)| room as i64 * w).sum();
        let budget = worth - least.iter().sum::<i64>();
        (budget >= 0).then_some(Self { hosts, rooms, weights, times, least, budget })
    }

    pub fn task_count(&self) -> usize {
        self.least.len()
    }

    /// The time of the task on the host in ticks; `None` where it does not fit.
    pub fn time(&self, task: usize, host: usize) -> Option<usize> {
        self.times[task * self.hosts + host].map(|time| time as usize)
    }

    /// What the task costs on the host above its cheapest host; `None` where it does not fit.
    pub fn regret(&self, task: usize, host: usize) -> Option<i64> {
        let time = self.times[task * self.hosts + host]?;
        Some(i64::from(time) * self.weights[host] - self.least[task])
    }

    pub fn is_near(&self, task: usize, host: usize) -> bool {
        self.regret(task, host).is_some_and(|regret| regret <= NEAR * TICK)
    }

    /// What the host wastes with these tasks: the worth of the room that stays empty, and their
    /// regrets.
    pub fn waste(&self, host: usize, tasks: &[usize]) -> i64 {
        let worth = self.rooms[host] as i64 * self.weights[host];
        worth - tasks.iter().map(|&task| self.least[task]).sum::<i64>()
    }

    /// A cost in ticks of mean weight.
    pub fn ticks(&self, cost: i64) -> f64 {
        cost as f64 / TICK as f64
    }

    /// The cost of this many ticks of mean weight.
    pub fn of_ticks(ticks: f64) -> i64 {
        (ticks * TICK as f64) as i64
    }
}

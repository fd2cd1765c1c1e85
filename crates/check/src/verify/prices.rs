//! The rule `prices`: task prices whose total no packing of the hosts can reach.
//!
//! `Σ_t u_t > Σ_h KP_h`, where `KP_h` is the largest total price of a set of tasks that fits host
//! h by k. Inside a tree ([`super::tree`]) the rule is applied to the tasks not placed and the room
//! left; prices that do not refute the case can still rule out pairs.

use super::pairs::Pairs;
use super::steps::StepFault;
use crate::formula::CaseHost;
use crate::knapsack::{Forced, Item, Knapsack, TooLarge};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Whether the prices refute k.
pub(super) fn check(instance: &Instance, k: Ticks, prices: &[u64]) -> Result<(), StepFault> {
    let total = sum(prices.iter().copied());
    let packed = sum(best_on_each(instance, k, prices)?.into_iter());
    if total > packed { Ok(()) } else { Err(StepFault::PricesFit { total, packed }) }
}

/// `KP_h` of each host; equal hosts have the same.
pub(super) fn best_on_each(
    instance: &Instance,
    k: Ticks,
    prices: &[u64],
) -> Result<Vec<u64>, StepFault> {
    check_count(instance, prices)?;
    let mut best_on = vec![0; instance.host_count()];
    for hosts in instance.host_classes() {
        let best = best_on_host(instance, hosts[0], k, prices)?;
        hosts.iter().for_each(|host| best_on[host.index()] = best);
    }
    Ok(best_on)
}

fn best_on_host(
    instance: &Instance,
    host: HostId,
    k: Ticks,
    prices: &[u64],
) -> Result<u64, StepFault> {
    let ready = instance.ready(host);
    let room = k.checked_sub(ready).ok_or(StepFault::NotReady { host: host.0, ready })?;
    let tasks = instance.tasks().filter_map(|t| Some((t, instance.time(t, host)?)));
    Ok(knapsack(host, tasks, room, prices)?.best)
}

/// Whether the prices refute the case that consists of these pairs.
pub(super) fn check_pairs(pairs: &Pairs, prices: &[u64]) -> Result<(), StepFault> {
    let (total, knapsacks) = knapsacks(pairs, prices)?;
    let packed = sum(knapsacks.iter().map(|(knapsack, _)| knapsack.best));
    if total > packed { Ok(()) } else { Err(StepFault::PricesFit { total, packed }) }
}

/// The pairs that the prices rule out.
///
/// With t on h, host h can hold no more than its best packing with t, and every other host no more
/// than its best packing without t. If that is below the total price, t is not on h.
pub(super) fn ruled_out(pairs: &Pairs, prices: &[u64]) -> Result<Vec<(TaskId, HostId)>, StepFault> {
    let (total, knapsacks) = knapsacks(pairs, prices)?;
    let packed = sum(knapsacks.iter().map(|(knapsack, _)| knapsack.best));
    // A packing that loses more than this is ruled out, whatever the exact loss.
    let slack = u64::try_from(packed.saturating_sub(total)).unwrap_or(u64::MAX);
    // For each task the total loss of the hosts without it.
    let mut lost = vec![0_u128; prices.len()];
    let mut each = Vec::new();
    for (host, (knapsack, tasks)) in pairs.instance().hosts().zip(&knapsacks) {
        let forced = knapsack.forced(knapsack.best.saturating_sub(slack));
        let forced = forced.map_err(too_large(host))?;
        for (&task, Forced { with, without }) in tasks.iter().zip(forced) {
            lost[task.index()] += u128::from(knapsack.best - without);
            each.push((task, host, knapsack.best, with, without));
        }
    }
    let is_out = |&(task, _, best, with, without): &(TaskId, HostId, u64, Option<u64>, u64)| {
        let others = lost[task.index()] - u128::from(best - without);
        with.is_none_or(|with| packed - u128::from(best) + u128::from(with) < total + others)
    };
    Ok(each.iter().filter(|entry| is_out(entry)).map(|&(task, host, ..)| (task, host)).collect())
}

/// For each host its open tasks and its best packing.
pub(super) fn best_packings(pairs: &Pairs, prices: &[u64]) -> Result<Vec<CaseHost>, StepFault> {
    let (_, knapsacks) = knapsacks(pairs, prices)?;
    let host = |(host, (knapsack, _)): (HostId, HostKnapsack)| {
        let (room, tasks) = (pairs.room(host), pairs.open(host).collect());
        CaseHost { room, tasks, best: knapsack.best }
    };
    Ok(pairs.instance().hosts().zip(knapsacks).map(host).collect())
}

type HostKnapsack = (Knapsack, Vec<TaskId>);

/// The total price of the tasks not placed, and for each host the best packing of the room left.
fn knapsacks(pairs: &Pairs, prices: &[u64]) -> Result<(u128, Vec<HostKnapsack>), StepFault> {
    let instance = pairs.instance();
    check_count(instance, prices)?;
    let open = instance.tasks().filter(|&task| !pairs.is_placed(task));
    let total = sum(open.map(|task| prices[task.index()]));
    let mut all = Vec::new();
    for host in instance.hosts() {
        let tasks: Vec<(TaskId, Ticks)> = pairs.open(host).collect();
        let names = tasks.iter().map(|&(task, _)| task).collect();
        let room = pairs.room(host);
        all.push((knapsack(host, tasks.into_iter(), room, prices)?, names));
    }
    Ok((total, all))
}

fn check_count(instance: &Instance, prices: &[u64]) -> Result<(), StepFault> {
    let (found, tasks) = (prices.len(), instance.task_count());
    if found == tasks { Ok(()) } else { Err(StepFault::WrongPriceCount { found, tasks }) }
}

fn sum(values: impl Iterator<Item = u64>) -> u128 {
    values.map(u128::from).sum()
}

fn knapsack(
    host: HostId,
    tasks: impl Iterator<Item = (TaskId, Ticks)>,
    room: Ticks,
    prices: &[u64],
) -> Result<Knapsack, StepFault> {
    let item = |(task, time): (TaskId, Ticks)| Item { price: prices[task.index()], time };
    let items: Vec<Item> = tasks.filter(|&(_, time)| time <= room).map(item).collect();
    let total = sum(items.iter().map(|item| item.price));
    u64::try_from(total).map_err(|_| StepFault::Overflow)?;
    Knapsack::new(items, room).map_err(too_large(host))
}

fn too_large(host: HostId) -> impl Fn(TooLarge) -> StepFault {
    move |TooLarge(entries)| StepFault::TableTooLarge { host: host.0, entries }
}

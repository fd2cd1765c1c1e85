//! The rules as `docs/certificates.md` states them, by trying all sets of tasks: slow, short, and
//! without the algorithms of the checker. For a few tasks with small numbers only.

use gridsat_check::formula::CaseHost;
use gridsat_model::certificate::{FillingNode, Node, Step};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// A task, its price and its time.
type Priced = (usize, u64, u64);

/// Whether the step refutes its k.
pub fn holds(instance: &Instance, step: &Step) -> bool {
    let (n, m) = (instance.task_count(), instance.host_count());
    let k = step.k().0;
    match step {
        Step::Ready { host, .. } => (*host as usize) < m && instance.ready(HostId(*host)).0 > k,
        Step::LongestTask { task, .. } => {
            (*task as usize) < n && {
                let ends = instance.times(TaskId(*task));
                ends.map(|(h, time)| instance.ready(h).0 + time.0).all(|end| end > k)
            }
        }
        Step::Weights { weights, .. } => {
            weights.len() == m && weights.iter().any(|&w| w > 0) && by_weights(instance, k, weights)
        }
        Step::Part { hosts, tasks, sums, .. } => {
            part(instance, k, *hosts as usize, *tasks as usize, *sums)
        }
        Step::Prices { prices, .. } => {
            let total: u64 = prices.iter().sum();
            let rooms: Option<Vec<u64>> = rooms(instance, k);
            prices.len() == n
                && rooms.is_some_and(|rooms| {
                    let best = |h: usize| best(&priced(instance, h, prices, |_| true), rooms[h]);
                    total > (0..m).map(best).sum()
                })
        }
        Step::Fillings { nodes, .. } => fillings(instance, k, nodes),
        Step::Tree { nodes, .. } => tree(instance, k, nodes),
        Step::Unsat(_) => unreachable!("formulas are tested elsewhere"),
    }
}

fn rooms(instance: &Instance, k: u64) -> Option<Vec<u64>> {
    instance.hosts().map(|h| k.checked_sub(instance.ready(h).0)).collect()
}

fn time(instance: &Instance, task: usize, host: usize) -> Option<u64> {
    instance.time(TaskId(task as u32), HostId(host as u32)).map(|time| time.0)
}

fn by_weights(instance: &Instance, k: u64, weights: &[u64]) -> bool {
    let Some(rooms) = rooms(instance, k) else { return false };
    let mut work = 0;
    for task in 0..instance.task_count() {
        let fits = |&h: &usize| time(instance, task, h).is_some_and(|time| time <= rooms[h]);
        let times = (0..rooms.len()).filter(fits);
        let least = times.filter_map(|h| Some(weights[h] * time(instance, task, h)?)).min();
        let Some(least) = least else { return true };
        work += least;
    }
    work > rooms.iter().zip(weights).map(|(room, weight)| room * weight).sum()
}

/// Times on equal hosts, longest first, and the room; `None` if the hosts differ.
fn on_equal_hosts(instance: &Instance, k: u64) -> Option<(Vec<u64>, u64)> {
    let rooms = rooms(instance, k)?;
    let mut times = Vec::new();
    for task in 0..instance.task_count() {
        let row: Vec<_> = (0..rooms.len()).map(|h| time(instance, task, h)).collect();
        times.push(row[0].filter(|_| row.iter().all(|time| *time == row[0]))?);
    }
    times.sort_unstable_by(|a, b| b.cmp(a));
    rooms.iter().all(|room| *room == rooms[0]).then_some((times, rooms[0]))
}

fn part(instance: &Instance, k: u64, h: usize, l: usize, sums: bool) -> bool {
    let (n, m) = (instance.task_count(), instance.host_count());
    let Some((times, room)) = on_equal_hosts(instance, k) else { return false };
    if h == 0 || h > m || l > n {
        return false;
    }
    let longest = &times[..l];
    let of_none: Vec<Priced> = longest.iter().map(|&time| (0, time, time)).collect();
    let room = if sums { best(&of_none, room) } else { room };
    let q = h * (l / m) + h.min(l % m);
    longest[l - q..].iter().sum::<u64>() > h as u64 * room
}

/// All sets of the items.
fn sets(items: &[Priced]) -> impl Iterator<Item = Vec<Priced>> + '_ {
    let chosen = |set: u32| (0..items.len()).filter(move |i| set >> i & 1 == 1);
    (0..1 << items.len()).map(move |set| chosen(set).map(|i| items[i]).collect())
}

fn total(set: &[Priced]) -> (u64, u64) {
    set.iter().fold((0, 0), |(price, time), item| (price + item.1, time + item.2))
}

/// The largest total price within the room.
fn best(items: &[Priced], room: u64) -> u64 {
    let fits = sets(items).map(|set| total(&set)).filter(|(_, time)| *time <= room);
    fits.map(|(price, _)| price).max().unwrap_or(0)
}

fn priced(
    instance: &Instance,
    host: usize,
    prices: &[u64],
    is_there: impl Fn(usize) -> bool,
) -> Vec<Priced> {
    let tasks = (0..instance.task_count()).filter(|&task| is_there(task));
    tasks.filter_map(|task| Some((task, prices[task], time(instance, task, host)?))).collect()
}

/// Possible pairs, task by task.
type Pairs = Vec<Vec<bool>>;

/// A settled case that is not empty.
#[derive(Clone)]
struct Case {
    pairs: Pairs,
    placed: Vec<bool>,
    rooms: Vec<u64>,
}

fn settled(instance: &Instance, k: u64, mut pairs: Pairs) -> Option<Case> {
    let mut rooms = rooms(instance, k)?;
    let mut placed = vec![false; pairs.len()];
    loop {
        let mut is_settled = true;
        for task in 0..pairs.len() {
            for host in (0..rooms.len()).filter(|_| !placed[task]) {
                let fits = time(instance, task, host).is_some_and(|time| time <= rooms[host]);
                if pairs[task][host] && !fits {
                    (pairs[task][host], is_settled) = (false, false);
                }
            }
            let left: Vec<usize> = (0..rooms.len()).filter(|&host| pairs[task][host]).collect();
            match left[..] {
                [] => return None,
                [host] if !placed[task] => {
                    rooms[host] = rooms[host].checked_sub(time(instance, task, host)?)?;
                    (placed[task], is_settled) = (true, false);
                }
                _ => {}
            }
        }
        if is_settled {
            return Some(Case { pairs, placed, rooms });
        }
    }
}

fn all(instance: &Instance) -> Pairs {
    let hosts = 0..instance.host_count();
    let is_possible = |task| hosts.clone().map(|h| time(instance, task, h).is_some()).collect();
    (0..instance.task_count()).map(is_possible).collect()
}

/// The hosts of the case of all pairs in the lists, for its formula; `None` if that case is empty.
pub fn listed(
    instance: &Instance,
    k: Ticks,
    lists: &[Vec<u32>],
    prices: &[u64],
) -> Option<Vec<CaseHost>> {
    let mut pairs = all(instance);
    for (row, hosts) in pairs.iter_mut().zip(lists) {
        for (host, is_possible) in row.iter_mut().enumerate() {
            *is_possible &= hosts.contains(&(host as u32));
        }
    }
    let case = settled(instance, k.0, pairs)?;
    let host = |host: usize| {
        let is_open = |task: usize| !case.placed[task] && case.pairs[task][host];
        let items = priced(instance, host, prices, is_open);
        let tasks = items.iter().map(|item| (TaskId(item.0 as u32), Ticks(item.2))).collect();
        CaseHost { room: Ticks(case.rooms[host]), tasks, best: best(&items, case.rooms[host]) }
    };
    Some((0..instance.host_count()).map(host).collect())
}

/// The two cases of a branch at the root; without a branch the first is empty.
fn cases(instance: &Instance, k: Ticks, pair: Option<(u32, u32)>) -> [Option<Case>; 2] {
    let whole = settled(instance, k.0, all(instance));
    let Some((task, host)) = pair else { return [None, whole] };
    let below = whole.and_then(|whole| below(instance, k.0, &whole, &Node::Branch { task, host }));
    below.and_then(|cases| cases.try_into().ok()).unwrap_or([None, None])
}

/// Whether the lists have all pairs of the second case of the branch.
pub fn is_listed(
    instance: &Instance,
    k: Ticks,
    branch: Option<(u32, u32)>,
    lists: &[Vec<u32>],
) -> bool {
    let [_, second] = cases(instance, k, branch);
    second.is_none_or(|case| {
        let is_there = |task: usize, host: usize| lists[task].contains(&(host as u32));
        let row =
            |task: usize| (0..case.rooms.len()).all(|h| !case.pairs[task][h] || is_there(task, h));
        (0..case.pairs.len()).all(row)
    })
}

/// Whether a branch holds whose first case is claimed to be empty and whose second case has a leaf
/// that is right or not. An empty case needs no leaf.
pub fn holds_but_second(
    instance: &Instance,
    k: Ticks,
    branch: Option<(u32, u32)>,
    is_right: bool,
) -> bool {
    let [first, second] = cases(instance, k, branch);
    first.is_none() && (second.is_none() || is_right)
}

fn tree(instance: &Instance, k: u64, nodes: &[Node]) -> bool {
    let mut stack = vec![settled(instance, k, all(instance))];
    for node in nodes {
        let Some(case) = stack.pop() else { return false };
        let below = match case {
            None => match node {
                Node::Fix { .. } => vec![None],
                Node::Branch { .. } => vec![None, None],
                _ => Vec::new(),
            },
            Some(case) => match below(instance, k, &case, node) {
                Some(below) => below,
                None => return false,
            },
        };
        stack.extend(below.into_iter().rev());
    }
    stack.is_empty()
}

/// The cases below a node; `None` if it is wrong.
fn below(instance: &Instance, k: u64, case: &Case, node: &Node) -> Option<Vec<Option<Case>>> {
    let (n, m) = (instance.task_count(), instance.host_count());
    let items = |host: usize, prices: &[u64]| {
        priced(instance, host, prices, |task| !case.placed[task] && case.pairs[task][host])
    };
    let open = |task: usize| !case.placed[task];
    match node {
        Node::Nowhere | Node::Unsat(_) => None,
        &Node::Branch { task, host } => {
            let (task, host) = (task as usize, host as usize);
            if task >= n || host >= m {
                return None;
            }
            let (mut on, mut off) = (case.pairs.clone(), case.pairs.clone());
            for other in (0..m).filter(|&other| other != host) {
                on[task][other] = false;
            }
            off[task][host] = false;
            Some(vec![settled(instance, k, on), settled(instance, k, off)])
        }
        Node::Prices { prices } | Node::Fix { prices } if prices.len() != n => None,
        Node::Prices { prices } => {
            let total: u64 = (0..n).filter(|&t| open(t)).map(|t| prices[t]).sum();
            let packed: u64 = (0..m).map(|h| best(&items(h, prices), case.rooms[h])).sum();
            (total > packed).then(Vec::new)
        }
        Node::Fix { prices } => {
            let total_price: u64 = (0..n).filter(|&t| open(t)).map(|t| prices[t]).sum();
            let mut pairs = case.pairs.clone();
            for (task, host) in (0..n).flat_map(|t| (0..m).map(move |h| (t, h))) {
                if !open(task) || !case.pairs[task][host] {
                    continue;
                }
                let here = items(host, prices);
                let with = sets(&here)
                    .filter(|set| set.iter().any(|item| item.0 == task))
                    .map(|set| total(&set));
                let with = with.filter(|sum| sum.1 <= case.rooms[host]).map(|sum| sum.0).max();
                let without = |other: usize| {
                    let items = items(other, prices).into_iter().filter(|item| item.0 != task);
                    best(&items.collect::<Vec<_>>(), case.rooms[other])
                };
                let others: u64 = (0..m).filter(|&other| other != host).map(without).sum();
                pairs[task][host] = with.is_some_and(|with| with + others >= total_price);
            }
            Some(vec![settled(instance, k, pairs)])
        }
    }
}

/// The rooms of the hosts left, largest first, and the works of the tasks left, longest first.
type Left = (Vec<u64>, Vec<u64>);

/// The works of all tasks, and the room of each host for work until k; both in descending order.
fn works_and_rooms(instance: &Instance, k: u64) -> Option<Left> {
    let (n, m) = (instance.task_count(), instance.host_count());
    let column = |host| (0..n).map(|task| time(instance, task, host)).collect::<Option<Vec<u64>>>();
    let columns = (0..m).map(column).collect::<Option<Vec<_>>>()?;
    if (0..n).any(|task| columns.iter().any(|c| (c[task] == 0) != (columns[0][task] == 0))) {
        return None;
    }
    let divides = |unit: u64, times: &[u64]| times.iter().all(|time| time % unit == 0);
    let works = columns.iter().map(|times| {
        let longest = times.iter().copied().max().unwrap_or(0).max(1);
        let unit = (1..=longest).rev().find(|&unit| divides(unit, times)).unwrap_or(1);
        times.iter().map(|time| time / unit).collect::<Vec<u64>>()
    });
    let mut works = works.min_by_key(|works| works.iter().copied().max())?;
    let most = |(room, times): (u64, &Vec<u64>)| {
        let tasks = works.iter().zip(times).filter(|(work, _)| **work > 0);
        tasks.map(|(work, time)| room * work / time).max().unwrap_or(room)
    };
    let mut rooms: Vec<u64> = rooms(instance, k)?.into_iter().zip(&columns).map(most).collect();
    rooms.sort_unstable_by(|a, b| b.cmp(a));
    works.sort_unstable_by(|a, b| b.cmp(a));
    works.retain(|&work| work > 0);
    Some((rooms, works))
}

fn fillings(instance: &Instance, k: u64, nodes: &[FillingNode]) -> bool {
    let Some(first) = works_and_rooms(instance, k) else { return false };
    let mut stack: Vec<Left> = vec![first];
    let mut seen: Vec<Left> = Vec::new();
    for node in nodes {
        let Some(case) = stack.pop() else { return false };
        let Some(below) = after(&case, node, &seen) else { return false };
        if matches!(node, FillingNode::Branch { .. } | FillingNode::Prices { .. }) {
            seen.push(case);
        }
        stack.extend(below.into_iter().rev());
    }
    stack.is_empty()
}

fn without(list: &[u64], one: u64) -> Vec<u64> {
    let mut list = list.to_vec();
    let place = list.iter().position(|&other| other == one).unwrap_or(0);
    list.remove(place);
    list
}

/// The distinct rooms that the longest task fits.
fn fitting((hosts, times): &Left) -> Option<Vec<u64>> {
    let longest = times.first()?;
    let mut rooms: Vec<u64> = hosts.iter().copied().filter(|room| room >= longest).collect();
    rooms.dedup();
    (!rooms.is_empty()).then_some(rooms)
}

fn after(case: &Left, node: &FillingNode, seen: &[Left]) -> Option<Vec<Left>> {
    let (hosts, times) = case;
    let distinct = {
        let mut distinct = times.clone();
        distinct.dedup();
        distinct
    };
    let with = |prices: &[u64]| -> Option<Vec<Priced>> {
        let price =
            |time: u64| prices[distinct.iter().position(|&other| other == time).unwrap_or(0)];
        (prices.len() == distinct.len())
            .then(|| times.iter().enumerate().map(|(i, &time)| (i, price(time), time)).collect())
    };
    match node {
        FillingNode::Work {} => {
            (times.iter().sum::<u64>() > hosts.iter().sum::<u64>()).then(Vec::new)
        }
        FillingNode::Seen {} => {
            let count = |rooms: &[u64], room| rooms.iter().filter(|other| **other == room).count();
            let has_all =
                |more: &[u64]| hosts.iter().all(|&room| count(more, room) >= count(hosts, room));
            seen.iter().any(|(more, same)| has_all(more) && same == times).then(Vec::new)
        }
        FillingNode::Prices { prices } => {
            let items = with(prices)?;
            let packed: u64 = hosts.iter().map(|&room| best(&items, room)).sum();
            (total(&items).0 > packed).then(Vec::new)
        }
        FillingNode::Forced { hosts: filled } => {
            let mut case = case.clone();
            for _ in 0..*filled {
                let rooms = fitting(&case)?;
                let &[room] = rooms.as_slice() else { return None };
                let first = case.1.remove(0);
                case.0 = without(&case.0, room);
                let all: Vec<Priced> = case.1.iter().map(|&time| (0, time, time)).collect();
                let longest = best(&all, room - first);
                if longest > 0 {
                    let place = case.1.iter().position(|&time| time == longest)?;
                    case.1.remove(place);
                }
            }
            Some(vec![case])
        }
        FillingNode::Branch { prices, order } => {
            let items = with(prices)?;
            let packed: u64 = hosts.iter().map(|&room| best(&items, room)).sum();
            let first = *items.first()?;
            let mut below: Vec<Left> = Vec::new();
            for room in fitting(case)? {
                let least = total(&items).0.saturating_sub(packed - best(&items, room));
                let mut found: Vec<Vec<u64>> = sets(&items)
                    .filter(|set| set.contains(&first))
                    .filter(|set| is_filling(set, &items, room, least))
                    .map(|set| set.iter().map(|item| item.2).collect())
                    .collect();
                found.sort_unstable_by(|a, b| b.cmp(a));
                found.dedup();
                let left = |set: &Vec<u64>| {
                    let tasks = set.iter().fold(times.clone(), |left, &time| without(&left, time));
                    (without(hosts, room), tasks)
                };
                below.extend(found.iter().map(left));
            }
            let mut numbers = order.clone();
            numbers.sort_unstable();
            let is_whole = numbers.iter().copied().eq(0..below.len() as u32);
            is_whole.then(|| order.iter().map(|&number| below[number as usize].clone()).collect())
        }
    }
}

fn is_filling(set: &[Priced], all: &[Priced], room: u64, least: u64) -> bool {
    let (price, time) = total(set);
    if time > room || price < least {
        return false;
    }
    let spare = room - time;
    let outside = || all.iter().filter(|item| !set.contains(item));
    let longer = |b: &Priced| {
        let replaced = |a: &Priced| a.2 < b.2 && b.2 - a.2 <= spare;
        b.2 <= spare || set[1..].iter().any(replaced)
    };
    !outside().any(longer)
}

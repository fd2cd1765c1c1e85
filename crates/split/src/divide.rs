//! Groups that may be divided, at the price of one more set-up.
//!
//! With s the set-up, o the overhead, W_g the work of group g and N shards that end by T, each
//! shard can hold at most T − o − s of one group, so that g is in at least `k_g(T) = ⌈W_g / (T − o
//! − s)⌉` of them, and `Σ_g (W_g + s · k_g(T)) ≤ N · (T − o)`. The left side falls and the right
//! side grows with T: the smallest T that satisfies it is a lower bound, like the longest task with
//! its set-up. Shards are filled for a T between it and a T known to do, by halves: each group, the
//! largest first, into the fullest shard that holds all of it, else as much of it as fits into the
//! emptiest one, and the rest later.

use crate::problem::Problem;

/// Which tasks form a group with how much work; the set-up is not included.
struct Group {
    items: Vec<usize>,
    work: u64,
    setup: u64,
}

/// The shard of each item, and the lower bound. All shards end by `target` if one is given by which
/// they are [filled](fewest).
pub fn divide(problem: &Problem, shards: usize, target: Option<u64>) -> (Vec<usize>, u64) {
    let groups = groups(problem);
    let low = lower_bound(problem, &groups, shards);
    let total: u64 = groups.iter().map(|group| group.work + group.setup).sum();
    let known = target.and_then(|target| fill(problem, &groups, shards, target));
    let known = known.unwrap_or_else(|| vec![0; problem.items.len()]);
    let mut best = (makespan(problem, &known, shards), known);
    let (mut floor, mut high) = (low, best.0.min(problem.overhead + total));
    while floor <= high {
        let middle = floor + (high - floor) / 2;
        match fill(problem, &groups, shards, middle) {
            Some(place) => {
                let found = makespan(problem, &place, shards);
                if found < best.0 {
                    best = (found, place);
                }
                let Some(next) = middle.min(found).checked_sub(1) else { break };
                high = next;
            }
            None => floor = middle + 1,
        }
    }
    (best.1, low)
}

/// The fewest shards that are filled by `target`, and how many it takes at least; none if a task
/// with its set-up takes longer.
pub fn fewest(problem: &Problem, target: u64) -> Option<(usize, usize)> {
    let groups = groups(problem);
    if longest(problem, &groups) > target {
        return None;
    }
    let at_least = match target.saturating_sub(problem.overhead) {
        0 => 1,
        room => needed(&groups, room).div_ceil(u128::from(room)).max(1),
    };
    // A shard per task does, and no number below that is tried twice.
    let at_least = usize::try_from(at_least).ok()?.min(problem.items.len());
    let fits = |&shards: &usize| fill(problem, &groups, shards, target).is_some();
    let shards = (at_least..problem.items.len()).find(fits).unwrap_or(problem.items.len());
    Some((shards, at_least))
}

/// When the last shard ends, with set-ups.
pub fn makespan(problem: &Problem, place: &[usize], shards: usize) -> u64 {
    loads(problem, place, shards).into_iter().max().unwrap_or(0)
}

/// When each shard ends.
pub fn loads(problem: &Problem, place: &[usize], shards: usize) -> Vec<u64> {
    let mut loads = vec![problem.overhead; shards];
    let mut touched = std::collections::HashSet::new();
    for (item, &shard) in problem.items.iter().zip(place) {
        loads[shard] += item.ticks;
        if item.group.is_some_and(|group| touched.insert((shard, group))) {
            loads[shard] += problem.setup;
        }
    }
    loads
}

fn groups(problem: &Problem) -> Vec<Group> {
    let mut groups: Vec<Group> = problem
        .groups
        .iter()
        .map(|_| Group { items: vec![], work: 0, setup: problem.setup })
        .collect();
    for (at, item) in problem.items.iter().enumerate() {
        match item.group {
            Some(group) => {
                groups[group].items.push(at);
                groups[group].work += item.ticks;
            }
            None => groups.push(Group { items: vec![at], work: item.ticks, setup: 0 }),
        }
    }
    groups
}

/// When a shard with nothing but the longest task and its set-up ends.
fn longest(problem: &Problem, groups: &[Group]) -> u64 {
    let tasks = groups
        .iter()
        .flat_map(|group| group.items.iter().map(|&item| problem.items[item].ticks + group.setup));
    problem.overhead + tasks.max().unwrap_or(0)
}

fn lower_bound(problem: &Problem, groups: &[Group], shards: usize) -> u64 {
    let longest = longest(problem, groups);
    let total: u64 = groups.iter().map(|group| group.work + group.setup).sum();
    let (mut low, mut high) = (longest, longest.max(problem.overhead + total));
    while low < high {
        let middle = low + (high - low) / 2;
        let room = middle.saturating_sub(problem.overhead);
        let holds = needed(groups, room) <= u128::from(room) * shards as u128;
        if holds { high = middle } else { low = middle + 1 }
    }
    low
}

/// What all groups take in shards with this much room: the left side of the inequality.
fn needed(groups: &[Group], room: u64) -> u128 {
    let needed = groups.iter().map(|group| {
        let pieces = match room.saturating_sub(group.setup) {
            0 => 1,
            most => group.work.div_ceil(most).max(1),
        };
        u128::from(group.work) + u128::from(group.setup) * u128::from(pieces)
    });
    needed.sum()
}

/// Fills shards that end by `end`, if that succeeds.
fn fill(problem: &Problem, groups: &[Group], shards: usize, end: u64) -> Option<Vec<usize>> {
    let mut room = vec![end.checked_sub(problem.overhead)?; shards];
    let mut place = vec![0; problem.items.len()];
    // The largest group is last; what is left of a divided one is put back in order.
    let mut waiting: std::collections::BTreeSet<(u64, usize)> =
        groups.iter().enumerate().map(|(g, group)| (group.work, g)).collect();
    let mut left: Vec<Vec<usize>> = groups
        .iter()
        .map(|group| {
            let mut items = group.items.clone();
            items.sort_by_key(|&item| (std::cmp::Reverse(problem.items[item].ticks), item));
            items
        })
        .collect();
    while let Some((work, group)) = waiting.pop_last() {
        let setup = groups[group].setup;
        let whole = (0..shards).filter(|&shard| room[shard] >= work + setup);
        if let Some(shard) = whole.min_by_key(|&shard| (room[shard], shard)) {
            room[shard] -= work + setup;
            left[group].drain(..).for_each(|item| place[item] = shard);
            continue;
        }
        let shard = (0..shards).max_by_key(|&shard| (room[shard], std::cmp::Reverse(shard)))?;
        let mut free = room[shard].checked_sub(setup)?;
        let (mut taken, mut kept) = (0, Vec::new());
        for item in std::mem::take(&mut left[group]) {
            let ticks = problem.items[item].ticks;
            match free.checked_sub(ticks) {
                Some(rest) => {
                    (free, place[item]) = (rest, shard);
                    taken += 1;
                }
                None => kept.push(item),
            }
        }
        if taken == 0 {
            return None;
        }
        room[shard] = free;
        let work = kept.iter().map(|&item| problem.items[item].ticks).sum();
        if !kept.is_empty() {
            waiting.insert((work, group));
        }
        left[group] = kept;
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Groups, Shards, SplitOptions};
    use gridsat_tasks::{Log, TaskList};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn problem(rows: &[(u64, u32)], setup: u64) -> Problem {
        let lines =
            rows.iter().enumerate().map(|(i, (time, group))| format!("t{i},{time},g{group}\n"));
        let text = format!("task,time,group\n{}", lines.collect::<String>());
        let log = Log::parse(text.as_bytes(), "list", None).expect("valid");
        let mut options = SplitOptions::new(Shards::Count(1));
        options.groups = Groups::Divided { setup: setup * gridsat_tasks::NANOS };
        options.decimals = 0;
        Problem::new(&TaskList::of(&[log]), &options).expect("valid")
    }

    fn optimum(problem: &Problem, place: &mut Vec<usize>, shards: usize) -> u64 {
        if place.len() == problem.items.len() {
            return makespan(problem, place, shards);
        }
        let mut best = u64::MAX;
        for shard in 0..shards {
            place.push(shard);
            best = best.min(optimum(problem, place, shards));
            place.pop();
        }
        best
    }

    #[test]
    fn the_bound_is_below_and_the_filling_above_the_optimum() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let (mut met, cases) = (0, 300);
        for case in 0..cases {
            let count = rng.random_range(1..8);
            let rows: Vec<(u64, u32)> =
                (0..count).map(|_| (rng.random_range(0..20), rng.random_range(0..3))).collect();
            let (shards, setup) = (rng.random_range(1..4), rng.random_range(0..6));
            let problem = problem(&rows, setup);
            let best = optimum(&problem, &mut Vec::new(), shards);
            let (place, low) = divide(&problem, shards, None);
            let found = makespan(&problem, &place, shards);
            assert!(low <= best && best <= found, "case {case}: {low} {best} {found}");
            assert!(found <= 2 * best, "case {case}: {best} {found}");
            met += usize::from(found == best);
            let (fewest, at_least) = fewest(&problem, found).expect("no task is longer");
            assert!(at_least <= shards && at_least <= fewest, "case {case}: {at_least} {fewest}");
            let (place, _) = divide(&problem, fewest, Some(found));
            assert!(makespan(&problem, &place, fewest) <= found, "case {case}");
        }
        assert!(met > cases / 2, "{met}");
    }
}

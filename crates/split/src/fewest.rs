//! The fewest equal shards that end within a target.
//!
//! Fewer than ⌈Σ / room⌉ shards cannot, where the room is the target without the overhead, and
//! neither can fewer than there are items longer than half the room; a certificate for one shard less
//! says the same to the checker. From there on a packing is looked for; where none is found, the
//! search is asked whether there can be one.

use gridsat_model::Time;

use crate::problem::{Problem, SplitError};
use crate::{pack, prove};

/// Whether fewer shards could do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fewest {
    /// What the shards are to end within.
    pub target: Time,
    /// Fewer shards than this cannot end within the target.
    pub at_least: usize,
    /// Whether the checker has accepted a certificate of that. If not, it is known by counting only.
    pub is_certified: bool,
}

/// A number of shards that do, and what is known about fewer.
pub struct Found {
    pub shards: usize,
    pub at_least: usize,
    pub is_certified: bool,
}

/// The number of shards, and how many it takes at least.
pub fn fewest(problem: &Problem, target: u64) -> Result<Found, SplitError> {
    let times = problem.times();
    let room = target.saturating_sub(problem.overhead);
    let longest = problem.items.iter().max_by_key(|item| item.ticks);
    if let Some(item) = longest.filter(|item| item.ticks > room) {
        return Err(unreachable(problem, target, item.tasks[0], item.ticks));
    }
    let mut at_least = counted(&times, room);
    let mut is_certified = is_refuted(problem, at_least - 1, target)?;
    for shards in at_least.. {
        if pack::pack_within(&times, shards, room).is_some() {
            return Ok(Found { shards, at_least, is_certified });
        }
        let instance = prove::equal(problem, shards)?;
        let solution = prove::solve(&instance, &prove::packed(problem, shards))?;
        if solution.mapping().makespan().0 <= target {
            return Ok(Found { shards, at_least, is_certified });
        }
        if solution.lower_bound().ticks().0 > target && at_least == shards {
            (at_least, is_certified) = (shards + 1, true);
        }
    }
    Err(SplitError::NoShards)
}

/// Whether the checker accepts a certificate that this many shards do not end within the target.
fn is_refuted(problem: &Problem, shards: usize, target: u64) -> Result<bool, SplitError> {
    if shards == 0 {
        return Ok(true);
    }
    let solution = prove::bound(&prove::equal(problem, shards)?)?;
    Ok(solution.lower_bound().ticks().0 > target)
}

/// What counting proves: the sum, and items of which no two fit into one shard.
fn counted(times: &[u64], room: u64) -> usize {
    let total: u128 = times.iter().map(|&time| u128::from(time)).sum();
    let by_sum = match room {
        0 => 1,
        room => usize::try_from(total.div_ceil(room.into())).unwrap_or(usize::MAX),
    };
    let alone = times.iter().filter(|&&time| time > room / 2).count();
    // Two items of room / 2 fit exactly if the room is even; `time > room / 2` excludes them.
    by_sum.max(alone).max(1)
}

pub fn unreachable(problem: &Problem, target: u64, task: usize, ticks: u64) -> SplitError {
    let item = problem.items.iter().find(|item| item.tasks.contains(&task));
    let group = item.filter(|item| item.tasks.len() > 1).and_then(|item| item.group);
    let name =
        group.map_or_else(|| format!("task {}", task + 1), |group| problem.groups[group].clone());
    SplitError::Unreachable {
        target: problem.show(target),
        task: name,
        time: problem.show(ticks + problem.overhead),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_is_exact_at_half_the_room() {
        assert_eq!(counted(&[5, 5], 10), 1);
        assert_eq!(counted(&[6, 5], 10), 2);
        assert_eq!(counted(&[6, 6, 6], 11), 3);
        // 5 + 5 fits into 11, and so does 5 + 6.
        assert_eq!(counted(&[5, 5, 6, 6], 11), 2);
        assert_eq!(counted(&[0, 0], 0), 1);
    }
}

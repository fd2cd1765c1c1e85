//! The rule `part`: some of m equal hosts get too many of the longest tasks.
//!
//! However the l longest tasks are spread, the h hosts with most of them have at least
//! `q = h·⌊l / m⌋ + min(h, l mod m)` of them together, hence at least the q shortest of the l. With
//! h = m and l = n that is the average load; with h = 1 and l = m + 1, two tasks on one host.
//!
//! What a host gets of these tasks is the sum of some of their times. So its room is not all time
//! until k, but the largest such sum within it.

use super::steps::StepFault;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Most bits in the table of sums, and most operations on its words.
const MOST_BITS: u64 = 1 << 32;
const MOST_STEPS: u64 = 1 << 36;

/// Whether this part refutes k.
pub(super) fn check(
    instance: &Instance,
    k: Ticks,
    hosts: u32,
    tasks: u32,
    sums: bool,
) -> Result<(), StepFault> {
    let Sides { work, room, .. } = sides(instance, k, hosts, tasks, sums)?;
    let room = u128::from(hosts) * u128::from(room);
    if work > room { Ok(()) } else { Err(StepFault::PartFits { work, room }) }
}

/// The two sides of the inequality.
pub(super) struct Sides {
    /// So many of the longest tasks are on these hosts at least.
    pub least: usize,
    /// What the shortest of them take.
    pub work: u128,
    /// What one host can hold.
    pub room: Ticks,
}

pub(super) fn sides(
    instance: &Instance,
    k: Ticks,
    hosts: u32,
    tasks: u32,
    sums: bool,
) -> Result<Sides, StepFault> {
    let longest = longest(instance, hosts, tasks)?;
    let host = HostId(0);
    let ready = instance.ready(host);
    let room = k.checked_sub(ready).ok_or(StepFault::NotReady { host: host.0, ready })?;
    let room = if sums { largest_sum(&longest, room)? } else { room };
    let least = least(instance, hosts, tasks);
    let shortest = &longest[longest.len() - least..];
    Ok(Sides { least, work: shortest.iter().map(|&time| u128::from(time)).sum(), room })
}

/// The times of the longest tasks, longest first.
fn longest(instance: &Instance, hosts: u32, tasks: u32) -> Result<Vec<Ticks>, StepFault> {
    let (all_hosts, all_tasks) = (instance.host_count(), instance.task_count());
    let is_part = 0 < hosts && hosts as usize <= all_hosts && tasks as usize <= all_tasks;
    if !is_part {
        return Err(StepFault::NoSuchPart { hosts, tasks, all_hosts, all_tasks });
    }
    let mut times = times_on_equal_hosts(instance)?;
    times.truncate(tasks as usize);
    Ok(times)
}

/// The times of all tasks, longest first; an error if they differ between hosts.
pub(super) fn times_on_equal_hosts(instance: &Instance) -> Result<Vec<Ticks>, StepFault> {
    if !instance.has_equal_hosts() {
        return Err(StepFault::UnequalHosts);
    }
    let time = |task: TaskId| instance.time(task, HostId(0)).ok_or(StepFault::UnequalHosts);
    let mut times = instance.tasks().map(time).collect::<Result<Vec<Ticks>, _>>()?;
    times.sort_unstable_by(|a, b| b.cmp(a));
    Ok(times)
}

/// At least so many of the longest tasks are on some of so many hosts.
fn least(instance: &Instance, hosts: u32, tasks: u32) -> usize {
    let (hosts, tasks, all) = (hosts as usize, tasks as usize, instance.host_count());
    hosts * (tasks / all) + hosts.min(tasks % all)
}

/// The largest sum of some of these times, longest first, that is at most the room.
pub(super) fn largest_sum(times: &[Ticks], room: Ticks) -> Result<Ticks, StepFault> {
    let items = items(times, room);
    let too_large = |entries| StepFault::SumsTooLarge { entries };
    let words = room.0 / 64 + 1;
    let steps = words.saturating_mul(items.len() as u64);
    if room.0 >= MOST_BITS || steps > MOST_STEPS {
        return Err(too_large(steps));
    }
    let mut sums = vec![0_u64; words as usize];
    sums[0] = 1;
    for item in items {
        add(&mut sums, item);
    }
    // Sums beyond the room share the last word with it.
    let (last, bits) = (sums.len() - 1, room.0 % 64 + 1);
    if bits < 64 {
        sums[last] &= (1 << bits) - 1;
    }
    let word = sums.iter().rposition(|&word| word != 0).unwrap_or(0);
    Ok(Ticks(word as u64 * 64 + 63 - u64::from(sums[word].leading_zeros())))
}

/// Sums of some of c equal times are sums of some of p, 2p, 4p, … and a rest: log c items, not c.
fn items(times: &[Ticks], room: Ticks) -> Vec<u64> {
    let mut items = Vec::new();
    for equal in times.chunk_by(|a, b| a == b).filter(|equal| equal[0].0 > 0) {
        let (mut left, mut part) = (equal.len() as u64, 1);
        while left > 0 {
            let count = part.min(left);
            items.extend(equal[0].0.checked_mul(count).filter(|&item| item <= room.0));
            left -= count;
            part *= 2;
        }
    }
    items
}

/// Adds every sum that is larger by the item.
fn add(sums: &mut [u64], item: u64) {
    let (words, bits) = ((item / 64) as usize, item % 64);
    for to in (words..sums.len()).rev() {
        let low = sums[to - words] << bits;
        let carried = if bits > 0 && to > words { sums[to - words - 1] >> (64 - bits) } else { 0 };
        sums[to] |= low | carried;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal_hosts(times: &[u64], hosts: usize) -> Instance {
        Instance::from_rows(times.iter().map(|&time| vec![time; hosts])).expect("valid")
    }

    fn fits(work: u128, room: u128) -> Result<(), StepFault> {
        Err(StepFault::PartFits { work, room })
    }

    #[test]
    fn all_hosts_and_all_tasks_are_the_average_load() {
        let instance = equal_hosts(&[5, 4, 3], 2);
        assert_eq!(check(&instance, Ticks(5), 2, 3, false), Ok(()));
        assert_eq!(check(&instance, Ticks(6), 2, 3, false), fits(12, 12));
    }

    #[test]
    fn one_more_task_than_hosts_puts_two_on_one() {
        let instance = equal_hosts(&[7, 6, 5, 1], 2);
        assert_eq!(check(&instance, Ticks(10), 1, 3, false), Ok(()));
        assert_eq!(check(&instance, Ticks(11), 1, 3, false), fits(11, 11));
        // Two of the three hosts have four of the five longest tasks, the shortest four at least.
        let instance = equal_hosts(&[9, 8, 8, 8, 8, 1], 3);
        assert_eq!(check(&instance, Ticks(15), 2, 5, false), Ok(()));
        assert_eq!(check(&instance, Ticks(16), 2, 5, false), fits(32, 32));
    }

    #[test]
    fn a_sum_that_cannot_be_reached_is_no_room() {
        // Loads are even, so 11 is no better than 10.
        let instance = equal_hosts(&[8, 6, 4, 4], 2);
        assert_eq!(check(&instance, Ticks(10), 2, 4, true), Ok(()));
        let odd = equal_hosts(&[6, 6, 6, 4], 2);
        assert_eq!(check(&odd, Ticks(11), 2, 4, true), Ok(()));
        assert_eq!(check(&odd, Ticks(11), 2, 4, false), fits(22, 22));
        assert_eq!(check(&odd, Ticks(12), 2, 4, true), fits(22, 24));
    }

    /// Of equal times every number can be taken; beside them, and up to each word of the table.
    #[test]
    fn sums_of_equal_times_are_all_there() {
        for (time, count) in [(3, 4), (3, 9), (40, 7), (64, 6), (1, 200)] {
            let times = vec![Ticks(time); count];
            for room in 0..=time * count as u64 + 2 {
                let expected = (room / time).min(count as u64) * time;
                assert_eq!(largest_sum(&times, Ticks(room)), Ok(Ticks(expected)), "{time} {room}");
            }
        }
    }

    /// Exhaustive beside all sets of a few times.
    #[test]
    fn sums_are_those_of_all_sets() {
        for code in 0..6_u64.pow(4) {
            let mut times: Vec<u64> = (0..4).map(|i| code / 6_u64.pow(i) % 6 * 13).collect();
            times.sort_unstable_by(|a, b| b.cmp(a));
            let sum =
                |set: u64| (0..4).filter(|i| set >> i & 1 == 1).map(|i| times[i]).sum::<u64>();
            let ticks: Vec<Ticks> = times.iter().copied().map(Ticks).collect();
            for room in [0, 5, 13, 25, 26, 60, 63, 64, 65, 100, 127, 128, 200, 260] {
                let best = (0..16).map(sum).filter(|&sum| sum <= room).max();
                assert_eq!(
                    largest_sum(&ticks, Ticks(room)).ok(),
                    best.map(Ticks),
                    "{times:?} {room}"
                );
            }
        }
    }

    #[test]
    fn parts_must_make_sense() {
        let instance = equal_hosts(&[5, 4, 3], 2);
        for (hosts, tasks) in [(0, 3), (3, 3), (2, 4)] {
            let fault = StepFault::NoSuchPart { hosts, tasks, all_hosts: 2, all_tasks: 3 };
            assert_eq!(check(&instance, Ticks(1), hosts, tasks, true), Err(fault));
        }
        assert_eq!(check(&instance, Ticks(0), 2, 0, true), fits(0, 0));
        let unequal = Instance::from_rows([[5, 4]]).expect("valid");
        assert_eq!(check(&unequal, Ticks(1), 1, 1, false), Err(StepFault::UnequalHosts));
        let later = r#"{"etc": [[5, 5]], "ready": [0, 1]}"#.parse().expect("valid");
        assert_eq!(check(&later, Ticks(1), 1, 1, false), Err(StepFault::UnequalHosts));
        let late = r#"{"etc": [[5, 5]], "ready": [3, 3]}"#.parse().expect("valid");
        let not_ready = StepFault::NotReady { host: 0, ready: Ticks(3) };
        assert_eq!(check(&late, Ticks(2), 1, 1, false), Err(not_ready));
        assert_eq!(check(&late, Ticks(7), 1, 1, false), Ok(()));
        assert_eq!(check(&late, Ticks(8), 1, 1, false), fits(5, 5));
    }

    #[test]
    fn large_tables_are_refused() {
        let instance = equal_hosts(&[1 << 40, 3], 2);
        let fault = check(&instance, Ticks(1 << 40), 2, 2, true);
        assert!(matches!(fault, Err(StepFault::SumsTooLarge { .. })), "{fault:?}");
    }

    /// Sums by definition, for every room up to beyond the total.
    #[test]
    fn largest_sums_are_those_of_all_subsets() {
        let lists: [&[u64]; 5] =
            [&[1], &[9, 9, 9, 2], &[70, 64, 63, 1], &[128, 65, 65, 65, 0], &[5, 5, 5, 5, 5, 3]];
        for list in lists {
            let mut times: Vec<Ticks> = list.iter().map(|&time| Ticks(time)).collect();
            times.sort_unstable_by(|a, b| b.cmp(a));
            let sum = |set: u32| -> u64 {
                (0..list.len()).filter(|&i| set >> i & 1 == 1).map(|i| list[i]).sum()
            };
            let total: u64 = list.iter().sum();
            for room in 0..total + 70 {
                let expected = (0..1 << list.len()).map(sum).filter(|&sum| sum <= room).max();
                assert_eq!(largest_sum(&times, Ticks(room)).ok().map(|sum| sum.0), expected);
            }
        }
    }
}

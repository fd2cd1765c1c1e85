//! Host weights from speeds.
//!
//! If hosts differ in speed only (`p_th = size_t / speed_h`), weights proportional to the speeds
//! are best: each task has the same weighted time everywhere, and the bound is the total work
//! divided by the total speed. Ascent finds them slowly, because there every host is equally cheap.
//! Where tasks cannot run everywhere, the hosts of the most restricted ones alone may be the
//! bottleneck.
//!
//! On other matrices these weights are only a guess; whatever bound they prove holds.

use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Weights for all hosts, and for the hosts of the most restricted tasks only.
pub(super) fn guesses(instance: &Instance) -> Vec<Vec<f64>> {
    let count = |task: &TaskId| instance.times(*task).count();
    let most = instance.tasks().map(|task| count(&task)).max().unwrap_or(0);
    let least = instance.tasks().map(|task| count(&task)).min().unwrap_or(0);
    let all = speeds(instance, most);
    let mut guesses = vec![all.clone()];
    if least < most {
        let restricted: Vec<TaskId> =
            instance.tasks().filter(|task| count(task) == least).collect();
        let is_needed = |host: HostId| restricted.iter().any(|&t| instance.time(t, host).is_some());
        let only = instance.hosts().zip(all).map(|(h, w)| if is_needed(h) { w } else { 0.0 });
        guesses.push(only.collect());
    }
    guesses
}

/// One over the mean slowdown of the host: how much longer it takes than the fastest host, averaged
/// over the tasks that can run on exactly this many hosts; 0 for hosts that run none of those.
fn speeds(instance: &Instance, hosts: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_u32); instance.host_count()];
    for task in instance.tasks().filter(|&task| instance.times(task).count() == hosts) {
        let shortest = instance.shortest(task).max(Ticks(1)).as_f64();
        for (host, time) in instance.times(task) {
            let (sum, count) = &mut sums[host.index()];
            *sum += time.as_f64() / shortest;
            *count += 1;
        }
    }
    let speed = |(sum, count): (f64, u32)| if sum > 0.0 { f64::from(count) / sum } else { 0.0 };
    sums.into_iter().map(speed).collect()
}

#[cfg(test)]
mod tests {
    use crate::bounds::{by_speeds, counting};
    use gridsat_model::{Instance, Stop, Ticks};

    /// Hosts that take 1, 2 and 4 times as long; the last tasks cannot run on the fastest.
    fn instance(free: &[u64], restricted: &[u64]) -> Instance {
        let anywhere = free.iter().map(|&t| [Some(t), Some(2 * t), Some(4 * t)]);
        let slowly = restricted.iter().map(|&t| [None, Some(2 * t), Some(4 * t)]);
        Instance::from_rows(anywhere.chain(slowly)).expect("valid")
    }

    #[test]
    fn is_all_work_over_all_speed() {
        let instance = instance(&[40; 21], &[]);
        assert!(counting(&instance, &Stop::never()).value() < Ticks(480));
        assert_eq!(by_speeds(&instance, &Stop::never()).value(), Ticks(480)); // 840 / 1.75
    }

    #[test]
    fn restricted_tasks_may_be_the_bottleneck() {
        let instance = instance(&[1], &[30; 12]);
        assert_eq!(by_speeds(&instance, &Stop::never()).value(), Ticks(480)); // 360 / 0.75
    }
}

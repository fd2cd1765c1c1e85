//! Works: what tasks are in themselves, where hosts differ in speed only.
//!
//! Of all hosts, one gives the smallest whole numbers: its times divided by their greatest common
//! divisor. If hosts differ in speed only, a task of work w takes `w / speed` on each of them, up
//! to the rounding of times. Whatever the times are, tasks that fit a host until k have no more
//! work together than [`Works::room`] says, because no task of the host has more work per time.

use std::cmp::Reverse;

use crate::time::common;
use crate::{HostId, Instance, TaskId, Ticks};

/// The work of each task, and the most work per time of each host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Works {
    /// Task by task.
    pub of_task: Vec<u64>,
    /// Column by column: no task has more work per time than this one, as its work and its time.
    rates: Vec<(u64, Ticks)>,
}

impl Works {
    /// The works of an instance. `None` if a task cannot run on some host, or takes no time on one
    /// host but not on another.
    ///
    /// ```
    /// use gridsat_model::{HostId, Instance, Ticks, Works};
    ///
    /// let instance = Instance::from_rows([[4, 10], [6, 15]])?;
    /// let works = Works::of(&instance).expect("all tasks run everywhere");
    /// assert_eq!(works.of_task, [2, 3]);
    /// assert_eq!(works.room(&instance, HostId(1), Ticks(24)), Some(4));
    /// # Ok::<(), gridsat_model::io::ReadError>(())
    /// ```
    pub fn of(instance: &Instance) -> Option<Self> {
        let first = instance.first_hosts();
        let is_whole = instance.tasks().all(|task| {
            let time = |host: HostId| instance.time(task, host);
            let is_zero = time(HostId(0)) == Some(Ticks::ZERO);
            first.iter().all(|&h| time(h).is_some_and(|time| (time == Ticks::ZERO) == is_zero))
        });
        if !is_whole {
            return None;
        }
        let time = |task: TaskId, host: HostId| instance.time(task, host).unwrap_or_default();
        let column = |host: HostId| {
            let times = instance.tasks().map(|task| time(task, host).0);
            let (unit, longest) = times.fold((0, 0), |(g, l), t| (common(g, t), t.max(l)));
            (unit.max(1), longest)
        };
        // Of equally small works those of the first host.
        let smallest = |&(unit, longest, _): &(u64, u64, HostId)| longest / unit;
        let columns = first.iter().map(|&host| {
            let (unit, longest) = column(host);
            (unit, longest, host)
        });
        let (unit, _, base) = columns.min_by_key(smallest)?;
        let of_task: Vec<u64> = instance.tasks().map(|task| time(task, base).0 / unit).collect();
        let rate = |&host: &HostId| {
            let pairs = instance.tasks().map(|task| (of_task[task.index()], time(task, host)));
            let highest = pairs.filter(|&(work, _)| work > 0).max_by(|a, b| {
                let product = |work: u64, time: Ticks| u128::from(work) * u128::from(time);
                product(a.0, b.1).cmp(&product(b.0, a.1))
            });
            highest.unwrap_or((1, Ticks(1)))
        };
        let rates = first.iter().map(rate).collect();
        Some(Self { of_task, rates })
    }

    /// The most work of tasks that fit the host until k; `None` if it is ready only after k.
    pub fn room(&self, instance: &Instance, host: HostId, k: Ticks) -> Option<u64> {
        let (work, time) = self.rate(instance, host);
        let room = u128::from(instance.capacity(host, k)?);
        Some(u64::try_from(room * u128::from(work) / u128::from(time)).unwrap_or(u64::MAX))
    }

    /// The rooms of all hosts, each with the number of hosts that have it, largest first; `None` if
    /// some host is ready only after k.
    pub fn rooms(&self, instance: &Instance, k: Ticks) -> Option<Vec<(u64, u64)>> {
        let mut rooms: Vec<u64> =
            instance.hosts().map(|host| self.room(instance, host, k)).collect::<Option<_>>()?;
        rooms.sort_unstable_by_key(|&room| Reverse(room));
        let equal = rooms.chunk_by(|a, b| a == b);
        Some(equal.map(|equal| (equal[0], equal.len() as u64)).collect())
    }

    /// A task that has most work per time on the host: its work and its time.
    pub fn rate(&self, instance: &Instance, host: HostId) -> (u64, Ticks) {
        self.rates[instance.column(host)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Instance {
        text.parse().expect("valid")
    }

    #[test]
    fn are_the_smallest_whole_numbers_of_a_host() {
        let instance = read(r#"{"etc": [[12, 18, 13], [30, 45, 31]], "ready": [0, 3, 0]}"#);
        let works = Works::of(&instance).expect("all tasks run everywhere");
        assert_eq!(works.of_task, [2, 5]);
        let room = |host, k| works.room(&instance, HostId(host), Ticks(k));
        assert_eq!([room(0, 29), room(0, 30)], [Some(4), Some(5)]);
        assert_eq!([room(1, 65), room(1, 66), room(1, 2)], [Some(6), Some(7), None]);
        // The second task has more work per time there, 5 / 31.
        assert_eq!([room(2, 30), room(2, 31)], [Some(4), Some(5)]);
        assert_eq!(works.rooms(&instance, Ticks(31)), Some(vec![(5, 2), (3, 1)]));
        assert_eq!(works.rooms(&instance, Ticks(2)), None);
    }

    #[test]
    fn need_all_pairs_and_agreement_on_nothing() {
        assert_eq!(Works::of(&read(r#"{"etc": [[1, null], [1, 1]]}"#)), None);
        assert_eq!(Works::of(&read(r#"{"etc": [[0, 1], [1, 1]]}"#)), None);
        let nothing = read(r#"{"etc": [[0, 0]]}"#);
        let works = Works::of(&nothing).expect("alike");
        assert_eq!(
            (works.of_task.as_slice(), works.rooms(&nothing, Ticks(7))),
            (&[0][..], Some(vec![(7, 2)]))
        );
    }
}

//! Tasks with one time each: the median of their measurements.
//!
//! A failed run counts only for a task that has no successful one. The median of an even number of
//! measurements is the mean of the two in the middle, rounded up.

use std::collections::HashMap;

use gridsat_model::{Instance, InstanceParts, Scale, Ticks};

use crate::{Log, LogError, NANOS, Record, Runner};

/// A task and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name, different from all others of the list.
    pub name: String,
    /// Median in nanoseconds; `None` if it was never measured.
    pub nanos: Option<u64>,
    /// What it is part of.
    pub group: Option<String>,
    /// The command that runs it.
    pub command: Option<String>,
}

/// The tasks of one or more logs, in the order in which they first appear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskList {
    tasks: Vec<Task>,
    runner: Runner,
}

impl TaskList {
    /// The tasks of these logs together.
    pub fn of(logs: &[Log]) -> Self {
        let mut index = HashMap::<&str, usize>::new();
        let mut found: Vec<Vec<&Record>> = Vec::new();
        for record in logs.iter().flat_map(|log| &log.records) {
            let place = *index.entry(&record.name).or_insert_with(|| {
                found.push(Vec::new());
                found.len() - 1
            });
            found[place].push(record);
        }
        let tasks = found.into_iter().map(|records| task(&records)).collect();
        let runner = logs.first().map_or(Runner::Other, |log| log.runner);
        Self { tasks, runner }
    }

    /// The same list with exactly these tasks, in this order: others are left out, and those that
    /// are not in the list have no time. A name that appears twice counts once.
    #[must_use]
    pub fn only(&self, names: &[String]) -> Self {
        let known: HashMap<&str, &Task> =
            self.tasks.iter().map(|task| (&*task.name, task)).collect();
        let mut seen = std::collections::HashSet::new();
        let names = names.iter().filter(|name| seen.insert(name.as_str()));
        let task = |name: &String| match known.get(name.as_str()) {
            Some(task) => (*task).clone(),
            None => {
                let group = group_of(name, self.runner);
                Task { name: name.clone(), nanos: None, group, command: None }
            }
        };
        Self { tasks: names.map(task).collect(), runner: self.runner }
    }

    /// The tasks in order.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The test runner that wrote the first log.
    pub fn runner(&self) -> Runner {
        self.runner
    }

    /// The mean of all known times in nanoseconds, rounded up; `None` if there is none.
    pub fn mean(&self) -> Option<u64> {
        let times: Vec<u64> = self.tasks.iter().filter_map(|task| task.nanos).collect();
        let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
        let mean = sum.div_ceil(u128::try_from(times.len()).ok().filter(|&count| count > 0)?);
        u64::try_from(mean).ok()
    }

    /// An instance in which all of so many hosts take the same time, in seconds. Tasks without a
    /// time get the mean of the others.
    pub fn on_equal_hosts(&self, hosts: usize) -> Result<Instance, LogError> {
        let mean = self.mean().ok_or_else(|| LogError::new("no task has a time"))?;
        let times: Vec<u64> = self.tasks.iter().map(|task| task.nanos.unwrap_or(mean)).collect();
        let (unit, scale) = coarsest(&times);
        let row = |&time: &u64| vec![Some(Ticks(time / unit))];
        let parts = InstanceParts {
            etc: times.iter().map(row).collect(),
            tasks: self.tasks.iter().map(|task| task.name.clone()).collect(),
            scale,
            ..InstanceParts::default()
        };
        Instance::with_equal_hosts(parts, hosts).map_err(|error| LogError::new(error.to_string()))
    }
}

/// The largest power of ten of nanoseconds that divides all times, at most a second.
pub(crate) fn coarsest(nanos: &[u64]) -> (u64, Scale) {
    let (mut unit, mut decimals) = (NANOS, 0);
    while unit > 1 && nanos.iter().any(|time| time % unit != 0) {
        (unit, decimals) = (unit / 10, decimals + 1);
    }
    (unit, Scale::new(decimals).unwrap_or_default())
}

/// The group that a test runner's name shows.
fn group_of(name: &str, runner: Runner) -> Option<String> {
    match runner {
        Runner::Pytest => crate::durations::file_of(name),
        Runner::Nextest => name.split_once(' ').map(|(binary, _)| binary.to_owned()),
        Runner::Playwright => {
            let mut parts = name.split(" › ");
            parts.find(|part| !part.starts_with('[')).map(str::to_owned)
        }
        Runner::Other => None,
    }
}

fn task(records: &[&Record]) -> Task {
    let some = |part: fn(&Record) -> &Option<String>| {
        records.iter().find_map(|record| part(record).clone())
    };
    let name = records.first().map_or(String::new(), |record| record.name.clone());
    Task {
        name,
        nanos: median_of(records),
        group: some(|record| &record.group),
        command: some(|record| &record.command),
    }
}

/// The median of the successful measurements or, if there are none, of all.
pub(crate) fn median_of(records: &[&Record]) -> Option<u64> {
    let times = |all: bool| {
        let taken = records.iter().filter(|record| all || record.succeeded);
        let mut times: Vec<u64> = taken.filter_map(|record| record.nanos).collect();
        times.sort_unstable();
        median(&times)
    };
    times(false).or_else(|| times(true))
}

fn median(sorted: &[u64]) -> Option<u64> {
    let (low, high) =
        (sorted.get((sorted.len().checked_sub(1)?) / 2)?, sorted.get(sorted.len() / 2)?);
    Some(low + (high - low).div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn log(records: Vec<Record>) -> Log {
        Log { source: "a".into(), format: Format::List, runner: Runner::Other, records }
    }

    #[test]
    fn a_task_has_the_median_of_what_succeeded() {
        let failed = |name, nanos| Record { succeeded: false, ..Record::new(name, nanos) };
        let one =
            log(vec![Record::new("a", 5), failed("a", 99), Record::new("b", 7), failed("c", 4)]);
        let two = log(vec![Record::new("a", 8), failed("c", 9), failed("c", 8)]);
        let list = TaskList::of(&[one, two]);
        let found: Vec<_> = list.tasks().iter().map(|task| (&*task.name, task.nanos)).collect();
        assert_eq!(found, [("a", Some(7)), ("b", Some(7)), ("c", Some(8))]);
        assert_eq!(list.mean(), Some(8));
    }

    #[test]
    fn new_tasks_have_no_time_and_lost_ones_are_left_out() {
        let list = TaskList::of(&[log(vec![Record::new("a", 5), Record::new("b", 7)])]);
        let list = list.only(&["c".into(), "a".into(), "c".into()]);
        let found: Vec<_> = list.tasks().iter().map(|task| (&*task.name, task.nanos)).collect();
        assert_eq!(found, [("c", None), ("a", Some(5))]);
        let instance = list.on_equal_hosts(3).expect("valid");
        assert_eq!((instance.host_count(), instance.scale().decimals()), (3, 9));
    }
}

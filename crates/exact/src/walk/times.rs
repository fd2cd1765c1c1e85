//! The times of an instance in one flat table.

use gridsat_model::Instance;

/// The times of all pairs in ticks, for loops that look up millions of them.
pub(crate) struct Times {
    tasks: usize,
    hosts: usize,
    /// One row per task, one entry per host; negative where the task cannot run.
    times: Vec<i64>,
    /// The same in floating point; infinite where the task cannot run.
    floats: Vec<f64>,
}

impl Times {
    pub fn new(instance: &Instance) -> Self {
        let (tasks, hosts) = (instance.task_count(), instance.host_count());
        let mut times = vec![-1; tasks * hosts];
        for task in instance.tasks() {
            for (host, time) in instance.times(task) {
                times[task.index() * hosts + host.index()] = time.0 as i64;
            }
        }
        let float = |&time: &i64| if time < 0 { f64::INFINITY } else { time as f64 };
        Self { tasks, hosts, floats: times.iter().map(float).collect(), times }
    }

    pub fn task_count(&self) -> usize {
        self.tasks
    }

    pub fn host_count(&self) -> usize {
        self.hosts
    }

    /// The time of the task on the host; `None` where it cannot run.
    pub fn get(&self, task: usize, host: usize) -> Option<i64> {
        let time = self.times[task * self.hosts + host];
        (time >= 0).then_some(time)
    }

    /// The times of a task on all hosts; infinite where it cannot run.
    pub fn row(&self, task: usize) -> &[f64] {
        &self.floats[task * self.hosts..][..self.hosts]
    }

    /// The largest number of tasks whose times on the host sum to at most `room` ticks.
    pub fn most_tasks(&self, host: usize, mut room: i64) -> usize {
        let mut times: Vec<i64> = (0..self.tasks).filter_map(|t| self.get(t, host)).collect();
        times.sort_unstable();
        let mut fits = |time: i64| {
            room -= time;
            room >= 0
        };
        times.into_iter().take_while(|&time| fits(time)).count()
    }
}

//! The variables that say which task runs on which host.

use gridsat_encodings::{ClauseSink, Lit, Var};

use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// The variables `x[t,h]`, the first ones of every formula, task by task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairVars {
    hosts: usize,
    vars: Vec<Option<Var>>,
}

impl PairVars {
    /// A variable for each pair that fits its host by `k`.
    pub fn within(instance: &Instance, k: Ticks, sink: &mut dyn ClauseSink) -> Self {
        let fits = |task, host| {
            let capacity = instance.capacity(host, k);
            instance.time(task, host).zip(capacity).is_some_and(|(time, room)| time <= room)
        };
        Self::of(instance, fits, sink)
    }

    /// A variable for each pair, possible or not.
    pub(super) fn all(instance: &Instance, sink: &mut dyn ClauseSink) -> Self {
        Self::of(instance, |_, _| true, sink)
    }

    /// A variable for each of these pairs, given host by host.
    pub(super) fn of_hosts<'a>(
        instance: &Instance,
        hosts: impl Iterator<Item = &'a [(TaskId, Ticks)]>,
        sink: &mut dyn ClauseSink,
    ) -> Self {
        let m = instance.host_count();
        let mut wanted = vec![false; instance.task_count() * m];
        for (h, tasks) in hosts.enumerate() {
            tasks.iter().for_each(|(task, _)| wanted[task.index() * m + h] = true);
        }
        Self::of(instance, |task, host| wanted[task.index() * m + host.index()], sink)
    }

    fn of(
        instance: &Instance,
        wanted: impl Fn(TaskId, HostId) -> bool,
        sink: &mut dyn ClauseSink,
    ) -> Self {
        let pairs = instance.tasks().flat_map(|t| instance.hosts().map(move |h| (t, h)));
        let vars = pairs.map(|(t, h)| wanted(t, h).then(|| sink.new_var())).collect();
        Self { hosts: instance.host_count(), vars }
    }

    /// The variable of the pair, if it has one.
    pub fn get(&self, task: TaskId, host: HostId) -> Option<Var> {
        self.vars[task.index() * self.hosts + host.index()]
    }

    /// The hosts the task may run on, each with the variable of the pair.
    pub fn of_task(&self, task: TaskId) -> impl Iterator<Item = (HostId, Var)> + '_ {
        let row = &self.vars[task.index() * self.hosts..][..self.hosts];
        row.iter().enumerate().filter_map(|(h, &var)| Some((HostId(h as u32), var?)))
    }

    /// The literals of [`PairVars::of_task`], of which exactly one is true.
    pub fn literals(&self, task: TaskId) -> Vec<Lit> {
        self.of_task(task).map(|(_, var)| var.positive()).collect()
    }

    /// All pairs that have a variable.
    pub fn iter(&self) -> impl Iterator<Item = (TaskId, HostId, Var)> + '_ {
        self.vars.iter().enumerate().filter_map(|(i, &var)| {
            let (task, host) = (i / self.hosts, i % self.hosts);
            Some((TaskId(task as u32), HostId(host as u32), var?))
        })
    }

    /// The mapping in a model: for each task the first host whose variable is true. `None` if some
    /// task has none, which no model of a formula allows.
    pub fn read_model(
        &self,
        instance: &Instance,
        is_true: impl Fn(Var) -> bool,
    ) -> Option<Mapping> {
        let host = |task| self.of_task(task).find(|&(_, var)| is_true(var)).map(|(host, _)| host);
        let hosts: Option<Vec<_>> = instance.tasks().map(host).collect();
        Mapping::new(instance, hosts?).ok()
    }

    /// The pair variables of a mapping as literals that select it.
    pub fn select(&self, mapping: &Mapping) -> impl Iterator<Item = Lit> + '_ {
        let hosts = mapping.hosts().to_vec();
        self.iter().map(
            move |(task, host, var)| {
                if hosts[task.index()] == host { var.positive() } else { var.negative() }
            },
        )
    }
}

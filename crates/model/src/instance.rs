//! An instance of R||Cmax with forbidden pairs and ready times.
//!
//! `time(t, h)` is the time of task t on host h in ticks, or `None` where t cannot run on h. Host h
//! is busy until `ready(h)`, whether or not it gets a task, so the makespan of any mapping is at
//! least the latest ready time.
//!
//! An `Instance` is always valid: rectangular, not empty, every task can run somewhere, and no load
//! can overflow ([`Instance::MAX_TOTAL`]).

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::columns::{self, Columns};
use super::io::Note;
use super::matrix::Matrix;
use super::name_list::NameList;
use super::{Levels, Mapping, Scale, Ticks};

/// A task, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// A host, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(pub u32);

impl TaskId {
    /// Index into tables with one entry per task.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl HostId {
    /// Index into tables with one entry per host.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why parts do not form an instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum InstanceError {
    #[error("no tasks")]
    NoTasks,
    #[error("no hosts")]
    NoHosts,
    #[error("task {task} has {found} times, expected {expected} (one per host)")]
    Ragged { task: usize, found: usize, expected: usize },
    #[error("task {task} can run on no host")]
    NowhereToRun { task: usize },
    #[error("no host that can run task {task} offers its QoS level {level}")]
    NotOffered { task: usize, level: u32 },
    #[error("{found} {what} for {expected} {of}")]
    WrongCount { what: &'static str, found: usize, of: &'static str, expected: usize },
    #[error("{what} name '{name}' is used twice")]
    DuplicateName { what: &'static str, name: String },
    #[error("too large: {what} is {found}, at most {limit} are supported")]
    TooLarge { what: &'static str, found: usize, limit: usize },
    #[error(
        "times are too large: the loads could exceed {limit} ticks (at {decimals} decimals); use a \
         larger unit, or fewer decimals"
    )]
    Overflow { limit: Ticks, decimals: u32 },
}

/// The parts of an instance, not yet checked.
#[derive(Clone, Debug, Default)]
pub struct InstanceParts {
    /// A name for reports; may be empty.
    pub name: String,
    /// Task by task, one time per host; `None` where the task cannot run.
    pub etc: Vec<Vec<Option<Ticks>>>,
    /// Task names; empty for `t0, t1, …`.
    pub tasks: Vec<String>,
    /// Host names; empty for `h0, h1, …`.
    pub hosts: Vec<String>,
    /// Ready times; empty for all zero.
    pub ready: Vec<Ticks>,
    /// The number of ticks in a time unit.
    pub scale: Scale,
}

/// The names of tasks and hosts. Clones share them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    tasks: Arc<NameList>,
    hosts: Arc<NameList>,
}

impl Names {
    /// The names of each task and its host, in order of tasks.
    pub fn of<'a>(&'a self, mapping: &'a Mapping) -> impl Iterator<Item = (&'a str, &'a str)> {
        let hosts = mapping.hosts().iter().map(|host| self.hosts.get(host.index()));
        self.tasks.iter().zip(hosts)
    }
}

/// A checked instance; the module says what is guaranteed. Two are equal if they are the same
/// problem with the same names, however they were read.
///
/// ```
/// use gridsat_model::{HostId, Instance, TaskId, Ticks};
///
/// let instance = Instance::from_rows([[14, 5, 9], [3, 8, 2]])?;
/// assert_eq!(instance.time(TaskId(1), HostId(2)), Some(Ticks(2)));
/// # Ok::<(), gridsat_model::io::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    name: String,
    names: Names,
    etc: Matrix,
    columns: Columns,
    ready: Vec<Ticks>,
    scale: Scale,
    levels: Option<Arc<Levels>>,
    notes: Vec<Note>,
    /// Of everything above that never changes; empty until it is asked for.
    digest: OnceLock<String>,
}

impl PartialEq for Instance {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, names, etc, columns, ready, scale, levels, notes: _, digest: _ } = self;
        (name, names, scale) == (&other.name, &other.names, &other.scale)
            && (etc, columns, ready) == (&other.etc, &other.columns, &other.ready)
            && levels == &other.levels
    }
}

impl Eq for Instance {}

/// The parts of an instance with its times in a matrix, not yet checked.
pub(crate) struct Body {
    pub name: String,
    /// Rows of equal length, one time per column.
    pub etc: Matrix,
    /// The column of each host.
    pub columns: Columns,
    /// `None` for `t0, t1, …`.
    pub tasks: Option<NameList>,
    /// `None` for `h0, h1, …`.
    pub hosts: Option<NameList>,
    /// Empty for all zero.
    pub ready: Vec<Ticks>,
    pub scale: Scale,
}

impl Instance {
    /// Upper limit of the largest possible load of a mapping, so that sums fit an `i64` and
    /// weighted sums an `i128` with room to spare.
    pub const MAX_TOTAL: Ticks = Ticks(1 << 62);

    /// Largest number of tasks.
    pub const MAX_TASKS: usize = 1 << 24;

    /// Largest number of hosts. A few bytes of a file can ask for as many equal hosts as they like,
    /// and a simulation of each takes a kilobyte.
    pub const MAX_HOSTS: usize = 1 << 20;

    /// Checks the parts and builds the instance.
    pub fn new(parts: InstanceParts) -> Result<Self, InstanceError> {
        let width = parts.etc.first().ok_or(InstanceError::NoTasks)?.len();
        Self::with_columns(parts, Columns::Own(width))
    }

    /// The same for this many hosts with equal times: the parts have one time per task.
    ///
    /// ```
    /// use gridsat_model::{HostId, Instance, InstanceParts, TaskId, Ticks};
    ///
    /// let etc = [12, 7, 5].map(|time| vec![Some(Ticks(time))]).to_vec();
    /// let parts = InstanceParts { etc, ..InstanceParts::default() };
    /// let instance = Instance::with_equal_hosts(parts, 1000)?;
    /// assert_eq!(instance.host_count(), 1000);
    /// assert_eq!(instance.time(TaskId(1), HostId(999)), Some(Ticks(7)));
    /// # Ok::<(), gridsat_model::InstanceError>(())
    /// ```
    pub fn with_equal_hosts(parts: InstanceParts, hosts: usize) -> Result<Self, InstanceError> {
        if parts.etc.is_empty() {
            return Err(InstanceError::NoTasks);
        }
        if hosts == 0 {
            return Err(InstanceError::NoHosts);
        }
        check_size("number of hosts", hosts, Self::MAX_HOSTS)?;
        Self::with_columns(parts, Columns::shared(1, vec![0; hosts]))
    }

    fn with_columns(parts: InstanceParts, columns: Columns) -> Result<Self, InstanceError> {
        let InstanceParts { name, etc: rows, tasks, hosts, ready, scale } = parts;
        let width = columns.width();
        let mut etc = Matrix::default();
        for (task, row) in rows.into_iter().enumerate() {
            let found = row.len();
            if found != width {
                return Err(InstanceError::Ragged { task, found, expected: width });
            }
            row.into_iter().for_each(|time| etc.push(time));
        }
        let given = |names: Vec<String>| (!names.is_empty()).then(|| names.into_iter().collect());
        let (tasks, hosts) = (given(tasks), given(hosts));
        Self::of(Body { name, etc, columns, tasks, hosts, ready, scale })
    }

    /// Checks the parts and builds the instance.
    pub(crate) fn of(body: Body) -> Result<Self, InstanceError> {
        let Body { name, etc, columns, tasks, hosts, ready, scale } = body;
        let width = columns.width();
        let n = etc.len().checked_div(width).ok_or(InstanceError::NoHosts)?;
        if n == 0 {
            return Err(InstanceError::NoTasks);
        }
        let m = columns.hosts();
        check_size("number of tasks", n, Self::MAX_TASKS)?;
        check_size("number of hosts", m, Self::MAX_HOSTS)?;
        let ready = if ready.is_empty() { vec![Ticks(0); m] } else { ready };
        check_count("ready times", ready.len(), m, "hosts")?;
        check_times(&etc, width, &ready, scale)?;
        let tasks = names(tasks, "task", "tasks", n)?.into();
        let hosts = names(hosts, "host", "hosts", m)?.into();
        let (mut etc, columns) = columns::merged(etc, width, columns);
        etc.shrink();
        let (names, notes) = (Names { tasks, hosts }, Vec::new());
        let (levels, digest) = (None, OnceLock::new());
        Ok(Self { name, names, etc, columns, ready, scale, levels, notes, digest })
    }

    /// The same instance with other [notes](Self::notes), such as those of a file it was made from.
    pub fn with_notes(self, notes: Vec<Note>) -> Self {
        Self { notes, ..self }
    }

    /// The same instance with these levels of service. Pairs whose host offers less than the task
    /// requests are forbidden from now on.
    pub fn with_levels(self, levels: Levels) -> Result<Self, InstanceError> {
        check_count("QoS levels", levels.tasks.len(), self.task_count(), "tasks")?;
        check_count("QoS levels", levels.hosts.len(), self.host_count(), "hosts")?;
        // Hosts with equal times share a column only if they offer the same level.
        let kind = |host: HostId| (self.columns.of(host.index()), levels.hosts[host.index()]);
        let (columns, first) = Columns::by_kind(self.hosts().map(kind));
        let mut etc = Matrix::default();
        for task in self.tasks() {
            let time = |&host: &usize| {
                let host = HostId(host as u32);
                self.time(task, host).filter(|_| levels.allow(task, host))
            };
            if first.iter().all(|host| time(host).is_none()) {
                let (task, level) = (task.index(), levels.tasks[task.index()]);
                return Err(InstanceError::NotOffered { task, level });
            }
            first.iter().for_each(|host| etc.push(time(host)));
        }
        let (mut etc, columns) = columns::merged(etc, first.len(), columns);
        etc.shrink();
        let (levels, digest) = (Some(Arc::new(levels)), OnceLock::new());
        Ok(Self { etc, columns, levels, digest, ..self })
    }

    /// The levels of service of tasks and hosts, if they are given.
    pub fn levels(&self) -> Option<&Levels> {
        self.levels.as_deref()
    }

    /// The digest, computed by this function the first time.
    pub(crate) fn digest_or_else(&self, compute: impl FnOnce(&Self) -> String) -> &str {
        self.digest.get_or_init(|| compute(self))
    }

    /// The name given in the file or by its reader; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of tasks, n.
    pub fn task_count(&self) -> usize {
        self.names.tasks.len()
    }

    /// Number of hosts, m.
    pub fn host_count(&self) -> usize {
        self.ready.len()
    }

    /// All tasks, in order of their numbers.
    pub fn tasks(&self) -> impl ExactSizeIterator<Item = TaskId> + Clone + use<> {
        (0..self.task_count() as u32).map(TaskId)
    }

    /// All hosts, in order of their numbers.
    pub fn hosts(&self) -> impl ExactSizeIterator<Item = HostId> + Clone + use<> {
        (0..self.host_count() as u32).map(HostId)
    }

    /// The names of tasks and hosts.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The task's name; `t` and its number if the file gives none.
    pub fn task_name(&self, task: TaskId) -> &str {
        self.names.tasks.get(task.index())
    }

    /// The host's name; `h` and its number if the file gives none.
    pub fn host_name(&self, host: HostId) -> &str {
        self.names.hosts.get(host.index())
    }

    /// Time of the task on the host; `None` if it cannot run there.
    #[inline]
    pub fn time(&self, task: TaskId, host: HostId) -> Option<Ticks> {
        self.etc.time(task.index() * self.columns.width() + self.columns.of(host.index()))
    }

    /// The hosts that can run the task, with its times there.
    #[inline]
    pub fn times(&self, task: TaskId) -> impl Iterator<Item = (HostId, Ticks)> + Clone + '_ {
        self.etc.row(task.index() * self.columns.width(), &self.columns)
    }

    /// The hosts in classes of equal times and ready times, each in order of numbers, the classes
    /// in order of their first hosts.
    ///
    /// ```
    /// use gridsat_model::{HostId, Instance};
    ///
    /// let instance = Instance::from_rows([[3, 5, 3], [4, 4, 4]])?;
    /// assert_eq!(instance.host_classes(), [vec![HostId(0), HostId(2)], vec![HostId(1)]]);
    /// # Ok::<(), gridsat_model::io::ReadError>(())
    /// ```
    pub fn host_classes(&self) -> Vec<Vec<HostId>> {
        let mut number_of = HashMap::new();
        let mut classes: Vec<Vec<HostId>> = Vec::new();
        for host in self.hosts() {
            let key = (self.columns.of(host.index()), self.ready(host));
            let class = *number_of.entry(key).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(host);
        }
        classes
    }

    /// The number of the column with the host's times; hosts with equal times share one.
    pub(crate) fn column(&self, host: HostId) -> usize {
        self.columns.of(host.index())
    }

    /// The first host of each column.
    pub(crate) fn first_hosts(&self) -> Vec<HostId> {
        match &self.columns {
            Columns::Own(_) => self.hosts().collect(),
            Columns::Shared { .. } => {
                let (_, first) = Columns::by_kind(self.hosts().map(|host| self.column(host)));
                first.into_iter().map(|host| HostId(host as u32)).collect()
            }
        }
    }

    /// Whether all hosts have equal times and ready times.
    pub fn has_equal_hosts(&self) -> bool {
        self.columns.width() == 1 && self.ready.iter().all(|&ready| ready == self.ready[0])
    }

    /// The shortest time of the task on any host.
    pub fn shortest(&self, task: TaskId) -> Ticks {
        let (task, width) = (task.index(), self.columns.width());
        let times = (task * width..(task + 1) * width).filter_map(|index| self.etc.time(index));
        times.min().expect("every task can run somewhere")
    }

    /// The time at which the host becomes free.
    pub fn ready(&self, host: HostId) -> Ticks {
        self.ready[host.index()]
    }

    /// The latest ready time; no makespan is below it.
    pub fn latest_ready(&self) -> Ticks {
        self.ready.iter().copied().max().unwrap_or(Ticks(0))
    }

    /// Ticks available on the host if nothing may end after `k`; `None` if it is ready only after
    /// `k`.
    pub fn capacity(&self, host: HostId, k: Ticks) -> Option<Ticks> {
        k.checked_sub(self.ready(host))
    }

    /// The number of ticks in a time unit.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Remarks on how the instance was read; empty if it was not read from text.
    ///
    /// ```
    /// use gridsat_model::Instance;
    ///
    /// let measured = Instance::from_rows([[137.436_424_411_240_12], [410_000.5]])?;
    /// assert_eq!(measured.notes()[0].to_string(), "times rounded up to 1e-13");
    /// # Ok::<(), gridsat_model::io::ReadError>(())
    /// ```
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the times are those of the file rounded up to the decimals of the scale.
    pub fn is_rounded(&self) -> bool {
        self.notes.iter().any(|note| matches!(note, Note::Rounded { .. }))
    }
}

fn check_size(what: &'static str, found: usize, limit: usize) -> Result<(), InstanceError> {
    if found > limit { Err(InstanceError::TooLarge { what, found, limit }) } else { Ok(()) }
}

/// Every task can run somewhere, and no load can overflow: the largest load of a host is at most
/// the latest ready time plus every task's longest time.
fn check_times(
    etc: &Matrix,
    width: usize,
    ready: &[Ticks],
    scale: Scale,
) -> Result<(), InstanceError> {
    let latest = ready.iter().copied().max().unwrap_or(Ticks(0));
    let mut total = u128::from(latest);
    for task in 0..etc.len() / width {
        let longest = (task * width..(task + 1) * width).filter_map(|index| etc.time(index)).max();
        total += u128::from(longest.ok_or(InstanceError::NowhereToRun { task })?);
    }
    if total > u128::from(Instance::MAX_TOTAL) {
        let limit = Instance::MAX_TOTAL;
        return Err(InstanceError::Overflow { limit, decimals: scale.decimals() });
    }
    Ok(())
}

fn names(
    given: Option<NameList>,
    what: &'static str,
    plural: &'static str,
    count: usize,
) -> Result<NameList, InstanceError> {
    let Some(names) = given else {
        return Ok(NameList::numbered(&what[..1], count));
    };
    check_count("names", names.len(), count, plural)?;
    match names.repeated() {
        Some(name) => Err(InstanceError::DuplicateName { what, name: name.to_owned() }),
        None => Ok(names),
    }
}

fn check_count(
    what: &'static str,
    found: usize,
    expected: usize,
    of: &'static str,
) -> Result<(), InstanceError> {
    if found == expected {
        return Ok(());
    }
    Err(InstanceError::WrongCount { what, found, of, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(etc: Vec<Vec<Option<Ticks>>>) -> InstanceParts {
        InstanceParts { etc, ..InstanceParts::default() }
    }

    #[test]
    fn accepts_one_task_on_one_host() {
        let instance = Instance::new(parts(vec![vec![Some(Ticks(7))]])).expect("valid");
        assert_eq!(instance.time(TaskId(0), HostId(0)), Some(Ticks(7)));
        assert_eq!(instance.task_name(TaskId(0)), "t0");
        assert_eq!(instance.host_name(HostId(0)), "h0");
    }

    #[test]
    fn rejects_what_is_not_an_instance() {
        use InstanceError::*;
        let error = |etc| Instance::new(parts(etc)).expect_err("invalid");
        assert_eq!(error(vec![]), NoTasks);
        assert_eq!(error(vec![vec![]]), NoHosts);
        let ragged = vec![vec![Some(Ticks(1)), None], vec![Some(Ticks(1))]];
        assert_eq!(error(ragged), Ragged { task: 1, found: 1, expected: 2 });
        assert_eq!(error(vec![vec![Some(Ticks(1))], vec![None]]), NowhereToRun { task: 1 });
        for huge in [1 << 61, u64::MAX] {
            let huge = vec![vec![Some(Ticks(huge))]; 3];
            assert!(matches!(error(huge), Overflow { .. }));
        }
    }

    #[test]
    fn rejects_wrong_or_repeated_names() {
        let mut twice = parts(vec![vec![Some(Ticks(1)), Some(Ticks(2))]]);
        twice.hosts = vec!["a".into(), "a".into()];
        let error = Instance::new(twice).expect_err("duplicate");
        assert_eq!(error.to_string(), "host name 'a' is used twice");
        let mut few = parts(vec![vec![Some(Ticks(1)), Some(Ticks(2))]]);
        few.ready = vec![Ticks(1)];
        let error = Instance::new(few).expect_err("count");
        assert_eq!(error.to_string(), "1 ready times for 2 hosts");
    }
}

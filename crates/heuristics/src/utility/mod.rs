//! Quality of service in any number of dimensions, turned into a matrix of times (Rhodes' thesis,
//! section 2.4.2.7, equation 2.1, after Dogan and Özgüner).
//!
//! A host offers a level in each dimension: a security class, a price, a share of uptime. One
//! dimension, *time*, always exists; its level is the task's own time on the host. Tasks have
//! wishes:
//!
//! - hard: a level of at least or at most a given value. A pair that misses it is forbidden.
//! - soft: a utility that is 1 beyond `full`, 0 beyond `none` and linear between them, with a
//!   weight.
//!
//! The utility of task t on host h is the weighted mean of its soft wishes,
//! `U(t,h) = Σ_j w_j·U_j(q_j(h)) / Σ_j w_j`, and 1 if it has none: equation 2.1 divided by the
//! sum of the weights, so that a pair that satisfies all wishes has utility 1 whatever the weights.
//! Two matrices can be computed from it ([`Matrix`]).
//!
//! Levels, weights and utilities are whole millionths and entries are whole ticks, so a file gives
//! the same matrix on every machine.
//!
//! Not here: utilities of completion times. The time a task waits for others depends on the
//! mapping, so a deadline on it cannot be expressed as a matrix; *time* is the task's own time
//! only.

mod file;
mod level;

pub use file::{UtilityFault, UtilityFileError, read_file};
pub use level::{Level, NotALevel};

use thiserror::Error;

use gridsat_model::{HostId, Instance, InstanceError, InstanceParts, Scale, TaskId, Ticks};

/// The number 1 in millionths.
const ONE: u128 = 1_000_000;

/// Decimals of a matrix of losses, whose entries are millionths.
const LOSS_DECIMALS: u32 = 6;

/// A dimension in which hosts differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The task's time on the host.
    Time,
    /// One level per host, the same for all tasks.
    Offered(Vec<Level>),
}

/// What a task requires or prefers in a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// Hard: lower levels are forbidden.
    AtLeast(Level),
    /// Hard: higher levels are forbidden.
    AtMost(Level),
    /// Soft: linear from 1 at `full` to 0 at `none`; either may be the larger level.
    Soft {
        /// The utility is 1 here and beyond, away from `none`.
        full: Level,
        /// The utility is 0 here and beyond, away from `full`.
        none: Level,
        /// Weight relative to other soft wishes, in millionths.
        weight: u32,
    },
}

/// A requirement or preference of some tasks in one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The tasks it applies to; `None` for all tasks.
    pub tasks: Option<Vec<TaskId>>,
    /// Index into the list of dimensions.
    pub dimension: usize,
    /// The requirement or preference itself.
    pub utility: Utility,
}

/// The meaning of the entries of the new matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// `time / U`, rounded up: a pair of utility 1/2 counts as if it took twice as long, one of
    /// utility 0 is forbidden. The makespan is still a time.
    Time {
        /// Decimals of the entries; if the given times have more, those.
        decimals: u32,
    },
    /// `1 - U`, rounded up, without ready times: the minimum makespan is the smallest possible loss
    /// of utility on the host that loses most.
    Loss,
}

/// Why the matrix cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum UtilityError {
    #[error("no host grants the wishes of task '{task}'")]
    NoHost { task: String },
    #[error("{found} levels for {expected} hosts")]
    Levels { found: usize, expected: usize },
    #[error("there is no dimension {0}")]
    NoDimension(usize),
    #[error("there is no task {0}")]
    NoTask(u32),
    #[error("'full' and 'none' are both {0}: use at_least or at_most")]
    Flat(Level),
    #[error("{0} decimals, at most {max} are supported", max = Scale::MAX_DECIMALS)]
    Decimals(u32),
    #[error("a time is too large once it is divided by the utility")]
    Overflow,
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// The matrix that results from the times of an instance and these wishes.
pub fn apply(
    instance: &Instance,
    dimensions: &[Dimension],
    wishes: &[Wish],
    matrix: Matrix,
) -> Result<Instance, UtilityError> {
    check(instance, dimensions, wishes)?;
    let of_task = by_task(instance, wishes);
    let entries = Entries::new(instance, dimensions, matrix)?;
    let mut etc = Vec::with_capacity(instance.task_count());
    for (task, wishes) in instance.tasks().zip(&of_task) {
        let row: Vec<Option<Ticks>> = instance
            .hosts()
            .map(|host| entries.entry(task, host, wishes))
            .collect::<Result<_, _>>()?;
        if row.iter().all(Option::is_none) {
            return Err(UtilityError::NoHost { task: instance.task_name(task).to_owned() });
        }
        etc.push(row);
    }
    let parts = InstanceParts {
        name: instance.name().to_owned(),
        etc,
        tasks: instance.tasks().map(|task| instance.task_name(task).to_owned()).collect(),
        hosts: instance.hosts().map(|host| instance.host_name(host).to_owned()).collect(),
        ready: entries.ready()?,
        scale: entries.scale,
    };
    let made = Instance::new(parts)?;
    Ok(match instance.levels() {
        None => made,
        Some(levels) => made.with_levels(levels.clone())?,
    })
}

fn check(
    instance: &Instance,
    dimensions: &[Dimension],
    wishes: &[Wish],
) -> Result<(), UtilityError> {
    let expected = instance.host_count();
    for dimension in dimensions {
        match dimension {
            Dimension::Offered(levels) if levels.len() != expected => {
                return Err(UtilityError::Levels { found: levels.len(), expected });
            }
            _ => {}
        }
    }
    wishes.iter().try_for_each(|wish| check_wish(instance, dimensions, wish))
}

fn check_wish(
    instance: &Instance,
    dimensions: &[Dimension],
    wish: &Wish,
) -> Result<(), UtilityError> {
    if wish.dimension >= dimensions.len() {
        return Err(UtilityError::NoDimension(wish.dimension));
    }
    let mut tasks = wish.tasks.iter().flatten();
    if let Some(task) = tasks.find(|task| task.index() >= instance.task_count()) {
        return Err(UtilityError::NoTask(task.0));
    }
    match wish.utility {
        Utility::Soft { full, none, .. } if full == none => Err(UtilityError::Flat(full)),
        _ => Ok(()),
    }
}

/// The wishes of each task.
fn by_task<'a>(instance: &Instance, wishes: &'a [Wish]) -> Vec<Vec<&'a Wish>> {
    let mut of_task = vec![Vec::new(); instance.task_count()];
    for wish in wishes {
        match &wish.tasks {
            None => of_task.iter_mut().for_each(|list| list.push(wish)),
            Some(tasks) => tasks.iter().for_each(|task| of_task[task.index()].push(wish)),
        }
    }
    of_task
}

struct Entries<'a> {
    instance: &'a Instance,
    dimensions: &'a [Dimension],
    matrix: Matrix,
    scale: Scale,
    /// New ticks per old tick.
    factor: u128,
}

impl<'a> Entries<'a> {
    fn new(
        instance: &'a Instance,
        dimensions: &'a [Dimension],
        matrix: Matrix,
    ) -> Result<Self, UtilityError> {
        let old = instance.scale();
        let decimals = match matrix {
            Matrix::Time { decimals } => decimals.max(old.decimals()),
            Matrix::Loss => LOSS_DECIMALS,
        };
        let scale = match matrix {
            // Ticks that are no decimals stay whole numbers of the new ones.
            Matrix::Time { .. } if old.parts() != 1 => {
                10_u64.checked_pow(decimals).and_then(|finer| old.finer(finer))
            }
            _ => Scale::new(decimals),
        };
        let scale = scale.ok_or(UtilityError::Decimals(decimals))?;
        let factor = u128::from((scale.ticks_per_unit() / old.ticks_per_unit()).max(1));
        Ok(Self { instance, dimensions, matrix, scale, factor })
    }

    fn ready(&self) -> Result<Vec<Ticks>, UtilityError> {
        let ready = self.instance.hosts().map(|host| u128::from(self.instance.ready(host)));
        match self.matrix {
            Matrix::Time { .. } => ready.map(|ready| ticks(ready * self.factor)).collect(),
            Matrix::Loss => Ok(Vec::new()),
        }
    }

    /// The entry of a pair; `None` where the task cannot run or is forbidden.
    fn entry(
        &self,
        task: TaskId,
        host: HostId,
        wishes: &[&Wish],
    ) -> Result<Option<Ticks>, UtilityError> {
        let Some(time) = self.instance.time(task, host) else { return Ok(None) };
        let (mut gained, mut weights) = (0, 0);
        for wish in wishes {
            let level = self.level(wish.dimension, host, time);
            match wish.utility {
                Utility::AtLeast(least) if level < least => return Ok(None),
                Utility::AtMost(most) if level > most => return Ok(None),
                Utility::AtLeast(_) | Utility::AtMost(_) => {}
                Utility::Soft { full, none, weight } => {
                    gained += u128::from(weight) * level.between(none, full);
                    weights += u128::from(weight) * ONE;
                }
            }
        }
        if weights == 0 {
            (gained, weights) = (1, 1);
        }
        match self.matrix {
            Matrix::Loss => ticks(((weights - gained) * ONE).div_ceil(weights)).map(Some),
            Matrix::Time { .. } if gained == 0 => Ok(None),
            Matrix::Time { .. } => {
                let stretched = (u128::from(time) * self.factor).checked_mul(weights);
                ticks(stretched.ok_or(UtilityError::Overflow)?.div_ceil(gained)).map(Some)
            }
        }
    }

    fn level(&self, dimension: usize, host: HostId, time: Ticks) -> Level {
        match &self.dimensions[dimension] {
            Dimension::Offered(levels) => levels[host.index()],
            Dimension::Time => Level::of_time(time, self.instance.scale()),
        }
    }
}

fn ticks(value: u128) -> Result<Ticks, UtilityError> {
    Ticks::try_from(value).map_err(|_| UtilityError::Overflow)
}

//! One job of a trace: the 18 fields, with `None` for -1.

use std::fmt;

use super::decimal::Decimal;
use crate::RigidJob;
use gridsat_model::Scale;

/// How a job ended; the numbers are those of the format.
///
/// Logs of checkpoints have several lines for a job: one for the whole, and one with
/// [`Status::Partial`], [`Status::LastCompleted`] or [`Status::LastFailed`] for each of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It failed.
    Failed = 0,
    /// It completed.
    Completed = 1,
    /// A part of a job that goes on.
    Partial = 2,
    /// The last part of a job that completed.
    LastCompleted = 3,
    /// The last part of a job that failed.
    LastFailed = 4,
    /// It was cancelled, before it started or while it ran.
    Cancelled = 5,
}

impl Status {
    pub(super) const ALL: [Self; 6] = [
        Self::Failed,
        Self::Completed,
        Self::Partial,
        Self::LastCompleted,
        Self::LastFailed,
        Self::Cancelled,
    ];

    /// Is the line about a part of a job only?
    pub fn is_part(self) -> bool {
        matches!(self, Self::Partial | Self::LastCompleted | Self::LastFailed)
    }
}

/// A job of a trace. Times are in seconds, memory in KB a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Field 1: its number, from 1.
    pub number: u64,
    /// Field 2: when it was submitted, counted from the start of the trace.
    pub submit: Option<Decimal>,
    /// Field 3: how long it waited.
    pub wait: Option<Decimal>,
    /// Field 4: how long it ran.
    pub run: Option<Decimal>,
    /// Field 5: how many processors it had.
    pub processors: Option<u32>,
    /// Field 6: CPU time, averaged over its processors.
    pub cpu_time: Option<Decimal>,
    /// Field 7: memory, averaged over its processors.
    pub memory: Option<Decimal>,
    /// Field 8: how many processors it asked for.
    pub asked_processors: Option<u32>,
    /// Field 9: how long it was said to run.
    pub asked_time: Option<Decimal>,
    /// Field 10: how much memory it asked for.
    pub asked_memory: Option<Decimal>,
    /// Field 11: how it ended.
    pub status: Option<Status>,
    /// Field 12: whose it is.
    pub user: Option<u32>,
    /// Field 13: the user's group.
    pub group: Option<u32>,
    /// Field 14: which application it is.
    pub executable: Option<u32>,
    /// Field 15: its queue; 0 is for interactive jobs.
    pub queue: Option<u32>,
    /// Field 16: its part of the system.
    pub partition: Option<u32>,
    /// Field 17: the job it waits for.
    pub preceding: Option<u64>,
    /// Field 18: how long after the end of that job it is submitted.
    pub think: Option<Decimal>,
}

impl Record {
    /// The job as a line of a workload that has not run yet: its nodes and run time as used and as
    /// asked for, its priority as the queue (a negative one is lost).
    pub fn of_job(job: &RigidJob, scale: Scale) -> Self {
        let time = |ticks| Some(Decimal::from_ticks(ticks, scale));
        Self {
            number: job.number,
            submit: time(job.submit),
            run: time(job.run),
            processors: Some(job.nodes),
            asked_processors: Some(job.nodes),
            asked_time: time(job.estimate),
            status: Some(Status::Completed),
            user: Some(job.user).filter(|&user| user > 0),
            queue: u32::try_from(job.priority).ok(),
            ..Self::default()
        }
    }
}

/// The line, with single blanks.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn show<T: fmt::Display>(f: &mut fmt::Formatter<'_>, field: Option<T>) -> fmt::Result {
            match field {
                Some(value) => write!(f, " {value}"),
                None => f.write_str(" -1"),
            }
        }
        write!(f, "{}", self.number)?;
        show(f, self.submit)?;
        show(f, self.wait)?;
        show(f, self.run)?;
        show(f, self.processors)?;
        show(f, self.cpu_time)?;
        show(f, self.memory)?;
        show(f, self.asked_processors)?;
        show(f, self.asked_time)?;
        show(f, self.asked_memory)?;
        show(f, self.status.map(|status| status as u8))?;
        for number in [self.user, self.group, self.executable, self.queue, self.partition] {
            show(f, number)?;
        }
        show(f, self.preceding)?;
        show(f, self.think)
    }
}

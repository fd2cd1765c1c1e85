//! One job of a trace: the 18 fields, with `None` for -1.

use std::fmt;

use super::decimal::Decimal;
use crate::RigidJob;
use gridsat_model::Scale;

/// How a job ended; the numbers are those of the format.
///
/// Logs with checkpoints have several lines per job: one for the whole job, and one with
/// [`Status::Partial`], [`Status::LastCompleted`] or [`Status::LastFailed`] for each of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The job failed.
    Failed = 0,
    /// The job completed.
    Completed = 1,
    /// A part of a job that continues.
    Partial = 2,
    /// The last part of a job that completed.
    LastCompleted = 3,
    /// The last part of a job that failed.
    LastFailed = 4,
    /// The job was cancelled, before it started or while it ran.
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

    /// Whether the line describes only a part of a job.
    pub fn is_part(self) -> bool {
        matches!(self, Self::Partial | Self::LastCompleted | Self::LastFailed)
    }
}

/// A job of a trace. Times are in seconds, memory in KB per processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Field 1: job number, from 1.
    pub number: u64,
    /// Field 2: submit time, from the start of the trace.
    pub submit: Option<Decimal>,
    /// Field 3: wait time.
    pub wait: Option<Decimal>,
    /// Field 4: run time.
    pub run: Option<Decimal>,
    /// Field 5: number of processors used.
    pub processors: Option<u32>,
    /// Field 6: CPU time, average per processor.
    pub cpu_time: Option<Decimal>,
    /// Field 7: memory used, average per processor.
    pub memory: Option<Decimal>,
    /// Field 8: number of processors requested.
    pub asked_processors: Option<u32>,
    /// Field 9: run time requested.
    pub asked_time: Option<Decimal>,
    /// Field 10: memory requested per processor.
    pub asked_memory: Option<Decimal>,
    /// Field 11: how it ended.
    pub status: Option<Status>,
    /// Field 12: user number.
    pub user: Option<u32>,
    /// Field 13: group number of the user.
    pub group: Option<u32>,
    /// Field 14: number of the application.
    pub executable: Option<u32>,
    /// Field 15: queue number; 0 is for interactive jobs.
    pub queue: Option<u32>,
    /// Field 16: partition number.
    pub partition: Option<u32>,
    /// Field 17: number of the job that must end before this one is submitted.
    pub preceding: Option<u64>,
    /// Field 18: time between the end of that job and the submission of this one.
    pub think: Option<Decimal>,
}

impl Record {
    /// The record of a job that has not run yet: its nodes and run time both as used and as
    /// requested, its priority as the queue. A negative priority becomes unknown.
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

/// Formats the line, with single spaces.
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

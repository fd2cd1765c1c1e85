//! From records to rigid jobs, and what happens to odd ones on the way.
//!
//! | record | what happens | counted as |
//! |---|---|---|
//! | a part of a job (status 2, 3, 4) | passed over: the whole job has a line of its own | [`Odd::Part`] |
//! | cancelled, and ran for no time or an unknown one | passed over: it never took a node | [`Odd::NeverStarted`] |
//! | no submit time, run time or processors | passed over | [`Odd::NoSubmit`], … |
//! | a time beyond all ticks | passed over | [`Odd::TooLong`] |
//! | run time 0: it ran for less than half a second | [`ZeroRun`] says | `zero_run` |
//! | no time asked for, or 0 | the estimate is the run time | `no_estimate` |
//! | ran longer than asked for | kept as it is: what to do about it is the scheduler's business | `underestimated` |
//! | submitted before the job above (lenient rules only) | kept as it is | `out_of_order` |
//!
//! Jobs that failed, or were cancelled while they ran, took their nodes as long as any other: they
//! are jobs. An unknown user is user 0.

use std::ops::Index;

use super::decimal::Decimal;
use super::error::SwfError;
use super::record::{Record, Status};
use crate::RigidJob;
use gridsat_model::{Scale, Ticks};

/// How records become jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// What a tick is: a second by default.
    pub scale: Scale,
    /// Which number of processors counts if both are known.
    pub processors: Processors,
    /// Where priorities come from.
    pub priority: Priority,
    /// What a run time of 0 means.
    pub zero_run: ZeroRun,
    /// When time starts.
    pub origin: Origin,
}

/// Which number of processors counts if both are known; the other is second choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processors {
    /// Those it had.
    #[default]
    Used,
    /// Those it asked for.
    Asked,
}

/// Where priorities come from: the format has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// All are 0.
    #[default]
    None,
    /// The number of the queue, 0 if unknown.
    Queue,
}

/// What a run time of 0 means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroRun {
    /// The shortest time there is.
    #[default]
    OneTick,
    /// No time at all.
    Keep,
    /// No job.
    Skip,
}

/// When time starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Where the trace says.
    #[default]
    Trace,
    /// When the first job is submitted: for traces in Unix time.
    FirstJob,
}

/// Why a record is no job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// It is a part of a job.
    Part,
    /// It was cancelled before it started.
    NeverStarted,
    /// When it was submitted is unknown.
    NoSubmit,
    /// How long it ran is unknown.
    NoRun,
    /// How many processors it needs is unknown or 0.
    NoProcessors,
    /// It ran for no time, which [`ZeroRun::Skip`] forbids.
    ZeroRun,
    /// A time is beyond all ticks.
    TooLong,
}

impl Conversion {
    /// The job of a record, or why it is none; the origin is left to [`Jobs`].
    pub fn job(&self, record: &Record) -> Result<RigidJob, Odd> {
        let ticks = |time: Decimal| time.to_ticks(self.scale).ok_or(Odd::TooLong);
        if record.status.is_some_and(Status::is_part) {
            return Err(Odd::Part);
        }
        let has_run = record.run.is_some_and(|run| !run.is_zero());
        if record.status == Some(Status::Cancelled) && !has_run {
            return Err(Odd::NeverStarted);
        }
        let submit = ticks(record.submit.ok_or(Odd::NoSubmit)?)?;
        let run = self.run(ticks(record.run.ok_or(Odd::NoRun)?)?)?;
        let nodes = self.nodes(record).ok_or(Odd::NoProcessors)?;
        let asked = record.asked_time.filter(|time| !time.is_zero());
        let estimate = asked.map_or(Ok(run), ticks)?;
        let (number, priority) = (record.number, self.priority(record));
        let user = record.user.unwrap_or(0);
        Ok(RigidJob { number, submit, nodes, run, estimate, priority, user })
    }

    fn run(&self, run: Ticks) -> Result<Ticks, Odd> {
        match self.zero_run {
            ZeroRun::OneTick => Ok(run.max(Ticks(1))),
            ZeroRun::Skip if run == Ticks(0) => Err(Odd::ZeroRun),
            ZeroRun::Keep | ZeroRun::Skip => Ok(run),
        }
    }

    fn nodes(&self, record: &Record) -> Option<u32> {
        let known = |count: Option<u32>| count.filter(|&count| count > 0);
        let (used, asked) = (known(record.processors), known(record.asked_processors));
        match self.processors {
            Processors::Used => used.or(asked),
            Processors::Asked => asked.or(used),
        }
    }

    fn priority(&self, record: &Record) -> i32 {
        match self.priority {
            Priority::None => 0,
            Priority::Queue => record.queue.map_or(0, |queue| queue.try_into().unwrap_or(i32::MAX)),
        }
    }
}

/// How many records there were of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceCounts {
    /// All records.
    pub records: u64,
    /// Those that are jobs.
    pub jobs: u64,
    /// Records with run time 0, whatever became of them.
    pub zero_run: u64,
    /// Jobs whose run time is their estimate because there is no other.
    pub no_estimate: u64,
    /// Jobs that ran longer than their estimate.
    pub underestimated: u64,
    /// Jobs submitted before the one above.
    pub out_of_order: u64,
    skipped: [u64; 7],
}

impl TraceCounts {
    /// Records that are no jobs.
    pub fn skipped(&self) -> u64 {
        self.skipped.iter().sum()
    }
}

/// Records that are no jobs for this reason.
impl Index<Odd> for TraceCounts {
    type Output = u64;

    fn index(&self, odd: Odd) -> &u64 {
        &self.skipped[odd as usize]
    }
}

/// The rigid jobs of a trace.
#[derive(Clone, Debug)]
pub struct Jobs<I> {
    records: I,
    conversion: Conversion,
    tally: TraceCounts,
    /// The submit time of the first job and of the latest, as in the trace.
    first: Option<Ticks>,
    latest: Ticks,
}

impl<I: Iterator<Item = Result<Record, SwfError>>> Jobs<I> {
    /// The jobs among these records, in their order.
    pub fn new(records: I, conversion: Conversion) -> Self {
        Self { records, conversion, tally: TraceCounts::default(), first: None, latest: Ticks(0) }
    }

    /// What there was so far.
    pub fn tally(&self) -> &TraceCounts {
        &self.tally
    }

    /// The next job with the record it is made of.
    pub fn next_with_record(&mut self) -> Option<Result<(RigidJob, Record), SwfError>> {
        loop {
            match self.records.next()? {
                Ok(record) => {
                    if let Some(job) = self.convert(&record) {
                        return Some(Ok((job, record)));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn convert(&mut self, record: &Record) -> Option<RigidJob> {
        self.tally.records += 1;
        self.tally.zero_run += u64::from(record.run.is_some_and(Decimal::is_zero));
        match self.conversion.job(record) {
            Ok(job) => Some(self.count(job, record)),
            Err(odd) => {
                self.tally.skipped[odd as usize] += 1;
                None
            }
        }
    }

    fn count(&mut self, mut job: RigidJob, record: &Record) -> RigidJob {
        self.tally.jobs += 1;
        self.tally.no_estimate += u64::from(record.asked_time.is_none_or(Decimal::is_zero));
        self.tally.underestimated += u64::from(job.run > job.estimate);
        self.tally.out_of_order += u64::from(job.submit < self.latest);
        self.latest = job.submit;
        let first = *self.first.get_or_insert(job.submit);
        if self.conversion.origin == Origin::FirstJob {
            job.submit = job.submit.saturating_sub(first);
        }
        job
    }
}

impl<I: Iterator<Item = Result<Record, SwfError>>> Iterator for Jobs<I> {
    type Item = Result<RigidJob, SwfError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_with_record().map(|next| next.map(|(job, _)| job))
    }
}

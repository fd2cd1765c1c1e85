//! Conversion of records to rigid jobs, and the treatment of unusual records.
//!
//! | record | treatment | counted as |
//! |---|---|---|
//! | a part of a job (status 2, 3, 4) | skipped: the whole job has its line | [`Odd::Part`] |
//! | cancelled, run time 0 or unknown | skipped: it never had a node | [`Odd::NeverStarted`] |
//! | unknown submit time, run time or processors | skipped | [`Odd::NoSubmit`], … |
//! | a time that does not fit into ticks | skipped | [`Odd::TooLong`] |
//! | run time 0 (it ran for less than half a second) | by [`ZeroRun`] | `zero_run` |
//! | no requested time, or 0 | the estimate is the run time | `no_estimate` |
//! | ran longer than requested | unchanged; the scheduler decides | `underestimated` |
//! | submitted before the previous job (lenient rules only) | unchanged | `out_of_order` |
//!
//! Jobs that failed, or were cancelled while running, occupied their nodes and count as jobs. An
//! unknown user becomes user 0.

use std::ops::Index;

use super::decimal::Decimal;
use super::error::SwfError;
use super::reader::{Input, Reader};
use super::record::{Record, Status};
use crate::RigidJob;
use gridsat_model::{Scale, Ticks};

/// Rules for the conversion of records to jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// Length of a tick; 1 second by default.
    pub scale: Scale,
    /// Which number of processors to use if both are known.
    pub processors: Processors,
    /// Which time is the run time.
    pub run_time: RunTime,
    /// Source of the job priorities.
    pub priority: Priority,
    /// Treatment of run time 0.
    pub zero_run: ZeroRun,
    /// The start of simulated time.
    pub origin: Origin,
}

/// Which number of processors to use if both are known; the other one is the fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processors {
    /// The number the job had (field 5).
    #[default]
    Used,
    /// The number the job requested (field 8).
    Asked,
}

/// Which time of a record is the run time of the job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunTime {
    /// The time for which it ran (field 4).
    #[default]
    Wall,
    /// The CPU time per processor (field 6), or field 4 if that is unknown; for logs of clusters
    /// with unequal nodes.
    Cpu,
}

/// Source of the job priorities, for which the format has no field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// All priorities are 0.
    #[default]
    None,
    /// The queue number; 0 if unknown.
    Queue,
}

/// Treatment of run time 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroRun {
    /// The job runs for one tick.
    #[default]
    OneTick,
    /// The job runs for 0 ticks.
    Keep,
    /// The record is skipped.
    Skip,
}

/// The start of simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Time 0 of the trace.
    #[default]
    Trace,
    /// The submission of the first job; for traces with Unix times.
    FirstJob,
}

/// Why a record is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// It describes a part of a job.
    Part,
    /// It was cancelled before it started.
    NeverStarted,
    /// The submit time is unknown.
    NoSubmit,
    /// The run time is unknown.
    NoRun,
    /// The number of processors is unknown or 0.
    NoProcessors,
    /// The run time is 0, and the rule is [`ZeroRun::Skip`].
    ZeroRun,
    /// A time does not fit into ticks.
    TooLong,
}

impl Conversion {
    /// Converts one record, or returns why it is skipped. The origin is applied by [`Jobs`].
    pub fn job(&self, record: &Record) -> Result<RigidJob, Odd> {
        let run_time = self.run_time(record);
        let ticks = |time: Decimal| time.to_ticks(self.scale).ok_or(Odd::TooLong);
        if record.status.is_some_and(Status::is_part) {
            return Err(Odd::Part);
        }
        let has_run = run_time.is_some_and(|run| !run.is_zero());
        if record.status == Some(Status::Cancelled) && !has_run {
            return Err(Odd::NeverStarted);
        }
        let submit = ticks(record.submit.ok_or(Odd::NoSubmit)?)?;
        let run = self.run(ticks(run_time.ok_or(Odd::NoRun)?)?)?;
        let nodes = self.nodes(record).ok_or(Odd::NoProcessors)?;
        let asked = record.asked_time.filter(|time| !time.is_zero());
        let estimate = asked.map_or(Ok(run), ticks)?;
        let (number, priority) = (record.number, self.priority(record));
        let user = record.user.unwrap_or(0);
        Ok(RigidJob { number, submit, nodes, run, estimate, priority, user })
    }

    fn run_time(&self, record: &Record) -> Option<Decimal> {
        match self.run_time {
            RunTime::Wall => record.run,
            RunTime::Cpu => record.cpu_time.or(record.run),
        }
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

/// Number of records of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceCounts {
    /// All records read.
    pub records: u64,
    /// Records that became jobs.
    pub jobs: u64,
    /// Records with run time 0, skipped or not.
    pub zero_run: u64,
    /// Jobs without a requested time, whose estimate is the run time.
    pub no_estimate: u64,
    /// Jobs that ran longer than their estimate.
    pub underestimated: u64,
    /// Jobs submitted before the previous one.
    pub out_of_order: u64,
    skipped: [u64; 7],
}

impl TraceCounts {
    /// Number of records skipped, for any reason.
    pub fn skipped(&self) -> u64 {
        self.skipped.iter().sum()
    }
}

/// Number of records skipped for this reason.
impl Index<Odd> for TraceCounts {
    type Output = u64;

    fn index(&self, odd: Odd) -> &u64 {
        &self.skipped[odd as usize]
    }
}

/// Iterator over the rigid jobs of a trace.
#[derive(Clone, Debug)]
pub struct Jobs<I> {
    records: I,
    converter: Converter,
}

impl<I: Iterator<Item = Result<Record, SwfError>>> Jobs<I> {
    /// Converts these records, in their order.
    pub fn new(records: I, conversion: Conversion) -> Self {
        let tally = TraceCounts::default();
        Self { records, converter: Converter { conversion, tally, first: None, latest: Ticks(0) } }
    }

    /// The counts so far.
    pub fn tally(&self) -> &TraceCounts {
        &self.converter.tally
    }

    /// The next job with the record it was made from.
    pub fn next_with_record(&mut self) -> Option<Result<(RigidJob, Record), SwfError>> {
        loop {
            match self.records.next()? {
                Ok(record) => {
                    if let Some(job) = self.converter.convert(&record) {
                        return Some(Ok((job, record)));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The jobs of a file. Not generic, so that this crate compiles them, with all optimisations.
impl Jobs<Reader<Input>> {
    /// The next job with the number of its partition.
    pub fn next_with_partition(&mut self) -> Option<Result<(RigidJob, Option<u32>), SwfError>> {
        loop {
            match self.records.advance() {
                Ok(None) => return None,
                Ok(Some(record)) => {
                    if let Some(job) = self.converter.convert(record) {
                        return Some(Ok((job, record.partition)));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Converts records one after the other and counts them.
#[derive(Clone, Debug)]
struct Converter {
    conversion: Conversion,
    tally: TraceCounts,
    /// Submit times of the first and of the latest job, as in the trace.
    first: Option<Ticks>,
    latest: Ticks,
}

impl Converter {
    fn convert(&mut self, record: &Record) -> Option<RigidJob> {
        self.tally.records += 1;
        self.tally.zero_run +=
            u64::from(self.conversion.run_time(record).is_some_and(Decimal::is_zero));
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

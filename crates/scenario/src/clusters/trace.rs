//! `trace` of `[jobs]`: logged jobs.
//!
//! The trace is read as a stream, again for every simulation. An error in the middle of it ends the
//! simulation, with a one-line message that has the line number in the trace.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::file;
use super::jobs::Arrival;
use super::words::one_of;
use crate::error::Fault;
use gridsat_cluster::SourceError;
use gridsat_model::Scale;
use gridsat_workload::swf::{
    Conversion, Header, Input, Jobs, Origin, Priority, Processors, Reader, Rules, RunTime,
    SwfError, TraceCounts, ZeroRun,
};

/// How a trace is read.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    path: PathBuf,
    rules: Rules,
    conversion: Conversion,
}

impl Trace {
    pub fn check(given: &file::Jobs, path: PathBuf, scale: Scale) -> Result<Self, Fault> {
        let processors = [("used", Processors::Used), ("asked", Processors::Asked)];
        let run_time = [("wall", RunTime::Wall), ("cpu", RunTime::Cpu)];
        let zero_run =
            [("tick", ZeroRun::OneTick), ("keep", ZeroRun::Keep), ("skip", ZeroRun::Skip)];
        let priority = [("none", Priority::None), ("queue", Priority::Queue)];
        let start = [("trace", Origin::Trace), ("first-job", Origin::FirstJob)];
        let conversion = Conversion {
            scale,
            processors: one_of("processors", given.processors.as_deref(), &processors)?,
            run_time: one_of("run_time", given.run_time.as_deref(), &run_time)?,
            priority: one_of("priority", given.priority.as_deref(), &priority)?,
            zero_run: one_of("zero_run", given.zero_run.as_deref(), &zero_run)?,
            origin: one_of("start", given.start.as_deref(), &start)?,
        };
        let rules = if given.lenient == Some(true) { Rules::Lenient } else { Rules::Archive };
        let trace = Self { path, rules, conversion };
        trace.open()?;
        Ok(trace)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn open(&self) -> Result<Reader<Input>, SwfError> {
        Reader::open(&self.path, self.rules)
    }

    /// The jobs from the first one on. The numbers of records read are stored in `tally` when the
    /// iterator is dropped.
    pub fn arrivals(&self, tally: TraceTally) -> Result<TraceJobs, SwfError> {
        Ok(TraceJobs { jobs: Jobs::new(self.open()?, self.conversion), tally })
    }
}

/// Number of processors of the machine, from the header of the trace.
pub(super) fn processors(path: &Path, rules: Rules) -> Result<Option<u64>, SwfError> {
    let reader = Reader::open(path, rules)?;
    let header: &Header = reader.header();
    Ok(header.max_procs()?.or(header.max_nodes()?))
}

/// Iterator over the jobs of a trace, with their partitions.
pub(super) struct TraceJobs {
    jobs: Jobs<Reader<Input>>,
    tally: TraceTally,
}

impl Iterator for TraceJobs {
    type Item = Result<Arrival, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.jobs.next_with_partition()?;
        let arrival = next.map(|(job, partition)| Arrival { job, partition, terms: None });
        Some(arrival.map_err(SourceError::from))
    }
}

impl Drop for TraceJobs {
    fn drop(&mut self) {
        *self.tally.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(*self.jobs.tally());
    }
}

/// Counts of the records that a simulation has read from a trace, available after it has ended.
#[derive(Clone, Debug, Default)]
pub struct TraceTally(Arc<Mutex<Option<TraceCounts>>>);

impl TraceTally {
    /// `None` without a trace, or while it is still being read.
    pub fn get(&self) -> Option<TraceCounts> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! CSV table with one row per job, written when the job leaves.
//!
//! Times are in the unit of the scenario. `parts` are the nodes of the last start, as
//! `cluster:group:nodes`, counted from 0; a job that was refused has none, and no times after its
//! submission.

use std::io::{self, Write};

use super::line::Line;
use crate::grid::{ClusterId, NodeShare};
use crate::happening::{ClusterEvents, Happening, JobRecord, Outcome};
use crate::terms::Terms;
use gridsat_engine::Observer;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::RigidJob;

const HEAD: &str = "job,user,priority,home,submit,start,end,wait,run,estimate,nodes,parts,\
suspensions,";
/// Further columns if jobs may have terms.
const TERMS: &str = "deadline,migration,";

/// Rows are written when they take this many bytes, and at the end.
const ENOUGH: usize = 1 << 15;

/// Writes one row per job; a write error ends the simulation.
pub struct JobCsv<W: Write> {
    out: W,
    /// The rows that are not written yet.
    line: Line,
    /// Whether there are columns for deadlines and migrations.
    has_terms: bool,
    failure: Option<io::Error>,
}

impl<W: Write> JobCsv<W> {
    /// Writes the header row, with columns for deadlines and migrations if jobs may have them.
    pub fn new(mut out: W, scale: Scale, has_terms: bool) -> Self {
        let failure = writeln!(out, "{HEAD}{}outcome", if has_terms { TERMS } else { "" }).err();
        Self { out, line: Line::new(scale), has_terms, failure }
    }

    /// Returns the output, or the first write error.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_rows();
        match self.failure {
            Some(failure) => Err(failure),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn write_rows(&mut self) {
        if let Err(error) = self.out.write_all(self.line.bytes()) {
            self.failure.get_or_insert(error);
        }
        self.line.clear();
    }

    /// Writes a row: the job, its start, end, wait and run time, its nodes and how it left.
    fn write(
        &mut self,
        job: &RigidJob,
        home: ClusterId,
        times: [Option<Ticks>; 4],
        (nodes, parts): (u32, &[NodeShare]),
        (suspensions, outcome): (u32, &str),
        (terms, migration): (Option<&Terms>, Option<Ticks>),
    ) {
        let line = &mut self.line;
        line.number(job.number);
        line.number(job.user);
        line.signed(job.priority);
        line.number(home.0);
        line.time(Some(job.submit));
        times.into_iter().for_each(|time| line.time(time));
        line.time(Some(job.estimate));
        line.number(nodes);
        line.parts(parts);
        line.number(suspensions);
        if self.has_terms {
            line.time(terms.and_then(|terms| terms.deadline).map(|time| time.0));
            line.time(migration);
        }
        line.last(outcome);
        if line.bytes().len() >= ENOUGH {
            self.write_rows();
        }
    }
}

impl<W: Write> Observer<ClusterEvents> for JobCsv<W> {
    fn happened(&mut self, _: Time, what: &Happening) {
        if let &Happening::Refused { job, home, terms } = what {
            let refused = (0, "refused");
            self.write(job, home, [None; 4], (job.nodes, &[]), refused, (terms, None));
        }
    }

    fn left(&mut self, job: &JobRecord) {
        let times = [job.start.0, job.end.0, job.wait(), job.held].map(Some);
        let outcome = match job.outcome {
            Outcome::Finished => "finished",
            Outcome::Killed => "killed",
            Outcome::Lost => "lost",
        };
        let (nodes, end) = ((job.nodes(), &*job.parts), (job.suspensions, outcome));
        let terms = (job.terms.as_ref(), Some(job.migration));
        self.write(&job.job, job.home, times, nodes, end, terms);
    }

    fn wants_end(&self) -> bool {
        self.failure.is_some()
    }

    /// Refused jobs are reported all the same.
    fn follows_events(&self) -> bool {
        false
    }
}

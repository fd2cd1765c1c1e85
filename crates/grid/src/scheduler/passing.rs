//! Schedulers of equal rank that pass jobs to each other (thesis, 2.4.2.6).
//!
//! The load of a scheduler is the number of its jobs, waiting or at its resources or on their way
//! to it, divided by the PEs of its resources that are up.
//!
//! - *Sender-initiated*: a job that arrives at a scheduler and would raise its load above a limit
//!   is passed to the peer whose load it raises least, if that stays lower.
//! - *Receiver-initiated*: a scheduler whose load is below a limit takes jobs from the peer with
//!   the highest load, one at a time, if that is above the other limit and the job then has less
//!   company.
//! - *Symmetrically initiated*: both.
//!
//! A job is passed at most once by its sender; receivers take only jobs that have not started, and
//! no jobs with data that have been sent to a resource. Loads are always current.

use super::SchedulerId;
use gridsat_model::Ticks;

/// How a scheduler passes jobs to its peers and takes jobs from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Passing {
    /// The other schedulers.
    pub peers: Vec<SchedulerId>,
    /// Whether it passes jobs on that arrive.
    pub sends: bool,
    /// Whether it takes jobs from its peers.
    pub receives: bool,
    /// Load in jobs per PE above which jobs are passed on or taken away.
    pub above: f64,
    /// Load below which it takes jobs.
    pub below: f64,
    /// Ticks that a job is on its way.
    pub time: Ticks,
}

/// Numbers of jobs and PEs of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Burden {
    pub jobs: u64,
    pub pes: u64,
}

impl Burden {
    /// Jobs per PE; infinite without PEs.
    pub fn load(self) -> f64 {
        if self.pes == 0 { f64::INFINITY } else { self.jobs as f64 / self.pes as f64 }
    }

    /// The same with one more job.
    pub fn and_one(self) -> Self {
        Self { jobs: self.jobs + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_jobs_per_pe() {
        let burden = Burden { jobs: 3, pes: 2 };
        assert_eq!((burden.load(), burden.and_one().load()), (1.5, 2.0));
        assert_eq!(Burden { jobs: 0, pes: 0 }.load(), f64::INFINITY);
    }
}

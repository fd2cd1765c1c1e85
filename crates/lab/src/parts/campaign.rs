//! A campaign in parts: neighbouring runs.
//!
//! How long a run takes is not known before, only its limit: parts are made so that the limits of
//! their runs add up to the time of a part.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::inputs::Input;
use super::sizes::{self, Cuts, Sizes};
use crate::campaign::{Campaign, Limits, Listed, Program, Row, Run, Solver};
use gridsat_model::Stop;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CampaignWork {
    instances: Vec<Listed>,
    solvers: Vec<Solver>,
    limits: Limits,
    /// Where certificates are kept, if they are.
    certificates: Option<PathBuf>,
    /// The first run of each part.
    cuts: Cuts,
}

impl CampaignWork {
    pub fn new(campaign: &Campaign, sizes: Sizes) -> Self {
        let Campaign { instances, solvers, limits, certificates } = campaign.clone();
        let runs = instances.len() * solvers.len();
        let cuts = match sizes.parts {
            Some(parts) => sizes::equal(runs, parts),
            // Twice as long as wanted at most, because most runs end before their limit.
            None => sizes::by_seconds(&vec![limits.seconds; runs], 2.0 * sizes.time.as_secs_f64()),
        };
        Self { instances, solvers, limits, certificates, cuts }
    }

    pub fn check(&self) -> Result<(), String> {
        let is_whole = sizes::is_whole(&self.cuts, self.instances.len() * self.solvers.len());
        if is_whole { Ok(()) } else { Err("its parts are not all runs, each once".to_owned()) }
    }

    pub fn is_like(&self, other: &Self) -> bool {
        let all = |one: &Self| Self { cuts: Cuts::new(), ..one.clone() };
        all(self) == all(other)
    }

    pub fn parts(&self) -> usize {
        self.cuts.len()
    }

    fn range(&self, part: usize) -> Option<Range<usize>> {
        sizes::range(&self.cuts, part, self.instances.len() * self.solvers.len())
    }

    /// The runs of a part, in order.
    pub fn of_part(&self, part: usize) -> Vec<Run> {
        self.runs(self.range(part).unwrap_or_default()).collect()
    }

    fn runs(&self, range: Range<usize>) -> impl Iterator<Item = Run> {
        range.map(|place| Run {
            instance: self.instances[place / self.solvers.len()].clone(),
            solver: self.solvers[place % self.solvers.len()].clone(),
            limits: self.limits,
        })
    }

    /// The rows of a part, one line each; `None` if a stop was requested.
    pub fn work(
        &self,
        part: usize,
        program: &Program,
        stop: &Stop,
    ) -> Result<Option<Vec<String>>, PartsError> {
        let of = self.parts();
        let range = self.range(part).ok_or(PartsError::NoPart { part, of })?;
        let certificates = self.certificates.as_deref();
        let mut lines = Vec::new();
        for run in self.runs(range) {
            let Listed { path, sha256, .. } = run.instance.clone();
            Input { path, sha256 }.check()?;
            let Some(row) = run.execute(program, certificates, stop)? else { return Ok(None) };
            lines.push(row.line());
        }
        Ok(Some(lines))
    }

    /// The rows in the lines of a part; the error says why they are not.
    pub fn read(&self, part: usize, lines: &[String]) -> Result<Vec<Row>, String> {
        let range = self.range(part).ok_or("no such part")?;
        if lines.len() != range.len() {
            return Err(format!("{} rows, should be {}", lines.len(), range.len()));
        }
        let row = |(run, line): (Run, &String)| {
            let row = Row::parse(line)?;
            let is_of = row.key() == run.key() && row.sha256 == run.instance.sha256;
            if is_of { Ok(row) } else { Err(format!("a row of {}", row.instance)) }
        };
        self.runs(range).zip(lines).map(row).collect()
    }
}

//! Subject: published tables of a few jobs on one machine, job by job.
//!
//! Table 3.1 of the thesis and table 5.1 of the GridSim paper list start and end of each job under
//! two allocation policies. Algorithms are these policies; nothing is random. The thesis prints 14
//! MI for a first job that must have had 13 (erratum E9); `first` sets either.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::flat::{Case, Wishes};
use super::{Measure, SubjectError, measure};
use crate::compare::OWN;
use crate::experiment::key::Key;
use gridsat_engine::time::Time;
use gridsat_grid::{GridEvents, JobRecord, Observer, simulate};
use gridsat_model::Scale;
use gridsat_scenario::{Changes, Keys, Policies, Scenario, Syntax, read_keys, template};

#[derive(Serialize, Deserialize)]
pub(super) struct Table {
    /// Name of the scenario template.
    template: String,
    /// Number of the job in order of arrival, from 0.
    job: u64,
    /// Size of the first job in MI, if it differs from the scenario.
    first: Option<f64>,
}

impl Default for Table {
    fn default() -> Self {
        Self { template: "gsim-table".to_owned(), job: 0, first: None }
    }
}

pub(super) struct TableJob {
    job: JobRecord,
    scale: Scale,
}

impl TableJob {
    fn seconds(&self, time: Time) -> f64 {
        time.0.as_f64() / self.scale.ticks_per_unit().as_f64()
    }
}

const POLICIES: [&str; 4] =
    ["space-shared", "time-shared", "time-shared-gsim", "time-shared-gridsim"];

impl Table {
    fn scenario(&self, policy: &str) -> Result<Scenario, SubjectError> {
        let name = &self.template;
        let template = template(name).ok_or_else(|| SubjectError::NoTemplate(name.clone()))?;
        let read = read_keys(template.text, Syntax::Toml, name);
        let mut settings: Value = read.map_err(SubjectError::Template)?;
        if policy != OWN {
            Key::parse("resource.policy")?.set(&mut settings, &json!(policy))?;
        }
        if let Some(size) = self.first {
            let set = Key::parse("job[0].mi")?.set(&mut settings, &json!(size));
            set.map_err(SubjectError::First)?;
        }
        let keys = Keys::of(&settings, "", "".as_ref());
        let scenario = Scenario::of(keys, &Policies::built_in());
        scenario.map_err(SubjectError::Scenario)
    }
}

impl Case for Table {
    const NAME: &'static str = "table";
    const MEASURES: &'static [Measure<TableJob>] = &[
        measure("arrival", "arrival", "s", |row| Some(row.seconds(row.job.arrival))),
        measure("start", "start", "s", |row| Some(row.seconds(row.job.started?.0))),
        measure("end", "end", "s", |row| Some(row.seconds(row.job.end))),
        measure("elapsed", "time from arrival to end", "s", |row| {
            Some(row.seconds(Time(row.job.flow())))
        }),
    ];

    type Measured = TableJob;

    fn algorithms() -> Vec<String> {
        POLICIES.iter().chain([&OWN]).map(|&name| name.to_owned()).collect()
    }

    fn check(&self) -> Result<(), SubjectError> {
        self.run(OWN, 1, &Wishes::default()).map(drop)
    }

    fn run(&self, algorithm: &str, seed: u64, _: &Wishes) -> Result<TableJob, SubjectError> {
        let changes = Changes { seed: Some(seed), ..Changes::default() };
        let setup = self.scenario(algorithm)?.setup(&changes).map_err(SubjectError::Scenario)?;
        let scale = setup.scale;
        let mut one = One { number: self.job, job: None };
        simulate(setup, &mut one)?;
        Ok(TableJob { job: one.job.ok_or(SubjectError::NoJob(self.job))?, scale })
    }
}

/// An observer that records one job.
struct One {
    number: u64,
    job: Option<JobRecord>,
}

impl Observer<GridEvents> for One {
    fn left(&mut self, job: &JobRecord) {
        if job.number == self.number {
            self.job = Some(job.clone());
        }
    }

    fn wants_end(&self) -> bool {
        self.job.is_some()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::measured;

    fn ends(template: &str, jobs: u64, first: Option<f64>, policy: &str) -> Vec<f64> {
        let end = |job| {
            let settings = json!({ "template": template, "job": job, "first": first });
            measured("table", &settings, "end", policy, 1).expect("a job")
        };
        (0..jobs).map(end).collect()
    }

    /// Both halves of both tables, with the 13 MI that the thesis computed with and the 14 MI it
    /// prints (E9).
    #[test]
    fn as_published() {
        let gsim = |first, policy| ends("gsim-table", 4, first, policy);
        assert_eq!(gsim(None, "space-shared"), [13.0, 7.0, 17.0, 21.0]);
        assert_eq!(gsim(None, "time-shared-gsim"), [17.0, 7.0, 16.0, 21.0]);
        assert_eq!(gsim(Some(14.0), "space-shared"), [14.0, 7.0, 17.0, 22.0]);
        assert_eq!(gsim(Some(14.0), "own"), [18.0, 7.0, 16.0, 21.0]);
        assert_eq!(ends("gridsim-table", 3, None, "own"), [10.0, 14.0, 18.0]);
        assert_eq!(ends("gridsim-table", 3, None, "space-shared"), [10.0, 12.5, 19.5]);
    }

    #[test]
    fn start_and_elapsed_of_the_third() {
        let of = |metric| {
            let settings = json!({ "template": "gridsim-table", "job": 2 });
            measured("table", &settings, metric, "space-shared", 1)
        };
        assert_eq!((of("arrival"), of("start"), of("elapsed")), (Ok(7.0), Ok(10.0), Ok(12.5)));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = |settings| measured("table", &settings, "end", "own", 1).expect_err("bad");
        assert_eq!(error(json!({ "job": 4 })), "job: none has number 4, counted from 0");
        assert!(error(json!({ "template": "x" })).starts_with("template: no \"x\"; known: wwg, "));
        assert!(
            error(json!({ "jobs": 1 })).starts_with("no setting \"jobs\"; did you mean 'job'? ")
        );
        assert!(error(json!({ "job": "x" })).starts_with("job: invalid type: string"));
    }
}

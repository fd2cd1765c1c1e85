//! Table with one row per job, in the order in which jobs leave.
//!
//! The first columns are those of Batsim's table of jobs, which Evalys and others read; ours
//! follow. A field without a value is empty, such as the start of a job that was cancelled before
//! it started. Jobs that are still in the system at the end have no row.

use std::io::{self, Write};

use super::description::{Description, ResourceFacts};
use super::row::{CsvRow, quoted};
use super::sink::Sink;
use crate::economy::Money;
use crate::{GridEvents, JobRecord, Outcome};
use gridsat_engine::Observer;
use gridsat_model::Ticks;
use gridsat_model::text::printable;
use gridsat_workload::Demand;

/// Names of the columns.
const COLUMNS: [&str; 27] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
    "consumed_energy",
    "metadata",
    "user",
    "application",
    "qos",
    "site",
    "resource",
    "pe",
    "size",
    "sent_time",
    "cost",
    "deadline_met",
];

/// The table of jobs.
pub struct Jobs<'a, W: Write> {
    description: &'a Description,
    workload: String,
    places: Vec<ResourceNames>,
    row: CsvRow,
    out: Sink<W>,
}

/// The name of a resource as CSV fields.
struct ResourceNames {
    site: String,
    name: String,
}

impl<'a, W: Write> Jobs<'a, W> {
    /// Writes to `out` as jobs leave.
    pub fn new(description: &'a Description, out: W) -> Self {
        let place = |resource: &ResourceFacts| ResourceNames {
            site: quoted(&resource.site),
            name: quoted(&resource.name),
        };
        let mut out = Sink::new(out);
        out.write(|out| writeln!(out, "{}", COLUMNS.join(",")));
        Self {
            description,
            workload: quoted(&description.name),
            places: description.resources.iter().map(place).collect(),
            row: CsvRow::new(description.scale),
            out,
        }
    }

    /// Returns the output.
    pub fn finish(self) -> io::Result<W> {
        self.out.finish()
    }

    /// Fills in the columns of Batsim.
    fn fill(&mut self, job: &JobRecord) {
        let start = job.started.map(|(start, _)| start);
        let execution = start.map(|start| job.ran_until - start);
        let row = &mut self.row;
        row.clear();
        row.push_whole(job.number);
        row.push_text(&self.workload);
        match &job.name {
            Some(name) => row.push_text(&quoted(&printable(name))),
            None => row.push_user(job.user, job.application),
        }
        row.push_time(Some(job.arrival.0));
        row.push_whole(job.demand.pes());
        row.push_time(job.sent.map(|_| job.believed));
        match job.outcome {
            Outcome::Finished => row.push_text("1,COMPLETED_SUCCESSFULLY"),
            Outcome::Cancelled => row.push_text("0,COMPLETED_KILLED"),
            Outcome::Lost => row.push_text("0,COMPLETED_FAILED"),
        }
        row.push_time(start.map(|start| start.0));
        row.push_time(execution);
        row.push_time(Some(job.end.0));
        row.push_time(start.map(|start| start - job.arrival));
        row.push_time(Some(job.flow()));
        row.push_number(stretch(job.flow(), execution));
        match allocated(self.description, job) {
            None => row.push_text(""),
            Some((first, last)) if first == last => row.push_whole(first),
            Some((first, last)) => row.push(format_args!("{first}-{last}")),
        }
        row.push_text(",");
    }

    /// Fills in our columns.
    fn fill_more(&mut self, job: &JobRecord) {
        let place = job.sent.map(|(resource, _)| &self.places[resource.index()]);
        let row = &mut self.row;
        row.push_whole(job.user);
        row.push_whole(job.application);
        row.push_whole(job.qos);
        row.push_text(place.map_or("", |place| &place.site));
        row.push_text(place.map_or("", |place| &place.name));
        match job.started.and_then(|(_, pe)| pe) {
            Some(pe) => row.push_whole(pe),
            None => row.push_text(""),
        }
        row.push_number(size(&job.demand));
        row.push_time(job.sent.map(|(_, time)| time.0));
        if job.cost == Money::ZERO {
            row.push_text("0")
        } else {
            row.push(job.cost)
        }
        row.push_text(job.is_in_time().map_or("", |is| if is { "1" } else { "0" }));
    }
}

impl<W: Write> Observer<GridEvents> for Jobs<'_, W> {
    fn left(&mut self, job: &JobRecord) {
        self.fill(job);
        self.fill_more(job);
        self.out.write(|out| out.write_all(self.row.line()));
    }

    fn wants_end(&self) -> bool {
        self.out.has_failed()
    }

    fn follows_events(&self) -> bool {
        false
    }
}

/// Time in the system divided by time since the start; `None` if the latter is 0.
fn stretch(flow: Ticks, execution: Option<Ticks>) -> Option<f64> {
    let execution = execution.filter(|&ticks| ticks > Ticks(0))?;
    Some(flow.as_f64() / execution.as_f64())
}

/// The first and the last PE, numbered across all resources: the job's own PE, or all PEs that it
/// shares.
fn allocated(description: &Description, job: &JobRecord) -> Option<(u64, u64)> {
    let ((_, pe), (resource, _)) = (job.started?, job.sent?);
    let resource = description.resource(resource);
    let first = resource.first_pe;
    Some(match pe {
        Some(pe) => (first + u64::from(pe), first + u64::from(pe)),
        None => (first, first + u64::from(resource.pes) - 1),
    })
}

/// Million instructions, or operations; `None` for jobs that are given by their run times.
fn size(demand: &Demand) -> Option<f64> {
    match demand {
        Demand::Instructions(size) | Demand::Operations(size) => Some(*size),
        Demand::Composite(job) => Some(job.amount()),
        Demand::Times(_) => None,
    }
}

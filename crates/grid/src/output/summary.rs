//! The summary of a simulation for programs: one JSON object, or one row of CSV.
//!
//! Times are in seconds. Simulated times are exact decimals; means and deviations are the nearest
//! floating-point numbers.

use std::io::{self, Write};

use serde::Serialize;

use super::description::Description;
use super::exact::Exact;
use super::reservations::ReservationFacts;
use crate::data::DataSummary;
use crate::economy::Economy;
use crate::work::Work;
use crate::{Moments, Proofs, Summary};
use gridsat_draw::number::rounded;
use gridsat_model::Ticks;
use gridsat_model::text::decimal;

/// A summary and the description of what was simulated.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// What was simulated.
    pub description: &'a Description,
    /// What came out: totals, means and one entry per resource and scheduler.
    pub summary: &'a Summary,
}

/// Format and version of the object.
const FORMAT: &str = "gridsat-grid-simulation 1";

/// The JSON object; its keys are part of the public interface.
#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    gridsat: &'static str,
    scenario: &'a str,
    seed: u64,
    schedulers: Vec<JsonScheduler<'a>>,
    end: &'static str,
    end_time: Exact,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<&'a str>,
    jobs: JsonJobs,
    makespan: Exact,
    flow_time: JsonMoments,
    waiting_time: JsonMoments,
    utilisation: f64,
    mean_jobs: f64,
    downtime: f64,
    work: JsonWork,
    #[serde(skip_serializing_if = "Option::is_none")]
    economy: Option<JsonEconomy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<JsonData>,
    decisions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduling_seconds: Option<f64>,
    events: u64,
    resources: Vec<JsonResource<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reservations: Vec<ReservationFacts>,
}

#[derive(Serialize)]
struct JsonScheduler<'a> {
    name: &'a str,
    policy: &'a str,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wait: Option<Exact>,
    #[serde(flatten)]
    proofs: Option<JsonProofs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonProofs {
    batches: u64,
    proven_batches: u64,
    largest_gap: f64,
}

impl From<Proofs> for JsonProofs {
    fn from(Proofs { batches, proven, largest_gap }: Proofs) -> Self {
        Self { batches, proven_batches: proven, largest_gap }
    }
}

#[derive(Serialize)]
struct JsonJobs {
    submitted: u64,
    finished: u64,
    cancelled: u64,
    lost: u64,
    left: u64,
}

#[derive(Serialize)]
struct JsonWork {
    given: Exact,
    useful: Exact,
    lost: Exact,
    overhead: Exact,
    in_progress: Exact,
}

#[derive(Serialize)]
struct JsonEconomy {
    spent: Exact,
    missed_deadline: u64,
    not_affordable: u64,
}

#[derive(Serialize)]
struct JsonData {
    transfers: u64,
    bytes: u128,
    transfer_time: JsonMoments,
    staging_time: JsonMoments,
}

#[derive(Serialize)]
struct JsonMoments {
    mean: f64,
    deviation: Option<f64>,
    min: Exact,
    max: Exact,
    sum: Exact,
}

#[derive(Serialize)]
struct JsonResource<'a> {
    name: &'a str,
    site: &'a str,
    policy: &'static str,
    pes: u32,
    finished: u64,
    mean_jobs: f64,
    utilisation: f64,
    lost: u64,
    downtime: f64,
}

impl Report<'_> {
    /// Writes one object, over several lines.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, &self.json())?;
        out.write_all(b"\n")
    }

    /// Writes a header and one row.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let (header, row): (Vec<_>, Vec<_>) = self.columns().into_iter().unzip();
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(header)?;
        csv.write_record(row)?;
        csv.flush()
    }

    /// Converts a mean or deviation from ticks to seconds.
    pub fn in_seconds(&self, ticks: f64) -> f64 {
        ticks / self.summary.scale.ticks_per_unit().as_f64()
    }

    /// Computing time of the schedulers in seconds, if it was measured.
    pub fn scheduling_seconds(&self) -> Option<f64> {
        Some(rounded(self.summary.scheduling?.as_secs_f64(), 6))
    }

    /// Work in seconds of a PE, with all digits.
    pub fn work(&self, work: Work) -> String {
        // Work is in millionths of ticks.
        let decimals = self.summary.scale.decimals() as usize + 6;
        decimal(work.0, decimals)
    }

    fn columns(&self) -> [(&'static str, String); 42] {
        let (summary, counts) = (self.summary, &self.summary.counts);
        let exact = |ticks: Ticks| self.description.seconds(ticks);
        let economy = |show: fn(Economy) -> String| summary.economy.map(show).unwrap_or_default();
        let mean = |ticks: f64| self.in_seconds(ticks).to_string();
        let data = |show: &dyn Fn(&DataSummary) -> String| {
            summary.data.as_ref().map(show).unwrap_or_default()
        };
        let proofs =
            |show: fn(Proofs) -> String| summary.all_proofs().map(show).unwrap_or_default();
        let total = |of: &Moments| self.description.sum_in_seconds(of.sum());
        let or_empty = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
        let deviation = |of: &Moments| or_empty(of.deviation().map(|ticks| self.in_seconds(ticks)));
        [
            ("gridsat", gridsat_model::VERSION.to_owned()),
            ("scenario", self.description.name.clone()),
            ("seed", self.description.seed.to_string()),
            ("policy", self.description.policies()),
            ("end", summary.end_name().to_owned()),
            ("end_time", exact(summary.end_time.0)),
            ("submitted", counts.submitted.to_string()),
            ("finished", counts.finished.to_string()),
            ("cancelled", counts.cancelled.to_string()),
            ("left", summary.left.to_string()),
            ("makespan", exact(counts.makespan.0)),
            ("mean_flow_time", mean(counts.flow.mean())),
            ("flow_time_deviation", deviation(&counts.flow)),
            ("max_flow_time", exact(counts.flow.max())),
            ("mean_waiting_time", mean(counts.wait.mean())),
            ("max_waiting_time", exact(counts.wait.max())),
            ("utilisation", summary.utilisation.to_string()),
            ("mean_jobs", summary.mean_jobs().to_string()),
            ("decisions", summary.decisions.to_string()),
            ("scheduling_seconds", or_empty(self.scheduling_seconds())),
            ("events", summary.events.to_string()),
            ("lost", counts.lost.to_string()),
            ("downtime", summary.downtime.to_string()),
            ("given_work", self.work(summary.accounts.given)),
            ("useful_work", self.work(summary.accounts.useful)),
            ("lost_work", self.work(summary.accounts.lost)),
            ("overhead", self.work(summary.accounts.overhead)),
            ("work_in_progress", self.work(summary.accounts.in_progress)),
            ("spent", economy(|e| e.spent.to_string())),
            ("missed_deadline", economy(|e| e.missed.to_string())),
            ("not_affordable", economy(|e| e.not_affordable.to_string())),
            ("transfers", data(&|data| data.transfers.to_string())),
            ("transferred_bytes", data(&|data| data.bytes.to_string())),
            ("mean_transfer_time", data(&|data| mean(data.time.mean()))),
            ("mean_staging_time", data(&|data| mean(data.staging.mean()))),
            ("batches", proofs(|of| of.batches.to_string())),
            ("proven_batches", proofs(|of| of.proven.to_string())),
            ("largest_gap", proofs(|of| of.largest_gap.to_string())),
            ("min_flow_time", exact(counts.flow.min())),
            ("total_flow_time", total(&counts.flow)),
            ("min_waiting_time", exact(counts.wait.min())),
            ("total_waiting_time", total(&counts.wait)),
        ]
    }

    fn json(&self) -> Json<'_> {
        let (summary, counts) = (self.summary, &self.summary.counts);
        Json {
            format: FORMAT,
            gridsat: gridsat_model::VERSION,
            scenario: &self.description.name,
            seed: self.description.seed,
            schedulers: self.schedulers(),
            end: summary.end_name(),
            end_time: self.exact(summary.end_time.0),
            stuck: summary.stuck.as_deref(),
            jobs: JsonJobs {
                submitted: counts.submitted,
                finished: counts.finished,
                cancelled: counts.cancelled,
                lost: counts.lost,
                left: summary.left,
            },
            makespan: self.exact(counts.makespan.0),
            flow_time: self.moments(&counts.flow),
            waiting_time: self.moments(&counts.wait),
            utilisation: summary.utilisation,
            mean_jobs: summary.mean_jobs(),
            downtime: summary.downtime,
            work: self.accounts(),
            economy: summary.economy.map(economy),
            data: summary.data.as_ref().map(|data| self.data(data)),
            decisions: summary.decisions,
            scheduling_seconds: self.scheduling_seconds(),
            events: summary.events,
            resources: self.resources(),
            reservations: self.reservations(),
        }
    }

    fn schedulers(&self) -> Vec<JsonScheduler<'_>> {
        let of =
            |facts: &'_ super::SchedulerFacts| facts.mode.period().map(|wait| self.exact(wait));
        let note = |name: &str| self.summary.notes.iter().find(|(of, _)| of == name);
        let proofs = |name: &str| self.summary.proofs.iter().find(|(of, _)| of == name);
        let schedulers = self.description.schedulers.iter().map(|facts| JsonScheduler {
            name: &facts.name,
            policy: &facts.policy,
            mode: facts.mode.name(),
            wait: of(facts),
            proofs: proofs(&facts.name).map(|&(_, proofs)| proofs.into()),
            note: note(&facts.name).map(|(_, note)| note.as_str()),
        });
        schedulers.collect()
    }

    fn resources(&self) -> Vec<JsonResource<'_>> {
        let both = self.description.resources.iter().zip(&self.summary.resources);
        let resources = both.map(|(facts, resource)| JsonResource {
            name: &facts.name,
            site: &facts.site,
            policy: facts.policy.name(),
            pes: facts.pes,
            finished: resource.completed,
            mean_jobs: resource.mean_jobs,
            utilisation: resource.utilisation,
            lost: resource.lost,
            downtime: resource.downtime,
        });
        resources.collect()
    }

    fn accounts(&self) -> JsonWork {
        let accounts = &self.summary.accounts;
        let exact = |work| Exact(self.work(work));
        JsonWork {
            given: exact(accounts.given),
            useful: exact(accounts.useful),
            lost: exact(accounts.lost),
            overhead: exact(accounts.overhead),
            in_progress: exact(accounts.in_progress),
        }
    }

    fn data(&self, data: &DataSummary) -> JsonData {
        JsonData {
            transfers: data.transfers,
            bytes: data.bytes,
            transfer_time: self.moments(&data.time),
            staging_time: self.moments(&data.staging),
        }
    }

    fn moments(&self, of: &Moments) -> JsonMoments {
        JsonMoments {
            mean: self.in_seconds(of.mean()),
            deviation: of.deviation().map(|ticks| self.in_seconds(ticks)),
            min: self.exact(of.min()),
            max: self.exact(of.max()),
            sum: Exact(self.description.sum_in_seconds(of.sum())),
        }
    }

    fn exact(&self, ticks: Ticks) -> Exact {
        Exact(self.description.seconds(ticks))
    }
}

fn economy(economy: Economy) -> JsonEconomy {
    JsonEconomy {
        spent: Exact(economy.spent.to_string()),
        missed_deadline: economy.missed,
        not_affordable: economy.not_affordable,
    }
}

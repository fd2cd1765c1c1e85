//! Statistics of clusters as text, JSON and CSV. Times are in the unit of the scenario, usually
//! seconds.
//!
//! The text has the lines of Beosim's summary (section 5.1) under their original names, followed by
//! figures that Beosim does not print. JSON and CSV have one row per cluster and one named `all`;
//! their keys are part of the public interface:
//!
//! | key | meaning |
//! | --- | --- |
//! | `submitted` | = finished + killed + refused + queued + running |
//! | `run`, `wait`, `time_in_system` | time on nodes; submission to start; submission to end |
//! | `slowdown` | time in system / run |
//! | `bounded_slowdown` | max(1, time in system / max(run, threshold)) |
//! | `queue_depth` | waiting jobs, mean over time |
//! | `utilisation` | busy nodes × time / (nodes × end time) |
//! | `throughput` | jobs that left / end time |
//! | `deadlines_met`, … | only if jobs have deadlines or migrate |

use std::io::{self, Write};

use serde::Serialize;

use super::{ClusterSummary, Summary};
use crate::reservation::ReservationSummary;

#[derive(Serialize)]
struct SummaryRow<'a> {
    cluster: &'a str,
    nodes: u64,
    submitted: u64,
    finished: u64,
    killed: u64,
    refused: u64,
    queued: u64,
    running: u64,
    suspensions: u64,
    min_nodes: u64,
    max_nodes: u64,
    mean_nodes: f64,
    min_run: f64,
    max_run: f64,
    mean_run: f64,
    total_run: f64,
    mean_wait: f64,
    deviation_wait: Option<f64>,
    max_wait: f64,
    total_wait: f64,
    mean_time_in_system: f64,
    mean_slowdown: f64,
    max_slowdown: f64,
    mean_bounded_slowdown: f64,
    max_bounded_slowdown: f64,
    mean_queue_depth: f64,
    max_queue_depth: u64,
    utilisation: f64,
    throughput: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlines_met: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlines_missed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_tardiness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tardiness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    migrations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_migration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    down_time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_work: Option<f64>,
}

impl<'a> SummaryRow<'a> {
    fn new(cluster: &'a ClusterSummary, summary: &Summary) -> Self {
        let jobs = &cluster.jobs;
        let unit = summary.scale.ticks_per_unit().as_f64();
        // All rows of a table have the same columns.
        let terms = Some(&jobs.terms).filter(|_| summary.all.jobs.terms.is_used());
        let failures = Some(&jobs.failures).filter(|_| summary.all.jobs.failures.is_used());
        let whole = |ticks: u64| ticks as f64 / unit;
        Self {
            cluster: &cluster.name,
            nodes: cluster.nodes,
            submitted: jobs.submitted,
            finished: jobs.finished,
            killed: jobs.killed,
            refused: jobs.refused,
            queued: cluster.queued,
            running: cluster.running,
            suspensions: jobs.suspensions,
            min_nodes: jobs.nodes.least(),
            max_nodes: jobs.nodes.most(),
            mean_nodes: jobs.nodes.mean(),
            min_run: whole(jobs.run.least()),
            max_run: whole(jobs.run.most()),
            mean_run: jobs.run.mean() / unit,
            total_run: jobs.run.total() as f64 / unit,
            mean_wait: jobs.wait.mean() / unit,
            deviation_wait: jobs.wait.deviation().map(|deviation| deviation / unit),
            max_wait: whole(jobs.wait.most()),
            total_wait: jobs.wait.total() as f64 / unit,
            mean_time_in_system: jobs.flow.mean() / unit,
            mean_slowdown: jobs.slowdown.mean(),
            max_slowdown: jobs.slowdown.most(),
            mean_bounded_slowdown: jobs.bounded_slowdown.mean(),
            max_bounded_slowdown: jobs.bounded_slowdown.most(),
            mean_queue_depth: cluster.queue_depth,
            max_queue_depth: cluster.max_queue_depth,
            utilisation: cluster.utilisation,
            throughput: cluster.throughput * unit,
            deadlines_met: terms.map(|terms| terms.met),
            deadlines_missed: terms.map(|terms| terms.missed),
            mean_tardiness: terms.map(|terms| terms.tardiness.mean() / unit),
            max_tardiness: terms.map(|terms| whole(terms.tardiness.most())),
            migrations: terms.map(|terms| terms.migrations),
            total_migration: terms.map(|terms| terms.migration as f64 / unit),
            failed_nodes: failures.map(|failures| failures.failed),
            down_time: failures.map(|failures| failures.down as f64 / unit),
            interrupted: failures.map(|failures| failures.interrupted),
            lost: failures.map(|failures| failures.lost),
            lost_work: failures.map(|failures| failures.lost_work as f64 / unit),
        }
    }
}

#[derive(Serialize)]
struct Json<'a> {
    end: &'static str,
    end_time: f64,
    makespan: f64,
    events: u64,
    all: SummaryRow<'a>,
    clusters: Vec<SummaryRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reservations: Vec<ReservationRow<'a>>,
}

#[derive(Serialize)]
struct ReservationRow<'a> {
    name: &'a str,
    cluster: &'a str,
    nodes: u32,
    start: f64,
    end: f64,
    state: &'static str,
    jobs: u64,
    used: f64,
    cost: f64,
}

impl<'a> ReservationRow<'a> {
    fn new(of: &'a ReservationSummary, summary: &'a Summary) -> Self {
        let unit = summary.scale.ticks_per_unit().as_f64();
        Self {
            name: &of.spec.name,
            cluster: &summary.clusters[of.spec.cluster.index()].name,
            nodes: of.spec.nodes,
            start: of.spec.start.0.as_f64() / unit,
            end: of.spec.end().0.as_f64() / unit,
            state: of.state.name(),
            jobs: of.jobs,
            used: of.used as f64 / unit,
            cost: of.cost as f64 / 1e6,
        }
    }
}

/// Writes one JSON object and a line break.
pub fn json(summary: &Summary, mut out: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &object(summary))?;
    writeln!(out)
}

/// The same object, for use inside another.
pub fn object(summary: &Summary) -> impl Serialize {
    let unit = summary.scale.ticks_per_unit().as_f64();
    Json {
        end: summary.end.name(),
        end_time: summary.end_time.0.as_f64() / unit,
        makespan: summary.makespan.0.as_f64() / unit,
        events: summary.events,
        all: SummaryRow::new(&summary.all, summary),
        clusters: summary.clusters.iter().map(|c| SummaryRow::new(c, summary)).collect(),
        reservations: summary
            .reservations
            .iter()
            .map(|of| ReservationRow::new(of, summary))
            .collect(),
    }
}

/// Writes a header, one row per cluster, and one row for all.
pub fn csv(summary: &Summary, out: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for cluster in summary.clusters.iter().chain([&summary.all]) {
        writer.serialize(SummaryRow::new(cluster, summary)).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes text for people: the summary of Beosim and further lines. With one cluster there is no
/// separate part for all.
pub fn text(summary: &Summary, mut out: impl Write) -> io::Result<()> {
    let time = summary.scale.display(summary.end_time.0);
    writeln!(out, "eventdriven: {} events processed", summary.events)?;
    writeln!(out, "simTime = {time} ({})", summary.end.name())?;
    let all = Some(&summary.all).filter(|_| summary.clusters.len() > 1);
    for cluster in summary.clusters.iter().chain(all) {
        write_cluster(&SummaryRow::new(cluster, summary), &mut out)?;
    }
    Ok(())
}

fn write_cluster(row: &SummaryRow, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\ncluster {}", row.cluster)?;
    let left = row.finished + row.killed;
    let lines: [(&str, f64); 27] = [
        ("totalJobs", left as f64),
        ("Smallest Job Size", row.min_run),
        ("Largest Job Size", row.max_run),
        ("Smallest Nodes Job Size", row.min_nodes as f64),
        ("Largest Nodes Job Size", row.max_nodes as f64),
        ("Avg Nodes Req Per Job", row.mean_nodes),
        ("Largest Waiting Time in Q", row.max_wait),
        ("totalRunTime", row.total_run),
        ("totalQueueTime", row.total_wait),
        ("avRunTime", row.mean_run),
        ("avQueueTime", row.mean_wait),
        ("avTimeInSys", row.mean_time_in_system),
        ("avQueueDepth", row.mean_queue_depth),
        ("avClusterUtilization", row.utilisation),
        ("Number of nodes", row.nodes as f64),
        ("Throughput", row.throughput),
        ("submitted", row.submitted as f64),
        ("refused", row.refused as f64),
        ("killed", row.killed as f64),
        ("suspensions", row.suspensions as f64),
        ("queued at the end", row.queued as f64),
        ("running at the end", row.running as f64),
        ("largest queue depth", row.max_queue_depth as f64),
        ("mean slowdown", row.mean_slowdown),
        ("largest slowdown", row.max_slowdown),
        ("mean bounded slowdown", row.mean_bounded_slowdown),
        ("largest bounded slowdown", row.max_bounded_slowdown),
    ];
    let terms = [
        ("deadlines met", row.deadlines_met.map(|count| count as f64)),
        ("deadlines missed", row.deadlines_missed.map(|count| count as f64)),
        ("mean tardiness", row.mean_tardiness),
        ("largest tardiness", row.max_tardiness),
        ("migrations", row.migrations.map(|count| count as f64)),
        ("total migration", row.total_migration),
        ("failed nodes", row.failed_nodes.map(|count| count as f64)),
        ("down time", row.down_time),
        ("interrupted", row.interrupted.map(|count| count as f64)),
        ("lost", row.lost.map(|count| count as f64)),
        ("lost work", row.lost_work),
    ];
    let terms = terms.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    let lines = lines.iter().map(|(name, value)| (name, *value));
    lines.chain(terms).try_for_each(|(name, value)| writeln!(out, "{name} = {}", short(value)))
}

/// Integers without decimals, other numbers with six.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.6}") }
}

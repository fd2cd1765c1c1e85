//! Prints the summary of clusters, in the layout of the summary of grids.

use std::io::{self, Write};

use comfy_table::Table;
use gridsat_cluster::statistics::{ClusterSummary, Ratio};
use gridsat_cluster::{Summary, TermCounts};
use gridsat_draw::number::percent;
use gridsat_model::text::printable;
use gridsat_statistics::Stream;

use super::super::table::{line, with_head};
use super::table::{MOST_ROWS, why};

/// Writes the lines about all clusters, and a table with one row per cluster.
pub fn write(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    for (what, value) in lines(summary) {
        line(out, what, &value)?;
    }
    writeln!(out, "\n{}", clusters(summary))?;
    match summary.clusters.len().checked_sub(MOST_ROWS) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(out, "… and {more} more (all with --format csv or json)"),
    }
}

fn lines(summary: &Summary) -> Vec<(&'static str, String)> {
    let (all, jobs, unit) = (&summary.all, &summary.all.jobs, unit(summary));
    let seconds = |ticks: f64| format!("{:.3} s", ticks / unit);
    let spread = |of: &Stream| {
        let deviation = of.deviation().map_or_else(|| "-".to_owned(), seconds);
        let (mean, most) = (seconds(of.mean()), seconds(of.most() as f64));
        format!("mean {mean}, max {most}, deviation {deviation}")
    };
    let suspended = match jobs.suspensions {
        0 => String::new(),
        count => format!(", {count} suspensions"),
    };
    let mut lines = vec![
        (
            "jobs",
            format!(
                "{} submitted, {} finished, {} killed, {} refused, {} left{suspended}",
                jobs.submitted,
                jobs.finished,
                jobs.killed,
                jobs.refused,
                all.queued + all.running
            ),
        ),
        ("end", format!("{}: {}", seconds(summary.end_time.0.as_f64()), why(summary.end))),
        ("makespan", seconds(summary.makespan.0.as_f64())),
        ("flow time", spread(&jobs.flow)),
        ("waiting time", spread(&jobs.wait)),
        ("run time", spread(&jobs.run)),
        (
            "nodes per job",
            format!(
                "mean {:.3}, from {} to {}",
                jobs.nodes.mean(),
                jobs.nodes.least(),
                jobs.nodes.most()
            ),
        ),
        (
            "slowdown",
            format!("{}; bounded: {}", ratio(&jobs.slowdown), ratio(&jobs.bounded_slowdown)),
        ),
        ("queue", format!("{:.3} jobs on average, max {}", all.queue_depth, all.max_queue_depth)),
        ("utilisation", percent(all.utilisation)),
        ("throughput", format!("{:.3} jobs per hour", 3600.0 * all.throughput * unit)),
    ];
    if jobs.terms.is_used() {
        lines.extend(terms(&jobs.terms, seconds));
    }
    let failures = &jobs.failures;
    if failures.is_used() {
        let down = percent(failures.down as f64 / (all.nodes as f64 * summary.end_time.0.as_f64()));
        let (failed, again, lost) = (failures.failed, failures.interrupted, failures.lost);
        let work = seconds(failures.lost_work as f64);
        let what = format!("{failed} nodes, {down} of their time down");
        let jobs = format!("{again} jobs interrupted, {lost} lost, work of {work} lost");
        lines.push(("failures", format!("{what}; {jobs}")));
    }
    for one in &summary.reservations {
        let (name, state) = (printable(&one.spec.name), one.state.name());
        let (used, cost) = (seconds(one.used as f64), one.cost as f64 / 1e6);
        let what = format!("{name}: {state}, {} jobs, {used} used, cost {cost}", one.jobs);
        lines.push(("reservation", what));
    }
    lines.push(("events", summary.events.to_string()));
    lines
}

/// Lines about deadlines and migrations.
fn terms(of: &TermCounts, seconds: impl Fn(f64) -> String) -> [(&'static str, String); 2] {
    let (mean, most) = (seconds(of.tardiness.mean()), seconds(of.tardiness.most() as f64));
    let deadlines = format!("{} met, {} missed; late: mean {mean}, max {most}", of.met, of.missed);
    let migrations = format!("{}, {} in all", of.migrations, seconds(of.migration as f64));
    [("deadlines", deadlines), ("migrations", migrations)]
}

fn ratio(of: &Ratio) -> String {
    format!("mean {:.3}, max {:.3}", of.mean(), of.most())
}

fn clusters(summary: &Summary) -> Table {
    let head = [
        "cluster",
        "nodes",
        "jobs",
        "mean wait (s)",
        "max wait (s)",
        "bounded slowdown",
        "mean queue",
        "utilisation",
    ];
    let mut table = with_head(head, 1..=7);
    for cluster in summary.clusters.iter().take(MOST_ROWS) {
        table.add_row(row(cluster, unit(summary)));
    }
    table
}

fn row(cluster: &ClusterSummary, unit: f64) -> [String; 8] {
    let jobs = &cluster.jobs;
    [
        printable(&cluster.name),
        cluster.nodes.to_string(),
        (jobs.finished + jobs.killed).to_string(),
        format!("{:.3}", jobs.wait.mean() / unit),
        format!("{:.3}", jobs.wait.most() as f64 / unit),
        format!("{:.3}", jobs.bounded_slowdown.mean()),
        format!("{:.3}", cluster.queue_depth),
        percent(cluster.utilisation),
    ]
}

/// Ticks per second.
fn unit(summary: &Summary) -> f64 {
    summary.scale.ticks_per_unit().as_f64()
}

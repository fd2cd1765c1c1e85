//! Prints the summary of a grid.

use std::io::{self, Write};

use super::super::table::{line, with_head};
use comfy_table::Table;
use gridsat_draw::number::percent;
use gridsat_engine::End;
use gridsat_grid::economy::Economy;
use gridsat_grid::output::Report;
use gridsat_grid::work::Work;
use gridsat_grid::{Moments, Summary};
use gridsat_model::Ticks;
use gridsat_model::text::printable;

/// Most resources or clusters in a table; JSON has all of them.
pub const MOST_ROWS: usize = 24;

pub fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let (about, version) = (report.description, gridsat_model::VERSION);
    writeln!(out, "{}, seed {} (gridsat {version})", about.name, about.seed)?;
    for (what, value) in lines(report) {
        line(out, what, &value)?;
    }
    writeln!(out, "\n{}", resources(report))?;
    match about.resources.len().checked_sub(MOST_ROWS) {
        None | Some(0) => {}
        Some(more) => writeln!(out, "… and {more} more (all with --format json)")?,
    }
    if !about.reservations.is_empty() {
        writeln!(out, "\n{}", reservations(report))?;
    }
    Ok(())
}

fn lines(report: &Report<'_>) -> Vec<(&'static str, String)> {
    let (about, summary) = (report.description, report.summary);
    let counts = &summary.counts;
    let thinking =
        report.scheduling_seconds().map_or_else(String::new, |s| format!(" in {s:.3} s"));
    let lost = if counts.lost > 0 { format!("{} lost, ", counts.lost) } else { String::new() };
    let mut lines = vec![
        ("policy", about.policies()),
        (
            "jobs",
            format!(
                "{} submitted, {} finished, {lost}{} cancelled, {} left",
                counts.submitted, counts.finished, counts.cancelled, summary.left
            ),
        ),
        ("end", format!("{}: {}", seconds(report, summary.end_time.0), reason(summary))),
        ("makespan", seconds(report, counts.makespan.0)),
        ("flow time", moments(report, &counts.flow)),
        ("waiting time", moments(report, &counts.wait)),
        ("utilisation", percent(summary.utilisation)),
        ("jobs at host", format!("{:.3} on average", summary.mean_jobs())),
        ("decisions", format!("{}{thinking}", summary.decisions)),
        ("events", summary.events.to_string()),
    ];
    if summary.downtime > 0.0 {
        lines.insert(7, ("downtime", percent(summary.downtime)));
        lines.insert(8, ("work", work(report)));
    }
    if let Some(data) = &summary.data {
        let (count, bytes) = (data.transfers, data.bytes as f64 / 1e6);
        let [time, staging] = [&data.time, &data.staging].map(|of| report.in_seconds(of.mean()));
        lines.push((
            "data",
            format!(
                "{count} transfers, {bytes:.3} MB, {time:.3} s each; jobs waited {staging:.3} s \
                 for their data"
            ),
        ));
    }
    if let Some(economy) = summary.economy {
        let Economy { spent, missed, not_affordable } = economy;
        let jobs = format!("{missed} jobs missed the deadline, {not_affordable} not affordable");
        lines.push(("money", format!("{:.3} spent, {jobs}", spent.as_f64())));
    }
    let notes = summary.notes.iter().map(|(scheduler, note)| format!("{scheduler}: {note}"));
    lines.extend(notes.map(|note| ("note", printable(&note))));
    lines
}

fn reason(summary: &Summary) -> String {
    match (&summary.stuck, summary.end) {
        (Some(why), _) => format!("stuck, {why}"),
        (None, End::NoEvents) if summary.left > 0 => "the jobs left can never be sent".to_owned(),
        (None, end) => why(end).to_owned(),
    }
}

/// Why a simulation ended, in words.
pub fn why(end: End) -> &'static str {
    match end {
        End::NoEvents => "all jobs done",
        End::TimeLimit => "time limit reached",
        End::JobLimit => "job limit reached",
        End::Inactivity => "inactivity limit reached",
        End::Asked => "ended by a command",
        End::Interrupted => "interrupted, the summary is partial",
    }
}

/// A time with the digits used in all tables; JSON and CSV have all digits.
fn seconds(report: &Report<'_>, ticks: Ticks) -> String {
    format!("{:.3} s", report.in_seconds(ticks.as_f64()))
}

fn moments(report: &Report<'_>, of: &Moments) -> String {
    let mean = report.in_seconds(of.mean());
    let max = seconds(report, of.max());
    let deviation = of.deviation().map(|ticks| report.in_seconds(ticks));
    let deviation = deviation.map_or_else(|| "-".to_owned(), |s| format!("{s:.3} s"));
    format!("mean {mean:.3} s, max {max}, deviation {deviation}")
}

/// How much of the work done was useful and how much was lost, in words.
fn work(report: &Report<'_>) -> String {
    let accounts = &report.summary.accounts;
    let given = accounts.given.in_ticks();
    let share = |work: Work| percent(if given > 0.0 { work.in_ticks() / given } else { 0.0 });
    format!(
        "{:.3} s of PEs: {} useful, {} lost, {} overhead, {} in progress",
        report.in_seconds(given),
        share(accounts.useful),
        share(accounts.lost),
        share(accounts.overhead),
        share(accounts.in_progress),
    )
}

fn resources(report: &Report<'_>) -> Table {
    let mut table =
        with_head(["resource", "policy", "PEs", "jobs", "mean jobs", "utilisation"], 2..=5);
    let both = report.description.resources.iter().zip(&report.summary.resources);
    for (facts, resource) in both.take(MOST_ROWS) {
        table.add_row([
            facts.name.clone(),
            facts.policy.name().to_owned(),
            facts.pes.to_string(),
            resource.completed.to_string(),
            format!("{:.3}", resource.mean_jobs),
            percent(resource.utilisation),
        ]);
    }
    table
}

fn reservations(report: &Report<'_>) -> Table {
    let mut table = with_head(
        [
            "reservation",
            "resource",
            "PEs",
            "asked (s)",
            "given (s)",
            "state",
            "jobs",
            "used (PE s)",
            "unused",
            "cost",
        ],
        [2, 6, 7, 8, 9],
    );
    for facts in report.reservations() {
        let nearest = facts.nearest.map(|period| format!("nearest {period}"));
        let given = facts.given.map(|period| period.to_string());
        table.add_row([
            facts.name,
            facts.resource,
            facts.pes.to_string(),
            facts.asked.to_string(),
            given.or(nearest).unwrap_or_default(),
            facts.state.to_owned(),
            facts.jobs.to_string(),
            facts.used.to_string(),
            facts.unused.to_string(),
            facts.cost.to_string(),
        ]);
    }
    table
}

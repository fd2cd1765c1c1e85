//! How a result was made: seeds, versions, commands, settings, and failures.

use super::Reported;
use super::again::{again, quoted};
use super::html::{Table, folded, heading, lines, note};
use crate::experiment::{Axis, Replication, Results};
use gridsat_draw::escaped;

/// The main facts at the top of the page.
pub(super) fn facts(results: &Results) -> String {
    let experiment = &results.experiment;
    let replications = experiment.replications;
    let last = experiment.world_seed(Replication(replications - 1));
    let seeds = match replications {
        1 => experiment.seed.to_string(),
        _ => format!("{} to {last}", experiment.seed),
    };
    let facts = [
        ("runs", experiment.run_count().to_string()),
        ("points", experiment.point_count().to_string()),
        ("replications per point", replications.to_string()),
        ("seeds", seeds),
        ("algorithms", experiment.algorithms.len().to_string()),
        ("baseline", experiment.baseline.clone().unwrap_or_default()),
        ("gridsat", results.version.clone()),
    ];
    let shown = facts.iter().filter(|(_, value)| !value.is_empty());
    let fact = |(name, value): &(&str, String)| {
        format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escaped(value))
    };
    format!("<dl class=\"facts\">\n{}</dl>\n", shown.map(fact).collect::<String>())
}

/// A warning at the top if runs failed.
pub(super) fn warning(results: &Results, id: &str) -> String {
    let count = results.failures().count();
    if count == 0 {
        return String::new();
    }
    let of = results.experiment.run_count();
    format!(
        "<p class=\"warning\"><a href=\"#{id}\">{count} of {of} runs failed</a>; means and \
         comparisons leave them out.</p>\n"
    )
}

/// Commands, sweeps and settings.
pub(super) fn details(part: &Reported) -> String {
    let experiment = &part.results.experiment;
    let again = again(experiment);
    let report = format!("gridsat report {}", quoted(&part.file));
    let mut out =
        "<p>Runs with the same seed have the same machines, jobs and loads, whatever the \
        algorithm. These commands reproduce the result and this page:</p>\n"
            .to_owned();
    out += &lines(&format!("{} --result {}\n{report}", again.command, quoted(&part.file)));
    let version = &part.results.version;
    let remark = again.remark;
    out += &note(format!("Only gridsat {version} gives the same bytes. {remark}").trim_end());
    if !experiment.axes.is_empty() {
        out += &sweeps(&experiment.axes).folded("What is swept", "");
    }
    let settings = serde_json::to_string_pretty(&experiment.base).unwrap_or_default();
    let title = format!("Settings of the subject “{}” before the sweep", experiment.subject);
    out + &folded(&title, &lines(&settings), false)
}

fn sweeps(axes: &[Axis]) -> Table {
    let row = |axis: &Axis| {
        let values: Vec<String> =
            (0..axis.values.len()).map(|place| axis.value_label(place)).collect();
        let factor = |place: usize| axis.factors.get(place).map(|factor| format!(" (× {factor})"));
        let keys = axis.keys.iter().enumerate();
        let keys = keys.map(|(place, key)| format!("{key}{}", factor(place).unwrap_or_default()));
        vec![axis.label(), values.join(", "), keys.collect::<Vec<_>>().join(", ")]
    };
    Table {
        label: "What is swept".to_owned(),
        head: ["parameter", "values", "keys"].map(str::to_owned).to_vec(),
        rows: axes.iter().map(row).collect(),
        names: 1,
        numbers: false,
    }
}

/// The list of failed runs.
pub(super) fn failures(results: &Results, id: &str, level: u8) -> String {
    let row = |(run, why): (String, &str)| vec![run, why.to_owned()];
    let rows: Vec<Vec<String>> = results.failures().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = ["run", "reason"].map(str::to_owned).to_vec();
    let title = format!("{} failed runs", rows.len());
    let table = Table { label: title.clone(), head, rows, names: 1, numbers: false };
    heading(level, id, &title) + &table.folded("Failed runs and their reasons", "")
}

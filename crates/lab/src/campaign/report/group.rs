//! Rows of one class or size, put together.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::super::row::{Row, Status};
use super::{By, Entry};

/// Shorter times are inaccurate and would dominate a geometric mean.
const LEAST_SECONDS: f64 = 0.001;

/// The results of a solver on the instances of a class or size.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Group {
    /// Class of the instances; null for all classes.
    pub class: Option<String>,
    /// Number of tasks, 0 if no answer says it; null for all instances.
    pub tasks: Option<u64>,
    /// Number of hosts; null with `--by class` and for all instances.
    pub hosts: Option<u64>,
    /// Name of the solver in this report.
    pub solver: String,
    /// What was measured.
    #[serde(flatten)]
    pub measures: Measures,
}

/// What was measured over some instances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Measures {
    /// Number of instances.
    pub instances: usize,
    /// Instances proven optimal, by an accepted certificate if gridsat ran.
    pub proven: usize,
    /// Runs without an answer. Errors do not count below, a run that was ended has its limit.
    pub failed: usize,
    /// Runs without a mapping.
    pub without_mapping: usize,
    /// Geometric mean of CPU seconds; what is not proven counts with the limit. Null if all failed.
    pub mean_seconds: Option<f64>,
    /// The longest of these times.
    pub max_seconds: Option<f64>,
    /// Geometric mean of the gaps that are not proven to be 0; null without any.
    pub mean_gap: Option<f64>,
    /// The largest gap; null without a mapping.
    pub max_gap: Option<f64>,
    /// CPU time of checking certificates over that of solving; null for peers.
    pub check_share: Option<f64>,
    /// Largest peak memory in MiB.
    pub max_peak_mib: Option<f64>,
    /// Time of the first solver over the time of this one, geometric mean over the instances that
    /// both ran; null for the first solver.
    pub ratio: Option<f64>,
    /// Number of these instances.
    pub ratio_instances: usize,
}

type Place = (Option<String>, u64, Option<u64>);

/// One group per class or size and solver, then one per solver over everything.
pub(super) fn groups(entries: &[&Entry<'_>], by: By) -> Vec<Group> {
    let place = |entry: &Entry<'_>| -> Place {
        let class = (by != By::Size).then(|| entry.row.class.clone());
        (class, entry.tasks, (by != By::Class).then_some(entry.hosts))
    };
    let places: BTreeSet<Place> = entries.iter().map(|entry| place(entry)).collect();
    let of_place = |at: &Place| {
        let some: Vec<&Entry<'_>> =
            entries.iter().copied().filter(|entry| place(entry) == *at).collect();
        by_solver(&some, Some(at))
    };
    let mut groups: Vec<Group> = places.iter().flat_map(of_place).collect();
    if places.len() > 1 {
        groups.extend(by_solver(entries, None));
    }
    groups
}

fn by_solver(entries: &[&Entry<'_>], place: Option<&Place>) -> Vec<Group> {
    let ranks: BTreeSet<usize> = entries.iter().map(|entry| entry.rank).collect();
    let of = |rank: usize| -> Vec<&Entry<'_>> {
        entries.iter().copied().filter(|entry| entry.rank == rank).collect()
    };
    let first = of(0);
    let group = |rank: usize| {
        let some = of(rank);
        let base = if rank == 0 { &[] } else { first.as_slice() };
        Group {
            class: place.and_then(|(class, _, _)| class.clone()),
            tasks: place.map(|(_, tasks, _)| *tasks),
            hosts: place.and_then(|(_, _, hosts)| *hosts),
            solver: some.first().map_or(String::new(), |entry| entry.solver.clone()),
            measures: Measures::new(&some, base),
        }
    };
    ranks.into_iter().map(group).collect()
}

impl Measures {
    fn new(entries: &[&Entry<'_>], base: &[&Entry<'_>]) -> Self {
        let rows: Vec<&Row> = entries.iter().map(|entry| entry.row).collect();
        let ran: Vec<&Row> = rows.iter().copied().filter(|row| has_run(row)).collect();
        let seconds: Vec<f64> = ran.iter().map(|row| counted(row)).collect();
        let unproven = || ran.iter().filter(|row| !row.is_proven());
        let gaps: Vec<f64> = unproven().filter_map(|row| row.gap).collect();
        let checks: Vec<&Row> = ran.iter().copied().filter(|row| row.is_ours()).collect();
        let checked: f64 = checks.iter().filter_map(|row| row.check_cpu_seconds).sum();
        let solved: f64 = checks.iter().map(|row| row.cpu_seconds).sum();
        let ratios = ratios(base, &ran);
        Self {
            instances: rows.len(),
            proven: rows.iter().filter(|row| row.is_proven()).count(),
            failed: rows.iter().filter(|row| row.has_failed()).count(),
            without_mapping: ran.iter().filter(|row| row.makespan.is_none()).count(),
            mean_seconds: geometric_mean(&seconds),
            max_seconds: largest(seconds.iter().copied()),
            mean_gap: geometric_mean(&gaps),
            max_gap: largest(ran.iter().filter_map(|row| row.gap)),
            check_share: (solved > 0.0).then(|| checked / solved),
            max_peak_mib: largest(ran.iter().filter_map(|row| row.peak_mib)),
            ratio: geometric_mean(&ratios),
            ratio_instances: ratios.len(),
        }
    }
}

/// Whether the solver worked on the instance, even if it had to be ended.
fn has_run(row: &Row) -> bool {
    row.status != Status::Error
}

/// The time of a row in means.
pub(super) fn counted(row: &Row) -> f64 {
    if row.is_proven() { row.search_seconds() } else { row.time_limit }.max(LEAST_SECONDS)
}

fn ratios(base: &[&Entry<'_>], rows: &[&Row]) -> Vec<f64> {
    let base: BTreeMap<&str, f64> = base
        .iter()
        .filter(|entry| has_run(entry.row))
        .map(|entry| (entry.row.instance.as_str(), counted(entry.row)))
        .collect();
    let ratio = |row: &&Row| base.get(row.instance.as_str()).map(|seconds| seconds / counted(row));
    rows.iter().filter_map(ratio).collect()
}

/// 0 if any value is 0; `None` without values.
fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| libm::log(*value)).sum();
    (!values.is_empty()).then(|| libm::exp(sum / values.len() as f64))
}

fn largest(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::super::row::made;
    use super::super::entries;
    use super::*;

    fn row(instance: &str, solver: &str, cpu_seconds: f64, bound: &str) -> Row {
        let gap = (bound != "10").then_some(0.1).or(Some(0.0));
        Row { cpu_seconds, gap, ..made(instance, solver, "10", bound) }
    }

    #[test]
    fn times_gaps_and_ratios() {
        let rows = [
            row("a/1", "gridsat", 1.0, "10"),
            row("a/1", "lr", 4.0, "10"),
            row("a/2", "gridsat", 4.0, "10"),
            row("a/2", "lr", 3.0, "9"),
            Row { status: Status::Error, ..row("a/3", "lr", 0.0, "10") },
        ];
        let entries = entries(&rows);
        let all: Vec<&Entry<'_>> = entries.iter().collect();
        let groups = groups(&all, By::Class);
        assert_eq!(groups.len(), 2, "one place: no line for all");
        let (ours, lr) = (&groups[0], &groups[1]);
        assert_eq!((ours.solver.as_str(), lr.solver.as_str()), ("gridsat", "lr"));
        assert_eq!((ours.measures.proven, ours.measures.instances), (2, 2));
        let near = |value: Option<f64>, expected: f64| {
            assert!(value.is_some_and(|value| (value - expected).abs() < 1e-9), "{value:?}");
        };
        near(ours.measures.mean_seconds, 2.0);
        // Not proven: counts with the limit of 10 s.
        near(lr.measures.mean_seconds, 40.0_f64.sqrt());
        near(lr.measures.ratio, (0.25 * 0.4_f64).sqrt());
        near(lr.measures.mean_gap, 0.1);
        assert_eq!((ours.measures.ratio, ours.measures.mean_gap), (None, None));
        assert_eq!((lr.measures.failed, lr.measures.instances), (1, 3));
        assert_eq!(lr.measures.ratio_instances, 2);
    }

    #[test]
    fn sizes_and_start_times() {
        let quick = Row { start_cpu_seconds: Some(0.9), ..row("a/1", "lr", 1.0, "10") };
        assert!((counted(&quick) - 0.1).abs() < 1e-9);
        let rows = [quick, Row { hosts: Some(9), ..row("a/2", "lr", 1.0, "10") }];
        let entries = entries(&rows);
        let all: Vec<&Entry<'_>> = entries.iter().collect();
        let hosts = |by| groups(&all, by).iter().map(|group| group.hosts).collect::<Vec<_>>();
        assert_eq!(hosts(By::Class), [None]);
        assert_eq!(hosts(By::Size), [Some(5), Some(9), None]);
        assert_eq!(hosts(By::Both), [Some(5), Some(9), None]);
    }
}

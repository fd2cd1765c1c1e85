//! What a campaign says: counts, times, gaps and ratios by class and size, and contradictions.
//!
//! Times are CPU seconds. An instance without proof counts with the time limit; a run that failed
//! does not count, because a package that is not installed must not look like a slow solver.

mod contradictions;
mod group;
mod plot;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

pub use group::{Group, Measures};
pub use plot::plot;

use super::exact::Exact;
use super::known::KnownValues;
use super::row::{Row, Status};

/// How rows are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Class and number of tasks.
    Class,
    /// Number of tasks and number of hosts.
    Size,
    /// Class, number of tasks and number of hosts.
    Both,
    /// Every instance alone.
    Instance,
}

/// The report of a campaign. Times are CPU seconds, ratios and gaps fractions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// What solved the instances; the first is the one that others are compared with.
    pub solvers: Vec<SolverNote>,
    /// What cannot be true: rejected certificates, values that contradict each other or known ones.
    pub contradictions: Vec<String>,
    /// Runs without an answer, and why.
    pub failures: Vec<String>,
    /// Results of gridsat beside what was known.
    pub literature: Literature,
    /// One per time limit and number of threads.
    pub sections: Vec<Section>,
}

/// A solver of the report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SolverNote {
    /// Its name in this report.
    pub solver: String,
    /// Options of `solve`, or the command of a peer.
    pub options: String,
    /// The versions that ran.
    pub versions: Vec<String>,
}

/// How many instances of gridsat have known values, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Literature {
    /// Instances with a known optimum or bounds.
    pub known: usize,
    /// Instances with a makespan below the best known one.
    pub improved: usize,
    /// Instances proven optimal whose optimum was not known.
    pub settled: usize,
}

/// The results with one limit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Section {
    /// Seconds that each solver was allowed.
    pub time_limit: f64,
    /// Threads that each solver was allowed.
    pub threads: usize,
    /// One per class or size and solver, then one per solver over all instances; empty with
    /// `--by instance`.
    pub groups: Vec<Group>,
    /// One per instance and solver; empty without `--by instance`.
    pub lines: Vec<Line>,
}

/// One result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// Folder and file name of the instance.
    pub instance: String,
    /// Name of the solver in this report.
    pub solver: String,
    /// As in the results.
    pub status: Status,
    /// Whether it is proven optimal, by an accepted certificate if gridsat ran.
    pub proven: bool,
    /// Null without one.
    pub lower_bound: Option<Exact>,
    /// Null without a mapping.
    pub makespan: Option<Exact>,
    /// Null without one of them.
    pub gap: Option<f64>,
    /// CPU time of the search.
    pub seconds: f64,
    /// Peak memory in MiB; null if unknown.
    pub peak_mib: Option<f64>,
    /// Known optimum or bounds; null if there are none.
    pub known: Option<String>,
}

/// A row with what the report adds to it.
pub(crate) struct Entry<'a> {
    row: &'a Row,
    /// Name of the solver in the report, and its rank.
    solver: String,
    rank: usize,
    tasks: u64,
    hosts: u64,
}

impl Report {
    /// The report of these rows.
    pub fn new(rows: &[Row], known: &KnownValues, by: By) -> Self {
        let entries = entries(rows);
        let limits: BTreeSet<(u64, usize)> = rows.iter().map(limits).collect();
        let section = |limit: (u64, usize)| {
            let some: Vec<&Entry<'_>> =
                entries.iter().filter(|entry| limits_of(entry) == limit).collect();
            let (time_limit, threads) = (f64::from_bits(limit.0), limit.1);
            let (groups, lines) = match by {
                By::Instance => (Vec::new(), some.iter().map(|one| line(one, known)).collect()),
                by => (group::groups(&some, by), Vec::new()),
            };
            Section { time_limit, threads, groups, lines }
        };
        Self {
            solvers: solvers(&entries),
            contradictions: contradictions::all(&entries, known),
            failures: rows.iter().filter(|row| row.has_failed()).map(failure).collect(),
            literature: literature(rows, known),
            sections: limits.into_iter().map(section).collect(),
        }
    }
}

/// Limits in an order: seconds are not negative, so that their bits are ordered as they are.
fn limits(row: &Row) -> (u64, usize) {
    (row.time_limit.to_bits(), row.threads)
}

fn limits_of(entry: &Entry<'_>) -> (u64, usize) {
    limits(entry.row)
}

/// The rows with names of solvers.
pub(crate) fn entries(rows: &[Row]) -> Vec<Entry<'_>> {
    let names = Names::of(rows);
    // Ours first, then peers as they come.
    let (ours, peers): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.is_ours());
    let mut ranks: BTreeMap<String, usize> = BTreeMap::new();
    for row in ours.into_iter().chain(peers) {
        let next = ranks.len();
        ranks.entry(names.name(row)).or_insert(next);
    }
    let mut sizes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in rows {
        if let (Some(tasks), Some(hosts)) = (row.tasks, row.hosts) {
            sizes.insert(&row.instance, (tasks, hosts));
        }
    }
    let entry = |row| {
        let solver = names.name(row);
        let (tasks, hosts) = sizes.get(row.instance.as_str()).copied().unwrap_or_default();
        Entry { row, rank: ranks[&solver], solver, tasks, hosts }
    };
    rows.iter().map(entry).collect()
}

/// Options and versions of each solver: they are part of its name where they distinguish two.
struct Names<'a>(BTreeMap<&'a str, [BTreeSet<&'a str>; 2]>);

impl<'a> Names<'a> {
    fn of(rows: &'a [Row]) -> Self {
        let mut of: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
        for row in rows {
            let [options, versions] = of.entry(&row.solver).or_default();
            options.insert(&row.options);
            versions.insert(&row.gridsat);
        }
        Self(of)
    }

    fn name(&self, row: &Row) -> String {
        let is_several = |place: usize| {
            self.0.get(row.solver.as_str()).is_some_and(|sets| sets[place].len() > 1)
        };
        let mut name = row.solver.clone();
        if is_several(0) && !row.options.is_empty() {
            name = format!("{name} {}", row.options);
        }
        if row.is_ours() && is_several(1) {
            name = format!("{name} [{}]", row.gridsat);
        }
        name
    }
}

fn solvers(entries: &[Entry<'_>]) -> Vec<SolverNote> {
    let last = entries.iter().map(|entry| entry.rank).max();
    let note = |rank: usize| {
        let of: Vec<&Entry<'_>> = entries.iter().filter(|entry| entry.rank == rank).collect();
        let version = |entry: &&Entry<'_>| match entry.row.is_ours() {
            true => Some(entry.row.gridsat.clone()),
            false => entry.row.version.clone(),
        };
        let versions: BTreeSet<String> = of.iter().filter_map(version).collect();
        let first = of.first()?;
        let options = first.row.options.clone();
        let versions = versions.into_iter().collect();
        Some(SolverNote { solver: first.solver.clone(), options, versions })
    };
    last.map_or(0..0, |last| 0..last + 1).filter_map(note).collect()
}

fn failure(row: &Row) -> String {
    let why = row.note.as_deref().unwrap_or("no answer");
    format!("{}, {}, {} s: {why}", row.instance, row.solver, row.time_limit)
}

fn literature(rows: &[Row], known: &KnownValues) -> Literature {
    let mut names = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for row in rows.iter().filter(|row| row.is_ours()) {
        for value in known.of(row) {
            names[0].insert(&row.instance);
            let upper = value.upper.filter(|upper| row.makespan.is_some_and(|own| own < *upper));
            upper.map(|_| names[1].insert(&row.instance));
            if row.is_proven() && !value.is_optimum() {
                names[2].insert(&row.instance);
            }
        }
    }
    let [known, improved, settled] = names.map(|names| names.len());
    Literature { known, improved, settled }
}

fn line(entry: &Entry<'_>, known: &KnownValues) -> Line {
    let row = entry.row;
    Line {
        instance: row.instance.clone(),
        solver: entry.solver.clone(),
        status: row.status,
        proven: row.is_proven(),
        lower_bound: row.lower_bound,
        makespan: row.makespan,
        gap: row.gap,
        seconds: row.search_seconds(),
        peak_mib: row.peak_mib,
        known: known.of(row).next().map(|known| known.to_string()),
    }
}

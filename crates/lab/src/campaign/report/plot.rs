//! How many instances are proven by when, as SVG.

use std::collections::BTreeMap;

use gridsat_draw::steps::{Curve, Steps, svg};

use super::super::row::Row;
use super::group::counted;
use super::{Entry, entries, limits_of};

/// The plot of the rows with the longest limit: one curve per solver, or one per class if there is
/// one solver only.
pub fn plot(rows: &[Row], title: &str) -> String {
    let entries = entries(rows);
    let last = entries.iter().map(limits_of).max();
    let shown: Vec<&Entry<'_>> =
        entries.iter().filter(|entry| Some(limits_of(entry)) == last).collect();
    let is_one = shown.iter().all(|entry| entry.rank == shown[0].rank);
    let mut curves: BTreeMap<(usize, &str), Curve> = BTreeMap::new();
    for entry in &shown {
        let name = if is_one { entry.row.class.as_str() } else { entry.solver.as_str() };
        let curve = curves.entry((entry.rank, name)).or_insert_with(|| Curve {
            name: name.to_owned(),
            times: Vec::new(),
            of: 0,
        });
        curve.of += 1;
        if entry.row.is_proven() {
            curve.times.push(counted(entry.row));
        }
    }
    let limit = shown.first().map_or(1.0, |entry| entry.row.time_limit);
    svg(&Steps {
        title: title.to_owned(),
        x: "CPU seconds".to_owned(),
        y: "instances proven optimal".to_owned(),
        limit,
        curves: curves.into_values().collect(),
    })
}

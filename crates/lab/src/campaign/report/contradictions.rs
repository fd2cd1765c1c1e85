//! What cannot be true.

use std::collections::BTreeMap;

use super::super::known::KnownValues;
use super::super::row::Row;
use super::Entry;

/// All contradictions, in the order of the rows.
pub(super) fn all(entries: &[Entry<'_>], known: &KnownValues) -> Vec<String> {
    let best = best(entries);
    entries.iter().flat_map(|entry| of(entry, known, &best)).collect()
}

fn of(entry: &Entry<'_>, known: &KnownValues, best: &Best<'_>) -> Vec<String> {
    let row = entry.row;
    let mut found = Vec::new();
    if row.accepted == Some(false) {
        let what = if row.is_ours() { "certificate rejected" } else { "mapping rejected" };
        found.push(format!("{what}: {}", row.note.as_deref().unwrap_or("without a reason")));
    }
    found.extend(known.of(row).flat_map(|known| known.objections(row)));
    if let (Some(bound), Some(other)) = (row.lower_bound, best.get(row.instance.as_str()))
        && let Some(makespan) = other.row.makespan.filter(|makespan| bound > *makespan)
    {
        found.push(format!(
            "lower bound {bound} is above the makespan {makespan} of {}",
            other.solver
        ));
    }
    let who = format!("{}, {}, {} s", row.instance, entry.solver, row.time_limit);
    found.into_iter().map(|what| format!("{who}: {what}")).collect()
}

/// The result with the smallest makespan of each instance, unless its mapping was rejected.
type Best<'a> = BTreeMap<&'a str, &'a Entry<'a>>;

fn best<'a>(entries: &'a [Entry<'a>]) -> Best<'a> {
    let mut best: Best<'a> = BTreeMap::new();
    let usable = |row: &Row| row.makespan.is_some() && row.accepted != Some(false);
    for entry in entries.iter().filter(|entry| usable(entry.row)) {
        let place = best.entry(&entry.row.instance).or_insert(entry);
        if entry.row.makespan < place.row.makespan {
            *place = entry;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::super::row::made;
    use super::super::entries;
    use super::*;

    fn contradictions(rows: &[Row]) -> Vec<String> {
        all(&entries(rows), &KnownValues::default())
    }

    #[test]
    fn agreement_is_silent() {
        assert_eq!(
            contradictions(&[made("a/b", "gridsat", "7", "7"), made("a/b", "lr", "8", "6.5")]),
            [""; 0]
        );
    }

    #[test]
    fn every_kind_is_found() {
        let known = |text: &str, makespan, bound| Row {
            known: Some(text.to_owned()),
            ..made("a/b", "gridsat", makespan, bound)
        };
        let rejected = |solver: &str| Row {
            accepted: Some(false),
            note: Some("why".to_owned()),
            ..made("a/b", solver, "7", "7")
        };
        for (rows, part) in [
            (vec![known("8..9", "7", "7")], "makespan 7 is below the known bound 8"),
            (vec![known("5..6", "7", "7")], "lower bound 7 is above the known makespan 6"),
            (vec![rejected("gridsat")], "gridsat, 10 s: certificate rejected: why"),
            (vec![rejected("lr")], "lr, 10 s: mapping rejected: why"),
            (
                vec![made("a/b", "gridsat", "7", "7"), made("a/b", "lr", "9", "8")],
                "a/b, lr, 10 s: lower bound 8 is above the makespan 7 of gridsat",
            ),
        ] {
            let found = contradictions(&rows);
            assert!(found.len() == 1 && found[0].contains(part), "{found:?}");
        }
        // A rejected mapping refutes nobody.
        let liar = Row { accepted: Some(false), ..made("a/b", "lr", "5", "5") };
        assert_eq!(contradictions(&[made("a/b", "gridsat", "7", "7"), liar]).len(), 1);
    }
}

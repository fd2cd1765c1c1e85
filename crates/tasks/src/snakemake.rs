//! Snakemake's `benchmark:` tables: one row per repetition. With `--benchmark-extended` the rule
//! and its wildcards name the task, else the file does.

use std::path::Path;

use crate::Record;
use crate::error::Fault;
use crate::nanos::seconds;
use crate::table::Table;

pub fn read(text: &str, source: &str) -> Result<Vec<Record>, Fault> {
    let table = Table::new(text, '\t');
    let time = table.one_of(&["s"])?;
    let (rule, wildcards) = (table.column("rule_name"), table.column("wildcards"));
    let stem = Path::new(source).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_else(|| source.to_owned());
    let mut records = Vec::new();
    for row in table.rows() {
        let row = row?;
        let group = row.some(rule);
        let name = match (&group, row.some(wildcards)) {
            (Some(rule), Some(wildcards)) if wildcards != "{}" => format!("{rule} {wildcards}"),
            (Some(rule), _) => rule.clone(),
            (None, _) => stem.clone(),
        };
        // A job that was too short to be measured has no time.
        if matches!(row.cell(time), "-" | "NA") {
            continue;
        }
        records.push(Record { group, ..Record::new(name, row.nanos(time, seconds)?) });
    }
    Ok(records)
}

//! Nextflow's trace (`-with-trace`): one row per task. `realtime` is the time that it ran, either
//! in words (`1m 3s`) or, with `trace.raw`, in milliseconds; without that column `duration` is
//! taken, which includes waiting.

use crate::Record;
use crate::error::Fault;
use crate::nanos::duration;
use crate::table::Table;

pub fn read(text: &str) -> Result<Vec<Record>, Fault> {
    let table = Table::new(text, '\t');
    let time = table.one_of(&["realtime", "duration"])?;
    let (process, tag) = (table.column("process"), table.column("tag"));
    let name = table.one_of(&["name", "process"])?;
    let (status, host) = (table.column("status"), table.column("hostname"));
    let mut records = Vec::new();
    for row in table.rows() {
        let row = row?;
        // Not run yet, or not measured.
        if row.cell(time) == "-" {
            continue;
        }
        let status = row.some(status);
        let mut full = row.cell(name).to_owned();
        if let (true, Some(tag)) = (Some(name) == process, row.some(tag)) {
            full = format!("{full} ({tag})");
        }
        let nanos = row.nanos(time, milliseconds_or_words)?;
        records.push(Record {
            // Names are a process with its tag in brackets.
            group: row.some(process).or_else(|| Some(before_tag(&full).to_owned())),
            host: row.some(host).filter(|host| host != "-"),
            succeeded: status.is_none_or(|status| matches!(&*status, "COMPLETED" | "CACHED")),
            ..Record::new(full.clone(), nanos)
        });
    }
    Ok(records)
}

fn milliseconds_or_words(text: &str) -> Result<u64, String> {
    let is_raw = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_raw { duration(&format!("{text}ms")) } else { duration(text) }
}

fn before_tag(name: &str) -> &str {
    name.split_once(" (").map_or(name, |(process, _)| process)
}

//! The report as CSV, with the fields of the JSON output in their order.

use std::io::{self, Write};

use gridsat_lab::campaign::{Group, Line, Report};
use serde_json::Value;

/// A row: names of columns and cells.
type Row = Vec<(String, String)>;

pub fn write(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let mut is_first = true;
    for section in &report.sections {
        let limits = [
            ("time_limit", section.time_limit.to_string()),
            ("threads", section.threads.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value));
        let groups = section.groups.iter().map(of_group);
        for row in groups.chain(section.lines.iter().map(of_line)) {
            let row: Row = limits.iter().cloned().chain(row).collect();
            if is_first {
                csv.write_record(row.iter().map(|(name, _)| name))?;
                is_first = false;
            }
            csv.write_record(row.iter().map(|(_, cell)| cell))?;
        }
    }
    csv.flush()
}

fn of_group(group: &Group) -> Row {
    let Ok(Value::Object(fields)) = serde_json::to_value(group) else { return Row::new() };
    let cell = |value: Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    fields.into_iter().map(|(name, value)| (name, cell(value))).collect()
}

/// Written out, because a JSON value would cut the digits of makespans.
fn of_line(line: &Line) -> Row {
    fn cell(value: Option<impl ToString>) -> String {
        value.map_or(String::new(), |value| value.to_string())
    }
    let status = format!("{:?}", line.status).to_lowercase();
    let cells = [
        ("instance", line.instance.clone()),
        ("solver", line.solver.clone()),
        ("status", status),
        ("proven", line.proven.to_string()),
        ("lower_bound", cell(line.lower_bound)),
        ("makespan", cell(line.makespan)),
        ("gap", cell(line.gap)),
        ("seconds", line.seconds.to_string()),
        ("peak_mib", cell(line.peak_mib)),
        ("known", line.known.clone().unwrap_or_default()),
    ];
    cells.map(|(name, cell)| (name.to_owned(), cell)).into()
}

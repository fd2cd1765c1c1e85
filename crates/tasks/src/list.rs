//! Lists that people write: CSV or TSV with a header, JSON, or one name per line.
//!
//! Columns and keys: `task` (or `name`, `test`), `time` (or `duration`, `seconds`), and,
//! optionally, `group`, `command` and `host`. An empty time means that the task was never measured.

use serde::Deserialize;

use crate::Record;
use crate::error::Fault;
use crate::json::{self, Seconds};
use crate::nanos::duration;
use gridsat_model::text::excerpt;

/// Columns with the task.
pub const NAMES: [&str; 4] = ["task", "name", "test", "job"];
/// Columns with its time.
pub const TIMES: [&str; 5] = ["time", "duration", "seconds", "runtime", "elapsed"];

pub fn read(text: &str) -> Result<Vec<Record>, Fault> {
    match text.trim_start().as_bytes().first() {
        Some(b'{' | b'[') => read_json(text),
        _ => read_table(text),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(alias = "task", alias = "test")]
    name: String,
    #[serde(alias = "duration", alias = "seconds")]
    time: Option<Seconds>,
    group: Option<String>,
    command: Option<String>,
    host: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    tasks: Vec<Entry>,
}

fn read_json(text: &str) -> Result<Vec<Record>, Fault> {
    let entries: Vec<Entry> = match text.trim_start().starts_with('[') {
        true => json::read(text)?,
        false => json::read::<Listed>(text)?.tasks,
    };
    let record = |Entry { name, time, group, command, host }| {
        let nanos = time.map(|Seconds(nanos)| nanos);
        Record { name, nanos, group, command, host, succeeded: true }
    };
    Ok(entries.into_iter().map(record).collect())
}

fn read_table(text: &str) -> Result<Vec<Record>, Fault> {
    let first = text.lines().next().unwrap_or_default();
    let separator = [b'\t', b';'].into_iter().find(|&mark| first.as_bytes().contains(&mark));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator.unwrap_or(b','))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let head = reader.headers().map_err(of_csv)?.clone();
    let column = |names: &[&str]| {
        names.iter().find_map(|name| head.iter().position(|cell| cell.eq_ignore_ascii_case(name)))
    };
    let missing = |names: &[&str]| Fault::at(1, format!("no column {}", names.join(" or ")));
    let name = column(&NAMES).ok_or_else(|| missing(&NAMES))?;
    let time = column(&TIMES).ok_or_else(|| missing(&TIMES))?;
    let (group, command, host) = (column(&["group"]), column(&["command"]), column(&["host"]));
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(of_csv)?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |column: Option<usize>| {
            column.and_then(|column| row.get(column)).filter(|cell| !cell.is_empty())
        };
        let label = cell(Some(name)).ok_or_else(|| Fault::at(line, "the task has no name"))?;
        let nanos = cell(Some(time)).map(duration).transpose();
        let nanos =
            nanos.map_err(|why| Fault::at(line, format!("task '{}': {why}", excerpt(label))))?;
        records.push(Record {
            name: label.to_owned(),
            nanos,
            group: cell(group).map(str::to_owned),
            command: cell(command).map(str::to_owned),
            host: cell(host).map(str::to_owned),
            succeeded: true,
        });
    }
    Ok(records)
}

fn of_csv(error: csv::Error) -> Fault {
    let line = error.position().map(csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} columns, expected {expected_len}")
        }
        _ => error.to_string(),
    };
    Fault { line, message }
}

/// Names of tasks that exist now, one per line, up to the first blank line after them.
///
/// What `pytest --collect-only -q`, `cargo nextest list --message-format oneline` and `playwright
/// test --list` print is read as it is: their first and last lines and Playwright's line numbers
/// are left out.
///
/// ```
/// let names = gridsat_tasks::read_names("a.py::one\na.py::two\n\n2 tests collected in 0.01s\n");
/// assert_eq!(names, ["a.py::one", "a.py::two"]);
/// ```
pub fn read_names(text: &str) -> Vec<String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let lines = lines.skip_while(|line| line.is_empty() || *line == "Listing tests:");
    let lines = lines.take_while(|line| !line.is_empty() && !is_total(line));
    lines.map(without_place).collect()
}

/// Whether this is Playwright's last line.
fn is_total(line: &str) -> bool {
    line.starts_with("Total: ") && line.contains(" test")
}

/// `[project] › file:12:3 › title` without the line and column.
fn without_place(line: &str) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = |part: &str| {
        let mut ends = part.rsplitn(3, ':');
        match (ends.next(), ends.next(), ends.next()) {
            (Some(column), Some(row), Some(file)) if is_number(column) && is_number(row) => {
                file.to_owned()
            }
            _ => part.to_owned(),
        }
    };
    match line.contains(" › ") {
        true => {
            let mut parts: Vec<String> = line.split(" › ").map(str::to_owned).collect();
            // The file is first, or second after the project.
            let at = usize::from(parts[0].starts_with('[') && parts.len() > 1);
            parts[at] = plain(&parts[at]);
            parts.join(" › ")
        }
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_json_say_the_same() {
        let csv = "task,time,group,command\na,1.5,g,run a\nb,,,\n\"c, d\",1m,,\n";
        let tsv = "name\tseconds\tgroup\tcommand\na\t1.5\tg\trun a\nb\t\t\t\nc, d\t60\t\t\n";
        let json = r#"{"tasks": [{"name": "a", "time": 1.5, "group": "g", "command": "run a"},
                       {"name": "b"}, {"name": "c, d", "time": 60}]}"#;
        let expected = read(csv).expect("valid");
        assert_eq!(expected[2].nanos, Some(60_000_000_000));
        assert_eq!(expected[1].nanos, None);
        assert_eq!(read(tsv).as_ref(), Ok(&expected));
        assert_eq!(read(json).as_ref(), Ok(&expected));
        assert_eq!(read(&json[10..json.len() - 1]).as_ref(), Ok(&expected));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let cases = [
            (
                "task,time\na,1\nb,x\n",
                3,
                "task 'b': 'x' is not a duration (units: ns, us, ms, s, m, h, d)",
            ),
            ("task,time\na\n", 2, "1 columns, expected 2"),
            ("task,time\n,3\n", 2, "the task has no name"),
            ("task,when\na,3\n", 1, "no column time or duration or seconds or runtime or elapsed"),
            (
                "[\n{\"name\": \"a\", \"tim\": 3}]",
                2,
                "unknown field `tim`, expected one of `name`, `task`, `test`, `duration`, \
                 `seconds`, `time`, `group`, `command`, `host`",
            ),
            ("[\n{\"name\": \"a\", \"time\": -3}]", 2, "'-3' is negative"),
        ];
        for (text, line, message) in cases {
            let fault = read(text).expect_err(text);
            assert_eq!((fault.line, &*fault.message), (Some(line), message), "{text}");
        }
    }

    #[test]
    fn lists_of_test_runners_are_names() {
        let playwright = "Listing tests:\n  [one] › cart.spec.ts:4:3 › with › 1:2 › cheaper\n\
                          Total: 1 test in 1 file\n";
        assert_eq!(read_names(playwright), ["[one] › cart.spec.ts › with › 1:2 › cheaper"]);
        assert_eq!(read_names("shapes tests::area\n"), ["shapes tests::area"]);
    }
}

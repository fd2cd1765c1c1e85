//! GNU parallel's `--joblog`: one row per job with its command, host and run time. The host `:` is
//! the machine on which parallel itself ran.

use crate::Record;
use crate::error::Fault;
use crate::nanos::seconds;
use crate::table::Table;

pub fn read(text: &str) -> Result<Vec<Record>, Fault> {
    let table = Table::new(text, '\t');
    let (time, command) = (table.one_of(&["JobRuntime"])?, table.one_of(&["Command"])?);
    let (host, exit, signal) =
        (table.column("Host"), table.column("Exitval"), table.column("Signal"));
    let mut records = Vec::new();
    for row in table.rows() {
        let row = row?;
        let name = row.cell(command);
        if name.is_empty() {
            return Err(Fault::at(row.line, "the command is empty"));
        }
        let is_zero = |column| row.some(column).is_none_or(|cell| cell == "0");
        records.push(Record {
            command: Some(name.to_owned()),
            host: row.some(host).filter(|host| host != ":"),
            succeeded: is_zero(exit) && is_zero(signal),
            ..Record::new(name, row.nanos(time, seconds)?)
        });
    }
    Ok(records)
}

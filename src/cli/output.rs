//! Writes results.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use gridsat_draw::gantt::SvgOptions;
use gridsat_files as files;
use gridsat_model::io::{self as instances, WriteError};
use gridsat_model::text::printable;
use gridsat_model::{Instance, Mapping, Ticks};
use serde::Serialize;

use super::args::{Format, OutputArgs};
use super::exit::Failure;
use super::json::{AssignedTask, assigned, write_json, write_json_line};
use super::picture;
use super::plain::{self, Shown};
use super::say::say;
use super::table::for_file;

/// Whether this is the `-` of `--output -`.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes to the file, completely or not at all, or to standard output. For output that can be
/// produced again; see [`write_result`] for results that may have taken hours.
pub fn write_to(
    path: Option<&Path>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    match path.filter(|path| !is_standard_output(path)) {
        Some(path) => files::write_with(path, fill)
            .with_context(|| path.display().to_string())
            .map_err(Failure::Internal),
        None => {
            let stdout = io::stdout().lock();
            // Whatever a file contains, no command for the terminal gets there.
            let shown = if stdout.is_terminal() { Shown::Text } else { Shown::Exact };
            let mut out = BufWriter::new(stdout);
            let written = plain::write(&mut out, shown, fill).and_then(|()| out.flush());
            written.context("standard output").map_err(Failure::Internal)
        }
    }
}

/// Writes to the file or, if that fails, to standard output, so that nothing is lost. Characters
/// that this kind of text should not contain are replaced.
pub fn write_result(
    path: Option<&Path>,
    shown: Shown,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let fill = |out: &mut dyn Write| plain::write(out, shown, fill);
    let Some(path) = path.filter(|path| !is_standard_output(path)) else {
        return write_to(None, fill);
    };
    let mut text = Vec::new();
    for_file(|| fill(&mut text)).map_err(Failure::internal)?;
    write_to(Some(path), |out| out.write_all(&text)).or_else(|failure| {
        write_to(None, |out| out.write_all(&text))?;
        Err(Failure::Internal(anyhow!("{failure}; the result is on standard output instead")))
    })
}

/// Prints results to the output and in the format given by the arguments.
pub fn print<J: Serialize>(
    args: &OutputArgs,
    table: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    json: impl FnOnce() -> J,
    csv: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    write_result(args.output.as_deref(), args.format.into(), |out| match args.format {
        Format::Table => table(out),
        Format::Json => write_json(out, &json()),
        Format::Jsonl => write_json_line(out, &json()),
        Format::Csv => csv(out),
    })
}

/// Like [`write_to`], for content that may turn out to be impossible to write; `refusal`
/// distinguishes that error from errors of the output.
pub fn try_write_to<E>(
    path: Option<&Path>,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    refusal: impl FnOnce(E) -> Result<io::Error, Failure>,
) -> Result<(), Failure> {
    let mut refused = None;
    let written = write_to(path, |out| {
        fill(out).map_err(|error| {
            refusal(error).unwrap_or_else(|failure| {
                refused = Some(failure);
                io::Error::other("refused")
            })
        })
    });
    refused.map_or(written, Err)
}

/// Writes an instance in a format, and says on standard error where ready times and QoS levels are,
/// if a reader needs an option to find them.
pub fn write_instance(
    instance: &Instance,
    format: instances::Format,
    path: Option<&Path>,
) -> Result<(), Failure> {
    try_write_to(
        path,
        |mut out| instances::write(instance, format, &mut out),
        |error| match error {
            WriteError::Io(error) => Ok(error),
            refusal => Err(Failure::input(refusal)),
        },
    )?;
    let notes = [
        (instance.latest_ready() > Ticks(0), "ready times are in the row 'ready': --ready-row"),
        (instance.levels().is_some(), "QoS levels are in the row and the column 'qos': --qos"),
    ];
    let is_csv = format == instances::Format::Csv;
    for (_, note) in notes.into_iter().filter(|&(is_there, _)| is_csv && is_there) {
        let name = path.filter(|path| !is_standard_output(path));
        let name = name.map_or(String::new(), |path| format!("{}: ", path.display()));
        say(format_args!("{}{note} reads them", printable(&name)));
    }
    Ok(())
}

/// The names of the columns of [`write_mapping_csv`].
const MAPPING_COLUMNS: [&str; 7] =
    ["task", "task_name", "host", "host_name", "time", "start", "end"];

/// Writes only the header, for a mapping that does not exist.
pub fn write_mapping_head(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", MAPPING_COLUMNS.join(","))
}

/// Joins JSON written in several lines into one line. Only blanks between values are removed: a
/// string contains no line breaks.
pub fn on_one_line(
    out: &mut dyn Write,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut text = Vec::new();
    fill(&mut text)?;
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    text.lines().try_for_each(|line| out.write_all(line.trim_start().as_bytes()))?;
    out.write_all(b"\n")
}

/// Writes one row per task: its number and name, its host, its start and end there.
pub fn write_mapping_csv(
    out: &mut dyn Write,
    instance: &Instance,
    mapping: &Mapping,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(MAPPING_COLUMNS)?;
    let show = |ticks| instance.scale().display(ticks).to_string();
    for AssignedTask { task, host, time, start, end } in assigned(instance, mapping) {
        csv.write_record([
            task.0.to_string(),
            instance.task_name(task).to_owned(),
            host.0.to_string(),
            instance.host_name(host).to_owned(),
            show(time),
            show(start),
            show(end),
        ])?;
    }
    csv.flush()
}

/// Writes the mapping as a Gantt chart to a file.
pub fn write_gantt(
    path: &Path,
    instance: &Instance,
    mapping: &Mapping,
    options: &SvgOptions<'_>,
) -> Result<(), Failure> {
    let svg = gridsat_draw::gantt::svg(instance, mapping, options);
    write_to(Some(path), |out| out.write_all(&picture::bytes(path, svg)?))
}

/// The name with only those characters that are allowed in file names on all systems.
pub fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

/// A list of names, the first dozen in full; names with blanks are quoted.
pub fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let is_plain = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    let quoted = |name: &String| match is_plain(name) {
        true => name.clone(),
        false => format!("\"{name}\""),
    };
    let shown: Vec<String> = names.iter().take(SHOWN).map(quoted).collect();
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => shown.join(" "),
        Some(more) => format!("{} … and {more} more", shown.join(" ")),
    }
}

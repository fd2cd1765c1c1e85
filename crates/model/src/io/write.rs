//! Writes instances in each format, every value exactly.
//!
//! The text reads back as the same instance if its scale has no unneeded decimals, which holds for
//! every instance that was read. JSON holds everything. The other formats reject what they cannot
//! hold, except for names: HCSP and R||Cmax text hold no names, and CSV does not hold the name of
//! the instance.

use crate::Ticks;
use std::io::{self, Write};

use thiserror::Error;

use super::Format;
use super::heading::{is_qos, is_ready_row};
use super::write_lists::Lists;
use crate::{Instance, TaskId};

/// Why an instance cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output could not be written.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// Only JSON and CSV hold ready times.
    #[error("{0} cannot hold ready times (json and csv can)")]
    Ready(Format),
    /// A row of this name holds the ready times.
    #[error("csv has a row 'ready' for ready times, and a task is called '{0}' (json holds both)")]
    ReadyName(String),
    /// Only JSON and CSV hold levels of service.
    #[error("{0} cannot hold QoS levels (json and csv can)")]
    Levels(Format),
    /// A row and a column of this name hold the levels.
    #[error(
        "csv has a row and a column 'qos' for QoS levels, and '{0}' is a name (json holds both)"
    )]
    QosName(String),
    /// Only JSON and CSV hold names.
    #[error("{0} cannot hold names (json and csv can; --drop-names leaves them out)")]
    Names(Format),
    /// The R||Cmax text has no way to say that a task cannot run on a host.
    #[error("{0} cannot mark a host where a task cannot run (json, csv and hcsp can)")]
    Forbidden(Format),
    /// The R||Cmax text holds whole numbers.
    #[error("{0} holds whole numbers only (json, csv and hcsp hold decimals)")]
    Decimals(Format),
    /// The P||Cmax text has one time per task.
    #[error("{0} holds hosts with equal times only (json, csv, hcsp and rcmax hold a matrix)")]
    UnequalHosts(Format),
    /// Only lists of tasks and hosts have speeds, and with them times such as 10/3.
    #[error(
        "{0} cannot hold times that are no decimal numbers, such as 10/3 (json with lists of tasks \
         and hosts can; --decimals 9 rounds them up)"
    )]
    Parts(Format),
    /// Lists of tasks and hosts have one time per task and one speed per host.
    #[error("lists hold equal hosts, some of them with other speeds; these hosts are a matrix")]
    NoLists,
    /// In the P||Cmax text a 0 ends the list of times.
    #[error("{0} cannot hold times of 0 (json, csv, hcsp and rcmax can)")]
    Zero(Format),
}

/// Rejects names that the format cannot hold; default names are not counted.
pub fn check_names(instance: &Instance, format: Format) -> Result<(), WriteError> {
    let holds_names = matches!(format, Format::Json | Format::Csv);
    let are_default = has_default_names('t', &task_names(instance))
        && has_default_names('h', &host_names(instance));
    if holds_names || are_default { Ok(()) } else { Err(WriteError::Names(format)) }
}

/// Writes the instance in a format.
pub fn write(instance: &Instance, format: Format, out: &mut impl Write) -> Result<(), WriteError> {
    if instance.scale().parts() != 1 && (format != Format::Json || Lists::of(instance).is_none()) {
        return Err(WriteError::Parts(format));
    }
    match format {
        Format::Json => write_json(instance, out).map_err(WriteError::Io),
        Format::Csv => write_csv(instance, out),
        Format::Hcsp => write_hcsp(instance, out),
        Format::Rcmax => write_rcmax(instance, out),
        Format::Pcmax => write_pcmax(instance, out),
    }
}

/// Writes the canonical JSON, one task per line, without default names. Hosts that differ in speed
/// only, some of them equal, are a list and not a matrix. Times that are no decimal numbers need
/// such a list; [`write()`] refuses to round them.
pub fn write_json(instance: &Instance, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\n  \"name\": {}", quoted(instance.name())?)?;
    if let Some(lists) = Lists::of(instance) {
        lists.write_json(out)?;
        return writeln!(out, "\n}}");
    }
    write_names(out, "tasks", 't', &task_names(instance))?;
    write_names(out, "hosts", 'h', &host_names(instance))?;
    if instance.latest_ready() > Ticks(0) {
        let ready =
            instance.hosts().map(|h| instance.scale().display(instance.ready(h)).to_string());
        write!(out, ",\n  \"ready\": [{}]", joined(ready, ", "))?;
    }
    if let Some(levels) = instance.levels() {
        let list = |levels: &[u32]| joined(levels.iter().map(u32::to_string), ", ");
        let (tasks, hosts) = (list(&levels.tasks), list(&levels.hosts));
        write!(out, ",\n  \"qos\": {{\"tasks\": [{tasks}], \"hosts\": [{hosts}]}}")?;
    }
    write!(out, ",\n  \"etc\": [")?;
    for (index, task) in instance.tasks().enumerate() {
        let end_of_last = if index == 0 { "" } else { "," };
        write!(out, "{end_of_last}\n    [{}]", joined(times(instance, task, "null"), ", "))?;
    }
    writeln!(out, "\n  ]\n}}")
}

/// Writes CSV with a header of host names and a first column of task names. Ready times are a row
/// `ready` after the header, which [`CsvOptions::ready_row`](super::CsvOptions::ready_row) reads.
pub fn write_csv(instance: &Instance, out: &mut impl Write) -> Result<(), WriteError> {
    let has_ready = instance.latest_ready() > Ticks(0);
    if let Some(name) =
        task_names(instance).into_iter().find(|name| has_ready && is_ready_row(name))
    {
        return Err(WriteError::ReadyName(name.to_owned()));
    }
    let levels = instance.levels();
    let mut all = task_names(instance).into_iter().chain(host_names(instance));
    if let Some(name) = all.find(|name| levels.is_some() && is_qos(name)) {
        return Err(WriteError::QosName(name.to_owned()));
    }
    // Quotes keep names from being read as comments or as cells with another separator.
    let mut names = task_names(instance).into_iter().chain(host_names(instance));
    let style = match names.any(|name| name.contains([';', '\t'])) {
        true => csv::QuoteStyle::NonNumeric,
        false => csv::QuoteStyle::Necessary,
    };
    let mut csv = csv::WriterBuilder::new().comment(Some(b'#')).quote_style(style).from_writer(out);
    let column = levels.map(|_| "qos");
    csv.write_record(std::iter::once("task").chain(column).chain(host_names(instance)))
        .map_err(io::Error::from)?;
    let gap = levels.map(|_| String::new());
    if let Some(levels) = levels {
        let offered = levels.hosts.iter().map(u32::to_string);
        let row = std::iter::once("qos".to_owned()).chain(gap.clone()).chain(offered);
        csv.write_record(row).map_err(io::Error::from)?;
    }
    if has_ready {
        let ready = |host| instance.scale().display(instance.ready(host)).to_string();
        let ready =
            std::iter::once("ready".to_owned()).chain(gap).chain(instance.hosts().map(ready));
        csv.write_record(ready).map_err(io::Error::from)?;
    }
    for task in instance.tasks() {
        csv.write_field(instance.task_name(task)).map_err(io::Error::from)?;
        if let Some(levels) = levels {
            let level = levels.tasks[task.index()].to_string();
            csv.write_field(level).map_err(io::Error::from)?;
        }
        csv.write_record(times(instance, task, "inf")).map_err(io::Error::from)?;
    }
    csv.flush()?;
    Ok(())
}

/// Writes HCSP text: the sizes, then one time per line, `inf` where the task cannot run.
pub fn write_hcsp(instance: &Instance, out: &mut impl Write) -> Result<(), WriteError> {
    refuse_extras(instance, Format::Hcsp)?;
    writeln!(out, "{} {}", instance.task_count(), instance.host_count())?;
    for task in instance.tasks() {
        for time in times(instance, task, "inf") {
            writeln!(out, "{time}")?;
        }
    }
    Ok(())
}

/// Writes R||Cmax text: the sizes, then one line per task, with a tab after each time.
pub fn write_rcmax(instance: &Instance, out: &mut impl Write) -> Result<(), WriteError> {
    let format = Format::Rcmax;
    refuse_extras(instance, format)?;
    if instance.tasks().any(|t| instance.times(t).count() < instance.host_count()) {
        return Err(WriteError::Forbidden(format));
    }
    refuse_decimals(instance, format)?;
    writeln!(out, "{}\n{}", instance.task_count(), instance.host_count())?;
    for task in instance.tasks() {
        writeln!(out, "{}\t", joined(times(instance, task, ""), "\t"))?;
    }
    Ok(())
}

/// Writes P||Cmax text: the sizes, then one time per task, then a 0.
pub fn write_pcmax(instance: &Instance, out: &mut impl Write) -> Result<(), WriteError> {
    let format = Format::Pcmax;
    refuse_extras(instance, format)?;
    if !instance.has_equal_hosts() {
        return Err(WriteError::UnequalHosts(format));
    }
    refuse_decimals(instance, format)?;
    if instance.tasks().any(|task| instance.shortest(task) == Ticks(0)) {
        return Err(WriteError::Zero(format));
    }
    writeln!(out, "p p_cmax {} {}", instance.task_count(), instance.host_count())?;
    for task in instance.tasks() {
        writeln!(out, "{}", instance.scale().display(instance.shortest(task)))?;
    }
    writeln!(out, "0")?;
    Ok(())
}

fn refuse_decimals(instance: &Instance, format: Format) -> Result<(), WriteError> {
    let unit = instance.scale().ticks_per_unit();
    let is_whole = |time: Ticks| time % unit == Ticks(0);
    let are_whole = instance.tasks().all(|t| instance.times(t).all(|(_, time)| is_whole(time)));
    if are_whole { Ok(()) } else { Err(WriteError::Decimals(format)) }
}

/// Rejects what only JSON and CSV hold.
fn refuse_extras(instance: &Instance, format: Format) -> Result<(), WriteError> {
    if instance.levels().is_some() {
        return Err(WriteError::Levels(format));
    }
    if instance.latest_ready() > Ticks(0) { Err(WriteError::Ready(format)) } else { Ok(()) }
}

/// The task's times in the file's time unit, host by host.
fn times<'a>(
    instance: &'a Instance,
    task: TaskId,
    forbidden: &'a str,
) -> impl Iterator<Item = String> + 'a {
    let scale = instance.scale();
    instance.hosts().map(move |host| match instance.time(task, host) {
        Some(time) => scale.display(time).to_string(),
        None => forbidden.to_owned(),
    })
}

fn write_names(out: &mut impl Write, key: &str, letter: char, names: &[&str]) -> io::Result<()> {
    if has_default_names(letter, names) {
        return Ok(());
    }
    let names = names.iter().map(|name| quoted(name)).collect::<Result<Vec<_>, _>>()?;
    write!(out, ",\n  \"{key}\": [{}]", names.join(", "))
}

pub(super) fn task_names(instance: &Instance) -> Vec<&str> {
    instance.tasks().map(|t| instance.task_name(t)).collect()
}

pub(super) fn host_names(instance: &Instance) -> Vec<&str> {
    instance.hosts().map(|h| instance.host_name(h)).collect()
}

pub(super) fn has_default_names(letter: char, names: &[&str]) -> bool {
    let is_default = |(index, name): (usize, &&str)| *name == format!("{letter}{index}");
    names.iter().enumerate().all(is_default)
}

pub(super) fn quoted(text: &str) -> io::Result<String> {
    serde_json::to_string(text).map_err(io::Error::from)
}

pub(super) fn joined(items: impl Iterator<Item = String>, separator: &str) -> String {
    items.collect::<Vec<_>>().join(separator)
}

//! Writes tasks and hosts as two lists, for hosts that differ in speed and ready time only.
//!
//! A list takes n + m numbers where a matrix takes n·m. Whether hosts differ in speed only is found
//! out from their times: the speed of a host is the time of a task on the first host divided by its
//! own, exactly, and must be the same for all tasks. With few tasks this can be an accident, so a
//! matrix stays one if there are fewer than [`TASKS_PER_SPEED`] tasks per speed. Times that are no
//! decimal numbers are no accident, and cannot be a matrix; if those of the first host are such,
//! its speed is the smallest whole number with which works are decimals.

use std::io::{self, Write};

use super::speed::Speed;
use super::write::{WriteError, has_default_names, host_names, joined, quoted, task_names};
use crate::time::common;
use crate::{HostId, Instance, Scale, Ticks};

/// So many tasks per speed must agree on it.
const TASKS_PER_SPEED: usize = 2;

/// An instance whose hosts differ in speed and ready time only.
pub(super) struct Lists<'a> {
    instance: &'a Instance,
    /// The speed of each column.
    speeds: Vec<Speed>,
    /// The speed of the first host.
    base: u64,
}

/// Hosts with consecutive numbers that are written as one entry.
struct Entry<'a> {
    name: Option<&'a str>,
    speed: Speed,
    ready: Ticks,
    count: usize,
}

impl<'a> Lists<'a> {
    /// The instance, if its hosts are such, and some are equal.
    pub fn of(instance: &'a Instance) -> Option<Self> {
        let first = instance.first_hosts();
        let can_tell = first.len() == 1
            || instance.task_count() >= TASKS_PER_SPEED.checked_mul(first.len())?;
        let looks_alike = first.len() < instance.host_count() && can_tell;
        let is_decimal = instance.scale().parts() == 1;
        if instance.levels().is_some() || is_decimal && !looks_alike {
            return None;
        }
        let base = base(instance)?;
        let speed = |&host: &HostId| speed(instance, base, first[0], host);
        let speeds = first.iter().map(speed).collect::<Option<_>>()?;
        Some(Self { instance, speeds, base })
    }

    fn entries(&self) -> Vec<Entry<'a>> {
        let is_named = !has_default_names('h', &host_names(self.instance));
        let mut entries: Vec<Entry> = Vec::new();
        for host in self.instance.hosts() {
            let name = is_named.then(|| self.instance.host_name(host));
            let speed = self.speeds[self.instance.column(host)];
            let ready = self.instance.ready(host);
            match entries.last_mut() {
                Some(last) if !is_named && (last.speed, last.ready) == (speed, ready) => {
                    last.count += 1;
                }
                _ => entries.push(Entry { name, speed, ready, count: 1 }),
            }
        }
        entries
    }

    /// The works of the tasks, their times at speed 1, with their names if they have some.
    fn tasks(&self) -> impl Iterator<Item = (Option<&'a str>, String)> {
        let instance = self.instance;
        let is_named = !has_default_names('t', &task_names(instance));
        // The base divides the parts.
        let scale = match self.base {
            1 => instance.scale(),
            base => Scale::of_parts(instance.scale().parts() / base).expect("not more than before"),
        };
        instance.tasks().map(move |task| {
            let name = is_named.then(|| instance.task_name(task));
            let time = instance.time(task, HostId(0)).unwrap_or_default();
            (name, scale.display(time).to_string())
        })
    }

    /// Writes the keys `tasks` and `hosts` of the JSON object, each after a comma.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, ",\n  \"tasks\": [")?;
        for (index, (name, time)) in self.tasks().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match name {
                Some(name) => {
                    let name = quoted(name)?;
                    write!(out, "{comma}\n    {{\"name\": {name}, \"time\": {time}}}")?;
                }
                None => write!(out, "{comma}\n    {time}")?,
            }
        }
        let entries = self.entries();
        write!(out, "\n  ],\n  \"hosts\": ")?;
        if let [only] = &entries[..]
            && only.name.is_none()
            && (only.speed, only.ready) == (Speed::ONE, Ticks(0))
        {
            return write!(out, "{}", only.count);
        }
        let entries = entries.iter().map(|entry| Ok(format!("    {}", self.object(entry)?)));
        write!(out, "[\n{}\n  ]", entries.collect::<io::Result<Vec<_>>>()?.join(",\n"))
    }

    fn object(&self, entry: &Entry) -> io::Result<String> {
        let mut keys = Vec::new();
        if let Some(name) = entry.name {
            keys.push(format!("\"name\": {}", quoted(name)?));
        }
        if entry.speed != Speed::ONE || entry.name.is_none() {
            let quote = if entry.speed.is_fraction() { "\"" } else { "" };
            keys.push(format!("\"speed\": {quote}{}{quote}", entry.speed));
        }
        if entry.count > 1 {
            keys.push(format!("\"count\": {}", entry.count));
        }
        if entry.ready > Ticks(0) {
            keys.push(format!("\"ready\": {}", self.instance.scale().display(entry.ready)));
        }
        Ok(format!("{{{}}}", joined(keys.into_iter(), ", ")))
    }
}

/// Writes the tasks as CSV with the columns `task` and `time`, without the hosts.
pub fn write_task_list(instance: &Instance, out: &mut impl Write) -> Result<(), WriteError> {
    let lists = Lists::of(instance).ok_or(WriteError::NoLists)?;
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["task", "time"]).map_err(io::Error::from)?;
    for (task, (_, time)) in instance.tasks().zip(lists.tasks()) {
        csv.write_record([instance.task_name(task), &time]).map_err(io::Error::from)?;
    }
    csv.flush()?;
    Ok(())
}

/// Writes the hosts as CSV with the columns `name`, `speed`, `count` and `ready`.
pub fn write_host_list(instance: &Instance, out: &mut impl Write) -> Result<(), WriteError> {
    let lists = Lists::of(instance).ok_or(WriteError::NoLists)?;
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["name", "speed", "count", "ready"]).map_err(io::Error::from)?;
    for Entry { name, speed, ready, count } in lists.entries() {
        let ready = instance.scale().display(ready).to_string();
        let cells = [name.unwrap_or(""), &speed.to_string(), &count.to_string(), &ready];
        csv.write_record(cells).map_err(io::Error::from)?;
    }
    csv.flush()?;
    Ok(())
}

/// The speed of the first host: the smallest whole number with which works are decimal numbers, or
/// whole numbers if those are too long. `None` if works do not fit.
fn base(instance: &Instance) -> Option<u64> {
    let times = instance.tasks().filter_map(|task| instance.time(task, HostId(0)));
    let (divisor, longest) = times
        .fold((0, Ticks(0)), |(divisor, most), time| (common(time.0, divisor), time.max(most)));
    let parts = instance.scale().parts();
    let whole = parts / common(parts, divisor);
    let mut base = whole;
    for prime in [2, 5] {
        while base.is_multiple_of(prime) {
            base /= prime;
        }
    }
    let fits = |base: u64, unit: u64| {
        let work = u128::from(longest) * u128::from(base) / u128::from(parts);
        work * u128::from(unit) < u64::MAX.into()
    };
    // The decimals of the works must fit, too.
    let units = (0..=Scale::MAX_DECIMALS).map(|decimals| 10_u64.pow(decimals));
    let unit = units.into_iter().find(|unit| unit.is_multiple_of(whole / base));
    let base = if unit.is_some_and(|unit| fits(base, unit)) { base } else { whole };
    fits(base, 1).then_some(base)
}

/// The speed of a host if the first one has speed `base`; `None` if that differs between tasks.
fn speed(instance: &Instance, base: u64, first: HostId, host: HostId) -> Option<Speed> {
    let mut speed: Option<(u64, u64)> = None;
    for task in instance.tasks() {
        let (over, under) = (instance.time(task, first)?.0, instance.time(task, host)?.0);
        let (known_over, known_under) = *match &mut speed {
            None if over == 0 && under == 0 => continue,
            unset => unset.get_or_insert((over, under)),
        };
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        if product(over, known_under) != product(under, known_over) {
            return None;
        }
    }
    let (over, under) = speed.unwrap_or((1, 1));
    Speed::reduced(u128::from(base) * u128::from(over), under.into())
}

//! Event log with one line per event: time in seconds, kind of event, then `key=value` pairs,
//! separated by single spaces.
//!
//! ```text
//! 10 decided scheduler=main waiting=1 sent=1
//! 10 sent job=0 resource=r0
//! 10 started job=0 resource=r0 pe=0
//! 24.5 finished job=0 resource=r0
//! 24.5 end reason=no-events
//! ```
//!
//! White space, `%` and `=` in names are written as `%` and their UTF-8 bytes in hexadecimal, so
//! that lines can be split at spaces and `=`.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::description::Description;
use super::reservations::write_period;
use super::sink::Sink;
use crate::data::{FileId, Flow};
use crate::network::NodeId;
use crate::{GridEvents, Happening, ResourceId, SchedulerId, Summary};
use gridsat_engine::Observer;
use gridsat_engine::time::Time;

/// The event log.
pub struct Events<'a, W: Write> {
    description: &'a Description,
    /// Encoded names.
    resources: Vec<String>,
    schedulers: Vec<String>,
    reservations: Vec<String>,
    nodes: Vec<String>,
    files: Vec<String>,
    out: Sink<W>,
}

impl<'a, W: Write> Events<'a, W> {
    /// Writes events to `out` as they happen.
    pub fn new(description: &'a Description, out: W) -> Self {
        let resources = description.resources.iter().map(|resource| encoded(&resource.name));
        let schedulers = description.schedulers.iter().map(|scheduler| encoded(&scheduler.name));
        Self {
            description,
            nodes: description.nodes.iter().map(|name| encoded(name)).collect(),
            files: description.files.iter().map(|name| encoded(name)).collect(),
            resources: resources.collect(),
            schedulers: schedulers.collect(),
            reservations: description.reservations.iter().map(|name| encoded(name)).collect(),
            out: Sink::new(out),
        }
    }

    /// Writes the last line and returns the output.
    pub fn finish(mut self, summary: &Summary) -> io::Result<W> {
        let (time, reason) = (self.description.time(summary.end_time), summary.end_name());
        self.out.write(|out| writeln!(out, "{time} end reason={reason}"));
        self.out.finish()
    }
}

impl<W: Write> Observer<GridEvents> for Events<'_, W> {
    fn happened(&mut self, now: Time, what: &Happening) {
        let resource = |id: ResourceId| &self.resources[id.index()];
        let scheduler = |id: SchedulerId| &self.schedulers[id.index()];
        let node = |id: NodeId| &self.nodes[id.index()];
        let moved = |Flow { from, to, size, file }: Flow| {
            let file = file.map(|id: FileId| format!(" file={}", self.files[id.index()]));
            let (bytes, file) = (size.0, file.unwrap_or_default());
            format!("from={} to={} bytes={bytes}{file}", node(from), node(to))
        };
        self.out.write(|out| {
            write!(out, "{} ", self.description.scale.display(now.0))?;
            let mut job_at =
                |what, job, at| writeln!(out, "{what} job={job} resource={}", resource(at));
            match *what {
                Happening::Sent { job, resource: at } => job_at("sent", job, at),
                Happening::Started { job, resource: at, pe: None } => job_at("started", job, at),
                Happening::Ran { job, resource: at } => job_at("ran", job, at),
                Happening::Finished { job, resource: at } => job_at("finished", job, at),
                Happening::Interrupted { job, resource: at } => job_at("interrupted", job, at),
                Happening::Suspended { job, resource: at } => job_at("suspended", job, at),
                Happening::Lost { job, resource: at } => job_at("lost", job, at),
                Happening::Started { job, resource: at, pe: Some(pe) } => {
                    writeln!(out, "started job={job} resource={} pe={pe}", resource(at))
                }
                Happening::Halted { job } => writeln!(out, "halted job={job}"),
                Happening::Resumed { job } => writeln!(out, "resumed job={job}"),
                Happening::Cancelled { job } => writeln!(out, "cancelled job={job}"),
                Happening::Arrived { job, scheduler: at } => {
                    writeln!(out, "arrived job={job} scheduler={}", scheduler(at))
                }
                Happening::GivenUp { job, scheduler: by } => {
                    writeln!(out, "given-up job={job} scheduler={}", scheduler(by))
                }
                Happening::Returned { job, scheduler: to } => {
                    writeln!(out, "returned job={job} scheduler={}", scheduler(to))
                }
                Happening::Passed { job, from, to } => {
                    let (from, to) = (scheduler(from), scheduler(to));
                    writeln!(out, "passed job={job} from={from} to={to}")
                }
                Happening::Decided { scheduler: by, waiting, sent } => {
                    let by = scheduler(by);
                    writeln!(out, "decided scheduler={by} waiting={waiting} sent={sent}")
                }
                Happening::Moving(flow) => writeln!(out, "moving {}", moved(flow)),
                Happening::Moved(flow) => writeln!(out, "moved {}", moved(flow)),
                Happening::Load { resource: at, percent } => {
                    writeln!(out, "load resource={} percent={percent}", resource(at))
                }
                Happening::MemoryLoad { resource: at, percent } => {
                    writeln!(out, "memory-load resource={} percent={percent}", resource(at))
                }
                Happening::LinkLoad { ends: [from, to], percent } => {
                    let (from, to) = (node(from), node(to));
                    writeln!(out, "link-load from={from} to={to} percent={percent}")
                }
                Happening::Capacity { resource: at, percent } => {
                    writeln!(out, "capacity resource={} percent={percent}", resource(at))
                }
                Happening::Down { resource: at } => writeln!(out, "down resource={}", resource(at)),
                Happening::Up { resource: at } => writeln!(out, "up resource={}", resource(at)),
                Happening::Part { number, is_up } => {
                    let (kind, name) = &self.description.parts[number as usize];
                    let change = if is_up { "up" } else { "down" };
                    writeln!(out, "{change} {kind}={}", encoded(name))
                }
                Happening::Registered { resource: new } => {
                    writeln!(out, "registered resource={}", resource(new))
                }
                Happening::Reservation { reservation, resource: at, state } => {
                    let name = &self.reservations[reservation.index()];
                    let (is, at) = (state.name(), resource(at));
                    write!(out, "reservation name={name} resource={at} state={is}")?;
                    write_period(out, self.description, state)
                }
                Happening::Pinged { resources, up } => {
                    writeln!(out, "pinged resources={resources} up={up}")
                }
                Happening::Told { resources, up } => {
                    writeln!(out, "told resources={resources} up={up}")
                }
            }
        });
    }

    fn wants_end(&self) -> bool {
        self.out.has_failed()
    }
}

/// A name with all separators encoded.
fn encoded(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_whitespace() || c == '%' || c == '=' {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                write!(safe, "%{byte:02X}").expect("writing to a string does not fail");
            }
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_one_piece() {
        assert_eq!(encoded("a b=100%\u{2003}é"), "a%20b%3D100%25%E2%80%83é");
    }
}

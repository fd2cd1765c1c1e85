//! Measured availability: `event_trace.tab` of the Failure Trace Archive (Kondo et al. 2010).
//!
//! One interval per line, fields separated by spaces or tabs: event, component, node, platform,
//! name of the node, type (0 down, 1 up), start and stop in Unix seconds, reason of the end. Lines
//! that begin with `#` are comments. Nodes are numbered here in order of their first line. The
//! intervals of a node may be in any order, but must not overlap; between them, before the first
//! and after the last, a node counts as up.
//!
//! A simulation may start at any second of the trace; a node that is down then is down from time 0.
//! Lines are read one by one, and only the times at which a node goes down or up are kept.
//! Intervals of length 0 change nothing.
//!
//! A trace may be compressed by gzip, which is recognised by its first two bytes. It is
//! decompressed as it is read, and the lengths of lines and of the whole text are limited, so that
//! a small file cannot fill the memory.

use gridsat_model::Ticks;
use gridsat_model::text::excerpt;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;

use super::availability::{Change, Changes};
use gridsat_engine::time::Time;
use gridsat_model::Scale;

/// Largest size of a trace in bytes, after decompression.
const MAX_BYTES: usize = 1 << 28;
/// Longest line in bytes.
const MAX_LINE: usize = 1 << 12;
/// First two bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why a trace could not be read.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum TraceError {
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    #[error("damaged gzip after line {lines}: {error}")]
    Gzip { lines: usize, error: io::Error },
    #[error("line {line}: longer than the limit of {MAX_LINE} bytes")]
    LongLine { line: usize },
    #[error("line {line}: text larger than the limit of {MAX_BYTES} bytes")]
    Large { line: usize },
    #[error("line {line}: {found} fields; at least the first 8 of an event trace are needed")]
    Fields { line: usize, found: usize },
    #[error("line {line}: {what} is \"{text}\", not a whole number >= 0")]
    Number { line: usize, what: &'static str, text: String },
    #[error("line {line}: event type is {found}, neither 0 (down) nor 1 (up)")]
    Type { line: usize, found: u64 },
    #[error("line {line}: stops at {stop}, before it starts at {start}")]
    Backwards { line: usize, start: u64, stop: u64 },
    #[error("line {line}: overlaps with the interval of line {other} of the same node")]
    Overlap { line: usize, other: usize },
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    start: u64,
    stop: u64,
    is_down: bool,
    line: usize,
}

/// The changes of each node of a trace, plain or compressed, in order of their first lines. Time 0
/// is the Unix second `origin`, or the first second of the trace if it is `None`.
pub fn read_trace(
    text: &mut dyn BufRead,
    origin: Option<u64>,
    scale: Scale,
) -> Result<Vec<Changes>, TraceError> {
    let nodes = if text.fill_buf()?.starts_with(&GZIP) {
        intervals(&mut BufReader::new(MultiGzDecoder::new(text)), true)
    } else {
        intervals(text, false)
    }?;
    let starts = nodes.iter().flatten().map(|interval| interval.start);
    let origin = origin.or(starts.min()).unwrap_or(0);
    nodes.into_iter().map(|intervals| changes(intervals, origin, scale)).collect()
}

/// When a node with these intervals goes down and up.
fn changes(mut intervals: Vec<Interval>, origin: u64, scale: Scale) -> Result<Changes, TraceError> {
    intervals.sort_by_key(|interval| (interval.start, interval.stop, interval.line));
    for pair in intervals.windows(2) {
        if pair[1].start < pair[0].stop {
            let (line, other) = (pair[1].line, pair[0].line);
            return Err(TraceError::Overlap { line, other });
        }
    }
    let mut changes: Vec<(Time, Change)> = Vec::new();
    let down = intervals.iter().filter(|i| i.is_down && i.start < i.stop && i.stop > origin);
    for interval in down {
        let at = |second: u64| {
            Time(Ticks(second.saturating_sub(origin).saturating_mul(scale.ticks_per_unit().0)))
        };
        match changes.last() {
            // Two adjoining intervals down are one.
            Some(&(end, _)) if end == at(interval.start) => drop(changes.pop()),
            _ => changes.push((at(interval.start), Change::Down)),
        }
        changes.push((at(interval.stop), Change::Up));
    }
    changes.retain(|&(time, _)| time < Time::NEVER);
    Ok(Changes::new(&changes).expect("sorted, and without capacities"))
}

/// The intervals of each node, unsorted.
fn intervals(
    text: &mut dyn BufRead,
    is_compressed: bool,
) -> Result<Vec<Vec<Interval>>, TraceError> {
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    let mut nodes: Vec<Vec<Interval>> = Vec::new();
    let (mut buffer, mut bytes) = (Vec::new(), 0);
    for line in 1.. {
        buffer.clear();
        let read = text.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut buffer);
        bytes += read.map_err(|error| match is_compressed {
            true => TraceError::Gzip { lines: line - 1, error },
            false => TraceError::Read(error),
        })?;
        match buffer.len() {
            0 => break,
            length if length > MAX_LINE => return Err(TraceError::LongLine { line }),
            _ if bytes > MAX_BYTES => return Err(TraceError::Large { line }),
            _ => {}
        }
        let Some((node, interval)) = parse(&String::from_utf8_lossy(&buffer), line)? else {
            continue;
        };
        let number = *numbers.entry(node).or_insert(nodes.len());
        if number == nodes.len() {
            nodes.push(Vec::new());
        }
        nodes[number].push(interval);
    }
    Ok(nodes)
}

/// A node and one of its intervals; `None` for a comment or an empty line.
fn parse(text: &str, line: usize) -> Result<Option<(u64, Interval)>, TraceError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    if fields.first().is_none_or(|first| first.starts_with('#')) {
        return Ok(None);
    }
    if fields.len() < 8 {
        return Err(TraceError::Fields { line, found: fields.len() });
    }
    let number = |what, text: &str| {
        // Some data sets write whole seconds with a decimal point.
        let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
        whole.parse::<u64>().map_err(|_| TraceError::Number { line, what, text: excerpt(text) })
    };
    let is_down = match number("event type", fields[5])? {
        0 => true,
        1 => false,
        found => return Err(TraceError::Type { line, found }),
    };
    let (start, stop) = (number("start", fields[6])?, number("stop", fields[7])?);
    if stop < start {
        return Err(TraceError::Backwards { line, start, stop });
    }
    Ok(Some((number("node", fields[2])?, Interval { start, stop, is_down, line })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes of each node, with ticks of a tenth of a second.
    fn read(text: &str, origin: u64) -> Result<Vec<Vec<(u64, Change)>>, String> {
        let scale = Scale::new(1).expect("small");
        let nodes = read_trace(&mut text.as_bytes(), Some(origin), scale);
        let listed =
            |node: &Changes| node.iter().map(|(time, change)| (time.0.0, change)).collect();
        nodes.map(|nodes| nodes.iter().map(listed).collect()).map_err(|error| error.to_string())
    }

    const TEXT: &str = "# a header\n\
        0 0 7 3 10.0 1 100 150 NULL\n\
        1 0 7 3 10.0 0 150 160 NULL\n\
        0 0 9 3 10.1 0 90 130 4022\n\
        \n\
        3 0 7 3 10.0 0 180 200 2\n\
        2 0 7 3 10.0 1 160 180 2\n\
        4 0 7 3 10.0 0 200 210\n";

    #[test]
    fn nodes_in_order_and_their_down_times() {
        let nodes = read(TEXT, 100).expect("a trace");
        let (down, up) = (Change::Down, Change::Up);
        let first = [(500, down), (600, up), (800, down), (1100, up)];
        assert_eq!(nodes[0], first);
        assert_eq!(nodes[1], [(0, down), (300, up)]);
        let later = read(TEXT, 155).expect("a trace");
        assert_eq!(later[0][..2], [(0, down), (50, up)]);
        assert_eq!(later[1], []);
    }

    #[test]
    fn says_which_line_is_wrong() {
        for (line, expected) in [
            ("1 2 3", "line 2: 3 fields; at least the first 8 of an event trace are needed"),
            ("0 0 x 3 n 0 1 2 N", "line 2: node is \"x\", not a whole number >= 0"),
            ("0 0 7 3 n 2 1 2 N", "line 2: event type is 2, neither 0 (down) nor 1 (up)"),
            ("0 0 7 3 n 0 5 2 N", "line 2: stops at 2, before it starts at 5"),
            ("0 0 7 3 n 0 -5 2 N", "line 2: start is \"-5\", not a whole number >= 0"),
            (
                "0 0 7 3 n 0 15 30 N",
                "line 2: overlaps with the interval of line 1 of the same node",
            ),
        ] {
            let text = format!("0 0 7 3 n 1 10 20 N\n{line}\n");
            assert_eq!(read(&text, 0).expect_err(line), expected);
        }
    }
}

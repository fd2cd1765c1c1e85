//! A limit on the memory of this process.
//!
//! A thread watches the resident memory. Near the limit it requests a stop, at which a search or a
//! simulation ends with what it has; at the limit it ends the program with one line, before the
//! system starts to swap or to kill. The default is three quarters of the memory of the computer,
//! or of the control group (container, batch job) that the process is in.
//!
//! The watch is cheaper than counting allocations, and sees what libraries allocate, too. Programs
//! that gridsat starts are not counted. Systems without `/proc` have no limit.

use std::fmt;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::exit::Exit;
use super::say::say;
use super::signals;

/// The share of the limit at which a stop is requested, in percent.
const SOFT: u64 = 90;
/// Memory can be filled at this many bytes per second.
const FASTEST: u64 = 8 << 30;
/// How long the thread sleeps between two looks, at least and at most.
const SLEEP: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));

/// What `--memory-limit` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// Bytes.
    Bytes(u64),
    /// Percent of what the computer or control group has.
    Percent(u8),
    /// No limit.
    None,
}

impl MemoryLimit {
    /// A number of bytes with a unit such as M or GiB, a percentage, or `none`.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const WRONG: &str = "expected a size such as 4G or 500M, a percentage such as 75%, or none";
        if text == "none" {
            return Ok(Self::None);
        }
        if let Some(percent) = text.strip_suffix('%') {
            let percent = percent.parse().ok().filter(|percent| (1..=100).contains(percent));
            return percent.map(Self::Percent).ok_or(WRONG);
        }
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let unit = match unit.trim_end_matches("iB").trim_end_matches('B') {
            "" => 0,
            "k" | "K" => 10,
            "M" => 20,
            "G" => 30,
            "T" => 40,
            _ => return Err(WRONG),
        };
        let bytes = number.parse::<f64>().map_err(|_| WRONG)? * (1_u64 << unit) as f64;
        if bytes >= 1.0 { Ok(Self::Bytes(bytes as u64)) } else { Err(WRONG) }
    }

    fn bytes(self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Percent(percent) => available().map(|all| all / 100 * u64::from(percent)),
            Self::None => None,
        }
    }
}

/// Starts to watch the limit.
pub fn watch(limit: MemoryLimit) {
    let Some(limit) = limit.bytes().filter(|_| used().is_some()) else { return };
    // Not joined: it sleeps nearly all of its life and ends with the process.
    thread::spawn(move || {
        let mut is_asked = false;
        loop {
            let used = used().unwrap_or(0);
            if used >= limit {
                end(used, limit);
            }
            if used >= limit / 100 * SOFT && !is_asked {
                is_asked = true;
                if signals::request() {
                    let (used, limit) = (Size(used), Size(limit));
                    say(format_args!("stopping: {used} in use, the limit is {limit} ({OPTION})"));
                }
            }
            let left = limit.saturating_sub(used);
            let millis = Duration::from_millis(left.saturating_mul(1000) / FASTEST);
            thread::sleep(millis.clamp(SLEEP.0, SLEEP.1));
        }
    });
}

const OPTION: &str = "--memory-limit";

fn end(used: u64, limit: u64) -> ! {
    say(format_args!(
        "out of memory: {} in use, the limit is {} ({OPTION}); reduce the input or raise the limit",
        Size(used),
        Size(limit)
    ));
    signals::clean_up();
    std::process::exit(Exit::BadInput.code().into());
}

/// A number of bytes for people.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 as f64 / 1_048_576.0 {
            mib if mib < 1024.0 => write!(f, "{mib:.0} MiB"),
            mib => write!(f, "{:.1} GiB", mib / 1024.0),
        }
    }
}

/// Resident and swapped memory of this process, in bytes.
fn used() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(kib(&status, "VmRSS:")? + kib(&status, "VmSwap:").unwrap_or(0))
}

/// Memory of the computer or, if that is less, of the control group.
fn available() -> Option<u64> {
    let computer = kib(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    Some(group_limit().map_or(computer, |group| group.min(computer)))
}

/// The least limit of the control group of this process and of those around it.
fn group_limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let second = groups.lines().find_map(|line| line.strip_prefix("0::"));
    let first = groups.lines().find_map(|line| line.split_once(":memory:").map(|(_, path)| path));
    let least = |root: &str, path: &str, file: &str| {
        let path = Path::new(path.trim_start_matches('/'));
        let limits = path.ancestors().map(|path| Path::new(root).join(path).join(file));
        limits.filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok()).min()
    };
    let second = least("/sys/fs/cgroup", second.unwrap_or_default(), "memory.max");
    let first = least("/sys/fs/cgroup/memory", first.unwrap_or_default(), "memory.limit_in_bytes");
    [first, second].into_iter().flatten().min()
}

/// A number of KiB in a table of the system, in bytes.
fn kib(table: &str, name: &str) -> Option<u64> {
    let text = table.lines().find_map(|line| line.strip_prefix(name))?;
    Some(text.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

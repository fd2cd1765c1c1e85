//! CPU time and peak memory, read from the kernel's text files.
//!
//! On a shared machine wall-clock time includes the load of others. `/proc/thread-self/schedstat`
//! gives the nanoseconds this thread ran; `/proc/self/stat` has the times of the children it waited
//! for, in hundredths of a second. Where these files are missing, wall-clock time is measured
//! instead, and `name` says so.

use std::fs::read_to_string;
use std::time::{Duration, Instant};

/// The kernel's unit for children's times, fixed at 100 Hz in its interface.
const TICK: Duration = Duration::from_millis(10);

/// Time this thread and its finished children spent computing.
pub struct CpuClock {
    cpu: Option<Duration>,
    wall: Instant,
}

impl CpuClock {
    /// Starts now.
    pub fn start() -> Self {
        Self { cpu: cpu_time(), wall: Instant::now() }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        match (self.cpu, cpu_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }

    /// The kind of time measured, in words.
    pub fn name() -> &'static str {
        match cpu_time() {
            Some(_) => "CPU time",
            None => "wall time",
        }
    }
}

fn cpu_time() -> Option<Duration> {
    // The kernel updates the account at its own ticks and when a thread yields.
    std::thread::yield_now();
    let own = read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = own.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds) + children()?)
}

/// `cutime` and `cstime`, the 14th and 15th words after the parenthesised name.
fn children() -> Option<Duration> {
    let stat = read_to_string("/proc/self/stat").ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let words: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: u32 = words.get(13)?.parse::<u32>().ok()? + words.get(14)?.parse::<u32>().ok()?;
    Some(TICK * ticks)
}

/// The largest resident memory of this process so far, in bytes.
pub fn peak_memory() -> Option<u64> {
    let status = read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

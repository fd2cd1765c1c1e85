//! A limit on computing time rather than on waiting.
//!
//! A deadline by the wall clock would make a busy machine look like a slow solver. A second thread
//! adds up what this process and its running children have used, and asks to stop.

use std::fs::read_to_string;
use std::thread;
use std::time::{Duration, Instant};

use gridsat_model::Stop;

/// How often the second thread looks.
const PAUSE: Duration = Duration::from_millis(10);

/// The wall clock ends it at the latest after this many times the limit.
const PATIENCE: u32 = 6;

/// Runs the work with a [`Stop`] that is due when the limit is used up.
pub fn within<T>(limit: Duration, work: impl FnOnce(&Stop) -> T) -> T {
    let stop = Stop::never().within(PATIENCE * limit);
    thread::scope(|scope| {
        let (started, wall) = (used(), Instant::now());
        let done = Stop::never();
        let (watched, ended) = (stop.clone(), done.clone());
        let watcher = scope.spawn(move || {
            while !ended.is_requested() {
                thread::park_timeout(PAUSE);
                let spent = match (started, used()) {
                    (Some(before), Some(now)) => now.saturating_sub(before),
                    _ => wall.elapsed(),
                };
                if spent >= limit {
                    watched.request();
                    return;
                }
            }
        });
        let result = work(&stop);
        done.request();
        watcher.thread().unpark();
        result
    })
}

/// What all threads of this process, the children it waited for and those still running have used,
/// to a hundredth of a second.
pub fn used() -> Option<Duration> {
    let own = ticks("/proc/self/stat")?;
    let pid = std::process::id();
    let children = read_to_string(format!("/proc/self/task/{pid}/children")).unwrap_or_default();
    let running =
        children.split_whitespace().filter_map(|child| ticks(&format!("/proc/{child}/stat")));
    Some(Duration::from_millis(10) * (own + running.sum::<u32>()))
}

/// `utime`, `stime`, `cutime` and `cstime`, the 12th to 15th words after the name.
fn ticks(path: &str) -> Option<u32> {
    let stat = read_to_string(path).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().skip(11).take(4).map(|word| word.parse::<u32>().ok()).sum()
}

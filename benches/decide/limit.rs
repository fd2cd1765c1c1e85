//! A limit on CPU time rather than on wall-clock time.
//!
//! A wall-clock deadline would make a busy machine look like a slow solver. A second thread adds up
//! the CPU time of this process and its running children, and requests a stop.

use std::fs::read_to_string;
use std::thread;
use std::time::{Duration, Instant};

use gridsat_model::Stop;

/// Time between two checks of the second thread.
const PAUSE: Duration = Duration::from_millis(10);

/// The latest end, as a multiple of the limit in wall-clock time.
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

/// The CPU time of all threads of this process, of the children it waited for and of those still
/// running, to a hundredth of a second.
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

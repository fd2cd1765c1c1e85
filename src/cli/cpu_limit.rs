//! A limit on the CPU time of this process.
//!
//! CPU time passes only while the process runs, so the limit means the same amount of work on a
//! busy computer as on an idle one. A thread watches it: reading the clock takes too long for the
//! inner loops that check a stop. Without a clock of CPU time, outside Unix, wall-clock time is
//! taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long the thread sleeps between two looks at the clock, at least and at most.
const SLEEP: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// A flag that is set after this much CPU time of all threads from now on.
pub fn watch(limit: Duration) -> Arc<AtomicBool> {
    let expired = Arc::new(AtomicBool::new(false));
    let (end, flag) = (now().saturating_add(limit), Arc::clone(&expired));
    // Not joined: it sleeps nearly all of its life and ends with the process.
    thread::spawn(move || {
        while let Some(left) = end.checked_sub(now()).filter(|left| !left.is_zero()) {
            // With n threads the clock runs n times as fast as that on the wall.
            thread::sleep((left / 8).clamp(SLEEP.0, SLEEP.1));
        }
        flag.store(true, Ordering::Relaxed);
    });
    expired
}

/// The CPU time of this process.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

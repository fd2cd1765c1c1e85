//! Signals that end the program: SIGINT (Ctrl-C), SIGTERM (batch systems, containers) and SIGHUP (a
//! closed terminal), the last one unless it is ignored, as under `nohup`.
//!
//! A command that can stop early is asked to: it prints what it has. A second signal, or one during
//! a command that has nothing to show before its end, ends the program at once. Other programs that
//! it started are ended and temporary files removed in any case.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use gridsat_model::Stop;

use super::exit::Failure;

/// What a signal requests.
static STOP: LazyLock<Stop> = LazyLock::new(Stop::never);
/// Whether a command looks at [`STOP`].
static IS_HEARD: AtomicBool = AtomicBool::new(false);
/// The last signal that was received; 0 for none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// Handles signals from now on.
pub fn handle() -> Result<(), Failure> {
    on_signals(receive).map_err(Failure::internal)
}

/// A stop that signals request, for a command that ends soon after it is due.
pub fn interrupt() -> Stop {
    IS_HEARD.store(true, Ordering::SeqCst);
    STOP.clone()
}

/// Requests the stop, as a signal does; whether a command looks at it.
pub fn request() -> bool {
    let is_heard = IS_HEARD.load(Ordering::SeqCst);
    if is_heard {
        STOP.request();
    }
    is_heard
}

/// The exit code by which a shell knows which signal ended the program: 128 and its number. `None`
/// if there was no signal.
pub fn exit_code() -> Option<u8> {
    let signal = RECEIVED.load(Ordering::SeqCst);
    (signal != 0).then(|| code_of(signal))
}

/// Ends all that would stay behind without destructors: other programs and temporary files.
pub fn clean_up() {
    gridsat_children::end_all();
    gridsat_files::remove_temporaries();
}

fn receive(signal: i32) {
    RECEIVED.store(signal, Ordering::SeqCst);
    if !IS_HEARD.load(Ordering::SeqCst) || STOP.is_requested() {
        clean_up();
        std::process::exit(code_of(signal).into());
    }
    STOP.request();
}

fn code_of(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

#[cfg(not(unix))]
fn on_signals(handle: impl Fn(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || handle(SIGINT))
}

/// Calls the function at every signal, in a thread of its own.
#[cfg(unix)]
fn on_signals(handle: impl Fn(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    // A handler would end what `nohup` is to keep.
    if !ignores_hangup() {
        signals.add_signal(SIGHUP)?;
    }
    std::thread::spawn(move || signals.forever().for_each(handle));
    Ok(())
}

/// Whether the program was started by `nohup`; false where the system does not say.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & HANGUP != 0)
}

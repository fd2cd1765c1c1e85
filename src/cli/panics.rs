//! A panic is an error of gridsat: one line with the version and a request to report it, exit code
//! 1. What was written before, such as finished runs of an experiment, is kept.

use std::panic::{PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::Exit;
use super::say::say;
use super::signals;

/// Names a place, such as `start` or `part 3`, at which the program is to fail, to test what is
/// left behind.
const INJECTED: &str = "GRIDSAT_PANIC_AT";

static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Runs the work. A panic in it, or in a thread that it started, is an internal error.
pub fn caught(work: fn() -> Exit) -> Exit {
    let standard = take_hook();
    set_hook(Box::new(move |panic| {
        // Panics that follow from the first one explain nothing.
        if !HAS_PANICKED.swap(true, Ordering::SeqCst) {
            tell(panic);
        }
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            standard(panic);
        }
    }));
    let exit = catch_unwind(work).unwrap_or(Exit::Internal);
    signals::clean_up();
    if HAS_PANICKED.load(Ordering::SeqCst) { Exit::Internal } else { exit }
}

fn tell(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map_or(String::new(), |place| format!(" at {place}"));
    let text = panic.payload().downcast_ref::<String>().map(String::as_str);
    let what = text.or(panic.payload().downcast_ref::<&str>().copied());
    let what = what.unwrap_or("without a message");
    say(format_args!(
        "internal error in gridsat {}{}{place}: {what}; finished results are kept. Please report \
         this line with the command and its files",
        env!("CARGO_PKG_VERSION"),
        env!("GRIDSAT_COMMIT"),
    ));
}

/// Fails if the environment names this place.
#[allow(clippy::panic, reason = "the failure that is asked for")]
pub fn inject(place: &str) {
    if std::env::var_os(INJECTED).is_some_and(|wanted| wanted == place) {
        panic!("injected at '{place}'");
    }
}

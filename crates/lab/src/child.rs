//! Children that do not outlive their parent.
//!
//! A process that is killed cannot end its children. On Linux a child can ask for a signal at the
//! death of its parent; it must do so itself, after it was started. So children are started as
//! `gridsat with-parent PID COMMAND`, which asks for the signal and becomes COMMAND. Where the
//! system has no such signal, COMMAND is started directly.

use std::io;
use std::path::Path;
use std::process::Command;

/// The word by which the program becomes another one.
pub const WITH_PARENT: &str = "with-parent";

/// The same command, started so that it ends with this process.
#[cfg(target_os = "linux")]
pub(crate) fn with_parent(program: &Path, command: &Command) -> Command {
    let mut tied = Command::new(program);
    tied.arg(WITH_PARENT).arg(std::process::id().to_string());
    tied.arg(command.get_program()).args(command.get_args());
    tied
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn with_parent(_: &Path, command: &Command) -> Command {
    let mut same = Command::new(command.get_program());
    same.args(command.get_args());
    same
}

/// Becomes the command and ends when the process with this id does. Returns only if that fails.
#[cfg(target_os = "linux")]
pub fn become_child(parent: u32, command: &mut Command) -> io::Error {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt;
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // The parent may have died before the signal was asked for.
    let is_there =
        getppid().is_some_and(|id| u32::try_from(id.as_raw_nonzero().get()) == Ok(parent));
    if !is_there {
        return io::Error::other("the parent process is gone");
    }
    command.exec()
}

/// The same where the system has no such signal; never called there.
#[cfg(not(target_os = "linux"))]
pub fn become_child(_: u32, _: &mut Command) -> io::Error {
    io::ErrorKind::Unsupported.into()
}

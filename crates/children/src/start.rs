//! Starts children in groups of their own, through a program that ties them to this process.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Sender};
use std::sync::{LazyLock, OnceLock};

/// The word by which the program becomes another one.
pub const WITH_PARENT: &str = "with-parent";

/// The program that understands [`WITH_PARENT`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// A command, and where its child goes.
type Order = (Command, Sender<io::Result<Child>>);

/// The thread that starts all children, and is their parent.
static STARTER: LazyLock<Sender<Order>> = LazyLock::new(|| {
    let (sender, orders) = mpsc::channel::<Order>();
    std::thread::spawn(move || {
        for (mut command, answer) in orders {
            // Nobody waits for the answer if the process is ending.
            let _ = answer.send(command.spawn());
        }
    });
    sender
});

/// From now on children are started through this program, which must call [`become_child`] for
/// [`WITH_PARENT`].
pub fn start_through(program: PathBuf) {
    // Set once by the program itself; a second call would name the same one.
    let _ = PROGRAM.set(program);
}

/// Starts a command as leader of a process group. Pass it through [`tied`] first, so that it ends
/// when this process does.
pub fn spawn(mut command: Command) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let (answer, child) = mpsc::channel();
    let gone = |_| io::Error::other("the thread that starts programs has ended");
    STARTER.send((command, answer)).map_err(|_| gone(mpsc::RecvError))?;
    child.recv().map_err(gone)?
}

/// The same program, arguments and environment, started so that it ends with this process. Streams
/// cannot be copied: set them for the new command.
#[cfg(target_os = "linux")]
pub fn tied(command: Command) -> Command {
    // Otherwise it is started directly, for the error of the system.
    let is_there = is_program(command.get_program());
    let Some(program) = PROGRAM.get().filter(|program| is_there && program.exists()) else {
        return command;
    };
    let mut tied = Command::new(program);
    tied.arg(WITH_PARENT).arg(std::process::id().to_string());
    tied.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => tied.env(name, value),
            None => tied.env_remove(name),
        };
    }
    tied
}

/// The command itself: the system has no signal at the death of a parent.
#[cfg(not(target_os = "linux"))]
pub fn tied(command: Command) -> Command {
    command
}

/// Whether there is such a program: a file or, for a name without folders, one in the PATH.
pub fn is_program(name: &OsStr) -> bool {
    let mut with_suffix = name.to_owned();
    with_suffix.push(std::env::consts::EXE_SUFFIX);
    let (path, suffixed) = (Path::new(name), Path::new(&with_suffix));
    if path.components().count() > 1 {
        return is_executable(path);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .any(|folder| is_executable(&folder.join(path)) || is_executable(&folder.join(suffixed)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
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

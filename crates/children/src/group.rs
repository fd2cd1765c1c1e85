//! Process groups, and the list of those that run.

use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The ids of children that were not waited for.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Keeps a child in the list of [`end_all`] until it is dropped. Drop it before the child is waited
/// for: afterwards its id may belong to another process.
#[derive(Debug)]
pub struct Listed(u32);

impl Listed {
    /// Adds the child to the list.
    pub fn new(child: &Child) -> Self {
        running().push(child.id());
        Self(child.id())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        running().retain(|&id| id != self.0);
    }
}

/// Kills the child and its process group. It must be waited for afterwards.
pub fn end(child: &mut Child) {
    kill_group(child.id());
    // Where there are no groups, or if it leads none. It may have ended by itself.
    let _ = child.kill();
}

/// Kills all listed children with their process groups, without waiting for them.
pub fn end_all() {
    let all = std::mem::take(&mut *running());
    all.into_iter().for_each(kill_group);
}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // There is no such group if all of it has ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::{Duration, Instant};

    #[test]
    fn children_end_with_what_they_started() {
        let start = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & wait"]).stdout(std::process::Stdio::piped());
        let one = crate::spawn(command).expect("starts");
        let listed = Listed::new(&one);
        end_all();
        // The output stays open as long as the grandchild lives.
        let output = one.wait_with_output().expect("ends");
        drop(listed);
        assert!(!output.status.success() && start.elapsed() < Duration::from_secs(30));
    }
}

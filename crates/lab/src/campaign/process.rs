//! One child process: its output, its time and its peak memory.
//!
//! The system reports CPU time and peak memory when the process is waited for, children of the
//! process included. On Linux that peak is at least the size of this program, because a new process
//! begins as a copy of it; smaller peaks are unknown. Every child leads a process group, so that
//! ending it also ends the processes it started.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use gridsat_children::Listed;
use gridsat_model::Stop;
use wait4::{ResUse, Wait4};

/// A process that has ended.
#[derive(Debug)]
pub(super) struct Finished {
    pub status: ExitStatus,
    pub wall_seconds: f64,
    pub cpu_seconds: f64,
    pub peak_mib: Option<f64>,
    /// Whether it was ended because it took too long.
    pub overran: bool,
    /// The last line on its standard error.
    pub last_words: String,
}

impl Finished {
    /// Why it gave no answer, in one line.
    pub fn complaint(&self) -> String {
        match (self.overran, self.last_words.as_str()) {
            (true, _) => format!("stopped after {:.0} s", self.wall_seconds),
            (false, "") => format!("no answer ({})", self.status),
            (false, words) => words.to_owned(),
        }
    }
}

/// Runs a command to its end, or for `limit`; `None` if a stop was requested. Its standard output
/// goes to the file `out`.
pub(super) fn run(
    command: Command,
    out: &Path,
    limit: Duration,
    stop: &Stop,
) -> io::Result<Option<Finished>> {
    let mut errors = tempfile::tempfile()?;
    let mut command = gridsat_children::tied(command);
    command.stdin(Stdio::null()).stdout(File::create(out)?).stderr(errors.try_clone()?);
    let start = Instant::now();
    let mut child = gridsat_children::spawn(command)?;
    let _listed = Listed::new(&child);
    let mut overran = false;
    while !is_over(&mut child)? {
        overran |= start.elapsed() > limit;
        if overran || stop.is_requested() {
            gridsat_children::end(&mut child);
        }
        // Short runs are measured to a millisecond, long ones to two percent.
        sleep((start.elapsed() / 50).clamp(Duration::from_millis(1), Duration::from_millis(20)));
    }
    let wall_seconds = start.elapsed().as_secs_f64();
    let ResUse { status, rusage } = child.wait4()?;
    if stop.is_requested() {
        return Ok(None);
    }
    let peak = Some(rusage.maxrss).filter(|&peak| peak > own_peak());
    Ok(Some(Finished {
        status,
        wall_seconds,
        cpu_seconds: (rusage.utime + rusage.stime).as_secs_f64(),
        peak_mib: peak.map(|bytes| bytes as f64 / 1_048_576.0),
        overran,
        last_words: last_line(&mut errors)?,
    }))
}

/// Whether the process has ended. It is not removed, so that its id stays valid and its usage can
/// be asked for.
#[cfg(unix)]
fn is_over(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(group(child)?), options)?.is_some())
}

#[cfg(not(unix))]
fn is_over(child: &mut Child) -> io::Result<bool> {
    child.try_wait().map(|status| status.is_some())
}

#[cfg(unix)]
fn group(child: &Child) -> io::Result<rustix::process::Pid> {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    id.ok_or_else(|| io::Error::other("the process has no id"))
}

/// Peak memory of this program until now, in bytes; 0 where the system does not say.
fn own_peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    peak.unwrap_or(0) * 1024
}

/// The last line with text, shortened; programs may print megabytes.
fn last_line(file: &mut File) -> io::Result<String> {
    const MOST: u64 = 4_096;
    const SHOWN: usize = 300;
    let length = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    Ok(line.chars().take(SHOWN).collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, limit: f64, stop: &Stop) -> (Option<Finished>, String) {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let out = folder.path().join("out");
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let finished = run(command, &out, Duration::from_secs_f64(limit), stop);
        (finished.expect("runs"), std::fs::read_to_string(&out).expect("readable"))
    }

    #[test]
    fn output_time_and_last_words_are_kept() {
        let stop = Stop::never();
        let script = "echo answer; echo first >&2; echo 'last words' >&2; exit 3";
        let (finished, out) = sh(script, 20.0, &stop);
        let finished = finished.expect("not stopped");
        assert_eq!((out.as_str(), finished.status.code()), ("answer\n", Some(3)));
        assert_eq!(finished.complaint(), "last words");
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let finished = sh(&format!("sh -c '{busy}'; {busy}"), 60.0, &stop).0.expect("not stopped");
        assert!(finished.cpu_seconds > 0.02, "{finished:?}");
        assert!(finished.wall_seconds * 1.5 > finished.cpu_seconds, "{finished:?}");
    }

    /// The grandchild would keep the program waiting if it were not ended, too.
    #[test]
    fn it_is_ended_with_its_children() {
        let stop = Stop::never();
        let begin = Instant::now();
        let finished = sh("sleep 60 & wait", 0.1, &stop).0.expect("not stopped");
        assert!(finished.overran && finished.complaint().contains("stopped after 0 s"));
        stop.request();
        assert!(sh("sleep 60", 60.0, &stop).0.is_none());
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}

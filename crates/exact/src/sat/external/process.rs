//! Runs a program under a [`Stop`].
//!
//! Threads read its output, so that a full pipe cannot block the program, and a process it left
//! behind cannot block us. It leads its own process group: a solver started through a script is
//! killed with the script.

use std::io::{self, ErrorKind, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use gridsat_children::Listed;
use gridsat_model::Stop;

/// Time between two checks of the stop.
const POLL: Duration = Duration::from_millis(5);
/// How long output may stay open after the program has ended.
const GRACE: Duration = Duration::from_secs(2);
/// Most bytes of the error output that are kept.
const COMPLAINT: usize = 200;

/// A program that ran to its end.
pub(super) struct Finished {
    pub(super) status: ExitStatus,
    /// The lines of its output that begin with `s` or `v`.
    pub(super) answer: Vec<u8>,
    /// Whether the output exceeded the room for it and was cut off.
    pub(super) overlong: bool,
    complaint: Vec<u8>,
}

impl Finished {
    /// The exit status and the first line of the error output, for messages.
    pub(super) fn ending(&self) -> String {
        let complaint = String::from_utf8_lossy(&self.complaint);
        match complaint.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(line) => format!("{}, {line}", self.status),
            None => self.status.to_string(),
        }
    }
}

/// Runs a command and keeps at most `room` bytes of its answer. `None` if it was stopped.
pub(super) fn run(command: Command, room: usize, stop: &Stop) -> io::Result<Option<Finished>> {
    let mut command = gridsat_children::tied(command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = gridsat_children::spawn(command).map_err(|error| match error.kind() {
        ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "there is no such program"),
        _ => error,
    })?;
    let mut guard = Guard { _listed: Listed::new(&child), child, ended: false };
    let output = in_thread(guard.child.stdout.take(), move |pipe| keep_answer(pipe, room));
    let errors = in_thread(guard.child.stderr.take(), keep_start);
    let Some(status) = guard.wait(stop)? else {
        return Ok(None);
    };
    let (answer, overlong) = collect(&output)??;
    let complaint = collect(&errors)??;
    guard.ended = true;
    Ok(Some(Finished { status, answer, overlong, complaint }))
}

/// Kills the program and its children when dropped, unless it has ended.
struct Guard {
    child: Child,
    _listed: Listed,
    ended: bool,
}

impl Guard {
    /// `None` if it was stopped.
    fn wait(&mut self, stop: &Stop) -> io::Result<Option<ExitStatus>> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if stop.is_due() {
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(POLL);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        gridsat_children::end(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Processes a pipe in a thread. The thread is abandoned if the result is not received.
fn in_thread<P, T>(pipe: Option<P>, work: impl FnOnce(P) -> T + Send + 'static) -> Receiver<T>
where
    P: Send + 'static,
    T: Send + 'static,
{
    let (sender, receiver) = mpsc::channel();
    if let Some(pipe) = pipe {
        std::thread::spawn(move || sender.send(work(pipe)));
    }
    receiver
}

fn collect<T>(receiver: &Receiver<T>) -> io::Result<T> {
    receiver.recv_timeout(GRACE).map_err(|error| match error {
        RecvTimeoutError::Timeout => io::Error::other("it ended, but its output is still open"),
        RecvTimeoutError::Disconnected => io::Error::other("its output was lost"),
    })
}

/// The lines that begin with `s` or `v`, and whether `room` was too small for all of them.
fn keep_answer(mut pipe: impl Read, room: usize) -> io::Result<(Vec<u8>, bool)> {
    let mut kept = Vec::new();
    let mut overlong = false;
    let (mut starts_line, mut keep) = (true, false);
    each_chunk(&mut pipe, |chunk| {
        for &byte in chunk {
            if starts_line {
                keep = byte == b's' || byte == b'v';
            }
            starts_line = byte == b'\n';
            if keep && kept.len() < room {
                kept.push(byte);
            } else {
                overlong |= keep;
            }
        }
    })?;
    Ok((kept, overlong))
}

fn keep_start(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    each_chunk(&mut pipe, |chunk| {
        let room = COMPLAINT - kept.len();
        kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
    })?;
    Ok(kept)
}

fn each_chunk(pipe: &mut impl Read, mut work: impl FnMut(&[u8])) -> io::Result<()> {
    let mut chunk = [0; 1 << 14];
    loop {
        match pipe.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(count) => work(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answer_lines_are_kept() {
        let text = b"c noise\ns SATISFIABLE\n\nx v\nv 1 0\n";
        let kept = keep_answer(&text[..], 100).expect("memory");
        assert_eq!(kept, (b"s SATISFIABLE\nv 1 0\n".to_vec(), false));
        let kept = keep_answer(&text[..], 5).expect("memory");
        assert_eq!(kept, (b"s SAT".to_vec(), true));
    }
}

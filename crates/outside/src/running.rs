//! A running program: lines in, lines out, each within a time limit.
//!
//! One thread writes and one reads, so that a program that does not read, or prints without being
//! asked, cannot block us. The program leads a process group of its own: whatever it started is
//! killed with it. A program whose input ends has a moment to end by itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use gridsat_children::Listed;
use gridsat_model::Stop;
use gridsat_model::text::shortened;

/// The time limit of an answer, unless the name says another.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Longest answer in bytes.
const LONGEST: u64 = 1 << 26;
/// Time between two checks of the stop.
const POLL: Duration = Duration::from_millis(50);
/// How long a program may take to end after its input has.
const GRACE: Duration = Duration::from_millis(200);

/// Whether this is the name of a program: `cmd:…` or `cmd/5s:…`.
pub fn is_program(name: &str) -> bool {
    name.starts_with("cmd:") || name.starts_with("cmd/")
}

/// A command line and the time limit of its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What the shell runs.
    pub command: String,
    /// The time limit of each answer.
    pub limit: Duration,
}

impl Program {
    /// The program of a name such as `cmd:python3 mine.py` or `cmd/0.5s:./mine`.
    pub fn of(name: &str) -> Result<Self, String> {
        let wrong = |why: &str| format!("'{}': {why}", shortened(name, 60));
        let rest = name.strip_prefix("cmd").ok_or_else(|| wrong("not cmd:COMMAND"))?;
        let (limit, command) = rest.split_once(':').ok_or_else(|| wrong("not cmd:COMMAND"))?;
        let command = command.trim().to_owned();
        if command.is_empty() {
            return Err(wrong("the command is missing after cmd:"));
        }
        let limit = match limit.strip_prefix('/') {
            None => LIMIT,
            Some(text) => {
                let seconds = text.strip_suffix('s').unwrap_or(text).parse::<f64>().ok();
                let seconds = seconds.filter(|seconds| *seconds > 0.0);
                let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                limit.ok_or_else(|| wrong("the time limit is not like cmd/5s:COMMAND"))?
            }
        };
        Ok(Self { command, limit })
    }

    /// Starts it.
    pub fn start(&self) -> Result<Running, String> {
        let mut command = gridsat_children::tied(shell(&self.command));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = gridsat_children::spawn(command)
            .map_err(|error| self.wrong(&format!("cannot be started: {error}")))?;
        let listed = Listed::new(&child);
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(self.wrong("has no pipes"));
        };
        let complaint = Arc::new(Mutex::new(String::new()));
        let questions = writer(input);
        let answers = reader(output);
        let silence = listen(errors, Arc::clone(&complaint));
        let (program, questions) = (self.clone(), Some(questions));
        Ok(Running { program, child, _listed: listed, questions, answers, complaint, silence })
    }

    fn wrong(&self, what: &str) -> String {
        format!("cmd:{}: {what}", shortened(&self.command, 60))
    }
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

#[cfg(not(unix))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.arg("/C").arg(line);
    command
}

/// A program that was started; ended when dropped.
pub struct Running {
    program: Program,
    child: Child,
    _listed: Listed,
    questions: Option<Sender<String>>,
    answers: Receiver<Result<String, String>>,
    /// The last line of its error output.
    complaint: Arc<Mutex<String>>,
    /// Disconnected when the error output has ended.
    silence: Receiver<()>,
}

impl Running {
    /// The answer to a question, each of them one line. `None` if the stop was due first.
    pub fn ask(&mut self, question: String, stop: &Stop) -> Result<Option<String>, String> {
        let is_sent = self.questions.as_ref().is_some_and(|sender| sender.send(question).is_ok());
        if !is_sent {
            return Err(self.ended());
        }
        let deadline = Instant::now() + self.program.limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(POLL)) {
                Ok(answer) => return answer.map(Some).map_err(|why| self.program.wrong(&why)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if stop.is_due() => return Ok(None),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let limit = self.program.limit.as_secs_f64();
                    return Err(self.program.wrong(&format!("no answer within {limit} s")));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Says what is wrong with an answer.
    pub fn wrong(&self, why: &str) -> String {
        self.program.wrong(why)
    }

    /// Why there is no answer: how the program ended, and what it said.
    fn ended(&mut self) -> String {
        let start = Instant::now();
        let mut status = None;
        while status.is_none() && start.elapsed() < GRACE {
            status = self.child.try_wait().ok().flatten();
            thread::sleep(Duration::from_millis(1));
        }
        let how =
            status.map_or("closed its output".to_owned(), |status| format!("ended ({status})"));
        // The error output may arrive a little later than the end; it stays open if a child of the
        // program has it.
        let _ = self.silence.recv_timeout(GRACE);
        let said = lock(&self.complaint).clone();
        let said = if said.is_empty() { said } else { format!(": {}", shortened(&said, 200)) };
        self.program.wrong(&format!("{how} without an answer{said}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The end of its input asks the program to end.
        self.questions = None;
        let start = Instant::now();
        while start.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(1));
        }
        gridsat_children::end(&mut self.child);
        let _ = self.child.wait();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes lines until the program closes its input or the sender is dropped.
fn writer(mut input: ChildStdin) -> Sender<String> {
    let (sender, receiver) = mpsc::channel::<String>();
    thread::spawn(move || {
        for mut line in receiver {
            line.push('\n');
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

/// Reads lines until the program closes its output.
fn reader(output: ChildStdout) -> Receiver<Result<String, String>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let answer = match read {
                Err(_) | Ok(0) => break,
                Ok(count) if count as u64 == LONGEST => Err("an answer is too long".to_owned()),
                Ok(_) => String::from_utf8(line).map_err(|_| "an answer is not UTF-8".to_owned()),
            };
            let answer = answer.map(|line| line.trim_end().to_owned());
            // Blank lines are no answers.
            let is_blank = answer.as_ref().is_ok_and(String::is_empty);
            if !is_blank && sender.send(answer).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Keeps the last line of the error output; the receiver is disconnected at its end.
fn listen(errors: ChildStderr, last: Arc<Mutex<String>>) -> Receiver<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let _until_the_end: Sender<()> = sender;
        let mut errors = BufReader::new(errors);
        loop {
            let mut line = Vec::new();
            match errors.by_ref().take(1 << 16).read_until(b'\n', &mut line) {
                Err(_) | Ok(0) => break,
                Ok(_) => {
                    let line = String::from_utf8_lossy(&line).trim().to_owned();
                    if !line.is_empty() {
                        *lock(&last) = line;
                    }
                }
            }
        }
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn ask(name: &str) -> Result<Option<String>, String> {
        Program::of(name)?.start()?.ask("{}".to_owned(), &Stop::never())
    }

    #[test]
    fn answers_and_failures_are_one_line() {
        assert_eq!(ask("cmd:cat"), Ok(Some("{}".to_owned())));
        let cases = [
            ("cmd:exit 3", "cmd:exit 3: ended (exit status: 3) without an answer"),
            ("cmd:echo no >&2; exit 1", "ended (exit status: 1) without an answer: no"),
            ("cmd/0.2s:sleep 100", "cmd:sleep 100: no answer within 0.2 s"),
            ("cmd:no-such-program-here", "without an answer"),
            ("cmd:", "the command is missing"),
            ("cmd/x:cat", "the time limit is not like cmd/5s:COMMAND"),
        ];
        for (name, part) in cases {
            let error = ask(name).expect_err(name);
            assert!(error.contains(part) && error.lines().count() == 1, "{name}: {error}");
        }
    }

    #[test]
    fn children_of_the_program_are_killed_with_it() {
        let file = std::env::temp_dir().join(format!("gridsat-outside-{}", std::process::id()));
        let line = format!("cmd/0.3s:sh -c 'sleep 2; touch {}' & sleep 100", file.display());
        assert!(ask(&line).is_err());
        thread::sleep(Duration::from_millis(2300));
        assert!(!file.exists());
    }

    #[test]
    fn a_stop_is_heard_while_waiting() {
        let stop = Stop::never().within(Duration::from_millis(100));
        let mut running = Program::of("cmd:sleep 100").expect("valid").start().expect("starts");
        let start = Instant::now();
        assert_eq!(running.ask("{}".to_owned(), &stop), Ok(None));
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

//! What every run of the program must keep to, whatever it was given.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gridsat_test_support::program::Folder;

/// Starts `gridsat` in the folder.
pub fn start(folder: &Folder, words: &[String]) -> Child {
    let mut command = folder.command("");
    command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Runs `gridsat` to its end.
pub fn run(folder: &Folder, words: &[String]) -> Output {
    start(folder, words).wait_with_output().expect("the program ends")
}

/// Words that are separated by spaces.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// When a child is told to end, and by which signal.
pub struct Interrupt {
    pub signal: &'static str,
    pub after: Duration,
    /// The child must end this soon after the signal; else it is killed.
    pub late: Duration,
}

/// What a child printed, and how long it went on after the signal.
pub struct Ended {
    pub output: Output,
    /// Processor time after the signal, of all its threads. Unlike the time on the clock it does
    /// not grow with what else the machine does; zero where the system does not say.
    pub busy: Duration,
    /// Time on the clock after the signal.
    pub late: Duration,
}

impl Interrupt {
    /// Waits for the child. `Err` is how long it took after the signal, if that was too long.
    pub fn wait(&self, mut child: Child) -> Result<Ended, Duration> {
        let start = Instant::now();
        // Read aside, so that a full pipe does not stop the child.
        let out = read_aside(child.stdout.take().expect("piped"));
        let err = read_aside(child.stderr.take().expect("piped"));
        let mut is_sent = false;
        let (mut used_before, mut used) = (Duration::ZERO, Duration::ZERO);
        let status = loop {
            used = processor_time(child.id()).unwrap_or(used);
            if let Some(status) = child.try_wait().expect("a child of ours") {
                break status;
            }
            let elapsed = start.elapsed();
            if elapsed > self.after && !is_sent {
                signal(self.signal, &child);
                (is_sent, used_before) = (true, used);
            }
            if elapsed > self.after + self.late {
                child.kill().expect("a child of ours");
                child.wait().expect("a child of ours");
                return Err(elapsed - self.after);
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let late = start.elapsed().saturating_sub(self.after);
        let busy = if is_sent { used - used_before } else { Duration::ZERO };
        let stdout = out.join().expect("read");
        let output = Output { status, stdout, stderr: err.join().expect("read") };
        Ok(Ended { output, busy, late })
    }
}

/// User and system time of a process that runs or was not waited for yet.
fn processor_time(id: u32) -> Option<Duration> {
    const PER_SECOND: u64 = 100;
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 1000 / PER_SECOND))
}

fn read_aside(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("readable");
        bytes
    })
}

/// The program ended by itself with a documented code, and an error is one line that harms no
/// terminal.
pub fn assert_sound(output: &Output, what: &str) {
    let Output { status, stdout, stderr } = output;
    let err = String::from_utf8_lossy(stderr);
    let code = status.code().unwrap_or_else(|| panic!("{what}: {status}, {err}"));
    assert!(matches!(code, 0..=3 | 10 | 20), "{what}: code {code}, {err}");
    let is_raw = |c: char| c.is_control() && c != '\n';
    assert!(!err.contains(is_raw), "{what}: {err:?}");
    assert!(!String::from_utf8_lossy(stdout).contains("panicked"), "{what}");
    assert!(!err.contains("internal error"), "{what}: {err}");
    if code == 2 {
        let lines = err.lines().filter(|line| line.starts_with("gridsat: ")).count();
        assert_eq!(lines, 1, "{what}: {err}");
        assert!(stdout.is_empty(), "{what}: an error, but output");
    }
}

/// Sends a signal, such as `-INT`. The child may have ended already.
fn signal(name: &str, child: &Child) {
    let id = child.id().to_string();
    let mut kill = Command::new("kill");
    kill.args([name, &id]).stderr(Stdio::null()).status().expect("the program kill");
}

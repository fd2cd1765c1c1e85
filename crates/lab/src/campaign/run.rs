//! One run: a pure function from its description to its row, wherever it is executed.
//!
//! gridsat's certificate is checked by `gridsat verify` in a separate process. A peer's mapping is
//! checked in the same way: its makespan is computed from the mapping, not taken from the peer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use gridsat_files::TemporaryFolder;
use gridsat_model::Stop;
use serde::{Deserialize, Serialize};

use super::answer::{self, Answer, Verdict};
use super::error::CampaignError;
use super::judge::{gap, judge_certificate, judge_claim, judge_mapping};
use super::listing::Listed;
use super::process::{self, Finished};
use super::row::{Key, Row, Status};
use super::solver::{Peer, Program, Solver};

/// Wall-clock seconds that a second of CPU time may take before a process counts as stuck.
const BUSY: f64 = 100.0;

/// An instance, a solver and its limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What is solved.
    pub instance: Listed,
    /// What solves it.
    pub solver: Solver,
    /// What it is allowed.
    pub limits: Limits,
}

/// What a solver is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Time limit in seconds, which the solver obeys by itself.
    pub seconds: f64,
    /// Number of threads.
    pub threads: usize,
    /// Seconds after the limit until the process is ended.
    pub grace: f64,
}

impl Run {
    /// By which its row is found.
    pub fn key(&self) -> Key {
        let Limits { seconds, threads, .. } = self.limits;
        let (solver, options) = (self.solver.name(), self.solver.options());
        Key::new(&self.instance.name, solver, &options, seconds, threads)
    }

    /// Executes the run; `None` if a stop was requested. The certificate is kept if a folder for
    /// certificates is given.
    pub fn execute(
        &self,
        program: &Program,
        certificates: Option<&Path>,
        stop: &Stop,
    ) -> Result<Option<Row>, CampaignError> {
        let aside = TemporaryFolder::new();
        let aside = aside.map_err(|error| system("temporary folder", error))?;
        let kept = certificates.map(|folder| folder.join(self.file_name()));
        if let Some(folder) = &kept {
            emptied(folder).map_err(|error| system(&folder.display().to_string(), error))?;
        }
        let folder = aside.path().to_owned();
        let certificate = kept.unwrap_or_else(|| folder.clone()).join("certificate.json");
        let work = Work { run: self, program, folder, certificate, stop };
        match &self.solver {
            Solver::Ours { options } => work.solve(options),
            Solver::Peer(peer) => work.ask(peer),
        }
    }

    /// A name for a folder, from all that makes the run different from others.
    fn file_name(&self) -> String {
        let Limits { seconds, threads, .. } = self.limits;
        let options = self.solver.options();
        let name = format!("{} {seconds}s {threads} {options}", self.instance.name);
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        name.trim().chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
    }
}

/// A folder without an earlier certificate and its proofs.
fn emptied(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("certificate.") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn system(what: &str, error: io::Error) -> CampaignError {
    CampaignError::System { what: what.to_owned(), error }
}

/// A run that is being executed.
struct Work<'a> {
    run: &'a Run,
    program: &'a Program,
    /// For output and mappings; removed afterwards.
    folder: PathBuf,
    certificate: PathBuf,
    stop: &'a Stop,
}

type Outcome = Result<Option<Row>, CampaignError>;

impl Work<'_> {
    fn solve(&self, options: &[String]) -> Outcome {
        let Limits { seconds, threads, .. } = self.run.limits;
        let mut command = self.ours("solve");
        command.arg("--certificate").arg(&self.certificate).args(options);
        command.args(["--threads", &threads.to_string()]);
        if !self.run.solver.limits_cpu_time() {
            command.args(["--time-limit", &seconds.to_string()]);
        }
        let Some(done) = self.start_ours(command, &self.out())? else { return Ok(None) };
        let mut row = match self.answered(&done) {
            Ok(answer) => Row { version: None, ..self.with_answer(&done, answer) },
            Err(row) => return Ok(Some(*row)),
        };
        if self.certificate.exists() {
            row.certificate_bytes = certificate_bytes(&self.certificate);
            let Some(verdict) = self.check(&self.certificate, &mut row)? else { return Ok(None) };
            match verdict {
                Ok(verdict) => judge_certificate(&mut row, &verdict),
                Err(complaint) => row.note = Some(format!("verify: {complaint}")),
            }
        }
        Ok(Some(row))
    }

    fn ask(&self, peer: &Peer) -> Outcome {
        let Limits { seconds, threads, .. } = self.run.limits;
        let command = peer.command(&self.run.instance.path, seconds, threads);
        let command = command.map_err(|error| error.to_string());
        let started = command.and_then(|command| {
            self.start(command, &self.out()).map_err(|error| error.to_string())
        });
        let done = match started {
            Ok(Some(done)) => done,
            Ok(None) => return Ok(None),
            Err(note) => return Ok(Some(Row { note: Some(note), ..self.blank() })),
        };
        let answer = match self.answered(&done) {
            Ok(answer) => answer,
            Err(row) => return Ok(Some(*row)),
        };
        let mapping = answer.mapping.clone();
        let mut row = self.with_answer(&done, answer);
        if let Some(mapping) = mapping {
            let path = self.folder.join("mapping.json");
            let text = format!("{{\"mapping\":{}}}", mapping.get());
            fs::write(&path, text).map_err(|error| system("temporary folder", error))?;
            let Some(verdict) = self.check(&path, &mut row)? else { return Ok(None) };
            match verdict {
                Ok(verdict) => judge_mapping(&mut row, verdict),
                Err(complaint) => {
                    let note = Some(format!("verify: {complaint}"));
                    return Ok(Some(Row { status: Status::Error, note, ..row }));
                }
            }
        }
        judge_claim(&mut row);
        Ok(Some(row))
    }

    /// A command of this program on the instance.
    fn ours(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program.path);
        command.arg(name).arg(&self.run.instance.path).args(["--format", "jsonl", "--quiet"]);
        command
    }

    fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    /// Starts a command that ends with this process, and waits for it.
    fn start(&self, command: Command, out: &Path) -> io::Result<Option<Finished>> {
        let Limits { seconds, grace, .. } = self.run.limits;
        // How long a second of CPU time takes depends on the other work of the computer.
        let seconds = if self.run.solver.limits_cpu_time() { BUSY * seconds } else { seconds };
        let most = Duration::try_from_secs_f64(seconds + grace).unwrap_or(Duration::MAX);
        process::run(command, out, most, self.stop)
    }

    fn start_ours(&self, command: Command, out: &Path) -> Result<Option<Finished>, CampaignError> {
        self.program.check_unchanged()?;
        let done = self.start(command, out);
        done.map_err(|error| system(&self.program.path.display().to_string(), error))
    }

    /// Has this program check a certificate or mapping; the error says why there is no verdict.
    fn check(
        &self,
        path: &Path,
        row: &mut Row,
    ) -> Result<Option<Result<Verdict, String>>, CampaignError> {
        let out = self.folder.join("verdict");
        let mut command = self.ours("verify");
        command.arg(path);
        let Some(done) = self.start_ours(command, &out)? else { return Ok(None) };
        row.check_seconds = Some(rounded(done.wall_seconds));
        row.check_cpu_seconds = Some(rounded(done.cpu_seconds));
        row.check_peak_mib = done.peak_mib.map(rounded);
        let verdict = answer::whole(&out).map_err(|_| plain(&done.complaint()));
        // The temporary name of what was checked says nothing.
        let without = |text: String| text.replace(&format!("{}: ", path.display()), "");
        let cleaned = |verdict: Verdict| {
            let reason = verdict.reason.map(without);
            Verdict { reason, ..verdict }
        };
        Ok(Some(verdict.map(cleaned).map_err(without)))
    }

    /// The answer of a process, or the row that says why there is none.
    fn answered(&self, done: &Finished) -> Result<Answer, Box<Row>> {
        let (status, note) = match answer::read(&self.out()) {
            Some(Ok(answer)) if !done.overran => return Ok(answer),
            _ if done.overran => (Status::Killed, done.complaint()),
            Some(Err(wrong)) => (Status::Error, wrong),
            _ => (Status::Error, plain(&done.complaint())),
        };
        Err(Box::new(Row { status, note: Some(note), ..self.measured(done) }))
    }

    /// The row of a run that gave no answer yet.
    fn blank(&self) -> Row {
        let Run { instance, solver, limits } = self.run;
        Row {
            gridsat: self.program.version.clone(),
            instance: instance.name.clone(),
            sha256: instance.sha256.clone(),
            class: instance.class(),
            tasks: None,
            hosts: None,
            known: instance.known.clone(),
            solver: solver.name().to_owned(),
            options: solver.options(),
            version: None,
            time_limit: limits.seconds,
            threads: limits.threads,
            status: Status::Error,
            makespan: None,
            lower_bound: None,
            gap: None,
            seconds: None,
            wall_seconds: 0.0,
            cpu_seconds: 0.0,
            start_cpu_seconds: None,
            peak_mib: None,
            accepted: None,
            bound_by: None,
            certificate_bytes: None,
            check_seconds: None,
            check_cpu_seconds: None,
            check_peak_mib: None,
            nodes: None,
            note: None,
        }
    }

    fn measured(&self, done: &Finished) -> Row {
        Row {
            wall_seconds: rounded(done.wall_seconds),
            cpu_seconds: rounded(done.cpu_seconds),
            peak_mib: done.peak_mib.map(rounded),
            ..self.blank()
        }
    }

    fn with_answer(&self, done: &Finished, answer: Answer) -> Row {
        let Answer { status, makespan, lower_bound, .. } = answer;
        let is_there = makespan.is_some() || answer.mapping.is_some();
        let status = match status.map(Status::from) {
            Some(status) if is_there || status == Status::Unknown => status,
            _ if is_there => Status::Feasible,
            _ => Status::Unknown,
        };
        Row {
            status,
            makespan,
            lower_bound,
            gap: gap(lower_bound, makespan),
            tasks: answer.tasks,
            hosts: answer.hosts,
            seconds: answer.seconds,
            start_cpu_seconds: answer.start_cpu_seconds,
            nodes: answer.nodes,
            bound_by: answer.bound_by,
            version: answer.version,
            note: answer.note,
            ..self.measured(done)
        }
    }
}

/// Microseconds and bytes are enough; more digits only make lines longer.
fn rounded(value: f64) -> f64 {
    gridsat_draw::number::rounded(value, 6)
}

/// A message of this program without its name.
fn plain(message: &str) -> String {
    message.strip_prefix("gridsat: ").unwrap_or(message).to_owned()
}

/// The size of a certificate and of the proofs beside it.
fn certificate_bytes(certificate: &Path) -> Option<u64> {
    let folder = fs::read_dir(certificate.parent()?).ok()?;
    let is_part =
        |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("certificate.");
    let files = folder.filter_map(Result::ok).filter(is_part);
    files.map(|entry| entry.metadata().map(|metadata| metadata.len()).ok()).sum()
}

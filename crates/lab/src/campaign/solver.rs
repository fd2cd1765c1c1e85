//! The solvers of a campaign: gridsat itself, and peers given as commands.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use gridsat_exact::sat::{CommandFault, split_command};
use serde::{Deserialize, Serialize};

use super::error::{CampaignError, PeerError};
use super::listing::digest;

/// The name of gridsat among the solvers.
pub const OURS: &str = "gridsat";

/// The gridsat that solves and checks: a program, because limits, CPU time and memory are then
/// measured in the same way as those of peers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its executable file.
    pub path: PathBuf,
    /// Version and start of the SHA-256 of the executable: the version alone seldom changes.
    pub version: String,
    /// When the executable was written.
    #[serde(skip)]
    modified: Option<SystemTime>,
}

impl Program {
    /// The program that is running, whose version is given.
    pub fn this(version: &str) -> Result<Self, CampaignError> {
        let fail = |error| CampaignError::System { what: "the program itself".to_owned(), error };
        let path = env::current_exe().map_err(fail)?;
        let hash = digest(&path).map_err(fail)?;
        let modified = modified(&path);
        Ok(Self { path, version: format!("{version} {}", &hash[..8]), modified })
    }

    /// Refuses an executable that was replaced while the campaign runs, as a build does.
    pub(super) fn check_unchanged(&self) -> Result<(), CampaignError> {
        if modified(&self.path) == self.modified {
            return Ok(());
        }
        let what = self.path.display().to_string();
        let error = io::Error::other("the program has changed; finished runs are kept");
        Err(CampaignError::System { what, error })
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

/// What solves an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solver {
    /// `gridsat solve` with these options.
    Ours {
        /// Further options.
        options: Vec<String>,
    },
    /// Another program, which prints one JSON object.
    Peer(Peer),
}

/// A program with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peer {
    /// Its name in results.
    pub name: String,
    /// The command line as given.
    pub command: String,
}

/// The option of `solve` that limits CPU time.
const CPU_LIMIT: &str = "--cpu-limit";

impl Solver {
    /// gridsat with these options of `solve`, and with a limit on its CPU time if one is given.
    pub fn ours(mut options: Vec<String>, cpu_seconds: Option<f64>) -> Self {
        if let Some(seconds) = cpu_seconds {
            options.extend([CPU_LIMIT.to_owned(), seconds.to_string()]);
        }
        Self::Ours { options }
    }

    /// Whether it obeys a limit on CPU time instead of one on wall-clock time.
    pub(super) fn limits_cpu_time(&self) -> bool {
        matches!(self, Self::Ours { options } if options.iter().any(|word| word == CPU_LIMIT))
    }

    /// Its name in results.
    pub fn name(&self) -> &str {
        match self {
            Self::Ours { .. } => OURS,
            Self::Peer(peer) => &peer.name,
        }
    }

    /// What distinguishes it from solvers of the same name.
    pub fn options(&self) -> String {
        match self {
            Self::Ours { options } => options.join(" "),
            Self::Peer(peer) => peer.command.clone(),
        }
    }
}

/// All peers; each text is `NAME=COMMAND`.
pub fn peers(texts: &[String]) -> Result<Vec<Peer>, CampaignError> {
    let mut peers: Vec<Peer> = Vec::new();
    for text in texts {
        let fail = |what| CampaignError::Peer { text: text.clone(), what };
        let peer = Peer::parse(text).map_err(fail)?;
        if peers.iter().any(|other| other.name == peer.name) {
            return Err(fail(PeerError::Twice));
        }
        peers.push(peer);
    }
    Ok(peers)
}

impl Peer {
    /// Parses `NAME=COMMAND` and checks that the command can be run.
    fn parse(text: &str) -> Result<Self, PeerError> {
        let (name, command) = text.split_once('=').ok_or(PeerError::NoName)?;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name == OURS || !name.chars().all(is_plain) {
            return Err(PeerError::Name);
        }
        let words = split_command(command)?;
        let program = words.first().ok_or(CommandFault::Empty)?;
        if !words.iter().any(|word| word.contains("{instance}")) {
            return Err(PeerError::NoInstance);
        }
        if !gridsat_children::is_program(program.as_ref()) {
            return Err(PeerError::NoProgram(program.clone()));
        }
        Ok(Self { name: name.to_owned(), command: command.trim().to_owned() })
    }

    /// The command for an instance.
    pub(super) fn command(
        &self,
        instance: &Path,
        seconds: f64,
        threads: usize,
    ) -> Result<Command, CommandFault> {
        let instance = instance.to_string_lossy();
        let mut words = split_command(&self.command)?.into_iter().map(|word| {
            let word = word.replace("{seconds}", &seconds.to_string());
            word.replace("{threads}", &threads.to_string()).replace("{instance}", &instance)
        });
        let mut command = Command::new(words.next().ok_or(CommandFault::Empty)?);
        command.args(words);
        Ok(command)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn commands_are_filled_in() {
        let text = "lr=sh -c 'run \"$@\"' x {instance} --limit={seconds} {threads}".to_owned();
        let peers = peers(&[text]).expect("a peer");
        let command = peers[0].command(Path::new("a b.json"), 2.5, 2).expect("a command");
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        assert_eq!(words, ["-c", "run \"$@\"", "x", "a b.json", "--limit=2.5", "2"]);
        assert_eq!(peers[0].name, "lr");
    }

    #[test]
    fn wrong_peers_are_named() {
        for (text, part) in [
            ("sh {instance}", "expected NAME="),
            ("gridsat=sh {instance}", "is not 'gridsat'"),
            ("a b=sh {instance}", "the name may have"),
            ("lr=", "the command is empty"),
            ("lr=sh 'x {instance}", "a quote is not closed"),
            ("lr=sh x", "needs {instance}"),
            ("lr=no-such-program {instance}", "no program 'no-such-program' in the PATH"),
            ("lr=./no-such {instance}", "no program './no-such'"),
        ] {
            let error = peers(&[text.to_owned()]).expect_err(text).to_string();
            assert!(error.starts_with("--peer '") && error.contains(part), "{error}");
        }
        let twice = ["a=sh {instance}", "a=sh -x {instance}"].map(str::to_owned);
        assert!(peers(&twice).is_err());
    }
}

//! A row: one instance, one solver, one limit, and what came out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::exact::Exact;

/// Format of a line of a file of results.
pub const FORMAT: &str = "gridsat-campaign 1";

/// One line of a file of results. Times of the instance are in its own unit, with all digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Version of the gridsat that ran the row and checked it, and the start of its SHA-256.
    pub gridsat: String,
    /// Folder and file name of the instance.
    pub instance: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// Class of the instance, from its name.
    pub class: String,
    /// Number of tasks; null if no answer says it.
    pub tasks: Option<u64>,
    /// Number of hosts; null if no answer says it.
    pub hosts: Option<u64>,
    /// Optimum, or `lower..upper`, from the list; null if it says nothing.
    pub known: Option<String>,
    /// `gridsat`, or the name of a peer.
    pub solver: String,
    /// Options of `solve` after `--`, or the command of the peer.
    pub options: String,
    /// Version that a peer reports; null if it reports none.
    pub version: Option<String>,
    /// Seconds that the solver was allowed.
    pub time_limit: f64,
    /// Threads that the solver was allowed.
    pub threads: usize,
    /// `optimal`, `feasible`, `unknown` (no mapping), `killed` (long after the limit), `error`.
    pub status: Status,
    /// Makespan of the mapping; null without one.
    pub makespan: Option<Exact>,
    /// Lower bound on the makespan of every mapping; null without one.
    pub lower_bound: Option<Exact>,
    /// (makespan − lower_bound) / makespan; null without one of them.
    pub gap: Option<f64>,
    /// Wall-clock time that the solver itself reports; null if it reports none.
    pub seconds: Option<f64>,
    /// Wall-clock time of the process.
    pub wall_seconds: f64,
    /// CPU time of the process and its children, user and system.
    pub cpu_seconds: f64,
    /// Part of it before the search, as the peer reports it: interpreter, packages, reading.
    pub start_cpu_seconds: Option<f64>,
    /// Peak resident memory of the process, in MiB; null if it is below that of `campaign` itself.
    pub peak_mib: Option<f64>,
    /// Whether `gridsat verify` accepts the certificate and both values; for a peer, whether its
    /// mapping has its makespan. Null if there was nothing to check.
    pub accepted: Option<bool>,
    /// Rule of the certificate that the lower bound rests on; null for peers.
    pub bound_by: Option<String>,
    /// Size of the certificate with its proof files; null without one.
    pub certificate_bytes: Option<u64>,
    /// Wall-clock time of `gridsat verify`; null if it did not run.
    pub check_seconds: Option<f64>,
    /// Its CPU time.
    pub check_cpu_seconds: Option<f64>,
    /// Its peak memory, in MiB; null if it is below that of `campaign` itself.
    pub check_peak_mib: Option<f64>,
    /// Nodes of the search, as the peer reports them.
    pub nodes: Option<u64>,
    /// A remark of the solver, or why it failed; null if there is nothing to say.
    pub note: Option<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The solver claims that no mapping is better.
    Optimal,
    /// A mapping, stopped at a limit.
    Feasible,
    /// No mapping.
    Unknown,
    /// Ended from outside, long after its limit.
    Killed,
    /// No answer, or none that can be read.
    Error,
}

/// What makes two rows results of the same run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    instance: String,
    solver: String,
    options: String,
    time_limit: String,
    threads: usize,
}

impl Key {
    pub(super) fn new(
        instance: &str,
        solver: &str,
        options: &str,
        time_limit: f64,
        threads: usize,
    ) -> Self {
        let [instance, solver, options] = [instance, solver, options].map(str::to_owned);
        Self { instance, solver, options, time_limit: time_limit.to_string(), threads }
    }
}

impl Row {
    /// What makes it the result of a certain run.
    pub fn key(&self) -> Key {
        Key::new(&self.instance, &self.solver, &self.options, self.time_limit, self.threads)
    }

    /// Whether the solver gave no answer.
    pub fn has_failed(&self) -> bool {
        matches!(self.status, Status::Killed | Status::Error)
    }

    /// Whether gridsat itself ran.
    pub fn is_ours(&self) -> bool {
        self.solver == super::solver::OURS
    }

    /// Whether the makespan is proven optimal: by an accepted certificate or, for a peer, by its
    /// word that nothing known to this row contradicts.
    pub fn is_proven(&self) -> bool {
        let is_accepted = self.accepted.unwrap_or(!self.is_ours());
        self.status == Status::Optimal && is_accepted
    }

    /// CPU seconds of the search and all that gridsat does around it.
    pub fn search_seconds(&self) -> f64 {
        (self.cpu_seconds - self.start_cpu_seconds.unwrap_or(0.0)).max(0.0)
    }

    /// The line of the file of results.
    pub fn line(&self) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            format: &'static str,
            #[serde(flatten)]
            row: &'a Row,
        }
        let line = Line { format: FORMAT, row: self };
        serde_json::to_string(&line).expect("plain data with text keys is JSON") + "\n"
    }

    /// Reads a line; the error says what is wrong.
    pub fn parse(line: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let head: Head = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if head.format != FORMAT {
            return Err(format!("format '{}', expected '{FORMAT}'", head.format.escape_debug()));
        }
        serde_json::from_str(line).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
pub(super) fn made(instance: &str, solver: &str, makespan: &str, bound: &str) -> Row {
    let (makespan, lower_bound) = (makespan.parse::<Exact>(), bound.parse::<Exact>());
    let is_optimal = makespan == lower_bound;
    Row {
        gridsat: "0 test".to_owned(),
        instance: instance.to_owned(),
        sha256: String::new(),
        class: "made".to_owned(),
        tasks: Some(20),
        hosts: Some(5),
        known: None,
        solver: solver.to_owned(),
        options: String::new(),
        version: None,
        time_limit: 10.0,
        threads: 1,
        status: if is_optimal { Status::Optimal } else { Status::Feasible },
        makespan: makespan.ok(),
        lower_bound: lower_bound.ok(),
        gap: None,
        seconds: None,
        wall_seconds: 1.0,
        cpu_seconds: 1.0,
        start_cpu_seconds: None,
        peak_mib: None,
        accepted: Some(true),
        bound_by: None,
        certificate_bytes: None,
        check_seconds: None,
        check_cpu_seconds: None,
        check_peak_mib: None,
        nodes: None,
        note: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let row = made("a/b.json", "lr", "2924663.571044", "2924663.5");
        let line = row.line();
        assert!(line.starts_with("{\"format\":\"gridsat-campaign 1\",\"gridsat\":"), "{line}");
        assert!(line.contains("\"makespan\":2924663.571044,"), "{line}");
        assert_eq!(Row::parse(&line), Ok(row));
        assert!(Row::parse("{\"format\":\"x\"}").is_err_and(|error| error.contains("expected")));
        assert!(Row::parse("{\"format\":\"gridsat-campaign 1\"}").is_err());
    }

    #[test]
    fn only_accepted_certificates_prove() {
        let with = |solver: &str, accepted| Row { accepted, ..made("a/b", solver, "7", "7") };
        assert!(with("gridsat", Some(true)).is_proven());
        assert!(!with("gridsat", Some(false)).is_proven());
        assert!(!with("gridsat", None).is_proven());
        assert!(with("lr", None).is_proven());
        assert!(!with("lr", Some(false)).is_proven());
        assert!(!made("a/b", "lr", "7", "6").is_proven());
    }
}

//! Kinds of files, recognised by their content, with advice for each: a reader that fails on a file
//! of another kind prints it.

use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instance in JSON. Instances in the other formats are not recognised.
    Instance,
    /// A scenario of a grid or of clusters.
    Scenario,
    /// An experiment.
    Experiment,
    /// Results of an experiment.
    Results,
    /// Results of a campaign.
    Campaign,
    /// A manifest of a set of benchmark instances.
    Manifest,
    /// Levels of service, from which a matrix is computed.
    Utility,
    /// TOML of any other kind.
    Toml,
    /// A certificate.
    Certificate,
    /// A mapping, or a result that contains one.
    Mapping,
    /// A problem for a SAT, pseudo-Boolean or mixed-integer solver.
    Problem,
    /// The answer of such a solver.
    SolverAnswer,
    /// A proof for VeriPB.
    VeriPb,
    /// A log of parallel jobs in the standard workload format.
    Trace,
    /// A spreadsheet in the format of its program, not exported as text.
    Spreadsheet,
    /// A table in the Parquet format.
    Parquet,
    /// Compressed by gzip, xz, zstd or bzip2.
    Compressed,
    /// Not text.
    Binary,
}

/// Number of lines at the start that are examined.
const LINES: usize = 200;

impl Kind {
    /// The kind of the file, if it is one of these.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        const MAGIC: [(&[u8], Kind); 7] = [
            (b"PK\x03\x04", Kind::Spreadsheet),
            (b"\xd0\xcf\x11\xe0", Kind::Spreadsheet),
            (b"PAR1", Kind::Parquet),
            (b"\x1f\x8b", Kind::Compressed),
            (b"\xfd7zXZ", Kind::Compressed),
            (b"\x28\xb5\x2f\xfd", Kind::Compressed),
            (b"BZh", Kind::Compressed),
        ];
        if let Some((_, kind)) = MAGIC.iter().find(|(start, _)| bytes.starts_with(start)) {
            return Some(*kind);
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return None };
        match text.trim_start().chars().next()? {
            '{' => Self::of_json(text),
            _ if text.as_bytes()[..text.len().min(1000)].contains(&0) => Some(Self::Binary),
            _ if serde_json::from_str::<Vec<u32>>(text).is_ok() => Some(Self::Mapping),
            _ => Self::of_lines(text),
        }
    }

    fn of_json(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Keys<'a> {
            #[serde(borrow)]
            etc: Option<&'a RawValue>,
            gridsat_result: Option<IgnoredAny>,
            base: Option<IgnoredAny>,
            #[serde(borrow)]
            format: Option<&'a RawValue>,
            steps: Option<IgnoredAny>,
            mapping: Option<IgnoredAny>,
            resource: Option<IgnoredAny>,
            cluster: Option<IgnoredAny>,
            instances: Option<IgnoredAny>,
            tasks: Option<IgnoredAny>,
            hosts: Option<IgnoredAny>,
        }
        let keys: Keys = match serde_json::from_str(text) {
            Ok(keys) => keys,
            // In results of an experiment or a campaign each line is an object.
            Err(_) => serde_json::from_str(text.lines().next()?).ok()?,
        };
        match keys {
            Keys { gridsat_result: Some(_), .. } => Some(Self::Results),
            Keys { format: Some(format), .. } if is_campaign(format) => Some(Self::Campaign),
            // In a scenario `etc` is a table, not a list.
            Keys { etc: Some(etc), .. } if etc.get().starts_with('[') => Some(Self::Instance),
            Keys { base: Some(_), .. } => Some(Self::Experiment),
            Keys { format: Some(_), steps: Some(_), .. } => Some(Self::Certificate),
            Keys { mapping: Some(_), .. } => Some(Self::Mapping),
            Keys { format: Some(_), instances: Some(_), .. } => Some(Self::Manifest),
            Keys { tasks: Some(_), hosts: Some(_), .. } => Some(Self::Instance),
            Keys { resource: Some(_), .. } | Keys { cluster: Some(_), .. } => Some(Self::Scenario),
            _ => None,
        }
    }

    fn of_lines(text: &str) -> Option<Self> {
        let lines = || text.lines().take(LINES).map(str::trim);
        let starts = |start: &str| lines().any(|line| line.starts_with(start));
        let has_table = |name: &str| starts(&format!("[{name}]")) || starts(&format!("[[{name}]]"));
        let first = lines().find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let tests = [
            (Self::Problem, starts("p cnf ") || first.starts_with("* #variable=")),
            (Self::Problem, starts("ROWS") && starts("NAME")),
            (Self::SolverAnswer, starts("s SATISFIABLE") || starts("s UNSATISFIABLE")),
            (Self::VeriPb, first.starts_with("pseudo-Boolean proof")),
            (Self::Mapping, first.starts_with("task,task_name,host,host_name")),
            (Self::Trace, is_trace(first)),
            (Self::Scenario, has_table("resource") || has_table("cluster")),
            (Self::Experiment, has_table("base") || has_table("sweep")),
            (Self::Utility, has_table("wish")),
            (Self::Toml, is_toml(first)),
        ];
        tests.into_iter().find(|&(_, is_it)| is_it).map(|(kind, _)| kind)
    }
}

/// Whether this is the format of a row of a campaign.
fn is_campaign(format: &RawValue) -> bool {
    format.get().starts_with("\"gridsat-campaign ")
}

/// Comments with a field and its value, or 18 numbers.
fn is_trace(line: &str) -> bool {
    let numbers = line.split_whitespace().filter(|word| word.parse::<f64>().is_ok()).count();
    match line.strip_prefix(';') {
        Some(comment) => comment.trim_start().contains(": "),
        None => numbers == 18 && line.split_whitespace().count() == 18,
    }
}

/// A table's name, or a key and a value.
fn is_toml(line: &str) -> bool {
    let is_key = |key: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_-.\"".contains(c);
        let is_word = key.starts_with(|c: char| c.is_ascii_alphabetic() || "_\"".contains(c));
        is_word && key.chars().all(is_letter) && key != "sep"
    };
    let table = line.trim_start_matches('[').trim_end_matches(']');
    match line.split_once('=') {
        Some((key, _)) => is_key(key.trim()),
        None => line.len() > table.len() && line.ends_with(']') && is_key(table),
    }
}

impl Kind {
    /// Which command takes the file, or what else to do with it, as the end of an error message.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Instance => "gridsat solve FILE finds its smallest makespan",
            Self::Scenario => {
                "gridsat simulate FILE runs it, gridsat compare FILE compares policies"
            }
            Self::Experiment => "gridsat experiment FILE runs it",
            Self::Results => "gridsat report FILE shows it",
            Self::Campaign => "gridsat campaign report FILE shows it",
            Self::Manifest => "gridsat bench --set FILE measures algorithms on it",
            Self::Utility => "gridsat generate utility FILE makes an instance from it",
            Self::Toml => "gridsat simulate reads scenarios, gridsat experiment reads experiments",
            Self::Certificate | Self::Mapping => "gridsat verify INSTANCE FILE checks it",
            Self::Problem => "gridsat decode INSTANCE -k K ANSWER reads the solver's answer",
            Self::SolverAnswer => "gridsat decode INSTANCE -k K FILE reads it",
            Self::VeriPb => "veripb checks it",
            Self::Trace => "gridsat simulate FILE replays it",
            Self::Spreadsheet => "save it as CSV",
            Self::Parquet => "write it as CSV (pandas: to_csv)",
            Self::Compressed => "unpack it first",
            Self::Binary => "save it as UTF-8 text",
        }
    }
}

/// The kind in words.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instance => "an instance",
            Self::Scenario => "a scenario",
            Self::Experiment => "an experiment",
            Self::Results => "a result of an experiment",
            Self::Campaign => "a result of a campaign",
            Self::Manifest => "a manifest of a benchmark set",
            Self::Utility => "a QoS utility file",
            Self::Toml => "a TOML file",
            Self::Certificate => "a certificate",
            Self::Mapping => "a mapping",
            Self::Problem => "a problem for another solver",
            Self::SolverAnswer => "a solver's answer",
            Self::VeriPb => "a VeriPB proof",
            Self::Trace => "a job trace (SWF)",
            Self::Spreadsheet => "a spreadsheet or archive",
            Self::Parquet => "a Parquet file",
            Self::Compressed => "a compressed file",
            Self::Binary => "a binary file",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_recognised() {
        let cases: [(&[u8], Kind); 25] = [
            (br#"{"etc": {"mapping": [0]}, "resource": []}"#, Kind::Scenario),
            (br#"{"base": {"subject": "queue"}}"#, Kind::Experiment),
            (b"{\"gridsat_result\":1,\"experiment\":{}}\n{\"runs\":0}\n", Kind::Results),
            (b"{\"format\":\"gridsat-campaign 1\"}\n{\"format\":\"", Kind::Campaign),
            (br#"{"etc": [[1]], "mapping": [0]}"#, Kind::Instance),
            (b"# a grid\nseed = 1\n[[resource]]\nname = \"a\"\n", Kind::Scenario),
            (br#"{"cluster": []}"#, Kind::Scenario),
            (b"title = \"t\"\n[base]\nsubject = \"queue\"\n", Kind::Experiment),
            (b"times = \"a.json\"\n[[wish]]\n", Kind::Utility),
            (b"[package]\nname = \"x\"\n", Kind::Toml),
            (br#"{"format": "gridsat-certificate", "steps": []}"#, Kind::Certificate),
            (br#"{"gridsat": "1", "mapping": [0, 1]}"#, Kind::Mapping),
            (b"[0, 1, 1]", Kind::Mapping),
            (b"task,task_name,host,host_name,time\n0,t0,1,h1,2\n", Kind::Mapping),
            (b"c a comment\np cnf 2 1\n1 2 0\n", Kind::Problem),
            (b"* #variable= 3 #constraint= 2\n", Kind::Problem),
            (b"NAME gridsat\nROWS\n N COST\n", Kind::Problem),
            (b"c x\ns SATISFIABLE\nv 1 -2 0\n", Kind::SolverAnswer),
            (b"pseudo-Boolean proof version 3.0\n", Kind::VeriPb),
            (b"; Version: 2.2\n1 0 1 2 3\n", Kind::Trace),
            (b"1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 -1 -1 -1 -1 -1\n", Kind::Trace),
            (b"PK\x03\x04xl/workbook", Kind::Spreadsheet),
            (b"PAR1...", Kind::Parquet),
            (b"\x1f\x8b\x08", Kind::Compressed),
            (b"1\0,\x002\0", Kind::Binary),
        ];
        for (bytes, kind) in cases {
            assert_eq!(Kind::of(bytes), Some(kind), "{}", String::from_utf8_lossy(bytes));
        }
        let others: [&[u8]; 6] = [
            b"1,2\n3,4\n",
            b"sep=;\n1;2\n",
            b"task,a,b\nr,1,2\n",
            b"2 2\n1\n2\n3\n4\n",
            b"",
            b"[[1, 2], [3, 4]]",
        ];
        for bytes in others {
            assert_eq!(Kind::of(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }
}

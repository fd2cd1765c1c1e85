//! Algorithms measured: compare, bench, experiment, report.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use gridsat_lab::experiment::Changes;

use super::{
    EngineArgs, InputArgs, OUTPUT, OutputArgs, TimedOutputArgs, TraceArgs, gap, seconds, threads,
};

/// FILE is an instance in any format, or a scenario: TOML, JSON with the key "resource" or
/// "cluster", or a trace of parallel jobs (.swf, .swf.gz).
#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Instance: algorithms, separated by commas ('gridsat map --help' lists them) [default: all]
    ///
    /// 'all' stands for the heuristics, 'searches' for the searches.
    #[arg(long, short, value_name = "A[,B…]")]
    pub algorithm: Option<String>,
    /// Instance: seconds to search for the optimum [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Instance: stop when (makespan - lower bound) / makespan is at most G [default: 0]
    #[arg(long, value_name = "G", value_parser = gap)]
    pub gap: Option<f64>,
    /// Scenario: policies, separated by commas ('gridsat simulate --help' lists them)
    ///
    /// 'own' stands for those in the scenario [default: own, mct, minmin, qgmm, tlmm, tlqmm, sat;
    /// clusters: own, fcfs, fcfs-scan, sjf-scan, ljf-scan, fcfs-scan-no-starvation, easy,
    /// conservative].
    #[arg(long, short, value_name = "P[,Q…]", visible_alias = "policies")]
    pub policy: Option<String>,
    /// Largest number of makespans that a search evaluates
    ///
    /// Instance: per run [default: no limit]. Scenario of a grid: per batch [default: as in FILE].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub evaluations: Option<u64>,
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Seed of the first replication [default: 1; scenario: as in FILE]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Number of replications, each with the next seed [default: 10; scenario: 1]
    #[arg(
        long,
        short,
        value_name = "R",
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub replications: Option<u32>,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

#[derive(Args)]
pub struct BenchArgs {
    /// Benchmark set: small (up to 64x8), all (up to 1024x32), or the path of a manifest
    #[arg(long, value_name = "SET", default_value = "small")]
    pub set: String,
    /// Folder of the manifest's instance files [default: the folder of the manifest]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Only instances whose name contains TEXT, such as 512x16 or u_c
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Algorithms, separated by commas; all, searches ('gridsat map --help' lists them)
    #[arg(long, short, visible_alias = "algorithm", value_name = "A[,B…]", default_value = "all")]
    pub algorithms: String,
    /// Also compare all makespans with those of algorithm A, instance by instance
    #[arg(long, value_name = "A")]
    pub versus: Option<String>,
    /// Seed of the first run of each search
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Number of runs of each search per instance, each with the next seed
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub runs: u32,
    /// Largest number of makespans that a search evaluates per run [default: no limit]
    #[arg(long, value_name = "N")]
    pub evaluations: Option<u64>,
    /// Stop each run after S seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Draw the excess over the optimum against run time to PATH (.svg, or .png)
    #[arg(long, value_name = "PATH", conflicts_with = "no_times", help_heading = OUTPUT)]
    pub plot: Option<PathBuf>,
    /// Run no algorithm: check the set's checksums, generator seeds and certificates
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

impl BenchArgs {
    /// The manifest, unless the set is built in.
    pub fn manifest(&self) -> Option<&Path> {
        let is_built_in = matches!(self.set.as_str(), "small" | "all");
        (!is_built_in).then(|| Path::new(&self.set))
    }
}

/// Changes to what the experiment says.
#[derive(Args)]
pub struct ChangeArgs {
    /// Fewer replications and smaller scenarios: takes seconds
    #[arg(long)]
    pub quick: bool,
    /// Number of replications per point [default: as in the experiment]
    #[arg(
        long,
        short,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub replications: Option<u32>,
    /// Seed of the first replication, each other has the next [default: as in the experiment]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Algorithms or policies, separated by commas [default: as in the experiment]
    #[arg(long, short, value_name = "A[,B…]", value_delimiter = ',')]
    pub algorithms: Vec<String>,
}

impl ChangeArgs {
    /// The changes, as experiments take them.
    pub fn changes(&self) -> Changes {
        Changes {
            quick: self.quick,
            seed: self.seed,
            replications: self.replications,
            algorithms: self.algorithms.clone(),
        }
    }
}

#[derive(Args)]
pub struct ExperimentArgs {
    /// Built-in experiment, file (TOML or JSON; '-' is standard input), 'list' or 'claims'
    ///
    /// 'list' prints the built-in experiments. 'claims' runs those that test published claims, and
    /// prints a verdict for each claim.
    #[arg(value_name = "NAME|FILE|list|claims")]
    pub what: String,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// Threads on this machine [default: number of cores]
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// File of the runs; an interrupted experiment resumes from it [default: NAME.jsonl]
    ///
    /// With --quick the default is NAME-quick.jsonl.
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub result: Option<PathBuf>,
    /// claims: only these claims, separated by commas
    #[arg(long, value_name = "C1[,C2…]", value_delimiter = ',')]
    pub only: Vec<String>,
    /// claims: folder of the result files [default: gridsat-results]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// Start over and replace an existing result file
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// With --engine: parts at the same time [default: number of cores; slurm: no limit]
    #[arg(long, short, value_name = "N", value_parser = threads, requires = "engine")]
    pub jobs: Option<NonZeroUsize>,
    /// Print progress even if not on a terminal; -vv prints more
    ///
    /// Progress goes to standard error.
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = OUTPUT)]
    pub verbose: u8,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct ReportArgs {
    /// Result files of 'gridsat experiment', one section of the page each; '-' is standard input
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// File of the page; '-' is standard output [default: RESULT with .html; several: report.html]
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Write each figure to DIR (SVG)
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// With --figures: also write PNG files (needs a build with the feature 'png')
    #[arg(long, requires = "figures")]
    pub png: bool,
    /// Write all runs, means and comparisons to DIR (CSV)
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Draw a run as a Gantt chart: VALUE[,VALUE…]/ALGORITHM[@SEED]; may be repeated
    ///
    /// Without a sweep there are no values [default: the baseline and the algorithm with the
    /// smallest mean, at the middle point, if there are few jobs].
    #[arg(long, value_name = "RUN")]
    pub gantt: Vec<String>,
    /// Draw no Gantt charts
    #[arg(long, conflicts_with = "gantt")]
    pub no_gantt: bool,
    /// Do not print the names of the written files
    #[arg(long, short)]
    pub quiet: bool,
}

//! Algorithms measured: compare, bench, experiment, report.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::{InputArgs, OutputArgs, TimedOutputArgs, TraceArgs, gap, seconds};

/// FILE is an instance in any format, or a scenario: TOML, JSON with the key "resource" or
/// "cluster", or a trace of parallel jobs (.swf, .swf.gz).
#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Instance: heuristics, comma separated, or 'all'; 'gridsat map --help' lists them [default:
    /// all]
    #[arg(long, short, value_name = "A[,B…]")]
    pub algorithm: Option<String>,
    /// Instance: seconds to look for the optimum [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Instance: stop looking when proven within this relative gap [default: 0]
    #[arg(long, value_name = "G", value_parser = gap)]
    pub gap: Option<f64>,
    /// Scenario: policies, comma separated; 'own' is what the scenario says, 'gridsat simulate
    /// --help' lists all [default: own, mct, minmin, qgmm, tlmm, tlqmm, sat; clusters: own, fcfs,
    /// fcfs-scan, sjf-scan, ljf-scan, fcfs-scan-no-starvation, easy, conservative]
    #[arg(long, short, value_name = "P[,Q…]", visible_alias = "policies")]
    pub policy: Option<String>,
    #[command(flatten)]
    pub trace: TraceArgs,
    /// First seed of replays and simulations [default: 1, or the scenario's]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// How often random conditions are drawn, from seeds in a row [default: 10; scenario: 1]
    #[arg(long, short, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub replications: Option<u32>,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

#[derive(Args)]
pub struct BenchArgs {
    /// 'small' (sizes up to 64x8), 'all' (up to 1024x32), or a manifest of one's own
    #[arg(long, value_name = "SET", default_value = "small")]
    pub set: String,
    /// Folder of the manifest's instance files [default: the manifest's]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Only instances whose name contains TEXT, e.g. '512x16' or 'u_c'
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Heuristics and searches, comma separated; 'all' heuristics, all 'searches'; 'gridsat map
    /// --help' lists them
    #[arg(long, short, visible_alias = "algorithm", value_name = "A[,B…]", default_value = "all")]
    pub algorithms: String,
    /// Also compare all makespans, paired by instance, with those of this algorithm
    #[arg(long, value_name = "A")]
    pub versus: Option<String>,
    /// First seed of the searches
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Runs of each search on each instance, from seeds in a row
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub runs: u32,
    /// Makespans a search may work out in a run [default: until it ends by itself]
    #[arg(long, value_name = "N")]
    pub evaluations: Option<u64>,
    /// Seconds an algorithm may take for a run [default: until it ends by itself]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Draw the excess over the optimum over time to PATH (SVG, or PNG by its ending)
    #[arg(long, value_name = "PATH", conflicts_with = "no_times")]
    pub plot: Option<PathBuf>,
    /// Run nothing: check checksums, recipes and certificates of the set
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

#[derive(Args)]
pub struct ExperimentArgs {
    /// A built-in experiment, a file (TOML or JSON; '-' reads standard input), 'list' for all that
    /// are built in, or 'claims' to run what the published claims need and judge them
    #[arg(value_name = "NAME|FILE|list|claims")]
    pub what: String,
    /// A look in seconds: few replications, smaller worlds
    #[arg(long)]
    pub quick: bool,
    /// Worlds at each point [default: as the experiment says]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub replications: Option<u32>,
    /// Seed of the first world; the others have those after it [default: as the experiment says]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Other algorithms, comma separated [default: as the experiment says]
    #[arg(long, short, value_name = "A[,B…]", value_delimiter = ',')]
    pub algorithms: Vec<String>,
    /// Runs at once [default: as many as there are cores]
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// Where the result is kept, and looked for to go on with [default: NAME.jsonl,
    /// NAME-quick.jsonl]
    #[arg(long, value_name = "PATH")]
    pub result: Option<PathBuf>,
    /// claims: only these, comma separated
    #[arg(long, value_name = "C1[,C2…]", value_delimiter = ',')]
    pub only: Vec<String>,
    /// claims: where results are kept, and looked for [default: gridsat-results]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// Start over, whatever is there
    #[arg(long)]
    pub fresh: bool,
    /// Log how far it is to standard error, on a terminal or not; -vv logs every run
    #[arg(long, short, action = clap::ArgAction::Count)]
    pub verbose: u8,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct ReportArgs {
    /// Results of 'gridsat experiment'; several become sections of one page; '-' reads standard
    /// input
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// Where the page goes, '-' for standard output [default: RESULT with .html, of several
    /// report.html]
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Write every figure to a file of its own in DIR (SVG)
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// With --figures: PNG files beside the SVG files (needs the feature 'png')
    #[arg(long, requires = "figures")]
    pub png: bool,
    /// Write all runs, means and comparisons to DIR (CSV)
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Draw this run: VALUE[,VALUE…]/ALGORITHM[@SEED], without values if nothing is swept; may be
    /// repeated [default: at the middle point the baseline and the least mean, if there are few
    /// jobs]
    #[arg(long, value_name = "RUN")]
    pub gantt: Vec<String>,
    /// Draw no runs
    #[arg(long, conflicts_with = "gantt")]
    pub no_gantt: bool,
    /// Do not say what was written
    #[arg(long, short)]
    pub quiet: bool,
}

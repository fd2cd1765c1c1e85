//! What is asked of one instance: solve, decide, export, decode, verify, map.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use gridsat_check::formula::Load;
use gridsat_exact::strategy::{Extract, Order, Strategy};
use gridsat_model::io::Format;

use super::{
    FormArgs, InputArgs, OutputArgs, SatArgs, SolverArgs, TimedOutputArgs, gap, instance_formats,
    lists, loads, one_of, seconds, threads,
};

#[derive(Args)]
pub struct SolveArgs {
    /// Instances: JSON, CSV, HCSP/Braun text or R||Cmax text; '-' reads standard input. Several are
    /// solved one after the other, each within the limits
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub form: FormArgs,
    /// auto: prices, dives and proofs by cases with SAT; sat: SAT decisions only; thesis: the
    /// literal encoding and binary search
    #[arg(long, default_value = "auto", value_parser = one_of([
        ("auto", Strategy::Auto), ("sat", Strategy::Sat), ("thesis", Strategy::Thesis)]))]
    pub strategy: Strategy,
    #[command(flatten)]
    pub sat: SatArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Order of the values of k tried (not for --strategy thesis)
    #[arg(long, default_value = "bisect", value_parser = one_of([
        ("bisect", Order::Bisect), ("descend", Order::Descend)]))]
    pub search: Order,
    /// How the mapping is got: from the solver's model, or by yes/no questions as in the thesis
    #[arg(long, default_value = "model", value_parser = one_of([
        ("model", Extract::Model), ("oracle", Extract::Oracle)]))]
    pub extract: Extract,
    /// Stop when proven within this relative gap, e.g. 0.01 for one per cent
    #[arg(long, value_name = "G", value_parser = gap, default_value = "0")]
    pub gap: f64,
    /// Seed of the search for good mappings
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Threads that search side by side. Only one gives the same result every time
    #[arg(long, value_name = "N", value_parser = threads, default_value = "1")]
    pub threads: NonZeroUsize,
    /// Write the certificate to PATH (JSON), or as OPB and VeriPB proof if PATH ends in .pbp
    #[arg(long, value_name = "PATH")]
    pub certificate: Option<PathBuf>,
    /// Draw the mapping to PATH (SVG, or PNG by its ending)
    #[arg(long, value_name = "PATH")]
    pub gantt: Option<PathBuf>,
    /// Say which hosts and tasks carry the lower bound, and what one more host could give at best
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

#[derive(Args)]
pub struct DecideArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The makespan asked about, in the unit of FILE
    #[arg(short, value_name = "K")]
    pub k: String,
    #[command(flatten)]
    pub sat: SatArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = DecideFormat::Sat)]
    pub format: DecideFormat,
    /// JSON: leave out the wall-clock time, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    /// Write the answer to PATH instead of standard output; '-' is standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DecideFormat {
    /// As SAT solvers do: a line 's', and the mapping as lines 'v'
    Sat,
    /// One object, for programs
    Json,
}

#[derive(Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Ask for a makespan of at most K, in the unit of FILE; without, OPB and MPS minimise it
    #[arg(short, value_name = "K")]
    pub k: Option<String>,
    #[command(flatten)]
    pub sat: SatArgs,
    /// Write the very formula that this certificate's proof refutes (DIMACS)
    #[arg(long, value_name = "CERT", conflicts_with_all = ["k", "encoding", "at_most_one", "no_symmetry"])]
    pub certificate: Option<PathBuf>,
    /// Format of the problem [default: by the extension of --output (.cnf, .opb, .mps), or dimacs]
    #[arg(long, value_enum)]
    pub format: Option<ProblemFormat>,
    /// Write to PATH instead of standard output; '-' is standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProblemFormat {
    /// CNF for SAT solvers
    Dimacs,
    /// Pseudo-Boolean constraints
    Opb,
    /// Mixed-integer program
    Mps,
}

#[derive(Args)]
pub struct DecodeArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The makespan that was asked about, in the unit of FILE; needed for DIMACS, unless --problem
    /// has it
    #[arg(short, value_name = "K")]
    pub k: Option<String>,
    /// DIMACS: the encoding that was exported [default: as --problem says, or adder]
    #[arg(long, value_name = "E", value_parser = loads())]
    pub encoding: Option<Load>,
    /// The exported file, whose comments say what was asked; what -k and --encoding say is checked
    /// against it
    #[arg(long, value_name = "PATH")]
    pub problem: Option<PathBuf>,
    /// The solver's answer: 's' and 'v' lines, MiniSat's result file, or a list of variables and
    /// values as HiGHS, SCIP and CBC write it; '-' reads standard input
    #[arg(value_name = "ANSWER")]
    pub answer: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Certificate, or a mapping: what solve, map and decode write as JSON or CSV, a JSON array, or
    /// one host per line; hosts by number or name; '-' reads standard input
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The file to write; '-' writes to standard output
    #[arg(value_name = "TO")]
    pub target: PathBuf,
    /// Format of TO [default: by its extension]
    #[arg(long, value_name = "FORMAT", value_parser = instance_formats())]
    pub to: Option<Format>,
    /// Leave out names of tasks and hosts where the format has no place for them
    #[arg(long)]
    pub drop_names: bool,
}

#[derive(Args)]
#[command(after_long_help = lists::algorithms())]
pub struct MapArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Heuristics and searches, comma separated; 'all' heuristics, all 'searches'; --help lists
    /// them
    #[arg(long, short, visible_alias = "heuristic", value_name = "A[,B…]", default_value = "all")]
    pub algorithm: String,
    /// Seed of the searches; the same seed gives the same mappings, unless time runs out
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Makespans each search may work out [default: until it ends by itself]
    #[arg(long, value_name = "N")]
    pub evaluations: Option<u64>,
    /// Seconds each algorithm may take [default: until it ends by itself]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Draw the best mapping to PATH (SVG, or PNG by its ending)
    #[arg(long, value_name = "PATH")]
    pub gantt: Option<PathBuf>,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

//! Every command, argument and help text: here the commands and what several of them share.

mod generate;
mod inputs;
mod instances;
mod lists;
mod measure;
mod outputs;
mod simulate;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use gridsat_check::formula::Load;
use gridsat_encodings::AtMostOne;
use gridsat_model::io;

pub use generate::*;
pub use instances::*;
pub use measure::*;
pub use outputs::*;
pub use simulate::*;

/// Maps independent tasks onto heterogeneous hosts with the smallest makespan, and proves it.
///
/// Give it a matrix of the time each task takes on each host (ETC); it answers with the host of
/// each task such that the last host is done as early as possible, and with a certificate that
/// `gridsat verify` checks without trusting the search.
#[derive(Parser)]
#[command(name = "gridsat", version, long_version = LONG_VERSION, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 answered, 1 internal failure (verify: rejected), \
2 bad input or usage, 3 stopped at a limit with the best mapping printed \
(simulate: stuck or interrupted, with what there is), \
10/20/0 satisfiable/unsatisfiable/unknown (decide only; decode: 20 unsatisfiable).")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Find the mapping of smallest makespan, with a certificate
    Solve(SolveArgs),
    /// Answer one question: is there a mapping with makespan at most K?
    Decide(DecideArgs),
    /// Write the problem for another solver (DIMACS, OPB, MPS)
    Export(ExportArgs),
    /// Turn another solver's answer to an exported problem into a checked mapping
    Decode(DecodeArgs),
    /// Check a certificate or a mapping, independently of the search
    Verify(VerifyArgs),
    /// Rewrite an instance in another format
    Convert(ConvertArgs),
    /// Map with heuristics: fast, without proof
    Map(MapArgs),
    /// Compare algorithms with the optimum (instance), or policies with a proven bound (scenario)
    Compare(CompareArgs),
    /// Measure heuristics and searches on the benchmark set, against proven optima
    Bench(BenchArgs),
    /// Sweeps with replications and statistics: one's own, or those of the literature
    Experiment(ExperimentArgs),
    /// Show results of experiments: one HTML page, figures and CSV for papers
    Report(ReportArgs),
    /// Make instances, scenarios and workloads
    #[command(subcommand)]
    Generate(GenerateCommand),
    /// Run a grid or clusters: users submit jobs, schedulers decide, resources work
    Simulate(SimulateArgs),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages, one per command
    Man(ManArgs),
    /// Write the JSON Schemas of what --format json prints, one file per format
    #[command(hide = true)]
    Schema(SchemaArgs),
}

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// The folder for the pages; it is made if it is not there
    pub folder: PathBuf,
}

#[derive(Args)]
pub struct SchemaArgs {
    /// The folder for the schemas; it is made if it is not there
    pub folder: PathBuf,
}

/// What `--version` says: enough to tell two builds apart.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    env!("GRIDSAT_COMMIT"),
    "\nSAT solvers: ",
    env!("GRIDSAT_SOLVERS"),
    "\nPNG figures: ",
    env!("GRIDSAT_PNG")
);

/// The instance, read from a file.
#[derive(Args)]
pub struct InputArgs {
    /// Instance: JSON, CSV, HCSP/Braun text or R||Cmax text; '-' reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub form: FormArgs,
}

/// What an instance file looks like, where that cannot be seen.
#[derive(Args)]
pub struct FormArgs {
    /// Format of FILE [default: by its extension]
    #[arg(long, value_name = "FORMAT", value_parser = instance_formats())]
    pub from: Option<io::Format>,
    /// Number of tasks, for HCSP files without a size line
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub tasks: Option<usize>,
    /// Number of hosts, for HCSP files without a size line
    #[arg(long, value_name = "M", value_parser = count, allow_negative_numbers = true)]
    pub hosts: Option<usize>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How the instance is read.
#[derive(Args)]
#[command(next_help_heading = "Reading FILE")]
pub struct ReadingArgs {
    /// When each host becomes free: a list such as 0,0,4, or a file of such numbers [default: as
    /// FILE says]
    #[arg(long, value_name = "TIMES", allow_hyphen_values = true, conflicts_with = "ready_row")]
    pub ready: Option<String>,
    /// CSV: the row that starts with 'ready' holds the ready times
    #[arg(long)]
    pub ready_row: bool,
    /// CSV: whether the first row holds host names [default: by how it looks]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no())]
    pub header: Option<bool>,
    /// CSV: whether the first column holds task names [default: by how it looks]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no())]
    pub index: Option<bool>,
    /// Round times up to at most N decimals [default: exact, rounded only where that cannot fit]
    #[arg(long, value_name = "N", value_parser = decimals, allow_negative_numbers = true)]
    pub decimals: Option<u8>,
    /// Refuse times that do not fit exactly, instead of rounding them up
    #[arg(long, conflicts_with = "decimals")]
    pub exact: bool,
}

/// Where results go.
#[derive(Args)]
pub struct OutputArgs {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write the results to PATH instead of standard output; '-' is standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

/// Where results go, with or without the times they took.
#[derive(Args)]
pub struct TimedOutputArgs {
    /// Leave out all wall-clock times, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    /// Log what runs to standard error, on a terminal or not; -vv logs more
    #[arg(long, short, action = clap::ArgAction::Count)]
    pub verbose: u8,
    #[command(flatten)]
    pub to: OutputArgs,
}

/// Shapes of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// One object, for programs
    Json,
    /// The same on one line; solve: one line per instance
    Jsonl,
    /// One row a task (solve), an algorithm (map), a run (experiment) or the whole (simulate)
    Csv,
}

/// How the decision problem becomes clauses, and who decides them.
#[derive(Args)]
pub struct SatArgs {
    /// Encoding of the hosts' loads [default: bdd where small, else adder; export: adder]
    #[arg(long, value_name = "E", value_parser = loads())]
    pub encoding: Option<Load>,
    /// Encoding of "a task is on at most one host" [default: pairwise]
    #[arg(long, value_name = "A",
          value_parser = one_of(AtMostOne::ALL.map(|one| (one.name(), one))))]
    pub at_most_one: Option<AtMostOne>,
    /// Keep all orders of equal tasks and equal hosts
    #[arg(long)]
    pub no_symmetry: bool,
    /// Give up on formulas with more clauses [default: 20000000; thesis: 2000000]
    #[arg(long, value_name = "N")]
    pub max_clauses: Option<u64>,
}

/// Who decides.
#[derive(Args)]
pub struct SolverArgs {
    /// 'varisat', 'cadical', or a command that reads DIMACS ('{cnf}' and '{out}' are replaced by
    /// file names)
    #[arg(long, value_name = "SOLVER", default_value = "varisat")]
    pub solver: String,
    /// Leave out the implied constraint over all hosts
    #[arg(long)]
    pub no_surrogate: bool,
    /// Stop after so many seconds; checking the certificate comes on top
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
}

/// One of these values, by its name.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.map(|(name, _)| name)).map(move |given| {
        let (_, value) = values.into_iter().find(|(name, _)| *name == given).expect("possible");
        value
    })
}

fn instance_formats() -> impl TypedValueParser<Value = io::Format> {
    one_of(io::Format::ALL.map(|format| (format.name(), format)))
}

fn loads() -> impl TypedValueParser<Value = Load> {
    one_of(Load::ALL.map(|load| (load.name(), load)))
}

fn yes_or_no() -> impl TypedValueParser<Value = bool> {
    one_of([("yes", true), ("no", false)])
}

fn count(text: &str) -> Result<usize, &'static str> {
    let wrong = if text.starts_with('-') { "is negative" } else { "expected a whole number" };
    text.parse().map_err(|_| wrong)
}

fn decimals(text: &str) -> Result<u8, String> {
    const MOST: usize = gridsat_model::Scale::MAX_DECIMALS as usize;
    match count(text)? {
        decimals @ 0..=MOST => Ok(decimals as u8),
        _ => Err(format!("at most {MOST} are possible")),
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    match text.parse::<f64>() {
        // Times too long for a duration are no limit.
        Ok(seconds) if seconds >= 0.0 => {
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        }
        _ => Err("expected a number of seconds, 0 or more"),
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a whole number, at least 1")
}

fn gap(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(gap) if (0.0..=1.0).contains(&gap) => Ok(gap),
        _ => Err("expected a number from 0 to 1"),
    }
}

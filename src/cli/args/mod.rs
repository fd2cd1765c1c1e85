//! Every command, argument and help text: here the commands and what several of them share.

mod campaign;
mod examples;
mod generate;
mod inputs;
mod instances;
mod lists;
mod measure;
mod outputs;
mod parts;
mod simulate;
mod tasks;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use gridsat_check::formula::Load;
use gridsat_encodings::AtMostOne;
use gridsat_model::io;

use super::memory_limit::MemoryLimit;

pub use campaign::*;
pub use examples::command;
pub use generate::*;
pub use instances::*;
pub use measure::*;
pub use outputs::*;
pub use parts::*;
pub use simulate::*;
pub use tasks::*;

/// Maps independent tasks onto heterogeneous hosts with the smallest makespan, and proves it.
///
/// The input is a matrix of the time that each task takes on each host (ETC). The answer is a host
/// for each task, such that the last host is done as early as possible, and a certificate that
/// `gridsat verify` checks without trusting the search. The same heuristics and the optimum can be
/// compared in simulations of grids and clusters.
#[derive(Parser)]
#[command(name = "gridsat", version, long_version = LONG_VERSION, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub process: ProcessArgs,
}

/// Options of every command.
#[derive(Args)]
pub struct ProcessArgs {
    /// Largest memory: a size such as 4G, a percentage, or none
    ///
    /// A percentage is that of the memory of the computer or, if that is less, of its control group
    /// (container, batch job). At 90 % of the limit a search or a simulation ends with what it has;
    /// at the limit the command ends with exit code 2. Other programs that it starts are not
    /// counted.
    #[arg(long, value_name = "SIZE", global = true, default_value = "75%",
          value_parser = MemoryLimit::parse, hide_short_help = true, help_heading = PROCESS)]
    pub memory_limit: MemoryLimit,
    /// End with 128 + the number of the signal, not 3, if a signal stopped the command
    ///
    /// 130 for SIGINT (Ctrl-C), 143 for SIGTERM.
    #[arg(long, global = true, hide_short_help = true, help_heading = PROCESS)]
    pub signal_code: bool,
    /// CSV: put an apostrophe before cells that a spreadsheet would take for a formula
    ///
    /// These are cells that begin with =, +, -, @ or a tabulator and are no numbers.
    #[arg(long, global = true, hide_short_help = true, help_heading = PROCESS)]
    pub csv_safe: bool,
}

#[derive(Subcommand)]
pub enum Command {
    /// Find a mapping with the smallest makespan, and a certificate for it
    Solve(SolveArgs),
    /// Decide whether there is a mapping with a makespan of at most K
    Decide(DecideArgs),
    /// Write the problem for another solver (DIMACS, OPB or MPS)
    Export(ExportArgs),
    /// Read another solver's answer to an exported problem, and check its mapping
    Decode(DecodeArgs),
    /// Check a certificate or a mapping, independently of the search
    Verify(VerifyArgs),
    /// Convert an instance to another file format
    Convert(ConvertArgs),
    /// Map with heuristics: fast, without a proof
    Map(MapArgs),
    /// Split tasks with measured times into shards, with a proven bound
    ///
    /// The work is limited by counting, not by the clock: every machine that computes the split
    /// gets the same one.
    Split(SplitArgs),
    /// Make a matrix from the logs of several hosts
    EtcFrom(EtcFromArgs),
    /// Compare heuristics with the optimum, or scheduling policies with a lower bound
    Compare(CompareArgs),
    /// Measure heuristics on benchmark instances with proven optima
    Bench(BenchArgs),
    /// Solve many instances, beside other solvers if wanted, and check every answer
    ///
    /// Every answer of gridsat is checked by 'gridsat verify'. Solvers take turns on each instance;
    /// CPU time and peak memory are measured for all of them in the same way. Results are lines of
    /// JSON, each stored as soon as it is known: rerun the same command to resume after Ctrl-C, a
    /// crash or a power failure. The exit code is 1 if results contradict each other or known
    /// optima.
    Campaign(CampaignArgs),
    /// Run a parameter sweep with replications and statistics
    Experiment(ExperimentArgs),
    /// Divide an experiment, a campaign or a proof into parts for many processes
    ///
    /// The plan is a folder that never changes; it names the build of gridsat and digests of all
    /// inputs. Prints the number of parts. Each is worked on by 'gridsat work DIR --part I', from
    /// 0, in any order, on any machine that sees the folder; 'gridsat merge DIR' puts them
    /// together.
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Work on one part of a plan
    ///
    /// The result is written aside and renamed: a part may be started twice, killed and repeated.
    /// Refuses another build of gridsat, and inputs that have changed.
    Work(WorkArgs),
    /// Put the parts of a plan together
    ///
    /// Every part is checked. If parts are missing, prints their numbers as job arrays take them,
    /// such as 3,7-9, and ends with exit code 3. The result has the same bytes as on one machine.
    Merge(MergeArgs),
    /// Write results of experiments as an HTML page, figures and CSV
    Report(ReportArgs),
    /// Make instances, scenarios and workloads
    #[command(subcommand)]
    Generate(GenerateCommand),
    /// Simulate a grid, clusters, or the jobs of a trace
    Simulate(SimulateArgs),
    /// Print a shell script that completes commands and options
    Completions(CompletionsArgs),
    /// Write the manual pages, one file per command
    Man(ManArgs),
    /// Write the JSON Schemas of what --format json prints, one file per format
    #[command(hide = true)]
    Schema(SchemaArgs),
}

#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell to write the script for
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// Folder for the pages; it is created if it does not exist
    pub folder: PathBuf,
}

#[derive(Args)]
pub struct SchemaArgs {
    /// Folder for the schemas; it is created if it does not exist
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
    /// Instance: JSON, CSV, HCSP/Braun text or R||Cmax text; '-' is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub form: FormArgs,
}

/// Options about the format of an instance file that its name and content do not show.
#[derive(Args)]
pub struct FormArgs {
    /// Format of FILE: json, csv, hcsp, rcmax or pcmax [default: by its extension]
    ///
    /// Or that of a task list for --hosts: junit, pytest-split, joblog, hyperfine, snakemake,
    /// nextflow, sacct or list [default: by its content].
    #[arg(long, value_name = "FORMAT", value_parser = sources(),
          hide_possible_values = true, help_heading = READING)]
    pub from: Option<Source>,
    /// Number of tasks, for HCSP files without a first line of sizes
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true,
          hide_short_help = true, help_heading = READING)]
    pub tasks: Option<usize>,
    /// Hosts of a task list: their number, or a CSV file with their speeds
    ///
    /// A task list has one time per task, which all hosts take alike; in the file with the columns
    /// name, speed, count and ready, all optional, a host of speed 2 takes half of it. A number is
    /// also for HCSP files without a first line of sizes.
    #[arg(long, value_name = "M|FILE", value_parser = hosts, allow_negative_numbers = true,
          hide_short_help = true, help_heading = READING)]
    pub hosts: Option<Hosts>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Options about how the instance is read.
#[derive(Args)]
pub struct ReadingArgs {
    /// Time from which each host is free [default: as in FILE, or 0]
    ///
    /// A list such as 0,0,4, or a file of such numbers, one per host, in the unit of FILE.
    #[arg(long, value_name = "TIMES", allow_hyphen_values = true, conflicts_with = "ready_row",
          help_heading = READING)]
    pub ready: Option<String>,
    /// CSV: the row that starts with 'ready' holds the ready times of the hosts
    #[arg(long, hide_short_help = true, help_heading = READING)]
    pub ready_row: bool,
    /// CSV: the row 'qos' holds the QoS levels of hosts, the column 'qos' those of tasks
    #[arg(long, hide_short_help = true, help_heading = READING)]
    pub qos: bool,
    /// CSV: whether the first row holds host names [default: recognised by its content]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no(), hide_possible_values = true,
          hide_short_help = true, help_heading = READING)]
    pub header: Option<bool>,
    /// CSV: whether the first column holds task names [default: recognised by its content]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no(), hide_possible_values = true,
          hide_short_help = true, help_heading = READING)]
    pub index: Option<bool>,
    /// Round times up to at most N decimal places [default: no rounding, unless times do not fit]
    #[arg(long, value_name = "N", value_parser = decimals, allow_negative_numbers = true,
          hide_short_help = true, help_heading = READING)]
    pub decimals: Option<u8>,
    /// Reject times that do not fit exactly, instead of rounding them up
    #[arg(long, conflicts_with = "decimals", hide_short_help = true, help_heading = READING)]
    pub exact: bool,
}

/// Options about the printed result.
#[derive(Args)]
pub struct OutputArgs {
    /// Format: table, json, jsonl (one line) or csv
    #[arg(long, value_enum, default_value_t = Format::Table, hide_possible_values = true,
          help_heading = OUTPUT)]
    pub format: Format,
    /// Write the result to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Print no progress lines on standard error
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
}

/// Options about the printed result, with or without wall-clock times.
#[derive(Args)]
pub struct TimedOutputArgs {
    /// Leave out wall-clock times, so that equal runs print equal bytes
    #[arg(long, help_heading = OUTPUT)]
    pub no_times: bool,
    /// Print progress even if not on a terminal; -vv prints more
    ///
    /// Progress goes to standard error.
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = OUTPUT)]
    pub verbose: u8,
    #[command(flatten)]
    pub to: OutputArgs,
}

/// Formats of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    Table,
    /// One object, for programs
    Json,
    /// The same on one line; solve: one line per instance
    Jsonl,
    /// One row per task (solve), per algorithm (map), per run (experiment), or in all (simulate)
    Csv,
}

/// Options about the SAT formula.
#[derive(Args)]
pub struct SatArgs {
    /// Encoding of the limit on loads: window, bdd, adder, totalizer, counter or thesis
    ///
    /// [default: window where it is small, else bdd where it is small, else adder; export: adder].
    /// 'window' also says how much of the total of some task prices each host must carry. 'thesis'
    /// is the encoding of the thesis: its size grows with the times themselves, not with their
    /// digits.
    #[arg(long, value_name = "E", value_parser = loads(), hide_possible_values = true,
          help_heading = SAT)]
    pub encoding: Option<Load>,
    /// Encoding of "a task is on at most one host" [default: pairwise]
    #[arg(long, value_name = "A", hide_short_help = true, help_heading = SAT,
          value_parser = one_of(AtMostOne::ALL.map(|one| (one.name(), one))))]
    pub at_most_one: Option<AtMostOne>,
    /// Do not break symmetries: keep all orders of equal tasks and of equal hosts
    #[arg(long, hide_short_help = true, help_heading = SAT)]
    pub no_symmetry: bool,
    /// Largest number of clauses of a formula [default: 20000000; thesis: 2000000]
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = SAT)]
    pub max_clauses: Option<u64>,
}

/// Options about the SAT solver and its time.
#[derive(Args)]
pub struct SolverArgs {
    /// SAT solver: varisat, cadical, or a command for DIMACS
    ///
    /// In a command '{cnf}' and '{out}' stand for the names of the formula's file and of the
    /// result file; without them the file name is appended and the answer is read from standard
    /// output, in 's' and 'v' lines.
    #[arg(long, value_name = "SOLVER", default_value = "varisat", help_heading = SAT)]
    pub solver: String,
    /// Leave out the implied constraint over all hosts
    #[arg(long, hide_short_help = true, help_heading = SAT)]
    pub no_surrogate: bool,
    /// Stop after S seconds [default: no limit]
    ///
    /// 'solve' then prints the best mapping found and its gap, 'decide' answers UNKNOWN. Writing
    /// and checking the certificate takes extra time.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Stop after S seconds of CPU time, of all threads together [default: no limit]
    ///
    /// On a computer that does other work at the same time the result depends less on that work
    /// than with --time-limit. Reading FILE does not count, nor does a solver that is another
    /// program.
    #[arg(long, value_name = "S", value_parser = seconds, hide_short_help = true)]
    pub cpu_limit: Option<Duration>,
}

/// Headings of options in help texts.
const READING: &str = "Reading FILE";
const SAT: &str = "SAT formula and solver";
const OUTPUT: &str = "Output";
const PROCESS: &str = "Process";

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

/// The hosts of a task list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// So many equal hosts.
    Equal(usize),
    /// The hosts in a file.
    File(PathBuf),
}

/// A file unless it can only be a number.
fn hosts(text: &str) -> Result<Hosts, &'static str> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-".contains(&byte));
    match is_number {
        true if count(text)? == 0 => Err("at least one is needed"),
        true => count(text).map(Hosts::Equal),
        false => Ok(Hosts::File(text.into())),
    }
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

/// A size such as `1GB`, `500MB`, `20kB` or a number of bytes.
fn bytes(text: &str) -> Result<u64, &'static str> {
    let (number, unit) = match text.strip_suffix('B').unwrap_or(text) {
        rest if rest.ends_with('k') => (&rest[..rest.len() - 1], 1_000),
        rest if rest.ends_with('M') => (&rest[..rest.len() - 1], 1_000_000),
        rest if rest.ends_with('G') => (&rest[..rest.len() - 1], 1_000_000_000),
        rest => (rest, 1),
    };
    let size = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    size.ok_or("expected a size such as 500MB or 4GB")
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

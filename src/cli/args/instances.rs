//! What is asked of one instance: solve, decide, export, decode, verify, map.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use gridsat_check::formula::Load;
use gridsat_exact::strategy::{Extract, Order, Strategy};
use gridsat_model::io::Format;

use super::super::emit::EmitArgs;
use super::super::solve::ThenChoice;
use super::{
    FormArgs, InputArgs, OUTPUT, OutputArgs, SAT, SatArgs, SolverArgs, TimedOutputArgs, bytes, gap,
    instance_formats, loads, one_of, seconds, threads,
};

#[derive(Args)]
pub struct SolveArgs {
    /// Instances: JSON, CSV, HCSP/Braun text or R||Cmax text; '-' is standard input
    ///
    /// Several are solved one after the other; limits hold for each.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub form: FormArgs,
    /// Strategy: auto (all methods), sat (SAT only) or thesis
    ///
    /// auto: lower bounds by host weights and task prices, dives, local search, and
    /// branch-and-bound trees with SAT where little is left open; sat: SAT decisions "makespan <=
    /// k?" between the bounds; thesis: the encoding and the binary search of the thesis.
    #[arg(long, default_value = "auto", hide_possible_values = true, value_parser = one_of([
        ("auto", Strategy::Auto), ("sat", Strategy::Sat), ("thesis", Strategy::Thesis)]))]
    pub strategy: Strategy,
    #[command(flatten)]
    pub sat: SatArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// --strategy sat: next k is the middle between the bounds (bisect), or just below the best
    /// makespan (descend)
    #[arg(long, default_value = "bisect", hide_possible_values = true, hide_short_help = true,
          help_heading = SAT, value_parser = one_of([
        ("bisect", Order::Bisect), ("descend", Order::Descend)]))]
    pub search: Order,
    /// How the mapping is extracted: from the SAT solver's model (model), or by further yes/no
    /// questions as in the thesis (oracle)
    #[arg(long, default_value = "model", hide_possible_values = true, hide_short_help = true,
          help_heading = SAT, value_parser = one_of([
        ("model", Extract::Model), ("oracle", Extract::Oracle)]))]
    pub extract: Extract,
    /// Begin with the mapping in FILE; with --time-limit 0 only judge it
    ///
    /// JSON or CSV of solve, map or decode, a certificate, a list of hosts, or one host per line;
    /// hosts by number, from 0, or by name. With --time-limit 0 the answer and its certificate are
    /// about the given mapping: a fixed amount of work goes into a lower bound.
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Choose among mappings of that makespan: total-time or fewest-moves
    ///
    /// total-time: the least sum of the times of all tasks; fewest-moves: the fewest tasks on
    /// another host than in --start. The makespan stays as proven, and the output says what is
    /// known about the choice. It gets what is left of --time-limit, or else a fixed amount of
    /// work.
    #[arg(long, value_name = "WHAT", value_enum, hide_possible_values = true)]
    pub then: Option<ThenChoice>,
    /// Stop at a relative gap of at most G; 0.01 is one percent
    ///
    /// The gap is (makespan - lower bound) / makespan.
    #[arg(long, value_name = "G", value_parser = gap, default_value = "0")]
    pub gap: f64,
    /// Seed of random choices in the search
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; only with 1 are all runs equal
    #[arg(long, value_name = "N", value_parser = threads, default_value = "1")]
    pub threads: NonZeroUsize,
    /// Write the certificate to PATH, which 'gridsat verify' checks
    ///
    /// JSON; a path that ends in .pbp gets a VeriPB proof, with the problem in an .opb file beside
    /// it.
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub certificate: Option<PathBuf>,
    /// Largest VeriPB proof to write, such as 500MB or 4GB
    ///
    /// The statement may be as large. Larger files are not written; their size is reported, and the
    /// JSON certificate is written instead.
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = bytes,
        default_value = "1GB", help_heading = OUTPUT)]
    pub proof_limit: u64,
    /// Draw the mapping as a Gantt chart to PATH (.svg, or .png)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub gantt: Option<PathBuf>,
    /// Explain the lower bound, and what one more host could gain
    ///
    /// Names the hosts and tasks that the bound rests on.
    #[arg(long, help_heading = OUTPUT)]
    pub explain: bool,
    #[command(flatten)]
    pub plan: EmitArgs,
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
    /// Format of the answer: sat ('s' and 'v' lines of SAT solvers) or json
    #[arg(long, value_enum, default_value_t = DecideFormat::Sat, hide_possible_values = true,
          help_heading = OUTPUT)]
    pub format: DecideFormat,
    /// json: leave out the wall-clock time, so that equal runs print equal bytes
    #[arg(long, help_heading = OUTPUT)]
    pub no_times: bool,
    /// Write the answer to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DecideFormat {
    /// As SAT solvers do: an 's' line, and the mapping as 'v' lines
    Sat,
    /// One object, for programs
    Json,
}

#[derive(Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Largest makespan allowed, in the unit of FILE; without -k, OPB and MPS minimise the makespan
    #[arg(short, value_name = "K")]
    pub k: Option<String>,
    #[command(flatten)]
    pub sat: SatArgs,
    /// Write the formula that the proof in this certificate refutes (DIMACS)
    #[arg(
        long,
        hide_short_help = true,
        value_name = "CERT",
        conflicts_with_all = ["k", "encoding", "at_most_one", "no_symmetry"]
    )]
    pub certificate: Option<PathBuf>,
    /// Format: dimacs, opb or mps [default: by the extension of --output, else dimacs]
    ///
    /// The extensions are .cnf, .opb and .mps.
    #[arg(long, value_enum, hide_possible_values = true, help_heading = OUTPUT)]
    pub format: Option<ProblemFormat>,
    /// Write the problem to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
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
    /// Makespan in the exported question, in the unit of FILE; DIMACS needs it, or --problem
    #[arg(short, value_name = "K")]
    pub k: Option<String>,
    /// DIMACS: encoding in the exported question [default: as in --problem, else adder]
    #[arg(long, value_name = "E", value_parser = loads(), hide_possible_values = true)]
    pub encoding: Option<Load>,
    /// Exported file: its comments hold the question, and -k and --encoding are checked against it
    #[arg(long, value_name = "PATH")]
    pub problem: Option<PathBuf>,
    /// Answer of the solver; '-' is standard input
    ///
    /// 's' and 'v' lines, MiniSat's result file, or a list of variables and values as HiGHS, SCIP
    /// and CBC write it.
    #[arg(value_name = "ANSWER")]
    pub answer: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct VerifyArgs {
    /// Instance, or a certificate whose instance is beside it; '-' is standard input
    ///
    /// The instance of NAME.json is NAME, or NAME with the ending of an instance; for
    /// NAME.certificate.json that of NAME. All may be compressed by gzip (.gz).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub form: FormArgs,
    /// Certificates, or mappings (JSON or CSV of solve, map or decode); '-' is standard input
    ///
    /// A mapping may also be a JSON array or a text file with one host per line. Hosts are given by
    /// number, from 0, or by name. If FILE is a certificate, all are, each beside its instance.
    #[arg(value_name = "CERT")]
    pub certificates: Vec<PathBuf>,
    /// Say in words, with the numbers, what was checked
    #[arg(long, help_heading = OUTPUT)]
    pub explain: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// File to write; '-' is standard output
    #[arg(value_name = "TO")]
    pub target: PathBuf,
    /// Format of TO: json, csv, hcsp, rcmax or pcmax [default: by its extension]
    #[arg(long, value_name = "FORMAT", value_parser = instance_formats(),
          hide_possible_values = true)]
    pub to: Option<Format>,
    /// Leave out the names of tasks and hosts if the format cannot hold them
    #[arg(long)]
    pub drop_names: bool,
    /// Write the hosts to PATH (CSV: name, speed, count, ready), and the tasks to TO (CSV: task,
    /// time)
    ///
    /// For hosts that differ in speed and ready time only. '--hosts PATH' reads them again.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["to", "drop_names"])]
    pub hosts_to: Option<PathBuf>,
}

#[derive(Args)]
pub struct MapArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Algorithms, separated by commas; all: all heuristics, searches: all searches (see --help)
    #[arg(long, short, visible_alias = "heuristic", value_name = "A[,B…]", default_value = "all")]
    pub algorithm: String,
    /// Seed of the searches; equal seeds give equal mappings, unless --time-limit ends them
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Largest number of makespans that each search evaluates [default: no limit]
    #[arg(long, value_name = "N")]
    pub evaluations: Option<u64>,
    /// Stop each algorithm after S seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Draw the best mapping as a Gantt chart to PATH (.svg, or .png)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub gantt: Option<PathBuf>,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

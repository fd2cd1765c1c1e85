//! Every command, argument and help text.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Maps independent tasks onto heterogeneous hosts with the smallest makespan, and proves it.
///
/// Give it a matrix of the time each task takes on each host (ETC); it answers with the host of each
/// task such that the last host is done as early as possible, and with a certificate that
/// `gridsat verify` checks without trusting the search.
#[derive(Parser)]
#[command(name = "gridsat", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 answered, 1 internal failure (verify: rejected), \
2 bad input or usage, 3 stopped at a limit with the best mapping printed \
(simulate: stuck or interrupted, with what there is), \
10/20/0 satisfiable/unsatisfiable/unknown (decide only).")]
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
}

/// The instance, read from a file.
#[derive(Args)]
pub struct InputArgs {
    /// Instance: JSON, CSV, HCSP/Braun text or R||Cmax text; '-' reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Format of FILE [default: by its extension]
    #[arg(long, value_name = "FORMAT", value_parser = ["json", "csv", "hcsp", "rcmax"])]
    pub from: Option<String>,
    /// Number of tasks, for HCSP files without a size line
    #[arg(long, value_name = "N")]
    pub tasks: Option<usize>,
    /// Number of hosts, for HCSP files without a size line
    #[arg(long, value_name = "M")]
    pub hosts: Option<usize>,
}

/// Where results go.
#[derive(Args)]
pub struct OutputArgs {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write the results to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

/// Shapes of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// One object, for programs
    Json,
    /// One row a task (solve), an algorithm (map), a run (experiment) or the whole (simulate)
    Csv,
}

/// How the decision problem becomes clauses, and who decides them.
#[derive(Args)]
pub struct SatArgs {
    /// Encoding of the hosts' loads [default: bdd where small, else adder; export: adder]
    #[arg(long, value_name = "E", value_parser = ["thesis", "adder", "bdd", "totalizer", "counter"])]
    pub encoding: Option<String>,
    /// Encoding of "a task is on at most one host" [default: pairwise]
    #[arg(long, value_name = "A", value_parser = ["pairwise", "ladder", "product", "commander"])]
    pub at_most_one: Option<String>,
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
    pub time_limit: Option<f64>,
}

#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// auto: prices, dives and proofs by cases with SAT; sat: SAT decisions only; thesis: the literal encoding and binary search
    #[arg(long, value_enum, default_value_t = StrategyArg::Auto)]
    pub strategy: StrategyArg,
    #[command(flatten)]
    pub sat: SatArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Order of the values of k tried (not for --strategy thesis)
    #[arg(long, value_enum, default_value_t = OrderArg::Bisect)]
    pub search: OrderArg,
    /// How the mapping is got: from the solver's model, or by yes/no questions as in the thesis
    #[arg(long, value_enum, default_value_t = ExtractArg::Model)]
    pub extract: ExtractArg,
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
    /// Draw the mapping to PATH (SVG)
    #[arg(long, value_name = "PATH")]
    pub gantt: Option<PathBuf>,
    /// Leave out all wall-clock times, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    Auto,
    Sat,
    Thesis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderArg {
    Bisect,
    Descend,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtractArg {
    Model,
    Oracle,
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
    /// Write the answer to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
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
    /// Format of the problem
    #[arg(long, value_enum, default_value_t = ProblemFormat::Dimacs)]
    pub format: ProblemFormat,
    /// Write to PATH instead of standard output
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
    /// The makespan that was asked about, in the unit of FILE
    #[arg(short, value_name = "K")]
    pub k: String,
    /// The encoding that was exported
    #[arg(long, value_name = "E", default_value = "adder",
          value_parser = ["thesis", "adder", "bdd", "totalizer", "counter"])]
    pub encoding: String,
    /// The solver's answer with its 's' and 'v' lines; '-' reads standard input
    #[arg(value_name = "ANSWER")]
    pub answer: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Certificate, output of 'solve --format json', or a mapping (JSON array, or a host a line)
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct MapArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Heuristics and searches, comma separated; 'all' heuristics, all 'searches'
    #[arg(long, short, visible_alias = "heuristic", value_name = "A[,B…]", default_value = "all")]
    pub algorithm: String,
    /// Seed of the searches; the same seed gives the same mappings, unless time runs out
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Makespans each search may work out [default: until it ends by itself]
    #[arg(long, value_name = "N")]
    pub evaluations: Option<u64>,
    /// Seconds each search may take [default: until it ends by itself]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Draw the best mapping to PATH (SVG)
    #[arg(long, value_name = "PATH")]
    pub gantt: Option<PathBuf>,
    /// Leave out all wall-clock times, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// FILE is an instance in any format, or a scenario: TOML, JSON with the key "resource" or "cluster",
/// or a trace of parallel jobs (.swf, .swf.gz).
#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Instance: heuristics, comma separated, or 'all' [default: all]
    #[arg(long, short, value_name = "A[,B…]")]
    pub algorithm: Option<String>,
    /// Instance: seconds to look for the optimum [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Instance: stop looking when proven within this relative gap [default: 0]
    #[arg(long, value_name = "G", value_parser = gap)]
    pub gap: Option<f64>,
    /// Scenario: policies, comma separated; 'own' is what the scenario says [default: own, mct,
    /// minmin, qgmm, tlmm, tlqmm, sat; clusters: own, fcfs, fcfs-scan, sjf-scan, ljf-scan,
    /// fcfs-scan-no-starvation, easy, conservative]
    #[arg(long, short, value_name = "P[,Q…]", visible_alias = "policies")]
    pub policy: Option<String>,
    /// Trace: nodes of the cluster [default: as the header says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: Option<u32>,
    /// Trace: tolerate what only looks like the format; time starts with the first job
    #[arg(long)]
    pub lenient: bool,
    /// First seed of replays and simulations [default: 1, or the scenario's]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// How often random conditions are drawn, from seeds in a row [default: 10; scenario: 1]
    #[arg(long, short, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub replications: Option<u32>,
    /// Leave out all wall-clock times, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    #[command(flatten)]
    pub output: OutputArgs,
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
    /// Heuristics and searches, comma separated; 'all' heuristics, all 'searches'
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
    /// Seconds a search may take for a run [default: until it ends by itself]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Draw gap over time to PATH (SVG)
    #[arg(long, value_name = "PATH", conflicts_with = "no_times")]
    pub plot: Option<PathBuf>,
    /// Run nothing: check checksums, recipes and certificates of the set
    #[arg(long)]
    pub check: bool,
    /// Leave out all wall-clock times, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct ExperimentArgs {
    /// A built-in experiment, a file (TOML or JSON), 'list' for all that are built in, or 'claims' to run what
    /// the published claims need and judge them
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
    /// Where the result is kept, and looked for to go on with [default: NAME.jsonl, NAME-quick.jsonl]
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
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args)]
pub struct ReportArgs {
    /// Results of 'gridsat experiment'; several become sections of one page
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// Where the page goes [default: RESULT with .html, of several report.html]
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
    /// repeated [default: at the middle point the baseline and the least mean, if there are few jobs]
    #[arg(long, value_name = "RUN")]
    pub gantt: Vec<String>,
    /// Draw no runs
    #[arg(long, conflicts_with = "gantt")]
    pub no_gantt: bool,
    /// Do not say what was written
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Subcommand)]
pub enum GenerateCommand {
    /// An ETC matrix of a known class
    Etc(GenerateEtcArgs),
    /// A matrix that takes in what tasks wish for: levels of service, hard and soft
    Utility(GenerateUtilityArgs),
    /// A commented scenario to start from
    Scenario(GenerateScenarioArgs),
    /// The file of a built-in experiment, to start from
    Experiment(GenerateExperimentArgs),
    /// Parallel jobs of a model, as a trace in Standard Workload Format or a scenario
    Workload(GenerateWorkloadArgs),
}

#[derive(Args)]
pub struct GenerateWorkloadArgs {
    /// lublin (Lublin and Feitelson), wang-zhang (grids) or beosim (uniform and exponential)
    #[arg(long, value_enum, default_value_t = ModelArg::Lublin)]
    pub model: ModelArg,
    /// Number of jobs
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub jobs: u64,
    /// lublin, beosim: nodes of the machine [default: 128; beosim: 100]
    #[arg(long, value_name = "M")]
    pub nodes: Option<u32>,
    /// lublin: kinds of jobs [default: none]
    #[arg(long, value_name = "T", value_parser = ["none", "both", "batch", "interactive"])]
    pub types: Option<String>,
    /// wang-zhang: gaps as in the paper, or the daily cycle of lublin [default: gaps]
    #[arg(long, value_name = "A", value_parser = ["gaps", "daily"])]
    pub arrivals: Option<String>,
    /// Change a parameter of the model, e.g. umed=5.5 or, of beosim, run=exp:7600 (may repeat)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Decimal places of times
    #[arg(long, value_name = "D", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=9))]
    pub decimals: u32,
    /// Seed; the same seed gives the same bytes
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// A trace with all jobs, or a scenario of clusters that draws the same jobs
    #[arg(long, value_enum, default_value_t = WorkloadFormat::Swf)]
    pub format: WorkloadFormat,
    /// wang-zhang: write what the format has no field for to PATH (CSV): deadlines, migration costs
    #[arg(long, value_name = "PATH")]
    pub attributes: Option<PathBuf>,
    /// Write to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WorkloadFormat {
    Swf,
    Scenario,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelArg {
    Lublin,
    WangZhang,
    Beosim,
}

#[derive(Args)]
pub struct GenerateExperimentArgs {
    /// Its name, see `gridsat experiment list`
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Write it to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateScenarioArgs {
    /// Which one; 'list' says which there are
    #[arg(long, value_name = "NAME")]
    pub template: String,
    /// Write to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateUtilityArgs {
    /// Times, dimensions and wishes (TOML), see docs/heuristics.md
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Format of the matrix
    #[arg(long, value_name = "FORMAT", default_value = "json",
          value_parser = ["json", "csv", "hcsp", "rcmax"])]
    pub format: String,
    /// Write to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateEtcArgs {
    /// Class: u_{c,s,i}_{hi,lo}{hi,lo} (Braun), U1-100, U10-100, U100-120, U100-200, U1000-1100,
    /// jobcorr, maccorr
    #[arg(long, value_name = "CLASS", default_value = "u_i_hihi")]
    pub class: String,
    /// Number of tasks
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub tasks: usize,
    /// Number of hosts
    #[arg(long, value_name = "M", default_value_t = 16)]
    pub hosts: usize,
    /// Decimal places of the times
    #[arg(long, value_name = "D", default_value_t = 0)]
    pub decimals: u32,
    /// Share of pairs that cannot be, in per cent; every task keeps a host
    #[arg(long, value_name = "P", default_value_t = 0)]
    pub forbidden: u8,
    /// Ready times drawn uniformly from 0 to R
    #[arg(long, value_name = "R", default_value_t = 0)]
    pub ready: u32,
    /// Seed; the same seed gives the same bytes
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Format of the file
    #[arg(long, value_name = "FORMAT", default_value = "json",
          value_parser = ["json", "csv", "hcsp", "rcmax"])]
    pub format: String,
    /// Write to PATH instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct SimulateArgs {
    /// What to simulate: a grid or clusters (TOML, or JSON with the same keys), or a trace of
    /// parallel jobs (.swf, .swf.gz)
    #[arg(value_name = "SCENARIO", required_unless_present = "check")]
    pub scenario: Option<PathBuf>,
    /// Policy of all schedulers that map onto resources or clusters, instead of the scenario's
    /// [traces: fcfs]
    #[arg(long, value_name = "P")]
    pub policy: Option<String>,
    /// Traces: nodes of the cluster [default: as the header says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: Option<u32>,
    /// Traces: tolerate what only looks like the format; time starts with the first job
    #[arg(long)]
    pub lenient: bool,
    /// Seed, instead of the scenario's; the same seed gives the same jobs, grid and loads
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Write a row a job to PATH (CSV that Batsim's tools read, too)
    #[arg(long, value_name = "PATH")]
    pub jobs: Option<PathBuf>,
    /// Grids: draw when and where jobs ran to PATH (SVG)
    #[arg(long, value_name = "PATH")]
    pub gantt: Option<PathBuf>,
    /// Grids: write a line an event to PATH
    #[arg(long, value_name = "PATH")]
    pub events: Option<PathBuf>,
    /// Clusters: write the jobs and what became of them to PATH, as a trace that can be simulated
    #[arg(long, value_name = "PATH")]
    pub swf: Option<PathBuf>,
    /// Clusters: write a page to PATH that plays the run back in a browser (HTML)
    #[arg(long, value_name = "PATH")]
    pub view: Option<PathBuf>,
    /// Simulate queues and compare them with their formulas: M/M/m, the seven of Beosim or, a line
    /// `gap,service,servers` each, those of SCENARIO (CSV)
    #[arg(long, value_enum, value_name = "WHAT",
          conflicts_with_all = ["policy", "nodes", "lenient", "jobs", "gantt", "events", "swf",
                                "view"])]
    pub check: Option<CheckArg>,
    /// Leave out all wall-clock times, so that equal runs print equal bytes
    #[arg(long)]
    pub no_times: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckArg {
    /// Poisson arrivals, exponential run times, m servers
    Mmm,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok(seconds),
        _ => Err("expected a number of seconds, 0 or more".to_owned()),
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a whole number, at least 1")
}

fn gap(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(gap) if (0.0..=1.0).contains(&gap) => Ok(gap),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

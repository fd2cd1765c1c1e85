//! One simulation.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{TimedOutputArgs, lists, seconds};
use gridsat_scenario::clusters::TraceOptions;

/// How a trace of parallel jobs is read.
#[derive(Args)]
pub struct TraceArgs {
    /// Traces: number of nodes of the cluster [default: as the header says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: Option<u32>,
    /// Traces: accept records that break the rules of the format but can still be read; time
    /// starts with the first job
    #[arg(long)]
    pub lenient: bool,
}

impl TraceArgs {
    pub fn options(&self) -> TraceOptions {
        TraceOptions { nodes: self.nodes, lenient: self.lenient }
    }
}

#[derive(Args)]
#[command(after_long_help = lists::policies())]
pub struct SimulateArgs {
    /// What to simulate: a grid or clusters (TOML, or JSON with the same keys), or a trace of
    /// parallel jobs (.swf, .swf.gz); '-' reads standard input
    #[arg(value_name = "SCENARIO", required_unless_present = "check")]
    pub scenario: Option<PathBuf>,
    /// Policy of all schedulers that map onto resources or clusters, instead of the scenario's;
    /// --help lists them [traces: fcfs]
    #[arg(long, value_name = "P")]
    pub policy: Option<String>,
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Seed, instead of the scenario's; the same seed gives the same jobs, grid and loads
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Write one row per job to PATH (CSV that Batsim's tools read, too)
    #[arg(long, value_name = "PATH")]
    pub jobs: Option<PathBuf>,
    /// Grids: draw when and where jobs ran to PATH (SVG, or PNG by its ending)
    #[arg(long, value_name = "PATH")]
    pub gantt: Option<PathBuf>,
    /// Grids: write one line per event to PATH
    #[arg(long, value_name = "PATH")]
    pub events: Option<PathBuf>,
    /// Clusters: write the jobs and what became of them to PATH, as a trace that can be simulated
    #[arg(long, value_name = "PATH")]
    pub swf: Option<PathBuf>,
    /// Clusters: write a page to PATH that plays the run back in a browser (HTML)
    #[arg(long, value_name = "PATH")]
    pub view: Option<PathBuf>,
    /// The page of --view begins at this time of the run, with the jobs that are there then
    /// (seconds)
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub from: Option<Duration>,
    /// The page of --view ends at this time of the run (seconds)
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub to: Option<Duration>,
    /// Simulate queues and compare them with their formulas: M/M/m, the seven of Beosim or, a line
    /// `gap,service,servers` each, those of SCENARIO (CSV)
    #[arg(long, value_enum, value_name = "WHAT",
          conflicts_with_all = ["policy", "nodes", "lenient", "jobs", "gantt", "events", "swf",
                                "view", "from", "to"])]
    pub check: Option<CheckArg>,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckArg {
    /// Poisson arrivals, exponential run times, m servers
    Mmm,
}

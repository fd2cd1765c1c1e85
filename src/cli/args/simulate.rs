//! One simulation.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{OUTPUT, TimedOutputArgs, seconds};
use gridsat_scenario::clusters::TraceOptions;

/// How a trace of parallel jobs is read.
#[derive(Args)]
pub struct TraceArgs {
    /// Trace: number of nodes of the cluster [default: as in its header]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: Option<u32>,
    /// Trace: accept records that are not valid SWF but can still be read
    ///
    /// Time 0 is then the submission of the first job.
    #[arg(long)]
    pub lenient: bool,
}

impl TraceArgs {
    pub fn options(&self) -> TraceOptions {
        TraceOptions { nodes: self.nodes, lenient: self.lenient }
    }
}

#[derive(Args)]
pub struct SimulateArgs {
    /// Scenario (TOML or JSON) or job trace (.swf, .swf.gz); '-' is standard input
    ///
    /// With --check a list of queues (CSV).
    #[arg(value_name = "SCENARIO", required_unless_present = "check")]
    pub scenario: Option<PathBuf>,
    /// Scheduling policy, see --help for the list [default: as in SCENARIO; trace: fcfs]
    ///
    /// It replaces the policy of all schedulers that send jobs to resources or clusters.
    #[arg(long, value_name = "P")]
    pub policy: Option<String>,
    /// Grid: largest number of makespans that a search evaluates per batch [default: 20000]
    ///
    /// It replaces 'evaluations' of all schedulers in SCENARIO. Only policies that are searches use
    /// it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub evaluations: Option<u64>,
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Seed; equal seeds give equal jobs, resources and loads [default: as in SCENARIO]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Write one row per job to PATH (CSV, as Batsim and Evalys use)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub jobs: Option<PathBuf>,
    /// Grid: write one row per user to PATH (CSV): finished jobs, time and money used
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub users: Option<PathBuf>,
    /// Grid: draw a Gantt chart of the jobs to PATH (.svg, or .png)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub gantt: Option<PathBuf>,
    /// Grid: write one line per event to PATH
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub events: Option<PathBuf>,
    /// Grid: keep the certificate of every batch that sat or tlsat mapped in DIR
    ///
    /// Beside each certificate is its instance; 'gridsat verify DIR/*.certificate.json' checks all.
    /// DIR must be empty, or is made.
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = OUTPUT)]
    pub certificates: Option<PathBuf>,
    /// Clusters: write the simulated jobs to PATH as a trace (SWF)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub swf: Option<PathBuf>,
    /// Clusters: write an HTML page to PATH that plays the run back
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub view: Option<PathBuf>,
    /// --view: start of the shown part, in seconds of simulated time [default: 0]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = OUTPUT)]
    pub from: Option<Duration>,
    /// --view: end of the shown part, in seconds of simulated time [default: end of the run]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = OUTPUT)]
    pub to: Option<Duration>,
    /// Compare simulated M/M/m queues with their formulas
    ///
    /// WHAT is mmm. The queues are the seven of Beosim, or those of SCENARIO, which is then a CSV
    /// file with the header gap,service,servers and one line per queue (seconds, seconds, number).
    /// The default seed is 1. The exit code is 1 if a queue does not agree with its formulas.
    #[arg(long, value_enum, value_name = "WHAT", hide_possible_values = true,
          conflicts_with_all = ["policy", "evaluations", "nodes", "lenient", "jobs", "users",
                                "gantt", "events", "certificates", "swf", "view", "from", "to"])]
    pub check: Option<CheckArg>,
    #[command(flatten)]
    pub output: TimedOutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckArg {
    /// Poisson arrivals, exponential run times, m servers
    Mmm,
}

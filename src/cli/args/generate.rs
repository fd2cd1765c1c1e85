//! What can be generated.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use gridsat_model::io::Format;

use super::{OUTPUT, instance_formats};

#[derive(Subcommand)]
pub enum GenerateCommand {
    /// Draw an instance (ETC matrix) of a benchmark class
    Etc(GenerateEtcArgs),
    /// Make an instance from QoS wishes of tasks
    Utility(GenerateUtilityArgs),
    /// Write a commented scenario as a template
    Scenario(GenerateScenarioArgs),
    /// Write the file of a built-in experiment as a template
    Experiment(GenerateExperimentArgs),
    /// Draw parallel jobs from a workload model, as a trace (SWF) or scenario
    Workload(GenerateWorkloadArgs),
}

#[derive(Args)]
pub struct GenerateWorkloadArgs {
    /// Model: lublin (Lublin and Feitelson), wang-zhang or beosim
    #[arg(long, value_enum, default_value_t = ModelArg::Lublin, hide_possible_values = true)]
    pub model: ModelArg,
    /// Number of jobs
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub jobs: u64,
    /// Write a trace of more than 100000000 jobs, which takes gigabytes
    #[arg(long)]
    pub huge: bool,
    /// lublin, beosim: number of nodes of the machine [default: 128; beosim: 100]
    #[arg(long, value_name = "M")]
    pub nodes: Option<u32>,
    /// lublin: kinds of jobs: none (not distinguished), both, batch or interactive [default: none]
    #[arg(
        long,
        value_name = "T",
        hide_possible_values = true,
        value_parser = ["none", "both", "batch", "interactive"]
    )]
    pub types: Option<String>,
    /// wang-zhang: arrivals by gaps (as in the paper) or daily (the cycle of lublin) [default:
    /// gaps]
    #[arg(long, value_name = "A", hide_possible_values = true, value_parser = ["gaps", "daily"])]
    pub arrivals: Option<String>,
    /// Set a parameter of the model, such as umed=5.5, or run=exp:7600 for beosim; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Number of decimal places of times (seconds), 0 to 9
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(..=9)
    )]
    pub decimals: u32,
    /// Seed; equal seeds give equal bytes
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Format: swf (a trace with all jobs) or scenario (clusters that draw the same jobs)
    #[arg(long, value_enum, default_value_t = WorkloadFormat::Swf, hide_possible_values = true,
          help_heading = OUTPUT)]
    pub format: WorkloadFormat,
    /// wang-zhang: write deadlines and migration costs, which SWF cannot hold, to PATH (CSV)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub attributes: Option<PathBuf>,
    /// Write to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
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
    /// Name of the experiment; 'gridsat experiment list' prints all
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Write to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateScenarioArgs {
    /// Name of the template; 'list' prints all
    #[arg(long, value_name = "NAME")]
    pub template: String,
    /// Write to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateUtilityArgs {
    /// Times, dimensions and wishes (TOML, see docs/heuristics.md); '-' is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Format of the instance: json, csv, hcsp, rcmax or pcmax
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = instance_formats(),
          hide_possible_values = true, help_heading = OUTPUT)]
    pub format: Format,
    /// Write to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateEtcArgs {
    /// Class, such as u_i_hihi, U1-100 or jobcorr
    ///
    /// u_{c,s,i}_{hi,lo}{hi,lo} (Braun et al.: consistency, task and host heterogeneity),
    /// U<low>-<high> (uniform whole numbers, such as U1-100), jobcorr, maccorr.
    ///
    /// With equal hosts, written as a list of tasks: equal-U<low>-<high> (uniform),
    /// equal-NU<low>-<high> (98 % near the upper end, the others near the lower),
    /// equal-N<mean>-<sd> (normal), equal-planted<K> (m hosts of length K cut into n pieces, so the
    /// optimum is K) and equal-planted<K>+<P> (P percent of the pieces one tick longer).
    #[arg(long, value_name = "CLASS", default_value = "u_i_hihi")]
    pub class: String,
    /// Number of tasks
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub tasks: usize,
    /// Number of hosts
    #[arg(long, value_name = "M", default_value_t = 16)]
    pub hosts: usize,
    /// Number of decimal places of times
    #[arg(long, value_name = "D", default_value_t = 0)]
    pub decimals: u32,
    /// Percentage of task-host pairs that cannot run; every task keeps at least one host
    #[arg(long, value_name = "P", default_value_t = 0)]
    pub forbidden: u8,
    /// Percentage of tasks that request QoS level 1; only some hosts offer it (--qos-hosts)
    #[arg(long, value_name = "P", conflicts_with = "forbidden")]
    pub qos: Option<u8>,
    /// Percentage of hosts that offer QoS level 1, at least one host
    #[arg(long, value_name = "P", default_value_t = 50, requires = "qos")]
    pub qos_hosts: u8,
    /// Draw ready times of hosts uniformly from 0 to R
    #[arg(long, value_name = "R", default_value_t = 0)]
    pub ready: u32,
    /// Seed; equal seeds give equal bytes
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Format of the instance: json, csv, hcsp, rcmax or pcmax
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = instance_formats(),
          hide_possible_values = true, help_heading = OUTPUT)]
    pub format: Format,
    /// Write to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

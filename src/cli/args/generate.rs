//! What can be generated.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use gridsat_model::io::Format;

use super::instance_formats;

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
    /// Write to PATH instead of standard output; '-' is standard output
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
    /// Write it to PATH instead of standard output; '-' is standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateScenarioArgs {
    /// Which one; 'list' says which there are
    #[arg(long, value_name = "NAME")]
    pub template: String,
    /// Write to PATH instead of standard output; '-' is standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct GenerateUtilityArgs {
    /// Times, dimensions and wishes (TOML), see docs/heuristics.md; '-' reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Format of the matrix
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = instance_formats())]
    pub format: Format,
    /// Write to PATH instead of standard output; '-' is standard output
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
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = instance_formats())]
    pub format: Format,
    /// Write to PATH instead of standard output; '-' is standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

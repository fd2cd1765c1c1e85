//! Work in parts: plan, work, merge, and the engines that start processes.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::{ChangeArgs, OUTPUT, OutputArgs, RunsArgs, count, seconds, threads};

#[derive(Subcommand)]
pub enum PlanCommand {
    /// Plan the runs of an experiment
    Experiment(PlanExperimentArgs),
    /// Plan the runs of a campaign
    Campaign(PlanCampaignArgs),
    /// Plan the proof of an optimum
    ///
    /// Searches for --time-limit, then divides what is open into cases, which are the parts. A part
    /// that turns out too hard leaves cases open; 'gridsat merge' makes further parts of them,
    /// until all cases are refuted and it writes one certificate for 'gridsat verify'. If the
    /// search proves the optimum, the certificate is written at once, and there are 0 parts.
    Proof(PlanProofArgs),
}

#[derive(Args)]
pub struct PlanExperimentArgs {
    /// Built-in experiment, or file (TOML or JSON; '-' is standard input)
    #[arg(value_name = "NAME|FILE")]
    pub what: String,
    #[command(flatten)]
    pub changes: ChangeArgs,
    #[command(flatten)]
    pub plan: PlanArgs,
}

#[derive(Args)]
pub struct PlanCampaignArgs {
    #[command(flatten)]
    pub runs: RunsArgs,
    #[command(flatten)]
    pub plan: PlanArgs,
}

#[derive(Args)]
pub struct PlanProofArgs {
    /// Instance: JSON, CSV, HCSP/Braun text or R||Cmax text
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Seconds to search for a good mapping before the cases are made
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    pub time_limit: Duration,
    #[command(flatten)]
    pub plan: PlanArgs,
}

/// Where a plan goes, and the size of its parts.
#[derive(Args)]
pub struct PlanArgs {
    /// Folder of the plan and its parts; it is created
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Number of parts [default: as many as --part-seconds requires, at most 1000]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub parts: Option<NonZeroUsize>,
    /// Seconds that a part should take
    ///
    /// Estimated from a few runs (experiment), from the time limits (campaign), from the first
    /// cases (proof).
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "30")]
    pub part_seconds: Duration,
}

#[derive(Args)]
pub struct WorkArgs {
    /// Folder of the plan
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Number of the part, from 0
    ///
    /// [default: from SLURM_ARRAY_TASK_ID, HQ_TASK_ID, JOB_COMPLETION_INDEX (Kubernetes), or
    /// PARALLEL_SEQ (GNU parallel) less 1, whichever is set]
    #[arg(long, value_name = "I", value_parser = count)]
    pub part: Option<usize>,
}

#[derive(Args)]
pub struct MergeArgs {
    /// Folder of the plan
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// File of the result [default: DIR/result.jsonl; proof: DIR/certificate.json]
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub result: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// With --engine: parts at the same time [default: number of cores; slurm: no limit]
    #[arg(long, short, value_name = "N", value_parser = threads, requires = "engine")]
    pub jobs: Option<NonZeroUsize>,
    /// Print progress even if not on a terminal; -vv prints more
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = OUTPUT)]
    pub verbose: u8,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Who works on parts.
#[derive(Args)]
pub struct EngineArgs {
    /// Engine that works on missing parts: local, slurm or hyperqueue
    ///
    /// [default: local; none for merge] Parts, logs and the script of the jobs are in the folder of
    /// the plan; 'experiment' and 'campaign' make it beside the result, as RESULT.parts, and remove
    /// it at the end if the engine is local. Rerun the same command to go on after a kill; Ctrl-C
    /// ends the jobs. See docs/scale-out.md.
    #[arg(
        id = "engine",
        long = "engine",
        value_name = "ENGINE",
        value_enum,
        hide_possible_values = true
    )]
    pub name: Option<EngineName>,
    /// Options for sbatch or 'hq submit', such as '--partition=short --account=x'
    #[arg(
        id = "engine_args",
        long = "engine-args",
        value_name = "OPTIONS",
        allow_hyphen_values = true,
        requires = "engine"
    )]
    pub options: Option<String>,
}

/// Who works on parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Threads on this machine
    Local,
    /// A job array of Slurm
    Slurm,
    /// A task array of HyperQueue
    Hyperqueue,
}

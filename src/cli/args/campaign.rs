//! Campaigns: many instances, several solvers.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::{EngineArgs, OUTPUT, seconds, threads};

/// Instances, solvers and their limits.
#[derive(Args)]
pub struct RunsArgs {
    /// Instances: files, folders, quoted patterns, or lists (*.list)
    ///
    /// A list has one path or pattern per line, relative to the list, optionally followed by a tab
    /// and the known optimum, or bounds on it such as 113..117.
    #[arg(value_name = "INSTANCES", required = true)]
    pub instances: Vec<PathBuf>,
    /// Seconds that each solver may search on each instance
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    pub time_limit: Duration,
    /// Limit the CPU time of gridsat instead, so that other work on the computer matters less
    ///
    /// Results then hardly depend on what else the computer does; peers still get wall-clock
    /// seconds.
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "time_limit")]
    pub cpu_limit: Option<Duration>,
    /// Another solver: its name and command; may be repeated
    ///
    /// '{instance}', '{seconds}' and '{threads}' in the command stand for the file and the limits.
    /// It prints one line of JSON with fields of 'gridsat solve --format jsonl': status, makespan,
    /// lower_bound, and mapping to have its makespan checked (see docs/campaigns.md).
    #[arg(long, value_name = "NAME=COMMAND")]
    pub peer: Vec<String>,
    /// Threads of each solver
    #[arg(long, value_name = "N", value_parser = threads, default_value = "1")]
    pub threads: NonZeroUsize,
    /// Seconds after the limit until a solver that does not stop is ended
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    pub grace: Duration,
    /// Further options of 'gridsat solve'; with other options gridsat is another solver
    #[arg(last = true, value_name = "SOLVE OPTIONS")]
    pub solve: Vec<String>,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct CampaignArgs {
    #[command(subcommand)]
    pub command: Option<CampaignCommand>,
    /// File of the results; an interrupted campaign resumes from it
    #[arg(long, value_name = "PATH", required = true)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub runs: RunsArgs,
    /// Runs at the same time; more than one disturbs the times [default: 1; slurm: no limit]
    #[arg(long, short, value_name = "N", value_parser = threads)]
    pub jobs: Option<NonZeroUsize>,
    /// Repeat runs that failed
    #[arg(long)]
    pub retry: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Keep the certificates in DIR, one folder per run
    #[arg(long, value_name = "DIR")]
    pub certificates: Option<PathBuf>,
    /// Print progress even if not on a terminal; -vv prints more
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = OUTPUT)]
    pub verbose: u8,
    /// Print no progress on standard error
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
}

impl CampaignArgs {
    /// The first file of results that a report is made from.
    pub fn first_results(&self) -> Option<&Path> {
        let CampaignCommand::Report(args) = self.command.as_ref()?;
        args.results.first().map(PathBuf::as_path)
    }
}

#[derive(Subcommand)]
pub enum CampaignCommand {
    /// Tables, contradictions and a plot from files of results
    ///
    /// Times are CPU seconds, without what a peer reports as its start; an instance that is not
    /// proven optimal counts with the time limit. Means are geometric. 'ratio' is the time of the
    /// first solver over that of the solver in the row. 'gap %' is over instances that are not
    /// proven. The exit code is 1 if there are contradictions.
    Report(CampaignReportArgs),
}

#[derive(Args)]
pub struct CampaignReportArgs {
    /// Files of results; '-' is standard input
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
    /// Rows of the table: class, size, both or instance
    ///
    /// 'class' is class and number of tasks, 'size' numbers of tasks and hosts.
    #[arg(long, value_enum, default_value_t = By::Class, hide_possible_values = true)]
    pub by: By,
    /// Table (CSV) of known optima or bounds; may be repeated
    ///
    /// Columns: 'instance' (in the folder of the table), or 'class' and 'id'; 'best_value',
    /// 'best_known' or 'optimum'; optionally 'lower_bound' and 'status'.
    #[arg(long, value_name = "CSV")]
    pub known: Vec<PathBuf>,
    /// Draw how many instances are proven by when to PATH (.svg, or .png)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub plot: Option<PathBuf>,
    /// Heading of the plot
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true,
          help_heading = OUTPUT)]
    pub title: String,
    /// Format: table, json, csv or markdown
    #[arg(long, value_enum, default_value_t = ReportFormat::Table, hide_possible_values = true,
          help_heading = OUTPUT)]
    pub format: ReportFormat,
    /// Write the report to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

/// Formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Table,
    /// One object, for programs
    Json,
    /// One row per class, size or instance and solver
    Csv,
    /// For a page of documentation
    Markdown,
}

/// What a row of a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Class and number of tasks
    Class,
    /// Number of tasks, number of hosts
    Size,
    /// Class, number of tasks, number of hosts
    Both,
    /// One instance
    Instance,
}

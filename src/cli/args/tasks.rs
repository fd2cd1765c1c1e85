//! What is asked of logs: split, etc-from.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use gridsat_tasks::{Format, Missing};

use super::super::emit::EmitArgs;
use super::{OUTPUT, READING, one_of};

#[derive(Args)]
pub struct SplitArgs {
    /// Logs with measured times; '-' is standard input
    ///
    /// JUnit XML, pytest-split's .test_durations, GNU parallel's --joblog, hyperfine's JSON,
    /// Snakemake's benchmarks, Nextflow's trace, Slurm's sacct (--parsable2 or --json), or a list:
    /// CSV with the columns task and time, JSON, one name per line. Recognised by content. Of
    /// several measurements of a task the median counts.
    #[arg(value_name = "LOG", required = true)]
    pub logs: Vec<PathBuf>,
    /// Format of the logs [default: recognised by content]
    #[arg(long, value_name = "FORMAT", value_parser = log_formats(), hide_short_help = true,
          help_heading = READING)]
    pub from: Option<Format>,
    /// Number of equal shards
    #[arg(long, value_name = "N", required_unless_present_any = ["target", "runners"],
          conflicts_with_all = ["target", "runners"])]
    pub shards: Option<usize>,
    /// Take the fewest shards that end within this time, such as 10m or 90s
    #[arg(long, value_name = "TIME", value_parser = nanos, conflicts_with = "runners")]
    pub target: Option<u64>,
    /// One shard per runner, with its speed: big=2,small=1x3
    ///
    /// A runner of speed 2 needs half of the measured time. x3 makes three of a kind.
    #[arg(long, value_name = "LIST")]
    pub runners: Option<String>,
    /// Print only this shard, from 1; every machine computes the same split
    #[arg(long, value_name = "I")]
    pub shard: Option<usize>,
    /// Tasks that exist now: one name per line; '-' is standard input
    ///
    /// Others are left out, and new ones get the time of --default. Takes what 'pytest
    /// --collect-only -q', 'cargo nextest list --message-format oneline' and 'playwright test
    /// --list' print.
    #[arg(long, value_name = "LIST", help_heading = READING)]
    pub only: Option<PathBuf>,
    /// Time of tasks that were never measured [default: the mean of the others]
    #[arg(long, value_name = "TIME", value_parser = nanos, help_heading = READING)]
    pub default: Option<u64>,
    /// What each shard needs before its first task, such as 30s
    #[arg(long, value_name = "TIME", value_parser = nanos, default_value = "0")]
    pub overhead: u64,
    /// Keep the tasks of one group together
    ///
    /// The group of a test is its file, binary or class, that of a job its process or array, and in
    /// a list the column 'group'.
    #[arg(long)]
    pub together: bool,
    /// What a shard spends on each group of which it has tasks
    ///
    /// Without --together groups may be divided, and every part pays the set-up.
    #[arg(long, value_name = "TIME", value_parser = nanos)]
    pub setup: Option<u64>,
    /// Round times up to N decimals of a second
    #[arg(long, value_name = "N", default_value_t = 6, hide_short_help = true,
          value_parser = clap::value_parser!(u8).range(0..=9), help_heading = READING)]
    pub decimals: u8,
    /// Format: table, lines, json, github, nextest, playwright or pytest
    ///
    /// table: a summary; lines: one task per line, without --shard after the number of its shard;
    /// json: one object; github: a matrix for GitHub Actions on one line; nextest: a filterset for
    /// 'cargo nextest run -E'; playwright: a file for 'playwright test --test-list'; pytest: node
    /// ids for 'pytest @FILE'. [default: table, with --shard lines]
    #[arg(long, value_enum, hide_possible_values = true, help_heading = OUTPUT)]
    pub format: Option<SplitFormat>,
    /// Write the result to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Write the certificate to PATH, and the instance it is about with --instance
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub certificate: Option<PathBuf>,
    /// Write the instance that was solved to PATH (JSON): shards are hosts
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub instance: Option<PathBuf>,
    #[command(flatten)]
    pub plan: EmitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SplitFormat {
    /// A summary for people
    Table,
    /// One task per line
    Lines,
    /// One object, for programs
    Json,
    /// A matrix for GitHub Actions
    Github,
    /// A filterset of cargo-nextest
    Nextest,
    /// A test list of Playwright
    Playwright,
    /// Node ids of pytest
    Pytest,
}

#[derive(Args)]
pub struct EtcFromArgs {
    /// Logs, each with the host it is from: HOST=FILE, or FILE
    ///
    /// Where a log names the machine of each task, that is the host; else HOST, or the name of the
    /// file. Formats as for 'gridsat split'.
    #[arg(value_name = "[HOST=]LOG", required = true)]
    pub logs: Vec<String>,
    /// Format of the logs [default: recognised by content]
    #[arg(long, value_name = "FORMAT", value_parser = log_formats(), help_heading = READING)]
    pub from: Option<Format>,
    /// Pairs of task and host that were not measured: guess (by the speed of the host), forbid (the
    /// task cannot run there) or error
    #[arg(long, value_name = "HOW", default_value = "guess", hide_possible_values = true,
          value_parser = one_of([("guess", Missing::Guess), ("forbid", Missing::Forbid),
                                 ("error", Missing::Reject)]))]
    pub missing: Missing,
    /// Write the guessed times to PATH (CSV: task, host, time)
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub guesses: Option<PathBuf>,
    /// Format of the matrix: json or csv [default: by the extension of --output, else json]
    #[arg(long, value_name = "FORMAT", value_parser = super::instance_formats(),
          hide_possible_values = true, help_heading = OUTPUT)]
    pub to: Option<gridsat_model::io::Format>,
    /// Write the matrix to PATH; '-' is standard output [default: -]
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Do not say what was guessed
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
}

/// The format of an instance file: a matrix, or a log of tasks that every host runs alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Matrix(gridsat_model::io::Format),
    Log(Format),
}

/// All formats of instances, with their names.
pub fn sources() -> impl TypedValueParser<Value = Source> {
    let matrices =
        gridsat_model::io::Format::ALL.map(|format| (format.name(), Source::Matrix(format)));
    let logs = Format::ALL.map(|format| (format.name(), Source::Log(format)));
    let all: Vec<(&'static str, Source)> = matrices.into_iter().chain(logs).collect();
    let names = all.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    clap::builder::PossibleValuesParser::new(names).map(move |given| {
        let found = all.iter().find(|(name, _)| *name == given);
        found.map(|(_, source)| *source).expect("possible")
    })
}

fn log_formats() -> impl TypedValueParser<Value = Format> {
    one_of(Format::ALL.map(|format| (format.name(), format)))
}

fn nanos(text: &str) -> Result<u64, String> {
    gridsat_tasks::duration(text)
        .map_err(|_| "expected a time of 0 or more, such as 90, 90s or 1m30s".to_owned())
}

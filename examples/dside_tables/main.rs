//! The figures of DSiDE (Chtepen et al. 2006), simulated again with failures that no scenario can
//! describe: two independent streams of failures and restarts. Claims C24 to C26.
//!
//! ```sh
//! cargo run --release --example dside_tables                # Markdown, 20 runs a case
//! cargo run --release --example dside_tables -- --runs 5 --only tornado
//! ```
//!
//! Every number is the mean over runs with the seeds 1, 2, … and half the width of its 95 %
//! confidence interval. What follows from them is in `docs/dside.md`. Machines that fail and come
//! back in a cycle are the experiments `dside-desktop`, `dside-recovery` and `dside-tornado`; here
//! they are only to compare streams with.

mod cases;
mod runs;
mod sections;

use anyhow::Result;
use clap::Parser;
use gridsat_statistics::Summary;

#[derive(Parser)]
#[command(about = "The figures of DSiDE (Chtepen et al. 2006), simulated again")]
struct Arguments {
    /// Runs a case; a quarter of them, and at least four, of the large Tornado grid.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(4..))]
    runs: u16,
    /// One section.
    #[arg(long, value_parser = ["table1", "frequency", "tornado"])]
    only: Option<String>,
}

/// Prints a section, with this many runs a case.
type Section = fn(usize) -> Result<()>;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let runs = usize::from(arguments.runs);
    let wanted = |name: &str| arguments.only.as_deref().is_none_or(|only| only == name);
    let sections: [(&str, Section, usize); 3] = [
        ("table1", sections::table1, runs),
        ("frequency", sections::frequency, runs),
        ("tornado", sections::tornado, (runs / 4).max(4)),
    ];
    let mut sections = sections.into_iter().filter(|(name, ..)| wanted(name));
    sections.try_for_each(|(_, section, runs)| section(runs))
}

fn print(title: &str, columns: &[&str], rows: &[Vec<String>], runs: usize) {
    println!("\n### {title}\n\n| {} |", columns.join(" | "));
    println!("|{}", " --- |".repeat(columns.len()));
    rows.iter().for_each(|row| println!("| {} |", row.join(" | ")));
    println!("\n{runs} runs a case.");
}

/// `12.3 ± 0.4`
fn shown(values: &[f64]) -> String {
    let Summary { mean, half_width, .. } = Summary::of(values);
    format!("{mean:.1} ± {:.1}", half_width.unwrap_or(f64::NAN))
}

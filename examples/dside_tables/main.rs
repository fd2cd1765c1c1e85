//! The figures of DSiDE (Chtepen et al. 2006), simulated again: claims C24 to C27.
//!
//! ```sh
//! cargo run --release --example dside_tables                          # Markdown, 20 runs a case
//! cargo run --release --example dside_tables -- --runs 5 --csv dside.csv
//! ```
//!
//! Every number is the mean over runs with the seeds 1, 2, … and half the width of its 95 %
//! confidence interval. What follows from them is in `docs/dside.md`. The CSV has all measures of
//! all cases.

mod cases;
mod runs;
mod sections;

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

use cases::Case;
use runs::{Measure, Results, Sample, run};

#[derive(Parser)]
#[command(about = "The figures of DSiDE (Chtepen et al. 2006), simulated again")]
struct Arguments {
    /// Runs a case; a quarter of them, and at least four, of the large Tornado grid.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(4..))]
    runs: u16,
    /// Every measure of every case.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// One section.
    #[arg(long, value_parser = ["table1", "rules", "frequency", "tornado"])]
    only: Option<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut record = Record::create(arguments.csv.as_ref())?;
    let runs = usize::from(arguments.runs);
    let wanted = |name: &str| arguments.only.as_deref().is_none_or(|only| only == name);
    let sections: [(&str, Section, usize); 4] = [
        ("table1", sections::table1, runs),
        ("rules", sections::rules, runs),
        ("frequency", sections::frequency, runs),
        ("tornado", sections::tornado, (runs / 4).max(4)),
    ];
    for (name, section, runs) in sections.into_iter().filter(|(name, ..)| wanted(name)) {
        section(&mut Runner { section: name, runs, record: &mut record })?;
    }
    record.finish()
}

type Section = fn(&mut Runner) -> Result<()>;

/// Runs the cases of a section and records them.
struct Runner<'a> {
    section: &'static str,
    runs: usize,
    record: &'a mut Record,
}

impl Runner<'_> {
    fn run(&mut self, cases: Vec<(String, Case)>) -> Result<Vec<Results>> {
        let (names, cases): (Vec<String>, Vec<Case>) = cases.into_iter().unzip();
        let results = run(&cases, self.runs)?;
        for (name, results) in names.iter().zip(&results) {
            self.record.put(self.section, name, results, self.runs)?;
        }
        Ok(results)
    }

    fn table(&self, title: &str, columns: &[&str], rows: &[Vec<String>]) {
        println!("\n### {title}\n\n| {} |", columns.join(" | "));
        println!("|{}", " --- |".repeat(columns.len()));
        rows.iter().for_each(|row| println!("| {} |", row.join(" | ")));
        println!("\n{} runs a case.", self.runs);
    }
}

/// `12.3 ± 0.4`
fn shown(sample: &Sample) -> String {
    format!("{:.1} ± {:.1}", sample.mean(), sample.half_width())
}

struct Record(Option<csv::Writer<File>>);

impl Record {
    fn create(path: Option<&PathBuf>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self(None)) };
        let mut writer =
            csv::Writer::from_path(path).with_context(|| path.display().to_string())?;
        writer.write_record(["section", "case", "measure", "mean", "half_width", "runs"])?;
        Ok(Self(Some(writer)))
    }

    fn put(&mut self, section: &str, name: &str, results: &Results, runs: usize) -> Result<()> {
        let Some(writer) = &mut self.0 else { return Ok(()) };
        for (measure, called) in Measure::ALL {
            let sample = results.of(measure);
            let (mean, half) = (sample.mean(), sample.half_width());
            let numbers = [format!("{mean:.4}"), format!("{half:.4}"), runs.to_string()];
            let [mean, half, runs] = &numbers;
            writer.write_record([section, name, called, mean, half, runs])?;
        }
        Ok(writer.flush()?)
    }

    fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), |mut writer| Ok(writer.flush()?))
    }
}

//! What `gridsat split` prints.

use std::io::{self, Write};

use gridsat_draw::number::rounded;
use gridsat_model::{Time, gap};
use gridsat_split::{Shard, Split};
use gridsat_tasks::TaskList;
use schemars::JsonSchema;
use serde::Serialize;

use super::SplitFormat;
use super::names::filterset;
use crate::cli::json::{Document, Number, Printed as IsPrinted, write_json, write_json_line};
use crate::cli::table::{paragraph, with_head};

pub struct Printed<'a> {
    pub split: &'a Split,
    pub list: &'a TaskList,
    /// The only shard that is printed, from 0.
    pub shard: Option<usize>,
}

/// What `gridsat split --format json` prints. Times are seconds.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    /// Version of gridsat.
    gridsat: &'static str,
    /// Whether no split into as many shards ends sooner: `optimal` or `feasible`.
    status: &'static str,
    /// When the last shard ends.
    makespan: Number,
    /// No split into as many shards ends sooner.
    lower_bound: Number,
    /// Whether the checker has accepted a certificate of that; false if groups are divided, where
    /// it is known by counting.
    is_certified: bool,
    /// (makespan − lower_bound) / makespan.
    gap: f64,
    /// With `--target`, else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    fewest: Option<JsonFewest>,
    /// Time of tasks that were never measured; null if there are none.
    default: Option<Number>,
    /// Tasks that were never measured.
    defaulted: Vec<String>,
    /// The shards, or with `--shard` only that one.
    shards: Vec<JsonShard>,
}

#[derive(Serialize, JsonSchema)]
struct JsonFewest {
    /// The target.
    target: Number,
    /// Fewer shards than this cannot end within the target.
    at_least: usize,
    /// Whether the number of shards is that, and the checker has accepted a certificate of it.
    is_proven: bool,
}

#[derive(Serialize, JsonSchema)]
struct JsonShard {
    /// Its number, from 1.
    shard: usize,
    /// `shard-1`, …, or the name of the runner.
    name: String,
    /// When it ends, with the overhead and all set-ups.
    end: Number,
    /// Names of its tasks.
    tasks: Vec<String>,
}

impl IsPrinted for Json {
    const FORMAT: &'static str = "gridsat-split 1";
}

/// One job of a matrix of GitHub Actions.
#[derive(Serialize)]
struct Job<'a> {
    shard: usize,
    shards: usize,
    name: &'a str,
    tasks: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Matrix<'a> {
    include: Vec<Job<'a>>,
}

/// "Proven" is said only of what the checker has accepted.
fn how_known(is_certified: bool) -> &'static str {
    if is_certified { "proven" } else { "by counting" }
}

fn number(time: Time) -> Number {
    Number::of_time(time)
}

impl Printed<'_> {
    pub fn write(&self, out: &mut dyn Write, format: SplitFormat) -> io::Result<()> {
        match format {
            SplitFormat::Table => self.table(out),
            SplitFormat::Lines => self.lines(out),
            SplitFormat::Json => write_json(out, &Document::from(self.json())),
            SplitFormat::Github => write_json_line(out, &self.matrix()),
            SplitFormat::Nextest => {
                let mut shards = self.shards();
                shards.try_for_each(|(at, _)| writeln!(out, "{}", filterset(self.split.names(at))))
            }
            SplitFormat::Playwright | SplitFormat::Pytest => self.lines(out),
        }
    }

    /// The shards that are printed, with their places.
    fn shards(&self) -> impl Iterator<Item = (usize, &Shard)> {
        let all = self.split.shards().iter().enumerate();
        all.filter(|(at, _)| self.shard.is_none_or(|only| only == *at))
    }

    fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        for (at, _) in self.shards() {
            for name in self.split.names(at) {
                match self.shard {
                    Some(_) => writeln!(out, "{name}")?,
                    None => writeln!(out, "{}\t{name}", at + 1)?,
                }
            }
        }
        Ok(())
    }

    fn matrix(&self) -> Matrix<'_> {
        let shards = self.split.shards().len();
        let job = |(at, shard): (usize, &'_ Shard)| (at + 1, shard.tasks.len(), shard.end.as_f64());
        let jobs: Vec<(usize, usize, f64)> = self.shards().map(job).collect();
        let include = jobs.into_iter().map(|(shard, tasks, seconds)| Job {
            shard,
            shards,
            name: &self.split.shards()[shard - 1].name,
            tasks,
            seconds,
        });
        Matrix { include: include.collect() }
    }

    fn json(&self) -> Json {
        let split = self.split;
        let (defaulted, default) = split.defaulted();
        let (makespan, lower) = (split.makespan(), split.lower_bound());
        let fewest = split.fewest().map(|fewest| JsonFewest {
            target: number(fewest.target),
            at_least: fewest.at_least,
            is_proven: fewest.is_certified && fewest.at_least == split.shards().len(),
        });
        let shard = |(at, shard): (usize, &Shard)| JsonShard {
            shard: at + 1,
            name: shard.name.clone(),
            end: number(shard.end),
            tasks: split.names(at).map(str::to_owned).collect(),
        };
        Json {
            gridsat: gridsat_model::VERSION,
            status: if split.is_optimal() { "optimal" } else { "feasible" },
            makespan: number(makespan),
            lower_bound: number(lower),
            is_certified: split.proof().is_some(),
            gap: rounded(gap(lower.ticks(), makespan.ticks()), 9),
            fewest,
            default: (!defaulted.is_empty()).then(|| number(default)),
            defaulted: defaulted.iter().map(|&task| self.list.tasks()[task].name.clone()).collect(),
            shards: self.shards().map(shard).collect(),
        }
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let split = self.split;
        let (tasks, shards) = (self.list.tasks().len(), split.shards().len());
        let version = gridsat_model::VERSION;
        let plural = if shards == 1 { "" } else { "s" };
        writeln!(out, "{tasks} tasks in {shards} shard{plural} (gridsat {version})")?;
        paragraph(out, &self.verdict())?;
        if let Some(text) = self.about_fewest() {
            paragraph(out, &text)?;
        }
        let (defaulted, default) = split.defaulted();
        if !defaulted.is_empty() {
            let count = defaulted.len();
            let text = format!(
                "{count} tasks were never measured and are taken to need {default} s each."
            );
            paragraph(out, &text)?;
        }
        writeln!(out)?;
        let mut table = with_head(["shard", "name", "tasks", "ends at", "idle"], [0, 2, 3, 4]);
        let end = split.makespan().as_f64();
        for (at, shard) in self.shards() {
            let cells = [
                (at + 1).to_string(),
                gridsat_model::text::printable(&shard.name),
                shard.tasks.len().to_string(),
                format!("{:.3}", shard.end.as_f64()),
                format!("{:.3}", end - shard.end.as_f64()),
            ];
            table.add_row(cells);
        }
        writeln!(out, "{table}")
    }

    fn verdict(&self) -> String {
        let split = self.split;
        let (end, low, count) = (split.makespan(), split.lower_bound(), split.shards().len());
        let how = how_known(split.proof().is_some());
        let least = format!("no split into {count} ends before {low} s, {how}");
        match split.is_optimal() {
            true => format!("The last shard ends at {end} s; {least}."),
            false => {
                let above = 100.0 * gap(low.ticks(), end.ticks());
                format!("The last shard ends at {end} s; {least} (at most {above:.4} % less).")
            }
        }
    }

    fn about_fewest(&self) -> Option<String> {
        let fewest = self.split.fewest()?;
        let (target, at_least) = (fewest.target, fewest.at_least);
        let how = how_known(fewest.is_certified);
        Some(match at_least == self.split.shards().len() {
            true if at_least == 1 => format!("One shard makes {target} s."),
            true => format!("Fewer than {at_least} shards cannot make {target} s, {how}."),
            false => {
                format!(
                    "Whether fewer shards make {target} s is open; at least {at_least} are needed."
                )
            }
        })
    }
}

//! The scorecard: one row per statement, and how many hold.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Claim, Evidence, Found, SOURCES, Texts, Verdict};
use gridsat_model::VERSION;

/// A statement of a claim, judged.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Statement {
    /// Such as `C2b`; without a letter if the claim is one statement.
    pub claim: String,
    /// Source of the claim.
    pub source: &'static str,
    /// What is claimed.
    pub what: String,
    /// The published number, or what the text says.
    pub published: String,
    /// What was measured.
    pub ours: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The rule, and remarks.
    pub why: String,
}

/// An experiment that rows rest on.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Basis {
    /// Name of the experiment.
    pub experiment: String,
    /// Combinations of swept values.
    pub points: usize,
    /// Algorithms that are compared.
    pub algorithms: usize,
    /// Replications of each point.
    pub replications: u32,
    /// Seed of the first replication.
    pub seed: u64,
}

/// All rows.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Scorecard {
    /// Version of gridsat.
    pub version: &'static str,
    /// Experiments behind the rows.
    pub experiments: Vec<Basis>,
    /// In the order of the claims.
    pub rows: Vec<Statement>,
}

impl Scorecard {
    /// Judges the claims that are wanted.
    pub fn of(evidence: &Evidence, is_wanted: impl Fn(&Claim) -> bool) -> Self {
        let mut rows = Vec::new();
        for source in SOURCES.iter() {
            for claim in source.claims.iter().filter(|claim| is_wanted(claim)) {
                rows.extend(judge(claim, &source.title, evidence));
            }
        }
        let basis = evidence.results().map(|results| &results.experiment).map(|experiment| Basis {
            experiment: experiment.name.clone(),
            points: experiment.point_count(),
            algorithms: experiment.algorithms.len(),
            replications: experiment.replications,
            seed: experiment.seed,
        });
        Self { version: VERSION, experiments: basis.collect(), rows }
    }

    /// How many rows have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// `60 statements: 30 reproduced, 20 refuted, 10 undecidable`.
    pub fn counts(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| (self.count(verdict), verdict));
        let there = counts.iter().filter(|(count, _)| *count > 0);
        let list: Vec<String> =
            there.map(|(count, verdict)| format!("{count} {verdict}")).collect();
        format!("{} statements: {}", self.rows.len(), list.join(", "))
    }

    /// A row a statement.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["claim", "source", "what", "published", "ours", "verdict", "why"])?;
        for row in &self.rows {
            let Statement { claim, source, what, published, ours, verdict, why } = row;
            let verdict = verdict.to_string();
            csv.write_record([claim, *source, what, published, ours, &verdict, why])?;
        }
        csv.flush()
    }

    /// A page: how it was made by `command`, and a table a source. The same data give the same
    /// bytes.
    pub fn write_markdown(&self, out: &mut dyn Write, command: &str) -> io::Result<()> {
        writeln!(out, "# The published claims, reproduced or refuted\n\n{}\n", self.counts())?;
        writeln!(out, "{}", METHOD.trim())?;
        writeln!(out, "\nMade by gridsat {} with\n\n```sh\n{command}\n```\n", self.version)?;
        writeln!(out, "from these experiments (`gridsat experiment NAME` runs one alone):\n")?;
        table(out, &["experiment", "points", "algorithms", "replications", "seeds"])?;
        for basis in &self.experiments {
            let Basis { experiment, points, algorithms, replications, seed } = basis;
            let last = seed.wrapping_add(u64::from(replications.saturating_sub(1)));
            writeln!(
                out,
                "| {experiment} | {points} | {algorithms} | {replications} | {seed} to {last} |"
            )?;
        }
        for source in SOURCES.iter() {
            let rows: Vec<&Statement> =
                self.rows.iter().filter(|row| row.source == source.title).collect();
            if !rows.is_empty() {
                writeln!(out, "\n## {}\n\n{}\n", source.title, source.about)?;
                table(out, &["claim", "statement", "published", "ours", "verdict", "why"])?;
                rows.iter().try_for_each(|row| write_row(out, row))?;
            }
        }
        Ok(())
    }
}

const METHOD: &str = "
Each claim is split into statements that data can decide, and every verdict follows from the data by the rule in its row.
Numbers are means over worlds with their 95 % confidence intervals. All algorithms meet the same worlds, so that differences
are taken world by world. *Significant* means p < 0.05 by the paired t-test, with Holm's correction for all comparisons of the
experiment; *thesis t* is equation 4.1 of the thesis, which treats the runs as independent. An interval *agrees* with a
published number if their distance is at most √2 times its half width, since what was published has as much chance in it, and if it
is sure not to be 0. *Undecidable* is what neither holds nor fails by its rule, or what was published leaves open. Where
a source leaves a question for later, the statement is ours.

Rules were written before the full runs but for these, changed after a first look at the data. In C4, C8, C19 and C29 the old and the
new rule both have rows. In C11b, C14c, C22 and C23 the old one is gone: it took one reading of the test bed (refuted), all multiples of 5 with
the ends (refuted), and a fixed range for the mean of p-values that 20 worlds cannot keep (C22 and C23a undecidable). C17 had its statements
the other way round.
";

fn table(out: &mut dyn Write, head: &[&str]) -> io::Result<()> {
    writeln!(out, "| {} |\n|{}", head.join(" | "), " --- |".repeat(head.len()))
}

fn write_row(out: &mut dyn Write, row: &Statement) -> io::Result<()> {
    let Statement { claim, what, published, ours, why, .. } = row;
    let cells = [claim, what, published, ours].map(|cell| escape(cell)).join(" | ");
    writeln!(out, "| {cells} | **{}** | {} |", row.verdict, escape(why))
}

/// Bars would end the cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn judge(claim: &Claim, source: &'static str, evidence: &Evidence) -> Vec<Statement> {
    let Some(found) = claim.judge(evidence) else { return vec![missing(claim, source)] };
    let is_alone = claim.statements.len() == 1;
    let row = |((texts, found), letter): ((&Texts, Found), char)| Statement {
        claim: if is_alone { claim.id.clone() } else { format!("{}{letter}", claim.id) },
        source,
        what: texts.what.clone(),
        published: texts.published.clone(),
        ours: fill(&texts.ours, &found.ours),
        verdict: found.verdict,
        why: fill(&texts.why, &found.why),
    };
    claim.statements.iter().zip(found).zip('a'..).map(row).collect()
}

/// Puts the values into the places `{}` of a text, in order.
fn fill(text: &str, values: &[String]) -> String {
    values.iter().fold(text.to_owned(), |text, value| text.replacen("{}", value, 1))
}

fn missing(claim: &Claim, source: &'static str) -> Statement {
    Statement {
        claim: claim.id.clone(),
        source,
        what: "all of it".to_owned(),
        published: String::new(),
        ours: String::new(),
        verdict: Verdict::TooFewRuns,
        why: "an experiment lacks a metric that decides it".to_owned(),
    }
}

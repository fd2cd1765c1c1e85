//! The scorecard: one row per statement, and the numbers of verdicts.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Claim, Evidence, Found, SOURCES, Texts, Verdict};
use gridsat_model::VERSION;

/// A judged statement of a claim.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Statement {
    /// Number such as `C2b`; without a letter if the claim is a single statement.
    pub claim: String,
    /// Source of the claim.
    pub source: &'static str,
    /// Whether the statement is ours: the source does not make it.
    pub own: bool,
    /// What is claimed, in one sentence.
    pub what: String,
    /// The published number or wording.
    pub published: String,
    /// The measured numbers.
    pub ours: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The rule, remarks, why it is undecidable, and how the rule was changed.
    pub why: String,
}

/// An experiment that rows are based on.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Basis {
    /// Name of the experiment.
    pub experiment: String,
    /// Number of combinations of swept values.
    pub points: usize,
    /// Number of algorithms.
    pub algorithms: usize,
    /// Replications of each point.
    pub replications: u32,
    /// Seed of the first replication.
    pub seed: u64,
}

/// All judged statements.
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
    /// Judges the claims that `is_wanted` selects.
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

    /// Number of rows with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// Text such as `60 published statements: 30 reproduced, 2 vacuous (C2c, C8c), 20 refuted, 8
    /// undecidable; 12 of our own: 12 reproduced`. What can only hold does not count as reproduced.
    pub fn counts(&self) -> String {
        let part = |own: bool| {
            let rows: Vec<&Statement> = self.rows.iter().filter(|row| row.own == own).collect();
            let kind = if own { "of our own" } else { "published statements" };
            (!rows.is_empty()).then(|| format!("{} {kind}: {}", rows.len(), verdicts(&rows)))
        };
        [part(false), part(true)].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// One row per statement.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record([
            "claim",
            "source",
            "own",
            "what",
            "published",
            "ours",
            "verdict",
            "why",
        ])?;
        for row in &self.rows {
            let Statement { claim, source, own, what, published, ours, verdict, why } = row;
            let (own, verdict) = (own.to_string(), verdict.to_string());
            csv.write_record([claim, *source, &own, what, published, ours, &verdict, why])?;
        }
        csv.flush()
    }

    /// A page: how it was made by `command`, and one table per source. The same data give the
    /// same bytes.
    pub fn write_markdown(&self, out: &mut dyn Write, command: &str) -> io::Result<()> {
        writeln!(out, "# The published claims, reproduced or refuted\n\n{}.\n", self.counts())?;
        writeln!(out, "{}", METHOD.trim())?;
        writeln!(out, "\nMade by gridsat {} with\n\n```sh\n{command}\n```\n", self.version)?;
        writeln!(out, "`gridsat experiment NAME` runs one experiment. Replications per point:\n")?;
        for (replications, names) in self.by_replications().iter().rev() {
            let lines: Vec<String> = names.chunks(4).map(|line| line.join(", ")).collect();
            writeln!(out, "- {replications}: {}", lines.join(",\n  "))?;
        }
        for source in SOURCES.iter() {
            let rows: Vec<&Statement> =
                self.rows.iter().filter(|row| row.source == source.title).collect();
            if !rows.is_empty() {
                writeln!(out, "\n## {}\n\n{}\n", source.title, source.about)?;
                write_table(out, &rows)?;
            }
        }
        Ok(())
    }

    /// The names of the experiments, as code, by their numbers of replications.
    fn by_replications(&self) -> BTreeMap<u32, Vec<String>> {
        let mut all: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for Basis { experiment, replications, .. } in &self.experiments {
            all.entry(*replications).or_default().push(format!("`{experiment}`"));
        }
        all
    }
}

/// The numbers of verdicts, with the names of vacuous rows.
fn verdicts(rows: &[&Statement]) -> String {
    let of = |verdict| rows.iter().filter(move |row| row.verdict == verdict);
    let part = |verdict: Verdict| {
        let names: Vec<&str> = of(verdict).map(|row| row.claim.as_str()).collect();
        let shown = if verdict == Verdict::Vacuous {
            format!(" ({})", names.join(", "))
        } else {
            String::new()
        };
        (!names.is_empty()).then(|| format!("{} {verdict}{shown}", names.len()))
    };
    Verdict::ALL.into_iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

const METHOD: &str = "
Each claim is split into statements that data can decide, and each verdict follows from the data
by the rule in its row. [sources.md](sources.md) lists the sources and their errata.

- Numbers are means over replications ± half the width of their 95 % confidence intervals. All algorithms
  run on the same replications; differences are taken replication by replication.
- *Significant*: p < 0.05 by the paired t-test, with Holm's correction for all comparisons of the
  experiment. *Thesis t*: equation 4.1 of the thesis, which treats runs as independent (erratum
  E17).
- An interval *agrees* with a published number if they are at most √2 half widths apart, as the
  published number varies too, and if the interval excludes 0.
- Where a row joins several intervals, all must satisfy its rule, or one must violate it by an
  interval with Bonferroni's correction. Where one of several is enough, that one needs it.
- *Vacuous*: the rule holds, but the published test could not have found otherwise, as the paired
  test does. This does not count as reproduced.
- *Undecidable*: the data neither satisfy nor violate the rule, or the source does not say enough;
  the row says why.
- Published statements and statements of our own are counted separately. Ours are those that the
  source asks for but does not make *(left for later)*, and further tests of its data *(not
  tested)*.

Rules that were changed after a look at the data say so in their rows.
";

const HEAD: [&str; 6] =
    ["claim", "statement", "published", "measured", "verdict", "rule and remarks"];

fn write_table(out: &mut dyn Write, rows: &[&Statement]) -> io::Result<()> {
    writeln!(out, "| {} |\n|{}", HEAD.join(" | "), " --- |".repeat(HEAD.len()))?;
    let above = std::iter::once(None).chain(rows.iter().map(|row| Some(*row)));
    rows.iter().zip(above).try_for_each(|(row, above)| write_row(out, row, above))
}

/// Long cells that repeat what is in the row above refer to it.
fn write_row(out: &mut dyn Write, row: &Statement, above: Option<&Statement>) -> io::Result<()> {
    let cell = |of: fn(&Statement) -> &String| {
        let text = of(row);
        let is_above = text.len() > SHORT && above.is_some_and(|above| of(above) == text);
        if is_above { "as above".to_owned() } else { escape(text) }
    };
    let Statement { claim, what, verdict, .. } = row;
    let [published, ours] = [cell(|row| &row.published), cell(|row| &row.ours)];
    let (what, why) = (escape(what), cell(|row| &row.why));
    writeln!(out, "| {claim} | {what} | {published} | {ours} | **{verdict}** | {why} |")
}

/// Cells of at most this many bytes are repeated.
const SHORT: usize = 16;

/// Escapes bars, which would end a table cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn judge(claim: &Claim, source: &'static str, evidence: &Evidence) -> Vec<Statement> {
    let Some(found) = claim.judge(evidence) else { return vec![missing(claim, source)] };
    let is_alone = claim.statements.len() == 1;
    let row = |((texts, found), letter): ((&Texts, Found), char)| Statement {
        claim: if is_alone { claim.id.clone() } else { format!("{}{letter}", claim.id) },
        source,
        own: texts.own,
        what: texts.what.clone(),
        published: texts.published.clone(),
        ours: fill(&texts.ours, &found.ours),
        verdict: found.verdict,
        why: reasons(texts, &found),
    };
    claim.statements.iter().zip(found).zip('a'..).map(row).collect()
}

/// The rule and remarks, why it is undecidable if it is, and how the rule was changed.
fn reasons(texts: &Texts, found: &Found) -> String {
    let open = texts.open.as_ref().filter(|_| found.verdict == Verdict::Undecidable);
    let open = open.map(|open| format!("; undecidable because {open}"));
    let changed = texts.changed.as_ref();
    let changed = changed.map(|changed| format!("; *changed after a look at the data:* {changed}"));
    let rule = fill(&texts.why, &found.why);
    std::iter::once(rule).chain(open).chain(changed).collect()
}

/// Replaces the placeholders `{}` of a text by the values, in order.
fn fill(text: &str, values: &[String]) -> String {
    values.iter().fold(text.to_owned(), |text, value| text.replacen("{}", value, 1))
}

fn missing(claim: &Claim, source: &'static str) -> Statement {
    Statement {
        claim: claim.id.clone(),
        source,
        own: false,
        what: "all of it".to_owned(),
        published: String::new(),
        ours: String::new(),
        verdict: Verdict::TooFewRuns,
        why: "an experiment lacks a metric that decides it".to_owned(),
    }
}

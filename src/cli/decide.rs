//! The command `gridsat decide`: answers the decision problem as SAT solvers do, or as JSON.

use std::io::{self, Write};

use gridsat_check::formula::{self, Encoding};
use gridsat_draw::number::rounded;
use gridsat_exact::bounds;
use gridsat_exact::export::Question;
use gridsat_exact::sat::Answer;
use gridsat_exact::strategy::{Decision, decide_once};
use gridsat_model::{Instance, Mapping};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{DecideArgs, DecideFormat};
use super::exit::{Exit, Failure};
use super::input;
use super::json::{Assigned, Document, Number, Printed, Subject, write_json};
use super::output::write_result;
use super::plain::Shown;
use super::solve::JsonAnswer;

pub fn run(args: &DecideArgs) -> Result<Exit, Failure> {
    let instance = input::instance(&args.input)?;
    let k = input::makespan(&args.k, &instance)?;
    let choice = input::encoding(&args.sat, !args.solver.no_surrogate)?;
    let budget = input::budget(&args.sat, choice.load);
    let (solver, stop) = input::solver(&args.solver);
    let weights = bounds::linear(&instance, &stop).weights;
    let encoding = choice.at(&instance, k, &weights, &stop);
    let decided = decide_once(&instance, k, &encoding, &solver, budget, &stop);
    let (decision, mapping) = decided.map_err(Failure::of_search)?;
    let answer = decision.answer;
    let report = Report { args, instance: &instance, decision, mapping, encoding: &encoding };
    let shown = match args.format {
        DecideFormat::Sat => Shown::Text,
        DecideFormat::Json => Shown::Json,
    };
    write_result(args.output.as_deref(), shown, |out| match args.format {
        DecideFormat::Sat => report.lines(out),
        DecideFormat::Json => write_json(out, &Document::from(report.json())),
    })?;
    Ok(match answer {
        Answer::Sat => Exit::Satisfiable,
        Answer::Unsat => Exit::Unsatisfiable,
        Answer::Unknown => Exit::Answered,
    })
}

struct Report<'a> {
    args: &'a DecideArgs,
    instance: &'a Instance,
    decision: Decision,
    mapping: Option<Mapping>,
    encoding: &'a Encoding,
}

/// What `gridsat decide --format json` prints. Times are in the unit of the instance, with all
/// their digits.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
    /// The makespan asked about, rounded down to a tick.
    k: Number,
    /// Whether there is a mapping with makespan at most k.
    answer: JsonAnswer,
    /// Makespan of the mapping; null unless `answer` is `sat`.
    makespan: Option<Number>,
    /// Host of each task; numbers from 0. Null unless `answer` is `sat`.
    mapping: Option<Vec<u32>>,
    /// The plan by names, one entry per task; null unless `answer` is `sat`.
    assignment: Option<Vec<Assigned>>,
    /// Encoding of the loads as clauses.
    encoding: String,
    /// As `--solver` says.
    solver: String,
    /// Wall-clock time of the decision; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-decision 1";
}

impl Report<'_> {
    fn json(&self) -> Json {
        let (instance, scale) = (self.instance, self.instance.scale());
        let mapping = self.mapping.as_ref();
        let seconds = rounded(self.decision.time.as_secs_f64(), 6);
        Json {
            subject: instance.into(),
            k: Number::new(scale, self.decision.k),
            answer: self.decision.answer.into(),
            makespan: mapping.map(|mapping| Number::new(scale, mapping.makespan())),
            mapping: mapping.map(|mapping| mapping.hosts().iter().map(|host| host.0).collect()),
            assignment: mapping.map(|mapping| Assigned::all(instance, mapping)),
            encoding: self.encoding.to_string(),
            solver: self.args.solver.solver.clone(),
            seconds: (!self.args.no_times).then_some(seconds),
        }
    }

    /// Prints the answer in the form of SAT solvers.
    fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let Decision { k, answer, ref by, .. } = self.decision;
        let (scale, version) = (self.instance.scale(), gridsat_model::VERSION);
        writeln!(out, "c gridsat {version}: makespan <= {}? by {by}", scale.display(k))?;
        let load = self.encoding.load;
        writeln!(out, "c {}", Question::new(self.instance, Some(k), load.name()))?;
        writeln!(out, "s {}", verdict(answer))?;
        let Some(mapping) = &self.mapping else { return Ok(()) };
        let makespan = scale.display(mapping.makespan());
        writeln!(
            out,
            "c mapping with makespan {makespan}; the pairs of 'export' with this encoding:"
        )?;
        write!(out, "v")?;
        let pairs = formula::pairs(self.instance, k, self.encoding.load);
        pairs.select(mapping).try_for_each(|lit| write!(out, " {}", lit.to_dimacs()))?;
        writeln!(out, " 0")
    }
}

fn verdict(answer: Answer) -> &'static str {
    match answer {
        Answer::Sat => "SATISFIABLE",
        Answer::Unsat => "UNSATISFIABLE",
        Answer::Unknown => "UNKNOWN",
    }
}

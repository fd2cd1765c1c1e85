//! The command `gridsat decode`: from another solver's answer to a checked mapping.
//!
//! The meaning of DIMACS variables depends on k and the encoding, so an answer to another question
//! may look like an answer to this one. Exported files contain their question
//! (`gridsat_exact::export::Question`); it is compared wherever it is available: in the file given
//! as `--problem`, or in the answer.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use gridsat_check::formula::{self, Load};
use gridsat_encodings::LoadEncoding;
use gridsat_exact::export::opb::Opb;
use gridsat_exact::export::{Answer, Question};
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::io::{open, shown_name};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::DecodeArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::json::{Assigned, Document, Number, Printed, Subject};
use super::output::{print, write_mapping_csv, write_mapping_head};
use super::solve::JsonAnswer;

/// Largest answer, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// The question is within this many bytes at the start of an exported file.
const MAX_HEAD: u64 = 1 << 20;

pub fn run(args: &DecodeArgs) -> Result<Exit, Failure> {
    let instance = input::instance(&args.input)?;
    let k = args.k.as_deref().map(|k| input::makespan(k, &instance)).transpose()?;
    let name = args.answer.display().to_string();
    let decoded = || -> anyhow::Result<_> {
        let text = read(&args.answer, MAX_BYTES)?;
        let asked = Asked::new(&instance, args, k, &text)?;
        Ok((asked.decode(&text)?, asked.k))
    };
    let (mapping, k) = decoded().with_context(|| name).map_err(Failure::BadInput)?;
    let show = |ticks| instance.scale().display(ticks);
    print(
        &args.output,
        |out| match (&mapping, k) {
            (Some(mapping), _) => {
                let makespan = show(mapping.makespan());
                writeln!(out, "Mapping with makespan {makespan}, checked.\n")?;
                let width = super::solve::gantt_width();
                write!(out, "{}", gridsat_draw::gantt::text(&instance, mapping, width))
            }
            (None, k) => {
                let limit = k.map_or(String::new(), |k| format!(" ≤ {}", show(k)));
                writeln!(out, "No mapping{limit}, according to the solver; not checked.")
            }
        },
        || Document::from(Json::new(&instance, mapping.as_ref(), k)),
        |out| match &mapping {
            Some(mapping) => write_mapping_csv(out, &instance, mapping),
            None => write_mapping_head(out),
        },
    )?;
    Ok(if mapping.is_some() { Exit::Answered } else { Exit::Unsatisfiable })
}

/// What `gridsat decode --format json` prints. Times are in the unit of the instance.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
    /// `sat` with a checked mapping; `unsat` according to the solver, not checked.
    answer: JsonAnswer,
    /// The makespan asked about; null for the optimisation problem.
    k: Option<Number>,
    /// Largest load; null without a mapping.
    makespan: Option<Number>,
    /// Host of each task; numbers from 0. Null without a mapping.
    mapping: Option<Vec<u32>>,
    /// The plan by names, one entry per task; null without a mapping.
    assignment: Option<Vec<Assigned>>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-decoding 1";
}

impl Json {
    fn new(instance: &Instance, mapping: Option<&Mapping>, k: Option<Ticks>) -> Self {
        let shown = |ticks| Number::new(instance.scale(), ticks);
        Self {
            subject: instance.into(),
            answer: if mapping.is_some() { JsonAnswer::Sat } else { JsonAnswer::Unsat },
            k: k.map(shown),
            makespan: mapping.map(|mapping| shown(mapping.makespan())),
            mapping: mapping.map(|mapping| mapping.hosts().iter().map(|host| host.0).collect()),
            assignment: mapping.map(|mapping| Assigned::all(instance, mapping)),
        }
    }
}

/// The first `most` bytes of a file; an answer that is longer is an error.
fn read(path: &Path, most: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    open(path)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        bail!("larger than {most} bytes");
    }
    Ok(text)
}

/// The question that the solver was asked.
struct Asked<'a> {
    instance: &'a Instance,
    k: Option<Ticks>,
    load: Load,
}

impl<'a> Asked<'a> {
    /// The question from the command line, or else from the exported file.
    fn new(
        instance: &'a Instance,
        args: &DecodeArgs,
        k: Option<Ticks>,
        answer: &str,
    ) -> anyhow::Result<Self> {
        let question = match &args.problem {
            Some(path) => Some(exported(path).with_context(|| shown_name(path))?),
            None => Question::find(answer),
        };
        let default = Load::Engineered(LoadEncoding::Adder);
        let Some(question) = question else {
            return Ok(Self { instance, k, load: args.encoding.unwrap_or(default) });
        };
        check(instance, &question, k, args.encoding)?;
        let load = question.form().parse().unwrap_or(default);
        Ok(Self { instance, k: question.k(), load })
    }

    /// The mapping; `None` if the solver found that there is none.
    fn decode(&self, text: &str) -> anyhow::Result<Option<Mapping>> {
        let Self { instance, k, .. } = *self;
        let mapping = match Answer::parse(text)? {
            Answer::Impossible => return self.check_impossible().map(|()| None),
            Answer::Literals(lits) => {
                let missing =
                    "-k K or --problem FILE is needed: the variables of DIMACS depend on k";
                let pairs = formula::pairs(instance, k.ok_or_else(|| anyhow!(missing))?, self.load);
                pairs.read_model(instance, |var| lits.contains(&var.positive()))
            }
            Answer::Numbers(numbers) => {
                let opb = Opb::new(instance);
                self.mapping(|task, host| numbers.contains(&opb.pair(task, host)))
            }
            Answer::Pairs(pairs) => self.mapping(|task, host| pairs.contains(&(task.0, host.0))),
        };
        let mapping = mapping.ok_or_else(|| anyhow!("the answer leaves a task without a host"))?;
        if let Some(k) = k.filter(|&k| mapping.makespan() > k) {
            let (found, asked) = (self.show(mapping.makespan()), self.show(k));
            bail!(
                "the answer's mapping has makespan {found}, above {asked}: it answers another \
                 question (another -k, --encoding or instance?)"
            );
        }
        Ok(Some(mapping))
    }

    /// The mapping of the first chosen host of each task; `None` if some task has none.
    fn mapping(&self, is_chosen: impl Fn(TaskId, HostId) -> bool) -> Option<Mapping> {
        let host = |task| {
            let mut hosts = self.instance.times(task).map(|(host, _)| host);
            hosts.find(|&host| is_chosen(task, host))
        };
        let hosts: Option<Vec<HostId>> = self.instance.tasks().map(host).collect();
        Mapping::new(self.instance, hosts?).ok()
    }

    /// Rejects "no solution" if the mapping of MCT contradicts it.
    fn check_impossible(&self) -> anyhow::Result<()> {
        let mapping = OnLine::Mct.map(self.instance);
        match self.k {
            Some(k) if k < mapping.makespan() => Ok(()),
            Some(k) => bail!(
                "the solver finds no mapping ≤ {}, but there is one with makespan {}: it was \
                 asked another question (another -k or instance?)",
                self.show(k),
                self.show(mapping.makespan())
            ),
            None => bail!("the solver finds no mapping at all: -k K or --problem FILE is needed"),
        }
    }

    fn show(&self, ticks: Ticks) -> String {
        self.instance.scale().display(ticks).to_string()
    }
}

/// The question in the comments of an exported file.
fn exported(path: &Path) -> anyhow::Result<Question> {
    let mut head = Vec::new();
    open(path)?.take(MAX_HEAD).read_to_end(&mut head)?;
    let question = Question::find(&String::from_utf8_lossy(&head));
    question.ok_or_else(|| anyhow!("no comment line 'question …' as 'gridsat export' writes it"))
}

/// Checks that the question is about this instance and agrees with the command line.
fn check(
    instance: &Instance,
    question: &Question,
    k: Option<Ticks>,
    load: Option<Load>,
) -> anyhow::Result<()> {
    let show = |k: Option<Ticks>| match k {
        Some(k) => format!("makespan <= {}", instance.scale().display(k)),
        None => "the smallest makespan".to_owned(),
    };
    if k.is_some() && k != question.k() {
        bail!("the solver was asked for {}, not {} (-k)", show(question.k()), show(k));
    }
    let form = question.form();
    if let Some(load) = load.filter(|load| load.name() != form) {
        bail!("the solver was asked with encoding '{form}', not '{}' (--encoding)", load.name());
    }
    if *question != Question::new(instance, question.k(), form) {
        bail!("the solver was asked about another instance");
    }
    Ok(())
}

//! `gridsat decode`: from another solver's answer to a checked mapping.
//!
//! Two kinds of answer are understood: DIMACS (`v 1 -2 …`) for exported CNF, and variable names
//! (`v x1 -x2 …`) for exported OPB.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use gridsat_check::formula::{self, Load};
use gridsat_encodings::Lit;
use gridsat_exact::export::opb::Opb;
use gridsat_model::{HostId, Instance, Mapping, Ticks};
use serde::Serialize;
use serde_json::value::RawValue;

use super::args::DecodeArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::output::{number, print, write_mapping_csv};

/// Answers are read whole, but not without limit.
const MAX_BYTES: u64 = 1 << 30;

pub fn run(args: &DecodeArgs) -> Result<Exit, Failure> {
    let instance = input::instance(&args.input)?;
    let k = input::makespan(&args.k, &instance)?;
    let name = args.answer.display().to_string();
    let text = read(&args.answer).with_context(|| name.clone()).map_err(Failure::BadInput)?;
    let mapping = decode(&instance, k, args.encoding, &text)
        .with_context(|| name)
        .map_err(Failure::BadInput)?;
    print(
        &args.output,
        |out| {
            let makespan = instance.scale().display(mapping.makespan());
            writeln!(out, "Mapping with makespan {makespan}, checked.\n")?;
            let width = super::solve::GANTT_WIDTH;
            write!(out, "{}", gridsat_draw::gantt::text(&instance, &mapping, width))
        },
        || Json::new(&instance, &mapping),
        |out| write_mapping_csv(out, &instance, &mapping),
    )?;
    Ok(Exit::Answered)
}

#[derive(Serialize)]
struct Json {
    gridsat: &'static str,
    instance: String,
    makespan: Box<RawValue>,
    mapping: Vec<u32>,
}

impl Json {
    fn new(instance: &Instance, mapping: &Mapping) -> Self {
        Self {
            gridsat: gridsat_model::VERSION,
            instance: instance.name().to_owned(),
            makespan: number(instance.scale(), mapping.makespan()),
            mapping: mapping.hosts().iter().map(|host| host.0).collect(),
        }
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    let input: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(std::fs::File::open(path)?),
    };
    let mut text = String::new();
    input.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        bail!("larger than {MAX_BYTES} bytes");
    }
    Ok(text)
}

fn decode(instance: &Instance, k: Ticks, load: Load, text: &str) -> anyhow::Result<Mapping> {
    let answer = Answer::parse(text)?;
    let mapping = match answer {
        Answer::Literals(lits) => {
            let pairs = formula::pairs(instance, k, load);
            pairs.read_model(instance, |var| lits.contains(&var.positive()))
        }
        Answer::Names(names) => read_names(instance, &names),
    };
    let mapping = mapping.ok_or_else(|| anyhow!("the answer leaves a task without a host"))?;
    if mapping.makespan() > k {
        let (found, asked) =
            (instance.scale().display(mapping.makespan()), instance.scale().display(k));
        bail!("the answer's mapping has makespan {found}, above {asked}");
    }
    Ok(mapping)
}

fn read_names(instance: &Instance, names: &HashSet<u32>) -> Option<Mapping> {
    let opb = Opb::new(instance);
    let host = |task| {
        let mut hosts = instance.times(task).map(|(host, _)| host);
        hosts.find(|&host| names.contains(&opb.pair(task, host)))
    };
    let hosts: Option<Vec<HostId>> = instance.tasks().map(host).collect();
    Mapping::new(instance, hosts?).ok()
}

/// What is true, in either notation.
enum Answer {
    Literals(HashSet<Lit>),
    Names(HashSet<u32>),
}

impl Answer {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let statements = text.lines().filter_map(|line| line.strip_prefix("s "));
        if let Some(verdict) = statements.map(str::trim).find(|v| !is_positive(v)) {
            bail!("the solver answered '{}', not a model", verdict.escape_debug());
        }
        let mut literals = HashSet::new();
        let mut names = HashSet::new();
        for (number, line) in text.lines().enumerate() {
            let Some(values) = line.strip_prefix('v') else { continue };
            for token in values.split_whitespace().filter(|&token| token != "0") {
                let place =
                    || anyhow!("line {}: '{}' is no literal", number + 1, token.escape_debug());
                match token.strip_prefix('x').map(str::parse) {
                    Some(name) => drop(names.insert(name.map_err(|_| place())?)),
                    None if token.starts_with("-x") || token.starts_with("~x") => {}
                    None => {
                        let number = token.parse::<i32>().ok().and_then(Lit::from_dimacs);
                        literals.insert(number.ok_or_else(place)?);
                    }
                }
            }
        }
        match (literals.is_empty(), names.is_empty()) {
            (true, true) => bail!("no 'v' line with a model"),
            (false, true) => Ok(Self::Literals(literals)),
            (true, false) => Ok(Self::Names(names)),
            (false, false) => bail!("'v' lines mix literals and variable names"),
        }
    }
}

fn is_positive(verdict: &str) -> bool {
    matches!(verdict, "SATISFIABLE" | "OPTIMUM FOUND")
}

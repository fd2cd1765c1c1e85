//! Reads the instance and the numbers given with it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};
use gridsat_check::formula::Load;
use gridsat_check::verify::Claim;
use gridsat_encodings::{AtMostOne, Budget};
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::strategy::EncodingChoice;
use gridsat_model::Stop;
use gridsat_model::io::{
    self, CsvOptions, Format, HostList, Kind, Precision, ReadOptions, ReadyTimes,
};
use gridsat_model::text::{excerpt, on_one_line};
use gridsat_model::{Instance, Ticks};
use gridsat_scenario::{AnyScenario, Policies, Text};

use super::args::{FormArgs, Hosts, InputArgs, ReadingArgs, SatArgs, SolverArgs, Source};
use super::cpu_limit;
use super::exit::{Exit, Failure};
use super::say::say;
use super::signals;
use super::tasks;

/// Default limit on clauses of the thesis encoding, which grows with k itself; this many are
/// decided in seconds.
const THESIS_CLAUSES: u64 = 2_000_000;

/// Reads the instance, and prints surprising notes about it on standard error.
pub fn instance(args: &InputArgs) -> Result<Instance, Failure> {
    instance_of(&args.file, &args.form)
}

/// Like [`instance`], for one of several files.
pub fn instance_of(file: &Path, form: &FormArgs) -> Result<Instance, Failure> {
    read(file, form, None, None)
}

/// The same for bytes of the file that were read before, if they were.
pub fn instance_in(args: &InputArgs, bytes: Option<&[u8]>) -> Result<Instance, Failure> {
    read(&args.file, &args.form, None, bytes)
}

/// Reads the instance with the rounding that the certificate states, if there was any.
pub fn certified_instance(
    file: &Path,
    form: &FormArgs,
    claim: &Claim,
    bytes: Option<&[u8]>,
) -> Result<Instance, Failure> {
    let rounded = claim.rounded_decimals().map(Precision::Decimals);
    read(file, form, rounded, bytes)
}

/// Refuses to read standard input for two arguments.
pub fn check_standard_input(arguments: &[&str]) -> Result<(), Failure> {
    let [one, other, ..] = arguments else { return Ok(()) };
    let message = match one == other {
        true => format!("{one} is '-' twice"),
        false => format!("{one} and {other} are both '-'"),
    };
    let why = "standard input can be read once only: save one of them as a file";
    Err(Failure::BadInput(anyhow!("{message}: {why}")))
}

fn read(
    file: &Path,
    args: &FormArgs,
    default: Option<Precision>,
    bytes: Option<&[u8]>,
) -> Result<Instance, Failure> {
    let ReadingArgs { header, index, ready_row, qos, decimals, exact, .. } = args.reading;
    let precision = match (exact, decimals) {
        (true, _) => Precision::Exact,
        (_, Some(decimals)) => Precision::Decimals(decimals),
        _ => default.unwrap_or_default(),
    };
    let from = match args.from {
        Some(Source::Matrix(format)) => Some(format),
        Some(Source::Log(_)) | None => None,
    };
    let (hosts, host_list) = match &args.hosts {
        None => (None, None),
        Some(Hosts::Equal(count)) => (Some(*count), None),
        Some(Hosts::File(path)) => (None, Some(HostList::read(path).map_err(Failure::input)?)),
    };
    let options = ReadOptions {
        format: from,
        tasks: args.tasks,
        hosts,
        host_list,
        precision,
        ready: args.reading.ready.as_deref().map(ready_times).transpose()?,
        csv: CsvOptions { header, index, ready_row, qos },
    };
    let instance = match (args.from, bytes) {
        (Some(Source::Log(format)), bytes) => tasks::instance(file, bytes, Some(format), &options)?,
        (_, None) if file == Path::new("-") => {
            let bytes = io::read_bytes(file).map_err(Failure::input)?;
            return read(file, args, default, Some(&bytes));
        }
        (from, Some(bytes)) => match io::parse_file(file, bytes, &options) {
            Err(error) if from.is_none() => tasks::or_else(file, Some(bytes), &options, error)?,
            result => result.map_err(Failure::input)?,
        },
        (from, None) => match io::read_file(file, &options) {
            Err(error) if from.is_none() => tasks::or_else(file, None, &options, error)?,
            result => result.map_err(Failure::input)?,
        },
    };
    say_notes(file, &instance);
    Ok(instance)
}

/// Says on standard error what may surprise about how the file was read.
pub fn say_notes(file: &Path, instance: &Instance) {
    let notes = instance.notes().iter().filter(|note| note.is_surprising());
    let notes: Vec<String> = notes.map(ToString::to_string).collect();
    if !notes.is_empty() {
        let name = io::shown_name(file);
        say(format_args!("{}: {}", on_one_line(&name), notes.join("; ")));
    }
}

/// Adds to an error what kind of file was given, if it is none of the kinds that the command takes.
pub fn of_kind(
    result: Result<Exit, Failure>,
    path: Option<&Path>,
    taken: &[Kind],
) -> Result<Exit, Failure> {
    match (result, path) {
        (Err(failure), Some(path)) => Err(known_kind(failure, path, taken, kind_of)),
        (result, _) => result,
    }
}

/// The same for an error about a file whose kind is found in another way.
pub fn known_kind(
    failure: Failure,
    path: &Path,
    taken: &[Kind],
    kind_of: impl FnOnce(&Path) -> Option<Kind>,
) -> Failure {
    let is_input = matches!(failure, Failure::BadInput(_));
    let kind = is_input.then(|| kind_of(path)).flatten().filter(|kind| !taken.contains(kind));
    match (kind, taken) {
        (Some(kind), [first, ..]) => other_kind(path, kind, *first),
        _ => failure,
    }
}

/// The error for a file of a kind that the command does not take.
fn other_kind(path: &Path, kind: Kind, wanted: Kind) -> Failure {
    let (name, remedy) = (io::shown_name(path), kind.remedy());
    Failure::BadInput(anyhow!("{name}: this is {kind}, not {wanted}: {remedy}"))
}

/// Reads a scenario. Standard input cannot be read again to find out what else it contains.
pub fn scenario(path: &Path) -> Result<AnyScenario, Failure> {
    let text = Text::load(path).map_err(Failure::input)?;
    let scenario = AnyScenario::of(text.keys(), &Policies::built_in()).map_err(Failure::input);
    match Kind::of(text.text.as_bytes()) {
        _ if scenario.is_ok() || path != Path::new("-") => scenario,
        None | Some(Kind::Scenario | Kind::Toml) => scenario,
        Some(Kind::Trace) => Err(piped_trace()),
        Some(kind) => Err(other_kind(path, kind, Kind::Scenario)),
    }
}

/// Why a trace is not read from standard input.
pub fn piped_trace() -> Failure {
    let why = "a trace is read more than once: save it as a file that ends in .swf";
    Failure::BadInput(anyhow!("stdin: {why}"))
}

/// The kind of a file by its content, up to the largest size of a scenario.
pub fn kind_of(path: &Path) -> Option<Kind> {
    const MOST: u64 = 1 << 28;
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes)).ok()?;
    // Instances that are not JSON have no distinctive content, so one is simply read.
    let is_read = |_| io::read_file(path, &ReadOptions::default()).is_ok();
    let is_instance = || Format::of_file(path).is_some_and(is_read);
    Kind::of(&bytes).or_else(|| is_instance().then_some(Kind::Instance))
}

/// Ready times from a list of numbers, or from the file that contains it.
fn ready_times(text: &str) -> Result<ReadyTimes, Failure> {
    let is_list = text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || "+-.eE,; []".contains(c));
    let times = match (is_list, text.contains(',') && !Path::new(text).exists()) {
        (true, _) => ReadyTimes::parse(text, "--ready"),
        (_, false) => ReadyTimes::read(Path::new(text)),
        (_, true) => {
            let text = excerpt(text);
            let message = format!("--ready '{text}' is neither a list like 0,0,4 nor a file");
            return Err(Failure::BadInput(anyhow!(message)));
        }
    };
    times.map_err(Failure::input)
}

/// A makespan in the unit of the file, rounded down to whole ticks.
pub fn makespan(text: &str, instance: &Instance) -> Result<Ticks, Failure> {
    io::ticks_at_most(text, instance.scale())
        .with_context(|| format!("-k '{text}'"))
        .map_err(Failure::BadInput)
}

/// The encoding requested; `surrogate` says whether to add the constraint over all hosts.
pub fn encoding(args: &SatArgs, surrogate: bool) -> Result<EncodingChoice, Failure> {
    let load = args.encoding;
    let at_most_one = args.at_most_one.unwrap_or(AtMostOne::Pairwise);
    if load == Some(Load::Thesis) && at_most_one != AtMostOne::Pairwise {
        let message = "the thesis encoding is pairwise: leave out --at-most-one";
        return Err(Failure::BadInput(anyhow!(message)));
    }
    Ok(EncodingChoice { load, at_most_one, symmetry: !args.no_symmetry, surrogate })
}

/// The limit on clauses.
pub fn budget(args: &SatArgs, load: Option<Load>) -> Budget<'static> {
    match (args.max_clauses, load) {
        (Some(clauses), _) => Budget::clauses(clauses),
        (None, Some(Load::Thesis)) => Budget::clauses(THESIS_CLAUSES),
        (None, _) => Budget::default(),
    }
}

/// The solver, and a stop that an interrupt requests or the time limit sets.
pub fn solver(args: &SolverArgs) -> (SolverChoice, Stop) {
    let Ok(choice) = args.solver.parse::<SolverChoice>();
    (choice, limited(args, &signals::interrupt()))
}

/// The same stop, also due when the time limit, counted from now, is over, or the CPU limit.
pub fn limited(args: &SolverArgs, stop: &Stop) -> Stop {
    let stop = args.time_limit.map_or_else(|| stop.clone(), |limit| stop.within(limit));
    args.cpu_limit.map_or_else(|| stop.clone(), |limit| stop.until(cpu_limit::watch(limit)))
}

/// Whether a file is a trace of parallel jobs, according to its name.
pub fn is_trace(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.ends_with(".swf") || name.ends_with(".swf.gz")
}

//! The command `gridsat solve`: one instance here, several in `several`.

mod explain;
mod several;
mod then;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use comfy_table::Table;
use gridsat_check::formula::Load;
use gridsat_draw::gantt::{self, SvgOptions};
use gridsat_draw::number::rounded;
use gridsat_exact::sat::{Answer, SolverChoice};
use gridsat_exact::solve::{
    Solution, SolveError, Solver, WriteVeripbError, is_veripb, write_veripb,
};
use gridsat_exact::strategy::{Decision, Event, Options, Strategy};
use gridsat_model::io::{Note, read_mapping};
use gridsat_model::text::printable;
use gridsat_model::{Instance, Mapping, Stop, Ticks, gap};
use gridsat_tasks::{Log, TaskList};
use schemars::JsonSchema;
use serde::Serialize;

use self::explain::{Explained, JsonExplanation};
pub use self::several::JsonFailed;
pub use self::then::Choice as ThenChoice;
use self::then::JsonThen;
use super::args::{SolveArgs, Source};
use super::emit::{Lane, Step, commands_in, emit};
use super::exit::{Exit, Failure};
use super::json::{Assigned, AssignedTask, Document, Number, Printed, Subject, assigned};
use super::output::{print, write_gantt, write_mapping_csv};
use super::progress::Progress;
use super::say::say;
use super::table::{paragraph, with_head};
use super::{input, output, signals, table};

/// Width of the Gantt chart in text, in characters: that of the terminal.
pub fn gantt_width() -> usize {
    /// Where there is no terminal.
    const USUAL: usize = 72;
    /// The narrowest chart that can be read.
    const LEAST: usize = 20;
    /// Beyond it the eye loses the line.
    const MOST: usize = 160;
    table::width().map_or(USUAL, |width| usize::from(width).clamp(LEAST, MOST))
}

pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let Ok(solver) = args.solver.solver.parse::<SolverChoice>();
    let options = options(args, solver)?;
    let search = Search { args, options, stop: signals::interrupt() };
    match args.files.as_slice() {
        [one] => search.one(one),
        _ if args.start.is_some() || args.plan.emit.is_some() => {
            let message = "--start and --emit are for one instance";
            Err(Failure::BadInput(anyhow::anyhow!(message)))
        }
        several => several::run(&search, several),
    }
}

/// The options that are the same for every instance.
struct Search<'a> {
    args: &'a SolveArgs,
    options: Options,
    /// The stop for Ctrl-C; the time limit applies to each instance separately.
    stop: Stop,
}

/// An instance, the result, and the stop with the time limit under which it was found.
struct Solved {
    instance: Instance,
    /// The mapping of `--start`.
    start: Option<Mapping>,
    solution: Solution,
    stop: Stop,
}

impl Search<'_> {
    fn solve(&self, file: &Path) -> Result<Solved, Failure> {
        let instance = input::instance_of(file, &self.args.form)?;
        let path = self.args.start.as_deref();
        let start = path.map(|path| read_mapping(&instance, path)).transpose();
        let start = start.map_err(Failure::input)?;
        let (solver, stop) = self.solver(start.as_ref())?;
        let mut progress =
            Progress::new(instance.scale(), self.args.output.to.quiet, self.args.output.verbose);
        progress.log_instance(&instance);
        let watch = |event: &Event<'_>| progress.show(event);
        let mut search = solver.stop(stop.clone()).watch(watch);
        let solution = search.solve(&instance).map_err(|error| match error {
            SolveError::Strategy(error) => Failure::of_search(error),
            error => Failure::internal(error),
        })?;
        drop(search);
        Ok(Solved { instance, start, solution, stop })
    }

    /// The solver and the stop of one search. A start that is only to be judged gets a fixed
    /// amount of work on bounds instead of time.
    fn solver(&self, start: Option<&Mapping>) -> Result<(Solver<'static>, Stop), Failure> {
        let args = self.args;
        let bad = |message| Err(Failure::BadInput(anyhow::anyhow!("{message}")));
        if start.is_some() && args.strategy != Strategy::Auto {
            return bad("--start is for --strategy auto: the others have starts of their own");
        }
        let is_judged = is_judged(args);
        if is_judged && args.then.is_some() {
            return bad("--then needs time: --start with --time-limit 0 only judges the mapping");
        }
        let mut solver = Solver::with(self.options.clone());
        if let Some(start) = start {
            let start = start.clone();
            solver = if is_judged { solver.judge(start) } else { solver.start_from(start) };
        }
        if let Some(choice) = args.then {
            solver = solver.then(choice.objective(start)?);
        }
        let stop =
            if is_judged { self.stop.clone() } else { input::limited(&args.solver, &self.stop) };
        Ok((solver, stop))
    }

    /// The commands of the tasks, if the file is a task list.
    fn commands(&self, file: &Path) -> HashMap<String, String> {
        let from = match self.args.form.from {
            Some(Source::Matrix(_)) => return HashMap::new(),
            Some(Source::Log(format)) => Some(format),
            None => None,
        };
        let is_skipped = self.args.plan.emit.is_none() || file == Path::new("-");
        let log = if is_skipped { None } else { Log::read(file, from).ok() };
        log.map_or_else(HashMap::new, |log| commands_in(&TaskList::of(&[log])))
    }

    fn one(&self, file: &Path) -> Result<Exit, Failure> {
        let args = self.args;
        let Solved { instance, start, solution, stop } = &self.solve(file)?;
        let saved = args.certificate.as_deref().map(|path| match is_veripb(path) {
            true => {
                let (solver, limit) = (&self.options.solver, args.proof_limit);
                write_veripb(instance, solution, solver, path, limit, stop)
            }
            false => Ok(solution.certificate().save(path)?),
        });
        let explained = args.explain.then(|| Explained::new(instance, solution, stop));
        let saved = saved.unwrap_or(Ok(()));
        let report =
            Report { file, instance, args, solution, start: start.as_ref(), explained, saved };
        emit(&args.plan, &lanes(instance, solution.mapping()), &self.commands(file), true)?;
        let printed = print(
            &args.output.to,
            |out| report.table(out),
            || Document::from(report.json()),
            |out| write_mapping_csv(out, instance, solution.mapping()),
        );
        if let Some(path) = &args.gantt {
            let subtitle = report.headline();
            let options = SvgOptions {
                subtitle: Some(&subtitle),
                lower_bound: Some(solution.lower_bound().ticks()),
                ..SvgOptions::default()
            };
            write_gantt(path, instance, solution.mapping(), &options)?;
        }
        printed?;
        Ok(report.exit())
    }
}

/// Whether the mapping of `--start` is only to be judged.
fn is_judged(args: &SolveArgs) -> bool {
    args.start.is_some() && args.solver.time_limit == Some(Duration::ZERO)
}

/// The tasks of each host, in the order in which they run.
fn lanes(instance: &Instance, mapping: &Mapping) -> Vec<Lane> {
    let show = |ticks| instance.scale().display(ticks).to_string();
    let lane = |host| Lane { host: instance.host_name(host).to_owned(), steps: Vec::new() };
    let mut lanes: Vec<Lane> = instance.hosts().map(lane).collect();
    for AssignedTask { task, host, start, end, .. } in assigned(instance, mapping) {
        let task = instance.task_name(task).to_owned();
        lanes[host.index()].steps.push(Step { task, start: show(start), end: show(end) });
    }
    lanes
}

fn options(args: &SolveArgs, solver: SolverChoice) -> Result<Options, Failure> {
    let mut encoding = input::encoding(&args.sat, !args.solver.no_surrogate)?;
    if args.strategy == Strategy::Thesis {
        if encoding.load.is_some_and(|load| load != Load::Thesis) {
            let message = "--strategy thesis has its own encoding: leave out --encoding";
            return Err(Failure::BadInput(anyhow::anyhow!(message)));
        }
        encoding.load = Some(Load::Thesis);
    }
    let budget = input::budget(&args.sat, encoding.load);
    Ok(Options {
        strategy: args.strategy,
        encoding,
        solver,
        order: args.search,
        extract: args.extract,
        gap: args.gap,
        seed: args.seed,
        threads: args.threads.get(),
        budget,
        ..Options::default()
    })
}

struct Report<'a> {
    file: &'a Path,
    /// The mapping of `--start`.
    start: Option<&'a Mapping>,
    instance: &'a Instance,
    args: &'a SolveArgs,
    solution: &'a Solution,
    /// The explanation, if requested.
    explained: Option<Explained<'a>>,
    /// Whether the requested certificate was written.
    saved: Result<(), WriteVeripbError>,
}

/// What `gridsat solve --format json` prints. Times are in the unit of the instance, with all
/// their digits.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
    /// Path of the instance as given; `-` is standard input.
    file: String,
    /// Whether the mapping is proven optimal.
    status: Status,
    /// Largest load: when the last host is done.
    makespan: Number,
    /// Proven: no mapping has a smaller makespan.
    lower_bound: Number,
    /// (makespan − lower_bound) / makespan.
    gap: f64,
    /// Host of each task; numbers from 0 in the order of the instance.
    mapping: Vec<u32>,
    /// Load of each host: when it is done.
    loads: Vec<Number>,
    /// The plan by names, one entry per task in the order of the instance.
    assignment: Vec<Assigned>,
    /// Id of what found the mapping: a heuristic as `map --algorithm` takes it, with
    /// `+local-search` where that made it better, or `local-search`, `weights`, `dive`,
    /// `re-packing`, `filling`, `neighbourhood`, `tree`, `sat`, `oracle`.
    found_by: String,
    /// Rule of the certificate that the lower bound rests on: `ready`, `longest-task`, `weights`,
    /// `part`, `prices`, `tree`, `unsat`; null for the bound 0.
    bound_by: Option<&'static str>,
    /// Wall-clock time of the search, the proof and its check; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// As `--strategy` says.
    strategy: String,
    /// Encoding of the loads as clauses; null if no formula of the whole instance was needed.
    encoding: Option<String>,
    /// As `--solver` says.
    solver: String,
    /// Seed of the search for good mappings.
    seed: u64,
    /// Questions "is there a mapping with makespan at most k?", in order.
    decisions: Vec<JsonDecision>,
    /// Yes/no questions asked to extract the mapping.
    oracle_calls: usize,
    /// Path of the certificate that was written; null if none was.
    certificate: Option<String>,
    /// The mapping of `--start`; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<JsonStart>,
    /// The second stage; absent without `--then`.
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<JsonThen>,
    /// What the lower bound rests on; absent without `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<JsonExplanation>,
    /// Why the search ended early, other than by time or interrupt; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-solution 1";
}

/// What is proven about the mapping.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Optimal,
    Feasible,
}

impl Status {
    /// The name in JSON output.
    fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct JsonStart {
    /// Whether the given mapping is proven optimal.
    status: Status,
    /// Its makespan.
    makespan: Number,
    /// (its makespan − lower_bound) / its makespan.
    gap: f64,
    /// With `--time-limit 0`: the makespan of a shorter mapping that was met; null if none was.
    better: Option<Number>,
}

#[derive(Serialize, JsonSchema)]
struct JsonDecision {
    /// The makespan asked about.
    k: Number,
    /// Whether there is such a mapping.
    answer: JsonAnswer,
    /// Wall-clock time; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// SAT solver and encoding, or `tree` for a branch-and-bound tree.
    by: String,
}

/// The answer to a decision, in the words of SAT solvers.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JsonAnswer {
    Sat,
    Unsat,
    Unknown,
}

impl From<Answer> for JsonAnswer {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Sat => Self::Sat,
            Answer::Unsat => Self::Unsat,
            Answer::Unknown => Self::Unknown,
        }
    }
}

impl Report<'_> {
    fn status(&self) -> Status {
        if self.solution.is_optimal() { Status::Optimal } else { Status::Feasible }
    }

    /// The path of the certificate, if it was written.
    fn path(&self) -> Option<&Path> {
        match &self.saved {
            Ok(()) => self.args.certificate.as_deref(),
            Err(WriteVeripbError::Instead { certificate, .. }) => Some(certificate),
            Err(_) => None,
        }
    }

    /// A certificate that was requested and could not be written is a failure, although the results
    /// are printed.
    fn exit(&self) -> Exit {
        if let Some(failure) = &self.solution.failure {
            say(format_args!("not certified: {failure}"));
        }
        match &self.saved {
            Ok(()) => {}
            Err(instead @ WriteVeripbError::Instead { .. }) => say(instead),
            Err(failure) => say(format_args!("not certified: {failure}")),
        }
        match self.saved {
            Ok(()) if self.solution.is_optimal() => Exit::Answered,
            Ok(()) if self.solution.gap() <= self.args.gap => Exit::Answered,
            Ok(()) | Err(WriteVeripbError::Instead { .. }) => Exit::Stopped,
            Err(_) => Exit::Internal,
        }
    }

    fn seconds(&self, time: std::time::Duration) -> Option<f64> {
        (!self.args.output.no_times).then(|| rounded(time.as_secs_f64(), 6))
    }

    fn show(&self, ticks: Ticks) -> String {
        self.instance.scale().display(ticks).to_string()
    }

    fn json(&self) -> Json {
        let (solution, scale) = (self.solution, self.instance.scale());
        let mapping = solution.mapping();
        let decision = |decision: &Decision| JsonDecision {
            k: Number::new(scale, decision.k),
            answer: decision.answer.into(),
            seconds: self.seconds(decision.time),
            by: decision.by.clone(),
        };
        Json {
            subject: self.instance.into(),
            file: self.file.display().to_string(),
            status: self.status(),
            makespan: Number::new(scale, mapping.makespan()),
            lower_bound: Number::new(scale, solution.lower_bound().ticks()),
            gap: solution.gap(),
            mapping: mapping.hosts().iter().map(|host| host.0).collect(),
            loads: mapping.loads().iter().map(|&load| Number::new(scale, load)).collect(),
            assignment: Assigned::all(self.instance, mapping),
            found_by: solution.found_by.id(),
            bound_by: solution.bound_rule(),
            seconds: self.seconds(solution.time),
            strategy: format!("{:?}", self.args.strategy).to_lowercase(),
            encoding: solution.encoding.as_ref().map(ToString::to_string),
            solver: self.args.solver.solver.clone(),
            seed: self.args.seed,
            decisions: solution.decisions.iter().map(decision).collect(),
            oracle_calls: solution.oracle_calls,
            certificate: self.path().map(|path| path.display().to_string()),
            start: self.start.map(|start| self.json_start(start)),
            then: solution.second.as_ref().map(|second| JsonThen::new(self.instance, second)),
            explanation: self.explained.as_ref().map(Explained::json),
            note: solution.note.clone(),
        }
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let names = names_seen(self.instance.notes());
        let name = printable(self.instance.name());
        paragraph(out, &format!("{name}: {n} tasks on {m} hosts{names}"))?;
        if let Some(start) = self.start {
            paragraph(out, &self.about_start(start))?;
        }
        // The verdict on a mapping that was only judged says all of this already.
        if !is_judged(self.args) {
            paragraph(out, &self.headline())?;
        }
        if let Some(better) = self.solution.better {
            let text = format!("A mapping with makespan {better} was met; search longer for it.");
            paragraph(out, &text)?;
        }
        if let Some(second) = &self.solution.second {
            let text = then::sentence(self.instance, self.solution.mapping(), second);
            paragraph(out, &text)?;
        }
        writeln!(out)?;
        write!(out, "{}", gantt::text(self.instance, self.solution.mapping(), gantt_width()))?;
        writeln!(out)?;
        writeln!(out, "{}", self.hosts())?;
        writeln!(out)?;
        for line in self.effort().lines() {
            paragraph(out, line)?;
        }
        paragraph(out, &format!("Certificate: {}", self.certificate()))?;
        if let Some(explained) = &self.explained {
            writeln!(out, "\n{}", explained.paragraph())?;
        }
        match &self.solution.note {
            Some(note) => paragraph(out, &format!("Note: {note}")),
            None => Ok(()),
        }
    }

    fn certificate(&self) -> String {
        let Some(path) = self.path() else {
            let why = match self.args.certificate {
                Some(_) => "could not be written",
                None => "--certificate PATH saves it",
            };
            return format!("checked, not saved ({why})");
        };
        let shown = path.display();
        if is_veripb(path) {
            let statement = path.with_extension("opb");
            return format!("{shown} (check with: veripb {} {shown})", statement.display());
        }
        format!("{shown} (checked)")
    }

    fn json_start(&self, start: &Mapping) -> JsonStart {
        let (scale, low) = (self.instance.scale(), self.solution.lower_bound().ticks());
        let is_optimal = start.makespan() == low;
        JsonStart {
            status: if is_optimal { Status::Optimal } else { Status::Feasible },
            makespan: Number::new(scale, start.makespan()),
            gap: gap(low, start.makespan()),
            better: self.solution.better.map(Number::of_time),
        }
    }

    /// The verdict on the mapping of `--start`.
    fn about_start(&self, start: &Mapping) -> String {
        let (makespan, low) = (start.makespan(), self.solution.lower_bound().ticks());
        let (shown, about) = (self.show(makespan), self.about());
        if makespan == low {
            return format!("The given mapping has makespan {shown}, optimal, proven{about}.");
        }
        let (low, gap) = (self.show(low), 100.0 * gap(low, makespan));
        format!(
            "The given mapping has makespan {shown}; no mapping ends before {low}, proven: gap \
             {gap:.3} %{about}."
        )
    }

    fn headline(&self) -> String {
        let makespan = self.solution.makespan();
        if self.solution.is_optimal() {
            return format!("Optimal makespan {makespan}, proven{}.", self.about());
        }
        let (bound, gap) = (self.solution.lower_bound(), 100.0 * self.solution.gap());
        format!("Makespan {makespan}, lower bound {bound}, gap {gap:.3} %{}.", self.about())
    }

    /// How the times differ from those in the file, if they were rounded.
    fn about(&self) -> String {
        let rounded =
            self.instance.notes().iter().find(|note| matches!(note, Note::Rounded { .. }));
        rounded.map_or(String::new(), |note| format!(", {note}"))
    }

    /// The hosts of the chart with their tasks.
    fn hosts(&self) -> Table {
        let (instance, mapping) = (self.instance, self.solution.mapping());
        let hosts = gantt::latest_hosts(mapping, gantt::MOST_HOSTS);
        let mut tasks = vec![Vec::new(); hosts.len()];
        for (task, host) in instance.tasks().zip(mapping.hosts()) {
            if let Ok(place) = hosts.binary_search(host) {
                tasks[place].push(printable(instance.task_name(task)));
            }
        }
        let mut table = with_head(["host", "load", "tasks"], [1]);
        for (host, tasks) in hosts.iter().zip(tasks) {
            let (name, load) = (instance.host_name(*host), mapping.loads()[host.index()]);
            table.add_row([printable(name), self.show(load), output::list(&tasks)]);
        }
        let others = instance.host_count() - hosts.len();
        if others > 0 {
            let text = format!("{others} hosts that end no later are not shown");
            table.add_row(["…".to_owned(), String::new(), text]);
        }
        table
    }

    fn effort(&self) -> String {
        let solution = self.solution;
        let count = |answer| solution.decisions.iter().filter(|d| d.answer == answer).count();
        let (yes, no) = (count(Answer::Sat), count(Answer::Unsat));
        let oracle = match solution.oracle_calls {
            0 => String::new(),
            calls => format!(", {calls} oracle calls"),
        };
        let time = match self.args.output.no_times {
            true => String::new(),
            false => format!(", {:.3} s", solution.time.as_secs_f64()),
        };
        let encoding = solution.encoding.as_ref().map_or(String::new(), |e| format!(" + {e}"));
        format!(
            "Mapping by {}, lower bound by {}; {} decisions ({yes} yes, {no} no){oracle}\n\
             gridsat {}, {}{encoding}, seed {}{time}",
            solution.found_by,
            solution.bound_by(),
            solution.decisions.len(),
            gridsat_model::VERSION,
            self.args.solver.solver,
            self.args.seed,
        )
    }
}

/// For CSV, where names and times look alike: which names were found.
fn names_seen(notes: &[Note]) -> &'static str {
    let seen = notes.iter().find_map(|note| match note {
        Note::Names { header, index, .. } => Some((header, index)),
        _ => None,
    });
    match seen {
        Some((true, true)) => " (host names in the first row, task names in the first column)",
        Some((true, false)) => " (host names in the first row, no task names)",
        Some((false, true)) => " (task names in the first column, no host names)",
        Some((false, false)) => " (no names in the file)",
        None => "",
    }
}

//! The command `gridsat bench`.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::anyhow;
use comfy_table::Table;
use gridsat_draw::number::{plus_minus, rounded};
use gridsat_heuristics::Heuristics;
use gridsat_heuristics::search::Budget;
use gridsat_lab::bench::{self, Algorithm, BenchError, Options, Outcome, Set, Standings, Step};
use gridsat_model::text::printable;
use gridsat_statistics::Summary;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::BenchArgs;
use super::done::Done;
use super::exit::{Exit, Failure};
use super::json::{Document, Number, Printed};
use super::output::{print, write_result, write_to};
use super::plain::Shown;
use super::progress::Log;
use super::table::with_head;
use super::{picture, programs, signals};

pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let known = Heuristics::built_in();
    let mut algorithms = Algorithm::choose(&args.algorithms, &known).map_err(Failure::input)?;
    let rival =
        args.versus.as_deref().map(|name| rival(name, &known, &mut algorithms)).transpose()?;
    let set = set(args)?;
    if args.check {
        return check(&set, args);
    }
    let budget = Budget { evaluations: args.evaluations, time: args.time_limit };
    let options = Options { seed: args.seed, runs: args.runs, budget };
    let stop = signals::interrupt();
    let outcomes =
        bench::run(&set, &algorithms, &options, &stop, &mut progress(args)).map_err(|error| {
            match error {
                BenchError::Set(error) => Failure::input(error),
                error => Failure::internal(error),
            }
        })?;
    programs::check()?;
    let report = Report { args, set: &set, algorithms: &algorithms, outcomes: &outcomes, rival };
    report.write()?;
    Ok(report.done().exit())
}

/// The index of the algorithm to compare with, which is added to the list if it is missing.
fn rival(
    name: &str,
    known: &Heuristics,
    algorithms: &mut Vec<Algorithm>,
) -> Result<usize, Failure> {
    let rival = Algorithm::by_name(name, known).map_err(Failure::input)?;
    let known = algorithms.iter().position(|one| one.name() == rival.name());
    Ok(known.unwrap_or_else(|| {
        algorithms.push(rival);
        algorithms.len() - 1
    }))
}

fn set(args: &BenchArgs) -> Result<Set, Failure> {
    let mut set = match (args.set.as_str(), &args.data) {
        ("small" | "all", Some(_)) => {
            return Err(Failure::BadInput(anyhow!(
                "--data is for your own manifest (--set FILE) only"
            )));
        }
        ("small", None) => Set::small(),
        ("all", None) => Set::all(),
        (path, data) => Set::read(Path::new(path), data.as_deref()).map_err(Failure::input)?,
    };
    if let Some(text) = &args.only {
        set.entries.retain(|entry| entry.name.contains(text));
    }
    if set.entries.is_empty() {
        return Err(Failure::BadInput(anyhow!("no instance of set '{}' matches --only", args.set)));
    }
    Ok(set)
}

fn check(set: &Set, args: &BenchArgs) -> Result<Exit, Failure> {
    for entry in &set.entries {
        set.check(entry).map_err(Failure::input)?;
    }
    let count =
        |is: &dyn Fn(&bench::SetInstance) -> bool| set.entries.iter().filter(|e| is(e)).count();
    let (closed, certified) = (count(&|e| e.is_closed()), count(&|e| e.certificate.is_some()));
    // The compiled-in sets have no certificate files.
    let certified = match args.set.as_str() {
        "small" | "all" => {
            "no certificates checked (they need the manifest's path in --set)".to_owned()
        }
        _ => format!("{certified} certificates accepted"),
    };
    let all = set.entries.len();
    write_result(args.output.to.output.as_deref(), Shown::Text, |out| {
        writeln!(
            out,
            "{all} instances match the manifest, {closed} with proven optimum, {certified}"
        )
    })?;
    Ok(Exit::Answered)
}

/// One progress line that is overwritten at each step, if standard error is a terminal.
fn progress(args: &BenchArgs) -> impl FnMut(&Step<'_>) + use<> {
    let log = Log::new(args.output.verbose);
    let is_logged = args.output.verbose > 0;
    let is_shown = !is_logged && !args.output.to.quiet && io::stderr().is_terminal();
    move |step| {
        if is_logged {
            let Step { done, of, entry, algorithm } = step;
            let (name, title) = (printable(&entry.name), algorithm.name());
            log.note(&format!("{name}: {title} begins; {done} of {of} instances are done"));
        }
        if is_shown {
            let Step { done, of, entry, algorithm } = step;
            let (name, title) = (printable(&entry.name), algorithm.title());
            // Progress is optional: a closed standard error does not stop the run.
            let _ = write!(io::stderr().lock(), "\r\x1b[K{done} of {of} done; {name}: {title}");
            if done + 1 == *of {
                let _ = write!(io::stderr().lock(), "\r\x1b[K");
            }
        }
    }
}

struct Report<'a> {
    args: &'a BenchArgs,
    set: &'a Set,
    algorithms: &'a [Algorithm],
    outcomes: &'a [Outcome],
    rival: Option<usize>,
}

/// What `gridsat bench --format json` prints. An excess of 0.01 is one per cent.
#[derive(Serialize, JsonSchema)]
pub struct Json<'a> {
    /// Version of gridsat.
    gridsat: &'static str,
    /// As `--set` says.
    set: &'a str,
    /// First seed of the searches.
    seed: u64,
    /// Runs of each search on each instance.
    runs: u32,
    /// Id of the `--versus` algorithm; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    versus: Option<&'static str>,
    /// Number of instances on which every algorithm finished.
    #[serde(flatten)]
    done: Done,
    /// Over all instances.
    overall: JsonStandings<'a>,
    /// Over the instances of each class.
    classes: Vec<JsonStandings<'a>>,
    /// Every run.
    results: Vec<JsonResult<'a>>,
}

impl Printed for Json<'_> {
    const FORMAT: &'static str = "gridsat-benchmark 1";
}

#[derive(Serialize, JsonSchema)]
struct JsonStandings<'a> {
    /// Name of the class; `all` for all instances.
    class: &'a str,
    /// Number of instances.
    instances: usize,
    /// Number of instances without proven optimum.
    open: usize,
    /// One per algorithm, in the order asked for.
    algorithms: Vec<JsonStanding>,
}

#[derive(Serialize, JsonSchema)]
struct JsonStanding {
    /// Id of the algorithm, as `--algorithms` takes it.
    algorithm: &'static str,
    /// Mean of makespan / lower bound − 1 over the instances.
    excess: f64,
    /// Half of its 95 % confidence interval; null with fewer than two instances.
    excess_half_width: Option<f64>,
    /// The largest excess of a run.
    worst_excess: f64,
    /// Instances on which a run reached the proven optimum.
    optimal: usize,
    /// Instances on which no other algorithm was better.
    wins: usize,
    /// Mean rank among the algorithms, from 1.
    rank: f64,
    /// Mean of makespan / makespan of the `--versus` algorithm − 1; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    versus: Option<f64>,
    /// Half of its 95 % interval; absent without `--versus` or with fewer than two instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    versus_half_width: Option<f64>,
    /// Mean wall-clock time of a run; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

/// Times in the unit of the instance.
#[derive(Serialize, JsonSchema)]
struct JsonResult<'a> {
    /// Name of the instance.
    instance: &'a str,
    /// Class of the instance.
    class: &'a str,
    /// Number of tasks.
    tasks: usize,
    /// Number of hosts.
    hosts: usize,
    /// Id of the algorithm.
    algorithm: &'static str,
    /// Seed of the run; null for a heuristic.
    seed: Option<u64>,
    /// Largest load: when the last host is done.
    makespan: Number,
    /// Proven: no mapping has a smaller makespan.
    lower_bound: Number,
    /// Whether the lower bound is the optimum.
    proven: bool,
    /// makespan / lower_bound − 1.
    excess: f64,
    /// Makespans that a search computed; null for a heuristic.
    evaluations: Option<u64>,
    /// Whether the search ended at a limit.
    cut_short: bool,
    /// Wall-clock time; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl<'a> Report<'a> {
    fn write(&self) -> Result<(), Failure> {
        let to = &self.args.output.to;
        let printed =
            print(to, |out| self.table(out), || Document::from(self.json()), |out| self.csv(out));
        let Some(path) = &self.args.plot else { return printed };
        let only = self.args.only.as_ref().map_or(String::new(), |only| format!(", {only}"));
        let set = Path::new(&self.args.set).file_stem().unwrap_or_default().to_string_lossy();
        let title = format!("Excess and time: set {set}{only}");
        let svg = bench::plot(self.algorithms, &self.overall(), &title);
        printed.and(write_to(Some(path), |out| out.write_all(&picture::bytes(path, svg)?)))
    }

    fn overall(&self) -> Standings {
        bench::overall(self.set, self.outcomes, self.rival)
    }

    fn done(&self) -> Done {
        Done::new(self.overall().instances, self.set.entries.len())
    }

    /// The instances without a result because the run was stopped.
    fn left_out(&self) -> impl Iterator<Item = &'a bench::SetInstance> {
        let is_there = |entry: usize| self.outcomes.iter().any(|outcome| outcome.entry == entry);
        let entries = self.set.entries.iter().enumerate();
        entries.filter(move |(number, _)| !is_there(*number)).map(|(_, entry)| entry)
    }

    fn seconds(&self, seconds: f64) -> Option<f64> {
        (!self.args.output.no_times).then(|| rounded(seconds, 9))
    }

    fn json(&self) -> Json<'_> {
        let classes = bench::by(self.set, self.outcomes, self.rival, |entry| &entry.class);
        Json {
            gridsat: gridsat_model::VERSION,
            set: &self.args.set,
            seed: self.args.seed,
            runs: self.args.runs,
            versus: self.rival.map(|rival| self.algorithms[rival].name()),
            done: self.done(),
            overall: self.json_standings("all", &self.overall()),
            classes: classes
                .iter()
                .map(|(name, standings)| self.json_standings(name, standings))
                .collect(),
            results: self.outcomes.iter().map(|outcome| self.result(outcome)).collect(),
        }
    }

    fn json_standings<'b>(&self, class: &'b str, standings: &Standings) -> JsonStandings<'b> {
        let row = |row: &bench::Standing| JsonStanding {
            algorithm: self.algorithms[row.algorithm].name(),
            excess: row.excess.mean,
            excess_half_width: row.excess.half_width,
            worst_excess: row.worst_excess,
            optimal: row.optimal,
            wins: row.wins,
            rank: row.rank,
            versus: row.versus.map(|versus| versus.mean),
            versus_half_width: row.versus.and_then(|versus| versus.half_width),
            seconds: self.seconds(row.seconds),
        };
        let Standings { instances, open, .. } = *standings;
        JsonStandings {
            class,
            instances,
            open,
            algorithms: standings.rows.iter().map(row).collect(),
        }
    }

    fn result(&self, outcome: &Outcome) -> JsonResult<'a> {
        let entry = &self.set.entries[outcome.entry];
        JsonResult {
            instance: &entry.name,
            class: &entry.class,
            tasks: entry.tasks,
            hosts: entry.hosts,
            algorithm: self.algorithms[outcome.algorithm].name(),
            seed: outcome.seed,
            makespan: Number::new(outcome.scale, outcome.makespan),
            lower_bound: Number::new(outcome.scale, entry.lower_bound),
            proven: entry.is_closed(),
            excess: entry.excess(outcome.makespan),
            evaluations: outcome.evaluations,
            cut_short: outcome.is_cut_short,
            seconds: self.seconds(outcome.time.as_secs_f64()),
        }
    }

    /// One row per run with the fields of the JSON results, in their order; then one row per
    /// instance that was left out.
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record([
            "instance",
            "class",
            "tasks",
            "hosts",
            "algorithm",
            "seed",
            "makespan",
            "lower_bound",
            "proven",
            "excess",
            "evaluations",
            "cut_short",
            "seconds",
            "interrupted",
        ])?;
        for outcome in self.outcomes {
            let row = self.result(outcome);
            let whole = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
            csv.write_record([
                row.instance,
                row.class,
                &row.tasks.to_string(),
                &row.hosts.to_string(),
                row.algorithm,
                &whole(row.seed),
                &row.makespan.to_string(),
                &row.lower_bound.to_string(),
                &row.proven.to_string(),
                &row.excess.to_string(),
                &whole(row.evaluations),
                &row.cut_short.to_string(),
                &row.seconds.map_or(String::new(), |seconds| seconds.to_string()),
                "false",
            ])?;
        }
        for entry in self.left_out() {
            let (tasks, hosts) = (entry.tasks.to_string(), entry.hosts.to_string());
            let known = [&*entry.name, &*entry.class, &*tasks, &*hosts];
            csv.write_record(known.into_iter().chain([""; 9]).chain(["true"]))?;
        }
        csv.flush()
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let overall = self.overall();
        let Standings { instances, open, .. } = overall;
        let (algorithms, set, seed) =
            (self.algorithms.len(), printable(&self.args.set), self.args.seed);
        let version = gridsat_model::VERSION;
        writeln!(
            out,
            "Set {set}: {instances} instances, {algorithms} algorithms, seed {seed} (gridsat \
             {version})"
        )?;
        self.done().write(out, "instances")?;
        if open > 0 {
            writeln!(
                out,
                "* {open} without proven optimum: there the excess is over the lower bound"
            )?;
        }
        if self.outcomes.iter().any(|outcome| outcome.is_cut_short) {
            writeln!(out, "Some searches ended at a limit (cut_short in csv and json).")?;
        }
        writeln!(
            out,
            "\n{}\n\nMean excess by class (%)\n{}",
            self.summary(&overall),
            self.classes()
        )
    }

    fn summary(&self, overall: &Standings) -> Table {
        let excess = if overall.open > 0 { "excess % *" } else { "excess %" };
        let mut header = ["algorithm", excess, "worst %", "optimal", "wins", "rank", "seconds"]
            .map(str::to_owned)
            .to_vec();
        header.extend(self.rival.map(|rival| format!("vs {} %", self.algorithms[rival].title())));
        let columns = header.len();
        let mut table = with_head(header, 1..columns);
        for row in &overall.rows {
            let seconds = self.seconds(row.seconds).map_or(String::new(), |s| format!("{s:.6}"));
            let mut cells = vec![
                self.algorithms[row.algorithm].title().to_owned(),
                per_cent(row.excess),
                format!("{:.2}", 100.0 * row.worst_excess),
                row.optimal.to_string(),
                row.wins.to_string(),
                format!("{:.2}", row.rank),
                seconds,
            ];
            cells.extend(row.versus.map(per_cent));
            table.add_row(cells);
        }
        table
    }

    /// One row per algorithm, one column per family of classes.
    fn classes(&self) -> Table {
        let families = bench::by(self.set, self.outcomes, self.rival, |entry| entry.family());
        let mark = |standings: &Standings| if standings.open > 0 { " *" } else { "" };
        let names = families.iter().map(|(name, standings)| printable(name) + mark(standings));
        let mut table =
            with_head(std::iter::once("algorithm".to_owned()).chain(names), 1..=families.len());
        for (place, algorithm) in self.algorithms.iter().enumerate() {
            let excess = |(_, standings): &(&str, Standings)| {
                format!("{:.2}", 100.0 * standings.rows[place].excess.mean)
            };
            let title = std::iter::once(algorithm.title().to_owned());
            table.add_row(title.chain(families.iter().map(excess)));
        }
        table
    }
}

/// The mean with half its confidence interval, in percent.
fn per_cent(value: Summary) -> String {
    plus_minus(100.0 * value.mean, value.half_width.map(|width| 100.0 * width), 2)
}

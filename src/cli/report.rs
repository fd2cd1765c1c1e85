//! The command `gridsat report`.
//!
//! Everything is read and drawn before anything is written, and the page is written last: if it
//! exists, the report is complete.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use gridsat_draw::Theme;
use gridsat_draw::chart::svg;
use gridsat_draw::gantt::schedule;
use gridsat_lab::experiment::{
    AlgorithmId, Analysis, MetricId, PointId, Replication, Results, RunId, write_comparisons_csv,
    write_csv, write_means_csv,
};
use gridsat_lab::report::{self, MOST_JOBS, NotDrawn, Reported};
use gridsat_model::Stop;
use thiserror::Error;

use super::args::ReportArgs;
use super::exit::{Exit, Failure};
use super::output::{file_name, is_standard_output, write_to};
use super::plain::{self, Shown};
use super::say::say;
use super::{picture, places, signals};

pub fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let read = |path: &PathBuf| Results::read(path).map_err(Failure::input);
    let results: Vec<Results> = args.results.iter().map(read).collect::<Result<_, _>>()?;
    let page = page_path(args);
    check_output(args, &page)?;
    let chosen = Chosen::new(args, &results)?;
    let stop = signals::interrupt();
    let mut parts = Vec::new();
    for (path, results) in args.results.iter().zip(results) {
        match part(&chosen, results, path, &stop)? {
            Some(part) => parts.push(part),
            None => {
                say("interrupted, nothing was written");
                return Ok(Exit::Stopped);
            }
        }
    }
    let mut written = Written::default();
    let stems = stems(&args.results);
    for (part, stem) in parts.iter().zip(&stems) {
        if let Some(folder) = &args.figures {
            figures(&mut written, part, &Files { folder, stem }, args.png)?;
        }
        if let Some(folder) = &args.csv {
            tables(&mut written, part, &Files { folder, stem })?;
        }
    }
    written.file(&page, |out| out.write_all(report::html(&parts).as_bytes()))?;
    if !args.quiet && !is_standard_output(&page) {
        written.tell()?;
    }
    Ok(Exit::Answered)
}

/// Why there is no report, as a message that the user can act on.
#[derive(Debug, Error)]
enum NoReport {
    #[error("{}: the page would replace the result", .0.display())]
    Replaces(PathBuf),
    #[error("--png: {}", picture::no_png())]
    NoPng,
    #[error("--gantt: no run '{run}' in the result; one is '{example}'")]
    UnknownRun { run: String, example: String },
    #[error("{}: {run}: {why}", .path.display())]
    NotDrawn { path: PathBuf, run: String, why: NotDrawn },
}

fn page_path(args: &ReportArgs) -> PathBuf {
    args.output.clone().unwrap_or_else(|| match args.results.as_slice() {
        [one] if one != Path::new("-") => one.with_extension("html"),
        _ => PathBuf::from("report.html"),
    })
}

fn check_output(args: &ReportArgs, page: &Path) -> Result<(), Failure> {
    let is_page = |result: &PathBuf| {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        real(result) == real(page)
    };
    if args.results.iter().any(is_page) {
        return Err(Failure::input(NoReport::Replaces(page.to_owned())));
    }
    if args.png && !cfg!(feature = "png") {
        return Err(Failure::input(NoReport::NoPng));
    }
    if is_standard_output(page) { Ok(()) } else { places::file(page) }
}

/// The runs that are drawn.
enum Chosen<'a> {
    None,
    Usual,
    These(&'a [String]),
}

impl<'a> Chosen<'a> {
    /// A run that is in none of the results is an error.
    fn new(args: &'a ReportArgs, results: &[Results]) -> Result<Self, Failure> {
        let is_there = |run: &&String| {
            results.iter().any(|results| RunId::parse(run, &results.experiment).is_some())
        };
        if let Some(unknown) = args.gantt.iter().find(|run| !is_there(run)) {
            let experiment = &results[0].experiment;
            let point = PointId(experiment.point_count() / 2);
            let middle = RunId { point, replication: Replication(0), algorithm: AlgorithmId(0) };
            let (run, example) = (unknown.clone(), middle.name(experiment));
            return Err(Failure::input(NoReport::UnknownRun { run, example }));
        }
        Ok(match (args.no_gantt, args.gantt.as_slice()) {
            (true, _) => Self::None,
            (false, []) => Self::Usual,
            (false, runs) => Self::These(runs),
        })
    }
}

/// One part of the report; `None` if interrupted.
fn part(
    chosen: &Chosen<'_>,
    results: Results,
    path: &Path,
    stop: &Stop,
) -> Result<Option<Reported>, Failure> {
    let (experiment, analyses) = (&results.experiment, Analysis::all(&results));
    let (runs, most) = match chosen {
        Chosen::None => (Vec::new(), 0),
        Chosen::Usual => (report::usual_runs(experiment, &analyses[MetricId(0)]), MOST_JOBS),
        Chosen::These(names) => {
            let runs = names.iter().filter_map(|name| RunId::parse(name, experiment));
            (runs.collect(), u64::MAX)
        }
    };
    let (mut drawn, mut not_drawn) = (Vec::new(), Vec::new());
    for run in runs {
        match report::draw(&results, run, most, stop) {
            Ok(one) => drawn.push(one),
            Err(NotDrawn::Interrupted) => return Ok(None),
            Err(why) if matches!(chosen, Chosen::These(_)) => {
                let (path, run) = (path.to_owned(), run.name(experiment));
                return Err(Failure::input(NoReport::NotDrawn { path, run, why }));
            }
            Err(why) => not_drawn.push((run, why)),
        }
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some(Reported { results, analyses, file, runs: drawn, not_drawn }))
}

/// File name stems, all different.
fn stems(results: &[PathBuf]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let stem = |path: &PathBuf| {
        let stem = file_name(&path.file_stem().unwrap_or_default().to_string_lossy());
        let more = (2_usize..).map(|number| format!("{stem}-{number}"));
        let mut names = [stem.clone()].into_iter().chain(more);
        names.find(|name| taken.insert(name.clone())).unwrap_or(stem)
    };
    results.iter().map(stem).collect()
}

/// Files in a folder with a common stem.
struct Files<'a> {
    folder: &'a Path,
    stem: &'a str,
}

impl Files<'_> {
    fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{}-{}.{ending}", self.stem, file_name(name)))
    }

    fn create(&self) -> Result<(), Failure> {
        let created = fs::create_dir_all(self.folder);
        created.with_context(|| self.folder.display().to_string()).map_err(Failure::Internal)
    }
}

/// The names of the files written, printed at the end so that a closed pipe loses no file.
#[derive(Default)]
struct Written {
    paths: Vec<PathBuf>,
}

impl Written {
    fn file(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        write_to(Some(path), fill)?;
        self.paths.push(path.to_owned());
        Ok(())
    }

    fn tell(&self) -> Result<(), Failure> {
        write_to(None, |out| {
            self.paths.iter().try_for_each(|path| writeln!(out, "{}", path.display()))
        })
    }
}

fn figures(
    written: &mut Written,
    part: &Reported,
    files: &Files<'_>,
    png: bool,
) -> Result<(), Failure> {
    files.create()?;
    let experiment = &part.results.experiment;
    let figures = part.analyses.pairs();
    let figures =
        figures.flat_map(|(metric, analysis)| report::figures(experiment, metric, analysis));
    let charts = figures.map(|figure| (figure.name, svg(&figure.chart, Theme::Paper)));
    let runs = part.runs.iter().map(|drawn| {
        let svg = schedule::svg(&drawn.schedule, Theme::Paper);
        (format!("run-{}", drawn.run.name(experiment)), svg)
    });
    for (name, svg) in charts.chain(runs) {
        written.file(&files.path(&name, "svg"), |out| out.write_all(svg.as_bytes()))?;
        if png {
            let path = files.path(&name, "png");
            written.file(&path, |out| out.write_all(&picture::png(&svg)?))?;
        }
    }
    Ok(())
}

fn tables(written: &mut Written, part: &Reported, files: &Files<'_>) -> Result<(), Failure> {
    files.create()?;
    let Reported { results, analyses, .. } = part;
    let mut table = |name: &str, fill: &dyn Fn(&mut dyn Write) -> std::io::Result<()>| {
        written.file(&files.path(name, "csv"), |out| plain::write(out, Shown::Csv, fill))
    };
    table("runs", &|out| write_csv(results, out))?;
    table("means", &|out| write_means_csv(results, analyses, out))?;
    table("comparisons", &|out| write_comparisons_csv(results, analyses, out))
}

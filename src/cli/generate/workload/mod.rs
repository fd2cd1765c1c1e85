//! The command `gridsat generate workload`.

mod scenario;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use gridsat_files::Draft;
use gridsat_model::Scale;
use gridsat_workload::swf::{Made, Record, Writer};
use gridsat_workload::{
    Beosim, GridArrivals, GridJob, JobTypes, Lublin, ModelError, RigidJob, WangZhang,
    WangZhangParameters,
};

use super::super::args::{GenerateWorkloadArgs, ModelArg, WorkloadFormat};
use super::super::exit::{Exit, Failure};
use super::super::output::write_to;

/// More jobs are hardly meant; they take minutes and about 5 GB.
const MOST_JOBS: u64 = 100_000_000;

pub fn run(args: &GenerateWorkloadArgs) -> Result<Exit, Failure> {
    check_options(args)?;
    let scale = Scale::new(args.decimals).expect("the range of the argument is smaller");
    match args.model {
        ModelArg::Lublin => lublin(args, scale),
        ModelArg::WangZhang => wang_zhang(args, scale),
        ModelArg::Beosim => beosim(args, scale),
    }?;
    Ok(Exit::Answered)
}

/// Rejects options that the model does not use, which would otherwise be ignored silently.
fn check_options(args: &GenerateWorkloadArgs) -> Result<(), Failure> {
    let (lublin, grid) = (args.model == ModelArg::Lublin, args.model == ModelArg::WangZhang);
    let wrong = [
        ("--nodes", args.nodes.is_some() && grid),
        ("--types", args.types.is_some() && !lublin),
        ("--arrivals", args.arrivals.is_some() && !grid),
        ("--attributes", args.attributes.is_some() && !grid),
    ];
    if let Some((option, _)) = wrong.iter().find(|(_, wrong)| *wrong) {
        return Err(Failure::BadInput(anyhow!("{option} is not for this --model")));
    }
    let is_scenario = args.format == WorkloadFormat::Scenario;
    if args.attributes.is_some() && is_scenario {
        return Err(Failure::BadInput(anyhow!("--attributes is for --format swf only")));
    }
    if args.jobs == 0 && is_scenario {
        return Err(Failure::BadInput(anyhow!("--jobs is 0, and a scenario needs jobs")));
    }
    let (jobs, is_huge) = (args.jobs, args.jobs > MOST_JOBS && !is_scenario);
    if is_huge && !args.huge {
        let (gigabytes, most) = (jobs / 20_000_000, MOST_JOBS);
        return Err(Failure::BadInput(anyhow!(
            "--jobs {jobs} would write about {gigabytes} GB; add --huge for more than {most} jobs"
        )));
    }
    Ok(())
}

fn lublin(args: &GenerateWorkloadArgs, scale: Scale) -> Result<(), Failure> {
    let types = match args.types.as_deref() {
        Some("both") => JobTypes::Both,
        Some("batch") => JobTypes::Batch,
        Some("interactive") => JobTypes::Interactive,
        _ => JobTypes::None,
    };
    let mut model = Lublin::new(types, args.nodes.unwrap_or(128));
    set_all(args, |name, value| model.set(name, number(value)?))?;
    let made = made(args, "Lublin-Feitelson model", model.nodes(), model.list());
    let jobs = model.jobs(args.seed, scale).map_err(Failure::input)?;
    if args.format == WorkloadFormat::Scenario {
        return scenario::write(args, &made, &made.parameters);
    }
    write_jobs(args, &made, jobs, scale)
}

fn beosim(args: &GenerateWorkloadArgs, scale: Scale) -> Result<(), Failure> {
    let mut model = Beosim::new(args.nodes.unwrap_or(100));
    set_all(args, |name, value| model.set(name, value.parse()?))?;
    let made = made(args, "Beosim's random jobs", model.nodes, model.list());
    let jobs = model.jobs(args.seed, scale).map_err(Failure::input)?;
    if args.format == WorkloadFormat::Scenario {
        let laws = model.list().map(|(name, law)| (name.to_owned(), scenario::law(law)));
        return scenario::write(args, &made, &laws);
    }
    write_jobs(args, &made, jobs, scale)
}

fn wang_zhang(args: &GenerateWorkloadArgs, scale: Scale) -> Result<(), Failure> {
    let mut parameters = WangZhangParameters::default();
    set_all(args, |name, value| parameters.set(name, number(value)?))?;
    let is_daily = args.arrivals.as_deref() == Some("daily");
    let arrivals = if is_daily { GridArrivals::Daily } else { GridArrivals::Gaps };
    let model = WangZhang { parameters, arrivals };
    let mut jobs = model.jobs(args.seed, scale).map_err(Failure::input)?;
    let title = match arrivals {
        GridArrivals::Gaps => "Wang-Zhang model",
        GridArrivals::Daily => "Wang-Zhang model with the arrivals of Lublin and Feitelson",
    };
    let mut made = made(args, title, parameters.largest(), parameters.list());
    made.partitions = Some(parameters.schedulers as u32);
    if args.format == WorkloadFormat::Scenario {
        return scenario::write(args, &made, &made.parameters);
    }
    let mut attributes = args.attributes.as_deref().map(Attributes::new).transpose()?;
    write_to(args.output.as_deref(), |out| {
        let mut writer = Writer::new(out, &made.header())?;
        for job in (0..args.jobs).map_while(|_| jobs.next()) {
            let partition = Some(job.scheduler + 1);
            writer.job(&Record { partition, ..Record::of_job(&job.job, scale) })?;
            attributes.as_mut().map_or(Ok(()), |attributes| attributes.write(&job, scale))?;
        }
        Ok(())
    })?;
    attributes.map_or(Ok(()), Attributes::finish)
}

/// Applies the changes of `--set`.
fn set_all(
    args: &GenerateWorkloadArgs,
    mut set: impl FnMut(&str, &str) -> Result<(), ModelError>,
) -> Result<(), Failure> {
    for text in &args.set {
        let shown = || format!("--set {}", text.escape_debug());
        let (name, value) = text
            .split_once('=')
            .context("expected NAME=VALUE")
            .with_context(shown)
            .map_err(Failure::BadInput)?;
        set(name, value).with_context(shown).map_err(Failure::BadInput)?;
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, ModelError> {
    text.parse().map_err(|_| ModelError::Text { value: text.to_owned(), expected: "a number" })
}

fn made<N: ToString, V: ToString>(
    args: &GenerateWorkloadArgs,
    model: &str,
    nodes: u32,
    parameters: impl IntoIterator<Item = (N, V)>,
) -> Made {
    let shown = |(name, value): (N, V)| (name.to_string(), value.to_string());
    let parameters = parameters.into_iter().map(shown).collect();
    let (model, seed, jobs) = (model.to_owned(), args.seed, args.jobs);
    Made { model, parameters, seed, jobs, nodes, partitions: None }
}

fn write_jobs(
    args: &GenerateWorkloadArgs,
    made: &Made,
    mut jobs: impl Iterator<Item = RigidJob>,
    scale: Scale,
) -> Result<(), Failure> {
    write_to(args.output.as_deref(), |out| {
        let mut writer = Writer::new(out, &made.header())?;
        let jobs = (0..args.jobs).map_while(|_| jobs.next());
        jobs.map(|job| Record::of_job(&job, scale)).try_for_each(|record| writer.job(&record))
    })
}

/// Attributes of jobs that SWF has no field for, one row per job.
struct Attributes {
    out: Draft,
}

impl Attributes {
    fn new(path: &Path) -> Result<Self, Failure> {
        let out = Draft::new(path).and_then(|mut out| {
            writeln!(out, "job,partition,deadline,migration")?;
            Ok(out)
        });
        let out = out.with_context(|| path.display().to_string()).map_err(Failure::Internal)?;
        Ok(Self { out })
    }

    fn write(&mut self, job: &GridJob, scale: Scale) -> io::Result<()> {
        let (deadline, migration) = (scale.display(job.deadline), scale.display(job.migration));
        writeln!(self.out, "{},{},{deadline},{migration}", job.job.number, job.scheduler + 1)
    }

    fn finish(self) -> Result<(), Failure> {
        let path = self.out.path().display().to_string();
        self.out.finish().context(path).map_err(Failure::Internal)
    }
}

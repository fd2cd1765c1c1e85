//! The command `gridsat campaign report`.

use std::io::Write;

use gridsat_lab::campaign::{self as lab, By, KnownValues, Report, Row};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::{self, CampaignReportArgs, ReportFormat};
use super::super::exit::{Exit, Failure};
use super::super::json::{Document, Printed, write_json};
use super::super::output::{write_result, write_to};
use super::super::picture;
use super::super::plain::Shown;
use super::{csv, failure, tables};

/// What `gridsat campaign report --format json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Json(Report);

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-campaign-report 1";
}

impl Printed for Row {
    const FORMAT: &'static str = lab::FORMAT;
}

pub fn run(args: &CampaignReportArgs) -> Result<Exit, Failure> {
    let rows = lab::read_results(&args.results).map_err(failure)?;
    let mut known = KnownValues::default();
    args.known.iter().try_for_each(|path| known.read(path)).map_err(failure)?;
    let by = match args.by {
        args::By::Class => By::Class,
        args::By::Size => By::Size,
        args::By::Both => By::Both,
        args::By::Instance => By::Instance,
    };
    let report = Report::new(&rows, &known, by);
    let exit = exit(&report);
    if let Some(path) = &args.plot {
        let svg = lab::plot(&rows, &args.title);
        write_to(Some(path), |out| out.write_all(&picture::bytes(path, svg)?))?;
    }
    let shown = match args.format {
        ReportFormat::Table | ReportFormat::Markdown => Shown::Text,
        ReportFormat::Csv => Shown::Csv,
        ReportFormat::Json => Shown::Json,
    };
    write_result(args.output.as_deref(), shown, |out: &mut dyn Write| match args.format {
        ReportFormat::Table => tables::text(out, &report),
        ReportFormat::Markdown => tables::markdown(out, &report),
        ReportFormat::Csv => csv::write(out, &report),
        ReportFormat::Json => write_json(out, &Document::from(Json(report))),
    })?;
    Ok(exit)
}

/// Contradictions are failures.
pub fn exit(report: &Report) -> Exit {
    if report.contradictions.is_empty() { Exit::Answered } else { Exit::Internal }
}

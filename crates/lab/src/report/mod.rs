//! Results of experiments as one HTML page, and as figures for papers.
//!
//! ```text
//! Results ─┬► charts ──► chart ──► SVG ──┐
//!          ├► tables: means, comparisons ┼► section ──► html: the page
//!          ├► gantt: chosen runs, again ─┤
//!          └► again, provenance ─────────┘
//! ```
//!
//! The page is self-contained: no network, no script, no font. It is light or dark by the reader's
//! system setting, and does not depend on when or where it was made. Everything from a result is
//! shown as text, never as markup.
//!
//! The analysis is in `experiment`, the drawing of charts in `gridsat_draw`.

mod again;
mod charts;
mod gantt;
mod html;
#[cfg(feature = "png")]
mod png;
mod provenance;
mod section;
mod tables;

pub use charts::{Figure, MOST_PANELS, figures};
pub use gantt::{Drawn, MOST_JOBS, NotDrawn, draw, usual_runs};
#[cfg(feature = "png")]
pub use png::{PngError, png};

use crate::experiment::{Analysis, Keyed, MetricId, Results, RunId};
use gridsat_draw::chart::PAGE_STYLE;
use gridsat_draw::escaped;
use section::Section;

const STYLE: &str = include_str!("page.css");

/// Content security policy: nothing is loaded, and no script runs.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/// A result and its analysis for the page.
#[derive(Debug)]
pub struct Reported {
    /// All runs of one experiment, as read from its file.
    pub results: Results,
    /// The analysis of each metric.
    pub analyses: Keyed<MetricId, Analysis>,
    /// Name of its file, for the commands.
    pub file: String,
    /// Runs to show as Gantt charts.
    pub runs: Vec<Drawn>,
    /// Runs that could not be drawn, and why.
    pub not_drawn: Vec<(RunId, NotDrawn)>,
}

/// The page. With several results there is one section per result.
pub fn html(parts: &[Reported]) -> String {
    let title = match parts {
        [part] => part.results.experiment.title.clone(),
        parts => format!("{} experiments", parts.len()),
    };
    let is_single = parts.len() == 1;
    let sections: Vec<Section<'_>> = parts
        .iter()
        .enumerate()
        .map(|(number, part)| Section::new(part, number, is_single))
        .collect();
    let contents: String = sections.iter().map(Section::contents).collect();
    let body: String = sections.iter().map(Section::html).collect();
    let title = escaped(&title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"gridsat {}\">\n<style>\n{PAGE_STYLE}{STYLE}</style>\n\
         </head>\n\
         <body>\n<header>\n<h1>{title}</h1>\n</header>\n\
         <nav aria-label=\"Contents\">\n<ul>\n{contents}</ul>\n</nav>\n<main>\n{body}</main>\n\
         <footer>Made by gridsat {} from {}.</footer>\n</body>\n</html>\n",
        gridsat_model::VERSION,
        gridsat_model::VERSION,
        if is_single { "one result" } else { "several results" },
    )
}

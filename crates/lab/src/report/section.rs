//! The section of one result on the page.

use super::charts::{self, Figure, figures};
use super::html::{heading, image, note, terms};
use super::provenance;
use super::{Drawn, Reported, tables};
use crate::experiment::{MetricId, Results, RunId};
use gridsat_draw::chart::{Chart, svg};
use gridsat_draw::gantt::schedule;
use gridsat_draw::{Theme, escaped};

pub(super) struct Section<'a> {
    part: &'a Reported,
    results: &'a Results,
    /// Prefix of all ids.
    id: String,
    /// Level of the headings inside.
    level: u8,
    is_single: bool,
}

impl<'a> Section<'a> {
    /// `is_single` says whether the page has no other results.
    pub fn new(part: &'a Reported, number: usize, is_single: bool) -> Self {
        let level = if is_single { 2 } else { 3 };
        let id = format!("result-{}", number + 1);
        Self { part, results: &part.results, id, level, is_single }
    }

    /// Ids and texts of the headings.
    fn headings(&self) -> Vec<(String, String)> {
        let metrics = self.results.experiment.metrics.pairs();
        let metrics =
            metrics.map(|(place, metric)| (self.metric_id(place), capital(&metric.title)));
        let runs = self.has_runs().then(|| (self.id_of("runs"), "Single runs".to_owned()));
        let how = (self.id_of("how"), "How it was made".to_owned());
        metrics.chain(runs).chain([how]).collect()
    }

    fn id_of(&self, what: &str) -> String {
        format!("{}-{what}", self.id)
    }

    fn metric_id(&self, metric: MetricId) -> String {
        self.id_of(&format!("metric-{}", metric.0 + 1))
    }

    fn has_runs(&self) -> bool {
        !(self.part.runs.is_empty() && self.part.not_drawn.is_empty())
    }

    /// Its entries in the table of contents.
    pub fn contents(&self) -> String {
        let entry = |(id, text): &(String, String)| {
            format!("<li><a href=\"#{id}\">{}</a></li>\n", escaped(text))
        };
        let entries: String = self.headings().iter().map(entry).collect();
        if self.is_single {
            return entries;
        }
        let (id, title) = (&self.id, escaped(&self.results.experiment.title));
        format!("<li><a href=\"#{id}\">{title}</a>\n<ul>\n{entries}</ul>\n</li>\n")
    }

    pub fn html(&self) -> String {
        let experiment = &self.results.experiment;
        let mut out = format!("<section id=\"{}\" class=\"result\">\n", self.id);
        if !self.is_single {
            out += &format!("<h2>{}</h2>\n", escaped(&experiment.title));
        }
        if !experiment.about.is_empty() {
            out += &format!("<p class=\"about\">{}</p>\n", escaped(&experiment.about));
        }
        out += &provenance::facts(self.results);
        out += &provenance::warning(self.results, &self.id_of("failures"));
        let mut number = 0;
        for metric in experiment.metrics.ids() {
            out += &self.metric(metric, &mut number);
        }
        out += &self.runs(&mut number);
        out += &heading(self.level, &self.id_of("how"), "How it was made");
        out += &provenance::details(self.part);
        out += &provenance::failures(self.results, &self.id_of("failures"), self.level + 1);
        out + "</section>\n"
    }

    fn metric(&self, metric: MetricId, number: &mut usize) -> String {
        let experiment = &self.results.experiment;
        let label = capital(&experiment.metrics[metric].label());
        let mut out = heading(self.level, &self.metric_id(metric), &label);
        let all = figures(experiment, metric, &self.part.analyses[metric]);
        let wide = if all.len() == 1 { " one" } else { "" };
        out += &format!("<div class=\"figures{wide}\">\n");
        for Figure { chart, .. } in all {
            *number += 1;
            out += &figure(chart, *number);
        }
        out += "</div>\n";
        let left_out = charts::left_out(experiment);
        if left_out > 0 {
            out += &note(&format!("{left_out} more combinations are in the tables only."));
        }
        out + &self.tables(metric)
    }

    fn tables(&self, metric: MetricId) -> String {
        let experiment = &self.results.experiment;
        let analysis = &self.part.analyses[metric];
        let mut out = String::new();
        if analysis.has_tests() {
            let title = "Significant differences: at how many points";
            let text = "At how many points the mean of the first is significantly less or more \
                than that of the second (paired t-test, p below 0.05 after Holm's correction), and \
                        the range of the decrease in percent of the second.";
            out += &tables::glance(experiment, metric, analysis).folded(title, &note(text));
        }
        let title = "Means ± half the width of their 95 % confidence intervals";
        out += &tables::means(experiment, metric, analysis).folded(title, "");
        if analysis.compared().next().is_some() {
            let table = tables::comparisons(experiment, metric, analysis);
            let title = "All comparisons with their tests";
            out += &table.folded(title, &terms(&tables::MEANINGS));
        }
        out
    }

    fn runs(&self, number: &mut usize) -> String {
        if !self.has_runs() {
            return String::new();
        }
        let mut out = heading(self.level, &self.id_of("runs"), "Single runs");
        for drawn in &self.part.runs {
            *number += 1;
            out += &self.run(drawn, *number);
        }
        for (run, why) in &self.part.not_drawn {
            let name = run.name(&self.results.experiment);
            out += &note(&format!("{name} cannot be drawn: {why}."));
        }
        out
    }

    fn run(&self, drawn: &Drawn, number: usize) -> String {
        let experiment = &self.results.experiment;
        let RunId { point, replication, algorithm } = drawn.run;
        let (name, seed) = (&experiment.algorithms[algorithm], experiment.world_seed(replication));
        let place = experiment.point_label(point);
        let place = if place.is_empty() { place } else { format!(" at {place}") };
        let about = format!("{name}{place}, seed {seed}: where and when each job ran");
        let checked = "Simulated again for this page; the values are exactly those of the result.";
        let svg = schedule::svg(&drawn.schedule, Theme::Page);
        format!(
            "<figure class=\"run\"><div class=\"scroll\" role=\"region\" tabindex=\"0\" \
             aria-label=\"{}\">{}</div>\n\
             <figcaption><b>Figure {number}.</b> {}. {checked}</figcaption></figure>\n",
            escaped(&about),
            image(&svg, &about),
            escaped(&about),
        )
    }
}

/// A chart with its note as the caption.
fn figure(mut chart: Chart, number: usize) -> String {
    let caption = escaped(&std::mem::take(&mut chart.note));
    format!(
        "<figure>{}<figcaption><b>Figure {number}.</b> {caption}</figcaption></figure>\n",
        svg(&chart, Theme::Page)
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

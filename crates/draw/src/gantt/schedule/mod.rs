//! Gantt chart of a simulated run as SVG: one self-contained file, the same bytes for the same
//! input.
//!
//! ```text
//! resource  0 |##job 0###|  |###job 3###|        one lane per PE
//!           1 |#####job 1#####|
//! shared      |###########job 2############|     one thinner lane per concurrent job
//!             |####job 4####|
//!             0        10        20       30     seconds
//! ```
//!
//! One band per resource. Bars get thinner the more there are and have names where those fit.
//! Resources that do not fit at all are left out, which the caption says. The legend explains the
//! colours.

mod layout;

use self::layout::Layout;
use super::COLOURS;
use super::axis::{FOOT, TimeAxis, hatching, name_inside};
use crate::svg::{Svg, Theme, escaped, heading, style};
use gridsat_model::{Scale, Ticks};

/// Number of distinct colours.
pub const COLOUR_COUNT: usize = COLOURS.len();

/// A run to be drawn: which job ran where and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Heading of the chart.
    pub title: String,
    /// Lines below the heading.
    pub captions: Vec<String>,
    /// Colours and their meanings.
    pub legend: Vec<(Colour, String)>,
    /// Length of a tick in seconds.
    pub scale: Scale,
    /// Time at the end of the axis, in ticks.
    pub span: Ticks,
    /// Completion time of the last job, in ticks, if it is to be marked.
    pub makespan: Option<Ticks>,
    /// Resources from top to bottom.
    pub bands: Vec<Band>,
    /// Running jobs, in any order.
    pub bars: Vec<Bar>,
}

/// A resource, drawn as a band of lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Name to the left of the lanes, shortened if it is long.
    pub name: String,
    /// Number of lanes, at least 1.
    pub lanes: u32,
    /// Whether each lane is a PE. Otherwise lanes only separate concurrent jobs.
    pub lanes_are_pes: bool,
}

/// A job while it runs on one lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Index of its resource in [`Schedule::bands`].
    pub band: usize,
    /// Lane within the band, from 0.
    pub lane: u32,
    /// Start time in ticks.
    pub start: Ticks,
    /// End time in ticks.
    pub end: Ticks,
    /// Colour, which the legend explains.
    pub colour: Colour,
    /// Name, shown on the bar where it fits and in its tooltip.
    pub name: String,
}

/// Fill of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// A colour by number; numbers repeat after [`COLOUR_COUNT`].
    Number(usize),
    /// Diagonal stripes.
    Hatched,
}

/// With more bars there are no tooltips, because the file would be slow to open.
const MOST_TOOLTIPS: usize = 5_000;
/// With more bars there are no names: too few would fit to be useful.
const MOST_NAMES: usize = 500;

impl Colour {
    /// Fill colour and the colour of text on it.
    fn shown(self) -> (&'static str, &'static str) {
        match self {
            Self::Number(number) => COLOURS[number % COLOUR_COUNT],
            Self::Hatched => ("url(#hatch)", "#000"),
        }
    }
}

/// The chart of a run as SVG.
pub fn svg(schedule: &Schedule, theme: Theme) -> String {
    let layout = Layout::new(schedule);
    let (top, bottom) = (layout.top, layout.bottom());
    let axis = TimeAxis::new(schedule.span, schedule.scale, layout.left, top, bottom);
    let size = [layout.width(), bottom + FOOT];
    let mut drawing = Drawing { schedule, layout, axis, svg: Svg::default() };
    drawing.draw();
    drawing.svg.finish(None, size, &schedule.title, Some(&style(theme)))
}

struct Drawing<'a> {
    schedule: &'a Schedule,
    layout: Layout,
    axis: TimeAxis,
    svg: Svg,
}

impl Drawing<'_> {
    fn draw(&mut self) {
        hatching(&mut self.svg, "#ddd");
        self.head();
        self.bands();
        self.axis.draw(&mut self.svg, "simulated time in seconds");
        self.bars();
        if let Some(time) = self.schedule.makespan.filter(|&time| time <= self.schedule.span) {
            let label = format!("makespan {} s", self.schedule.scale.display(time));
            self.axis.mark(&mut self.svg, "makespan", &label, time, self.axis.top - 6.0);
        }
    }

    fn head(&mut self) {
        let Self { schedule, layout, svg, .. } = self;
        let hidden = layout.hidden_bands(schedule);
        let hidden = hidden.map(|count| format!("{count} more resources are not drawn."));
        heading(svg, &schedule.title, schedule.captions.iter().chain(&hidden));
        for ((x, y), (colour, meaning)) in layout.legend(schedule) {
            let ((fill, _), top) = (colour.shown(), y - 10.0);
            svg.line(format_args!(r#"<path fill="{fill}" d="M{x:.1} {top:.1}h12v11h-12z"/>"#));
            svg.text("", format_args!(r#"x="{:.1}" y="{y:.1}""#, x + 17.0), meaning);
        }
    }

    fn bands(&mut self) {
        let Self { schedule, layout, axis, svg } = self;
        let (left, right) = (axis.left, axis.right);
        for band in layout.bands() {
            let (top, bottom) = (band.top, band.top + band.height);
            let outline = format_args!("M{left:.2} {top:.2}H{right:.2}V{bottom:.2}H{left:.2}Z");
            svg.path("band", outline);
        }
        let x = layout.label_end();
        for (y, name) in layout.band_labels(schedule) {
            svg.text("end", format_args!(r#"x="{x:.2}" y="{y:.1}""#), &name);
        }
        let x = left - 5.0;
        for (y, pe) in layout.pe_labels(schedule) {
            svg.text("small", format_args!(r#"x="{x:.2}" y="{y:.1}""#), &pe.to_string());
        }
    }

    /// Draws the bars grouped by colour, which makes the file shorter.
    fn bars(&mut self) {
        let bars = self.schedule.bars.iter().filter(|bar| self.layout.shows(bar));
        let mut bars: Vec<&Bar> = bars.collect();
        bars.sort_by_key(|bar| (bar.colour, bar.band, bar.lane, bar.start));
        for alike in bars.chunk_by(|one, other| one.colour == other.colour) {
            self.svg.line(format_args!(r#"<g fill="{}">"#, alike[0].colour.shown().0));
            alike.iter().for_each(|bar| self.bar(bar));
            self.svg.line(format_args!("</g>"));
        }
        if bars.len() > MOST_NAMES {
            return;
        }
        for bar in bars {
            let [x, y, width, height] = self.area(bar);
            if height >= 11.0 {
                let (_, letters) = bar.colour.shown();
                name_inside(&mut self.svg, &bar.name, letters, [x, y, width, height]);
            }
        }
    }

    fn bar(&mut self, bar: &Bar) {
        let [x, y, width, height] = self.area(bar);
        // An outline as wide as the bar would make it pale.
        let class = if width.min(height) >= 3.0 { r#" class="wide""# } else { "" };
        let end = match self.schedule.bars.len() {
            0..=MOST_TOOLTIPS => {
                let name = escaped(&bar.name);
                let [from, to] = [bar.start, bar.end].map(|time| self.schedule.scale.display(time));
                format!("><title>{name}: from {from} s to {to} s</title></rect>")
            }
            _ => "/>".to_owned(),
        };
        self.svg.line(format_args!(
            r#"<rect{class} x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}"{end}"#
        ));
    }

    /// Left, top, width and height of a bar; at least wide enough to be visible.
    fn area(&self, bar: &Bar) -> [f64; 4] {
        let (y, height) = self.layout.lane(bar.band, bar.lane);
        let x = self.axis.x(bar.start);
        [x, y, (self.axis.x(bar.end) - x).max(0.4), height]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::assert_well_formed;

    fn schedule(resources: usize, pes: u32, jobs: usize) -> Schedule {
        let band = |number: usize| Band {
            name: format!("<r{number}>"),
            lanes: pes,
            lanes_are_pes: number.is_multiple_of(2),
        };
        let bar = |number: usize| Bar {
            band: number % resources,
            lane: (number as u32 / 3) % pes,
            start: Ticks(number as u64 * 10),
            end: Ticks(number as u64 * 17),
            colour: if number == 3 { Colour::Hatched } else { Colour::Number(number) },
            name: format!("&{number}"),
        };
        Schedule {
            title: "a<b".into(),
            captions: vec!["first".into(), "second".into()],
            legend: (0..9).map(|n| (Colour::Number(n), format!("user \"{n}\""))).collect(),
            scale: Scale::new(2).expect("small"),
            span: Ticks(jobs as u64 * 17),
            makespan: Some(Ticks(jobs as u64 * 17)),
            bands: (0..resources).map(band).collect(),
            bars: (0..jobs).map(bar).collect(),
        }
    }

    #[test]
    fn draws_every_job_once_whatever_the_size() {
        for (resources, pes, jobs) in [(1, 1, 0), (1, 1, 1), (3, 2, 40), (60, 5, 6_000)] {
            let schedule = schedule(resources, pes, jobs);
            let xml = svg(&schedule, Theme::Page);
            assert_well_formed(&xml);
            assert_eq!(xml.matches("<rect").count(), jobs);
            assert_eq!(xml.matches("</rect>").count() > 0, (1..=MOST_TOOLTIPS).contains(&jobs));
            assert_eq!(xml, svg(&schedule, Theme::Page));
        }
    }

    #[test]
    fn says_what_it_leaves_out() {
        let xml = svg(&schedule(5_000, 1, 10_000), Theme::Paper);
        assert_well_formed(&xml);
        let shown = xml.matches("class=\"band\"").count();
        assert!(xml.contains(&format!("{} more resources are not drawn.", 5_000 - shown)));
        assert_eq!(xml.matches("<rect").count(), 2 * shown);
        assert!(!svg(&schedule(3, 2, 10), Theme::Paper).contains("not drawn"));
    }
}

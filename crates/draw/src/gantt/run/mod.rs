//! Gantt chart of a run as SVG: one self-contained file, the same bytes for the same input.
//!
//! ```text
//! resource  0 |##job 0###|  |###job 3###|        a lane a PE
//!           1 |#####job 1#####|
//! shared      |###########job 2############|     lanes as many as jobs at once, thinner
//!             |####job 4####|
//!             0        10        20       30     seconds
//! ```
//!
//! A band a resource. Bars are as thin as they need be, with names where those fit; what does not
//! fit at all is left out and the caption says so. Colours mean what the legend says.

mod layout;

use std::fmt::{self, Write};

use self::layout::{Layout, MARGIN, PLOT};
use super::paper::{COLOURS, SMALL_LETTER, axis_marks, escaped};
use gridsat_model::{Scale, Ticks};

/// How many colours there are.
pub const COLOUR_COUNT: usize = COLOURS.len();

/// A run, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Run {
    /// Heading.
    pub title: String,
    /// Lines below it.
    pub captions: Vec<String>,
    /// What colours mean.
    pub legend: Vec<(Colour, String)>,
    /// What a tick is, in seconds.
    pub scale: Scale,
    /// Where the axis ends.
    pub span: Ticks,
    /// When the last job was done, if that is to be marked.
    pub makespan: Option<Ticks>,
    /// Resources from top to bottom.
    pub bands: Vec<Band>,
    /// Jobs, in any order.
    pub bars: Vec<Bar>,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Band {
    /// Its name.
    pub name: String,
    /// Bars on top of each other, at least 1.
    pub lanes: u32,
    /// Whether lanes are PEs; they are only ways to draw jobs at the same time otherwise.
    pub lanes_are_pes: bool,
}

/// A job while it runs.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Position of its resource among the bands.
    pub band: usize,
    /// Which lane there, from 0.
    pub lane: u32,
    /// From when.
    pub start: Ticks,
    /// Until when.
    pub end: Ticks,
    /// What the legend explains.
    pub colour: Colour,
    /// On the bar where it fits, and in its tooltip.
    pub name: String,
}

/// What a bar is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// One of the colours, which start again after [`COLOUR_COUNT`].
    Number(usize),
    /// Hatched.
    Hatched,
}

/// More bars have no tooltips, or the file would be slow to open.
const MOST_TOOLTIPS: usize = 5_000;
/// More bars have no names: the few that would fit are a nuisance.
const MOST_NAMES: usize = 500;

const STYLE: &str = "\
text{font:12px 'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#222}\
.title{font-size:18px;font-weight:bold}\
.note{fill:#555}\
.small{font-size:9px;fill:#777;text-anchor:end}\
.in{font-size:10px;text-anchor:middle;pointer-events:none}\
.wide{stroke:#fff;stroke-width:.6}\
.band{fill:#f4f4f4}\
.grid{stroke:#ddd}\
.axis{stroke:#555}\
.makespan{stroke:#000;stroke-width:1.5;stroke-dasharray:6 3}\
.halo{stroke:#fff;stroke-width:3.5;opacity:.7}\
.end{text-anchor:end}\
.middle{text-anchor:middle}";

const HATCH: &str = r##"<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path fill="#ddd" d="M0 0H6V6H0Z"/><path d="M0 0V6" stroke="#888" stroke-width="2"/></pattern></defs>"##;

impl Colour {
    fn fill(self) -> &'static str {
        match self {
            Self::Number(number) => COLOURS[number % COLOUR_COUNT].0,
            Self::Hatched => "url(#hatch)",
        }
    }

    fn letters(self) -> &'static str {
        match self {
            Self::Number(number) => COLOURS[number % COLOUR_COUNT].1,
            Self::Hatched => "#000",
        }
    }
}

/// The chart.
pub fn svg(run: &Run) -> String {
    let mut out = String::new();
    Chart { run, layout: Layout::new(run) }
        .write(&mut out)
        .expect("writing to a string does not fail");
    out
}

struct Chart<'a> {
    run: &'a Run,
    layout: Layout,
}

impl Chart<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let (width, height) = (self.layout.width(), self.layout.height());
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">"#
        )?;
        writeln!(out, "<title>{}</title>", escaped(&self.run.title))?;
        writeln!(out, "<style>{STYLE}</style>\n{HATCH}")?;
        writeln!(out, r##"<path fill="#fff" d="M0 0H{width:.0}V{height:.0}H0Z"/>"##)?;
        self.write_head(out)?;
        self.write_bands(out)?;
        self.write_axis(out)?;
        self.write_bars(out)?;
        self.write_makespan(out)?;
        writeln!(out, "</svg>")
    }

    fn write_head(&self, out: &mut String) -> fmt::Result {
        let title = escaped(&self.run.title);
        writeln!(out, r#"<text class="title" x="{MARGIN}" y="28">{title}</text>"#)?;
        let hidden = self.layout.hidden_bands(self.run);
        let hidden = hidden.map(|count| format!("{count} more resources are not drawn."));
        for (line, caption) in self.run.captions.iter().chain(&hidden).enumerate() {
            let (y, caption) = (48 + 16 * line, escaped(caption));
            writeln!(out, r#"<text class="note" x="{MARGIN}" y="{y}">{caption}</text>"#)?;
        }
        for (place, (colour, meaning)) in self.layout.legend(self.run) {
            let (x, y, fill) = (place.0, place.1, colour.fill());
            writeln!(
                out,
                r#"<path fill="{fill}" d="M{x:.1} {:.1}h12v11h-12z"/><text x="{:.1}" y="{y:.1}">{}</text>"#,
                y - 10.0,
                x + 17.0,
                escaped(meaning)
            )?;
        }
        Ok(())
    }

    fn write_bands(&self, out: &mut String) -> fmt::Result {
        let (left, right) = (self.layout.left, self.layout.left + PLOT);
        for band in self.layout.bands() {
            let (top, bottom) = (band.top, band.top + band.height);
            writeln!(
                out,
                r#"<path class="band" d="M{left:.2} {top:.2}H{right:.2}V{bottom:.2}H{left:.2}Z"/>"#
            )?;
        }
        for (y, name) in self.layout.band_labels(self.run) {
            let x = self.layout.label_end();
            let name = escaped(&name);
            writeln!(out, r#"<text class="end" x="{x:.2}" y="{y:.1}">{name}</text>"#)?;
        }
        for (y, pe) in self.layout.pe_labels(self.run) {
            let x = left - 5.0;
            writeln!(out, r#"<text class="small" x="{x:.2}" y="{y:.1}">{pe}</text>"#)?;
        }
        Ok(())
    }

    fn write_axis(&self, out: &mut String) -> fmt::Result {
        let (top, bottom) = (self.layout.top, self.layout.bottom());
        for time in axis_marks(self.run.span) {
            let x = self.x(time);
            let label = self.run.scale.display(time);
            writeln!(out, r#"<path class="grid" d="M{x:.2} {top:.0}V{:.0}"/>"#, bottom + 5.0)?;
            let y = bottom + 19.0;
            writeln!(out, r#"<text class="middle" x="{x:.2}" y="{y:.0}">{label}</text>"#)?;
        }
        let (left, right) = (self.layout.left, self.layout.left + PLOT);
        writeln!(out, r#"<path class="axis" d="M{left:.2} {bottom:.0}H{right:.2}"/>"#)?;
        let (x, y) = (left + PLOT / 2.0, bottom + 38.0);
        writeln!(
            out,
            r#"<text class="note middle" x="{x:.2}" y="{y:.0}">simulated time in seconds</text>"#
        )
    }

    /// Bars of one colour together, which makes the file a good deal shorter.
    fn write_bars(&self, out: &mut String) -> fmt::Result {
        let mut bars: Vec<&Bar> =
            self.run.bars.iter().filter(|bar| self.layout.shows(bar)).collect();
        bars.sort_by_key(|bar| (bar.colour, bar.band, bar.lane, bar.start));
        for alike in bars.chunk_by(|one, other| one.colour == other.colour) {
            writeln!(out, r#"<g fill="{}">"#, alike[0].colour.fill())?;
            alike.iter().try_for_each(|bar| self.write_bar(out, bar))?;
            writeln!(out, "</g>")?;
        }
        if bars.len() > MOST_NAMES {
            return Ok(());
        }
        bars.iter().try_for_each(|bar| self.write_name(out, bar))
    }

    fn write_bar(&self, out: &mut String, bar: &Bar) -> fmt::Result {
        let (y, height) = self.layout.lane(bar.band, bar.lane);
        let (x, width) = self.extent(bar);
        // An outline as wide as the bar would wash it out.
        let class = if width.min(height) >= 3.0 { r#" class="wide""# } else { "" };
        write!(
            out,
            r#"<rect{class} x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}""#
        )?;
        if self.run.bars.len() > MOST_TOOLTIPS {
            return writeln!(out, "/>");
        }
        let scale = self.run.scale;
        let (from, to, name) =
            (scale.display(bar.start), scale.display(bar.end), escaped(&bar.name));
        writeln!(out, "><title>{name}: from {from} s to {to} s</title></rect>")
    }

    fn write_name(&self, out: &mut String, bar: &Bar) -> fmt::Result {
        let (y, height) = self.layout.lane(bar.band, bar.lane);
        let (x, width) = self.extent(bar);
        let needed = bar.name.chars().count() as f64 * SMALL_LETTER + 4.0;
        if needed > width || height < 11.0 {
            return Ok(());
        }
        let (x, y, letters) = (x + width / 2.0, y + height / 2.0 + 3.5, bar.colour.letters());
        let name = escaped(&bar.name);
        writeln!(
            out,
            r#"<text class="in" x="{x:.2}" y="{y:.1}" style="fill:{letters}">{name}</text>"#
        )
    }

    /// A line across with its label to the left of its top, or to the right near the axis' start.
    fn write_makespan(&self, out: &mut String) -> fmt::Result {
        let Some(time) = self.run.makespan.filter(|&time| time <= self.run.span) else {
            return Ok(());
        };
        let (x, y, bottom) = (self.x(time), self.layout.top - 6.0, self.layout.bottom());
        let path = format!("M{x:.2} {:.0}V{bottom:.0}", y - 10.0);
        writeln!(out, r#"<path class="halo" d="{path}"/><path class="makespan" d="{path}"/>"#)?;
        let is_late = x > self.layout.left + PLOT / 2.0;
        let (anchor, x) = if is_late { ("end", x - 5.0) } else { ("start", x + 5.0) };
        let value = self.run.scale.display(time);
        writeln!(out, r#"<text class="{anchor}" x="{x:.2}" y="{y:.0}">makespan {value} s</text>"#)
    }

    /// Left end and width; never so thin that it is lost.
    fn extent(&self, bar: &Bar) -> (f64, f64) {
        let x = self.x(bar.start);
        (x, (self.x(bar.end.min(self.run.span)) - x).max(0.4))
    }

    fn x(&self, time: Ticks) -> f64 {
        self.layout.left + PLOT * (time.as_f64() / self.run.span.max(Ticks(1)).as_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::assert_well_formed;

    fn run(resources: usize, pes: u32, jobs: usize) -> Run {
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
        Run {
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
            let run = run(resources, pes, jobs);
            let xml = svg(&run);
            assert_well_formed(&xml);
            assert_eq!(xml.matches("<rect").count(), jobs);
            assert_eq!(xml.matches("</rect>").count() > 0, (1..=MOST_TOOLTIPS).contains(&jobs));
            assert_eq!(xml, svg(&run));
        }
    }

    #[test]
    fn says_what_it_leaves_out() {
        let xml = svg(&run(5_000, 1, 10_000));
        assert_well_formed(&xml);
        let shown = xml.matches("class=\"band\"").count();
        assert!(xml.contains(&format!("{} more resources are not drawn.", 5_000 - shown)));
        assert_eq!(xml.matches("<rect").count(), 2 * shown);
        assert!(!svg(&run(3, 2, 10)).contains("not drawn"));
    }
}

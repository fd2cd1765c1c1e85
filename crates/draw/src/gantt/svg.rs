//! Gantt chart as SVG: one self-contained file, the same bytes for the same input.
//!
//! A row a host: hatched until it is ready, then a rectangle a task, with its name where it fits
//! and a tooltip always. Below a time axis in the file's own unit, across a line at the makespan
//! and, if given, at the lower bound. Task colours are those of Okabe and Ito, which people with
//! any colour vision tell apart; they only separate neighbours and mean nothing else.

use std::fmt::{self, Write};

use super::paper::{COLOURS, LETTER, SMALL_LETTER, axis_marks, escaped};
use super::timeline::{Bar, Row, rows, shortened};
use gridsat_model::{Instance, Mapping, Ticks};

/// What is written around the chart.
#[derive(Clone, Copy, Debug, Default)]
pub struct SvgOptions<'a> {
    /// Heading; the instance's name if absent.
    pub title: Option<&'a str>,
    /// A line below it.
    pub subtitle: Option<&'a str>,
    /// Where to draw the lower bound, in ticks.
    pub lower_bound: Option<Ticks>,
}

/// Pixels of time axis.
const PLOT: f64 = 960.0;
const MARGIN: f64 = 16.0;
/// Height of heading, subheading and the labels of the two lines.
const HEAD: f64 = 88.0;
/// Height of the axis with its labels.
const FOOT: f64 = 48.0;
const LONGEST_NAME: usize = 24;

const STYLE: &str = "\
text{font:12px 'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#222}\
.title{font-size:18px;font-weight:bold}\
.note{fill:#555}\
.in{font-size:10px;text-anchor:middle;pointer-events:none}\
.task{stroke:#fff;stroke-width:.6}\
.grid{stroke:#ddd}\
.axis{stroke:#555}\
.makespan{stroke:#000;stroke-width:1.5;stroke-dasharray:6 3}\
.bound{stroke:#000;stroke-width:1.5;stroke-dasharray:1.5 3}\
.halo{stroke:#fff;stroke-width:3.5;opacity:.7}\
.end{text-anchor:end}\
.middle{text-anchor:middle}";

/// The chart.
pub fn svg(instance: &Instance, mapping: &Mapping, options: &SvgOptions) -> String {
    let mut out = String::new();
    Chart::new(instance, mapping, options)
        .write(&mut out)
        .expect("writing to a string does not fail");
    out
}

struct Chart<'a> {
    instance: &'a Instance,
    options: &'a SvgOptions<'a>,
    rows: Vec<Row>,
    makespan: Ticks,
    /// The time at the right end of the axis.
    span: Ticks,
    /// Left end of the axis.
    left: f64,
    width: f64,
    row_height: f64,
}

impl<'a> Chart<'a> {
    fn new(instance: &'a Instance, mapping: &Mapping, options: &'a SvgOptions) -> Self {
        let makespan = mapping.makespan();
        let span = makespan.max(options.lower_bound.unwrap_or(Ticks(0))).max(Ticks(1));
        let letters = |text: &str| text.chars().count() as f64 * LETTER;
        let names = instance.hosts().map(|h| instance.host_name(h));
        let label = names.map(|name| letters(&shortened(name, LONGEST_NAME)));
        let left = MARGIN + label.fold(0.0, f64::max) + 8.0;
        let load = letters(&instance.scale().display(span).to_string());
        Self {
            instance,
            options,
            rows: rows(instance, mapping),
            makespan,
            span,
            left,
            width: left + PLOT + 8.0 + load + MARGIN,
            row_height: if instance.host_count() <= 24 { 28.0 } else { 20.0 },
        }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let (width, height) = (self.width, self.bottom() + FOOT);
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">"#
        )?;
        writeln!(out, "<title>{}</title>", escaped(self.title()))?;
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(
            out,
            r##"<defs><pattern id="busy" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="#888" stroke-width="2"/></pattern></defs>"##
        )?;
        writeln!(out, r##"<path fill="#fff" d="M0 0H{width:.0}V{height:.0}H0Z"/>"##)?;
        self.write_head(out)?;
        self.write_axis(out)?;
        for row in &self.rows {
            self.write_row(out, row)?;
        }
        self.write_lines(out)?;
        writeln!(out, "</svg>")
    }

    fn title(&self) -> &str {
        let name = self.instance.name();
        self.options.title.unwrap_or(if name.is_empty() { "Mapping" } else { name })
    }

    fn write_head(&self, out: &mut String) -> fmt::Result {
        let title = escaped(self.title());
        writeln!(out, r#"<text class="title" x="{MARGIN}" y="28">{title}</text>"#)?;
        let Some(subtitle) = self.options.subtitle else {
            return Ok(());
        };
        let subtitle = escaped(subtitle);
        writeln!(out, r#"<text class="note" x="{MARGIN}" y="47">{subtitle}</text>"#)
    }

    fn write_axis(&self, out: &mut String) -> fmt::Result {
        let (top, bottom) = (HEAD, self.bottom());
        for time in axis_marks(self.span) {
            let x = self.x(time);
            let label = self.instance.scale().display(time);
            writeln!(out, r#"<path class="grid" d="M{x:.2} {top}V{:.0}"/>"#, bottom + 5.0)?;
            let y = bottom + 19.0;
            writeln!(out, r#"<text class="middle" x="{x:.2}" y="{y:.0}">{label}</text>"#)?;
        }
        let (left, right) = (self.left, self.left + PLOT);
        writeln!(out, r#"<path class="axis" d="M{left:.2} {bottom:.0}H{right:.2}"/>"#)?;
        let (x, y) = (left + PLOT / 2.0, bottom + 38.0);
        writeln!(out, r#"<text class="note middle" x="{x:.2}" y="{y:.0}">time</text>"#)
    }

    fn write_row(&self, out: &mut String, row: &Row) -> fmt::Result {
        let number = row.host.index();
        let y = HEAD + number as f64 * self.row_height + 2.0;
        let middle = y + self.row_height / 2.0 + 2.0;
        let name = self.instance.host_name(row.host);
        let label = escaped(&shortened(name, LONGEST_NAME));
        let x = self.left - 8.0;
        writeln!(out, r#"<text class="end" x="{x:.2}" y="{middle:.1}">{label}</text>"#)?;
        if row.ready > Ticks(0) {
            self.write_waiting(out, row, y)?;
        }
        for (place, bar) in row.tasks.iter().enumerate() {
            // Rows start at different colours, or long columns of one colour would appear.
            let colour = COLOURS[(place + 3 * number) % COLOURS.len()];
            self.write_task(out, bar, y, colour)?;
        }
        let x = self.left + PLOT + 8.0;
        let load = self.instance.scale().display(row.load);
        writeln!(out, r#"<text class="note" x="{x:.2}" y="{middle:.1}">{load}</text>"#)
    }

    fn write_waiting(&self, out: &mut String, row: &Row, y: f64) -> fmt::Result {
        let (x, right, bottom) = (self.left, self.x(row.ready), y + self.bar_height());
        let until = self.instance.scale().display(row.ready);
        writeln!(
            out,
            r#"<path fill="url(#busy)" d="M{x:.2} {y:.1}H{right:.2}V{bottom:.1}H{x:.2}Z"><title>not ready until {until}</title></path>"#
        )
    }

    fn write_task(
        &self,
        out: &mut String,
        bar: &Bar,
        y: f64,
        (fill, letters): (&str, &str),
    ) -> fmt::Result {
        let (x, end, height) = (self.x(bar.start), self.x(bar.end), self.bar_height());
        let (width, centre) = (end - x, (x + end) / 2.0);
        let name = self.instance.task_name(bar.task);
        let scale = self.instance.scale();
        let time = scale.display(bar.end - bar.start);
        let (from, to) = (scale.display(bar.start), scale.display(bar.end));
        let full = escaped(name);
        writeln!(
            out,
            r#"<rect class="task" x="{x:.2}" y="{y:.1}" width="{width:.2}" height="{height:.1}" fill="{fill}"><title>{full}: {time}, from {from} to {to}</title></rect>"#
        )?;
        if name.chars().count() as f64 * SMALL_LETTER + 4.0 > width {
            return Ok(());
        }
        let baseline = y + height / 2.0 + 3.5;
        writeln!(
            out,
            r#"<text class="in" x="{centre:.2}" y="{baseline:.1}" style="fill:{letters}">{full}</text>"#
        )
    }

    fn write_lines(&self, out: &mut String) -> fmt::Result {
        self.write_line(out, "makespan", "makespan", self.makespan, HEAD - 22.0)?;
        match self.options.lower_bound {
            Some(bound) => self.write_line(out, "bound", "lower bound", bound, HEAD - 6.0),
            None => Ok(()),
        }
    }

    /// A vertical line with its label to the left of its top, or to the right near the axis' start.
    fn write_line(
        &self,
        out: &mut String,
        class: &str,
        what: &str,
        time: Ticks,
        y: f64,
    ) -> fmt::Result {
        let (x, top, bottom) = (self.x(time), y - 10.0, self.bottom());
        let path = format!("M{x:.2} {top:.0}V{bottom:.0}");
        writeln!(out, r#"<path class="halo" d="{path}"/><path class="{class}" d="{path}"/>"#)?;
        let (anchor, x) =
            if x > self.left + PLOT / 2.0 { ("end", x - 5.0) } else { ("start", x + 5.0) };
        let value = self.instance.scale().display(time);
        writeln!(out, r#"<text class="{anchor}" x="{x:.2}" y="{y:.0}">{what} {value}</text>"#)
    }

    fn x(&self, time: Ticks) -> f64 {
        self.left + PLOT * (time.as_f64() / self.span.as_f64())
    }

    fn bottom(&self) -> f64 {
        HEAD + self.rows.len() as f64 * self.row_height + 2.0
    }

    fn bar_height(&self) -> f64 {
        self.row_height - 4.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::assert_well_formed;
    use gridsat_model::{HostId, InstanceParts, Scale};

    fn chart(n: usize, m: usize, longest: Ticks, options: &SvgOptions) -> String {
        let time = |t: usize, h: usize| Some(longest / 7 * ((3 * t + 5 * h) % 8) as u64);
        let parts = InstanceParts {
            name: "a<b & \"c\"".into(),
            etc: (0..n).map(|t| (0..m).map(|h| time(t, h)).collect()).collect(),
            tasks: (0..n).map(|t| format!("<{t}>\u{1}")).collect(),
            ready: (0..m).map(|h| Ticks(h as u64 % 2)).collect(),
            scale: Scale::new(3).expect("small"),
            ..InstanceParts::default()
        };
        let instance = Instance::new(parts).expect("valid");
        let hosts = (0..n).map(|t| HostId((t * 7 % m) as u32)).collect();
        let mapping = Mapping::new(&instance, hosts).expect("valid");
        svg(&instance, &mapping, options)
    }

    #[test]
    fn draws_every_task_once_whatever_the_size() {
        for (n, m) in [(1, 1), (5, 3), (3, 64), (512, 16)] {
            for longest in [0, 7, 1 << 45] {
                let options = SvgOptions {
                    subtitle: Some("x < y"),
                    lower_bound: Some(Ticks(longest)),
                    ..SvgOptions::default()
                };
                let xml = chart(n, m, Ticks(longest), &options);
                assert_well_formed(&xml);
                assert_eq!(xml.matches("<rect class=\"task\"").count(), n);
                assert_eq!(xml.matches("class=\"bound\"").count(), 1);
                assert_eq!(xml.matches("not ready until").count(), m / 2);
                assert!(xml.contains("a&lt;b &amp; &quot;c&quot;"));
                assert_eq!(xml, chart(n, m, Ticks(longest), &options));
            }
        }
    }
}

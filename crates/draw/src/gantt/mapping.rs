//! Gantt chart of a mapping as SVG: one self-contained file, the same bytes for the same input.
//!
//! One row per host: hatched until the host is ready, then one rectangle per task, with a tooltip
//! and, where it fits, its name. Below is a time axis in the unit of the instance; vertical lines
//! mark the makespan and, if given, the lower bound. Colours only separate neighbouring tasks.

use super::axis::{FOOT, TimeAxis, hatching, name_inside};
use super::timeline::{HostRow, TaskBar, rows, shortened};
use super::{COLOURS, LONGEST_NAME};
use crate::svg::{LETTER, MARGIN, Svg, Theme, escaped, heading, style};
use gridsat_model::{Instance, Mapping, Ticks};

/// Texts and marks around the chart.
#[derive(Clone, Copy, Debug, Default)]
pub struct SvgOptions<'a> {
    /// Heading; the name of the instance if `None`.
    pub title: Option<&'a str>,
    /// A line below the heading.
    pub subtitle: Option<&'a str>,
    /// Where to draw the lower bound, in ticks.
    pub lower_bound: Option<Ticks>,
}

/// Height of heading, subtitle and the labels of the two vertical lines.
const HEAD: f64 = 88.0;

/// The chart of a mapping as SVG.
pub fn svg(instance: &Instance, mapping: &Mapping, options: &SvgOptions) -> String {
    let name = if instance.name().is_empty() { "Mapping" } else { instance.name() };
    let title = options.title.unwrap_or(name);
    let drawing = Drawing::new(instance, mapping, options);
    let mut svg = Svg::default();
    hatching(&mut svg, "none");
    heading(&mut svg, title, std::iter::empty());
    if let Some(subtitle) = options.subtitle {
        svg.text("note", format_args!(r#"x="{MARGIN}" y="47""#), subtitle);
    }
    drawing.axis.draw(&mut svg, "time");
    for row in rows(instance, mapping) {
        drawing.row(&mut svg, &row);
    }
    drawing.line(&mut svg, "makespan", "makespan", mapping.makespan(), HEAD - 22.0);
    if let Some(bound) = options.lower_bound {
        drawing.line(&mut svg, "bound", "lower bound", bound, HEAD - 6.0);
    }
    let size = [drawing.width, drawing.axis.bottom + FOOT];
    svg.finish(None, size, title, Some(&style(Theme::Paper)))
}

struct Drawing<'a> {
    instance: &'a Instance,
    axis: TimeAxis,
    width: f64,
    row_height: f64,
}

impl<'a> Drawing<'a> {
    fn new(instance: &'a Instance, mapping: &Mapping, options: &SvgOptions) -> Self {
        let span = mapping.makespan().max(options.lower_bound.unwrap_or(Ticks(0))).max(Ticks(1));
        let letters = |text: &str| text.chars().count() as f64 * LETTER;
        let names = instance.hosts().map(|h| instance.host_name(h));
        let label = names.map(|name| letters(&shortened(name, LONGEST_NAME)));
        let left = MARGIN + label.fold(0.0, f64::max) + 8.0;
        let load = letters(&instance.scale().display(span).to_string());
        let row_height = if instance.host_count() <= 24 { 28.0 } else { 20.0 };
        let bottom = HEAD + instance.host_count() as f64 * row_height + 2.0;
        let axis = TimeAxis::new(span, instance.scale(), left, HEAD, bottom);
        Self { instance, width: axis.right + 8.0 + load + MARGIN, axis, row_height }
    }

    fn row(&self, svg: &mut Svg, row: &HostRow) {
        let number = row.host.index();
        let y = HEAD + number as f64 * self.row_height + 2.0;
        let middle = y + self.row_height / 2.0 + 2.0;
        let name = shortened(self.instance.host_name(row.host), LONGEST_NAME);
        let x = self.axis.left - 8.0;
        svg.text("end", format_args!(r#"x="{x:.2}" y="{middle:.1}""#), &name);
        if row.ready > Ticks(0) {
            self.waiting(svg, row, y);
        }
        for (place, bar) in row.tasks.iter().enumerate() {
            // Rows start at different colours; otherwise columns of one colour would appear.
            let colour = COLOURS[(place + 3 * number) % COLOURS.len()];
            self.task(svg, bar, y, colour);
        }
        let x = self.axis.right + 8.0;
        svg.text("note", format_args!(r#"x="{x:.2}" y="{middle:.1}""#), &self.time(row.load));
    }

    fn waiting(&self, svg: &mut Svg, row: &HostRow, y: f64) {
        let (x, right) = (self.axis.left, self.axis.x(row.ready));
        let (bottom, until) = (y + self.bar_height(), self.time(row.ready));
        svg.line(format_args!(
            r#"<path fill="url(#hatch)" d="M{x:.2} {y:.1}H{right:.2}V{bottom:.1}H{x:.2}Z"><title>not ready until {until}</title></path>"#
        ));
    }

    fn task(&self, svg: &mut Svg, bar: &TaskBar, y: f64, (fill, letters): (&str, &str)) {
        let (x, height) = (self.axis.x(bar.start), self.bar_height());
        let width = self.axis.x(bar.end) - x;
        let name = self.instance.task_name(bar.task);
        let [time, from, to] =
            [bar.end - bar.start, bar.start, bar.end].map(|time| self.time(time));
        svg.line(format_args!(
            r#"<rect class="wide" x="{x:.2}" y="{y:.1}" width="{width:.2}" height="{height:.1}" fill="{fill}"><title>{}: {time}, from {from} to {to}</title></rect>"#,
            escaped(name)
        ));
        name_inside(svg, name, letters, [x, y, width, height]);
    }

    fn line(&self, svg: &mut Svg, class: &str, what: &str, time: Ticks, y: f64) {
        self.axis.mark(svg, class, &format!("{what} {}", self.time(time)), time, y);
    }

    fn time(&self, time: Ticks) -> String {
        self.instance.scale().display(time).to_string()
    }

    fn bar_height(&self) -> f64 {
        self.row_height - 4.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::assert_well_formed;
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
                assert_eq!(xml.matches("<rect class=\"wide\"").count(), n);
                assert_eq!(xml.matches("class=\"bound\"").count(), 1);
                assert_eq!(xml.matches("not ready until").count(), m / 2);
                assert!(xml.contains("a&lt;b &amp; &quot;c&quot;"));
                assert_eq!(xml, chart(n, m, Ticks(longest), &options));
            }
        }
    }
}

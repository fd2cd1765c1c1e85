//! Layout of a chart.
//!
//! From top to bottom: title, label of the vertical axis, plot, marks and label of the horizontal
//! axis, legend, note. Texts are wrapped by their estimated width, and the height of the chart
//! follows.
//!
//! Directions are called "along x" and "along y". Usually x points right and y up. With categories
//! on x the chart is rotated: x points down and y to the right.

use std::fmt;

use super::style::{colour, dashes, marker, paper_style};
use super::{Chart, Point, Scale, Series};
use crate::number::short;
use crate::ruler::{Ruler, can_show};
use crate::svg::{Svg, Theme, escaped};
use crate::text::{shortened, width, wrapped};

const WIDTH: f64 = 480.0;
const EDGE: f64 = 14.0;
/// Height of a plot without categories.
const HEIGHT: f64 = 260.0;
const LINE: f64 = 17.0;
/// Distance between the axis and the first points, which leaves room for shifted points.
const INSET: f64 = 16.0;
/// Width of a legend sample: a line with its marker.
const SAMPLE: f64 = 32.0;
/// Largest width of category names, which take at most two lines.
const NAMES: f64 = 180.0;

/// The chart as SVG. For [`Theme::Page`] it has no ids, and only classes that begin with `figure`,
/// so that one page with [`PAGE_STYLE`](super::PAGE_STYLE) can hold many charts.
pub fn svg(chart: &Chart, theme: Theme) -> String {
    let mut drawing = Drawing::new(chart);
    let end = drawing.draw();
    let style = (theme == Theme::Paper).then(paper_style);
    let size = [WIDTH, (end + EDGE).ceil()];
    drawing.svg.finish(Some("figure"), size, &chart.title, style.as_deref())
}

struct Drawing<'a> {
    chart: &'a Chart,
    /// The points of each series that can be drawn, in order of x.
    points: Vec<Vec<Point>>,
    x: Ruler,
    y: Ruler,
    /// Whether the chart is rotated: categories are rows.
    is_rows: bool,
    left: f64,
    top: f64,
    bottom: f64,
    svg: Svg,
}

impl<'a> Drawing<'a> {
    fn new(chart: &'a Chart) -> Self {
        let points: Vec<Vec<Point>> =
            chart.series.iter().map(|series| drawable(chart, series)).collect();
        let is_rows = matches!(chart.x.scale, Scale::Category(_));
        let all = || points.iter().flatten();
        let x = Ruler::new(&chart.x, all().map(|point| point.x), 6);
        let y = Ruler::new(&chart.y, all().flat_map(|point| covered(chart, point)), 6);
        let vertical = if is_rows { &x } else { &y };
        let names = vertical.labels().map(|(_, label)| width(label, 13.0).min(NAMES));
        let left = EDGE + names.fold(20.0, f64::max) + 8.0;
        let titles = wrapped(&chart.title, WIDTH - 2.0 * EDGE, 16.5, 3).len() as f64;
        let label = if vertical_axis(chart).label.is_empty() { 0.0 } else { LINE };
        let top = EDGE + titles * 19.0 + label + 9.0;
        let height = if is_rows { rows_height(chart, &x) } else { HEIGHT };
        let (bottom, right) = (top + height, WIDTH - EDGE - 4.0);
        let (x, y) = match is_rows {
            true => (x.between(top, bottom), y.between(left, right)),
            false => (x.between(left + INSET, right - INSET), y.between(bottom, top)),
        };
        Self { chart, points, x, y, is_rows, left, top, bottom, svg: Svg::default() }
    }

    /// Draws everything and returns the y coordinate of the bottom.
    fn draw(&mut self) -> f64 {
        self.heading();
        self.axes();
        self.series();
        self.below()
    }

    fn heading(&mut self) {
        let lines = wrapped(&self.chart.title, WIDTH - 2.0 * EDGE, 16.5, 3);
        for (number, line) in lines.iter().enumerate() {
            self.text("figure-title", EDGE, EDGE + 13.0 + 19.0 * number as f64, line);
        }
        let label = &vertical_axis(self.chart).label;
        let label = shortened(label, WIDTH - 2.0 * EDGE, 13.0);
        self.text("", EDGE, self.top - 14.0, &label)
    }

    /// Draws a text; nothing if it is empty.
    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        if !text.is_empty() {
            self.svg.text(class, format_args!(r#"x="{x:.1}" y="{y:.1}""#), text);
        }
    }

    fn axes(&mut self) {
        let (horizontal, vertical) = match self.is_rows {
            true => (self.y.clone(), self.x.clone()),
            false => (self.x.clone(), self.y.clone()),
        };
        self.marks_on_the_left(&vertical);
        self.marks_below(&horizontal);
        let Self { left, top, bottom, .. } = *self;
        let right = WIDTH - EDGE;
        self.svg.path("figure-axis", format_args!("M{left:.1} {top:.1}V{bottom:.1}H{right:.1}"));
        self.zero()
    }

    fn marks_on_the_left(&mut self, ruler: &Ruler) {
        let (left, right) = (self.left, WIDTH - EDGE);
        for mark in &ruler.marks {
            let y = ruler.at(mark.value);
            let Some(label) = &mark.label else {
                self.svg.path("figure-axis", format_args!("M{left:.1} {y:.1}h-3"));
                continue;
            };
            self.svg.path("figure-grid", format_args!("M{left:.1} {y:.1}H{right:.1}"));
            let lines = wrapped(label, NAMES, 13.0, 2);
            let first = y + 4.5 - 7.5 * (lines.len() as f64 - 1.0);
            for (number, line) in lines.iter().enumerate() {
                self.text("figure-end", left - 8.0, first + 15.0 * number as f64, line);
            }
        }
    }

    fn marks_below(&mut self, ruler: &Ruler) {
        let (top, bottom) = (self.top, self.bottom);
        let mut free = 0.0;
        for mark in &ruler.marks {
            let x = ruler.at(mark.value);
            let length = if mark.label.is_some() { 5 } else { 3 };
            if self.is_rows && mark.label.is_some() {
                self.svg.path("figure-grid", format_args!("M{x:.1} {top:.1}V{bottom:.1}"));
            }
            self.svg.path("figure-axis", format_args!("M{x:.1} {bottom:.1}v{length}"));
            let label = mark.label.as_deref().unwrap_or_default();
            let half = width(label, 13.0) / 2.0;
            // A label that would touch the previous one is left out.
            if x - half >= free && x + half <= WIDTH {
                self.text("figure-middle", x, bottom + 19.0, label);
                free = if label.is_empty() { free } else { x + half + 4.0 };
            }
        }
    }

    /// Draws a line at 0 if there are values of both signs.
    fn zero(&mut self) {
        let has_both = matches!(self.chart.y.scale, Scale::Linear)
            && self.points.iter().flatten().flat_map(ends).any(|end| end < 0.0);
        if !has_both || !self.y.covers(0.0) {
            return;
        }
        let at = self.y.at(0.0);
        match self.is_rows {
            true => self
                .svg
                .path("figure-axis", format_args!("M{at:.1} {:.1}V{:.1}", self.top, self.bottom)),
            false => self
                .svg
                .path("figure-axis", format_args!("M{:.1} {at:.1}H{:.1}", self.left, WIDTH - EDGE)),
        }
    }

    fn series(&mut self) {
        if self.points.iter().all(Vec::is_empty) {
            let (x, y) = (self.left.midpoint(WIDTH - EDGE), self.top.midpoint(self.bottom));
            return self.text("figure-note figure-middle", x, y, "no points");
        }
        let shifts = self.shifts();
        if !self.is_rows {
            for (number, &shift) in shifts.iter().enumerate() {
                self.line(number, shift);
            }
        }
        for (number, &shift) in shifts.iter().enumerate() {
            for point in self.points[number].clone() {
                self.point(number, shift, point);
            }
        }
    }

    /// How far each series is shifted along x, so that error bars at the same x do not hide one
    /// another.
    fn shifts(&self) -> Vec<f64> {
        let count = self.points.len();
        let has_bars = |points: &&Vec<Point>| points.iter().any(|point| point.half_width.is_some());
        let is_crowded = self.is_rows || self.points.iter().filter(has_bars).count() > 1;
        let room = 2.0 * (INSET - 5.0) / (count as f64 - 1.0).max(1.0);
        let most = if self.is_rows { 10.0 } else { room.min(4.0) };
        let step = (self.least_gap() * 0.6 / count as f64).min(most);
        let step = if is_crowded && step >= 1.0 { step } else { 0.0 };
        (0..count).map(|number| step * (number as f64 - (count as f64 - 1.0) / 2.0)).collect()
    }

    /// The smallest distance along x between points at different x.
    fn least_gap(&self) -> f64 {
        if self.is_rows {
            return (self.x.at(1.0) - self.x.at(0.0)).abs();
        }
        let mut places: Vec<f64> =
            self.points.iter().flatten().map(|point| self.x.at(point.x)).collect();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
        gaps.filter(|&gap| gap > 1e-6).fold(f64::INFINITY, f64::min)
    }

    /// Converts coordinates along x and y to SVG coordinates.
    fn place(&self, along_x: f64, along_y: f64) -> (f64, f64) {
        if self.is_rows { (along_y, along_x) } else { (along_x, along_y) }
    }

    fn line(&mut self, number: usize, shift: f64) {
        let points = &self.points[number];
        if points.len() < 2 {
            return;
        }
        let at = |(index, point): (usize, &Point)| {
            let (x, y) = self.place(self.x.at(point.x) + shift, self.y.at(point.y));
            format!("{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' })
        };
        let outline: String = points.iter().enumerate().map(at).collect();
        self.stroke(number, format_args!("{outline}"));
    }

    fn stroke(&mut self, number: usize, outline: fmt::Arguments<'_>) {
        let (class, dashes) = (colour(number), dashes(number));
        self.svg.line(format_args!(r#"<path class="figure-line {class}"{dashes} d="{outline}"/>"#));
    }

    /// Draws the marker of a series; `ending` closes the element that contains it.
    fn marker(&mut self, number: usize, place: fmt::Arguments<'_>, ending: &str) {
        let (class, (outline, hollow)) = (colour(number), marker(number));
        self.svg.line(format_args!(
            r#"<path class="figure-marker {class}{hollow}" transform="{place}" d="{outline}"/>{ending}"#
        ));
    }

    fn point(&mut self, number: usize, shift: f64, point: Point) {
        let along_x = self.x.at(point.x) + shift;
        let (x, y) = self.place(along_x, self.y.at(point.y));
        let tooltip = escaped(&self.tooltip(number, point));
        self.svg.line(format_args!("<g><title>{tooltip}</title>"));
        if let Some(half_width) = point.half_width {
            self.bar(number, along_x, [point.y - half_width, point.y + half_width]);
        }
        let small = if self.points[number].len() > 40 { " scale(.6)" } else { "" };
        self.marker(number, format_args!("translate({x:.1} {y:.1}){small}"), "</g>");
    }

    fn bar(&mut self, number: usize, along_x: f64, ends: [f64; 2]) {
        let line = |[(from, start), (to, end)]: [(f64, f64); 2]| {
            let (x, y) = self.place(from, self.y.at(start));
            let (right, bottom) = self.place(to, self.y.at(end));
            format!("M{x:.1} {y:.1}L{right:.1} {bottom:.1}")
        };
        let mut outline = line(ends.map(|end| (along_x, end)));
        // An error bar that is cut off at the edge of the plot has no cap.
        for end in ends.into_iter().filter(|&end| self.y.covers(end)) {
            outline += &line([-3.5, 3.5].map(|aside| (along_x + aside, end)));
        }
        self.svg.path(&format!("figure-bar {}", colour(number)), format_args!("{outline}"));
    }

    fn tooltip(&self, number: usize, point: Point) -> String {
        let name = &self.chart.series[number].name;
        let colon = if name.is_empty() { "" } else { ": " };
        let x = match &self.chart.x.scale {
            Scale::Category(names) => names[point.x.round().max(0.0) as usize].clone(),
            _ => format!("{} {}", self.chart.x.label, short(point.x)),
        };
        let spread = point.half_width.map(|width| format!(" ± {}", short(width)));
        format!(
            "{name}{colon}{x}; {} {}{}",
            self.chart.y.label,
            short(point.y),
            spread.unwrap_or_default()
        )
    }

    /// Draws the label of the horizontal axis, the legend and the note; returns the y coordinate of
    /// their bottom.
    fn below(&mut self) -> f64 {
        let mut y = self.bottom + 22.0;
        let label = if self.is_rows { &self.chart.y.label } else { &self.chart.x.label };
        for line in wrapped(label, WIDTH - 2.0 * EDGE, 13.0, 2) {
            y += LINE;
            let half = width(&line, 13.0) / 2.0;
            let middle = self.left.midpoint(WIDTH - EDGE).min(WIDTH - EDGE - half).max(EDGE + half);
            self.text("figure-middle", middle, y, &line);
        }
        y = self.legend(y + 6.0);
        for (number, line) in
            wrapped(&self.chart.note, WIDTH - 2.0 * EDGE, 12.0, 6).iter().enumerate()
        {
            y += if number == 0 { 19.0 } else { 15.0 };
            self.text("figure-note", EDGE, y, line);
        }
        y
    }

    /// Draws the legend in columns of equal width; returns the y coordinate of its bottom.
    fn legend(&mut self, above: f64) -> f64 {
        let series = self.chart.series.iter().enumerate();
        let named: Vec<_> = series.filter(|(_, series)| !series.name.is_empty()).collect();
        let room = WIDTH - 2.0 * EDGE;
        let names = named.iter().map(|(_, series)| width(&series.name, 13.0));
        let column = (names.fold(0.0, f64::max) + SAMPLE + 20.0).min(room);
        let rows = named.len().div_ceil(((room / column) as usize).max(1));
        let columns = named.len().div_ceil(rows.max(1));
        for (place, (number, series)) in named.iter().enumerate() {
            let x = EDGE + column * (place % columns) as f64;
            let y = above + 20.0 * (place / columns) as f64 + LINE;
            self.sample(*number, x, y - 4.5);
            let name = shortened(&series.name, room - SAMPLE - 4.0, 13.0);
            self.text("", x + SAMPLE + 4.0, y, &name);
        }
        above + 20.0 * rows as f64
    }

    fn sample(&mut self, number: usize, x: f64, y: f64) {
        if !self.is_rows {
            self.stroke(number, format_args!("M{x:.1} {y:.1}h{SAMPLE}"));
        }
        let middle = x + SAMPLE / 2.0;
        self.marker(number, format_args!("translate({middle:.1} {y:.1})"), "");
    }
}

fn vertical_axis(chart: &Chart) -> &super::Axis {
    if matches!(chart.x.scale, Scale::Category(_)) { &chart.x } else { &chart.y }
}

/// Height of all rows: each has room for two lines of its name and for the dots of all series.
fn rows_height(chart: &Chart, x: &Ruler) -> f64 {
    let lines = x.labels().map(|(_, label)| wrapped(label, NAMES, 13.0, 2).len());
    let lines = lines.max().unwrap_or(1) as f64;
    let row = (15.0 * lines + 10.0).max(10.0 * chart.series.len() as f64 + 8.0);
    row * x.marks.len().max(1) as f64
}

/// The points of a series that have a place on both axes, in order of x; invalid error bars are
/// removed.
fn drawable(chart: &Chart, series: &Series) -> Vec<Point> {
    let points = series.points.iter().copied();
    let has_place = |point: &Point| can_show(&chart.x, point.x) && can_show(&chart.y, point.y);
    let sound = |width: &f64| *width > 0.0 && width.is_finite();
    let mut points: Vec<Point> = points
        .filter(has_place)
        .map(|point| Point { half_width: point.half_width.filter(sound), ..point })
        .collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

/// The values that the y axis has to cover. An error bar that reaches down to almost 0 would
/// stretch a logarithmic axis; there it is cut off at the edge.
fn covered(chart: &Chart, point: &Point) -> [f64; 3] {
    let least = if chart.y.scale == Scale::Log { point.y / 10.0 } else { f64::NEG_INFINITY };
    ends(point).map(|end| end.max(least))
}

/// The value of a point and both ends of its error bar.
fn ends(point: &Point) -> [f64; 3] {
    let half_width = point.half_width.unwrap_or(0.0);
    [point.y - half_width, point.y, point.y + half_width]
}

#[cfg(test)]
mod tests {
    use super::super::Axis;
    use super::*;
    use crate::svg::assert_well_formed;

    fn chart(x: Scale, y: Scale, series: &[&[(f64, f64, f64)]]) -> Chart {
        let axis = |label: &str, scale| Axis { scale, ..Axis::linear(label) };
        let point = |&(x, y, width): &(f64, f64, f64)| Point { x, y, half_width: Some(width) };
        let series = series.iter().enumerate().map(|(number, points)| Series {
            name: format!("series {number}"),
            points: points.iter().map(point).collect(),
        });
        let (title, note) = ("a title".to_owned(), "a note".to_owned());
        Chart {
            title,
            note,
            x: axis("load (%)", x),
            y: axis("wait (s)", y),
            series: series.collect(),
        }
    }

    fn count(text: &str, what: &str) -> usize {
        text.matches(what).count()
    }

    fn names(count: usize) -> Scale {
        Scale::Category((0..count).map(|number| format!("name {number}")).collect())
    }

    #[test]
    fn every_point_has_a_marker_a_bar_and_a_tooltip() {
        let points = [(1.0, 10.0, 2.0), (2.0, 20.0, 0.5)];
        let chart = chart(Scale::Linear, Scale::Linear, &[&points, &points]);
        let svg = svg(&chart, Theme::Paper);
        assert_well_formed(&svg);
        assert!(svg.contains("<title>series 1: load (%) 2; wait (s) 20 ± 0.5</title>"));
        // Markers and lines of the legend are counted too.
        assert_eq!(count(&svg, r#"class="figure-marker"#), 4 + 2);
        assert_eq!(count(&svg, r#"class="figure-bar"#), 4);
        assert_eq!(count(&svg, r#"class="figure-line"#), 2 + 2);
        for text in ["a title", "a note", "load (%)", "wait (s)", "series 0", "series 1"] {
            assert!(svg.contains(&format!(">{text}</text>")), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let bad = [
            (f64::NAN, 1.0, 1.0),
            (1.0, f64::INFINITY, 1.0),
            (1.0, 1e200, 1.0),
            (2.0, -1.0, 1.0),
            (3.0, 0.0, 1.0),
            (4.0, 5.0, f64::NAN),
        ];
        for x in [Scale::Linear, Scale::Log, names(9)] {
            let svg = svg(&chart(x, Scale::Log, &[&bad]), Theme::Page);
            assert_well_formed(&svg);
            assert_eq!(count(&svg, "<g>"), 1);
            assert_eq!(count(&svg, "figure-bar"), 0);
        }
    }

    #[test]
    fn strange_charts_are_well_formed() {
        let same = [(3.0, 7.0, 0.0); 4];
        let huge = [(1e149, -1e149, 1e149), (-1e149, 1e149, 1e300)];
        let zero = [(0.0, 0.0, 5.0)];
        let many: Vec<_> = (0..500).map(|i| (f64::from(i), f64::from(i % 7), 0.1)).collect();
        type Points<'a> = &'a [(f64, f64, f64)];
        let cases: [&[Points<'_>]; 7] =
            [&[], &[&[]], &[&same], &[&huge], &[&zero], &[&many, &same], &[&same[..]; 30]];
        for series in cases {
            for x in [Scale::Linear, Scale::Log, names(0), names(1), names(40)] {
                for y in [Scale::Linear, Scale::Log, names(3)] {
                    for include_zero in [false, true] {
                        let mut chart = chart(x.clone(), y.clone(), series);
                        (chart.x.include_zero, chart.y.include_zero) = (include_zero, include_zero);
                        assert_well_formed(&svg(&chart, Theme::Paper));
                        assert_well_formed(&svg(&chart, Theme::Page));
                    }
                }
            }
        }
    }

    #[test]
    fn hostile_names_stay_text() {
        let evil = "</text><script>alert('1')</script>&\u{0}\"";
        let mut chart =
            chart(Scale::Category(vec![evil.to_owned()]), Scale::Linear, &[&[(0.0, 1.0, 1.0)]]);
        (chart.title, chart.note) = (evil.to_owned(), evil.repeat(40));
        (chart.x.label, chart.y.label) = (evil.repeat(9), evil.to_owned());
        chart.series[0].name = evil.repeat(9);
        for theme in [Theme::Paper, Theme::Page] {
            let svg = svg(&chart, theme);
            assert_well_formed(&svg);
            assert!(!svg.contains("<script"));
        }
    }

    #[test]
    fn charts_share_a_page() {
        let svg = svg(&chart(Scale::Linear, Scale::Linear, &[&[(1.0, 1.0, 1.0)]]), Theme::Page);
        assert!(!svg.contains(" id=") && !svg.contains("<style") && !svg.contains('#'));
        for class in svg.split("class=\"").skip(1) {
            let classes = class.split('"').next().expect("a value").split(' ');
            classes.for_each(|class| assert!(class.starts_with("figure"), "{class}"));
        }
    }

    #[test]
    fn points_at_the_same_x_step_aside() {
        let points = [(1.0, 5.0, 1.0), (2.0, 5.0, 1.0)];
        let of = |points: &[(f64, f64, f64)]| {
            let chart = chart(Scale::Linear, Scale::Linear, &[points; 3]);
            Drawing::new(&chart).shifts()
        };
        assert_eq!(of(&points), [-4.0, 0.0, 4.0]);
        assert_eq!(of(&points.map(|(x, y, _)| (x, y, 0.0))), [0.0; 3]);
        let crowd: Vec<_> = (0..300).map(|i| (f64::from(i), 1.0, 1.0)).collect();
        assert_eq!(of(&crowd), [0.0; 3]);
    }
}

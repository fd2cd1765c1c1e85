//! Named points between two logarithmic axes as SVG: one self-contained file.
//!
//! Values below the lowest decade, such as 0, are drawn on the edge, and their tooltips say so.
//! Every point is labelled. The two kinds of points differ in shape and in colour (two of Okabe and
//! Ito's, which people with any colour vision can distinguish).

use crate::ruler::Ruler;
use crate::svg::{LETTER, MARGIN, Svg, Theme, escaped, heading, style};

/// The contents of a scatter plot.
pub struct Scatter<'a> {
    /// Heading of the plot.
    pub title: &'a str,
    /// A line below the heading.
    pub note: String,
    /// Names of the two kinds of points, for the legend.
    pub kinds: [&'a str; 2],
    /// Horizontal axis.
    pub x: LogAxis<'a>,
    /// Vertical axis.
    pub y: LogAxis<'a>,
    /// The points; earlier ones choose the place of their label first.
    pub points: Vec<Point<'a>>,
}

/// A logarithmic axis over whole decades.
pub struct LogAxis<'a> {
    /// Name of the measured value.
    pub label: &'a str,
    /// Exponent of the lowest power of ten shown.
    pub floor: i32,
    /// Formats a power of ten on the axis.
    pub mark: fn(f64) -> String,
    /// Formats the value of a point in its tooltip.
    pub value: fn(f64) -> String,
}

/// A labelled point.
pub struct Point<'a> {
    /// Text beside the point and in its tooltip.
    pub name: &'a str,
    /// Whether it is of the second of [`Scatter::kinds`].
    pub is_second: bool,
    /// Value on the x axis.
    pub x: f64,
    /// Value on the y axis.
    pub y: f64,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 620.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 28.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = HEIGHT - 60.0;
const LINE: f64 = 13.0;

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

/// The plot as SVG.
pub fn svg(scatter: &Scatter<'_>) -> String {
    let [across, up] = [&scatter.x, &scatter.y];
    let x = Ruler::decades(scatter.points.iter().map(|point| point.x), across.floor, across.mark);
    let y = Ruler::decades(scatter.points.iter().map(|point| point.y), up.floor, up.mark);
    let (x, y) = (x.between(LEFT, RIGHT), y.between(BOTTOM, TOP));
    let places: Vec<(f64, f64)> =
        scatter.points.iter().map(|point| (x.at(point.x), y.at(point.y))).collect();
    let mut svg = Svg::default();
    heading(&mut svg, scatter.title, [&scatter.note].into_iter());
    legend(&mut svg, scatter.kinds);
    axes(&mut svg, (&x, across.label), (&y, up.label));
    let names: Vec<&str> = scatter.points.iter().map(|point| point.name).collect();
    labels(&mut svg, &names, &places);
    for (point, &place) in scatter.points.iter().zip(&places) {
        let edge = if y.covers(point.y) { "" } else { " (drawn at the edge)" };
        let (name, along) = (escaped(point.name), (across.value)(point.x));
        let value = (up.value)(point.y);
        let tooltip = format!("<title>{name}: {value}{edge}, {along}</title>");
        svg.line(format_args!("{}", marker(point.is_second, place, &tooltip)));
    }
    svg.finish(None, [WIDTH, HEIGHT], scatter.title, Some(&style(Theme::Paper)))
}

fn legend(svg: &mut Svg, kinds: [&str; 2]) {
    let mut x = MARGIN + 6.0;
    for (kind, is_second) in kinds.into_iter().zip([false, true]) {
        svg.line(format_args!("{}", marker(is_second, (x, 67.0), "")));
        svg.text("", format_args!(r#"x="{}" y="71""#, x + 11.0), kind);
        x += 28.5 + LETTER * kind.chars().count() as f64;
    }
}

/// A dot or a square, with a tooltip unless that is empty.
fn marker(is_second: bool, (x, y): (f64, f64), tooltip: &str) -> String {
    let (left, top) = (x - 4.5, y - 4.5);
    match is_second {
        false => {
            format!(r#"<circle class="dot" cx="{x:.1}" cy="{y:.1}" r="4.5">{tooltip}</circle>"#)
        }
        true => format!(
            r#"<rect class="square" x="{left:.1}" y="{top:.1}" width="9" height="9">{tooltip}</rect>"#
        ),
    }
}

fn axes(svg: &mut Svg, (time, below): (&Ruler, &str), (gap, beside): (&Ruler, &str)) {
    for (x, label) in time.labels() {
        svg.path("grid", format_args!("M{x:.1} {TOP}V{BOTTOM}"));
        svg.text("middle", format_args!(r#"x="{x:.1}" y="{}""#, BOTTOM + 18.0), label);
    }
    for (y, label) in gap.labels() {
        svg.path("grid", format_args!("M{LEFT} {y:.1}H{RIGHT}"));
        svg.text("end", format_args!(r#"x="{}" y="{:.1}""#, LEFT - 8.0, y + 4.0), label);
    }
    svg.path("axis", format_args!("M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"));
    let (x, y) = (LEFT.midpoint(RIGHT), TOP.midpoint(BOTTOM));
    svg.text("note middle", format_args!(r#"x="{x}" y="{}""#, BOTTOM + 42.0), below);
    svg.text("note middle", format_args!(r#"transform="translate(18 {y}) rotate(-90)""#), beside);
}

/// Draws each label at the first free place around its point; a label away from its point is
/// connected by a line.
fn labels(svg: &mut Svg, names: &[&str], points: &[(f64, f64)]) {
    let mut taken: Vec<Area> =
        points.iter().map(|(x, y)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
    let paper = [LEFT, TOP - 12.0, WIDTH - 4.0, BOTTOM];
    for (name, &(x, y)) in names.iter().zip(points) {
        let width = name.chars().count() as f64 * LETTER;
        let places = places((x, y), width);
        let is_free = |area: &Area| {
            is_within(*area, paper) && taken.iter().all(|other| !overlap(*area, *other))
        };
        let area = places.iter().copied().find(is_free).unwrap_or(places[0]);
        taken.push(area);
        let middle = area[1].midpoint(area[3]);
        if (middle - y).abs() > 1.5 * LINE || area[0] > x + 20.0 {
            let end = area[0].max(x.min(area[2]));
            svg.path("lead", format_args!("M{x:.1} {y:.1}L{end:.1} {middle:.1}"));
        }
        svg.text("", format_args!(r#"x="{:.1}" y="{:.1}""#, area[0], area[3] - 3.0), name);
    }
}

/// Candidate places of a label: right of the point, left of it, above, below, then the same farther
/// away.
fn places((x, y): (f64, f64), width: f64) -> Vec<Area> {
    let at =
        |left: f64, middle: f64| [left, middle - LINE / 2.0, left + width, middle + LINE / 2.0];
    let (right, left, centre) = (x + 8.0, x - 8.0 - width, x - width / 2.0);
    let mut places = Vec::new();
    for away in 0..24 {
        let shift = f64::from(away) * LINE / 2.0;
        for y in [y - shift, y + shift] {
            places.extend([at(right, y), at(left, y)]);
        }
        let clear = LINE + shift;
        places.extend([at(centre, y - clear), at(centre, y + clear)]);
    }
    places
}

fn overlap(a: Area, b: Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn is_within(a: Area, paper: Area) -> bool {
    a[0] >= paper[0] && a[1] >= paper[1] && a[2] <= paper[2] && a[3] <= paper[3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::assert_well_formed;

    #[test]
    fn zeros_and_crowds_are_drawn() {
        let shown = |value: f64| format!("{value} s");
        let axis =
            |label| LogAxis { label, floor: -3, mark: |value| value.to_string(), value: shown };
        let point = |(number, &(x, y)): (usize, &(f64, f64))| Point {
            name: ["MCT", "<Min-Min>", "Max-Min", "GA"][number],
            is_second: number == 3,
            x,
            y,
        };
        let crowd = [(1e-3, 10.0), (1e-3, 10.0), (0.0, 0.0), (2.0, 0.0)];
        let xml = svg(&Scatter {
            title: "a < b",
            note: "a note".to_owned(),
            kinds: ["fast", "slow"],
            x: axis("time"),
            y: axis("gap"),
            points: crowd.iter().enumerate().map(point).collect(),
        });
        assert_well_formed(&xml);
        assert!(xml.contains("a &lt; b") && xml.contains("GA: 0 s (drawn at the edge), 2 s"));
        for name in ["MCT", "&lt;Min-Min&gt;", "Max-Min", "GA"] {
            assert!(xml.contains(&format!(">{name}</text>")));
        }
    }

    #[test]
    fn labels_do_not_overlap() {
        let points: Vec<_> = (0..12).map(|i| (400.0 + f64::from(i), 300.0)).collect();
        let mut svg = Svg::default();
        labels(&mut svg, &["Min-Min"; 12], &points);
        let out = svg.finish(None, [1.0; 2], "", None);
        let mut places: Vec<&str> = out.lines().filter(|line| line.starts_with("<text")).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 12);
    }
}

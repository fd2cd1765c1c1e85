//! Gap over time as SVG: one self-contained file.
//!
//! Both axes are logarithmic. What lies below the lowest decade, such as a gap of zero, is drawn on the
//! edge and said to be at most that. Every algorithm is labelled; heuristics and searches also differ in
//! shape and in colour, two of Okabe and Ito's that people with any colour vision tell apart.

use std::fmt::{self, Write};

use super::{Algorithm, Tally};
use gridsat_draw::figure::escaped;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 620.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 60.0;
/// Pixels of a letter at 12 pixels, with some to spare.
const LETTER: f64 = 7.0;
const LINE: f64 = 13.0;

const STYLE: &str = "\
text{font:12px 'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#222}\
.title{font-size:18px;font-weight:bold}\
.note{fill:#555}\
.grid{stroke:#ddd}\
.axis{stroke:#555;fill:none}\
.lead{stroke:#999;stroke-width:.7}\
.fast{fill:#0072B2}\
.search{fill:#D55E00}\
.end{text-anchor:end}\
.middle{text-anchor:middle}";

/// A logarithmic axis over whole decades.
struct Axis {
    /// Exponents of ten at its ends.
    low: i32,
    high: i32,
    start: f64,
    end: f64,
}

impl Axis {
    /// Covers the values, but nothing below `floor`.
    fn over(values: impl Iterator<Item = f64>, floor: i32, start: f64, end: f64) -> Self {
        let exponents = values.filter(|&value| value > 0.0).map(f64::log10);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        exponents.for_each(|exponent| {
            least = least.min(exponent);
            most = most.max(exponent);
        });
        if least > most {
            (least, most) = (0.0, 0.0);
        }
        let low = (least.floor() as i32).max(floor);
        let high = (most.ceil() as i32).max(low + 1);
        Self { low, high, start, end }
    }

    fn is_below(&self, value: f64) -> bool {
        value < 10_f64.powi(self.low)
    }

    fn at(&self, value: f64) -> f64 {
        let exponent = value.max(10_f64.powi(self.low)).log10();
        let share = (exponent - f64::from(self.low)) / f64::from(self.high - self.low);
        self.start + share * (self.end - self.start)
    }

    fn marks(&self) -> impl Iterator<Item = f64> + use<> {
        (self.low..=self.high).map(|exponent| 10_f64.powi(exponent))
    }
}

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

struct Point {
    title: &'static str,
    is_search: bool,
    x: f64,
    y: f64,
    /// The numbers, for the tooltip.
    seconds: f64,
    per_cent: f64,
}

/// Mean gap over mean time of each algorithm, with a heading.
pub fn plot(algorithms: &[Algorithm], tally: &Tally, title: &str) -> String {
    let mut out = String::new();
    write(&mut out, algorithms, tally, title).expect("writing to a string does not fail");
    out
}

fn write(out: &mut String, algorithms: &[Algorithm], tally: &Tally, title: &str) -> fmt::Result {
    let (seconds, gaps) =
        (tally.rows.iter().map(|row| row.seconds), tally.rows.iter().map(|row| row.gap.mean));
    let time = Axis::over(seconds, -7, LEFT, WIDTH - RIGHT);
    let gap = Axis::over(gaps.map(|gap| 100.0 * gap), -3, HEIGHT - BOTTOM, TOP);
    write_head(out, tally, title)?;
    write_axes(out, &time, &gap)?;
    let points: Vec<Point> = tally
        .rows
        .iter()
        .map(|row| {
            let algorithm = algorithms[row.algorithm];
            let per_cent = 100.0 * row.gap.mean;
            Point {
                title: algorithm.title(),
                is_search: algorithm.is_search(),
                x: time.at(row.seconds),
                y: gap.at(per_cent),
                seconds: row.seconds,
                per_cent,
            }
        })
        .collect();
    write_labels(out, &points)?;
    for point in &points {
        write_point(out, point, &gap)?;
    }
    writeln!(out, "</svg>")
}

fn write_head(out: &mut String, tally: &Tally, title: &str) -> fmt::Result {
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">"#
    )?;
    let title = escaped(title);
    writeln!(out, "<title>{title}</title>\n<style>{STYLE}</style>")?;
    writeln!(out, r##"<path fill="#fff" d="M0 0H{WIDTH}V{HEIGHT}H0Z"/>"##)?;
    writeln!(out, r#"<text class="title" x="16" y="28">{title}</text>"#)?;
    let Tally { instances, open, .. } = tally;
    let bound = match open {
        0 => String::new(),
        _ => format!("; {open} without proven optimum, there to the lower bound"),
    };
    writeln!(
        out,
        r#"<text class="note" x="16" y="48">means over {instances} instances{bound}</text>"#
    )?;
    writeln!(
        out,
        r#"<circle class="fast" cx="22" cy="67" r="4.5"/><text x="33" y="71">heuristic</text><rect class="search" x="109" y="62.5" width="9" height="9"/><text x="125" y="71">search</text>"#
    )
}

fn write_axes(out: &mut String, time: &Axis, gap: &Axis) -> fmt::Result {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for mark in time.marks() {
        let x = time.at(mark);
        writeln!(out, r#"<path class="grid" d="M{x:.1} {TOP}V{bottom}"/>"#)?;
        let (y, label) = (bottom + 18.0, seconds(mark));
        writeln!(out, r#"<text class="middle" x="{x:.1}" y="{y}">{label}</text>"#)?;
    }
    for mark in gap.marks() {
        let y = gap.at(mark);
        writeln!(out, r#"<path class="grid" d="M{LEFT} {y:.1}H{right}"/>"#)?;
        let (x, y) = (LEFT - 8.0, y + 4.0);
        writeln!(out, r#"<text class="end" x="{x}" y="{y:.1}">{mark} %</text>"#)?;
    }
    writeln!(out, r#"<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>"#)?;
    let (x, y) = (LEFT.midpoint(right), bottom + 42.0);
    writeln!(out, r#"<text class="note middle" x="{x}" y="{y}">mean time of a run</text>"#)?;
    let y = TOP.midpoint(bottom);
    writeln!(
        out,
        r#"<text class="note middle" transform="translate(18 {y}) rotate(-90)">mean gap to the optimum</text>"#
    )
}

/// A power of ten in the unit people use for it.
fn seconds(value: f64) -> String {
    let (factor, unit) = match value {
        small if small < 0.9e-3 => (1e6, "µs"),
        small if small < 0.9 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    let number = value * factor;
    if number < 0.9 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

fn write_point(out: &mut String, point: &Point, gap: &Axis) -> fmt::Result {
    let Point { x, y, seconds, per_cent, .. } = *point;
    let most = if gap.is_below(per_cent) { " (drawn at the edge)" } else { "" };
    let title = escaped(point.title);
    let tooltip = format!("<title>{title}: {per_cent:.4} %{most}, {seconds:.6} s</title>");
    if point.is_search {
        let (left, top) = (x - 4.5, y - 4.5);
        return writeln!(
            out,
            r#"<rect class="search" x="{left:.1}" y="{top:.1}" width="9" height="9">{tooltip}</rect>"#
        );
    }
    writeln!(out, r#"<circle class="fast" cx="{x:.1}" cy="{y:.1}" r="4.5">{tooltip}</circle>"#)
}

/// Each label goes to the first free place around its point; one that ends up away from it gets a line.
fn write_labels(out: &mut String, points: &[Point]) -> fmt::Result {
    let mut taken: Vec<Area> =
        points.iter().map(|p| [p.x - 5.0, p.y - 5.0, p.x + 5.0, p.y + 5.0]).collect();
    let paper = [LEFT, TOP - 12.0, WIDTH - 4.0, HEIGHT - BOTTOM];
    for point in points {
        let width = point.title.chars().count() as f64 * LETTER;
        let places = places(point, width);
        let is_free = |area: &Area| {
            is_within(*area, paper) && taken.iter().all(|other| !overlap(*area, *other))
        };
        let area = places.iter().copied().find(is_free).unwrap_or(places[0]);
        taken.push(area);
        let middle = area[1].midpoint(area[3]);
        if (middle - point.y).abs() > 1.5 * LINE || area[0] > point.x + 20.0 {
            let (x, y) = (area[0].max(point.x.min(area[2])), middle);
            writeln!(
                out,
                r#"<path class="lead" d="M{:.1} {:.1}L{x:.1} {y:.1}"/>"#,
                point.x, point.y
            )?;
        }
        let (x, y, title) = (area[0], area[3] - 3.0, escaped(point.title));
        writeln!(out, r#"<text x="{x:.1}" y="{y:.1}">{title}</text>"#)?;
    }
    Ok(())
}

/// Right of the point, left of it, above, below, then the same farther away.
fn places(point: &Point, width: f64) -> Vec<Area> {
    let at =
        |left: f64, middle: f64| [left, middle - LINE / 2.0, left + width, middle + LINE / 2.0];
    let (right, left, centre) = (point.x + 8.0, point.x - 8.0 - width, point.x - width / 2.0);
    let mut places = Vec::new();
    for away in 0..24 {
        let shift = f64::from(away) * LINE / 2.0;
        for y in [point.y - shift, point.y + shift] {
            places.extend([at(right, y), at(left, y)]);
        }
        let clear = LINE + shift;
        places.extend([at(centre, point.y - clear), at(centre, point.y + clear)]);
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
    use crate::bench::Row;
    use gridsat_statistics::Summary;

    fn tally(points: &[(f64, f64)]) -> Tally {
        let row = |(algorithm, &(seconds, gap)): (usize, &(f64, f64))| Row {
            algorithm,
            gap: Summary::of(&[gap]),
            worst_gap: gap,
            optimal: 0,
            wins: 0,
            rank: 1.0,
            seconds,
            versus: None,
        };
        Tally { instances: 1, open: 0, rows: points.iter().enumerate().map(row).collect() }
    }

    #[test]
    fn zeros_and_crowds_are_drawn() {
        let algorithms = Algorithm::choose("mct,minmin,maxmin,ga").expect("known");
        let crowd = [(1e-3, 0.1), (1e-3, 0.1), (0.0, 0.0), (2.0, 0.0)];
        let svg = plot(&algorithms, &tally(&crowd), "a < b");
        roxmltree::Document::parse(&svg).expect("well-formed");
        assert!(svg.contains("a &lt; b"));
        for algorithm in algorithms {
            assert!(svg.contains(&format!(">{}</text>", algorithm.title())));
        }
    }

    #[test]
    fn labels_do_not_overlap() {
        let point = |x| Point {
            title: "Min-Min",
            is_search: false,
            x,
            y: 300.0,
            seconds: 1.0,
            per_cent: 1.0,
        };
        let mut out = String::new();
        let points: Vec<Point> = (0..12).map(|i| point(400.0 + f64::from(i))).collect();
        write_labels(&mut out, &points).expect("memory");
        let mut places: Vec<&str> = out.lines().filter(|line| line.starts_with("<text")).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 12);
    }

    #[test]
    fn an_axis_ends_at_decades() {
        let axis = Axis::over([0.0, 0.02, 30.0].into_iter(), -9, 0.0, 400.0);
        assert_eq!((axis.low, axis.high), (-2, 2));
        assert_eq!((axis.at(0.01), axis.at(0.0), axis.at(100.0)), (0.0, 0.0, 400.0));
        assert_eq!([1e-5, 1e-1, 1.0].map(seconds), ["10 µs", "100 ms", "1 s"]);
    }
}

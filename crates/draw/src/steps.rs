//! Step curves over logarithmic time as SVG: how many of several things are done by when.
//!
//! Colours are those of Okabe and Ito; with more curves than colours the others are dashed. The
//! legend is ordered by the final value of the curves and shows it, because their ends are often
//! too close to tell apart.

use crate::number::short;
use crate::ruler::Ruler;
use crate::svg::{LETTER, Svg, Theme, heading, style};
use gridsat_model::{Scale, Ticks};

/// The contents of the plot.
pub struct Steps {
    /// Heading of the plot; may be empty.
    pub title: String,
    /// Label of the time axis, with its unit.
    pub x: String,
    /// Label of the other axis.
    pub y: String,
    /// The time axis reaches at least to this time.
    pub limit: f64,
    /// The curves. Their order determines their colours.
    pub curves: Vec<Curve>,
}

/// A curve that rises by one at each of its times.
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// When things are done, in any order; values that are not above 0 are drawn at the left edge.
    pub times: Vec<f64>,
    /// Number of things, done or not.
    pub of: usize,
}

const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555"];
const DASHES: [&str; 3] = ["none", "6 3", "2 3"];
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = HEIGHT - 54.0;
/// From the edge of the plot to the text of the legend.
const KEY: f64 = 44.0;

/// The plot as SVG.
pub fn svg(steps: &Steps) -> String {
    let right = WIDTH - KEY - 12.0 - LETTER * longest_entry(&steps.curves) as f64;
    let times = steps.curves.iter().flat_map(|curve| curve.times.iter().copied());
    let x = Ruler::decades(times.chain([steps.limit]), -3, short).between(LEFT, right);
    let most = steps.curves.iter().map(|curve| curve.of).max().unwrap_or(1).max(1);
    let y = Ruler::time(Ticks(most as u64), Scale::default()).between(BOTTOM, TOP);
    let mut svg = Svg::default();
    heading(&mut svg, &steps.title, std::iter::empty());
    axes(&mut svg, steps, (&x, &y), right);
    let mut ranked: Vec<(usize, &Curve)> = steps.curves.iter().enumerate().collect();
    ranked.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
    for (place, (index, curve)) in ranked.into_iter().enumerate() {
        draw(&mut svg, curve, stroke(index), (&x, &y), right);
        let (left, top) = (right + 14.0, TOP + 10.0 + 20.0 * place as f64);
        let line = stroke(index);
        svg.line(format_args!(r#"<path d="M{left:.1} {top:.1}h22" fill="none" {line}/>"#));
        let at = format!(r#"x="{:.1}" y="{:.1}""#, left + KEY - 14.0, top + 4.0);
        svg.text("", format_args!("{at}"), &entry(curve));
    }
    svg.finish(None, [WIDTH, HEIGHT], &steps.title, Some(&style(Theme::Paper)))
}

fn share(curve: &Curve) -> f64 {
    curve.times.len() as f64 / curve.of.max(1) as f64
}

fn entry(curve: &Curve) -> String {
    format!("{}  {}/{}", curve.name, curve.times.len(), curve.of)
}

fn longest_entry(curves: &[Curve]) -> usize {
    curves.iter().map(|curve| entry(curve).chars().count()).max().unwrap_or(0).min(48)
}

fn stroke(index: usize) -> String {
    let (colour, dash) = (COLOURS[index % 7], DASHES[index / 7 % 3]);
    format!(r#"stroke="{colour}" stroke-dasharray="{dash}" stroke-width="2""#)
}

fn axes(svg: &mut Svg, steps: &Steps, (x, y): (&Ruler, &Ruler), right: f64) {
    for (at, label) in x.labels() {
        svg.path("grid", format_args!("M{at:.1} {TOP}V{BOTTOM}"));
        svg.text("middle", format_args!(r#"x="{at:.1}" y="{}""#, BOTTOM + 18.0), label);
    }
    for (at, label) in y.labels() {
        svg.path("grid", format_args!("M{LEFT} {at:.1}H{right:.1}"));
        svg.text("end", format_args!(r#"x="{}" y="{:.1}""#, LEFT - 8.0, at + 4.0), label);
    }
    svg.path("axis", format_args!("M{LEFT} {TOP}V{BOTTOM}H{right:.1}"));
    let (middle, centre) = (LEFT.midpoint(right), TOP.midpoint(BOTTOM));
    svg.text("note middle", format_args!(r#"x="{middle:.1}" y="{}""#, BOTTOM + 40.0), &steps.x);
    let turned = format!(r#"transform="translate(18 {centre}) rotate(-90)""#);
    svg.text("note middle", format_args!("{turned}"), &steps.y);
}

fn draw(svg: &mut Svg, curve: &Curve, stroke: String, (x, y): (&Ruler, &Ruler), right: f64) {
    let mut times = curve.times.clone();
    times.sort_by(f64::total_cmp);
    let Some(first) = times.first() else { return };
    let mut path = format!("M{:.1} {:.1}", x.at(*first), y.at(0.0));
    for (count, time) in times.iter().enumerate() {
        path += &format!("H{:.1}V{:.1}", x.at(*time), y.at(count as f64 + 1.0));
    }
    path += &format!("H{right:.1}");
    svg.line(format_args!(r#"<path d="{path}" fill="none" stroke-linejoin="round" {stroke}/>"#));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::assert_well_formed;

    #[test]
    fn curves_rise_and_the_legend_counts() {
        let curve = |name: &str, times: &[f64], of| Curve {
            name: name.to_owned(),
            times: times.to_vec(),
            of,
        };
        let xml = svg(&Steps {
            title: "a < b".to_owned(),
            x: "CPU seconds".to_owned(),
            y: "proven".to_owned(),
            limit: 60.0,
            curves: vec![
                curve("slow", &[50.0, 2.0], 3),
                curve("fast", &[0.0, 0.002, 0.02], 3),
                curve("none", &[], 3),
            ],
        });
        assert_well_formed(&xml);
        let entries: Vec<&str> = ["fast  3/3", "slow  2/3", "none  0/3"]
            .into_iter()
            .filter(|e| xml.contains(e))
            .collect();
        assert_eq!(entries.len(), 3);
        assert!(xml.find("fast  3/3") < xml.find("slow  2/3"), "in order of what is done");
        let is_curve = |line: &&str| line.contains("stroke-linejoin") && line.contains("#D55E00");
        let path = xml.lines().find(is_curve).expect("a curve");
        assert_eq!(path.matches('V').count(), 3, "{path}");
        assert_well_formed(&svg(&Steps {
            title: String::new(),
            x: String::new(),
            y: String::new(),
            limit: 0.0,
            curves: Vec::new(),
        }));
    }
}

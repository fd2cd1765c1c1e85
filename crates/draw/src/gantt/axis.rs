//! The time axis below a chart, and drawing along it.

use crate::ruler::Ruler;
use crate::svg::Svg;
use gridsat_model::{Scale, Ticks};

/// Width of the time axis in pixels.
pub(super) const PLOT: f64 = 960.0;
/// Height of the axis with its labels, in pixels.
pub(super) const FOOT: f64 = 48.0;
/// Estimated width of a letter on a bar, in pixels; an upper estimate.
const SMALL_LETTER: f64 = 6.2;

pub(super) struct TimeAxis {
    ruler: Ruler,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl TimeAxis {
    /// An axis from 0 to `span` below a plot that reaches from `top` to `bottom`.
    pub fn new(span: Ticks, scale: Scale, left: f64, top: f64, bottom: f64) -> Self {
        let right = left + PLOT;
        let ruler = Ruler::time(span, scale).between(left, right);
        Self { ruler, left, right, top, bottom }
    }

    pub fn x(&self, time: Ticks) -> f64 {
        self.ruler.at(time.as_f64())
    }

    pub fn draw(&self, svg: &mut Svg, title: &str) {
        let Self { left, right, top, bottom, .. } = *self;
        for (x, label) in self.ruler.labels() {
            svg.path("grid", format_args!("M{x:.2} {top:.0}V{:.0}", bottom + 5.0));
            let y = bottom + 19.0;
            svg.text("middle", format_args!(r#"x="{x:.2}" y="{y:.0}""#), label);
        }
        svg.path("axis", format_args!("M{left:.2} {bottom:.0}H{right:.2}"));
        let (x, y) = (left + PLOT / 2.0, bottom + 38.0);
        svg.text("note middle", format_args!(r#"x="{x:.2}" y="{y:.0}""#), title);
    }

    /// Draws a vertical line with its label to the left of its top, or to the right near the start
    /// of the axis.
    pub fn mark(&self, svg: &mut Svg, class: &str, label: &str, time: Ticks, y: f64) {
        let x = self.x(time);
        for class in ["halo", class] {
            svg.path(class, format_args!("M{x:.2} {:.0}V{:.0}", y - 10.0, self.bottom));
        }
        let is_late = x > self.left + PLOT / 2.0;
        let (anchor, x) = if is_late { ("end", x - 5.0) } else { ("start", x + 5.0) };
        svg.text(anchor, format_args!(r#"x="{x:.2}" y="{y:.0}""#), label);
    }
}

/// Draws the name of a bar (left, top, width, height) if it fits.
pub(super) fn name_inside(
    svg: &mut Svg,
    name: &str,
    letters: &str,
    [x, y, width, height]: [f64; 4],
) {
    if name.chars().count() as f64 * SMALL_LETTER + 4.0 <= width {
        let (x, y) = (x + width / 2.0, y + height / 2.0 + 3.5);
        svg.text("in", format_args!(r#"x="{x:.2}" y="{y:.1}" style="fill:{letters}""#), name);
    }
}

/// Defines diagonal stripes on a background of this colour, used as `fill="url(#hatch)"`.
pub(super) fn hatching(svg: &mut Svg, ground: &str) {
    svg.line(format_args!(
        r##"<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path fill="{ground}" d="M0 0H6V6H0Z"/><path d="M0 0V6" stroke="#888" stroke-width="2"/></pattern></defs>"##
    ));
}

//! Line charts and dot plots with error bars as SVG, for reports and papers.
//!
//! ```text
//! Chart ──► ruler: which values, which marks ──► drawing: where everything goes ◄── style: how it looks
//! ```
//!
//! Series differ in colour (Okabe and Ito), marker and dashes, so that they survive colour
//! blindness and grey print. A chart is 480 units wide with letters of 13, and the legend is below
//! the plot: scaled to a phone or to a column of a paper it can still be read. Categories are rows
//! with their names on the left, however long.
//!
//! The same chart gives the same bytes. What cannot be drawn is left out: points that are not
//! finite, and on a logarithmic axis those not above 0; error bars end at the edge of the plot. A
//! line goes on between the points that are left, in the order of x.
//!
//! Not here: bars in stacks, second axes, anything that moves.

mod drawing;
mod style;

pub use drawing::svg;
pub use style::PAGE_STYLE;

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The heading; may be empty.
    pub title: String,
    /// Below everything, such as what the error bars are; may be empty.
    pub note: String,
    /// What is varied.
    pub x: Axis,
    /// What is measured.
    pub y: Axis,
    /// In the order of the legend. More than twelve begin to repeat markers.
    pub series: Vec<Series>,
}

/// One of the two directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// With its unit in parentheses: "makespan (s)".
    pub label: String,
    /// How values become places.
    pub scale: Scale,
    /// Whether 0 must be visible; a logarithmic axis has none.
    pub include_zero: bool,
}

/// How values become places.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// In proportion.
    Linear,
    /// Each tenfold takes the same room.
    Log,
    /// Value i is the i-th of these names, from 0. On x, the chart becomes rows.
    Category(Vec<String>),
}

/// What is drawn in one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// In the legend; without a name it is not in the legend.
    pub name: String,
    /// In any order.
    pub points: Vec<Point>,
}

/// A value with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where on the axis of x.
    pub x: f64,
    /// Where on the axis of y.
    pub y: f64,
    /// The error bar reaches from y - this to y + this.
    pub half_width: Option<f64>,
}

impl Axis {
    /// A linear axis that need not show 0.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, include_zero: false }
    }
}

//! Line charts and dot plots with error bars as SVG, for reports and papers.
//!
//! ```text
//! Chart ──► ruler: values and marks ──► drawing: layout ◄── style: colours, markers, fonts
//! ```
//!
//! Series differ in colour (the palette of Okabe and Ito), marker and dashes, so that they remain
//! distinguishable for colour-blind readers and in grey print. A chart is 480 units wide, with a
//! font size of 13 and the legend below the plot, so that it stays readable on a phone or in a
//! column of a paper. Categories are drawn as rows with their names on the left.
//!
//! The same chart gives the same bytes. Points that cannot be drawn are left out: those that are
//! not finite and, on a logarithmic axis, those not above 0. Error bars end at the edge of the
//! plot. A line connects the remaining points in order of x.
//!
//! Not supported: stacked bars, second axes, animation.

mod drawing;
mod style;

pub use drawing::svg;
pub use style::PAGE_STYLE;

/// The contents of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The heading; may be empty.
    pub title: String,
    /// Text below the chart, such as what the error bars mean; may be empty.
    pub note: String,
    /// Axis of the varied parameter.
    pub x: Axis,
    /// Axis of the measured value.
    pub y: Axis,
    /// In order of the legend. Markers repeat after twelve series.
    pub series: Vec<Series>,
}

/// A horizontal or vertical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label with the unit in parentheses: "makespan (s)".
    pub label: String,
    /// How values are mapped to positions.
    pub scale: Scale,
    /// Whether the axis must cover 0; ignored on a logarithmic axis.
    pub include_zero: bool,
}

/// How values are mapped to positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Proportional to the value.
    Linear,
    /// Proportional to the logarithm.
    Log,
    /// Value i stands for the i-th of these names, from 0. On x, the chart is drawn as rows.
    Category(Vec<String>),
}

/// Points drawn in one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend; a series without a name is not in the legend.
    pub name: String,
    /// The points, in any order.
    pub points: Vec<Point>,
}

/// A measured value with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Value on the x axis.
    pub x: f64,
    /// Value on the y axis.
    pub y: f64,
    /// Half of the length of the error bar, which reaches from y - `half_width` to y +
    /// `half_width`.
    pub half_width: Option<f64>,
}

impl Axis {
    /// A linear axis that need not show 0.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, include_zero: false }
    }
}

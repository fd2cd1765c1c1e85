//! Charts and Gantt charts as SVG and text.

pub mod figure;
pub mod gantt;

//! Pictures as SVG and text, and numbers as people read them.
//!
//! | picture | of |
//! | --- | --- |
//! | [`chart`] | measured values with error bars over a parameter |
//! | [`scatter`] | named points between two logarithmic axes |
//! | [`gantt`] | what runs where and when: a mapping, or a simulated run |
//!
//! Each picture is data first, then drawn by a function without side effects: the same data gives
//! the same bytes. All share one document writer and one axis.
//!
//! Not here: what is drawn and why, and files. May name `gridsat-model` only.

pub mod chart;
pub mod gantt;
pub mod number;
mod ruler;
pub mod scatter;
mod svg;
mod text;

pub use svg::{Theme, escaped};

//! Charts as SVG and text, and numbers formatted for people.
//!
//! | picture | shows |
//! | --- | --- |
//! | [`chart`] | measured values with error bars over a parameter |
//! | [`scatter`] | named points between two logarithmic axes |
//! | [`steps`] | how many of several things are done by when |
//! | [`gantt`] | which task runs where and when: a mapping, or a simulated run |
//!
//! Each picture is a data structure, drawn by a pure function: the same data gives the same bytes.
//! All pictures share one SVG writer and one axis.
//!
//! The crate writes no files. Depends on `gridsat-model` only.

pub mod chart;
pub mod gantt;
pub mod number;
mod ruler;
pub mod scatter;
pub mod steps;
mod svg;
mod text;

pub use svg::{Theme, escaped};

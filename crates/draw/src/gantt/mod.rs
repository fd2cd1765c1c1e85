//! Pictures of schedules: a mapping for the terminal ([`text`]) and for the browser ([`svg`]), and a
//! [run] that was simulated.
//!
//! A mapping says where tasks run, not in which order; both views of it run the tasks of a host in
//! task order from its ready time, without gaps.

mod paper;
pub mod run;
mod svg;
mod text;
mod timeline;

pub use svg::{SvgOptions, svg};
pub use text::text;

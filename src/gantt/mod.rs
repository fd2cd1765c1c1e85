//! A mapping as a picture: for the terminal ([`text`]) and for the browser ([`svg`]).
//!
//! A mapping says where tasks run, not in which order; both views run the tasks of a host in task
//! order from its ready time, without gaps.

mod svg;
mod text;
mod timeline;

pub use svg::{SvgOptions, svg};
pub use text::text;

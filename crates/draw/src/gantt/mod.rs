//! Gantt charts: of a mapping for the terminal ([`text`]) and for the browser ([`svg`]), and of a
//! simulated run ([`schedule`]).
//!
//! A mapping gives the host of each task, not the order. Both views run the tasks of a host in task
//! order from its ready time, without gaps.
//!
//! The colours are those of Okabe and Ito, which people with any colour vision can distinguish.

mod axis;
mod mapping;
pub mod schedule;
mod text;
mod timeline;

pub use mapping::{SvgOptions, svg};
pub use text::{MOST_HOSTS, text};
pub use timeline::latest_hosts;

/// Fill colours, each with a text colour that is readable on it.
const COLOURS: [(&str, &str); 7] = [
    ("#56B4E9", "#000"),
    ("#E69F00", "#000"),
    ("#009E73", "#000"),
    ("#F0E442", "#000"),
    ("#0072B2", "#fff"),
    ("#D55E00", "#000"),
    ("#CC79A7", "#000"),
];

/// Longest name of a host or resource, in characters; longer ones are shortened.
const LONGEST_NAME: usize = 24;

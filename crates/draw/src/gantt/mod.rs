//! What runs where and when: a mapping for the terminal ([`text`]) and for the browser ([`svg`]),
//! and a simulated run ([`schedule`]).
//!
//! A mapping says where tasks run, not in which order; both views of it run the tasks of a host in
//! task order from its ready time, without gaps.
//!
//! The colours are those of Okabe and Ito, which people with any colour vision tell apart.

mod axis;
mod mapping;
pub mod schedule;
mod text;
mod timeline;

pub use mapping::{SvgOptions, svg};
pub use text::text;

/// Fill and the colour of letters on it.
const COLOURS: [(&str, &str); 7] = [
    ("#56B4E9", "#000"),
    ("#E69F00", "#000"),
    ("#009E73", "#000"),
    ("#F0E442", "#000"),
    ("#0072B2", "#fff"),
    ("#D55E00", "#000"),
    ("#CC79A7", "#000"),
];

/// Names of hosts and resources have at most this many letters.
const LONGEST_NAME: usize = 24;

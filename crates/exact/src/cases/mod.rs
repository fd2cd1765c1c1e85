//! Decides one k that bounds leave open: finds a mapping, or proves that there is none.
//!
//! Prices that do not refute k still help: they rule out pairs ([`shrink`]), and the averaged
//! packings of the ascent show where most tasks belong. A *dive* ([`dive()`]) follows these
//! packings to a mapping; a *tree* ([`Tree`]) proves by cases that there is none, or finds one.

mod case;
mod dive;
mod fixing;
mod proof;
mod sat;
mod tree;

pub use dive::dive;
pub use fixing::shrink;
pub use sat::formula;
pub use tree::{Progress, Tree};

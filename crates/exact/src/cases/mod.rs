//! What bounds leave open at one k: a mapping, or a proof that there is none.
//!
//! Prices that do not refute k still say much: which pairs are impossible ([`shrink`]), and, in the
//! averaged packings of the ascent, where most tasks belong. A *dive* ([`dive()`]) follows the
//! latter to a mapping; a *tree* ([`Tree`]) proves by cases that there is none, or finds one.

mod dive;
mod fixing;
mod sat;
mod tree;

pub use dive::dive;
pub use fixing::shrink;
pub use sat::formula;
pub use tree::{Progress, Tree};

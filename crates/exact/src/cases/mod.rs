//! Decides one k that bounds leave open: finds a mapping, or proves that there is none.
//!
//! Prices that do not refute k still help: they rule out pairs ([`shrink`]), and the averaged
//! packings of the ascent show where most tasks belong. A *dive* ([`dive()`]) follows these
//! packings to a mapping; a *tree* ([`Tree`]) proves by cases that there is none, or finds one. A
//! tree can also be grown in parts that know nothing of each other ([`explore`]), or again with few
//! cases ([`compact()`]).

mod case;
mod compact;
mod dive;
mod fixing;
mod part;
mod proof;
mod sat;
mod tree;

pub use compact::compact;
pub use dive::dive;
pub use fixing::shrink;
pub use part::{Explored, Piece, explore, whole};
pub use sat::{formula, is_empty};
pub use tree::{Progress, Tree};

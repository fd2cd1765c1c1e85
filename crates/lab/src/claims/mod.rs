//! The published claims, judged by experiments: the scorecard of a reproduction.
//!
//! ```text
//! CLAIMS ──► needed experiments ──► Evidence ──► judges, one a claim ──► Scorecard ──► Markdown, CSV
//! ```
//!
//! A claim is split into statements that data can decide. Each has a rule, which is written into
//! its row and holds the number's whole 95 % interval against what was published ([`Estimate`]), or
//! asks for significance by the paired test with Holm's correction ([`View::significant`]). No
//! verdict is written down anywhere: all follow from the data.
//!
//! Not here: running (`experiment`), and how long it may take.

mod beosim;
mod braun;
mod dside;
mod estimate;
mod evidence;
mod rhodes;
mod satisfiability;
mod scorecard;
#[cfg(test)]
mod tests;
mod toolkit;
mod verdict;
mod wang_zhang;
#[cfg(test)]
mod worlds;

pub use estimate::Estimate;
pub use evidence::{Evidence, View, World};
pub use scorecard::{Scorecard, Statement};
pub use verdict::Verdict;

/// Whose claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// As a heading.
    pub title: &'static str,
    /// What the reader should know of it.
    pub about: &'static str,
    /// Its claims.
    pub claims: &'static [Claim],
}

/// A claim.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its number in the list of claims.
    pub id: &'static str,
    /// The experiments that decide it.
    pub needs: &'static [&'static str],
    /// Its statements; `None` if something of the experiments is missing.
    judge: fn(&Evidence) -> Option<Vec<Judgement>>,
}

impl PartialEq for Claim {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Claim {}

/// A statement of a claim and what became of it.
#[derive(Clone, Debug, PartialEq)]
struct Judgement {
    /// What is claimed.
    what: &'static str,
    /// The published number, or what the text says.
    published: &'static str,
    /// The measured ones.
    ours: String,
    verdict: Verdict,
    /// The rule, and what a reader should know.
    why: String,
}

/// All sources, in the order of the list of claims.
pub const SOURCES: &[Source] = &[
    rhodes::CHAPTER_4,
    toolkit::CHAPTER_3,
    satisfiability::CHAPTER_5,
    braun::SOURCE,
    toolkit::GRIDSIM,
    wang_zhang::SOURCE,
    dside::SOURCE,
    beosim::SOURCE,
];

/// All claims.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    SOURCES.iter().flat_map(|source| source.claims)
}

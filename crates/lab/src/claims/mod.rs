//! The published claims, judged by experiments: the scorecard of a reproduction.
//!
//! ```text
//! claims.toml ──► needed experiments ──► Evidence ──► judges ──► Scorecard ──► Markdown, CSV
//! ```
//!
//! What is claimed is data: a claim is split into statements that data can decide, and the rule of
//! each is written into its row. How it is judged is code, one function per claim: the rule holds
//! the number's whole 95 % interval against what was published ([`Estimate`]), or asks for
//! significance by the paired test with Holm's correction ([`View::significant`]). No verdict is
//! written down anywhere: all follow from the data.
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

pub use estimate::{Estimate, Estimates};
pub use evidence::{Evidence, View, World};
pub use scorecard::{Scorecard, Statement};
pub use verdict::Verdict;

use std::fmt::Display;
use std::sync::LazyLock;

use serde::Deserialize;

/// Whose claims.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// As a heading.
    pub title: String,
    /// What the reader should know of it.
    pub about: String,
    /// In the order of their numbers.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its number in the list of claims.
    pub id: String,
    /// The experiments that decide it.
    pub needs: Vec<String>,
    #[serde(rename = "statement")]
    statements: Vec<Texts>,
}

/// What is said of a statement; `{}` are places for what a judge finds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    /// What is claimed.
    what: String,
    /// The published number, or what the text says.
    published: String,
    /// The measured ones.
    ours: String,
    /// The rule, and what a reader should know.
    why: String,
}

/// What became of a statement.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    verdict: Verdict,
    /// For the places of the text of the same name.
    ours: Vec<String>,
    /// Likewise.
    why: Vec<String>,
}

impl Found {
    fn new(verdict: Verdict, ours: &[&dyn Display]) -> Self {
        Self { verdict, ours: ours.iter().map(ToString::to_string).collect(), why: Vec::new() }
    }

    fn because(self, why: &[&dyn Display]) -> Self {
        Self { why: why.iter().map(ToString::to_string).collect(), ..self }
    }
}

/// The statements of a claim in order; `None` if something of the experiments is missing.
type Judged = Option<Vec<Found>>;

type Judge = fn(&Evidence) -> Judged;

/// Who judges which claim.
const JUDGES: [(&str, Judge); 29] = [
    ("C1", rhodes::qos::rises),
    ("C2", rhodes::qos::significance),
    ("C3", rhodes::qos::time_limit),
    ("C4", rhodes::qos::guided),
    ("C5", rhodes::wait::gain),
    ("C6", rhodes::wait::jobs),
    ("C7", rhodes::wait::long),
    ("C8", rhodes::size::gain),
    ("C9", rhodes::speed::gain),
    ("C10", rhodes::information::gain),
    ("C11", rhodes::local::gain),
    ("C12", rhodes::time::taken),
    ("C13", toolkit::gsim),
    ("C14", toolkit::randomisers),
    ("C15", toolkit::exponential),
    ("C16", satisfiability::formula),
    ("C17", satisfiability::effective),
    ("C18", braun::heuristics),
    ("C19", braun::local),
    ("C20", toolkit::gridsim),
    ("C21", wang_zhang::shares),
    ("C22", wang_zhang::schedulers),
    ("C23", wang_zhang::factors),
    ("C24", dside::lost),
    ("C25", dside::frequency),
    ("C26", dside::tornado),
    ("C27", dside::recovery),
    ("C28", beosim::queue),
    ("C29", beosim::policies),
];

impl Claim {
    fn judge(&self, evidence: &Evidence) -> Judged {
        let (_, judge) = JUDGES.iter().find(|(id, _)| *id == self.id)?;
        judge(evidence)
    }
}

#[derive(Deserialize)]
struct List {
    source: Vec<Source>,
}

/// All sources, in the order of the list of claims.
pub static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let list: List = toml::from_str(include_str!("claims.toml")).expect("a test reads it");
    list.source
});

/// All claims.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    SOURCES.iter().flat_map(|source| &source.claims)
}

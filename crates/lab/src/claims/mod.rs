//! The published claims, judged by experiments: the scorecard of a reproduction.
//!
//! ```text
//! claims.toml ──► needed experiments ──► Evidence ──► judges ──► Scorecard ──► Markdown, CSV
//! ```
//!
//! The claims are data: each is split into statements that can be decided by measurements, and each
//! row contains its rule. The judgement is code, one function per claim: it compares the whole 95 %
//! interval of a number with what was published ([`Estimate`]), or tests significance by the paired
//! test with Holm's correction ([`View::significant`]). No verdict is stored: all follow from the
//! measurements.
//!
//! The experiments are run by `experiment`.

mod beosim;
mod braun;
mod cost;
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

pub use cost::cpu_seconds;
pub use estimate::{Estimate, Estimates};
pub use evidence::{Evidence, View, World};
pub use scorecard::{Scorecard, Statement};
pub use verdict::Verdict;

use std::fmt::Display;
use std::sync::LazyLock;

use serde::Deserialize;

/// A publication with its claims.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Heading of its section.
    pub title: String,
    /// Introductory text.
    pub about: String,
    /// Its claims, in order of number.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A published claim.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Number in the list of claims, such as `C2`.
    pub id: String,
    /// Names of the experiments that decide it.
    pub needs: Vec<String>,
    #[serde(rename = "statement")]
    statements: Vec<Texts>,
}

/// Texts of a statement; `{}` are placeholders for the judge's results.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    /// What is claimed, in one sentence.
    what: String,
    /// Whether the statement is ours: the source does not make it.
    #[serde(default)]
    own: bool,
    /// The published number or wording.
    published: String,
    /// The measured numbers.
    ours: String,
    /// The rule, and remarks.
    why: String,
    /// How the rule was changed after a look at the data, if it was.
    changed: Option<String>,
    /// Why it stays undecidable, if it is.
    open: Option<String>,
}

/// The judgement of a statement.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    verdict: Verdict,
    /// Values for the placeholders of `ours`.
    ours: Vec<String>,
    /// Values for the placeholders of `why`.
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

/// Judgements of the statements of a claim, in order; `None` if results are missing.
type Judged = Option<Vec<Found>>;

type Judge = fn(&Evidence) -> Judged;

/// The judge of each claim.
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

/// All publications, in the order of the list of claims.
pub static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let list: List = toml::from_str(include_str!("claims.toml")).expect("a test reads it");
    list.source
});

/// All claims.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    SOURCES.iter().flat_map(|source| &source.claims)
}

//! Verdicts on claims.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Whether a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds by the stated rule.
    Reproduced,
    /// It holds, but the published test could not have found otherwise.
    Vacuous,
    /// It does not hold by the stated rule.
    Refuted,
    /// Neither: the published or measured data do not decide it.
    Undecidable,
    /// Neither yet: more replications may decide it.
    TooFewRuns,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 5] =
        [Self::Reproduced, Self::Vacuous, Self::Refuted, Self::Undecidable, Self::TooFewRuns];

    /// Whether all of several statements hold; one refuted statement is enough to refute.
    pub fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let rank = |verdict: &Self| match verdict {
            Self::Refuted => 4,
            Self::TooFewRuns => 3,
            Self::Undecidable => 2,
            Self::Vacuous => 1,
            Self::Reproduced => 0,
        };
        verdicts.into_iter().max_by_key(rank).unwrap_or(Self::TooFewRuns)
    }

    /// Whether at least one of several statements holds; only if all are refuted, this is refuted.
    pub fn any(verdicts: impl IntoIterator<Item = Self>) -> Self {
        Self::all(verdicts.into_iter().map(Self::negated)).negated()
    }

    /// The verdict on a statement without uncertainty.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Reproduced } else { Self::Refuted }
    }

    /// The verdict on the negated statement.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Reproduced => Self::Refuted,
            Self::Refuted => Self::Reproduced,
            other => other,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Reproduced => "reproduced",
            Self::Vacuous => "vacuous",
            Self::Refuted => "refuted",
            Self::Undecidable => "undecidable",
            Self::TooFewRuns => "undecidable (too few runs)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, *};

    #[test]
    fn one_failure_refutes_all() {
        assert_eq!(Verdict::all([Reproduced, Reproduced]), Reproduced);
        assert_eq!(Verdict::all([Reproduced, Undecidable]), Undecidable);
        assert_eq!(Verdict::all([Reproduced, Vacuous]), Vacuous);
        assert_eq!(Verdict::all([Undecidable, TooFewRuns]), TooFewRuns);
        assert_eq!(Verdict::all([TooFewRuns, Refuted, Reproduced]), Refuted);
        assert_eq!(Verdict::all([]), TooFewRuns);
        assert_eq!(Verdict::any([TooFewRuns, Refuted, Reproduced]), Reproduced);
        assert_eq!(Verdict::any([TooFewRuns, Refuted, Undecidable]), TooFewRuns);
        assert_eq!(Verdict::any([Undecidable, Refuted]), Undecidable);
        assert_eq!(Verdict::any([Refuted, Refuted]), Refuted);
        assert_eq!((Refuted.negated(), Undecidable.negated()), (Reproduced, Undecidable));
    }
}

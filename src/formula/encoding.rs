//! The choices that name a formula: with the instance and k they determine every clause.

use std::fmt;
use std::str::FromStr;

use encodings::{AtMostOne, LoadEncoding};
use thiserror::Error;

use super::PairVars;
use super::surrogate::{HostWeights, Surrogate};
use crate::model::{Instance, Ticks};

/// How loads are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Load {
    /// Chapter 5 of the thesis, errata corrected.
    Thesis,
    /// One of the engineered encodings.
    Engineered(LoadEncoding),
}

impl Load {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Thesis,
        Self::Engineered(LoadEncoding::Adder),
        Self::Engineered(LoadEncoding::Bdd),
        Self::Engineered(LoadEncoding::Totalizer),
        Self::Engineered(LoadEncoding::Counter),
    ];

    /// The name used on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thesis => "thesis",
            Self::Engineered(load) => load.name(),
        }
    }
}

/// No encoding of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown encoding '{given}'; known: {known}")]
pub struct UnknownEncoding {
    given: String,
    known: String,
}

impl FromStr for Load {
    type Err = UnknownEncoding;

    fn from_str(given: &str) -> Result<Self, UnknownEncoding> {
        Self::ALL.into_iter().find(|load| load.name() == given).ok_or_else(|| UnknownEncoding {
            given: given.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// A named encoding of the decision problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// How loads are limited.
    pub load: Load,
    /// How a task is kept from two hosts. The thesis encoding is always pairwise.
    pub at_most_one: AtMostOne,
    /// Whether equal tasks and equal hosts are put in order. Never in the thesis encoding.
    pub symmetry: bool,
    /// Weights of the implied constraint over all hosts, if it is added. Never in the thesis
    /// encoding.
    pub surrogate: Option<HostWeights>,
}

impl Encoding {
    /// The thesis encoding; it has no options.
    pub const THESIS: Self = Self {
        load: Load::Thesis,
        at_most_one: AtMostOne::Pairwise,
        symmetry: false,
        surrogate: None,
    };

    /// An engineered encoding with symmetry breaking.
    pub fn engineered(load: LoadEncoding, at_most_one: AtMostOne) -> Self {
        Self { load: Load::Engineered(load), at_most_one, symmetry: true, surrogate: None }
    }

    /// The constraint over all hosts for every k up to `max_k`.
    pub fn surrogate<'a>(
        &'a self,
        instance: &'a Instance,
        pairs: &PairVars,
        max_k: Ticks,
    ) -> Option<Surrogate<'a>> {
        Surrogate::new(instance, pairs, max_k, self.surrogate.as_ref()?)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.load {
            Load::Thesis => f.write_str("thesis"),
            Load::Engineered(load) => write!(f, "{}+{}", load.name(), self.at_most_one.name()),
        }
    }
}

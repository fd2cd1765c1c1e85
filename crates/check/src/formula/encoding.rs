//! The choices that name a formula: with the instance and k they determine every clause.

use std::fmt;
use std::str::FromStr;

use gridsat_encodings::{AtMostOne, LoadEncoding};
use thiserror::Error;

use super::PairVars;
use super::surrogate::{HostWeights, Surrogate};
use super::windows::TaskPrices;
use gridsat_model::certificate::RefutedFormula;
use gridsat_model::{Instance, Ticks};

/// How the limits on loads are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Load {
    /// The encoding of Rhodes' thesis, chapter 5, with its errata corrected.
    Thesis,
    /// One decision diagram per host over the time and the price of its tasks.
    Window,
    /// One of the encodings of `gridsat-encodings`.
    Engineered(LoadEncoding),
}

impl Load {
    /// All load encodings, that of the thesis first.
    pub const ALL: [Self; 6] = [
        Self::Thesis,
        Self::Window,
        Self::Engineered(LoadEncoding::Adder),
        Self::Engineered(LoadEncoding::Bdd),
        Self::Engineered(LoadEncoding::Totalizer),
        Self::Engineered(LoadEncoding::Counter),
    ];

    /// The name used on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thesis => "thesis",
            Self::Window => "window",
            Self::Engineered(load) => load.name(),
        }
    }
}

/// Why names or weights denote no encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum EncodingError {
    #[error("unknown encoding {given:?}; known: {}", Load::ALL.map(Load::name).join(", "))]
    Load { given: String },
    #[error(
        "unknown at-most-one encoding {given:?}; known: {}",
        AtMostOne::ALL.map(AtMostOne::name).join(", ")
    )]
    AtMostOne { given: String },
    #[error("the surrogate needs {hosts} weights, one per host, each at most {}", HostWeights::MAX)]
    Surrogate { hosts: usize },
    #[error("windows need {tasks} prices, one per task, that add up to less than 2^64")]
    Prices { tasks: usize },
    #[error("prices belong to the encoding \"window\" only")]
    PricesUnused,
}

impl FromStr for Load {
    type Err = EncodingError;

    fn from_str(given: &str) -> Result<Self, EncodingError> {
        let found = Self::ALL.into_iter().find(|load| load.name() == given);
        found.ok_or_else(|| EncodingError::Load { given: given.to_owned() })
    }
}

/// The at-most-one encoding with this name.
pub fn at_most_one(given: &str) -> Result<AtMostOne, EncodingError> {
    let found = AtMostOne::ALL.into_iter().find(|choice| choice.name() == given);
    found.ok_or_else(|| EncodingError::AtMostOne { given: given.to_owned() })
}

/// A named encoding of the decision problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// How the limits on loads are encoded.
    pub load: Load,
    /// How "at most one host per task" is encoded. The thesis encoding is always pairwise.
    pub at_most_one: AtMostOne,
    /// Whether symmetries are broken: equal tasks and equal hosts are put in order. Never in the
    /// thesis encoding.
    pub symmetry: bool,
    /// Weights of the implied constraint over all hosts, if it is added. Never in the thesis
    /// encoding.
    pub surrogate: Option<HostWeights>,
    /// Task prices of the encoding `window`, which has none if all are 0; not used in others.
    pub prices: Option<TaskPrices>,
}

impl Encoding {
    /// The thesis encoding; it has no options.
    pub const THESIS: Self = Self {
        load: Load::Thesis,
        at_most_one: AtMostOne::Pairwise,
        symmetry: false,
        surrogate: None,
        prices: None,
    };

    /// An encoding other than that of the thesis, with symmetry breaking.
    pub fn engineered(load: LoadEncoding, at_most_one: AtMostOne) -> Self {
        let load = Load::Engineered(load);
        Self { load, at_most_one, symmetry: true, surrogate: None, prices: None }
    }

    /// Windows for these prices, with symmetry breaking.
    pub fn windows(prices: TaskPrices, at_most_one: AtMostOne) -> Self {
        let prices = Some(prices);
        Self { load: Load::Window, at_most_one, symmetry: true, surrogate: None, prices }
    }

    /// The encoding that a certificate names; no weights mean no constraint over all hosts.
    pub fn named(instance: &Instance, refuted: &RefutedFormula) -> Result<Self, EncodingError> {
        let surrogate = HostWeights::new(instance, refuted.surrogate.clone());
        if surrogate.is_none() && !refuted.surrogate.is_empty() {
            return Err(EncodingError::Surrogate { hosts: instance.host_count() });
        }
        let prices = TaskPrices::new(instance, refuted.prices.clone());
        if prices.is_none() && !refuted.prices.is_empty() {
            return Err(EncodingError::Prices { tasks: instance.task_count() });
        }
        let load: Load = refuted.encoding.parse()?;
        if load != Load::Window && !refuted.prices.is_empty() {
            return Err(EncodingError::PricesUnused);
        }
        let at_most_one = self::at_most_one(&refuted.at_most_one)?;
        Ok(Self { load, at_most_one, symmetry: refuted.symmetry, surrogate, prices })
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
            load => write!(f, "{}+{}", load.name(), self.at_most_one.name()),
        }
    }
}

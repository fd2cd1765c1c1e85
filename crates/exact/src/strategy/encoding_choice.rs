//! Chooses the encoding where the user leaves it open.

use gridsat_encodings::{AtMostOne, Budget, Counter, LoadEncoding};

use crate::bounds;
use gridsat_check::formula::{self, Encoding, HostWeights, Load};
use gridsat_model::{Instance, Stop, Ticks};

/// Most clauses of decision diagrams. Diagrams propagate best, but their size depends on how the
/// weights add up; beyond this size adders, which grow only with the number of digits, are faster.
const MAX_DIAGRAM_CLAUSES: u64 = 300_000;

/// The user's choice of encoding; `None` where it is left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingChoice {
    /// The encoding of the limits on loads.
    pub load: Option<Load>,
    /// The encoding of "at most one host per task".
    pub at_most_one: AtMostOne,
    /// Whether symmetries are broken: equal tasks and equal hosts are put in order.
    pub symmetry: bool,
    /// Whether the implied constraint over all hosts is added.
    pub surrogate: bool,
}

impl Default for EncodingChoice {
    fn default() -> Self {
        Self { load: None, at_most_one: AtMostOne::Pairwise, symmetry: true, surrogate: true }
    }
}

impl EncodingChoice {
    /// The encoding for all k up to `max_k`. `weights` are the host weights of the linear bound.
    pub fn resolve(&self, instance: &Instance, max_k: Ticks, weights: &[u64]) -> Encoding {
        if self.load == Some(Load::Thesis) {
            return Encoding::THESIS;
        }
        let surrogate =
            self.surrogate.then(|| HostWeights::new(instance, weights.to_vec())).flatten();
        let encoding = |load| Encoding {
            load,
            at_most_one: self.at_most_one,
            symmetry: self.symmetry,
            surrogate: surrogate.clone(),
        };
        self.load.map_or_else(|| small_or_adder(instance, max_k, encoding), encoding)
    }

    /// The same with the host weights of the linear bound, which are computed here.
    pub(crate) fn resolve_afresh(
        &self,
        instance: &Instance,
        max_k: Ticks,
        stop: &Stop,
    ) -> Encoding {
        self.resolve(instance, max_k, &bounds::linear(instance, stop).weights)
    }
}

fn small_or_adder(
    instance: &Instance,
    max_k: Ticks,
    encoding: impl Fn(Load) -> Encoding,
) -> Encoding {
    let diagram = encoding(Load::Engineered(LoadEncoding::Bdd));
    let plain = Encoding { surrogate: None, ..diagram.clone() };
    let mut budget = Budget::clauses(MAX_DIAGRAM_CLAUSES);
    match formula::encode(instance, max_k, &plain, &mut Counter::default(), &mut budget) {
        Ok(_) => diagram,
        Err(_) => encoding(Load::Engineered(LoadEncoding::Adder)),
    }
}

//! Chooses the encoding where the user leaves it open.

use gridsat_encodings::{AtMostOne, Budget, Counter, LoadEncoding};

use super::prices::{PriceSearch, Prices};
use crate::bounds;
use gridsat_check::formula::{self, Encoding, HostWeights, Load, TaskPrices};
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
    /// Windows get no prices here, because those depend on k; see [`EncodingChoice::at`].
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
            prices: None,
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

    /// The encoding for one k: windows for good prices if they are small, or if the choice names
    /// them, else that of [`EncodingChoice::resolve`].
    pub fn at(&self, instance: &Instance, k: Ticks, weights: &[u64], stop: &Stop) -> Encoding {
        if !self.allows_windows() {
            return self.resolve(instance, k, weights);
        }
        let prices = PriceSearch::new(instance, weights, k).at(k, stop);
        let mut encodings = self.by_prices(instance, k, &prices).into_iter();
        encodings.next().unwrap_or_else(|| self.resolve(instance, k, weights))
    }

    /// Whether windows may be used.
    pub(super) fn allows_windows(&self) -> bool {
        matches!(self.load, None | Some(Load::Window))
    }

    /// Windows that leave the decision to a solver, and those that refute k by prices alone, if
    /// there are any that are small enough or the choice names windows.
    pub(super) fn by_prices(
        &self,
        instance: &Instance,
        k: Ticks,
        prices: &Prices,
    ) -> Vec<Encoding> {
        let windows = |prices| self.windows(instance, k, prices);
        let open = prices.open.iter().find_map(windows);
        open.into_iter().chain(prices.refuting.as_ref().and_then(windows)).collect()
    }

    /// Windows for these prices; `None` if they are too large and the choice does not name them.
    fn windows(&self, instance: &Instance, k: Ticks, prices: &TaskPrices) -> Option<Encoding> {
        let windows = Encoding::windows(prices.clone(), self.at_most_one);
        let encoding = Encoding { symmetry: self.symmetry, ..windows };
        let is_named = self.load == Some(Load::Window);
        (is_named || is_small(instance, k, &encoding)).then_some(encoding)
    }
}

/// Whether the formula is no larger than diagrams should be.
fn is_small(instance: &Instance, k: Ticks, encoding: &Encoding) -> bool {
    let mut budget = Budget::clauses(MAX_DIAGRAM_CLAUSES);
    formula::encode(instance, k, encoding, &mut Counter::default(), &mut budget).is_ok()
}

fn small_or_adder(
    instance: &Instance,
    max_k: Ticks,
    encoding: impl Fn(Load) -> Encoding,
) -> Encoding {
    let diagram = encoding(Load::Engineered(LoadEncoding::Bdd));
    let plain = Encoding { surrogate: None, ..diagram.clone() };
    match is_small(instance, max_k, &plain) {
        true => diagram,
        false => encoding(Load::Engineered(LoadEncoding::Adder)),
    }
}

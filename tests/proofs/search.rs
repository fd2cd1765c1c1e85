//! The library's entry points, each called in one place.

use gridsat_check::formula::{Encoding, HostWeights, Load, TaskPrices};
use gridsat_encodings::{AtMostOne, Budget, LoadEncoding};
use gridsat_exact::bounds;
use gridsat_exact::sat::{Answer, SolverChoice};
use gridsat_exact::strategy::{EncodingChoice, Options, Strategy, decide_once};
use gridsat_model::Stop;
use gridsat_model::{Instance, Mapping, Ticks};

/// Default options with a small budget of clauses.
pub fn options(strategy: Strategy) -> Options {
    let load = (strategy == Strategy::Thesis).then_some(Load::Thesis);
    let encoding = EncodingChoice { load, ..EncodingChoice::default() };
    Options { strategy, encoding, budget: Budget::clauses(2_000_000), ..Options::default() }
}

/// All encodings: 5 loads × 4 at-most-ones, with and without symmetry breaking, and the thesis
/// encoding.
pub fn encodings() -> Vec<Encoding> {
    let mut all = vec![Encoding::THESIS];
    let loads = LoadEncoding::ALL.into_iter().map(Load::Engineered);
    for load in loads.chain([Load::Window]) {
        for at_most_one in AtMostOne::ALL {
            let engineered = Encoding::engineered(LoadEncoding::Bdd, at_most_one);
            let encoding = Encoding { load, ..engineered };
            let plain = Encoding { symmetry: false, ..encoding.clone() };
            all.extend([encoding, plain]);
        }
    }
    all
}

/// One decision by varisat. Encodings that break symmetry also get the constraint over all hosts,
/// with good weights for even k and arbitrary ones for odd. Windows get good prices for even k and
/// arbitrary ones for odd.
pub fn decide(instance: &Instance, k: Ticks, encoding: &Encoding) -> (Answer, Option<Mapping>) {
    let (solver, budget, stop) = (SolverChoice::Varisat, Budget::clauses(2_000_000), Stop::never());
    let mut encoding = encoding.clone();
    if encoding.load == Load::Window {
        let arbitrary = instance.tasks().map(|task| (k.0 + 5 * u64::from(task.0)) % 7).collect();
        encoding.prices = match k.0 % 2 {
            0 => good_prices(instance, k),
            _ => TaskPrices::new(instance, arbitrary),
        };
    }
    if encoding.symmetry {
        let weights = match k.0 % 2 {
            0 => bounds::linear(instance, &Stop::never()).weights,
            _ => instance.hosts().map(|host| (k.0 + 7 * u64::from(host.0)) % 5).collect(),
        };
        encoding.surrogate = HostWeights::new(instance, weights);
        assert!(encoding.surrogate.is_some());
    }
    let (decision, mapping) =
        decide_once(instance, k, &encoding, &solver, budget, &stop).expect("small enough");
    (decision.answer, mapping)
}

/// The prices that the search would use; `None` if it finds none.
fn good_prices(instance: &Instance, k: Ticks) -> Option<TaskPrices> {
    let choice = EncodingChoice { load: Some(Load::Window), ..EncodingChoice::default() };
    let weights = bounds::linear(instance, &Stop::never()).weights;
    choice.at(instance, k, &weights, &Stop::never()).prices
}

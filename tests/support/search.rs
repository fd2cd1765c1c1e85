//! The library's entry points, each called in one place.

use encodings::{AtMostOne, Budget, LoadEncoding};
use gridsat::formula::Encoding;
use gridsat::model::{Instance, Mapping, Ticks};
use gridsat::optimise::{Extract, Options, Order, Strategy, decide_once};
use gridsat::sat::{Answer, SolverChoice, Stop};

/// Varisat on adders, bisecting, until optimal.
pub fn options(strategy: Strategy) -> Options {
    let encoding = match strategy {
        Strategy::Thesis => Encoding::THESIS,
        _ => Encoding::engineered(LoadEncoding::Adder, AtMostOne::Pairwise),
    };
    Options {
        strategy,
        encoding,
        solver: SolverChoice::Varisat,
        order: Order::Bisect,
        extract: Extract::Model,
        gap: 0.0,
        budget: Budget::clauses(2_000_000),
    }
}

/// Every encoding there is: 4 loads x 4 at-most-ones, with and without symmetry, and the thesis'.
pub fn encodings() -> Vec<Encoding> {
    let mut all = vec![Encoding::THESIS];
    for load in LoadEncoding::ALL {
        for at_most_one in AtMostOne::ALL {
            let plain = Encoding { symmetry: false, ..Encoding::engineered(load, at_most_one) };
            all.extend([Encoding::engineered(load, at_most_one), plain]);
        }
    }
    all
}

/// One decision by Varisat.
#[allow(clippy::clone_on_copy, reason = "an encoding need not be Copy")]
pub fn decide(instance: &Instance, k: Ticks, encoding: &Encoding) -> (Answer, Option<Mapping>) {
    let (solver, budget, stop) = (SolverChoice::Varisat, Budget::clauses(2_000_000), Stop::never());
    let (decision, mapping) =
        decide_once(instance, k, encoding.clone(), &solver, budget, &stop).expect("small enough");
    (decision.answer, mapping)
}

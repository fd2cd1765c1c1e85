//! Every load encoding against all assignments of small constraints.

use crate::support::{
    Assignment, Oracle, PROPAGATING, assignments, constraints, inputs, propagate, weight_of,
    weighted,
};
use gridsat_encodings::{
    Budget, ClauseSink, Cnf, Counter, Lit, LoadEncoding, OverBudget, Term, thesis,
};

type Encoder = Box<dyn Fn(&[Term], u64, &mut dyn ClauseSink)>;

fn encoders() -> Vec<(&'static str, Encoder)> {
    let engineered = LoadEncoding::ALL.map(|encoding| {
        let encode = move |terms: &[Term], bound, sink: &mut dyn ClauseSink| {
            let mut budget = Budget::default();
            encoding.encode(terms, bound, sink, &mut budget).expect("small");
        };
        (encoding.name(), Box::new(encode) as Encoder)
    });
    let thesis = |terms: &[Term], bound, sink: &mut dyn ClauseSink| {
        let mut budget = Budget::default();
        let bound = thesis::Bound::new(bound, sink, &mut budget).expect("small");
        bound.limit(terms, sink, &mut budget).expect("small");
    };
    let thesis = ("thesis", Box::new(thesis) as Encoder);
    engineered.into_iter().chain([thesis]).collect()
}

#[test]
fn satisfiable_exactly_when_the_load_fits() {
    for (name, encode) in encoders() {
        for (weights, bound) in constraints() {
            // The printed comparator doubles in size with every bit.
            if name == "thesis" && bound > 200 {
                continue;
            }
            let mut cnf = Cnf::new();
            let lits = inputs(weights.len(), &mut cnf);
            encode(&weighted(&lits, &weights), bound, &mut cnf);
            let mut oracle = Oracle::new(&cnf);
            for (values, mask) in assignments(&lits) {
                assert_eq!(
                    oracle.satisfiable(&values),
                    weight_of(mask, &weights) <= bound,
                    "{name}: {weights:?} ≤ {bound}, chosen {mask:b}"
                );
            }
        }
    }
}

#[test]
fn a_bound_out_of_reach_writes_nothing() {
    for encoding in LoadEncoding::ALL {
        let mut counts = Counter::default();
        let lits = inputs(3, &mut counts);
        let terms = weighted(&lits, &[1 << 61, 1 << 60, 1 << 60]);
        let mut budget = Budget::clauses(0);
        encoding.encode(&terms, 1 << 62, &mut counts, &mut budget).expect("nothing to write");
        assert_eq!((counts.variables, counts.clauses), (3, 0));
    }
}

#[test]
fn large_weights_do_not_overflow() {
    let weights = [1 << 61, (1 << 61) - 1, 1 << 60, u64::MAX, 3];
    let bound = (1 << 62) - 1;
    for encoding in LoadEncoding::ALL {
        let mut cnf = Cnf::new();
        let lits = inputs(weights.len(), &mut cnf);
        let terms = weighted(&lits, &weights);
        encoding.encode(&terms, bound, &mut cnf, &mut Budget::default()).expect("five terms");
        let mut oracle = Oracle::new(&cnf);
        for (values, mask) in assignments(&lits) {
            let chosen = weights.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
            let load: u128 = chosen.map(|(_, &weight)| u128::from(weight)).sum();
            assert_eq!(oracle.satisfiable(&values), load <= u128::from(bound));
        }
    }
}

/// Checks the guarded bounds one by one, in the order they were written.
fn check_limits(encoding: LoadEncoding, weights: &[u64], max: u64, bounds: &[u64]) {
    let mut cnf = Cnf::new();
    let mut budget = Budget::default();
    let lits = inputs(weights.len(), &mut cnf);
    let terms = weighted(&lits, weights);
    let mut load = encoding.incremental(&terms, max, &mut cnf, &mut budget).expect("small");
    let mut guards: Vec<Lit> = Vec::new();
    for &bound in bounds {
        guards.push(cnf.new_var().positive());
        load.limit(bound, guards[guards.len() - 1], &mut cnf, &mut budget).expect("small");
    }
    let mut oracle = Oracle::new(&cnf);
    for (values, mask) in assignments(&lits) {
        let load = weight_of(mask, weights);
        assert_eq!(oracle.satisfiable(&values), load <= max, "{encoding:?} {weights:?} ≤ {max}");
        for (&bound, &guard) in bounds.iter().zip(&guards) {
            let values = [&values[..], &[guard]].concat();
            assert_eq!(
                oracle.satisfiable(&values),
                load <= bound.min(max),
                "{encoding:?}: {weights:?} ≤ {bound} under {max}, chosen {mask:b}"
            );
        }
    }
}

#[test]
fn bounds_can_be_lowered_in_any_order() {
    for encoding in LoadEncoding::ALL {
        for (weights, max) in constraints().into_iter().step_by(2) {
            let steps = [max, max / 2, max * 3 / 4, max.saturating_sub(1), 0, max / 3, max / 2];
            check_limits(encoding, &weights, max, &steps);
        }
        let descending: Vec<_> = (0..=16).rev().collect();
        check_limits(encoding, &[2, 3, 5, 7], 16, &descending);
        check_limits(encoding, &[2, 3, 5, 7], 1000, &descending);
    }
}

/// Whether unit propagation leaves some literal open that no longer fits beside the true ones, for
/// some choice of true ones that fit.
fn leaves_something_open(encoding: LoadEncoding, weights: &[u64], bound: u64) -> bool {
    let mut cnf = Cnf::new();
    let lits = inputs(weights.len(), &mut cnf);
    let terms = weighted(&lits, weights);
    encoding.encode(&terms, bound, &mut cnf, &mut Budget::default()).expect("small");
    (0..1_usize << lits.len()).any(|mask| {
        let load = weight_of(mask, weights);
        if load > bound {
            return false;
        }
        let chosen: Vec<_> = (0..lits.len()).filter(|i| mask >> i & 1 == 1).collect();
        let true_lits: Vec<_> = chosen.iter().map(|&i| lits[i]).collect();
        let values = Assignment::of(cnf.variables(), &true_lits);
        let values = propagate(&cnf, values).expect("the load fits");
        (0..lits.len()).any(|i| {
            !chosen.contains(&i)
                && load + weights[i] > bound
                && values.value(lits[i]) != Some(false)
        })
    })
}

#[test]
fn diagrams_and_sums_propagate_completely() {
    for encoding in PROPAGATING {
        for (weights, bound) in constraints() {
            assert!(
                !leaves_something_open(encoding, &weights, bound),
                "{encoding:?}: {weights:?} ≤ {bound}"
            );
        }
    }
}

#[test]
fn adders_do_not() {
    assert!(leaves_something_open(LoadEncoding::Adder, &[2, 3, 5, 7, 11], 13));
}

#[test]
fn the_budget_is_charged_exactly() {
    for encoding in LoadEncoding::ALL {
        for (weights, bound) in constraints().into_iter().step_by(3) {
            let encode = |allowed| {
                let mut counts = Counter::default();
                let lits = inputs(weights.len(), &mut counts);
                let terms = weighted(&lits, &weights);
                let mut budget = Budget::clauses(allowed);
                let result = encoding.encode(&terms, bound, &mut counts, &mut budget);
                (result, counts.clauses)
            };
            let (result, clauses) = encode(u64::MAX);
            assert_eq!(result, Ok(()));
            assert_eq!(encode(clauses).0, Ok(()), "{encoding:?} {weights:?} ≤ {bound}");
            if clauses > 0 {
                let (result, written) = encode(clauses - 1);
                assert!(result.is_err(), "{encoding:?} {weights:?} ≤ {bound}");
                assert!(written < clauses);
            }
        }
    }
}

/// 512 different weights around 10¹².
fn many_terms(sink: &mut dyn ClauseSink) -> Vec<Term> {
    let weights: Vec<u64> = (0..512).map(|i| 1_000_000_000_000 - i * i * i * 5003).collect();
    let lits = inputs(weights.len(), sink);
    weighted(&lits, &weights)
}

#[test]
fn absurd_sizes_are_refused_before_they_are_written() {
    for encoding in [LoadEncoding::Totalizer, LoadEncoding::Counter] {
        let mut counts = Counter::default();
        let terms = many_terms(&mut counts);
        let mut budget = Budget::default();
        let error = encoding
            .encode(&terms, 30_000_000_000_000, &mut counts, &mut budget)
            .expect_err("astronomic");
        let OverBudget::TooMany { needed, at_least, allowed } = error else {
            unreachable!("there is no stop")
        };
        assert!(at_least && needed > allowed);
        assert_eq!((counts.variables, counts.clauses), (512, 0));
    }
}

#[test]
fn adders_take_any_bound() {
    let mut counts = Counter::default();
    let terms = many_terms(&mut counts);
    let mut budget = Budget::clauses(200_000);
    LoadEncoding::Adder
        .encode(&terms, 256_000_000_000_000, &mut counts, &mut budget)
        .expect("logarithmic in the bound");
}

#[test]
fn diagrams_may_be_deep() {
    let mut counts = Counter::default();
    let lits = inputs(10_000, &mut counts);
    let terms = weighted(&lits, &[1; 10_000]);
    LoadEncoding::Bdd
        .encode(&terms, 20, &mut counts, &mut Budget::default())
        .expect("20 nodes a level");
}

/// The size of a diagram is not known before it is built, so a stop must take effect during
/// construction.
#[test]
fn a_stop_ends_a_diagram_early() {
    let mut counts = Counter::default();
    let terms = many_terms(&mut counts);
    let mut budget = Budget::clauses(10_000_000).until(&|| true);
    let stopped = LoadEncoding::Bdd.encode(&terms, 30_000_000_000_000, &mut counts, &mut budget);
    assert_eq!(stopped, Err(OverBudget::Stopped));
    assert!(counts.clauses < 10_000, "{counts:?}");
}

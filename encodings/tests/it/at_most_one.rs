//! Every at-most-one encoding against all assignments, and its size.

use crate::support::{Assignment, Oracle, assignments, inputs, propagate};
use gridsat_encodings::{AtMostOne, Cnf, Lit};

/// The formula for `n` literals, and the literals.
fn encoded(encoding: AtMostOne, n: usize) -> (Cnf, Vec<Lit>) {
    let mut cnf = Cnf::new();
    let lits = inputs(n, &mut cnf);
    encoding.encode(&lits, &mut cnf);
    (cnf, lits)
}

#[test]
fn satisfiable_exactly_with_at_most_one_true() {
    for encoding in AtMostOne::ALL {
        for n in 0..=11 {
            let (cnf, lits) = encoded(encoding, n);
            let mut oracle = Oracle::new(&cnf);
            for (values, mask) in assignments(&lits) {
                let fits = mask.count_ones() <= 1;
                assert_eq!(oracle.satisfiable(&values), fits, "{encoding:?} {n} {mask:b}");
            }
        }
    }
}

#[test]
fn one_true_literal_forbids_all_others_by_propagation() {
    for encoding in AtMostOne::ALL {
        for n in [2, 5, 6, 7, 10, 30, 100] {
            let (cnf, lits) = encoded(encoding, n);
            for &lit in &lits {
                let values = propagate(&cnf, Assignment::of(cnf.variables(), &[lit]));
                let values = values.expect("one alone is allowed");
                let others = lits.iter().filter(|&&other| other != lit);
                assert!(others.into_iter().all(|&other| values.value(other) == Some(false)));
            }
        }
    }
}

#[test]
fn clause_counts_are_exact() {
    for encoding in AtMostOne::ALL {
        for n in 0..=300 {
            assert_eq!(
                encoded(encoding, n).0.len() as u64,
                encoding.clause_count(n),
                "{encoding:?} {n}"
            );
        }
    }
}

#[test]
fn fresh_variables_pay_off() {
    let n = 1000;
    let pairs = AtMostOne::Pairwise.clause_count(n);
    assert_eq!(pairs, 499_500);
    assert_eq!(AtMostOne::Ladder.clause_count(n), 2995);
    assert!((2900..3100).contains(&AtMostOne::Commander.clause_count(n)));
    assert!((2126..2200).contains(&AtMostOne::Product.clause_count(n)));
    for encoding in AtMostOne::ALL {
        assert!(
            (5..9).all(|n| encoding.clause_count(n) <= AtMostOne::Pairwise.clause_count(n) + 1)
        );
    }
}

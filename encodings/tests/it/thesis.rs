//! Counts of the clauses of the thesis encoding, and its limits; `load.rs` tests its meaning.

use crate::support::{Oracle, inputs, weighted};
use gridsat_encodings::{AtMostOne, Budget, ClauseSink, Cnf, Counter, OverBudget, Term, thesis};

/// The whole decision problem with every time equal to `size`.
fn counted(n: u64, m: u64, k: u64, size: u64) -> u64 {
    let mut counts = Counter::default();
    let mut budget = Budget::clauses(u64::MAX);
    let rows: Vec<_> = (0..n).map(|_| inputs(m as usize, &mut counts)).collect();
    for row in &rows {
        counts.add_clause(row);
        AtMostOne::Pairwise.encode(row, &mut counts);
    }
    let bound = thesis::Bound::new(k, &mut counts, &mut budget).expect("unlimited");
    for host in 0..m as usize {
        let item = |row: &Vec<_>| Term { lit: row[host], weight: size };
        let items: Vec<_> = rows.iter().map(item).collect();
        bound.limit(&items, &mut counts, &mut budget).expect("unlimited");
    }
    counts.clauses
}

#[test]
fn the_formula_counts_what_is_written() {
    for n in 1..=5 {
        for m in 1..=4 {
            for k in [0, 1, 2, 3, 4, 5, 7, 8, 100, 1023, 1024] {
                for size in [0, k] {
                    let count = thesis::clause_count(n, m, k);
                    assert_eq!(count, Some(counted(n, m, k, size).into()), "{n} {m} {k}");
                }
            }
        }
    }
}

#[test]
fn a_hand_counted_case() {
    // Two items, two hosts, k = 5: three value bits and an overflow bit. 2·2 for exactly one, 48
    // for sizes and gates, 2·(3 + 24 + 2) for additions, 4 for k, 2·6 for comparators.
    assert_eq!(thesis::clause_count(2, 2, 5), Some(4 + 48 + 58 + 4 + 12));
}

#[test]
fn absurd_counts_do_not_overflow() {
    assert!(thesis::clause_count(1 << 20, 1 << 10, u64::MAX).is_some());
    assert_eq!(thesis::clause_count(u64::MAX, u64::MAX, 1), None);
}

#[test]
fn the_exponential_comparator_is_refused() {
    for k in [1 << 40, u64::MAX] {
        let mut counts = Counter::default();
        let mut budget = Budget::default();
        let items = weighted(&inputs(2, &mut counts), &[1, 2]);
        let bound = thesis::Bound::new(k, &mut counts, &mut budget).expect("few bits");
        let before = counts;
        let error = bound.limit(&items, &mut counts, &mut budget);
        let error = error.expect_err("2^41 clauses");
        assert!(matches!(error, OverBudget::TooMany { needed, .. } if needed > 1 << 40));
        assert_eq!(counts, before);
    }
}

#[test]
fn the_budget_is_charged_exactly() {
    let encode = |allowed| {
        let mut counts = Counter::default();
        let mut budget = Budget::clauses(allowed);
        let items = weighted(&inputs(4, &mut counts), &[1, 9, 5, 0]);
        let bound = thesis::Bound::new(6, &mut counts, &mut budget)?;
        bound.limit(&items, &mut counts, &mut budget)?;
        Ok::<_, gridsat_encodings::OverBudget>(counts.clauses)
    };
    let clauses = encode(u64::MAX).expect("unlimited");
    assert_eq!(encode(clauses), Ok(clauses));
    assert!(encode(clauses - 1).is_err());
}

/// If the carry out of the overflow bit were not forbidden, the free bits of the first item, which
/// is false, could absorb the overflow of the others.
#[test]
fn an_overflow_cannot_hide_behind_an_item_elsewhere() {
    let mut cnf = Cnf::new();
    let mut budget = Budget::default();
    let lits = inputs(3, &mut cnf);
    let bound = thesis::Bound::new(3, &mut cnf, &mut budget).expect("small");
    bound.limit(&weighted(&lits, &[1, 2, 2]), &mut cnf, &mut budget).expect("small");
    let mut oracle = Oracle::new(&cnf);
    assert!(!oracle.satisfiable(&[!lits[0], lits[1], lits[2]]));
    assert!(oracle.satisfiable(&[lits[0], lits[1], !lits[2]]));
}

//! Windows against all assignments of small sets of items.

use crate::support::{Assignment, Oracle, assignments, inputs, propagate};
use gridsat_encodings::window::{self, Item};
use gridsat_encodings::{Budget, Cnf, Lit, OverBudget};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[derive(Debug)]
struct Case {
    weights: Vec<u64>,
    worths: Vec<u64>,
    room: u64,
    need: u64,
}

/// Edge cases by hand, then random ones with a fixed seed; worths close to the weights make windows
/// narrow.
fn cases() -> Vec<Case> {
    let case = |weights: &[u64], worths: &[u64], room, need| Case {
        weights: weights.to_vec(),
        worths: worths.to_vec(),
        room,
        need,
    };
    let max = u64::MAX;
    let mut all = vec![
        case(&[], &[], 0, 0),
        case(&[], &[], 5, 1),
        case(&[0, 0], &[0, 3], 0, 3),
        case(&[2, 0], &[0, 0], 1, 0),
        case(&[max, max, 1], &[max, max, 1], max, max),
        case(&[3, 3, 3], &[2, 2, 2], 6, 4),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for largest in [2, 9, 1000, 1 << 50] {
        for _ in 0..150 {
            let n = random.random_range(1..=7);
            let weights: Vec<u64> = (0..n).map(|_| random.random_range(0..=largest)).collect();
            let worth = |&weight: &u64| weight + random.random_range(0..=1 + largest / 8);
            let worths: Vec<u64> = weights.iter().map(worth).collect();
            let room = random.random_range(0..=weights.iter().sum());
            all.push(Case { weights, worths, room, need: room - room / 8 });
        }
    }
    all
}

fn encode(case: &Case) -> (Cnf, Vec<Lit>) {
    let mut cnf = Cnf::new();
    let lits = inputs(case.weights.len(), &mut cnf);
    let parts = lits.iter().zip(case.weights.iter().zip(&case.worths));
    let items: Vec<Item> =
        parts.map(|(&lit, (&weight, &worth))| Item { lit, weight, worth }).collect();
    window::encode(&items, case.room, case.need, &mut cnf, &mut Budget::default()).expect("small");
    (cnf, lits)
}

fn holds(case: &Case, mask: usize) -> bool {
    let sum = |numbers: &[u64]| -> u128 {
        let chosen = numbers.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        chosen.map(|(_, &number)| u128::from(number)).sum()
    };
    sum(&case.weights) <= u128::from(case.room) && sum(&case.worths) >= u128::from(case.need)
}

#[test]
fn exactly_the_sets_in_the_window_are_models() {
    let (mut inside, mut outside) = (0, 0);
    for case in cases() {
        let (cnf, lits) = encode(&case);
        let mut oracle = Oracle::new(&cnf);
        for (true_lits, mask) in assignments(&lits) {
            let expected = holds(&case, mask);
            assert_eq!(oracle.satisfiable(&true_lits), expected, "{case:?} {mask:b}");
            // Unit propagation alone decides, without a decision on a node.
            let values = Assignment::of(cnf.variables(), &true_lits);
            assert_eq!(propagate(&cnf, values).is_some(), expected, "{case:?} {mask:b}");
            *(if expected { &mut inside } else { &mut outside }) += 1;
        }
    }
    assert!(inside > 1000 && outside > 1000, "one-sided test: {inside} {outside}");
}

/// Twelve equal items, six of which are needed: at level i there are at most 7 counts.
#[test]
fn equal_items_share_nodes() {
    let case = Case { weights: vec![5; 12], worths: vec![7; 12], room: 32, need: 41 };
    let (cnf, _) = encode(&case);
    assert!(cnf.variables() <= 12 + 12 * 7, "{}", cnf.variables());
}

#[test]
fn a_budget_is_kept() {
    let mut cnf = Cnf::new();
    let lits = inputs(20, &mut cnf);
    let item = |(i, &lit): (usize, &Lit)| Item { lit, weight: 1 << i, worth: 1 << i };
    let items: Vec<Item> = lits.iter().enumerate().map(item).collect();
    let mut budget = Budget::clauses(1000);
    let error = window::encode(&items, 1 << 19, 0, &mut cnf, &mut budget);
    assert!(matches!(error, Err(OverBudget::TooMany { .. })), "{error:?}");
}

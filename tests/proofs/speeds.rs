//! Hosts whose speeds are fractions: optima beside brute force with fractions, exactly, and what
//! must be rejected.

use gridsat_exact::solve::Solver;
use gridsat_model::certificate::{Document, Step};
use gridsat_model::{Instance, Ticks};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::cases::verify;
use crate::damage::damage;

/// Speeds as numerator and denominator.
const SPEEDS: [(u64, u64); 6] = [(1, 1), (2, 1), (3, 1), (3, 2), (2, 3), (7, 5)];

/// A whole multiple of all numerators: so many parts of the unit make all times whole.
const PARTS: u64 = 42;

const WORKS: [u64; 5] = [0, 1, 4, 5, 11];

/// Lists of this length with indices below `kinds`, each in ascending order.
fn multisets(kinds: usize, length: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..length {
        let longer = |list: &Vec<usize>| {
            let (list, last) = (list.clone(), list.last().copied().unwrap_or(0));
            (last..kinds).map(move |next| [list.clone(), vec![next]].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists
}

fn read(works: &[u64], speeds: &[(u64, u64)]) -> Instance {
    let host = |(over, under): &(u64, u64)| format!("{{\"speed\": \"{over}/{under}\"}}");
    let hosts = speeds.iter().map(host).collect::<Vec<_>>().join(", ");
    let text = format!("{{\"tasks\": {works:?}, \"hosts\": [{hosts}]}}");
    text.parse().expect("valid")
}

/// The smallest makespan in parts of the unit, by trying all mappings.
fn optimum(works: &[u64], speeds: &[(u64, u64)]) -> u64 {
    let mut best = u64::MAX;
    for number in 0..speeds.len().pow(works.len() as u32) {
        let mut loads = vec![0; speeds.len()];
        let mut rest = number;
        for work in works {
            let host = rest % speeds.len();
            rest /= speeds.len();
            loads[host] += work * PARTS * speeds[host].1 / speeds[host].0;
        }
        best = best.min(loads.into_iter().max().unwrap_or(0));
    }
    best
}

/// All instances of one to three hosts with one to four tasks.
#[test]
fn all_tiny_instances_of_rational_speeds_are_solved_exactly() {
    let (mut count, mut in_parts) = (0, 0);
    let all_works: Vec<Vec<usize>> = (1..5).flat_map(|n| multisets(WORKS.len(), n)).collect();
    for hosts in (1..4).flat_map(|m| multisets(SPEEDS.len(), m)) {
        let speeds: Vec<(u64, u64)> = hosts.iter().map(|&host| SPEEDS[host]).collect();
        for works in &all_works {
            let works: Vec<u64> = works.iter().map(|&work| WORKS[work]).collect();
            let instance = read(&works, &speeds);
            assert!(instance.notes().is_empty(), "nothing is rounded: {works:?} {speeds:?}");
            let solution = Solver::new().solve(&instance).expect("solved");
            let certificate = solution.certificate().document();
            let found = u128::from(solution.makespan().ticks()) * u128::from(PARTS);
            let unit = u128::from(instance.scale().ticks_per_unit());
            let best = u128::from(optimum(&works, &speeds)) * unit;
            assert_eq!(found, best, "{works:?} {speeds:?}");
            assert!(solution.is_optimal(), "{works:?} {speeds:?}");
            verify(&instance, certificate).expect("just made");
            let mut bad = certificate.clone();
            bad.instance.parts += 1;
            verify(&instance, &bad).expect_err("other ticks");
            (count, in_parts) = (count + 1, in_parts + u32::from(instance.scale().parts() > 1));
        }
    }
    assert!(count > 10_000 && in_parts > 5_000, "{count} {in_parts}");
}

/// Solved instances of rational speeds, some of whose ticks are parts of the unit.
pub fn solved(rng: &mut ChaCha8Rng, count: usize) -> Vec<(Instance, Document)> {
    let mut claims = Vec::new();
    while claims.len() < count {
        let (n, m) = (rng.random_range(4..16), rng.random_range(2..7));
        let works: Vec<u64> = (0..n).map(|_| rng.random_range(1..100)).collect();
        let speeds: Vec<(u64, u64)> = (0..m).map(|_| SPEEDS[rng.random_range(0..6)]).collect();
        let instance = read(&works, &speeds);
        let solution = Solver::new().solve(&instance).expect("solved");
        claims.push((instance, solution.certificate().document().clone()));
    }
    claims
}

/// The same with one change each: ticks, numbers, and whatever `damage` does. The last value says
/// whether the claim must be wrong.
pub fn damaged(
    claims: &[(Instance, Document)],
    rng: &mut ChaCha8Rng,
) -> Vec<(Instance, Document, bool)> {
    let mut all = Vec::new();
    for (instance, good) in claims {
        for change in 0..7 {
            let (mut other, mut bad) = (instance.clone(), good.clone());
            match change {
                0 => bad.instance.parts *= 2,
                1 => bad.instance.parts = if bad.instance.parts == 1 { 3 } else { 1 },
                2 => bad.instance.decimals += 1,
                3 => bad.makespan -= Ticks(1),
                4 => bad.lower_bound -= Ticks(1),
                5 => bad.steps.iter_mut().for_each(raise),
                _ => other = damage(instance, &mut bad, rng),
            }
            all.push((other, bad, change < 5));
        }
    }
    all
}

/// The step for a larger k.
fn raise(step: &mut Step) {
    match step {
        Step::Ready { k, .. }
        | Step::LongestTask { k, .. }
        | Step::Weights { k, .. }
        | Step::Part { k, .. }
        | Step::Prices { k, .. }
        | Step::Fillings { k, .. }
        | Step::Tree { k, .. } => *k += Ticks(1),
        Step::Unsat(formula) => formula.k += Ticks(1),
    }
}

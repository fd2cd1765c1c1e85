//! The rule `part`: every accepted claim is true, and both checkers accept the same claims.

use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::certificate::{Document, Step};
use gridsat_model::{Instance, Ticks};
use gridsat_test_support::tiny;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cases::verify;

/// Tiny instances with equal hosts, some of them ready later than at 0.
pub fn equal_hosts(rng: &mut ChaCha8Rng) -> Instance {
    let (tasks, hosts) = (rng.random_range(1..7), rng.random_range(1..4));
    let largest = [4, 12, 80][rng.random_range(0..3)];
    let row = |time: u64| format!("[{}]", vec![time.to_string(); hosts].join(", "));
    let rows: Vec<String> = (0..tasks).map(|_| row(rng.random_range(0..largest))).collect();
    let ready = vec![rng.random_range(0..3).to_string(); hosts].join(", ");
    let text = format!(r#"{{"etc": [{}], "ready": [{ready}]}}"#, rows.join(", "));
    text.parse().expect("valid")
}

/// Every part of the instance as a claim, with and without sums, for every k below the makespan of
/// a mapping.
pub fn claims(instance: &Instance) -> Vec<Document> {
    let mapping = OnLine::Olb.map(instance);
    let (n, m) = (instance.task_count() as u32, instance.host_count() as u32);
    let mut claims = Vec::new();
    for k in (0..mapping.makespan().0).map(Ticks) {
        for (hosts, tasks) in (0..=m + 1).flat_map(|h| (0..=n + 1).map(move |t| (h, t))) {
            for sums in [false, true] {
                let step = Step::Part { k, hosts, tasks, sums };
                claims.push(Document::new(instance, &mapping, k + Ticks(1), vec![step]));
            }
        }
    }
    claims
}

#[test]
fn no_false_bound_is_accepted() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let (mut accepted, mut tight) = (0, 0);
    for _ in 0..150 {
        let instance = equal_hosts(&mut rng);
        let optimum = tiny::optimum(&instance);
        for claim in claims(&instance) {
            if verify(&instance, &claim).is_ok() {
                assert!(claim.lower_bound <= optimum, "{instance:?} {claim:?}");
                accepted += 1;
                tight += u32::from(claim.lower_bound == optimum);
            }
        }
    }
    assert!(accepted > 5000 && tight > 300, "{accepted} accepted, {tight} of them tight");
}

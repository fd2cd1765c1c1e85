//! How long the experiments of claims take, so that a user can be told before they start.

/// CPU seconds of one replication at all points, where it was measured.
const SECONDS: [(&str, f64); 25] = [
    ("qos-share", 0.018),
    ("qos-ends", 0.015),
    ("wait-time", 0.03),
    ("wait-time-long", 0.04),
    ("grid-size", 0.05),
    ("heterogeneity", 0.025),
    ("information", 0.026),
    ("local-usage", 0.062),
    ("local-usage-readings", 1.8),
    ("gsim-table", 0.001),
    ("randomisers", 0.0042),
    ("exponential", 0.0016),
    ("encodings", 0.22),
    ("encoding-digits", 0.24),
    ("strategies", 1.3),
    ("braun", 5.2),
    ("braun-met", 0.004),
    ("local-search", 2.0),
    ("gridsim-table", 0.001),
    ("workload-shares", 0.17),
    ("dside-desktop", 0.3),
    ("dside-recovery", 2.0),
    ("dside-tornado", 6.0),
    ("mmm", 0.5),
    ("beosim-policies", 1.5),
];

/// Estimated CPU seconds of so many replications of an experiment; 0 if it was not measured.
pub fn cpu_seconds(experiment: &str, replications: u32) -> f64 {
    let found = SECONDS.iter().find(|(name, _)| *name == experiment);
    found.map_or(0.0, |(_, seconds)| seconds * f64::from(replications))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::claims::claims;

    #[test]
    fn every_experiment_of_a_claim_was_measured() {
        let needed: BTreeSet<&str> =
            claims().flat_map(|claim| &claim.needs).map(String::as_str).collect();
        assert_eq!(SECONDS.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>(), needed);
        assert!(needed.iter().all(|name| cpu_seconds(name, 1) > 0.0));
        assert_eq!(cpu_seconds("qos-share", 100), 100.0 * cpu_seconds("qos-share", 1));
        assert_eq!(cpu_seconds("optimal-qos-share", 1), 0.0);
    }
}

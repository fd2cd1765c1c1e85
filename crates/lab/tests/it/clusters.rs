//! Comparisons on clusters: with theory where there is one, and between policies.

use std::path::Path;

use gridsat_cluster::simulate;
use gridsat_lab::compare::{
    BEOSIM_ROWS, ClusterOptions, Measure, MmmRow, Shape, check_mmm, clusters as compare,
};
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario};
use gridsat_scenario::{Syntax, template};

#[test]
fn mmm_agrees_with_theory_in_every_shape() {
    for case in BEOSIM_ROWS {
        let rows = Shape::ALL.map(|shape| check_mmm(case, shape, 1).expect("stable"));
        for row in &rows {
            assert!(row.agrees(), "{row:?}");
            // The same jobs have the same schedule with all kinds of servers.
            assert_eq!(MmmRow { shape: rows[0].shape, ..*row }, rows[0]);
            // A mean that is off by 30 % would be detected, and 5 % of utilisation.
            let Measure { expected, .. } = row.wait;
            let wrong = Measure { expected: 1.3 * expected, ..row.wait };
            assert!(!wrong.agrees() || case.servers > 2, "{row:?}");
            let wrong = Measure { expected: 1.05 * row.utilisation.expected, ..row.utilisation };
            assert!(!wrong.agrees(), "{row:?}");
        }
    }
}

/// Claim C29 on a small scale: SCAN is better than plain, and backfilling uses more of the nodes.
#[test]
fn policies_side_by_side() {
    let text = template("beosim-100").expect("a template").text;
    let text = text.replace("20000", "3000").replace("5000", "3800");
    let scenario = ClusterScenario::parse(&text, Syntax::Toml, "test.toml", Path::new(""));
    let scenario = scenario.expect("valid");
    let policies = ["own", "fcfs", "fcfs-scan", "ljf", "ljf-scan"].map(str::to_owned).to_vec();
    let options = ClusterOptions { policies, replications: 2, ..ClusterOptions::default() };
    let compared = compare(&scenario, &options, &mut |_| {}).expect("known policies");
    let rows = &compared.rows;
    assert_eq!((rows.len(), compared.jobs, rows[0].is_own), (5, 3000, true));
    assert_eq!(rows[0].policy, "fcfs-scan-backfill");
    for (plain, scan) in [(1, 2), (3, 4)] {
        assert!(rows[scan].wait.mean < rows[plain].wait.mean);
        assert!(rows[scan].utilisation.mean > rows[plain].utilisation.mean);
    }
    assert!(rows[0].utilisation.mean > 1.2 * rows[1].utilisation.mean, "{rows:?}");
    let (setup, _) = scenario.setup(&ClusterChanges::default()).expect("valid");
    let alone = simulate(setup, &mut ()).expect("valid");
    let once = ClusterOptions { policies: vec!["own".to_owned()], ..ClusterOptions::default() };
    let once = compare(&scenario, &once, &mut |_| {}).expect("its own");
    assert_eq!(once.rows[0].wait.mean, alone.all.jobs.wait.mean());
    assert!(
        compare(&scenario, &ClusterOptions::default(), &mut |_| {}).expect("usual").rows.len() > 5
    );
}

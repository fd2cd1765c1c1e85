//! Strategy `sat` proves optima by decisions alone, each with a refutation.

use std::time::Duration;

use gridsat_check::formula::Load;
use gridsat_exact::solve::Solver;
use gridsat_exact::strategy::{Options, Order, Strategy};
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_model::certificate::Step;
use gridsat_model::{Instance, Stop};

const CLASSES: [&str; 6] = ["U1-100", "U100-200", "jobcorr", "maccorr", "u_c_lolo", "u_i_hihi"];

fn instance(class: &str, tasks: usize, hosts: usize) -> Instance {
    let class = class.parse().expect("known");
    generate(&EtcSpec::plain(class, tasks, hosts, 1)).expect("valid")
}

/// Loads alone were not enough for U100-200, jobcorr and maccorr, in any time a test can take.
#[test]
fn windows_prove_what_loads_do_not() {
    let stop = Stop::never().within(Duration::from_secs(300));
    for class in CLASSES {
        let instance = instance(class, 30, 5);
        let reference = Solver::new().solve(&instance).expect("a mapping");
        let options = Options { strategy: Strategy::Sat, ..Options::default() };
        let solution =
            Solver::with(options).stop(stop.clone()).solve(&instance).expect("a mapping");
        assert!(solution.is_optimal() && reference.is_optimal(), "{class}");
        assert_eq!(solution.makespan(), reference.makespan(), "{class}");
        let last = solution.certificate().document().steps.last();
        let Some(Step::Unsat(refuted)) = last else { panic!("{class}: {last:?}") };
        assert_eq!(refuted.encoding, Load::Window.name(), "{class}");
    }
}

#[test]
fn descending_finds_the_same() {
    for class in ["U100-200", "jobcorr"] {
        let instance = instance(class, 20, 4);
        let solve = |order| {
            let options = Options { strategy: Strategy::Sat, order, ..Options::default() };
            Solver::with(options).solve(&instance).expect("a mapping")
        };
        let (bisected, descended) = (solve(Order::Bisect), solve(Order::Descend));
        assert!(bisected.is_optimal() && descended.is_optimal(), "{class}");
        assert_eq!(bisected.makespan(), descended.makespan(), "{class}");
    }
}

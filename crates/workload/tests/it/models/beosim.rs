//! The Beosim model.

use gridsat_model::Ticks;
use gridsat_workload::{Beosim, BeosimLaw};

use super::{N, assert_even, assert_fits, fine, gaps, seconds};

#[test]
fn beosim_draws_what_it_is_told() {
    let model = Beosim {
        nodes: 64,
        size: BeosimLaw::Uniform { low: 1.0, high: 64.0 },
        run: BeosimLaw::Exponential { mean: 170.0 },
        gap: BeosimLaw::Exponential { mean: 100.0 },
    };
    let jobs: Vec<_> = model.jobs(7, fine()).expect("valid").take(N).collect();
    assert_fits(jobs.iter().map(|job| job.nodes), |size| f64::from(size > 0) / 64.0, 64);
    let exponential = |x: f64, mean: f64| 1.0 - (-x / mean).exp();
    let runs = jobs.iter().map(|job| exponential(seconds(job.run), 170.0)).collect();
    assert_even(runs, "run times");
    let gaps = gaps(&jobs).into_iter().map(|gap| exponential(seconds(Ticks(gap)), 100.0)).collect();
    assert_even(gaps, "gaps");
    let model = Beosim {
        size: BeosimLaw::Exponential { mean: 20.0 },
        run: BeosimLaw::Uniform { low: 5.0, high: 10.0 },
        ..model
    };
    let jobs: Vec<_> = model.jobs(7, fine()).expect("valid").take(N).collect();
    let runs = jobs.iter().map(|job| (seconds(job.run) - 5.0) / 5.0).collect();
    assert_even(runs, "uniform run times");
    let below = |size: f64| exponential(size, 20.0) / exponential(64.0, 20.0);
    let share = |size: u32| below(f64::from(size)) - below(f64::from(size.max(1) - 1));
    assert_fits(jobs.iter().map(|job| job.nodes), share, 64);
}

#[test]
fn beosim_refuses_nonsense_in_one_line() {
    let error = |model: Beosim| model.jobs(1, fine()).map(drop).expect_err("bad").to_string();
    let sizes = |low, high| Beosim { size: BeosimLaw::Uniform { low, high }, ..Beosim::new(8) };
    assert_eq!(
        error(sizes(0.0, 8.0)),
        "smallest size is 0, not a whole number from 1 to the number of nodes"
    );
    assert_eq!(
        error(sizes(1.0, 9.0)),
        "largest size is 9, not a whole number from 1 to the number of nodes"
    );
    assert_eq!(error(sizes(4.0, 2.0)), "uniform from 4 to 2: the upper end is smaller");
    assert_eq!(
        "exp:x".parse::<BeosimLaw>().expect_err("no number").to_string(),
        "'exp:x' is not uniform:LOW:HIGH or exp:MEAN"
    );
}

//! The model of Wang and Zhang.

use gridsat_model::Ticks;
use gridsat_workload::{
    GridArrivals, GridJob, LublinParameters, TwoStage, WangZhang, WangZhangParameters, gamma_below,
};

use super::lublin::log_gaps_below;
use super::{N, assert_even, assert_fits, fine, gaps, seconds};

fn wang_zhang(change: impl FnOnce(&mut WangZhangParameters)) -> Vec<GridJob> {
    let mut parameters = WangZhangParameters::default();
    change(&mut parameters);
    let model = WangZhang { parameters, arrivals: GridArrivals::Gaps };
    model.jobs(7, fine()).expect("valid").take(N).collect()
}

/// C21: 21 % are serial; of the others 89 % are powers of two, distributed as in the paper.
#[test]
fn grid_sizes_follow_the_paper() {
    let jobs = wang_zhang(|_| {});
    let kind = |job: &GridJob| match job.job.nodes {
        1 => 0,
        nodes if nodes.is_power_of_two() => 1,
        _ => 2,
    };
    let shares = [0.21, 0.79 * 0.89, 0.79 * 0.11];
    let share = |kind: u32| shares.get(kind as usize).copied().unwrap_or(0.0);
    assert_fits(jobs.iter().map(kind), share, 2);
    let line = TwoStage { low: 0.8, middle: 4.5, high: 7.0, share: 0.86 };
    let powers = jobs.iter().filter(|job| kind(job) == 1).map(|job| job.job.nodes.ilog2());
    assert_fits(powers, |exponent| line.exponent(exponent), 7);
    let others: f64 = (3..=128_u32).filter(|k| !k.is_power_of_two()).map(|k| line.size(k)).sum();
    let other = |size: u32| match size {
        0..=2 => 0.0,
        size if size.is_power_of_two() => 0.0,
        size => line.size(size) / others,
    };
    assert_fits(jobs.iter().filter(|job| kind(job) == 2).map(|job| job.job.nodes), other, 128);
}

/// E20: with any base, the logarithm is hyper-gamma.
#[test]
fn grid_run_times_are_hyper_gamma_to_any_base() {
    for base in [2.0, std::f64::consts::E] {
        let jobs = wang_zhang(|p| p.log_base = base);
        let below = |job: &GridJob| {
            let h = seconds(job.job.run).ln() / base.ln();
            0.577 * gamma_below(10.74, 0.55, h) + 0.423 * gamma_below(37.96, 0.37, h)
        };
        assert_even(jobs.iter().map(below).collect(), &format!("base {base}"));
    }
}

/// C22: each scheduler in the random order receives α times as many jobs as the one before.
#[test]
fn submissions_are_geometric_in_a_random_order() {
    for alpha in [1.0, 1.5, 3.0_f64] {
        let parameters = WangZhangParameters { alpha, ..WangZhangParameters::default() };
        let model = WangZhang { parameters, arrivals: GridArrivals::Gaps };
        let jobs = model.jobs(7, fine()).expect("valid");
        let order = jobs.order().to_vec();
        let total: f64 = (0..8).map(|j| alpha.powi(j)).sum();
        let share = |j: u32| alpha.powi(j.cast_signed()) / total;
        let place = |job: GridJob| {
            order.iter().position(|&one| one == job.scheduler).expect("one of them") as u32
        };
        assert_fits(jobs.take(N).map(place), share, 7);
    }
    let order = |seed| {
        let model =
            WangZhang { parameters: WangZhangParameters::default(), arrivals: GridArrivals::Gaps };
        model.jobs(seed, fine()).expect("valid").order().to_vec()
    };
    assert_ne!(order(1), order(2));
    let mut sorted = order(1);
    sorted.sort_unstable();
    assert_eq!(sorted, Vec::from_iter(0..8));
}

/// C23: estimate, deadline and migration are uniform in their ranges.
#[test]
fn factors_are_even_in_their_ranges() {
    let jobs = wang_zhang(|p| {
        (p.e1, p.e2) = (0.5, 4.0);
        (p.deadline1, p.deadline2) = (2.0, 6.0);
        (p.migration1, p.migration2) = (10.0, 30.0);
    });
    let even = |low: f64, high: f64, x: f64| (x - low) / (high - low);
    let ratio = |above: Ticks, below: Ticks| above.as_f64() / below.as_f64();
    let all = |of: &dyn Fn(&GridJob) -> f64| jobs.iter().map(of).collect::<Vec<_>>();
    let estimate = |job: &GridJob| even(0.5, 4.0, ratio(job.job.estimate, job.job.run));
    assert_even(all(&estimate), "estimates");
    let deadline =
        |job: &GridJob| even(2.0, 6.0, ratio(job.deadline - job.job.submit, job.job.estimate));
    assert_even(all(&deadline), "deadlines");
    assert_even(all(&|job| even(10.0, 30.0, seconds(job.migration))), "migration");
}

#[test]
fn grid_gaps_are_gamma_and_stretch() {
    let plain: Vec<_> = wang_zhang(|_| {}).iter().map(|job| job.job).collect();
    let below = |gap: u64| gamma_below(8.17, 3.96, seconds(Ticks(gap)));
    assert_even(gaps(&plain).into_iter().map(below).collect(), "gaps");
    let stretched = wang_zhang(|p| p.s = 3.0);
    for (one, three) in plain.iter().zip(&stretched) {
        assert!(three.job.submit.abs_diff(3 * one.submit) <= Ticks(4), "{one:?} {three:?}");
        assert_eq!((one.nodes, one.run), (three.job.nodes, three.job.run));
    }
}

/// E21: the other reading uses the arrivals of Lublin and Feitelson; the factor stretches points,
/// not days.
#[test]
fn grid_arrivals_may_have_a_daily_cycle() {
    let parameters = WangZhangParameters { s: 0.5, ..WangZhangParameters::default() };
    let model = WangZhang { parameters, arrivals: GridArrivals::Daily };
    let jobs = model.jobs(7, fine()).expect("valid").take(N);
    let submits: Vec<_> = jobs.map(|job| job.job.submit).collect();
    assert_even(log_gaps_below(&LublinParameters::ALL, &submits, 0.5), "daily");
}

#[test]
fn wang_zhang_refuses_nonsense_in_one_line() {
    let error = |name: &str, value: f64| {
        let mut parameters = WangZhangParameters::default();
        parameters.set(name, value).expect("known");
        let model = WangZhang { parameters, arrivals: GridArrivals::Gaps };
        model.jobs(1, fine()).map(drop).expect_err(name).to_string()
    };
    assert_eq!(error("alpha", 0.5), "alpha is 0.5, not a number >= 1");
    assert_eq!(error("schedulers", 2.5), "schedulers is 2.5, not a whole number from 1 to 1000000");
    assert_eq!(error("e2", 0.5), "e1 is 1, above e2, which is 0.5");
    assert_eq!(error("s", 0.0), "s is 0, not a number above 0");
    assert_eq!(error("log_base", 1.0), "log_base is 1, not a number above 1");
    let mut narrow = WangZhangParameters::default();
    (narrow.ulow, narrow.umed, narrow.uhi) = (3.0, 3.0, 3.01);
    let model = WangZhang { parameters: narrow, arrivals: GridArrivals::Gaps };
    assert_eq!(
        model.jobs(1, fine()).map(drop).expect_err("narrow").to_string(),
        "ulow, umed, uhi: almost all sizes are powers of two"
    );
}

//! Workloads: the distributions, and the independence of the random streams.
//!
//! Random seeds are fixed. Kolmogorov-Smirnov tests reject at 0.1 % (D > 1.95 / √n); shares may
//! deviate by 4.5 standard errors.

use std::sync::Arc;

use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::stream;
use gridsat_workload::{
    Demand, Distribution, EstimateError, JobSpec, Misjudged, Qos, Submissions, Users, list, merge,
};

const N: usize = 10_000;

fn uniform(low: f64, high: f64) -> Distribution {
    Distribution::uniform(low, high).expect("valid")
}

fn exponential(mean: f64) -> Distribution {
    Distribution::exponential(mean).expect("valid")
}

#[track_caller]
fn fits(mut sample: Vec<f64>, below: impl Fn(f64) -> f64, case: &str) {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let distance = |(i, &x): (usize, &f64)| {
        let expected = below(x);
        (expected - i as f64 / n).abs().max(((i + 1) as f64 / n - expected).abs())
    };
    let largest = sample.iter().enumerate().map(distance).fold(0.0, f64::max);
    let limit = 1.95 / n.sqrt();
    assert!(largest <= limit, "{case}: D = {largest:.4}, limit {limit:.4}");
}

fn even(low: f64, high: f64) -> impl Fn(f64) -> f64 {
    move |x| ((x - low) / (high - low)).clamp(0.0, 1.0)
}

fn samples(distribution: Distribution) -> Vec<f64> {
    let mut random = stream(3, "test", 0);
    (0..N).map(|_| distribution.sample(&mut random)).collect()
}

/// Figure 3.16 of the thesis: equation 3.10 at rate 10, 10,000 runs.
#[test]
fn exponential_at_rate_10() {
    let sample = samples(exponential(0.1));
    let mean = sample.iter().sum::<f64>() / N as f64;
    assert!((mean - 0.1).abs() <= 4.5 * 0.1 / 100.0, "{mean}");
    fits(sample, |x| 1.0 - (-10.0 * x).exp(), "exponential");
}

#[test]
fn uniform_and_truncated_normal() {
    fits(samples(uniform(100.0, 300.0)), even(100.0, 300.0), "uniform");
    let phi = |z: f64| libm::erfc(-z / 2_f64.sqrt()) / 2.0;
    for (mean, deviation) in [(10.0, 2.0), (1.0, 2.0), (0.0, 1.0)] {
        let sample = samples(Distribution::normal(mean, deviation).expect("valid"));
        assert!(sample.iter().all(|&x| x >= 0.0));
        let cut = phi(-mean / deviation);
        let below = |x: f64| (phi((x - mean) / deviation) - cut) / (1.0 - cut);
        fits(sample, below, &format!("normal {mean}, {deviation}"));
    }
}

/// P(a, x) by its series, sufficient for the arguments used here.
fn lower_gamma(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for n in 1..500 {
        term *= x / (a + f64::from(n));
        sum += term;
    }
    sum * libm::exp(a * libm::log(x) - x - libm::lgamma(a))
}

#[test]
fn weibull_log_normal_and_gamma() {
    for (shape, scale) in [(0.5, 3.0), (1.0, 2.0), (2.5, 10.0)] {
        let sample = samples(Distribution::weibull(shape, scale).expect("valid"));
        let below = |x: f64| 1.0 - (-(x / scale).powf(shape)).exp();
        fits(sample, below, &format!("weibull {shape}, {scale}"));
    }
    for (mu, sigma) in [(-1.0, 0.5), (2.0, 1.5)] {
        let sample = samples(Distribution::log_normal(mu, sigma).expect("valid"));
        let below = |x: f64| libm::erfc(-(x.ln() - mu) / sigma / 2_f64.sqrt()) / 2.0;
        fits(sample, below, &format!("log-normal {mu}, {sigma}"));
    }
    for (shape, scale) in [(0.3, 2.0), (1.0, 1.0), (4.5, 0.5)] {
        let sample = samples(Distribution::gamma(shape, scale).expect("valid"));
        let mean = sample.iter().sum::<f64>() / N as f64;
        let error = 4.5 * scale * shape.sqrt() / 100.0;
        assert!((mean - shape * scale).abs() <= error, "gamma {shape}, {scale}: mean {mean}");
        fits(sample, |x| lower_gamma(shape, x / scale), &format!("gamma {shape}, {scale}"));
    }
}

/// Ticks are microseconds.
fn scale() -> Scale {
    Scale::new(6).expect("allowed")
}

fn users() -> Users {
    let qos = Qos::high(0.3).expect("valid");
    let (gap, size) = (exponential(4.0), uniform(100.0, 200.0));
    Users { count: 1000, applications: 10, tasks: 3, ..Users::stream(1, gap, size, qos) }
}

fn jobs(users: &Users) -> Submissions {
    users.jobs(17, 2, scale()).expect("valid")
}

fn size(job: &JobSpec) -> f64 {
    match job.demand {
        Demand::Instructions(size) => size,
        Demand::Operations(_) | Demand::Times(_) | Demand::Composite(_) => f64::NAN,
    }
}

#[test]
fn a_group_of_users_is_a_poisson_process() {
    let arrivals: Vec<Ticks> = jobs(&users()).step_by(3).map(|job| job.arrival).collect();
    assert_eq!(arrivals.len(), N);
    let before = std::iter::once(&Ticks::ZERO).chain(&arrivals);
    let gaps = before.zip(&arrivals).map(|(&from, &to)| (to - from).as_f64() / 1e6);
    fits(gaps.collect(), |x| 1.0 - (-x / 4.0).exp(), "gaps, the first one too");
}

#[test]
fn sizes_and_levels_are_as_asked_for() {
    fits(jobs(&users()).map(|job| size(&job)).collect(), even(100.0, 200.0), "sizes");
    let levels: Vec<u32> = jobs(&users()).map(|job| job.qos).collect();
    assert!(levels.chunks(3).all(|jobs| jobs.iter().all(|&level| level == jobs[0])));
    let high = levels.iter().step_by(3).filter(|&&level| level == 1).count() as f64;
    let (n, p) = (N as f64, 0.3);
    assert!((high - n * p).abs() <= 4.5 * (n * p * (1.0 - p)).sqrt(), "{high} of {n}");
}

type Seen = (Vec<Ticks>, Vec<f64>, Vec<u32>);

fn seen(users: &Users) -> Seen {
    let jobs: Vec<JobSpec> = jobs(users).collect();
    let arrivals = jobs.iter().map(|job| job.arrival).collect();
    (arrivals, jobs.iter().map(size).collect(), jobs.iter().map(|job| job.qos).collect())
}

#[test]
fn what_is_drawn_for_one_thing_does_not_change_another() {
    let (arrivals, sizes, levels) = seen(&users());
    let other = seen(&Users { size: Distribution::normal(5.0, 9.0).expect("valid"), ..users() });
    assert!(other.0 == arrivals && other.1 != sizes && other.2 == levels);
    let other = seen(&Users { gap: uniform(0.0, 1.0), ..users() });
    assert!(other.0 != arrivals && other.1 == sizes && other.2 == levels);
    let other = seen(&Users { qos: Qos::none(), ..users() });
    assert!(other.0 == arrivals && other.1 == sizes && other.2 != levels);
    let third = users().jobs(17, 3, scale()).expect("valid");
    assert!(third.map(|job| job.arrival).ne(arrivals.iter().copied()), "another group");
    let again = EstimateError::Thesis { max_percent: 50.0 }.over(jobs(&users()), 17, 2);
    let again: Vec<_> = again.expect("valid").map(|job| (job.arrival, size(&job))).collect();
    assert!(again.into_iter().eq(arrivals.into_iter().zip(sizes)), "errors");
}

#[test]
fn a_stream_of_single_jobs() {
    let stream = Users::stream(100_000, exponential(1.0), uniform(1e5, 2e5), Qos::none());
    let mut last = None;
    for (index, job) in jobs(&stream).enumerate() {
        assert_eq!((job.user, job.application as usize, job.qos), (0, index, 0));
        assert!(last.is_none_or(|last| last <= job.arrival));
        last = Some(job.arrival);
        assert!(index < 100_000);
    }
    let mean = last.expect("jobs").as_f64() / 1e6 / 100_000.0;
    assert!((mean - 1.0).abs() <= 4.5 / 100_000_f64.sqrt(), "mean gap {mean}");
}

/// If two purposes shared a stream, jobs with high QoS levels, or late jobs, would be large.
#[test]
fn sizes_know_nothing_of_levels_and_gaps() {
    let qos = Qos::high(0.5).expect("valid");
    let single = Users::stream(N as u32, exponential(1.0), uniform(100.0, 200.0), qos);
    let (mut demanding, mut late, mut before) = (Vec::new(), Vec::new(), 0);
    for job in jobs(&single) {
        if job.qos == 1 {
            demanding.push(size(&job));
        }
        if job.arrival - Ticks(before) > Ticks(1_000_000) {
            late.push(size(&job));
        }
        before = job.arrival.0;
    }
    fits(demanding, even(100.0, 200.0), "sizes at level 1");
    fits(late, even(100.0, 200.0), "sizes after long gaps");
}

#[test]
fn merged_groups_are_in_order_and_complete() {
    let group = |first, index| {
        let users = Users { first, gap: exponential(7.0), ..users() };
        users.jobs(17, index, Scale::default()).expect("valid")
    };
    let merged: Vec<_> = merge(vec![Box::new(group(0, 0)), Box::new(group(1000, 1))]).collect();
    let mut expected: Vec<_> = group(0, 0).chain(group(1000, 1)).collect();
    expected.sort_by_key(|job| job.arrival);
    assert!(merged == expected, "a stable sort of both");
}

fn misjudged(error: EstimateError) -> Misjudged<Submissions> {
    let single = Users::stream(N as u32, exponential(1.0), uniform(100.0, 200.0), Qos::none());
    error.over(jobs(&single), 17, 2).expect("valid")
}

/// Figure 4.16 of the thesis: sizes are unchanged, and estimates are uniform around them.
#[test]
fn errors_of_the_thesis() {
    let jobs: Vec<_> = misjudged(EstimateError::Thesis { max_percent: 40.0 }).collect();
    assert!(jobs.iter().map(size).eq(misjudged(EstimateError::None).map(|job| size(&job))));
    fits(jobs.iter().map(|job| job.estimate).collect(), even(0.6, 1.4), "estimates");
    let nothing = misjudged(EstimateError::Thesis { max_percent: 0.0 });
    assert!(nothing.zip(misjudged(EstimateError::None)).all(|(a, b)| a == b));
}

/// `real(d, fL, fM)`: the given size becomes the estimate, and true sizes are uniform around it.
#[test]
fn errors_of_gridsim() {
    for (less, more) in [(0.2, 0.5), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
        let given = misjudged(EstimateError::None).map(|job| size(&job));
        let jobs = misjudged(EstimateError::GridSim { less, more });
        let mut factors = Vec::new();
        for (given, job) in given.zip(jobs) {
            assert!((size(&job) * job.estimate / given - 1.0).abs() < 1e-12);
            factors.push(size(&job) / given);
        }
        if less + more > 0.0 {
            fits(factors, even(1.0 - less, 1.0 + more), &format!("{less}, {more}"));
        } else {
            assert!(factors.iter().all(|&factor| factor == 1.0));
        }
    }
}

#[test]
fn times_are_scaled_in_whole_ticks_and_never_to_0() {
    let demand =
        Demand::Times(Arc::new(vec![Some(Ticks(1000)), None, Some(Ticks(1)), Some(Ticks(0))]));
    let job = JobSpec::new(Ticks(5), demand);
    let jobs = list(vec![job; 100]).expect("valid");
    let wrong = EstimateError::GridSim { less: 1.0, more: 0.0 };
    for job in wrong.over(jobs, 1, 0).expect("valid") {
        let expected = Ticks((1000.0 / job.estimate).round() as u64);
        let times = [Some(expected), None, Some(Ticks(1)), Some(Ticks(0))];
        assert_eq!(job.demand, Demand::Times(Arc::new(times.to_vec())));
    }
}

#[test]
fn rejects_errors_that_make_no_sense_in_one_line() {
    let error = |error: EstimateError| error.over((), 1, 0).expect_err("invalid").to_string();
    for max_percent in [100.0, -1.0, f64::NAN] {
        let expected =
            format!("the estimate error is up to {max_percent} %, not from 0 to below 100");
        assert_eq!(error(EstimateError::Thesis { max_percent }), expected);
    }
    assert_eq!(
        error(EstimateError::GridSim { less: 1.5, more: 0.0 }),
        "the estimate error's less factor is 1.5, not from 0 to 1"
    );
    assert_eq!(
        error(EstimateError::GridSim { less: 0.0, more: f64::NAN }),
        "the estimate error's more factor is NaN, not from 0 to 1"
    );
}

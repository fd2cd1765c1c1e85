//! Local loads: the distributions of the randomisers, and the times at which a load changes.
//!
//! Random seeds are fixed. χ² tests reject at 0.1 %; means may deviate by 4.5 standard errors.

use gridsat_engine::time::Time;
use gridsat_grid::load::{
    Average, Calendar, CalendarParts, EvenInLimit, LoadError, LoadProcess, LocalLoad, Randomiser,
};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::chi_square;
use gridsat_statistics::random::stream;

const DRAWS: u32 = 20_000;
const HOUR: Ticks = Ticks(3600);

fn even(max: u8) -> Randomiser {
    Randomiser::EvenInLimit(EvenInLimit::new(max).expect("at most 50"))
}

/// How often each percentage is drawn.
fn counts(randomiser: Randomiser, average: u8, draws: u32) -> [u32; 101] {
    let mut random = stream(4, "test", u64::from(average));
    let mut counts = [0; 101];
    for _ in 0..draws {
        counts[usize::from(randomiser.draw(average, &mut random))] += 1;
    }
    counts
}

/// Weights of equations 3.2 to 3.5 of the thesis: 1 for each value, X for the end that is cut.
fn even_weights(average: u8, max: u8) -> [f64; 101] {
    let (a, m) = (f64::from(average), f64::from(max));
    let mut weights = [0.0; 101];
    let (low, high) = (average.saturating_sub(max), (average + max).min(100));
    weights[usize::from(low)..=usize::from(high)].fill(1.0);
    if a < m {
        weights[0] = (a + m) * ((a + m + 1.0) / 2.0) / a - a - m;
    }
    if a + m > 100.0 {
        let values = 100.0 - a + m;
        weights[100] = (-a * values + values * (99.0 - (99.0 - a + m) / 2.0)) / (a - 100.0);
    }
    weights
}

/// Probabilities of equation 3.6 in floating point, by Pascal's rule trial by trial.
fn binomial_weights(chance: f64) -> [f64; 101] {
    let mut successes = [0.0; 21];
    successes[0] = 1.0;
    for _ in 0..20 {
        for n in (0..=20).rev() {
            let before = if n > 0 { successes[n - 1] } else { 0.0 };
            successes[n] = successes[n] * (1.0 - chance) + before * chance;
        }
    }
    std::array::from_fn(|percent| if percent % 5 == 0 { successes[percent / 5] } else { 0.0 })
}

fn mean_and_deviation(weights: &[f64; 101]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let moment = |power| {
        let terms = weights.iter().enumerate().map(|(v, weight)| (v as f64).powi(power) * weight);
        terms.sum::<f64>() / total
    };
    (moment(1), (moment(2) - moment(1) * moment(1)).max(0.0).sqrt())
}

fn sample_mean(counts: &[u32; 101]) -> f64 {
    let sum: f64 = counts.iter().enumerate().map(|(v, &n)| v as f64 * f64::from(n)).sum();
    sum / f64::from(counts.iter().sum::<u32>())
}

/// χ² against weights; neighbouring cells are merged until at least 5 draws are expected.
#[track_caller]
fn fits(counts: &[u32; 101], weights: &[f64; 101], case: &str) {
    let total: f64 = weights.iter().sum();
    let draws: u32 = counts.iter().sum();
    let mut bins = vec![(0, 0.0)];
    for (&count, &weight) in counts.iter().zip(weights) {
        assert!(weight > 0.0 || count == 0, "{case}: drew what is impossible");
        let bin = bins.last_mut().expect("never empty");
        bin.0 += u64::from(count);
        bin.1 += weight / total * f64::from(draws);
        if bin.1 >= 5.0 {
            bins.push((0, 0.0));
        }
    }
    let (seen, expected) = bins.pop().expect("never empty");
    let last = bins.last_mut().expect("thousands of draws fill a bin");
    *last = (last.0 + seen, last.1 + expected);
    let (seen, expected): (Vec<u64>, Vec<f64>) = bins.into_iter().unzip();
    let test = chi_square(&seen, &expected).expect("several values are possible");
    assert!(test.p >= 0.001, "{case}: {test:?}");
}

#[test]
fn even_loads_follow_the_equations() {
    let cases = [(50, 20), (50, 50), (20, 20), (19, 20), (5, 20), (1, 50), (49, 50)];
    for (average, max) in cases.into_iter().flat_map(|(a, m)| [(a, m), (100 - a, m)]) {
        let counts = counts(even(max), average, DRAWS);
        fits(&counts, &even_weights(average, max), &format!("average {average} ± {max}"));
    }
}

#[test]
fn even_loads_keep_the_mean_for_every_average() {
    for (max, average) in
        [0, 1, 7, 20, 33, 50].into_iter().flat_map(|m| (0..=100).map(move |a| (m, a)))
    {
        let counts = counts(even(max), average, 10_000);
        let case = format!("average {average} ± {max}");
        if [0, 100].contains(&average) {
            assert_eq!(counts[usize::from(average)], 10_000, "{case}");
            continue;
        }
        let (mean, deviation) = mean_and_deviation(&even_weights(average, max));
        assert!((mean - f64::from(average)).abs() < 1e-9, "{case}: the equations say {mean}");
        let found = sample_mean(&counts);
        assert!((found - mean).abs() <= 4.5 * deviation / 100.0 + 1e-9, "{case}: {found}");
    }
}

#[test]
fn a_limit_above_50_is_refused() {
    assert_eq!(EvenInLimit::new(51), Err(LoadError::Limit { max: 51 }));
    let message = "the load varies by up to 51 percentage points; at most 50 are possible";
    assert_eq!(LoadError::Limit { max: 51 }.to_string(), message);
}

/// The probability of a trial for an average, according to the thesis and erratum E13.
fn chance(average: u8) -> f64 {
    match average {
        0..=2 => 0.0125,
        98.. => 0.9875,
        _ => (f64::from(average) / 5.0).round() / 20.0,
    }
}

#[test]
fn binomial_loads_follow_the_equation() {
    for average in [0, 2, 3, 5, 12, 13, 50, 77, 95, 97, 98, 100] {
        let counts = counts(Randomiser::Binomial, average, DRAWS);
        fits(&counts, &binomial_weights(chance(average)), &format!("average {average}"));
    }
}

/// Effect of rounding to 5 % on the mean: none for 5, 10, ... 95, at most 2 points elsewhere.
#[test]
fn binomial_loads_are_biased_by_the_rounding_and_by_nothing_else() {
    let biases = [1.25, 0.25, -0.75, 2.0, 1.0, 0.0, -1.0, -2.0, 2.0, 1.0, 0.0];
    for (average, bias) in (0..=10).zip(biases) {
        let expected = 100.0 * chance(average) - f64::from(average);
        assert!((expected - bias).abs() < 1e-9, "average {average}: {expected}");
    }
    for average in 0..=100 {
        let (mean, deviation) = mean_and_deviation(&binomial_weights(chance(average)));
        assert!((mean - f64::from(average)).abs() <= 2.0 + 1e-9);
        let found = sample_mean(&counts(Randomiser::Binomial, average, 10_000));
        assert!((found - mean).abs() <= 4.5 * deviation / 100.0, "average {average}: {found}");
    }
}

fn running(average: Average, randomiser: Option<Randomiser>, period: Option<Ticks>) -> LoadProcess {
    let load = LocalLoad::new(average, randomiser, period).expect("valid");
    let monday = "2005-01-03".parse().expect("a date");
    load.start(|| stream(1, "test", 0), Scale::default(), monday)
}

/// Times of all draws before `end`.
fn changes(load: &mut LoadProcess, end: Ticks) -> Vec<(Ticks, u8)> {
    let (mut seen, mut next) = (Vec::new(), Some(Time::ZERO));
    while let Some(now) = next.filter(|now| now.0 < end) {
        let (percent, then) = load.draw(now);
        assert!(then.is_none_or(|then| then > now), "{now:?} to {then:?}");
        seen.push((now.0, percent));
        next = then;
    }
    seen
}

fn calendar(weekdays: Vec<u8>, weekends: Vec<u8>) -> Average {
    let parts = CalendarParts { weekdays, weekends, ..CalendarParts::default() };
    Average::Calendar(Calendar::new(parts).expect("valid"))
}

#[test]
fn what_cannot_change_is_drawn_once() {
    let constant = || Average::Constant(30);
    assert_eq!(running(constant(), None, None).draw(Time::ZERO), (30, None));
    assert_eq!(running(constant(), None, Some(Ticks(5))).draw(Time::ZERO), (30, None));
    let same = calendar(vec![30; 24], vec![30]);
    assert_eq!(running(same, None, Some(Ticks(5))).draw(Time::ZERO), (30, None));
    let (percent, next) = running(constant(), Some(even(5)), None).draw(Time::ZERO);
    assert!((25..=35).contains(&percent) && next.is_none());
}

#[test]
fn loads_change_at_multiples_of_the_period() {
    let mut load = running(Average::Constant(30), Some(even(20)), Some(Ticks(7)));
    let seen = changes(&mut load, Ticks(7000));
    assert!(seen.iter().map(|&(now, _)| now).eq((0..1000).map(|i| Ticks(7 * i))));
    let (_, next) = load.draw(Time(Ticks(7 * 1000 + 3)));
    assert_eq!(next, Some(Time(Ticks(7 * 1001))), "the grid does not move");
    assert_eq!(load.draw(Time(Ticks::MAX - Ticks(1))).1, None);
}

#[test]
fn calendars_and_periods_interleave() {
    let average = || calendar(vec![10, 60], vec![20]);
    let plain = changes(&mut running(average(), None, Some(5 * HOUR)), 24 * HOUR);
    assert_eq!(plain, [(Ticks::ZERO, 10), (12 * HOUR, 60)], "no randomiser, no redraw");
    let seen = changes(&mut running(average(), Some(even(5)), Some(5 * HOUR)), 26 * HOUR);
    let hours: Vec<_> = seen.iter().map(|&(now, _)| now / HOUR).collect();
    assert_eq!(hours, [0, 5, 10, 12, 15, 20, 24, 25]);
    for (now, percent) in seen {
        let average = if (12..24).contains(&(now / HOUR)) { 60_u8 } else { 10 };
        assert!(percent.abs_diff(average) <= 5, "{percent} % at {now}");
    }
}

#[test]
fn a_week_is_five_weekdays_and_two_days_off() {
    let seen = changes(&mut running(calendar(vec![10], vec![20]), None, None), 14 * 24 * HOUR);
    let loads: Vec<_> = seen.iter().map(|&(_, percent)| percent).collect();
    assert_eq!(loads, [10, 10, 10, 10, 10, 20, 20, 10, 10, 10, 10, 10, 20, 20]);
}

#[test]
fn the_same_stream_gives_the_same_loads() {
    let load = || running(calendar(vec![10, 60], vec![20]), Some(Randomiser::Binomial), Some(HOUR));
    let first = changes(&mut load(), 1000 * HOUR);
    assert_eq!(first, changes(&mut load(), 1000 * HOUR));
    assert!(first.iter().any(|&(_, percent)| percent != first[0].1));
}

#[test]
fn rejects_nonsense_in_one_line() {
    let error = |percent, period| {
        LocalLoad::new(Average::Constant(percent), None, period).expect_err("invalid").to_string()
    };
    assert_eq!(error(101, None), "load: 101 % is more than 100 %");
    assert_eq!(error(1, Some(Ticks(0))), "the period between changes of the load is 0 ticks");
}

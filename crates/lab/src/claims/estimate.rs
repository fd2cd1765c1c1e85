//! A measured number with its 95 % confidence interval, and its comparison with published numbers.
//!
//! Statements are decided by the whole interval: it lies on one side, or on the other, or the
//! statement stays open.
//!
//! Where a statement joins k intervals, one of them lies on the wrong side by chance more often
//! than one alone. If it takes all of them to hold, each is judged by its own interval, but
//! refuting the statement by one of them takes an interval of 1 − 0.05/k (Bonferroni). If one of
//! them is enough to hold, that one needs the wider interval.

use std::fmt;

use super::verdict::Verdict;
use gridsat_draw::number::decimals;
use gridsat_statistics::{Summary, student_quantile};

/// Smallest number of worlds that decides a statement, even if they agree.
pub const LEAST: usize = 10;

/// A number and its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number; NaN if there is none.
    pub value: f64,
    /// Half of the width of its interval.
    pub half: f64,
    /// Number of worlds it is computed from.
    pub n: usize,
}

impl Estimate {
    /// The mean of a sample.
    pub fn of(values: &[f64]) -> Self {
        let Summary { n, mean, half_width, .. } = Summary::of(values);
        Self { value: mean, half: half_width.unwrap_or(f64::INFINITY), n }
    }

    /// A number without random variation.
    pub fn exact(value: f64) -> Self {
        Self { value, half: 0.0, n: LEAST }
    }

    /// No measurement.
    pub fn none() -> Self {
        Self { value: f64::NAN, half: f64::INFINITY, n: 0 }
    }

    /// The same number with the interval that it needs as one of several.
    #[must_use]
    pub fn among(&self, several: usize) -> Self {
        if several < 2 || self.n < 2 || !self.half.is_finite() {
            return *self;
        }
        let quantile = |tail: f64| student_quantile(1.0 - tail, self.n as f64 - 1.0);
        let wider = quantile(0.025 / several as f64) / quantile(0.025);
        Self { half: self.half * wider, ..*self }
    }

    /// Whether it is above 0, or too close to 0 to matter: within the margin on both sides.
    pub fn above_or_alike(&self, margin: f64) -> Verdict {
        match (self.above(0.0), self.within(-margin, margin)) {
            (_, Verdict::Reproduced) => Verdict::Reproduced,
            (verdict, _) => verdict,
        }
    }

    /// Whether it is above 0; refuted also if it may be 0 and is too close to 0 to matter.
    pub fn above_and_not_alike(&self, margin: f64) -> Verdict {
        match (self.above(0.0), self.within(-margin, margin)) {
            (Verdict::Undecidable, Verdict::Reproduced) => Verdict::Refuted,
            (verdict, _) => verdict,
        }
    }

    /// The ends of the interval.
    pub fn ends(&self) -> (f64, f64) {
        (self.value - self.half, self.value + self.half)
    }

    /// Applies a rule to the interval if there are enough worlds.
    fn decide(&self, judge: impl FnOnce(f64, f64) -> Verdict) -> Verdict {
        if self.n < LEAST || self.value.is_nan() {
            return Verdict::TooFewRuns;
        }
        let (low, high) = self.ends();
        judge(low, high)
    }

    /// Whether it is above the bound.
    pub fn above(&self, bound: f64) -> Verdict {
        self.decide(|low, high| match () {
            () if low > bound => Verdict::Reproduced,
            () if high <= bound => Verdict::Refuted,
            () => Verdict::Undecidable,
        })
    }

    /// Whether it is below the bound.
    pub fn below(&self, bound: f64) -> Verdict {
        self.negative().above(-bound)
    }

    /// Whether it is between the two. Open if the interval extends beyond them.
    pub fn within(&self, from: f64, to: f64) -> Verdict {
        self.decide(|low, high| match () {
            () if from <= low && high <= to => Verdict::Reproduced,
            () if high < from || to < low => Verdict::Refuted,
            () => Verdict::Undecidable,
        })
    }

    /// Whether it can equal a number that was measured elsewhere in as many worlds. That number
    /// varies as much as this one, so the interval of their difference is √2 times as wide. If it
    /// also contains 0, nothing can be decided.
    pub fn agrees(&self, published: f64) -> Verdict {
        self.decide(|_, _| {
            let reach = std::f64::consts::SQRT_2 * self.half;
            match () {
                () if (published - self.value).abs() > reach => Verdict::Refuted,
                () if published != 0.0 && self.value.abs() <= reach => Verdict::Undecidable,
                () => Verdict::Reproduced,
            }
        })
    }

    /// Whether it is the given number within two half-widths, because many intervals are examined
    /// at once.
    pub fn is_near(&self, number: f64) -> Verdict {
        if self.n < LEAST {
            return Verdict::TooFewRuns;
        }
        Verdict::of((self.value - number).abs() <= 2.0 * self.half)
    }

    /// The number with the opposite sign.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self { value: -self.value, ..*self }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, half, .. } = *self;
        match () {
            () if value.is_nan() => f.write_str("-"),
            () if half == 0.0 => write!(f, "{}", short(value, value / 1000.0)),
            () if half.is_infinite() => write!(f, "{} ± ?", short(value, value / 100.0)),
            () => write!(f, "{} ± {}", short(value, half), short(half, half)),
        }
    }
}

/// With two significant digits of the precision, and without a sign for 0.
pub fn short(value: f64, precision: f64) -> String {
    let text = format!("{value:.*}", decimals(precision).map_or(0, |decimals| decimals.min(6)));
    let is_nothing = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_nothing { text.trim_start_matches('-').to_owned() } else { text }
}

/// Several named estimates; a rule holds for them if it holds for all.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates(Vec<(String, Estimate)>);

impl Estimates {
    /// Estimates named after what they describe.
    pub fn of<N: AsRef<str>>(
        names: impl IntoIterator<Item = N>,
        estimate: impl Fn(&str) -> Estimate,
    ) -> Self {
        names.into_iter().map(|name| (name.as_ref().to_owned(), estimate(name.as_ref()))).collect()
    }

    /// All estimates with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Estimate)> {
        self.0.iter().map(|(name, estimate)| (name.as_str(), *estimate))
    }

    /// Whether a rule holds for all; to refute it, one must violate it as one of several.
    pub fn all(&self, rule: impl Fn(Estimate) -> Verdict) -> Verdict {
        self.each(&vec![0.0; self.0.len()], |one, _| rule(one))
    }

    /// The same with a number for each.
    pub fn each(&self, numbers: &[f64], rule: impl Fn(Estimate, f64) -> Verdict) -> Verdict {
        let several = self.0.len();
        Verdict::all(self.iter().zip(numbers).map(|((_, one), &number)| {
            let is_refuted = |one| rule(one, number) == Verdict::Refuted;
            match rule(one, number) {
                Verdict::Refuted if !is_refuted(one.among(several)) => Verdict::Undecidable,
                verdict => verdict,
            }
        }))
    }

    /// Whether a rule holds for at least one, as one of several.
    pub fn any(&self, rule: impl Fn(Estimate) -> Verdict) -> Verdict {
        let several = self.0.len();
        Verdict::any(self.iter().map(|(_, one)| match rule(one) {
            Verdict::Reproduced => match rule(one.among(several)) {
                Verdict::Reproduced => Verdict::Reproduced,
                _ => Verdict::Undecidable,
            },
            verdict => verdict,
        }))
    }

    /// Whether all are above the bound.
    pub fn above(&self, bound: f64) -> Verdict {
        self.all(|one| one.above(bound))
    }

    /// Whether all are below the bound.
    pub fn below(&self, bound: f64) -> Verdict {
        self.all(|one| one.below(bound))
    }

    /// Whether all are between the two.
    pub fn within(&self, from: f64, to: f64) -> Verdict {
        self.all(|one| one.within(from, to))
    }

    /// Whether each agrees with its published number.
    pub fn agree(&self, published: &[f64]) -> Verdict {
        self.each(published, |one, number| one.agrees(number))
    }

    /// The largest estimate and its name.
    pub fn most(&self) -> (&str, Estimate) {
        let most = self.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value));
        most.unwrap_or(("", Estimate::none()))
    }

    /// The smallest and its name.
    pub fn least(&self) -> (&str, Estimate) {
        let least = self.iter().min_by(|a, b| a.1.value.total_cmp(&b.1.value));
        least.unwrap_or(("", Estimate::none()))
    }
}

impl IntoIterator for Estimates {
    type Item = (String, Estimate);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<N: Into<String>> FromIterator<(N, Estimate)> for Estimates {
    fn from_iter<I: IntoIterator<Item = (N, Estimate)>>(all: I) -> Self {
        Self(all.into_iter().map(|(name, estimate)| (name.into(), estimate)).collect())
    }
}

impl fmt::Display for Estimates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.len() > MANY {
            let ((least, from), (most, to)) = (self.least(), self.most());
            return write!(f, "{from} ({least}) to {to} ({most})");
        }
        self.iter().enumerate().try_for_each(|(place, (name, estimate))| {
            write!(f, "{}{name}: {estimate}", if place > 0 { ", " } else { "" })
        })
    }
}

/// Of more than this only the smallest and the largest are shown.
const MANY: usize = 5;

#[cfg(test)]
mod tests {
    use super::Verdict::*;
    use super::*;

    fn estimate(value: f64, half: f64) -> Estimate {
        Estimate { value, half, n: 100 }
    }

    #[test]
    fn the_whole_interval_decides() {
        let one = estimate(1.0, 0.3);
        assert_eq!(
            [one.above(0.5), one.above(1.2), one.above(2.0)],
            [Reproduced, Undecidable, Refuted]
        );
        assert_eq!(
            [one.below(0.5), one.below(1.2), one.below(2.0)],
            [Refuted, Undecidable, Reproduced]
        );
        assert_eq!(one.within(0.0, 2.0), Reproduced);
        assert_eq!(one.within(0.9, 2.0), Undecidable);
        assert_eq!(one.within(1.4, 2.0), Refuted);
        let few = Estimate { n: LEAST - 1, ..one };
        assert_eq!((few.above(0.0), few.agrees(1.0)), (TooFewRuns, TooFewRuns));
        assert_eq!(Estimate::none().below(1.0), TooFewRuns);
    }

    /// Of twenty intervals around 0 one excludes 0 by chance; that refutes nothing.
    #[test]
    fn several_intervals_are_wider() {
        let one = estimate(-1.0, 0.9);
        let wide = one.among(20);
        assert_eq!((wide.value, wide.n, one.among(1)), (-1.0, 100, one));
        // Quantiles 0.99875 and 0.975 with 99 degrees of freedom, by numerical integration.
        let expected = 0.9 * 3.102_616_799_2 / 1.984_216_951_6;
        assert!((wide.half - expected).abs() < 1e-9, "{}", wide.half);
        let several = |one: Estimate| -> Estimates {
            (0..20)
                .map(|n| (n.to_string(), if n == 0 { one } else { estimate(1.0, 0.9) }))
                .collect()
        };
        assert_eq!((one.above(0.0), several(one).above(0.0)), (Refuted, Undecidable));
        assert_eq!(several(estimate(-2.0, 0.9)).above(0.0), Refuted);
        assert_eq!(several(estimate(1.0, 0.9)).above(0.0), Reproduced, "all of them hold");
        assert_eq!(several(estimate(-1.0, 0.1)).any(|one| one.below(0.0)), Reproduced);
        assert_eq!(several(one).any(|one| one.below(0.0)), Undecidable);
    }

    #[test]
    fn a_margin_makes_equal_what_hardly_differs() {
        assert_eq!(estimate(-0.2, 0.1).above_or_alike(1.0), Reproduced);
        assert_eq!(estimate(5.0, 0.1).above_or_alike(1.0), Reproduced);
        assert_eq!(estimate(-2.0, 0.1).above_or_alike(1.0), Refuted);
        assert_eq!(estimate(-0.2, 2.0).above_or_alike(1.0), Undecidable);
        let strict = |value, half| estimate(value, half).above_and_not_alike(1.0);
        assert_eq!([strict(0.2, 0.1), strict(0.2, 0.3)], [Reproduced, Refuted]);
        assert_eq!([strict(0.2, 2.0), strict(-0.2, 0.1)], [Undecidable, Refuted]);
    }

    #[test]
    fn published_numbers_vary_too() {
        let one = estimate(1.0, 0.5);
        assert_eq!([one.agrees(1.7), one.agrees(1.8)], [Reproduced, Refuted]);
        assert_eq!(estimate(1.0, 0.9).agrees(1.1), Undecidable, "it may be 0 as well");
        assert_eq!(Estimate::exact(12.5).agrees(12.5), Reproduced);
        assert_eq!(Estimate::exact(12.5).agrees(12.4), Refuted);
        assert_eq!(estimate(0.1, 0.2).agrees(0.0), Reproduced);
    }

    #[test]
    fn for_people() {
        assert_eq!(estimate(28_909.4, 3632.0).to_string(), "28909 ± 3632");
        assert_eq!(estimate(-0.0004, 0.0123).to_string(), "0.000 ± 0.012");
        assert_eq!(Estimate::exact(12.5).to_string(), "12.500");
        assert_eq!(Estimate::none().to_string(), "-");
        let numbered = |count: u32| {
            Estimates::of((1..=count).map(|n| n.to_string()), |name| {
                estimate(name.parse().expect("a number"), 0.5)
            })
        };
        assert_eq!(numbered(2).to_string(), "1: 1.00 ± 0.50, 2: 2.00 ± 0.50");
        assert_eq!(numbered(6).to_string(), "1.00 ± 0.50 (1) to 6.00 ± 0.50 (6)");
    }
}

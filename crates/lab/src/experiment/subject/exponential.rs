//! Subject: exponential interarrival times, drawn many times (thesis, section 3.7, equation 3.10
//! and figure 3.16).
//!
//! The figure counts 10,000 numbers in cells of ± 0.25 "with the rate of change given as 10". By
//! equation 3.10 a rate of 10 gives a mean of 0.1, with nine tenths of all numbers in the first
//! half cell; the curve in the figure requires a mean of 10. Both can be drawn here.

use serde::{Deserialize, Serialize};

use super::flat::{Case, Wishes};
use super::{Measure, SubjectError, measure};
use gridsat_statistics::random::stream;
use gridsat_statistics::{KsTest, Summary, kolmogorov_smirnov};
use gridsat_workload::Distribution;

#[derive(Serialize, Deserialize)]
pub(super) struct Gaps {
    /// Events per second.
    rate: f64,
    draws: u32,
}

impl Default for Gaps {
    fn default() -> Self {
        Self { rate: 10.0, draws: 10_000 }
    }
}

pub(super) struct Drawn {
    rate: f64,
    /// In ascending order.
    gaps: Vec<f64>,
    summary: Summary,
}

impl Drawn {
    fn fit(&self) -> KsTest {
        kolmogorov_smirnov(&self.gaps, |gap| 1.0 - libm::exp(-self.rate * gap))
    }

    fn share_above(&self, limit: f64) -> f64 {
        let below = self.gaps.partition_point(|&gap| gap <= limit);
        100.0 * (self.gaps.len() - below) as f64 / self.gaps.len() as f64
    }
}

/// Half a cell of the figure.
const CELL: f64 = 0.25;

impl Case for Gaps {
    const NAME: &'static str = "exponential";
    const MEASURES: &'static [Measure<Drawn>] = &[
        measure("mean", "mean gap", "s", |drawn| Some(drawn.summary.mean)),
        measure("error", "mean against 1/rate", "%", |drawn| {
            Some(100.0 * (drawn.summary.mean * drawn.rate - 1.0))
        }),
        measure("deviation", "standard deviation", "s", |drawn| drawn.summary.deviation),
        measure("ks", "Kolmogorov-Smirnov distance", "", |drawn| Some(drawn.fit().d)),
        measure("p", "p-value of that distance", "", |drawn| Some(drawn.fit().p)),
        measure("beyond", "gaps longer than 1/rate (36.79 by law)", "%", |drawn| {
            Some(drawn.share_above(1.0 / drawn.rate))
        }),
        measure("first_cell", "gaps up to 0.25", "%", |drawn| {
            Some(100.0 - drawn.share_above(CELL))
        }),
        measure("max", "longest gap", "s", |drawn| drawn.gaps.last().copied()),
    ];

    type Measured = Drawn;

    fn algorithms() -> Vec<String> {
        vec!["inversion".to_owned()]
    }

    fn check(&self) -> Result<(), SubjectError> {
        let (rate, draws) = (self.rate, self.draws);
        if !(rate > 0.0 && (1.0 / rate).is_finite() && rate.is_finite()) {
            return Err(SubjectError::Rate(rate));
        }
        if draws == 0 { Err(SubjectError::Zero("draws")) } else { Ok(()) }
    }

    fn run(&self, _: &str, seed: u64, _: &Wishes) -> Result<Drawn, SubjectError> {
        let law = Distribution::exponential(1.0 / self.rate)?;
        // Different draws at every point, so that the errors of different rates are independent.
        let mut random = stream(seed, "experiment/exponential", self.rate.to_bits());
        let mut gaps: Vec<f64> = (0..self.draws).map(|_| law.sample(&mut random)).collect();
        let summary = Summary::of(&gaps);
        gaps.sort_by(f64::total_cmp);
        Ok(Drawn { rate: self.rate, gaps, summary })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: Value, metric: &str) -> Result<f64, String> {
        measured("exponential", &settings, metric, "inversion", 1)
    }

    /// A fraction 1/e is beyond the mean, and 1 - e^-2.5 is within 0.25 at a rate of 10.
    #[test]
    fn shares_by_hand() {
        let near = |metric, expected: f64, tolerance| {
            let found = of(json!({ "rate": 10, "draws": 50_000 }), metric).expect("valid");
            assert!((found - expected).abs() < tolerance, "{metric}: {found}");
        };
        near("beyond", 36.788, 1.0);
        near("first_cell", 91.79, 0.6);
        near("mean", 0.1, 0.002);
        near("error", 0.0, 2.0);
        near("ks", 0.0, 0.01);
    }

    #[test]
    fn nonsense_is_named() {
        let error = |settings| of(settings, "mean").expect_err("impossible");
        assert_eq!(error(json!({ "rate": 0 })), "rate: 0 is not a number above 0");
        assert_eq!(error(json!({ "draws": 0 })), "draws: 0, must be at least 1");
        assert!(error(json!({ "mean": 1 })).starts_with("no setting \"mean\""));
    }
}

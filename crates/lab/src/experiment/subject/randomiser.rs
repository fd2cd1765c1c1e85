//! Subject: the randomisers of local load, drawn many times (thesis, section 3.5, figure 3.13).
//!
//! The thesis drew 10,000 loads for each of several averages and found their means within 0.01
//! points. The standard error of such a mean is `deviation / √draws`, mostly larger than that;
//! and the binomial randomiser rounds averages to multiples of 5 points (erratum E13).

use serde::{Deserialize, Serialize};

use super::flat::{Case, Wishes};
use super::{Measure, SubjectError, measure};
use gridsat_grid::load::{EvenInLimit, Randomiser};
use gridsat_statistics::Summary;
use gridsat_statistics::random::stream;

#[derive(Serialize, Deserialize)]
pub(super) struct Loads {
    /// Average load in percent.
    average: u8,
    /// Largest distance from the average, in points; only for `even`.
    limit: u8,
    draws: u32,
}

impl Default for Loads {
    fn default() -> Self {
        Self { average: 50, limit: 20, draws: 10_000 }
    }
}

pub(super) struct Drawn {
    average: f64,
    summary: Summary,
    least: f64,
    most: f64,
}

impl Drawn {
    fn error(&self) -> f64 {
        self.summary.mean - self.average
    }
}

const EVEN: &str = "even";
const BINOMIAL: &str = "binomial";

impl Case for Loads {
    const NAME: &'static str = "randomiser";
    const MEASURES: &'static [Measure<Drawn>] = &[
        measure("mean", "mean load", "%", |drawn| Some(drawn.summary.mean)),
        measure("error", "mean less the average", "points", |drawn| Some(drawn.error())),
        measure("off", "distance of the mean from the average", "points", |drawn| {
            Some(drawn.error().abs())
        }),
        measure("deviation", "standard deviation", "points", |drawn| drawn.summary.deviation),
        measure("standard_error", "standard error of the mean", "points", |drawn| {
            Some(drawn.summary.deviation? / (drawn.summary.n as f64).sqrt())
        }),
        measure("min", "smallest load", "%", |drawn| Some(drawn.least)),
        measure("max", "largest load", "%", |drawn| Some(drawn.most)),
    ];

    type Measured = Drawn;

    fn algorithms() -> Vec<String> {
        [EVEN, BINOMIAL].map(str::to_owned).to_vec()
    }

    fn check(&self) -> Result<(), SubjectError> {
        if self.average > 100 {
            return Err(SubjectError::Average(self.average));
        }
        if self.draws == 0 {
            return Err(SubjectError::Zero("draws"));
        }
        Ok(EvenInLimit::new(self.limit).map(drop)?)
    }

    fn run(&self, algorithm: &str, seed: u64, _: &Wishes) -> Result<Drawn, SubjectError> {
        let even = EvenInLimit::new(self.limit)?;
        let randomiser =
            if algorithm == EVEN { Randomiser::EvenInLimit(even) } else { Randomiser::Binomial };
        // Different draws at every point, so that the errors of different averages are independent.
        let mut random = stream(seed, "experiment/randomiser", self.average.into());
        let draw = |_| f64::from(randomiser.draw(self.average, &mut random));
        let loads: Vec<f64> = (0..self.draws).map(draw).collect();
        Ok(Drawn {
            average: self.average.into(),
            summary: Summary::of(&loads),
            least: loads.iter().copied().fold(f64::INFINITY, f64::min),
            most: loads.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: Value, metric: &str, algorithm: &str) -> f64 {
        measured("randomiser", &settings, metric, algorithm, 1).expect("valid")
    }

    #[test]
    fn ranges_and_deviations_by_hand() {
        let wide = || json!({ "average": 50, "limit": 10, "draws": 20_000 });
        assert_eq!((of(wide(), "min", "even"), of(wide(), "max", "even")), (40.0, 60.0));
        // 21 equally likely values: √((21² - 1) / 12).
        assert!((of(wide(), "deviation", "even") - 6.0553).abs() < 0.1);
        // 20 trials of 5 points with probability 1/2: 5·√5.
        assert!((of(wide(), "deviation", "binomial") - 11.1803).abs() < 0.25);
        assert!(of(wide(), "off", "even") < 5.0 * of(wide(), "standard_error", "even"));
    }

    /// 22 % becomes 4 of 20 trials (E13).
    #[test]
    fn the_binomial_one_rounds() {
        let settings = json!({ "average": 22 });
        assert!((of(settings, "error", "binomial") + 2.0).abs() < 0.5);
    }

    #[test]
    fn nonsense_is_named() {
        let error = |settings| {
            measured("randomiser", &settings, "mean", "even", 1).expect_err("impossible")
        };
        assert_eq!(error(json!({ "average": 101 })), "average: 101 % is more than 100 %");
        assert!(error(json!({ "limit": 51 })).starts_with("limit: the load varies by up to 51"));
        assert!(error(json!({ "draws": -1 })).starts_with("draws: invalid value"));
        assert!(error(json!({ "mean": 1 })).starts_with("no setting \"mean\""));
    }
}

//! Subject: statistics of samples of the workload model of Wang and Zhang (claims C21 to C23).
//!
//! Settings are the number of jobs, how they arrive, and every parameter of the model. Sizes that
//! are powers of two come from rounded logarithms, so they are compared with the two-segment line
//! half-way between exponents, where rounding has no effect.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::flat::{Case, Wishes};
use super::{Measure, SubjectError, measure};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::{Summary, chi_square, kolmogorov_smirnov};
use gridsat_workload::{GridArrivals, GridJob, WangZhang, WangZhangParameters};

#[derive(Serialize, Deserialize)]
pub(super) struct Workload {
    jobs: u32,
    arrivals: Arrivals,
    #[serde(flatten)]
    parameters: BTreeMap<String, f64>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Arrivals {
    Gaps,
    Daily,
}

impl Default for Workload {
    fn default() -> Self {
        let list = WangZhangParameters::default().list().into_iter();
        let parameters = list.map(|(name, value)| (name.to_owned(), value)).collect();
        Self { jobs: 10_000, arrivals: Arrivals::Gaps, parameters }
    }
}

/// Ticks are microseconds, so that rounding does not affect the factors.
const DECIMALS: u32 = 6;

impl Workload {
    fn model(&self) -> Result<WangZhang, SubjectError> {
        let mut parameters = WangZhangParameters::default();
        for (name, &value) in &self.parameters {
            parameters.set(name, value)?;
        }
        let arrivals = match self.arrivals {
            Arrivals::Gaps => GridArrivals::Gaps,
            Arrivals::Daily => GridArrivals::Daily,
        };
        Ok(WangZhang { parameters, arrivals })
    }
}

pub(super) struct Drawn {
    model: WangZhang,
    jobs: Vec<GridJob>,
    /// Number of jobs of each scheduler, from the one that should have the fewest.
    places: Vec<u64>,
    unit: f64,
}

fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

impl Drawn {
    fn parallel(&self) -> impl Iterator<Item = u32> + '_ {
        self.jobs.iter().map(|job| job.job.nodes).filter(|&nodes| nodes > 1)
    }

    /// Number of jobs of 2^1, 2^2, ... nodes.
    fn powers(&self) -> Vec<u64> {
        let mut counts = vec![0; 32];
        let powers = self.parallel().filter(|nodes| nodes.is_power_of_two());
        powers.for_each(|nodes| counts[nodes.ilog2() as usize] += 1);
        counts
    }

    /// The largest distance of the sizes' distribution function from the line, evaluated at this
    /// distance above each exponent.
    fn size_distance(&self, above: f64) -> Option<f64> {
        let (line, counts) = (self.model.parameters.log_sizes(), self.powers());
        let total: u64 = counts.iter().sum();
        let mut sum = 0;
        let distance = |(exponent, count)| {
            sum += count;
            (sum as f64 / total as f64 - line.below(f64::from(exponent) + above)).abs()
        };
        (total > 0).then(|| (0_u32..).zip(counts).map(distance).fold(0.0, f64::max))
    }

    fn size_p(&self) -> Option<f64> {
        let (line, counts) = (self.model.parameters.log_sizes(), self.powers());
        let total = counts.iter().sum::<u64>() as f64;
        let shares = (0..32).map(|exponent| total * line.exponent(exponent));
        fit(counts.iter().copied().zip(shares).filter(|&(_, share)| share > 0.0))
    }

    /// Ratios of the numbers of jobs of successive schedulers.
    fn ratios(&self) -> Option<Vec<f64>> {
        let ratio = |pair: &[u64]| (pair[0] > 0).then(|| pair[1] as f64 / pair[0] as f64);
        self.places
            .windows(2)
            .map(ratio)
            .collect::<Option<_>>()
            .filter(|all: &Vec<_>| !all.is_empty())
    }

    fn mean_ratio(&self) -> Option<f64> {
        let ratios = self.ratios()?;
        Some(libm::pow(ratios.iter().product(), 1.0 / ratios.len() as f64))
    }

    fn place_p(&self) -> Option<f64> {
        let alpha = self.model.parameters.alpha;
        let weights: Vec<f64> =
            (0..self.places.len()).map(|j| libm::pow(alpha, j as f64)).collect();
        let total: f64 = weights.iter().sum();
        let share = |weight: f64| self.jobs.len() as f64 * weight / total;
        fit(self.places.iter().copied().zip(weights.into_iter().map(share)))
    }

    fn factors(&self, factor: Factor) -> Vec<f64> {
        let ratio = |above: Ticks, below: Ticks| above.as_f64() / below.as_f64();
        let of = |job: &GridJob| match factor {
            Factor::Estimate => ratio(job.job.estimate, job.job.run),
            Factor::Deadline => ratio(job.deadline - job.job.submit, job.job.estimate),
            Factor::Migration => job.migration.as_f64() / self.unit,
        };
        self.jobs.iter().map(of).collect()
    }

    fn mean(&self, factor: Factor) -> Option<f64> {
        Some(Summary::of(&self.factors(factor)).mean)
    }

    fn least(&self, factor: Factor) -> Option<f64> {
        self.factors(factor).into_iter().min_by(f64::total_cmp)
    }

    fn most(&self, factor: Factor) -> Option<f64> {
        self.factors(factor).into_iter().max_by(f64::total_cmp)
    }

    /// p-value of the test that factors are uniform in their range; `None` if it has no width.
    fn evenness(&self, factor: Factor) -> Option<f64> {
        let p = &self.model.parameters;
        let (low, high) = match factor {
            Factor::Estimate => (p.e1, p.e2),
            Factor::Deadline => (p.deadline1, p.deadline2),
            Factor::Migration => (p.migration1, p.migration2),
        };
        let mut values = self.factors(factor);
        values.sort_by(f64::total_cmp);
        let law = |value: f64| ((value - low) / (high - low)).clamp(0.0, 1.0);
        (low < high).then(|| kolmogorov_smirnov(&values, law).p)
    }

    fn gap(&self) -> Option<f64> {
        let last = self.jobs.last()?.job.submit.as_f64() / self.unit;
        Some(last / self.jobs.len() as f64)
    }

    /// The mean interarrival time divided by that for a stretch of 1; `None` for the daily cycle,
    /// which has no such mean.
    fn stretch(&self) -> Option<f64> {
        let p = &self.model.parameters;
        let plain = p.agap * p.bgap;
        self.gap().filter(|_| self.model.arrivals == GridArrivals::Gaps).map(|gap| gap / plain)
    }
}

/// p-value of the chi-square test of counts against expected ones; cells below 5 are merged with
/// their neighbours.
fn fit(cells: impl Iterator<Item = (u64, f64)>) -> Option<f64> {
    let (mut counts, mut shares): (Vec<u64>, Vec<f64>) = (vec![0], vec![0.0]);
    for (count, share) in cells {
        if shares.last().is_some_and(|&share| share >= 5.0) {
            counts.push(0);
            shares.push(0.0);
        }
        *counts.last_mut()? += count;
        *shares.last_mut()? += share;
    }
    if shares.len() > 1 && shares.last().is_some_and(|&share| share < 5.0) {
        let (count, share) = (counts.pop()?, shares.pop()?);
        *counts.last_mut()? += count;
        *shares.last_mut()? += share;
    }
    chi_square(&counts, &shares).map(|test| test.p)
}

#[derive(Clone, Copy)]
enum Factor {
    Estimate,
    Deadline,
    Migration,
}
use Factor::{Deadline, Estimate, Migration};

impl Case for Workload {
    const NAME: &'static str = "workload";
    const MEASURES: &'static [Measure<Drawn>] = &[
        measure("serial", "serial jobs", "%", |drawn| {
            percent(drawn.jobs.len() - drawn.parallel().count(), drawn.jobs.len())
        }),
        measure("powers", "powers of two among parallel jobs", "%", |drawn| {
            let powers = drawn.parallel().filter(|nodes| nodes.is_power_of_two());
            percent(powers.count(), drawn.parallel().count())
        }),
        measure("size_distance", "distance of log2 sizes from the line, half-way", "", |drawn| {
            drawn.size_distance(0.5)
        }),
        measure("size_unrounded", "distance of log2 sizes from the line, at sizes", "", |drawn| {
            drawn.size_distance(0.0)
        }),
        measure("size_p", "p-value of log2 sizes, rounded", "", Drawn::size_p),
        measure("ratio", "jobs of a scheduler over those of the one before", "", Drawn::mean_ratio),
        measure("ratio_min", "smallest such ratio", "", |drawn| {
            drawn.ratios()?.into_iter().min_by(f64::total_cmp)
        }),
        measure("ratio_max", "largest such ratio", "", |drawn| {
            drawn.ratios()?.into_iter().max_by(f64::total_cmp)
        }),
        measure("place_p", "p-value of the shares of schedulers", "", Drawn::place_p),
        measure("estimate_mean", "mean estimate factor", "", |drawn| drawn.mean(Estimate)),
        measure("estimate_min", "smallest estimate factor", "", |drawn| drawn.least(Estimate)),
        measure("estimate_max", "largest estimate factor", "", |drawn| drawn.most(Estimate)),
        measure("estimate_p", "p-value of evenness of estimates", "", |drawn| {
            drawn.evenness(Estimate)
        }),
        measure("deadline_mean", "mean deadline factor", "", |drawn| drawn.mean(Deadline)),
        measure("deadline_min", "smallest deadline factor", "", |drawn| drawn.least(Deadline)),
        measure("deadline_max", "largest deadline factor", "", |drawn| drawn.most(Deadline)),
        measure("deadline_p", "p-value of evenness of deadlines", "", |drawn| {
            drawn.evenness(Deadline)
        }),
        measure("migration_mean", "mean migration cost", "s", |drawn| drawn.mean(Migration)),
        measure("migration_min", "smallest migration cost", "s", |drawn| drawn.least(Migration)),
        measure("migration_max", "largest migration cost", "s", |drawn| drawn.most(Migration)),
        measure("migration_p", "p-value of evenness of migration costs", "", |drawn| {
            drawn.evenness(Migration)
        }),
        measure("gap", "mean gap", "s", Drawn::gap),
        measure("stretch", "mean gap over that of s = 1", "", Drawn::stretch),
    ];

    type Measured = Drawn;

    fn algorithms() -> Vec<String> {
        vec!["wang-zhang".to_owned()]
    }

    fn check(&self) -> Result<(), SubjectError> {
        if self.jobs == 0 {
            return Err(SubjectError::Zero("jobs"));
        }
        let scale = Scale::default();
        Ok(self.model()?.jobs(1, scale).map(drop)?)
    }

    fn run(&self, _: &str, seed: u64, _: &Wishes) -> Result<Drawn, SubjectError> {
        let (model, scale) = (self.model()?, Scale::new(DECIMALS).expect("few decimals"));
        let jobs = model.jobs(seed, scale)?;
        let order = jobs.order().to_vec();
        let jobs: Vec<GridJob> = jobs.take(self.jobs as usize).collect();
        let mut by_scheduler = vec![0; order.len()];
        jobs.iter().for_each(|job| by_scheduler[job.scheduler as usize] += 1);
        let places = order.iter().map(|&scheduler| by_scheduler[scheduler as usize]).collect();
        Ok(Drawn { model, jobs, places, unit: scale.ticks_per_unit().as_f64() })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: Value, metric: &str) -> Result<f64, String> {
        measured("workload", &settings, metric, "wang-zhang", 1)
    }

    #[test]
    fn shares_of_the_paper() {
        let near = |metric, expected: f64, tolerance| {
            let settings = json!({ "jobs": 20_000, "alpha": 1.5, "s": 2, "e1": 0.5, "e2": 1.5 });
            let found = of(settings, metric).expect("defined");
            assert!((found - expected).abs() < tolerance, "{metric}: {found}");
        };
        near("serial", 21.0, 1.5);
        near("powers", 89.0, 1.5);
        near("size_distance", 0.0, 0.02);
        // Rounding raises the lower segment by half of its slope: 0.5 · 0.86 / 3.7.
        near("size_unrounded", 0.116, 0.02);
        near("ratio", 1.5, 0.05);
        near("stretch", 2.0, 0.05);
        near("gap", 2.0 * 8.17 * 3.96, 1.5);
        near("estimate_mean", 1.0, 0.01);
        near("estimate_min", 0.5, 0.001);
        near("deadline_max", 6.0, 0.002);
        near("migration_mean", 30.0, 0.6);
        for metric in ["size_p", "place_p", "estimate_p", "deadline_p", "migration_p"] {
            near(metric, 0.51, 0.4999);
        }
    }

    #[test]
    fn what_has_no_answer_and_nonsense() {
        let error = |settings, metric| of(settings, metric).expect_err("impossible");
        assert_eq!(error(json!({ "e1": 2 }), "estimate_p"), "not defined");
        assert_eq!(error(json!({ "arrivals": "daily" }), "stretch"), "not defined");
        assert_eq!(error(json!({ "alpha": 0.5 }), "ratio"), "alpha is 0.5, not a number >= 1");
        assert_eq!(error(json!({ "jobs": 0 }), "gap"), "jobs: 0, must be at least 1");
        assert!(error(json!({ "umd": 1 }), "gap").starts_with("no setting \"umd\""));
        assert!(error(json!({ "s": "x" }), "gap").starts_with("s: invalid type"));
        assert!(error(json!({ "arrivals": "x" }), "gap").starts_with("arrivals: unknown variant"));
    }
}

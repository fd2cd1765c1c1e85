//! Outcomes of many runs in little memory: eight bytes per value, and the few errors aside. A
//! million runs of one metric take 8 MB.

use std::collections::BTreeMap;

use super::id::MetricId;
use super::result::Outcome;

/// Outcomes of runs, in their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcomes {
    /// Values of a run.
    metrics: usize,
    len: usize,
    /// Run by run; none of a failed run means anything.
    values: Vec<Value>,
    errors: BTreeMap<usize, String>,
}

/// The bits of a number; those of [`Value::NONE`] for an undefined one. Numbers are finite, so they
/// never have these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value(u64);

impl Value {
    const NONE: Self = Self(u64::MAX);

    fn of(value: Option<f64>) -> Self {
        value.map_or(Self::NONE, |number| Self(number.to_bits()))
    }

    fn get(self) -> Option<f64> {
        (self != Self::NONE).then(|| f64::from_bits(self.0))
    }
}

impl Outcomes {
    /// No outcomes, each of which will have this many values.
    pub fn new(metrics: usize) -> Self {
        Self { metrics, len: 0, values: Vec::new(), errors: BTreeMap::new() }
    }

    /// These outcomes.
    #[cfg(test)]
    pub fn of(metrics: usize, outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut all = Self::new(metrics);
        outcomes.into_iter().for_each(|outcome| all.push(outcome));
        all
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn push(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Values(values) => {
                debug_assert_eq!(values.len(), self.metrics);
                self.values.extend(values.iter().map(|&value| Value::of(value)));
            }
            Outcome::Error(error) => {
                self.values.extend(vec![Value::NONE; self.metrics]);
                self.errors.insert(self.len, error);
            }
        }
        self.len += 1;
    }

    /// Appends `count` outcomes of another list, from the one at `from` on.
    pub fn append(&mut self, other: &Self, from: usize, count: usize) {
        let range = from * self.metrics..(from + count) * self.metrics;
        self.values.extend_from_slice(&other.values[range]);
        for (place, error) in other.errors.range(from..from + count) {
            self.errors.insert(self.len + place - from, error.clone());
        }
        self.len += count;
    }

    /// The error of a failed run.
    pub fn error(&self, place: usize) -> Option<&str> {
        self.errors.get(&place).map(String::as_str)
    }

    /// A value of a run; `None` if it failed or the value is undefined.
    pub fn value(&self, place: usize, metric: MetricId) -> Option<f64> {
        self.values[place * self.metrics + metric.0].get()
    }

    pub fn get(&self, place: usize) -> Outcome {
        match self.error(place) {
            Some(error) => Outcome::Error(error.to_owned()),
            None => {
                let values = &self.values[place * self.metrics..][..self.metrics];
                Outcome::Values(values.iter().map(|value| value.get()).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_given_back() {
        let all = [
            Outcome::Values(vec![Some(1.5), None].into()),
            Outcome::Error("why".to_owned()),
            Outcome::Values(vec![Some(-0.0), Some(f64::MAX)].into()),
        ];
        let kept = Outcomes::of(2, all.clone());
        assert_eq!([0, 1, 2].map(|place| kept.get(place)), all);
        assert_eq!((kept.len(), kept.value(1, MetricId(0))), (3, None));
        let mut joined = Outcomes::new(2);
        joined.append(&kept, 1, 2);
        joined.append(&kept, 0, 2);
        assert_eq!(
            [0, 1, 2, 3].map(|place| joined.get(place)),
            [1, 2, 0, 1].map(|at: usize| { all[at].clone() })
        );
    }
}

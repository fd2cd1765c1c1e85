//! A swept parameter: its values and the keys of the scenario they are assigned to.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use thiserror::Error;

use super::key::{Key, KeyError};
use super::metric::with_unit;

/// A swept parameter, as described in experiment files and in results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Title for people.
    pub title: String,
    /// Unit of its values; empty if they have none.
    #[serde(default)]
    pub unit: String,
    /// Whether figures show it on a logarithmic scale.
    #[serde(default)]
    pub log: bool,
    /// Keys of the scenario that get the value.
    pub keys: Vec<String>,
    /// Factors on the value, one per key; empty if there are none.
    #[serde(default)]
    pub factors: Vec<f64>,
    /// The values, in order. A list with as many values as there are keys gives each key its value.
    pub values: Vec<Value>,
    /// Labels of the values; empty if the values are shown themselves.
    #[serde(default)]
    pub labels: Vec<String>,
}

impl Axis {
    /// The title with the unit in parentheses.
    pub fn label(&self) -> String {
        with_unit(&self.title, &self.unit)
    }

    /// A value as text, without the unit.
    pub fn value_label(&self, index: usize) -> String {
        self.labels.get(index).cloned().unwrap_or_else(|| match &self.values[index] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
    }

    /// A value with title and unit, such as `wait = 5 s`.
    pub fn at(&self, index: usize) -> String {
        let space = if self.unit.is_empty() { "" } else { " " };
        format!("{} = {}{space}{}", self.title, self.value_label(index), self.unit)
    }

    /// All values as numbers; `None` if some are not.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        if !self.labels.is_empty() {
            return self.labels.iter().map(|label| label.parse().ok()).collect();
        }
        self.values.iter().map(Value::as_f64).collect()
    }

    /// Checks the settings.
    pub(super) fn check(&self) -> Result<(), AxisError> {
        let (labels, factors) = (self.labels.len(), self.factors.len());
        match () {
            () if self.keys.is_empty() => Err(AxisError::NoKeys),
            () if self.values.is_empty() => Err(AxisError::NoValues),
            () if labels != 0 && labels != self.values.len() => Err(AxisError::Labels),
            () if factors != 0 && factors != self.keys.len() => Err(AxisError::Factors),
            () if factors != 0 && self.numbers().is_none() => Err(AxisError::NoNumbers),
            () => Ok(self.keys.iter().try_for_each(|key| Key::parse(key).map(drop))?),
        }
    }

    /// Assigns one of the values to its keys.
    pub(super) fn apply(&self, index: usize, settings: &mut Value) -> Result<(), KeyError> {
        for (place, key) in self.keys.iter().enumerate() {
            Key::parse(key)?.set(settings, &self.value_at(index, place))?;
        }
        Ok(())
    }

    fn value_at(&self, index: usize, place: usize) -> Value {
        let value = &self.values[index];
        if let (Some(factor), Some(number)) = (self.factors.get(place), value.as_f64()) {
            return number_value(number * factor);
        }
        match value {
            Value::Array(each) if self.keys.len() > 1 && each.len() == self.keys.len() => {
                each[place].clone()
            }
            other => other.clone(),
        }
    }
}

/// An invalid sweep.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum AxisError {
    #[error("no keys")]
    NoKeys,
    #[error("no values")]
    NoValues,
    #[error("not as many labels as values")]
    Labels,
    #[error("not as many factors as keys")]
    Factors,
    #[error("factors need values that are numbers")]
    NoNumbers,
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("needs either key or keys")]
    WhichKeys,
    #[error("needs exactly one of values, range, log_range")]
    WhichValues,
    #[error("range: {0}")]
    Range(RangeError),
    #[error("log_range: {0}")]
    LogRange(RangeError),
}

/// An invalid range.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum RangeError {
    #[error("no whole number of steps of {step} from {from} to {to}")]
    Steps { step: f64, from: f64, to: f64 },
    #[error("needs either count or step")]
    CountOrStep,
    #[error("needs count, and no step")]
    CountOnly,
    #[error("from {from} to {to}: both must be above 0")]
    NotPositive { from: f64, to: f64 },
    #[error("count is {0}, must be 1 to {MOST}")]
    Count(u32),
    #[error("steps of {step} from {from} to {to} are {count} values, at most {MOST} are possible")]
    Values { step: f64, from: f64, to: f64, count: f64 },
    #[error("from and to must be finite")]
    NotFinite,
}

/// Values from one number to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    from: f64,
    to: f64,
    /// Number of values.
    count: Option<u32>,
    /// Or the distance between values.
    step: Option<f64>,
}

/// Largest number of values; more would not finish in practice.
const MOST: u32 = 10_000;

impl Range {
    pub(super) fn linear(self) -> Result<Vec<Value>, RangeError> {
        let Self { from, to, .. } = self;
        let steps = match (self.count, self.step) {
            (Some(count), None) => Self::steps(count)?,
            (None, Some(step)) => {
                let steps = ((to - from) / step).round();
                let fits = (from + steps * step - to).abs() <= 1e-9 * to.abs().max(from.abs());
                match () {
                    () if !(steps >= 0.0 && fits) => Err(RangeError::Steps { step, from, to }),
                    () if steps >= f64::from(MOST) => {
                        Err(RangeError::Values { step, from, to, count: steps + 1.0 })
                    }
                    () => Ok(steps as u32),
                }?
            }
            _ => return Err(RangeError::CountOrStep),
        };
        self.values(steps, |share| from + (to - from) * share)
    }

    pub(super) fn logarithmic(self) -> Result<Vec<Value>, RangeError> {
        let Self { from, to, .. } = self;
        let count = self.count.filter(|_| self.step.is_none()).ok_or(RangeError::CountOnly)?;
        if !(from > 0.0 && to > 0.0) {
            return Err(RangeError::NotPositive { from, to });
        }
        self.values(Self::steps(count)?, |share| from * (to / from).powf(share))
    }

    fn steps(count: u32) -> Result<u32, RangeError> {
        let allowed = (1..=MOST).contains(&count);
        if allowed { Ok(count - 1) } else { Err(RangeError::Count(count)) }
    }

    fn values(self, steps: u32, at: impl Fn(f64) -> f64) -> Result<Vec<Value>, RangeError> {
        if !(self.from.is_finite() && self.to.is_finite()) {
            return Err(RangeError::NotFinite);
        }
        let share = |step| if steps == 0 { 0.0 } else { f64::from(step) / f64::from(steps) };
        // Rounded to twelve digits, so that 0.3 does not become 0.30000000000000004.
        let short = |value: f64| format!("{value:.11e}").parse().unwrap_or(value);
        Ok((0..=steps).map(|step| number_value(short(at(share(step))))).collect())
    }
}

/// Integers are written without decimals, because some keys accept only integers.
fn number_value(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        return Value::from(number as i64);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn range(from: f64, to: f64, count: Option<u32>, step: Option<f64>) -> Range {
        Range { from, to, count, step }
    }

    #[test]
    fn ranges_by_hand() {
        let values = range(0.0, 0.3, None, Some(0.1)).linear();
        assert_eq!(values, Ok(vec![json!(0), json!(0.1), json!(0.2), json!(0.3)]));
        assert_eq!(range(5.0, 1.0, Some(3), None).linear(), Ok(vec![json!(5), json!(3), json!(1)]));
        let values = range(1.0, 1000.0, Some(4), None).logarithmic();
        assert_eq!(values, Ok(vec![json!(1), json!(10), json!(100), json!(1000)]));
        assert_eq!(range(7.0, 9.0, Some(1), None).linear(), Ok(vec![json!(7)]));
    }

    #[test]
    fn impossible_ranges() {
        assert!(range(0.0, 1.0, None, None).linear().is_err());
        assert!(range(0.0, 1.0, Some(2), Some(1.0)).linear().is_err());
        assert!(range(0.0, 1.0, None, Some(0.3)).linear().is_err());
        assert!(range(0.0, 1.0, None, Some(-0.5)).linear().is_err());
        assert!(range(0.0, 1.0, None, Some(1e-9)).linear().is_err());
        assert!(range(0.0, 1.0, Some(2), None).logarithmic().is_err());
        assert!(range(0.0, f64::INFINITY, Some(2), None).linear().is_err());
        assert!(range(0.0, 1.0, Some(0), None).linear().is_err());
    }

    fn axis(keys: &[&str], factors: &[f64], values: Value) -> Axis {
        Axis {
            title: "hosts".to_owned(),
            unit: String::new(),
            log: false,
            keys: keys.iter().map(|&key| key.to_owned()).collect(),
            factors: factors.to_vec(),
            values: values.as_array().cloned().unwrap_or_default(),
            labels: Vec::new(),
        }
    }

    #[test]
    fn values_go_where_they_belong() {
        let set = |axis: &Axis, index| {
            let mut settings = json!({});
            axis.apply(index, &mut settings).map(|()| settings)
        };
        let halves = axis(&["a", "b"], &[0.5, 0.5], json!([2, 5]));
        assert_eq!(set(&halves, 0), Ok(json!({ "a": 1, "b": 1 })));
        assert_eq!(set(&halves, 1), Ok(json!({ "a": 2.5, "b": 2.5 })));
        let each = axis(&["a", "b"], &[], json!([[1, "x"]]));
        assert_eq!(set(&each, 0), Ok(json!({ "a": 1, "b": "x" })));
        let whole = axis(&["a"], &[], json!([[1, 2]]));
        assert_eq!(set(&whole, 0), Ok(json!({ "a": [1, 2] })));
    }
}

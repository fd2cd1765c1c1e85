//! An axis: the values it covers, their positions, and its marks.
//!
//! Linear marks are multiples of 1, 2 or 5 times a power of ten. Logarithmic marks are decades,
//! with unlabelled marks between them. Below two decades they are 1, 2 and 5 times each power of
//! ten, and below 0.8 of a decade the marks are linear.

use gridsat_model::Ticks;

use crate::chart::{Axis, Scale};
use crate::number::{fixed, power, scientific, short};

/// An axis between two coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    is_log: bool,
    /// Ends of the covered range, as logarithms on a logarithmic axis.
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    pub marks: Vec<Mark>,
}

/// A mark on the axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub value: f64,
    /// `None` for a small mark between labelled ones.
    pub label: Option<String>,
}

impl Mark {
    fn new(value: f64, label: String) -> Self {
        Self { value, label: Some(label) }
    }
}

/// Largest absolute value that can be drawn; differences of larger ones could overflow.
const FARTHEST: f64 = 1e150;

/// Whether a value can be shown on an axis of this kind.
pub(crate) fn can_show(axis: &Axis, value: f64) -> bool {
    match &axis.scale {
        Scale::Linear => value.abs() < FARTHEST,
        Scale::Log => value > 1.0 / FARTHEST && value < FARTHEST,
        Scale::Category(names) => value > -0.5 && value < names.len() as f64 - 0.5,
    }
}

impl Ruler {
    /// An axis that covers all values it can show, with about `wanted` labelled marks.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, wanted: usize) -> Self {
        let is_log = axis.scale == Scale::Log;
        let place = |value: f64| if is_log { value.log10() } else { value };
        let zero = (axis.include_zero && !is_log).then_some(0.0);
        let shown = values.filter(|&value| can_show(axis, value)).map(place).chain(zero);
        let (low, high) = match &axis.scale {
            Scale::Category(names) => (-0.5, names.len().max(1) as f64 - 0.5),
            _ => ends(shown).map_or((0.0, 1.0), |ends| padded(ends, zero.is_some(), is_log)),
        };
        let marks = match &axis.scale {
            Scale::Linear => linear_marks(low, high, wanted),
            Scale::Log => log_marks(low, high, wanted),
            Scale::Category(names) => {
                let named = |(index, name): (usize, &String)| Mark::new(index as f64, name.clone());
                names.iter().enumerate().map(named).collect()
            }
        };
        Self { is_log, low, high, start: 0.0, end: 1.0, marks }
    }

    /// A time axis from 0 to `span` with about eight marks, whose labels are exact.
    pub fn time(span: Ticks, scale: gridsat_model::Scale) -> Self {
        let span = span.max(Ticks(1));
        let powers = (0..19).map(|exponent| 10_u64.pow(exponent));
        let steps =
            powers.flat_map(|power| [1, 2, 5].map(|digit| Ticks(power.saturating_mul(digit))));
        // Steps that are whole units are exact, whatever the ticks are.
        let unit = if scale.parts() == 1 { 1 } else { scale.ticks_per_unit().0 };
        let steps = steps.map(|step| Ticks(step.0.saturating_mul(unit)));
        let step = steps.into_iter().find(|&step| span / step <= 8).unwrap_or(span);
        let times = (0..=span / step).map(|number| step * number);
        let marks = times.map(|time| Mark::new(time.as_f64(), scale.display(time).to_string()));
        let marks = marks.collect();
        Self { is_log: false, low: 0.0, high: span.as_f64(), start: 0.0, end: 1.0, marks }
    }

    /// A logarithmic axis over whole decades that cover the values above 0, but none below
    /// `10^floor`.
    pub fn decades(
        values: impl Iterator<Item = f64>,
        floor: i32,
        label: fn(f64) -> String,
    ) -> Self {
        let exponents = values.filter(|&value| value > 0.0).map(f64::log10);
        let (least, most) = ends(exponents).unwrap_or((0.0, 0.0));
        let low = (least.floor() as i32).max(floor);
        let high = (most.ceil() as i32).max(low + 1);
        let decades = (low..=high).map(|exponent| 10_f64.powi(exponent));
        let marks = decades.map(|value| Mark::new(value, label(value))).collect();
        let (low, high) = (f64::from(low), f64::from(high));
        Self { is_log: true, low, high, start: 0.0, end: 1.0, marks }
    }

    /// The same axis between two coordinates.
    pub fn between(mut self, start: f64, end: f64) -> Self {
        (self.start, self.end) = (start, end);
        self
    }

    /// The coordinate of a value, limited to the ends of the axis.
    pub fn at(&self, value: f64) -> f64 {
        let value = match self.is_log {
            true if value <= 0.0 => self.low,
            true => value.log10(),
            false => value,
        };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }

    /// Whether a value lies between the ends of the axis.
    pub fn covers(&self, value: f64) -> bool {
        let value = if self.is_log { value.max(f64::MIN_POSITIVE).log10() } else { value };
        (self.low..=self.high).contains(&value)
    }

    pub fn labels(&self) -> impl Iterator<Item = (f64, &str)> {
        self.marks.iter().filter_map(|mark| Some((self.at(mark.value), mark.label.as_deref()?)))
    }
}

/// The smallest and the largest value; `None` without values.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends, value| {
        let (least, most) = ends.unwrap_or((value, value));
        Some((least.min(value), most.max(value)))
    })
}

/// The range extended by a margin, but not beyond a 0 that was asked for.
fn padded((least, most): (f64, f64), has_zero: bool, is_log: bool) -> (f64, f64) {
    // Values that agree in nine digits count as equal, because marks could not distinguish them.
    let size = least.abs().max(most.abs());
    if most - least <= 1e-9 * size || most == least {
        let room = match size {
            _ if is_log => 0.15,
            0.0 => 1.0,
            size => size * 0.1,
        };
        return (least - room, most + room);
    }
    let room = 0.04 * (most - least);
    let low = if has_zero && least == 0.0 { least } else { least - room };
    (low, if has_zero && most == 0.0 { most } else { most + room })
}

fn linear_marks(low: f64, high: f64, wanted: usize) -> Vec<Mark> {
    let rough = (high - low) / wanted as f64;
    let exponent = rough.log10().floor() as i32;
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * 10_f64.powi(exponent));
    let step = steps.into_iter().find(|&step| step >= rough * 0.7).unwrap_or(steps[3]);
    // A step of ten is 1 times the next power.
    let decimals = -(exponent + i32::from(step >= steps[3]));
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first).max(0.0) as usize;
    let marks = (0..=count.min(2 * wanted)).map(|number| (first + number as f64) * step);
    let size = low.abs().max(high.abs());
    // Numbers with few digits are shorter as powers of ten; many digits are needed to distinguish
    // the marks.
    let is_plain = (decimals <= 4 && size < 1e7) || size > 1e4 * step;
    let label = |value: f64| match is_plain {
        true => fixed(value, decimals.max(0) as usize),
        // A 0 that rounding made slightly different.
        false if value.abs() < step / 2.0 => "0".to_owned(),
        false => scientific(value),
    };
    marks.map(|value| Mark::new(value, label(value))).collect()
}

/// Marks of a logarithmic axis; `low` and `high` are exponents of ten.
fn log_marks(low: f64, high: f64, wanted: usize) -> Vec<Mark> {
    if high - low < 0.8 {
        return linear_marks(10_f64.powf(low), 10_f64.powf(high), wanted);
    }
    let decades = (low.floor() as i32)..=(high.ceil() as i32);
    let every = ((high - low) / wanted as f64).ceil().max(1.0) as i32;
    let is_short = high - low < 2.0;
    let is_plain = is_short || (low >= -3.1 && high <= 4.9);
    let is_inside = |mark: &Mark| (low..=high).contains(&mark.value.log10());
    let mark = |exponent: i32, digit: u32| {
        let value = f64::from(digit) * 10_f64.powi(exponent);
        let is_named =
            if is_short { matches!(digit, 1 | 2 | 5) } else { digit == 1 && exponent % every == 0 };
        let name = || if is_plain { short(value) } else { power(exponent) };
        Mark { value, label: is_named.then(name) }
    };
    // If only every second decade or fewer are labelled, there is room only for the decades.
    let digits = if every == 1 { 1..=9 } else { 1..=1 };
    decades
        .flat_map(|exponent| digits.clone().map(move |digit| (exponent, digit)))
        .map(|(e, d)| mark(e, d))
        .filter(is_inside)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64]) -> Vec<String> {
        let axis = Axis { label: String::new(), scale, include_zero: false };
        let ruler = Ruler::new(&axis, values.iter().copied(), 6);
        ruler.labels().map(|(_, label)| label.to_owned()).collect()
    }

    #[test]
    fn linear_marks_are_round() {
        let linear = |values: &[f64]| labels(Scale::Linear, values);
        assert_eq!(linear(&[0.0, 100.0]), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(linear(&[-0.3, 0.3]), ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(linear(&[0.0, 6e8]), ["0", "10⁸", "2·10⁸", "3·10⁸", "4·10⁸", "5·10⁸", "6·10⁸"]);
        assert_eq!(linear(&[5.0]), ["4.6", "4.8", "5.0", "5.2", "5.4"]);
        assert_eq!(linear(&[]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(linear(&[0.0, 1e-6])[1], "2·10⁻⁷");
    }

    #[test]
    fn logarithmic_marks_suit_the_span() {
        let log = |values: &[f64]| labels(Scale::Log, values);
        assert_eq!(log(&[1.0, 1000.0, -5.0, 0.0]), ["1", "10", "100", "1000"]);
        assert_eq!(log(&[3.0, 40.0]), ["5", "10", "20"]);
        assert_eq!(log(&[100.0, 110.0]), ["100", "102", "104", "106", "108", "110"]);
        assert_eq!(log(&[1e-9, 1e9]).len(), 5);
    }

    #[test]
    fn few_marks_on_any_span_and_places_inside() {
        for exponent in -140..140 {
            for (low, span) in [(0.0, 1.0), (-7.3, 9.1), (123.0, 0.0), (1.0, 1e-12), (1.0, 1e6)] {
                let unit = 10_f64.powi(exponent);
                let ends = [low * unit, (low + span) * unit];
                for scale in [Scale::Linear, Scale::Log] {
                    let axis = Axis { label: String::new(), scale, include_zero: false };
                    let ruler = Ruler::new(&axis, ends.into_iter(), 6).between(10.0, 20.0);
                    let count = ruler.labels().count();
                    assert!((2..=9).contains(&count), "{ends:?} {:?}", ruler.marks);
                    assert!(ends.iter().all(|&end| (10.0..=20.0).contains(&ruler.at(end))));
                }
            }
        }
    }

    #[test]
    fn zero_is_an_end_if_asked_for() {
        let axis = Axis { include_zero: true, ..Axis::linear("") };
        let ruler = Ruler::new(&axis, [3.0, 5.0].into_iter(), 6).between(100.0, 0.0);
        assert_eq!(ruler.at(0.0), 100.0);
        assert_eq!(ruler.at(-4.0), 100.0);
        assert!(!ruler.covers(-4.0) && ruler.covers(5.0));
    }

    #[test]
    fn times_have_few_round_marks() {
        let values = |span| {
            let ruler = Ruler::time(Ticks(span), gridsat_model::Scale::default());
            ruler.marks.iter().map(|mark| mark.value).collect::<Vec<_>>()
        };
        assert_eq!(values(1), [0.0, 1.0]);
        assert_eq!(values(30), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
        assert_eq!(values(3078), [0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0, 3000.0]);
        for exponent in 0..62 {
            assert!((2..=9).contains(&values(1 << exponent).len()));
        }
    }

    #[test]
    fn decades_end_at_powers_of_ten() {
        let ruler = Ruler::decades([0.0, 0.02, 30.0].into_iter(), -9, short).between(0.0, 400.0);
        assert_eq!((ruler.low, ruler.high), (-2.0, 2.0));
        assert_eq!([0.01, 0.0, 100.0].map(|value| ruler.at(value)), [0.0, 0.0, 400.0]);
        assert!(ruler.covers(0.01) && !ruler.covers(0.009));
    }
}

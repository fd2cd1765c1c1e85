//! Numbers in scenario files: plain numbers in place of distributions, percentages in place of
//! loads, cells of a matrix, and seconds as ticks.
//!
//! The serde visitors are written by hand so that a type error says what was expected, and where.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::error::{Fault, ensure};
use super::file::{Load, LoadTable};
use super::tables::tables;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::{Distribution, WorkloadError};

/// Decimal places of a second: a tick is one nanosecond.
const DECIMALS: u32 = 9;
const NANOSECONDS: f64 = 1e9;

/// The length of a tick in every grid scenario.
pub(super) fn scale() -> Scale {
    Scale::new(DECIMALS).expect("at most Scale::MAX_DECIMALS")
}

/// The largest simulated time in seconds, about 584 years.
pub(super) const CLOCK: f64 = u64::MAX as f64 / NANOSECONDS;

/// Converts seconds to the nearest tick.
pub(super) fn ticks(key: &str, seconds: f64) -> Result<Ticks, Fault> {
    ensure(seconds.is_finite() && seconds >= 0.0, || {
        format!("{key} is {seconds}, not a number of seconds >= 0")
    })?;
    nearest_tick(seconds).ok_or_else(|| beyond(key, seconds))
}

/// The exact value of the float, rounded once, ties to the even tick; multiplying floats would
/// round twice. `None` beyond the largest time.
fn nearest_tick(seconds: f64) -> Option<Ticks> {
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = seconds.abs().to_bits();
    let (exponent, fraction) = ((bits >> MANTISSA) as i32, bits & ((1 << MANTISSA) - 1));
    // seconds = mantissa · 2^power; numbers below 2^-1022 are 0 ticks anyway.
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << MANTISSA };
    let power = exponent.max(1) - 1075;
    let ticks = u128::from(mantissa) * u128::from(scale().ticks_per_unit());
    let ticks = match u32::try_from(-power) {
        Err(_) => ticks.checked_mul(1_u128.checked_shl(power.unsigned_abs())?)?,
        Ok(0) => ticks,
        // Less than half a tick: the product has 83 bits.
        Ok(shift) if shift > 100 => 0,
        Ok(shift) => {
            let (whole, rest, half) =
                (ticks >> shift, ticks & ((1 << shift) - 1), 1_u128 << (shift - 1));
            whole + u128::from(rest > half || (rest == half && whole % 2 == 1))
        }
    };
    Ticks::try_from(ticks).ok().filter(|&ticks| ticks < Ticks::MAX)
}

/// Converts seconds to the nearest tick, which must not be 0.
pub(super) fn positive_ticks(key: &str, seconds: f64) -> Result<Ticks, Fault> {
    match ticks(key, seconds)? {
        Ticks(0) => {
            Err(Fault::new(format!("{key} is {seconds}, must be at least 1e-9 (a nanosecond)")))
        }
        ticks => Ok(ticks),
    }
}

/// The fault for a time beyond the largest simulated time.
pub(super) fn beyond(key: &str, seconds: f64) -> Fault {
    Fault::new(format!(
        "{key} is {seconds:e} seconds; the simulated clock ends at {CLOCK:.3e} seconds (584 years)"
    ))
}

/// Checks that a number is an integer from `least` to `most`.
pub(super) fn whole(key: &str, value: f64, least: u64, most: u64) -> Result<u64, Fault> {
    let is_whole = value.fract() == 0.0 && value >= least as f64 && value <= most as f64;
    ensure(is_whole, || format!("{key} is {value}, not a whole number from {least} to {most}"))?;
    Ok(value as u64)
}

/// A plain number or a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Plain(f64),
    Constant(f64),
    Uniform(f64, f64),
    Exponential(f64),
    Normal(f64, f64),
    Weibull(f64, f64),
    LogNormal(f64, f64),
    Gamma(f64, f64),
}

/// Names of the distributions, for error messages.
const KNOWN: &str = "constant, uniform, exponential, normal, weibull, lognormal, gamma";

tables! {
    optional NumberTable {
        constant: Option<f64>,
        uniform: Option<[f64; 2]>,
        exponential: Option<f64>,
        normal: Option<[f64; 2]>,
        weibull: Option<[f64; 2]>,
        lognormal: Option<[f64; 2]>,
        gamma: Option<[f64; 2]>,
    }
}

impl NumberTable {
    fn only(self) -> Option<Number> {
        let pair = |pair: Option<[f64; 2]>, of: fn(f64, f64) -> Number| pair.map(|[a, b]| of(a, b));
        let all = [
            self.constant.map(Number::Constant),
            pair(self.uniform, Number::Uniform),
            self.exponential.map(Number::Exponential),
            pair(self.normal, Number::Normal),
            pair(self.weibull, Number::Weibull),
            pair(self.lognormal, Number::LogNormal),
            pair(self.gamma, Number::Gamma),
        ];
        let mut given = all.into_iter().flatten();
        given.next().filter(|_| given.next().is_none())
    }
}

impl Number {
    /// The distribution; a plain number is a constant.
    pub fn distribution(self) -> Result<Distribution, WorkloadError> {
        match self {
            Self::Plain(value) | Self::Constant(value) => Distribution::constant(value),
            Self::Uniform(low, high) => Distribution::uniform(low, high),
            Self::Exponential(mean) => Distribution::exponential(mean),
            Self::Normal(mean, deviation) => Distribution::normal(mean, deviation),
            Self::Weibull(shape, scale) => Distribution::weibull(shape, scale),
            Self::LogNormal(mu, sigma) => Distribution::log_normal(mu, sigma),
            Self::Gamma(shape, scale) => Distribution::gamma(shape, scale),
        }
    }

    /// The distribution; a fault if it is always 0.
    pub fn positive(self, key: &str) -> Result<Distribution, Fault> {
        if let Self::Plain(value) | Self::Constant(value) = self {
            ensure(value > 0.0 && value.is_finite(), || {
                format!("{key} is {value}, must be above 0")
            })?;
        }
        let drawn = self.distribution().map_err(|error| Fault::new(format!("{key}: {error}")))?;
        ensure(!drawn.is_zero(), || format!("{key} is always 0, must be above 0"))?;
        Ok(drawn)
    }

    /// The mean; for a normal distribution, the mean before truncation at 0.
    pub fn mean(self) -> f64 {
        match self {
            Self::Plain(mean) | Self::Constant(mean) | Self::Exponential(mean) => mean,
            Self::Uniform(low, high) => (low + high) / 2.0,
            Self::Normal(mean, _) => mean,
            Self::Weibull(shape, scale) => scale * libm::tgamma(1.0 + 1.0 / shape),
            Self::LogNormal(mu, sigma) => libm::exp(mu + sigma * sigma / 2.0),
            Self::Gamma(shape, scale) => shape * scale,
        }
    }

    /// Upper bound on all samples. Samples use logarithms of numbers from 2^-53 on, which are at
    /// least -36.8. So normal numbers are below 9, and those of gamma are at most d (1 + x / (3
    /// √d))³.
    pub fn largest(self) -> f64 {
        match self {
            Self::Plain(value) | Self::Constant(value) => value,
            Self::Uniform(_, high) => high,
            Self::Exponential(mean) => 37.0 * mean,
            Self::Normal(mean, deviation) => mean + 9.0 * deviation,
            Self::Weibull(shape, scale) => scale * libm::pow(37.0, 1.0 / shape),
            Self::LogNormal(mu, sigma) => libm::exp(mu + 9.0 * sigma),
            Self::Gamma(shape, scale) => {
                let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
                scale * d * libm::pow(1.0 + 3.0 / d.sqrt(), 3.0)
            }
        }
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number, or one of {KNOWN} as a table")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number::Plain(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number::Plain(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number::Plain(value as f64))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Number, M::Error> {
        let table = NumberTable::deserialize(MapAccessDeserializer::new(map))?;
        let only = table.only();
        only.ok_or_else(|| Error::custom(format!("expected exactly one of {KNOWN}")))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberVisitor)
    }
}

struct LoadVisitor;

impl<'de> Visitor<'de> for LoadVisitor {
    type Value = Load;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole percentage, or a table")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Load, E> {
        let average = u8::try_from(value).ok().filter(|&percent| percent <= 100);
        let average =
            average.ok_or_else(|| E::custom(format!("load is {value}, not from 0 to 100")))?;
        Ok(Load(LoadTable { average: Some(average), ..LoadTable::default() }))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Load, E> {
        self.visit_i64(i64::try_from(value).unwrap_or(i64::MAX))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Load, M::Error> {
        LoadTable::deserialize(MapAccessDeserializer::new(map)).map(Load)
    }
}

impl<'de> Deserialize<'de> for Load {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(LoadVisitor)
    }
}

/// A cell of a matrix as JSON text, which the instance reader converts to ticks.
pub(super) struct Cell(pub String);

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of seconds, or \"inf\" where the job cannot run")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Cell, E> {
        if value == f64::INFINITY {
            return Ok(Cell("null".to_owned()));
        }
        if !value.is_finite() {
            return Err(E::custom(format!("{value} is not a time")));
        }
        let text = value.to_string();
        let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit);
        if value.fract() != 0.0 && digits.count() > f64::DIGITS as usize {
            return Err(E::custom(format!(
                "{text} has more digits than a 64-bit float holds: put it in quotes"
            )));
        }
        Ok(Cell(text))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Cell, E> {
        Ok(Cell(value.to_string()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cell, E> {
        // Long numbers are quoted to keep all digits; the only other text that the reader accepts
        // is inf.
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        Ok(Cell(if is_number {
            text.to_owned()
        } else {
            serde_json::Value::from(text).to_string()
        }))
    }

    fn visit_unit<E: Error>(self) -> Result<Cell, E> {
        Ok(Cell("null".to_owned()))
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CellVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_the_nearest_nanosecond() {
        let of = |seconds| ticks("at", seconds).ok();
        assert_eq!(
            [0.0, -0.0, 0.1, 2e-9, 1.4e-9].map(of),
            [0, 0, 100_000_000, 2, 1].map(|ticks| Some(Ticks(ticks)))
        );
        assert_eq!(of(9_007_199.254_740_993), Some(Ticks(9_007_199_254_740_993)));
        assert_eq!(of(1.8e10), Some(Ticks(18_000_000_000_000_000_000)));
        assert_eq!([1.9e10, 1e300, -1.0, f64::NAN, f64::INFINITY].map(of), [None; 5]);
        assert!(positive_ticks("wait", 1e-10).is_err());
    }

    /// The same through the decimal digits of the float.
    #[test]
    fn rounds_as_the_decimal_digits_do() {
        let by_text =
            |seconds: f64| gridsat_model::io::ticks_at_most(&format!("{seconds:.9}"), scale()).ok();
        let mut random = gridsat_statistics::random::stream(2, "test", 0);
        let mut unit = || gridsat_statistics::random::unit(&mut random);
        let ties = (0..2000_u32).map(|k| f64::from(2 * k + 1) / 1024.0);
        let others = (0..20_000).map(|_| unit() * libm::exp2(70.0 * unit() - 32.0));
        let ends = [0.0, -0.0, 5e-324, 4.9e-10, 5e-10, 5.1e-10, CLOCK, 1.844_674_407_370_955e10];
        for seconds in ends.into_iter().chain(ties).chain(others) {
            assert_eq!(ticks("at", seconds).ok(), by_text(seconds), "{seconds:e}");
        }
    }

    #[test]
    fn nothing_drawn_is_above_the_largest() {
        let mut random = gridsat_statistics::random::stream(1, "test", 0);
        let numbers = [
            Number::Uniform(1.0, 3.0),
            Number::Exponential(2.0),
            Number::Normal(1.0, 4.0),
            Number::Weibull(0.5, 2.0),
            Number::LogNormal(1.0, 0.5),
            Number::Gamma(0.3, 2.0),
            Number::Gamma(3.0, 2.0),
        ];
        for number in numbers {
            let drawn = number.distribution().expect("valid");
            let most = (0..10_000).map(|_| drawn.sample(&mut random)).fold(0.0, f64::max);
            assert!(most <= number.largest() && most > number.mean(), "{number:?}: {most}");
        }
        // The longest possible tail: the logarithm of 2^-53.
        assert!(-libm::log(0.5_f64.powi(53)) < 37.0);
    }
}

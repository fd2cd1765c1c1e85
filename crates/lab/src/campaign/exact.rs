//! A number with all its digits, as it is written in JSON.
//!
//! Makespans and bounds are compared exactly: two solvers that differ in the last digit disagree,
//! and a float would hide it.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use thiserror::Error;

/// `mantissa · 10^−decimals` with the fewest decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    mantissa: i128,
    decimals: u32,
}

/// A text is not a number, or has too many digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a decimal number of at most {MOST_DIGITS} digits")]
pub struct NotExact;

/// Two such numbers can be brought to the same decimals without overflow.
const MOST_DIGITS: u32 = 19;

impl Exact {
    /// The nearest float.
    pub fn as_f64(self) -> f64 {
        self.to_string().parse().expect("digits and a point are a float")
    }

    fn at(self, decimals: u32) -> i128 {
        self.mantissa * 10_i128.pow(decimals - self.decimals)
    }
}

impl FromStr for Exact {
    type Err = NotExact;

    fn from_str(text: &str) -> Result<Self, NotExact> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().map_err(|_| NotExact)?),
            None => (text, 0),
        };
        let (negative, number) =
            number.strip_prefix('-').map_or((false, number), |number| (true, number));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
            return Err(NotExact);
        }
        let digits = format!("{whole}{fraction}");
        let digits = digits.trim_start_matches('0');
        let trimmed = digits.trim_end_matches('0');
        if trimmed.is_empty() {
            return Ok(Self { mantissa: 0, decimals: 0 });
        }
        let zeros = (digits.len() - trimmed.len()) as i64;
        let power = i64::from(exponent) + zeros - fraction.len() as i64;
        let is_long = trimmed.len() as i64 + power.max(0) > i64::from(MOST_DIGITS);
        if is_long || power < -i64::from(MOST_DIGITS) {
            return Err(NotExact);
        }
        let mantissa: i128 = trimmed.parse().map_err(|_| NotExact)?;
        let mantissa = mantissa * 10_i128.pow(power.max(0) as u32);
        let decimals = power.min(0).unsigned_abs() as u32;
        Ok(Self { mantissa: if negative { -mantissa } else { mantissa }, decimals })
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = self.mantissa.unsigned_abs();
        let unit = 10_u128.pow(self.decimals);
        write!(f, "{sign}{}", digits / unit)?;
        match self.decimals as usize {
            0 => Ok(()),
            decimals => write!(f, ".{:0decimals$}", digits % unit),
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let decimals = self.decimals.max(other.decimals);
        self.at(decimals).cmp(&other.at(decimals))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = RawValue::from_string(self.to_string()).expect("a decimal number is JSON");
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        text.get().parse().map_err(|error| D::Error::custom(format!("{}: {error}", text.get())))
    }
}

impl JsonSchema for Exact {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept_and_compared() {
        for (text, shown) in [
            ("117", "117"),
            ("117.0", "117"),
            ("-0.250", "-0.25"),
            ("2924663.571044", "2924663.571044"),
            ("1.5e3", "1500"),
            ("12E-4", "0.0012"),
            ("0e99", "0"),
            ("9999999999999999999", "9999999999999999999"),
        ] {
            let number: Exact = text.parse().expect(text);
            assert_eq!(number.to_string(), shown);
            assert_eq!(serde_json::to_string(&number).expect("JSON"), shown);
            assert_eq!(serde_json::from_str::<Exact>(text).expect(text), number);
        }
        for wrong in ["", "x", "1.", ".5", "1e", "1e30", "1e-30", "12345678901234567890", "inf"] {
            assert_eq!(wrong.parse::<Exact>().is_ok(), wrong == "1.", "{wrong}");
        }
        let sorted = ["-1", "0.1", "0.10000000000000001", "2", "1e18"];
        let numbers = sorted.map(|text| text.parse::<Exact>().expect(text));
        assert!(numbers.is_sorted() && numbers[1] != numbers[2]);
    }
}

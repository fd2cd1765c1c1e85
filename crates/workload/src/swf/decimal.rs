//! Numbers of a trace, kept exactly as written: times in some archive logs have decimals.

use std::cmp::Ordering;
use std::fmt;

use gridsat_model::{Scale, Ticks};

/// A nonnegative decimal number. 1.5 and 1.50 compare equal, but each is written as it was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decimal {
    digits: u64,
    decimals: u8,
}

impl Decimal {
    const MAX_DECIMALS: usize = 18;

    /// Parses digits with an optional point between them; `None` if the text is anything else or
    /// too long.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let point = text.iter().position(|&byte| byte == b'.');
        let (whole, rest) = point.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
        let decimals = rest.map_or(0, <[u8]>::len);
        if rest.is_some_and(<[u8]>::is_empty) || decimals > Self::MAX_DECIMALS {
            return None;
        }
        let digits = append(whole_number(whole)?, rest.unwrap_or_default())?;
        Some(Self { digits, decimals: decimals as u8 })
    }

    /// Converts ticks to units of the scale.
    pub fn from_ticks(ticks: Ticks, scale: Scale) -> Self {
        let (mut digits, mut decimals) = (ticks, scale.decimals() as u8);
        while decimals > 0 && digits.0.is_multiple_of(10) {
            (digits, decimals) = (digits / 10, decimals - 1);
        }
        Self { digits: digits.0, decimals }
    }

    /// The nearest tick, halves rounded up; `None` if it does not fit.
    #[inline]
    pub fn to_ticks(self, scale: Scale) -> Option<Ticks> {
        if self.decimals == 0 {
            return self.digits.checked_mul(scale.ticks_per_unit().0).map(Ticks);
        }
        self.rounded_to_ticks(scale)
    }

    fn rounded_to_ticks(self, scale: Scale) -> Option<Ticks> {
        let unit = self.unit();
        let scaled = u128::from(self.digits) * u128::from(scale.ticks_per_unit());
        u64::try_from((scaled + unit / 2) / unit).ok().map(Ticks)
    }

    /// Whether the number is 0.
    pub fn is_zero(self) -> bool {
        self.digits == 0
    }

    fn unit(self) -> u128 {
        10_u128.pow(u32::from(self.decimals))
    }
}

/// Parses one or more digits.
pub(super) fn whole_number(text: &[u8]) -> Option<u64> {
    if text.is_empty() { None } else { append(0, text) }
}

fn append(number: u64, text: &[u8]) -> Option<u64> {
    text.iter().try_fold(number, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit <= 9).then(|| number.checked_mul(10)?.checked_add(u64::from(digit)))?
    })
}

impl From<u64> for Decimal {
    fn from(digits: u64) -> Self {
        Self { digits, decimals: 0 }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.decimals == other.decimals {
            return self.digits.cmp(&other.digits);
        }
        let (left, right) = (u128::from(self.digits), u128::from(other.digits));
        (left * other.unit()).cmp(&(right * self.unit()))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { digits, decimals } = *self;
        if decimals == 0 {
            return write!(f, "{digits}");
        }
        let (whole, rest) = (u128::from(digits) / self.unit(), u128::from(digits) % self.unit());
        write!(f, "{whole}.{rest:0width$}", width = usize::from(decimals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text.as_bytes()).expect(text)
    }

    #[test]
    fn is_written_as_read() {
        for text in
            ["0", "7", "1.5", "1.50", "0.05", "18446744073709551615", "0.000000000000000001"]
        {
            assert_eq!(decimal(text).to_string(), text);
        }
        for text in ["", ".", ".5", "5.", "-1", "+1", "1e3", "1 ", "1.2.3", "18446744073709551616"]
        {
            assert!(Decimal::parse(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn compares_by_value() {
        assert_eq!(decimal("1.50"), decimal("1.5"));
        assert!(decimal("2") > decimal("1.999"));
        assert!(decimal("18446744073709551615") > decimal("0.000000000000000001"));
    }

    #[test]
    fn rounds_to_ticks_once() {
        let tenths = Scale::new(1).expect("small");
        assert_eq!(decimal("1.25").to_ticks(tenths), Some(Ticks(13)));
        assert_eq!(decimal("1.24").to_ticks(tenths), Some(Ticks(12)));
        assert_eq!(decimal("0.5").to_ticks(Scale::default()), Some(Ticks(1)));
        assert_eq!(decimal("18446744073709551615").to_ticks(tenths), None);
        for ticks in [0, 5, 10, 12_340] {
            let back = Decimal::from_ticks(Ticks(ticks), Scale::new(3).expect("small"));
            assert_eq!(back.to_ticks(Scale::new(3).expect("small")), Some(Ticks(ticks)), "{back}");
        }
        assert_eq!(Decimal::from_ticks(Ticks(12_300), tenths).to_string(), "1230");
    }
}

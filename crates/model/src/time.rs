//! Exact time: integer ticks and the scale that ties them to the user's unit.
//!
//! Files hold decimals. Every value of a file is multiplied by one power of ten, its [`Scale`],
//! and is an integer from then on; bounds and proofs compare integers only.

use std::fmt;

/// A time or load in ticks.
pub type Ticks = u64;

/// How many decimal places a tick has: one unit of the file is `10^decimals` ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale {
    decimals: u32,
}

impl Scale {
    /// The most decimal places a scale can have: `10^18` is the last power of ten in an `i64`.
    pub const MAX_DECIMALS: u32 = 18;

    /// The scale with this many decimal places; `None` beyond [`Scale::MAX_DECIMALS`].
    pub fn new(decimals: u32) -> Option<Self> {
        (decimals <= Self::MAX_DECIMALS).then_some(Self { decimals })
    }

    /// Decimal places.
    pub fn decimals(self) -> u32 {
        self.decimals
    }

    /// Ticks in one unit of the file.
    pub fn ticks_per_unit(self) -> Ticks {
        10_u64.pow(self.decimals)
    }

    /// Shows ticks in the file's own unit, without trailing zeros: `3050` at two decimals is `30.5`.
    pub fn display(self, ticks: Ticks) -> impl fmt::Display {
        InUnits { ticks, scale: self }
    }
}

struct InUnits {
    ticks: Ticks,
    scale: Scale,
}

impl fmt::Display for InUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.scale.ticks_per_unit();
        let (whole, rest) = (self.ticks / unit, self.ticks % unit);
        if rest == 0 {
            return f.pad(&whole.to_string());
        }
        let digits = format!("{rest:0width$}", width = self.scale.decimals as usize);
        f.pad(&format!("{whole}.{}", digits.trim_end_matches('0')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_exact_decimals_without_trailing_zeros() {
        let cents = Scale::new(2).expect("small");
        let shown: Vec<_> =
            [0, 5, 50, 100, 3050, 3078].iter().map(|&t| cents.display(t).to_string()).collect();
        assert_eq!(shown, ["0", "0.05", "0.5", "1", "30.5", "30.78"]);
        assert_eq!(Scale::default().display(42).to_string(), "42");
        assert_eq!(Scale::new(19), None);
    }
}

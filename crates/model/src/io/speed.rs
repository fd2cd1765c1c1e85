//! The speed of a host, exactly: a task of time p takes `p / speed` there.
//!
//! Speeds are written as decimals (`1.5`) or as fractions (`4/3`) and kept as reduced fractions, so
//! a time is divided without a float. A quotient that is no decimal number, such as 10/3, has
//! infinitely many digits. The reader then counts in other parts of the unit
//! ([`quotients`](super::quotients)); only if that does not fit, the quotient is cut like a number
//! with too many digits in a file, and the reader rounds it up and says so.

use std::fmt;

use super::decimal::Decimal;
use super::quotients::gcd;
use crate::Scale;
use crate::text::decimal;

/// A fraction above 0 in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Speed {
    over: u64,
    under: u64,
}

impl Speed {
    /// The speed at which tasks take the times of the list.
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// The fraction in lowest terms; `None` if a part is 0.
    pub fn new(over: u64, under: u64) -> Option<Self> {
        Self::reduced(over.into(), under.into())
    }

    /// The same for larger numbers; `None` also if the lowest terms do not fit.
    pub fn reduced(over: u128, under: u128) -> Option<Self> {
        let common = gcd(over, under).max(1);
        let part = |number: u128| u64::try_from(number / common).ok().filter(|&part| part > 0);
        Some(Self { over: part(over)?, under: part(under)? })
    }

    /// Reads a decimal number or a fraction of whole numbers; `None` if it is neither, not above 0,
    /// or has more digits than fit.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('/') {
            Some((over, under)) => Self::new(whole(over)?, whole(under)?),
            None => {
                let number = Decimal::parse(text).ok()?;
                let fits = number.is_whole_at(Scale::MAX_DECIMALS as u8);
                let under = 10_u64.checked_pow(number.decimals.into())?;
                fits.then(|| Self::new(number.mantissa, under))?
            }
        }
    }

    /// The numerator.
    pub fn over(self) -> u64 {
        self.over
    }

    /// The denominator.
    pub fn under(self) -> u64 {
        self.under
    }

    /// The time that a task takes; `None` if it does not fit.
    pub fn time(self, work: Decimal) -> Option<Decimal> {
        if self == Self::ONE {
            return Some(work);
        }
        let (over, under) = (u128::from(work.mantissa) * u128::from(self.under), self.over.into());
        quotient(over, under, work)
    }
}

/// `over / under · 10^−decimals`, with as many digits as are needed or fit; the decimals, and
/// whether digits are left out already, are those of the number that was divided.
fn quotient(over: u128, under: u128, divided: Decimal) -> Option<Decimal> {
    let (mut mantissa, mut rest) = (over / under, over % under);
    let (mut decimals, mut cut) = (divided.decimals, divided.cut);
    while mantissa > u64::MAX.into() && decimals > 0 {
        cut |= rest > 0 || mantissa % 10 > 0;
        (mantissa, rest) = (mantissa.div_ceil(10), 0);
        decimals -= 1;
    }
    while rest > 0 && mantissa <= (u64::MAX / 10 - 1).into() {
        mantissa = 10 * mantissa + 10 * rest / under;
        rest = 10 * rest % under;
        decimals = decimals.checked_add(1)?;
    }
    if rest > 0 {
        (mantissa, cut) = (mantissa + 1, true);
    }
    while decimals > 0 && mantissa % 10 == 0 && !cut {
        (mantissa, decimals) = (mantissa / 10, decimals - 1);
    }
    Some(Decimal { mantissa: u64::try_from(mantissa).ok()?, decimals, cut })
}

fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A decimal number if it is one with few digits, else a fraction.
impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: u32 = 6;
        let Self { over, under } = *self;
        let unit = 10_u128.pow(DIGITS);
        let scaled = u128::from(over) * unit;
        match scaled % u128::from(under) {
            0 => f.write_str(&decimal(scaled / u128::from(under), DIGITS as usize)),
            _ => write!(f, "{over}/{under}"),
        }
    }
}

impl Speed {
    /// Whether it is printed as a fraction.
    pub fn is_fraction(self) -> bool {
        self.to_string().contains('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(text: &str) -> Speed {
        Speed::parse(text).expect("a speed")
    }

    fn time(work: &str, by: &str) -> (u64, u16, bool) {
        let work = Decimal::parse(work).expect("a number");
        let Decimal { mantissa, decimals, cut } = speed(by).time(work).expect("fits");
        (mantissa, decimals, cut)
    }

    #[test]
    fn speeds_are_decimals_or_fractions() {
        let shown = ["1", "2", "0.5", "1.50", "4/3", "6/4", "10/5"].map(|text| {
            let speed = speed(text);
            (speed.to_string(), speed.is_fraction())
        });
        let expected = [
            ("1", false),
            ("2", false),
            ("0.5", false),
            ("1.5", false),
            ("4/3", true),
            ("1.5", false),
            ("2", false),
        ];
        assert_eq!(shown, expected.map(|(text, is_fraction)| (text.to_owned(), is_fraction)));
        for wrong in ["0", "-1", "x", "", "1/0", "0/1", "1/", "/2", "1.5/2", "-1/2", "1e-19"] {
            assert_eq!(Speed::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn quotients_are_exact_if_they_are_decimals() {
        assert_eq!(time("12.5", "2"), (625, 2, false));
        assert_eq!(time("9", "3"), (3, 0, false));
        assert_eq!(time("9", "0.3"), (30, 0, false));
        assert_eq!(time("10", "4/3"), (75, 1, false));
        assert_eq!(time("0", "7"), (0, 0, false));
        assert_eq!(time("1", "128"), (78_125, 7, false));
    }

    #[test]
    fn other_quotients_are_rounded_up_in_the_last_place_that_fits() {
        let (mantissa, decimals, cut) = time("10", "3");
        assert_eq!((mantissa, decimals, cut), (3_333_333_333_333_333_334, 18, true));
        let huge = Decimal::parse("18446744073709551615").expect("fits");
        assert_eq!(speed("1/7").time(huge), None);
        // With decimals, a place fewer is enough.
        let huge = Decimal::parse("1844674407370955161.5").expect("fits");
        let time = speed("1/7").time(huge).expect("fits");
        assert_eq!((time.mantissa, time.decimals, time.cut), (12_912_720_851_596_686_131, 0, true));
    }
}

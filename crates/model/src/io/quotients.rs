//! One tick for times that are quotients: works divided by speeds, which need not be decimals.
//!
//! A work W/10^d on a host of speed a/b takes `W·b / (a·10^d)`. For all tasks of the host together
//! the least common denominator is `D / gcd(D, gcd_t W_t)` with `D = a·10^d / gcd(a·10^d, b)`: of
//! any prime, the largest power in a denominator is the one beside the W with the least of it. The
//! tick is one part of the unit, of as many as the least common multiple over all speeds and ready
//! times says, so that every time is a whole number and none is rounded.

use super::decimal::Decimal;
use super::speed::Speed;
use crate::{Instance, Scale, Ticks};

/// The works of the tasks, and the speed of each column.
pub(super) struct Quotients {
    pub works: Vec<Decimal>,
    pub speeds: Vec<Speed>,
}

/// Times in parts of the unit.
pub(super) struct Parts {
    pub scale: Scale,
    /// Task by task, one time per column.
    pub times: Vec<Ticks>,
    pub ready: Vec<Ticks>,
}

impl Quotients {
    /// All times in parts of the unit; `None` if that does not fit.
    pub fn in_parts(&self, ready: &[Decimal]) -> Option<Parts> {
        let numbers = || self.works.iter().chain(ready);
        let decimals = numbers().map(|number| number.decimals).max()?;
        if numbers().any(|number| !number.is_whole_at(Scale::MAX_DECIMALS as u8)) {
            return None;
        }
        let unit = 10_u128.pow(decimals.into());
        let divisor = |numbers: &[Decimal]| {
            let whole = |number: &Decimal| {
                u128::from(number.mantissa) * 10_u128.pow((decimals - number.decimals).into())
            };
            numbers.iter().map(whole).fold(0, gcd)
        };
        let of_works = divisor(&self.works);
        let mut parts = unit / gcd(unit, divisor(ready));
        for speed in &self.speeds {
            let all = u128::from(speed.over()) * unit;
            let all = all / gcd(all, speed.under().into());
            let own = all / gcd(all, of_works);
            parts = parts.checked_mul(own / gcd(own, parts))?;
        }
        let scale = Scale::of_parts(u64::try_from(parts).ok()?)?;
        let times = self.works.iter().flat_map(|&work| {
            self.speeds.iter().map(move |speed| ticks(work, speed.over(), speed.under(), scale))
        });
        let times: Vec<Ticks> = times.collect::<Option<_>>()?;
        let ready = ready.iter().map(|&number| ticks(number, 1, 1, scale));
        let ready: Vec<Ticks> = ready.collect::<Option<_>>()?;
        let longest = times.chunks(self.speeds.len()).filter_map(|row| row.iter().max());
        let total: u128 = longest.chain(ready.iter().max()).map(|&time| u128::from(time)).sum();
        (total <= Instance::MAX_TOTAL.into()).then_some(Parts { scale, times, ready })
    }
}

/// The number divided by `over / under` in ticks, which are parts of the unit; `None` if that is no
/// whole number or does not fit.
fn ticks(number: Decimal, over: u64, under: u64, scale: Scale) -> Option<Ticks> {
    // Both products are below 2^64 · 10^18.
    let up = u128::from(under) * u128::from(scale.ticks_per_unit());
    let down = u128::from(over) * 10_u128.pow(number.decimals.into());
    let common = gcd(up, down);
    let (up, down) = (up / common, down / common);
    let number = u128::from(number.mantissa);
    let ticks = (number % down == 0).then(|| (number / down).checked_mul(up))??;
    Ticks::try_from(ticks).ok()
}

pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("a number")
    }

    fn in_parts(works: &[&str], speeds: &[&str], ready: &[&str]) -> Option<(u64, Vec<u64>)> {
        let works = works.iter().map(|text| decimal(text)).collect();
        let speeds = speeds.iter().map(|text| Speed::parse(text).expect("a speed")).collect();
        let ready: Vec<Decimal> = ready.iter().map(|text| decimal(text)).collect();
        let Parts { scale, times, ready } = Quotients { works, speeds }.in_parts(&ready)?;
        let all = times.iter().chain(&ready).map(|ticks| ticks.0).collect();
        Some((scale.ticks_per_unit().0, all))
    }

    #[test]
    fn the_unit_has_as_few_parts_as_possible() {
        assert_eq!(in_parts(&["10", "9"], &["3"], &[]), Some((3, vec![10, 9])));
        assert_eq!(in_parts(&["9", "0"], &["3"], &[]), Some((1, vec![3, 0])));
        assert_eq!(in_parts(&["1"], &["1", "2", "3"], &["0.5"]), Some((6, vec![6, 3, 2, 3])));
        assert_eq!(in_parts(&["1"], &["3/2", "2/3", "7/5"], &[]), Some((42, vec![28, 63, 30])));
        assert_eq!(in_parts(&["0.25"], &["1.5"], &[]), Some((6, vec![1])));
        assert_eq!(in_parts(&["2"], &["1"], &["0.125", "0"]), Some((8, vec![16, 1, 0])));
    }

    /// As fractions say, one by one.
    #[test]
    fn times_are_those_of_fractions() {
        for (works, over, under) in [([7, 12], 3, 1), ([600, 30], 9, 4), ([1, 5], 1000, 7)] {
            let texts = works.map(|work: u64| format!("{work}e-2"));
            let speed = format!("{over}/{under}");
            let texts = [texts[0].as_str(), texts[1].as_str()];
            let (parts, times) = in_parts(&texts, &[&speed], &[]).expect("fits");
            for (work, time) in works.into_iter().zip(times) {
                assert_eq!(time * over * 100, work * under * parts);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_left_to_rounding() {
        // A part of 999,999,999,999 together with one of 10^9 + 7.
        assert_eq!(in_parts(&["1"], &["999999999999", "1000000007"], &[]), None);
        assert_eq!(in_parts(&["5e9"], &["1", "1000000007"], &[]), None);
        assert_eq!(in_parts(&["1"], &["1/18446744073709551615"], &[]), None);
        assert_eq!(in_parts(&["1e-19"], &["3"], &[]), None);
        assert_eq!(in_parts(&["1"], &["3"], &["0.12345678901234567890123"]), None);
        assert_eq!(in_parts(&["0.000000000000000001"], &["18446744073709551615"], &[]), None);
    }
}

//! Exact equality of a decimal number in a file and a time in ticks, without floats.
//!
//! Both are brought to the form `digits · 10^exponent` without zeros at either end of the digits;
//! two numbers are equal exactly if these forms are. A time that is no decimal number, such as
//! 10/3, is equal to those that show it with enough digits ([`Time::is_shown_as`]).
//!
//! [`Time::is_shown_as`]: gridsat_model::Time::is_shown_as

use gridsat_model::{Scale, Ticks};

/// Whether the JSON number `text`, in the file's time unit, is exactly `ticks`.
pub(super) fn equals(text: &str, ticks: Ticks, scale: Scale) -> bool {
    if scale.parts() != 1 {
        return parse(text)
            .is_some_and(|(digits, exponent)| shows(&digits, exponent, ticks, scale));
    }
    let own = normal(&ticks.to_string(), -i64::from(scale.decimals()));
    parse(text).is_some_and(|given| given == own)
}

/// The same where ticks are no decimals. Numbers with more digits than a time needs show none.
fn shows(digits: &str, exponent: i64, ticks: Ticks, scale: Scale) -> bool {
    if digits.is_empty() {
        return ticks == Ticks::ZERO;
    }
    let power = |exponent: u64| 10_u128.checked_pow(u32::try_from(exponent).ok()?);
    let (factor, unit) = match exponent {
        0.. => (power(exponent.unsigned_abs()), Some(1)),
        _ => (Some(1), power(exponent.unsigned_abs())),
    };
    let number = digits.parse::<u128>().ok().zip(factor).and_then(|(d, f)| d.checked_mul(f));
    number.zip(unit).is_some_and(|(number, unit)| scale.display(ticks).is_shown_as(number, unit))
}

/// `None` if the text is not a JSON number, is negative, or has an exponent beyond 32 bits.
fn parse(text: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent = i64::from(exponent.parse::<i32>().ok()?);
    let places = i64::try_from(fraction.len()).ok()?;
    Some(normal(&digits, exponent - places))
}

fn normal(digits: &str, exponent: i64) -> (String, i64) {
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return (String::new(), 0);
    }
    let dropped = (digits.len() - kept.len()) as i64;
    (kept.to_owned(), exponent + dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_time_equals_its_own_text_and_no_other() {
        for decimals in 0..=4 {
            let scale = Scale::new(decimals).expect("small");
            let texts: Vec<String> =
                (0..1100).map(|ticks| scale.display(Ticks(ticks)).to_string()).collect();
            for (ticks, text) in (0..).zip(&texts) {
                assert!(equals(text, Ticks(ticks), scale), "{text} {decimals}");
                let others = (0..1100).filter(|&other| other != ticks);
                assert!(
                    !others.into_iter().any(|other| equals(text, Ticks(other), scale)),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn parts_of_a_unit_equal_their_own_numbers_and_no_others() {
        for parts in [3, 7, 12, 300, 1 << 20] {
            let scale = Scale::of_parts(parts).expect("few");
            for ticks in 0..60 {
                let time = scale.display(Ticks(ticks));
                let (number, float) = (time.number().to_string(), time.as_f64().to_string());
                for other in 0..62 {
                    assert_eq!(equals(&number, Ticks(other), scale), other == ticks, "{number}");
                }
                assert!(equals(&float, Ticks(ticks), scale), "{float} {parts}");
            }
        }
        let thirds = Scale::of_parts(3).expect("few");
        for text in ["3.333", "3.3333333333333335", "3.33333e0", "3333.333e-3", "3.334"] {
            assert!(equals(text, Ticks(10), thirds), "{text}");
        }
        for text in ["3.3", "3", "3.35", "3.3333", "3.00", "3.0001", "10", "-3.333", ""] {
            assert_eq!(equals(text, Ticks(10), thirds), text == "3.3333", "{text}");
        }
        assert!(equals("3.00", Ticks(9), thirds) && equals("3e0", Ticks(9), thirds));
        assert!(equals("0.0", Ticks(0), thirds) && equals("1e2", Ticks(300), thirds));
        assert!(!equals("3.0001", Ticks(9), thirds) && !equals("1e-99", Ticks(0), thirds));
        assert!(!equals("1e99", Ticks(9), thirds));
    }

    #[test]
    fn compares_exactly() {
        let cents = Scale::new(2).expect("small");
        for text in ["30.5", "30.50", "30.500", "3.05e1", "305E-1", "3050e-2", "0.305e+2"] {
            assert!(equals(text, Ticks(3050), cents), "{text}");
        }
        for text in ["30.51", "30.5000000000000000001", "305", "3.05", "-30.5", "", "x", "1e"] {
            assert!(!equals(text, Ticks(3050), cents), "{text}");
        }
        let whole = Scale::default();
        assert!(equals("9007199254740993", Ticks(9007199254740993), whole));
        assert!(!equals("9007199254740992", Ticks(9007199254740993), whole));
        assert!(equals("0", Ticks(0), whole) && equals("0.0e9", Ticks(0), cents));
        assert!(!equals("1e99999999999999999999", Ticks(1), whole));
        for text in ["", ".", "e5", "-0", "x"] {
            assert!(!equals(text, Ticks(0), whole), "{text}");
        }
    }
}

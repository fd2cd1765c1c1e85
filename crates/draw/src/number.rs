//! Numbers formatted for people: no more digits than are significant, true minus signs, thin spaces
//! between thousands, powers of ten.
//!
//! The first functions also serve plain text, with ASCII signs and without spaces.

/// Shown in place of a missing number.
pub const NONE: &str = "–";

/// The value rounded to this many decimals.
pub fn rounded(value: f64, decimals: u32) -> f64 {
    let unit = f64::from(10_u32.pow(decimals.min(9)));
    let rounded = (value * unit).round() / unit;
    // So large that it has no decimals.
    if rounded.is_finite() { rounded } else { value }
}

/// Number of decimals that shows two significant digits of a precision; `None` if it is 0 or not
/// finite.
pub fn decimals(precision: f64) -> Option<usize> {
    let magnitude = precision.abs().log10().floor();
    magnitude.is_finite().then(|| (1.0 - magnitude).max(0.0) as usize)
}

/// `1.25 ± 0.10`, or only the value if the spread is unknown.
pub fn plus_minus(value: f64, spread: Option<f64>, decimals: usize) -> String {
    let spread = spread.map_or(String::new(), |spread| format!(" ± {spread:.decimals$}"));
    format!("{value:.decimals$}{spread}")
}

/// The value with as many decimals as show two significant digits of the precision.
pub fn precise(value: f64, precision: f64) -> String {
    let decimals = decimals(precision).unwrap_or(3);
    match value.is_finite() && decimals > 9 {
        true => with_power(value, 4),
        false => limited(value, decimals, 4),
    }
}

/// A value ± half of its confidence interval, with the decimals that the interval justifies.
pub fn with_width(value: f64, half_width: Option<f64>) -> String {
    match half_width.filter(|width| width.is_finite()) {
        Some(width) => format!("{} ± {}", precise(value, width), precise(width, width)),
        None => precise(value, value / 1000.0),
    }
}

/// Two decimals, as in most tables.
pub fn hundredths(value: f64) -> String {
    limited(value, 2, 3)
}

/// A p-value with three decimals, or below 0.001 with two digits and a power of ten.
pub fn probability(p: f64) -> String {
    match p {
        0.0 => "0".to_owned(),
        p if p >= 0.001 => limited(p, 3, 3),
        p => with_power(p, 2),
    }
}

/// A fraction of 1 in percent, with two decimals.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// A power of ten in seconds, with the usual unit for a time of that size (µs, ms, s, …).
pub fn power_of_seconds(value: f64) -> String {
    let (factor, unit) = match value {
        small if small < 0.9e-3 => (1e6, "µs"),
        small if small < 0.9 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    let number = value * factor;
    if number < 0.9 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

/// With decimals, or with this many significant digits and a power of ten if it is large.
pub fn limited(value: f64, decimals: usize, digits: usize) -> String {
    match value {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        value if value.is_nan() => NONE.to_owned(),
        value if value.abs() >= 1e12 => with_power(value, digits),
        value => fixed(value, decimals),
    }
}

/// In the form `2.1·10⁻⁷`.
fn with_power(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}·{}", digits.replace('-', "−"), power(exponent.parse().unwrap_or(0)))
}

/// With this many decimals; from 10 000 on with thin spaces.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

fn grouped(digits: &str) -> String {
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    grouped
}

/// About six significant digits, without trailing zeros.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = exponent(value);
    if !(-4..=9).contains(&exponent) {
        return scientific(value);
    }
    let text = fixed(value, (5 - exponent).max(0) as usize);
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The decimal exponent of a number other than 0. Taken from its text form, because a logarithm may
/// round past a power of ten.
fn exponent(value: f64) -> i32 {
    let text = format!("{value:.5e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// In the form `2.5·10⁷`; the value must not be 0.
pub(crate) fn scientific(value: f64) -> String {
    let exponent = exponent(value);
    let mantissa = format!("{:.5}", value / 10_f64.powi(exponent));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.').replace('-', "−");
    match mantissa.as_str() {
        "1" => power(exponent),
        _ => format!("{mantissa}·{}", power(exponent)),
    }
}

/// In the form `10⁵`.
pub(crate) fn power(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => Some('⁻'),
        digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize),
    };
    format!("10{}", exponent.to_string().chars().filter_map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_easy_to_read() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-1234.5, 1), "−1234.5");
        assert_eq!(fixed(12345678.0, 0), "12\u{2009}345\u{2009}678");
        let shorts = [0.0, 1.0, -0.25, 1234.5678, 100.0, 0.000123, 2.5e-7, 1e12, -3e20];
        let expected =
            ["0", "1", "−0.25", "1234.57", "100", "0.000123", "2.5·10⁻⁷", "10¹²", "−3·10²⁰"];
        assert_eq!(shorts.map(short), expected);
        assert_eq!([-14, 0, 5].map(power), ["10⁻¹⁴", "10⁰", "10⁵"]);
    }

    #[test]
    fn as_many_digits_as_are_known() {
        assert_eq!(precise(1234.5678, 0.0123), "1234.568");
        assert_eq!(precise(1234567.8, 321.0), "1\u{2009}234\u{2009}568");
        assert_eq!(precise(-0.0001, 0.5), "0.00");
        assert_eq!(precise(-2.5, 0.5), "−2.50");
        assert_eq!(precise(7.0, 0.0), "7.000");
        assert_eq!(precise(1.5e-12, 1e-13), "1.500·10⁻¹²");
        assert_eq!(precise(-3e15, 1.0), "−3.000·10¹⁵");
        assert_eq!([f64::NAN, f64::INFINITY].map(|value| precise(value, 1.0)), ["–", "∞"]);
    }

    #[test]
    fn small_probabilities_keep_their_size() {
        assert_eq!([0.0, 1.0, 0.0499, 0.001].map(probability), ["0", "1.000", "0.050", "0.001"]);
        assert_eq!([2.14e-7, 9.99e-45].map(probability), ["2.1·10⁻⁷", "1.0·10⁻⁴⁴"]);
    }

    #[test]
    fn plain_numbers() {
        assert_eq!([0.5, 12.0, 0.00012, 3e5].map(decimals), [Some(2), Some(0), Some(5), Some(0)]);
        assert_eq!([0.0, f64::INFINITY, f64::NAN].map(decimals), [None; 3]);
        assert_eq!([rounded(1.23456, 2), rounded(f64::MAX, 2)], [1.23, f64::MAX]);
        assert_eq!(plus_minus(1.25, Some(0.1), 2), "1.25 ± 0.10");
        assert_eq!(plus_minus(1.0, None, 1), "1.0");
        assert_eq!(percent(0.12345), "12.35 %");
        let seconds = ["0.1 µs", "10 µs", "100 ms", "1 s"];
        assert_eq!([1e-7, 1e-5, 1e-1, 1.0].map(power_of_seconds), seconds);
    }
}

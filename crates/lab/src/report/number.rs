//! Numbers in tables: no more digits than are known, true minus signs, thin spaces between thousands.

use crate::experiment::Cell;
use gridsat_statistics::Summary;

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

/// With two digits of the precision that there is.
pub(super) fn precise(value: f64, precision: f64) -> String {
    if !value.is_finite() {
        return infinite(value);
    }
    let magnitude = precision.abs().log10().floor();
    let decimals = if magnitude.is_finite() { 1.0 - magnitude } else { 3.0 };
    if value.abs() >= 1e12 || decimals > 9.0 {
        return power_of_ten(value, 4);
    }
    fixed(value, decimals.max(0.0) as usize)
}

/// So many decimals.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e12 {
        return if value.is_finite() { power_of_ten(value, 3) } else { infinite(value) };
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// From five digits on.
fn grouped(digits: &str) -> String {
    let gap =
        |index: usize| index > 0 && digits.len() > 4 && (digits.len() - index).is_multiple_of(3);
    let spaced = digits.chars().enumerate().flat_map(|(index, digit)| {
        [gap(index).then_some('\u{2009}'), Some(digit)].into_iter().flatten()
    });
    spaced.collect()
}

fn infinite(value: f64) -> String {
    match value {
        f64::INFINITY => "∞",
        f64::NEG_INFINITY => "−∞",
        _ => NONE,
    }
    .to_owned()
}

/// `2.1·10⁻⁷`.
fn power_of_ten(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The others are in a row in Unicode.
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    let exponent: String = exponent.chars().map(raised).collect();
    format!("{}·10{exponent}", digits.replace('-', "−"))
}

/// A p-value: three decimals while these say something.
pub(super) fn probability(p: f64) -> String {
    match p {
        0.0 => "0".to_owned(),
        p if p >= 0.001 => fixed(p, 3),
        p => power_of_ten(p, 2),
    }
}

/// A value with half of its interval.
pub(super) fn with_width(value: f64, half_width: Option<f64>) -> String {
    match half_width.filter(|width| width.is_finite()) {
        Some(width) => format!("{} ± {}", precise(value, width), precise(width, width)),
        None => precise(value, value / 1000.0),
    }
}

/// A mean; how many values it is of only if some are missing.
pub(super) fn mean(cell: &Cell) -> String {
    let Summary { n, mean, half_width, .. } = cell.summary;
    match (n, cell.missing) {
        (0, _) => NONE.to_owned(),
        (_, 0) => with_width(mean, half_width),
        (n, _) => format!("{} (n = {n})", with_width(mean, half_width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn means_tell_when_values_are_missing() {
        let cell = |values: &[f64], missing| Cell { summary: Summary::of(values), missing };
        assert_eq!(mean(&cell(&[], 3)), NONE);
        assert_eq!(mean(&cell(&[2.0], 0)), "2.0000");
        assert_eq!(mean(&cell(&[1.0, 1.0], 1)), "1.000 ± 0.000 (n = 2)");
    }
}

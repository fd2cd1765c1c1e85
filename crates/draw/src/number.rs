//! Numbers as people read them: true minus signs, thin spaces between thousands, powers of ten.

/// So many decimals; from 10 000 on with thin spaces.
pub fn fixed(value: f64, decimals: usize) -> String {
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

/// About six digits, without zeros at the end.
pub fn short(value: f64) -> String {
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

/// Of a number that is not 0; by way of text, as a logarithm may round past a power.
fn exponent(value: f64) -> i32 {
    let text = format!("{value:.5e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// `2.5·10⁷`; not 0.
pub fn scientific(value: f64) -> String {
    let exponent = exponent(value);
    let mantissa = format!("{:.5}", value / 10_f64.powi(exponent));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.').replace('-', "−");
    match mantissa.as_str() {
        "1" => power(exponent),
        _ => format!("{mantissa}·{}", power(exponent)),
    }
}

/// `10⁵`.
pub fn power(exponent: i32) -> String {
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
}

//! Numbers of parts as text.

use std::fmt::Write;

/// Ascending numbers in the form that job arrays take: `3,7-9`.
pub fn ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    for run in numbers.chunk_by(|one, next| one + 1 == *next) {
        let comma = if text.is_empty() { "" } else { "," };
        let written = match run {
            [one] => write!(text, "{comma}{one}"),
            [first, .., last] => write!(text, "{comma}{first}-{last}"),
            [] => Ok(()),
        };
        written.expect("text grows");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3, 7, 8, 9]), "3,7-9");
        assert_eq!(ranges(&[0, 1, 3, 4, 6]), "0-1,3-4,6");
    }
}

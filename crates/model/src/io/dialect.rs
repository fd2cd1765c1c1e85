//! Detects what separates the cells of a CSV file: commas, semicolons or tabs.
//!
//! It is the separator that occurs equally often in each of the first rows. Semicolons are tried
//! first and commas last, because where another character separates cells, a comma is a decimal
//! mark. The first line `sep=;` that Excel writes overrides this.

use std::fmt;

use super::records::Records;

/// The character between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `,`
    Comma,
}

impl Separator {
    /// All separators, in the order in which they are tried.
    const ALL: [Self; 3] = [Self::Semicolon, Self::Tab, Self::Comma];

    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Comma => b',',
        }
    }
}

impl fmt::Display for Separator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Semicolon => "semicolons",
            Self::Tab => "tabs",
            Self::Comma => "commas",
        })
    }
}

/// Number of rows that are examined.
const SAMPLE: usize = 20;

/// The separator, and the offset in the text where the rows start.
pub(super) fn detect(text: &str) -> (Separator, usize) {
    let first = text.lines().next().unwrap_or("");
    for separator in Separator::ALL {
        if first.strip_prefix("sep=").is_some_and(|rest| rest.as_bytes() == [separator.byte()]) {
            return (separator, first.len());
        }
    }
    let widths = Separator::ALL.map(|separator| widths(text, separator));
    let is_regular = |widths: &[usize]| widths[0] > 1 && widths.iter().all(|&w| w == widths[0]);
    let is_used = |widths: &[usize]| widths[0] > 1;
    let found = widths.iter().position(|widths| is_regular(widths));
    let found = found.or_else(|| widths.iter().position(|widths| is_used(widths)));
    (found.map_or(Separator::Comma, |index| Separator::ALL[index]), 0)
}

/// The number of cells of each of the first rows; at least one row.
fn widths(text: &str, separator: Separator) -> Vec<usize> {
    let mut records = Records::new(text, 0, separator);
    let mut fields = Vec::new();
    let mut widths = Vec::new();
    // A quote that is not closed is reported when the file is read.
    while widths.len() < SAMPLE && matches!(records.next(&mut fields), Ok(true)) {
        widths.push(fields.len());
    }
    if widths.is_empty() { vec![0] } else { widths }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_the_one_in_every_row() {
        let of = |text| detect(text).0;
        assert_eq!(of("1,2\n3,4\n"), Separator::Comma);
        assert_eq!(of("1;2\n3;4\n"), Separator::Semicolon);
        assert_eq!(of("1,5;2,5\n3,5;4,5\n"), Separator::Semicolon);
        assert_eq!(of("1,5\t2,5\n3\t4\n"), Separator::Tab);
        assert_eq!(of("task,a;b\nt0,1\n"), Separator::Comma);
        assert_eq!(of("task,\"a;b\"\n\"x;y\",1\n"), Separator::Comma);
        assert_eq!(of("# a;b;c\n1,2\n"), Separator::Comma);
        assert_eq!(of("1;2\n3\n"), Separator::Semicolon);
        assert_eq!(of("5\n7\n"), Separator::Comma);
        assert_eq!(detect("sep=;\n1;2\n"), (Separator::Semicolon, 5));
        assert_eq!(of(""), Separator::Comma);
    }
}

//! The rows of a CSV file, cell by cell, with the position of each in the text.
//!
//! Quotes are as in RFC 4180: they enclose a cell that starts with one, and are doubled inside. A
//! quote in the middle of a cell is an ordinary character. Blanks around cells and their quotes are
//! ignored, and so are lines that are blank or start with `#`.

use std::borrow::Cow;

use super::Separator;
use super::error::{Fault, Problem};

/// A cell: its offset in the text, and its content.
#[derive(Clone, Debug)]
pub(super) struct Field<'t> {
    pub at: usize,
    pub text: Cow<'t, str>,
}

/// Reads one row after another.
pub(super) struct Records<'t> {
    text: &'t str,
    at: usize,
    separator: u8,
}

impl<'t> Records<'t> {
    pub fn new(text: &'t str, at: usize, separator: Separator) -> Self {
        Self { text, at, separator: separator.byte() }
    }

    /// Replaces `fields` by the cells of the next row, at least one; `false` at the end of the
    /// text.
    pub fn next(&mut self, fields: &mut Vec<Field<'t>>) -> Result<bool, Fault> {
        fields.clear();
        self.skip_lines();
        if self.at == self.text.len() {
            return Ok(false);
        }
        loop {
            let field = self.field()?;
            fields.push(field);
            if self.text.as_bytes().get(self.at) != Some(&self.separator) {
                return Ok(true);
            }
            self.at += 1;
        }
    }

    /// Skips line ends, blank lines and comments.
    fn skip_lines(&mut self) {
        while self.at < self.text.len() {
            let end = self.find(self.at, |byte| matches!(byte, b'\n' | b'\r'));
            let line = &self.text[self.at..end];
            if !line.starts_with('#') && !line.bytes().all(|byte| byte == b' ') {
                return;
            }
            self.at = (end + 1).min(self.text.len());
        }
    }

    /// Reads a cell up to its end.
    fn field(&mut self) -> Result<Field<'t>, Fault> {
        let separator = self.separator;
        let is_blank = |byte| matches!(byte, b' ' | b'\t') && byte != separator;
        let at = self.find(self.at, |byte| !is_blank(byte));
        let (from, quoted) = match self.text.as_bytes().get(at) {
            Some(b'"') => self.quoted(at)?,
            _ => (at, Cow::Borrowed("")),
        };
        self.at = self.find(from, |byte| byte == separator || matches!(byte, b'\n' | b'\r'));
        let rest = self.text[from..self.at].trim();
        let text = match (quoted.is_empty(), rest.is_empty()) {
            (true, _) => Cow::Borrowed(rest),
            (_, true) => quoted,
            _ => Cow::Owned(quoted.into_owned() + rest),
        };
        Ok(Field { at, text })
    }

    /// The text between the quote at `start` and the one that closes it, and the offset after that.
    fn quoted(&self, start: usize) -> Result<(usize, Cow<'t, str>), Fault> {
        let mut from = start + 1;
        let mut before = String::new();
        loop {
            let rest = &self.text[from..];
            let length = rest.find('"').ok_or(Fault::at(start, Problem::OpenQuote))?;
            let after = from + length + 1;
            if self.text.as_bytes().get(after) != Some(&b'"') {
                let text = &rest[..length];
                let text = if before.is_empty() { text.into() } else { (before + text).into() };
                return Ok((after, text));
            }
            before += &rest[..=length];
            from = after + 1;
        }
    }

    /// The offset of the first byte that matches; the end of the text if there is none.
    fn find(&self, from: usize, is_it: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[from..];
        rest.iter().position(|&byte| is_it(byte)).map_or(self.text.len(), |length| from + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, separator: Separator) -> Vec<Vec<(usize, String)>> {
        let mut records = Records::new(text, 0, separator);
        let mut fields = Vec::new();
        let mut rows = Vec::new();
        while records.next(&mut fields).expect("closed quotes") {
            rows.push(fields.iter().map(|f| (f.at, f.text.clone().into_owned())).collect());
        }
        rows
    }

    #[test]
    fn cells_have_their_places() {
        let cell = |at, text: &str| (at, text.to_owned());
        assert_eq!(
            rows("# c\n\n1, 2 ,\r\n  \n\"a,\"\"b\",x\"y", Separator::Comma),
            [
                vec![cell(5, "1"), cell(8, "2"), cell(11, "")],
                vec![cell(16, "a,\"b"), cell(24, "x\"y")],
            ]
        );
        assert_eq!(rows("1\t\t3", Separator::Tab)[0], [cell(0, "1"), cell(2, ""), cell(3, "3")]);
        assert_eq!(rows("\"a\"b;c", Separator::Semicolon)[0], [cell(0, "ab"), cell(5, "c")]);
        assert!(rows("\r\n# only this", Separator::Comma).is_empty());
    }

    #[test]
    fn an_open_quote_is_located() {
        let fault = Records::new("1,\"2\n", 0, Separator::Comma).next(&mut Vec::new());
        assert_eq!(fault.expect_err("open").at, Some(2));
    }
}

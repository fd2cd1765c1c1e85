//! The header: comments before the first job, which describe the trace.
//!
//! A directive is `; Key: value`, where a key is one capitalised word, like all keys of the format.
//! A comment line without a key continues the previous value; an empty comment ends it. Keys may
//! repeat (`Note`, `Queue`, `Partition`). Unknown keys are kept in order with the others.

use super::error::{Problem, SwfError};

/// One `Key: value` of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The word before the colon.
    pub key: String,
    /// The text after the colon; continuation lines are joined with spaces.
    pub value: String,
    /// Line number in the file, from 1.
    pub line: u64,
}

/// The header of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    file: String,
    comments: Vec<Vec<u8>>,
    directives: Vec<Directive>,
    /// Whether a line without a key continues the last value.
    is_open: bool,
}

impl Header {
    /// An empty header of a trace with this file name.
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// Adds a directive; line breaks in the value become spaces.
    pub fn push(&mut self, key: &str, value: &str) {
        let value = value.replace(['\n', '\r'], " ");
        let line = self.comments.len() as u64 + 1;
        self.comment(format!("; {key}: {value}").into_bytes(), line);
    }

    /// Adds a complete comment, which starts with `;`.
    pub(super) fn comment(&mut self, comment: Vec<u8>, line: u64) {
        let text = String::from_utf8_lossy(&comment).into_owned();
        self.comments.push(comment);
        let text = text.trim_start_matches([';', ' ', '\t']).trim_end();
        let key = text.split_once(':').filter(|(key, _)| is_key(key));
        match (key, self.directives.last_mut()) {
            (Some((key, value)), _) => {
                let (key, value) = (key.to_owned(), value.trim().to_owned());
                self.directives.push(Directive { key, value, line });
            }
            (None, Some(last)) if self.is_open && !text.is_empty() => {
                last.value = format!("{} {text}", last.value);
            }
            _ => {}
        }
        self.is_open = !text.is_empty();
    }

    /// All comments, unchanged.
    pub fn comments(&self) -> impl Iterator<Item = &[u8]> {
        self.comments.iter().map(Vec::as_slice)
    }

    /// All directives, in order.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }

    /// The first value of this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.find(key).map(|directive| directive.value.as_str())
    }

    /// The first word of that value as a number; `None` without a value or for -1.
    pub fn number(&self, key: &str) -> Result<Option<u64>, SwfError> {
        let Some(directive) = self.find(key) else { return Ok(None) };
        let word = directive.value.split_ascii_whitespace().next().unwrap_or("");
        if word == "-1" {
            return Ok(None);
        }
        word.parse().map(Some).map_err(|_| {
            let problem = Problem::value(key, word.as_bytes(), "a whole number >= 0, or -1");
            problem.at(&self.file, Some(directive.line))
        })
    }

    /// Number of nodes of the machine (`MaxNodes`).
    pub fn max_nodes(&self) -> Result<Option<u64>, SwfError> {
        self.number("MaxNodes")
    }

    /// Number of processors of the machine (`MaxProcs`).
    pub fn max_procs(&self) -> Result<Option<u64>, SwfError> {
        self.number("MaxProcs")
    }

    /// The numbered names of a key that repeats, such as `Queue: 1 batch` and
    /// `Partition: 3 grid.kiae.ru`.
    pub fn names<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (u32, &'a str)> {
        let numbered = |directive: &'a Directive| {
            let (number, name) = directive.value.split_once(char::is_whitespace)?;
            Some((number.parse().ok()?, name.trim()))
        };
        self.directives.iter().filter(move |directive| directive.key == key).filter_map(numbered)
    }

    fn find(&self, key: &str) -> Option<&Directive> {
        self.directives.iter().find(|directive| directive.key == key)
    }
}

fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Header {
        let mut header = Header::new("x.swf");
        for (line, text) in (1..).zip(text.lines()) {
            header.comment(text.into(), line);
        }
        header
    }

    #[test]
    fn keeps_all_directives_in_order_and_their_lines() {
        let text = "; Version: 2.2\n; Information: http://a\n;              http://b\n;\n; free\n\
                    ;Note: one\n; Note: two\n; Queue:  0  interactive    \n; Queue: 1 batch";
        let header = header(text);
        let all: Vec<_> =
            header.directives().iter().map(|d| (&*d.key, &*d.value, d.line)).collect();
        let expected = [
            ("Version", "2.2", 1),
            ("Information", "http://a http://b", 2),
            ("Note", "one", 6),
            ("Note", "two", 7),
            ("Queue", "0  interactive", 8),
            ("Queue", "1 batch", 9),
        ];
        assert_eq!(all, expected);
        assert_eq!(header.get("Note"), Some("one"));
        assert_eq!(header.names("Queue").collect::<Vec<_>>(), [(0, "interactive"), (1, "batch")]);
        let kept: Vec<_> = header.comments().map(String::from_utf8_lossy).collect();
        assert_eq!(kept.join("\n"), text);
    }

    #[test]
    fn numbers_are_checked_when_asked_for() {
        let header = header("; MaxNodes: 100 (and one spare)\n; MaxProcs: many\n; MaxJobs: -1");
        assert_eq!(header.max_nodes().expect("valid"), Some(100));
        assert_eq!(header.number("MaxJobs").expect("valid"), None);
        assert_eq!(header.number("UnixStartTime").expect("absent"), None);
        assert_eq!(
            header.max_procs().expect_err("no number").to_string(),
            "x.swf:2: MaxProcs is 'many', not a whole number >= 0, or -1"
        );
    }
}

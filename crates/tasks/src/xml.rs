//! The tags of an XML text, one after the other.
//!
//! Only what reports of test runners need: elements with attributes, the five named entities and
//! character references. Text, comments and CDATA are skipped. A document type is rejected, so
//! there are no entities to expand, and nesting is limited: the reader keeps the names of the open
//! elements and does not recurse. Not here: namespaces, validation.

use crate::error::Fault;
use gridsat_model::text::excerpt;

/// Deepest nesting of elements; reports of test runners need about ten.
const DEEPEST: usize = 256;

/// A tag.
pub enum Tag<'a> {
    Open(Element<'a>),
    /// The end of the innermost open element; an element without content has one too.
    Close(&'a str),
}

pub struct Element<'a> {
    pub name: &'a str,
    pub line: u64,
    attributes: Vec<(&'a str, &'a str)>,
}

impl Element<'_> {
    /// The value of an attribute, with its entities replaced.
    pub fn attribute(&self, name: &str) -> Result<Option<String>, Fault> {
        let found = self.attributes.iter().find(|(found, _)| *found == name);
        found.map(|(_, raw)| unescaped(raw, self.line)).transpose()
    }
}

pub struct Reader<'a> {
    rest: &'a str,
    line: u64,
    open: Vec<&'a str>,
    /// An element without content was opened and is closed next.
    closes: bool,
    has_root: bool,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, open: Vec::new(), closes: false, has_root: false }
    }

    /// The next tag; `None` after the end of the last element.
    pub fn next(&mut self) -> Result<Option<Tag<'a>>, Fault> {
        if std::mem::take(&mut self.closes) {
            return Ok(self.open.pop().map(Tag::Close));
        }
        loop {
            let Some(at) = self.rest.find('<') else { return self.end() };
            if self.open.is_empty() && !self.rest[..at].trim().is_empty() {
                return Err(
                    self.fault(format!("text '{}' outside of elements", excerpt(self.rest.trim())))
                );
            }
            self.skip(at);
            match self.rest {
                rest if rest.starts_with("<!--") => self.skip_past("-->", "a comment")?,
                rest if rest.starts_with("<![CDATA[") => self.skip_past("]]>", "CDATA")?,
                rest if rest.starts_with("<?") => self.skip_past("?>", "an instruction")?,
                rest if rest.starts_with("<!") => {
                    return Err(self.fault("a document type (<!DOCTYPE …>) is not accepted"));
                }
                rest if rest.starts_with("</") => return self.close().map(Some),
                _ => return self.element().map(Some),
            }
        }
    }

    fn end(&mut self) -> Result<Option<Tag<'a>>, Fault> {
        if self.rest.trim().is_empty() {
            self.skip(self.rest.len());
        }
        match self.open.last() {
            Some(name) => Err(self.fault(format!("the file ends within <{}>", excerpt(name)))),
            None if !self.has_root => Err(self.fault("not XML: no element")),
            None if !self.rest.is_empty() => {
                Err(self.fault(format!("text '{}' outside of elements", excerpt(self.rest.trim()))))
            }
            None => Ok(None),
        }
    }

    fn close(&mut self) -> Result<Tag<'a>, Fault> {
        let end = self.rest.find('>').ok_or_else(|| self.fault("a tag is not closed by '>'"))?;
        let name = self.rest[2..end].trim_end();
        match self.open.pop() {
            Some(open) if open == name => {
                self.skip(end + 1);
                Ok(Tag::Close(open))
            }
            Some(open) => {
                let (open, name) = (excerpt(open), excerpt(name));
                Err(self.fault(format!("</{name}> closes <{open}>")))
            }
            None => Err(self.fault(format!("</{}> closes nothing", excerpt(name)))),
        }
    }

    fn element(&mut self) -> Result<Tag<'a>, Fault> {
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            return Err(self.fault("a second element after the end of the first"));
        }
        let line = self.line;
        self.skip(1);
        let name = self.name()?;
        let mut attributes = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.starts_with('>') {
                self.skip(1);
                break;
            }
            if self.rest.starts_with("/>") {
                self.skip(2);
                self.closes = true;
                break;
            }
            attributes.push(self.one_attribute()?);
        }
        if self.open.len() >= DEEPEST {
            return Err(self.fault(format!("elements are nested more than {DEEPEST} deep")));
        }
        self.open.push(name);
        Ok(Tag::Open(Element { name, line, attributes }))
    }

    fn one_attribute(&mut self) -> Result<(&'a str, &'a str), Fault> {
        let name = self.name()?;
        self.skip_blanks();
        if !self.rest.starts_with('=') {
            return Err(self.fault(format!("attribute '{}' has no value", excerpt(name))));
        }
        self.skip(1);
        self.skip_blanks();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let quote = quote
            .ok_or_else(|| self.fault(format!("attribute '{}' is not quoted", excerpt(name))))?;
        self.skip(1);
        let end = self.rest.find(quote);
        let end =
            end.ok_or_else(|| self.fault(format!("attribute '{}' is not closed", excerpt(name))))?;
        let value = &self.rest[..end];
        if value.contains('<') {
            return Err(self.fault(format!("attribute '{}' contains '<'", excerpt(name))));
        }
        self.skip(end + 1);
        Ok((name, value))
    }

    fn name(&mut self) -> Result<&'a str, Fault> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(self.fault(format!("expected a name, found '{}'", excerpt(self.rest))));
        }
        let name = &self.rest[..end];
        self.skip(end);
        Ok(name)
    }

    fn skip_blanks(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    fn skip_past(&mut self, end: &str, what: &str) -> Result<(), Fault> {
        match self.rest.find(end) {
            Some(at) => {
                self.skip(at + end.len());
                Ok(())
            }
            None => Err(self.fault(format!("{what} is not closed by '{end}'"))),
        }
    }

    fn skip(&mut self, bytes: usize) {
        let (before, after) = self.rest.split_at(bytes);
        self.line += before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.rest = after;
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::at(self.line, message)
    }
}

fn unescaped(raw: &str, line: u64) -> Result<String, Fault> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        let end = from.find(';').filter(|&end| end <= 12);
        let known = end.and_then(|end| Some((character(&from[1..end])?, end)));
        let Some((character, end)) = known else {
            return Err(Fault::at(line, format!("unknown entity '{}'", excerpt(from))));
        };
        text.push_str(before);
        text.push(character);
        rest = &from[end + 1..];
    }
    Ok(text + rest)
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            code.ok().and_then(char::from_u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags in short, or the error.
    fn tags(text: &str) -> Result<String, String> {
        let mut reader = Reader::new(text);
        let mut all = String::new();
        let mut next =
            || reader.next().map_err(|f| format!("{}: {}", f.line.unwrap_or(0), f.message));
        while let Some(tag) = next()? {
            match tag {
                Tag::Open(element) => {
                    let a = element.attribute("a").map_err(|fault| fault.message)?;
                    all += &format!(
                        "<{}{}",
                        element.name,
                        a.map_or(String::new(), |a| format!(" {a}"))
                    );
                }
                Tag::Close(name) => all += &format!(">{name} "),
            }
        }
        Ok(all)
    }

    #[test]
    fn tags_are_found_between_everything_else() {
        let text = "<?xml version='1.0'?>\n<!-- <x> --><r a='&lt;&#65;&#x42;&quot;'>t<![CDATA[<y>]]>\
                    <s b=\"1\" a = \"2>3\"/></r>\n";
        assert_eq!(tags(text), Ok("<r <AB\"<s 2>3>s >r ".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let cases = [
            ("", "1: not XML: no element"),
            ("<a>\n<b></a>", "2: </a> closes <b>"),
            ("<a>\n\n", "3: the file ends within <a>"),
            ("<a b>", "1: attribute 'b' has no value"),
            ("<a b=c>", "1: attribute 'b' is not quoted"),
            ("<a b='c>", "1: attribute 'b' is not closed"),
            ("<a/>\n<b/>", "2: a second element after the end of the first"),
            ("<a/> x", "1: text 'x' outside of elements"),
            ("</a>", "1: </a> closes nothing"),
            ("<a><!-- </a>", "1: a comment is not closed by '-->'"),
            ("< a>", "1: expected a name, found ' a>'"),
            ("<a a='&bomb;'/>", "unknown entity '&bomb;'"),
            ("<a a='&#xFFFFFF;'/>", "unknown entity '&#xFFFFFF;'"),
            ("<a a='1 & 2'/>", "unknown entity '& 2'"),
        ];
        for (text, message) in cases {
            assert_eq!(tags(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn entity_bombs_and_deep_nesting_are_refused() {
        let bomb = "<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<r a='&b;'/>";
        let refused = Err("1: a document type (<!DOCTYPE …>) is not accepted".to_owned());
        assert_eq!(tags(bomb), refused);
        let deep = "<a>".repeat(1_000_000);
        assert_eq!(tags(&deep), Err("1: elements are nested more than 256 deep".to_owned()));
        let wide = format!("<r>{}</r>", "<a/>".repeat(1000));
        assert_eq!(tags(&wide).map(|all| all.len()), Ok(5 + 1000 * 5));
    }
}

//! Text in XML: whatever a name contains, it stays text.

/// Text as XML wants it.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => safe.push('?'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
/// Well-formed, and no number went wrong on the way.
pub(crate) fn assert_well_formed(xml: &str) {
    roxmltree::Document::parse(xml).expect("well-formed");
    assert!(!xml.contains("NaN") && !xml.contains("inf"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_only_text() {
        assert_eq!(escaped("<a b='\"'>&\u{0}\n\u{FFFF}"), "&lt;a b=&apos;&quot;&apos;&gt;&amp;???");
        assert_eq!(escaped("Größe ≤ 3 µs"), "Größe ≤ 3 µs");
    }
}

//! Text in XML: whatever a name contains, it stays text.

/// Text as XML wants it.
pub(crate) fn escaped(text: &str) -> String {
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
/// Every element is closed in the right order, and no raw `<`, `&` or control remains in text.
pub(crate) fn assert_well_formed(xml: &str) {
    let mut open = Vec::new();
    for piece in xml.trim_end().split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().expect("a name"));
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        for entity in text.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
            assert!(known.iter().any(|name| entity.starts_with(name)), "{text}");
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(xml.chars().all(|c| c == '\n' || !c.is_control()));
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

//! An SVG document: one preamble for all pictures, one line per element, and escaped text.
//!
//! The caller formats coordinates, because it knows how many decimals matter.

use std::fmt::{Arguments, Write};

/// The colours of a picture, depending on where it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// A separate file: dark on white.
    Paper,
    /// Part of an HTML page: light or dark by the reader's system setting.
    Page,
}

/// Left margin in pictures other than charts.
pub(crate) const MARGIN: f64 = 16.0;
/// Estimated width of a letter there, in pixels; an upper estimate.
pub(crate) const LETTER: f64 = 7.0;

/// The elements of a document, in painting order.
#[derive(Default)]
pub(crate) struct Svg(String);

impl Svg {
    /// Appends markup as one line.
    pub fn line(&mut self, markup: Arguments<'_>) {
        self.0.write_fmt(markup).expect("writing to a string does not fail");
        self.0.push('\n');
    }

    pub fn path(&mut self, class: &str, outline: Arguments<'_>) {
        self.line(format_args!(r#"<path class="{class}" d="{outline}"/>"#));
    }

    /// Appends a text element. `place` holds the attributes after the class, such as x and y.
    pub fn text(&mut self, class: &str, place: Arguments<'_>, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(r#"class="{class}" "#) };
        self.line(format_args!("<text {class}{place}>{}</text>", escaped(text)));
    }

    /// The complete document. With a style it is a separate file on a white background; without, it
    /// is part of an HTML page that styles it by its class.
    pub fn finish(
        self,
        class: Option<&str>,
        [width, height]: [f64; 2],
        title: &str,
        style: Option<&str>,
    ) -> String {
        let body = self.0;
        let mut out = Self(String::with_capacity(body.len() + 2_000));
        let class = class.map_or(String::new(), |class| format!(r#" class="{class}""#));
        let size =
            style.map_or(String::new(), |_| format!(r#" width="{width:.0}" height="{height:.0}""#));
        out.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg"{class}{size} viewBox="0 0 {width:.0} {height:.0}" role="img">"#
        ));
        out.line(format_args!("<title>{}</title>", escaped(title)));
        if let Some(style) = style {
            out.line(format_args!("<style>{style}</style>"));
            out.line(format_args!(r##"<path fill="#fff" d="M0 0H{width:.0}V{height:.0}H0Z"/>"##));
        }
        out.line(format_args!("{body}</svg>"));
        out.0
    }
}

/// Draws the heading of a picture other than a chart, and the lines below it.
pub(crate) fn heading<'a>(svg: &mut Svg, title: &str, notes: impl Iterator<Item = &'a String>) {
    svg.text("title", format_args!(r#"x="{MARGIN}" y="28""#), title);
    for (line, note) in notes.enumerate() {
        let y = 48 + 16 * line;
        svg.text("note", format_args!(r#"x="{MARGIN}" y="{y}""#), note);
    }
}

/// The CSS of pictures other than [`Chart`](crate::chart::Chart), each of which is a separate
/// document.
pub(crate) fn style(theme: Theme) -> String {
    match theme {
        Theme::Paper => LIGHT.to_owned(),
        Theme::Page => format!("{LIGHT}@media(prefers-color-scheme:dark){{{DARK}}}"),
    }
}

const LIGHT: &str = "\
text{font:12px 'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#222}\
.title{font-size:18px;font-weight:bold}\
.note{fill:#555}\
.small{font-size:9px;fill:#777;text-anchor:end}\
.in{font-size:11px;text-anchor:middle;pointer-events:none}\
.wide{stroke:#fff;stroke-width:.6}\
.band{fill:#f4f4f4}\
.grid{stroke:#ddd}\
.axis{stroke:#555;fill:none}\
.lead{stroke:#999;stroke-width:.7}\
.makespan{stroke:#000;stroke-width:1.5;stroke-dasharray:6 3}\
.bound{stroke:#000;stroke-width:1.5;stroke-dasharray:1.5 3}\
.halo{stroke:#fff;stroke-width:3.5;opacity:.7}\
.dot{fill:#0072B2}\
.square{fill:#D55E00}\
.end{text-anchor:end}\
.middle{text-anchor:middle}";

/// Colours that differ on a dark background; the background is the first path of the document.
const DARK: &str = "\
text{fill:#e8ebf0}\
.note,.small{fill:#a3acbb}\
.band{fill:#242a35}\
.grid{stroke:#363d4a}\
.axis{stroke:#a3acbb}\
.makespan,.bound{stroke:#fff}\
.halo,.wide{stroke:#1b2029}\
svg>path:first-of-type{fill:#1b2029}";

/// Text with the special characters of XML escaped.
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
/// Asserts that the document is well-formed and contains no NaN or infinity.
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

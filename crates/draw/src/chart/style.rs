//! The appearance of charts: colours, markers, dashes, fonts.
//!
//! The colours are those of Okabe and Ito without yellow, which is hard to see on white; on a dark
//! background blue and black are replaced by lighter ones. Colours repeat after 7, markers after 12
//! and dashes after 4, so that neighbouring series differ in all three.

/// CSS rules, one per class; colours are variables.
macro_rules! rules {
    () => {
        "\
.figure text{font:13px 'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:var(--figure-text)}
.figure .figure-title{font-size:15px;font-weight:bold}
.figure .figure-note{font-size:12px;fill:var(--figure-faint)}
.figure .figure-end{text-anchor:end}
.figure .figure-middle{text-anchor:middle}
.figure-grid{stroke:var(--figure-grid);fill:none}
.figure-axis{stroke:var(--figure-faint);fill:none}
.figure-line{stroke-width:1.8;stroke-linejoin:round;fill:none}
.figure-bar{stroke-width:1.3;fill:none}
.figure-marker{stroke-width:1.5}
.figure .figure-hollow{fill:var(--figure-ground)}
.figure-1{stroke:var(--figure-blue);fill:var(--figure-blue)}
.figure-2{stroke:var(--figure-vermilion);fill:var(--figure-vermilion)}
.figure-3{stroke:var(--figure-green);fill:var(--figure-green)}
.figure-4{stroke:var(--figure-purple);fill:var(--figure-purple)}
.figure-5{stroke:var(--figure-orange);fill:var(--figure-orange)}
.figure-6{stroke:var(--figure-text);fill:var(--figure-text)}
.figure-7{stroke:var(--figure-sky);fill:var(--figure-sky)}
.figure .figure-line,.figure .figure-bar{fill:none}
"
    };
}

const RULES: &str = rules!();

/// The CSS that a page needs once for all its charts of [`Theme::Page`](crate::Theme::Page). The
/// page may override the variables on `.figure`.
pub const PAGE_STYLE: &str = concat!(
    "\
.figure{display:block;width:100%;max-width:720px;height:auto;\
--figure-ground:#fff;--figure-text:#222;--figure-faint:#595959;--figure-grid:#ddd;\
--figure-blue:#0072B2;--figure-vermilion:#D55E00;--figure-green:#009E73;--figure-purple:#CC79A7;\
--figure-orange:#E69F00;--figure-sky:#56B4E9}
@media(prefers-color-scheme:dark){.figure{\
--figure-ground:#1b2029;--figure-text:#e8ebf0;--figure-faint:#a3acbb;--figure-grid:#363d4a;\
--figure-blue:#4aa3df;--figure-vermilion:#f07c2b;--figure-green:#1fc295;--figure-purple:#dd94bb;\
--figure-orange:#f2b632;--figure-sky:#93d3f7}}
",
    rules!()
);

/// The rules with the light colours in place of variables, which not every SVG viewer supports.
pub(super) fn paper_style() -> String {
    let light = PAGE_STYLE.split(['{', '}']).nth(1).unwrap_or_default();
    let variables = light.split(';').filter_map(|line| line.split_once(':'));
    let colours = variables.filter(|(name, _)| name.starts_with("--"));
    colours.fold(RULES.to_owned(), |rules, (name, colour)| {
        rules.replace(&format!("var({name})"), colour)
    })
}

/// The CSS class with the colour of a series.
pub(super) fn colour(series: usize) -> String {
    format!("figure-{}", series % 7 + 1)
}

/// The SVG attribute with the dashes of a series.
pub(super) fn dashes(series: usize) -> &'static str {
    [
        "",
        r#" stroke-dasharray="7 3""#,
        r#" stroke-dasharray="2 2.5""#,
        r#" stroke-dasharray="9 3 2 3""#,
    ][series % 4]
}

/// The path of a series' marker around the origin, and the class that makes it hollow, if it is.
pub(super) fn marker(series: usize) -> (&'static str, &'static str) {
    const OUTLINES: [&str; 6] = [
        "M-3.7 0a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0 -7.4 0z",
        "M-3.4 -3.4h6.8v6.8h-6.8z",
        "M0 -4.4L4.3 3.1H-4.3z",
        "M0 -4.8L4.8 0L0 4.8L-4.8 0z",
        "M0 4.4L4.3 -3.1H-4.3z",
        "M-1.4 -4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",
    ];
    (OUTLINES[series % 6], if series % 12 < 6 { "" } else { " figure-hollow" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn twelve_series_differ_without_colour_too() {
        let looks: BTreeSet<_> = (0..12).map(marker).collect();
        assert_eq!(looks.len(), 12);
        let looks: BTreeSet<_> = (0..28).map(|series| (colour(series), dashes(series))).collect();
        assert_eq!(looks.len(), 28);
    }

    #[test]
    fn paper_knows_all_colours() {
        let style = paper_style();
        assert!(!style.contains("var(") && !style.contains("--"), "{style}");
        assert!(style.contains("stroke:#0072B2"));
        let dark = PAGE_STYLE.split("dark)").nth(1).expect("a dark half");
        for name in ["ground", "text", "faint", "grid", "blue", "vermilion", "sky"] {
            assert!(dark.contains(&format!("--figure-{name}:#")), "{name}");
        }
    }
}

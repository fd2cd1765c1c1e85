//! Parts of HTML. Texts are always escaped; only what is built here is markup.

use std::fmt::Write;

use gridsat_draw::escaped;

/// A table that scrolls in its own box. All cells are text.
pub(super) struct Table {
    /// Description for screen readers.
    pub label: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Number of columns, from the left, that name the row.
    pub names: usize,
    /// Whether the cells after these are numbers.
    pub numbers: bool,
}

/// Largest number of rows; more would make the page slow.
pub(super) const MOST_ROWS: usize = 1_000;

impl Table {
    pub fn html(&self) -> String {
        let mut out = format!(
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table>\n\
             <thead><tr>",
            escaped(&self.label)
        );
        for (column, title) in self.head.iter().enumerate() {
            let class = self.class(column);
            push(&mut out, format_args!("<th scope=\"col\"{class}>{}</th>", escaped(title)));
        }
        out += "</tr></thead>\n<tbody>\n";
        for row in self.rows.iter().take(MOST_ROWS) {
            self.row(&mut out, row);
        }
        out += "</tbody></table></div>\n";
        if let Some(more) = self.rows.len().checked_sub(MOST_ROWS).filter(|&more| more > 0) {
            let text = format!("{more} more rows are not shown here; the CSV files have all.");
            out += &note(&text);
        }
        out
    }

    fn row(&self, out: &mut String, row: &[String]) {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let (class, cell) = (self.class(column), escaped(cell));
            match column < self.names {
                true => push(out, format_args!("<th scope=\"row\"{class}>{cell}</th>")),
                false => push(out, format_args!("<td{class}>{cell}</td>")),
            }
        }
        out.push_str("</tr>\n");
    }

    fn class(&self, column: usize) -> &'static str {
        if self.numbers && column >= self.names { " class=\"number\"" } else { "" }
    }

    /// The table in a collapsible element, open if it is short. `markup` is put before it.
    pub fn folded(&self, summary: &str, markup: &str) -> String {
        folded(summary, &format!("{markup}{}", self.html()), self.rows.len() <= 12)
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string does not fail");
}

/// Markup in a collapsible element with a title.
pub(super) fn folded(summary: &str, body: &str, is_open: bool) -> String {
    let open = if is_open { " open" } else { "" };
    format!("<details{open}><summary>{}</summary>\n{body}</details>\n", escaped(summary))
}

/// A paragraph in small type.
pub(super) fn note(text: &str) -> String {
    format!("<p class=\"note\">{}</p>\n", escaped(text))
}

/// A list of terms and their meanings.
pub(super) fn terms(terms: &[(&str, &str)]) -> String {
    let term = |(word, meaning): &(&str, &str)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(word), escaped(meaning))
    };
    format!("<dl class=\"terms\">\n{}</dl>\n", terms.iter().map(term).collect::<String>())
}

/// Preformatted lines.
pub(super) fn lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    format!("<pre tabindex=\"0\">{}</pre>\n", lines.join("\n"))
}

/// A heading with an id for links.
pub(super) fn heading(level: u8, id: &str, text: &str) -> String {
    format!("<h{level} id=\"{id}\">{}</h{level}>\n", escaped(text))
}

/// A picture with its own style, isolated from that of the page.
pub(super) fn image(svg: &str, about: &str) -> String {
    let mut address = String::with_capacity(svg.len() * 5 / 4);
    for byte in svg.bytes() {
        match byte {
            b' ' | b'!' | b'$'..=b';' | b'=' | b'?'..=b'~' if byte != b'%' && byte != b'&' => {
                address.push(char::from(byte));
            }
            byte => push(&mut address, format_args!("%{byte:02X}")),
        }
    }
    let about = escaped(about);
    format!("<img alt=\"{about}\" src=\"data:image/svg+xml,{address}\">")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_text() {
        let table = Table {
            label: "\"><script>".into(),
            head: vec!["<b>".into(), "n".into()],
            rows: vec![vec!["a&b".into(), "1".into()]; 13],
            names: 1,
            numbers: true,
        };
        let html = table.folded("</summary>", "");
        assert!(html.contains("<th scope=\"row\">a&amp;b</th><td class=\"number\">1</td>"));
        assert!(html.contains("aria-label=\"&quot;&gt;&lt;script&gt;\""), "{html}");
        assert!(html.contains("<th scope=\"col\">&lt;b&gt;</th>"));
        assert!(html.starts_with("<details><summary>&lt;/summary&gt;"), "long ones are closed");
    }

    #[test]
    fn long_tables_are_cut() {
        let rows = vec![vec!["x".to_owned()]; MOST_ROWS + 2];
        let (label, head) = (String::new(), vec![]);
        let html = Table { label, head, rows, names: 0, numbers: false }.html();
        assert_eq!(html.matches("<td>").count(), MOST_ROWS);
        assert!(html.contains("2 more rows"));
    }

    #[test]
    fn images_stay_in_their_attribute() {
        let html = image("<svg a=\"1\">#%&'ü</svg>\n", "x");
        let address = "%3Csvg a=%221%22%3E%23%25%26'%C3%BC%3C/svg%3E%0A";
        assert_eq!(html, format!("<img alt=\"x\" src=\"data:image/svg+xml,{address}\">"));
    }
}

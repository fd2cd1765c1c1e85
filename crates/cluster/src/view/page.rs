//! Assembly of the page from its parts and the record.
//!
//! Names come from files and may contain anything. They occur only in the JSON, where `<` is
//! written as an escape, so that nothing in it can end its element; the script shows them as text,
//! never as markup. A content security policy in the page's head forbids loading anything.

use std::io::{self, Write};

use serde::Serialize;

use super::record::Record;
use super::recorder::Recorder;
use crate::Summary;
use gridsat_model::Ticks;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("playback.js"),
    include_str!("draw.js"),
    include_str!("timeline.js"),
    include_str!("job.js"),
    include_str!("page.js"),
];

#[derive(Serialize)]
struct Data<'a> {
    #[serde(flatten)]
    record: &'a Record,
    /// Ticks per second.
    unit: Ticks,
    /// First time shown on the page.
    start: Ticks,
    /// Last time shown on the page.
    end: Ticks,
    /// Whether the run continues after it.
    cut: bool,
    /// Number of jobs submitted in the run.
    submitted: u64,
}

impl Recorder {
    /// Writes the page. The summary must be that of the same run.
    pub fn write(self, summary: &Summary, mut out: impl Write) -> io::Result<()> {
        out.write_all(self.html(summary).as_bytes())
    }

    /// The page. The summary must be that of the same run.
    pub fn html(mut self, summary: &Summary) -> String {
        // A window may contain no events although jobs wait or run in it.
        self.open();
        let end = self.cut.unwrap_or(summary.end_time.min(self.window.to));
        let data = Data {
            record: &self.record,
            unit: summary.scale.ticks_per_unit(),
            start: self.window.from.min(end).0,
            end: end.0,
            cut: self.cut.is_some() || end < summary.end_time,
            submitted: summary.all.jobs.submitted,
        };
        let json = serde_json::to_string(&data).expect("numbers and strings have a JSON form");
        let script = SCRIPTS.concat();
        put_together([("STYLE", STYLE), ("DATA", &inert(&json)), ("SCRIPT", &script)])
    }
}

/// Inserts each part at its place in the frame, in this order; the contents of parts are not
/// searched.
fn put_together(parts: [(&str, &str); 3]) -> String {
    let (mut page, mut rest) = (String::new(), FRAME);
    for (name, part) in parts {
        let place = format!("@{name}@");
        let (before, after) = rest.split_once(&place).expect("the frame has a place for each part");
        page.extend([before, part]);
        rest = after;
    }
    page + rest
}

/// In JSON `<` occurs only in strings; as an escape it can neither end a script element nor begin a
/// comment.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_style_do_not_end_their_elements() {
        for part in SCRIPTS.iter().chain([&STYLE]) {
            let part = part.to_lowercase();
            assert!(!part.contains("</") && !part.contains("<!--"));
        }
    }

    #[test]
    fn escapes_mean_the_same() {
        let name = "</ScRiPt><!--<script>\u{2028}\"\\";
        let json = inert(&serde_json::to_string(name).expect("a string"));
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), name);
    }

    #[test]
    fn places_named_in_parts_are_left_alone() {
        let page = put_together([("STYLE", "@DATA@"), ("DATA", "@SCRIPT@"), ("SCRIPT", "3")]);
        assert!(page.contains("@DATA@") && page.contains("@SCRIPT@"));
    }
}

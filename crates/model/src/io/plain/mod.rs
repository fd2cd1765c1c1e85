//! Reads plain JSON and CSV in one pass, a block of bytes at a time, straight into the matrix of
//! the instance: neither the text nor a table of its cells is kept.
//!
//! Plain is what programs write for times that ticks hold exactly: numbers of at most 18 digits, no
//! quotes, comments or blanks in CSV, no escapes or repeated keys in JSON. Nothing is reported
//! here. Whatever is not plain, every error included, is `None`, and the careful readers of the
//! formats read the text again. They know positions and decide about rounding; a plain text means
//! the same to them.

mod csv;
mod filling;
mod json;
mod source;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use self::filling::Filling;
use self::source::Source;
use super::{Format, ReadOptions, format, shown_name};
use crate::Instance;

/// Reads a regular file whose name tells the format, if it is plain.
pub(super) fn read_file(path: &Path, options: &ReadOptions) -> Option<Instance> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let format = options.format.or_else(|| Format::of_file(path))?;
    read(file, &shown_name(path), format, options)
}

/// Reads a text, if it is plain.
pub(super) fn read(
    text: impl Read,
    source: &str,
    format: Format,
    options: &ReadOptions,
) -> Option<Instance> {
    let mut text = Source::new(text);
    let filling = match format {
        Format::Json if options.csv.given().is_none() => json::read(&mut text)?,
        Format::Csv if options.csv.given().is_none() => csv::read(&mut text)?,
        _ => return None,
    };
    filling.into_instance(format::instance_name(source), options)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::io::{Precision, parse_carefully};
    use proptest::prelude::*;
    use proptest::sample::select;
    use proptest::test_runner::{Config, RngSeed, TestRunner};

    const TIMES: [&str; 24] = [
        "0",
        "1",
        "2",
        "3",
        "7",
        "12",
        "250",
        "0.5",
        "1.50",
        "3.25",
        "10.0",
        "inf",
        "null",
        "\"inf\"",
        "4294967294",
        "4294967295",
        "4294967296",
        "999999999999999999",
        "0.000001",
        "1e2",
        "-1",
        "007",
        "",
        "x",
    ];
    const NAMES: [&str; 12] =
        ["task", "id", "a", "b", "c", "grün", "ready", "t 1", " d", "\"e\"", "", "#f"];
    const DAMAGE: [&str; 14] =
        [",", "\n", "\r\n", " ", "\"", "[", "]", "{", "}", ";", "\t", "\\", "\u{feff}", "0"];

    /// Texts between plain and wrong: the first few of each list are plain, and half of the texts
    /// get one piece of damage.
    fn texts(format: Format) -> impl Strategy<Value = String> {
        let cells = (1..4_usize, 1..6_usize, select(vec![6, 11, 12, TIMES.len()]));
        let cells = cells.prop_flat_map(|(tasks, hosts, variety)| {
            let row = prop::collection::vec(select(&TIMES[..variety]), hosts);
            (prop::collection::vec(row, tasks), Just(hosts))
        });
        let names = prop::collection::vec(select(&NAMES[..]), 12);
        let damage = (select(&DAMAGE[..]), any::<prop::sample::Index>());
        (cells, names, any::<[bool; 4]>(), damage).prop_map(
            move |((rows, hosts), names, with, (piece, place))| {
                let text = match format {
                    Format::Json => json_text(&rows, hosts, &names, with),
                    _ => csv_text(&rows, hosts, &names, with),
                };
                let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                let at = *place.get(&ends.collect::<Vec<_>>());
                let piece = if with[0] { piece } else { "" };
                [&text[..at], piece, &text[at..]].concat()
            },
        )
    }

    fn json_text(rows: &[Vec<&str>], hosts: usize, names: &[&str], with: [bool; 4]) -> String {
        let quoted =
            |names: &[&str]| format!("[\"{}\"]", names.join("\",\"")).replace("\"\"", "\"");
        let rows = rows.iter().map(|row| format!("[{}]", row.join(", ").replace("inf", "null")));
        let mut keys = vec![format!("\"etc\": [{}]", rows.collect::<Vec<_>>().join(",\n"))];
        keys.extend(with[1].then(|| format!("\"hosts\":{}", quoted(&names[1..=hosts]))));
        keys.extend(with[2].then(|| format!("\"ready\": [{}]", vec!["1.5"; hosts].join(","))));
        keys.extend(with[3].then(|| "\"name\" : \"n\"".to_owned()));
        format!("{{{}}}\n", keys.join(", "))
    }

    fn csv_text(rows: &[Vec<&str>], hosts: usize, names: &[&str], with: [bool; 4]) -> String {
        let end = if with[3] { "\r\n" } else { "\n" };
        let mut lines: Vec<String> = Vec::new();
        if with[1] {
            let corner = if with[2] { "task" } else { names[0] };
            lines.push(format!("{corner},{}", names[1..=hosts].join(",")));
        }
        for (row, name) in rows.iter().zip(&names[7..]) {
            let name = if with[1] { format!("{name},") } else { String::new() };
            lines.push(name + &row.join(","));
        }
        lines.join(end) + end
    }

    /// What is read here is what the careful readers read, notes included; and both kinds of texts
    /// occur often.
    #[test]
    fn plain_texts_mean_the_same_to_the_careful_readers() {
        for format in [Format::Json, Format::Csv] {
            let config = Config {
                rng_seed: RngSeed::Fixed(1),
                failure_persistence: None,
                ..Config::with_cases(20_000)
            };
            let precision = [Precision::Fit, Precision::Exact, Precision::Decimals(1)];
            let (plain, valid) = (Cell::new(0), Cell::new(0));
            let cases = (texts(format), select(precision.to_vec()));
            let run = TestRunner::new(config).run(&cases, |(text, precision)| {
                let options = ReadOptions { precision, ..ReadOptions::default() };
                let careful = parse_carefully(text.as_bytes(), "f", format, &options);
                valid.set(valid.get() + usize::from(careful.is_ok()));
                if let Some(instance) = read(text.as_bytes(), "f", format, &options) {
                    plain.set(plain.get() + 1);
                    let careful = careful.as_ref().expect(&text);
                    prop_assert_eq!(&instance, careful, "{}", &text);
                    prop_assert_eq!(instance.notes(), careful.notes(), "{}", &text);
                }
                Ok(())
            });
            run.expect("both readers agree");
            let (plain, valid) = (plain.get(), valid.get());
            assert!(plain > 1000 && valid > plain + 500 && valid < 19_000, "{plain} {valid}");
        }
    }
}

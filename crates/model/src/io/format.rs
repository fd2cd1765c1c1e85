//! The file formats of instances, and how they are recognised by the file name.
//!
//! The HCSP set names its files after the class alone (`u_c_hihi.0`, `A.u_s_lohi`), so a file name
//! with such a part is HCSP text. The R||Cmax set uses `.txt`. Content is not examined, except for
//! JSON and the first word of P||Cmax text: a wrong guess could read a wrong matrix without an
//! error.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

/// A file format of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The canonical JSON object.
    Json,
    /// Values separated by commas, semicolons or tabs.
    Csv,
    /// Text of Braun et al. and the HCSP sets.
    Hcsp,
    /// Text of the R||Cmax set of Fanjul-Peyro and Ruiz.
    Rcmax,
    /// Text of the P||Cmax sets: one list of times, for equal hosts.
    Pcmax,
}

/// The name denotes no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format '{0}' (one of json, csv, hcsp, rcmax, pcmax)")]
pub struct UnknownFormat(String);

/// File name extensions that determine the format and are not part of an instance's name.
const ENDINGS: [(&str, Format); 9] = [
    (".json", Format::Json),
    (".csv", Format::Csv),
    (".tsv", Format::Csv),
    (".0", Format::Hcsp),
    (".etc", Format::Hcsp),
    (".hcsp", Format::Hcsp),
    (".txt", Format::Rcmax),
    (".rcmax", Format::Rcmax),
    (".pcmax", Format::Pcmax),
];

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Json, Self::Csv, Self::Hcsp, Self::Rcmax, Self::Pcmax];

    /// The name of the format, as in `--from`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Hcsp => "hcsp",
            Self::Rcmax => "rcmax",
            Self::Pcmax => "pcmax",
        }
    }

    /// The format that the file's name indicates, if any.
    pub fn of_file(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        match split_ending(&name) {
            Some((_, format)) => Some(format),
            None => {
                name.split('.').next_back().filter(|part| is_braun_class(part)).map(|_| Self::Hcsp)
            }
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// The file's name without folders and without an extension that only determines the format.
pub(super) fn instance_name(source: &str) -> String {
    let name = Path::new(source).file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or(source);
    let stem = split_ending(name).map_or(name, |(stem, _)| stem);
    stem.to_owned()
}

/// Splits off a known extension, in upper or lower case.
fn split_ending(name: &str) -> Option<(&str, Format)> {
    ENDINGS.iter().find_map(|&(ending, format)| {
        let at = name.len().checked_sub(ending.len())?;
        let (stem, last) = (name.get(..at)?, name.get(at..)?);
        (!stem.is_empty() && last.eq_ignore_ascii_case(ending)).then_some((stem, format))
    })
}

/// Whether this is `u_`, one of c, s, i, `_`, then hi or lo twice.
fn is_braun_class(part: &str) -> bool {
    let levels = ["hihi", "hilo", "lohi", "lolo"];
    ["u_c_", "u_s_", "u_i_"]
        .iter()
        .any(|kind| part.strip_prefix(kind).is_some_and(|rest| levels.contains(&rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_tells_the_format() {
        let of = |name: &str| Format::of_file(Path::new(name));
        assert_eq!(of("dir.csv/a.json"), Some(Format::Json));
        assert_eq!(of("A.CSV"), Some(Format::Csv));
        for hcsp in ["u_c_hihi.0", "x.etc", "y.hcsp", "A.u_s_lohi", "u_i_lolo"] {
            assert_eq!(of(hcsp), Some(Format::Hcsp), "{hcsp}");
        }
        assert_eq!(of("U1a100/111.txt"), Some(Format::Rcmax));
        for none in ["-", "matrix", "u_x_hihi", "a.json.gz", ".csv", "A.u_c_hihi.gz", ""] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn instances_are_named_after_their_files() {
        let names = ["a/demo.json", "u_c_hihi.0", "A.u_c_hihi", "stdin", "v1.2.csv"];
        let expected = ["demo", "u_c_hihi", "A.u_c_hihi", "stdin", "v1.2"];
        assert_eq!(names.map(instance_name), expected);
    }

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "xml".parse::<Format>().expect_err("not a format");
        assert_eq!(
            error.to_string(),
            "unknown format 'xml' (one of json, csv, hcsp, rcmax, pcmax)"
        );
    }
}

//! Known values: an optimum, or bounds on it, from a list or from a table of the literature.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::error::CampaignError;
use super::exact::{Exact, NotExact};
use super::row::Row;

/// What is known about the smallest makespan: `117`, or `113..117`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// No mapping has a smaller makespan.
    pub lower: Option<Exact>,
    /// A mapping has this makespan.
    pub upper: Option<Exact>,
}

impl Known {
    /// The contradictions between a result and the known values.
    pub(super) fn objections(&self, row: &Row) -> Vec<String> {
        let mut objections = Vec::new();
        if let (Some(makespan), Some(lower)) = (row.makespan, self.lower)
            && makespan < lower
        {
            objections.push(format!("makespan {makespan} is below the known bound {lower}"));
        }
        if let (Some(bound), Some(upper)) = (row.lower_bound, self.upper)
            && bound > upper
        {
            objections.push(format!("lower bound {bound} is above the known makespan {upper}"));
        }
        objections
    }

    /// Whether the optimum is known.
    pub fn is_optimum(&self) -> bool {
        self.lower.is_some() && self.lower == self.upper
    }
}

impl FromStr for Known {
    type Err = NotExact;

    fn from_str(text: &str) -> Result<Self, NotExact> {
        let (lower, upper) = text.split_once("..").unwrap_or((text, text));
        let (lower, upper): (Exact, Exact) = (lower.trim().parse()?, upper.trim().parse()?);
        if lower > upper {
            return Err(NotExact);
        }
        Ok(Self { lower: Some(lower), upper: Some(upper) })
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: Option<Exact>| value.map_or(String::new(), |value| value.to_string());
        match self.is_optimum() {
            true => f.write_str(&shown(self.lower)),
            false => write!(f, "{}..{}", shown(self.lower), shown(self.upper)),
        }
    }
}

/// Known values of many instances, by name without the extension `.txt`.
#[derive(Clone, Debug, Default)]
pub struct KnownValues(BTreeMap<String, Known>);

/// Columns with the name of an instance and with values, in order of preference.
const UPPER: [&str; 3] = ["best_value", "best_known", "optimum"];
const LOWER: [&str; 3] = ["lower_bound", "lower_bound_recomputed", "optimum"];

impl KnownValues {
    /// Adds a table. Instances are named by the columns `class` and `id`, or by `instance` in the
    /// folder of the table. Where the column `status` says `conflict`, published values contradict
    /// each other and are left out.
    pub fn read(&mut self, path: &Path) -> Result<(), CampaignError> {
        let wrong = |what: String| CampaignError::Known { path: path.to_owned(), what };
        let mut table = csv::Reader::from_path(path).map_err(|error| wrong(error.to_string()))?;
        let head = table.headers().map_err(|error| wrong(error.to_string()))?.clone();
        let column = |names: &[&str]| {
            names.iter().find_map(|name| head.iter().position(|column| column == *name))
        };
        let (class, id, instance) = (column(&["class"]), column(&["id"]), column(&["instance"]));
        let (upper, lower, status) = (column(&UPPER), column(&LOWER), column(&["status"]));
        let is_named = class.zip(id).is_some() || instance.is_some();
        if !is_named || upper.is_none() {
            let needed = "needs the column 'instance', or 'class' and 'id', and one of";
            return Err(wrong(format!("{needed} {}", UPPER.join(", "))));
        }
        let folder = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder.parent().and_then(Path::file_name).unwrap_or_default();
        let folder = folder.to_string_lossy().into_owned();
        for (row, record) in table.records().enumerate() {
            let record = record.map_err(|error| wrong(error.to_string()))?;
            let cell = |column: Option<usize>| column.and_then(|at| record.get(at)).unwrap_or("");
            let number = |column: Option<usize>| match cell(column).trim() {
                "" => Ok(None),
                text => text.parse::<Exact>().map(Some).map_err(|error| {
                    wrong(format!("row {}: '{}': {error}", row + 2, text.escape_debug()))
                }),
            };
            let name = match class.zip(id) {
                Some(_) => format!("{}/{}", cell(class), cell(id)),
                None => format!("{folder}/{}", cell(instance)),
            };
            if cell(status) != "conflict" {
                let known = Known { lower: number(lower)?, upper: number(upper)? };
                self.0.insert(plain(&name).to_owned(), known);
            }
        }
        Ok(())
    }

    /// All that is known about the instance of a row.
    pub(super) fn of<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Known> + 'a {
        let listed = row.known.as_deref().and_then(|known| known.parse().ok());
        listed.into_iter().chain(self.0.get(plain(&row.instance)).copied())
    }
}

fn plain(name: &str) -> &str {
    name.strip_suffix(".txt").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_shown() {
        for text in ["117", "113..117", "0.5..2"] {
            assert_eq!(text.parse::<Known>().expect(text).to_string(), text);
        }
        for wrong in ["", "a", "3..2", "1..", "..2"] {
            wrong.parse::<Known>().expect_err(wrong);
        }
    }

    #[test]
    fn tables_of_both_kinds() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("writable");
            path
        };
        let mut values = KnownValues::default();
        let head = "class,id,best_value,status,lower_bound\n";
        let rows = format!("{head}U1,111,117,proven,117\nU1,112,9,conflict,9\n");
        values.read(&write("a.csv", &rows)).expect("a table");
        values.read(&write("b.csv", "instance,best_known\nA.u_c,14.5\n")).expect("a table");
        assert_eq!(values.0["U1/111"].to_string(), "117");
        assert_eq!(values.0.len(), 2);
        let name = folder.path().file_name().expect("a name").to_string_lossy();
        assert_eq!(values.0[&format!("{name}/A.u_c")].to_string(), "..14.5");
        for (text, part) in
            [("a,b\n1,2\n", "needs the column"), ("instance,optimum\nx,y\n", "row 2: 'y'")]
        {
            let error = values.read(&write("c.csv", text)).expect_err(text).to_string();
            assert!(error.contains("c.csv: ") && error.contains(part), "{error}");
        }
    }
}

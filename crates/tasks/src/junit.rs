//! JUnit XML: `<testcase classname= name= time=>` within suites.
//!
//! The schema is loose, and every runner fills it in its own way. The suites tell which runner it
//! was, and tests are named as that runner names them, so that a list can be given back to it:
//!
//! | runner | told by | name of a test | group |
//! |---|---|---|---|
//! | pytest | suite `pytest`, or a class that starts like the file | node id | file |
//! | cargo-nextest | `nextest-run` | `binary path::of::test` | binary |
//! | Playwright | suites named after spec files | `[project] › file › titles` | file |
//! | others | – | `class.name` | class |
//!
//! pytest leaves the file out by default and writes `tests.test_a.TestB` as the class: leading
//! parts that do not start with a capital letter are the path. With `-o junit_family=xunit1` the
//! file is there and is taken.

use crate::error::Fault;
use crate::nanos::seconds;
use crate::xml::{Element, Reader, Tag};
use crate::{Record, Runner};

/// What a suite says about its tests.
#[derive(Default)]
struct Suite {
    name: String,
    host: Option<String>,
}

pub fn read(text: &str) -> Result<(Runner, Vec<Record>), Fault> {
    let mut reader = Reader::new(text);
    let (mut runner, mut suites, mut records) = (None, Vec::<Suite>::new(), Vec::new());
    while let Some(tag) = reader.next()? {
        match tag {
            Tag::Open(element) if is_root(&element, &records, &suites) => {
                return Err(Fault::at(element.line, not_junit(&element)));
            }
            Tag::Open(element) if element.name == "testsuites" => {
                let name = element.attribute("name")?.unwrap_or_default();
                runner = runner.or((name == "nextest-run").then_some(Runner::Nextest));
                suites.push(Suite::default());
            }
            Tag::Open(element) if element.name == "testsuite" => {
                let name = element.attribute("name")?.unwrap_or_default();
                let host = element.attribute("hostname")?.filter(|host| !host.is_empty());
                runner = runner.or_else(|| runner_of(&name));
                suites.push(Suite { name, host });
            }
            Tag::Open(element) if element.name == "testcase" => {
                let suite = suites.last();
                records.push(case(&element, suite, runner.unwrap_or(Runner::Other))?);
            }
            Tag::Open(element) if element.name == "skipped" => {
                // A skipped test may have no time: it takes none.
                if let Some(record) = records.last_mut() {
                    record.nanos = record.nanos.or(Some(0));
                }
            }
            Tag::Close("testsuite" | "testsuites") => drop(suites.pop()),
            _ => {}
        }
    }
    Ok((runner.unwrap_or(Runner::Other), records))
}

/// Whether this is the first element and not one of JUnit's.
fn is_root(element: &Element<'_>, records: &[Record], suites: &[Suite]) -> bool {
    let is_known = matches!(element.name, "testsuites" | "testsuite");
    suites.is_empty() && records.is_empty() && !is_known
}

fn not_junit(element: &Element<'_>) -> String {
    let name = gridsat_model::text::excerpt(element.name);
    format!("<{name}> is not JUnit XML: expected <testsuites> or <testsuite>")
}

fn runner_of(suite: &str) -> Option<Runner> {
    const SPECS: [&str; 6] = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts"];
    match suite {
        "pytest" => Some(Runner::Pytest),
        _ if SPECS.iter().any(|end| suite.ends_with(end)) => Some(Runner::Playwright),
        _ => None,
    }
}

fn case(element: &Element<'_>, suite: Option<&Suite>, runner: Runner) -> Result<Record, Fault> {
    let name = element.attribute("name")?;
    let name = name.ok_or_else(|| Fault::at(element.line, "a testcase has no name"))?;
    let class = element.attribute("classname")?.unwrap_or_default();
    let file = element.attribute("file")?;
    // Commas group digits in some runners.
    let time = element.attribute("time")?.map(|time| time.replace(',', ""));
    let nanos = time.filter(|time| !time.trim().is_empty()).map(|time| seconds(&time));
    let nanos = nanos.transpose().map_err(|why| {
        Fault::at(element.line, format!("time of '{}': {why}", gridsat_model::text::excerpt(&name)))
    })?;
    let host = suite.and_then(|suite| suite.host.clone());
    let suite = suite.map_or("", |suite| &suite.name);
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (name, group, host) = match runner {
        Runner::Pytest => {
            let (file, node) = node_id(&class, file.as_deref(), &name);
            (node, some(&file), host)
        }
        Runner::Nextest => {
            let binary = if class.is_empty() { suite } else { &class };
            (format!("{binary} {name}"), some(binary), host)
        }
        Runner::Playwright => {
            let file = if class.is_empty() { suite } else { &class };
            // Playwright puts the project where others put the machine.
            let project = host.map_or(String::new(), |project| format!("[{project}] › "));
            (format!("{project}{file} › {name}"), some(file), None)
        }
        Runner::Other if class.is_empty() => (name, some(suite), host),
        Runner::Other => (format!("{class}.{name}"), some(&class), host),
    };
    Ok(Record { nanos, group, host, ..Record::new(name, 0) })
}

/// The file and the node id of a test of pytest.
fn node_id(class: &str, file: Option<&str>, name: &str) -> (String, String) {
    let parts: Vec<&str> = class.split('.').filter(|part| !part.is_empty()).collect();
    let is_path = |part: &&&str| !part.starts_with(|c: char| c.is_uppercase());
    let (file, classes) = match file {
        Some(file) => {
            let depth = file.strip_suffix(".py").unwrap_or(file).split('/').count();
            (file.to_owned(), &parts[depth.min(parts.len())..])
        }
        None => {
            let depth = parts.iter().take_while(is_path).count();
            (parts[..depth].join("/") + ".py", &parts[depth..])
        }
    };
    let node = [&[&*file], classes, &[name]].concat().join("::");
    (file, node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pytest_tests_get_their_node_ids() {
        let node = |class, file, name| node_id(class, file, name).1;
        assert_eq!(node("tests.test_a", None, "t[x.y]"), "tests/test_a.py::t[x.y]");
        assert_eq!(node("tests.test_a.TestB.TestC", None, "t"), "tests/test_a.py::TestB::TestC::t");
        assert_eq!(node("Pkg.test_a.low", Some("Pkg/test_a.py"), "t"), "Pkg/test_a.py::low::t");
    }

    #[test]
    fn other_xml_and_bad_times_are_named_with_their_line() {
        let cases = [
            ("<html/>", Some(1), "<html> is not JUnit XML: expected <testsuites> or <testsuite>"),
            ("<testsuite>\n<testcase/></testsuite>", Some(2), "a testcase has no name"),
            (
                "<testsuite>\n\n<testcase name='a' time='-3'/></testsuite>",
                Some(3),
                "time of 'a': '-3' is negative",
            ),
        ];
        for (text, line, message) in cases {
            let fault = read(text).expect_err(text);
            assert_eq!((fault.line, &*fault.message), (line, message), "{text}");
        }
    }

    #[test]
    fn groups_of_digits_and_missing_times_are_read() {
        let text = "<testsuite name='s'><testcase classname='c.D' name='a' time='1,234.5'/>\
                    <testcase name='b'/><testcase name='c'><skipped/></testcase></testsuite>";
        let (runner, records) = read(text).expect("valid");
        assert_eq!(runner, Runner::Other);
        let found: Vec<_> = records.iter().map(|r| (&*r.name, r.nanos)).collect();
        assert_eq!(found, [("c.D.a", Some(1_234_500_000_000)), ("b", None), ("c", Some(0))]);
    }
}

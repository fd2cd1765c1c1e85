//! Tasks of a shard as the arguments of test runners.

use gridsat_tasks::TaskList;

use super::SplitFormat;

/// Why the tasks cannot be written for this runner, if they cannot.
pub fn refusal(list: &TaskList, format: SplitFormat) -> Option<String> {
    let (runner, example, is_like) = match format {
        SplitFormat::Nextest => {
            ("cargo-nextest", "'binary path::to::test'", is_nextest as fn(&str) -> bool)
        }
        SplitFormat::Playwright => ("Playwright", "'file › title'", is_playwright as _),
        SplitFormat::Pytest => ("pytest", "'file.py::test'", is_pytest as _),
        _ => return None,
    };
    let strange = list.tasks().iter().find(|task| !is_like(&task.name))?;
    let name = gridsat_model::text::excerpt(&strange.name);
    Some(format!("'{name}' is not a test of {runner}, which would be like {example}"))
}

fn is_nextest(name: &str) -> bool {
    name.split_once(' ')
        .is_some_and(|(binary, test)| !binary.is_empty() && !test.is_empty() && !test.contains(' '))
}

fn is_playwright(name: &str) -> bool {
    name.contains(" › ")
}

fn is_pytest(name: &str) -> bool {
    name.split_once("::").is_some_and(|(file, test)| !file.is_empty() && !test.is_empty())
}

/// A filterset of cargo-nextest with exactly these tests; binaries in order of first appearance.
pub fn filterset<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut binaries: Vec<(&str, Vec<String>)> = Vec::new();
    for (binary, test) in names.filter_map(|name| name.split_once(' ')) {
        let test = format!("test(={})", escaped(test));
        match binaries.iter_mut().find(|(known, _)| *known == binary) {
            Some((_, tests)) => tests.push(test),
            None => binaries.push((binary, vec![test])),
        }
    }
    let parts = binaries.iter().map(|(binary, tests)| {
        format!("(binary_id(={}) & ({}))", escaped(binary), tests.join(" | "))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "none()".to_owned() } else { parts.join(" | ") }
}

/// Characters that would end a name in a filterset, escaped.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if matches!(character, '\\' | ')' | '(' | ',' | '/') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

//! Who may name whom: the table at the top of Cargo.toml against the source.
//!
//! A module names another by `crate::other`, by `super::` chains that reach the root, or, in the
//! program itself, by `gridsat::other`; the encodings are a crate of their own. Comments and test
//! modules do not count. The reading is simple-minded: it knows the style of this tree, not Rust.

#![allow(clippy::panic, reason = "that is how a test says what it found")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use support::program::project;

type Names = BTreeSet<String>;

/// What each module may name, in the order of the table.
struct Table {
    rows: Vec<(String, Names)>,
}

const EVERYTHING: &str = "everything";
const NOBODY: &str = "nobody";

/// Names of a comma-separated list; a remark in parentheses or after ` -- ` or `;` is no name.
fn names(list: &str) -> Names {
    let end = ["(", " -- ", ";"].iter().filter_map(|mark| list.find(mark)).min();
    let list = &list[..end.unwrap_or(list.len())];
    list.split(',').map(|name| name.trim().to_owned()).collect()
}

impl Table {
    fn read() -> Self {
        let text = fs::read_to_string(project("Cargo.toml")).expect("readable");
        let head = text.lines().map_while(|line| line.strip_prefix('#'));
        let after = head.skip_while(|line| !line.contains("Who may name whom")).skip(1);
        let lines = after.skip_while(|line| line.trim().is_empty());
        let lines = lines.take_while(|line| !line.trim().is_empty());
        Self { rows: lines.flat_map(row).collect() }
    }

    fn modules(&self) -> Names {
        self.rows.iter().map(|(module, _)| module.clone()).collect()
    }

    fn allowed(&self, module: &str) -> &Names {
        let row = self.rows.iter().find(|(name, _)| name == module);
        &row.unwrap_or_else(|| panic!("'{module}' is not in the table")).1
    }
}

/// `io, bounds    model` gives a row to io and one to bounds.
fn row(line: &str) -> Vec<(String, Names)> {
    let (modules, allowed) = line.trim().split_once("  ").expect("two columns");
    let mut allowed = names(allowed);
    allowed.remove(NOBODY);
    names(modules).into_iter().map(|module| (module, allowed.clone())).collect()
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The code of a file without its comments and its test module.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("readable");
    let text = text.split("#[cfg(test)]\nmod ").next().expect("a first part");
    text.lines().map(|line| line.split("//").next().unwrap_or("")).fold(
        String::new(),
        |mut code, line| {
            code.push_str(line);
            code.push('\n');
            code
        },
    )
}

/// Module of the file, and how many `super` lead from it to the root: 1 in `src/io/mod.rs`.
fn place(path: &Path) -> (String, usize) {
    let inside = path.strip_prefix(project("src")).expect("a source file").with_extension("");
    let mut parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    (parts[0].clone(), parts.len())
}

/// What follows each occurrence of `prefix` that does not end a longer path: a name, or the names
/// in braces.
fn followers(code: &str, prefix: &str) -> Names {
    let mut found = Names::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        found.extend(first_names(&code[at + prefix.len()..]));
    }
    found
}

/// `a::b` gives a; `{a::b, c::{d, e}}` gives a and c.
fn first_names(path: &str) -> Names {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(list) = path.strip_prefix('{') else { return Names::from([word(path)]) };
    let (mut depth, mut start, mut found) = (0, 0, Names::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                found.insert(word(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
        if c == '}' && depth == 0 && start == at + 1 {
            break;
        }
    }
    found.remove("");
    found
}

/// The modules that each module names, itself aside.
fn named(modules: &Names) -> BTreeMap<String, Names> {
    let mut named: BTreeMap<String, Names> = BTreeMap::new();
    for path in sources(&project("src")) {
        let (module, depth) = place(&path);
        if module == "lib" || module == "main" {
            continue;
        }
        let code = code(&path);
        let root = if module == "cli" { "gridsat::".to_owned() } else { "super::".repeat(depth) };
        let mut found = followers(&code, "crate::");
        found.extend(followers(&code, &root));
        if code.contains("encodings::") {
            found.insert("encodings".to_owned());
        }
        found.retain(|name| modules.contains(name) && *name != module);
        named.entry(module).or_default().extend(found);
    }
    named
}

#[test]
fn every_module_is_in_the_table_and_only_those() {
    let lib = code(&project("src/lib.rs")) + &code(&project("src/main.rs"));
    let module = |line: &str| {
        let line = line.trim().trim_start_matches("pub ");
        line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
    };
    let mut modules: Names = lib.lines().filter_map(module).collect();
    modules.insert("encodings".to_owned());
    assert_eq!(Table::read().modules(), modules);
}

#[test]
fn modules_name_only_what_the_table_allows() {
    let table = Table::read();
    let mut surprises = Vec::new();
    for (module, named) in named(&table.modules()) {
        let allowed = table.allowed(&module);
        if !allowed.contains(EVERYTHING) {
            surprises
                .extend(named.difference(allowed).map(|name| format!("{module} names {name}")));
        }
    }
    assert!(surprises.is_empty(), "not in the table of Cargo.toml: {surprises:#?}");
}

/// A permission nobody needs is an invitation.
#[test]
fn the_table_allows_only_what_is_needed() {
    let table = Table::read();
    let named = named(&table.modules());
    let nothing = Names::new();
    let mut idle = Vec::new();
    for (module, allowed) in &table.rows {
        let used = named.get(module).unwrap_or(&nothing);
        let unused = allowed.difference(used).filter(|name| *name != EVERYTHING);
        idle.extend(unused.map(|name| format!("{module} does not name {name}")));
    }
    assert!(idle.is_empty(), "allowed by Cargo.toml without need: {idle:#?}");
}

#[test]
fn the_table_is_in_topological_order() {
    let mut above = Names::new();
    for (module, allowed) in Table::read().rows {
        let later: Vec<_> = allowed.difference(&above).filter(|name| *name != EVERYTHING).collect();
        assert!(later.is_empty(), "{module} names {later:?}, which are not above it");
        above.insert(module);
    }
}

/// A wrong solver must not bless itself.
#[test]
fn the_checker_names_no_solver_and_no_search() {
    let table = Table::read();
    let named = named(&table.modules());
    let trusted = ["encodings", "model", "formula", "certificate"];
    for module in ["verify", "formula", "certificate"] {
        let doubtful: Vec<_> =
            named[module].iter().filter(|name| !trusted.contains(&name.as_str())).collect();
        assert!(doubtful.is_empty(), "{module} names {doubtful:?}");
    }
}

/// The crate of encodings knows literals only.
#[test]
fn the_encodings_know_nothing_of_the_problem() {
    for path in sources(&project("encodings/src")) {
        let code = code(&path).to_lowercase();
        for word in ["gridsat::", "task", "makespan", "mapping"] {
            assert!(!code.contains(word), "{} says '{word}'", path.display());
        }
    }
}

/// Each outer crate has one home.
#[test]
fn outer_crates_stay_where_they_belong() {
    // Varisat's proof listeners return errors of anyhow.
    let homes: [(&str, &[&str]); 9] = [
        ("varisat", &["sat"]),
        ("varisat_checker", &["sat"]),
        ("varisat_formula", &["sat"]),
        ("cadical_sys", &["sat"]),
        ("microlp", &["bounds"]),
        ("anyhow", &["cli", "sat"]),
        ("clap", &["cli"]),
        ("comfy_table", &["cli"]),
        ("ctrlc", &["cli"]),
    ];
    for path in sources(&project("src")) {
        let (module, _) = place(&path);
        let code = code(&path);
        for (outer, home) in homes {
            let used = !followers(&code, &format!("{outer}::")).is_empty();
            assert!(!used || home.contains(&module.as_str()), "{} uses {outer}", path.display());
        }
    }
}

#[test]
fn the_reading_of_paths() {
    let all = |code: &str, prefix: &str| Vec::from_iter(followers(code, prefix));
    assert_eq!(all("use crate::model::{A, B};", "crate::"), ["model"]);
    assert_eq!(all("use crate::{io::{a, b}, sat, bounds::x};", "crate::"), ["bounds", "io", "sat"]);
    assert_eq!(all("use crate::{a};\nfn f() { b::c, d }", "crate::"), ["a"]);
    assert_eq!(all("super::super::sat::x", "super::"), ["super"]);
    assert_eq!(all("my_crate::sat; x::crate::io", "crate::"), Vec::<String>::new());
    let rows = row("   io, bounds   model, sat  -- never io");
    assert_eq!(rows[0].0, "bounds");
    assert_eq!(rows[1].1, names("model, sat"));
}

//! The README and the handbook show what the program does: every command in a `console` block is
//! run here, page by page in a folder of its own, and must print what the page shows. Commands
//! without output (`sh` blocks and commands in the text) must at least have valid arguments.
//!
//! `GRIDSAT_REWRITE=1 cargo test --release --test cli handbook` puts what is printed and drawn now
//! into the pages. It does not record a command that fails with code 1 or 2: such output is written
//! by hand.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs, thread};

use gridsat_test_support::outside::report_missing;
use gridsat_test_support::program::gridsat;

use super::links::outside_code;
use super::*;

/// What `docs/pictures/make` adds to SVG files, for readers with a dark screen.
const DARK: &str = include_str!("../../docs/pictures/dark.css");

#[test]
fn every_command_prints_what_its_page_shows() {
    let pages = pages();
    let checked: Vec<Checked> = thread::scope(|scope| {
        let checks: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(page))).collect();
        checks.into_iter().map(|check| check.join().expect("no panic")).collect()
    });
    let wrong: Vec<&str> =
        checked.iter().flat_map(|page| &page.wrong).map(|s| s.as_str()).collect();
    assert!(wrong.is_empty(), "GRIDSAT_REWRITE=1 records this:\n{}", wrong.join("\n"));
    let commands: usize = checked.iter().map(|page| page.commands).sum();
    assert!(commands > 30, "{commands} commands found");
    let drawn: BTreeSet<&String> = checked.iter().flat_map(|page| &page.drawn).collect();
    let pictures = fs::read_dir(project("docs/pictures")).expect("a folder");
    let pictures = pictures.map(|entry| entry.expect("readable").path());
    let pictures = pictures.filter(|path| path.extension().is_some_and(|end| end == "svg"));
    assert_eq!(drawn.len(), pictures.count(), "pictures that a page's commands draw: {drawn:?}");
}

#[test]
fn commands_without_output_have_valid_arguments() {
    let folder = Folder::default();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(project(&page)).expect("readable");
        for command in shell_commands(&text).into_iter().chain(commands_in_text(&text)) {
            // `--help` comes last: everything before it is parsed, and nothing is run.
            let run = shell(&folder, &format!("{command} --help"));
            assert_eq!(run.code, Some(0), "{page}: {command}: {}", run.err);
            count += 1;
        }
    }
    assert!(count > 20, "{count} commands found");
}

#[test]
fn output_is_replaced_and_all_else_is_kept() {
    let folder = Folder::with("tiny.csv");
    let page =
        "$ no\n```console\n$ gridsat generate scenario \\\n  --template list\nold\n```\nold\n";
    let (new, wrong) = rerun(&folder, "a page", page);
    let head = "$ no\n```console\n$ gridsat generate scenario \\\n  --template list\nwwg ";
    assert!(new.starts_with(head) && new.ends_with("\n```\nold\n"), "{new}");
    assert_eq!(wrong, None);
    let (_, wrong) = rerun(&folder, "a page", "```console\n$ gridsat solve none.csv\nold\n```\n");
    assert!(wrong.is_some_and(|wrong| wrong.contains("none.csv")), "a failure is not recorded");
}

#[test]
fn only_seconds_are_masked() {
    let lines = [
        ("  0.01 s  [3.5 .. 7]  no (0.01 s, a 0.2)", "  _ s  [3.5 .. 7]  no (_ s, a 0.2)"),
        ("seed 1, 0.002 s", "seed 1, _ s"),
        ("2 sites", "2 sites"),
    ];
    for (line, expected) in lines {
        assert_eq!(masked(line), expected);
    }
}

/// The README and all pages of the handbook.
pub(super) fn pages() -> Vec<String> {
    let entries = fs::read_dir(project("docs")).expect("a folder");
    let names = entries.map(|entry| entry.expect("readable").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let is_page = |name: &String| name.ends_with(".md") && name != "SUMMARY.md";
    let mut pages: Vec<String> = names.filter(is_page).map(|name| format!("docs/{name}")).collect();
    pages.sort();
    pages.push("README.md".to_owned());
    pages
}

/// What was seen on a page.
struct Checked {
    /// How many calls of the program it shows with output.
    commands: usize,
    /// Pictures that its commands draw.
    drawn: Vec<String>,
    /// Differences, unless they were recorded.
    wrong: Vec<String>,
}

/// Runs the commands of a page and compares what they print and draw.
fn check(page: &str) -> Checked {
    let folder = Folder::default();
    let text = fs::read_to_string(project(page)).expect("readable");
    let (new, failed) = rerun(&folder, page, &text);
    let mut wrong = Vec::from_iter(failed);
    wrong.extend(compare(page, &text, &new));
    let pictures = drawn(&folder, page, &text);
    for (name, picture) in &pictures {
        let now = picture.replacen("</style>", &format!("{DARK}</style>"), 1);
        let shown = fs::read_to_string(project(name)).unwrap_or_default();
        wrong.extend(compare(name, &shown, &now));
    }
    let drawn = pictures.into_iter().map(|(name, _)| name).collect();
    Checked { commands: text.matches("\n$ gridsat ").count(), drawn, wrong }
}

/// The pictures of a page that its commands drew under the same name.
fn drawn(folder: &Folder, page: &str, text: &str) -> Vec<(String, String)> {
    let parts = text.split("](").skip(1).filter_map(|part| part.split_once(')'));
    let parent = Path::new(page).parent().expect("a page is a file");
    let pictures = parts.filter(|(target, _)| target.ends_with(".svg"));
    let read = |(target, _): (&str, &str)| {
        let name = Path::new(target).file_name()?.to_str()?;
        let read = |path: &str| fs::read_to_string(folder.path(path)).ok();
        let picture = read(name).or_else(|| read(&format!("figures/{name}")))?;
        Some((parent.join(target).to_str()?.to_owned(), picture))
    };
    pictures.filter_map(read).collect()
}

/// The page with what its commands print now, and the command that failed, if one did.
fn rerun(folder: &Folder, page: &str, text: &str) -> (String, Option<String>) {
    let (mut new, mut is_console, mut failed) = (String::new(), false, None);
    let mut lines = text.lines();
    let mut next = lines.next();
    while let Some(line) = next {
        new.extend([line, "\n"]);
        next = lines.next();
        is_console = line.strip_prefix("```").map_or(is_console, |kind| kind == "console");
        let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) else { continue };
        let mut command = command.to_owned();
        while let (Some(head), Some(more)) = (command.strip_suffix('\\'), next) {
            command = format!("{head}{}", more.trim_start());
            new.extend([more, "\n"]);
            next = lines.next();
        }
        let mut shown = String::new();
        while let Some(line) = next.filter(|l| !l.starts_with("$ ") && !l.starts_with("```")) {
            shown.extend([line, "\n"]);
            next = lines.next();
        }
        match output(folder, &command, &shown) {
            Ok(printed) => new += &printed,
            Err(error) => {
                failed.get_or_insert(format!("{page}: {command}: {error}"));
                new += &shown;
            }
        }
    }
    (new, failed)
}

/// What a terminal shows after a command. Standard error comes first; blanks at the end of lines
/// are left out, as are differences in wall-clock time.
fn output(folder: &Folder, command: &str, shown: &str) -> Result<String, String> {
    let command = command.replacen("cargo run --release -- ", "gridsat ", 1);
    copy_files(folder, &command);
    if let Some(files) = command.strip_prefix("cadical -q ") {
        let (problem, answer) = files.split_once(" > ").ok_or("expected '> FILE'")?;
        folder.write(answer, answer_to(&folder.read(problem)));
        return Ok(String::new());
    }
    let run = shell(folder, &command);
    if run.code == Some(127) {
        report_missing(command.split(' ').next().unwrap_or_default());
        return Ok(shown.to_owned());
    }
    let lines = run.err.lines().chain(run.out.lines());
    let printed: String = lines.flat_map(|line| [line.trim_end(), "\n"]).collect();
    let has_times = command.starts_with("gridsat solve ")
        && (command.contains(" -v") || !command.contains(" --no-times"));
    if printed == shown || has_times && masked(&printed) == masked(shown) {
        return Ok(shown.to_owned());
    }
    if matches!(run.code, Some(0 | 3 | 10 | 20)) { Ok(printed) } else { Err(printed) }
}

/// Runs a line of a shell in a folder, with the program of this build in the path.
fn shell(folder: &Folder, line: &str) -> Run {
    let programs = gridsat().parent().expect("a folder").to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)));
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder.path("")).stdin(Stdio::null());
    Run::of(command.env("PATH", path.expect("no colon in folder names")))
}

/// Copies the files of the repository that a command names, with their neighbours.
fn copy_files(folder: &Folder, command: &str) {
    let is_script = |word: &&str| word.ends_with(".py") && !word.contains('/');
    for word in command.split_whitespace().filter(is_script).filter(|word| project(word).is_file())
    {
        folder.copy(word, word);
    }
    let is_file = |word: &&str| word.contains('/') && project(word).is_file();
    for word in command.split_whitespace().filter(is_file) {
        let parent = Path::new(word).parent().expect("a file has one");
        fs::create_dir_all(folder.path(&parent.to_string_lossy())).expect("writable");
        for entry in fs::read_dir(project(&parent.to_string_lossy())).expect("readable") {
            let entry = entry.expect("readable");
            if entry.path().is_file() {
                let name = parent.join(entry.file_name()).to_string_lossy().into_owned();
                folder.copy(&name, &name);
            }
        }
    }
}

/// Stands in for a SAT solver that may not be installed. The questions of the handbook have at most
/// one answer, so any solver gives the same.
fn answer_to(dimacs: &str) -> String {
    let mut solver = varisat::Solver::new();
    solver.add_dimacs_cnf(dimacs.as_bytes()).expect("DIMACS");
    if !solver.solve().expect("no proof is written, so nothing fails") {
        return "s UNSATISFIABLE\n".to_owned();
    }
    let model = solver.model().expect("satisfiable");
    let literals: Vec<String> =
        model.iter().map(|literal| literal.to_dimacs().to_string()).collect();
    format!("s SATISFIABLE\nv {} 0\n", literals.join(" "))
}

/// Lines with `_` in place of every number of seconds.
fn masked(text: &str) -> String {
    let is_unit = |word: &str| word.trim_end_matches([',', ')']) == "s";
    let is_number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_masked =
            |i: usize| is_number(words[i]) && words.get(i + 1).is_some_and(|w| is_unit(w));
        let words = words.iter().enumerate().map(|(i, word)| match word.strip_prefix('(') {
            _ if !is_masked(i) => word,
            Some(_) => "(_",
            None => "_",
        });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The calls of the program in `sh` blocks, without comments and redirections.
fn shell_commands(text: &str) -> Vec<String> {
    let mut is_shell = false;
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().filter(|line| {
        is_shell = line.strip_prefix("```").map_or(is_shell, |kind| kind == "sh");
        is_shell
    });
    let lines = lines.map(|line| line.split(" #").next().unwrap_or_default());
    lines.flat_map(|line| line.split(['|', ';', '&'])).filter_map(call).collect()
}

/// The calls of the program in the text, such as `gridsat verify a.json proof.json`. Those with
/// placeholders in capitals or an ellipsis are left out.
fn commands_in_text(text: &str) -> Vec<String> {
    let text = outside_code(text);
    let is_placeholder = |word: &str| {
        let letters = || word.chars().filter(|c| c.is_alphabetic());
        word.contains('…') || letters().count() > 0 && letters().all(char::is_uppercase)
    };
    let is_complete = |command: &String| !command.split(' ').any(is_placeholder);
    let code = text.split('`').skip(1).step_by(2);
    code.map(|code| code.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter_map(|code| call(&code))
        .filter(is_complete)
        .collect()
}

/// The call of the program at the start of a piece of a shell line, unless it has variables.
fn call(piece: &str) -> Option<String> {
    let piece = piece.split(['<', '>']).next()?.trim().trim_end_matches(" 2");
    let is_call = |rest: &str| rest.starts_with(char::is_alphabetic) && !rest.contains('$');
    piece.strip_prefix("gridsat ").is_some_and(is_call).then(|| piece.to_owned())
}

/// What differs, unless it is to be recorded.
fn compare(path: &str, shown: &str, now: &str) -> Option<String> {
    if shown == now {
        return None;
    }
    if env::var_os("GRIDSAT_REWRITE").is_some() {
        fs::write(project(path), now).expect("writable");
        return None;
    }
    let line = shown.lines().zip(now.lines()).enumerate().find(|(_, (old, new))| old != new);
    Some(match line {
        Some((line, (old, new))) => format!("{path}:{}: shows\n  {old}\nnow\n  {new}", line + 1),
        None => {
            format!("{path}: {} lines shown, now {}", shown.lines().count(), now.lines().count())
        }
    })
}

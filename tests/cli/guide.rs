//! The user's guide tells the truth: every command in it is run here, in order and in one folder,
//! and prints what the guide shows; the pictures are what the commands draw.
//!
//! `GRIDSAT_REWRITE=1 cargo test --test cli guide` puts what is printed and drawn now into the
//! guide. Only `guide-run.png` is taken by hand: `lab.html#t=213400` in a browser window of 1280 x
//! 860.

use std::{env, fs};

use super::*;

const GUIDE: &str = "docs/guide.md";
const INPUT: &str = "instances/guide";
/// What the commands draw, and where the guide shows it.
const PICTURES: [(&str, &str); 2] =
    [("plan.svg", "docs/guide-plan.svg"), ("figures/nodes-wait-means.svg", "docs/guide-wait.svg")];

#[test]
fn every_command_prints_what_the_guide_shows() {
    let folder = folder_with_input();
    let shown = text(GUIDE);
    let printed = run_commands(&folder, &shown);
    compare(GUIDE, &shown, &printed);
    for (drawn, picture) in PICTURES {
        let name = picture.trim_start_matches("docs/");
        assert!(shown.contains(&format!("]({name})")), "{GUIDE} does not show {name}");
        compare(picture, &text(picture), &folder.read(drawn));
    }
}

/// Lines of a guide: output follows its command until the next one or the end of the block.
#[test]
fn output_is_replaced_and_all_else_is_kept() {
    let folder = Folder::with("tiny.csv");
    let guide = "$ no\n```console\n$ gridsat solve none.csv --no-times\nold\n```\nold\n";
    let run = std::panic::catch_unwind(|| run_commands(&folder, guide));
    assert!(run.is_err(), "a command that fails does not pass");
    let guide = guide.replace("solve none.csv --no-times", "generate scenario --template list");
    let new = run_commands(&folder, &guide);
    let head = "$ no\n```console\n$ gridsat generate scenario --template list\nwwg ";
    assert!(new.starts_with(head) && new.ends_with("\n```\nold\n"), "{new}");
}

/// The guide with what its commands print now.
fn run_commands(folder: &Folder, guide: &str) -> String {
    let (mut new, mut is_console) = (String::new(), false);
    for line in guide.lines() {
        let fence = line.strip_prefix("```");
        is_console = fence.map_or(is_console, |kind| kind == "console");
        let command = line.strip_prefix("$ gridsat ").filter(|_| is_console);
        if fence.is_some() || command.is_some() || !is_console {
            new.extend([line, "\n"]);
        }
        if let Some(words) = command {
            new += &output(folder, words);
        }
    }
    new
}

/// What a terminal shows; blanks at the end of lines are not seen.
fn output(folder: &Folder, words: &str) -> String {
    let run = folder.run(words);
    assert_eq!(run.code, Some(0), "{GUIDE}: gridsat {words}: {run:?}");
    let lines = run.err.lines().chain(run.out.lines());
    lines.flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn folder_with_input() -> Folder {
    let folder = Folder::default();
    fs::create_dir_all(folder.path(INPUT)).expect("writable");
    for entry in fs::read_dir(project(INPUT)).expect("a folder") {
        let name = entry.expect("readable").file_name();
        let path = format!("{INPUT}/{}", name.to_string_lossy());
        folder.copy(&path, &path);
    }
    folder
}

fn text(path: &str) -> String {
    fs::read_to_string(project(path)).unwrap_or_default()
}

fn compare(path: &str, shown: &str, now: &str) {
    if shown != now && env::var_os("GRIDSAT_REWRITE").is_some() {
        return fs::write(project(path), now).expect("writable");
    }
    let lines = shown.lines().zip(now.lines());
    let first = lines.into_iter().enumerate().find(|(_, (old, new))| old != new);
    assert!(
        shown == now,
        "{path} is not what the commands give ({first:?}); GRIDSAT_REWRITE=1 puts it right"
    );
}

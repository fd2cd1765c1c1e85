//! The program: help for those who type it.

use super::*;

#[test]
fn slips_get_the_word_that_was_meant() {
    let folder = folder();
    for (words, meant) in [
        ("slove demo.json", "'solve'"),
        ("solve demo.json --time-limt 3", "'--time-limit'"),
        ("solve demo.json --format jsn", "'json'"),
        ("generate worklod", "'workload'"),
    ] {
        folder.run(words).fails(2, &["did you mean", meant]);
    }
    folder.run("fly").fails(2, &["'fly'", "see --help"]);
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let folder = Folder::default();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&format!("completions {shell}")).ends(0).out;
        for word in ["solve", "simulate", "time-limit"] {
            assert!(script.contains(word), "no {word} for {shell}");
        }
    }
    folder.run("completions tcsh").fails(2, &["tcsh", "bash"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::default();
    folder.run("man pages/man1").ends(0);
    let help = folder.run("--help").ends(0).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut count = 0;
    for line in commands.take_while(|line| !line.is_empty()) {
        // A command's line starts two columns in, the rest of a long text further right.
        let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) else {
            continue;
        };
        let name = name.split(' ').next().expect("a word");
        if name != "help" {
            let page = folder.read(&format!("pages/man1/gridsat-{name}.1"));
            assert!(page.contains(".SH SYNOPSIS") && page.contains(name), "{name}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} commands");
    folder.write("file", "").run("man file").fails(2, &["file"]);
}

#[test]
fn the_version_says_what_is_compiled_in() {
    let long = folder().run("--version").ends(0).out;
    for part in [gridsat_model::VERSION, "varisat", "PNG"] {
        assert!(long.contains(part), "{long}");
    }
    let short = folder().run("-V").ends(0).out;
    assert_eq!(short, format!("gridsat {}\n", gridsat_model::VERSION));
}

//! Help and messages about the command line.

use gridsat_test_support::outside::installed;

use super::*;

#[test]
fn typos_get_the_word_that_was_meant() {
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
    let mut count = 0;
    // Lines of commands in the groups before the options are indented by two columns.
    for line in help.lines().take_while(|line| *line != "Options:") {
        let Some(name) = line.strip_prefix("  ") else { continue };
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

#[test]
fn names_are_accepted_as_they_are_printed() {
    let folder = Folder::with("demo.json grid.toml x.swf");
    let titles = folder.run("map demo.json --no-times -a Min-Min,min-min,minmin").ends(0).out;
    assert_eq!(titles.matches("Min-Min  ").count(), 1, "{titles}");
    let list = "QoS-guided Min-Min,Sufferage + LS,MAX MIN";
    let csv = Run::of(folder.command("map demo.json --format csv -a").arg(list)).ends(0).out;
    let names: Vec<&str> = csv.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    assert_eq!(names, ["qgmm", "ls-sufferage", "maxmin"]);
    for (words, policy) in [
        ("compare grid.toml --policy Min-Min,OWN", "minmin,"),
        ("compare x.swf --policy FCFS_SCAN,Easy", "fcfs-scan,"),
        ("simulate grid.toml --policy Time-limit-Min-Min", ""),
        ("simulate x.swf --policy Sjf-Scan", ""),
    ] {
        let run = folder.run(&format!("{words} --format csv")).ends(0);
        assert!(run.out.contains(&format!("\n{policy}")), "{}", run.out);
    }
    assert_eq!(
        folder.run("generate scenario --template WWG").ends(0).out,
        folder.run("generate scenario --template wwg").ends(0).out
    );
    folder.run("generate experiment --name QoS_Share").ends(0);
}

#[test]
fn unknown_names_get_the_nearest_one() {
    let folder = Folder::with("demo.json grid.toml x.swf");
    for (words, meant) in [
        ("map demo.json -a Min-Mn", "minmin"),
        ("compare demo.json -a sufrage", "sufferage"),
        ("bench -a tabbu", "tabu"),
        ("compare grid.toml --policy tlmn", "tlmm"),
        ("simulate grid.toml --policy minmim", "minmin"),
        ("simulate x.swf --policy fcfs-scn", "fcfs-scan"),
        ("generate scenario --template wwh", "wwg"),
        ("generate experiment --name qos-shar", "qos-share"),
        ("experiment brawn", "braun"),
    ] {
        folder.run(words).fails(2, &[&format!("did you mean '{meant}'?")]);
    }
}

#[test]
fn help_lists_what_can_be_named() {
    let folder = Folder::default();
    let help = folder.run("map --help").ends(0).out;
    for name in ["minmin", "QoS-guided Min-Min", "ls-minmin", "Iterated greedy"] {
        assert!(help.contains(name), "{help}");
    }
    let help = folder.run("simulate --help").ends(0).out;
    for name in ["tlqmm", "Time-limit QoS-guided Min-Min", "fcfs-scan-backfill", "EASY"] {
        assert!(help.contains(name), "{help}");
    }
    assert!(folder.run("compare --help").ends(0).out.contains("gridsat map --help"));
}

/// The commands that a help lists, each once, before its options; all but `help`.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().take_while(|line| *line != "Options:");
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| *name != "help" && !name.is_empty()).collect()
}

/// The examples at the end of a short help, which fits one screen.
fn examples(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.run(&format!("{command} -h")).ends(0).out;
    assert!(help.lines().count() <= 40, "{command}: {} lines\n{help}", help.lines().count());
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}: {help}");
    let lines = help.lines().skip_while(|line| *line != "Examples:");
    lines.filter_map(|line| line.strip_prefix("  gridsat ")).map(str::to_owned).collect()
}

#[test]
fn short_helps_fit_one_screen_and_their_examples_run() {
    let folder = Folder::with("grid.toml x.swf qos.toml times.json tiny.csv");
    folder.write("times.csv", "task,a,b\nrender,7,9\nmerge,5,8\nscan,6,4\n");
    folder.copy("tests/data/logs/pytest.xml", "junit.xml");
    folder.copy("tests/data/logs/joblog", "joblog-a").copy("tests/data/logs/joblog", "joblog-b");
    folder.write("log.swf", folder.read("x.swf")).write("wishes.toml", folder.read("qos.toml"));
    let (all, inner) =
        (folder.run("--help").ends(0).out, folder.run("generate --help").ends(0).out);
    let generate = commands(&inner).into_iter().map(|name| format!("generate {name}"));
    let mut names: Vec<String> = vec![String::new()];
    names.extend(commands(&all).into_iter().map(str::to_owned));
    names.extend(generate);
    let plan = folder.run("plan --help").ends(0).out;
    names.extend(commands(&plan).into_iter().map(|name| format!("plan {name}")));
    names.push("campaign report".to_owned());
    let mut seen: Vec<&String> = names.iter().collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 31, "each command once: {names:?}");
    // An answer to decode is written by the examples of decide.
    names.sort_by_key(|name| name == "decode");
    for command in names.iter().filter(|name| *name != "generate") {
        let lines = examples(&folder, command);
        assert_eq!(lines.len(), 2, "{command}");
        for words in lines {
            assert!(command.is_empty() || words.starts_with(command.as_str()), "{words}");
            let code = if words.starts_with("decide") { 10 } else { 0 };
            folder.run(&words).ends(code);
        }
    }
}

#[test]
fn negative_numbers_are_called_negative() {
    let folder = Folder::with("demo.json grid.toml x.swf");
    for (words, option) in [
        ("solve demo.json --time-limit -3", "--time-limit"),
        ("solve demo.json --threads -1", "--threads"),
        ("solve demo.json --gap -0.5", "--gap"),
        ("simulate grid.toml --seed -5", "--seed"),
        ("simulate x.swf --nodes -4", "--nodes"),
        ("generate etc --tasks -3", "--tasks"),
        ("bench --runs=-2", "--runs"),
    ] {
        folder.run(words).fails(2, &[option, "is negative"]);
    }
    folder.run("simulate grid.toml --seed x").fails(2, &["--seed", "a whole number"]);
    folder.run("simulate x.swf --nodes 0").fails(2, &["0 is not from 1 to 4294967295"]);
}

#[test]
fn an_option_for_another_kind_of_simulation_names_the_one_for_this() {
    let folder = Folder::with("grid.toml x.swf");
    folder.run("simulate grid.toml --view x.html").fails(2, &["a grid", "--gantt PATH"]);
    folder.run("simulate x.swf --gantt x.svg").fails(2, &["a trace", "--view PATH"]);
}

/// In a terminal of 40 columns no line is longer, and no number is broken.
#[test]
fn tables_are_no_wider_than_the_terminal() {
    let Some(script) = installed("script") else { return };
    let folder = Folder::default();
    let task = |number| format!("a task with a long name {number},100.125,123456789.125\n");
    folder.write("wide.csv", format!("task,one,two\n{}", (0..9).map(task).collect::<String>()));
    let program = gridsat_test_support::program::gridsat();
    let line = format!("stty cols 40 rows 20; {} solve wide.csv --quiet", program.display());
    let mut command = std::process::Command::new(script);
    command.current_dir(folder.path(".")).args(["-qec", &line, "/dev/null"]);
    let run = Run::of(command.stdin(Stdio::null()));
    let table: Vec<_> = run.out.lines().skip_while(|line| !line.contains(" load ")).collect();
    let table = &table[..table.iter().position(|line| line.trim().is_empty()).expect("an end")];
    assert!(table.len() > 3 && table.iter().all(|line| line.trim_end().chars().count() <= 40));
    assert!(table.iter().any(|line| line.contains("901.125")), "{table:?}");
}

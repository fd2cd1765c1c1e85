//! What faults leave behind: signals at any time, a standard error that is full, too little memory,
//! names that command a terminal, and errors of the program itself.

use super::*;

#[cfg(unix)]
mod signals {
    use super::*;
    use std::path::Path;
    use std::process::Child;
    use std::time::{Duration, Instant};

    /// A folder with a hard instance and a solver that says where it runs and never answers.
    fn with_slow_solver() -> Folder {
        let folder = hard();
        folder.write("slow", "echo $$ > pid.new; mv pid.new pid; sleep 100\n");
        std::fs::create_dir(folder.path("temporary")).expect("writable");
        folder
    }

    fn wait_for(what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn send(signal: &str, child: &Child) {
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args([signal, &child.id().to_string()]).status().expect("runs").success());
    }

    /// Starts `solve` with the solver, and waits until that runs. The solver's process is returned.
    fn solving(folder: &Folder, words: &str) -> (Child, String) {
        let mut command = folder.command("solve hard.json --strategy sat");
        command.args(["--solver", "sh slow {cnf}"]).args(words.split_whitespace());
        command.env("TMPDIR", folder.path("temporary"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("starts");
        wait_for("the solver starts", || folder.path("pid").exists());
        (child, folder.read("pid").trim().to_owned())
    }

    /// A process that has ended may not have been waited for yet.
    fn is_running(id: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        Path::new("/proc/self").exists() && !status.is_empty() && !status.contains(") Z")
    }

    fn left_in(folder: &Folder) -> usize {
        std::fs::read_dir(folder.path("temporary")).expect("readable").count()
    }

    /// As batch systems do.
    #[test]
    fn termination_ends_the_solver_too() {
        for (words, code) in [("", 3), ("--signal-code", 143)] {
            let folder = with_slow_solver();
            let (child, solver) = solving(&folder, &format!("{words} --format json"));
            assert_eq!(left_in(&folder), 1, "the formula");
            send("-TERM", &child);
            let output = child.wait_with_output().expect("ends");
            assert_eq!(output.status.code(), Some(code), "{output:?}");
            let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(answer["mapping"].as_array().map(Vec::len), Some(60));
            wait_for("the solver ends", || !is_running(&solver));
            assert_eq!(left_in(&folder), 0);
        }
    }

    /// Nothing can be done at SIGKILL, so the solver has asked the system to end it.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_killed_program_takes_the_solver_with_it() {
        let folder = with_slow_solver();
        let (child, solver) = solving(&folder, "");
        assert!(is_running(&solver));
        send("-KILL", &child);
        child.wait_with_output().expect("ends");
        wait_for("the solver ends", || !is_running(&solver));
    }

    /// The solver is a policy here, too.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_killed_simulation_takes_its_programs_with_it() {
        let folder = Folder::with("small.toml");
        folder.write("slow", "echo $$ > pid.new; mv pid.new pid; sleep 100\n");
        let mut command = folder.command("simulate small.toml --policy");
        let child = command.arg("cmd:exec sh slow").stdout(Stdio::null()).spawn().expect("starts");
        wait_for("the program starts", || folder.path("pid").exists());
        send("-KILL", &child);
        child.wait_with_output().expect("ends");
        let program = folder.read("pid").trim().to_owned();
        wait_for("the program ends", || !is_running(&program));
    }

    /// A command that has nothing to show before its end is ended at once, without leftovers.
    #[test]
    fn writing_is_given_up_without_leftovers() {
        for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
            let folder = Folder::default();
            let mut command =
                folder.command("generate etc --tasks 100000 --hosts 100 --output big.json");
            let child = command.spawn().expect("starts");
            wait_for("it writes", || open_files(&folder) == 1);
            send(signal, &child);
            let output = child.wait_with_output().expect("ends");
            assert_eq!((output.status.code(), folder.list().len()), (Some(code), 0), "{output:?}");
        }
    }

    #[test]
    fn a_second_signal_ends_it_at_once() {
        let folder = with_slow_solver();
        let (child, solver) = solving(&folder, "");
        send("-TERM", &child);
        send("-TERM", &child);
        let output = child.wait_with_output().expect("ends");
        // The first one may have been enough.
        assert!(matches!(output.status.code(), Some(3 | 143)), "{output:?}");
        wait_for("the solver ends", || !is_running(&solver));
        assert_eq!(left_in(&folder), 0);
    }
}

/// Runs a command in a shell, for its redirections.
#[cfg(unix)]
fn in_shell(folder: &Folder, words: &str) -> Run {
    let gridsat = folder.command("").get_program().to_string_lossy().into_owned();
    let mut command = std::process::Command::new("sh");
    command.current_dir(folder.path("")).stdin(Stdio::null());
    Run::of(command.arg("-c").arg(format!("{gridsat} {words}")))
}

/// A message that cannot be printed changes neither the result nor the exit code.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_is_no_failure() {
    let folder = Folder::with("demo.json small.toml tiny.toml");
    folder.write("bad.json", "{");
    for (words, code) in [
        ("solve bad.json", 2),
        ("solve --nonsense", 2),
        ("", 2),
        ("solve demo.json bad.json", 2),
        ("solve demo.json -vv", 0),
        ("simulate small.toml -vv", 0),
        ("experiment tiny.toml -vv --fresh", 0),
        ("verify demo.json bad.json", 2),
        ("decide demo.json -k 1", 20),
    ] {
        let quiet = in_shell(&folder, &format!("{words} 2>/dev/null"));
        let full = in_shell(&folder, &format!("{words} 2>/dev/full"));
        assert_eq!((quiet.code, full.code), (Some(code), Some(code)), "{words}: {full:?}");
        assert_eq!(quiet.out.is_empty(), full.out.is_empty(), "{words}");
    }
}

/// Everything that commands a terminal, in the words of a terminal and of Unicode.
const COMMANDS: [&str; 6] = [
    "\u{1b}]0;title\u{7}",
    "\u{1b}[2J",
    "\u{9b}31m",
    "\u{202e}reversed",
    "\u{2066}isolated",
    "over\rwritten\u{7f}",
];

fn is_clean(text: &str) -> bool {
    !text.contains(|c: char| gridsat_model::text::is_unsafe(c) && c != '\n' && c != '\t')
}

/// Every command prints the names of files, or their content in an error.
#[test]
fn no_name_commands_the_terminal() {
    for name in COMMANDS {
        let folder = Folder::default();
        let text = json!({ "name": name, "etc": [[1, 2], [3, 4], [5, 7]],
            "tasks": [format!("a{name}"), format!("b{name}"), "c"],
            "hosts": [format!("h{name}"), format!("k{name}")] });
        folder.write("evil.json", text.to_string());
        // As JSON and TOML have to quote it, so that it gets beyond the parser.
        let quoted = json!(name).to_string();
        folder.write("bad.json", format!("{{\"etc\": [[1, {quoted}]], {quoted}: 1}}"));
        folder.write("bad.toml", format!("seed = 1\n[[resource]]\nname = {quoted}\n{quoted} = 1"));
        folder.write("key.toml", format!("{quoted} = 1\n[[resource]]\nname = 'a'\n"));
        folder.write("bad.csv", format!("task,{name}\n{name},{name}\n"));
        folder.write("bad.swf", format!("; {name}\n1 {name}\n"));
        folder.write("bad.jsonl", format!("{{{quoted}: 1}}\n{name}"));
        folder.write("certificate.json", format!("{{\"format\": {quoted}, {quoted}: 2}}"));
        let sweep = "[base]\nsubject = 'queue'\ntitle = NAME\nNAME = 1\n";
        folder.write("sweep.toml", sweep.replace("NAME", &quoted));
        let mut seen = 0;
        for words in [
            "solve evil.json",
            "solve evil.json --format csv",
            "solve evil.json --format json",
            "solve evil.json bad.json --format jsonl",
            "map evil.json --format csv",
            "compare evil.json",
            "decide evil.json -k 8",
            "decide evil.json -k 8 --format json",
            "export evil.json -k 8",
            "verify evil.json certificate.json",
            "verify evil.json bad.jsonl",
            "verify evil.json bad.csv",
            "convert bad.json -",
            "solve bad.json",
            "solve bad.csv",
            "simulate bad.toml",
            "simulate key.toml",
            "simulate bad.swf",
            "experiment sweep.toml",
            "experiment bad.toml",
            "report bad.jsonl -o x.html",
            "campaign report bad.jsonl",
            "split bad.csv --shards 2",
            "split bad.jsonl --shards 2",
            "bench --set bad.json",
            "merge bad.toml",
        ] {
            let mut command = folder.command(words);
            let output = command.output().expect("starts");
            let (out, err) = (output.stdout, output.stderr);
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            assert!(is_clean(&out) && is_clean(&err), "{words}: {out:?} {err:?}");
            seen += usize::from(out.contains('\u{fffd}') || err.contains("\\u{"));
        }
        assert!(seen >= 5, "{name:?} is shown {seen} times only");
    }
}

/// JSON keeps every character of a name.
#[test]
fn escaped_names_are_read_back() {
    let folder = Folder::default();
    let name = "a\u{1b}[2J\u{202e}\u{9b}é";
    folder.write("evil.json", json!({ "etc": [[1, 2]], "tasks": [name] }).to_string());
    let answer = folder.run("solve evil.json --format json").ends(0);
    assert!(is_clean(&answer.out), "{answer:?}");
    assert_eq!(answer.json()["assignment"][0]["task"], name);
}

#[test]
fn spreadsheets_calculate_nothing_of_safe_csv() {
    let folder = Folder::default();
    let names = ["=1+1", "+x", "-5", "@x", "plain"];
    folder.write("a.json", json!({ "etc": [[1], [1], [1], [1], [1]], "tasks": names }).to_string());
    let cells = |words: &str| -> Vec<String> {
        let csv = folder.run(words).ends(0).out;
        csv.lines().skip(1).filter_map(|row| row.split(',').nth(1)).map(str::to_owned).collect()
    };
    assert_eq!(cells("solve a.json --format csv"), names);
    // A number is not calculated, whatever its sign.
    let safe = ["'=1+1", "'+x", "-5", "'@x", "plain"];
    assert_eq!(cells("solve a.json --format csv --csv-safe"), safe);
}

/// Memory that does not suffice is an error in one line; one that suffices changes nothing.
#[cfg(target_os = "linux")]
#[test]
fn memory_limits_are_kept() {
    let folder = folder();
    let words = "generate etc --tasks 200000 --hosts 100 --memory-limit 60M --output big.json";
    folder.run(words).fails(2, &["out of memory", "60 MiB", "--memory-limit"]);
    assert_eq!(folder.list(), ["demo.json", "even.json", "odd.json"]);
    let free = folder.run("solve demo.json --no-times --memory-limit none").ends(0);
    assert_eq!(folder.run("solve demo.json --no-times --memory-limit 2GiB").ends(0), free);
    for wrong in ["0", "x", "5Q", "101%", "-1"] {
        folder.run(&format!("solve demo.json --memory-limit {wrong}")).fails(2, &["such as 4G"]);
    }
}

/// A simulation that no memory suffices for ends with what it has.
#[cfg(target_os = "linux")]
#[test]
fn a_simulation_out_of_memory_keeps_what_it_has() {
    let folder = Folder::default();
    let long = example("lublin.toml").replace("count = 300", "count = 1000000000");
    folder.write("long.toml", long);
    let run = folder.run("simulate long.toml --format json --memory-limit 40M");
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains("stopping:") && run.err.lines().count() == 1, "{run:?}");
    assert_eq!(run.json()["end"], "interrupted");
}

/// Jobs that all arrive at once, more than memory holds: their arrival ends, too.
#[cfg(target_os = "linux")]
#[test]
fn two_thousand_million_jobs_of_one_moment_are_not_awaited() {
    let folder = Folder::default();
    let text = example("endless.toml").replace("tasks = 1\n", "tasks = 2147483648\n");
    folder.write("many.toml", text.replace("applications = 40000000\n", ""));
    let run = folder.run("simulate many.toml --format json --memory-limit 300M");
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains("stopping:") && run.err.lines().count() == 1, "{run:?}");
    assert_eq!(run.json()["end"], "interrupted");
}

/// An error of the program itself.
#[test]
fn a_panic_is_one_line() {
    let folder = folder();
    let mut command = folder.command("solve demo.json");
    let run = Run::of(command.env("GRIDSAT_PANIC_AT", "start").env_remove("RUST_BACKTRACE"));
    let version = format!("internal error in gridsat {}", env!("CARGO_PKG_VERSION"));
    run.fails(1, &[&version, "src/cli/panics.rs:", "injected at 'start'", "Please report"]);
}

/// Finished runs are kept, and the result after resuming has the same bytes.
#[test]
fn a_panic_keeps_finished_runs() {
    let folder = Folder::with("tiny.toml");
    folder.run("experiment tiny.toml --result whole.jsonl --format csv").ends(0);
    let words = "experiment tiny.toml --result again.jsonl --format csv --threads 1";
    let mut command = folder.command(words);
    let run = Run::of(command.env("GRIDSAT_PANIC_AT", "part 2").env_remove("RUST_BACKTRACE"));
    run.fails(1, &["injected at 'part 2'"]);
    let kept = std::fs::read_dir(folder.path("again.jsonl.parts")).expect("a folder").count();
    assert!(kept >= 3, "{kept} files are kept");
    folder.run(words).ends(0);
    assert_eq!(folder.read("again.jsonl"), folder.read("whole.jsonl"));
}

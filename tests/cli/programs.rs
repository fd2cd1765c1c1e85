//! Any program as heuristic and as policy: `cmd:…`.

use std::time::Instant;

use gridsat_test_support::outside::installed;

use super::*;

/// Runs gridsat with words of which some contain blanks.
fn run(folder: &Folder, words: &[&str]) -> Run {
    let mut command = folder.command(words[0]);
    command.args(&words[1..]);
    Run::of(&mut command)
}

/// Answers every question with "each task on host 0", in the shell alone.
const FIRST: &str = r#"while read -r line; do
  count=$(printf '%s' "$line" | grep -o '"level"' | wc -l)
  answer=""
  i=0
  while [ "$i" -lt "$count" ]; do answer="$answer,[$i,0]"; i=$((i + 1)); done
  echo "{\"assign\":[${answer#,}]}"
done
"#;

fn programs() -> Folder {
    let folder = Folder::with("demo.json odd.json grid.toml");
    folder.write("first.sh", FIRST);
    folder
}

#[test]
fn a_program_is_a_heuristic_and_a_policy() {
    let folder = programs();
    let json = run(&folder, &["map", "odd.json", "-a", "mct,cmd:sh first.sh", "--format", "json"])
        .ends(0)
        .json();
    assert_eq!(json["results"][1]["algorithm"], json!("cmd:sh first.sh"));
    assert_eq!(json["results"][1]["makespan"], json!(15));
    let compared =
        run(&folder, &["compare", "odd.json", "-a", "cmd:sh first.sh", "--replications", "1"]);
    assert!(compared.out.contains("cmd:sh first.sh"), "{}{}", compared.out, compared.err);
    let simulated =
        run(&folder, &["simulate", "grid.toml", "--policy", "cmd:sh first.sh", "--format", "json"]);
    assert_eq!(simulated.code, Some(0), "{}", simulated.err);
    let bench =
        run(&folder, &["bench", "--only", "16x4_1", "-a", "cmd:sh first.sh", "--format", "json"]);
    assert_eq!(bench.code, Some(0), "{}", bench.err);
}

/// Experiments run programs as policies of a grid and as heuristics of matrices, with the same
/// result in one thread and in two.
#[test]
fn a_program_is_an_algorithm_of_experiments() {
    let folder = programs();
    folder.copy("examples/programs/mct.py", "mct.py");
    let Some(python) = installed("python3") else { return };
    let mct = format!("cmd:{} mct.py", python.display());
    let experiment = |base: &str, program: &str| {
        format!(
            "name = \"own\"\nreplications = 3\nalgorithms = [\"mct-batch\", \"{program}\"]\n\
             metrics = [\"makespan\"]\n[base]\n{base}\n"
        )
    };
    folder.write("grid-own.toml", experiment("scenario = \"grid.toml\"", &mct));
    let etc = "subject = \"etc\"\nset = { class = \"U1-100\", tasks = 20, hosts = 4 }";
    folder.write("etc-own.toml", experiment(etc, &mct).replace("mct-batch", "mct"));
    for file in ["grid-own.toml", "etc-own.toml"] {
        let run = |threads: u32| {
            let result = format!("{file}-{threads}.jsonl");
            let words = format!("experiment {file} --result {result} --threads {threads} --quiet");
            folder.run(&words).ends(0);
            folder.read(&result)
        };
        assert_eq!(run(1), run(2), "{file}");
        let done = folder.run(&format!("experiment {file} --result {file}-1.jsonl --format json"));
        let done = done.ends(0).json();
        let mean = |at: usize| done["points"][0]["metrics"][0]["algorithms"][at]["mean"].clone();
        assert!(mean(0).is_number() && mean(0) == mean(1), "{done}");
    }
    for (program, part) in [
        ("cmd:exit 7", "ended (exit status: 7) without an answer"),
        ("cmd:echo hello", "'hello' is no answer"),
        ("cmd/0.2s:sleep 60", "no answer within 0.2 s"),
        ("cmd:", "the command is missing"),
    ] {
        folder.write("wrong.toml", experiment("scenario = \"grid.toml\"", program));
        folder.run("experiment wrong.toml --result w.jsonl --fresh --quiet").fails(2, &[part]);
        folder.write("wrong.toml", experiment(etc, program).replace("mct-batch", "mct"));
        folder.run("experiment wrong.toml --result w.jsonl --fresh --quiet").fails(2, &[part]);
    }
}

#[test]
fn wrong_programs_end_the_run_with_one_line() {
    let folder = programs();
    for (program, part) in [
        ("cmd:exit 7", "ended (exit status: 7) without an answer"),
        ("cmd:echo hello", "'hello' is no answer"),
        (r"cmd:printf '[[99\054 0]]\n'", "there is no task 99"),
        ("cmd:echo '[]'", "task 0 has no host"),
        ("cmd/0.2s:sleep 60", "no answer within 0.2 s"),
        ("cmd:", "the command is missing"),
    ] {
        let start = Instant::now();
        run(&folder, &["map", "odd.json", "-a", program]).fails(2, &[part]);
        run(&folder, &["compare", "odd.json", "-a", program]).fails(2, &[part]);
        if program != "cmd:echo '[]'" {
            run(&folder, &["simulate", "grid.toml", "--policy", program]).fails(2, &[part]);
        }
        assert!(start.elapsed().as_secs() < 30, "{program}");
    }
    // The child of a program that is silent is gone with it.
    run(&folder, &["map", "odd.json", "-a", "cmd/0.2s:(sleep 1; touch late) & sleep 60"])
        .fails(2, &["no answer"]);
    std::thread::sleep(std::time::Duration::from_millis(1300));
    assert!(!folder.path("late").exists());
}

#[test]
fn the_example_in_python_is_minimum_completion_time() {
    let Some(python) = installed("python3") else { return };
    let folder = programs();
    folder
        .copy("examples/programs/mct.py", "mct.py")
        .copy("examples/programs/turns.sh", "turns.sh");
    let program = format!("cmd:{} mct.py", python.display());
    let json =
        run(&folder, &["map", "demo.json", "-a", &format!("mct,{program}"), "--format", "json"])
            .ends(0)
            .json();
    assert_eq!(json["results"][0]["mapping"], json["results"][1]["mapping"]);
    let shell = run(&folder, &["map", "demo.json", "-a", "cmd:sh turns.sh", "--format", "json"])
        .ends(0)
        .json();
    assert_eq!(shell["results"][0]["mapping"].as_array().map(Vec::len), Some(2));
}

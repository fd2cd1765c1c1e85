//! Limits of time, size and gap.

use super::*;

#[test]
fn out_of_time_the_best_mapping_is_printed() {
    let folder = hard();
    for strategy in ["auto", "sat", "thesis"] {
        let run = folder.run(&format!(
            "solve hard.json --strategy {strategy} --time-limit 0 --format json \
                 --certificate cert.json"
        ));
        let answer = run.clone().json();
        assert_eq!((run.code, &answer["status"]), (Some(3), &json!("feasible")), "{strategy}");
        assert_eq!(answer["mapping"].as_array().map(Vec::len), Some(60), "{strategy}");
        assert!(answer["gap"].as_f64().expect("a number") > 0.0, "{strategy}");
        let verdict = folder.run("verify hard.json cert.json").ends(0);
        assert!(verdict.out.contains("lower bound"), "{strategy}: {verdict:?}");
    }
}

#[test]
fn time_limits_are_kept() {
    let run = hard().run("solve hard.json --strategy sat --time-limit 1 --format json");
    assert_eq!(run.code, Some(3), "{run:?}");
}

/// A campaign measures the CPU time of the process that obeys the limit.
#[cfg(unix)]
#[test]
fn limits_of_cpu_time_are_kept() {
    let folder = hard();
    assert_eq!(folder.run("solve hard.json --cpu-limit 0").code, Some(3));
    let words = "campaign hard.json --out r.jsonl --cpu-limit 0.5 --quiet -- --strategy sat";
    folder.run(words).ends(0);
    let row: Value = serde_json::from_str(&folder.read("r.jsonl")).expect("a row");
    assert_eq!((&row["status"], &row["time_limit"]), (&json!("feasible"), &json!(0.5)), "{row}");
    assert_eq!(row["options"], "--strategy sat --cpu-limit 0.5");
    let cpu = row["cpu_seconds"].as_f64().expect("a number");
    assert!((0.5..1.5).contains(&cpu), "{row}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_best_mapping() {
    let folder = hard();
    let words = "solve hard.json --strategy sat --format json";
    let start = std::time::Instant::now();
    let answer = interrupted(&folder, words, || start.elapsed().as_secs() >= 2);
    assert_eq!(answer["mapping"].as_array().map(Vec::len), Some(60));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::default();
    let mut command = folder.command("generate etc --tasks 4000 --hosts 50");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), &*err), (Some(0), ""));
}

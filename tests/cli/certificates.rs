//! Certificates written by `solve` and checked by `verify`.

use super::*;

/// A folder with an instance, its certificate and its proof.
fn certified(name: &str) -> Folder {
    let folder = folder();
    let run = folder
        .run(&format!("solve {name}.json --strategy sat --format json --certificate cert.json"));
    assert_eq!(run.ends(0).json()["certificate"], "cert.json");
    folder
}

fn certificate(folder: &Folder) -> Value {
    serde_json::from_str(&folder.read("cert.json")).expect("JSON")
}

#[track_caller]
fn accepts(folder: &Folder, name: &str) {
    let run = folder.run(&format!("verify {name}.json cert.json")).ends(0);
    assert!(run.out.starts_with("ACCEPTED: ") && run.out.contains("is optimal"), "{run:?}");
}

#[track_caller]
fn rejects(folder: &Folder, name: &str, reason: &str) {
    let run = folder.run(&format!("verify {name}.json cert.json")).ends(1);
    assert!(run.out.starts_with("REJECTED: cert.json: "), "{run:?}");
    assert!(run.out.contains(reason), "no '{reason}' in {}", run.out);
    let run = folder.run(&format!("verify {name}.json cert.json --format json")).ends(1);
    let verdict = run.json();
    assert_eq!((&verdict["accepted"], &verdict["optimal"]), (&json!(false), &json!(false)));
    assert!(verdict["reason"].as_str().expect("text").contains(reason));
}

#[track_caller]
fn rejects_changed(name: &str, reason: &str, change: impl FnOnce(&mut Value)) {
    let folder = certified(name);
    let mut content = certificate(&folder);
    change(&mut content);
    folder.write("cert.json", content.to_string());
    rejects(&folder, name, reason);
}

#[test]
fn good_ones_are_accepted() {
    accepts(&certified("demo"), "demo");
    accepts(&certified("even"), "even");
    let odd = certified("odd");
    accepts(&odd, "odd");
    assert!(odd.list().contains(&"cert.lrat".to_owned()));
    let csv = odd.run("verify odd.json cert.json --format csv").ends(0).out;
    assert_eq!(csv, "accepted,makespan,lower_bound,optimal,rounded\ntrue,10,10,true,false\n");
    let json = odd.run("verify odd.json cert.json --format json").ends(0).json();
    assert_eq!((&json["accepted"], &json["optimal"]), (&json!(true), &json!(true)));
}

#[test]
fn a_changed_mapping_is_rejected() {
    rejects_changed("odd", "makespan is claimed", |c| c["mapping"] = json!([0, 0, 0]));
    rejects_changed("odd", "host 2", |c| c["mapping"] = json!([0, 1, 2]));
    rejects_changed("odd", "2 tasks", |c| c["mapping"] = json!([0, 1]));
}

#[test]
fn a_changed_claim_is_rejected() {
    rejects_changed("odd", "lower bound", |c| c["lower_bound"] = json!(9));
    rejects_changed("odd", "lower bound", |c| c["steps"] = json!([]));
    rejects_changed("odd", "step 0", |c| c["steps"][0]["k"] = json!(10));
    rejects_changed("even", "step 0", |c| c["steps"][0]["weights"] = json!([1, 0]));
    rejects_changed("demo", "step 0", |c| c["steps"][0]["task"] = json!(1));
    rejects_changed("odd", "version", |c| c["version"] = json!(2));
}

#[test]
fn a_changed_encoding_is_rejected() {
    rejects_changed("odd", "step 0", |c| c["steps"][0]["encoding"] = json!("thesis"));
    rejects_changed("odd", "step 0", |c| c["steps"][0]["encoding"] = json!("magic"));
}

#[test]
fn a_changed_instance_is_rejected() {
    let folder = certified("odd");
    folder.write("odd.json", example("odd.json").replacen('5', "4", 1));
    rejects(&folder, "odd", "SHA-256");
    folder.write("odd.json", example("demo.json"));
    rejects(&folder, "odd", "the instance has 2");
}

#[test]
fn a_changed_proof_is_rejected() {
    let folder = certified("odd");
    let proof = folder.read("cert.lrat");
    let lines: Vec<_> = proof.lines().collect();
    let shorter = lines[..lines.len() - 1].join("\n") + "\n";
    folder.write("cert.lrat", &shorter);
    rejects(&folder, "odd", "SHA-256");
    // The same with the right digest, so that the proof itself must be rejected.
    let mut content = certificate(&folder);
    content["steps"][0]["proof_sha256"] = json!(sha256_hex(shorter.as_bytes()));
    folder.write("cert.json", content.to_string());
    rejects(&folder, "odd", "step 0");
    std::fs::remove_file(folder.path("cert.lrat")).expect("removable");
    rejects(&folder, "odd", "cannot read proof");
}

#[test]
fn a_mapping_is_checked_without_a_claim() {
    let folder = folder();
    folder.write("good", "1\n0\n").write("bad", "2 0").write("worse", "one\n");
    folder.write("list.json", "[1, 0]");
    folder.write("lie.json", r#"{"mapping": [1, 0], "makespan": 5.4}"#);
    for name in ["good", "list.json"] {
        let run = folder.run(&format!("verify demo.json {name}")).ends(0);
        assert!(run.out.starts_with("ACCEPTED: mapping with makespan 5.5"), "{run:?}");
    }
    for name in ["bad", "lie.json"] {
        let run = folder.run(&format!("verify demo.json {name}")).ends(1);
        assert!(run.out.starts_with("REJECTED: "), "{run:?}");
    }
    folder.run("verify demo.json worse").fails(2, &["worse: ", "line 1", "one"]);
    folder.run("verify demo.json missing").fails(2, &["missing: "]);
}

#[test]
fn the_answer_of_solve_is_a_mapping_too() {
    let folder = folder();
    folder.run("solve demo.json --format json --output answer.json").ends(0);
    folder.run("verify demo.json answer.json").ends(0);
}

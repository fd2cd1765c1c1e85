//! Certificates written by `solve` and checked by `verify`.

use std::fs;
use std::io::Write;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use gridsat_test_support::outside::installed;

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
    // A proof that is right but another than the certificate's.
    folder.write("cert.lrat", proof.clone() + "\n");
    rejects(&folder, "odd", "SHA-256");
    let shorter = lines[..lines.len() - 1].join("\n") + "\n";
    folder.write("cert.lrat", &shorter);
    rejects(&folder, "odd", "step 0");
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

/// The second checker, if there is a Python to run it.
fn second_checker(folder: &Folder, words: &str) -> Option<Run> {
    let mut command = Command::new(installed("python3")?);
    command.args(["-S", "-E", "-B"]).arg(project("gridsat-check.py"));
    Some(Run::of(command.args(words.split(' ')).current_dir(folder.path("."))))
}

/// Every formula is built by both checkers, clause by clause; a proof of another formula, a damaged
/// one and one with another hash are rejected by both.
#[test]
fn both_checkers_build_the_same_formulas() {
    let folder = Folder::default();
    fs::copy(project("instances/jobcorr_12x4.txt"), folder.path("a.txt")).expect("readable");
    let loads = ["adder", "bdd", "totalizer", "counter", "window"];
    let mut forms = vec!["--encoding thesis".to_owned()];
    for (load, at_most_one) in iproduct(&loads, &["pairwise", "ladder", "product", "commander"]) {
        forms.push(format!("--encoding {load} --at-most-one {at_most_one}"));
    }
    for form in forms {
        let words = format!("solve a.txt --strategy sat {form} --certificate c.json -o plan.txt");
        folder.run(&words).ends(0);
        let Some(run) = second_checker(&folder, "a.txt c.json") else { return };
        assert_eq!(run.out, "accepted: makespan 167 is optimal\n", "{form}: {run:?}");
    }
    let proof = folder.read("c.lrat");
    let certificate = folder.read("c.json");
    let half = &proof[..proof.len() / 2];
    let hash = |text: &str| sha256_hex(text.as_bytes());
    let other_form = certificate.replace("\"window\"", "\"bdd\"");
    let other_hash = certificate.replace(&hash(&proof), &hash(half));
    assert!(other_form != certificate && other_hash != certificate);
    for (certificate, proof) in
        [(&other_form, &proof[..]), (&other_hash, &proof[..]), (&other_hash, half)]
    {
        folder.write("c.json", certificate);
        folder.write("c.lrat", proof);
        folder.run("verify a.txt c.json").ends(1);
        let second = second_checker(&folder, "a.txt c.json").expect("as before");
        assert_eq!(second.code, Some(1), "{second:?}");
    }
}

fn iproduct<'a>(a: &'a [&str], b: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
    a.iter().flat_map(move |&x| b.iter().map(move |&y| (x, y)))
}

/// Both checkers read every format of instances, and print times in its unit.
#[test]
fn both_checkers_read_every_format() {
    let folder = Folder::default();
    let matrix = "4 7 inf\n5.5 3 8\n2.25 6 1\n9 4 4\n";
    let rows = |separator: &str| matrix.replace(' ', separator);
    folder.write("plain.csv", rows(",").replace("inf", ""));
    folder.write("comma.csv", rows(";").replace('.', ","));
    let named = "task,a,b,c\nw,4,7,x\nx,5.5,3,8\ny,2.25,6,1\nz,9,4,4\n";
    folder.write("named.csv", named);
    folder.write("ready.csv", named.replacen('\n', "\nready,0.5,1,0\n", 1));
    folder.write("numbers.csv", "7,8,9\n4,7,2\n5,3,8\n");
    folder.write("braun.hcsp", format!("4 3\n{}", matrix.replace(' ', "\n")));
    folder.write("rcmax.txt", "3\n2\n4\t7\n5\t3\n2\t6\n");
    folder.write("equal.pcmax", "p p_cmax 5 3\n40 25 25 20 10\n0\n");
    folder.write(
        "lists.json",
        r#"{"tasks": [12.5, 3, 4, 7], "hosts": [{"name": "big",
        "speed": 2, "count": 2, "ready": 3}, {"speed": "4/3", "count": 2}, {}]}"#,
    );
    folder.write(
        "qos.json",
        r#"{"etc": [[4, 5], [2, 6]], "qos": {"tasks": [1], "hosts": [0, 1]}}"#
            .replace("[1]", "[1, 0]"),
    );
    folder.write("list.csv", "task,time\na,12.5\nb,3\nc,4\nd,6\n");
    folder.write("hosts.csv", "name,speed,count\nbig,2,2\nsmall,1,3\n");
    let cases = [
        ("plain.csv", ""),
        ("comma.csv", ""),
        ("named.csv", ""),
        ("ready.csv", "--ready-row"),
        ("numbers.csv", "--header no"),
        ("numbers.csv", "--header yes"),
        ("braun.hcsp", ""),
        ("rcmax.txt", ""),
        ("equal.pcmax", ""),
        ("lists.json", ""),
        ("qos.json", ""),
        ("list.csv", "--hosts 3"),
        ("list.csv", "--hosts hosts.csv"),
    ];
    for (file, options) in cases {
        let words = format!("{file} {options}");
        let solved = folder.run(&format!("solve {words} --certificate c.json -o plan.txt"));
        let first = folder.run(&format!("verify {words} c.json"));
        assert_eq!((solved.code, first.code), (Some(0), Some(0)), "{words}: {first:?}");
        let hosts = if options.ends_with("csv") { " --hosts hosts.csv" } else { "" };
        let Some(second) = second_checker(&folder, &format!("{file} c.json{hosts}")) else {
            return;
        };
        let said = |text: &str| text.split(" (").next().map(|text| text.trim().to_lowercase());
        assert_eq!(said(&second.out), said(&first.out), "{words}: {second:?}");
        let other = folder.read("c.json").replace("\"sha256\": \"", "\"sha256\": \"0");
        folder.write("other.json", other);
        let run = second_checker(&folder, &format!("{file} other.json{hosts}"));
        assert_eq!(run.map(|run| run.code), Some(Some(1)), "{words}");
    }
}

/// A folder with three instances and a certificate beside each: by its name, by the name of the
/// whole file, and both compressed.
fn collection() -> Folder {
    let folder = Folder::with("demo.json odd.json even.json");
    for (instance, certificate) in [
        ("odd.json", "odd.certificate.json"),
        ("even.json", "even.json.certificate.json"),
        ("demo.json", "demo.certificate.json"),
    ] {
        let words = "--strategy sat --output plan --quiet";
        folder.run(&format!("solve {instance} --certificate {certificate} {words}")).ends(0);
    }
    for name in ["demo.json", "demo.certificate.json"] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(folder.read(name).as_bytes()).expect("memory");
        fs::write(folder.path(&format!("{name}.gz")), packed.finish().expect("memory"))
            .expect("a file");
        fs::remove_file(folder.path(name)).expect("removable");
    }
    folder
}

#[test]
fn certificates_beside_their_instances_are_checked_together() {
    let folder = collection();
    let all = "odd.certificate.json even.json.certificate.json demo.certificate.json.gz";
    let run = folder.run(&format!("verify {all}")).ends(0);
    assert_eq!(run.out.matches(" optimal").count(), 4, "{run:?}");
    assert!(run.out.ends_with("3 of 3 accepted, 3 of them optimal\n"), "{run:?}");
    let lines = folder.run(&format!("verify {all} --format jsonl")).ends(0).out;
    assert_eq!(lines.matches("\"accepted\":true").count(), 3, "{lines}");
    folder.run("verify demo.certificate.json.gz").ends(0);
    folder.run("verify demo.json.gz demo.certificate.json.gz").ends(0);
    let csv = folder.run("verify odd.json odd.certificate.json odd.certificate.json --format csv");
    assert_eq!(csv.ends(0).out.lines().count(), 3);
    folder.run(&format!("verify {all} --format json")).fails(2, &["--format jsonl"]);
    folder.run(&format!("verify {all} --explain")).fails(2, &["for one certificate"]);
    // One that is wrong and one without an instance do not stop the others.
    let wrong = folder.read("odd.certificate.json").replacen("\"version\": 1", "\"version\": 2", 1);
    folder.write("odd.certificate.json", wrong);
    folder.write("lost.json", folder.read("even.json.certificate.json"));
    let run = folder.run(&format!("verify {all} lost.json"));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("REJECTED: odd.certificate.json: format version is 2"), "{run:?}");
    assert!(run.out.ends_with("2 of 4 accepted, 2 of them optimal\n"), "{run:?}");
    assert!(run.err.contains("lost.json: no instance 'lost.…' beside it"), "{run:?}");
}

#[test]
fn a_certificate_without_an_instance_is_an_error() {
    let folder = collection();
    folder.run("verify odd.json").fails(2, &["not a certificate", "gridsat verify FILE CERT"]);
    folder.run("verify missing.json").fails(2, &["missing.json: "]);
    folder.write("odd.csv", "1,2\n");
    let ambiguous = ["may be its instance: odd.csv, odd.json"];
    folder.run("verify odd.certificate.json").fails(2, &ambiguous);
}

#[test]
fn explanations_have_the_numbers_that_were_compared() {
    let folder = collection();
    let run = folder.run("verify demo.json.gz demo.certificate.json.gz --explain").ends(0);
    let words = run.out.replace('\n', " ");
    assert!(
        words.contains("by longest task. Alone, task render ends at 5.5 at the earliest"),
        "{words}"
    );
    let run = folder.run("verify even.json.certificate.json --explain").ends(0);
    let words = run.out.replace('\n', " ");
    assert!(words.contains("by host weights") && words.contains(" less."), "{words}");
    let json = folder.run("verify even.json.certificate.json --explain --format json").ends(0);
    assert_eq!(json.json()["explanation"].as_array().map(Vec::len), Some(2));
    let run = folder.run("verify odd.json odd.certificate.json --explain").ends(0);
    let words = run.out.replace('\n', " ");
    assert!(words.contains("the LRAT proof odd.certificate.lrat refutes it"), "{words}");
    folder.write("good", "0 1\n");
    folder.run("verify demo.json.gz good --explain").fails(2, &["leave out --explain"]);
}

/// Certificates of batches can be checked on their own; they do not change the simulation.
#[test]
fn certificates_of_simulated_batches_are_kept() {
    let folder = Folder::with("grid.toml lublin.toml");
    let plain = folder.run("simulate grid.toml --policy sat --no-times").ends(0).out;
    let kept = folder.run("simulate grid.toml --policy sat --no-times --certificates kept").ends(0);
    assert_eq!(kept.out, plain);
    let run = folder
        .run("verify kept/s0-000001.certificate.json kept/s0-000002.certificate.json")
        .ends(0);
    assert!(run.out.ends_with("2 of 2 accepted, 2 of them optimal\n"), "{run:?}");
    folder.run("simulate grid.toml --certificates kept").fails(2, &["not empty"]);
    folder.run("simulate lublin.toml --certificates other").fails(2, &["not for a scenario of"]);
    assert!(!folder.path("other").exists());
}

//! The program: determinism.

use super::*;

/// Everything that a run writes, by name.
fn written(words: &str) -> Vec<(String, String)> {
    let folder = folder();
    let reference = project("instances/reference/u_c_lolo_9x3.json");
    folder.write("ref.json", std::fs::read(reference).expect("readable"));
    folder.write("stdout", folder.run(words).ends(0).out);
    folder.list().into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}

#[test]
fn equal_runs_write_equal_bytes() {
    for words in [
        "solve ref.json --strategy sat --no-times --certificate c.json --gantt g.svg",
        "solve ref.json --no-times --format json --certificate c.json",
        "solve ref.json --strategy thesis --no-times --format json --certificate c.json",
        "solve ref.json --strategy sat --no-times --format csv --certificate c.pbp",
        "map ref.json --no-times",
        "map ref.json --no-times --format json",
    ] {
        let first = written(words);
        assert_eq!(first, written(words), "{words}");
        let proofs = ["c.json", "c.pbp"];
        let proof = first.iter().any(|(name, _)| proofs.contains(&&**name));
        assert_eq!(proof, words.starts_with("solve"), "{words}");
    }
}

//! The same command gives the same bytes.

use super::*;

/// The output of a run, and all files that exist after it, by name.
fn written(words: &str) -> Vec<(String, String)> {
    let folder = Folder::with("small.toml stuck.toml");
    folder.copy("instances/reference/u_c_lolo_9x3.json", "ref.json");
    folder.write("stdout", folder.run(words).out);
    folder.list().into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}

#[test]
fn equal_runs_write_equal_bytes() {
    let files = "--jobs j.csv --events e.log --gantt g.svg";
    for (words, count) in [
        ("solve ref.json --strategy sat --certificate c.json --gantt g.svg", 3),
        ("solve ref.json --format json --certificate c.json", 1),
        ("solve ref.json --strategy thesis --format json --certificate c.json", 2),
        ("solve ref.json --strategy sat --format csv --certificate c.pbp", 2),
        ("map ref.json", 0),
        ("map ref.json --format json", 0),
        (&format!("simulate small.toml {files}"), 3),
        (&format!("simulate small.toml --format json --policy sat {files}"), 3),
        (&format!("simulate stuck.toml --format csv {files}"), 3),
    ] {
        let words = format!("{words} --no-times");
        let first = written(&words);
        assert_eq!(first, written(&words), "{words}");
        assert_eq!(first.len(), 4 + count, "{words}");
    }
}

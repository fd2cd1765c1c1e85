//! The command `experiment claims`.

use super::*;

const WORDS: &str = "experiment claims --only C13,C20 --quiet --results kept";

#[test]
fn every_form_has_all_statements() {
    let folder = folder();
    let table = folder.run(WORDS).ends(0).out;
    assert!(table.contains("4 published statements: 3 reproduced, 1 refuted"), "{table}");
    let json = folder.run(&format!("{WORDS} --format json")).ends(0).json();
    let rows = json["rows"].as_array().expect("a list");
    let claims: Vec<_> = rows.iter().filter_map(|row| row["claim"].as_str()).collect();
    assert_eq!(claims, ["C13a", "C13b", "C20a", "C20b"]);
    assert_eq!(rows[0]["verdict"], "refuted");
    assert_eq!(json["seconds"], serde_json::json!({}), "nothing was run the second time");
    let csv = folder.run(&format!("{WORDS} --format csv")).ends(0).out;
    assert_eq!(csv.lines().count(), 5, "{csv}");
}

/// The page is the same from stored results and from fresh runs, with any number of threads.
#[test]
fn the_page_is_the_same_twice() {
    let folder = folder();
    folder.run(&format!("{WORDS} --output one.md")).ends(0);
    let page = folder.read("one.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| C")).collect();
    assert_eq!(rows.len(), 4, "{page}");
    assert!(
        page.contains("\ngridsat experiment claims --only C13,C20 --output one.md\n"),
        "{page}"
    );
    folder.run(&format!("{WORDS} --fresh --threads 1 --output one.md")).ends(0);
    assert_eq!(page, folder.read("one.md"));
}

/// Before, how much there is to do; after, how long it took and where everything is.
#[test]
fn says_how_long_it_takes_and_where_it_writes() {
    let folder = folder();
    let words = "experiment claims --only C13,C20 --results kept --output page.md -v";
    let first = folder.run(words).err;
    for part in [
        "gridsat: 2 experiments with 25 runs; results in kept\n",
        "gridsat: this takes about a second with ",
        "2/2 gridsim-table (",
        " s in all; results in kept, verdicts in page.md\n",
    ] {
        assert!(first.contains(part), "{first}");
    }
    let again = folder.run(words).err;
    let expected = "gridsat: 0 experiments with 0 runs, 2 more were done before; results in kept\n";
    assert!(again.contains(expected) && !again.contains("takes"), "{again}");
    let table = folder.run("experiment claims --only C13,C20 --fresh --results kept").ends(0);
    let [.., one, other, total] = &table.out.lines().collect::<Vec<_>>()[..] else { panic!() };
    let seconds = |line: &str| {
        let (_, text) = line.split_once(": ").expect("a time");
        text.trim_end_matches(" s").parse::<f64>().expect("seconds")
    };
    assert!(total.starts_with("total: "), "{}", table.out);
    assert!((seconds(total) - seconds(one) - seconds(other)).abs() < 0.16, "{}", table.out);
}

#[test]
fn few_runs_decide_nothing() {
    let folder = folder();
    let words = "experiment claims --only c22 --quick --quiet --format csv";
    let out = folder.run(words).ends(0).out;
    assert!(out.contains(",undecidable (too few runs),"), "{out}");
    assert!(folder.read("gridsat-results/workload-shares-quick.jsonl").ends_with("\"runs\":24}\n"));
}

#[test]
fn what_cannot_be() {
    let folder = folder();
    let unknown = "--only: no claim 'C30'; did you mean 'C3'? known: C1, C2,";
    folder.run("experiment claims --only C30").fails(2, &[unknown]);
    folder.run("experiment claims --algorithms mct").fails(2, &["--algorithms"]);
    folder.run("experiment qos-share --only C1").fails(2, &["--only"]);
}

//! The command `compare`.

use super::*;

fn rows(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn the_optimum_first_then_heuristics_as_listed() {
    let run = folder().run("compare demo.json --algorithm mct,olb --format csv --no-times").ends(0);
    let rows = rows(&run.out);
    let start: Vec<_> = rows.iter().map(|row| row[..4].join(",")).collect();
    assert_eq!(start, ["optimum,5.5,1,5.5", "mct,5.5,1,5.5", "olb,14,2.545455,14"]);
    assert!(rows.iter().all(|row| row[row.len() - 2].is_empty()), "{}", run.out);
}

#[test]
fn every_heuristic_in_every_form() {
    let folder = folder();
    let table = folder.run("compare demo.json --replications 2").ends(0).out;
    assert!(table.starts_with("demo: 2 tasks on 3 hosts"), "{table}");
    assert!(table.contains("Optimal makespan 5.5, proven; ratios are to the optimum."), "{table}");
    assert_eq!(table.matches(" equal ").count(), 17, "{table}");
    let json = folder.run("compare demo.json --format json --no-times").ends(0).json();
    assert_eq!((&json["optimal"], &json["replications"]), (&json!(true), &json!(10)));
    for row in json["results"].as_array().expect("a list") {
        let number = |key: &str| row[key].as_f64().expect("a number");
        assert_eq!(row["makespan"], row["replayed"]);
        assert_eq!(number("makespan"), number("shared_makespan"));
        assert!(number("loaded_worst_ratio") >= number("loaded_ratio"));
        assert!(number("loaded_ratio") > 1.0 && row.get("seconds").is_none());
    }
}

#[test]
fn an_open_gap_is_said() {
    let words = "compare hard.json --time-limit 0 --algorithm mct --replications 1 --output t";
    let folder = hard();
    folder.run(words).ends(0);
    let table = folder.read("t");
    assert!(table.contains("ratios are to that bound"), "{table}");
    assert!(table.contains("best found") && !table.contains("Optimal"), "{table}");
}

#[test]
fn equal_seeds_print_equal_bytes() {
    let folder = hard();
    let words = "compare hard.json --gap 0.5 --no-times --replications 2 --format json --seed";
    let run = |seed: &str| folder.run(&format!("{words} {seed}")).ends(0).out;
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn policies_in_a_scenario() {
    // 18 MI on 3 MIPS.
    let folder = Folder::with("grid.toml");
    let table = folder.run("compare grid.toml").ends(0).out;
    assert!(
        table.contains("Lower bound 6.000 s on the makespan, even without local load; ratios"),
        "{table}"
    );
    assert!(table.contains("own (minmin)") && !table.contains("qgmm"), "{table}");
    assert!(table.contains("batches proven"), "{table}");
    let csv = folder.run("compare grid.toml --policy own,mct,sat --format csv --no-times").ends(0);
    let rows = rows(&csv.out);
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["own", "mct", "sat"]);
    let json = folder.run("compare grid.toml --format json --no-times --replications 3").ends(0);
    let json = json.json();
    assert_eq!((&json["jobs"], &json["seed"]), (&json!(3), &json!(1)));
    for row in json["results"].as_array().expect("a list") {
        assert!(row["ratio"]["mean"].as_f64().expect("done") >= 1.0, "{row}");
        // This scenario has no randomness.
        assert_eq!(row["makespan"]["deviation"], json!(0.0), "{row}");
    }
}

/// Unfinished jobs must not look like a success.
#[test]
fn a_run_that_stops_early_has_no_ratio() {
    let folder = Folder::default();
    folder.write("grid.toml", example("grid.toml") + "\n[stop]\njobs = 1\n");
    let csv = folder.run("compare grid.toml --policy mct --format csv --no-times").ends(0);
    let row = &rows(&csv.out)[0];
    assert_eq!((row[3], row[row.len() - 2]), ("", "2 of 3 jobs not done"), "{}", csv.out);
}

/// The same keys in JSON, distinguished from an instance by content.
#[test]
fn json_is_what_its_keys_say() {
    let folder = Folder::with("grid.json");
    let csv = folder.run("compare grid.json --policy mct --format csv --no-times").ends(0);
    assert!(csv.out.contains("\nmct,3,,1,"), "{}", csv.out);
    folder.run("compare grid.json --from json").fails(2, &["grid.json"]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::with("demo.json grid.toml");
    folder.write("bad.toml", "name = ").write("bad.json", "{ resource");
    folder.run("compare demo.json --policy mct").fails(2, &["--policy is for scenarios"]);
    folder.run("compare grid.toml --gap 0.1").fails(2, &["--gap is for instances", "grid.toml"]);
    folder.run("compare grid.toml --algorithm mct").fails(2, &["--algorithm is for instances"]);
    folder.run("compare grid.toml --policy mct,minimax").fails(2, &["minimax", "minmin"]);
    folder.run("compare demo.json --algorithm minimax").fails(2, &["'minimax'"]);
    folder.run("compare demo.json --replications 0").fails(2, &["--replications"]);
    folder.run("compare grid.toml --policy fixed").fails(2, &["mapping"]);
    folder.run("compare bad.toml").fails(2, &["bad.toml"]);
    folder.run("compare bad.json").fails(2, &["bad.json"]);
    folder.run("compare none.toml").fails(2, &["none.toml"]);
    folder.run("compare none.json").fails(2, &["none.json"]);
}

/// The cells of the first line that starts with this word, separated by two blanks.
fn cells<'a>(table: &'a str, start: &str) -> Vec<&'a str> {
    let line = table.lines().find(|line| line.trim_start().starts_with(start)).expect("a line");
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// A quantity looks the same in both commands, and every column has a title.
#[test]
fn units_and_digits_are_those_of_simulate() {
    let folder = Folder::with("grid.toml lublin.toml");
    for (file, names) in
        [("grid.toml", ["makespan", "utilisation"]), ("lublin.toml", ["makespan", "utilisation"])]
    {
        let one = folder.run(&format!("simulate {file} --no-times")).ends(0).out;
        let all = folder.run(&format!("compare {file} --policy own")).ends(0).out;
        let (head, row) = (cells(&all, "policy "), cells(&all, "own"));
        for name in names {
            let column = head.iter().position(|cell| cell.starts_with(name)).expect("a column");
            let unit = head[column].strip_prefix(name).expect("its name");
            let unit = unit.trim_start_matches(" (").trim_end_matches(')');
            let shown = format!("{} {unit}", row[column]);
            assert_eq!(cells(&one, name)[1], shown.trim(), "{file}: {name}\n{one}\n{all}");
        }
    }
    let all = folder.run("compare grid.toml").ends(0).out;
    assert_eq!(cells(&all, "policy ").last(), Some(&"notes"), "{all}");
}

#[test]
fn an_economy_shows_money_and_missed_deadlines() {
    let folder = Folder::default();
    folder.run("generate scenario --template gridsim-economy -o eco.toml").ends(0);
    let table = folder.run("compare eco.toml --policy own,mct").ends(0).out;
    for column in ["spent", "missed deadline", "not affordable"] {
        assert!(cells(&table, "policy ").contains(&column), "{table}");
    }
    let json = folder.run("compare eco.toml --policy own --format json").ends(0).json();
    let alone = folder.run("simulate eco.toml --format json").ends(0).json();
    let (row, economy) = (&json["results"][0], &alone["economy"]);
    assert_eq!(row["missed_deadline"]["mean"].as_f64(), economy["missed_deadline"].as_f64());
    assert_eq!(row["spent"]["mean"].as_f64(), economy["spent"].as_f64());
}

//! The command `map`.

use super::*;

const NAMES: [&str; 16] = [
    "olb",
    "met",
    "mct",
    "minmin",
    "maxmin",
    "sufferage",
    "duplex",
    "sufferage-rounds",
    "xsufferage",
    "xsufferage-passes",
    "qgmm",
    "fcfs",
    "fjfr",
    "fjbr",
    "minmax",
    "maxmax",
];

#[test]
fn all_algorithms_in_every_form() {
    let folder = folder();
    let table = folder.run("map demo.json").ends(0);
    assert!(table.out.starts_with("demo: 2 tasks on 3 hosts"), "{}", table.out);
    assert!(table.out.contains("Min-Min"), "{}", table.out);
    let csv = folder.run("map demo.json --format csv --no-times --algorithm all").ends(0);
    let rows: Vec<_> = csv.out.lines().skip(1).collect();
    let names: Vec<_> = rows.iter().map(|row| row.split(',').next().expect("name")).collect();
    assert_eq!(names, NAMES);
    let json = folder.run("map demo.json --format json").ends(0).json();
    let results = json["results"].as_array().expect("a list");
    assert!(results.iter().all(|row| row["makespan"].as_f64().expect("a number") >= 5.5));
}

#[test]
fn chosen_algorithms_in_the_order_given() {
    let run = folder().run("map demo.json --algorithm mct,olb --format csv --no-times").ends(0);
    assert_eq!(run.out, "algorithm,makespan,seconds,interrupted\nmct,5.5,,false\nolb,14,,false\n");
}

#[test]
fn unknown_algorithms_are_named_with_the_known_ones() {
    let folder = folder();
    folder.run("map demo.json --algorithm minimax").fails(2, &["'minimax'", "minmin, maxmin"]);
    folder.run("map demo.json --algorithm mct,").fails(2, &["''"]);
}

#[test]
fn the_best_is_drawn() {
    let folder = folder();
    folder.run("map demo.json --gantt best.svg").ends(0);
    assert!(folder.read("best.svg").contains("</svg>"));
}

#[test]
fn searches_run_within_their_budget_and_are_reproducible() {
    let folder = folder();
    folder.run("generate etc --tasks 30 --hosts 4 --output etc.json").ends(0);
    let command = "map etc.json -a searches --seed 3 --evaluations 500 --format json --no-times";
    let json = folder.run(command).ends(0).json();
    assert_eq!(json, folder.run(command).ends(0).json());
    assert_eq!(json["seed"], 3);
    let results = json["results"].as_array().expect("a list");
    assert_eq!(results.len(), gridsat_heuristics::search::all().len());
    for row in results {
        assert!(row["evaluations"].as_u64().expect("a count") <= 500, "{row}");
        folder.write("mapping.json", row["mapping"].to_string());
        let verdict = folder.run("verify etc.json mapping.json --format json").ends(0).json();
        assert_eq!(verdict["makespan"], row["makespan"], "{row}");
    }
}

#[test]
fn searches_stop_at_the_time_limit() {
    let folder = folder();
    folder.run("generate etc --tasks 200 --hosts 8 --output etc.json").ends(0);
    let run = folder.run("map etc.json --heuristic ga,ig --time-limit 0.5 --format json").ends(0);
    for row in run.json()["results"].as_array().expect("a list") {
        assert!(row["seconds"].as_f64() < Some(5.0), "{row}");
        assert!(row["evaluations"].as_u64() > Some(0), "{row}");
    }
    folder.run("map demo.json -a ga --time-limit=-1").fails(2, &["--time-limit"]);
}

/// Levels of service come from the file, also after it was converted: task 0 requests the higher
/// one and is mapped first.
#[test]
fn qos_levels_guide_qgmm() {
    let folder = folder();
    let text = r#"{"etc": [[4, 5], [2, 6]], "qos": {"tasks": [1, 0], "hosts": [1, 1]}}"#;
    folder.write("levels.json", text);
    folder.write("plain.json", r#"{"etc": [[4, 5], [2, 6]]}"#);
    let makespan = |words: &str| {
        let run = format!("map {words} --algorithm qgmm --format csv --no-times");
        folder.run(&run).ends(0).out.lines().nth(1).map(str::to_owned)
    };
    assert_eq!(makespan("plain.json").as_deref(), Some("qgmm,5,,false"));
    assert_eq!(makespan("levels.json").as_deref(), Some("qgmm,6,,false"));
    let note = "levels.csv: QoS levels are in the row and the column 'qos': --qos reads them";
    let run = folder.run("convert levels.json levels.csv");
    assert_eq!((run.code, run.err), (Some(0), format!("gridsat: {note}\n")));
    assert_eq!(makespan("levels.csv --qos").as_deref(), Some("qgmm,6,,false"));
    folder.run("convert levels.csv again.json --qos").ends(0);
    assert_eq!(makespan("again.json").as_deref(), Some("qgmm,6,,false"));
    folder.run("convert levels.json levels.hcsp").fails(2, &["cannot hold QoS levels"]);
    folder.run("generate etc --tasks 9 --hosts 4 --qos 40 --qos-hosts 25 --output q.json").ends(0);
    assert!(folder.read("q.json").contains("\"qos\": {\"tasks\": ["));
    folder.run("generate etc --qos 40 --forbidden 5").fails(2, &["--qos"]);
    folder.run("generate etc --qos-hosts 5").fails(2, &["--qos"]);
}

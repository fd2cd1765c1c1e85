//! The program: map.

use super::*;

const NAMES: [&str; 14] = [
    "olb",
    "met",
    "mct",
    "minmin",
    "maxmin",
    "sufferage",
    "duplex",
    "xsufferage",
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
    assert_eq!(run.out, "algorithm,makespan,seconds\nmct,5.5,\nolb,14,\n");
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

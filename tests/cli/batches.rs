//! Policies that map whole batches: what searches did, and what `sat` has proven, in every output.

use super::*;

/// Jobs of 3, 3, 2, 2, 2 seconds on two equal hosts: Min-Min ends at 7, the optimum at 6.
const FIVE: &str = "name = 'five'
[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 1
[etc]\nmatrix = [[3, 3], [3, 3], [2, 2], [2, 2], [2, 2]]\n";

fn five() -> Folder {
    let folder = Folder::default();
    folder.write("five.toml", FIVE);
    folder
}

#[test]
fn searches_are_policies_with_a_budget() {
    let folder = five();
    let makespan = |options: &str| {
        let json = folder.run(&format!("simulate five.toml {options} --format json")).ends(0);
        json.json()["makespan"].as_f64().expect("a number")
    };
    assert_eq!(makespan("--policy minmin"), 7.0);
    for policy in "ga sa gsa tabu aco ls-minmin ls-sufferage ig ls-maxmin ga-fitness".split(' ') {
        assert_eq!(makespan(&format!("--policy {policy}")), 6.0, "{policy}");
    }
    // The swap that helps is not the first step that is evaluated.
    assert_eq!(makespan("--policy ls-minmin --evaluations 1"), 7.0);
    let table = folder.run("simulate five.toml --policy ga --evaluations 700 --no-times").ends(0);
    let note =
        "note          main: 1 batches, 700 evaluations, 1 batches ended by the limit of 700";
    assert!(table.out.contains(note), "{}", table.out);
    let csv = folder.run("compare five.toml --policy minmin,ls-minmin --format csv --no-times");
    let out = csv.ends(0).out;
    assert!(out.contains("\nminmin,7,") && out.contains("\nls-minmin,6,"), "{out}");
}

#[test]
fn searches_on_an_instance_beside_the_optimum() {
    let folder = five();
    folder.write("five.json", r#"{"etc": [[3, 3], [3, 3], [2, 2], [2, 2], [2, 2]]}"#);
    let words = "compare five.json -a minmin,ls-minmin,ga,ls-olb --evaluations 5000 --format json";
    let json = folder.run(words).ends(0).json();
    let found: Vec<(&str, f64)> = json["results"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| Some((row["algorithm"].as_str()?, row["makespan"].as_f64()?)))
        .collect();
    // OLB: 3, 2, 2 on a, 3 and 2 on b; then as from Min-Min.
    let expected =
        [("optimum", 6.0), ("minmin", 7.0), ("ls-minmin", 6.0), ("ga", 6.0), ("ls-olb", 6.0)];
    assert_eq!(found, expected);
    let map = folder.run("map five.json -a ls-xsufferage,ls-qgmm,ga-fitness --format csv").ends(0);
    assert_eq!(map.out.matches(",6,").count(), 3, "{}", map.out);
    let bench = "bench --only u_c_hihi_16x4_1 -a ls-duplex,duplex --format csv --no-times";
    assert!(folder.run(bench).ends(0).out.contains("ls-duplex"));
}

#[test]
fn a_budget_of_nothing_or_for_nothing_is_refused() {
    let folder = five();
    folder
        .write("lublin.toml", example("lublin.toml"))
        .write("zero.toml", format!("{FIVE}[[scheduler]]\nevaluations = 0\n"));
    folder.run("simulate five.toml --evaluations 0").fails(2, &["--evaluations", "0"]);
    folder.run("simulate zero.toml").fails(2, &["zero.toml:11:", "evaluations is 0"]);
    folder.run("simulate lublin.toml --evaluations 9").fails(2, &["--evaluations is not for"]);
    folder.run("compare lublin.toml --evaluations 9").fails(2, &["--evaluations is for searches"]);
    folder.run("simulate five.toml --policy ls-minmon").fails(2, &["ls-minmin"]);
    folder.run("map five.toml -a ls-best").fails(2, &["'ls-best'"]);
}

/// Two batches: jobs of 8 and 4 MI at time 0, which end at 4 on hosts of 2 and 1 MIPS, and one of 6
/// MI at time 1. Both optima are certified.
#[test]
fn proofs_are_in_every_output() {
    let folder = Folder::with("grid.toml");
    let json = folder.run("simulate grid.toml --policy sat --format json").ends(0).json();
    let scheduler = &json["schedulers"][0];
    let found = [&scheduler["batches"], &scheduler["proven_batches"], &scheduler["largest_gap"]];
    assert_eq!(found, [&json!(2), &json!(2), &json!(0.0)]);
    assert_eq!(scheduler["note"], "2 of 2 batches proven optimal, largest gap 0.000 %");
    let of_batches = |text: &str| -> Vec<String> {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let first = rows[0].iter().position(|&column| column == "batches").expect("a column");
        rows.iter().map(|row| row[first..first + 3].join(",")).collect()
    };
    let csv = folder.run("simulate grid.toml --policy sat --format csv").ends(0).out;
    assert_eq!(of_batches(&csv), ["batches,proven_batches,largest_gap", "2,2,0"]);
    let csv = folder.run("simulate grid.toml --format csv").ends(0).out;
    assert_eq!(of_batches(&csv), ["batches,proven_batches,largest_gap", ",,"]);
    let json = folder.run("simulate grid.toml --format json").ends(0).json();
    assert!(json["schedulers"][0].get("batches").is_none());

    let words = "compare grid.toml --policy mct,sat --replications 2 --no-times";
    let table = folder.run(words).ends(0).out;
    assert!(table.contains("batches proven  largest gap"), "{table}");
    assert!(table.contains("100.00 ± 0.00 %"), "{table}");
    let json = folder.run(&format!("{words} --format json")).ends(0).json();
    assert_eq!(json["results"][1]["proven_batches"], json!({"mean": 1.0, "deviation": 0.0}));
    assert_eq!(json["results"][1]["largest_gap"], json!(0.0));
    assert!(json["results"][0].get("proven_batches").is_none());
    let csv = folder.run(&format!("{words} --format csv")).ends(0).out;
    let head = csv.lines().next().expect("a header");
    assert!(head.contains(",proven_batches,proven_batches_deviation,largest_gap,"), "{head}");
}

#[test]
fn experiments_and_reports_have_proofs_as_metrics() {
    let folder = Folder::with("grid.toml");
    let text = "title = 'Proofs'\nreplications = 2\nalgorithms = ['mct', 'sat', 'ig']\n\
                metrics = ['makespan', 'proven', 'largest_gap']\nbaseline = 'mct'\n\
                [base]\nscenario = 'grid.toml'\n";
    folder.write("proofs.toml", text);
    let csv = folder.run("experiment proofs.toml --format csv --quiet").ends(0).out;
    assert!(csv.contains("\n1,sat,7,100,0,"), "{csv}");
    assert!(csv.contains("\n1,mct,7,,,"), "{csv}");
    folder.run("report proofs.jsonl --no-gantt --quiet").ends(0);
    let page = folder.read("proofs.html");
    assert!(page.contains("batches proven optimal"), "no column of proofs");
    assert!(page.contains("largest gap of a batch to its optimum"));
}

/// Strategy and solver come from the scenario; each proves the same batch.
#[test]
fn strategies_by_the_scenario() {
    let folder = Folder::default();
    for strategy in ["auto", "sat"] {
        let more = format!("[[scheduler]]\npolicy = 'sat'\ngap = 0\nstrategy = '{strategy}'\n");
        folder.write("s.toml", format!("{FIVE}{more}"));
        let json = folder.run("simulate s.toml --format json").ends(0).json();
        assert_eq!(json["makespan"].as_f64(), Some(6.0), "{strategy}");
        assert_eq!(json["schedulers"][0]["proven_batches"], json!(1), "{strategy}");
    }
    folder.write("s.toml", format!("{FIVE}[[scheduler]]\nsolver = 'kissat -q'\n"));
    folder.run("simulate s.toml").fails(2, &["solver \"kissat -q\" is unknown; known: varisat"]);
}

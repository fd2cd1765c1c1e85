//! Every JSON output against its schema, and the pages that describe them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gridsat_test_support::schema::faults;

use super::*;

const FOLDER: &str = "docs/schema";

/// A folder with the files that the commands below read.
fn examples() -> Folder {
    let folder = Folder::with("demo.json odd.json grid.toml lublin.toml sweep.toml");
    folder.write("long.json", r#"{"etc": [[1e-7, 137.43642441124012], [1e9, 2.5]]}"#);
    folder.run("decide demo.json -k 6 -o answer").ends(10);
    folder.run("solve demo.json --certificate cert.json -o table").ends(0);
    folder.write("wrong", "[2, 2]");
    folder.write("list.csv", "task,time\na,3\nb,4\nc,\n");
    folder.run("campaign demo.json --out campaign.jsonl").ends(0);
    folder.run("generate scenario --template gridsim-economy -o eco.toml").ends(0);
    folder
}

/// Arguments that print JSON, and the name of its schema.
const OUTPUTS: [(&str, &str); 37] = [
    ("solve demo.json", "solution"),
    ("solve demo.json --explain", "solution"),
    ("solve demo.json --no-times --certificate c.json", "solution"),
    ("solve odd.json --strategy sat --extract oracle", "solution"),
    ("solve odd.json --strategy thesis --max-clauses 3", "solution"),
    ("solve odd.json --strategy thesis", "solution"),
    ("solve long.json --decimals 3 --quiet", "solution"),
    ("decide demo.json -k 6", "decision"),
    ("decide demo.json -k 1 --no-times", "decision"),
    ("decide odd.json -k 10 --time-limit 0", "decision"),
    ("decode demo.json -k 6 answer", "decoding"),
    ("verify demo.json cert.json", "verdict"),
    ("verify demo.json wrong", "verdict"),
    ("verify demo.json solution.json", "verdict"),
    ("map demo.json", "map"),
    ("map demo.json -a ga,mct --evaluations 10 --no-times", "map"),
    ("split list.csv --shards 2", "split"),
    ("split list.csv --target 5 --shard 1", "split"),
    ("compare demo.json", "comparison"),
    ("compare demo.json --no-times -a mct", "comparison"),
    ("compare grid.toml", "grid-comparison"),
    ("compare grid.toml --replications 2 --no-times", "grid-comparison"),
    ("compare eco.toml --policy own --no-times", "grid-comparison"),
    ("compare lublin.toml --policy own,easy", "cluster-comparison"),
    ("compare lublin.toml --policy fcfs --replications 2", "cluster-comparison"),
    ("bench --only 16x4_1 -a mct", "benchmark"),
    ("bench --only 16x4_1 -a mct,ga --evaluations 9 --versus mct --no-times", "benchmark"),
    ("bench --only jobcorr_16x4_1 -a mct --versus minmin", "benchmark"),
    ("experiment sweep.toml --quick --algorithms mct,tlmm", "experiment"),
    ("experiment sweep.toml -r 1 --algorithms mct,tlmm --fresh", "experiment"),
    ("campaign report campaign.jsonl", "campaign-report"),
    ("campaign report campaign.jsonl --by instance", "campaign-report"),
    ("experiment list", "experiment-list"),
    ("experiment claims --only C13,C20 --quiet", "claims"),
    ("experiment claims --only C13,C20 --quiet", "claims"),
    ("experiment claims --only C22 --quick --quiet", "claims"),
    ("solve demo.json --gap 0.9", "solution"),
];

fn schema(name: &str) -> Value {
    let path = project(FOLDER).join(format!("{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).expect("a schema")
}

/// The schemas in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("readable");
    let paths = entries.map(|entry| entry.expect("readable").path());
    paths.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

#[test]
fn the_schemas_are_those_of_the_types() {
    let folder = Folder::default();
    folder.run("schema made").ends(0);
    assert_eq!(names(&folder.path("made")), names(&project(FOLDER)), "see {FOLDER}");
    for name in names(&project(FOLDER)) {
        let file = format!("{name}.json");
        let (new, old) = (folder.path("made").join(&file), project(FOLDER).join(&file));
        let [new, old] = [new, old].map(|path| fs::read_to_string(path).expect("readable"));
        assert!(new == old, "{file}: 'gridsat schema {FOLDER}' writes it anew");
    }
}

#[test]
fn every_output_is_as_its_schema_says() {
    let folder = examples();
    let mut seen = BTreeSet::new();
    for (words, name) in OUTPUTS {
        let run = folder.run(&format!("{words} --format json"));
        if words == "solve demo.json" {
            folder.write("solution.json", &run.out);
        }
        let (value, schema) = (run.json(), schema(name));
        assert_eq!(faults(&schema, &value), [""; 0], "{words}");
        if name != "experiment-list" {
            assert_eq!(value["format"], schema["title"], "{words}");
            let version = if ["experiment", "claims"].contains(&name) { 2 } else { 1 };
            assert_eq!(value["format"], format!("gridsat-{name} {version}"), "{words}");
            assert!(run.out.starts_with("{\n  \"format\": "), "{words}: {}", run.out);
        }
        seen.insert(name.to_owned());
    }
    let row = serde_json::from_str(&folder.read("campaign.jsonl")).expect("one line");
    assert_eq!(faults(&schema("campaign"), &row), [""; 0]);
    seen.insert("campaign".to_owned());
    let run = folder.run("solve demo.json none.json --format jsonl");
    for (line, name) in run.out.lines().zip(["solution", "failure"]) {
        let value = serde_json::from_str(line).expect("JSON");
        assert_eq!(faults(&schema(name), &value), [""; 0], "{line}");
        seen.insert(name.to_owned());
    }
    assert_eq!(seen, names(&project(FOLDER)));
}

/// The validator detects every field that is removed, added or of another type.
#[test]
fn damage_is_noticed() {
    let folder = examples();
    let schema = schema("solution");
    let good = folder.run("solve odd.json --strategy sat --format json").ends(0).json();
    let keys: Vec<String> = good.as_object().expect("an object").keys().cloned().collect();
    let mut damaged = Vec::new();
    for key in &keys {
        let mut one = good.clone();
        one[key] = json!({ "strange": 1 });
        damaged.push(one);
        if key != "seconds" {
            let mut one = good.clone();
            one.as_object_mut().expect("an object").remove(key);
            damaged.push(one);
        }
    }
    for (place, value) in [
        ("/status", json!("best")),
        ("/format", json!("gridsat-solution 2")),
        ("/mapping/0", json!(-1)),
        ("/mapping/0", json!(0.5)),
        ("/assignment/0/task", json!(0)),
        ("/decisions/0/answer", json!("maybe")),
        ("/decisions/0", json!({})),
    ] {
        let mut one = good.clone();
        *one.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value;
        damaged.push(one);
    }
    let mut more = good.clone();
    more["unknown"] = json!(null);
    damaged.push(more);
    assert!(damaged.len() > 50, "{}", damaged.len());
    for one in damaged {
        assert_ne!(faults(&schema, &one), [""; 0], "{one}");
    }
}

/// The rows of a table: each field of the object, then the fields of its parts. A part with the
/// fields of an earlier one is not described again.
fn rows(schema: &Value, prefix: &str, seen: &mut Vec<Value>, rows: &mut Vec<String>) {
    let Some(properties) = schema["properties"].as_object() else { return };
    if seen.contains(&schema["properties"]) {
        return;
    }
    seen.push(schema["properties"].clone());
    for (name, field) in properties {
        let text = field["description"].as_str().unwrap_or_default().replace('\n', " ");
        assert!(!text.is_empty(), "{prefix}{name} is not described");
        rows.push(format!("| `{prefix}{name}` | {text} |"));
        self::rows(field, &format!("{prefix}{name}."), seen, rows);
        self::rows(&field["items"], &format!("{prefix}{name}[]."), seen, rows);
    }
}

/// docs/output.md has one section per format, with one row per field. Fields that are the same in
/// several formats are in one table before these sections; its third column names the formats.
#[test]
fn every_field_is_in_the_manual() {
    let page = fs::read_to_string(project("docs/output.md")).expect("readable");
    let table = |is_it: &dyn Fn(&str) -> bool| -> Vec<String> {
        let section = page.split("\n## ").find(|section| is_it(section)).expect("a section");
        section.lines().filter(|line| line.starts_with("| `")).map(str::to_owned).collect()
    };
    let common = table(&|section| section.starts_with("JSON of the other commands\n"));
    for name in names(&project(FOLDER)) {
        let schema = schema(&name);
        let title = schema["title"].as_str().expect("a title");
        let found = table(&|section| section.contains(&format!("`{title}`\n")));
        let (mut all, mut seen) = (Vec::new(), Vec::new());
        rows(&schema, "", &mut seen, &mut all);
        rows(&schema["items"], "[].", &mut seen, &mut all);
        let is_named = |line: &&String| {
            line.contains(&format!("`{name}`"))
                || line.ends_with("| all |") && name != "experiment-list"
        };
        let named: Vec<&String> = common.iter().filter(is_named).collect();
        let is_common = |row: &String| named.iter().any(|line| line.starts_with(row.as_str()));
        let (shared, expected): (Vec<String>, Vec<String>) = all.into_iter().partition(is_common);
        assert_eq!(found, expected, "{title}");
        assert_eq!(shared.len(), named.len(), "{title}: {named:?}");
    }
}

/// Arrays and objects of scalars are on one line, whatever names contain.
#[test]
fn a_row_stays_on_one_line() {
    let folder = Folder::default();
    let tasks = json!(["a \"[{,:\\", "b\\\"]}", "\u{e9}\n\u{1F680}"]);
    let instance = json!({ "etc": [[5, 5], [5, 5], [5, 5]], "tasks": tasks, "hosts": ["x", "y "] });
    folder.write("a.json", instance.to_string());
    let run = folder.run("solve a.json --format json --no-times").ends(0);
    let answer = run.json();
    let names: Vec<&Value> =
        answer["assignment"].as_array().expect("rows").iter().map(|row| &row["task"]).collect();
    assert_eq!(json!(names), tasks);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((lines[0], *lines.last().expect("a line")), ("{", "}"));
    for start in ["  \"mapping\": [", "  \"loads\": ["] {
        let line = lines.iter().find(|line| line.starts_with(start)).expect("there");
        assert!(line.ends_with("],"), "{line}");
    }
    let is_row = |line: &&&str| line.starts_with("    {\"task\": \"");
    let rows: Vec<_> = lines.iter().filter(is_row).collect();
    assert_eq!(rows.len(), 3, "{}", run.out);
    assert!(rows.iter().all(|row| row.trim_end_matches(',').ends_with('}')), "{}", run.out);
}

/// Tasks by name with start and end: the tasks of a host run one after the other from its ready
/// time.
#[test]
fn a_solution_is_a_plan() {
    let folder = Folder::default();
    let instance = r#"{"etc": [[2.5, null], [1, null], [null, 3]], "tasks": ["a", "b", "c"],
                       "hosts": ["x", "y"], "ready": [0, 4]}"#;
    folder.write("a.json", instance);
    let answer = folder.run("solve a.json --format json").ends(0).json();
    let plan = json!([
        { "task": "a", "host": "x", "start": 0, "end": 2.5, "time": 2.5 },
        { "task": "b", "host": "x", "start": 2.5, "end": 3.5, "time": 1 },
        { "task": "c", "host": "y", "start": 4, "end": 7, "time": 3 },
    ]);
    assert_eq!(answer["assignment"], plan);
    assert_eq!(answer["mapping"], json!([0, 0, 1]));
}

/// The method that found the mapping has the id that `map --algorithm` takes.
#[test]
fn ids_instead_of_titles() {
    let folder = examples();
    for (words, by) in [
        ("solve demo.json --strategy thesis", "mct"),
        ("solve odd.json --strategy thesis --extract oracle", "oracle"),
    ] {
        let answer = folder.run(&format!("{words} --format json")).ends(0).json();
        assert_eq!(answer["found_by"], by, "{words}");
    }
    let answer = folder.run("solve demo.json --format json").ends(0).json();
    let by = answer["found_by"].as_str().expect("an id");
    let heuristic = by.trim_end_matches("+local-search");
    folder.run(&format!("map demo.json --algorithm {heuristic} -o out")).ends(0);
}

#[test]
fn a_decision_as_an_object() {
    let folder = examples();
    let yes = folder.run("decide demo.json -k 6 --format json").ends(10).json();
    assert_eq!((&yes["answer"], &yes["k"]), (&json!("sat"), &json!(6)));
    assert!(yes["makespan"].as_f64() <= Some(6.0) && yes["assignment"][1]["task"] == "merge");
    folder.write("yes.json", yes.to_string());
    folder.run("verify demo.json yes.json").ends(0);
    let no = folder.run("decide demo.json -k 5.4 --format json").ends(20).json();
    assert_eq!((&no["answer"], &no["mapping"]), (&json!("unsat"), &Value::Null));
    folder.write("no.json", no.to_string());
    folder.run("verify demo.json no.json").fails(2, &["no.json"]);
}

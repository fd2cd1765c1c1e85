//! Levels of service in files.

use super::*;

const JSON: &str = r#"{"etc": [[1, 2], [3, 4.5], [5, 6]],
    "qos": {"tasks": [0, 2, 1], "hosts": [1, 2]}}"#;
const CSV: &str = "task,qos,a,b\nqos,,1,2\nx,0,1,2\ny,2,3,4.5\nz,1,5,6\n";

fn csv(qos: bool) -> ReadOptions {
    ReadOptions { csv: CsvOptions { qos, ..CsvOptions::default() }, ..DEFAULT }
}

fn levels(instance: &Instance) -> (Vec<u32>, Vec<u32>) {
    let levels = instance.levels().expect("given");
    (levels.tasks.clone(), levels.hosts.clone())
}

#[test]
fn pairs_below_the_level_are_forbidden_in_both_formats() {
    let json = read(Format::Json, JSON);
    let csv = parse(CSV.as_bytes(), "f", Format::Csv, &csv(true)).expect("valid");
    for instance in [&json, &csv] {
        assert_eq!(rows(instance), ["1 2", "- 4.5", "5 6"]);
        assert_eq!(levels(instance), (vec![0, 2, 1], vec![1, 2]));
    }
    assert_eq!(csv.notes().len(), 1, "only the names: {:?}", csv.notes());
    let only_hosts = read(Format::Json, r#"{"etc": [[1, 2]], "qos": {"hosts": [0, 7]}}"#);
    assert_eq!(levels(&only_hosts), (vec![0], vec![0, 7]));
    assert!(read(Format::Json, r#"{"etc": [[1]], "qos": null}"#).levels().is_none());
}

#[test]
fn without_the_option_csv_has_a_task_and_a_host_of_that_name() {
    let text = CSV.replace("qos,,1,2\n", "qos,7,1,2\n");
    let plain = parse(text.as_bytes(), "f", Format::Csv, &csv(false)).expect("valid");
    assert_eq!((plain.task_count(), plain.host_count(), plain.levels()), (4, 3, None));
    assert!(plain.notes().contains(&Note::QosName));
    assert!(Note::QosName.is_surprising() && Note::QosName.to_string().contains("--qos"));
}

#[test]
fn ready_times_and_levels_in_one_csv_file() {
    let text = "task,a,qos,b\nready,0,,4\nqos,1,,0\nx,1,1,2\n";
    let both = CsvOptions { qos: true, ready_row: true, ..CsvOptions::default() };
    let options = ReadOptions { csv: both, ..DEFAULT };
    let instance = parse(text.as_bytes(), "f", Format::Csv, &options).expect("valid");
    assert_eq!((rows(&instance), instance.ready(HostId(1))), (vec!["1 -".to_owned()], Ticks(4)));
    for format in [Format::Json, Format::Csv] {
        let text = written(&instance, format).expect("it holds everything");
        let options = if format == Format::Csv { &options } else { &DEFAULT };
        let again = parse(text.as_bytes(), "f", format, options).expect("readable");
        assert_eq!((rows(&again), levels(&again)), (rows(&instance), levels(&instance)));
        assert_eq!(again.ready(HostId(1)), Ticks(4));
    }
}

#[test]
fn nothing_is_lost_silently() {
    let instance = read(Format::Json, JSON);
    for format in [Format::Hcsp, Format::Rcmax] {
        let error = written(&instance, format).expect_err("it has no place for them").to_string();
        assert_eq!(error, format!("{format} cannot hold QoS levels (json and csv can)"));
    }
    let named = read(
        Format::Json,
        r#"{"etc": [[1]], "tasks": ["QoS"], "qos": {"tasks": [0], "hosts": [0]}}"#,
    );
    let error = written(&named, Format::Csv).expect_err("ambiguous").to_string();
    assert!(error.ends_with("'QoS' is a name (json holds both)"), "{error}");
}

#[test]
fn bad_levels_are_located() {
    let json = |qos: &str| {
        let text = format!("{{\"etc\": [[1, 2]],\n\"qos\": {qos}}}");
        error_with(Format::Json, &DEFAULT, text.as_bytes())
    };
    assert_eq!(json("3"), "f:2:8: expected an object with the keys 'tasks' and 'hosts', found '3'");
    assert_eq!(json("{\"x\": []}"), "f:2:9: expected 'tasks' or 'hosts', found '\"x\"'");
    assert_eq!(json("{\"tasks\": [1], \"tasks\": [1]}"), "f:2:23: key '\"tasks\"' appears twice");
    assert_eq!(json("{\"tasks\": 1}"), "f:2:18: expected a list of levels, found '1'");
    assert_eq!(json("{\"tasks\": [1, 2]}"), "f:2:18: 2 QoS levels for 1 tasks");
    assert_eq!(
        json("{\"hosts\": [1, -2]}"),
        "f:2:22: expected a level from 0 to 4294967295, found '-2'"
    );
    assert_eq!(
        json("{\"tasks\": [3], \"hosts\": [1, 2]}"),
        "f:2:18: no host that can run task 0 offers its QoS level 3"
    );
    let csv = |text: &str| error_with(Format::Csv, &csv(true), text.as_bytes());
    assert_eq!(csv("task,a,b\nx,1,2\n"), "f: no row and no column is called 'qos'");
    assert_eq!(csv("task,qos,qos\nx,1,2\n"), "f:1:10: a second row or column is called 'qos'");
    assert_eq!(
        csv("task,qos,b\nx,high,2\n"),
        "f:2:3: expected a level from 0 to 4294967295, found 'high'"
    );
    let error = error_with(Format::Hcsp, &super::levels::csv(true), b"1 1\n1\n");
    assert_eq!(error, "f: --qos is for CSV files only, and this is hcsp");
}

//! Lists of tasks and hosts in place of a matrix.

use gridsat_model::io::{
    self, Format, HostList, Precision, ReadOptions, write_host_list, write_task_list,
};
use gridsat_model::{HostId, Instance};

use super::{DEFAULT, error_with, read, rows};

fn hosts(instance: &Instance) -> Vec<&str> {
    instance.hosts().map(|host| instance.host_name(host)).collect()
}

fn written(instance: &Instance) -> String {
    let mut text = Vec::new();
    io::write(instance, Format::Json, &mut text).expect("JSON holds everything");
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn a_number_of_hosts_means_equal_hosts() {
    let text = r#"{"tasks": [{"name": "a", "time": 12.5}, {"time": 3, "name": "b"}], "hosts": 3}"#;
    let instance = read(Format::Json, text);
    assert_eq!(rows(&instance), ["12.5 12.5 12.5", "3 3 3"]);
    assert!(instance.has_equal_hosts());
    let bare = read(Format::Json, r#"{"hosts": 2, "name": "n", "tasks": [4, 0.25]}"#);
    assert_eq!(rows(&bare), ["4 4", "0.25 0.25"]);
    assert_eq!((bare.name(), bare.task_name(gridsat_model::TaskId(1))), ("n", "t1"));
}

#[test]
fn hosts_have_speeds_counts_names_and_ready_times() {
    let text = r#"{"tasks": [8, 3], "hosts": [
        {"name": "big", "speed": 2, "count": 2, "ready": 1.5},
        {"speed": "4/3"}, {"name": "slow", "speed": 0.5}]}"#;
    let instance = read(Format::Json, text);
    assert_eq!(rows(&instance), ["4 4 6 16", "1.5 1.5 2.25 6"]);
    assert_eq!(hosts(&instance), ["big0", "big1", "h2", "slow"]);
    let ready: Vec<u64> = instance.hosts().map(|host| instance.ready(host).0).collect();
    assert_eq!(ready, [150, 150, 0, 0]);
    assert!(instance.notes().is_empty(), "nothing is rounded");
}

#[test]
fn quotients_without_an_end_are_parts_of_the_unit() {
    let text = r#"{"tasks": [10, 5], "hosts": [{"speed": 3}, {"speed": 1}]}"#;
    let instance = read(Format::Json, text);
    assert!(instance.notes().is_empty(), "nothing is rounded");
    assert_eq!((instance.scale().decimals(), instance.scale().parts()), (0, 3));
    let times = |instance: &Instance| {
        let times = instance.tasks().flat_map(|task| instance.times(task));
        times.map(|(_, time)| time.0).collect::<Vec<_>>()
    };
    assert_eq!(times(&instance), [10, 30, 5, 15]);
    assert_eq!(rows(&instance), ["3.333… 10", "1.666… 5"]);
    let exact = ReadOptions { precision: Precision::Exact, ..DEFAULT };
    let exact = io::parse(text.as_bytes(), "f", Format::Json, &exact).expect("exact");
    assert_eq!(exact, instance);
    let other = read(Format::Json, r#"{"tasks": [10, 5], "hosts": [{"speed": 3}, {"speed": 2}]}"#);
    assert_eq!((other.scale().parts(), times(&other)), (6, vec![20, 30, 10, 15]));
    // Decimals that are too many may still be few parts.
    let fine = r#"{"tasks": [1, 70000], "hosts": [{"speed": 1048576}, {"speed": 1}]}"#;
    let fine = read(Format::Json, fine);
    assert_eq!((fine.scale().parts(), fine.notes().len()), (1 << 20, 0));
    assert_eq!(rows(&fine)[0], "0.00000095367431640625 1");
}

/// Tasks and hosts of any speeds are written so that they are read as the same instance, whichever
/// host comes first.
#[test]
fn parts_of_the_unit_are_written_as_lists() {
    let speeds = ["1", "2", "3", "1.5", "2/3", "7/5", "1048576", "0.001"];
    for (first, second) in speeds.iter().flat_map(|a| speeds.iter().map(move |b| (a, b))) {
        for tasks in ["[10]", "[12.55, 0, 3]", "[0, 0]", "[100000.001, 7]"] {
            let text = format!(
                "{{\"name\": \"f\", \"tasks\": {tasks}, \"hosts\": [{{\"speed\": \"{first}\"}},
                {{\"speed\": \"{second}\", \"count\": 2, \"ready\": 0.5}}, {{\"ready\": 1}}]}}"
            );
            let instance = read(Format::Json, &text);
            let again = read(Format::Json, &written(&instance));
            assert_eq!(again, instance, "{text}\n{}", written(&instance));
        }
    }
    let third = read(Format::Json, r#"{"tasks": [10, 12.5], "hosts": [{"speed": 3}]}"#);
    let expected = "\"tasks\": [\n    10,\n    12.5\n  ],\n  \"hosts\": [\n    {\"speed\": 3}\n  ]";
    assert!(written(&third).contains(expected), "{}", written(&third));
    for format in Format::ALL.into_iter().filter(|&format| format != Format::Json) {
        let error = io::write(&third, format, &mut Vec::new()).expect_err("no decimals");
        assert!(error.to_string().contains("such as 10/3"), "{error}");
    }
}

#[test]
fn parts_that_do_not_fit_are_rounded_up_and_noted() {
    let text = r#"{"tasks": [10, 5], "hosts": [{"speed": 999999999999}, {"speed": 1000000007}]}"#;
    let instance = read(Format::Json, text);
    assert!(instance.is_rounded());
    assert_eq!(instance.notes()[0].to_string(), "times rounded up to 1e-18");
    let text = r#"{"tasks": [10, 5], "hosts": [{"speed": 3}, {"speed": 1}]}"#;
    let coarse = ReadOptions { precision: Precision::Decimals(2), ..DEFAULT };
    let coarse = io::parse(text.as_bytes(), "f", Format::Json, &coarse).expect("rounded");
    assert_eq!(rows(&coarse), ["3.34 10", "1.67 5"]);
    assert_eq!(coarse.notes()[0].to_string(), "times rounded up to 1e-2");
    let exact = ReadOptions { precision: Precision::Exact, ..DEFAULT };
    let text = text.replace("3}", "999999999999}").replace("1}", "1000000007}");
    let error = error_with(Format::Json, &exact, text.as_bytes());
    assert_eq!(error, "f:1:12: '10' has more than 18 decimals or 19 digits");
}

#[test]
fn equal_and_proportional_hosts_are_written_as_lists() {
    let equal = Instance::from_rows([[7, 7], [5, 5]]).expect("valid");
    let text = written(&equal);
    assert_eq!(
        text,
        "{\n  \"name\": \"\",\n  \"tasks\": [\n    7,\n    5\n  ],\n  \"hosts\": 2\n}\n"
    );
    let text = r#"{"name": "q", "tasks": [{"name": "a", "time": 6}, {"name": "b", "time": 9},
        {"name": "c", "time": 1.5}, {"name": "d", "time": 0}],
        "hosts": [{"speed": "3/7", "count": 2, "ready": 2}, {"speed": 0.5, "count": 3}]}"#;
    let instance = read(Format::Json, text);
    let again = read(Format::Json, &written(&instance));
    assert_eq!(again, instance);
    assert!(written(&instance).contains("{\"speed\": \"7/6\", \"count\": 3}"));
    let named = r#"{"tasks": [3, 4], "hosts": [{"name": "a"}, {"name": "b"}], "name": "x"}"#;
    let named = read(Format::Json, named);
    assert_eq!(read(Format::Json, &written(&named)), named);
}

#[test]
fn other_matrices_stay_matrices() {
    for matrix in [vec![vec![7, 5, 5]], vec![vec![7, 7, 5], vec![3, 3, 3]], vec![vec![7], vec![5]]]
    {
        let instance = Instance::from_rows(matrix).expect("valid");
        assert!(written(&instance).contains("\"etc\""));
        let error = write_host_list(&instance, &mut Vec::new()).expect_err("a matrix");
        assert!(error.to_string().starts_with("lists hold equal hosts"), "{error}");
    }
    let levels = r#"{"etc": [[2, 2], [3, 3]], "qos": {"tasks": [1, 0], "hosts": [1, 1]}}"#;
    assert!(written(&read(Format::Json, levels)).contains("\"qos\""));
}

#[test]
fn lists_as_csv_are_read_back() {
    let text = r#"{"tasks": [{"name": "a", "time": 6}, {"name": "b,c", "time": 9.5},
        {"name": "d", "time": 1}, {"name": "e", "time": 2}],
        "hosts": [{"count": 2}, {"speed": 2, "count": 3, "ready": 0.5}]}"#;
    let instance = read(Format::Json, text);
    let (mut tasks, mut hosts) = (Vec::new(), Vec::new());
    write_task_list(&instance, &mut tasks).expect("lists");
    write_host_list(&instance, &mut hosts).expect("lists");
    let hosts = String::from_utf8(hosts).expect("UTF-8");
    assert_eq!(String::from_utf8_lossy(&tasks), "task,time\na,6\n\"b,c\",9.5\nd,1\ne,2\n");
    assert_eq!(hosts, "name,speed,count,ready\n,1,2,0\n,2,3,0.5\n");
    let options =
        ReadOptions { host_list: Some(HostList::parse(&hosts, "h").expect("valid")), ..DEFAULT };
    let one = r#"{"tasks": [{"name": "a", "time": 6}, {"name": "b,c", "time": 9.5},
        {"name": "d", "time": 1}, {"name": "e", "time": 2}], "hosts": 1}"#;
    let again = io::parse(one.as_bytes(), "f", Format::Json, &options).expect("valid");
    assert_eq!(again, instance);
}

#[test]
fn a_host_list_replaces_equal_hosts_but_no_matrix() {
    let list = || Some(HostList::parse("speed;count\n0,5;2\n", "h"));
    assert_eq!(
        list().expect("given").expect_err("decimal comma").to_string(),
        "h:2:1: expected a speed above 0, such as 2, 0.5 or 4/3, found '0,5'"
    );
    let list = HostList::parse("speed;count\n0.5;2\n1/4;1\n", "h").expect("valid");
    let options = ReadOptions { host_list: Some(list), ..DEFAULT };
    let pcmax = io::parse(b"p p_cmax 2 9\n3 4 0", "f", Format::Pcmax, &options).expect("valid");
    assert_eq!(rows(&pcmax), ["6 6 12", "8 8 16"]);
    let error = error_with(Format::Csv, &options, b"1,2\n3,4\n");
    let own = "f: the file has its own hosts: a list of hosts needs a list of tasks (task,time)";
    assert_eq!(error, own);
    assert_eq!(error_with(Format::Json, &options, br#"{"etc": [[1, 2]]}"#), own);
}

#[test]
fn bad_lists_are_refused_with_their_place() {
    let hosts = |hosts: &str| format!("{{\"tasks\": [1],\n\"hosts\": {hosts}}}");
    let tasks = |tasks: &str| format!("{{\"hosts\": 2,\n\"tasks\": {tasks}}}");
    let many = "too large: number of hosts is 18446744073709551615, at most 1048576 are supported";
    let cases = [
        (hosts("0"), "f:2:10: expected a number of hosts, at least 1, found '0'"),
        (hosts("-3"), "f:2:10: expected a number of hosts, at least 1, found '-3'"),
        (hosts("2.5"), "f:2:10: expected a number of hosts, at least 1, found '2.5'"),
        (hosts("99999999999999999999"), &format!("f:2:10: {many}")),
        (hosts("[]"), "f:2:10: no hosts"),
        (hosts("[{\"count\": 0}]"), "f:2:21: expected a number of hosts, at least 1, found '0'"),
        (
            hosts("[{\"count\": 1048576}, {}]"),
            "f:2:31: too large: number of hosts is 1048577, at most 1048576 are supported",
        ),
        (
            hosts("[{\"speed\": 0}]"),
            "f:2:21: expected a speed above 0, such as 2, 0.5 or 4/3, found '0'",
        ),
        (
            hosts("[{\"speed\": -2}]"),
            "f:2:21: expected a speed above 0, such as 2, 0.5 or 4/3, found '-2'",
        ),
        (hosts("[{\"ready\": -2}]"), "f:2:21: '-2' is negative"),
        (hosts("[{\"ready\": \"2\"}]"), "f:2:21: expected a number, found '\"2\"'"),
        (hosts("[{\"name\": 2}]"), "f:2:20: expected a name in quotes, found '2'"),
        (
            hosts("[{\"cores\": 2}]"),
            "f:2:21: unknown key 'cores' (known: name, speed, count, ready)",
        ),
        (hosts("[{\"speed\": 1, \"speed\": 1}]"), "f:2:24: key 'speed' appears twice"),
        (hosts("[{\"name\": \"a\"}, {\"name\": \"a\"}]"), "f:2:26: host name 'a' is used twice"),
        (hosts("[3]"), "f:2:11: expected a host: an object with keys such as 'speed', found '3'"),
        (tasks("[]"), "f:2:10: no tasks"),
        (tasks("[-1]"), "f:2:11: '-1' is negative"),
        (
            tasks("[{\"name\": \"a\"}]"),
            "f:2:11: expected a task with the key 'time', found '{\"name\": \"a\"}'",
        ),
        (
            tasks("[{\"time\": \"x\"}]"),
            "f:2:20: '\"x\"' is not a time (a decimal number, or inf where the task cannot run)",
        ),
        (tasks("[{\"time\": 1, \"host\": 2}]"), "f:2:11: unknown key 'host' (known: name, time)"),
        (
            tasks("[1, {\"name\": \"a\", \"time\": 1}]"),
            "f:2:14: expected names of all tasks or of none, found \
             '{\"name\": \"a\", \"time\": 1}'",
        ),
        (
            tasks("[{\"name\": \"a\", \"time\": 1}, {\"name\": \"a\", \"time\": 1}]"),
            "f:2:46: task name 'a' is used twice",
        ),
        (tasks("7"), "f:2:10: expected a list of tasks, found '7'"),
    ];
    for (text, message) in cases {
        assert_eq!(error_with(Format::Json, &DEFAULT, text.as_bytes()), message, "{text}");
    }
    let wrong = |text: &str| HostList::parse(text, "h").expect_err("bad").to_string();
    assert_eq!(wrong(""), "h:1:1: no hosts");
    assert_eq!(wrong("speed\n"), "h:1:1: no hosts");
    assert_eq!(
        wrong("cores\n2\n"),
        "h:1:1: unknown key 'cores' (known: name, speed, count, ready)"
    );
    assert_eq!(wrong("speed,count\n2\n"), "h:2:1: 1 cells, expected 2 as in the first row");
    assert_eq!(wrong("name\na\na\n"), "h:3:1: host name 'a' is used twice");
}

#[test]
fn numbers_in_the_file_are_compared_with_options() {
    let text = br#"{"tasks": [1, 2], "hosts": 3}"#;
    let options = ReadOptions { hosts: Some(4), ..DEFAULT };
    let error = error_with(Format::Json, &options, text);
    assert_eq!(error, "f: 3 hosts in the file, but --hosts says 4");
    let options = ReadOptions { tasks: Some(4), ..DEFAULT };
    let error = error_with(Format::Json, &options, text);
    assert_eq!(error, "f: 2 tasks in the file, but --tasks says 4");
    let instance = read(Format::Json, r#"{"tasks": [1, 2], "hosts": 3, "ready": [0, 1, 2]}"#);
    assert_eq!(instance.ready(HostId(2)).0, 2);
}

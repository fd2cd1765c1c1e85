//! The JSON reader: what is accepted, what is rejected, and the messages.

use super::*;

const DEMO: &str = r#"{ "name": "demo", "etc": [[14, 5.5, null], [3, 8, "inf"]],
  "tasks": ["render", "merge"], "hosts": ["a", "b", "c"], "ready": [0, 0, 4.25] }"#;

#[test]
fn reads_the_documented_example() {
    let demo = read(Format::Json, DEMO);
    assert_eq!(demo.name(), "demo");
    assert_eq!(rows(&demo), ["14 5.5 -", "3 8 -"]);
    assert_eq!(demo.scale().decimals(), 2);
    assert_eq!(demo.ready(HostId(2)), Ticks(425));
    assert_eq!(demo.time(TaskId(0), HostId(1)), Some(Ticks(550)));
    assert_eq!(demo.task_name(TaskId(1)), "merge");
    assert_eq!(demo.host_name(HostId(2)), "c");
}

#[test]
fn all_but_the_times_is_optional() {
    let text = "\u{feff}{\"etc\": [[1e1, 25e-1]], \"name\": null, \"ready\": null}";
    let instance = read(Format::Json, text);
    assert_eq!(instance.name(), "f");
    assert_eq!(rows(&instance), ["10 2.5"]);
    assert_eq!(instance.host_name(HostId(1)), "h1");
}

#[test]
fn refuses_what_is_no_instance() {
    refuses(
        Format::Json,
        &[
            ("", "f:1:1: unexpected end of file: EOF while parsing a value"),
            ("   \n", "f:1:1: unexpected end of file: EOF while parsing a value"),
            ("[[1]]", "f:1:1: expected an object with the key 'etc', found '[[1]]'"),
            ("{}", "f:1:1: key 'etc' is missing, or the keys 'tasks' and 'hosts' of lists"),
            ("{\"etc\": [[1]]", "f:1:14: unexpected end of file: EOF while parsing an object"),
            ("{\"etc\": [[1]]} x", "f:1:16: not JSON: trailing characters at 'x'"),
            (
                "{\"etc\": [[1, NaN]]}",
                "f:1:14: 'NaN' is not JSON: write null where the task cannot run",
            ),
            (
                "{\"etc\":\n [[1, nan]]}",
                "f:2:7: 'nan' is not JSON: write null where the task cannot run",
            ),
            (
                "{\"etc\": [[1, -inf]]}",
                "f:1:14: '-inf' is not JSON: write null where the task cannot run",
            ),
            ("{\"etc\": [[1,]]}", "f:1:13: not JSON: expected value at ']'"),
            ("{\"etc\": [[01]]}", "f:1:11: not JSON: invalid number at '01'"),
            ("{\"etc\": [[1]], 'x': 1}", "f:1:16: not JSON: key must be a string at ''x':'"),
            (
                "{\"etc\": [[1]],\n \"speed\": 1}",
                "f:2:2: unknown key 'speed' (known: name, etc, tasks, hosts, ready, qos)",
            ),
            ("{\"etc\": [[1]],\n \"etc\": [[2]]}", "f:2:2: key 'etc' appears twice"),
            (
                "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1}",
                "f:1:2: unknown key 'a' (known: name, etc, tasks, hosts, ready, qos)",
            ),
            ("{\"etc\": 5}", "f:1:9: expected a list of rows, found '5'"),
            ("{\"etc\": [5]}", "f:1:10: expected a list of times, found '5'"),
            ("{\"etc\": []}", "f:1:9: no tasks"),
            ("{\"etc\": [[]]}", "f:1:10: no hosts"),
            ("{\"etc\": [[1, 2],\n [3]]}", "f:2:2: task 1 has 1 times, expected 2 (one per host)"),
            ("{\"etc\": [[1, 2],\n [null, \"inf\"]]}", "f:2:2: task 1 can run on no host"),
            ("{\"etc\": [[1, 2],\n [3, -4.5]]}", "f:2:6: '-4.5' is negative"),
            (
                "{\"etc\": [[1, \"12\"]]}",
                "f:1:14: '\"12\"' is not a time (a decimal number, or inf where the task cannot \
                 run)",
            ),
            (
                "{\"etc\": [[1, true]]}",
                "f:1:14: 'true' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "{\"etc\": [[1, [2]]]}",
                "f:1:14: '[2]' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "{\"etc\": [[1, 1e-300]]}",
                "f:1:14: '1e-300' is too small next to '1': rounding up to 1e-18, which fits, \
                 leaves fewer than 6 of its digits (--decimals 18 rounds anyway)",
            ),
            (
                "{\"etc\": [[1e-300, 1e300]]}",
                "f:1:19: '1e300' is too large: all times together must stay below 4.6e18 (use a \
                 larger unit)",
            ),
            (
                "{\"etc\": [[0.001, 1e18]]}",
                "f:1:11: '0.001' is too small next to '1e18': rounding up to whole numbers, which \
                 fits, leaves fewer than 6 of its digits (--decimals 0 rounds anyway)",
            ),
            (
                "{\"etc\": [[4e18],\n [3e18]]}",
                "f:1:11: times are too large: the loads could exceed 4611686018427387904 ticks \
                 (at 0 decimals); use a larger unit, or fewer decimals",
            ),
            ("{\"etc\": [[1]], \"ready\": [1, 2]}", "f:1:25: 2 ready times for 1 hosts"),
            ("{\"etc\": [[1]], \"ready\": [null]}", "f:1:26: expected a ready time, found 'null'"),
            ("{\"etc\": [[1]], \"ready\": [-1]}", "f:1:26: '-1' is negative"),
            ("{\"etc\": [[1]], \"ready\": 3}", "f:1:25: expected a list of ready times, found '3'"),
            ("{\"etc\": [[1]], \"name\": 3}", "f:1:24: expected a name in quotes, found '3'"),
            ("{\"etc\": [[1]], \"tasks\": []}", "f:1:25: 0 names for 1 tasks"),
            ("{\"etc\": [[1]], \"tasks\": [7]}", "f:1:26: expected a name in quotes, found '7'"),
            (
                "{\"etc\": [[1, 2]], \"hosts\": [\"a\",\n \"a\"]}",
                "f:2:2: host name 'a' is used twice",
            ),
            ("{\"etc\": [[1\u{1}]]}", "f:1:12: not JSON: expected `,` or `]` at '\\u{1}'"),
            (
                "{\"etc\": [[1]], \"\\u001b[2J\": 1}",
                "f:1:16: unknown key '\\u{1b}[2J' (known: name, etc, tasks, hosts, ready, qos)",
            ),
        ],
    );
}

#[test]
fn long_values_are_cut_in_messages() {
    let text = format!("{{\"etc\": [[\"{}\"]]}}", "x".repeat(100_000));
    let message = error_with(Format::Json, &DEFAULT, text.as_bytes());
    let end = "is not a time (a decimal number, or inf where the task cannot run)";
    assert_eq!(message, format!("f:1:11: '\"{}…' {end}", "x".repeat(39)));
}

//! The csv reader: what is read, what is refused and in which words.

use super::*;

#[test]
fn reads_bare_numbers() {
    let instance = read(Format::Csv, "14, 5.5 ,\r\n\r\n3,inf,2\r\n-,null,\"1.25\"\r\n");
    assert_eq!(rows(&instance), ["14 5.5 -", "3 - 2", "- - 1.25"]);
    assert_eq!(instance.task_name(TaskId(2)), "t2");
}

#[test]
fn a_stray_quote_loses_no_cell() {
    let message = error_with(Format::Csv, &DEFAULT, b"task,a,b,c\nx\"y,1,2\"z,3\n");
    let end = "is not a time (a decimal number, or inf where the task cannot run)";
    assert_eq!(message, format!("f:2:1: '2\"z' {end}"));
}

#[test]
fn recognises_names() {
    let host_names = read(Format::Csv, "a,b\n1,2\n3,4\n");
    assert_eq!(host_names.host_name(HostId(1)), "b");
    assert_eq!(rows(&host_names), ["1 2", "3 4"]);

    let task_names = read(Format::Csv, "render,1,2\nmerge,3,4\n");
    assert_eq!(task_names.task_name(TaskId(1)), "merge");
    assert_eq!(rows(&task_names), ["1 2", "3 4"]);

    for corner in ["", "task", "Tasks", "name"] {
        let both = read(Format::Csv, &format!("{corner},\"a, b\",c\nrender,1,2\nmerge,3,4\n"));
        assert_eq!(both.host_name(HostId(0)), "a, b");
        assert_eq!(both.task_name(TaskId(0)), "render");
        assert_eq!(rows(&both), ["1 2", "3 4"]);
    }

    let numbers_as_names = read(Format::Csv, "task,3090,4090\n1,10,20\n2,30,40\n");
    assert_eq!(numbers_as_names.host_name(HostId(1)), "4090");
    assert_eq!(numbers_as_names.task_name(TaskId(0)), "1");
    assert_eq!(rows(&numbers_as_names), ["10 20", "30 40"]);
}

#[test]
fn refuses_what_is_no_instance() {
    refuses(
        Format::Csv,
        &[
            ("", "f:1:1: no tasks"),
            ("a,b\n", "f:1:1: no tasks"),
            ("1,2\n3\n", "f:2:1: task 1 has 1 times, expected 2 (one a host)"),
            ("1,2\r\n3,4,5\r\n", "f:2:1: task 1 has 3 times, expected 2 (one a host)"),
            ("1,2\n,inf\n", "f:2:1: task 1 can run on no host"),
            ("1,2\n3, -4\n", "f:2:4: '-4' is negative"),
            ("-1\n2\n", "f:1:1: '-1' is negative"),
            (
                "1,nan\n",
                "f:1:3: 'nan' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "nan,1\n",
                "f:1:1: 'nan' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "1,-inf\n",
                "f:1:3: '-inf' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "1,2x\n3,4\n",
                "f:1:3: '2x' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "1,2\nx3,4\n",
                "f:2:1: 'x3' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "task,a\nr,\"b,\n\"\n",
                "f:2:3: 'b,' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "task,a\n\"r,\nx\", \"1;2\"\n",
                "f:3:5: '\"1;2\"' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            ("1,\"2\n", "f:1:3: a quote is opened and never closed"),
            ("1,1e-30\n", "f:1:3: '1e-30' has more than 18 decimals"),
            (
                "1e10,1\n\n1,0.0000000001\n",
                "f:1:1: '1e10' is too large: in ticks of 10 decimals it exceeds 2^62",
            ),
            ("task,a,b\nr,1,2\nr,3,4\n", "f:3:1: task name 'r' is used twice"),
            ("a,a\n1,2\n", "f:1:3: host name 'a' is used twice"),
            ("a,b,c\n1,2\n", "f:1:1: 3 names for 2 hosts"),
        ],
    );
}

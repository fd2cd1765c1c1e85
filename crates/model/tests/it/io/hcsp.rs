//! The HCSP reader: what is accepted, what is rejected, and the messages.

use super::*;

#[test]
fn reads_with_and_without_sizes() {
    let expected = ["1.5 2 3", "- 5 6"];
    for text in ["2 3\n1.5\n2\n3\ninf\n5\n6\n", "2 3 0\r\n1.50\r\n2\r\n3\r\nINF 5\t6"] {
        assert_eq!(rows(&read(Format::Hcsp, text)), expected, "{text:?}");
    }
    let bare = "1.5\n2\n3\ninf\n5\n6\n";
    let only_tasks = ReadOptions { tasks: Some(2), ..DEFAULT };
    let only_hosts = ReadOptions { hosts: Some(3), ..DEFAULT };
    for options in [sizes(2, 3), only_tasks, only_hosts] {
        let instance = parse(bare.as_bytes(), "f", Format::Hcsp, &options).expect("valid");
        assert_eq!(rows(&instance), expected);
    }
}

#[test]
fn given_sizes_tell_a_row_from_a_header() {
    let text = b"2 3\n1 2\n3 4\n";
    let instance = parse(text, "f", Format::Hcsp, &sizes(3, 2)).expect("valid");
    assert_eq!(rows(&instance), ["2 3", "1 2", "3 4"]);
}

#[test]
fn refuses_what_is_no_instance() {
    refuses(
        Format::Hcsp,
        &[
            ("", "f: the first line has no sizes: use --tasks and --hosts"),
            ("1\n2\n", "f: the first line has no sizes: use --tasks and --hosts"),
            ("2 2\n1\n2\n3\n", "f:4:1: found 3 times, expected 2 x 2 = 4"),
            ("2 2\n1\n2\n3\n4\n5\n", "f:6:1: found 5 times, expected 2 x 2 = 4"),
            ("2 2\n", "f:1:4: found 0 times, expected 2 x 2 = 4"),
            ("0 3\n", "f:1:1: no tasks"),
            ("3 0\n", "f:1:1: no hosts"),
            (
                "1000000000 1000000000\n1\n",
                "f:2:1: found 1 times, expected 1000000000 x 1000000000 = 1000000000000000000",
            ),
            (
                "18446744073709551615 18446744073709551615\n1\n",
                "f:2:1: found 1 times, expected 18446744073709551615 x 18446744073709551615 = \
                 340282366920938463426481119284349108225",
            ),
            ("2 2\n1\n-2\n3\n4\n", "f:3:1: '-2' is negative"),
            (
                "2 2\n1\nNaN\n3\n4\n",
                "f:3:1: 'NaN' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            ("2 2\n1\n2\ninf\ninf\n", "f:4:1: task 1 can run on no host"),
            (
                "1 2\n1e19 0.5\n",
                "f:2:1: '1e19' is too large: in ticks of 0 decimals it exceeds 2^62 (use a larger \
                 unit, or fewer decimals)",
            ),
            (
                "2 2\n1\n2,5\n3\n4\n",
                "f:3:1: '2,5' is not a time (a decimal number, or inf where the task cannot run)",
            ),
        ],
    );
    let message = |options, text: &str| error_with(Format::Hcsp, &options, text.as_bytes());
    assert_eq!(
        message(sizes(2, 3), "2 2\n1\n2\n3\n4\n"),
        "f: 2 hosts in the file, but --hosts says 3"
    );
    assert_eq!(message(sizes(2, 3), "1\n2\n3\n4\n"), "f:4:1: found 4 times, expected 2 x 3 = 6");
    let tasks = ReadOptions { tasks: Some(3), ..DEFAULT };
    assert_eq!(message(tasks, "1\n2\n3\n4\n"), "f:4:1: found 4 times, expected 3 x 1 = 3");
    let tasks = ReadOptions { tasks: Some(0), ..DEFAULT };
    assert_eq!(message(tasks, "1\n2\n3\n4\n"), "f:1:1: no hosts");
}

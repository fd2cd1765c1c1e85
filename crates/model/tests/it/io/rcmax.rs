//! The R||Cmax reader: what is accepted, what is rejected, and the messages.

use super::*;

#[test]
fn reads_lines_of_tabs() {
    let instance = read(Format::Rcmax, "2\n3\n1\t2\t3\t\n4\t5\t6\t\n\n");
    assert_eq!(rows(&instance), ["1 2 3", "4 5 6"]);
    let crlf = read(Format::Rcmax, "2\r\n3\r\n1 2 3\r\n4 5 6");
    assert_eq!(rows(&crlf), ["1 2 3", "4 5 6"]);
}

#[test]
fn refuses_what_is_no_instance() {
    refuses(
        Format::Rcmax,
        &[
            (
                "",
                "f:1:1: unexpected end of file: expected the number of jobs alone in the first \
                 line",
            ),
            (
                "2\n",
                "f:1:2: unexpected end of file: expected the number of machines alone in the \
                 second line",
            ),
            ("2 3\n1\n", "f:1:1: expected the number of jobs alone in the first line, found '2 3'"),
            ("x\n3\n", "f:1:1: expected the number of jobs alone in the first line, found 'x'"),
            (
                "2\n-3\n",
                "f:2:1: expected the number of machines alone in the second line, found '-3'",
            ),
            ("2\n2\n1\t2\t\n", "f:3:1: found 1 lines of times, expected 2"),
            ("1\n2\n1\t2\t\n3\t4\t\n", "f:4:1: found 2 lines of times, expected 1"),
            ("2\n2\n1\t2\t\n3\t\n", "f:4:1: task 1 has 1 times, expected 2 (one per host)"),
            ("2\n2\n1\t2\t\n3\t-4\t\n", "f:4:3: '-4' is negative"),
            (
                "2\n2\n1\t2\t\n3\tnan\t\n",
                "f:4:3: 'nan' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            ("2\n2\n1\t2\t\ninf\tinf\t\n", "f:4:1: task 1 can run on no host"),
            ("0\n2\n", "f:1:1: no tasks"),
            ("1\n0\n", "f:2:2: found 0 lines of times, expected 1"),
            (
                "99999999999999999999\n2\n",
                "f:1:1: expected the number of jobs alone in the first line, found \
                 '99999999999999999999'",
            ),
            ("1000000000\n1000000000\n1\n", "f:3:1: found 1 lines of times, expected 1000000000"),
            (
                "1\n2\n1\t5e18\t\n",
                "f:3:3: '5e18' is too large: in ticks of 0 decimals it exceeds 2^62 (use a larger \
                 unit, or fewer decimals)",
            ),
        ],
    );
}

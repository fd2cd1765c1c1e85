//! The CSV reader: what is accepted, what is rejected, and the messages.

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
    assert_eq!(message, format!("f:2:7: '2\"z' {end}"));
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
            ("1,2\n3\n", "f:2:1: task 1 has 1 times, expected 2 (one per host)"),
            ("1,2\r\n3,4,5\r\n", "f:2:1: task 1 has 3 times, expected 2 (one per host)"),
            ("1,2\n,inf\n", "f:2:1: task 1 can run on no host"),
            ("1,2\n3, -4\n", "f:2:4: '-4' is negative"),
            ("-1\n2\n", "f:1:1: '-1' is negative"),
            (
                "1,-inf\n",
                "f:1:3: '-inf' is not a time (a decimal number, or inf where the task cannot run); \
                 if it is a name, use --header yes",
            ),
            (
                "1,2x\n3,4\n",
                "f:1:3: '2x' is not a time (a decimal number, or inf where the task cannot run); \
                 if it is a name, use --header yes",
            ),
            (
                "1,2\nx3,4\n",
                "f:2:1: 'x3' is not a time (a decimal number, or inf where the task cannot run); \
                 if it is a name, use --index yes",
            ),
            (
                "task,a\nr,\"b,\n\"\n",
                "f:2:3: 'b,' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            (
                "task,a\n\"r,\nx\", \"1;2\"\n",
                "f:3:5: '1;2' is not a time (a decimal number, or inf where the task cannot run)",
            ),
            ("1,\"2\n", "f:1:3: a quote is not closed"),
            (
                "1,1e-30\n",
                "f:1:3: '1e-30' is too small next to '1': rounding up to 1e-18, which fits, leaves \
                 fewer than 6 of its digits (--decimals 18 rounds anyway)",
            ),
            (
                "1e10,1\n\n1,0.0000000001\n",
                "f:3:3: '0.0000000001' is too small next to '1e10': rounding up to 1e-8, which \
                 fits, leaves fewer than 6 of its digits (--decimals 8 rounds anyway)",
            ),
            (
                "a,b\n\"1,5\",2\n",
                "f:2:1: '1,5' has a comma: write a decimal point, or separate cells by semicolons",
            ),
            (
                "a;b\n1.234,5;2\n",
                "f:2:1: '1.234,5' has digit groups: write times without spaces or thousands \
                 separators, and separate them by a comma, semicolon or tab",
            ),
            (
                "1 2\n3 4\n",
                "f:1:1: '1 2' has digit groups: write times without spaces or thousands \
                 separators, and separate them by a comma, semicolon or tab",
            ),
            (
                "1.5;2\n3;4,5\n",
                "f:2:3: '4,5': some times have a decimal point and others a decimal comma; use one \
                 of them",
            ),
            ("task,a,b\nr,1,2\nr,3,4\n", "f:3:1: task name 'r' is used twice"),
            ("a,a\n1,2\n", "f:1:3: host name 'a' is used twice"),
            ("a,b,c\n1,2\n", "f:2:1: task 0 has 2 times, expected 3 (one per host)"),
            ("a;b;c\n1;2\n3;4;5\n", "f:2:1: task 0 has 2 times, expected 3 (one per host)"),
        ],
    );
}

fn notes(text: &[u8]) -> (Instance, Vec<String>) {
    notes_with(text, CsvOptions::default())
}

/// The instance, and the notes on how it was read.
fn notes_with(text: &[u8], csv: CsvOptions) -> (Instance, Vec<String>) {
    let options = ReadOptions { csv, ..DEFAULT };
    let instance = parse(text, "f", Format::Csv, &options).expect("valid");
    let notes = instance.notes().iter().filter(|note| note.is_surprising());
    let notes = notes.map(ToString::to_string).collect();
    (instance, notes)
}

const BOTH: &str = "first row read as host names, first column as task names \
                    (--header yes|no and --index yes|no override this)";
const NEITHER: &str = "first row and first column read as times \
                       (--header yes|no and --index yes|no override this)";

/// What pandas writes for a frame without names. The optimum is 7; if the names were read as times
/// it would be 2.
#[test]
fn an_empty_corner_means_names_on_both_sides() {
    let (instance, notes) = notes(b",0,1,2\n0,14,5,9\n1,3,8,2\n2,7,7,7\n");
    assert_eq!(rows(&instance), ["14 5 9", "3 8 2", "7 7 7"]);
    assert_eq!((instance.host_name(HostId(2)), instance.task_name(TaskId(1))), ("2", "1"));
    assert_eq!(tiny::optimum(&instance), Ticks(7));
    assert_eq!(notes, [BOTH]);
}

#[test]
fn a_word_in_the_corner_means_names_on_both_sides() {
    for corner in ["task", "id", "Index", "Unnamed: 0", "job"] {
        let text = format!("{corner},0,1\n0,14,5\n1,3,8\n");
        let (instance, notes) = notes(text.as_bytes());
        assert_eq!(rows(&instance), ["14 5", "3 8"], "{corner}");
        assert!(notes.is_empty(), "{notes:?}");
    }
    // Here the corner can only be a task's name.
    let (instance, _) = notes(b"job,5,6\nmerge,3,4\n");
    assert_eq!(
        (rows(&instance), instance.task_name(TaskId(0))),
        (vec!["5 6".into(), "3 4".into()], "job")
    );
}

#[test]
fn what_could_be_names_or_times_is_reported_and_decided_by_the_user() {
    let text = b"0,1,2\n14,5,9\n3,8,2\n";
    let (instance, found) = notes(text);
    assert_eq!((instance.task_count(), found), (3, vec![NEITHER.to_owned()]));
    let yes = CsvOptions { header: Some(true), ..CsvOptions::default() };
    let (instance, found) = notes_with(text, yes);
    assert_eq!((rows(&instance), found), (vec!["14 5 9".to_owned(), "3 8 2".into()], vec![]));

    let column = b"0,14,5\n1,3,8\n";
    assert_eq!(notes(column).1, [NEITHER]);
    let yes = CsvOptions { index: Some(true), ..CsvOptions::default() };
    let (instance, found) = notes_with(column, yes);
    assert_eq!((rows(&instance), found), (vec!["14 5".to_owned(), "3 8".into()], vec![]));

    let no = CsvOptions { header: Some(false), index: Some(false), ready_row: false, qos: false };
    let (instance, found) = notes_with(b",5\n3,8\n", no);
    assert_eq!((rows(&instance), found), (vec!["- 5".to_owned(), "3 8".into()], vec![]));
    assert!(notes(b"14,5,9\n3,8,2\n").1.is_empty());
}

#[test]
fn separators_and_decimal_marks_are_recognised() {
    let expected = ["1.5 2", "- 1250"];
    for (text, note) in [
        ("1.5,2\nx,1.25e3\n", None),
        ("1.5;2\nx;1.25e3\n", Some("read as CSV with semicolons")),
        ("1,5;2\nx;1,25e3\n", Some("read as CSV with semicolons, decimal commas")),
        ("sep=;\r\n1,5;2\r\n;1250\r\n", Some("read as CSV with semicolons, decimal commas")),
        ("1,5\t2\nNA\t1250\n", Some("read as CSV with tabs, decimal commas")),
        ("# measured; in s\n1.5,2\n# \"again\n-,1250\n", None),
    ] {
        let (instance, notes) = notes(text.as_bytes());
        assert_eq!(rows(&instance), expected, "{text}");
        assert_eq!(notes.first().map(String::as_str), note, "{text}");
    }
}

#[test]
fn encodings_are_recognised() {
    let text = "größe,b\n1,∞\n";
    let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect()
    };
    for bytes in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
        let (instance, notes) = notes(&bytes);
        assert_eq!((instance.host_name(HostId(0)), rows(&instance)), ("größe", vec!["1 -".into()]));
        assert_eq!(notes, ["read as UTF-16"]);
    }
    let (instance, found) = notes(b"gr\xf6\xdfe,b\n1,2\n");
    assert_eq!(instance.host_name(HostId(0)), "größe");
    assert_eq!(found, ["read as Latin-1 (Windows-1252)"]);
    let (instance, found) = notes("\u{feff}größe,b\n1,2\n".as_bytes());
    assert_eq!((instance.host_name(HostId(0)), found), ("größe", vec![]));
}

#[test]
fn many_words_mean_that_a_task_cannot_run() {
    for word in ["", "x", "X", "∞", "inf", "NA", "NaN", "nan", "-", "null", "n/a", " x ", "\"x\""]
    {
        let instance = read(Format::Csv, &format!("1,2\n{word},3\n4,{word}\n"));
        assert_eq!(rows(&instance), ["1 2", "- 3", "4 -"], "{word}");
    }
    // In a header these words are ordinary names.
    assert_eq!(read(Format::Csv, "y,x\n1,2\n").host_name(HostId(1)), "x");
}

#[test]
fn a_row_may_hold_the_ready_times() {
    let csv = CsvOptions { ready_row: true, ..CsvOptions::default() };
    for text in ["task,a,b\nr,1,2\nready,0,4.5\n", "Ready,0,4.5\n1,2\n", "1,2\nready,0,4.5\n"] {
        let (instance, _) = notes_with(text.as_bytes(), csv);
        assert_eq!(rows(&instance), ["1 2"], "{text}");
        assert_eq!(instance.scale().display(instance.ready(HostId(1))).to_string(), "4.5");
    }
    let options = ReadOptions { csv, ..DEFAULT };
    let message = |text: &str| error_with(Format::Csv, &options, text.as_bytes());
    assert_eq!(message("1,2\n"), "f: no row starts with 'ready'");
    assert_eq!(message("1,2\nready,x,1\n"), "f:2:7: expected a ready time, found 'x'");
    assert_eq!(message("ready,1,1\nready,1,1\n2,3\n"), "f:2:1: a second row starts with 'ready'");
    assert_eq!(message("1,2\nready,1\n"), "f:2:1: 1 ready times for 2 hosts");
    // Without the option the row is an ordinary task.
    assert_eq!(read(Format::Csv, "r,1,2\nready,0,4\n").task_count(), 2);
    let message = error_with(Format::Json, &options, b"{\"etc\": [[1]]}");
    assert_eq!(message, "f: --ready-row is for CSV files only, and this is json");
}

/// Spreadsheets write cells that were once filled, and some programs end every row with a
/// separator.
#[test]
fn empty_rows_and_columns_at_the_end_do_not_count() {
    for text in ["a,b\n1,2\n,3\n", "a,b,,\n1,2,,\n,3,,\n,,,\n,,,\n", "a,b,\n1,2,\n,3,\n,\n"] {
        let instance = read(Format::Csv, text);
        assert_eq!(rows(&instance), ["1 2", "- 3"], "{text}");
    }
    let message = error_with(Format::Csv, &DEFAULT, b"1,2\n,\n3,4\n");
    assert_eq!(message, "f:2:1: task 1 can run on no host");
}

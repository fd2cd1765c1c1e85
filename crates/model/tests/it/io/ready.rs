//! Ready times given separately from the file.

use super::*;

fn with_ready(format: Format, text: &str, ready: &str) -> Result<Instance, String> {
    let ready = ReadyTimes::parse(ready, "--ready").map_err(|error| error.to_string())?;
    let options = ReadOptions { ready: Some(ready), ..DEFAULT };
    parse(text.as_bytes(), "f", format, &options).map_err(|error| error.to_string())
}

#[test]
fn every_format_takes_them() {
    let texts = [
        (Format::Json, "{\"etc\": [[1, 2]], \"ready\": [7, 7]}"),
        (Format::Csv, "1,2\n"),
        (Format::Hcsp, "1 2\n1\n2\n"),
        (Format::Rcmax, "1\n2\n1\t2\n"),
    ];
    for (format, text) in texts {
        for ready in ["0,4.25", "0 4.25", "[0, 4.25]\n", "0;4.25", "0\n4.25\n"] {
            let instance = with_ready(format, text, ready).expect("valid");
            let shown = |h| instance.scale().display(instance.ready(h)).to_string();
            assert_eq!(instance.hosts().map(shown).collect::<Vec<_>>(), ["0", "4.25"]);
            assert_eq!(rows(&instance), ["1 2"]);
        }
        let message = with_ready(format, text, "0,1,2").expect_err("too many");
        assert_eq!(message, "f: 3 ready times for 2 hosts");
    }
}

#[test]
fn bad_ones_are_located_in_their_own_text() {
    let message = |ready| with_ready(Format::Csv, "1,2\n", ready).expect_err("bad");
    assert_eq!(message("0,-4"), "--ready:1:3: '-4' is negative");
    assert_eq!(message("0,\nsoon"), "--ready:2:1: expected a ready time, found 'soon'");
}

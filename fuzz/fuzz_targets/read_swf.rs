//! Any bytes read as a trace (SWF): lines that read back the same, or an error of one line.
#![no_main]

use gridsat_workload::swf::{Header, Line, Reader, Rules, SwfError, Writer};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for rules in [Rules::Archive, Rules::Lenient] {
        match read(bytes, rules) {
            Ok((header, lines)) => {
                let mut writer = Writer::new(Vec::new(), &header).expect("memory takes all");
                lines.iter().for_each(|line| writer.entry(line).expect("memory takes all"));
                let again = read(&writer.into_inner(), rules).expect("as it was written");
                assert_eq!(again.1, lines);
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});

fn read(bytes: &[u8], rules: Rules) -> Result<(Header, Vec<Line>), SwfError> {
    let mut reader = Reader::new(bytes, "fuzz", rules)?;
    let header = reader.header().clone();
    let mut lines = Vec::new();
    while let Some(line) = reader.entry()? {
        lines.push(line);
    }
    Ok((header, lines))
}

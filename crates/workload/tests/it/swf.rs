//! Traces in Standard Workload Format: accepted input, rejected input, treatment of unusual
//! records.
//!
//! Real traces are not in the repository.

use gridsat_model::Ticks;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use gridsat_model::Scale;
use gridsat_statistics::random::stream;
use gridsat_test_support::outside::data;
use gridsat_test_support::program::Folder;
use gridsat_workload::RigidJob;
use gridsat_workload::swf::{
    Conversion, Input, Jobs, Line, Odd, Origin, Priority, Processors, Reader, Record, Rules,
    TraceCounts, Writer, ZeroRun,
};
use rand::Rng;

/// A job of user 7 and queue 2: number, submit, run, processors used and requested, time requested,
/// status.
fn line(fields: [&str; 7]) -> String {
    let [number, submit, run, used, asked, time, status] = fields;
    format!(
        "{number} {submit} -1 {run} {used} -1 -1 {asked} {time} -1 {status} 7 -1 -1 2 -1 -1 -1\n"
    )
}

fn read(text: &str, rules: Rules) -> Result<Vec<Record>, String> {
    let reader = Reader::new(text.as_bytes(), "x.swf", rules).map_err(|error| error.to_string())?;
    reader.map(|record| record.map_err(|error| error.to_string())).collect()
}

fn rewritten<R: BufRead>(mut reader: Reader<R>) -> Vec<u8> {
    let mut text = Vec::new();
    let header = reader.header().clone();
    let mut writer = Writer::new(&mut text, &header).expect("memory");
    while let Some(entry) = reader.entry().expect("valid") {
        writer.entry(&entry).expect("memory");
    }
    text
}

/// The words of each nonblank line, separated by single spaces.
fn squeezed(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|&byte| byte == b'\n').map(|line| {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(&b' ')
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(&b'\n')
}

const MESSY: &str = "; Version: 2.2\r\n\
    ;  MaxNodes:  4   \r\n\
    ;\u{e9}t\u{e9}\n\
    ; two carriage returns\r\r\n\
    \n\
    \t  1 0  -1 12.50 4 0.33 -1 4 60 -1 1 1 1 -1 0 -1 -1 -1\r\n\
    ; a remark: in between\n\
    2\t5 -1 3 1 -1 -1 1 60 -1 0 1 1 -1 0 -1 -1 -1   \n\
    \r\n\
    3 5 -1 3 1 -1 -1 1 60 -1 -1 1 1 -1 0 -1 2 10";

#[test]
fn what_is_read_is_written_white_space_aside() {
    let reader = Reader::new(MESSY.as_bytes(), "x.swf", Rules::Archive).expect("valid");
    assert_eq!(reader.header().max_nodes().expect("valid"), Some(4));
    let text = rewritten(reader);
    assert_eq!(squeezed(&text), squeezed(MESSY.as_bytes()));
    let again = Reader::new(&text[..], "y.swf", Rules::Archive).expect("valid");
    assert_eq!(rewritten(again), text);
    assert_eq!(read(MESSY, Rules::Archive).expect("valid").len(), 3);
}

#[test]
fn comments_after_the_header_are_entries_not_header() {
    let mut reader = Reader::new(MESSY.as_bytes(), "x.swf", Rules::Archive).expect("valid");
    assert_eq!(reader.header().directives().len(), 2);
    assert!(matches!(reader.entry(), Ok(Some(Line::Job(_)))));
    let remark = Line::Comment(b"; a remark: in between".to_vec());
    assert_eq!(reader.entry().expect("valid"), Some(remark));
}

#[test]
fn a_trace_may_have_no_header_and_no_jobs() {
    assert_eq!(read("", Rules::Archive), Ok(vec![]));
    assert_eq!(read("; Version: 2\n\n", Rules::Archive), Ok(vec![]));
    let one = line(["1", "0", "1", "1", "-1", "-1", "1"]);
    assert_eq!(read(&one, Rules::Archive).expect("valid").len(), 1);
}

#[test]
fn errors_name_file_line_field_and_value() {
    let good = line(["1", "9", "1", "1", "-1", "-1", "1"]);
    for (bad, message) in [
        ("1 2 3\n".to_owned(), "x.swf:4: 3 fields, expected 18"),
        (
            line(["2", "9", "x", "1", "-1", "-1", "1"]),
            "x.swf:4: run time is 'x', not a number >= 0, or -1",
        ),
        (
            line(["2", "8.5", "1", "1", "-1", "-1", "1"]),
            "x.swf:4: submit time is 8.5, before that of the previous job, 9",
        ),
        ("x".repeat(2 << 20), "x.swf:4: longer than the limit of 1048576 bytes per line"),
    ] {
        let text = format!("; Version: 2\n{good}\n{bad}{good}");
        assert_eq!(read(&text, Rules::Archive), Err(message.to_owned()));
        // In the first line of the file as well.
        if !message.contains("before") {
            let message = message.replace(":4:", ":1:");
            assert_eq!(read(&bad, Rules::Archive), Err(message));
        }
    }
    let missing = Reader::open("/no/such.swf".as_ref(), Rules::Archive).err().expect("no file");
    assert!(missing.to_string().starts_with("/no/such.swf: cannot read: "), "{missing}");
}

#[test]
fn nothing_comes_after_an_error() {
    let good = line(["1", "0", "1", "1", "-1", "-1", "1"]);
    let text = format!("{good}oops\n{good}");
    let reader = Reader::new(text.as_bytes(), "x.swf", Rules::Archive).expect("a first job");
    assert_eq!(reader.map(|record| record.is_ok()).collect::<Vec<_>>(), [true, false]);
}

/// Damaged traces are rejected with a one-line message, or read and written like any other.
#[test]
fn damage_does_no_harm() {
    const BYTES: &[u8] = b"0123456789.-; \t\n\rx\0\xff";
    let mut random = stream(1, "test/swf", 0);
    let mut below = |end: usize| random.next_u32() as usize % end;
    for case in 0..20_000 {
        let mut text = MESSY.as_bytes().to_vec();
        for _ in 0..=below(3) {
            let at = below(text.len());
            text[at] = BYTES[below(BYTES.len())];
        }
        let rules = [Rules::Archive, Rules::Lenient][case % 2];
        let read = |text: &[u8]| Reader::new(text, "x.swf", rules)?.collect::<Result<Vec<_>, _>>();
        match read(&text) {
            Ok(records) => {
                let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
                assert_eq!(read(lines.as_bytes()).expect("valid"), records, "case {case}");
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("x.swf:"), "case {case}: {message}");
                assert!(!message.contains(char::is_control), "case {case}: {message:?}");
            }
        }
    }
}

/// Endless jobs, followed by a read error.
struct Lines {
    left: u64,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(1).ok_or_else(|| io::Error::other("broken"))?;
        let line = line(["1", "0", "1", "1", "-1", "-1", "1"]);
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[test]
fn jobs_are_there_before_the_rest_is_read() {
    let input = BufReader::with_capacity(100, Lines { left: 5000 });
    let mut reader = Reader::new(input, "pipe", Rules::Archive).expect("a first job");
    assert_eq!(reader.by_ref().take(5000).filter(Result::is_ok).count(), 5000);
    let error = reader.next().expect("an error").expect_err("broken").to_string();
    assert_eq!(error, "pipe:5001: cannot read: broken");
    assert!(reader.next().is_none());
}

#[test]
fn packed_files_are_known_by_their_first_bytes() {
    let folder = Folder::default();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(MESSY.as_bytes()).expect("memory");
    let packed = packed.finish().expect("memory");
    folder.write("plain.swf", MESSY).write("packed.swf", &packed);
    folder.write("cut.swf", &packed[..packed.len() / 2]);
    let open = |name| Reader::open(&folder.path(name), Rules::Archive);
    let plain = rewritten(open("plain.swf").expect("there"));
    assert_eq!(rewritten(open("packed.swf").expect("there")), plain);
    let cut = open("cut.swf").and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
    assert!(cut.expect_err("cut").to_string().contains("cannot read"));
}

fn jobs(text: &str, conversion: Conversion) -> (Vec<RigidJob>, TraceCounts) {
    let reader = Reader::new(text.as_bytes(), "x.swf", Rules::Lenient).expect("valid");
    let mut jobs = Jobs::new(reader, conversion);
    let all = jobs.by_ref().collect::<Result<_, _>>().expect("valid");
    (all, *jobs.tally())
}

#[test]
fn odd_records_are_counted_each_under_its_name() {
    let text = [
        line(["1", "10", "5", "4", "8", "60", "1"]),
        line(["2", "11", "0", "4", "-1", "60", "1"]),
        line(["3", "12", "70", "-1", "8", "60", "0"]),
        line(["4", "13", "9", "2", "-1", "-1", "5"]),
        line(["5", "14", "0", "2", "-1", "60", "5"]),
        line(["6", "15", "-1", "2", "-1", "60", "5"]),
        line(["7", "16", "-1", "2", "-1", "60", "1"]),
        line(["8", "-1", "5", "2", "-1", "60", "1"]),
        line(["9", "17", "5", "0", "-1", "60", "1"]),
        line(["10", "18", "5", "2", "-1", "60", "2"]),
        line(["11", "19", "18446744073709551615", "2", "-1", "60", "1"]),
        line(["12", "12", "5", "2", "-1", "0", "-1"]),
    ]
    .concat();
    let scale = Scale::new(1).expect("small");
    let conversion = Conversion { scale, priority: Priority::Queue, ..Conversion::default() };
    let (all, tally) = jobs(&text, conversion);
    let job = |number, submit, nodes, run, estimate| RigidJob {
        number,
        submit,
        nodes,
        run,
        estimate,
        priority: 2,
        user: 7,
    };
    let expected = [
        job(1, Ticks(100), 4, Ticks(50), Ticks(600)),
        job(2, Ticks(110), 4, Ticks(1), Ticks(600)),
        job(3, Ticks(120), 8, Ticks(700), Ticks(600)),
        job(4, Ticks(130), 2, Ticks(90), Ticks(90)),
        job(12, Ticks(120), 2, Ticks(50), Ticks(50)),
    ];
    assert_eq!(all, expected);
    assert_eq!((tally.records, tally.jobs, tally.skipped()), (12, 5, 7));
    assert_eq!((tally.zero_run, tally.no_estimate), (2, 2));
    assert_eq!((tally.underestimated, tally.out_of_order), (1, 1));
    let odd = [Odd::NeverStarted, Odd::NoRun, Odd::NoSubmit, Odd::NoProcessors, Odd::Part];
    assert_eq!(odd.map(|odd| tally[odd]), [2, 1, 1, 1, 1]);
    assert_eq!((tally[Odd::TooLong], tally[Odd::ZeroRun]), (1, 0));
}

#[test]
fn policies_choose_processors_origin_and_empty_jobs() {
    let text = line(["1", "1356996147", "0", "4", "8", "60", "1"])
        + &line(["2", "1356996150", "5", "4", "-1", "60", "1"]);
    let all = |conversion| {
        let (jobs, _) = jobs(&text, conversion);
        jobs.iter().map(|job| (job.submit, job.nodes, job.run)).collect::<Vec<_>>()
    };
    let own = Conversion::default();
    assert_eq!(
        all(own),
        [(Ticks(1_356_996_147), 4, Ticks(1)), (Ticks(1_356_996_150), 4, Ticks(5))]
    );
    let origin = Origin::FirstJob;
    let asked = Conversion { processors: Processors::Asked, origin, ..own };
    assert_eq!(all(asked), [(Ticks(0), 8, Ticks(1)), (Ticks(3), 4, Ticks(5))]);
    let keep = Conversion { zero_run: ZeroRun::Keep, origin, ..own };
    assert_eq!(all(keep)[0], (Ticks(0), 4, Ticks(0)));
    let skip = Conversion { zero_run: ZeroRun::Skip, origin, ..own };
    assert_eq!(all(skip), [(Ticks(0), 4, Ticks(5))]);
}

#[test]
fn jobs_survive_being_written() {
    let scale = Scale::new(2).expect("small");
    let job = RigidJob {
        number: 3,
        submit: Ticks(1205),
        nodes: 16,
        run: Ticks(700),
        estimate: Ticks(1000),
        priority: 4,
        user: 9,
    };
    let record = Record::of_job(&job, scale);
    assert_eq!(record.to_string(), "3 12.05 -1 7 16 -1 -1 16 10 -1 1 9 -1 -1 4 -1 -1 -1");
    let conversion = Conversion { scale, priority: Priority::Queue, ..Conversion::default() };
    assert_eq!(conversion.job(&record), Ok(job));
}

fn real(name: &str) -> PathBuf {
    data("swf").join(name)
}

fn open(name: &str, rules: Rules) -> Reader<Input> {
    Reader::open(&real(name), rules).expect(name)
}

fn tally(name: &str, rules: Rules) -> TraceCounts {
    let mut jobs = Jobs::new(open(name, rules), Conversion::default());
    assert!(jobs.by_ref().all(|job| job.is_ok()), "{name}");
    *jobs.tally()
}

const KTH: &str = "KTH-SP2-1996-2.swf";
const NASA: &str = "NASA-iPSC-1993-3.1-cln.swf";
const LCG: &str = "LCG-2005-1.swf.gz";
const METACENTRUM: &str = "metacentrum-wagap-2013.swf.gz";

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn real_traces_have_as_many_odd_records_as_their_notes_say() {
    for (name, jobs, zero, no_estimate, underestimated) in
        [(KTH, 28_489, 8, 0, 475), (NASA, 18_239, 173, 18_239, 0), (LCG, 188_041, 521, 0, 0)]
    {
        let tally = tally(name, Rules::Archive);
        assert_eq!((tally.records, tally.jobs, tally.zero_run), (jobs, jobs, zero), "{name}");
        assert_eq!(
            (tally.no_estimate, tally.underestimated, tally.out_of_order),
            (no_estimate, underestimated, 0),
            "{name}"
        );
    }
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn real_headers_have_types() {
    for (name, jobs, nodes, procs, start) in [
        (KTH, 28_490, Some(100), 100, 843_480_031),
        (NASA, 42_264, Some(128), 128, 749_458_803),
        (LCG, 188_041, None, 24_515, 1_132_444_805),
    ] {
        let reader = open(name, Rules::Archive);
        let header = reader.header();
        assert_eq!(header.number("MaxJobs").expect("a number"), Some(jobs), "{name}");
        assert_eq!(header.max_nodes().expect("a number"), nodes, "{name}");
        assert_eq!(header.max_procs().expect("a number"), Some(procs), "{name}");
        assert_eq!(header.number("UnixStartTime").expect("a number"), Some(start), "{name}");
        if name == LCG {
            assert_eq!(header.names("Partition").count(), 170);
        }
    }
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn real_traces_are_written_back() {
    for name in [KTH, NASA] {
        let path = real(name);
        let original = std::fs::read(&path).expect("readable");
        let text = rewritten(Reader::open(&path, Rules::Archive).expect(name));
        assert!(squeezed(&original) == squeezed(&text), "{name}");
    }
}

/// It has 21 fields, a job number 0, and two large negative run times.
#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_trace_of_metacentrum_needs_lenient_rules() {
    let path = real(METACENTRUM);
    let strict = Reader::open(&path, Rules::Archive).err().expect("not the format");
    let what = ".swf.gz:1: 21 fields, expected 18; --lenient accepts it (in a scenario: lenient \
                = true in [jobs])";
    assert!(strict.to_string().ends_with(what), "{strict}");
    let tally = tally(METACENTRUM, Rules::Lenient);
    assert_eq!((tally.records, tally.jobs, tally[Odd::NoRun]), (17_900, 17_898, 2));
}

//! Availability traces, plain and compressed: both are read alike, damage is reported in one line,
//! and a year of a hundred measured nodes runs under every rule.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use gridsat_grid::failure::{self, Change, read_trace};
use gridsat_grid::{Summary, simulate};
use gridsat_model::{Scale, Ticks};
use gridsat_scenario::{Changes, Scenario, Syntax};
use gridsat_statistics::random;
use gridsat_test_support::outside::data;
use rand::RngExt;

/// Availability of the nodes at Los Alamos, 1995 to 2005.
const LANL05: &str = "fta-lanl05/event_trace.tab.gz";

const YEAR: u64 = 31_536_000;
const RULES: [&str; 6] = [
    "'lost'",
    "'restart'",
    "'resubmit'",
    "'checkpoint'\ncheckpoint = 3600\ncheckpoint_cost = 30",
    "'checkpoint'\ncheckpoint = 3600\ncheckpoint_cost = 30\nstay = true",
    "'migrate'\nmigration_cost = 300",
];

/// A generated trace: nodes that are up for weeks and down for hours, for somewhat more than a
/// year.
fn made(nodes: u64) -> String {
    let mut text = "# event component node platform name type start stop reason\n".to_owned();
    for node in 0..nodes {
        let random = &mut random::stream(7, "trace", node);
        let (mut time, mut event) = (1_000_000_000 + random.random_range(0..YEAR / 4), 0);
        while time < 1_000_000_000 + YEAR + YEAR / 4 {
            let is_up = event % 2 == 0;
            let length = random.random_range(0..if is_up { 3_000_000 } else { 90_000_u64 });
            let (kind, stop) = (u8::from(is_up), time + length);
            text += &format!("{event}\t0\t{node}\t3\t{node}.0\t{kind}\t{time}\t{stop}\tNULL\n");
            (time, event) = (stop, event + 1);
        }
    }
    text
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory is enough");
    encoder.finish().expect("memory is enough")
}

fn read(mut bytes: &[u8]) -> Result<Vec<failure::Changes>, String> {
    read_trace(&mut bytes, None, Scale::new(0).expect("small")).map_err(|error| error.to_string())
}

#[test]
fn compressed_traces_are_read_like_plain_ones() {
    let text = made(50);
    let plain = read(text.as_bytes()).expect("a trace");
    assert_eq!(plain.len(), 50);
    assert_eq!(read(&compressed(text.as_bytes())).expect("a trace"), plain);
    // Concatenated gzip files are one gzip file.
    let (first, second) = text.as_bytes().split_at(text.len() / 3);
    let both = [compressed(first), compressed(second)].concat();
    assert_eq!(read(&both).expect("a trace"), plain);
}

#[test]
fn damaged_gzip_is_told_in_one_line() {
    let good = compressed(made(5).as_bytes());
    for length in 2..good.len() {
        let error = read(&good[..length]).expect_err("cut short");
        assert!(error.starts_with("damaged gzip after line "), "{length}: {error}");
    }
    let trailing = [&good[..], b"and more that is no gzip"].concat();
    assert!(read(&trailing).expect_err("no gzip").contains("invalid gzip header"));
    // The checksum finds damage that decompression does not; a change of an unused bit is harmless.
    let nodes = read(&good).expect("a trace");
    let harmless = |byte: &usize| {
        let mut bad = good.clone();
        bad[*byte] ^= 0x20;
        let read = read(&bad);
        let shown = read.as_ref().err().map_or("", String::as_str);
        assert!(!shown.contains('\n') && shown.len() < 200, "{byte}: {shown}");
        read.is_ok_and(|read| read == nodes || panic!("{byte}: read wrong"))
    };
    assert!((10..good.len()).step_by(7).filter(harmless).count() < 5);
}

/// A hundred megabytes of zeros compressed to a hundred kilobytes are rejected at the first line,
/// too many lines at the limit.
#[test]
fn small_files_do_not_fill_the_memory() {
    let error = read(&compressed(&vec![0; 100_000_000])).expect_err("one line");
    assert_eq!(error, "line 1: longer than the limit of 4096 bytes");
    let comment = [b'#'; 4095].iter().chain(b"\n").copied().collect::<Vec<u8>>();
    let block = compressed(&comment.repeat(1 << 10));
    let error = read(&block.repeat(65)).expect_err("too many lines");
    assert_eq!(error, "line 65537: text larger than the limit of 268435456 bytes");
}

/// A year of `count` nodes of a trace, with about one job per node every two hours.
fn year(trace: &Path, start: u64, count: u32, rule: &str) -> Summary {
    let text = format!(
        "[stop]\ntime = {YEAR}\n[[resource]]\nname = 'node'\ncount = {count}\nmips = 1\n\
         [resource.failure]\ntrace = {trace:?}\ntrace_start = {start}\non_failure = {rule}\n\
         [[users]]\ncount = 20\napplications = 400\ntasks = 5\ngap = {{ exponential = 4000 }}\n\
         size = {{ gamma = [2, 20000] }}\n[[scheduler]]\npolicy = 'fcfs'\n\
         [[command]]\nat = 1000000\ncancel = 1000\n"
    );
    let scenario = Scenario::parse(&text, Syntax::Toml, "test.toml", Path::new(""));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let setup = scenario.setup(&Changes::default()).unwrap_or_else(|error| panic!("{error}"));
    simulate(setup, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// No job and no work is lost, and the failures are those of the trace under every rule.
fn check_years(trace: &Path, start: u64, count: u32) {
    let mut downtime = None;
    for rule in RULES {
        let summary = year(trace, start, count, rule);
        let (jobs, work) = (&summary.counts, &summary.accounts);
        let known = jobs.finished + jobs.lost + jobs.cancelled + summary.left;
        assert_eq!(jobs.submitted, known, "{rule}: {jobs:?}");
        let sum = work.useful + work.lost + work.overhead + work.in_progress;
        assert_eq!(work.given, sum, "{rule}: {work:?}");
        assert_eq!(jobs.lost > 0, rule == "'lost'", "{rule}: {jobs:?}");
        assert!(jobs.finished > 10_000 && summary.downtime > 0.0, "{rule}: {jobs:?}");
        assert_eq!(*downtime.get_or_insert(summary.downtime), summary.downtime, "{rule}");
    }
}

#[test]
fn a_year_of_a_made_trace_adds_up() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    // The file name does not matter.
    let path = folder.path().join("trace.tab");
    fs::write(&path, compressed(made(60).as_bytes())).expect("writable");
    check_years(&path, 1_000_000_000 + YEAR / 8, 60);
}

#[test]
fn damage_names_the_scenario_and_the_trace() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let bytes = compressed(made(5).as_bytes());
    fs::write(folder.path().join("x.tab.gz"), &bytes[..bytes.len() / 2]).expect("writable");
    let text = "[[resource]]\nmips = 1\nfailure = { trace = 'x.tab.gz' }\n[[job]]\nmi = 1\n";
    let scenario = Scenario::parse(text, Syntax::Toml, "x.toml", folder.path());
    let error = scenario.err().expect("damaged").to_string();
    assert!(error.starts_with("x.toml:3:21: resource[0]: failure: trace: "), "{error}");
    assert!(error.contains("x.tab.gz\": damaged gzip after line "), "{error}");
}

/// Published figures of the data set: 43325 intervals of 3577 nodes, 23451 of them down, for 5.88
/// hours on average; those up last 1779.99 hours. The text is parsed here independently of the
/// reader.
#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_nodes_of_los_alamos() {
    let bytes = fs::read(data(LANL05)).expect("readable");
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("gzip");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let fields = rows.map(|row| row.split_ascii_whitespace().collect::<Vec<_>>());
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let (down, up): (Vec<_>, Vec<_>) = fields
        .map(|fields| (fields[5] == "0", number(fields[7]) - number(fields[6])))
        .partition(|&(is_down, _)| is_down);
    assert_eq!((down.len(), down.len() + up.len()), (23_451, 43_325));
    let seconds = |of: &[(bool, f64)]| of.iter().map(|(_, seconds)| seconds).sum::<f64>();
    let mean = |of: &[(bool, f64)]| format!("{:.2}", seconds(of) / of.len() as f64 / 3600.0);
    assert_eq!((mean(&up).as_str(), mean(&down).as_str()), ("1779.99", "5.88"));

    let nodes = read(&bytes).expect("a trace");
    assert_eq!(nodes.len(), 3577);
    let mut total = Ticks::ZERO;
    for node in nodes {
        for pair in node.iter().collect::<Vec<_>>().chunks(2) {
            let [(from, Change::Down), (to, Change::Up)] = pair[..] else { panic!("{pair:?}") };
            assert!(from < to);
            total += to - from;
        }
    }
    assert_eq!(total.as_f64(), seconds(&down));
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn a_year_at_los_alamos_adds_up() {
    let path = data(LANL05);
    // 2004, when most of the first hundred nodes existed.
    check_years(&path, 1_072_915_200, 100);
}

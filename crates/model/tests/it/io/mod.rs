//! Readers and writers of instance files: what is accepted, what is rejected, the messages, and
//! that nothing panics or loses a digit.

mod csv;
mod hcsp;
mod json;
mod levels;
mod lists;
mod pcmax;
mod rcmax;
mod ready;
mod rounding;

use gridsat_model::io::{
    CsvOptions, Format, Note, Precision, ReadOptions, ReadyTimes, WriteError, parse, read_file,
    write,
};
use gridsat_model::{HostId, Instance, InstanceParts, Scale, TaskId, Ticks};
use gridsat_test_support::outside::data;
use gridsat_test_support::{project, tiny};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const DEFAULT: ReadOptions = ReadOptions {
    format: None,
    tasks: None,
    hosts: None,
    host_list: None,
    precision: Precision::Fit,
    ready: None,
    csv: CsvOptions { header: None, index: None, ready_row: false, qos: false },
};

fn sizes(tasks: usize, hosts: usize) -> ReadOptions {
    ReadOptions { tasks: Some(tasks), hosts: Some(hosts), ..DEFAULT }
}

fn read(format: Format, text: &str) -> Instance {
    parse(text.as_bytes(), "f", format, &DEFAULT).expect(text)
}

fn error_with(format: Format, options: &ReadOptions, bytes: &[u8]) -> String {
    let read = parse(bytes, "f", format, options);
    let shown = String::from_utf8_lossy(bytes);
    match read {
        Ok(_) => format!("accepted: {shown}"),
        Err(error) => error.to_string(),
    }
}

/// The times in the file's time unit, `-` where a task cannot run.
fn rows(instance: &Instance) -> Vec<String> {
    let time = |t, h| match instance.time(t, h) {
        Some(time) => instance.scale().display(time).to_string(),
        None => "-".to_owned(),
    };
    let row = |t| instance.hosts().map(|h| time(t, h)).collect::<Vec<_>>().join(" ");
    instance.tasks().map(row).collect()
}

fn written(instance: &Instance, format: Format) -> Result<String, WriteError> {
    let mut out = Vec::new();
    write(instance, format, &mut out)?;
    Ok(String::from_utf8(out).expect("text"))
}

/// Checks the message of each text and shows all differences at once.
#[track_caller]
fn refuses(format: Format, cases: &[(&str, &str)]) {
    let found = |&(text, _): &(&str, &str)| error_with(format, &DEFAULT, text.as_bytes());
    let differ = |case: &&(&str, &str)| found(case) != case.1;
    let wrong: Vec<_> = cases.iter().filter(differ).map(|case| (case.0, found(case))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn sizes_given_are_checked_in_every_format() {
    let texts = [
        (Format::Json, "{\"etc\": [[1, 2]]}"),
        (Format::Csv, "1,2\n"),
        (Format::Hcsp, "1 2\n1\n2\n"),
        (Format::Rcmax, "1\n2\n1\t2\n"),
    ];
    for (format, text) in texts {
        assert!(parse(text.as_bytes(), "f", format, &sizes(1, 2)).is_ok());
        let message = error_with(format, &sizes(1, 3), text.as_bytes());
        assert_eq!(message, "f: 2 hosts in the file, but --hosts says 3");
        let message = error_with(format, &sizes(7, 2), text.as_bytes());
        assert_eq!(message, "f: 1 tasks in the file, but --tasks says 7");
    }
}

#[test]
fn bytes_that_are_not_text_are_located() {
    for format in [Format::Json, Format::Hcsp, Format::Rcmax] {
        let message = error_with(format, &DEFAULT, b"1\n2\xff\n");
        assert_eq!(message, "f:2:2: not UTF-8 text: invalid byte at offset 3");
    }
}

#[test]
fn a_message_is_one_line_even_for_a_strange_file_name() {
    let error = parse(b"", "a\nb\x1b", Format::Csv, &DEFAULT).expect_err("empty");
    assert_eq!(error.to_string(), "a\\nb\\u{1b}:1:1: no tasks");
}

#[test]
fn deep_brackets_do_not_overflow_the_stack() {
    let brackets = "[".repeat(5_000_000);
    let texts = [
        brackets.clone(),
        format!("{{\"etc\": {brackets}"),
        format!("{{\"etc\": {brackets}{}}}", "]".repeat(5_000_000)),
        "{\"etc\":".repeat(1_000_000),
    ];
    for text in texts {
        for format in Format::ALL {
            let message = error_with(format, &DEFAULT, text.as_bytes());
            assert!(message.starts_with("f:") && message.len() < 200, "{message}");
        }
    }
}

#[test]
fn files_are_read_by_name_and_named_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.csv");
    std::fs::write(&path, "1,2\n3,4\n").expect("written");
    let instance = read_file(&path, &DEFAULT).expect("valid");
    assert_eq!(instance.name(), "small");

    let unknown = folder.path().join("small.xyz");
    std::fs::write(&unknown, "1,2\n").expect("written");
    let message = read_file(&unknown, &DEFAULT).expect_err("no format").to_string();
    let end =
        ": cannot recognise the format by the file name: use --from json|csv|hcsp|rcmax|pcmax";
    assert_eq!(message, format!("{}{end}", unknown.display()));
    let forced = ReadOptions { format: Some(Format::Csv), ..DEFAULT };
    assert_eq!(read_file(&unknown, &forced).expect("valid").name(), "small.xyz");

    let missing = read_file(folder.path().join("no.json"), &DEFAULT).expect_err("missing");
    assert!(missing.to_string().contains("no.json: cannot read: "), "{missing}");
}

#[test]
fn decimals_are_exact() {
    let text = r#"{"etc": [[0.1, 0.2, 0.3, 1.000000000000000001, 4.611686018427387e-3]]}"#;
    let instance = read(Format::Json, text);
    assert_eq!(instance.scale().decimals(), 18);
    let ticks: Vec<Ticks> = instance.times(TaskId(0)).map(|(_, time)| time).collect();
    assert_eq!(ticks[0] + ticks[1], ticks[2]);
    assert_eq!(ticks[3], Ticks(1_000_000_000_000_000_001));
    assert_eq!(ticks[4], Ticks(4_611_686_018_427_387));
}

#[test]
fn writers_refuse_what_they_cannot_hold() {
    let message = |text: &str, format| {
        let instance = read(Format::Json, text);
        written(&instance, format).err().map(|error| error.to_string())
    };
    let ready = "{\"etc\": [[1, 2]], \"ready\": [0, 1]}";
    for format in [Format::Hcsp, Format::Rcmax] {
        let expected = format!("{format} cannot hold ready times (json and csv can)");
        assert_eq!(message(ready, format), Some(expected));
    }
    let name = "{\"etc\": [[1, 2]], \"ready\": [0, 1], \"tasks\": [\"Ready\"]}";
    let expected =
        "csv has a row 'ready' for ready times, and a task is called 'Ready' (json holds both)";
    assert_eq!(message(name, Format::Csv).as_deref(), Some(expected));
    let expected = "rcmax cannot mark a host where a task cannot run (json, csv and hcsp can)";
    assert_eq!(message("{\"etc\": [[1, null]]}", Format::Rcmax).as_deref(), Some(expected));
    let expected = "rcmax holds whole numbers only (json, csv and hcsp hold decimals)";
    assert_eq!(message("{\"etc\": [[1, 2.5]]}", Format::Rcmax).as_deref(), Some(expected));
}

#[test]
fn canonical_json_has_a_task_a_line() {
    let text = r#"{"name": "d\"x", "etc": [[14, 5.50, null], [3, 8, 2]], "ready": [0, 0, 4],
        "tasks": ["render", "merge"], "hosts": ["h0", "h1", "h2"]}"#;
    let expected = r#"{
  "name": "d\"x",
  "tasks": ["render", "merge"],
  "ready": [0, 0, 4],
  "etc": [
    [14, 5.5, null],
    [3, 8, 2]
  ]
}
"#;
    assert_eq!(written(&read(Format::Json, text), Format::Json).expect("json"), expected);
}

#[test]
fn large_instances_keep_every_digit() {
    let time = |t: u64, h: u64| Some(Ticks(1 + (t * 7919 + h * 104_729) * 31_337 % 99_999_999));
    let etc = (0..2048).map(|t| (0..64).map(|h| time(t, h)).collect()).collect();
    let scale = Scale::new(2).expect("small");
    let parts = InstanceParts { etc, scale, ..InstanceParts::default() };
    let instance = Instance::new(parts).expect("valid");
    for format in [Format::Json, Format::Csv, Format::Hcsp] {
        let text = written(&instance, format).expect("holds it");
        let again = parse(text.as_bytes(), "f", format, &DEFAULT).expect("valid");
        assert!(rows(&again) == rows(&instance), "{format}");
    }
}

#[test]
fn one_endless_row_is_read() {
    let row = "1,".repeat(500_000) + "1\n";
    assert_eq!(read(Format::Csv, &row).host_count(), 500_001);
}

#[test]
fn the_reference_instances_have_their_optima() {
    let folder = project("instances/reference");
    let optima = std::fs::read_to_string(folder.join("optima.json")).expect("optima");
    let optima: serde_json::Value = serde_json::from_str(&optima).expect("JSON");
    let optima = optima.as_object().expect("an object");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), optima.len() + 1);
    for (name, entry) in optima {
        let instance = read_file(folder.join(format!("{name}.json")), &DEFAULT).expect(name);
        assert_eq!(instance.name(), name);
        if instance.task_count() <= 9 {
            let optimum = entry["optimum"].as_f64().expect("a number").to_string();
            let best = instance.scale().display(tiny::optimum(&instance)).to_string();
            assert_eq!(best, optimum, "{name}");
        }
    }
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn benchmark_files_are_read_whole() {
    let cases = [
        ("hcsp-512x16/u_c_hihi.0", 512, 16, 6),
        ("hcsp-1024x32/A.u_i_lolo", 1024, 32, 2),
        ("rcmax-fanjul-ruiz/U1a100/111.txt", 100, 10, 0),
        ("rcmax-fanjul-ruiz/JobsCorre/221.txt", 200, 20, 0),
        ("reference/decimal_30x5.json", 30, 5, 2),
    ];
    for (path, tasks, hosts, decimals) in cases {
        let path = data(path);
        let instance = read_file(&path, &DEFAULT).expect("valid");
        let found = (instance.task_count(), instance.host_count(), instance.scale().decimals());
        assert_eq!(found, (tasks, hosts, decimals), "{}", path.display());
    }
}

/// Instances of up to 6 × 5 with names that every format preserves.
fn instances() -> impl Strategy<Value = Instance> {
    let time =
        prop_oneof![4 => (0..=u64::MAX >> 6).prop_map(|time| Some(Ticks(time))), 1 => Just(None)];
    let small = prop_oneof![4 => (0..2000_u64).prop_map(|time| Some(Ticks(time))), 1 => Just(None)];
    let time = prop_oneof![time, small];
    let shape = (1..=6_usize, 1..=5_usize);
    shape.prop_flat_map(move |(n, m)| {
        let etc = prop::collection::vec(prop::collection::vec(time.clone(), m), n);
        let ready = prop_oneof![
            Just(vec![Ticks::ZERO; m]),
            prop::collection::vec((0..99_u64).prop_map(Ticks), m)
        ];
        (etc, ready, 0..=18_u32, "[a-z\"\\\\,;#\té\n]{0,6}", any::<bool>()).prop_map(instance_of)
    })
}

type Parts = (Vec<Vec<Option<Ticks>>>, Vec<Ticks>, u32, String, bool);

fn instance_of((mut etc, ready, decimals, name, named): Parts) -> Instance {
    for row in &mut etc {
        row[0] = row[0].or(Some(Ticks(5)));
    }
    // A last digit other than zero keeps the scale the smallest possible.
    etc[0][0] = etc[0][0].map(|time| time / 10 * 10 + Ticks(1));
    let names = |count: usize, prefix: &str| match named {
        true => (0..count).map(|i| format!("{prefix}{name}{i}")).collect(),
        false => Vec::new(),
    };
    let parts = InstanceParts {
        tasks: names(etc.len(), "task "),
        hosts: names(ready.len(), "host "),
        name: name.clone(),
        etc,
        ready,
        scale: Scale::new(decimals).expect("at most 18"),
    };
    Instance::new(parts).expect("small enough")
}

fn fixed_seed() -> ProptestConfig {
    ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(fixed_seed())]

    #[test]
    fn what_is_written_reads_back(instance in instances()) {
        for format in Format::ALL {
            let Ok(text) = written(&instance, format) else { continue };
            let ready = |i: &Instance| i.hosts().map(|h| i.ready(h)).collect::<Vec<_>>();
            let ready_row = format == Format::Csv && instance.latest_ready() > Ticks(0);
            let csv = CsvOptions { ready_row, ..CsvOptions::default() };
            let options = ReadOptions { csv, ..DEFAULT };
            let again = parse(text.as_bytes(), "f", format, &options).expect("readable");
            prop_assert_eq!(rows(&again), rows(&instance));
            prop_assert_eq!(ready(&again), ready(&instance));
            if format == Format::Json {
                prop_assert_eq!(&again, &instance);
            }
            if format == Format::Csv {
                prop_assert_eq!(again.names(), instance.names());
            }
        }
    }

    #[test]
    fn any_bytes_get_an_answer_in_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in Format::ALL {
            let message = error_with(format, &DEFAULT, &bytes);
            prop_assert!(message.starts_with("accepted") || message.lines().count() == 1);
        }
    }

    #[test]
    fn any_text_of_the_right_letters_gets_an_answer(
        text in "[\\[\\]{},:;#\"\\\\0-9eE.+\\-\n\r\t nulifx\u{e9}]{0,80}",
        options in (prop::option::of(0..5_usize), prop::option::of(0..5_usize)),
    ) {
        let options = ReadOptions { tasks: options.0, hosts: options.1, ..DEFAULT };
        for format in Format::ALL {
            let wrapped = format!("{{\"etc\":{text}}}");
            for text in [&text, &wrapped] {
                let message = error_with(format, &options, text.as_bytes());
                prop_assert!(message.starts_with("accepted") || message.lines().count() == 1);
            }
        }
    }

    #[test]
    fn numbers_are_read_as_written(
        whole in 0..1_000_000_u64,
        fraction in "[0-9]{0,12}",
        shift in 0..5_usize,
    ) {
        let text = format!("{whole}.{fraction}0e-{shift}");
        let instance = read(Format::Hcsp, &format!("1 1\n{text}\n"));
        let digits = fraction.len() + shift;
        let exact = format!("{whole}{fraction}").parse::<u128>().expect("digits");
        let ticks = u128::from(instance.time(TaskId(0), HostId(0)).expect("a time"));
        let decimals = instance.scale().decimals();
        prop_assert_eq!(ticks * 10_u128.pow(digits as u32), exact * 10_u128.pow(decimals));
    }
}

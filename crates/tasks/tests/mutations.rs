//! Random damage to logs and mappings: whatever is in a file, it is read or refused in one line.

use gridsat_model::Instance;
use gridsat_model::io::parse_mapping;
use gridsat_tasks::{Format, Log, Missing, TaskList, duration, etc_from, read_names};
use gridsat_test_support::example;
use gridsat_test_support::mutate::mutate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SAMPLES: [&str; 14] = [
    "pytest.xml",
    "nextest.xml",
    "playwright.xml",
    "gradle-junit4.xml",
    "gradle-junit5.xml",
    "test_durations",
    "joblog",
    "hyperfine.json",
    "snakemake.tsv",
    "snakemake-extended.tsv",
    "nextflow-trace.txt",
    "sacct.txt",
    "sacct-22.05.txt",
    "sacct.json",
];

/// The text after one to four changes.
fn damaged(text: &str, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.random_range(1..=4) {
        mutate(&mut bytes, rng);
    }
    bytes
}

/// Reads the bytes as this format; whether they are a log.
fn is_log(bytes: &[u8], format: Option<Format>) -> bool {
    match Log::parse(bytes, "f", format) {
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with('f') && text.lines().count() == 1, "{text}");
            false
        }
        Ok(log) => {
            let list = TaskList::of(std::slice::from_ref(&log));
            assert!(!list.tasks().is_empty() && list.tasks().len() <= log.records.len());
            // Whether a matrix or an instance can be made of it is another question.
            if let Err(error) = etc_from(&[("h".to_owned(), log)], Missing::Guess) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
            if let Err(error) = list.on_equal_hosts(2) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
            true
        }
    }
}

#[test]
fn damaged_logs_are_read_or_refused_in_one_line() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for name in SAMPLES {
        let text = example(&format!("logs/{name}"));
        let format = Log::parse(text.as_bytes(), name, None).expect(name).format;
        let (mut read, mut refused) = (0, 0);
        for _ in 0..400 {
            let bytes = damaged(&text, &mut rng);
            // As what it was, as what it looks like, and as anything else.
            is_log(&bytes, None);
            is_log(&bytes, Some(Format::ALL[rng.random_range(0..Format::ALL.len())]));
            match is_log(&bytes, Some(format)) {
                true => read += 1,
                false => refused += 1,
            }
            let text = String::from_utf8_lossy(&bytes);
            text.split_whitespace().for_each(|word| drop(duration(word)));
            assert!(read_names(&text).len() <= text.lines().count());
        }
        assert!(read > 10 && refused > 10, "{name}: {read} read, {refused} refused");
    }
}

#[test]
fn damaged_mappings_are_read_or_refused_in_one_line() {
    let json =
        r#"{"etc": [[4, 7], [3, 5], [6, 2]], "tasks": ["x", "y", "z"], "hosts": ["a", "b"]}"#;
    let instance: Instance = json.parse().expect("valid");
    let samples = [
        r#"{"makespan": 9, "mapping": [0, 1, 0]}"#,
        r#"["a", "b", "a"]"#,
        r#"{"x": "a", "y": "b", "z": 1}"#,
        "task,host\nx,a\ny,b\nz,a\n",
        "task,task_name,host,host_name\n0,x,0,a\n1,y,1,b\n2,z,0,a\n",
        "a\nb\na\n",
        "0 1 0\n",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut read, mut refused) = (0, 0);
    for sample in samples {
        assert!(parse_mapping(&instance, sample.as_bytes(), "f").is_ok(), "{sample}");
        for _ in 0..1000 {
            match parse_mapping(&instance, &damaged(sample, &mut rng), "f") {
                Ok(mapping) => {
                    assert_eq!(mapping.hosts().len(), 3);
                    read += 1;
                }
                Err(error) => {
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 200 && refused > 2000, "{read} read, {refused} refused");
}

/// XML that would take memory or stack without end, and what must never be followed.
#[test]
fn hostile_xml_is_refused_in_one_line() {
    let bomb = (1..20).fold("<!ENTITY a0 \"ha\">".to_owned(), |text, level| {
        let below = level - 1;
        format!("{text}<!ENTITY a{level} \"&a{below};&a{below};&a{below};&a{below};\">")
    });
    let cases = [
        (
            format!("<?xml version=\"1.0\"?>\n<!DOCTYPE x [{bomb}]>\n<testsuite name=\"&a19;\"/>"),
            "f:2: a document type",
        ),
        (
            "<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><testsuites/>".to_owned(),
            "f:1: a document type",
        ),
        (
            "<testsuites><testcase name=\"&a;\" time=\"1\"/></testsuites>".to_owned(),
            "f:1: unknown entity",
        ),
        (format!("<testsuites>{}", "<testsuite>".repeat(1_000_000)), "f:1: elements are nested"),
        (format!("<testsuites>{}", "<testcase name=\"".repeat(1_000_000)), "f:1: "),
        ("<testsuites><!-- no end".to_owned(), "f:1: "),
        (format!("<testsuites><testcase {}/>", "a=\"b\" ".repeat(1_000_000)), "f:1: "),
    ];
    for (text, message) in cases {
        let error = Log::parse(text.as_bytes(), "f", Some(Format::Junit)).expect_err(message);
        let shown = error.to_string();
        assert!(shown.starts_with(message) && shown.lines().count() == 1, "{shown}");
        assert!(shown.len() < 300, "{} bytes", shown.len());
    }
}

//! Logs that real programs wrote, and damaged ones.

use gridsat_tasks::{Format, Log, NANOS, Runner, TaskList};
use gridsat_test_support::example;

fn log(name: &str) -> Log {
    Log::parse(example(&format!("logs/{name}")).as_bytes(), name, None).expect(name)
}

/// Name, milliseconds and group of each task.
fn tasks(name: &str) -> Vec<(String, u64, String)> {
    let list = TaskList::of(&[log(name)]);
    let tasks = list.tasks().iter().map(|task| {
        let millis = task.nanos.expect("measured").div_ceil(1_000_000);
        (task.name.clone(), millis, task.group.clone().unwrap_or_default())
    });
    tasks.collect()
}

fn assert_tasks(name: &str, format: Format, expected: &[(&str, u64, &str)]) {
    let found = tasks(name);
    let found: Vec<_> =
        found.iter().map(|(task, millis, group)| (&**task, *millis, &**group)).collect();
    assert_eq!(found, expected, "{name}");
    assert_eq!(log(name).format, format, "{name}");
}

#[test]
fn reports_of_test_runners_name_tests_as_the_runner_does() {
    let (merge, render) = ("tests/test_merge.py", "tests/test_render.py");
    let expected = [
        ("tests/test_merge.py::test_two", 31, merge),
        ("tests/test_merge.py::test_many", 55, merge),
        ("tests/test_render.py::test_scale[1]", 11, render),
        ("tests/test_render.py::test_scale[2]", 20, render),
        ("tests/test_render.py::test_scale[a b]", 11, render),
        ("tests/test_render.py::test_scale[<&\">]", 11, render),
        ("tests/test_render.py::TestMesh::test_load", 25, render),
        ("tests/test_render.py::TestMesh::test_gpu", 0, render),
        ("tests/test_render.py::TestMesh::test_fails", 1, render),
    ];
    assert_tasks("pytest.xml", Format::Junit, &expected);
    assert_eq!(log("pytest.xml").records[0].host.as_deref(), Some("runner-1"));
    // The names of pytest-split are pytest's own, so both logs are of the same tests.
    let mut names: Vec<String> = tasks("test_durations").into_iter().map(|task| task.0).collect();
    let mut own: Vec<&str> = expected.iter().map(|task| task.0).collect();
    names.sort();
    own.sort_unstable();
    assert_eq!(names, own);
    let nextest = [
        ("shapes tests::area", 50, "shapes"),
        ("shapes tests::nested::volume", 15, "shapes"),
        ("shapes tests::nested::fails", 226, "shapes"),
    ];
    assert_tasks("nextest.xml", Format::Junit, &nextest);
    assert_eq!(log("nextest.xml").runner, Runner::Nextest);
    let playwright = [
        ("[one] › cart.spec.ts › adds up", 46, "cart.spec.ts"),
        ("[one] › cart.spec.ts › with a coupon › is cheaper", 45, "cart.spec.ts"),
        ("[one] › cart.spec.ts › with a coupon › is free", 0, "cart.spec.ts"),
        ("[one] › login.spec.ts › rejects a wrong password", 39, "login.spec.ts"),
    ];
    assert_tasks("playwright.xml", Format::Junit, &playwright);
    let class = "com.example.InvoiceTest";
    let gradle = [
        ("com.example.InvoiceTest.sums lines()", 1202, class),
        ("com.example.InvoiceTest.rounds(BigDecimal)[1] 0.005", 82, class),
        ("com.example.InvoiceTest.prints()", 0, class),
    ];
    assert_tasks("gradle-junit5.xml", Format::Junit, &gradle);
    let class = "shop.CartTest";
    let gradle = [
        ("shop.CartTest.shipsAbroad", 41, class),
        ("shop.CartTest.removesItems", 61, class),
        ("shop.CartTest.addsItems", 131, class),
        ("shop.CartTest.totalIsRounded", 33, class),
    ];
    assert_tasks("gradle-junit4.xml", Format::Junit, &gradle);
}

#[test]
fn logs_of_job_runners_are_read() {
    let jobs = [
        ("sleep 0.01", 19, ""),
        ("sleep 0.05", 44, ""),
        ("sleep 0.02", 27, ""),
        ("sh -c \"exit 0\"", 10, ""),
        ("sh -c \"exit 3\"", 3, ""),
    ];
    assert_tasks("joblog", Format::Joblog, &jobs);
    let last = log("joblog").records.pop().expect("five");
    assert_eq!(
        (last.succeeded, last.host, last.command.as_deref()),
        (false, None, Some("sh -c \"exit 3\""))
    );
    assert_tasks(
        "hyperfine.json",
        Format::Hyperfine,
        &[("sleep 0.01", 16, ""), ("sleep 0.02", 24, "")],
    );
    assert_tasks("snakemake.tsv", Format::Snakemake, &[("snakemake", 210, "")]);
    assert_tasks("snakemake-extended.tsv", Format::Snakemake, &[("one {'n': 'a'}", 200, "one")]);
    // The failed attempt of the third task does not count.
    let trace = [
        ("blast (1)", 5000, "blast"),
        ("blast (2)", 10_000, "blast"),
        ("blast (3)", 62_500, "blast"),
    ];
    assert_tasks("nextflow-trace.txt", Format::Nextflow, &trace);
    let jobs = [
        ("render", 565_000, ""),
        ("sweep[1]", 45_000, "sweep"),
        ("sweep[2]", 93_600_000, "sweep"),
        ("merge", 60_000, ""),
    ];
    assert_tasks("sacct.txt", Format::Sacct, &jobs);
    assert_tasks(
        "sacct.json",
        Format::Sacct,
        &[("render", 750_000, ""), ("sweep[2]", 45_000, "sweep")],
    );
    // Two runs of 7 and 4 s; a job that still runs does not count.
    let jobs = [
        ("render", 5500, ""),
        ("merge", 1000, ""),
        ("steps", 7000, ""),
        ("sweep[1]", 3000, "sweep"),
        ("sweep[2]", 4000, "sweep"),
        ("sweep[3]", 6000, "sweep"),
    ];
    assert_tasks("sacct-22.05.txt", Format::Sacct, &jobs);
    let jobs = [
        ("render", 5500, ""),
        ("sweep[3]", 6000, "sweep"),
        ("merge", 1000, ""),
        ("sweep[1]", 3000, "sweep"),
    ];
    assert_tasks("sacct-22.05.json", Format::Sacct, &jobs);
}

/// Every sample cut off at, or damaged by a byte at, any place is read or gives an error of one
/// line.
#[test]
fn damaged_samples_never_panic() {
    let names = [
        "pytest.xml",
        "test_durations",
        "joblog",
        "hyperfine.json",
        "snakemake.tsv",
        "nextflow-trace.txt",
        "sacct.txt",
        "sacct.json",
        "playwright.xml",
        "gradle-junit4.xml",
        "gradle-junit5.xml",
        "sacct-22.05.txt",
    ];
    let mut errors = 0;
    for name in names {
        let text = example(&format!("logs/{name}"));
        for at in (0..text.len()).step_by(7) {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = *b"<\"\t-9{\0"[..].get(at % 7).expect("seven");
            for bytes in [&text.as_bytes()[..at], &damaged] {
                if let Err(error) = Log::parse(bytes, name, Some(log(name).format)) {
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > 1000, "{errors}");
}

#[test]
fn unknown_and_empty_files_say_what_to_do() {
    let error = |text: &str| Log::parse(text.as_bytes(), "f", None).expect_err(text).to_string();
    let formats = "junit|pytest-split|joblog|hyperfine|snakemake|nextflow|sacct|list";
    let unknown = format!("f: cannot recognise the format by its content: use --from {formats}");
    assert_eq!(error(""), unknown);
    assert_eq!(error("14 5 9\n"), unknown);
    assert_eq!(error("<testsuites/>"), "f: contains no tasks");
    assert_eq!(error("{\"a\": 1"), "f: not JSON: EOF while parsing an object at line 1 column 7");
    let columns = "JobID,JobName,Elapsed,State,NodeList";
    assert_eq!(
        error("JobID|JobName|Partition|State\n1|a|main|COMPLETED\n"),
        format!("f:1: no column Elapsed or ElapsedRaw: give sacct --format={columns}")
    );
    assert_eq!(error("JobID|Elapsed\n1|00:0x:00\n"), "f:2: '00:0x:00' is not a duration");
    assert_eq!(error("Seq\tHost\tJobRuntime\tCommand\n1\t:\t0.5\n"), "f:2: 3 columns, expected 4");
    let bytes = Log::parse(b"\xff\xfe", "f", None).expect_err("not text").to_string();
    assert_eq!(bytes, "f: not UTF-8 text: invalid byte at offset 0");
    let deep = "[".repeat(1_000_000);
    let deep = Log::parse(deep.as_bytes(), "f", Some(Format::List)).expect_err("deep");
    assert_eq!(deep.line, Some(1));
    assert_eq!(NANOS, 1_000_000_000);
}

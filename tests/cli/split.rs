//! `split` and `etc-from`, and task lists as instances.

use super::*;

fn logs() -> Folder {
    let folder = Folder::default();
    for name in
        ["pytest.xml", "test_durations", "nextest.xml", "playwright.xml", "joblog", "sacct.txt"]
    {
        folder.copy(&format!("tests/data/logs/{name}"), name);
    }
    folder
}

/// 5,000 tests of some milliseconds to some seconds, in 100 files.
fn many() -> String {
    let time = |i: u64| (i * i * 7919 + i * 104_729) % 4_000_003;
    let line = |i: u64| format!("\"tests/test_{}.py::test_{i}\": 0.{:07}", i % 100, time(i));
    format!("{{{}}}", (0..5000).map(line).collect::<Vec<_>>().join(",\n"))
}

#[test]
fn five_thousand_tests_in_twenty_shards_are_proven() {
    let folder = Folder::default();
    folder.write("durations", many());
    let start = std::time::Instant::now();
    let run = folder.run("split durations --shards 20 --format json").ends(0);
    let seconds = start.elapsed().as_secs_f64();
    // One second on a quiet core; CI may be busy.
    assert!(seconds < 10.0, "{seconds}");
    let json = run.json();
    assert_eq!((&json["status"], &json["gap"]), (&json!("optimal"), &json!(0.0)));
    let shards = json["shards"].as_array().expect("a list");
    let tasks: usize =
        shards.iter().map(|shard| shard["tasks"].as_array().expect("a list").len()).sum();
    assert_eq!((shards.len(), tasks), (20, 5000));
    // Every runner computes the same split, and all lists together are that of one machine.
    let whole = folder.run("split durations --shards 20 --format lines").ends(0).out;
    for shard in [1, 7, 20] {
        let one = folder.run(&format!("split durations --shards 20 --shard {shard}")).ends(0).out;
        let of_whole = whole.lines().filter_map(|line| line.strip_prefix(&format!("{shard}\t")));
        assert_eq!(one.lines().collect::<Vec<_>>(), of_whole.collect::<Vec<_>>());
    }
    folder.run("split durations --shards 20 --shard 21").fails(2, &["--shard 21", "1 to 20"]);
    folder.run("split durations --shards 20 --shard 0").fails(2, &["--shard 0", "1 to 20"]);
}

#[test]
fn the_certificate_of_a_split_is_checked_like_any_other() {
    let folder = logs();
    let run = folder
        .run(
            "split test_durations --shards 3 --overhead 30s --instance i.json --certificate c.json",
        )
        .ends(0);
    assert!(run.out.contains("no split into 3 ends before 30.05"), "{}", run.out);
    assert!(run.out.contains(" s, proven"), "{}", run.out);
    folder.run("verify i.json c.json").ends(0);
    folder.run("split test_durations --shards 0").fails(2, &["at least 1"]);
}

#[test]
fn the_fewest_shards_are_proven() {
    let folder = Folder::default();
    folder.write("list.csv", "task,time\na,6\nb,5\nc,4\nd,4\ne,4\nf,1\n");
    let run = folder.run("split list.csv --target 12s --format json").ends(0);
    let json = run.json();
    assert_eq!(json["fewest"], json!({"target": 12, "at_least": 2, "is_proven": true}));
    assert_eq!(json["shards"].as_array().map(Vec::len), Some(2));
    let run = folder.run("split list.csv --target 9s --overhead 1s").ends(0);
    assert!(run.out.contains("Fewer than 4 shards cannot make 9 s, proven."), "{}", run.out);
    // Of four tasks no two fit together, which the sum of all does not say.
    folder.write("long.csv", "task,time\na,6\nb,6\nc,6\nd,6\n");
    let run = folder.run("split long.csv --target 11s").ends(0);
    assert!(run.out.contains("Fewer than 4 shards cannot make 11 s, proven."), "{}", run.out);
    let error = ["no number of shards ends within 5 s", "'a' alone takes 6 s"];
    folder.run("split list.csv --target 5s").fails(2, &error);
}

#[test]
fn groups_stay_together_or_pay_their_set_up() {
    let folder = Folder::default();
    folder.write("list.csv", "task,time,group\na,6,x\nb,6,x\nc,2,y\nd,2,y\n");
    let ends = |options: &str| {
        let words = format!("split list.csv --shards 2 --format json {options}");
        let json = folder.run(&words).ends(0).json();
        (json["makespan"].clone(), json["lower_bound"].clone())
    };
    assert_eq!(ends(""), (json!(8), json!(8)));
    assert_eq!(ends("--together"), (json!(12), json!(12)));
    assert_eq!(ends("--together --setup 1s"), (json!(13), json!(13)));
    // Dividing x costs one set-up more, and is worth it.
    assert_eq!(ends("--setup 1s"), (json!(10), json!(9.5)));
    // No matrix says that, so there is no certificate, and nothing is called proven.
    let run = folder.run("split list.csv --target 10s --setup 1s").ends(0);
    assert!(run.out.contains("cannot make 10 s, by counting."), "{}", run.out);
    assert!(run.out.contains(" ends before 9.5 s, by counting"), "{}", run.out);
    assert!(!run.out.contains("proven"), "{}", run.out);
    let json = folder.run("split list.csv --target 10s --setup 1s --format json").ends(0).json();
    assert_eq!(
        (&json["is_certified"], &json["fewest"]["is_proven"]),
        (&json!(false), &json!(false))
    );
    let refused = "split list.csv --shards 2 --setup 1s --certificate c.json";
    folder.run(refused).fails(2, &["divided groups have no certificate"]);
}

#[test]
fn runners_of_different_speed_get_what_they_can_do() {
    let folder = Folder::default();
    folder.write("list.csv", "task,time\na,6\nb,6\nc,6\nd,6\n");
    let run = folder.run("split list.csv --runners big=3,small=1 --format json").ends(0);
    let json = run.json();
    assert_eq!((&json["makespan"], &json["status"]), (&json!(6), &json!("optimal")));
    let names =
        json["shards"].as_array().expect("a list").iter().map(|shard| shard["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), [json!("big"), json!("small")]);
    folder.run("split list.csv --runners big=0").fails(2, &["--runners", "'big=0'"]);
    folder.run("split list.csv").fails(2, &["--shards"]);
}

#[test]
fn new_tests_get_the_mean_and_lost_ones_are_left_out() {
    let folder = Folder::default();
    folder.write("list.csv", "task,time\na,2\nb,4\n");
    folder.write("now", "b\nc\n\n2 tests collected in 0.01s\n");
    let json = folder.run("split list.csv --only now --shards 2 --format json").ends(0).json();
    assert_eq!((&json["default"], &json["defaulted"]), (&json!(4), &json!(["c"])));
    let json = folder
        .run("split list.csv --only now --default 1s --shards 2 --format json")
        .ends(0)
        .json();
    assert_eq!((&json["default"], &json["makespan"]), (&json!(1), &json!(4)));
    folder.write("new", "x\n");
    folder.run("split list.csv --only new --shards 2").fails(2, &["no task has a measured time"]);
}

#[test]
fn shards_are_written_as_test_runners_take_them() {
    let folder = logs();
    let filter = folder.run("split nextest.xml --shards 1 --shard 1 --format nextest").ends(0).out;
    let expected = "(binary_id(=shapes) & (test(=tests::area) | test(=tests::nested::volume) | \
                    test(=tests::nested::fails)))\n";
    assert_eq!(filter, expected);
    let list =
        folder.run("split playwright.xml --shards 2 --shard 2 --format playwright").ends(0).out;
    assert!(list.lines().all(|line| line.starts_with("[one] › ")) && !list.is_empty(), "{list}");
    let nodes = folder.run("split pytest.xml --shards 2 --shard 1 --format pytest").ends(0).out;
    assert!(nodes.lines().all(|line| line.starts_with("tests/test_")), "{nodes}");
    let matrix = folder.run("split pytest.xml --shards 2 --format github").ends(0);
    assert_eq!(matrix.out.lines().count(), 1);
    let jobs = matrix.json();
    assert_eq!(jobs["include"][1]["shard"], json!(2));
    assert_eq!(jobs["include"][1]["shards"], json!(2));
    folder.run("split joblog --shards 2 --format pytest").fails(2, &["'sleep 0.01'", "pytest"]);
    folder.run("split joblog --shards 2 --format nextest").fails(2, &["cargo-nextest"]);
    let empty = folder.run("split nextest.xml --shards 9 --shard 9 --format nextest").ends(0).out;
    assert_eq!(empty, "none()\n");
}

#[test]
fn a_task_list_is_an_instance_with_equal_hosts() {
    let folder = logs();
    let run = folder.run("solve pytest.xml --hosts 2 --certificate c.json --format json").ends(0);
    assert_eq!(
        (&run.json()["status"], &run.json()["makespan"]),
        (&json!("optimal"), &json!(0.084))
    );
    folder.run("verify pytest.xml c.json --hosts 2").ends(0);
    folder.run("solve pytest.xml").fails(2, &["pytest.xml", "task list (junit)", "--hosts N"]);
    folder.run("solve sacct.txt --from sacct --hosts 3").ends(0);
    let ready = folder.run("solve joblog --hosts 2 --ready 1,0 --decimals 2 --format json");
    assert_eq!(ready.err, "gridsat: joblog: times rounded up to 1e-2\n");
    assert_eq!(ready.json()["makespan"], json!(1));
    folder.run("convert joblog list.csv --hosts 2").ends(0);
    // What is neither keeps the message about instances.
    folder.write("bad.json", "{\"etc\": [[1, -2]]}");
    folder.run("solve bad.json").fails(2, &["bad.json:1", "-2"]);
    folder.write("bad.xml", "<testsuites><testcase name='a' time='soon'/></testsuites>");
    folder.run("solve bad.xml --hosts 2").fails(2, &["bad.xml:1", "soon"]);
}

#[test]
fn hostile_xml_is_refused() {
    let folder = Folder::default();
    let bomb = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><testsuite name=\"&b;\"/>";
    folder.write("bomb.xml", bomb);
    folder.run("split bomb.xml --shards 2").fails(2, &["bomb.xml:1", "DOCTYPE"]);
    folder.write("deep.xml", "<testsuites>".repeat(1_000_000));
    folder.run("split deep.xml --shards 2").fails(2, &["deep.xml:1", "more than 256 deep"]);
    // What looks like a command in a log is a name and nothing else.
    let job = "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n\
               1\t:\t1\t0.5\t0\t0\t0\t0\ttouch owned; $(touch owned)\n";
    folder.write("joblog", job);
    folder.run("split joblog --shards 1 --shard 1").ends(0);
    assert!(!folder.path("owned").exists());
}

#[test]
fn logs_of_several_hosts_make_a_matrix_that_says_what_is_guessed() {
    let folder = Folder::default();
    folder.write("a.csv", "task,time\nx,2\ny,5\nz,8\n");
    folder.write("b.csv", "task,time\nx,4\nx,6\nx,4\n");
    let run = folder.run("etc-from a.csv b.csv --output m.json --guesses g.csv");
    let line = "gridsat: 2 of 6 times are guesses by the speed of the host: y@b z@b\n";
    assert_eq!(run.err, line);
    assert_eq!(folder.read("g.csv"), "task,host,time\ny,b,10\nz,b,16\n");
    let json = folder.run("solve m.json --format json").ends(0).json();
    assert_eq!(
        (&json["tasks"], &json["hosts"], &json["status"]),
        (&json!(3), &json!(2), &json!("optimal"))
    );
    let csv = folder.run("etc-from big=a.csv small=b.csv --missing forbid --to csv").ends(0).out;
    assert!(csv.contains("big") && csv.contains("small") && csv.contains("inf"), "{csv}");
    folder.run("etc-from a.csv b.csv --missing error").fails(2, &["'y' was not measured on 'b'"]);
    folder.run("etc-from a.csv none.csv").fails(2, &["none.csv"]);
    // Machines that a log names are the hosts.
    folder.copy("tests/data/logs/sacct.txt", "sacct.txt");
    let run = folder.run("etc-from sacct.txt --to csv");
    assert!(
        run.out
            .lines()
            .next()
            .is_some_and(|line| line.contains("node-a") && line.contains("node-b")),
        "{}",
        run.out
    );
}

/// The commands of the example workflow in the handbook, in its order.
#[test]
fn the_example_workflow_runs() {
    let page = std::fs::read_to_string(project("docs/split.md")).expect("readable");
    let yaml = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
    let calls =
        yaml.expect("a workflow").lines().filter_map(|line| line.split_once("gridsat split "));
    let calls: Vec<String> = calls
        .map(|(_, rest)| rest.split([')', '>']).next().unwrap_or_default().trim().to_owned())
        .collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    let folder = logs();
    folder.copy("tests/data/logs/test_durations", ".test_durations");
    let nodes = folder.run("split .test_durations --shards 1 --shard 1").ends(0).out;
    folder.write(
        "collected.txt",
        format!("{nodes}tests/test_new.py::test_it\n\n10 tests collected\n"),
    );
    let matrix = folder.run(&format!("split {}", calls[0])).ends(0).json();
    let jobs = matrix["include"].as_array().expect("jobs");
    let mut tests = Vec::new();
    for job in jobs {
        let call = calls[1].replace("${{ matrix.shards }}", &job["shards"].to_string());
        let call = call.replace("${{ matrix.shard }}", &job["shard"].to_string());
        let out = folder.run(&format!("split {call}")).ends(0).out;
        tests.extend(out.lines().map(str::to_owned));
    }
    assert_eq!(tests.len(), 10, "{tests:?}");
}

/// Equal shards take no memory or time for each pair of task and shard.
#[test]
fn many_shards_are_split_and_too_many_are_refused() {
    let folder = Folder::default();
    let rows = (0..20_000).map(|task| format!("t{task},{}\n", 1 + task % 977));
    folder.write("many.csv", format!("task,time\n{}long,20000\n", rows.collect::<String>()));
    let split = folder.run("split many.csv --shards 4000").ends(0).out;
    assert!(split.starts_with("20001 tasks in 4000 shards"), "{}", &split[..200]);
    assert!(split.contains("ends before 20000 s, proven"), "{}", &split[..200]);
    let too_many = folder.run("split many.csv --shards 200000000");
    too_many.fails(2, &["200000000 shards are more than 1048576"]);
}

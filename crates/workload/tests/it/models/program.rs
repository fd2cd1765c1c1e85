//! Tests of `gridsat generate workload`.

use gridsat_model::Scale;
use gridsat_test_support::program::Folder;
use gridsat_workload::swf::{Conversion, Jobs, Priority, Reader, Rules};
use gridsat_workload::{GridArrivals, GridJob, JobTypes, WangZhang, WangZhangParameters};

use super::lublin::lublin;

#[test]
fn the_program_makes_the_same_trace_from_the_same_seed() {
    let folder = Folder::default();
    for model in [
        "lublin",
        "lublin --types both --nodes 256 --set interactive.umed=4.5",
        "wang-zhang --set alpha=1.5 --arrivals daily",
        "beosim --set size=exp:10 --decimals 3",
    ] {
        let make = |seed| {
            folder
                .run(&format!("generate workload --jobs 50 --seed {seed} --model {model}"))
                .ends(0)
        };
        let first = make(7);
        assert_eq!(first, make(7), "{model}");
        assert_ne!(first, make(8), "{model}");
        let reader = Reader::new(first.out.as_bytes(), model, Rules::Archive).expect("valid");
        assert_eq!(reader.header().number("MaxJobs").expect("a number"), Some(50));
        assert_eq!(reader.header().get("Note"), Some("seed 7"), "{model}");
        assert_eq!(reader.count(), 50, "{model}");
    }
}

#[test]
fn traces_never_change() {
    let folder = Folder::default();
    for (model, last) in [
        ("lublin --types both --nodes 256", "3 2378 -1 18 32 -1 -1 32 18 -1 1 -1 -1 -1 0 -1 -1 -1"),
        ("wang-zhang --set alpha=2", "3 106 -1 26853 1 -1 -1 1 30052 -1 1 -1 -1 -1 0 8 -1 -1"),
        (
            "beosim --set size=exp:10 --decimals 2",
            "3 15255.54 -1 9937.64 2 -1 -1 2 9937.64 -1 1 -1 -1 -1 0 -1 -1 -1",
        ),
    ] {
        let run =
            folder.run(&format!("generate workload --jobs 3 --seed 1 --model {model}")).ends(0);
        assert_eq!(run.out.lines().last(), Some(last));
    }
}

/// The program writes exactly the jobs that the model draws.
#[test]
fn the_trace_reads_back_as_the_jobs_of_the_model() {
    let folder = Folder::default();
    folder.run("generate workload --types both --jobs 500 --seed 7 -o x.swf").ends(0);
    let reader = Reader::open(&folder.path("x.swf"), Rules::Archive).expect("valid");
    let conversion = Conversion { priority: Priority::Queue, ..Conversion::default() };
    let jobs: Vec<_> = Jobs::new(reader, conversion).collect::<Result<_, _>>().expect("valid");
    assert_eq!(jobs, lublin(JobTypes::Both, 128, Scale::default())[..500]);
}

#[test]
fn deadlines_and_migration_costs_go_to_a_table() {
    let folder = Folder::default();
    let words =
        "generate workload --model wang-zhang --jobs 20 --seed 7 --attributes a.csv -o x.swf";
    folder.run(words).ends(0);
    let model =
        WangZhang { parameters: WangZhangParameters::default(), arrivals: GridArrivals::Gaps };
    let jobs = model.jobs(7, Scale::default()).expect("valid").take(20);
    let row = |job: GridJob| {
        let GridJob { job, scheduler, deadline, migration } = job;
        format!("{},{},{deadline},{migration}\n", job.number, scheduler + 1)
    };
    let rows: String = jobs.map(row).collect();
    assert_eq!(folder.read("a.csv"), format!("job,partition,deadline,migration\n{rows}"));
}

#[test]
fn the_program_refuses_what_a_model_does_not_know() {
    let folder = Folder::default();
    for (words, parts) in [
        ("--set umd=3", ["--set umd=3", "unknown parameter 'umd'", "umed"]),
        ("--set umed", ["--set umed", "NAME=VALUE", ""]),
        ("--set umed=x", ["--set umed=x", "'x' is not a number", ""]),
        ("--set umed=9", ["umed is 9, above uhi, which is 7", "", ""]),
        ("--model beosim --types both", ["--types is not for this --model", "", ""]),
        ("--model wang-zhang --nodes 8", ["--nodes is not for this --model", "", ""]),
        ("--nodes 0", ["nodes is 0", "", ""]),
    ] {
        folder.run(&format!("generate workload -o x.swf {words}")).fails(2, &parts);
    }
    assert!(folder.list().is_empty());
}

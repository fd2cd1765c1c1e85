//! Threads, interruptions, and existing results.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::time::SystemTime;

use super::*;
use gridsat_lab::experiment::{MetricId, PointId, RunId};
use gridsat_lab::parts::beside::folder_of;

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("writable");
    let experiment = experiment(SMALL);
    let bytes = [1, 2, 7].map(|threads| {
        let path = folder.path().join(format!("{threads}.jsonl"));
        complete(&experiment, &path, threads);
        fs::read(path).expect("written")
    });
    assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 3, "parts are gone");
}

#[test]
fn a_result_read_again_is_the_same() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    let results = complete(&experiment(SMALL), &path, 2);
    let read = Results::read(&path).expect("complete");
    assert_eq!(read, results);
    let mut again = Vec::new();
    read.write(&mut again).expect("memory");
    assert_eq!(again, fs::read(path).expect("written"));
}

/// The parts that are done, with the times at which they were written.
fn parts(result: &Path) -> BTreeMap<OsString, SystemTime> {
    let entries = fs::read_dir(folder_of(result).join("parts")).into_iter().flatten();
    let part = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let is_part = name.to_string_lossy().parse::<usize>().is_ok();
        let written = entry.metadata().ok()?.modified().ok()?;
        is_part.then_some((name, written))
    };
    entries.filter_map(Result::ok).filter_map(part).collect()
}

/// Stopped again and again, the experiment resumes where it was: no part is lost or repeated.
#[test]
fn interrupted_again_and_again() {
    let folder = tempfile::tempdir().expect("writable");
    let experiment = changed(SMALL, &Changes { replications: Some(40), ..Changes::default() });
    let (whole, path) = (folder.path().join("whole.jsonl"), folder.path().join("r.jsonl"));
    complete(&experiment, &whole, 2);
    let mut kept = BTreeMap::new();
    let mut stops = 0;
    for attempt in 1.. {
        assert!(attempt < 300, "{} parts after as many attempts", kept.len());
        let seen = Seen::default();
        let (enough, stop) = (kept.len() + 3, seen.stop.clone());
        let ended = std::thread::scope(|scope| {
            scope.spawn(|| {
                while parts(&path).len() < enough && !path.exists() {
                    std::thread::yield_now();
                }
                stop.request();
            });
            run(&experiment, &path, How { threads: 2, ..How::default() }, &seen)
        });
        match ended.expect("writable") {
            EndedExperiment::Complete { results, new } => {
                assert!(new < results.experiment.run_count(), "some runs were there");
                break;
            }
            EndedExperiment::Stopped { done, of } => {
                let now = parts(&path);
                assert!((kept.len()..of).contains(&done) && now.len() == done);
                assert!(kept.iter().all(|(part, written)| now.get(part) == Some(written)));
                kept = now;
                stops += 1;
            }
        }
    }
    assert!(stops > 3, "{stops} stops are too few for this test");
    assert_eq!(fs::read(&path).expect("written"), fs::read(whole).expect("written"));
    assert!(!folder_of(&path).exists());
}

/// A process killed after the result was written, or before, or a part that is damaged.
#[test]
fn what_is_there_is_used_and_what_is_damaged_repeated() {
    let folder = tempfile::tempdir().expect("writable");
    let experiment = experiment(SMALL);
    let path = folder.path().join("r.jsonl");
    let (keep, seen) = (How { keep: true, ..How::default() }, Seen::default());
    run(&experiment, &path, keep, &seen).expect("writable");
    let whole = fs::read(&path).expect("written");
    let one = folder_of(&path).join("parts/7");
    let part = fs::read(&one).expect("kept");
    for length in [0, 1, part.len() / 2, part.len() - 1] {
        fs::remove_file(&path).expect("there");
        fs::write(&one, &part[..length]).expect("writable");
        let ended = run(&experiment, &path, keep, &seen);
        assert!(matches!(ended, Ok(EndedExperiment::Complete { new: 1, .. })), "{ended:?}");
        assert!(fs::read(&path).expect("written") == whole, "cut at {length}");
    }
    run(&experiment, &path, How::default(), &seen).expect("complete");
    assert!(!folder_of(&path).exists(), "left by a process that was killed at its end");
}

#[test]
fn a_complete_result_is_not_run_again() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    let experiment = experiment(SMALL);
    complete(&experiment, &path, 2);
    let seen = Seen::default();
    let ended = run(&experiment, &path, How::default(), &seen);
    assert!(matches!(ended, Ok(EndedExperiment::Complete { new: 0, .. })), "{ended:?}");
    let ended = run(&experiment, &path, How { fresh: true, ..How::default() }, &seen);
    assert!(matches!(ended, Ok(EndedExperiment::Complete { new: 36, .. })), "{ended:?}");
}

/// Further worlds are added to a result, with the bytes of all worlds at once.
#[test]
fn further_worlds_are_added() {
    let folder = tempfile::tempdir().expect("writable");
    let (once, twice) = (folder.path().join("once.jsonl"), folder.path().join("twice.jsonl"));
    let more = changed(SMALL, &Changes { replications: Some(7), ..Changes::default() });
    complete(&more, &once, 2);
    complete(&experiment(SMALL), &twice, 2);
    let ended = run(&more, &twice, How::default(), &Seen::default());
    assert!(matches!(ended, Ok(EndedExperiment::Complete { new: 27, .. })), "{ended:?}");
    assert!(fs::read(once).expect("written") == fs::read(twice).expect("written"));
}

#[test]
fn somebody_elses_result_is_not_touched() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    let (keep, seen) = (How { keep: true, ..How::default() }, Seen::default());
    run(&experiment(SMALL), &path, keep, &seen).expect("writable");
    let before = fs::read(&path).expect("written");
    let other = changed(SMALL, &Changes { seed: Some(2), ..Changes::default() });
    let refused = run(&other, &path, How::default(), &seen);
    let error = refused.expect_err("another experiment").to_string();
    assert!(error.contains("r.jsonl: a result of another experiment"), "{error}");
    assert_eq!(fs::read(&path).expect("there"), before);
    fs::remove_file(&path).expect("there");
    let refused = run(&other, &path, How::default(), &seen);
    let error = refused.expect_err("another experiment").to_string();
    assert!(error.contains("r.jsonl.parts: started by another experiment"), "{error}");
    assert_eq!(parts(&path).len(), 36);
}

#[test]
fn two_at_once_do_not_mix() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    let (keep, seen) = (How { keep: true, ..How::default() }, Seen::default());
    run(&experiment(SMALL), &path, keep, &seen).expect("writable");
    fs::remove_file(&path).expect("there");
    let lock = fs::File::open(folder_of(&path).join("lock")).expect("there");
    lock.try_lock().expect("nobody else");
    let refused = run(&experiment(SMALL), &path, How::default(), &seen);
    let error = refused.expect_err("locked").to_string();
    assert!(error.contains("r.jsonl.parts: another gridsat is at work on it"), "{error}");
}

/// Common random numbers: additional algorithms do not change the results of others.
#[test]
fn another_algorithm_changes_nothing_for_the_others() {
    let folder = tempfile::tempdir().expect("writable");
    let few = complete(&experiment(SMALL), &folder.path().join("few.jsonl"), 2);
    let names = ["sufferage", "tlmm", "mct"].map(str::to_owned).to_vec();
    let more = Changes { algorithms: names, replications: Some(6), ..Changes::default() };
    let more = complete(&changed(SMALL, &more), &folder.path().join("more.jsonl"), 2);
    for run in few.experiment.runs().filter(|run| run.replication.0 < 4) {
        let of = |results: &Results, name| {
            let algorithm = results.experiment.algorithm(name).expect("takes part");
            results.outcome(RunId { algorithm, ..run })
        };
        assert_eq!(of(&few, "mct"), of(&more, "mct"));
        assert_eq!(of(&few, "tlmm"), of(&more, "tlmm"));
    }
}

/// The sum of ten jobs of 300 years each exceeds the largest simulated time.
#[test]
fn a_failing_run_does_not_stop_the_rest() {
    let sweep = "key = \"users.qos\"\nrange = { from = 0, to = 1, count = 3 }";
    let text = SMALL.replace("minmin", "sufferage");
    let text = text.replace(sweep, "key = \"users.size\"\nvalues = [1000, 1e12]");
    let folder = tempfile::tempdir().expect("writable");
    let results = complete(&experiment(&text), &folder.path().join("r"), 2);
    let failures: Vec<_> = results.failures().collect();
    assert!(!failures.is_empty());
    for (place, error) in failures {
        assert!(place.starts_with("users.size = 1000000000000.0, "), "{place}");
        assert!(error.contains("times are too large"), "{place}: {error}");
    }
    let values = |algorithm| results.values(PointId(0), algorithm, MetricId(0));
    let mut values = results.experiment.algorithms.ids().flat_map(values);
    assert!(values.all(|value| value.is_some()), "small jobs are not concerned");
}

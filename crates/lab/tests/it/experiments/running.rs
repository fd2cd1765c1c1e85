//! Threads, interruptions, and existing results.

use std::fs;

use super::*;
use gridsat_lab::experiment::{MetricId, PointId, RunId};

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
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 3, "journals are gone");
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

/// Stopped after every single run, the experiment resumes where it was: no run is lost or repeated.
#[test]
fn interrupted_again_and_again() {
    let folder = tempfile::tempdir().expect("writable");
    let experiment = experiment(SMALL);
    let (whole, parts) = (folder.path().join("whole.jsonl"), folder.path().join("parts.jsonl"));
    complete(&experiment, &whole, 2);
    let of = experiment.run_count();
    let mut kept = 0;
    for _ in 0..of {
        let watch = Watch { stop_after: Some(3), ..Watch::default() };
        let options = Options { threads: 2, fresh: false };
        let ended = run(&experiment, &parts, options, &watch.stop, &watch).expect("writable");
        assert_eq!(*watch.begun.lock().expect("no thread panics"), [(kept, of)]);
        let now = watch.runs.load(Ordering::SeqCst);
        kept += now;
        match ended {
            Ended::Complete { new, .. } => {
                assert_eq!((kept, new), (of, now));
                assert_eq!(fs::read(&parts).expect("written"), fs::read(whole).expect("written"));
                return;
            }
            Ended::Stopped { done, .. } => assert_eq!(done, kept),
        }
    }
    panic!("{kept} of {of} runs after as many attempts");
}

/// A process killed while it writes a line: the journal is cut at every length near its end, and at
/// some others.
#[test]
fn half_a_line_is_no_run() {
    let folder = tempfile::tempdir().expect("writable");
    let experiment = experiment(SMALL);
    let whole = folder.path().join("whole.jsonl");
    complete(&experiment, &whole, 2);
    let whole = fs::read(whole).expect("written");
    let end = whole.len() - "{\"runs\":36}\n".len();
    let header = whole.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    let lengths = [0, 1, header - 1, header, header + 1, header + 40].into_iter();
    for length in lengths.chain(end - 90..=end).step_by(7) {
        let path = folder.path().join("r.jsonl");
        fs::write(folder.path().join("r.jsonl.part"), &whole[..length]).expect("writable");
        complete(&experiment, &path, 2);
        assert!(fs::read(&path).expect("written") == whole, "cut at {length} of {end}");
        fs::remove_file(path).expect("there");
    }
}

#[test]
fn a_complete_result_is_not_run_again() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    let experiment = experiment(SMALL);
    complete(&experiment, &path, 2);
    let watch = Watch::default();
    let ended = run(&experiment, &path, Options::default(), &watch.stop, &watch);
    assert!(matches!(ended, Ok(Ended::Complete { new: 0, .. })), "{ended:?}");
    let options = Options { fresh: true, ..Options::default() };
    let ended = run(&experiment, &path, options, &watch.stop, &watch);
    assert!(matches!(ended, Ok(Ended::Complete { new: 36, .. })), "{ended:?}");
}

#[test]
fn somebody_elses_result_is_not_touched() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    complete(&experiment(SMALL), &path, 2);
    let before = fs::read(&path).expect("written");
    let other = changed(SMALL, &Changes { seed: Some(2), ..Changes::default() });
    let watch = Watch::default();
    let refused = run(&other, &path, Options::default(), &watch.stop, &watch);
    let error = refused.expect_err("another experiment").to_string();
    assert!(error.contains("r.jsonl: a result of another experiment"), "{error}");
    fs::rename(&path, folder.path().join("r.jsonl.part")).expect("writable");
    let refused = run(&other, &path, Options::default(), &watch.stop, &watch);
    let error = refused.expect_err("another experiment").to_string();
    assert!(error.contains("r.jsonl.part: started by another experiment"), "{error}");
    assert_eq!(fs::read(folder.path().join("r.jsonl.part")).expect("there"), before);
}

#[test]
fn two_at_once_do_not_mix() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("r.jsonl");
    let part = fs::File::create(folder.path().join("r.jsonl.part")).expect("writable");
    part.try_lock().expect("nobody else");
    let watch = Watch::default();
    let refused = run(&experiment(SMALL), &path, Options::default(), &watch.stop, &watch);
    let error = refused.expect_err("locked").to_string();
    assert!(error.contains("another gridsat is writing it"), "{error}");
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
            results.outcome(RunId { algorithm, ..run }).clone()
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
    let watch = Watch::default();
    let ended =
        run(&experiment(&text), &folder.path().join("r"), Options::default(), &watch.stop, &watch);
    let Ok(Ended::Complete { results, .. }) = ended else { panic!("{ended:?}") };
    let failures: Vec<_> = results.failures().collect();
    assert!(!failures.is_empty() && failures.len() == watch.failures.lock().expect("fine").len());
    for (place, error) in failures {
        assert!(place.starts_with("users.size = 1000000000000.0, "), "{place}");
        assert!(error.contains("times are too large"), "{place}: {error}");
    }
    let values = |algorithm| results.values(PointId(0), algorithm, MetricId(0));
    let mut values = results.experiment.algorithms.ids().flat_map(values);
    assert!(values.all(|value| value.is_some()), "small jobs are not concerned");
}

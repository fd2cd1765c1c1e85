//! The playback page: its states at any time compared with a plain recomputation, names that look
//! like markup, its size, and that it loads nothing.

mod states;
mod twin;

use gridsat_cluster::view::{Recorder, Window};
use gridsat_cluster::{
    ClusterId, ClusterSpec, NodeGroup, Overrun, ParallelJob, QueuePolicy, Request, Setup, Speed,
    Summary, simulate, source,
};
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::{Beosim, BeosimLaw, RigidJob};
use serde_json::Value;
use twin::{Both, Log};

const HOSTILE: &str =
    "</script><script>document.body.id='taken'</script><!--<script>\u{2028}\"'&amp;";

/// More work than 64 nodes can do.
fn jobs(count: usize) -> Vec<RigidJob> {
    let mut model = Beosim::new(64);
    model.size = BeosimLaw::Uniform { low: 1.0, high: 40.0 };
    model.gap = BeosimLaw::Exponential { mean: 2000.0 };
    model.jobs(5, Scale::default()).expect("valid").take(count).collect()
}

/// Groups of different speeds, priorities, one queue for two of three clusters, estimates that kill
/// jobs, jobs that are too large.
fn setup(policy: QueuePolicy, count: usize) -> Setup {
    let group = |speed, nodes| NodeGroup { speed: Speed::new(speed).expect("a speed"), nodes };
    let clusters = vec![
        ClusterSpec::equal(HOSTILE, 32),
        ClusterSpec::new("mixed", vec![group(1.0, 8), group(0.5, 10)]),
        ClusterSpec::equal("own", 14),
    ];
    let job = |mut rigid: RigidJob| {
        rigid.priority = (rigid.number % 4) as i32;
        rigid.estimate = if rigid.number.is_multiple_of(5) { rigid.run / 2 } else { rigid.run * 2 };
        let home = ClusterId((rigid.number % 3) as u32);
        ParallelJob { rigid, home, request: Request::Total, terms: None }
    };
    let mut setup = Setup::local(clusters, policy, source(jobs(count).into_iter().map(job)));
    let second = setup.schedulers.remove(1);
    setup.schedulers[0].clusters.extend(second.clusters);
    setup.overrun = Overrun::Kill;
    setup
}

fn page(name: &str, setup: Setup) -> (String, Log, Summary) {
    page_of(Window::default(), name, setup)
}

fn page_of(window: Window, name: &str, setup: Setup) -> (String, Log, Summary) {
    let recorder = Recorder::new(name, Some(u64::MAX), &setup).within(window);
    let mut both = Both { recorder, log: Log::new(&setup) };
    let summary = simulate(setup, &mut both).expect("valid");
    (both.recorder.html(&summary), both.log, summary)
}

/// The record in a page.
fn data(page: &str) -> Value {
    let (_, data) = page.split_once("id=\"data\">").expect("a record");
    let (data, _) = data.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_needs_nothing_else_and_says_what_it_shows() {
    let (page, _, summary) = page(HOSTILE, setup(QueuePolicy::Easy, 50));
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    let data = data(&page);
    assert_eq!(data["scenario"], HOSTILE);
    assert_eq!(data["clusters"][0]["name"], HOSTILE);
    assert_eq!(data["version"], gridsat_model::VERSION);
    assert_eq!(data["seed"], "18446744073709551615");
    assert_eq!(data["schedulers"][1]["policy"], "EASY");
    assert_eq!(data["end"], summary.end_time.0.0);
    assert_eq!(data["cut"], false);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let once = || page("twice", setup(QueuePolicy::Preemptive { keeps_work: true }, 300)).0;
    assert_eq!(once(), once());
}

#[test]
fn a_long_run_is_cut_and_its_page_stays_small() {
    let clusters = vec![ClusterSpec::equal("a", 64)];
    let (page, _, summary) =
        page("long", Setup::global(clusters, QueuePolicy::Easy, source(jobs(25_000))));
    let data = data(&page);
    assert_eq!(data["jobs"]["number"].as_array().map(Vec::len), Some(Recorder::MOST_JOBS));
    assert_eq!(data["submitted"], 25_000);
    assert_eq!(data["cut"], true);
    assert!(data["end"].as_u64() < Some(summary.end_time.0.0));
    assert!(page.len() < 100 * Recorder::MOST_JOBS, "{} bytes", page.len());
}

/// In a browser, if there is one: states forwards and backwards, and names shown as text.
#[test]
fn a_page_shows_at_any_time_what_was_then() {
    let policy = QueuePolicy::Preemptive { keeps_work: true };
    let (page, log, summary) = page(HOSTILE, setup(policy, 120));
    let jobs = &summary.all.jobs;
    assert!(
        jobs.suspensions > 0 && jobs.killed > 0 && jobs.refused > 0,
        "nothing to see: {jobs:?}"
    );
    let end = summary.end_time.0.0;
    let mut times: Vec<u64> = (0..=40).map(|i| end * (i * 17 % 41) / 40).collect();
    times.extend(log.times().rev());
    let Some(document) = states::document(&page, &times) else { return };
    assert!(document.contains("<h1 id=\"scenario\">&lt;/script&gt;&lt;script&gt;"));
    assert!(!document.contains("id=\"taken\""));
    let states = states::all(&document);
    assert_eq!(states.len(), times.len());
    for (state, time) in states.iter().zip(times) {
        twin::compare(state, &log.state_at(time), &format!("at {time}"));
    }
}

/// A part of a run shows the same as the whole run, from its start on; so does a part without
/// events.
#[test]
fn a_part_shows_at_any_time_what_was_then() {
    let policy = QueuePolicy::Preemptive { keeps_work: true };
    let (_, log, summary) = page("whole", setup(policy, 120));
    let (end, late) = (summary.end_time.0.0, log.times().next_back().expect("some") - 1);
    for [from, to] in [[end / 3, end / 2], [late, late], [end, 2 * end]] {
        let window = Window { from: Time(Ticks(from)), to: Time(Ticks(to)) };
        let (page, ..) = page_of(window, "part", setup(policy, 120));
        let data = data(&page);
        assert_eq!((&data["start"], &data["cut"]), (&from.into(), &(to < end).into()));
        let to = data["end"].as_u64().expect("a time");
        let mut times = vec![from, to];
        times.extend(log.times().filter(|time| (from..=to).contains(time)).rev());
        let Some(document) = states::document(&page, &times) else { return };
        for (state, time) in states::all(&document).iter().zip(times) {
            let place = format!("at {time} of {from} to {to}");
            twin::compare(state, &log.state_since(from, time), &place);
        }
    }
}

/// A press in the middle of the timeline moves to the middle of the time it shows; dragging
/// continues from there.
#[test]
fn a_press_on_the_timeline_moves_the_playback() {
    const PROBE: &str = r#"<script>{
const { left, width, top } = lanes.getBoundingClientRect();
const press = (kind, share, buttons) => {
  lanes.dispatchEvent(new PointerEvent(kind, { clientX: left + share * width, clientY: top + 9, buttons }));
  return now;
};
const times = [press("pointerdown", 0.5, 1), press("pointermove", 0.75, 1), press("pointermove", 0.1, 0)];
get("more").click();
document.getElementById("state").textContent = JSON.stringify(
  [{ times, length: timeline.length, high: timeline.height, bars: timeline.bars.length, width }]);
}</script></body>"#;
    let (page, _, summary) = page("timeline", setup(QueuePolicy::Easy, 60));
    let Some(document) = states::document(&page.replace("</body>", PROBE), &[]) else { return };
    let seen = &states::all(&document)[0];
    let (end, times) = (summary.end_time.0.0 as f64, seen["times"].as_array().expect("times"));
    let share = |i: usize| times[i].as_f64().expect("a time") / end;
    for (i, expected) in [0.5, 0.75, 0.75].into_iter().enumerate() {
        assert!((share(i) - expected).abs() < 1e-3, "{i}: {}", share(i));
    }
    assert_eq!(seen["length"], end / 2.0, "half as long a part after +");
    let jobs = &summary.all.jobs;
    assert_eq!(seen["bars"], jobs.finished + jobs.killed, "a bar for each start");
    assert!(seen["high"].as_f64() >= Some(160.0) && seen["width"].as_f64() > Some(300.0), "{seen}");
}

/// Checks the twin against the statistics of the simulator.
#[test]
fn the_twin_ends_like_the_simulation() {
    let (_, log, summary) = page("end", setup(QueuePolicy::Backfill { delay_percent: 20 }, 120));
    let (last, all) = (log.state_at(summary.end_time.0.0), &summary.all);
    assert_eq!(last["finished"], all.jobs.finished);
    assert_eq!(last["killed"], all.jobs.killed);
    assert_eq!(last["refused"], all.jobs.refused);
    for (name, expected) in [
        ("meanWait", all.jobs.wait.mean()),
        ("meanWaiting", all.queue_depth),
        ("utilisation", all.utilisation),
    ] {
        let found = last[name].as_f64().expect("a number");
        assert!((found - expected).abs() <= 1e-9 * expected, "{name}: {found}, not {expected}");
    }
}

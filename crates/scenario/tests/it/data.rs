//! Networks and files in simulations: transfers, storage, workflows and devices computed by hand;
//! and that no job or file is lost in random scenarios.

use gridsat_engine::End;
use gridsat_grid::Summary;
use gridsat_model::Ticks;
use gridsat_scenario::template;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{command, log, run};

/// A machine and a desk, connected at 1,000 bytes per second.
const ONE: &str = "[[resource]]\nname = 'a'\nmips = 1\n\
                   [network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n";

fn job(keys: &str) -> String {
    format!("[[job]]\nmi = 10\n{keys}\n")
}

fn file(name: &str, size: u32, hosts: &str) -> String {
    format!("[[file]]\nname = '{name}'\nsize = {size}\nhosts = [{hosts}]\n")
}

/// The log lines whose second word is one of these.
fn only<'a>(log: &'a [String], words: &[&str]) -> Vec<&'a str> {
    let is_one = |line: &&str| line.split(' ').nth(1).is_some_and(|word| words.contains(&word));
    log.iter().map(String::as_str).filter(is_one).collect()
}

#[test]
fn a_job_brings_its_input_and_takes_its_output_home() {
    let (log, summary) =
        log(&(ONE.to_owned() + &job("home = 'desk'\ninput = 5000\noutput = 2000")));
    let expected = [
        "0 sent job=0 resource=a",
        "0 moving from=desk to=a bytes=5000",
        "5 moved from=desk to=a bytes=5000",
        "5 started job=0 resource=a pe=0",
        "15 ran job=0 resource=a",
        "15 moving from=a to=desk bytes=2000",
        "17 moved from=a to=desk bytes=2000",
        "17 finished job=0 resource=a",
        "17 end reason=no-events",
    ];
    assert_eq!(log, expected);
    let data = summary.data.expect("there are data");
    assert_eq!((data.transfers, data.bytes), (2, 7000));
    assert_eq!((data.time.mean() / 1e9, data.staging.mean() / 1e9), (3.5, 5.0));
    // Ten seconds of seventeen, without the time that the PE waited for data.
    assert_eq!(summary.utilisation, 10.0 / 17.0);
}

#[test]
fn a_file_comes_once_for_all_jobs_at_a_machine() {
    let text = [ONE, &file("x", 3000, "'desk'"), &job("inputs = ['x']").repeat(2)].concat();
    let (log, _) = log(&text);
    let expected = ["3 started job=0 resource=a pe=0", "13 started job=1 resource=a pe=0"];
    assert_eq!(only(&log, &["started"]), expected);
    assert_eq!(only(&log, &["moving"]), ["0 moving from=desk to=a bytes=3000 file=x"]);
}

/// As in GUTS, the holder with the most bandwidth is chosen; a machine that received a copy serves
/// it too.
#[test]
fn the_holder_with_the_most_bandwidth_is_asked() {
    let network = "[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 1\n\
        [network]\nmodel = 'guts'\nhosts = ['near', 'far']\n\
        [[network.link]]\nbetween = ['a', 'near']\nbandwidth = 16000\n\
        [[network.link]]\nbetween = ['a', 'far']\nbandwidth = 8000\n\
        [[network.link]]\nbetween = ['a', 'b']\nbandwidth = 32000\n";
    let pin = |name: &str| format!("[[scheduler]]\nname = 'to-{name}'\ntargets = ['{name}']\n");
    let needs = |at: u32, on: &str| {
        format!("[[job]]\nat = {at}\nmi = 1\ninputs = ['x']\nscheduler = 'to-{on}'\n")
    };
    let text = [
        network,
        &file("x", 2000, "'far', 'near'"),
        &needs(0, "a"),
        &needs(10, "b"),
        &pin("a"),
        &pin("b"),
    ];
    let (log, _) = log(&text.concat());
    let expected = [
        "0 moving from=near to=a bytes=2000 file=x",
        "1 moved from=near to=a bytes=2000 file=x",
        "10 moving from=a to=b bytes=2000 file=x",
        "10.5 moved from=a to=b bytes=2000 file=x",
    ];
    assert_eq!(only(&log, &["moving", "moved"]), expected);
}

/// A chain of jobs through files: the request waits until the file exists, and is served from where
/// it was written.
#[test]
fn jobs_wait_for_files_that_others_make() {
    let two = ONE.replace("[network]", "[[resource]]\nname = 'b'\nmips = 1\n[network]");
    let text = [
        two.as_str(),
        &file("x", 1000, ""),
        &file("y", 2000, ""),
        &job("inputs = ['x', 'y']\nhome = 'desk'"),
        &job("inputs = ['x']\noutputs = ['y']"),
        &job("outputs = ['x']"),
    ];
    let (log, summary) = log(&text.concat());
    let started = only(&log, &["started"]);
    let order: Vec<&str> = started.iter().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(order, ["job=2", "job=1", "job=0"], "{log:#?}");
    assert!(!log.iter().any(|line| line.contains("from=a to=a")), "{log:#?}");
    assert_eq!(summary.counts.finished, 3);
    assert_eq!(summary.left, 0);
}

/// Storage for one job at a time: the second waits until the first has left, and no job overtakes
/// it.
#[test]
fn jobs_wait_for_room_in_their_order() {
    let small = ONE.replace("mips = 1\n", "mips = 1\npes = 3\nstorage = 10000\n");
    let jobs = [6000, 6000, 1000].map(|input| job(&format!("home = 'desk'\ninput = {input}")));
    let (log, _) = log(&(small + &jobs.concat()));
    let expected = [
        "6 started job=0 resource=a pe=0",
        "17 started job=2 resource=a pe=0",
        "22 started job=1 resource=a pe=1",
    ];
    assert_eq!(only(&log, &["started"]), expected);
}

/// Unneeded copies are removed, least recently used first, and transferred again when needed.
#[test]
fn copies_give_way() {
    let small = ONE.replace("mips = 1\n", "mips = 1\nstorage = 10000\n");
    let files = [file("x", 6000, "'desk'"), file("y", 4000, "'desk'"), file("z", 3000, "'desk'")];
    let jobs = [(0, "x"), (100, "y"), (200, "z"), (300, "y"), (400, "x")];
    let jobs = jobs.map(|(at, name)| job(&format!("at = {at}\ninputs = ['{name}']")));
    let (log, _) = log(&[&small, &files.concat(), &jobs.concat()].map(String::as_str).concat());
    let expected = [
        "0 moving from=desk to=a bytes=6000 file=x",
        "100 moving from=desk to=a bytes=4000 file=y",
        // x is removed, y stays.
        "200 moving from=desk to=a bytes=3000 file=z",
        // y is still there at 300. At 400 it was used more recently than z, and both have to be
        // removed.
        "400 moving from=desk to=a bytes=6000 file=x",
    ];
    assert_eq!(only(&log, &["moving"]), expected);
}

/// The last copy of a result is kept although storage is short, and the summary reports it.
#[test]
fn the_last_copy_stays() {
    let small = ONE.replace("mips = 1\n", "mips = 1\nstorage = 10000\n");
    let text = [
        small.as_str(),
        &file("x", 6000, ""),
        &job("outputs = ['x']"),
        &job("at = 50\nhome = 'desk'\ninput = 5000"),
    ];
    let summary = run(&text.concat(), &mut ());
    assert_eq!((summary.end, summary.counts.finished, summary.left), (End::NoEvents, 1, 1));
    assert!(summary.stuck.is_some_and(|why| why.contains("1 wait for files, storage or memory")));
    let home = text.concat().replace("outputs = ['x']", "outputs = ['x']\nhome = 'desk'");
    assert_eq!(run(&home, &mut ()).counts.finished, 2);
}

/// Both machines are alike; the one with the file is faster if transfers are counted.
#[test]
fn schedulers_count_transfers() {
    let two = ONE.replace("[network]", "[[resource]]\nname = 'b'\nmips = 1\n[network]");
    let text = [two.as_str(), &file("x", 3000, "'b'"), &job("inputs = ['x']")];
    let (log, _) = log(&text.concat());
    assert_eq!(log[0], "0 sent job=0 resource=b");
    assert_eq!(only(&log, &["moving"]), [""; 0]);
}

#[test]
fn operations_are_served_by_a_device() {
    let text = "[[resource]]\nname = 'a'\nmips = 1\nio = 10\n\
        [[job]]\nio = 100\n[[job]]\nio = 100\n[[job]]\nmi = 5\n";
    let (log, summary) = log(text);
    // Two jobs share the device, one uses the PE.
    let expected = [
        "5 finished job=2 resource=a",
        "20 finished job=0 resource=a-io",
        "20 finished job=1 resource=a-io",
    ];
    assert_eq!(only(&log, &["finished"]), expected);
    assert_eq!(summary.resources.len(), 2);
}

#[test]
fn devices_fail_with_their_machine() {
    let text = "[stop]\ntime = 100000\n[[resource]]\nname = 'a'\nmips = 1\nio = 1\n\
        [resource.failure]\nfails = { exponential = 50 }\nrestores = { exponential = 20 }\n\
        [[job]]\nio = 30000\n";
    let (log, _) = log(text);
    let of = |name: &str| -> Vec<&str> {
        let end = format!("resource={name}");
        let lines = only(&log, &["down", "up"]).into_iter();
        lines
            .filter(|line| line.ends_with(&end))
            .filter_map(|line| line.split(' ').next())
            .collect()
    };
    assert_eq!(of("a"), of("a-io"));
    assert!(of("a").len() > 1000);
}

/// A machine fails while data are being transferred: queued jobs leave or stay, depending on the
/// rule.
#[test]
fn failures_meet_jobs_that_wait_for_data() {
    let failing = |rule: &str| {
        let failure = format!(
            "[resource.failure]\nchanges = [{{ at = 2, down = true }}, {{ at = 7, up = true }}]\n\
             on_failure = '{rule}'\n[network]"
        );
        ONE.replace("[network]", &failure) + &job("home = 'desk'\ninput = 5000")
    };
    let (stays, _) = log(&failing("restart"));
    assert_eq!(only(&stays, &["started"]), ["7 started job=0 resource=a pe=0"]);
    let (goes, summary) = log(&failing("resubmit"));
    let expected = ["2 returned job=0 scheduler=main", "12 started job=0 resource=a pe=0"];
    assert_eq!(only(&goes, &["returned", "started"]), expected);
    // An aborted transfer does not count as completed.
    assert_eq!(summary.data.map(|data| data.transfers), Some(1));
}

#[test]
fn commands_reach_jobs_that_wait_for_data() {
    let jobs = job("home = 'desk'\ninput = 5000\noutput = 1000").repeat(3);
    let commands = [
        command("1", "halt", 0),
        command("30", "resume", 0),
        command("2", "cancel", 1),
        command("2", "halt", 2),
        command("3", "resume", 2),
        command("15.5", "cancel", 2), // has run
    ];
    let (log, summary) = log(&[ONE, &jobs, &commands.concat()].concat());
    let expected = [
        "2 cancelled job=1",
        "5 started job=2 resource=a pe=0",
        "16 finished job=2 resource=a",
        "30 started job=0 resource=a pe=0",
        "41 finished job=0 resource=a",
    ];
    assert_eq!(only(&log, &["cancelled", "started", "finished"]), expected);
    assert_eq!((summary.counts.finished, summary.counts.cancelled), (2, 1));
}

/// A scenario with all features; only the numbers are random.
fn random_grid(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |low: u32, high: u32| random.random_range(low..=high);
    let rules = ["lost", "restart", "resubmit", "migrate"];
    let models = ["none", "baud-rate", "guts"];
    let model = models[draw(0, 2) as usize];
    let mut text = format!("[stop]\ntime = {}\n", draw(200, 3000));
    for machine in 0..3 {
        let policy = ["space-shared", "time-shared"][draw(0, 1) as usize];
        text += &format!(
            "[[resource]]\nname = 'm{machine}'\nmips = {}\npes = {}\nstorage = {}\nio = 3\n\
             policy = '{policy}'\n[resource.failure]\nfails = {}\nrestores = {}\n\
             on_failure = '{}'\n{}",
            draw(1, 3),
            draw(1, 3),
            draw(9000, 20000),
            draw(100, 400),
            draw(1, 80),
            rules[draw(0, 3) as usize],
            ["", "also_lost = ['transit']\n"][draw(0, 1) as usize]
        );
    }
    text += &format!("[network]\nmodel = '{model}'\nhosts = ['desk', 'store']\n");
    if model == "guts" {
        text += "routers = ['hub']\n";
        for end in ["m0", "m1", "m2", "desk", "store"] {
            let (bandwidth, delay) = (draw(4000, 90000), draw(0, 3));
            text += &format!(
                "[[network.link]]\nbetween = ['{end}', 'hub']\nbandwidth = {bandwidth}\n\
                 delay = {delay}\n"
            );
        }
    }
    for number in 0..8 {
        text += &file(
            &format!("f{number}"),
            draw(0, 4000),
            if number < 3 { "'store', 'm0'" } else { "" },
        );
    }
    // Files 3 to 7 are written by jobs that need earlier files.
    for number in 3..8 {
        let (a, b) = (draw(0, number - 1), draw(0, 2));
        let inputs = if a == b { format!("'f{a}'") } else { format!("'f{a}', 'f{b}'") };
        let home = ["", "home = 'desk'\n"][draw(0, 1) as usize];
        let keys =
            format!("at = {}\ninputs = [{inputs}]\noutputs = ['f{number}']\n{home}", draw(0, 300));
        text += &format!("[[job]]\nmi = {}\n{keys}", draw(1, 300));
    }
    text += &format!(
        "[[users]]\ncount = 4\ngap = {}\ntasks = 5\nsize = {{ uniform = [1, 200] }}\n\
         inputs = ['f1']\n\
         home = 'desk'\ninput = {}\noutput = {}\n",
        draw(1, 100),
        draw(0, 3000),
        draw(0, 3000)
    );
    text += "[[users]]\ncount = 1\ngap = 50\ntasks = 4\nio = 90\n";
    let policy = ["mct", "minmin", "tlmm", "fcfs"][draw(0, 3) as usize];
    text += &format!("[[scheduler]]\npolicy = '{policy}'\n");
    for what in ["halt", "halt", "resume", "cancel", "resume"] {
        text += &command(draw(0, 500), what, draw(0, 15));
    }
    text
}

/// Checks invariants at the end of a run, also of one that was stopped.
fn assert_sound(summary: &Summary, case: &str) {
    let data = summary.data.as_ref().unwrap_or_else(|| panic!("no data\n{case}"));
    assert!(data.staging.max() <= summary.end_time.0, "{case}");
}

#[test]
fn nothing_vanishes_whatever_happens() {
    let mut finished = 0;
    for seed in 0..150 {
        let text = format!("# seed {seed}\n{}", random_grid(seed));
        let (log, summary) = log(&text);
        assert_sound(&summary, &text);
        finished += summary.counts.finished;
        let (again, _) = self::log(&text);
        assert_eq!(log, again, "{text}");
    }
    assert!(finished > 3000, "only {finished} of 4350 jobs finished");
}

/// The same with a disk and links that fail.
#[test]
fn nothing_vanishes_when_disks_and_links_fail() {
    let disk = "[resource.disk_failure]\nfails = { exponential = 300 }\nrestores = 40\n[network]";
    let link = "[[network.link]]\nfailure = { fails = { exponential = 200 }, restores = 30 }\n";
    let (mut finished, mut downs) = (0, 0);
    for seed in 0..60 {
        let text = random_grid(seed).replace("[network]", disk).replace("[[network.link]]\n", link);
        let (log, summary) = log(&text);
        assert_sound(&summary, &text);
        finished += summary.counts.finished;
        downs += log.iter().filter(|line| line.contains(" down link=")).count();
        assert_eq!(log, self::log(&text).0, "{text}");
    }
    assert!(finished > 800 && downs > 100, "{finished} jobs, {downs} failures of links");
}

/// 1,000 jobs, each of which needs the file of the previous one.
#[test]
fn long_chains_are_followed() {
    let mut text = ONE.to_owned();
    (0..1000).for_each(|number| text += &file(&format!("f{number}"), 1, ""));
    for number in 0..1000_u32 {
        let input = number.checked_sub(1).map_or_else(String::new, |last| format!("'f{last}'"));
        text += &job(&format!("inputs = [{input}]\noutputs = ['f{number}']"));
    }
    let summary = run(&text, &mut ());
    assert_eq!(
        (summary.counts.finished, summary.counts.makespan.0),
        (1000, Ticks(10_000 * 1_000_000_000))
    );
}

/// Golden values: computed once and changed only by a commit that says why.
#[test]
fn the_data_grid() {
    let text = template("data-grid").expect("it exists").text;
    let summary = run(text, &mut ());
    let data = summary.data.expect("it has data");
    assert_eq!((summary.counts.submitted, summary.counts.finished), (117, 117));
    assert_eq!((data.transfers, data.bytes), (217, 28_401_000_000));
    assert_eq!((summary.counts.makespan.0, summary.events), (Ticks(1_551_491_378_286), 347));
    let staging = data.staging.mean() / 1e9;
    assert!((staging - 230.235_753).abs() < 1e-5, "{staging}");
}

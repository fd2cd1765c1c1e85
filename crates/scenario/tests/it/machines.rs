//! Machines and what jobs need of them besides one PE: memory, several PEs, an I/O device; loads on
//! memory and links; users' hours. Cases by hand, closed formulas, and plain programs that compute
//! the same in another way.

use gridsat_scenario::{Changes, Scenario, Syntax, template};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{FAILURE_RULES, command, log, pick, run};

/// Times and jobs of these log lines, such as `started`: `(time, job)`.
fn times(log: &[String], word: &str) -> Vec<(f64, usize)> {
    let of = |line: &String| {
        let mut words = line.split(' ');
        let time = words.next()?.parse().ok()?;
        let is_one = words.next()? == word;
        let job = words.next()?.strip_prefix("job=")?.parse().ok()?;
        is_one.then_some((time, job))
    };
    log.iter().filter_map(of).collect()
}

fn started(log: &[String]) -> Vec<(f64, usize)> {
    times(log, "started")
}

const RAM: &str = "[[resource]]\nname = 'a'\npes = 3\nmips = 1\nmemory = 8\n";

fn job(mi: u32, memory: u32) -> String {
    format!("[[job]]\nmi = {mi}\nmemory = {memory}\n")
}

/// 8 bytes: the second job does not fit beside the first, and the third waits behind it although it
/// would fit. A job without memory starts at once.
#[test]
fn jobs_wait_for_memory_in_their_order() {
    let jobs = [job(10, 5), job(4, 4), job(4, 1), "[[job]]\nmi = 2\n".to_owned()];
    let (log, summary) = log(&(RAM.to_owned() + &jobs.concat()));
    assert_eq!(started(&log), [(0.0, 0), (0.0, 3), (10.0, 1), (10.0, 2)]);
    assert_eq!((summary.counts.finished, summary.left), (4, 0));
    // 10 + 2 + 4 + 4 of 3 · 14 seconds: a PE is idle while a job waits for memory.
    assert_eq!(summary.utilisation, 20.0 / 42.0);
}

/// Time-shared jobs share the PE only with those that have memory: two at a time, each at half
/// speed, although three have arrived.
#[test]
fn memory_limits_the_jobs_that_share_a_pe() {
    let machine = "[[resource]]\nmips = 1\nmemory = 8\npolicy = 'time-shared'\n";
    let (log, _) = log(&(machine.to_owned() + &job(5, 4).repeat(3)));
    assert_eq!(started(&log), [(0.0, 0), (0.0, 1), (10.0, 2)]);
    assert_eq!(times(&log, "finished"), [(10.0, 0), (10.0, 1), (15.0, 2)]);
}

/// The owners use half of the memory until noon; running jobs keep theirs when they return.
#[test]
fn owners_use_memory_by_the_calendar() {
    let load = "memory_load = { weekdays = [50, 0, 75] }\n";
    let jobs = [job(36_000, 4), job(10, 4), job(10, 1)];
    let (log, _) = log(&format!("{RAM}{load}{}", jobs.concat()));
    let loads: Vec<&String> = log.iter().filter(|line| line.contains("memory-load")).collect();
    assert_eq!(loads[0], "0 memory-load resource=a percent=50");
    assert_eq!(loads[1], "28800 memory-load resource=a percent=0");
    assert_eq!(started(&log), [(0.0, 0), (28_800.0, 1), (28_810.0, 2)]);
    let constant = format!("{RAM}memory_load = 50\n{}", [job(10, 4), job(10, 4)].concat());
    assert_eq!(started(&crate::grid::log(&constant).0), [(0.0, 0), (10.0, 1)]);
}

/// The device of a machine and its PEs share its memory.
#[test]
fn memory_belongs_to_the_machine() {
    let machine = RAM.to_owned() + "io = 2\n";
    let io = "[[job]]\nio = 10\nmemory = 6\n";
    let (log, _) = log(&[&machine, io, &job(10, 4)].map(|text| text).concat());
    assert_eq!(started(&log), [(0.0, 0), (5.0, 1)]);
}

/// A job waits for its data before it asks for memory, and holds none while results move home.
#[test]
fn memory_is_held_while_a_job_runs() {
    let network = "[network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n";
    let data = "home = 'desk'\ninput = 5000\noutput = 9000\n";
    let jobs = [job(10, 8) + data, job(3, 8), job(2, 8)];
    let (log, _) = log(&[RAM, network, &jobs.concat()].concat());
    assert_eq!(started(&log), [(0.0, 1), (3.0, 2), (5.0, 0)]);
    assert_eq!(times(&log, "finished"), [(3.0, 1), (5.0, 2), (24.0, 0)]);
}

/// Cancelled and halted jobs give way; a resumed one asks again, behind the others.
#[test]
fn commands_to_jobs_that_wait_for_memory() {
    let jobs = [job(10, 8), job(5, 8), job(5, 8), job(5, 8)].concat();
    let commands = [command(1, "cancel", 1), command(2, "halt", 2), command(3, "resume", 2)];
    let (log, summary) = log(&[RAM, &jobs, &commands.concat()].concat());
    assert_eq!(started(&log), [(0.0, 0), (10.0, 3), (15.0, 2)]);
    assert_eq!((summary.counts.cancelled, summary.counts.finished), (1, 3));
}

/// A failure returns jobs that wait for memory as it returns queued ones; those that stay keep it.
#[test]
fn failures_free_memory() {
    let failure = |rule: &str| {
        let changes = "[{ at = 4, down = true }, { at = 6, up = true }]";
        format!("failure = {{ changes = {changes}, on_failure = '{rule}' }}\n")
    };
    let other = "[[resource]]\nname = 'b'\nmips = 1\nmemory = 8\nregisters = 3\n";
    let jobs = [job(10, 5), job(4, 4)].concat();
    let run = |rule: &str| log(&[RAM, &failure(rule), other, &jobs].concat());
    let (stay, summary) = run("restart");
    assert_eq!(started(&stay), [(0.0, 0), (6.0, 0), (16.0, 1)]);
    assert_eq!(summary.counts.finished, 2);
    let (back, summary) = run("resubmit");
    assert_eq!(started(&back), [(0.0, 0), (4.0, 0), (14.0, 1)]);
    assert_eq!(summary.counts.finished, 2);
    let (lost, _) = run("lost");
    assert_eq!(started(&lost), [(0.0, 0), (6.0, 1)]);
}

/// First come, first served: a job starts when all before it have started, a PE is free, and its
/// memory is free. The simulator gives memory before the queue for PEs; the times are the same.
#[test]
fn memory_as_in_a_plain_list() {
    for seed in 0..30 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (pes, size) = (random.random_range(1..5), random.random_range(5..30));
        let mut text = format!("[[resource]]\nmips = 1\npes = {pes}\nmemory = {size}\n");
        let mut jobs = Vec::new();
        let mut at = 0;
        for _ in 0..60 {
            at += random.random_range(0..4);
            let (mi, memory) = (random.random_range(1..20), random.random_range(1..=size));
            jobs.push((at, mi, memory));
            text += &format!("[[job]]\nat = {at}\nmi = {mi}\nmemory = {memory}\n");
        }
        let mut found = vec![0.0; jobs.len()];
        started(&log(&text).0).into_iter().for_each(|(time, job)| found[job] = time);
        assert_eq!(found, plain_starts(&jobs, pes, size), "seed {seed}");
    }
}

/// The starts, by a search for the first second at which everything is free.
fn plain_starts(jobs: &[(u32, u32, u32)], pes: usize, size: u32) -> Vec<f64> {
    let (mut starts, mut running): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for &(at, mi, memory) in jobs {
        let mut time = at.max(starts.last().copied().unwrap_or(0));
        loop {
            running.retain(|&(end, _)| end > time);
            let used: u32 = running.iter().map(|&(_, memory)| memory).sum();
            if running.len() < pes && used + memory <= size {
                break;
            }
            time += 1;
        }
        starts.push(time);
        running.push((time + mi, memory));
    }
    starts.into_iter().map(f64::from).collect()
}

/// With failures, commands, data, loads on memory, jobs on several PEs and with operations and
/// instructions at random, no job, work or memory is lost: the checks of every run hold, and at the
/// end all jobs have left.
#[test]
fn nothing_is_lost_by_chance() {
    let wide = ["space-shared-fcfs", "space-shared-sjf", "space-shared-backfill"];
    let all = ["space-shared", "time-shared", "time-shared-gsim", wide[0], wide[1], wide[2]];
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut text = String::new();
        for (name, policies) in [("a", &all[..]), ("b", &wide)] {
            let policy = pick(&mut random, policies);
            let rule = pick(&mut random, &FAILURE_RULES);
            let load = random.random_range(0..60);
            text += &format!(
                "[[resource]]\nname = '{name}'\nmips = 1\npes = 2\nmemory = 20\nio = 1\n\
                 policy = '{policy}'\nmemory_load = {{ average = {load}, randomiser = 'even', \
                 limit = 30, period = 7 }}\n[resource.failure]\nfails = 40\nrestores = 9\n\
                 on_failure = {rule}\n"
            );
        }
        text += "[network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n";
        for number in 0..30 {
            let amount = random.random_range(1..9);
            text += &format!("[[job]]\nat = {}\n", number / 2);
            text += &match random.random_range(0..4) {
                0 => format!("io = {amount}\n"),
                1 => format!("mi = {amount}\nio = {}\n", random.random_range(1..5)),
                2 => format!("mi = {amount}\nio = 2\npes = 2\n"),
                _ => format!("mi = {amount}\n"),
            };
            text += &format!("memory = {}\n", random.random_range(0..=8));
            if random.random() {
                text += "home = 'desk'\ninput = 3000\noutput = 1000\n";
            }
        }
        for job in 0..10 {
            let at = random.random_range(0..40);
            let what = pick(&mut random, &["halt", "cancel"]);
            text += &command(at, what, job * 3);
            text += &command(at + 5, "resume", job * 3);
        }
        text += "[[scheduler]]\npolicy = 'minmin'\nwait = 3\n";
        let summary = run(&text, &mut ());
        assert_eq!(summary.left, 0, "seed {seed}: {:?}\n{text}", summary.stuck);
    }
}

/// 20 operations at 5 per second, then 100 MI at 10 MIPS. Two jobs share the device until 8; then
/// one waits for the PE.
#[test]
fn operations_come_before_instructions() {
    let machine = "[[resource]]\nname = 'a'\nmips = 10\nio = 5\nprice = 2\n";
    let one = "[[job]]\nmi = 100\nio = 20\n";
    let (alone, summary) = log(&(machine.to_owned() + one));
    let expected = [
        "0 sent job=0 resource=a",
        "0 started job=0 resource=a-io",
        "4 started job=0 resource=a pe=0",
        "14 finished job=0 resource=a",
        "14 end reason=no-events",
    ];
    assert_eq!(alone, expected);
    // Both devices are paid for: 4 s and 10 s.
    assert_eq!(summary.economy.map(|economy| economy.spent.as_f64()), Some(28.0));
    let (two, summary) = log(&(machine.to_owned() + &one.repeat(2)));
    assert_eq!(started(&two), [(0.0, 0), (0.0, 1), (8.0, 0), (18.0, 1)]);
    assert_eq!(times(&two, "finished"), [(18.0, 0), (28.0, 1)]);
    let busy: Vec<f64> = summary.resources.iter().map(|resource| resource.utilisation).collect();
    assert_eq!(busy, [20.0 / 28.0, 8.0 / 28.0]);
    // A job with only one of them is as before.
    let only = log(&(machine.to_owned() + "[[job]]\nmi = 100\n[[job]]\nio = 20\n")).0;
    assert_eq!(times(&only, "finished"), [(4.0, 1), (10.0, 0)]);
}

/// Schedulers add both times: 2 + 10 s on b are less than 4 + 9 s on a, although b has slower PEs.
#[test]
fn schedulers_know_both_times() {
    let grid = "[[resource]]\nname = 'a'\nmips = 10\nio = 5\n\
                [[resource]]\nname = 'b'\nmips = 9\nio = 10\n";
    let (log, _) = log(&(grid.to_owned() + "[[job]]\nmi = 90\nio = 20\n"));
    assert_eq!(log[0], "0 sent job=0 resource=b");
    assert_eq!(times(&log, "finished"), [(12.0, 0)]);
}

/// The device is shared equally, the PEs are first come, first served: computed with floats, from
/// event to event.
#[test]
fn two_stages_as_in_a_plain_program() {
    for seed in 0..30 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let pes = random.random_range(1..4);
        let mut text = format!("[[resource]]\nmips = 2\npes = {pes}\nio = 3\n");
        let (mut jobs, mut at) = (Vec::new(), 0);
        for _ in 0..40 {
            // Odd fractions, so that no two jobs leave the device at the same time.
            at += random.random_range(0..5000);
            let [mi, io] = [30_000, 12_000].map(|most| f64::from(random.random_range(1..most)));
            let (at, mi, io) = (f64::from(at) / 1024.0, mi / 977.0, io / 983.0);
            jobs.push((at, mi / 2.0, io / 3.0));
            text += &format!("[[job]]\nat = {at}\nmi = {mi}\nio = {io}\n");
        }
        let mut found = vec![0.0; jobs.len()];
        times(&log(&text).0, "finished").into_iter().for_each(|(time, job)| found[job] = time);
        for (job, (found, plain)) in found.iter().zip(plain_stages(&jobs, pes)).enumerate() {
            assert!((found - plain).abs() < 1e-6, "seed {seed}, job {job}: {found}, not {plain}");
        }
    }
}

/// The ends of jobs given by arrival, time on a PE, and time on the device alone.
fn plain_stages(jobs: &[(f64, f64, f64)], pes: usize) -> Vec<f64> {
    let (mut now, mut next) = (0.0_f64, 0);
    let mut there: Vec<(usize, f64)> = Vec::new();
    let mut read: Vec<(f64, usize)> = Vec::new();
    while read.len() < jobs.len() {
        let least = there.iter().map(|&(_, left)| left).fold(f64::INFINITY, f64::min);
        let end = now + least * there.len() as f64;
        let arrival = jobs.get(next).map_or(f64::INFINITY, |job| job.0);
        let then = end.min(arrival);
        let share = (then - now) / there.len().max(1) as f64;
        there.iter_mut().for_each(|(_, left)| *left -= share);
        now = then;
        if end <= arrival {
            let done = there.iter().position(|&(_, left)| left < 1e-9).expect("one is done");
            read.push((now, there.remove(done).0));
        } else {
            there.push((next, jobs[next].2));
            next += 1;
        }
    }
    let (mut free, mut ends) = (vec![0.0_f64; pes], vec![0.0; jobs.len()]);
    for (ready, job) in read {
        let first = free.iter_mut().min_by(|a, b| a.total_cmp(b)).expect("some PE");
        *first = first.max(ready) + jobs[job].1;
        ends[job] = *first;
    }
    ends
}

/// Two PEs: job 1 needs both and waits until 10; job 2 ends by then and overtakes it.
#[test]
fn jobs_on_several_pes() {
    let run = |policy: &str| {
        let machine = format!("[[resource]]\npes = 2\nmips = 1\nprice = 2\npolicy = '{policy}'\n");
        let jobs = "[[job]]\nmi = 10\n[[job]]\nat = 1\nmi = 5\npes = 2\n[[job]]\nat = 2\nmi = 7\n";
        log(&(machine + jobs))
    };
    let (fcfs, summary) = run("space-shared-fcfs");
    assert_eq!(started(&fcfs), [(0.0, 0), (10.0, 1), (15.0, 2)]);
    assert_eq!(summary.utilisation, 27.0 / 44.0);
    let (backfill, summary) = run("space-shared-backfill");
    assert_eq!(started(&backfill), [(0.0, 0), (2.0, 2), (10.0, 1)]);
    assert_eq!(summary.utilisation, 27.0 / 30.0);
    // PE time is paid: 10 + 2 · 5 + 7 seconds.
    assert_eq!(summary.economy.map(|economy| economy.spent.as_f64()), Some(54.0));
    let (sjf, _) = run("space-shared-sjf");
    assert_eq!(started(&sjf), [(0.0, 0), (10.0, 1), (15.0, 2)]);
}

/// The order follows estimates, not true times: job 2 seems shorter.
#[test]
fn the_shortest_job_by_its_estimate() {
    let machine = "[[resource]]\nmips = 1\npolicy = 'space-shared-sjf'\n";
    let jobs = "[[job]]\nmi = 10\n[[job]]\nmi = 6\n[[job]]\nmi = 5\n";
    let order = |text: &str| started(&log(text).0).into_iter().map(|(_, job)| job).collect();
    let exact: Vec<usize> = order(&format!("{machine}{jobs}"));
    assert_eq!(exact, [0, 2, 1]);
    let orders = (1..30)
        .map(|seed| order(&format!("seed = {seed}\n{machine}{jobs}[estimates]\nerror = 60\n")));
    let orders: Vec<Vec<usize>> = orders.collect();
    assert!(orders.contains(&vec![0, 1, 2]) && orders.contains(&vec![0, 2, 1]), "{orders:?}");
}

/// A job on several PEs that failed runs on as many again.
#[test]
fn failures_of_jobs_on_several_pes() {
    let machine = "[[resource]]\npes = 3\nmips = 1\npolicy = 'space-shared-fcfs'\n\
                   failure = { changes = [{ at = 4, down = true }, { at = 6, up = true }] }\n";
    let jobs = "[[job]]\nmi = 10\npes = 2\n[[job]]\nmi = 3\npes = 2\n[[job]]\nmi = 5\n";
    let (log, summary) = log(&(machine.to_owned() + jobs));
    assert_eq!(started(&log), [(0.0, 0), (6.0, 0), (16.0, 1), (16.0, 2)]);
    assert_eq!(summary.counts.finished, 3);
}

/// 5,000 bytes at 1,000 per second take 5 s, or 10 s while others use half of the link.
#[test]
fn others_use_links_by_the_calendar() {
    let text = |load: &str| {
        format!(
            "[[resource]]\nname = 'a'\nmips = 1\n[network]\nmodel = 'guts'\nhosts = ['desk']\n\
             [[network.link]]\nbetween = ['a', 'desk']\nbandwidth = 8000\n{load}\n\
             [[job]]\nmi = 1\nhome = 'desk'\ninput = 5000\n\
             [[job]]\nat = 43200\nmi = 1\nhome = 'desk'\ninput = 5000\n"
        )
    };
    assert_eq!(started(&log(&text("")).0), [(5.0, 0), (43_205.0, 1)]);
    let (log, _) = log(&text("load = { weekdays = [50, 0] }"));
    assert_eq!(started(&log), [(10.0, 0), (43_205.0, 1)]);
    let loads: Vec<&String> = log.iter().filter(|line| line.contains("link-load")).collect();
    assert_eq!(loads[0], "0 link-load from=a to=desk percent=50");
    assert_eq!(loads[1], "43200 link-load from=a to=desk percent=0");
}

/// Gaps of five hours of work from nine to five: Monday 14:00, Tuesday 11:00 and 16:00. Ten hours
/// east of GMT, and without the weekend that follows, the same times are ten hours earlier.
#[test]
fn users_submit_in_their_working_hours() {
    let arrivals = |keys: &str| -> Vec<f64> {
        let text = format!(
            "start = '2005-01-06'\n[[resource]]\nmips = 1\n[[users]]\ncount = 1\n\
             applications = 3\ntasks = 1\nsize = 1\ngap = {{ constant = 18000 }}\n{keys}\n"
        );
        let log = crate::grid::whole_log(&text).0;
        times(&log, "arrived").into_iter().map(|(time, _)| time / 3600.0).collect()
    };
    // A Thursday.
    assert_eq!(arrivals("hours = [9, 17]"), [14.0, 24.0 + 11.0, 24.0 + 16.0]);
    assert_eq!(arrivals("hours = [9, 17]\ntime_zone = 2"), [12.0, 33.0, 38.0]);
    // It is already 10 o'clock at time 0: one hour of Thursday is over. The last gap ends at 17:00
    // on Friday, when no user is at work any more: on Saturday at 9:00.
    assert_eq!(arrivals("hours = [9, 17]\ntime_zone = 10"), [5.0, 26.0, 47.0]);
    let friday_17_is_over = arrivals("hours = [9, 13]\nweekends = false");
    // Four hours a day: Friday 10:00, then Monday 11:00 and Tuesday 12:00.
    assert_eq!(friday_17_is_over, [24.0 + 10.0, 96.0 + 11.0, 120.0 + 12.0]);
    assert_eq!(arrivals(""), [5.0, 10.0, 15.0]);
}

/// Tasks of the file request levels: `qgmm` serves the higher one first.
#[test]
fn levels_of_an_instance_file_count_in_simulations() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let file = r#"{"etc": [[4, 5], [2, 6]], "qos": {"tasks": [1, 0], "hosts": [1, 1]}}"#;
    std::fs::write(folder.path().join("q.json"), file).expect("writable");
    let parse = |qos: u32| {
        let text = format!(
            "[[resource]]\nmips = 1\nqos = {qos}\n[[resource]]\nmips = 1\nqos = 1\n\
             [etc]\nfile = 'q.json'\n[[scheduler]]\npolicy = 'qgmm'\n"
        );
        Scenario::parse(&text, Syntax::Toml, "x.toml", folder.path())
    };
    let summary = parse(1).expect("valid").run(&Changes::default()).expect("runs").summary;
    assert_eq!(summary.scale.display(summary.counts.makespan.0).to_string(), "6");
    let error = parse(0).err().map(|error| error.to_string()).expect("too low a level");
    let expected = "host 0 of the file offers QoS 1, but that resource has qos = 0";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn the_template_of_gridlets() {
    let summary = run(template("gridsim-gridlets").expect("built in").text, &mut ());
    let counts = &summary.counts;
    assert_eq!((counts.finished, summary.left), (360, 0));
    let makespan = summary.scale.display(counts.makespan.0).to_string();
    assert_eq!((makespan.as_str(), summary.events), ("313010.963657114", 1531));
}

#[test]
fn templates_with_memory_run() {
    let text = template("data-grid").expect("built in").text;
    let with = text.replace("storage = 10e9", "storage = 10e9\nmemory = 4e9");
    let with = with.replace("size = { uniform = [20000, 60000] }", "size = 40000\nmemory = 3e9");
    let [before, after] = [text, &with].map(|text| run(text, &mut ()));
    assert_eq!(before.counts.finished, after.counts.finished);
    assert!(after.counts.makespan > before.counts.makespan);
}

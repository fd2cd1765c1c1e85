//! Generated instances: the same for a seed, within their ranges, structured as their class says.

use gridsat_heuristics::generate::{
    EqualClass, EtcClass, EtcSpec, GenerateError, QosShares, generate,
};
use gridsat_model::certificate::instance_digest;
use gridsat_model::io::{Format, ReadOptions, parse, write};
use gridsat_model::{Instance, TaskId, Ticks};
use gridsat_test_support::project;

fn spec(class: &str, tasks: usize, hosts: usize) -> EtcSpec {
    EtcSpec::plain(class.parse().expect("a class"), tasks, hosts, 2026)
}

fn etc(spec: &EtcSpec) -> Vec<Vec<Ticks>> {
    let instance = generate(spec).expect("valid");
    instance.tasks().map(|t| row(&instance, t)).collect()
}

fn row(instance: &Instance, task: TaskId) -> Vec<Ticks> {
    instance.times(task).map(|(_, time)| time).collect()
}

fn mean(times: impl IntoIterator<Item = Ticks>) -> f64 {
    let times: Vec<Ticks> = times.into_iter().collect();
    times.iter().sum::<Ticks>().as_f64() / times.len() as f64
}

#[track_caller]
fn near(found: f64, expected: f64, percent: f64) {
    let off = (found / expected - 1.0).abs() * 100.0;
    assert!(off < percent, "{found} is {off:.1} % off {expected}");
}

/// Files and papers name instances by class and seed, so the times of a seed must never change.
#[test]
fn a_seed_gives_the_same_times_for_ever() {
    let golden: [(&str, [u64; 4]); 19] = [
        ("u_c_hihi", [77697, 338245, 450628, 458333]),
        ("u_c_hilo", [2483, 4830, 5843, 5912]),
        ("u_c_lohi", [2607, 11348, 15118, 15376]),
        ("u_c_lolo", [83, 162, 196, 198]),
        ("u_s_hihi", [338245, 77697, 458333, 450628]),
        ("u_s_hilo", [4830, 2483, 5912, 5843]),
        ("u_s_lohi", [11348, 2607, 15376, 15118]),
        ("u_s_lolo", [162, 83, 198, 196]),
        ("u_i_hihi", [458333, 77697, 338245, 450628]),
        ("u_i_hilo", [5912, 2483, 4830, 5843]),
        ("u_i_lohi", [15376, 2607, 11348, 15118]),
        ("u_i_lolo", [198, 83, 162, 196]),
        ("U1-100", [60, 26, 5, 19]),
        ("U10-100", [64, 33, 13, 27]),
        ("U100-120", [112, 105, 100, 103]),
        ("U100-200", [160, 125, 104, 118]),
        ("U1000-1100", [1060, 1025, 1004, 1018]),
        ("jobcorr", [66, 61, 64, 65]),
        ("maccorr", [65, 41, 24, 31]),
    ];
    for (class, times) in golden {
        assert_eq!(etc(&spec(class, 3, 4))[0], times.map(Ticks), "{class}");
    }
}

#[test]
fn names_tell_class_sizes_and_seed() {
    let instance = generate(&spec("u_s_lohi", 7, 3)).expect("valid");
    assert_eq!(instance.name(), "u_s_lohi_7x3_seed2026");
}

#[test]
fn seeds_differ() {
    let other = EtcSpec { seed: 2027, ..spec("U1-100", 5, 5) };
    assert_ne!(etc(&other), etc(&spec("U1-100", 5, 5)));
}

#[test]
fn uniform_times_fill_their_range() {
    for (low, high) in [(1, 100), (10, 100), (100, 120), (100, 200), (1000, 1100), (7, 7)] {
        let times = etc(&spec(&format!("U{low}-{high}"), 200, 20)).concat();
        assert_eq!(times.iter().min(), Some(&Ticks(low)));
        assert_eq!(times.iter().max(), Some(&Ticks(high)));
        near(mean(times), (low + high) as f64 / 2.0, 4.0);
    }
}

#[test]
fn braun_rows_are_ordered_as_their_class_says() {
    let ordered = |row: &[Ticks]| row.is_sorted();
    let even = |row: &[Ticks]| row.iter().step_by(2).is_sorted();
    for rest in ["hihi", "hilo", "lohi", "lolo"] {
        let rows = |kind: &str| etc(&spec(&format!("u_{kind}_{rest}"), 60, 8));
        assert!(rows("c").iter().all(|row| ordered(row)));
        assert!(rows("s").iter().all(|row| even(row)));
        assert!(!rows("s").iter().any(|row| ordered(row)));
        assert!(!rows("i").iter().all(|row| even(row)));
    }
}

#[test]
fn braun_times_are_products_of_their_ranges() {
    for (name, task, host) in
        [("hihi", 3000, 1000), ("hilo", 3000, 10), ("lohi", 100, 1000), ("lolo", 100, 10)]
    {
        let times = etc(&spec(&format!("u_i_{name}"), 2000, 10)).concat();
        assert!(times.iter().all(|time| (1..=task * host).contains(&time.0)));
        let expected = (1 + task) as f64 / 2.0 * (1 + host) as f64 / 2.0;
        near(mean(times), expected, 5.0);
    }
}

#[test]
fn correlated_times_stay_close_along_their_side() {
    let close = |times: &[Ticks]| {
        let (min, max) = (times.iter().min().expect("some"), times.iter().max().expect("some"));
        (2..=120).contains(&max.0) && max.abs_diff(*min) <= Ticks(19)
    };
    let by_task = etc(&spec("jobcorr", 100, 20));
    assert!(by_task.iter().all(|row| close(row)));
    let by_host = etc(&spec("maccorr", 100, 20));
    let column = |h: usize| by_host.iter().map(|row| row[h]).collect::<Vec<_>>();
    assert!((0..20).all(|h| close(&column(h))));
    assert!(!by_host.iter().any(|row| close(row)));
    near(mean(by_task.concat()), 61.0, 15.0);
}

#[test]
fn decimals_refine_the_same_ranges() {
    let fine = EtcSpec { decimals: 3, ..spec("U1-100", 50, 10) };
    let instance = generate(&fine).expect("valid");
    assert_eq!(instance.scale().decimals(), 3);
    let times = etc(&fine).concat();
    assert!(times.iter().all(|time| (1_000..=100_000).contains(&time.0)));
    assert!(times.iter().any(|time| time.0 % 10 != 0));
    near(mean(times), 50_500.0, 10.0);
}

#[test]
fn forbidden_pairs_and_ready_times_leave_the_times_alone() {
    let plain = generate(&spec("U1-100", 300, 10)).expect("valid");
    let asked = EtcSpec { forbidden_percent: 40, ready_max: 50, ..spec("U1-100", 300, 10) };
    let sparse = generate(&asked).expect("valid");
    let mut allowed = 0;
    for (t, h) in plain.tasks().flat_map(|t| plain.hosts().map(move |h| (t, h))) {
        let Some(time) = sparse.time(t, h) else {
            continue;
        };
        assert_eq!(Some(time), plain.time(t, h));
        allowed += 1;
    }
    // Apart from the host that is kept, each of the other nine is forbidden with probability 0.4.
    near(f64::from(allowed), 300.0 * (1.0 + 9.0 * 0.6), 5.0);
    assert!(sparse.latest_ready() > Ticks(25) && sparse.latest_ready() <= Ticks(50));
}

#[test]
fn every_task_keeps_a_host() {
    let asked = EtcSpec { forbidden_percent: 100, ..spec("u_i_lolo", 40, 6) };
    let instance = generate(&asked).expect("valid");
    assert!(instance.tasks().all(|t| instance.times(t).count() == 1));
}

#[test]
fn refuses_what_cannot_be_generated() {
    let error = |spec: EtcSpec| generate(&spec).expect_err("impossible");
    let base = spec("U1-100", 4, 2);
    assert_eq!(error(EtcSpec { decimals: 10, ..base }), GenerateError::Decimals { found: 10 });
    let percent = error(EtcSpec { forbidden_percent: 101, ..base });
    assert_eq!(percent, GenerateError::Percent { found: 101 });
    let empty = EtcClass::Uniform { low: 5, high: 4 };
    let range = error(EtcSpec { class: empty, ..base });
    assert_eq!(range, GenerateError::Range { low: 5, high: 4 });
    let (tasks, hosts) = (usize::MAX, 2);
    let size = error(EtcSpec { tasks, hosts, ..base });
    assert_eq!(size, GenerateError::Size { tasks, hosts });
    assert_eq!(error(EtcSpec { tasks: 0, ..base }).to_string(), "no tasks");
    assert_eq!(error(EtcSpec { hosts: 0, ..base }).to_string(), "no hosts");
}

#[test]
fn equal_hosts_get_the_times_of_their_class() {
    let times = |class: &str, tasks, hosts| {
        let instance = generate(&spec(class, tasks, hosts)).expect("valid");
        assert!(instance.has_equal_hosts(), "{class}");
        let first = instance.hosts().next().expect("a host");
        let time = |t| instance.time(t, first).expect("possible");
        instance.tasks().map(time).collect::<Vec<Ticks>>()
    };
    let uniform = times("equal-U20-100", 2000, 5);
    assert_eq!((uniform.iter().min(), uniform.iter().max()), (Some(&Ticks(20)), Some(&Ticks(100))));
    near(mean(uniform), 60.0, 3.0);
    let skewed = times("equal-NU1-10000", 2000, 5);
    let (long, short): (Vec<Ticks>, Vec<Ticks>) = skewed.iter().partition(|t| t.0 > 5000);
    assert!((20..60).contains(&short.len()), "{}", short.len());
    assert!(long.iter().all(|time| time.0 >= 8991) && short.iter().all(|time| time.0 <= 1999));
    let normal = times("equal-N1000-200", 4000, 5);
    let square = |time: &Ticks| (time.as_f64() - 1000.0).powi(2);
    near(libm::sqrt(normal.iter().map(square).sum::<f64>() / 4000.0), 200.0, 5.0);
    near(mean(normal), 1000.0, 2.0);
    assert!(times("equal-N1-5", 500, 2).iter().all(|time| time.0 >= 1));
    // As many tasks per host as there is room, and as few.
    for (tasks, hosts) in [(60, 12), (12, 12), (480, 12)] {
        let planted = times("equal-planted40", tasks, hosts);
        assert_eq!(planted.iter().sum::<Ticks>(), Ticks(480));
        let longer = times("equal-planted40+10", tasks, hosts);
        let more = (tasks as u64 + 5) / 10;
        assert_eq!(longer.iter().sum::<Ticks>(), Ticks(480 + more));
    }
    assert_eq!(times("equal-U1-100", 4, 3), [60, 26, 5, 19].map(Ticks));
}

/// One time per task is drawn and kept, however many hosts there are.
#[test]
fn equal_hosts_take_no_matrix() {
    let many = generate(&spec("equal-U10-1000", 100_000, 10_000)).expect("valid");
    assert_eq!((many.task_count(), many.host_count()), (100_000, 10_000));
    let sparse = EtcSpec { forbidden_percent: 30, ..spec("equal-U10-1000", 40, 10) };
    let sparse = generate(&sparse).expect("valid");
    let times = |t| sparse.times(t).map(|(_, time)| time).collect::<Vec<_>>();
    assert!(sparse.tasks().all(|t| times(t).windows(2).all(|pair| pair[0] == pair[1])));
    assert!(sparse.tasks().any(|t| times(t).len() < 10));
}

#[test]
fn refuses_planted_optima_that_cannot_be() {
    let error = |class: &str, tasks, hosts, decimals| {
        let spec = EtcSpec { decimals, ..spec(class, tasks, hosts) };
        generate(&spec).expect_err("impossible").to_string()
    };
    assert_eq!(
        error("equal-planted5", 21, 4, 0),
        "the class equal-planted5 has from 4 to 20 tasks on 4 hosts, not 21"
    );
    assert!(error("equal-planted5", 3, 4, 0).contains("from 4 to 20"));
    assert_eq!(error("equal-planted5", 3, 0, 0), "no hosts");
    assert!(error("equal-planted4000000000", 2000, 2000, 9).starts_with("times are too large"));
    let class = EqualClass::Uniform { low: 5, high: 4 };
    let spec = EtcSpec::plain(EtcClass::Equal(class), 4, 2, 1);
    assert_eq!(generate(&spec).expect_err("empty"), GenerateError::Class { class });
}

#[test]
fn every_class_survives_its_file() {
    let equal = EqualClass::all().into_iter().map(EtcClass::Equal);
    for class in EtcClass::all().into_iter().chain(equal) {
        let plain = EtcSpec::plain(class, 9, 4, 2026);
        let asked = EtcSpec { decimals: 2, forbidden_percent: 20, ready_max: 9, ..plain };
        let instance = generate(&asked).expect("valid");
        let mut text = Vec::new();
        write(&instance, Format::Json, &mut text).expect("written");
        let again = parse(&text, "f", Format::Json, &ReadOptions::default()).expect("read");
        assert_eq!(again, instance);
    }
}

#[test]
fn the_samples_are_what_the_generator_gives() {
    let cases = [
        ("braun-demo.json", "u_s_lolo", 12, 1, 10),
        ("braun-demo.csv", "u_s_lolo", 12, 1, 10),
        ("u_c_hilo_10x4.hcsp", "u_c_hilo", 10, 2, 0),
        ("jobcorr_12x4.txt", "jobcorr", 12, 0, 0),
    ];
    for (file, class, tasks, decimals, forbidden_percent) in cases {
        let spec = EtcSpec { decimals, forbidden_percent, seed: 7, ..spec(class, tasks, 4) };
        let sample = Instance::read(project("instances").join(file)).expect(file);
        let generated = generate(&spec).expect("valid");
        assert_eq!(instance_digest(&sample), instance_digest(&generated), "{file}");
    }
}

/// Half of eight hosts offer level 1, about a quarter of the tasks request it, and times are as
/// without levels.
#[test]
fn qos_levels_are_drawn_beside_the_times() {
    let plain = spec("U1-100", 400, 8);
    let with = EtcSpec { qos: Some(QosShares { tasks: 25, hosts: 50 }), ..plain };
    let (plain, with) = (generate(&plain).expect("valid"), generate(&with).expect("valid"));
    let levels = with.levels().expect("asked for");
    assert_eq!(levels.hosts.iter().sum::<u32>(), 4);
    let high = levels.tasks.iter().sum::<u32>();
    assert!((70..130).contains(&high), "{high}");
    for task in with.tasks() {
        for host in with.hosts() {
            let expected = plain.time(task, host).filter(|_| levels.allow(task, host));
            assert_eq!(with.time(task, host), expected);
        }
    }
    let few = EtcSpec { qos: Some(QosShares { tasks: 100, hosts: 0 }), ..spec("U1-100", 5, 3) };
    let few = generate(&few).expect("one host offers it");
    assert_eq!(few.levels().map(|levels| levels.hosts.iter().sum()), Some(1_u32));
    let error = |qos, forbidden_percent| {
        let spec = EtcSpec { qos: Some(qos), forbidden_percent, ..spec("U1-100", 5, 3) };
        generate(&spec).expect_err("nonsense").to_string()
    };
    let too_many = error(QosShares { tasks: 101, hosts: 5 }, 0);
    assert_eq!(too_many, "101 percent of tasks with QoS level 1, at most 100 are possible");
    assert!(error(QosShares { tasks: 1, hosts: 5 }, 9).contains("exclude each other"));
}

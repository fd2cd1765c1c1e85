//! The model of Lublin and Feitelson.

use std::fs;

use gridsat_model::{Scale, Ticks};
use gridsat_test_support::outside::data;
use gridsat_workload::swf::{Conversion, Jobs, Reader, Rules};
use gridsat_workload::{JobTypes, Lublin, LublinParameters, RigidJob, TwoStage, gamma_below};

use super::{N, assert_even, assert_fits, chi_square, count, fine, gaps, seconds, two_samples};

pub(super) fn lublin(types: JobTypes, nodes: u32, scale: Scale) -> Vec<RigidJob> {
    Lublin::new(types, nodes).jobs(7, scale).expect("valid").take(N).collect()
}

const PARAMETERS: &str = "parameter,all_jobs,batch,interactive
serial_prob,0.244,0.2927,0.1541
pow2_prob,0.576,0.6686,0.625
ulow,0.8,1.2,1
umed,4.5,5,3
uhi,7,7,5.5
uprob,0.86,0.875,0.705
a1,4.2,6.57,3.8351
b1,0.94,0.823,0.6605
a2,312,639.1,7.073
b2,0.03,0.0156,0.6856
pa,-0.0054,-0.003,-0.0118
pb,0.78,0.6986,0.9156
aarr,10.2303,6.0415,6.5510
barr,0.4871,0.8531,0.6621
anum,8.1737,6.1271,8.9186
bnum,3.9631,5.2740,3.6680
arar,1.0225,1.0519,0.9797
";

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_constants_here_are_those_of_the_file() {
    let text = fs::read_to_string(data("lublin99/parameters.csv")).expect("readable");
    assert_eq!(text.trim(), PARAMETERS.trim());
}

#[test]
fn constants_are_those_of_the_authors() {
    let columns = [LublinParameters::ALL, LublinParameters::BATCH, LublinParameters::INTERACTIVE];
    let lists = columns.map(|column| column.list());
    let line = |i: usize| {
        let values = lists.each_ref().map(|list| list[i].1);
        (lists[0][i].0.to_owned(), values)
    };
    let parse = |line: &str| {
        let words: Vec<_> = line.split(',').collect();
        (words[0].to_owned(), [1, 2, 3].map(|i| words[i].parse().expect("a number")))
    };
    let expected: Vec<(String, [f64; 3])> = PARAMETERS.lines().skip(1).map(parse).collect();
    assert_eq!((0..lists[0].len()).map(line).collect::<Vec<_>>(), expected);
}

/// The exact probability of a size.
fn size_probability(p: &LublinParameters, size: u32) -> f64 {
    let sizes: TwoStage = p.log_sizes();
    let power = if size.is_power_of_two() { sizes.exponent(size.ilog2()) } else { 0.0 };
    let serial = if size == 1 { p.serial_prob } else { 0.0 };
    let any = if size == 0 { 0.0 } else { sizes.size(size) };
    serial + p.pow2_prob * power + (1.0 - p.serial_prob - p.pow2_prob) * any
}

#[test]
fn sizes_follow_the_model() {
    for (types, nodes) in [
        (JobTypes::None, 128),
        (JobTypes::None, 1024),
        (JobTypes::Batch, 256),
        (JobTypes::Interactive, 128),
    ] {
        let model = Lublin::new(types, nodes);
        let p = *model.parameters().next().expect("one stream");
        let jobs = lublin(types, nodes, Scale::default());
        assert!(jobs.iter().all(|job| (1..=nodes).contains(&job.nodes)));
        assert_fits(jobs.iter().map(|job| job.nodes), |size| size_probability(&p, size), nodes);
    }
}

/// The distribution function of run times, given the nodes.
fn run_below(p: &LublinParameters, nodes: u32, run: f64) -> f64 {
    let runs = p.log_runs().expect("valid");
    let short = p.short_run(nodes);
    let mixed = |[first, second]: [f64; 2]| short * first + (1.0 - short) * second;
    mixed(runs.below(run.ln())) / mixed(runs.below(12.0))
}

#[test]
fn run_times_follow_the_model() {
    for types in [JobTypes::None, JobTypes::Batch, JobTypes::Interactive] {
        let p = *Lublin::new(types, 128).parameters().next().expect("one stream");
        let jobs = lublin(types, 128, fine());
        assert!(jobs.iter().all(|job| job.run == job.estimate && seconds(job.run) <= 162_755.0));
        let below = jobs.iter().map(|job| run_below(&p, job.nodes, seconds(job.run)));
        assert_even(below.collect(), &format!("{types:?}"));
    }
}

/// The points that each bucket of a day offers.
fn weights(p: &LublinParameters) -> [f64; 48] {
    let below = |x: f64| gamma_below(p.anum, p.bnum, x);
    let mut weights = [0.0; 48];
    for i in 11..59_u8 {
        weights[(usize::from(i) - 1) % 48] = below(f64::from(i) + 0.5) - below(f64::from(i) - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / 48.0;
    weights.map(|weight| weight / mean)
}

/// The logarithms of interarrival times with the daily cycle removed, as values of their
/// distribution function.
pub(super) fn log_gaps_below(p: &LublinParameters, submits: &[Ticks], stretch: f64) -> Vec<f64> {
    let weights = weights(p);
    let points = |&submit: &Ticks| {
        let (bucket, within) = (seconds(submit) / 1800.0, seconds(submit) / 1800.0 % 1.0);
        let (day, hour) = ((bucket / 48.0).floor(), (bucket % 48.0) as usize);
        48.0 * day + weights[..hour].iter().sum::<f64>() + weights[hour] * within
    };
    let at: Vec<_> = submits.iter().map(points).collect();
    let below = |log_gap: f64| gamma_below(p.aarr * p.arar, p.barr, log_gap);
    let gap = |pair: &[f64]| (pair[1] - pair[0]) * 1800.0 / stretch;
    at.windows(2).map(|pair| below(gap(pair).ln()) / below(13.0)).collect()
}

#[test]
fn arrivals_follow_the_model_through_the_day() {
    for types in [JobTypes::None, JobTypes::Batch, JobTypes::Interactive] {
        let p = *Lublin::new(types, 128).parameters().next().expect("one stream");
        let jobs = lublin(types, 128, fine());
        let submits: Vec<_> = jobs.iter().map(|job| job.submit).collect();
        assert_even(log_gaps_below(&p, &submits, 1.0), &format!("{types:?}"));
    }
}

/// With both job types the result is the merge of the two single streams.
#[test]
fn both_types_are_two_streams() {
    let plain = |job: &RigidJob| RigidJob { number: 0, ..*job };
    let both = lublin(JobTypes::Both, 128, Scale::default());
    assert!(both.is_sorted_by_key(|job| job.submit));
    assert!(both.iter().zip(1..).all(|(job, number)| job.number == number));
    for (types, queue) in [(JobTypes::Batch, 1), (JobTypes::Interactive, 0)] {
        let alone: Vec<_> = lublin(types, 128, Scale::default()).iter().map(plain).collect();
        let mixed: Vec<_> = both.iter().filter(|job| job.priority == queue).map(plain).collect();
        assert!(mixed.len() > N / 10 && mixed[..] == alone[..mixed.len()], "{types:?}");
    }
}

/// A sample of 10,000 jobs on 256 nodes, drawn by the authors' program.
fn sample() -> Vec<RigidJob> {
    let path = data("lublin99/lublin_256.swf");
    let reader = Reader::open(&path, Rules::Archive).expect("valid");
    Jobs::new(reader, Conversion::default()).collect::<Result<_, _>>().expect("valid")
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_sample_of_others_looks_the_same() {
    let sample = sample();
    let own = lublin(JobTypes::None, 256, Scale::default());
    let nodes = |jobs: &[RigidJob]| jobs.iter().map(|job| u64::from(job.nodes)).collect::<Vec<_>>();
    let runs = |jobs: &[RigidJob]| jobs.iter().map(|job| job.run.0).collect::<Vec<_>>();
    for (what, [own, others]) in [
        ("sizes", [nodes(&own), nodes(&sample)]),
        ("run times", [runs(&own), runs(&sample)]),
        ("gaps", [gaps(&own), gaps(&sample)]),
    ] {
        let (distance, limit) = two_samples(own, others);
        println!("{what}: D = {distance:.4}, limit {limit:.4}");
        assert!(distance <= limit, "{what}: D = {distance:.4}, limit {limit:.4}");
    }
    // Conditioned on the nodes, because run times depend on sizes.
    let p = LublinParameters::ALL;
    let below = |job: &RigidJob| {
        // Times are rounded down to seconds; any point within the second will do.
        let within = (job.number % 97) as f64 / 97.0;
        run_below(&p, job.nodes, job.run.as_f64() + within)
    };
    assert_even(sample.iter().map(below).collect(), "run times of the sample");
}

/// It is not recorded which ulow and umed the sample was drawn with. Of all pairs in steps of 0.1,
/// 0.8 and 5.5 are the most likely; these are also the defaults scaled to 256 nodes.
#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_sample_was_drawn_with_umed_2_5_below_uhi() {
    let sample = sample();
    let counts = count(sample.iter().map(|job| job.nodes));
    let defaults = LublinParameters::ALL.on_nodes(256);
    assert_eq!((defaults.ulow, defaults.umed, defaults.uhi), (0.8, 5.5, 8.0));
    let likelihood = |ulow: u32, umed: u32| {
        let (ulow, umed) = (f64::from(ulow) / 10.0, f64::from(umed) / 10.0);
        let p = LublinParameters { ulow, umed, ..defaults };
        let term = |(&size, &seen): (&u32, &u32)| {
            f64::from(seen) * size_probability(&p, size).max(1e-300).ln()
        };
        counts.iter().map(term).sum::<f64>()
    };
    let pairs = (0..=15).flat_map(|ulow| (40..=70).map(move |umed| (ulow, umed)));
    let best = pairs.max_by(|a, b| likelihood(a.0, a.1).total_cmp(&likelihood(b.0, b.1)));
    assert_eq!(best, Some((8, 55)));
    let (sum, limit) = chi_square(&counts, |size| size_probability(&defaults, size), 256);
    assert!(sum <= limit, "chi-square {sum:.1}, limit {limit:.1}");
    let other = LublinParameters { umed: 4.5, ..defaults };
    let (sum, limit) = chi_square(&counts, |size| size_probability(&other, size), 256);
    assert!(sum > limit, "chi-square {sum:.1}, limit {limit:.1}");
}

#[test]
fn lublin_refuses_nonsense_in_one_line() {
    let error = |name: &str, value: f64| {
        let mut model = Lublin::new(JobTypes::Both, 128);
        let set = model.set(name, value);
        set.and_then(|()| model.jobs(1, Scale::default()).map(drop)).expect_err(name).to_string()
    };
    assert_eq!(error("serial_prob", 1.5), "serial_prob is 1.5, not a probability from 0 to 1");
    assert_eq!(error("pow2_prob", 0.9), "serial_prob and pow2_prob: together above 1");
    assert_eq!(error("batch.umed", 9.0), "umed is 9, above uhi, which is 7");
    assert_eq!(error("a1", 0.0), "a1 is 0, not a number above 0");
    assert_eq!(error("anum", 1e-9), "anum and bnum: no arrivals in the buckets of a day");
    assert_eq!(
        error("interactive.b2", 100.0),
        "a2 and b2: almost all times are beyond the model's limit"
    );
    assert_eq!(error("all.umed", 1.0), "unknown parameter 'all'; known: batch, interactive");
    let none = Lublin::new(JobTypes::None, 0).jobs(1, Scale::default());
    assert_eq!(none.map(drop).expect_err("none").to_string(), "nodes is 0, not at least 1");
}

/// On small machines log2 of the nodes may be below the default `ulow`.
#[test]
fn lublin_fits_small_machines() {
    for nodes in [1, 2, 3, 5, 100] {
        let jobs = lublin(JobTypes::Both, nodes, Scale::default());
        assert_eq!(jobs.iter().map(|job| job.nodes).max(), Some(nodes));
    }
}

//! Time and quality of heuristics and lower bounds as instances grow; all classes use a fixed seed.
//!
//! `cargo bench --bench bounds` prints a table; `-- --quick` leaves out the largest size.

use std::time::{Duration, Instant};

use gridsat_exact::bounds;
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_heuristics::{Heuristics, map_by_weights};
use gridsat_model::{Instance, Stop, Ticks};

const SIZES: [(usize, usize); 4] = [(100, 10), (512, 16), (2048, 64), (10_000, 100)];

fn main() {
    let quick = std::env::args().any(|word| word == "--quick");
    let sizes = if quick { &SIZES[..3] } else { &SIZES[..] };
    println!("| class | size | method | seconds | above the LP bound |");
    println!("|---|---|---|---|---|");
    for &(tasks, hosts) in sizes {
        for class in ["u_c_hihi", "u_i_hihi", "jobcorr"] {
            let known = class.parse().expect("a known class");
            let spec = EtcSpec::plain(known, tasks, hosts, 7);
            let instance = generate(&spec).expect("a valid specification");
            measure(class, &instance);
        }
    }
}

fn measure(class: &str, instance: &Instance) {
    let (bound, seconds) = timed(|| bounds::linear(instance, &Stop::never()));
    let size = format!("{}x{}", instance.task_count(), instance.host_count());
    let row = |method: &str, seconds: f64, value: Ticks| {
        let least = bound.bound.value().as_f64();
        let above = 100.0 * (value.as_f64() - least) / least;
        println!("| {class} | {size} | {method} | {seconds:.4} | {above:.2} % |");
    };
    row("LP bound", seconds, bound.bound.value());
    let (counted, seconds) = timed(|| bounds::counting(instance, &Stop::never()));
    row("counting bound", seconds, counted.value());
    for heuristic in Heuristics::built_in().iter() {
        let (mapping, seconds) = timed(|| heuristic.map(instance));
        row(heuristic.title(), seconds, mapping.makespan());
    }
    let stop = Stop::never().within(Duration::from_secs(3));
    let (mapping, seconds) = timed(|| map_by_weights(instance, &bound.weights, &stop));
    row("by LP weights (at most 3 s)", seconds, mapping.makespan());
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

//! The size of formulas, and the time to write them.
//!
//! Sections (`--only`):
//! - `export`: the DIMACS text of a full-size instance;
//! - `load`: the encodings of the loads as n, m and k grow;
//! - `at-most-one`: the at-most-one encodings as m grows.
//!
//! All inputs are drawn with [`SEED`]. Times are CPU times.

mod common;

use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use anyhow::Result;
use gridsat_check::formula::{self, Encoding, Load};
use gridsat_encodings::{AtMostOne, Budget, ClauseSink, Cnf, Counter, OverBudget};
use gridsat_exact::export::write_dimacs;
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_heuristics::{Heuristic, MinMin};
use gridsat_model::{Instance, InstanceParts, Ticks};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use common::{Bench, CpuClock, Effort, Record, Table, peak_memory, seconds};

const SEED: u64 = 1;

fn main() -> Result<()> {
    // The export comes first, so that the peak memory is that of the export.
    Bench::run(
        &format!("seed {SEED}"),
        &[
            ("export", |bench| export(bench.effort, &mut bench.record)),
            ("load", |bench| load(bench.effort, &mut bench.record)),
            ("at-most-one", |bench| at_most_one(&mut bench.record)),
        ],
    )
}

/// An instance as large as the largest of the literature: u_c_hihi with six decimals.
fn export(effort: Effort, record: &mut Record) -> Result<()> {
    let (tasks, hosts) = if effort == Effort::Smoke { (32, 4) } else { (512, 16) };
    let plain = EtcSpec::plain("u_c_hihi".parse()?, tasks, hosts, SEED);
    let spec = EtcSpec { decimals: 6, ..plain };
    let instance = generate(&spec)?;
    let k = MinMin.map(&instance).makespan();
    let encoding = engineered(Load::Engineered(gridsat_encodings::LoadEncoding::Adder));
    let file = tempfile::NamedTempFile::new()?;
    let before = peak_memory();
    let clock = CpuClock::start();
    let out = BufWriter::new(File::create(file.path())?);
    let counts = write_dimacs(&instance, k, &encoding, Budget::default(), out)?;
    let time = clock.elapsed();
    let (bytes, peak) = (file.path().metadata()?.len(), peak_memory());

    let place = ["export", instance.name(), "adder"];
    record.put(place, "bytes", bytes)?;
    record.put(place, "time", time.as_secs_f64())?;
    record.put(place, "peak", peak.unwrap_or(0))?;
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let table = Table::start(
        "DIMACS export",
        &["instance", "k", "clauses", "size", "time", "rate", "peak before", "peak after"],
    );
    table.row(&[
        instance.name().to_owned(),
        instance.scale().display(k).to_string(),
        counts.clauses.to_string(),
        megabytes(bytes),
        seconds(time),
        format!("{}/s", megabytes((bytes as f64 / time.as_secs_f64()) as u64)),
        before.map_or("?".to_owned(), megabytes),
        peak.map_or("?".to_owned(), megabytes),
    ]);
    Ok(())
}

/// One row per size of input, one column per encoding.
fn load(effort: Effort, record: &mut Record) -> Result<()> {
    let mut columns = vec!["n", "m", "k"];
    columns.extend(Load::ALL.map(Load::name));
    let title = "Clauses, variables, literals; time to count, time to fill a formula";
    let table = Table::start(title, &columns);
    for (n, m, k) in load_sizes(effort) {
        let instance = scaled(n, m, k)?;
        let mut row = vec![n.to_string(), m.to_string(), format!("10^{}", k.0.ilog10())];
        for load in Load::ALL {
            row.push(measure(&instance, k, load, record)?);
        }
        table.row(&row);
    }
    Ok(())
}

/// n and k grow on four hosts, then m on 64 tasks. Large n and k are rare, because planning a
/// formula up to the budget takes long and the result is the same.
fn load_sizes(effort: Effort) -> Vec<(usize, usize, Ticks)> {
    let tasks: &[(usize, &[u32])] = match effort {
        Effort::Smoke => &[(10, &[3, 6])],
        Effort::Quick => &[(10, &[3, 6, 9]), (24, &[3, 6])],
        Effort::Full => &[
            (10, &[3, 6, 9, 12]),
            (16, &[3, 6, 9, 12]),
            (24, &[3, 6, 9, 12]),
            (64, &[3, 6, 12]),
            (128, &[3]),
            (512, &[3, 12]),
        ],
    };
    let powers = |&(n, digits): &(usize, &'static [u32])| {
        digits.iter().map(move |&digits| (n, 4, Ticks(10_u64.pow(digits))))
    };
    let mut sizes: Vec<_> = tasks.iter().flat_map(powers).collect();
    if effort == Effort::Full {
        sizes.extend([3, 8, 16].map(|m| (64, m, Ticks(1000))));
        sizes.push((64, 16, Ticks(1_000_000)));
    }
    sizes
}

/// Times drawn so that an average mapping has about this makespan.
fn scaled(n: usize, m: usize, k: Ticks) -> Result<Instance> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let longest = (2 * k * m as u64 / n as u64).clamp(Ticks(1), k);
    let row = |_| (0..m).map(|_| Some(Ticks(random.random_range(1..=longest.0)))).collect();
    let name = format!("uniform_{n}x{m}_k{k}");
    let parts = InstanceParts { name, etc: (0..n).map(row).collect(), ..InstanceParts::default() };
    Ok(Instance::new(parts)?)
}

fn measure(instance: &Instance, k: Ticks, load: Load, record: &mut Record) -> Result<String> {
    let place = ["load", instance.name(), load.name()];
    let encoding = engineered(load);
    let mut counts = Counter::default();
    let counted = timed(instance, k, &encoding, &mut counts);
    let counting = match counted {
        Ok(time) => time,
        Err(OverBudget::Stopped) => unreachable!("there is no stop"),
        Err(OverBudget::TooMany { needed, at_least, .. }) => {
            record.put(place, "needed clauses", needed)?;
            return Ok(format!("over: {}{}", if at_least { "≥ " } else { "" }, short(needed)));
        }
    };
    let filling = timed(instance, k, &encoding, &mut Cnf::new())?;
    record.put(place, "variables", counts.variables)?;
    record.put(place, "clauses", counts.clauses)?;
    record.put(place, "literals", counts.literals)?;
    record.put(place, "counting time", counting.as_secs_f64())?;
    record.put(place, "filling time", filling.as_secs_f64())?;
    let Counter { variables, clauses, literals } = counts;
    let sizes = [clauses, variables, literals].map(short).join(", ");
    Ok(format!("{sizes}; {}, {}", seconds(counting), seconds(filling)))
}

fn timed(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    sink: &mut dyn ClauseSink,
) -> Result<Duration, OverBudget> {
    let clock = CpuClock::start();
    formula::encode(instance, k, encoding, sink, &mut Budget::default())?;
    Ok(clock.elapsed())
}

/// Without symmetry breaking and the constraint over all hosts, to measure only the load encoding.
fn engineered(load: Load) -> Encoding {
    Encoding { load, ..Encoding::THESIS }
}

fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{:.0}k", count as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.0}M", count as f64 / 1e6),
        _ => format!("{:.1e}", count as f64),
    }
}

/// Counts sizes only: writing one constraint takes less time than the clock can measure.
fn at_most_one(record: &mut Record) -> Result<()> {
    let mut columns = vec!["m"];
    columns.extend(AtMostOne::ALL.map(AtMostOne::name));
    let table = Table::start("At most one of m: clauses, variables, literals", &columns);
    for m in [3, 4, 6, 8, 12, 16, 24, 32, 48, 64] {
        let mut row = vec![m.to_string()];
        for encoding in AtMostOne::ALL {
            let mut counts = Counter::default();
            let lits: Vec<_> = (0..m).map(|_| counts.new_var().positive()).collect();
            encoding.encode(&lits, &mut counts);
            let fresh = counts.variables - m;
            let place = ["at-most-one", &m.to_string(), encoding.name()];
            record.put(place, "clauses", counts.clauses)?;
            record.put(place, "variables", fresh)?;
            row.push(format!("{}, {fresh}, {}", counts.clauses, counts.literals));
        }
        table.row(&row);
    }
    Ok(())
}

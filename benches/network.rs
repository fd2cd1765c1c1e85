//! Speed of starting and ending transfers on a GUTS network.
//!
//! Sections (`--only`):
//! - `transfers`: with a fixed number of concurrent transfers, each replaced in turn by a new one;
//! - `routes`: the first use of every route.
//!
//! Graphs are random trees plus as many random links again. End points and sizes are drawn before
//! the measurement, all from [`SEED`]. Times are CPU times; the fastest run counts.

mod common;

use std::time::Duration;

use anyhow::{Result, ensure};
use gridsat_engine::time::Time;
use gridsat_grid::load::LocalLoad;
use gridsat_grid::network::{Bytes, Guts, LinkSpec, Network, NodeId, Transfer};
use gridsat_model::Scale;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use common::{Bench, CpuClock, Effort, Record, Table, peak_memory, seconds};

const SEED: u64 = 1;

fn main() -> Result<()> {
    // Routes first: the peak memory of the process is then theirs.
    Bench::run(
        &format!("seed {SEED}"),
        &[
            ("routes", |bench| routes(bench.effort, &mut bench.record)),
            ("transfers", |bench| transfers(bench.effort, &mut bench.record)),
        ],
    )
}

/// Numbers of nodes and of concurrent transfers.
fn sizes(effort: Effort) -> &'static [(u32, usize)] {
    match effort {
        Effort::Smoke => &[(30, 100)],
        Effort::Quick => &[(100, 10_000), (1_000, 10_000)],
        Effort::Full => &[
            (1_000, 100),
            (1_000, 1_000),
            (1_000, 10_000),
            (1_000, 100_000),
            (100, 10_000),
            (300, 10_000),
            (3_000, 10_000),
        ],
    }
}

fn transfers(effort: Effort, record: &mut Record) -> Result<()> {
    let columns =
        ["nodes", "at once", "links a route", "started and finished", "time", "million/s"];
    let table = Table::start("Transfers, every one replaced in turn", &columns);
    let count = if effort == Effort::Smoke { 1_000 } else { 1_000_000 };
    for &(nodes, at_once) in sizes(effort) {
        let mut network = graph(nodes)?;
        let orders = orders(nodes, count.max(at_once));
        let links = fill(&mut network, &orders)?;
        let runs = if effort == Effort::Full { 5 } else { 1 };
        let mut fastest = Duration::MAX;
        for _ in 0..runs {
            fastest = fastest.min(replace(&mut network, &orders, at_once)?);
        }
        let rate = format!("{:.2}", orders.len() as f64 / fastest.as_secs_f64() / 1e6);
        let place = ["transfers", &nodes.to_string(), &at_once.to_string()];
        record.put(place, "million/s", &rate)?;
        let links = format!("{:.1}", links as f64 / orders.len() as f64);
        let (nodes, at_once, count) = (nodes.to_string(), at_once.to_string(), orders.len());
        table.row(&[nodes, at_once, links, count.to_string(), seconds(fastest), rate]);
    }
    Ok(())
}

/// Routes from every node to the last one, which needs the shortest-path tree of every node.
fn routes(effort: Effort, record: &mut Record) -> Result<()> {
    let table = Table::start("First use of all routes", &["nodes", "time", "peak memory"]);
    let sizes: &[u32] = if effort == Effort::Smoke { &[30] } else { &[100, 300, 1_000, 3_000] };
    for &nodes in sizes {
        let network = graph(nodes)?;
        let clock = CpuClock::start();
        for node in (0..nodes).map(NodeId) {
            ensure!(network.predict(node, NodeId(nodes - 1), Bytes(1)).is_some(), "no route");
        }
        let time = clock.elapsed();
        record.put(["routes", &nodes.to_string(), "all"], "time", time.as_secs_f64())?;
        let megabytes = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
        let memory = peak_memory().map_or("?".to_owned(), megabytes);
        table.row(&[nodes.to_string(), seconds(time), memory]);
    }
    Ok(())
}

fn graph(nodes: u32) -> Result<Guts> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let names: Vec<String> = (0..nodes).map(|node| format!("n{node}")).collect();
    let mut pairs: Vec<_> = (1..nodes).map(|node| (random.random_range(0..node), node)).collect();
    for _ in 1..nodes {
        let b = random.random_range(1..nodes);
        pairs.push((random.random_range(0..b), b));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut link = |&(a, b): &(u32, u32)| LinkSpec {
        a: format!("n{a}"),
        b: format!("n{b}"),
        bandwidth: 10_u64.pow(random.random_range(7..11)),
        latency: random.random_range(0.0..0.05),
        mtu: LinkSpec::DEFAULT_MTU,
        load: LocalLoad::default(),
    };
    let links: Vec<_> = pairs.iter().map(&mut link).collect();
    Ok(Guts::new(&names, &links, Scale::new(9).expect("small"))?)
}

type Order = (NodeId, NodeId, Bytes);

fn orders(nodes: u32, count: usize) -> Vec<Order> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut node = || NodeId(random.random_range(0..nodes));
    let ends: Vec<_> = (0..count).map(|_| (node(), node())).collect();
    let mut size = || Bytes(random.random_range(0..1_000_000_000));
    ends.into_iter().map(|(from, to)| (from, to, size())).collect()
}

/// Starts and ends all orders at once, so that every route is computed before the measurement.
/// Returns how many links they use in total.
fn fill(network: &mut Guts, orders: &[Order]) -> Result<u64> {
    let started = orders.iter().map(|&(from, to, size)| network.start(from, to, size, Time::ZERO));
    let started = started.collect::<Result<Vec<_>, _>>()?;
    let links = network.links().map(|link| u64::from(link.transfers)).sum();
    started.into_iter().for_each(|transfer| network.finish(transfer));
    Ok(links)
}

/// Starts and ends all orders, `at_once` at a time. The oldest transfer ends first; the cost does
/// not depend on which one does.
fn replace(network: &mut Guts, orders: &[Order], at_once: usize) -> Result<Duration> {
    let (first, rest) = orders.split_at(at_once);
    let clock = CpuClock::start();
    let start =
        |network: &mut Guts, &(from, to, size): &Order| network.start(from, to, size, Time::ZERO);
    let mut ring: Vec<Transfer> =
        first.iter().map(|order| start(network, order)).collect::<Result<_, _>>()?;
    for (order, slot) in rest.iter().zip((0..at_once).cycle()) {
        let new = start(network, order)?;
        network.finish(std::mem::replace(&mut ring[slot], new));
    }
    ring.into_iter().for_each(|transfer| network.finish(transfer));
    let time = clock.elapsed();
    ensure!(network.links().all(|link| link.transfers == 0), "something is still held");
    Ok(time)
}

//! The GUTS network compared with a plain twin, on random graphs and transfers.
//!
//! The twin keeps only a list of transfers: the state of each link and every route is recomputed
//! for each question.

use gridsat_engine::time::Time;
use gridsat_grid::load::LocalLoad;
use gridsat_grid::network::{Bytes, Guts, LinkSpec, Network, NodeId, Transfer};
use gridsat_model::{Scale, Ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEEDS: u64 = 60;
const STEPS: usize = 150;
const TICKS_PER_SECOND: u128 = 1_000_000_000;

/// A link in integers: ends, thousandths of bits per second, nanoseconds, bytes.
struct TwinLink {
    ends: [usize; 2],
    capacity: u128,
    delay: u128,
    mtu: u128,
}

/// What a transfer holds: links and bandwidth.
type Held = (Vec<usize>, u128);

struct Twin {
    nodes: usize,
    links: Vec<TwinLink>,
    active: Vec<Held>,
}

impl Twin {
    fn transfers(&self, link: usize) -> u128 {
        self.active.iter().filter(|(path, _)| path.contains(&link)).count() as u128
    }

    fn reserved(&self, link: usize) -> u128 {
        let holding = self.active.iter().filter(|(path, _)| path.contains(&link));
        holding.map(|(_, bandwidth)| bandwidth).sum()
    }

    fn available(&self, link: usize) -> u128 {
        let capacity = self.links[link].capacity;
        let share = capacity / (self.transfers(link) + 1);
        capacity.saturating_sub(self.reserved(link)).max(share).max(1)
    }

    /// The links of the route and the bandwidth of its bottleneck; `None` without a route.
    fn offer(&self, from: usize, to: usize) -> Option<Held> {
        let path = self.path(from.min(to), from.max(to))?;
        let available = path.iter().map(|&link| self.available(link)).min();
        Some((path, available.unwrap_or(u128::from(u64::MAX))))
    }

    /// The formula, in millionths of a tick.
    fn ticks(&self, (path, bandwidth): &Held, size: u64) -> u128 {
        if path.is_empty() {
            return 0;
        }
        let time = |milli_bits: u128, bandwidth: u128| {
            (milli_bits * TICKS_PER_SECOND * 1_000_000).div_ceil(bandwidth)
        };
        let crossing = |&link: &usize| {
            let TwinLink { delay, mtu, .. } = self.links[link];
            let found = self.transfers(link);
            let packets = (mtu * 8000 * found).saturating_sub(mtu * 4000);
            delay * 1_000_000 + time(packets, self.available(link))
        };
        let crossings: u128 = path.iter().map(crossing).sum();
        (3 * crossings + time(u128::from(size) * 8000, *bandwidth)).div_ceil(1_000_000)
    }

    /// The same in floating point seconds, without intermediate rounding.
    fn seconds(&self, (path, _): &Held, size: u64) -> f64 {
        let available = |&link: &usize| {
            let capacity = self.links[link].capacity as f64;
            let left = capacity - self.reserved(link) as f64;
            left.max(capacity / (self.transfers(link) as f64 + 1.0)) / 1000.0
        };
        let delay: f64 = path.iter().map(|&link| self.links[link].delay as f64 / 1e9).sum();
        let queue = |link: &usize| match self.transfers(*link) as f64 {
            0.0 => 0.0,
            found => self.links[*link].mtu as f64 * 8.0 / available(link) * (found - 0.5),
        };
        let bottleneck = path.iter().map(available).fold(f64::INFINITY, f64::min);
        3.0 * (delay + path.iter().map(queue).sum::<f64>()) + size as f64 * 8.0 / bottleneck
    }

    /// Bellman-Ford: (delay, links) of the best path to every node; then back from the end, always
    /// to the lowest neighbour on such a path.
    fn path(&self, root: usize, mut at: usize) -> Option<Vec<usize>> {
        let mut best = vec![None; self.nodes];
        best[root] = Some((0, 0));
        for _ in 0..self.nodes {
            for (from, to, link) in self.directed() {
                let through = best[from].map(|(delay, hops)| self.longer((delay, hops), link));
                if through.is_some_and(|path| best[to].is_none_or(|known| path < known)) {
                    best[to] = through;
                }
            }
        }
        best[at]?;
        let mut path = Vec::new();
        while at != root {
            let is_before = |&(from, to, link): &(usize, usize, usize)| {
                to == at && best[from].map(|path| self.longer(path, link)) == best[at]
            };
            let (from, _, link) = self.directed().filter(is_before).min()?;
            path.push(link);
            at = from;
        }
        Some(path)
    }

    fn longer(&self, (delay, hops): (u128, u32), link: usize) -> (u128, u32) {
        (delay + self.links[link].delay, hops + 1)
    }

    fn directed(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let both = |(link, &TwinLink { ends: [a, b], .. })| [(a, b, link), (b, a, link)];
        self.links.iter().enumerate().flat_map(both)
    }
}

/// A description of a random graph; there are few different delays, so that many paths are equally
/// long.
fn description(random: &mut ChaCha8Rng) -> (Vec<String>, Vec<LinkSpec>) {
    let nodes: Vec<String> = (0..random.random_range(2..12)).map(|n| format!("n{n}")).collect();
    let mut links = Vec::new();
    for (i, a) in nodes.iter().enumerate() {
        for b in &nodes[..i] {
            if random.random_ratio(2, nodes.len() as u32) {
                links.push(LinkSpec {
                    a: a.clone(),
                    b: b.clone(),
                    bandwidth: 10_u64.pow(random.random_range(3..10)) * random.random_range(1..10),
                    latency: f64::from(random.random_range(0..4_u8)) / 1000.0,
                    mtu: [1, 576, 1500, 9000][random.random_range(0..4)],
                    load: LocalLoad::default(),
                });
            }
        }
    }
    (nodes, links)
}

fn twin(nodes: &[String], links: &[LinkSpec]) -> Twin {
    let number = |name: &String| nodes.iter().position(|node| node == name).expect("a node");
    let link = |spec: &LinkSpec| TwinLink {
        ends: [number(&spec.a), number(&spec.b)],
        capacity: u128::from(spec.bandwidth) * 1000,
        delay: (spec.latency * 1e9).round() as u128,
        mtu: u128::from(spec.mtu),
    };
    Twin { nodes: nodes.len(), links: links.iter().map(link).collect(), active: Vec::new() }
}

/// The network, its twin, and the transfers of both in the same order.
struct Pair {
    network: Guts,
    twin: Twin,
    transfers: Vec<Transfer>,
    case: String,
}

impl Pair {
    fn new(seed: u64, random: &mut ChaCha8Rng) -> Self {
        let (nodes, links) = description(random);
        let scale = Scale::new(9).expect("small");
        let network = Guts::new(&nodes, &links, scale).expect("a good description");
        let twin = twin(&nodes, &links);
        Self { network, twin, transfers: Vec::new(), case: format!("seed {seed}") }
    }

    fn start(&mut self, from: usize, to: usize, size: u64) {
        let case = &self.case;
        let (a, b) = (NodeId(from as u32), NodeId(to as u32));
        let offer = self.twin.offer(from, to);
        let expected = offer.as_ref().map(|offer| self.twin.ticks(offer, size));
        let predicted = self.network.predict(a, b, Bytes(size));
        assert_eq!(predicted.map(u128::from), expected, "{case}");
        let bandwidth = self.network.bandwidth(a, b);
        let started = self.network.start(a, b, Bytes(size), Time(Ticks(5))).ok();
        let ends = started.as_ref().map(Transfer::ends);
        assert_eq!(ends, predicted.map(|ticks| Time(Ticks(5)) + ticks), "{case}: not as predicted");
        assert_eq!(started.as_ref().map(Transfer::bandwidth), bandwidth, "{case}");
        let Some((offer, transfer)) = offer.zip(started) else { return };
        self.check_formula(&offer, size, transfer.ends().since(Time(Ticks(5))));
        self.twin.active.push(offer);
        self.transfers.push(transfer);
    }

    /// Only rounding may differ: bandwidths, here at least 25 bit/s, are exact to a thousandth of a
    /// bit per second.
    fn check_formula(&self, offer: &Held, size: u64, ticks: Ticks) {
        let seconds = self.twin.seconds(offer, size);
        let difference = (ticks.as_f64() / 1e9 - seconds).abs();
        assert!(difference <= 2e-9 + 1e-4 * seconds, "{}: {ticks} ticks, {seconds} s", self.case);
    }

    fn finish(&mut self, number: usize) {
        self.twin.active.swap_remove(number);
        self.network.finish(self.transfers.swap_remove(number));
    }

    fn check_links(&self) {
        let case = &self.case;
        for (number, link) in self.network.links().enumerate() {
            let (transfers, reserved) = (self.twin.transfers(number), self.twin.reserved(number));
            assert_eq!(u128::from(link.transfers), transfers, "{case}, link {number}");
            assert_eq!(link.reserved.bits(), reserved as f64 / 1000.0, "{case}, link {number}");
            let shares: f64 = (1..=transfers).map(|n| 1.0 / n as f64).sum();
            let most = self.twin.links[number].capacity as f64 * (1.0 + shares);
            assert!(reserved as f64 <= most, "{case}, link {number}: {reserved} of {most}");
        }
    }
}

#[test]
fn every_transfer_is_that_of_the_twin_and_everything_is_given_back() {
    for seed in 0..SEEDS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut pair = Pair::new(seed, &mut random);
        for _ in 0..STEPS {
            let number = random.random_range(0..40);
            if number < pair.transfers.len() {
                pair.finish(number);
            } else {
                let mut node = || random.random_range(0..pair.twin.nodes);
                let (from, to) = (node(), node());
                pair.start(from, to, random.random_range(0..10_000_000));
            }
            pair.check_links();
        }
        while !pair.transfers.is_empty() {
            pair.finish(random.random_range(0..pair.transfers.len()));
            pair.check_links();
        }
        let is_idle = pair.network.links().all(|l| l.transfers == 0 && l.reserved.bits() == 0.0);
        assert!(is_idle, "seed {seed}");
    }
}

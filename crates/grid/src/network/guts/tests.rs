//! Transfers computed by hand, and invalid descriptions. Ticks are nanoseconds.

use super::super::NoRoute;
use super::*;
use gridsat_engine::time::Time;

const MS: Ticks = Ticks(1_000_000);
const SECOND: Ticks = Ticks(1_000_000_000);
/// 12 megabits: one second on an idle fast link.
const SIZE: Bytes = Bytes(1_500_000);
const A: NodeId = NodeId(0);
const ROUTER: NodeId = NodeId(1);
const B: NodeId = NodeId(2);
const ALONE: NodeId = NodeId(3);

fn link(a: &str, b: &str, bandwidth: u64, latency: f64) -> LinkSpec {
    let (a, b) = (a.to_owned(), b.to_owned());
    let load = LocalLoad::default();
    LinkSpec { a, b, bandwidth, latency, mtu: LinkSpec::DEFAULT_MTU, load }
}

fn build(links: &[LinkSpec]) -> Result<Guts, GutsError> {
    let nodes = ["a", "router", "b", "alone"].map(str::to_owned);
    Guts::new(&nodes, links, Scale::new(9).expect("small"))
}

/// `a` - 12 Mbit/s, 5 ms - `router` - 1 Mbit/s, 20 ms - `b`.
fn chain() -> Guts {
    let fast = link("a", "router", 12_000_000, 0.005);
    build(&[fast, link("router", "b", 1_000_000, 0.020)]).expect("good links")
}

fn start(network: &mut Guts, from: NodeId, to: NodeId) -> Transfer {
    let predicted = network.predict(from, to, SIZE);
    let transfer = network.start(from, to, SIZE, Time(Ticks(7))).expect("a route");
    assert_eq!(predicted.map(|ticks| Time(Ticks(7)) + ticks), Some(transfer.ends()));
    transfer
}

fn ticks(transfer: &Transfer) -> Ticks {
    transfer.ends().since(Time(Ticks(7)))
}

/// Number of transfers and reserved megabits per second of each link.
fn state(network: &Guts) -> Vec<(u32, f64)> {
    network.links().map(|link| (link.transfers, link.reserved.bits() / 1e6)).collect()
}

#[test]
fn an_idle_link_gives_everything() {
    let transfer = start(&mut chain(), A, ROUTER);
    // 3 · 5 ms + 12 Mbit / 12 Mbit/s
    assert_eq!(ticks(&transfer), SECOND + 15 * MS);
}

#[test]
fn later_transfers_get_a_share_and_queue() {
    let mut network = chain();
    let _first = start(&mut network, A, ROUTER);
    // B = 12/2 = 6 Mbit/s, q = 12 kbit / B · 0.5 = 1 ms
    let second = start(&mut network, A, ROUTER);
    assert_eq!(ticks(&second), 2 * SECOND + 3 * (5 + 1) * MS);
    // B = 12/3 = 4 Mbit/s, q = 12 kbit / B · 1.5 = 4.5 ms; the other direction uses the same cable
    let third = start(&mut network, ROUTER, A);
    assert_eq!(ticks(&third), 3 * SECOND + 3 * (5 * MS + Ticks(4_500_000)));
    assert_eq!(state(&network), [(3, 22.0), (0, 0.0)]);
}

#[test]
fn what_ends_is_given_back() {
    let mut network = chain();
    let [first, second, third] = [(); 3].map(|()| start(&mut network, A, ROUTER));
    network.finish(first);
    assert_eq!(state(&network)[0], (2, 10.0));
    network.finish(second);
    // B = max(12 - 4, 12/2) = 8 Mbit/s, q = 12 kbit / B · 0.5 = 0.75 ms
    let fourth = start(&mut network, A, ROUTER);
    assert_eq!(ticks(&fourth), 1500 * MS + 3 * (5 * MS + Ticks(750_000)));
    network.finish(third);
    network.finish(fourth);
    assert_eq!(state(&network), [(0, 0.0), (0, 0.0)]);
}

#[test]
fn the_bottleneck_decides_on_every_link() {
    let mut network = chain();
    let through = start(&mut network, B, A);
    assert_eq!(ticks(&through), 12 * SECOND + 3 * 25 * MS);
    assert_eq!(state(&network), [(1, 1.0), (1, 1.0)]);
    // B = max(12 - 1, 12/2) = 11 Mbit/s: 12/11 s + 3 · (5 ms + 6 kbit / B) = 1107545454.5…
    assert_eq!(ticks(&start(&mut network, A, ROUTER)), Ticks(1_107_545_455));
}

#[test]
fn queues_add_up_along_the_way() {
    let mut network = chain();
    let _first = start(&mut network, A, ROUTER);
    // One link is busy: B = min(6, 1) Mbit/s, q = 12 kbit / 6 Mbit/s · 0.5 = 1 ms
    let through = start(&mut network, A, B);
    assert_eq!(ticks(&through), 12 * SECOND + 3 * (25 + 1) * MS);
    // Both are busy: B = min(4, 0.5) Mbit/s, q = 12 kbit / 4 Mbit/s · 1.5 + 12 kbit / 0.5 Mbit/s
    // · 0.5
    let through = start(&mut network, A, B);
    assert_eq!(ticks(&through), 24 * SECOND + 3 * (25 * MS + Ticks(4_500_000) + 12 * MS));
    assert_eq!(state(&network), [(3, 13.5), (2, 1.5)]);
}

#[test]
fn larger_packets_queue_longer() {
    let mut jumbo = link("a", "router", 12_000_000, 0.0);
    jumbo.mtu = 9000;
    let mut network = build(&[jumbo]).expect("a good link");
    let first = start(&mut network, A, ROUTER);
    assert_eq!(ticks(&first), SECOND);
    // 72 kbit / 6 Mbit/s · 0.5 = 6 ms
    assert_eq!(ticks(&start(&mut network, A, ROUTER)), 2 * SECOND + 18 * MS);
}

#[test]
fn a_node_has_its_own_data_at_once() {
    let mut network = chain();
    let local = start(&mut network, A, A);
    assert_eq!((ticks(&local), local.bandwidth()), (Ticks(0), Bandwidth::UNLIMITED));
    assert_eq!(state(&network), [(0, 0.0), (0, 0.0)]);
    network.finish(local);
}

#[test]
fn shares_are_rounded_down_and_never_nothing() {
    let mut network = build(&[link("a", "b", 1, 0.0)]).expect("a good link");
    let transfers: Vec<_> = (0..1002).map(|_| start(&mut network, A, B)).collect();
    let share = |n: usize| transfers[n].bandwidth().bits();
    assert_eq!([share(0), share(2), share(999), share(1001)], [1.0, 0.333, 0.001, 0.001]);
    transfers.into_iter().for_each(|transfer| network.finish(transfer));
    assert_eq!(state(&network), [(0, 0.0)]);
}

#[test]
fn the_best_source_is_the_one_with_most_bandwidth_left() {
    let mut network = chain();
    assert!(network.bandwidth(A, ROUTER) > network.bandwidth(B, ROUTER));
    let crowd: Vec<_> = (0..12).map(|_| start(&mut network, A, ROUTER)).collect();
    assert!(network.bandwidth(A, ROUTER) < network.bandwidth(B, ROUTER));
    assert_eq!(crowd.len(), 12);
}

#[test]
fn there_is_no_way_to_some_nodes() {
    let mut network = chain();
    assert_eq!(network.node("alone"), Some(ALONE));
    assert_eq!(network.node("nobody"), None);
    for to in [ALONE, NodeId(4)] {
        assert_eq!(network.predict(A, to, SIZE), None);
        assert_eq!(network.bandwidth(to, A), None);
        assert_eq!(network.start(A, to, SIZE, Time::ZERO), Err(NoRoute { from: A, to }));
    }
}

#[test]
fn beyond_the_clock_is_never() {
    let mut network = build(&[link("a", "b", 1, 1.0)]).expect("a good link");
    let transfer = network.start(A, B, Bytes(u64::MAX), Time(Ticks(7))).expect("a route");
    assert_eq!(transfer.ends(), Time::NEVER);
}

#[test]
fn bad_links_are_told_in_one_line() {
    let good = || link("a", "b", 1000, 0.0);
    let error = |links: &[LinkSpec]| build(links).expect_err("a bad link").to_string();
    let cases = [
        (error(&[link("a", "c", 1, 0.0)]), "link 'a' - 'c': no node is called 'c'"),
        (error(&[link("b", "b", 1, 0.0)]), "link 'b' - 'b' connects a node with itself"),
        (error(&[good(), link("b", "a", 1, 0.0)]), "link 'b' - 'a' is listed twice"),
        (
            error(&[link("a", "b", 0, 0.0)]),
            "link 'a' - 'b': bandwidth is 0, must be from 1 to 100000000000000 bits per second",
        ),
        (
            error(&[link("a", "b", 1, -0.5)]),
            "link 'a' - 'b': latency is -0.5, not a number of seconds from 0 to the largest \
             simulated time",
        ),
        (
            error(&[LinkSpec { mtu: 0, ..good() }]),
            "link 'a' - 'b': mtu is 0, must be at least 1 byte",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let twice = Guts::new(&["x".to_owned(), "x".to_owned()], &[], Scale::default());
    assert_eq!(twice.expect_err("one name").to_string(), "two nodes are called 'x'");
}

/// Half of the bandwidth is left: 6 of 12 Mbit/s for one transfer, 3 for the next. A higher load
/// leaves nothing unreserved, so the third gets a fair share of what is left.
#[test]
fn others_use_a_share_of_the_bandwidth() {
    let mut network = chain();
    network.set_load(0, 50);
    let first = start(&mut network, A, ROUTER);
    assert_eq!(ticks(&first), 2 * SECOND + 15 * MS);
    // q = 12 kbit / 3 Mbit/s · 0.5 = 2 ms
    assert_eq!(ticks(&start(&mut network, A, ROUTER)), 4 * SECOND + 3 * (5 + 2) * MS);
    network.set_load(0, 75);
    // B = max(3 - 9, 3/3) = 1 Mbit/s, q = 12 kbit / B · 1.5 = 18 ms
    assert_eq!(ticks(&start(&mut network, A, ROUTER)), 12 * SECOND + 3 * (5 + 18) * MS);
    // A transfer keeps what it has.
    assert_eq!(first.bandwidth().bits(), 6e6);
}

/// 100 % counts as 99 %: a hundredth of the bandwidth.
#[test]
fn a_full_link_still_carries_something() {
    let mut network = chain();
    network.set_load(0, 100);
    assert_eq!(ticks(&start(&mut network, A, ROUTER)), 100 * SECOND + 15 * MS);
}

/// A channel behaves as a network of its own with the bandwidth of the channel on each link, and
/// the other transfers as one with what is left, at least a hundredth.
#[test]
fn a_channel_is_a_network_of_its_own() {
    let of = |bandwidth: [u64; 2]| {
        let [first, second] = bandwidth;
        let links = [link("a", "router", first, 0.005), link("router", "b", second, 0.020)];
        build(&links).expect("good links")
    };
    let (mut whole, mut inside, mut outside) =
        (chain(), of([600_000, 600_000]), of([11_400_000, 400_000]));
    let way = whole.way(A, B).expect("a route");
    let most = way.iter().map(|&(_, most)| most.bits()).collect::<Vec<_>>();
    assert_eq!(most, [990_000.0, 11_880_000.0], "99 % from the higher-numbered end");
    let way: Vec<u32> = way.into_iter().map(|(link, _)| link).collect();
    let (channel, now) = (ChannelId(4), Time(Ticks(7)));
    assert_eq!(whole.offer_on(channel, [A, B], SIZE), None, "it is not open");
    whole.open_channel(channel, &way, Bandwidth::of(600_000).expect("good"));
    assert_eq!(whole.offer_on(channel, [A, ROUTER], SIZE), None, "it ends elsewhere");
    let (mut reserved, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let transfer = whole.start_on(channel, [B, A], SIZE, now).expect("it is open");
        let twin = start(&mut inside, B, A);
        assert_eq!((transfer.ends(), transfer.bandwidth()), (twin.ends(), twin.bandwidth()));
        reserved.push(transfer);
        let (transfer, twin) = (start(&mut whole, A, B), start(&mut outside, A, B));
        assert_eq!((transfer.ends(), transfer.bandwidth()), (twin.ends(), twin.bandwidth()));
        alone.push(transfer);
    }
    whole.close_channel(channel);
    assert_eq!(whole.offer_on(channel, [A, B], SIZE), None, "it is closed");
    reserved.into_iter().chain(alone).for_each(|transfer| whole.finish(transfer));
    assert_eq!(whole.predict(A, B, SIZE), chain().predict(A, B, SIZE));
    assert!(whole.channels.is_empty());
}

#[test]
fn others_keep_a_hundredth_of_a_link() {
    let mut network = chain();
    let way: Vec<u32> = network.way(A, B).expect("a route").iter().map(|&(link, _)| link).collect();
    network.open_channel(ChannelId(0), &way, Bandwidth::of(990_000).expect("good"));
    assert_eq!(network.bandwidth(A, B).map(Bandwidth::bits), Some(10_000.0));
    network.set_load(1, 50);
    assert_eq!(network.bandwidth(A, B).map(Bandwidth::bits), Some(10_000.0));
}

//! No network: transfers take no time.

use super::{Bandwidth, Bytes, Network, NodeId};
use gridsat_model::Ticks;

/// Connects any two nodes with unlimited bandwidth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoNetwork;

impl Network for NoNetwork {
    fn offer(&self, _: NodeId, _: NodeId, _: Bytes) -> Option<(Bandwidth, Ticks)> {
        Some((Bandwidth::UNLIMITED, Ticks(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_engine::time::Time;

    #[test]
    fn takes_no_time() {
        let started = NoNetwork.start(NodeId(3), NodeId(9), Bytes(u64::MAX), Time(Ticks(7)));
        let transfer = started.expect("always a route");
        assert_eq!((transfer.ends(), transfer.bandwidth()), (Time(Ticks(7)), Bandwidth::UNLIMITED));
        NoNetwork.finish(transfer);
    }
}

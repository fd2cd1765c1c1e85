//! Lowers the upper bound by packing hosts that are equal or differ in speed ([`crate::alike`]).

use super::{News, Origin, View, Worker};
use crate::alike::{Alike, Packer};
use gridsat_model::{Instance, Stop};

/// Words of sums and attempts per turn.
const WORK: u64 = 20_000_000;
const ATTEMPTS: usize = 50;

/// Attempts at the lower bound.
pub(super) struct HostPacker<'a> {
    instance: &'a Instance,
    packer: Packer,
}

impl<'a> HostPacker<'a> {
    /// `None` if the hosts are not alike.
    pub fn new(instance: &'a Instance, seed: u64) -> Option<Self> {
        let packer = Packer::new(Alike::of(instance)?, seed.wrapping_add(1));
        Some(Self { instance, packer })
    }
}

impl Worker for HostPacker<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        if !self.packer.can_pack(view.lower) {
            return None;
        }
        let most = self.packer.work() + WORK;
        for _ in 0..ATTEMPTS {
            if self.packer.work() >= most || stop.is_due() {
                return None;
            }
            let packed = self.packer.attempt(self.instance, view.lower, stop);
            if let Some(mapping) = packed {
                return Some(News::Mapping(mapping, Origin::Packing));
            }
        }
        let levelled = self.packer.level(self.instance, &view.mapping, view.lower, stop)?;
        let is_better = levelled.makespan() < view.upper();
        is_better.then_some(News::Mapping(levelled, Origin::Packing))
    }
}

//! Shortest and longest time, and lowest and highest cost of an application, to which the D- and
//! B-factors are relative.
//!
//! ```text
//! deadline = T_min + D · (T_max − T_min)      budget = C_min + B · (C_max − C_min)
//! ```
//!
//! GridSim calls them relaxation parameters. All four values are those of an idle grid at full
//! speed, with every PE as fast as the fastest of its resource:
//!
//! - `T_min`: all jobs in parallel; in order, each goes where it completes first.
//! - `T_max`: all jobs one after the other, each where it takes longest.
//! - `C_min`, `C_max`: each job where it is cheapest, or most expensive; waiting costs nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Money;
use crate::grid::{Grid, ResourceSpec};
use crate::resource::{charged, time_at_full_speed};
use gridsat_model::{Scale, Ticks};
use gridsat_workload::JobSpec;

/// The four extremes of one application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extremes {
    /// `T_min`, in ticks.
    pub fastest: Ticks,
    /// `T_max`, in ticks.
    pub slowest: Ticks,
    /// `C_min`.
    pub cheapest: Money,
    /// `C_max`.
    pub dearest: Money,
}

/// When the PEs of a resource are free; idle ones are only counted.
struct FreeTimes<'a> {
    spec: &'a ResourceSpec,
    index: u32,
    idle: u32,
    busy: BinaryHeap<Reverse<Ticks>>,
}

impl FreeTimes<'_> {
    /// When this many PEs are free, at most all of them.
    fn free(&self, pes: u32) -> Ticks {
        match pes.saturating_sub(self.idle) {
            0 => Ticks(0),
            1 => self.busy.peek().map_or(Ticks(0), |free| free.0),
            more => {
                let mut ends: Vec<Ticks> = self.busy.iter().map(|end| end.0).collect();
                ends.sort_unstable();
                ends[more as usize - 1]
            }
        }
    }

    fn run_until(&mut self, end: Ticks, pes: u32) {
        for _ in 0..pes {
            if self.idle > 0 {
                self.idle -= 1;
            } else {
                self.busy.pop();
            }
        }
        self.busy.extend((0..pes).map(|_| Reverse(end)));
    }
}

impl Extremes {
    /// The extremes of these jobs on the usable resources of the grid.
    pub fn of(jobs: &[JobSpec], grid: &Grid, is_usable: &[bool], scale: Scale) -> Self {
        let usable = (0..).zip(&grid.resources).zip(is_usable).filter(|(_, is_usable)| **is_usable);
        let idle = usable.map(|((index, spec), _)| FreeTimes {
            spec,
            index,
            idle: spec.pes.count(),
            busy: BinaryHeap::new(),
        });
        let mut pes: Vec<FreeTimes<'_>> = idle.collect();
        let mut extremes = Self::default();
        jobs.iter().for_each(|job| extremes.add(job, &mut pes, scale));
        extremes
    }

    fn add(&mut self, job: &JobSpec, pes: &mut [FreeTimes<'_>], scale: Scale) {
        let time = |pes: &FreeTimes<'_>| time_at_full_speed(pes.spec, pes.index, job, scale);
        let times = pes.iter().map(time).enumerate();
        let times: Vec<(usize, Ticks)> = times.filter_map(|(at, t)| Some((at, t?))).collect();
        let costs = times.iter().map(|&(at, time)| {
            let spec = pes[at].spec;
            spec.price.times(charged(spec, job, time, scale), scale)
        });
        self.cheapest += costs.clone().min().unwrap_or_default();
        self.dearest += costs.max().unwrap_or_default();
        let width = job.demand.pes();
        // With the time at the I/O device before the PEs.
        let whole = |at: usize, time: Ticks| {
            let charged = charged(pes[at].spec, job, time, scale);
            time.saturating_add(Ticks(
                charged.0.saturating_sub(time.0.saturating_mul(width.into())),
            ))
        };
        let longest = times.iter().map(|&(at, time)| whole(at, time)).max().unwrap_or(Ticks(0));
        self.slowest = self.slowest.saturating_add(longest);
        let ends = times
            .iter()
            .map(|&(at, time)| (pes[at].free(width).saturating_add(whole(at, time)), at));
        if let Some((end, at)) = ends.min() {
            pes[at].run_until(end, width);
            self.fastest = self.fastest.max(end);
        }
    }

    /// The deadline for a D-factor, in ticks after the arrival.
    pub fn deadline(&self, factor: f64) -> Ticks {
        let span = self.slowest.saturating_sub(self.fastest).as_f64();
        // The conversion to integers saturates.
        self.fastest.saturating_add(Ticks::truncated((factor * span).round()))
    }

    /// The budget for a B-factor.
    pub fn budget(&self, factor: f64) -> Money {
        let span = self.dearest.less(self.cheapest).0 as f64;
        self.cheapest + Money((factor * span).round() as u128)
    }
}

//! Duplex: runs Min-Min and Max-Min and keeps the better mapping, Min-Min's if both are equal.

use super::{Heuristic, MaxMin, MinMin};
use crate::model::{Instance, Mapping};

/// Duplex.
pub struct Duplex;

impl Heuristic for Duplex {
    fn name(&self) -> &'static str {
        "duplex"
    }

    fn title(&self) -> &'static str {
        "Duplex"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        let (min_min, max_min) = (MinMin.map(instance), MaxMin.map(instance));
        if max_min.makespan() < min_min.makespan() { max_min } else { min_min }
    }
}

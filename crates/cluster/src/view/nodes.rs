//! Node numbers. The simulator only counts the nodes of a group, but a picture must know which
//! ones. A job gets the free nodes with the lowest numbers, so that the same run always gives the
//! same picture. Time and memory depend on the number of intervals of free nodes, not on the number
//! of nodes.

use std::collections::BTreeMap;

/// Nodes with consecutive numbers, counted across all clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub first: u64,
    pub nodes: u64,
}

/// The free nodes of a group.
#[derive(Debug)]
pub struct Free {
    /// Length of each interval by its first node; intervals do not touch.
    stretches: BTreeMap<u64, u64>,
}

impl Free {
    /// A group whose nodes are all free.
    pub fn new(first: u64, nodes: u64) -> Self {
        Self { stretches: (nodes > 0).then_some((first, nodes)).into_iter().collect() }
    }

    /// Takes the lowest free nodes: this many, or all if there are fewer.
    pub fn take(&mut self, mut nodes: u64, spans: &mut Vec<Span>) {
        while nodes > 0
            && let Some((first, length)) = self.stretches.pop_first()
        {
            let taken = length.min(nodes);
            if taken < length {
                self.stretches.insert(first + taken, length - taken);
            }
            spans.push(Span { first, nodes: taken });
            nodes -= taken;
        }
    }

    /// Marks nodes as free.
    pub fn give(&mut self, span: Span) {
        let Span { mut first, mut nodes } = span;
        if let Some(after) = self.stretches.remove(&(first + nodes)) {
            nodes += after;
        }
        let below =
            self.stretches.range(..first).next_back().map(|(&first, &nodes)| (first, nodes));
        if let Some((start, length)) = below.filter(|(start, length)| start + length == first) {
            first = start;
            nodes += length;
        }
        self.stretches.insert(first, nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(free: &mut Free, nodes: u64) -> Vec<(u64, u64)> {
        let mut spans = Vec::new();
        free.take(nodes, &mut spans);
        spans.iter().map(|span| (span.first, span.nodes)).collect()
    }

    #[test]
    fn the_lowest_first_and_stretches_grow_together() {
        let mut free = Free::new(10, 8);
        assert_eq!(take(&mut free, 3), [(10, 3)]);
        assert_eq!(take(&mut free, 2), [(13, 2)]);
        free.give(Span { first: 10, nodes: 3 });
        assert_eq!(take(&mut free, 5), [(10, 3), (15, 2)]);
        for (first, nodes) in [(15, 2), (10, 3), (13, 2)] {
            free.give(Span { first, nodes });
        }
        assert_eq!(take(&mut free, 8), [(10, 8)]);
    }

    #[test]
    fn no_more_than_there_are() {
        let mut free = Free::new(0, 2);
        assert_eq!(take(&mut free, 5), [(0, 2)]);
        assert_eq!(take(&mut free, 1), []);
        assert_eq!(take(&mut Free::new(3, 0), 1), []);
    }
}

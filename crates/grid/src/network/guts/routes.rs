//! Shortest paths, computed once (thesis, figure 3.15).
//!
//! The thesis does not define the weight of a link. Our choice is the propagation delay, the only
//! property that is additive along a path and never changes. Among paths of the same delay the one
//! with the fewest links is chosen, and among those every node is reached from the neighbour with
//! the lowest number. So a route depends only on the graph.
//!
//! Links and routes are symmetric: a route is computed from the lower-numbered of its ends. A tree
//! of shortest paths is kept for every node that was the lower end of a route, with four bytes per
//! node.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use super::super::NodeId;
use super::super::units::Span;

gridsat_engine::id! {
    /// Identifies a link, numbered from 0 in the order of the description.
    LinkId
}

/// For each node its last link on the path from the root; [`NO_LINK`] for the root and for
/// unreachable nodes.
type Tree = Box<[LinkId]>;

const NO_LINK: LinkId = LinkId(u32::MAX);

/// A graph and the trees computed so far.
#[derive(Clone, Debug)]
pub(super) struct Routes {
    ends: Vec<[NodeId; 2]>,
    neighbours: Vec<Vec<Edge>>,
    trees: Vec<OnceLock<Tree>>,
    /// Links that have failed, in no particular order.
    down: Vec<LinkId>,
}

/// A link as seen from one of its ends.
#[derive(Clone, Debug)]
struct Edge {
    to: NodeId,
    link: LinkId,
    delay: Span,
}

/// Cost of a path to a node, smaller is better, and the previous node.
type Label = (Span, u32, NodeId);

impl Routes {
    pub fn new(nodes: usize) -> Self {
        let trees = (0..nodes).map(|_| OnceLock::new()).collect();
        Self { ends: Vec::new(), neighbours: vec![Vec::new(); nodes], trees, down: Vec::new() }
    }

    /// Adds a link, which gets the next number. Must be called before any route is requested.
    pub fn connect(&mut self, [a, b]: [NodeId; 2], delay: Span) {
        let link = LinkId(u32::try_from(self.ends.len()).expect("fewer links than link numbers"));
        self.ends.push([a, b]);
        self.neighbours[a.index()].push(Edge { to: b, link, delay });
        self.neighbours[b.index()].push(Edge { to: a, link, delay });
    }

    /// A link fails or is back; all routes are found again when they are needed.
    pub fn set_up(&mut self, link: LinkId, is_up: bool) {
        self.down.retain(|&other| other != link);
        if !is_up {
            self.down.push(link);
        }
        self.trees.iter_mut().for_each(|tree| *tree = OnceLock::new());
    }

    pub fn ends(&self, link: LinkId) -> [NodeId; 2] {
        self.ends[link.index()]
    }

    /// The links between two nodes, none if they are the same; `None` without a route.
    pub fn between(&self, from: NodeId, to: NodeId) -> Option<Route<'_>> {
        let (root, far) = (from.min(to), from.max(to));
        let tree = self.trees.get(root.index())?.get_or_init(|| self.tree(root));
        let is_reached = *tree.get(far.index())? != NO_LINK || far == root;
        is_reached.then_some(Route { ends: &self.ends, tree, at: far })
    }

    /// Dijkstra's algorithm. Labels increase along every path, so all neighbours that a node may be
    /// reached from are settled before it.
    fn tree(&self, root: NodeId) -> Tree {
        let mut tree = vec![NO_LINK; self.neighbours.len()];
        let mut best: Vec<Option<Label>> = vec![None; self.neighbours.len()];
        best[root.index()] = Some((Span::ZERO, 0, root));
        let mut unsettled = BinaryHeap::from([Reverse((Span::ZERO, 0, root))]);
        while let Some(Reverse((delay, hops, node))) = unsettled.pop() {
            let is_current = |label: Label| (label.0, label.1) == (delay, hops);
            if !best[node.index()].is_some_and(is_current) {
                continue;
            }
            let is_up = |edge: &&Edge| !self.down.contains(&edge.link);
            for edge in self.neighbours[node.index()].iter().filter(is_up) {
                let label = (delay + edge.delay, hops + 1, node);
                let known = &mut best[edge.to.index()];
                if known.is_none_or(|known| label < known) {
                    *known = Some(label);
                    tree[edge.to.index()] = edge.link;
                    unsettled.push(Reverse((label.0, label.1, edge.to)));
                }
            }
        }
        tree.into()
    }
}

/// The links of a route, from its higher-numbered end.
pub(super) struct Route<'a> {
    ends: &'a [[NodeId; 2]],
    tree: &'a Tree,
    at: NodeId,
}

impl Iterator for Route<'_> {
    type Item = LinkId;

    fn next(&mut self) -> Option<LinkId> {
        let link = Some(self.tree[self.at.index()]).filter(|&link| link != NO_LINK)?;
        let [a, b] = self.ends[link.index()];
        self.at = if self.at == a { b } else { a };
        Some(link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Scale;

    /// Links given as (end, end, delay in seconds).
    fn routes(nodes: usize, links: &[(u32, u32, f64)]) -> Routes {
        let mut routes = Routes::new(nodes);
        let second = Span::second(Scale::default());
        for &(a, b, delay) in links {
            let delay = Span::of_seconds(delay, second).expect("a delay");
            routes.connect([NodeId(a), NodeId(b)], delay);
        }
        routes
    }

    fn route(routes: &Routes, from: u32, to: u32) -> Option<Vec<u32>> {
        Some(routes.between(NodeId(from), NodeId(to))?.map(|link| link.0).collect())
    }

    #[test]
    fn least_delay_comes_before_fewest_links() {
        let square = routes(4, &[(0, 3, 5.0), (0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)]);
        assert_eq!(route(&square, 0, 3), Some(vec![3, 2, 1]));
        assert_eq!(route(&square, 3, 0), Some(vec![3, 2, 1]));
    }

    #[test]
    fn fewest_links_decide_among_equal_delays() {
        let square = routes(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (0, 3, 3.0)]);
        assert_eq!(route(&square, 0, 3), Some(vec![3]));
    }

    #[test]
    fn lowest_neighbour_decides_among_equal_paths() {
        let square = routes(4, &[(2, 3, 1.0), (1, 3, 1.0), (0, 2, 1.0), (0, 1, 1.0)]);
        assert_eq!(route(&square, 0, 3), Some(vec![1, 3]));
        let level = routes(4, &[(2, 3, 0.0), (1, 3, 0.0), (0, 2, 0.0), (0, 1, 0.0)]);
        assert_eq!(route(&level, 0, 3), Some(vec![1, 3]));
    }

    #[test]
    fn routes_avoid_links_that_failed() {
        let mut square = routes(4, &[(0, 3, 5.0), (0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)]);
        assert_eq!(route(&square, 0, 3), Some(vec![3, 2, 1]));
        square.set_up(LinkId(2), false);
        assert_eq!(route(&square, 0, 3), Some(vec![0]));
        square.set_up(LinkId(0), false);
        assert_eq!(route(&square, 0, 3), None);
        square.set_up(LinkId(2), true);
        assert_eq!(route(&square, 0, 3), Some(vec![3, 2, 1]));
    }

    #[test]
    fn some_nodes_cannot_be_reached() {
        let two = routes(3, &[(0, 1, 1.0)]);
        assert_eq!(route(&two, 0, 2), None);
        assert_eq!(route(&two, 2, 2), Some(vec![]));
        assert_eq!(route(&two, 0, 3), None);
        assert_eq!(route(&two, 3, 3), None);
    }
}

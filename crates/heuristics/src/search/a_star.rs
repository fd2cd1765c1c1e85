//! A* with a bounded number of open nodes (Braun et al. 2001).
//!
//! A node maps the first tasks of a fixed order. Its cost is a lower bound on every mapping below
//! it, the largest of
//!
//! - its makespan so far,
//! - for each task left, its earliest completion on top of the loads so far,
//! - `ceil((Σ_h load_h + Σ_t min_h time(t,h)) / m)` over the tasks t left: the mean load at the
//!   end.
//!
//! The open node of least cost, of equal ones the deepest, is replaced by its children, one for
//! each host of the next task. When there are too many open nodes, those of largest cost are
//! dropped. The first complete mapping taken from the list is the result; without a limit on open
//! nodes it is optimal.
//!
//! The bounds are those of Braun et al., written as g + h. Three things are our choice: long tasks
//! (by their shortest time) come first; every few expansions a node is completed greedily, so that
//! there is a result before the end; and nodes that cannot beat the best mapping, at first that of
//! Min-Min, are dropped. An expansion costs O(n·m).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::multi_start::insert;
use super::{Run, Search};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// One node per this many expansions is completed greedily, which costs about as much as one
/// expansion.
const EXPANSIONS_PER_DIVE: u64 = 16;

/// The A* search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AStar {
    /// Most open nodes; `None` for no limit, and then the result is optimal unless cut short.
    pub open: Option<usize>,
}

impl AStar {
    /// 1024 open nodes, as in Braun et al. 2001.
    pub const BRAUN: Self = Self { open: Some(1024) };
}

impl Search for AStar {
    fn search(&self, run: &mut Run) {
        let tree = Tree::new(run.instance());
        let mut open = BTreeMap::new();
        let (mut made, mut expanded) = (0_u64, 0_u64);
        open.insert((Ticks::ZERO, Reverse(0), made), tree.root());
        while let Some((_, node)) = open.pop_first() {
            if node.hosts.len() == tree.order.len() {
                run.offer_mapping(&tree.dive(&node));
                return;
            }
            expanded += 1;
            if expanded % EXPANSIONS_PER_DIVE == 0 {
                if !run.may_evaluate(tree.order.len() * node.loads.len()) {
                    return;
                }
                run.offer_mapping(&tree.dive(&node));
            }
            let Some(children) = tree.expand(&node, run) else { return };
            for (cost, child) in children {
                made += 1;
                open.insert((cost, Reverse(child.hosts.len()), made), child);
            }
            while self.open.is_some_and(|most| open.len() > most.max(1)) {
                open.pop_last();
            }
        }
    }
}

/// A partial mapping: the hosts of the first tasks of the order.
struct Node {
    hosts: Vec<HostId>,
    loads: Vec<Ticks>,
}

struct Tree<'a> {
    instance: &'a Instance,
    order: Vec<TaskId>,
    /// Sum of the shortest times of the tasks from each position of the order on.
    rest: Vec<Ticks>,
}

/// A task left: its earliest completion and the host, and the earliest completion elsewhere.
struct Left {
    task: TaskId,
    best: (Ticks, HostId),
    second: Ticks,
}

impl<'a> Tree<'a> {
    fn new(instance: &'a Instance) -> Self {
        let mut order: Vec<TaskId> = instance.tasks().collect();
        order.sort_by_cached_key(|&task| Reverse(instance.shortest(task)));
        let mut rest = vec![Ticks::ZERO; order.len() + 1];
        for (place, &task) in order.iter().enumerate().rev() {
            rest[place] = rest[place + 1] + instance.shortest(task);
        }
        Self { instance, order, rest }
    }

    fn root(&self) -> Node {
        let loads = self.instance.hosts().map(|host| self.instance.ready(host)).collect();
        Node { hosts: Vec::new(), loads }
    }

    /// The children that may lead to a mapping better than the best, with their costs; `None` if
    /// the budget is used up.
    fn expand(&self, node: &Node, run: &mut Run) -> Option<Vec<(Ticks, Node)>> {
        let depth = node.hosts.len();
        let left: Vec<Left> =
            self.order[depth + 1..].iter().map(|&task| self.left(task, &node.loads)).collect();
        let mut children = Vec::new();
        for (host, time) in self.instance.times(self.order[depth]) {
            if !run.may_evaluate(left.len() + node.loads.len()) {
                return None;
            }
            let mut loads = node.loads.clone();
            loads[host.index()] += time;
            let cost = self.cost(&loads, host, &left, self.rest[depth + 1]);
            if cost < run.makespan() {
                let mut hosts = Vec::with_capacity(depth + 1);
                hosts.extend_from_slice(&node.hosts);
                hosts.push(host);
                children.push((cost, Node { hosts, loads }));
            }
        }
        Some(children)
    }

    fn left(&self, task: TaskId, loads: &[Ticks]) -> Left {
        let mut left = Left { task, best: (Ticks::MAX, HostId(0)), second: Ticks::MAX };
        for (host, time) in self.instance.times(task) {
            let end = loads[host.index()] + time;
            if end < left.best.0 {
                left.second = left.best.0;
                left.best = (end, host);
            } else {
                left.second = left.second.min(end);
            }
        }
        left
    }

    /// The lower bound with these loads; only the load of `host` has changed since `left` was
    /// computed.
    fn cost(&self, loads: &[Ticks], host: HostId, left: &[Left], rest: Ticks) -> Ticks {
        let makespan = loads.iter().copied().max().unwrap_or(Ticks(0));
        let completion = |left: &Left| match self.instance.time(left.task, host) {
            Some(time) if left.best.1 == host => left.second.min(loads[host.index()] + time),
            _ => left.best.0,
        };
        let latest = left.iter().map(completion).max().unwrap_or(Ticks(0));
        let sum: u128 = loads.iter().map(|&load| u128::from(load)).sum();
        let mean = (sum + u128::from(rest)).div_ceil(loads.len() as u128);
        let mean = Ticks::try_from(mean).expect("at most the largest possible load");
        makespan.max(latest).max(mean)
    }

    /// Completes the node's mapping: each task left goes where it is completed first.
    fn dive(&self, node: &Node) -> Mapping {
        let mut hosts = vec![HostId(0); self.order.len()];
        for (task, &host) in self.order.iter().zip(&node.hosts) {
            hosts[task.index()] = host;
        }
        let left = &self.order[node.hosts.len()..];
        insert(self.instance, left, &mut hosts, &mut node.loads.clone());
        Mapping::new(self.instance, hosts).expect("possible pairs")
    }
}

//! Which nodes a job gets, and how fast it runs there.
//!
//! A *cell* is a group of equal nodes; a placement is a number of nodes from each of some cells.
//! Every search finds a placement if there is one, and if it finds none among some free nodes, it
//! finds none among fewer. Policies rely on both.

use std::ops::Range;

use crate::grid::{ClusterId, ClusterSpec, NodeShare, Penalty};
use crate::job::{ParallelJob, Request};
use crate::speed::{Done, Pace, Ratio, Speed};
use gridsat_model::Ticks;

/// Order in which clusters are searched for nodes. Within a cluster it is the order of its groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeChoice {
    /// In the order of the scheduler's list.
    #[default]
    FirstFit,
    /// The home cluster first, then by distance from it in that list; of two equally distant ones
    /// the earlier.
    NearestFit,
}

/// Nodes of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub cell: u32,
    pub nodes: u32,
}

struct Cell {
    cluster: u32,
    group: u32,
    speed: Speed,
}

/// The clusters of one scheduler, and the order in which they are searched.
pub struct Places {
    cells: Vec<Cell>,
    /// The cells of each cluster.
    clusters: Vec<Range<usize>>,
    /// Position of each cluster in the grid.
    ids: Vec<ClusterId>,
    /// The speed of the fastest nodes.
    fastest: Speed,
    /// Index of the network of each cluster.
    networks: Vec<Speed>,
    choice: NodeChoice,
    penalty: Penalty,
}

impl Places {
    pub fn new(
        clusters: &[ClusterSpec],
        ids: Vec<ClusterId>,
        choice: NodeChoice,
        penalty: Penalty,
    ) -> Self {
        let mut cells = Vec::new();
        let mut ranges = Vec::new();
        for (cluster, id) in ids.iter().enumerate() {
            let first = cells.len();
            cells.extend(clusters[id.index()].groups.iter().enumerate().map(|(group, nodes)| {
                Cell { cluster: cluster as u32, group: group as u32, speed: nodes.speed }
            }));
            ranges.push(first..cells.len());
        }
        let fastest = cells.iter().map(|cell: &Cell| cell.speed).max().unwrap_or(Speed::ONE);
        let networks = ids.iter().map(|id| clusters[id.index()].network).collect();
        Self { cells, clusters: ranges, ids, fastest, networks, choice, penalty }
    }

    /// A lower bound on the expected run time of a job, on any nodes.
    #[inline]
    pub fn least_span(&self, job: &ParallelJob, done: Done) -> Ticks {
        let slowdown = match &job.request {
            Request::Moldable(range) => range.slowdown(range.most(), job.rigid.nodes),
            _ => Ratio::ONE,
        };
        Pace { rate: self.fastest, slowdown, penalty: Ticks(0) }.span(job.rigid.estimate, done)
    }

    /// Finds free nodes for a job and stores them in `out`. False if there are not enough.
    #[inline]
    pub fn place(&self, job: &ParallelJob, free: &[u32], out: &mut Vec<Share>) -> bool {
        out.clear();
        if self.is_simple_for(job) {
            let nodes = job.rigid.nodes;
            let fits = nodes <= free[0];
            if fits {
                out.push(Share { cell: 0, nodes });
            }
            return fits;
        }
        self.search(job, free, out)
    }

    /// Whether nodes for a job only have to be counted: all are equal and in one cluster.
    #[inline]
    pub fn is_simple_for(&self, job: &ParallelJob) -> bool {
        self.cells.len() == 1 && matches!(job.request, Request::Total | Request::Single)
    }

    fn search(&self, job: &ParallelJob, free: &[u32], out: &mut Vec<Share>) -> bool {
        let nodes = job.rigid.nodes;
        match &job.request {
            Request::Total => self.spread(job.home, nodes, free, out),
            Request::Single => self.within(job.home, nodes, free, out),
            Request::Ordered(sizes) => self.ordered(sizes, free, out),
            Request::Unordered(components) => {
                components.sizes().iter().all(|&size| self.within(job.home, size, free, out))
            }
            Request::Moldable(range) => self.order(job.home).any(|cluster| {
                let chosen = range.choose(self.free_in(cluster, free));
                chosen.is_some_and(|nodes| self.take(cluster, nodes, free, out) == 0)
            }),
        }
    }

    fn spread(&self, home: ClusterId, nodes: u32, free: &[u32], out: &mut Vec<Share>) -> bool {
        let mut left = nodes;
        for cluster in self.order(home) {
            if left == 0 {
                break;
            }
            left = self.take(cluster, left, free, out);
        }
        left == 0
    }

    /// All nodes from one cluster that is not yet used for the job.
    fn within(&self, home: ClusterId, nodes: u32, free: &[u32], out: &mut Vec<Share>) -> bool {
        let is_used =
            |out: &[Share], cluster: usize| out.iter().any(|share| self.cluster(share) == cluster);
        nodes == 0
            || self.order(home).any(|cluster| {
                !is_used(out, cluster)
                    && self.free_in(cluster, free) >= nodes
                    && self.take(cluster, nodes, free, out) == 0
            })
    }

    fn ordered(&self, sizes: &[u32], free: &[u32], out: &mut Vec<Share>) -> bool {
        sizes.iter().enumerate().filter(|(_, size)| **size > 0).all(|(id, &size)| {
            let cluster = self.ids.iter().position(|other| other.index() == id);
            cluster.is_some_and(|cluster| {
                self.free_in(cluster, free) >= size && self.take(cluster, size, free, out) == 0
            })
        })
    }

    /// Takes up to this many nodes of a cluster; returns how many are missing.
    fn take(&self, cluster: usize, nodes: u32, free: &[u32], out: &mut Vec<Share>) -> u32 {
        let mut left = nodes;
        for cell in self.clusters[cluster].clone() {
            let nodes = left.min(free[cell]);
            if nodes > 0 {
                out.push(Share { cell: cell as u32, nodes });
                left -= nodes;
            }
        }
        left
    }

    fn free_in(&self, cluster: usize, free: &[u32]) -> u32 {
        free[self.clusters[cluster].clone()].iter().sum()
    }

    fn cluster(&self, share: &Share) -> usize {
        self.cells[share.cell as usize].cluster as usize
    }

    /// The cells of a cluster.
    pub fn cells_of(&self, cluster: ClusterId) -> Range<usize> {
        self.clusters[self.position(cluster)].clone()
    }

    /// Position of a cluster in the scheduler's list, which every home is in.
    pub fn position(&self, cluster: ClusterId) -> usize {
        self.ids.iter().position(|&id| id == cluster).unwrap_or(0)
    }

    /// The clusters in search order.
    fn order(&self, home: ClusterId) -> impl Iterator<Item = usize> {
        let count = self.ids.len();
        let home = self.position(home);
        let nearest = self.choice == NodeChoice::NearestFit && count > 1;
        (0..if nearest { 2 * count } else { count }).filter_map(move |turn| match turn {
            _ if !nearest => Some(turn),
            _ if turn % 2 == 1 => home.checked_sub(turn.div_ceil(2)),
            _ => Some(home + turn / 2).filter(|&cluster| cluster < count),
        })
    }

    /// Speed and penalty of a job there: the speed of its slowest node, and the penalty for nodes
    /// that are not local.
    #[inline]
    pub fn pace(&self, job: &ParallelJob, shares: &[Share]) -> Pace {
        if self.is_simple_for(job) { self.equal_pace() } else { self.pace_of(job, shares) }
    }

    /// Speed and penalty of a job if all nodes are equal and in one cluster.
    #[inline]
    pub fn equal_pace(&self) -> Pace {
        Pace { rate: self.fastest, slowdown: Ratio::ONE, penalty: Ticks(0) }
    }

    fn pace_of(&self, job: &ParallelJob, shares: &[Share]) -> Pace {
        let speeds = shares.iter().map(|share| self.cells[share.cell as usize].speed);
        let rate = speeds.min().unwrap_or(Speed::ONE);
        let is_remote = |share: &&Share| self.ids[self.cluster(share)] != job.home;
        let remote = shares.iter().filter(is_remote).map(|share| share.nodes).sum();
        let slowdown = match &job.request {
            Request::Moldable(range) => range.slowdown(nodes(shares), job.rigid.nodes),
            _ => Ratio::ONE,
        };
        let penalty = self.penalty.of(remote).saturating_add(self.migration(job, shares));
        Pace { rate, slowdown, penalty }
    }

    /// Ticks that the migration of a job to these nodes takes; 0 if all are local.
    pub fn migration(&self, job: &ParallelJob, shares: &[Share]) -> Ticks {
        let Some(terms) = &job.terms else { return Ticks(0) };
        let used = shares.iter().map(|share| self.cluster(share));
        let remote = used.filter(|&cluster| self.ids[cluster] != job.home);
        let Some(slowest) = remote.map(|cluster| self.networks[cluster]).min() else {
            return Ticks(0);
        };
        let rate = slowest.min(self.networks[self.position(job.home)]);
        let pace = Pace { rate, slowdown: Ratio::ONE, penalty: Ticks(0) };
        pace.span(terms.migration, Done::NOTHING)
    }

    /// Expected run time of a job there, at least one tick.
    pub fn expected_span(&self, job: &ParallelJob, shares: &[Share], done: Done) -> Ticks {
        self.pace(job, shares).expected_span(job.rigid.estimate, done)
    }

    /// A share in terms of cluster and group.
    pub fn part(&self, share: &Share) -> NodeShare {
        let Cell { cluster, group, .. } = self.cells[share.cell as usize];
        NodeShare { cluster: self.ids[cluster as usize], group, nodes: share.nodes }
    }
}

/// Total number of nodes of all shares.
pub fn nodes(shares: &[Share]) -> u32 {
    shares.iter().map(|share| share.nodes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::NodeGroup;
    use crate::job::Components;
    use crate::speedup::{Moldable, Speedup};
    use gridsat_workload::RigidJob;

    fn places(choice: NodeChoice) -> Places {
        let slow = NodeGroup { speed: Speed::new(0.5).expect("a speed"), nodes: 3 };
        let mut third = ClusterSpec::equal("c", 2);
        third.groups.push(slow);
        let clusters = [ClusterSpec::equal("a", 4), ClusterSpec::equal("b", 6), third];
        let ids = (0..3).map(ClusterId).collect();
        Places::new(&clusters, ids, choice, Penalty { fixed: Ticks(100), per_node: Ticks(10) })
    }

    const FREE: [u32; 4] = [4, 6, 2, 3];

    fn job(nodes: u32, home: u32, request: Request) -> ParallelJob {
        let rigid = RigidJob {
            number: 1,
            submit: Ticks(0),
            nodes,
            run: Ticks(10),
            estimate: Ticks(10),
            priority: 0,
            user: 0,
        };
        ParallelJob { rigid, home: ClusterId(home), request, terms: None }
    }

    /// Nodes of each cell, the rate in millionths and the penalty; `None` if there is no placement.
    fn place(choice: NodeChoice, job: &ParallelJob) -> Option<([u32; 4], u32, Ticks)> {
        let (places, mut out) = (places(choice), Vec::new());
        places.place(job, &FREE, &mut out).then(|| {
            let mut cells = [0; 4];
            out.iter().for_each(|share| cells[share.cell as usize] += share.nodes);
            let pace = places.pace(job, &out);
            let Ratio { over, under } = pace.slowdown;
            let millionths = u64::from(pace.rate.millionths()) * under / over;
            (cells, millionths as u32, pace.penalty)
        })
    }

    #[test]
    fn each_request_by_hand() {
        use NodeChoice::{FirstFit, NearestFit};
        let total = job(9, 1, Request::Total);
        assert_eq!(place(FirstFit, &total), Some(([4, 5, 0, 0], 1_000_000, Ticks(140))));
        assert_eq!(place(NearestFit, &total), Some(([3, 6, 0, 0], 1_000_000, Ticks(130))));
        let far = job(9, 2, Request::Total);
        assert_eq!(place(NearestFit, &far), Some(([0, 4, 2, 3], 500_000, Ticks(140))));
        let single = job(5, 0, Request::Single);
        assert_eq!(place(FirstFit, &single), Some(([0, 5, 0, 0], 1_000_000, Ticks(150))));
        assert_eq!(place(FirstFit, &job(7, 0, Request::Single)), None);
        let ordered = job(6, 0, Request::Ordered([2, 0, 4].into()));
        assert_eq!(place(FirstFit, &ordered), Some(([2, 0, 2, 2], 500_000, Ticks(140))));
        assert_eq!(place(FirstFit, &job(5, 0, Request::Ordered([5].into()))), None);
        let unordered = |sizes: &[u32]| {
            let nodes = sizes.iter().sum();
            job(nodes, 1, Request::Unordered(Components::new(sizes.to_vec())))
        };
        assert_eq!(
            place(FirstFit, &unordered(&[1, 5])),
            Some(([1, 5, 0, 0], 1_000_000, Ticks(110)))
        );
        assert_eq!(
            place(NearestFit, &unordered(&[4, 5, 4])),
            Some(([4, 5, 2, 2], 500_000, Ticks(180)))
        );
        assert_eq!(place(FirstFit, &unordered(&[5, 5, 5])), None);
        assert_eq!(place(FirstFit, &unordered(&[1, 1, 1, 1])), None);
    }

    #[test]
    fn a_moldable_job_takes_what_one_cluster_has() {
        let range = Moldable::new(5, 9, Speedup::Amdahl { serial: 0.0 }).expect("valid");
        let moldable = job(3, 0, Request::Moldable(range.into()));
        assert_eq!(
            place(NodeChoice::FirstFit, &moldable),
            Some(([0, 6, 0, 0], 2_000_000, Ticks(160)))
        );
    }
}

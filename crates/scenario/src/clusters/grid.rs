//! `[[cluster]]`: the clusters that run the jobs.

use super::file;
use crate::error::{At, Fault, ensure, label, positive, quoted};
use gridsat_cluster::{ClusterId, ClusterSpec, NodeGroup, Speed};

/// Larger numbers are rejected as typing errors.
const MAX_CLUSTERS: usize = 10_000;
const MAX_NODES: u64 = u32::MAX as u64;

/// Values of `home` with a special meaning, which no cluster may have as its name.
pub(super) const WORDS: [&str; 3] = ["in-turn", "random", "partition"];

/// All clusters and their total number of nodes.
#[derive(Clone, Debug)]
pub(super) struct Clusters {
    pub specs: Vec<ClusterSpec>,
    pub nodes: u32,
}

impl Clusters {
    pub fn check(given: &[file::Cluster]) -> Result<Self, Fault> {
        ensure(!given.is_empty(), || "there is no [[cluster]]")?;
        let mut specs: Vec<ClusterSpec> = Vec::new();
        for (index, cluster) in given.iter().enumerate() {
            let label = label("cluster", index, cluster.name.as_deref());
            add(cluster, &mut specs).at(label)?;
        }
        let nodes: u64 = specs.iter().map(ClusterSpec::nodes).sum();
        ensure(nodes <= MAX_NODES, || {
            format!("all clusters have {nodes} nodes, at most {MAX_NODES} are possible")
        })?;
        Ok(Self { specs, nodes: nodes as u32 })
    }

    /// Number of nodes of the smallest cluster.
    pub fn least_nodes(&self) -> u32 {
        self.specs.iter().map(ClusterSpec::nodes).min().unwrap_or(0) as u32
    }

    /// The cluster of this name; without a name the only one.
    pub fn chosen(&self, name: Option<&str>) -> Result<ClusterId, Fault> {
        match name {
            Some(name) => self.named(name).at("cluster"),
            None => {
                ensure(self.specs.len() == 1, || "needs cluster: there are several")?;
                Ok(ClusterId(0))
            }
        }
    }

    pub fn named(&self, name: &str) -> Result<ClusterId, Fault> {
        let found = self.specs.iter().position(|cluster| cluster.name == name);
        let missing = || Fault::new(format!("there is no cluster {}", quoted(name)));
        found.map(|at| ClusterId(at as u32)).ok_or_else(missing)
    }
}

fn add(given: &file::Cluster, specs: &mut Vec<ClusterSpec>) -> Result<(), Fault> {
    let count = given.count.unwrap_or(1) as usize;
    positive("count", count as u64)?;
    ensure(specs.len() + count <= MAX_CLUSTERS, || {
        format!("{} clusters, at most {MAX_CLUSTERS} are possible", specs.len() + count)
    })?;
    let groups = groups(given)?;
    let network = rate("network", given.network)?;
    for copy in 0..count {
        let name = match &given.name {
            None => format!("c{}", specs.len()),
            Some(name) if count == 1 => name.clone(),
            Some(name) => format!("{name}-{copy}"),
        };
        ensure(!name.is_empty() && !WORDS.contains(&name.as_str()), || {
            format!("{} is not a valid name", quoted(&name))
        })?;
        ensure(specs.iter().all(|other| other.name != name), || {
            format!("name {} is used twice", quoted(&name))
        })?;
        specs.push(ClusterSpec { name, groups: groups.clone(), network });
    }
    Ok(())
}

fn groups(given: &file::Cluster) -> Result<Vec<NodeGroup>, Fault> {
    match (given.nodes, &given.groups) {
        (Some(nodes), None) => Ok(vec![group(nodes, given.speed)?]),
        (None, Some(groups)) => {
            ensure(given.speed.is_none(), || "with groups, give speed in each group")?;
            ensure(!groups.is_empty(), || "groups is empty")?;
            let check = |(index, one): (usize, &file::Group)| {
                group(one.nodes, one.speed).at(format!("groups[{index}]"))
            };
            groups.iter().enumerate().map(check).collect()
        }
        _ => Err(Fault::new("needs exactly one of nodes and groups")),
    }
}

fn group(nodes: u32, speed: Option<f64>) -> Result<NodeGroup, Fault> {
    positive("nodes", nodes)?;
    Ok(NodeGroup { speed: rate("speed", speed)?, nodes })
}

fn rate(key: &str, rate: Option<f64>) -> Result<Speed, Fault> {
    let rate = rate.unwrap_or(1.0);
    let fault = || Fault::new(format!("{key} is {rate}, not a number from 0.000001 to 4294"));
    Speed::new(rate).ok_or_else(fault)
}

//! `[network]`: nodes and links.
//!
//! The nodes are the machines of all resources, then `hosts`, then `routers`.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::error::{At, Fault, ensure, label, quoted};
use super::file;
use super::grid::{Resources, check_name};
use super::load::Load;
use super::number::{scale, whole};
use gridsat_grid::load::LocalLoad;
use gridsat_grid::network::{
    Bandwidth, BaudRate, Bytes, Guts, LinkSpec, Network as Model, NoNetwork, NodeId,
};

/// Larger numbers are rejected as typing errors.
const MAX_LINKS: usize = 10_000_000;

#[derive(Clone)]
enum Kind {
    None,
    BaudRate(BaudRate),
    Guts(Guts),
}

/// A checked network.
#[derive(Clone)]
pub(super) struct Network {
    kind: Kind,
    nodes: Vec<String>,
    /// Number of machines, and number of machines and hosts together.
    machines: u32,
    places: u32,
    /// Nodes by name; machines also by the name of their entry.
    named: HashMap<String, Range<u32>>,
}

/// The local load of a link, of which some bandwidth must always be left.
fn link_load(given: &file::Link) -> Result<LocalLoad, Fault> {
    let Some(load) = &given.load else { return Ok(LocalLoad::default()) };
    let load = Load::check(&load.0).at("load")?;
    ensure(load.highest < 100, || {
        "load: 100 % of a link: a transfer that starts then would never end; at most 99 is \
             possible"
    })?;
    Ok(load.load)
}

impl Network {
    pub fn check(given: Option<&file::Network>, resources: &Resources) -> Result<Self, Fault> {
        let machines = resources.machine_count();
        let mut network = Self {
            kind: Kind::None,
            nodes: resources.machine_names(),
            machines,
            places: machines,
            named: resources.named_machines(),
        };
        if let Some(given) = given {
            network.read(given, resources).at("network")?;
        }
        Ok(network)
    }

    fn read(&mut self, given: &file::Network, resources: &Resources) -> Result<(), Fault> {
        given.hosts.iter().try_for_each(|name| self.add(name).at("hosts"))?;
        self.places = self.nodes.len() as u32;
        given.routers.iter().try_for_each(|name| self.add(name).at("routers"))?;
        let is_graph = given.model == "guts";
        let lonely = [
            ("routers", "guts", !is_graph && !given.routers.is_empty()),
            ("link", "guts", !is_graph && !given.link.is_empty()),
            ("baud", "baud-rate", given.model != "baud-rate" && given.baud.is_some()),
            ("rates", "baud-rate", given.model != "baud-rate" && !given.rates.is_empty()),
        ];
        if let Some((key, model, _)) = lonely.into_iter().find(|(.., is_given)| *is_given) {
            return Err(Fault::only(key, format!("model = \"{model}\"")));
        }
        self.kind = match given.model.as_str() {
            "none" => Kind::None,
            "baud-rate" => Kind::BaudRate(self.baud_rate(given)?),
            "guts" => Kind::Guts(self.graph(given, resources)?),
            unknown => {
                return Err(Fault::unknown("model", unknown, ["none", "baud-rate", "guts"]));
            }
        };
        self.check_routes()
    }

    fn add(&mut self, name: &str) -> Result<(), Fault> {
        check_name(name)?;
        let number = self.nodes.len() as u32;
        let is_new = self.named.insert(name.to_owned(), number..number + 1).is_none();
        ensure(is_new, || format!("name {} is used twice", quoted(name)))?;
        self.nodes.push(name.to_owned());
        Ok(())
    }

    fn baud_rate(&self, given: &file::Network) -> Result<BaudRate, Fault> {
        let rate = |key: &str, value: f64| whole(key, value, 1, Bandwidth::MOST);
        let default = given.baud.map_or(Ok(BaudRate::DEFAULT), |value| rate("baud", value))?;
        let mut rates = vec![default; self.nodes.len()];
        // Entries come first, because names of single copies are more specific and override them.
        let given: BTreeMap<&String, &f64> = given.rates.iter().collect();
        let mut given: Vec<(Range<u32>, u64)> = (given.into_iter())
            .map(|(name, &value)| Ok((self.range(name)?, rate(name, value)?)))
            .collect::<Result<_, Fault>>()
            .at("rates")?;
        given.sort_by_key(|(nodes, _)| std::cmp::Reverse(nodes.len()));
        for (nodes, rate) in given {
            rates[nodes.start as usize..nodes.end as usize].fill(rate);
        }
        let names = self.nodes.iter().map(String::as_str);
        BaudRate::new(names.zip(rates), scale()).map_err(Fault::from)
    }

    fn graph(&self, given: &file::Network, resources: &Resources) -> Result<Guts, Fault> {
        let mut links = Vec::new();
        for (index, link) in given.link.iter().enumerate() {
            self.links(link, resources, &mut links).at(label("link", index, None))?;
        }
        Guts::new(&self.nodes, &links, scale()).map_err(Fault::from)
    }

    /// Links from each node of the first name to each node of the second.
    fn links(
        &self,
        given: &file::Link,
        resources: &Resources,
        links: &mut Vec<LinkSpec>,
    ) -> Result<(), Fault> {
        let [a, b] = &given.between;
        let [a, b] = [self.ends(a, resources)?, self.ends(b, resources)?];
        let bandwidth = whole("bandwidth", given.bandwidth, 1, Bandwidth::MOST)?;
        let count = a.len().saturating_mul(b.len()).saturating_add(links.len());
        ensure(count <= MAX_LINKS, || {
            format!("{count} links so far, at most {MAX_LINKS} are possible")
        })?;
        let load = link_load(given)?;
        let name = |node: u32| self.nodes[node as usize].clone();
        let mtu = given.mtu.unwrap_or(LinkSpec::DEFAULT_MTU);
        for &a in &a {
            links.extend(b.iter().map(|&b| LinkSpec {
                a: name(a),
                b: name(b),
                bandwidth,
                latency: given.delay,
                mtu,
                load: load.clone(),
            }));
        }
        Ok(())
    }

    /// The nodes at one end of a link.
    pub fn ends(&self, name: &str, resources: &Resources) -> Result<Vec<u32>, Fault> {
        match name.strip_prefix("site:").map(|site| resources.machines_of(site)) {
            Some(machines) if machines.is_empty() => {
                Err(Fault::new(format!("there is no site {}", quoted(&name["site:".len()..]))))
            }
            Some(machines) => Ok(machines),
            None => Ok(self.range(name)?.collect()),
        }
    }

    fn range(&self, name: &str) -> Result<Range<u32>, Fault> {
        let found = self.named.get(name).cloned();
        found.ok_or_else(|| {
            Fault::new(format!("there is no resource, host or router {}", quoted(name)))
        })
    }

    /// Checks that all nodes that hold data are connected.
    fn check_routes(&self) -> Result<(), Fault> {
        let model = self.model();
        for to in 1..self.places {
            let is_reached = model.predict(NodeId(0), NodeId(to), Bytes(1)).is_some();
            ensure(is_reached, || {
                let [from, to] = [0, to].map(|node| quoted(&self.nodes[node as usize]));
                format!("no links lead from {from} to {to}")
            })?;
        }
        Ok(())
    }

    /// A new network model without transfers.
    pub fn model(&self) -> Box<dyn Model> {
        match &self.kind {
            Kind::None => Box::new(NoNetwork),
            Kind::BaudRate(rates) => Box::new(rates.clone()),
            Kind::Guts(graph) => Box::new(graph.clone()),
        }
    }

    /// The name of a link between two nodes.
    pub fn pair(&self, a: u32, b: u32) -> String {
        format!("{}-{}", self.nodes[a as usize], self.nodes[b as usize])
    }

    pub fn nodes(&self) -> &[String] {
        &self.nodes
    }

    /// The user host of this name.
    pub fn home(&self, name: &str) -> Result<NodeId, Fault> {
        let hosts = self.machines..self.places;
        let found =
            self.named.get(name).map(|range| range.start).filter(|node| hosts.contains(node));
        let found = found
            .ok_or_else(|| Fault::new(format!("{} is not a host of [network]", quoted(name))))?;
        Ok(NodeId(found))
    }

    /// The one node of this name.
    pub fn node(&self, name: &str) -> Result<NodeId, Fault> {
        let found = self.named.get(name).filter(|range| range.len() == 1);
        let found = found.ok_or_else(|| {
            Fault::new(format!("{} is not the name of one node of [network]", quoted(name)))
        })?;
        Ok(NodeId(found.start))
    }

    /// The machines or the host of this name.
    pub fn holders(&self, name: &str) -> Result<Range<u32>, Fault> {
        let found = self.named.get(name).filter(|range| range.end <= self.places);
        found
            .cloned()
            .ok_or_else(|| Fault::new(format!("there is no resource or host {}", quoted(name))))
    }
}

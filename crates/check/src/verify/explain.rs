//! What the steps of a certificate say, in words and with the numbers that were compared.
//!
//! Nothing is accepted here: the words are true of certificates that [`super::verify_certificate`]
//! accepts. Of others a step may be described by its fault.

use std::io;

use gridsat_model::certificate::{Document, FillingNode, Node, RefutedFormula, Step};
use gridsat_model::text::printable;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

use super::pairs::Pairs;
use super::part::{self, Sides};
use super::prices;
use super::steps::{self, StepFault, weighted_room, weighted_work};

/// Most hosts whose numbers are listed.
const LISTED: usize = 12;

/// One paragraph on the mapping and one on each step.
///
/// ```
/// use gridsat_check::verify::explain;
/// use gridsat_model::certificate::{Document, Step};
/// use gridsat_model::{HostId, Instance, Mapping, Ticks};
///
/// let instance = Instance::from_rows([[4, 7], [3, 5]])?;
/// let mapping = Mapping::new(&instance, vec![HostId(0), HostId(1)])?;
/// let steps = vec![Step::LongestTask { k: Ticks(3), task: 0 }];
/// let certificate = Document::new(&instance, &mapping, Ticks(4), steps);
/// let words = explain(&instance, &certificate);
/// assert!(words[1].ends_with("Alone, task t0 ends at 4 at the earliest, on host h0."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(instance: &Instance, certificate: &Document) -> Vec<String> {
    let words = Words { instance };
    let steps = certificate.steps.iter().enumerate();
    let steps = steps.map(|(index, step)| words.step(index + 1, certificate.steps.len(), step));
    std::iter::once(words.mapping(certificate)).chain(steps).collect()
}

struct Words<'a> {
    instance: &'a Instance,
}

impl Words<'_> {
    fn mapping(&self, certificate: &Document) -> String {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let makespan = self.time(certificate.makespan);
        let mut loads: Vec<Ticks> =
            self.instance.hosts().map(|host| self.instance.ready(host)).collect();
        for (task, &host) in self.instance.tasks().zip(&certificate.mapping) {
            let time = self.instance.time(task, HostId(host));
            if let (Some(load), Some(time)) = (loads.get_mut(host as usize), time) {
                *load += time;
            }
        }
        let last = self.instance.hosts().find(|host| loads[host.index()] == certificate.makespan);
        let last = last.map_or(String::new(), |host| format!(", that of {}", self.host(host)));
        format!(
            "The mapping gives each of {n} tasks one of {m} hosts that can run it. Its largest \
             load is {makespan}{last}."
        )
    }

    fn step(&self, number: usize, steps: usize, step: &Step) -> String {
        let k = self.time(step.k());
        let why = self.reason(step).unwrap_or_else(|fault| format!("It is wrong: {fault}."));
        let title = step.title();
        format!("Step {number} of {steps}: no mapping has makespan ≤ {k}, by {title}. {why}")
    }

    fn reason(&self, step: &Step) -> Result<String, StepFault> {
        // The long rules are described by their shape alone, which is there in any case.
        if !matches!(step, Step::Tree { .. } | Step::Fillings { .. } | Step::Unsat(_)) {
            steps::check(self.instance, step, &|_| Err(io::ErrorKind::Unsupported.into()))?;
        }
        match step {
            &Step::Ready { host, .. } => Ok(self.ready(HostId(host))),
            &Step::LongestTask { task, .. } => Ok(self.longest(TaskId(task))),
            Step::Weights { k, weights } => self.weights(*k, weights),
            &Step::Part { k, hosts, tasks, sums } => {
                let sides = part::sides(self.instance, k, hosts, tasks, sums)?;
                Ok(self.part(k, (hosts, tasks, sums), &sides))
            }
            Step::Prices { k, prices } => self.prices(*k, prices),
            Step::Fillings { nodes, .. } => Ok(fillings(nodes)),
            Step::Tree { k, nodes } => self.tree(*k, nodes),
            Step::Unsat(formula) => Ok(refuted(formula)),
        }
    }

    fn ready(&self, host: HostId) -> String {
        let ready = self.time(self.instance.ready(host));
        format!("{} is busy until {ready}.", capital(&self.host(host)))
    }

    fn longest(&self, task: TaskId) -> String {
        let end = |(host, time): (HostId, Ticks)| (self.instance.ready(host) + time, host);
        let name = printable(self.instance.task_name(task));
        match self.instance.times(task).map(end).min() {
            Some((end, host)) => format!(
                "Alone, task {name} ends at {} at the earliest, on {}.",
                self.time(end),
                self.host(host)
            ),
            None => format!("Task {name} has no host."),
        }
    }

    fn weights(&self, k: Ticks, weights: &[u64]) -> Result<String, StepFault> {
        let room = weighted_room(self.instance, k, weights)?;
        let each = self.listed(weights.iter().map(u64::to_string));
        Ok(match weighted_work(self.instance, k, weights)? {
            None => "Some task fits no host alone.".to_owned(),
            Some(work) => format!(
                "The time of each host is multiplied by its weight ({each}). With every task on \
                 the host where its weighted time is smallest, all take {work} ticks; until then \
                 all hosts have {room}, which is {} less.",
                work.saturating_sub(room)
            ),
        })
    }

    fn part(&self, k: Ticks, (hosts, tasks, sums): (u32, u32, bool), sides: &Sides) -> String {
        let &Sides { least, work, room } = sides;
        let within = match sums {
            true => format!(
                "the largest sum of such times up to {} is {}",
                self.time(k.saturating_sub(self.instance.ready(HostId(0)))),
                self.time(room)
            ),
            false => format!("a host has {}", self.time(room)),
        };
        format!(
            "All hosts are equal. Of the {tasks} longest tasks some {hosts} of the hosts have at \
             least {least}, which take at least {work} ticks; {within}, so these hosts have {} \
             ticks together.",
            u128::from(hosts) * u128::from(room)
        )
    }

    fn prices(&self, k: Ticks, prices: &[u64]) -> Result<String, StepFault> {
        let best = prices::best_on_each(self.instance, k, prices)?;
        let (total, packed) = (sum(prices), sum(&best));
        let each = self.listed(best.iter().map(u64::to_string));
        Ok(format!(
            "Every task has a price; all prices add up to {total}. The dearest tasks that fit a \
             host until then are worth: {each}. That is {packed} together, {} less.",
            total.saturating_sub(packed)
        ))
    }

    fn tree(&self, k: Ticks, nodes: &[Node]) -> Result<String, StepFault> {
        let Some(pairs) = Pairs::new(self.instance, k) else {
            return Ok("Not even all pairs of task and host leave every task a host.".to_owned());
        };
        let (branches, leaves, deepest) = shape(nodes);
        let count = |is: fn(&Node) -> bool| nodes.iter().filter(|node| is(node)).count();
        let kinds = [
            (count(|node| matches!(node, Node::Prices { .. })), "by prices"),
            (count(|node| matches!(node, Node::Unsat(_))), "by formulas with LRAT proofs"),
            (count(|node| matches!(node, Node::Nowhere)), "because a task has no host left"),
        ];
        let kinds: Vec<String> =
            kinds.iter().filter(|(count, _)| *count > 0).map(of_kind).collect();
        let fixings = count(|node| matches!(node, Node::Fix { .. }));
        Ok(format!(
            "{} Nodes: {branches} branches on whether a task is on a host, at most {deepest} below \
             each other; {fixings} times prices rule out pairs of task and host. The {leaves} \
             cases that remain are refuted: {}.",
            self.root(&pairs, nodes)?,
            kinds.join(", ")
        ))
    }

    /// What holds before any branch.
    fn root(&self, pairs: &Pairs, nodes: &[Node]) -> Result<String, StepFault> {
        let open = |host| pairs.open(host).count();
        let (tasks, left) = (pairs.open_tasks(), self.instance.hosts().map(open).sum::<usize>());
        let first = match nodes.first() {
            Some(Node::Fix { prices }) => {
                let out = prices::ruled_out(pairs, prices)?.len();
                format!(" The first prices rule out {out} of them.")
            }
            _ => String::new(),
        };
        Ok(format!(
            "At first {tasks} tasks have more than one host on which they fit, in {left} \
             pairs.{first}"
        ))
    }

    /// The hosts with a number each.
    fn listed(&self, numbers: impl Iterator<Item = String>) -> String {
        let hosts = self.instance.hosts().map(|host| printable(self.instance.host_name(host)));
        let all: Vec<String> =
            hosts.zip(numbers).map(|(host, number)| format!("{host} {number}")).collect();
        let shown = all.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
        match all.len().saturating_sub(LISTED) {
            0 => shown,
            more => format!("{shown}, and {more} more"),
        }
    }

    fn host(&self, host: HostId) -> String {
        format!("host {}", printable(self.instance.host_name(host)))
    }

    fn time(&self, ticks: Ticks) -> String {
        self.instance.scale().display(ticks).to_string()
    }
}

fn of_kind((count, how): &(usize, &str)) -> String {
    format!("{count} {how}")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
}

fn sum(numbers: &[u64]) -> u128 {
    numbers.iter().map(|&number| u128::from(number)).sum()
}

/// The numbers of branches and of leaves, and the most branches below each other.
fn shape(nodes: &[Node]) -> (usize, usize, usize) {
    let (mut branches, mut leaves, mut deepest) = (0, 0, 0);
    // The depths of the cases that are not refuted yet.
    let mut open = vec![0];
    for node in nodes {
        let depth = open.pop().unwrap_or(0);
        deepest = deepest.max(depth);
        match node {
            Node::Fix { .. } => open.push(depth),
            Node::Branch { .. } => {
                branches += 1;
                open.extend([depth + 1; 2]);
            }
            Node::Prices { .. } | Node::Unsat(_) | Node::Nowhere => leaves += 1,
        }
    }
    (branches, leaves, deepest)
}

fn fillings(nodes: &[FillingNode]) -> String {
    let (mut branches, mut fillings, mut forced) = (0, 0, 0);
    let (mut prices, mut work, mut seen) = (0, 0, 0);
    for node in nodes {
        match node {
            FillingNode::Branch { order, .. } => {
                branches += 1;
                fillings += order.len();
            }
            FillingNode::Forced { hosts } => forced += u64::from(*hosts),
            FillingNode::Prices { .. } => prices += 1,
            FillingNode::Work {} => work += 1,
            FillingNode::Seen {} => seen += 1,
        }
    }
    format!(
        "Hosts are filled one after the other; faster ones have more room. {branches} times one \
         host is filled in all ways that matter, {fillings} together; {forced} hosts are filled \
         without a choice. {prices} cases are refuted by prices, {work} because the tasks left take longer \
         than the hosts left have, {seen} because the same case was refuted before."
    )
}

fn refuted(formula: &RefutedFormula) -> String {
    let RefutedFormula { encoding, at_most_one, symmetry, surrogate, proof, .. } = formula;
    let symmetry = if *symmetry { ", equal tasks and hosts in order" } else { "" };
    let surrogate = if surrogate.is_empty() { "" } else { ", one constraint over all hosts" };
    format!(
        "The formula that says there is one (encoding {encoding}+{at_most_one}{symmetry}\
         {surrogate}) was built from the instance, and the LRAT proof {proof} refutes it."
    )
}

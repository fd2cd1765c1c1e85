//! prototype
mod fixing;
mod forced;
use crate::bounds::{Ascent, Contradiction, Domain};
use crate::model::{Instance, Mapping, TaskId, HostId, Ticks};
use fixing::{Fixing, fix};

/// Result.
pub enum Outcome { /// a
    Found(Mapping), /// b
    Refuted(usize), /// c
    Unknown(usize) }

struct Tree<'a> { nodes: usize, limit: usize, stop: &'a dyn Fn() -> bool, verbose: bool }

/// Decide.
pub fn decide(instance: &Instance, k: Ticks, ascent: &Ascent, limit: usize, stop: &dyn Fn() -> bool, verbose: bool) -> Outcome {
    let Ok(domain) = Domain::new(instance, k) else { return Outcome::Refuted(0) };
    let mut tree = Tree { nodes: 0, limit, stop, verbose };
    match tree.node(domain, ascent.clone(), 0) {
        Some(Some(m)) => Outcome::Found(m),
        Some(None) => Outcome::Refuted(tree.nodes),
        None => Outcome::Unknown(tree.nodes),
    }
}

fn rounded(prices: &[u64], domain: &Domain, total: u128) -> Vec<u64> {
    let open = domain.instance().tasks().filter(|&t| domain.placed(t).is_none());
    let sum: u128 = open.map(|t| u128::from(prices[t.index()])).sum();
    let task = |t: TaskId| if domain.placed(t).is_some() { 0 } else { (u128::from(prices[t.index()]) * total / sum.max(1)) as u64 };
    domain.instance().tasks().map(task).collect()
}

impl Tree<'_> {
    /// None: unknown; Some(None): refuted.
    fn node(&mut self, mut domain: Domain, mut ascent: Ascent, depth: usize) -> Option<Option<Mapping>> {
        self.nodes += 1;
        if self.nodes > self.limit || (self.stop)() { return None; }
        let mut steps = if depth == 0 { 400 } else { 40 };
        let mut climb;
        let mut rounds = 0;
        loop {
            if let Some(mapping) = domain.mapping() { return Some(Some(mapping)); }
            climb = ascent.climb(&domain, steps, self.stop);
            let before = domain.pairs();
            let prices = rounded(&ascent.prices(), &domain, 1_000_000);
            match fix(&mut domain, &prices) {
                Err(Contradiction) | Ok(Fixing::Refuted) => return Some(None),
                Ok(Fixing::Fixed(_)) => {}
            }
            if self.verbose && depth < 1 { eprintln!("depth {depth} gap {:.6} pairs {before} -> {} unplaced {}", climb.gap, domain.pairs(), domain.unplaced()); }
            rounds += 1;
            if domain.pairs() * 20 > before * 19 || rounds > 10 { break; }
            steps = 40;
        }
        if let Some(mapping) = domain.mapping() { return Some(Some(mapping)); }
        let (task, host, x) = self.choose(&domain, &ascent, &climb.average);
        if self.verbose && self.nodes < 200 { eprintln!("{:depth$}branch {} {} x {x:.3} pairs {}", "", task.0, host.0, domain.pairs()); }
        let mut on = domain.clone();
        on.force(task, host);
        let mut off = domain;
        off.forbid(task, host);
        let mut children = [on, off];
        if x < 0.5 { children.reverse(); }
        for mut child in children {
            if child.settle().is_err() { continue; }
            match self.node(child, ascent.clone(), depth + 1) {
                Some(None) => {}
                other => return other,
            }
        }
        Some(None)
    }

    fn choose(&self, domain: &Domain, ascent: &Ascent, average: &[f64]) -> (TaskId, HostId, f64) {
        let m = domain.instance().host_count();
        let prices = ascent.prices();
        let mut best = (TaskId(0), HostId(0), -1.0, -1.0);
        for host in domain.instance().hosts() {
            for &(task, _) in domain.open(host) {
                let x = average[task.index() * m + host.index()];
                let score = x.min(1.0 - x).max(1e-9) * prices[task.index()] as f64;
                if score > best.3 { best = (task, host, x, score); }
            }
        }
        (best.0, best.1, best.2)
    }
}

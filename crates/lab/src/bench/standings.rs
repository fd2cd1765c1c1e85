//! Summary of outcomes: excess, time, rank and wins of each algorithm.
//!
//! The unit of the statistics is the instance: several runs of a search on one instance are
//! averaged first, because they carry no information about other instances. A mean has the
//! half-width of its 95 % confidence interval by Student's t. Comparisons with a rival are paired:
//! the relative difference is computed on each instance, then averaged.
//!
//! Ranks of ties are averaged, as in rank tests. Every algorithm that equals the best one wins, so
//! wins may add up to more than the number of instances.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::{Outcome, Set, SetInstance};
use gridsat_statistics::Summary;

/// Results of one algorithm on some instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Index in the list of algorithms.
    pub algorithm: usize,
    /// Mean excess over the optimum, or over the lower bound if an instance is open.
    pub excess: Summary,
    /// The largest excess of any run.
    pub worst_excess: f64,
    /// Number of instances on which some run reached the proven optimum.
    pub optimal: usize,
    /// Number of instances on which no other algorithm was better.
    pub wins: usize,
    /// Mean rank among the algorithms, from 1.
    pub rank: f64,
    /// Mean time of a run in seconds.
    pub seconds: f64,
    /// Relative difference to the rival's makespan; negative values are better.
    pub versus: Option<Summary>,
}

/// All algorithms on some instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// Number of instances.
    pub instances: usize,
    /// Number of instances without a proven optimum.
    pub open: usize,
    /// One row per algorithm, in the order of the list.
    pub rows: Vec<Standing>,
}

/// All algorithms on one instance.
type Column<'a> = (&'a SetInstance, Vec<OnInstance>);

/// One algorithm on one instance, over its runs.
#[derive(Clone, Copy)]
struct OnInstance {
    /// Mean makespan.
    makespan: f64,
    excess: f64,
    worst_excess: f64,
    is_optimal: bool,
    seconds: f64,
    rank: f64,
    is_best: bool,
}

/// Standings over all outcomes. `rival` is the index of an algorithm.
pub fn overall(set: &Set, outcomes: &[Outcome], rival: Option<usize>) -> Standings {
    let everything = by(set, outcomes, rival, |_| "");
    let nothing = Standings { instances: 0, open: 0, rows: Vec::new() };
    everything.into_iter().next().map_or(nothing, |(_, standings)| standings)
}

/// Standings for each value of a key of the instances, such as their class, in the order of the
/// set.
pub fn by<'a>(
    set: &'a Set,
    outcomes: &[Outcome],
    rival: Option<usize>,
    key: impl Fn(&'a SetInstance) -> &'a str,
) -> Vec<(&'a str, Standings)> {
    let mut groups: Vec<(&str, Vec<Column<'_>>)> = Vec::new();
    for (number, runs) in &outcomes.iter().chunk_by(|outcome| outcome.entry) {
        let entry = &set.entries[number];
        let column = (entry, cells(entry, runs));
        match groups.iter_mut().find(|(name, _)| *name == key(entry)) {
            Some((_, columns)) => columns.push(column),
            None => groups.push((key(entry), vec![column])),
        }
    }
    groups.into_iter().map(|(name, columns)| (name, standings(&columns, rival))).collect()
}

/// All algorithms on one instance.
fn cells<'a>(entry: &SetInstance, runs: impl Iterator<Item = &'a Outcome>) -> Vec<OnInstance> {
    let mut per_algorithm: BTreeMap<usize, Vec<&Outcome>> = BTreeMap::new();
    runs.for_each(|run| per_algorithm.entry(run.algorithm).or_default().push(run));
    let mut cells: Vec<OnInstance> = per_algorithm.values().map(|runs| cell(entry, runs)).collect();
    let makespans: Vec<f64> = cells.iter().map(|cell| cell.makespan).collect();
    for cell in &mut cells {
        let better = makespans.iter().filter(|&&other| other < cell.makespan).count();
        let equal = makespans.iter().filter(|&&other| other == cell.makespan).count();
        cell.rank = better as f64 + (equal as f64 + 1.0) / 2.0;
        cell.is_best = better == 0;
    }
    cells
}

fn cell(entry: &SetInstance, runs: &[&Outcome]) -> OnInstance {
    let mean = |value: &dyn Fn(&Outcome) -> f64| {
        runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64
    };
    OnInstance {
        makespan: mean(&|run| run.makespan.as_f64()),
        excess: mean(&|run| entry.excess(run.makespan)),
        worst_excess: runs.iter().map(|run| entry.excess(run.makespan)).fold(0.0, f64::max),
        is_optimal: runs.iter().any(|run| run.makespan == entry.lower_bound),
        seconds: mean(&|run| run.time.as_secs_f64()),
        rank: 0.0,
        is_best: false,
    }
}

fn standings(columns: &[Column<'_>], rival: Option<usize>) -> Standings {
    let algorithms = columns.first().map_or(0, |(_, cells)| cells.len());
    let row = |algorithm: usize| {
        let own: Vec<OnInstance> = columns.iter().map(|(_, cells)| cells[algorithm]).collect();
        let mean =
            |value: fn(&OnInstance) -> f64| Summary::of(&own.iter().map(value).collect::<Vec<_>>());
        let versus = |rival: usize| {
            let ratio = |(own, (_, cells)): (&OnInstance, &Column<'_>)| {
                own.makespan / cells[rival].makespan.max(1.0) - 1.0
            };
            Summary::of(&own.iter().zip(columns).map(ratio).collect::<Vec<_>>())
        };
        Standing {
            algorithm,
            excess: mean(|cell| cell.excess),
            worst_excess: own.iter().map(|cell| cell.worst_excess).fold(0.0, f64::max),
            optimal: own.iter().filter(|cell| cell.is_optimal).count(),
            wins: own.iter().filter(|cell| cell.is_best).count(),
            rank: mean(|cell| cell.rank).mean,
            seconds: mean(|cell| cell.seconds).mean,
            versus: rival.map(versus),
        }
    };
    Standings {
        instances: columns.len(),
        open: columns.iter().filter(|(entry, _)| !entry.is_closed()).count(),
        rows: (0..algorithms).map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Ticks;
    use std::time::Duration;

    fn outcome(entry: usize, algorithm: usize, makespan: u64) -> Outcome {
        let (seed, evaluations, time) = (None, None, Duration::from_secs(makespan));
        let scale = gridsat_model::Scale::default();
        Outcome {
            entry,
            algorithm,
            seed,
            makespan: Ticks(makespan),
            scale,
            evaluations,
            is_cut_short: false,
            time,
        }
    }

    fn set(optima: [u64; 2]) -> Set {
        let mut set = Set::all();
        set.entries.truncate(2);
        for (entry, optimum) in set.entries.iter_mut().zip(optima) {
            (entry.lower_bound, entry.makespan) = (Ticks(optimum), Ticks(optimum));
        }
        set
    }

    #[test]
    fn worked_by_hand() {
        // Optima 10 and 20; the second algorithm runs twice on the first instance: 10 and 14.
        let outcomes = [
            outcome(0, 0, 12),
            outcome(0, 1, 10),
            outcome(0, 1, 14),
            outcome(1, 0, 20),
            outcome(1, 1, 24),
        ];
        let mut set = set([10, 20]);
        set.entries[1].makespan = Ticks(21);
        let standings = overall(&set, &outcomes, Some(0));
        assert_eq!((standings.instances, standings.open), (2, 1));
        let [first, second] = &standings.rows[..] else { unreachable!("two algorithms") };
        assert!((first.excess.mean - 0.1).abs() < 1e-12);
        assert!((second.excess.mean - 0.2).abs() < 1e-12);
        // Excesses 0.2 and 0: deviation 0.1 times the root of two, error 0.1.
        assert!((first.excess.half_width.expect("two") - 1.2706204736).abs() < 1e-9);
        assert_eq!((first.wins, second.wins), (2, 1));
        assert_eq!((first.rank, second.rank), (1.25, 1.75));
        assert_eq!((first.optimal, second.optimal), (1, 1));
        assert!((second.worst_excess - 0.4).abs() < 1e-12);
        assert_eq!(second.seconds, 18.0);
        assert!((second.versus.expect("asked").mean - 0.1).abs() < 1e-12);
        assert_eq!(first.versus.expect("asked").mean, 0.0);
    }
}

//! The number of decisions of each strategy, compared with ⌈log₂(n·E_max)⌉ of Rhodes'
//! thesis, and the number of questions of the thesis' extraction, compared with n·m.

use anyhow::Result;
use gridsat_exact::strategy::{self, Extract, Found, Options, Order, Origin, Strategy};
use gridsat_model::{Instance, Ticks};

use crate::common::{CpuClock, Effort, Record, Table, seconds};
use crate::limit::within;
use crate::question::{instance, limit, mean, search_options};
use crate::solvers;

/// Name, strategy, order.
const KINDS: [(&str, Strategy, Order); 5] = [
    ("thesis", Strategy::Thesis, Order::Bisect),
    ("sat, bisect", Strategy::Sat, Order::Bisect),
    ("sat, descend", Strategy::Sat, Order::Descend),
    ("auto, bisect", Strategy::Auto, Order::Bisect),
    ("auto, descend", Strategy::Auto, Order::Descend),
];

pub fn run(effort: Effort, record: &mut Record) -> Result<()> {
    let mut columns = vec!["class", "size", "⌈log₂(n·E_max)⌉"];
    columns.extend(KINDS.map(|(name, _, _)| name));
    columns.extend(["questions to extract", "n·m"]);
    let title = "Decisions until optimal and time of those runs, means over seeds (+ not finished)";
    let table = Table::start(title, &columns);
    let (sizes, seeds): (&[_], u64) = match effort {
        Effort::Full => (&[(8, 3), (12, 3), (16, 4), (20, 4)], 3),
        _ => (&[(8, 3)], 1),
    };
    for class in ["U1-100", "U100-200", "jobcorr", "maccorr", "u_c_lolo", "u_i_hihi"] {
        for &(tasks, hosts) in sizes {
            let instances: Vec<Instance> = (1..=seeds)
                .map(|seed| instance(class, tasks, hosts, seed))
                .collect::<Result<_>>()?;
            let mut row = vec![class.to_owned(), format!("{tasks}×{hosts}")];
            row.push(average(instances.iter().map(published)));
            for kind in KINDS {
                row.push(decisions(&instances, kind, effort, record)?);
            }
            row.push(questions(&instances, effort, record)?);
            row.push((tasks * hosts).to_string());
            table.row(&row);
        }
    }
    Ok(())
}

/// ⌈log₂(n·E_max)⌉.
fn published(instance: &Instance) -> usize {
    let times = instance.tasks().flat_map(|task| instance.times(task).map(|(_, time)| time));
    let product = instance.task_count() as u64 * times.max().unwrap_or(Ticks(1));
    product.0.next_power_of_two().ilog2() as usize
}

fn decisions(
    instances: &[Instance],
    (name, strategy, order): (&str, Strategy, Order),
    effort: Effort,
    record: &mut Record,
) -> Result<String> {
    let options = search_options(strategy, order, solvers::reference());
    let (mut counts, mut times) = (Vec::new(), Vec::new());
    for instance in instances {
        let clock = CpuClock::start();
        let found = run_search(instance, &options, effort)?;
        let time = clock.elapsed();
        let place = ["strategies", instance.name(), name];
        record.put(place, "time", time.as_secs_f64())?;
        record.put(place, "decisions", found.decisions.len())?;
        record.put(place, "closed", found.is_closed())?;
        if found.is_closed() {
            counts.push(found.decisions.len());
            times.push(time);
        }
    }
    let time = seconds(mean(times));
    let missing = instances.len() - counts.len();
    Ok(match (counts.is_empty(), missing) {
        (true, _) => "none finished".to_owned(),
        (_, 0) => format!("{}, {time}", average(counts.into_iter())),
        _ => format!("{}, {time} (+ {missing})", average(counts.into_iter())),
    })
}

fn run_search(instance: &Instance, options: &Options, effort: Effort) -> Result<Found> {
    Ok(within(limit(effort) / 4, |stop| strategy::run(instance, options, stop, &mut |_| {}))?)
}

/// The number of questions of the extraction at the optimum, in the default encoding.
fn questions(instances: &[Instance], effort: Effort, record: &mut Record) -> Result<String> {
    let plain = search_options(Strategy::Auto, Order::Bisect, solvers::reference());
    let options = Options { extract: Extract::Oracle, ..plain };
    let mut counts = Vec::new();
    for instance in instances {
        let found = run_search(instance, &options, effort)?;
        record.put(["strategies", instance.name(), "oracle"], "questions", found.oracle_calls)?;
        if found.is_closed() && found.mapping_by == Origin::Oracle {
            counts.push(found.oracle_calls);
        }
    }
    Ok(average(counts.into_iter()))
}

fn average(counts: impl ExactSizeIterator<Item = usize>) -> String {
    match counts.len() {
        0 => "none".to_owned(),
        count => format!("{:.1}", counts.sum::<usize>() as f64 / count as f64),
    }
}

//! A matrix of times from the logs of several hosts.
//!
//! The time of a pair is the median of its measurements. Pairs never measured are guessed by the
//! speed of the host: times are taken to be a_t · b_h, the size of the task times the slowness of
//! the host, and a and b are fitted to what was measured, each in turn as the median of its
//! quotients, a_t = median_h(t_th / b_h) and b_h = median_t(t_th / a_t), until they no longer
//! change. Only divisions and medians: the same on every machine. Guesses are rounded to the
//! decimals of the measurements, but at least to a thousandth of themselves.
//!
//! Hosts of which no task ran elsewhere, directly or by a chain of hosts, cannot be compared with
//! the others; they are taken to be as fast, and the result says so.

use std::collections::{BTreeSet, HashMap};

use gridsat_model::{Instance, InstanceParts, Ticks, io};

use crate::task_list::{coarsest, median_of};
use crate::{Log, LogError, Record};

/// Rounds of fitting; a chain of hosts needs as many as it is long.
const ROUNDS: usize = 1000;

/// What happens to pairs that were never measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// They are guessed by the speed of the host.
    Guess,
    /// The task cannot run there.
    Forbid,
    /// They are an error.
    Reject,
}

/// A pair whose time was guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// Number of the task.
    pub task: usize,
    /// Number of the host.
    pub host: usize,
}

/// The matrix, and what is not measured in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Etc {
    /// Times in seconds.
    pub instance: Instance,
    /// Pairs whose time is a guess, task by task.
    pub guesses: Vec<Guess>,
    /// For each host how many times as long it takes as the first one it can be compared with.
    pub slowness: Vec<f64>,
    /// Hosts that share no task with the first host, not even by others.
    pub alone: Vec<usize>,
}

/// The matrix of these logs. A record belongs to the host that it names, else to the one given with
/// its log.
///
/// ```
/// use gridsat_tasks::{Log, Missing, etc_from};
///
/// let log = |text: &str| Log::parse(text.as_bytes(), "list", None);
/// let (a, b) = (log("task,time\nx,2\ny,3\n")?, log("task,time\nx,4\n")?);
/// let etc = etc_from(&[("old".into(), a), ("new".into(), b)], Missing::Guess)?;
/// let y_on_new = etc.instance.time(gridsat_model::TaskId(1), gridsat_model::HostId(1));
/// assert_eq!((y_on_new, etc.guesses.len()), (Some(gridsat_model::Ticks(6)), 1));
/// # Ok::<(), gridsat_tasks::LogError>(())
/// ```
pub fn etc_from(logs: &[(String, Log)], missing: Missing) -> Result<Etc, LogError> {
    let table = Table::new(logs);
    let (tasks, hosts) = (table.tasks.len(), table.hosts.len());
    if tasks.checked_mul(hosts).is_none_or(|pairs| pairs > io::MAX_TIMES) {
        let most = io::MAX_TIMES;
        return Err(LogError::new(format!("{tasks} tasks x {hosts} hosts are more than {most}")));
    }
    let mut times = table.medians();
    let fit = Fit::new(&times, hosts);
    let mut guesses = Vec::new();
    if missing == Missing::Guess {
        let unit = coarsest(&times.iter().flatten().flatten().copied().collect::<Vec<_>>()).0;
        for (task, row) in times.iter_mut().enumerate() {
            for (host, time) in row.iter_mut().enumerate().filter(|(_, time)| time.is_none()) {
                *time = Some(rounded(fit.size[task] * fit.slowness[host], unit));
                guesses.push(Guess { task, host });
            }
        }
    }
    table.check(&times, missing)?;
    let all: Vec<u64> = times.iter().flatten().flatten().copied().collect();
    let (unit, scale) = coarsest(&all);
    let row = |row: Vec<Option<u64>>| {
        row.into_iter().map(|time| time.map(|time| Ticks(time / unit))).collect()
    };
    let parts = InstanceParts {
        name: "etc".to_owned(),
        etc: times.into_iter().map(row).collect(),
        tasks: table.tasks.iter().map(|&name| name.to_owned()).collect(),
        hosts: table.hosts.iter().map(|&name| name.to_owned()).collect(),
        scale,
        ..InstanceParts::default()
    };
    let instance = Instance::new(parts).map_err(|error| LogError::new(error.to_string()))?;
    Ok(Etc { instance, guesses, slowness: fit.slowness, alone: fit.alone })
}

/// A guess in nanoseconds: whole units, or thousandths of itself where those are finer.
fn rounded(nanos: f64, unit: u64) -> u64 {
    let mut step = unit;
    while step > 1 && nanos < 1000.0 * step as f64 {
        step /= 10;
    }
    ((nanos / step as f64).ceil() as u64).saturating_mul(step)
}

/// The measurements by task and host, each in the order of first appearance.
struct Table<'a> {
    tasks: Vec<&'a str>,
    hosts: Vec<&'a str>,
    records: HashMap<(usize, usize), Vec<&'a Record>>,
}

impl<'a> Table<'a> {
    fn new(logs: &'a [(String, Log)]) -> Self {
        let (mut tasks, mut hosts) = (Names::default(), Names::default());
        let mut records = HashMap::<_, Vec<_>>::new();
        for (host, log) in logs {
            for record in &log.records {
                let name = record.host.as_deref().unwrap_or(host);
                let pair = (tasks.number(&record.name), hosts.number(name));
                records.entry(pair).or_default().push(record);
            }
        }
        Self { tasks: tasks.names, hosts: hosts.names, records }
    }

    fn medians(&self) -> Vec<Vec<Option<u64>>> {
        let of = |pair| self.records.get(&pair).and_then(|records| median_of(records));
        let row = |task| (0..self.hosts.len()).map(|host| of((task, host))).collect();
        (0..self.tasks.len()).map(row).collect()
    }

    /// Rejects tasks without any time, and missing pairs if they are errors.
    fn check(&self, times: &[Vec<Option<u64>>], missing: Missing) -> Result<(), LogError> {
        for (task, row) in times.iter().enumerate() {
            let gap = row.iter().position(Option::is_none);
            let name = gridsat_model::text::excerpt(self.tasks[task]);
            if row.iter().all(Option::is_none) {
                return Err(LogError::new(format!("task '{name}' has no time in any log")));
            }
            if let (Missing::Reject, Some(host)) = (missing, gap) {
                let host = gridsat_model::text::excerpt(self.hosts[host]);
                return Err(LogError::new(format!("task '{name}' was not measured on '{host}'")));
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Names<'a> {
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn number(&mut self, name: &'a str) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

/// Sizes of tasks and slowness of hosts, fitted to the measured times.
struct Fit {
    size: Vec<f64>,
    slowness: Vec<f64>,
    alone: Vec<usize>,
}

impl Fit {
    fn new(times: &[Vec<Option<u64>>], hosts: usize) -> Self {
        let known: Vec<Vec<(usize, f64)>> = times.iter().map(|row| measured(row)).collect();
        let mut by_host = vec![Vec::new(); hosts];
        for (task, row) in known.iter().enumerate() {
            row.iter().for_each(|&(host, time)| by_host[host].push((task, time)));
        }
        let (mut size, mut slowness) = (vec![0.0; times.len()], vec![1.0; hosts]);
        for _ in 0..ROUNDS {
            let before = slowness.clone();
            for (task, row) in known.iter().enumerate() {
                size[task] = middle_quotient(row, &slowness).unwrap_or(0.0);
            }
            for (host, column) in by_host.iter().enumerate() {
                slowness[host] = middle_quotient(column, &size).unwrap_or(1.0);
            }
            if before == slowness {
                break;
            }
        }
        let alone = compare_with_first(&known, &mut slowness, &mut size);
        Self { size, slowness, alone }
    }
}

fn measured(row: &[Option<u64>]) -> Vec<(usize, f64)> {
    let known = row.iter().enumerate();
    known.filter_map(|(host, time)| time.map(|time| (host, time as f64))).collect()
}

/// The median of time / part over those with a part above 0.
fn middle_quotient(times: &[(usize, f64)], parts: &[f64]) -> Option<f64> {
    let quotients = times.iter().filter(|&&(at, _)| parts[at] > 0.0);
    let mut quotients: Vec<f64> = quotients.map(|&(at, time)| time / parts[at]).collect();
    quotients.retain(|&quotient| quotient > 0.0);
    quotients.sort_by(f64::total_cmp);
    let count = quotients.len();
    let low = *quotients.get(count.checked_sub(1)? / 2)?;
    Some((low + quotients[count / 2]) / 2.0)
}

/// Divides the slowness of all hosts by that of the first of their component, and returns the hosts
/// outside the component of host 0.
fn compare_with_first(
    known: &[Vec<(usize, f64)>],
    slowness: &mut [f64],
    size: &mut [f64],
) -> Vec<usize> {
    let mut component: Vec<usize> = (0..slowness.len()).collect();
    for row in known {
        let joined: BTreeSet<usize> = row.iter().map(|&(host, _)| component[host]).collect();
        let Some(&least) = joined.first() else { continue };
        component.iter_mut().filter(|c| joined.contains(c)).for_each(|c| *c = least);
    }
    let unit: Vec<f64> = component.iter().map(|&first| slowness[first]).collect();
    for (task, row) in known.iter().enumerate() {
        size[task] *= row.first().map_or(1.0, |&(host, _)| unit[host]);
    }
    slowness.iter_mut().zip(unit).for_each(|(slow, unit)| *slow /= unit);
    (0..component.len()).filter(|&host| component[host] != component[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(rows: &[(&str, f64)]) -> Log {
        let rows: Vec<String> =
            rows.iter().map(|(name, time)| format!("{name},{time}\n")).collect();
        let text = format!("task,time\n{}", rows.concat());
        Log::parse(text.as_bytes(), "list", None).expect("valid")
    }

    fn seconds(etc: &Etc) -> Vec<Vec<f64>> {
        let show = |ticks| etc.instance.scale().display(ticks).as_f64();
        let row = |task| etc.instance.times(task).map(|(_, time)| show(time)).collect();
        etc.instance.tasks().map(row).collect()
    }

    #[test]
    fn missing_pairs_follow_a_chain_of_hosts() {
        // b is twice, c six times as slow as a, and no task ran on both a and c.
        let logs = [
            ("a".to_owned(), list(&[("x", 2.0), ("y", 5.0)])),
            ("b".to_owned(), list(&[("y", 10.0), ("z", 8.0)])),
            ("c".to_owned(), list(&[("z", 24.0)])),
        ];
        let etc = etc_from(&logs, Missing::Guess).expect("valid");
        assert_eq!(seconds(&etc), [[2.0, 4.0, 12.0], [5.0, 10.0, 30.0], [4.0, 8.0, 24.0]]);
        let pairs: Vec<_> = etc.guesses.iter().map(|guess| (guess.task, guess.host)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2), (2, 0)]);
        assert_eq!((etc.slowness, etc.alone), (vec![1.0, 2.0, 6.0], vec![]));
    }

    #[test]
    fn hosts_without_common_tasks_are_taken_as_equal() {
        let logs = [("a".to_owned(), list(&[("x", 2.0)])), ("b".to_owned(), list(&[("y", 3.0)]))];
        let etc = etc_from(&logs, Missing::Guess).expect("valid");
        assert_eq!((seconds(&etc), etc.alone), (vec![vec![2.0, 2.0], vec![3.0, 3.0]], vec![1]));
        let forbidden = etc_from(&logs, Missing::Forbid).expect("valid");
        assert_eq!(forbidden.instance.times(gridsat_model::TaskId(0)).count(), 1);
        let error = etc_from(&logs, Missing::Reject).expect_err("missing");
        assert_eq!(error.to_string(), "task 'x' was not measured on 'b'");
    }

    #[test]
    fn guesses_have_at_most_the_digits_of_measurements() {
        let logs = [
            ("a".to_owned(), list(&[("x", 3.0), ("y", 10.0)])),
            ("b".to_owned(), list(&[("x", 1.0)])),
        ];
        let etc = etc_from(&logs, Missing::Guess).expect("valid");
        // 10 / 3, to a thousandth of itself.
        assert_eq!(seconds(&etc)[1], [10.0, 3.334]);
        assert_eq!(rounded(0.0, 1000), 0);
    }
}

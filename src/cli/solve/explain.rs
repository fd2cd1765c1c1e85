//! `solve --explain`: one paragraph on which hosts and tasks determine the lower bound, and on what
//! one more host could gain at best. It states only what the weights of the linear bound prove.

use std::time::Duration;

use gridsat_draw::number::rounded;
use gridsat_exact::bounds::Explanation;
use gridsat_exact::solve::Solution;
use gridsat_model::text::{printable, wrapped};
use gridsat_model::{HostId, Instance, Stop, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::json::Number;
use super::super::table::width;

/// Time for the explanation, in addition to the time limit of the search.
const LIMIT: Duration = Duration::from_secs(10);
/// Most hosts and tasks that are named.
const NAMED: usize = 5;
/// Longest line of the paragraph, in characters.
const WIDTH: usize = 96;

pub struct Explained<'a> {
    instance: &'a Instance,
    solution: &'a Solution,
    explanation: Explanation,
}

/// The field `explanation` of `--format json`. Shares are from 0 to 1.
#[derive(Serialize, JsonSchema)]
pub struct JsonExplanation {
    /// The explanation in words.
    text: String,
    /// Lower bound by host weights.
    lower_bound: Number,
    /// Hosts with positive weight, the largest share first.
    hosts: Vec<JsonShare>,
    /// Tasks with their share of the weighted work, the largest first.
    tasks: Vec<JsonShare>,
    /// What one more host like each of these, ready at 0, could achieve at best.
    one_more: Vec<JsonOneMore>,
}

#[derive(Serialize, JsonSchema)]
struct JsonShare {
    /// Number from 0 in the order of the instance.
    number: u32,
    /// Name in the instance.
    name: String,
    /// Its share of the whole, 0 to 1.
    share: f64,
}

#[derive(Serialize, JsonSchema)]
struct JsonOneMore {
    /// Number of the host that is duplicated.
    like: u32,
    /// Name of the host that is duplicated.
    name: String,
    /// With it, no mapping has a smaller makespan.
    lower_bound: Number,
}

impl<'a> Explained<'a> {
    pub fn new(instance: &'a Instance, solution: &'a Solution, stop: &Stop) -> Self {
        let stop = stop.without_deadline().within(LIMIT);
        Self { instance, solution, explanation: Explanation::new(instance, &stop) }
    }

    /// The paragraph, broken into lines.
    pub fn paragraph(&self) -> String {
        wrapped(&self.text(), width().map_or(WIDTH, |width| WIDTH.min(width.into()))).join("\n")
    }

    fn text(&self) -> String {
        let parts = [self.why(), self.beyond(), self.one_more()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }

    fn why(&self) -> String {
        let Explanation { bound, hosts, tasks, .. } = &self.explanation;
        let value = self.show(bound.value());
        match (hosts.as_slice(), tasks.as_slice()) {
            ([], []) => "No lower bound above 0 is known.".to_owned(),
            ([], [(task, _), ..]) => {
                let name = printable(self.instance.task_name(*task));
                format!(
                    "No mapping has a makespan below {value}: no host completes task {name} \
                     sooner, even alone."
                )
            }
            ([(host, _), ..], []) => {
                format!(
                    "No mapping has a makespan below {value}: host {} is not free sooner.",
                    self.host(*host)
                )
            }
            (hosts, tasks) => {
                let hosts = named(hosts, |host| self.host(host));
                let tasks = named(tasks, |task| printable(self.instance.task_name(task)));
                format!(
                    "No mapping has a makespan below {value}: weighting each host by how scarce \
                     its time is ({hosts}), the tasks need all weighted time until then, even with \
                     each on its cheapest host. The largest parts of that work are {tasks}."
                )
            }
        }
    }

    /// A sentence on the final lower bound, if it is higher.
    fn beyond(&self) -> String {
        let proven = self.solution.lower_bound();
        match proven.ticks() > self.explanation.bound.value() {
            true => format!(
                "The proven lower bound, {proven}, is higher: it rests on {}.",
                self.solution.bound_by()
            ),
            false => String::new(),
        }
    }

    fn one_more(&self) -> String {
        let makespan = self.solution.mapping().makespan();
        let all = &self.explanation.one_more;
        let (helpful, useless): (Vec<_>, Vec<_>) =
            all.iter().partition(|(_, bound)| *bound < makespan);
        let makespan = self.show(makespan);
        let gain = |&&(host, bound): &&(HostId, Ticks)| {
            format!("{} with one like {}", self.show(bound), self.host(host))
        };
        let gains = helpful.iter().map(gain).collect::<Vec<_>>().join(", ");
        let names = useless.iter().map(|(host, _)| self.host(*host)).collect::<Vec<_>>().join(", ");
        let helpful = format!(
            "With one more host, free from the start, the makespan {makespan} could at best become \
             {gains}; these are bounds, and the true gain may be smaller."
        );
        let useless = format!("One more host like {names} cannot shorten the makespan {makespan}.");
        let parts = [(!gains.is_empty(), helpful), (!names.is_empty(), useless)];
        let parts = parts.into_iter().filter(|(is_said, _)| *is_said).map(|(_, text)| text);
        parts.collect::<Vec<_>>().join(" ")
    }

    fn host(&self, host: HostId) -> String {
        printable(self.instance.host_name(host))
    }

    fn show(&self, ticks: Ticks) -> String {
        self.instance.scale().display(ticks).to_string()
    }

    pub fn json(&self) -> JsonExplanation {
        let Explanation { bound, hosts, tasks, one_more } = &self.explanation;
        let shown = |ticks| Number::new(self.instance.scale(), ticks);
        let share = |number, name: &str, share| JsonShare {
            number,
            name: name.to_owned(),
            share: rounded(share, 6),
        };
        let host_share =
            |&(host, part): &(HostId, f64)| share(host.0, self.instance.host_name(host), part);
        let more = |&(host, bound): &(HostId, Ticks)| JsonOneMore {
            like: host.0,
            name: self.instance.host_name(host).to_owned(),
            lower_bound: shown(bound),
        };
        JsonExplanation {
            text: self.text(),
            lower_bound: shown(bound.value()),
            hosts: hosts.iter().map(host_share).collect(),
            tasks: tasks
                .iter()
                .map(|&(task, part)| share(task.0, self.instance.task_name(task), part))
                .collect(),
            one_more: one_more.iter().map(more).collect(),
        }
    }
}

/// The first few names with their shares, and the number of the others.
fn named<T: Copy>(parts: &[(T, f64)], name: impl Fn(T) -> String) -> String {
    let shown = parts.iter().take(NAMED);
    let shown = shown.map(|&(of, part)| format!("{} {:.1}\u{a0}%", name(of), 100.0 * part));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match parts.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

//! The split itself.

use gridsat_exact::solve::{Certificate, Solution};
use gridsat_model::{Instance, Scale, Ticks, Time};
use gridsat_tasks::TaskList;

use crate::divide;
use crate::fewest::{self, Fewest};
use crate::options::{Groups, Shards, SplitOptions};
use crate::problem::{Problem, SplitError};
use crate::prove;

/// One shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// `shard-1`, …, or the name of the runner.
    pub name: String,
    /// Numbers of its tasks in the list, ascending.
    pub tasks: Vec<usize>,
    /// When it ends, with the overhead and all set-ups.
    pub end: Time,
}

/// Tasks in shards, and what is proven about them.
pub struct Split {
    names: Vec<String>,
    shards: Vec<Shard>,
    lower: Ticks,
    scale: Scale,
    defaulted: (Vec<usize>, Ticks),
    fewest: Option<Fewest>,
    proof: Option<(Instance, Solution)>,
}

/// Splits the tasks of a list. The same list and options give the same split on every machine.
pub fn split(list: &TaskList, options: &SplitOptions) -> Result<Split, SplitError> {
    let problem = Problem::new(list, options)?;
    let is_divided = matches!(options.groups, Groups::Divided { .. });
    let (shards, at_least) = match &options.shards {
        Shards::Count(0) => return Err(SplitError::NoShards),
        Shards::Runners(runners) if runners.is_empty() => return Err(SplitError::NoShards),
        Shards::Runners(_) if is_divided => return Err(SplitError::DividedRunners),
        Shards::Runners(runners) => (runners.len(), None),
        Shards::Count(count) => (*count, None),
        Shards::Target(target) => {
            let target = target / problem.unit;
            let found = match is_divided {
                true => fewest_divided(&problem, target),
                false => fewest::fewest(&problem, target),
            };
            let found = found.map_err(|error| named(error, list))?;
            let fewest::Found { shards, at_least, is_certified } = found;
            let target = problem.scale.display(Ticks(target));
            (shards, Some(Fewest { target, at_least, is_certified }))
        }
    };
    if shards > Instance::MAX_HOSTS {
        return Err(SplitError::TooManyShards(shards));
    }
    let target = at_least.map(|fewest: Fewest| fewest.target.ticks().0);
    let mut found = match &options.shards {
        _ if is_divided => divided(&problem, shards, target),
        Shards::Runners(runners) => {
            let instance = prove::unequal(&problem, runners)?;
            let start = prove::longest_first(&instance, &problem.times());
            proven(&problem, instance, &start)?
        }
        _ => {
            let instance = prove::equal(&problem, shards)?;
            let start = prove::packed(&problem, shards);
            proven(&problem, instance, &start)?
        }
    };
    found.fewest = at_least;
    found.names = list.tasks().iter().map(|task| task.name.clone()).collect();
    if !matches!(options.shards, Shards::Runners(_)) {
        found.sort_shards();
    }
    Ok(found)
}

/// The error with the task's name instead of its number.
fn named(error: SplitError, list: &TaskList) -> SplitError {
    match error {
        SplitError::Unreachable { target, task, time } => {
            let number = task.strip_prefix("task ").and_then(|number| number.parse::<usize>().ok());
            let known = number.and_then(|number| list.tasks().get(number.checked_sub(1)?));
            let task = known.map_or(task, |known| known.name.clone());
            SplitError::Unreachable { target, task, time }
        }
        error => error,
    }
}

fn proven(problem: &Problem, instance: Instance, start: &[usize]) -> Result<Split, SplitError> {
    let solution = prove::solve(&instance, start)?;
    let place: Vec<usize> = solution.mapping().hosts().iter().map(|host| host.index()).collect();
    let loads: Vec<u64> = solution.mapping().loads().iter().map(|load| load.0).collect();
    let names = instance.hosts().map(|host| instance.host_name(host).to_owned()).collect();
    let lower = solution.lower_bound().ticks();
    let split = Split::new(problem, &place, loads, names, lower);
    Ok(Split { proof: Some((instance, solution)), ..split })
}

fn divided(problem: &Problem, shards: usize, target: Option<u64>) -> Split {
    let (place, low) = divide::divide(problem, shards, target);
    let loads = divide::loads(problem, &place, shards);
    let names = (1..=shards).map(|shard| format!("shard-{shard}")).collect();
    Split::new(problem, &place, loads, names, Ticks(low))
}

/// The fewest shards for divided groups, and how many it takes at least.
fn fewest_divided(problem: &Problem, target: u64) -> Result<fewest::Found, SplitError> {
    let found = divide::fewest(problem, target);
    let found = found.map(|(shards, at_least)| fewest::Found {
        shards,
        at_least,
        // No shard at all is no claim.
        is_certified: at_least == 1,
    });
    found.ok_or_else(|| {
        let longest = problem.items.iter().max_by_key(|item| item.ticks);
        let (task, ticks) = longest.map_or((0, 0), |item| (item.tasks[0], item.ticks));
        fewest::unreachable(problem, target, task, ticks + problem.setup)
    })
}

impl Split {
    fn new(
        problem: &Problem,
        place: &[usize],
        loads: Vec<u64>,
        names: Vec<String>,
        lower: Ticks,
    ) -> Self {
        let scale = problem.scale;
        let shard =
            |(name, load)| Shard { name, tasks: Vec::new(), end: scale.display(Ticks(load)) };
        let mut shards: Vec<Shard> = names.into_iter().zip(loads).map(shard).collect();
        for (item, &at) in problem.items.iter().zip(place) {
            shards[at].tasks.extend(&item.tasks);
        }
        shards.iter_mut().for_each(|shard| shard.tasks.sort_unstable());
        let (defaulted, ticks) = problem.defaulted.clone();
        Self {
            names: Vec::new(),
            shards,
            lower,
            scale,
            defaulted: (defaulted, Ticks(ticks)),
            fewest: None,
            proof: None,
        }
    }

    /// Equal shards in the order of their first tasks, so that similar splits look alike; empty
    /// ones are last.
    fn sort_shards(&mut self) {
        self.shards.sort_by_key(|shard| shard.tasks.first().copied().unwrap_or(usize::MAX));
        for (at, shard) in self.shards.iter_mut().enumerate() {
            shard.name = format!("shard-{}", at + 1);
        }
    }

    /// The shards.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The names of a shard's tasks; none if there is no such shard.
    pub fn names(&self, shard: usize) -> impl Iterator<Item = &str> {
        let tasks = self.shards.get(shard).map_or(&[][..], |shard| &shard.tasks);
        tasks.iter().map(|&task| &*self.names[task])
    }

    /// When the last shard ends.
    pub fn makespan(&self) -> Time {
        let ends = self.shards.iter().map(|shard| shard.end.ticks());
        self.scale.display(ends.max().unwrap_or_default())
    }

    /// No split into as many shards ends sooner. The checker has accepted a certificate of that if
    /// there is a [proof](Self::proof); otherwise it is known by counting.
    pub fn lower_bound(&self) -> Time {
        self.scale.display(self.lower)
    }

    /// Whether no split into as many shards ends sooner than this one.
    pub fn is_optimal(&self) -> bool {
        self.lower == self.makespan().ticks()
    }

    /// Numbers of tasks that were never measured, and the time that was taken instead.
    pub fn defaulted(&self) -> (&[usize], Time) {
        (&self.defaulted.0, self.scale.display(self.defaulted.1))
    }

    /// With a target: whether fewer shards could do.
    pub fn fewest(&self) -> Option<Fewest> {
        self.fewest
    }

    /// The instance that was solved and its certificate. Hosts are shards, in an order of their
    /// own; tasks are tasks or groups. None if groups are divided: no matrix says that.
    pub fn proof(&self) -> Option<(&Instance, &Certificate)> {
        self.proof.as_ref().map(|(instance, solution)| (instance, solution.certificate()))
    }
}

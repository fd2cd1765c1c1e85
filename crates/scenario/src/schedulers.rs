//! `[[scheduler]]`: the schedulers, their policies, modes and targets.

use std::time::Duration;

use super::Changes;
use super::conduct;
use super::error::{At, Fault, ensure, label, quoted};
use super::file;
use super::grid::{Resources, check_name};
use super::number::positive_ticks;
use super::optimal_batches::Kept;
use super::policy::{Exactness, Means, Policies, Policy, When};
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::strategy::Strategy;
use gridsat_grid::{
    Conduct, Estimator, Mode, ResourceId, SchedulerId, SchedulerSpec, SiteId, Target,
};
use gridsat_model::Ticks;
use gridsat_statistics::random;

const WAIT: f64 = 10.0;
/// Default evaluations per batch of a policy that is a search.
const EVALUATIONS: u64 = 20_000;

/// Larger numbers are rejected as typing errors.
const MAX_TARGETS: usize = 10_000_000;

/// A checked scheduler.
#[derive(Clone)]
pub(super) struct SchedulerEntry {
    label: String,
    name: String,
    pub policy: Policy,
    mode: Mode,
    wait: Ticks,
    pub estimator: Estimator,
    pub targets: Vec<Target>,
    pub conduct: Conduct,
    exactness: Exactness,
    evaluations: u64,
}

/// All schedulers, in order.
#[derive(Clone)]
pub(super) struct Schedulers(Vec<SchedulerEntry>);

impl Schedulers {
    /// `is_mapped` says whether there is a mapping to replay.
    pub fn check(
        given: &[file::Scheduler],
        is_mapped: bool,
        resources: &Resources,
        policies: &Policies,
    ) -> Result<Self, Fault> {
        let (name, policy) = (Some("main".to_owned()), is_mapped.then(|| "fixed".to_owned()));
        let default = [file::Scheduler { name, policy, ..Default::default() }];
        let given = if given.is_empty() { &default } else { given };
        let names = names(given, resources)?;
        let mut entries = Vec::with_capacity(given.len());
        let mut target_count = 0;
        for (index, scheduler) in given.iter().enumerate() {
            let label = label("scheduler", index, scheduler.name.as_deref());
            let policy = policies.find(scheduler.policy.as_deref().unwrap_or("mct")).at(&label)?;
            let mut entry =
                entry(scheduler, policy, index, label.clone(), &names, resources).at(&label)?;
            entry.policy = policies.in_mode(entry.policy, entry.mode);
            target_count += entry.targets.len();
            ensure(target_count <= MAX_TARGETS, || {
                format!(
                    "{label}: {target_count} targets so far, at most {MAX_TARGETS} are possible"
                )
            })?;
            entries.push(entry);
        }
        Ok(Self(entries))
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn entry(&self, id: SchedulerId) -> &SchedulerEntry {
        &self.0[id.index()]
    }

    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &SchedulerEntry> + ExactSizeIterator {
        self.0.iter()
    }

    /// The scheduler of this name; the first one for `None`.
    pub fn named(&self, name: Option<&str>) -> Result<SchedulerId, Fault> {
        let Some(name) = name else { return Ok(SchedulerId(0)) };
        let found = self.0.iter().position(|entry| entry.name == name);
        let found =
            found.ok_or_else(|| Fault::new(format!("there is no scheduler {}", quoted(name))))?;
        Ok(SchedulerId(found as u32))
    }

    /// Checks that brokers have resources with prices and decide at intervals; `policy` as in
    /// [`Self::build`].
    pub fn check_brokers(&self, policy: Option<&Policy>) -> Result<(), Fault> {
        for entry in &self.0 {
            let (policy, mode) = entry.decides(policy);
            let (label, name) = (&entry.label, policy.name);
            let is_any = |target: &Target| matches!(target, Target::Scheduler(_));
            ensure(!policy.is_broker() || !entry.targets.iter().any(is_any), || {
                format!(
                    "{label}: policy \"{name}\" needs resources as targets, but a target is a \
                     scheduler"
                )
            })?;
            ensure(!policy.is_broker() || mode.period().is_some(), || {
                format!("{label}: policy \"{name}\" needs mode \"batch\" or \"time-limit\"")
            })?;
        }
        Ok(())
    }

    /// New schedulers of a run with this seed.
    pub fn build(
        &self,
        changes: &Changes,
        seed: u64,
        mapping: &[ResourceId],
    ) -> Vec<SchedulerSpec> {
        let build = |(index, entry): (u64, &SchedulerEntry)| {
            let (policy, mode) = entry.decides(changes.policy.as_ref());
            let mapping = if policy.is_fixed() { mapping.to_vec() } else { Vec::new() };
            let means = Means {
                exactness: entry.exactness.clone(),
                evaluations: changes.evaluations.unwrap_or(entry.evaluations),
                seed: random::seed(seed, "scheduler", index),
                stop: changes.stop.clone(),
                mapping,
                kept: changes.certificates.as_deref().map(|folder| Kept::new(folder, index)),
            };
            SchedulerSpec {
                name: entry.name.clone(),
                policy: policy.name.to_owned(),
                mode,
                mapper: policy.mapper(&means),
                estimator: entry.estimator,
                targets: entry.targets.clone(),
                conduct: entry.conduct.clone(),
            }
        };
        (0..).zip(&self.0).map(build).collect()
    }
}

impl SchedulerEntry {
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The schedulers to which it passes jobs that arrive.
    pub fn passed_to(&self) -> impl Iterator<Item = SchedulerId> {
        let passing = self.conduct.passing.iter().filter(|passing| passing.sends);
        passing.flat_map(|passing| passing.peers.iter().copied())
    }

    pub fn maps_onto_resources(&self) -> bool {
        self.targets.iter().any(|target| matches!(target, Target::Resource(_)))
    }

    /// The policy and mode; `policy` replaces its policy if it sends jobs to resources.
    fn decides<'a>(&'a self, policy: Option<&'a Policy>) -> (&'a Policy, Mode) {
        match policy {
            Some(policy) if self.maps_onto_resources() => (policy, self.mode_of(policy)),
            _ => (&self.policy, self.mode),
        }
    }

    /// The default mode of another policy; no default mode counts jobs.
    fn mode_of(&self, policy: &Policy) -> Mode {
        policy.when.mode(self.wait, None).unwrap_or(self.mode)
    }
}

/// Names of all schedulers, which must be unique and differ from those of resources.
fn names(given: &[file::Scheduler], resources: &Resources) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::with_capacity(given.len());
    for (index, scheduler) in given.iter().enumerate() {
        let name = scheduler.name.clone().unwrap_or_else(|| format!("s{index}"));
        let label = label("scheduler", index, scheduler.name.as_deref());
        check_name(&name).at(&label)?;
        ensure(!names.contains(&name), || {
            format!("{label}: name {} is used twice", quoted(&name))
        })?;
        ensure(resources.named(&name).is_none(), || {
            format!("{label}: {} is also the name of a resource", quoted(&name))
        })?;
        names.push(name);
    }
    Ok(names)
}

fn entry(
    given: &file::Scheduler,
    policy: Policy,
    index: usize,
    label: String,
    names: &[String],
    resources: &Resources,
) -> Result<SchedulerEntry, Fault> {
    let wait = positive_ticks("wait", given.wait.unwrap_or(WAIT))?;
    let mode = mode(given, &policy, wait)?;
    let estimator = estimator(given.estimator.as_deref())?;
    let targets = targets(given.targets.as_deref(), index, names, resources)?;
    check_estimator(estimator, &targets, resources)?;
    let exactness = exactness(given)?;
    let evaluations = given.evaluations.unwrap_or(EVALUATIONS);
    ensure(evaluations > 0, || Fault::Zero { key: "evaluations" })?;
    let seconds = given.wait.unwrap_or(WAIT);
    let conduct = conduct::check(given, &policy, mode, seconds, index, names)?;
    let name = names[index].clone();
    Ok(SchedulerEntry {
        label,
        name,
        policy,
        mode,
        wait,
        estimator,
        targets,
        conduct,
        exactness,
        evaluations,
    })
}

fn exactness(given: &file::Scheduler) -> Result<Exactness, Fault> {
    let default = Exactness::default();
    let gap = given.gap.unwrap_or(default.gap);
    ensure((0.0..=1.0).contains(&gap), || format!("gap is {gap}, not from 0 to 1"))?;
    let limit = given.time_limit.map_or(Ok(default.limit), time_limit)?;
    let strategy = choice("strategy", given.strategy.as_deref(), &STRATEGIES)?;
    let solver = choice("solver", given.solver.as_deref(), &SOLVERS)?;
    // A solver that is not there is reported before the simulation begins.
    solver.build().map_err(|error| Fault::new(format!("solver: {error}")))?;
    Ok(Exactness { gap, limit, strategy, solver })
}

fn time_limit(seconds: f64) -> Result<Duration, Fault> {
    let limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
    limit.ok_or_else(|| {
        Fault::new(format!("time_limit is {seconds}, not a number of seconds above 0"))
    })
}

/// Not the thesis' own strategy: its formula has a clause per tick, and ticks are nanoseconds.
const STRATEGIES: [(&str, Strategy); 2] = [("auto", Strategy::Auto), ("sat", Strategy::Sat)];

/// Not any command line, as `gridsat solve` takes: reading a scenario of a stranger must not run
/// programs of his choice.
const SOLVERS: [(&str, SolverChoice); 2] =
    [("varisat", SolverChoice::Varisat), ("cadical", SolverChoice::Cadical)];

/// The value of this name; the first one for `None`.
fn choice<T: Clone>(
    key: &'static str,
    name: Option<&str>,
    all: &[(&'static str, T)],
) -> Result<T, Fault> {
    let Some(name) = name else { return Ok(all[0].1.clone()) };
    let found = all.iter().find(|(known, _)| *known == name);
    let known = all.iter().map(|(known, _)| *known);
    found.map(|(_, it)| it.clone()).ok_or_else(|| Fault::unknown(key, name, known))
}

fn mode(given: &file::Scheduler, policy: &Policy, wait: Ticks) -> Result<Mode, Fault> {
    let when = match given.mode.as_deref() {
        None => policy.when,
        Some(name) => {
            let found = When::ALL.into_iter().find(|when| when.name() == name);
            found.ok_or_else(|| Fault::unknown("mode", name, When::ALL.map(When::name)))?
        }
    };
    ensure(when == policy.when || !policy.is_time_limited(), || {
        let (policy, mode) = (policy.name, when.name());
        format!("policy \"{policy}\" always has mode \"time-limit\", not \"{mode}\"")
    })?;
    let counts = when == When::Count;
    ensure(!counts || given.jobs.is_some(), || "mode \"count\" needs jobs")?;
    let flows = given.adapt.as_deref() == Some("flow");
    ensure(counts || flows || given.jobs.is_none(), || {
        Fault::only("jobs", "mode \"count\" and adapt = \"flow\"")
    })?;
    ensure(given.jobs != Some(0), || Fault::Zero { key: "jobs" })?;
    Ok(when.mode(wait, given.jobs).expect("jobs are given if they are counted"))
}

fn estimator(name: Option<&str>) -> Result<Estimator, Fault> {
    choice("estimator", name, &Estimator::NAMES)
}

/// Equation 4.3 does not apply to time-shared resources.
fn check_estimator(
    estimator: Estimator,
    targets: &[Target],
    resources: &Resources,
) -> Result<(), Fault> {
    let is_time_shared = |target: &Target| match target {
        Target::Resource(id) => !resources.entry(*id).sharing.is_space_shared(),
        Target::Scheduler(_) => false,
    };
    let is_wrong = estimator == Estimator::Delay && targets.iter().any(is_time_shared);
    ensure(
        !is_wrong,
        || "estimator \"delay\" is for space-shared resources only, but a target is time-shared",
    )
}

fn targets(
    given: Option<&[String]>,
    index: usize,
    names: &[String],
    resources: &Resources,
) -> Result<Vec<Target>, Fault> {
    let Some(given) = given else { return Ok(resources.all().map(Target::Resource).collect()) };
    ensure(!given.is_empty(), || "targets is empty")?;
    let mut is_resource = vec![false; resources.count()];
    let mut is_scheduler = vec![false; names.len()];
    let mut all = Vec::new();
    for (position, text) in given.iter().enumerate() {
        let shown = format!("targets[{position}] {}", quoted(text));
        for target in resolve(text, index, names, resources).at(&shown)? {
            let is_known = match target {
                Target::Resource(id) => &mut is_resource[id.index()],
                Target::Scheduler(id) => &mut is_scheduler[id.index()],
            };
            ensure(!std::mem::replace(is_known, true), || {
                format!("{shown}: a target is listed twice")
            })?;
            all.push(target);
        }
    }
    Ok(all)
}

fn resolve(
    text: &str,
    index: usize,
    names: &[String],
    resources: &Resources,
) -> Result<Vec<Target>, Fault> {
    if text == "*" {
        return Ok(resources.all().map(Target::Resource).collect());
    }
    if let Some(site) = text.strip_prefix("site:") {
        let found = resources.sites.iter().position(|name| name == site);
        let site = SiteId(found.ok_or_else(|| Fault::new("there is no such site"))? as u32);
        let there = resources.all().filter(|&id| resources.entry(id).site == site);
        return Ok(there.map(Target::Resource).collect());
    }
    if let Some(range) = resources.named(text) {
        return Ok(range.map(|number| Target::Resource(ResourceId(number))).collect());
    }
    let found = names.iter().position(|name| name == text);
    let found = found.ok_or_else(|| Fault::new("there is no such resource or scheduler"))?;
    ensure(found > index, || "a scheduler can only send to schedulers listed after it")?;
    Ok(vec![Target::Scheduler(SchedulerId(found as u32))])
}

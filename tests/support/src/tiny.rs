//! Instances small enough for brute force, of every kind that has its own code somewhere.

use gridsat_model::{HostId, Instance, InstanceParts, Mapping, TaskId, Ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is special about an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Small,
    Zeros,
    Forbidden,
    Ready,
    EqualTasks,
    EqualHosts,
    Huge,
    JobCorrelated,
    MachineCorrelated,
    Everything,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Small,
        Self::Zeros,
        Self::Forbidden,
        Self::Ready,
        Self::EqualTasks,
        Self::EqualHosts,
        Self::Huge,
        Self::JobCorrelated,
        Self::MachineCorrelated,
        Self::Everything,
    ];

    /// The kind of a seed; kinds take turns.
    pub fn of(seed: u64) -> Self {
        Self::ALL[(seed % Self::ALL.len() as u64) as usize]
    }
}

/// Up to 7 tasks on up to 4 hosts. The seed determines everything, including the kind.
pub fn instance(seed: u64) -> Instance {
    sized(seed, 7, 4)
}

/// Like [`instance`], with other limits on tasks and hosts.
pub fn sized(seed: u64, most_tasks: usize, most_hosts: usize) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (n, m) = (rng.random_range(1..=most_tasks), rng.random_range(1..=most_hosts));
    let kind = Kind::of(seed);
    let mut etc: Vec<Vec<Option<Ticks>>> = times(kind, n, m, &mut rng);
    if matches!(kind, Kind::Forbidden | Kind::Everything) {
        forbid(&mut etc, &mut rng);
    }
    let ready = match kind {
        Kind::Ready | Kind::Everything => (0..m).map(|_| Ticks(rng.random_range(0..=12))).collect(),
        _ => Vec::new(),
    };
    let name = format!("{kind:?}-{seed}");
    let parts = InstanceParts { name, etc, ready, ..InstanceParts::default() };
    Instance::new(parts).expect("every task keeps a host")
}

fn times(kind: Kind, n: usize, m: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<Option<Ticks>>> {
    let task: Vec<u64> = (0..n).map(|_| rng.random_range(1..=9)).collect();
    let host: Vec<u64> = (0..m).map(|_| rng.random_range(1..=9)).collect();
    let classes: Vec<Vec<u64>> =
        (0..2).map(|_| (0..n.max(m)).map(|_| rng.random_range(1..=9)).collect()).collect();
    let class: Vec<usize> = (0..n.max(m)).map(|_| rng.random_range(0..2)).collect();
    let mut time = |t: usize, h: usize| match kind {
        Kind::Small | Kind::Forbidden | Kind::Ready => rng.random_range(1..=20),
        Kind::Zeros => rng.random_range(0..=2),
        Kind::EqualTasks => classes[class[t]][h],
        Kind::EqualHosts => classes[class[h]][t],
        Kind::Huge => rng.random_range(900_000_000_000..=1_100_000_000_000),
        Kind::JobCorrelated => task[t] * 5 + rng.random_range(0..=3),
        Kind::MachineCorrelated => host[h] * 5 + rng.random_range(0..=3),
        Kind::Everything => classes[class[t]][h] - rng.random_range(0..=1),
    };
    (0..n).map(|t| (0..m).map(|h| Some(Ticks(time(t, h)))).collect()).collect()
}

/// Times up to `longest` and ready times up to `latest`; each pair is forbidden with the given
/// probability, but a task keeps at least one host.
pub fn drawn(
    rng: &mut ChaCha8Rng,
    (tasks, hosts): (usize, usize),
    (longest, latest): (u64, u64),
    forbidden: f64,
) -> Instance {
    let mut row = || -> Vec<Option<Ticks>> {
        let sure = rng.random_range(0..hosts);
        let mut time = |host| {
            let time = Ticks(rng.random_range(0..=longest));
            (host == sure || !rng.random_bool(forbidden)).then_some(time)
        };
        (0..hosts).map(&mut time).collect()
    };
    let etc = (0..tasks).map(|_| row()).collect();
    let ready = (0..hosts).map(|_| Ticks(rng.random_range(0..=latest))).collect();
    let parts = InstanceParts { etc, ready, ..InstanceParts::default() };
    Instance::new(parts).expect("every task keeps a host")
}

/// The instance with another time for this pair, and without names.
pub fn with_time(instance: &Instance, task: TaskId, host: HostId, time: Ticks) -> Instance {
    let new = |t, h| if (t, h) == (task, host) { Some(time) } else { instance.time(t, h) };
    let etc = instance.tasks().map(|t| instance.hosts().map(|h| new(t, h)).collect()).collect();
    let ready = instance.hosts().map(|host| instance.ready(host)).collect();
    let parts = InstanceParts { etc, ready, ..InstanceParts::default() };
    Instance::new(parts).expect("a little different")
}

/// Forbids about a third of the pairs, but never the last one of a task.
fn forbid(etc: &mut [Vec<Option<Ticks>>], rng: &mut ChaCha8Rng) {
    for row in etc {
        let kept = rng.random_range(0..row.len());
        for (h, time) in row.iter_mut().enumerate() {
            if h != kept && rng.random_range(0..3) == 0 {
                *time = None;
            }
        }
    }
}

/// The smallest makespan, by brute force that skips what is already worse.
pub fn optimum(instance: &Instance) -> Ticks {
    let mut loads: Vec<Ticks> = instance.hosts().map(|h| instance.ready(h)).collect();
    let mut best = Ticks::MAX;
    place(instance, 0, &mut loads, &mut best);
    best
}

fn place(instance: &Instance, task: u32, loads: &mut [Ticks], best: &mut Ticks) {
    let makespan = loads.iter().copied().max().unwrap_or(Ticks::ZERO);
    if makespan >= *best {
        return;
    }
    if task as usize == instance.task_count() {
        *best = makespan;
        return;
    }
    for h in 0..loads.len() {
        if let Some(time) = instance.time(TaskId(task), HostId(h as u32)) {
            loads[h] += time;
            place(instance, task + 1, loads, best);
            loads[h] -= time;
        }
    }
}

/// All mappings of the instance.
pub fn mappings(instance: &Instance) -> Vec<Mapping> {
    let mut partial: Vec<Vec<HostId>> = vec![Vec::new()];
    for task in instance.tasks() {
        let extend = |hosts: &Vec<HostId>| {
            let hosts = hosts.clone();
            instance.times(task).map(move |(host, _)| [&hosts[..], &[host]].concat())
        };
        partial = partial.iter().flat_map(extend).collect();
    }
    let mapping = |hosts| Mapping::new(instance, hosts).expect("possible pairs");
    partial.into_iter().map(mapping).collect()
}

/// A mapping with the smallest makespan.
pub fn best(instance: &Instance) -> Mapping {
    mappings(instance).into_iter().min_by_key(Mapping::makespan).expect("tasks keep a host")
}

/// A mapping with the largest makespan.
pub fn worst(instance: &Instance) -> Mapping {
    mappings(instance).into_iter().max_by_key(Mapping::makespan).expect("tasks keep a host")
}

//! Seeded random instances of the classes of the literature.
//!
//! | class | time of task t on host h | source |
//! |---|---|---|
//! | `u_c_hihi` … `u_i_lolo` | `b_t · r_th`, b in U(1, 3000 or 100), r in U(1, 1000 or 10) | Braun et al. 2001 |
//! | `U1-100`, `U10-100`, …, any `Ua-b` | U(a, b) | Fanjul-Peyro and Ruiz 2010 |
//! | `jobcorr` | `b_t + d_th`, b in U(1, 100), d in U(1, 20) | the same |
//! | `maccorr` | `a_h + d_th`, a in U(1, 100), d in U(1, 20) | the same |
//! | `equal-…` | the same on all hosts, see [`EqualClass`] | P\|\|Cmax |
//!
//! The first letter after `u_` says which part of each row is sorted: `c` all of it, `s` its even
//! columns, `i` none. Times are drawn in whole ticks (Braun's factors in millionths), so a seed
//! gives the same instance on every machine. Times, forbidden pairs, ready times and QoS levels
//! come from four streams of the seed, so the others do not change the times.

mod class;
mod equal;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use thiserror::Error;

pub use class::{Consistency, EtcClass, Heterogeneity, UnknownClass};
pub use equal::EqualClass;

use gridsat_model::{Instance, InstanceError, InstanceParts, Levels, Scale, Ticks};

/// The specification of a random instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EtcSpec {
    /// The class, which says how times are distributed.
    pub class: EtcClass,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of hosts.
    pub hosts: usize,
    /// Decimal places of the times, at most [`EtcSpec::MAX_DECIMALS`].
    pub decimals: u32,
    /// Probability that a pair is forbidden, in percent; each task keeps at least one host.
    pub forbidden_percent: u8,
    /// Ready times are uniform from 0 to this, in time units; 0 for none.
    pub ready_max: u32,
    /// Shares of tasks and hosts with QoS level 1; `None` for no levels.
    pub qos: Option<QosShares>,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// How many tasks request QoS level 1, and how many hosts offer it (thesis, section 4.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QosShares {
    /// Probability that a task requests it, in percent.
    pub tasks: u8,
    /// Share of the hosts that offer it, in percent, rounded to the nearest number, but at least
    /// one host. They are drawn at random.
    pub hosts: u8,
}

/// Why there is no instance of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum GenerateError {
    #[error("{found} decimals, at most {max} are supported", max = EtcSpec::MAX_DECIMALS)]
    Decimals { found: u32 },
    #[error("{found} percent of forbidden pairs, at most 100 are possible")]
    Percent { found: u8 },
    #[error("{found} percent of {what} with QoS level 1, at most 100 are possible")]
    Qos { what: &'static str, found: u8 },
    #[error("{forbidden} percent of forbidden pairs and QoS levels exclude each other")]
    ForbiddenAndQos { forbidden: u8 },
    #[error("the range {low} to {high} is empty or does not start above 0")]
    Range { low: u32, high: u32 },
    #[error("{tasks} tasks on {hosts} hosts are more than {max} entries", max = EtcSpec::MAX_TIMES)]
    Size { tasks: usize, hosts: usize },
    #[error("the class {class} is not possible")]
    Class { class: EqualClass },
    #[error("the class {class} has from {least} to {most} tasks on {hosts} hosts, not {tasks}")]
    Tasks { class: EqualClass, tasks: usize, hosts: usize, least: u128, most: u128 },
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// The independent random streams of a seed.
#[derive(Clone, Copy)]
enum Stream {
    Times = 0,
    Forbidden = 1,
    Ready = 2,
    Qos = 3,
}

impl EtcSpec {
    /// Largest number of decimal places.
    pub const MAX_DECIMALS: u32 = 9;

    /// Largest number of times: tasks × hosts, or tasks + hosts where hosts are equal.
    pub const MAX_TIMES: usize = 1 << 26;

    /// Whole numbers, every pair possible, every host ready at time 0.
    pub fn plain(class: EtcClass, tasks: usize, hosts: usize, seed: u64) -> Self {
        Self {
            class,
            tasks,
            hosts,
            decimals: 0,
            forbidden_percent: 0,
            ready_max: 0,
            qos: None,
            seed,
        }
    }

    fn check(&self) -> Result<(), GenerateError> {
        let Self { tasks, hosts, .. } = *self;
        if self.decimals > Self::MAX_DECIMALS {
            return Err(GenerateError::Decimals { found: self.decimals });
        }
        if self.forbidden_percent > 100 {
            return Err(GenerateError::Percent { found: self.forbidden_percent });
        }
        if let Some(qos) = self.qos {
            qos.check(self.forbidden_percent)?;
        }
        let times = match self.equal() {
            Some(_) => tasks.checked_add(hosts),
            None => tasks.checked_mul(hosts),
        };
        if times.is_none_or(|times| times > Self::MAX_TIMES) {
            return Err(GenerateError::Size { tasks, hosts });
        }
        match self.class {
            EtcClass::Equal(class) => self.check_equal(class),
            EtcClass::Uniform { low, high } if low == 0 || low > high => {
                Err(GenerateError::Range { low, high })
            }
            _ => Ok(()),
        }
    }

    fn check_equal(&self, class: EqualClass) -> Result<(), GenerateError> {
        let Self { tasks, hosts, decimals, .. } = *self;
        if !class.is_valid() {
            return Err(GenerateError::Class { class });
        }
        if tasks == 0 || hosts == 0 {
            let missing = if tasks == 0 { InstanceError::NoTasks } else { InstanceError::NoHosts };
            return Err(missing.into());
        }
        let (least, most) = class.task_counts(hosts, self.unit());
        if !(least..=most).contains(&(tasks as u128)) {
            return Err(GenerateError::Tasks { class, tasks, hosts, least, most });
        }
        match class {
            EqualClass::Planted { .. } if most > Instance::MAX_TOTAL.into() => {
                Err(InstanceError::Overflow { limit: Instance::MAX_TOTAL, decimals }.into())
            }
            _ => Ok(()),
        }
    }

    /// The class if all hosts are equal, so that one time per task is enough.
    fn equal(&self) -> Option<EqualClass> {
        match self.class {
            EtcClass::Equal(class) if self.forbidden_percent == 0 => Some(class),
            _ => None,
        }
    }

    /// Ticks per time unit.
    fn unit(&self) -> u64 {
        10_u64.pow(self.decimals)
    }

    fn random(&self, stream: Stream) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(stream as u64);
        random
    }
}

/// Generates the instance; its name consists of class, sizes and seed.
pub fn generate(spec: &EtcSpec) -> Result<Instance, GenerateError> {
    spec.check()?;
    let EtcSpec { class, tasks, hosts, seed, .. } = *spec;
    let mut forbid = spec.random(Stream::Forbidden);
    let keep = |row| forbid_some(row, spec.forbidden_percent, &mut forbid);
    let mut parts = InstanceParts {
        name: format!("{class}_{tasks}x{hosts}_seed{seed}"),
        etc: times(spec).into_iter().map(keep).collect(),
        ready: ready_times(spec),
        ..InstanceParts::default()
    };
    parts.scale = drop_common_zeros(&mut parts, spec.decimals);
    let instance = match spec.equal() {
        Some(_) => Instance::with_equal_hosts(parts, hosts)?,
        None => Instance::new(parts)?,
    };
    Ok(match spec.qos {
        None => instance,
        Some(qos) => instance.with_levels(qos.draw(spec))?,
    })
}

/// One row per task: a time per host, or only one if all hosts are equal.
fn times(spec: &EtcSpec) -> Vec<Vec<Ticks>> {
    let EtcSpec { class, tasks, hosts, .. } = *spec;
    let (unit, mut random) = (spec.unit(), spec.random(Stream::Times));
    match spec.equal() {
        Some(class) => {
            let times = class.draw(tasks, hosts, unit, &mut random).into_iter();
            times.map(|time| vec![time]).collect()
        }
        None => class.draw(tasks, hosts, unit, &mut random),
    }
}

impl QosShares {
    fn check(self, forbidden: u8) -> Result<(), GenerateError> {
        for (what, found) in [("tasks", self.tasks), ("hosts", self.hosts)] {
            if found > 100 {
                return Err(GenerateError::Qos { what, found });
            }
        }
        // A task could be left with hosts that do not offer its level.
        if forbidden > 0 { Err(GenerateError::ForbiddenAndQos { forbidden }) } else { Ok(()) }
    }

    fn draw(self, spec: &EtcSpec) -> Levels {
        let mut random = spec.random(Stream::Qos);
        let count = (spec.hosts * usize::from(self.hosts) + 50) / 100;
        let mut left = count.clamp(1, spec.hosts);
        let mut offer = |host: usize| {
            let is_one = random.random_range(0..(spec.hosts - host) as u64) < left as u64;
            left -= usize::from(is_one);
            u32::from(is_one)
        };
        let hosts = (0..spec.hosts).map(&mut offer).collect();
        let request = |_| u32::from(random.random_range(0..100_u8) < self.tasks);
        Levels { tasks: (0..spec.tasks).map(request).collect(), hosts }
    }
}

fn ready_times(spec: &EtcSpec) -> Vec<Ticks> {
    let mut random = spec.random(Stream::Ready);
    let latest = u64::from(spec.ready_max) * spec.unit();
    (0..spec.hosts).map(|_| Ticks(random.random_range(0..=latest))).collect()
}

/// Forbids each host with the given probability, except one that is drawn first.
fn forbid_some(row: Vec<Ticks>, percent: u8, random: &mut ChaCha8Rng) -> Vec<Option<Ticks>> {
    if percent == 0 || row.is_empty() {
        return row.into_iter().map(Some).collect();
    }
    let kept = random.random_range(0..row.len() as u64) as usize;
    let mut may_run = |host: usize| random.random_range(0..100_u8) >= percent || host == kept;
    row.into_iter().enumerate().map(|(host, time)| may_run(host).then_some(time)).collect()
}

/// Divides all numbers by ten while that is exact, and returns the resulting scale, so that the
/// instance equals the one read back from its file.
fn drop_common_zeros(parts: &mut InstanceParts, mut decimals: u32) -> Scale {
    let divides = |ticks: &Ticks| ticks.0.is_multiple_of(10);
    let times = |parts: &InstanceParts| parts.etc.iter().flatten().flatten().all(divides);
    while decimals > 0 && times(parts) && parts.ready.iter().all(divides) {
        let etc = parts.etc.iter_mut().flatten().flatten();
        etc.chain(&mut parts.ready).for_each(|ticks| *ticks = *ticks / 10);
        decimals -= 1;
    }
    Scale::new(decimals).expect("the decimals are checked")
}

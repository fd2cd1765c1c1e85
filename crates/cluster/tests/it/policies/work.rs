//! Random jobs and grids, and a log of all events.

use gridsat_cluster::{
    ClusterEvents, ClusterId, ClusterSpec, Components, Happening, JobRecord, Moldable, NodeGroup,
    NodeShare, Observer, ParallelJob, Request, Speed, Speedup,
};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_statistics::random;
use gridsat_workload::RigidJob;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How estimates relate to run times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimates {
    Exact,
    TooLong,
    AnyLength,
}

/// Jobs for a cluster of this many nodes: short and long, some of length 0, often several in one
/// tick.
pub fn jobs(seed: u64, count: u64, nodes: u32, estimates: Estimates) -> Vec<RigidJob> {
    let mut random = random::stream(seed, "test/cluster/jobs", 0);
    let mean_gap = random.random_range(1..40);
    let mut submit = 0;
    let job = |number| {
        if random.random_range(0..3) > 0 {
            submit += random.random_range(0..=2 * mean_gap);
        }
        let run = random.random_range(0..if number % 4 == 0 { 200 } else { 30 });
        RigidJob {
            number,
            submit: Ticks(submit),
            nodes: random.random_range(1..=if number % 3 == 0 { nodes } else { nodes.div_ceil(3) }),
            run: Ticks(run),
            estimate: Ticks(estimate(run, estimates, &mut random)),
            priority: random.random_range(-2..3),
            user: 0,
        }
    };
    (1..=count).map(job).collect()
}

fn estimate(run: u64, estimates: Estimates, random: &mut ChaCha8Rng) -> u64 {
    match estimates {
        Estimates::Exact => run,
        Estimates::TooLong => run + random.random_range(0..=run.max(3)),
        Estimates::AnyLength => random.random_range(0..=2 * run + 1),
    }
}

/// Three clusters with five kinds of nodes.
pub fn grid() -> Vec<ClusterSpec> {
    let group = |speed, nodes| NodeGroup { speed: Speed::new(speed).expect("a speed"), nodes };
    let cluster = |name: &str, groups: Vec<NodeGroup>| ClusterSpec::new(name, groups);
    vec![
        cluster("a", vec![group(1.0, 5), group(0.3, 4)]),
        cluster("b", vec![group(2.5, 3), group(1.0, 4)]),
        cluster("c", vec![group(1.0, 8)]),
    ]
}

/// Speed-up curve of moldable jobs, on 2 to 7 nodes.
pub fn curve() -> Speedup {
    Speedup::Downey { parallelism: 5.0, variance: 0.5 }
}

/// Jobs for that grid with every kind of request; some can never run.
pub fn spread_jobs(seed: u64, count: u64, estimates: Estimates) -> Vec<ParallelJob> {
    let mut random = random::stream(seed, "test/cluster/requests", 0);
    let spread = |rigid: RigidJob| {
        let mut sizes = |most: [u32; 3]| most.map(|most| random.random_range(0..=most)).to_vec();
        let request = match rigid.number % 5 {
            0 => Request::Total,
            1 => Request::Single,
            2 => Request::Ordered(sizes([5, 5, 5]).into()),
            3 => Request::Unordered(Components::new(sizes([6, 4, 3]))),
            _ => Request::Moldable(Moldable::new(2, 7, curve()).expect("valid").into()),
        };
        let nodes = match &request {
            Request::Ordered(sizes) => sizes.iter().sum(),
            Request::Unordered(components) => components.sizes().iter().sum(),
            _ => rigid.nodes,
        };
        let home = ClusterId(random.random_range(0..3));
        ParallelJob { rigid: RigidJob { nodes: nodes.max(1), ..rigid }, home, request, terms: None }
    };
    let jobs = jobs(seed, count, 10, estimates).into_iter().map(spread);
    let adds_up = |job: &ParallelJob| match &job.request {
        Request::Ordered(sizes) => sizes.iter().sum::<u32>() > 0,
        Request::Unordered(components) => components.sizes()[0] > 0,
        _ => true,
    };
    jobs.filter(adds_up).collect()
}

/// An owned copy of a happening.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    Arrived(u64),
    Refused(u64),
    Reserved(u64, Time),
    Delayed(u64, Ticks, Ticks),
    Started(u64, Vec<NodeShare>),
    Suspended(u64),
    Ended(u64),
}

/// Everything that happened.
#[derive(Default)]
pub struct Log {
    pub notes: Vec<(Time, Note)>,
    pub left: Vec<JobRecord<'static>>,
}

impl Observer<ClusterEvents> for Log {
    fn happened(&mut self, now: Time, what: &Happening) {
        let note = match *what {
            Happening::Arrived { job, .. } => Note::Arrived(job.number),
            Happening::Refused { job, .. } => Note::Refused(job.number),
            Happening::Reserved { job, start } => Note::Reserved(job, start),
            Happening::Delayed { job, by, left } => Note::Delayed(job, by, left),
            Happening::Started { job, parts } => Note::Started(job, parts.to_vec()),
            Happening::Suspended { job } => Note::Suspended(job),
            Happening::Ended { job, .. } => Note::Ended(job),
            Happening::Failed { .. } | Happening::Repaired { .. } => return,
        };
        self.notes.push((now, note));
    }

    fn left(&mut self, job: &JobRecord) {
        self.left.push(job.kept());
    }
}

impl Log {
    /// Number and first start of every job that left, by number.
    pub fn starts(&self) -> Vec<(u64, Ticks)> {
        let mut starts: Vec<_> = self.left.iter().map(|l| (l.job.number, l.start.0)).collect();
        starts.sort_unstable();
        starts
    }
}

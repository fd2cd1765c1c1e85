//! Records the events of jobs for the page.
//!
//! For a [`Window`] it records all events inside, and all earlier events of the jobs that are in
//! the system when the window opens: until then each job keeps its events, which are dropped when
//! the job leaves. So a page of a late part of a long run is as exact and as small as one of its
//! beginning.
//!
//! Recording stops after [`Recorder::MOST_JOBS`] jobs, just before the next one arrives: the record
//! is complete until then, and the page remains small enough for a browser.

use std::collections::HashMap;
use std::mem;

use super::nodes::{Free, Span};
use super::record::{ARRIVED, FINISHED, KILLED, Note, REFUSED, Record, STARTED, SUSPENDED};
use crate::{ClusterEvents, ClusterSpec, Happening, NodeShare, Outcome, Setup};
use gridsat_engine::Observer;
use gridsat_engine::time::Time;
use gridsat_workload::RigidJob;

/// An observer that records a simulation and then [writes](Recorder::write) the page.
///
/// Jobs that are in the system at the same time must have different numbers; otherwise the picture
/// is wrong.
pub struct Recorder {
    pub(super) record: Record,
    pub(super) window: Window,
    is_open: bool,
    /// Free nodes by cluster and group.
    free: Vec<Vec<Free>>,
    /// Jobs in the system, by job number.
    present: HashMap<u64, Present>,
    /// Number of events recorded so far, which orders events of the same time.
    noted: u64,
    /// Time at which recording stopped because of a limit.
    pub(super) cut: Option<Time>,
}

/// The part of a run that a page shows, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Start of the window.
    pub from: Time,
    /// End of the window.
    pub to: Time,
}

/// The whole run.
impl Default for Window {
    fn default() -> Self {
        Self { from: Time::ZERO, to: Time::NEVER }
    }
}

/// A job in the system.
struct Present {
    job: RigidJob,
    home: u32,
    /// Index in the record, once the window is open.
    index: u64,
    /// The nodes it occupies, by group.
    held: Vec<(NodeShare, Span)>,
    /// Events before the window opened, with their order.
    past: Vec<(u64, Note)>,
}

impl Recorder {
    /// Largest number of jobs recorded.
    pub const MOST_JOBS: usize = 20_000;
    /// Largest number of events recorded, because jobs may be suspended without limit.
    const MOST_HAPPENINGS: usize = 10 * Self::MOST_JOBS;

    /// An empty record of a scenario with this name, and the seed of its jobs if they are random.
    pub fn new(scenario: &str, seed: Option<u64>, setup: &Setup) -> Self {
        Self {
            record: Record::new(scenario, seed, setup),
            window: Window::default(),
            is_open: false,
            free: free(&setup.clusters),
            present: HashMap::new(),
            noted: 0,
            cut: None,
        }
    }

    /// Restricts the record to this part of the run.
    #[must_use]
    pub fn within(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Opens the window: records the earlier events of the jobs in the system; later events are
    /// recorded directly.
    pub(super) fn open(&mut self) {
        self.is_open = true;
        let past = self.present.iter_mut().flat_map(|(&number, present)| {
            mem::take(&mut present.past).into_iter().map(move |(order, note)| (order, number, note))
        });
        let mut past: Vec<_> = past.collect();
        past.sort_unstable_by_key(|(order, ..)| *order);
        for (_, number, note) in past {
            let Some(present) = self.present.get_mut(&number) else { continue };
            if note.kind == ARRIVED {
                present.index = self.record.jobs.push(&present.job, present.home);
            }
            self.record.push(&note, present.index);
        }
    }

    fn come(&mut self, now: Time, job: &RigidJob, home: u32) {
        let index = if self.is_open { self.record.jobs.push(job, home) } else { 0 };
        let (held, past) = (Vec::new(), Vec::new());
        self.present.insert(job.number, Present { job: *job, home, index, held, past });
        self.note(job.number, Note { at: now, kind: ARRIVED, spans: Vec::new() });
    }

    fn refuse(&mut self, now: Time, job: &RigidJob, home: u32) {
        if self.is_open {
            let index = self.record.jobs.push(job, home);
            self.record.push(&Note { at: now, kind: REFUSED, spans: Vec::new() }, index);
        }
    }

    fn note(&mut self, job: u64, note: Note) {
        let Some(present) = self.present.get_mut(&job) else { return };
        if self.is_open {
            self.record.push(&note, present.index);
        } else {
            present.past.push((self.noted, note));
            self.noted += 1;
        }
    }

    fn start(&mut self, now: Time, job: u64, parts: &[NodeShare]) {
        let Some(present) = self.present.get_mut(&job) else { return };
        for part in parts {
            let mut spans = Vec::new();
            self.free[part.cluster.index()][part.group as usize]
                .take(u64::from(part.nodes), &mut spans);
            present.held.extend(spans.into_iter().map(|span| (*part, span)));
        }
        present.held.sort_unstable_by_key(|(_, span)| span.first);
        let spans = present.held.iter().map(|(_, span)| *span).collect();
        self.note(job, Note { at: now, kind: STARTED, spans });
    }

    /// Records that a job lost its nodes.
    fn stop(&mut self, now: Time, kind: u64, job: u64) {
        let Some(present) = self.present.get_mut(&job) else { return };
        for (part, span) in present.held.drain(..) {
            self.free[part.cluster.index()][part.group as usize].give(span);
        }
        self.note(job, Note { at: now, kind, spans: Vec::new() });
        if kind != SUSPENDED {
            self.present.remove(&job);
        }
    }

    /// The end of the page, if this event is after it.
    fn end_before(&self, now: Time, what: &Happening) -> Option<Time> {
        if now > self.window.to {
            return Some(self.window.to);
        }
        let comes = matches!(what, Happening::Arrived { .. } | Happening::Refused { .. });
        let is_full = comes && self.record.jobs.number.len() >= Self::MOST_JOBS
            || self.record.happened >= Self::MOST_HAPPENINGS;
        is_full.then_some(now)
    }
}

impl Observer<ClusterEvents> for Recorder {
    fn happened(&mut self, now: Time, what: &Happening) {
        if self.cut.is_some() {
            return;
        }
        if !self.is_open && now >= self.window.from {
            self.open();
        }
        self.cut = self.end_before(now, what);
        if self.cut.is_some() {
            return;
        }
        match *what {
            Happening::Arrived { job, home } => self.come(now, job, home.0),
            Happening::Refused { job, home, .. } => self.refuse(now, job, home.0),
            Happening::Started { job, parts } => self.start(now, job, parts),
            Happening::Suspended { job } => self.stop(now, SUSPENDED, job),
            Happening::Ended { job, outcome: Outcome::Finished } => self.stop(now, FINISHED, job),
            Happening::Ended { job, outcome: Outcome::Killed | Outcome::Lost } => {
                self.stop(now, KILLED, job);
            }
            Happening::Reserved { .. }
            | Happening::Delayed { .. }
            | Happening::Failed { .. }
            | Happening::Repaired { .. } => {}
        }
    }
}

/// All nodes, numbered across clusters.
fn free(clusters: &[ClusterSpec]) -> Vec<Vec<Free>> {
    let mut first = 0;
    let mut group = |nodes: u32| {
        let free = Free::new(first, u64::from(nodes));
        first += u64::from(nodes);
        free
    };
    let cluster = |spec: &ClusterSpec| spec.groups.iter().map(|g| group(g.nodes)).collect();
    clusters.iter().map(cluster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{QueueOrder, QueuePolicy, simulate, source};
    use gridsat_model::Ticks;

    fn job(number: u64, submit: Ticks, nodes: u32, run: Ticks, priority: i32) -> RigidJob {
        RigidJob { number, submit, nodes, run, estimate: run, priority, user: 3 }
    }

    fn record(clusters: Vec<ClusterSpec>, policy: QueuePolicy, jobs: Vec<RigidJob>) -> Recorder {
        record_within(Window::default(), clusters, policy, jobs)
    }

    fn record_within(
        window: Window,
        clusters: Vec<ClusterSpec>,
        policy: QueuePolicy,
        jobs: Vec<RigidJob>,
    ) -> Recorder {
        let setup = Setup::global(clusters, policy, source(jobs));
        let mut recorder = Recorder::new("by hand", Some(7), &setup).within(window);
        simulate(setup, &mut recorder).expect("valid");
        recorder
    }

    /// Two clusters of 4 and 2 nodes. Job 11 occupies 5 of them, 12 waits and then gets 0 and 1
    /// again, 13 gets the others that 11 freed, 14 can never run.
    #[test]
    fn a_run_by_hand() {
        let clusters = vec![ClusterSpec::equal("a", 4), ClusterSpec::equal("b", 2)];
        let jobs = vec![
            job(11, Ticks(1), 5, Ticks(4), 0),
            job(12, Ticks(2), 2, Ticks(10), 0),
            job(13, Ticks(2), 4, Ticks(1), 0),
            job(14, Ticks(3), 7, Ticks(1), 0),
        ];
        let recorder = record(clusters, QueuePolicy::Plain(QueueOrder::Fcfs), jobs);
        let expected: [&[u64]; 10] = [
            &[1, ARRIVED],
            &[0, STARTED, 0, 2, 0, 4, 0, 1],
            &[1, ARRIVED],
            &[0, ARRIVED],
            &[1, REFUSED],
            &[2, FINISHED, 0],
            &[0, STARTED, 1, 1, 0, 2],
            &[0, STARTED, 2, 2, 2, 2, 0, 2],
            &[1, FINISHED, 2],
            &[9, FINISHED, 1],
        ];
        assert_eq!(recorder.record.happenings, expected.concat());
        assert_eq!(recorder.record.jobs.number, [11, 12, 13, 14]);
        assert_eq!(recorder.record.jobs.home, [0; 4]);
        assert!(recorder.present.is_empty());
    }

    #[test]
    fn a_suspended_job_gives_its_nodes_back_and_takes_the_lowest_again() {
        let clusters = vec![ClusterSpec::equal("a", 3)];
        let jobs = vec![
            job(1, Ticks(0), 1, Ticks(3), 5),
            job(2, Ticks(0), 2, Ticks(9), 1),
            job(3, Ticks(2), 2, Ticks(4), 2),
        ];
        let recorder = record(clusters, QueuePolicy::Preemptive { keeps_work: true }, jobs);
        let expected: [&[u64]; 11] = [
            &[0, ARRIVED],
            &[0, ARRIVED],
            &[0, STARTED, 0, 1, 0, 1],
            &[0, STARTED, 1, 1, 1, 2],
            &[2, ARRIVED],
            &[0, SUSPENDED, 1],
            &[0, STARTED, 2, 1, 1, 2],
            &[1, FINISHED, 0],
            &[3, FINISHED, 2],
            &[0, STARTED, 1, 1, 0, 2],
            &[7, FINISHED, 1],
        ];
        assert_eq!(recorder.record.happenings, expected.concat());
    }

    /// Job 1 has left when the window opens, and 4 arrives after it has closed. 2 was suspended and
    /// 3 runs: their earlier events are recorded, with their actual nodes.
    #[test]
    fn a_window_knows_the_past_of_the_jobs_it_finds() {
        let clusters = vec![ClusterSpec::equal("a", 3)];
        let jobs = vec![
            job(1, Ticks(0), 1, Ticks(3), 5),
            job(2, Ticks(0), 2, Ticks(9), 1),
            job(3, Ticks(2), 2, Ticks(4), 2),
            job(4, Ticks(14), 1, Ticks(1), 1),
        ];
        let window = Window { from: Time(Ticks(4)), to: Time(Ticks(13)) };
        let policy = QueuePolicy::Preemptive { keeps_work: true };
        let recorder = record_within(window, clusters, policy, jobs);
        let expected: [&[u64]; 8] = [
            &[0, ARRIVED],
            &[0, STARTED, 0, 1, 1, 2],
            &[2, ARRIVED],
            &[0, SUSPENDED, 0],
            &[0, STARTED, 1, 1, 1, 2],
            &[4, FINISHED, 1],
            &[0, STARTED, 0, 1, 0, 2],
            &[7, FINISHED, 0],
        ];
        assert_eq!(recorder.record.happenings, expected.concat());
        assert_eq!(recorder.record.jobs.number, [2, 3]);
        assert_eq!(recorder.cut, Some(Time(Ticks(13))));
    }

    #[test]
    fn the_record_ends_before_a_job_too_many() {
        let count = Recorder::MOST_JOBS as u64;
        let jobs =
            (0..count + 5).map(|number| job(number, Ticks(2 * number), 1, Ticks(1), 0)).collect();
        let recorder = record(vec![ClusterSpec::equal("a", 1)], QueuePolicy::Easy, jobs);
        assert_eq!(recorder.record.jobs.number.len(), Recorder::MOST_JOBS);
        assert_eq!(recorder.cut, Some(Time(Ticks(2 * count))));
        assert_eq!(recorder.record.happenings.last_chunk(), Some(&[1, FINISHED, count - 1]));
    }

    /// The picture is wrong, but nothing panics.
    #[test]
    fn two_jobs_of_one_number_break_nothing() {
        let jobs = vec![
            job(1, Ticks(0), 2, Ticks(5), 0),
            job(1, Ticks(1), 2, Ticks(5), 0),
            job(1, Ticks(2), 2, Ticks(5), 0),
        ];
        let recorder = record(vec![ClusterSpec::equal("a", 4)], QueuePolicy::Easy, jobs);
        assert_eq!(recorder.record.jobs.number, [1, 1, 1]);
    }
}

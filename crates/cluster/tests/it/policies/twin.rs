//! EASY and conservative backfilling implemented from their definitions, on equal nodes: nothing is
//! stored that can be recomputed, and nothing is optimised.
//!
//! A pass is made after all events of a tick, and at the expected end of every job: if the job is
//! still running then, its estimate is doubled. A job is expected to take at least one tick. Under
//! EASY a later job may start if the first waiting job would start no later. Under conservative
//! backfilling each job has a booking, and bookings never exceed the available nodes.

use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

#[derive(Clone, Copy)]
struct Running {
    job: usize,
    since: Ticks,
    expected: Ticks,
}

#[derive(Clone, Copy)]
enum Event {
    Arrival(usize),
    End(usize),
    /// A job is expected to end.
    ExpectedEnd,
    Wake,
}

struct Twin<'a> {
    jobs: &'a [RigidJob],
    nodes: u32,
    is_conservative: bool,
    now: Ticks,
    events: Vec<(Ticks, u64, Event)>,
    sequence: u64,
    running: Vec<Running>,
    queue: Vec<usize>,
    bookings: Vec<Option<Ticks>>,
    starts: Vec<Ticks>,
}

/// The start of every job, in order of job number. All jobs must fit.
pub fn starts(jobs: &[RigidJob], nodes: u32, is_conservative: bool) -> Vec<(u64, Ticks)> {
    let mut twin = Twin {
        jobs,
        nodes,
        is_conservative,
        now: Ticks::ZERO,
        events: Vec::new(),
        sequence: 0,
        running: Vec::new(),
        queue: Vec::new(),
        bookings: vec![None; jobs.len()],
        starts: vec![Ticks::MAX; jobs.len()],
    };
    twin.schedule(jobs[0].submit, Event::Arrival(0));
    let mut is_early = false;
    while let Some(at) =
        (0..twin.events.len()).min_by_key(|&i| (twin.events[i].0, twin.events[i].1))
    {
        let (time, _, event) = twin.events.remove(at);
        twin.now = time;
        is_early |= twin.handle(event);
        if twin.events.iter().all(|event| event.0 > time) {
            twin.pass(is_early);
            is_early = false;
        }
    }
    jobs.iter().map(|job| job.number).zip(twin.starts).collect()
}

impl Twin<'_> {
    fn schedule(&mut self, time: Ticks, event: Event) {
        self.sequence += 1;
        self.events.push((time, self.sequence, event));
    }

    /// Returns whether a job ended earlier than expected.
    fn handle(&mut self, event: Event) -> bool {
        match event {
            Event::Arrival(job) => {
                self.queue.push(job);
                if job + 1 < self.jobs.len() {
                    self.schedule(self.jobs[job + 1].submit, Event::Arrival(job + 1));
                }
                false
            }
            Event::End(job) => {
                let at = self.running.iter().position(|r| r.job == job).expect("it runs");
                self.now < self.running.remove(at).expected
            }
            Event::ExpectedEnd | Event::Wake => false,
        }
    }

    fn pass(&mut self, is_early: bool) {
        let is_late = self.correct();
        if self.is_conservative {
            self.conservative(is_early, is_late);
        } else {
            self.easy();
        }
    }

    /// Doubles estimates that turned out too short.
    fn correct(&mut self) -> bool {
        let mut expected = Vec::new();
        for running in &mut self.running {
            while running.expected <= self.now {
                running.expected = running.since + 2 * (running.expected - running.since);
                expected.push(running.expected);
            }
        }
        expected.iter().for_each(|&time| self.schedule(time, Event::ExpectedEnd));
        !expected.is_empty()
    }

    fn free(&self) -> u32 {
        self.nodes - self.running.iter().map(|r| self.jobs[r.job].nodes).sum::<u32>()
    }

    fn start(&mut self, job: usize) {
        self.queue.retain(|&other| other != job);
        self.starts[job] = self.now;
        let expected = self.now + self.jobs[job].estimate.max(Ticks(1));
        self.running.push(Running { job, since: self.now, expected });
        self.schedule(expected, Event::ExpectedEnd);
        self.schedule(self.now + self.jobs[job].run, Event::End(job));
    }

    fn easy(&mut self) {
        while let Some(&first) = self.queue.first() {
            if self.jobs[first].nodes > self.free() {
                break;
            }
            self.start(first);
        }
        let Some(&first) = self.queue.first() else { return };
        for job in self.queue.clone().into_iter().skip(1) {
            if self.jobs[job].nodes > self.free() {
                continue;
            }
            let before = self.earliest_fit(first, None);
            if self.earliest_fit(first, Some(job)) <= before {
                self.start(job);
            }
        }
    }

    /// The time at which the job fits if nothing else starts except, if given, `other` now.
    fn earliest_fit(&self, job: usize, other: Option<usize>) -> Ticks {
        let ends = self.running.iter().map(|r| (r.expected, self.jobs[r.job].nodes));
        let other = other.map(|other| {
            (self.now + self.jobs[other].estimate.max(Ticks(1)), self.jobs[other].nodes)
        });
        let ends: Vec<(Ticks, u32)> = ends.chain(other).collect();
        let used = |time| ends.iter().filter(|end| end.0 > time).map(|end| end.1).sum::<u32>();
        let fits = |time: &Ticks| used(*time) + self.jobs[job].nodes <= self.nodes;
        let times = ends.iter().map(|end| end.0).filter(|&time| time >= self.now);
        times.filter(fits).min().expect("it fits when all have ended")
    }

    fn conservative(&mut self, is_early: bool, is_late: bool) {
        let queue = self.queue.clone();
        if is_late {
            queue.iter().for_each(|&job| self.bookings[job] = None);
        }
        for job in queue.iter().copied() {
            if self.bookings[job].is_none() || is_early {
                self.bookings[job] = None;
                self.bookings[job] = Some(self.earliest_hole(job));
            }
        }
        for job in queue {
            let is_due = self.bookings[job].expect("booked above") <= self.now;
            if is_due && self.jobs[job].nodes <= self.free() {
                self.start(job);
            }
        }
        self.set_wake();
    }

    /// Schedules a wake-up at the next booking.
    fn set_wake(&mut self) {
        let bookings = self.queue.iter().filter_map(|&job| self.bookings[job]);
        let wanted = bookings.filter(|&start| start > self.now).min();
        let is_wake = |event: &(Ticks, u64, Event)| matches!(event.2, Event::Wake);
        let wake = self.events.iter().find(|event| is_wake(event)).map(|event| event.0);
        if wake != wanted {
            self.events.retain(|event| !is_wake(event));
            wanted.into_iter().for_each(|time| self.schedule(time, Event::Wake));
        }
    }

    /// The earliest start at which enough nodes are free for the whole run.
    fn earliest_hole(&self, job: usize) -> Ticks {
        let RigidJob { nodes, estimate, .. } = self.jobs[job];
        let mut taken: Vec<(Ticks, Ticks, u32)> = Vec::new();
        taken
            .extend(self.running.iter().map(|r| (Ticks::ZERO, r.expected, self.jobs[r.job].nodes)));
        taken.extend(self.queue.iter().filter_map(|&other| {
            let start = self.bookings[other]?;
            Some((start, start + self.jobs[other].estimate.max(Ticks(1)), self.jobs[other].nodes))
        }));
        let used = |time: Ticks| -> u32 {
            taken.iter().filter(|t| t.0 <= time && time < t.1).map(|t| t.2).sum()
        };
        let fits = |start: &Ticks| {
            let end = *start + estimate.max(Ticks(1));
            let mut times = taken.iter().map(|t| t.0).filter(|time| (start..&end).contains(&time));
            used(*start) + nodes <= self.nodes && times.all(|time| used(time) + nodes <= self.nodes)
        };
        let ends = taken.iter().map(|t| t.1).filter(|&time| time > self.now);
        ends.chain([self.now]).filter(fits).min().expect("it fits when all have ended")
    }
}

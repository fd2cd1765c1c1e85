//! Allocation policies: the published tables to the last digit, and each fast policy compared with
//! a plain twin, event by event, on random scenarios.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod plain;
mod plain_ordered;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use plain::Plain;
use plain_ordered::PlainOrdered;

const SECOND: Ticks = Ticks(1_000_000_000);

fn seconds(seconds: f64) -> u64 {
    (seconds * SECOND.as_f64()).round() as u64
}

/// An operation on a resource at a time; jobs are numbered in order of submission.
#[derive(Clone, Copy, Debug)]
enum Action {
    Submit(Ticks),
    /// A job of this length and estimate on several PEs.
    Ask(Ticks, Request),
    Load(u8),
    Halt(usize),
    Resume(usize),
    Cancel(usize),
    /// Inspect it, which must not change anything.
    Look,
}

/// An action, and whether it comes before the completions at the same time.
#[derive(Clone, Copy, Debug)]
struct Step {
    time: Time,
    first: bool,
    action: Action,
}

/// An action after the completions at this tick.
fn step(tick: u64, action: Action) -> Step {
    Step { time: Time(Ticks(tick)), first: false, action }
}

fn submit(tick: u64, length: u64) -> Step {
    step(tick, Action::Submit(Ticks(length)))
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Started(Started),
    Completed(JobId),
    Refused,
    Cancelled(Work),
    Next(Option<Time>, usize),
}

type Log = Vec<(Time, Event)>;

/// A resource and the log of its events.
struct Run {
    resource: Box<dyn Allocation>,
    slots: Vec<Option<Slot>>,
    log: Log,
}

impl Run {
    /// All events until no more happen. `looks` says whether to inspect it in between.
    fn of(resource: Box<dyn Allocation>, steps: &[Step], looks: bool) -> Log {
        let mut run = Self { resource, slots: Vec::new(), log: Log::new() };
        for step in steps {
            run.complete_until(step.time, step.first);
            if looks || !matches!(step.action, Action::Look) {
                run.resource.advance(step.time);
                run.act(step.time, step.action);
            }
        }
        run.complete_until(Time::NEVER, false);
        run.log
    }

    fn complete_until(&mut self, end: Time, excluded: bool) {
        while let Some(time) = self.resource.next_completion()
            && (time < end || time == end && !excluded)
        {
            self.resource.advance(time);
            assert!(self.complete(time), "nothing completes at {time:?}");
        }
    }

    fn complete(&mut self, now: Time) -> bool {
        let mut any = false;
        while let Some(job) = self.resource.complete() {
            any = true;
            self.slots[job.0 as usize] = None;
            self.log.push((now, Event::Completed(job)));
            self.note(now);
        }
        any
    }

    fn act(&mut self, now: Time, action: Action) {
        let slot = |job: usize| self.slots.get(job).copied().flatten();
        let accepted = match action {
            Action::Submit(time) => {
                let job = JobId(u32::try_from(self.slots.len()).expect("few"));
                self.slots.push(Some(self.resource.submit(job, time)));
                true
            }
            Action::Ask(time, request) => {
                let job = JobId(u32::try_from(self.slots.len()).expect("few"));
                self.slots.push(Some(self.resource.submit_as(job, time, request)));
                true
            }
            Action::Load(percent) => {
                self.resource.set_speed(Speed::under_load(percent));
                true
            }
            Action::Halt(job) => slot(job).is_some_and(|slot| self.resource.halt(slot)),
            Action::Resume(job) => slot(job).is_some_and(|slot| self.resource.resume(slot)),
            Action::Cancel(job) => {
                let slot = self.slots.get_mut(job).and_then(Option::take);
                let left = slot.map(|slot| self.resource.cancel(slot));
                self.log.extend(left.map(|left| (now, Event::Cancelled(left))));
                left.is_some()
            }
            Action::Look => return self.look(),
        };
        if !accepted {
            self.log.push((now, Event::Refused));
        }
        self.note(now);
    }

    /// A fork continues as the resource would have, and later changes to the resource do not affect
    /// it.
    fn look(&mut self) {
        let fork = self.resource.fork();
        let mut old = std::mem::replace(&mut self.resource, fork);
        old.submit(JobId(u32::MAX), Ticks(3));
        old.set_speed(Speed::ZERO);
        while old.complete().is_some() {}
    }

    fn note(&mut self, now: Time) {
        let started = std::mem::take(self.resource.started());
        self.log.extend(started.into_iter().map(|started| (now, Event::Started(started))));
        let (next, count) = (self.resource.next_completion(), self.resource.job_count());
        self.log.push((now, Event::Next(next, count)));
    }
}

/// The log of the policy on these PEs; with `looks`, it is also inspected in between.
fn fast(policy: AllocationPolicy, pes: &Pes, steps: &[Step], looks: bool) -> Log {
    Run::of(policy.build(pes).expect("PEs of one rate, or space sharing"), steps, looks)
}

/// The same, compared with the plain twin.
#[track_caller]
fn fast_as_plain(policy: AllocationPolicy, pes: &Pes, steps: &[Step], case: &str) -> Log {
    let fast = fast(policy, pes, steps, true);
    let plain: Box<dyn Allocation> = match policy {
        AllocationPolicy::Queued(order) => Box::new(PlainOrdered::new(order, pes)),
        policy => Box::new(Plain::new(policy, pes)),
    };
    let plain = Run::of(plain, steps, false);
    let differs = (0..fast.len().max(plain.len())).find(|&i| fast.get(i) != plain.get(i));
    if let Some(i) = differs {
        panic!("event {i}: {:?}, but plainly {:?}; {case}", fast.get(i), plain.get(i));
    }
    fast
}

/// Tick and number of each job that completes.
fn completions(log: &Log) -> Vec<(u64, u32)> {
    let completed = log.iter().filter_map(|(time, event)| match event {
        Event::Completed(job) => Some((time.0.0, job.0)),
        _ => None,
    });
    completed.collect()
}

fn starts(log: &Log) -> Vec<u64> {
    let started = log.iter().filter(|(_, event)| matches!(event, Event::Started(_)));
    started.map(|(time, _)| time.0.0).collect()
}

/// Start and end of jobs given as (arrival, length) in seconds, on PEs of 1 MIPS.
fn table(policy: AllocationPolicy, pes: u32, jobs: &[(f64, f64)]) -> (Vec<u64>, Vec<u64>) {
    let pes = Pes::new(&[(pes, 1.0)]).expect("some");
    let submit = |&(arrival, length): &(f64, f64)| submit(seconds(arrival), seconds(length));
    let steps: Vec<Step> = jobs.iter().map(submit).collect();
    let log = fast_as_plain(policy, &pes, &steps, "a table");
    let mut finished = completions(&log);
    finished.sort_by_key(|&(_, job)| job);
    (starts(&log), finished.into_iter().map(|(time, _)| time).collect())
}

fn all_seconds(all: &[f64]) -> Vec<u64> {
    all.iter().copied().map(seconds).collect()
}

/// Table 3.1 of the thesis results from 13 MI, although its text says 14 MI (E9).
#[test]
fn thesis_table_3_1() {
    let cases = [
        (13.0, AllocationPolicy::SpaceShared, [0.0, 2.0, 7.0, 13.0], [13.0, 7.0, 17.0, 21.0]),
        (13.0, AllocationPolicy::GSim, [0.0, 2.0, 5.0, 10.0], [17.0, 7.0, 16.0, 21.0]),
        (14.0, AllocationPolicy::SpaceShared, [0.0, 2.0, 7.0, 14.0], [14.0, 7.0, 17.0, 22.0]),
        (14.0, AllocationPolicy::GSim, [0.0, 2.0, 5.0, 10.0], [18.0, 7.0, 16.0, 21.0]),
    ];
    for (first, policy, start, finish) in cases {
        let jobs = [(0.0, first), (2.0, 5.0), (5.0, 10.0), (10.0, 8.0)];
        let found = table(policy, 2, &jobs);
        assert_eq!(found, (all_seconds(&start), all_seconds(&finish)), "{first} MI, {policy:?}");
    }
}

/// The jobs of table 5.1 of the GridSim paper.
const GRIDLETS: [(f64, f64); 3] = [(0.0, 10.0), (4.0, 8.5), (7.0, 9.5)];

#[test]
fn gridsim_table_5_1() {
    let cases = [
        (AllocationPolicy::GridSim, [0.0, 4.0, 7.0], [10.0, 14.0, 18.0]),
        (AllocationPolicy::SpaceShared, [0.0, 4.0, 10.0], [10.0, 12.5, 19.5]),
    ];
    for (policy, start, finish) in cases {
        let found = table(policy, 2, &GRIDLETS);
        assert_eq!(found, (all_seconds(&start), all_seconds(&finish)), "{policy:?}");
    }
}

/// G-Sim lets the third job share with the first, GridSim with the second (E12). The first would
/// complete its last 3 MI at 7 + 6 = 13, but the second completes at 12.5 with 0.25 MI of the first
/// left.
#[test]
fn gsim_differs_on_gridsim_s_table() {
    let (start, finish) = table(AllocationPolicy::GSim, 2, &GRIDLETS);
    assert_eq!(start, all_seconds(&[0.0, 4.0, 7.0]));
    assert_eq!(finish, all_seconds(&[12.75, 12.5, 19.25]));
}

/// Three jobs on two PEs at 2/3 each; the first completes at 7.5, then each has its own PE.
#[test]
fn equal_shares() {
    let (start, finish) = table(AllocationPolicy::Equal, 2, &[(0.0, 5.0), (0.0, 6.0), (0.0, 7.0)]);
    assert_eq!(start, [0, 0, 0]);
    assert_eq!(finish, all_seconds(&[7.5, 8.5, 9.5]));
}

#[test]
fn jobs_take_the_fastest_free_pe() {
    let pes = Pes::new(&[(1, 2.0), (2, 4.0), (1, 3.0)]).expect("four");
    let steps = [0, 1, 2, 3, 4].map(|time| submit(time, 30));
    let log = fast(AllocationPolicy::SpaceShared, &pes, &steps, false);
    let places = log.iter().filter_map(|(time, event)| match event {
        Event::Started(started) => Some((time.0.0, started.pe?)),
        _ => None,
    });
    assert_eq!(places.collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 3), (3, 0), (30, 1)]);
    assert_eq!(completions(&log), [(30, 0), (31, 1), (42, 2), (60, 4), (63, 3)]);
}

#[test]
fn halting_keeps_progress_and_loses_the_turn() {
    let pes = Pes::new(&[(1, 1.0)]).expect("one");
    let steps = [
        submit(0, 20),
        submit(0, 20),
        step(8, Action::Halt(0)),
        step(8, Action::Halt(0)),
        submit(10, 20),
        step(12, Action::Resume(0)),
    ];
    let log = fast(AllocationPolicy::SpaceShared, &pes, &steps, false);
    assert_eq!(completions(&log), [(28, 1), (48, 2), (60, 0)]);
    assert_eq!(log.iter().filter(|(_, event)| *event == Event::Refused).count(), 1);
    for policy in [AllocationPolicy::GSim, AllocationPolicy::GridSim, AllocationPolicy::Equal] {
        // Until 8 the first two receive 4 each; from 12 on they have 16 and 13 left, the third 19.
        let log = fast(policy, &pes, &steps, false);
        assert_eq!(completions(&log), [(51, 1), (57, 0), (60, 2)], "{policy:?}");
    }
}

#[test]
fn without_speed_only_empty_jobs_are_done() {
    let pes = Pes::new(&[(2, 1.0)]).expect("two");
    let steps = [step(1, Action::Load(100)), submit(2, 5), submit(3, 0), step(9, Action::Load(50))];
    for policy in AllocationPolicy::ALL {
        let log = fast(policy, &pes, &steps, false);
        assert_eq!(completions(&log), [(3, 1), (19, 0)], "{policy:?}");
        assert_eq!(starts(&log), [2, 3], "{policy:?}");
    }
}

#[test]
fn jobs_done_at_one_tick_go_in_order_of_submission() {
    let pes = Pes::new(&[(3, 1.0)]).expect("three");
    let steps = [submit(0, 9), submit(1, 8), submit(2, 7)];
    for policy in AllocationPolicy::ALL {
        let log = fast(policy, &pes, &steps, false);
        assert_eq!(completions(&log), [(9, 0), (9, 1), (9, 2)], "{policy:?}");
    }
}

/// A random scenario: small times with many ties, or large times.
fn scenario(rng: &mut ChaCha8Rng) -> Vec<Step> {
    let unit = *[Ticks(1), Ticks(1), Ticks(7), SECOND].get(rng.random_range(0..4)).expect("four");
    let longest = *[3, 20, 100].get(rng.random_range(0..3)).expect("three");
    let gap = *[0, 2, 10].get(rng.random_range(0..3)).expect("three");
    let (mut time, mut jobs) = (Time::ZERO, 0);
    let mut steps = Vec::new();
    for _ in 0..rng.random_range(1..60) {
        time += unit * rng.random_range(0..=gap);
        let action = match rng.random_range(0..20) {
            0 => Action::Load(rng.random_range(0..=100)),
            1 => Action::Load(*[0, 50, 100].get(rng.random_range(0..3)).expect("three")),
            2..=4 => Action::Halt(rng.random_range(0..=jobs)),
            5..=6 => Action::Resume(rng.random_range(0..=jobs)),
            7..=8 => Action::Cancel(rng.random_range(0..=jobs)),
            9 => Action::Look,
            _ => {
                jobs += 1;
                Action::Submit(unit * rng.random_range(0..=longest))
            }
        };
        steps.push(Step { time, first: rng.random(), action });
    }
    steps.push(Step { time, first: false, action: Action::Load(rng.random_range(0..100)) });
    steps
}

fn random_pes(rng: &mut ChaCha8Rng, policy: AllocationPolicy) -> Pes {
    let count = rng.random_range(1..=5);
    let rate = |rng: &mut ChaCha8Rng| match policy {
        policy if policy.is_space_shared() => f64::from(rng.random_range(3..6)),
        _ => 100.0,
    };
    let machines: Vec<_> = (0..count).map(|_| (1, rate(rng))).collect();
    Pes::new(&machines).expect("some")
}

#[test]
fn fast_policies_do_what_plain_ones_do() {
    for policy in AllocationPolicy::ALL {
        for seed in 0..2000 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let (pes, steps) = (random_pes(&mut rng, policy), scenario(&mut rng));
            let case = format!("{policy:?}, seed {seed}, {steps:?}");
            fast_as_plain(policy, &pes, &steps, &case);
        }
    }
}

/// Enough jobs for trees to grow and shrink, and for lists with more dead than live entries.
#[test]
fn fast_policies_do_what_plain_ones_do_with_many_jobs() {
    for policy in AllocationPolicy::ALL {
        for seed in 0..4 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let pes = Pes::new(&[(rng.random_range(1..=8), 1.0)]).expect("some");
            let steps: Vec<Step> = (0..400)
                .map(|i| {
                    let action = match rng.random_range(0..10) {
                        0 => Action::Halt(rng.random_range(0..=i)),
                        1 => Action::Resume(rng.random_range(0..=i)),
                        2..=3 => Action::Cancel(rng.random_range(0..=i)),
                        _ => Action::Submit(Ticks(rng.random_range(0..5000))),
                    };
                    Step { time: Time(Ticks(i as u64)), first: rng.random(), action }
                })
                .collect();
            fast_as_plain(policy, &pes, &steps, &format!("{policy:?}, seed {seed}"));
        }
    }
}

/// A job of this many seconds on several PEs.
fn ask(arrival: f64, length: f64, pes: u32) -> Step {
    let time = Ticks(seconds(length));
    step(seconds(arrival), Action::Ask(time, Request { pes, believed: time }))
}

/// Start of each job in seconds, in order of submission, on two PEs of 1 MIPS.
fn starts_on_two(order: Queue, steps: &[Step]) -> Vec<f64> {
    let pes = Pes::new(&[(2, 1.0)]).expect("two");
    let log = fast_as_plain(AllocationPolicy::Queued(order), &pes, steps, "by hand");
    let mut starts = vec![f64::NAN; steps.len()];
    for (time, event) in log {
        if let Event::Started(started) = event {
            starts[started.job.0 as usize] = time.0.as_f64() / SECOND.as_f64();
        }
    }
    starts
}

/// The jobs of GridSim's table 5.1 and one more on two PEs. At 10, when a PE is free, job 2 (9.5)
/// has waited longer than job 3 (1), which is shorter.
#[test]
fn the_shortest_job_first() {
    let steps = [ask(0.0, 10.0, 1), ask(4.0, 8.5, 1), ask(7.0, 9.5, 1), ask(8.0, 1.0, 1)];
    assert_eq!(starts_on_two(Queue::Fcfs, &steps), [0.0, 4.0, 10.0, 12.5]);
    assert_eq!(starts_on_two(Queue::Sjf, &steps), [0.0, 4.0, 11.0, 10.0]);
    assert_eq!(starts_on_two(Queue::Backfill, &steps), [0.0, 4.0, 10.0, 12.5]);
}

/// Job 1 needs both PEs and waits until 10. First come, first served, all wait behind it. With
/// backfilling job 2 (until 9) and job 4 (until exactly 10) overtake it, job 3 (until 13) does not.
#[test]
fn jobs_overtake_one_that_needs_several_pes() {
    let steps =
        [ask(0.0, 10.0, 1), ask(1.0, 5.0, 2), ask(2.0, 7.0, 1), ask(3.0, 4.0, 1), ask(4.0, 1.0, 1)];
    assert_eq!(starts_on_two(Queue::Fcfs, &steps), [0.0, 10.0, 15.0, 15.0, 19.0]);
    // At 2 the first of the queue is job 1 (5 s), at 3 job 3 (4 s), at 7 job 4 (1 s).
    assert_eq!(starts_on_two(Queue::Sjf, &steps), [0.0, 10.0, 15.0, 3.0, 7.0]);
    assert_eq!(starts_on_two(Queue::Backfill, &steps), [0.0, 10.0, 2.0, 15.0, 9.0]);
}

/// Three PEs; job 1 needs two of them from 10 on, so one is left over: a long job may take it.
#[test]
fn what_the_first_job_leaves_over_is_used() {
    let pes = Pes::new(&[(3, 1.0)]).expect("three");
    let steps = [ask(0.0, 10.0, 2), ask(1.0, 5.0, 2), ask(2.0, 50.0, 1), ask(3.0, 50.0, 1)];
    let policy = AllocationPolicy::Queued(Queue::Backfill);
    let log = fast_as_plain(policy, &pes, &steps, "by hand");
    let seconds: Vec<u64> = starts(&log).into_iter().map(|tick| tick / SECOND.0).collect();
    assert_eq!(seconds, [0, 2, 10, 15]);
}

/// A job on the two fastest of three PEs runs at the rate of the slower one: 30 MI at 300 MIPS.
#[test]
fn several_pes_are_as_fast_as_the_slowest() {
    let pes = Pes::new(&[(1, 300.0), (1, 100.0), (1, 600.0)]).expect("three");
    let time = Ticks(50_000_000);
    let steps = [step(0, Action::Ask(time, Request { pes: 2, believed: time }))];
    let log = fast_as_plain(AllocationPolicy::Queued(Queue::Fcfs), &pes, &steps, "by hand");
    assert_eq!(completions(&log), [(100_000_000, 0)]);
}

/// Random jobs on several PEs, with estimates that may be wrong.
#[test]
fn queues_for_wide_jobs_do_what_plain_ones_do() {
    for order in [Queue::Fcfs, Queue::Sjf, Queue::Backfill] {
        let policy = AllocationPolicy::Queued(order);
        for seed in 0..2000 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let (pes, mut steps) = (random_pes(&mut rng, policy), scenario(&mut rng));
            let is_exact = rng.random();
            for step in &mut steps {
                if let Action::Submit(time) = step.action {
                    let factor = if is_exact { 10 } else { rng.random_range(0..30) };
                    let believed = Ticks(time.0 * factor / 10);
                    let pes = rng.random_range(1..=pes.count());
                    step.action = Action::Ask(time, Request { pes, believed });
                }
            }
            let case = format!("{policy:?}, seed {seed}, {steps:?}");
            fast_as_plain(policy, &pes, &steps, &case);
        }
    }
}

/// With exact estimates, full speed and equal PEs the first job of the queue never starts later
/// than its shadow time when it came first: backfilling starts no job later than first come, first
/// served does, as far as the first one is concerned.
#[test]
fn backfilling_does_not_delay_the_first_job() {
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let pes = Pes::new(&[(4, 1.0)]).expect("four");
        // Two running jobs, a wide one that waits, then jobs that want to overtake it.
        let mut steps = vec![
            ask(0.0, f64::from(rng.random_range(5..20)), 2),
            ask(0.0, f64::from(rng.random_range(5..20)), 1),
            ask(0.0, 5.0, rng.random_range(2..=4)),
        ];
        let alone = steps.clone();
        for i in 0..20 {
            let (length, pes) = (rng.random_range(1..20), rng.random_range(1..=3));
            steps.push(ask(f64::from(i) / 4.0, f64::from(length), pes));
        }
        let start_of_third = |steps: &[Step]| {
            let log = fast(AllocationPolicy::Queued(Queue::Backfill), &pes, steps, false);
            let found = log.iter().find(
                |(_, event)| matches!(event, Event::Started(started) if started.job == JobId(2)),
            );
            found.map(|(time, _)| *time)
        };
        assert_eq!(start_of_third(&steps), start_of_third(&alone), "seed {seed}");
    }
}

#[test]
fn busy_pes_are_those_of_running_jobs() {
    let pes = Pes::new(&[(4, 1.0)]).expect("four");
    let mut resource = AllocationPolicy::Queued(Queue::Fcfs).build(&pes).expect("equal PEs");
    let request = |pes| Request { pes, believed: Ticks(5) };
    resource.submit_as(JobId(0), Ticks(5), request(3));
    resource.submit_as(JobId(1), Ticks(5), request(2));
    assert_eq!((resource.busy(), resource.job_count()), (Some(3), 2));
    // All are removed, and none starts in between.
    assert_eq!(resource.stop_all().len(), 2);
    assert_eq!((resource.busy(), resource.started().len()), (Some(0), 1));
    assert_eq!(AllocationPolicy::SpaceShared.build(&pes).expect("equal PEs").busy(), None);
}

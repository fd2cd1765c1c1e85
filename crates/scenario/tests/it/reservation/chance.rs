//! Random grids with all kinds of disturbances, checked by an observer.

use super::*;
use gridsat_model::Ticks;

/// Follows exactly which job runs on which PE, and for how long.
struct Watch {
    /// Jobs that name a reservation, by number, until it ends.
    reserved: BTreeMap<u64, usize>,
    /// The job of each PE, and its start time.
    running: BTreeMap<(ResourceId, u32), (u64, Time)>,
    /// PEs of active reservations.
    active: BTreeMap<usize, (ResourceId, u32)>,
    specs: Vec<ReservationSpec>,
    pes: Vec<u32>,
    given: BTreeMap<u64, Ticks>,
    used: Vec<u128>,
    finished: Vec<JobRecord>,
    suspended: u64,
    now: Time,
    text: String,
}

impl Watch {
    fn new(setup: &Setup, reserved: BTreeMap<u64, usize>, text: &str) -> Self {
        Self {
            reserved,
            running: BTreeMap::new(),
            active: BTreeMap::new(),
            specs: setup.reservations.clone(),
            pes: setup.grid.resources.iter().map(|spec| spec.pes.count()).collect(),
            given: BTreeMap::new(),
            used: vec![0; setup.reservations.len()],
            finished: Vec::new(),
            suspended: 0,
            now: Time(Ticks(0)),
            text: text.to_owned(),
        }
    }

    fn stop(&mut self, job: u64, now: Time) {
        let at = self.running.iter().find(|(_, (other, _))| *other == job).map(|(&at, _)| at);
        let Some(at) = at else { return };
        let (_, since) = self.running.remove(&at).expect("just found");
        *self.given.entry(job).or_default() += now - since;
        if let Some(&reservation) = self.reserved.get(&job) {
            self.used[reservation] += u128::from(now - since);
        }
    }

    /// Invariant between any two times: reserved PEs run only jobs of their reservation.
    fn check(&self) {
        for (index, &pes) in self.pes.iter().enumerate() {
            let id = ResourceId(index as u32);
            let here = self.running.iter().filter(|((at, _), _)| *at == id);
            let mut ordinary = 0;
            let mut of = BTreeMap::<usize, u32>::new();
            for (_, (job, _)) in here {
                match self.reserved.get(job) {
                    Some(&reservation) => *of.entry(reservation).or_default() += 1,
                    None => ordinary += 1,
                }
            }
            let held = self.active.values().filter(|(at, _)| *at == id);
            let held: u32 = held.map(|&(_, pes)| pes).sum();
            assert!(
                ordinary + held <= pes,
                "at {:?}: {ordinary} + {held}\n{}",
                self.now,
                self.text
            );
            for (reservation, count) in of {
                let (_, pes) = self.active.get(&reservation).copied().unwrap_or((id, 0));
                assert!(count <= pes, "at {:?}: {count} of {pes}\n{}", self.now, self.text);
            }
        }
    }
}

impl Observer<GridEvents> for Watch {
    fn happened(&mut self, now: Time, what: &Happening) {
        if now > self.now {
            self.check();
            self.now = now;
        }
        match *what {
            Happening::Started { job, resource, pe: Some(pe) } => {
                let before = self.running.insert((resource, pe), (job, now));
                assert_eq!(before, None, "two jobs on PE {pe}\n{}", self.text);
            }
            Happening::Finished { job, .. }
            | Happening::Ran { job, .. }
            | Happening::Halted { job }
            | Happening::Interrupted { job, .. }
            | Happening::Lost { job, .. }
            | Happening::Cancelled { job } => self.stop(job, now),
            Happening::Suspended { job, .. } => {
                self.suspended += 1;
                self.stop(job, now);
            }
            Happening::Returned { job, .. } => drop(self.reserved.remove(&job)),
            Happening::Reservation { reservation, resource, state } => {
                let index = reservation.index();
                if let ReservationState::Active(_) = state {
                    self.active.insert(index, (resource, self.specs[index].pes));
                }
                if state.is_over() {
                    self.active.remove(&index);
                    // They stop at this time; their work until now belongs to the reservation.
                    let of = |job: &u64| self.reserved.get(job) == Some(&index);
                    let jobs = self.running.values().map(|&(job, _)| job).filter(of);
                    jobs.collect::<Vec<_>>().into_iter().for_each(|job| self.stop(job, now));
                    self.reserved.retain(|_, of| *of != index);
                }
            }
            _ => {}
        }
    }

    fn left(&mut self, job: &JobRecord) {
        if job.outcome == Outcome::Finished {
            self.finished.push(job.clone());
        }
    }
}

/// A random grid with reservations and almost all other features, stopped at a random time. In a
/// calm one nothing fails, halts or slows down.
pub(super) fn chaos(seed: u64, is_calm: bool) -> (String, BTreeMap<u64, usize>) {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let stop = if is_calm { 100_000 } else { random.random_range(1..800) };
    let mut text = format!("seed = {seed}\n[stop]\ntime = {stop}\n");
    let resources = random.random_range(1..3);
    for index in 0..resources {
        let pes = if !is_calm && random.random() {
            "machines = [ { pes = 3, mips = 1 }, { mips = 2.7 } ]".to_owned()
        } else {
            "pes = 4\nmips = 1".to_owned()
        };
        text += &format!("[[resource]]\nname = 'r{index}'\n{pes}\n");
        if is_calm {
            continue;
        }
        text += pick(
            random,
            &[
                "",
                "",
                "load = 30\n",
                "load = { average = 40, randomiser = 'even', limit = 30, period = 7 }\n",
            ],
        );
        let when = pick(
            random,
            &[
                "fails = { uniform = [0, 200] }\nrestores = { uniform = [0, 50] }",
                "changes = [ { at = 3, capacity = 50 }, { at = 33.3, down = true }, \
                 { at = 77, up = true }, { at = 99, down = true }, { at = 99, up = true } ]",
            ],
        );
        let rule = pick(random, &crate::grid::FAILURE_RULES);
        if random.random() {
            text += &format!("[resource.failure]\n{when}\non_failure = {rule}\n");
        }
    }
    let reservations = random.random_range(1..9);
    for index in 0..reservations {
        let requested = random.random_range(0..100);
        let start = requested + random.random_range(0..100);
        let (resource, pes) = (random.random_range(0..resources), random.random_range(1..5));
        let duration = random.random_range(1..80);
        text += &format!(
            "[[reservation]]\nname = 'R{index}'\nresource = 'r{resource}'\npes = {pes}\n\
             requested = {requested}\nstart = {start}\nduration = {duration}\n"
        );
        text += pick(random, &["", "on_conflict = 'move'\n"]);
        match random.random_range(0..6) {
            0 => text += &format!("cancel = {}\n", requested + random.random_range(0..150)),
            1 => text += &format!("commit = {}\n", requested + random.random_range(0..80)),
            2 => {
                text +=
                    &format!("commit = {}\ntimeout = 20\n", requested + random.random_range(0..40))
            }
            _ => {}
        }
    }
    // Only listed jobs, so that their numbers are known: jobs of the same time are numbered in
    // order.
    let (mut reserved, mut at) = (BTreeMap::new(), 0);
    let jobs = random.random_range(1..60);
    let has_data = !is_calm && random.random();
    if has_data {
        text += "[network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n";
    }
    for number in 0..jobs {
        at += random.random_range(0..9);
        text += &format!("[[job]]\nat = {at}\nmi = {}\n", random.random_range(1..90));
        if random.random_range(0..3) == 0 {
            let reservation = random.random_range(0..reservations);
            text += &format!("reservation = 'R{reservation}'\n");
            reserved.insert(number, reservation);
        }
        if has_data && random.random() {
            let (input, output) = (random.random_range(0..40_000), random.random_range(0..9_000));
            text += &format!("home = 'desk'\ninput = {input}\noutput = {output}\n");
        }
    }
    let policy = pick(random, &["mct", "olb", "minmin", "fcfs", "fjbr", "tlmm", "sufferage"]);
    let estimator = pick(random, &["auto", "shares", "exact"]);
    let error = if is_calm { 0 } else { 20 };
    text += &format!(
        "[[scheduler]]\npolicy = '{policy}'\nestimator = '{estimator}'\n[estimates]\n\
         error = {error}\n"
    );
    if !is_calm && estimator != "exact" && random.random() {
        text += "[information]\nping = 30\ndelay = 10\n";
    }
    for _ in 0..if is_calm { 0 } else { random.random_range(0..12) } {
        let what = pick(random, &["halt", "resume", "cancel"]);
        let (at, job) = (random.random_range(0..300), random.random_range(0..jobs));
        text += &command(at, what, job as u32);
    }
    (text, reserved)
}

fn run(seed: u64, is_calm: bool) -> (Summary, Watch) {
    let (text, reserved) = chaos(seed, is_calm);
    let setup = setup(&text);
    let mut watch = Watch::new(&setup, reserved, &text);
    let summary = simulate(setup, &mut watch).unwrap_or_else(|error| panic!("{error}\n{text}"));
    watch.check();
    let running: Vec<u64> = watch.running.values().map(|&(job, _)| job).collect();
    running.into_iter().for_each(|job| watch.stop(job, summary.end_time));
    assert_adds_up(&summary, &text);
    for (reservation, used) in summary.reservations.iter().zip(&watch.used) {
        assert_eq!(reservation.used, *used, "{}\n{text}", reservation.spec.name);
    }
    (summary, watch)
}

#[test]
fn whatever_happens_and_whenever_it_stops_all_adds_up() {
    let (mut finished, mut suspended, mut progress) = (0, 0, 0);
    let mut states = BTreeMap::<&str, u64>::new();
    for seed in 0..600 {
        let (summary, watch) = run(seed, false);
        finished += summary.counts.finished;
        suspended += watch.suspended;
        progress += u64::from(summary.left > 0);
        for reservation in &summary.reservations {
            *states.entry(reservation.state.name()).or_default() += 1;
        }
    }
    assert!(
        finished > 5000 && suspended > 500 && progress > 100,
        "{finished} {suspended} {progress}"
    );
    assert!(states.len() == 8 && states.values().all(|&count| count > 20), "{states:?}");
}

/// With nothing but reservations a job runs for exactly its length, and the PE time given equals
/// the time used.
#[test]
fn jobs_get_the_pe_time_they_need_and_no_more() {
    let mut suspended = 0;
    for seed in 0..300 {
        let (summary, watch) = run(seed, true);
        assert_eq!(summary.left, 0, "{}", watch.text);
        for job in &watch.finished {
            let gridsat_workload::Demand::Instructions(mi) = job.demand else { panic!("no size") };
            assert_eq!(
                watch.given[&job.number],
                Ticks(mi as u64 * SECOND),
                "{}\n{}",
                job.number,
                watch.text
            );
        }
        let given: Ticks = watch.given.values().sum();
        assert_eq!(summary.accounts.given.whole_ticks(), given);
        for reservation in &summary.reservations {
            if let ReservationState::Finished(Period { start, end }) = reservation.state {
                let had = u128::from(end - start) * u128::from(reservation.spec.pes);
                assert_eq!(reservation.used + reservation.unused, had, "{}", watch.text);
            }
        }
        suspended += watch.suspended;
    }
    assert!(suspended > 300, "{suspended}");
}

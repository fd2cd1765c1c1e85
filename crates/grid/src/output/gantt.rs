//! Collects the data for a Gantt chart of the run.
//!
//! If the policy binds jobs to PEs, a lane is a PE. Otherwise a job gets the lowest lane that is
//! free when it starts. Bars are kept until [`Gantt::MOST_JOBS`] jobs have left; the chart then
//! ends at that time, and says so.

use gridsat_model::Ticks;
use std::collections::{BTreeMap, BTreeSet};

use super::description::Description;
use crate::{GridEvents, Happening, JobRecord, ResourceId, Summary};
use gridsat_draw::Theme;
use gridsat_draw::gantt::schedule::{self, Band, Bar, COLOUR_COUNT, Colour, Schedule};
use gridsat_engine::Observer;
use gridsat_engine::time::Time;

/// Collects which job ran where and when.
pub struct Gantt<'a> {
    description: &'a Description,
    /// Jobs that have started and are still in the system, by number.
    present: BTreeMap<u64, Vec<Piece>>,
    left: Vec<Left>,
    lanes: Vec<Lanes>,
    /// Time at which the limit of jobs was reached.
    full: Option<Time>,
}

/// An interval in which a job runs.
#[derive(Clone, Copy)]
struct Piece {
    resource: ResourceId,
    lane: u32,
    start: Time,
    end: Option<Time>,
}

/// A job that has left.
struct Left {
    number: u64,
    name: String,
    user: u32,
    application: u32,
    pieces: Vec<Piece>,
}

/// What colours distinguish: users, otherwise applications, otherwise neighbouring jobs.
#[derive(Clone, Copy)]
enum By {
    User,
    Application,
    Job,
}

/// The lanes of a resource.
#[derive(Default)]
struct Lanes {
    free: BTreeSet<u32>,
    count: u32,
}

impl Lanes {
    fn take(&mut self) -> u32 {
        self.free.pop_first().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

impl<'a> Gantt<'a> {
    /// Number of jobs drawn at most; more would not be readable.
    pub const MOST_JOBS: usize = 20_000;

    /// An empty chart.
    pub fn new(description: &'a Description) -> Self {
        let lanes = description.resources.iter().map(|_| Lanes::default());
        let (present, left) = (BTreeMap::new(), Vec::new());
        Self { description, present, left, lanes: lanes.collect(), full: None }
    }

    fn start(&mut self, job: u64, resource: ResourceId, pe: Option<u32>, now: Time) {
        let lane = pe.unwrap_or_else(|| self.lanes[resource.index()].take());
        let piece = Piece { resource, lane, start: now, end: None };
        self.present.entry(job).or_default().push(piece);
    }

    fn stop(&mut self, job: u64, now: Time) {
        let last = self.present.get_mut(&job).and_then(|pieces| pieces.last_mut());
        let Some(piece) = last.filter(|piece| piece.end.is_none()) else { return };
        piece.end = Some(now);
        self.lanes[piece.resource.index()].free.insert(piece.lane);
    }

    /// The chart as a separate SVG file.
    pub fn svg(&self, summary: &Summary) -> String {
        schedule::svg(&self.schedule(summary), Theme::Paper)
    }

    /// The chart of a run that ended with this summary.
    pub fn schedule(&self, summary: &Summary) -> Schedule {
        let end = self.full.unwrap_or(summary.end_time);
        let by = self.colours_by();
        let mut bars: Vec<Bar> = self.left.iter().flat_map(|job| job.bars(by)).collect();
        for (number, pieces) in &self.present {
            let bar = |piece: &Piece| piece.bar(end, Colour::Hatched, number.to_string());
            bars.extend(pieces.iter().map(bar));
        }
        let makespan = self.full.is_none().then_some(summary.counts.makespan.0);
        // The chart ends with the last job, or with the transfer of its results.
        let last = bars.iter().map(|bar| bar.end).chain(makespan).max().unwrap_or(end.0);
        Schedule {
            title: format!("{}: {}", self.description.name, self.description.policies()),
            captions: self.captions(summary),
            legend: self.legend(by),
            scale: self.description.scale,
            span: last.max(Ticks(1)),
            makespan,
            bands: self.bands(),
            bars,
        }
    }

    fn captions(&self, summary: &Summary) -> Vec<String> {
        let finished = summary.counts.finished;
        let (seed, version) = (self.description.seed, gridsat_model::VERSION);
        let mut captions =
            vec![format!("{finished} jobs finished, seed {seed}, gridsat {version}")];
        if let Some(full) = self.full {
            let (until, end) =
                (self.description.time(full), self.description.time(summary.end_time));
            let jobs = Self::MOST_JOBS;
            captions.push(format!(
                "Drawn are the first {jobs} jobs that left, until {until} s of {end} s."
            ));
        }
        captions
    }

    fn bands(&self) -> Vec<Band> {
        let both = self.description.resources.iter().zip(&self.lanes);
        let bands = both.map(|(facts, lanes)| {
            let lanes_are_pes = facts.policy.is_space_shared();
            let lanes = if lanes_are_pes { facts.pes } else { lanes.count.max(1) };
            Band { name: facts.name.clone(), lanes, lanes_are_pes }
        });
        bands.collect()
    }

    fn colours_by(&self) -> By {
        let differ =
            |of: fn(&Left) -> u32| self.left.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]));
        match (differ(|job| job.user), differ(|job| job.application)) {
            (true, _) => By::User,
            (false, true) => By::Application,
            (false, false) => By::Job,
        }
    }

    fn legend(&self, by: By) -> Vec<(Colour, String)> {
        let what = match by {
            By::User => Some("user"),
            By::Application => Some("application"),
            By::Job => None,
        };
        let numbers: BTreeSet<u64> = self.left.iter().map(|job| job.number(by)).collect();
        let mut legend = Vec::new();
        for (colour, what) in (0..COLOUR_COUNT).flat_map(|colour| Some((colour, what?))) {
            let mut alike = numbers.iter().filter(|&&n| n % COLOUR_COUNT as u64 == colour as u64);
            let more = if alike.clone().count() > 2 { ", …" } else { "" };
            let some: Vec<_> = alike.by_ref().take(2).map(ToString::to_string).collect();
            if !some.is_empty() {
                legend.push((Colour::Number(colour), format!("{what} {}{more}", some.join(", "))));
            }
        }
        if !self.present.is_empty() {
            legend.push((Colour::Hatched, "unfinished".to_owned()));
        }
        legend
    }
}

impl Piece {
    fn bar(&self, end: Time, colour: Colour, name: String) -> Bar {
        Bar {
            band: self.resource.index(),
            lane: self.lane,
            start: self.start.0,
            end: self.end.unwrap_or(end).0,
            colour,
            name,
        }
    }
}

impl Left {
    fn number(&self, by: By) -> u64 {
        match by {
            By::User => u64::from(self.user),
            By::Application => u64::from(self.application),
            By::Job => self.number,
        }
    }

    fn bars(&self, by: By) -> impl Iterator<Item = Bar> {
        let colour = Colour::Number((self.number(by) % COLOUR_COUNT as u64) as usize);
        self.pieces.iter().map(move |piece| piece.bar(piece.start, colour, self.name.clone()))
    }
}

impl Observer<GridEvents> for Gantt<'_> {
    fn happened(&mut self, now: Time, what: &Happening) {
        if self.full.is_some() {
            return;
        }
        match *what {
            Happening::Started { job, resource, pe } => self.start(job, resource, pe, now),
            Happening::Finished { job, .. }
            | Happening::Ran { job, .. }
            | Happening::Halted { job }
            | Happening::Interrupted { job, .. }
            | Happening::Suspended { job, .. }
            | Happening::Lost { job, .. }
            | Happening::Cancelled { job } => self.stop(job, now),
            _ => {}
        }
    }

    fn left(&mut self, job: &JobRecord) {
        if self.full.is_some() {
            return;
        }
        let Some(pieces) = self.present.remove(&job.number) else { return };
        if self.left.len() == Self::MOST_JOBS {
            self.full = Some(job.end);
            self.present.insert(job.number, pieces);
            return;
        }
        let name = job.name.as_ref().map_or_else(|| job.number.to_string(), ToString::to_string);
        let (number, user, application) = (job.number, job.user, job.application);
        self.left.push(Left { number, name, user, application, pieces });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocation::{AllocationPolicy, Pes};
    use crate::economy::Money;
    use crate::{Job, Outcome, ResourceSpec, SchedulerId, Setup};
    use gridsat_workload::{Demand, JobSpec};

    /// One time-shared resource.
    fn description() -> Description {
        let shared = ResourceSpec::new("r0", Pes::new(&[(1, 1.0)]).expect("one PE"));
        let shared = ResourceSpec { policy: AllocationPolicy::Equal, ..shared };
        Description::of("x", &Setup { grid: vec![shared].into(), ..Setup::default() })
    }

    fn start(gantt: &mut Gantt<'_>, job: u64, now: u64) {
        let resource = ResourceId(0);
        gantt.happened(Time(Ticks(now)), &Happening::Started { job, resource, pe: None });
    }

    fn finish(gantt: &mut Gantt<'_>, job: u64, now: u64) {
        let resource = ResourceId(0);
        gantt.happened(Time(Ticks(now)), &Happening::Finished { job, resource });
        let spec = JobSpec::new(Ticks(0), Demand::Instructions(1.0));
        let (job, end) = (Job::new(job, spec, SchedulerId(0)), Time(Ticks(now)));
        gantt.left(&JobRecord::new(job, end, end, Outcome::Finished, Money::ZERO, None));
    }

    #[test]
    fn jobs_at_the_same_time_have_lanes_of_their_own() {
        let description = description();
        let mut gantt = Gantt::new(&description);
        (0..3).for_each(|job| start(&mut gantt, job, job));
        finish(&mut gantt, 1, 5);
        gantt.happened(Time(Ticks(6)), &Happening::Halted { job: 0 });
        start(&mut gantt, 3, 7);
        start(&mut gantt, 0, 8);
        let lane = |job| gantt.present[&job].last().map(|piece| piece.lane);
        assert_eq!([lane(2), lane(3), lane(0)], [Some(2), Some(0), Some(1)]);
        assert_eq!(gantt.present[&0][0].end, Some(Time(Ticks(6))));
        assert_eq!(gantt.bands()[0].lanes, 3);
    }

    #[test]
    fn keeps_no_more_than_it_shows() {
        let description = description();
        let mut gantt = Gantt::new(&description);
        for job in 0..=Gantt::MOST_JOBS as u64 + 5 {
            start(&mut gantt, job, job);
            finish(&mut gantt, job, job + 1);
        }
        assert_eq!(gantt.left.len(), Gantt::MOST_JOBS);
        assert_eq!(gantt.full, Some(Time(Ticks(Gantt::MOST_JOBS as u64 + 1))));
        assert_eq!(gantt.present.len(), 1);
    }
}

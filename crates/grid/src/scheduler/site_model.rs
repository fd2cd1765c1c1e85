//! Another scheduler as a target: how a metascheduler models a site.
//!
//! The estimated completion of a job is that on the best of the site's resources, after the jobs
//! that already wait at the site, each of which is assumed to go where it completes first. Times
//! are those on the fastest resource; on others they are longer by the ratio of the PE rates. QoS
//! levels within the site are ignored: the metascheduler knows whether the site can run a job, but
//! not on which of its resources. The information about resources is the site's, which may be old;
//! its waiting jobs are current.

use super::super::grid::ResourceId;
use super::super::resource::Resource;
use super::{SchedulerId, View};
use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

/// The resources of a site, each with the factor by which jobs take longer there than on the
/// fastest.
struct Site {
    resources: Vec<(f64, HostState)>,
}

pub(super) fn state(view: &View<'_>, id: SchedulerId) -> HostState {
    let scheduler = &view.schedulers[id];
    let resources = scheduler.reach.iter().map(|&id| &view.resources[id]);
    let fastest = resources.map(|r| r.pes().fastest()).fold(0.0, f64::max);
    let estimator = scheduler.estimator;
    let state =
        |&r: &ResourceId| (ratio(fastest, &view.resources[r]), view.state_of(r, id, estimator));
    let mut site = Site { resources: scheduler.reach.iter().map(state).collect() };
    for &job in scheduler.waiting.iter() {
        let spec = &view.jobs[job].spec;
        let times = scheduler.reach.iter().map(|&id| view.resources[id].believed_time(spec));
        if let Some(time) = times.flatten().min() {
            site.assign(time);
        }
    }
    HostState::Other(Box::new(site))
}

fn ratio(fastest: f64, resource: &Resource) -> f64 {
    fastest / resource.pes().fastest()
}

fn longer(time: Ticks, ratio: f64) -> Ticks {
    if ratio == 1.0 { time } else { Ticks::truncated(time.as_f64() * ratio) }
}

impl Site {
    fn best(&self, time: Ticks) -> Option<(Ticks, usize)> {
        let completion = |(index, (ratio, state)): (usize, &(f64, HostState))| {
            (state.completion(longer(time, *ratio)), index)
        };
        let best = self.resources.iter().enumerate().map(completion).min();
        best.filter(|&(completion, _)| completion < Ticks::MAX)
    }
}

impl HostModel for Site {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        self.best(time).map(|(completion, _)| completion)
    }

    fn assign(&mut self, time: Ticks) {
        if let Some((_, index)) = self.best(time) {
            let (ratio, state) = &mut self.resources[index];
            state.assign(longer(time, *ratio));
        }
    }

    fn delay(&self) -> Ticks {
        self.resources.iter().map(|(_, state)| state.delay()).min().unwrap_or(Ticks::MAX)
    }

    fn is_monotone(&self) -> bool {
        self.resources.iter().all(|(_, state)| state.is_monotone())
    }

    fn fork(&self) -> Box<dyn HostModel> {
        let resources = self.resources.iter().map(|(ratio, state)| (*ratio, state.clone()));
        Box::new(Self { resources: resources.collect() })
    }
}

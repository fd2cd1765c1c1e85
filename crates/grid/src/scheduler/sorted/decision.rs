//! A decision under way: the states of the hosts with the jobs assigned so far.

use super::super::{Assignment, View};
use super::State;
use gridsat_heuristics::HostState;
use gridsat_model::{HostId, Ticks};

pub(super) struct Decision<'a> {
    pub view: &'a View<'a>,
    states: &'a mut [State],
    made: &'a mut Vec<Assignment>,
    /// Number of hosts that are free within the time limit.
    open: usize,
}

impl<'a> Decision<'a> {
    pub fn new(view: &'a View<'a>, states: &'a mut [State], made: &'a mut Vec<Assignment>) -> Self {
        let until = view.until();
        let is_open = |state: &&State| until.is_none_or(|until| state.delay() <= until);
        let open = states.iter().filter(is_open).count();
        Self { view, states, made, open }
    }

    /// When the host would complete a job of this time; `Ticks::MAX` if never.
    #[inline]
    pub fn completion(&self, host: HostId, time: Ticks) -> Ticks {
        self.states[host.index()].completion(time)
    }

    /// When the host is free, if it is a queue.
    pub fn free(&self, host: HostId) -> Option<Ticks> {
        match self.states[host.index()] {
            State::Any(HostState::Queue(free)) => Some(free),
            _ => None,
        }
    }

    /// Whether no host is free within the time limit.
    pub fn is_late(&self) -> bool {
        self.open == 0 && self.view.until().is_some()
    }

    /// Sends the job with this number to a host where it takes this time.
    #[inline]
    pub fn send(&mut self, number: u64, host: HostId, time: Ticks) {
        let state = &mut self.states[host.index()];
        match self.view.until() {
            None => state.assign(time),
            Some(until) => {
                let was_open = state.delay() <= until;
                state.assign(time);
                let is_open = state.delay() <= until;
                self.open = self.open + usize::from(is_open) - usize::from(was_open);
            }
        }
        self.made.push(Assignment { job: self.view.place(number), host });
    }
}

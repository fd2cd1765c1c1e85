//! Min-Min, QoS-guided Min-Min, Max-Min and Sufferage on jobs that are kept sorted between
//! decisions.
//!
//! Makes the same decisions as [`MinMin`], [`Qgmm`], [`MaxMin`] and [`Sufferage`] on an instance of
//! all waiting jobs. Under a time limit a long queue is examined again and again although little of
//! it is sent; building an instance with a sorted column per host each time took nearly all the
//! time of a simulation.
//!
//! For each host Min-Min needs only the first remaining job by time there, then by place in the
//! queue. Jobs that need only instructions have the same order on all hosts: the time of a size on
//! a host is the size times a constant, rounded, which may make times of different sizes equal but
//! never reverses them ([`View::time_of_size`]). So there is one list per QoS level, sorted by
//! size, then by place, and
//!
//! - the first job of a list has the shortest time on every host that serves the level;
//! - jobs with the same time there follow it immediately, and among those of one size the first has
//!   the first place. So the first job of each size is examined as long as the time stays the same.
//!
//! Max-Min needs the job whose earliest completion is latest. A larger job of the same level is
//! never completed earlier, so this is the last of its list, or one before it with the same
//! completion. Sufferage has its own reasons (`suffering`).
//!
//! As for [`MinMin`], it does not matter how completions follow from times. Places are compared by
//! job numbers, which are in order of arrival. If jobs arrived in another order, sent by another
//! scheduler, or need anything else, the heuristic itself decides.

mod decision;
mod lists;
mod longest;
mod scanned;
mod shortest;
mod sized;
mod state;
mod suffering;

use std::slice::from_mut;

use super::plain_jobs::Follower;
use super::{Assignment, ByHeuristic, Mapper, MapperError, View};
use decision::Decision;
use gridsat_heuristics::{Heuristic, MaxMin, MinMin, Qgmm, Sufferage};
use lists::{List, Lists};
use shortest::Shortest;
pub(super) use state::State;

/// Min-Min, QoS-guided Min-Min, Max-Min or Sufferage.
pub struct Sorted {
    heuristic: &'static dyn Heuristic,
    rule: Rule,
    lists: Lists,
    follower: Follower,
    /// Reused to save allocations.
    states: Vec<State>,
    shortest: Shortest,
}

/// Which job is assigned next.
#[derive(Clone, Copy)]
enum Rule {
    Shortest,
    /// The jobs of each level are assigned before those of the next.
    ShortestOfLevel,
    Longest,
    Suffering,
}

impl Rule {
    /// Whether the rule can decide here.
    fn suits(self, decision: &Decision<'_>, lists: &[List]) -> bool {
        match self {
            Self::Shortest | Self::ShortestOfLevel | Self::Longest => true,
            Self::Suffering => suffering::suits(decision, lists),
        }
    }
}

impl Sorted {
    /// Decides as [`MinMin`].
    pub fn min_min() -> Self {
        Self::new(&MinMin, Rule::Shortest)
    }

    /// Decides as [`Qgmm`].
    pub fn qgmm() -> Self {
        Self::new(&Qgmm, Rule::ShortestOfLevel)
    }

    /// Decides as [`MaxMin`].
    pub fn max_min() -> Self {
        Self::new(&MaxMin, Rule::Longest)
    }

    /// Decides as [`Sufferage`].
    pub fn sufferage() -> Self {
        Self::new(&Sufferage, Rule::Suffering)
    }

    fn new(heuristic: &'static dyn Heuristic, rule: Rule) -> Self {
        let (lists, follower) = (Lists::default(), Follower::new());
        let (states, shortest) = (Vec::new(), Shortest::default());
        Self { heuristic, rule, lists, follower, states, shortest }
    }
}

impl Mapper for Sorted {
    fn name(&self) -> String {
        self.heuristic.name().to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let mut made = Vec::new();
        self.decide_into(view, &mut made)?;
        Ok(made)
    }

    fn decide_into(
        &mut self,
        view: &View<'_>,
        made: &mut Vec<Assignment>,
    ) -> Result<(), MapperError> {
        if view.is_surely_late() {
            return Ok(());
        }
        self.states.clear();
        self.states.extend(view.hosts().map(|host| view.state_in_place(host)));
        let mut decision = Decision::new(view, &mut self.states, made);
        if decision.is_late() {
            return Ok(());
        }
        let (lists, shortest) = (&mut self.lists, &mut self.shortest);
        let is_followed = self.follower.follow(view, lists);
        if !is_followed || !self.rule.suits(&decision, &lists.0) {
            *made = ByHeuristic(self.heuristic).decide(view)?;
            if is_followed {
                made.iter().for_each(|sent| lists.remove(view, sent.job));
                self.follower.send(made.len());
            }
            return Ok(());
        }
        let lists = &mut lists.0;
        match self.rule {
            Rule::Shortest => shortest.assign(&mut decision, lists),
            Rule::ShortestOfLevel => {
                lists.iter_mut().for_each(|list| shortest.assign(&mut decision, from_mut(list)));
            }
            Rule::Longest => longest::assign(&mut decision, lists),
            Rule::Suffering => suffering::assign(&mut decision, lists),
        }
        self.follower.send(made.len());
        Ok(())
    }
}

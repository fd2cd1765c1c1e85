//! The resource that would complete a job first, among many.
//!
//! A resource that is one queue completes a job at `max(free, now) + size · pace` or later, where
//! `free` is the estimated end of what it has and `pace` is its ticks per instruction. Both numbers
//! are kept as floats in arrays, so that bounds for sixteen resources take a few vector
//! instructions. Resources are in order of pace. A block of sixteen has its least `free` and its
//! least `pace`, which bound the completions of all its resources from below: of blocks of equal
//! paces, as in large grids, only the best is looked into.
//!
//! Floats only exclude. The limit that excludes is raised by more than the rounding errors, and
//! what is left is compared by exact times, ties by the order of the resources.

use super::Front;
use crate::grid::ResourceId;
use gridsat_engine::Table;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Resources in a block.
const BLOCK: usize = 16;

/// Numbers that are compared with each other at a time.
const LANES: usize = 4;

/// Up to this many resources, bounds of blocks do not help.
const FEW: usize = 128;

/// Resources whose bounds are summed up at a time, if there are few.
const GROUP: usize = 8;

/// Above the sum of the relative errors of a bound (two conversions, a product and a sum, each of
/// at most 2^-53) and of a limit.
const ERROR: f64 = 1e-15;

/// What bounds the completion times of resources, or of blocks, from below.
#[derive(Clone, Debug)]
struct Bounds {
    /// Ticks since the start; minus infinity without a bound.
    free: Vec<f64>,
    /// Ticks per instruction.
    pace: Vec<f64>,
}

impl Bounds {
    /// Bounds that exclude everything.
    fn never(count: usize) -> Self {
        Self { free: vec![f64::INFINITY; count], pace: vec![0.0; count] }
    }

    /// The bounds from this place on.
    #[inline]
    fn some<const N: usize>(&self, from: usize, job: &Probe) -> [f64; N] {
        let (free, pace) = (&self.free[from..from + N], &self.pace[from..from + N]);
        std::array::from_fn(|place| job.bound(free[place], pace[place]))
    }
}

/// A job for which a resource is sought.
struct Probe {
    now: f64,
    size: f64,
}

impl Probe {
    #[inline]
    fn bound(&self, free: f64, pace: f64) -> f64 {
        (if free > self.now { free } else { self.now }) + self.size * pace
    }
}

#[inline]
fn least_of([a, b, c, d]: [f64; LANES]) -> f64 {
    // Unlike `f64::min`, one instruction.
    let less = |a: f64, b: f64| if a < b { a } else { b };
    less(less(a, b), less(c, d))
}

/// The limit for resources that might complete a job at this time: above the rounding errors, with
/// two ticks for rounding to whole ticks.
#[inline]
pub(crate) fn raised(time: f64) -> f64 {
    time * (1.0 + ERROR) + 2.0
}

/// Bounds of all resources, and of blocks of them.
#[derive(Clone, Debug)]
pub(crate) struct Earliest {
    resources: Bounds,
    /// Filled up to whole lanes.
    blocks: Bounds,
    /// The resource at each place.
    order: Vec<ResourceId>,
    /// The place of each resource.
    places: Table<ResourceId, u32>,
    /// Number of resources without a bound, because they are not just a queue.
    unbounded: usize,
}

impl Earliest {
    pub fn new(fronts: &Table<ResourceId, Front>) -> Self {
        let mut order: Vec<ResourceId> = fronts.ids().collect();
        order.sort_by(|&a, &b| fronts[a].pace().total_cmp(&fronts[b].pace()));
        let mut places: Table<ResourceId, u32> = order.iter().map(|_| 0).collect();
        for (place, &id) in (0..).zip(&order) {
            places[id] = place;
        }
        let blocks = order.len().div_ceil(BLOCK);
        let mut all = Self {
            resources: Bounds::never(blocks * BLOCK),
            blocks: Bounds::never(blocks.next_multiple_of(LANES)),
            order,
            places,
            unbounded: 0,
        };
        for (id, front) in fronts.pairs() {
            all.update(id, front);
        }
        all
    }

    /// Whether most resources have bounds; otherwise looking at all of them is faster.
    pub fn is_useful(&self) -> bool {
        4 * self.unbounded <= self.order.len()
    }

    /// Whether there are so few resources that bounds take longer than to look at all of them.
    #[inline]
    pub fn has_few(&self) -> bool {
        self.order.len() <= BLOCK
    }

    /// Whether there are so many resources that blocks of them help.
    pub fn has_many(&self) -> bool {
        self.order.len() > 2 * BLOCK
    }

    /// Whether all resources are surely not free until after this time.
    #[inline]
    pub fn are_all_free_after(&self, time: Time) -> bool {
        let limit = raised(time.0.as_f64());
        self.blocks.free.iter().all(|&free| free > limit)
    }

    /// Of each block: ticks from now before which none of its resources completes a job of this
    /// size, also if jobs are added to it.
    pub fn bounds(&self, now: Time, size: f64) -> impl Iterator<Item = Ticks> {
        let job = Probe { now: now.0.as_f64(), size };
        let blocks = 0..self.order.len().div_ceil(BLOCK);
        blocks.map(move |block| {
            let bound = job.bound(self.blocks.free[block], self.blocks.pace[block]);
            // Below the errors of the bound and of the difference; 0 if it is negative.
            Ticks((bound * (1.0 - 2.0 * ERROR) - job.now - 2.0) as u64)
        })
    }

    /// The resources of a block.
    pub fn members(&self, block: u32) -> &[ResourceId] {
        let from = block as usize * BLOCK;
        &self.order[from..self.order.len().min(from + BLOCK)]
    }

    /// Follows a change of a resource.
    #[inline]
    pub fn update(&mut self, id: ResourceId, front: &Front) {
        let place = self.places[id] as usize;
        let free = front.free().map_or(f64::NEG_INFINITY, |free| free.0.as_f64());
        let before = self.resources.free[place];
        // The start of a job that was queued changes nothing.
        if free != before {
            self.set(place, free, before, front.pace());
        }
    }

    fn set(&mut self, place: usize, free: f64, before: f64, pace: f64) {
        self.resources.free[place] = free;
        let (block, unknown) = (place / BLOCK, f64::NEG_INFINITY);
        let least = |all: &[f64]| all.iter().fold(f64::INFINITY, |a, &b| if b < a { b } else { a });
        let bound = &mut self.blocks.free[block];
        if free <= *bound {
            *bound = free;
        } else if before == *bound {
            *bound = least(&self.resources.free[block * BLOCK..(block + 1) * BLOCK]);
        }
        if free == unknown || before == unknown || before == f64::INFINITY {
            self.unbounded += usize::from(free == unknown);
            self.unbounded -= usize::from(before == unknown);
            self.resources.pace[place] = if free == unknown { 0.0 } else { pace };
            // Without those after the last resource.
            let end = self.order.len().min((block + 1) * BLOCK);
            self.blocks.pace[block] = least(&self.resources.pace[block * BLOCK..end]);
        }
    }

    /// The resource that completes a job of this size first, where `completion` gives the exact
    /// ticks from now; `None` if no resource ever completes it.
    pub fn first(
        &self,
        now: Time,
        size: f64,
        completion: impl Fn(ResourceId) -> Option<Ticks>,
    ) -> Option<ResourceId> {
        let job = Probe { now: now.0.as_f64(), size };
        let mut search = Search { best: None, limit: f64::INFINITY, completion };
        if self.order.len() <= FEW {
            self.search_few(&job, &mut search);
        } else {
            self.search_many(&job, &mut search);
        }
        search.best.map(|(_, id)| id)
    }

    /// Computes the least bounds of all groups, then considers the resources within the limit that
    /// the least of all gives. If the exact times turn out to be larger, it considers more.
    fn search_few<F>(&self, job: &Probe, search: &mut Search<F>)
    where
        F: Fn(ResourceId) -> Option<Ticks>,
    {
        let mut groups = [[f64::INFINITY; 2]; FEW / GROUP];
        let least = self.least_of_groups(job, &mut groups);
        // A tick more, so that the exact time where the bound is least does not exceed the limit.
        let mut limit = raised(least + 1.0);
        if let Some(id) = self.only_one_within(job, &groups, limit) {
            search.consider(id, job);
            if search.limit <= limit {
                return;
            }
        }
        loop {
            for (group, &[a, b]) in groups.iter().enumerate() {
                if a <= limit || b <= limit {
                    for from in (group * GROUP..(group + 1) * GROUP).step_by(LANES) {
                        search.look_within(self, from, job, limit);
                    }
                }
            }
            if search.limit <= limit {
                return;
            }
            limit = search.limit;
        }
    }

    /// Two bounds of each group, of the resources at even and at odd places; returns the least.
    #[inline]
    fn least_of_groups(&self, job: &Probe, groups: &mut [[f64; 2]]) -> f64 {
        let less = |a: f64, b: f64| if a < b { a } else { b };
        let mut least = [f64::INFINITY; 2];
        let bounds = self.resources.free.chunks_exact(GROUP);
        let bounds = bounds.zip(self.resources.pace.chunks_exact(GROUP));
        for ((free, pace), group) in bounds.zip(groups) {
            let mut low = [f64::INFINITY; 2];
            for (free, pace) in free.chunks_exact(2).zip(pace.chunks_exact(2)) {
                low[0] = less(job.bound(free[0], pace[0]), low[0]);
                low[1] = less(job.bound(free[1], pace[1]), low[1]);
            }
            *group = low;
            least = [less(low[0], least[0]), less(low[1], least[1])];
        }
        less(least[0], least[1])
    }

    /// The only resource within the limit, if there is only one. Without branches that depend on
    /// where it is: the processor could not predict them.
    #[inline]
    fn only_one_within(
        &self,
        job: &Probe,
        groups: &[[f64; 2]; FEW / GROUP],
        limit: f64,
    ) -> Option<ResourceId> {
        let (count, group) = within(groups.iter().map(|&[a, b]| a <= limit || b <= limit));
        if count != 1 {
            return None;
        }
        let bounds: [f64; GROUP] = self.resources.some(group * GROUP, job);
        let (count, place) = within(bounds.iter().map(|&bound| bound <= limit));
        (count == 1).then(|| self.order.get(group * GROUP + place).copied()).flatten()
    }

    /// Visits only blocks whose bounds are within the limit, the best one first.
    fn search_many<F>(&self, job: &Probe, search: &mut Search<F>)
    where
        F: Fn(ResourceId) -> Option<Ticks>,
    {
        let start = self.likely_block(job);
        search.visit(self, start, job);
        for from in (0..self.blocks.free.len()).step_by(LANES) {
            let bounds: [f64; LANES] = self.blocks.some(from, job);
            for (block, bound) in (from..).zip(bounds) {
                if bound <= search.limit && block != start && block * BLOCK < self.order.len() {
                    search.visit(self, block, job);
                }
            }
        }
    }

    /// A block with the least bound.
    fn likely_block(&self, job: &Probe) -> usize {
        let (mut least, mut blocks) = ([f64::INFINITY; LANES], [0; LANES]);
        for from in (0..self.blocks.free.len()).step_by(LANES) {
            let bounds: [f64; LANES] = self.blocks.some(from, job);
            for (lane, bound) in bounds.into_iter().enumerate() {
                if bound < least[lane] {
                    (least[lane], blocks[lane]) = (bound, from + lane);
                }
            }
        }
        let best = (0..LANES).min_by(|&a, &b| least[a].total_cmp(&least[b]));
        best.map_or(0, |lane| blocks[lane])
    }
}

/// How many are true, and the place of the last of them.
#[inline]
fn within(all: impl Iterator<Item = bool>) -> (usize, usize) {
    let (mut count, mut last) = (0, 0);
    for (place, is_within) in all.enumerate() {
        count += usize::from(is_within);
        last = if is_within { place } else { last };
    }
    (count, last)
}

/// A search for the first completion.
struct Search<F> {
    best: Option<(Ticks, ResourceId)>,
    /// Resources with larger bounds complete the job later than the best.
    limit: f64,
    completion: F,
}

impl<F: Fn(ResourceId) -> Option<Ticks>> Search<F> {
    fn visit(&mut self, all: &Earliest, block: usize, job: &Probe) {
        let from = block * BLOCK;
        for from in (from..from + BLOCK).step_by(LANES) {
            self.look_at(all, from, job);
        }
    }

    /// Considers the resources of four places whose bounds are within the limit so far.
    #[inline]
    fn look_at(&mut self, all: &Earliest, from: usize, job: &Probe) {
        self.look_within(all, from, job, self.limit);
    }

    /// Considers the resources of four places whose bounds are within this limit.
    fn look_within(&mut self, all: &Earliest, from: usize, job: &Probe, limit: f64) {
        if from >= all.order.len() {
            return;
        }
        let bounds: [f64; LANES] = all.resources.some(from, job);
        if least_of(bounds) <= limit {
            for (bound, &id) in bounds.into_iter().zip(&all.order[from..]) {
                if bound <= limit && bound <= self.limit {
                    self.consider(id, job);
                }
            }
        }
    }

    fn consider(&mut self, id: ResourceId, job: &Probe) {
        let Some(ticks) = (self.completion)(id).filter(|&ticks| ticks < Ticks::MAX) else { return };
        if self.best.is_none_or(|best| (ticks, id) < best) {
            self.best = Some((ticks, id));
            self.limit = raised(job.now + ticks.as_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// The plain search over all resources.
    fn plainly_first(
        fronts: &Table<ResourceId, Front>,
        now: Time,
        size: f64,
    ) -> Option<ResourceId> {
        let ends = fronts.pairs().map(|(id, front)| (exact(front, now, size), id));
        ends.min().filter(|&(ticks, _)| ticks < Ticks::MAX).map(|(_, id)| id)
    }

    /// Resources that are not just a queue complete everything after 50 ticks.
    fn exact(front: &Front, now: Time, size: f64) -> Ticks {
        let time = front.time(0, size).expect("all serve it");
        front.delay(now).map_or(Ticks(50), |delay| delay.saturating_add(time))
    }

    #[test]
    fn finds_what_the_plain_search_finds() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut late = 0;
        for (count, scale) in [(1, 1), (5, 1), (16, 1), (20, 1), (100, 1), (300, 1), (100, 1 << 55)]
        {
            // Few paces and few times, so that there are ties.
            let mut front = |chance: u32| {
                let (end, queued) = (random.random_range(0..20), random.random_range(0..6));
                let pace = f64::from(random.random_range(1..6_u32));
                let end = Time(Ticks(end * scale));
                Front::of_queue(pace, end, Ticks(queued), random.random_range(0..20) >= chance)
            };
            for chance in [0, 2] {
                let mut fronts: Table<ResourceId, Front> =
                    (0..count).map(|_| front(chance)).collect();
                let mut all = Earliest::new(&fronts);
                for step in 0..500_u32 {
                    let id = ResourceId(step % count);
                    fronts[id] = front(chance).with_pace(fronts[id].pace());
                    all.update(id, &fronts[id]);
                    let (now, size) =
                        (Time(Ticks(u64::from(step % 30) * scale)), f64::from(step % 7) + 0.3);
                    let found = all.first(now, size, |id| Some(exact(&fronts[id], now, size)));
                    assert_eq!(found, plainly_first(&fronts, now, size), "{count}, step {step}");
                    let unbounded = fronts.iter().filter(|front| front.free().is_none()).count();
                    assert_eq!(all.unbounded, unbounded);
                    let is_late = |front: &Front| front.free().is_some_and(|free| free > now);
                    if all.are_all_free_after(now) {
                        late += 1;
                        assert!(fronts.iter().all(is_late), "{count}, step {step}");
                    }
                }
            }
        }
        assert!(late > 0);
    }

    #[test]
    fn what_never_ends_is_not_found() {
        let never = Front::of_queue(1.0, Time::NEVER, Ticks(1), true);
        let fronts: Table<ResourceId, Front> = [never; 3].into_iter().collect();
        let found = Earliest::new(&fronts)
            .first(Time::ZERO, 1.0, |id| Some(exact(&fronts[id], Time::ZERO, 1.0)));
        assert_eq!(found, None);
    }
}

//! Items in order of value per weight, sorted only as far as needed.
//!
//! Only the items near the break matter in most knapsacks, so only those are sorted: a selection by
//! weight halves the range that holds the break (Balas & Zemel 1980) and leaves the rest as
//! intervals, each better or worse than all items nearer the break. An interval is sorted when the
//! core reaches it, without the items that cannot matter by then (Pisinger 1997).
//!
//! Rates are floating point. A computed rate has a relative error of at most 2^-51, so two items
//! may be in the wrong order if their rates are that close; [`Outside`] allows for it.

/// An item of positive value and weight.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    /// Value per weight.
    pub rate: f64,
    pub value: i64,
    pub weight: i64,
    /// Its index among the items given.
    pub index: u32,
}

/// Ranges of at most this length are sorted rather than halved.
const SHORT: usize = 24;

/// The relative margin for errors of floating point, several times larger than these.
const MARGIN: f64 = 1.0 / (1_u64 << 48) as f64;

/// The best rates outside the core: the gain per unit of room, and the loss per unit of room
/// needed.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    worse: f64,
    better: f64,
    /// An upper bound on the gain from items in the wrong order.
    give: f64,
}

impl Outside {
    pub fn new(worse: f64, better: f64, total_value: i64) -> Self {
        let give = total_value as f64 * MARGIN;
        Self { worse: worse * (1.0 + MARGIN), better: better * (1.0 - MARGIN), give }
    }

    /// An upper bound on the gain from `room`, which is negative if room must be made first.
    pub fn gain(&self, room: i64) -> f64 {
        room as f64 * if room >= 0 { self.worse } else { self.better } + self.give
    }

    /// `false` only if `room` certainly gains less than `missing`.
    ///
    /// Exchanging better items for worse ones of the same weight would gain nothing in the exact
    /// order; in the computed order it gains at most 2^-50 of their value, which `give` covers. The
    /// margin on the rate is eight times the rounding error of `missing` and of the product, so an
    /// error can only turn `false` into `true`.
    pub fn could_gain(&self, room: i64, missing: i64) -> bool {
        self.gain(room) >= missing as f64
    }
}

/// The greedy filling, and bounds on sets that differ from it in one item.
#[derive(Clone, Copy)]
pub(super) struct Greedy {
    pub capacity: i64,
    /// The room that the filling leaves.
    pub room: i64,
    pub value: i64,
    rate: Outside,
}

impl Greedy {
    /// The filling when all items fit.
    pub fn all(capacity: i64, room: i64, value: i64) -> Self {
        Self { capacity, room, value, rate: Outside::new(0.0, 0.0, 0) }
    }

    /// Whether a set better than `best` can differ from the greedy filling in this item. `is_in`
    /// says whether the filling contains it.
    pub fn may_change(&self, item: &Ranked, is_in: bool, best: i64) -> bool {
        let (room, value) = self.change(item.value, item.weight, is_in);
        self.rate.could_gain(room, best + 1 - value)
    }

    /// An upper bound on the value of sets that differ from the greedy filling in an item like
    /// this.
    pub fn changed(&self, value: i64, weight: i64, is_in: bool) -> i64 {
        let (room, value) = self.change(value, weight, is_in);
        value.saturating_add(self.rate.gain(room).floor() as i64)
    }

    fn change(&self, value: i64, weight: i64, is_in: bool) -> (i64, i64) {
        match is_in {
            true => (self.room + weight, self.value - value),
            false => (self.room - weight, self.value + value),
        }
    }
}

/// The items, partly sorted (see the module). Positions below `break_item` are the greedy filling.
#[derive(Default)]
pub(super) struct Sorted {
    pub items: Vec<Ranked>,
    pub break_item: usize,
    pub total_value: i64,
    /// Sorted items that are not in the core yet.
    better: (usize, usize),
    worse: (usize, usize),
    /// Intervals not sorted yet, the nearest to the break last.
    better_later: Vec<(usize, usize)>,
    worse_later: Vec<(usize, usize)>,
}

impl Sorted {
    /// Finds the break item. Not all items may fit.
    pub fn halve(&mut self, capacity: i64) -> Greedy {
        self.better_later.clear();
        self.worse_later.clear();
        let (mut low, mut high, mut room) = (0, self.items.len(), capacity);
        while high - low > SHORT {
            let Some(middle) = self.split(low, high) else { break };
            let weight: i64 = self.items[low..middle].iter().map(|item| item.weight).sum();
            if weight > room {
                self.worse_later.push((middle, high));
                high = middle;
            } else {
                self.better_later.push((low, middle));
                room -= weight;
                low = middle;
            }
        }
        sort(&mut self.items[low..high]);
        self.break_item = low;
        while self.items[self.break_item].weight <= room {
            room -= self.items[self.break_item].weight;
            self.break_item += 1;
        }
        self.better = (low, self.break_item);
        self.worse = (self.break_item, high);
        let value = self.items[..self.break_item].iter().map(|item| item.value).sum();
        let rate = self.items[self.break_item].rate;
        Greedy { capacity, room, value, rate: Outside::new(rate, rate, self.total_value) }
    }

    /// Whether weights are so similar that about the same number of items fits whichever are
    /// chosen. The last place of a set is then filled by a whole item or not at all, and bounds
    /// that fill it with a part of an item are weak.
    pub fn is_count_clear(&self, capacity: i64) -> bool {
        let range =
            |(low, high): (i64, i64), item: &Ranked| (low.min(item.weight), high.max(item.weight));
        let (lightest, heaviest) = self.items.iter().fold((capacity, 1), range);
        capacity / lightest <= capacity / heaviest + 2
    }

    /// Moves the better items to the front; `None` if all have the same rate.
    fn split(&mut self, low: usize, high: usize) -> Option<usize> {
        let items = &mut self.items[low..high];
        let [a, b, c] = [0, items.len() / 2, items.len() - 1].map(|i| items[i].rate);
        let pivot = a.max(b).min(a.min(b).max(c));
        let mut middle = partition(items, |rate| rate > pivot);
        if middle == 0 {
            middle = partition(items, |rate| rate >= pivot);
        }
        (middle < items.len()).then_some(low + middle)
    }

    /// The sorted items right after the break.
    pub fn just_worse(&self) -> &[Ranked] {
        &self.items[self.worse.0..self.worse.1]
    }

    /// The next items to join the core, after the break and before it.
    pub fn next(&mut self, greedy: &Greedy, best: i64) -> (Option<usize>, Option<usize>) {
        (self.next_worse(greedy, best), self.next_better(greedy, best))
    }

    /// The best item outside the core among those that the greedy filling leaves out.
    fn next_worse(&mut self, greedy: &Greedy, best: i64) -> Option<usize> {
        while self.worse.0 == self.worse.1 {
            let (low, high) = self.worse_later.pop()?;
            let items = &mut self.items[low..high];
            let kept = partition_items(items, |item| greedy.may_change(item, false, best));
            sort(&mut items[..kept]);
            self.worse = (low, low + kept);
        }
        Some(self.worse.0)
    }

    /// The worst item outside the core among those in the greedy filling.
    fn next_better(&mut self, greedy: &Greedy, best: i64) -> Option<usize> {
        while self.better.0 == self.better.1 {
            let (low, high) = self.better_later.pop()?;
            let items = &mut self.items[low..high];
            let gone = partition_items(items, |item| !greedy.may_change(item, true, best));
            sort(&mut items[gone..]);
            self.better = (low + gone, high);
        }
        Some(self.better.1 - 1)
    }

    /// Moves an item that `next` returned into the core.
    pub fn take(&mut self, position: usize) {
        match position >= self.break_item {
            true => self.worse.0 += 1,
            false => self.better.1 -= 1,
        }
    }

    /// Rates outside the core, given the next items on both sides.
    pub fn outside(&self, worse: Option<usize>, better: Option<usize>) -> Outside {
        // If no item is left on a side, no value can be gained there, or no room be made.
        let worse = worse.map_or(0.0, |i| self.items[i].rate);
        let better = better.map_or(f64::INFINITY, |i| self.items[i].rate);
        Outside::new(worse, better, self.total_value)
    }
}

fn sort(items: &mut [Ranked]) {
    items.sort_unstable_by(|a, b| b.rate.total_cmp(&a.rate).then(a.index.cmp(&b.index)));
}

fn partition(items: &mut [Ranked], is_first: impl Fn(f64) -> bool) -> usize {
    partition_items(items, |item| is_first(item.rate))
}

/// Moves the items of the first kind to the front and returns their number.
fn partition_items(items: &mut [Ranked], is_first: impl Fn(&Ranked) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        // Always swapping avoids a branch that the processor cannot predict.
        let first = is_first(&items[i]);
        items.swap(i, count);
        count += usize::from(first);
    }
    count
}

//! Fills one host after the other, and steps back where the tasks left do not fill the last hosts.
//!
//! As long as many tasks are left, nearly every host can be filled exactly; whether the last hosts
//! can is a matter of luck. So the search goes back and forth there, which costs little because few
//! tasks are left. Time that hosts may leave idle is saved for the last ones: fillings without
//! waste are tried first. What it reached before it gave up is returned as well: [`super::repack`]
//! goes on from there.
//!
//! Unlike [`super::fillings`] this proves nothing, and uses no prices.

use std::cmp::Reverse;

use rand::{Rng, RngExt};

use gridsat_model::Stop;

/// With more tasks left than this, only some fillings of a host are looked at.
const FEW_TASKS: usize = 60;

/// Fillings of a host that are tried with many tasks left, and with few.
const TRIED: (usize, usize) = (6, 200);

/// So many fillings with least waste are enough, with many tasks left and with few.
const ENOUGH: (usize, usize) = (1, 4);

/// Steps in the search for fillings of one host.
const STEPS: u64 = 20_000;

/// More tasks on a host than this are not looked for: each is a call on the stack.
const MOST_TASKS: usize = 1000;

/// What a case costs beside the search for its fillings and its classes, in steps.
const PER_CASE: u64 = 50;

/// Steps per look at the clock: a tenth of a millisecond, as in the other searches, so that a limit
/// on the number of looks allows all of them about the same time.
const STEPS_PER_LOOK: u64 = 10_000;

/// Which fillings are tried first while many tasks are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Those of long tasks: short ones fit anywhere.
    Longest,
    /// Any: where all tasks take a third or a quarter of the room, short ones must last to the end.
    Random,
}

/// Some tasks of the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Equal {
    pub class: u32,
    pub count: u32,
    pub time: u64,
}

/// What one host has.
#[derive(Clone, Debug)]
pub(super) struct Filling {
    /// The kind of its room.
    pub kind: usize,
    /// Longest first.
    pub classes: Vec<u32>,
    /// The time that it leaves idle.
    pub waste: u64,
}

/// Tasks and hosts that are left.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    /// Longest first.
    pub tasks: Vec<Equal>,
    /// How many hosts there are of each kind of room.
    pub hosts: Vec<usize>,
    /// The time that the hosts may leave idle together.
    pub slack: u64,
}

impl Case {
    /// What is left after a host was filled.
    fn without(&self, filling: &Filling) -> Self {
        let mut taken = filling.classes.iter().copied().peekable();
        let mut tasks = Vec::with_capacity(self.tasks.len());
        for &equal in &self.tasks {
            let mut count = equal.count;
            while taken.next_if_eq(&equal.class).is_some() {
                count -= 1;
            }
            if count > 0 {
                tasks.push(Equal { count, ..equal });
            }
        }
        let mut hosts = self.hosts.clone();
        hosts[filling.kind] -= 1;
        Self { tasks, hosts, slack: self.slack - filling.waste }
    }

    /// The kinds of which hosts are left, those with the largest room first.
    fn kinds(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let kinds = self.hosts.iter().enumerate();
        kinds.filter(|&(_, &count)| count > 0).map(|(kind, _)| kind)
    }

    /// The last host has room for all tasks.
    fn is_easy(&self) -> bool {
        self.hosts.iter().sum::<usize>() <= 1 || self.tasks.is_empty()
    }

    /// All tasks on one host.
    fn last(&self) -> Option<Filling> {
        let classes = |equal: &Equal| std::iter::repeat_n(equal.class, equal.count as usize);
        let classes: Vec<u32> = self.tasks.iter().flat_map(classes).collect();
        let kind = self.kinds().next()?;
        (!classes.is_empty()).then_some(Filling { kind, classes, waste: self.slack })
    }
}

/// Hosts that were filled, and what is left.
pub(super) struct Outcome {
    pub filled: Vec<Filling>,
    pub rest: Case,
}

/// A case with the fillings of its next host that are still to be tried, the next one last.
struct Branch {
    case: Case,
    untried: Vec<Filling>,
}

/// Fills hosts.
pub(super) struct Completer<'a, R: Rng> {
    /// The room of each kind, largest first.
    pub rooms: Vec<u64>,
    /// Whether hosts with the smallest room are filled first.
    pub smallest_first: bool,
    pub rng: &'a mut R,
    /// Steps so far.
    pub steps: u64,
    stop: &'a Stop,
    /// Whether to stop, as of the last look, and the steps before the next.
    is_due: bool,
    next_look: u64,
}

impl<'a, R: Rng> Completer<'a, R> {
    pub fn new(rooms: Vec<u64>, rng: &'a mut R, stop: &'a Stop) -> Self {
        let smallest_first = false;
        Self { rooms, smallest_first, rng, steps: 0, stop, is_due: false, next_look: 0 }
    }

    /// Whether to stop. A stop may count how often it is asked, so it is asked in proportion to the
    /// steps: not at every step, and again for all steps since.
    pub fn is_due(&mut self) -> bool {
        while self.steps >= self.next_look && !self.is_due {
            self.next_look += STEPS_PER_LOOK;
            self.is_due = self.stop.is_due();
        }
        self.is_due
    }

    /// The room of the hosts left in a case.
    pub fn room(&self, case: &Case) -> u128 {
        let product = |(&room, &count): (&u64, &usize)| u128::from(room) * count as u128;
        self.rooms.iter().zip(&case.hosts).map(product).sum()
    }

    /// Fills the hosts of a case in so many steps forth and back, and returns what has the fewest
    /// hosts left.
    pub fn complete(&mut self, case: Case, style: Style, moves: usize) -> Outcome {
        let mut outcome = Outcome { filled: Vec::new(), rest: case.clone() };
        let mut filled: Vec<Filling> = Vec::new();
        let mut path = vec![self.branch(case, style)];
        for _ in 0..moves {
            if self.is_due() {
                break;
            }
            let Some(branch) = path.last_mut() else { break };
            let Some(filling) = branch.untried.pop() else {
                path.pop();
                filled.pop();
                continue;
            };
            let rest = branch.case.without(&filling);
            filled.push(filling);
            if rest.is_easy() {
                filled.extend(rest.last());
                return Outcome { filled, rest: Case::default() };
            }
            let branch = self.branch(rest, style);
            if branch.untried.is_empty() && filled.len() > outcome.filled.len() {
                outcome = Outcome { filled: filled.clone(), rest: branch.case.clone() };
            }
            path.push(branch);
        }
        outcome
    }

    /// The case with the fillings of the next host.
    fn branch(&mut self, case: Case, style: Style) -> Branch {
        self.steps += PER_CASE + case.tasks.len() as u64;
        let untried = self.fillings(&case, style).unwrap_or_default();
        Branch { case, untried }
    }

    /// Fillings of the next host. It gets the longest task left that it has room for.
    fn fillings(&mut self, case: &Case, style: Style) -> Option<Vec<Filling>> {
        let (largest, smallest) = (case.kinds().next()?, case.kinds().next_back()?);
        if case.tasks.first()?.time > self.rooms[largest] {
            return None;
        }
        let kind = if self.smallest_first { smallest } else { largest };
        let room = self.rooms[kind];
        let tasks: usize = case.tasks.iter().map(|equal| equal.count as usize).sum();
        let is_small = tasks <= FEW_TASKS;
        let (most, enough) = if is_small { (TRIED.1, ENOUGH.1) } else { (TRIED.0, ENOUGH.0) };
        let from = case.tasks.partition_point(|equal| equal.time > room);
        let Some(longest) = case.tasks.get(from) else {
            let nothing = Filling { kind, classes: Vec::new(), waste: room };
            return (room <= case.slack).then(|| vec![nothing]);
        };
        let room = room - longest.time;
        let mut waste = 0;
        loop {
            let mut finder = Finder::new(case, from, (kind, waste), most)?;
            if style == Style::Random && !is_small {
                finder.some(room, self.rng);
            }
            if finder.found.is_empty() {
                finder.extend(from, room);
            }
            self.steps += STEPS - finder.steps;
            let mut found = finder.found;
            if found.len() >= enough || waste >= case.slack {
                found.reverse();
                found.sort_by_key(|filling| Reverse(filling.waste));
                return Some(found);
            }
            waste = waste.saturating_mul(2).saturating_add(1).min(case.slack);
        }
    }
}

/// Seeks fillings of one host beside its longest task.
struct Finder {
    others: Vec<Equal>,
    /// The time of all tasks from each class on.
    rests: Vec<u64>,
    shortest: u64,
    /// The kind of the host's room.
    kind: usize,
    /// The most time that may be left idle.
    waste: u64,
    /// Fillings that are wanted, and steps that may be used.
    most: usize,
    steps: u64,
    chosen: Vec<u32>,
    found: Vec<Filling>,
}

impl Finder {
    /// The host gets the task at `from`, the longest that it has room for.
    fn new(case: &Case, from: usize, (kind, waste): (usize, u64), most: usize) -> Option<Self> {
        let mut others = case.tasks.clone();
        let longest = others.get_mut(from)?;
        longest.count -= 1;
        let chosen = vec![longest.class];
        let mut rests = vec![0; others.len()];
        let mut sum = 0;
        for (rest, equal) in rests.iter_mut().zip(&others).rev() {
            sum += equal.time * u64::from(equal.count);
            *rest = sum;
        }
        let shortest = others.last()?.time;
        let (steps, found) = (STEPS, Vec::new());
        Some(Self { others, rests, shortest, kind, waste, most, steps, chosen, found })
    }

    /// Fillings in which the longest of the other tasks is a random one.
    fn some(&mut self, room: u64, rng: &mut impl Rng) {
        let wanted = self.most;
        let fitting = self.others.partition_point(|equal| equal.time > room);
        for _ in 0..4 * wanted {
            if fitting == self.others.len() || self.found.len() >= wanted {
                break;
            }
            self.most = self.found.len() + 1;
            self.take(rng.random_range(fitting..self.others.len()), room);
        }
        self.most = wanted;
    }

    /// Adds tasks from this class on, long ones first. As deep as tasks fit a host.
    fn extend(&mut self, from: usize, room: u64) {
        if room <= self.waste {
            let (kind, classes) = (self.kind, self.chosen.clone());
            self.found.push(Filling { kind, classes, waste: room });
            if room == 0 {
                return;
            }
        }
        let first = from + self.others[from..].partition_point(|equal| equal.time > room);
        // With room for a single task only, that task must fill it.
        let least = if room < 2 * self.shortest { room.saturating_sub(self.waste) } else { 0 };
        for place in first..self.others.len() {
            let is_over = self.found.len() >= self.most || self.steps == 0;
            let is_short = self.rests[place].saturating_add(self.waste) < room;
            if is_over || is_short || self.others[place].time < least {
                return;
            }
            self.steps -= 1;
            self.take(place, room);
        }
    }

    /// Adds a task of this class, and then tasks from this class on.
    fn take(&mut self, place: usize, room: u64) {
        let Equal { class, count, time } = self.others[place];
        if count > 0 && self.chosen.len() < MOST_TASKS {
            self.others[place].count -= 1;
            self.chosen.push(class);
            self.extend(place, room - time);
            self.chosen.pop();
            self.others[place].count += 1;
        }
    }
}

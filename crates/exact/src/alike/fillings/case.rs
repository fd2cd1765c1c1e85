//! The tasks and hosts that are left while hosts are filled one after the other.

use std::collections::BTreeMap;

use gridsat_model::certificate::FillingNode;

/// What all cases of one makespan share.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The distinct times, longest first.
    pub times: Vec<u64>,
    /// The distinct rooms of hosts, largest first.
    pub rooms: Vec<u64>,
}

/// Hosts and tasks left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// How many hosts of each room are left.
    pub hosts: Vec<usize>,
    /// How many tasks of each distinct time are left.
    pub counts: Vec<u32>,
}

/// What one host has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filling {
    /// The place of its room.
    pub place: usize,
    /// The classes of its tasks, any number of times each.
    pub classes: Vec<u32>,
}

impl Case {
    /// The classes of which tasks are left.
    pub fn left(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let classes = self.counts.iter().enumerate();
        classes.filter(|&(_, &count)| count > 0).map(|(class, _)| class)
    }

    /// The places of the rooms with hosts left, largest first.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let places = self.hosts.iter().enumerate();
        places.filter(|&(_, &hosts)| hosts > 0).map(|(place, _)| place)
    }

    /// Fills a host.
    pub fn fill(&mut self, filling: &Filling) {
        filling.classes.iter().for_each(|&class| self.counts[class as usize] -= 1);
        self.hosts[filling.place] -= 1;
    }

    /// Empties a host that was filled.
    pub fn empty(&mut self, filling: &Filling) {
        filling.classes.iter().for_each(|&class| self.counts[class as usize] += 1);
        self.hosts[filling.place] += 1;
    }
}

impl Problem {
    /// The work of the tasks left.
    pub fn work(&self, case: &Case) -> u128 {
        let product = |(&time, &count): (&u64, &u32)| u128::from(time) * u128::from(count);
        self.times.iter().zip(&case.counts).map(product).sum()
    }

    /// The work for which all hosts left have room.
    fn room(&self, case: &Case) -> u128 {
        let product = |(&room, &hosts): (&u64, &usize)| u128::from(room) * hosts as u128;
        self.rooms.iter().zip(&case.hosts).map(product).sum()
    }

    /// The largest room.
    pub fn largest(&self) -> u64 {
        self.rooms.first().copied().unwrap_or(0)
    }

    /// A proof that the tasks left take longer than the hosts have room for.
    pub fn too_much_work(&self, case: &Case) -> Option<FillingNode> {
        (self.work(case) > self.room(case)).then_some(FillingNode::Work {})
    }

    /// The time that the hosts may leave idle together; `None` if the tasks do not fit.
    pub fn slack(&self, case: &Case) -> Option<u64> {
        u64::try_from(self.room(case).checked_sub(self.work(case))?).ok()
    }

    /// A packing by best fit, longest task first, if it needs no more hosts than are left.
    pub fn best_fit(&self, case: &Case) -> Option<Vec<Filling>> {
        // Hosts by the room that they have left; those with equal room are alike. Hosts not in use
        // are made when they are needed.
        let mut unused = case.hosts.clone();
        let mut by_room: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let mut fillings: Vec<Filling> = Vec::new();
        for class in case.left() {
            let time = self.times[class];
            for _ in 0..case.counts[class] {
                let in_use = by_room.range(time..).next().map(|(&room, _)| room);
                let new = (0..self.rooms.len())
                    .rev()
                    .find(|&place| unused[place] > 0 && self.rooms[place] >= time);
                let (room, host) = match (in_use, new) {
                    (None, None) => return None,
                    (Some(room), new) if new.is_none_or(|place| room <= self.rooms[place]) => {
                        (room, pop(&mut by_room, room)?)
                    }
                    (_, new) => {
                        let place = new?;
                        unused[place] -= 1;
                        fillings.push(Filling { place, classes: Vec::new() });
                        (self.rooms[place], fillings.len() - 1)
                    }
                };
                fillings[host].classes.push(class as u32);
                by_room.entry(room - time).or_default().push(host);
            }
        }
        Some(fillings)
    }
}

/// Takes a host with this room left.
fn pop(by_room: &mut BTreeMap<u64, Vec<usize>>, room: u64) -> Option<usize> {
    let hosts = by_room.get_mut(&room)?;
    let host = hosts.pop();
    if hosts.is_empty() {
        by_room.remove(&room);
    }
    host
}

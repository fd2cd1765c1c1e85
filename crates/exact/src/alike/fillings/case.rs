//! The tasks and hosts that are left while hosts are filled one after the other.

use gridsat_model::certificate::FillingNode;

/// What all cases of one makespan share.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The distinct times, longest first.
    pub times: Vec<u64>,
    /// The time that every host has for its tasks.
    pub room: u64,
}

/// Hosts and tasks left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub hosts: usize,
    /// How many tasks of each distinct time are left.
    pub counts: Vec<u32>,
}

/// The classes of the tasks of one host, any number of times each.
pub(super) type Filling = Vec<u32>;

impl Case {
    /// The classes of which tasks are left.
    pub fn left(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let classes = self.counts.iter().enumerate();
        classes.filter(|&(_, &count)| count > 0).map(|(class, _)| class)
    }

    /// Fills a host.
    pub fn fill(&mut self, filling: &[u32]) {
        filling.iter().for_each(|&class| self.counts[class as usize] -= 1);
        self.hosts -= 1;
    }

    /// Empties a host that was filled.
    pub fn empty(&mut self, filling: &[u32]) {
        filling.iter().for_each(|&class| self.counts[class as usize] += 1);
        self.hosts += 1;
    }
}

impl Problem {
    /// The work of the tasks left.
    pub fn work(&self, case: &Case) -> u128 {
        let product = |(&time, &count): (&u64, &u32)| u128::from(time) * u128::from(count);
        self.times.iter().zip(&case.counts).map(product).sum()
    }

    /// A proof that the tasks left take longer than the hosts have room for.
    pub fn too_much_work(&self, case: &Case) -> Option<FillingNode> {
        let room = case.hosts as u128 * u128::from(self.room);
        (self.work(case) > room).then_some(FillingNode::Work {})
    }

    /// The time that the hosts may leave idle together; `None` if the tasks do not fit.
    pub fn slack(&self, case: &Case) -> Option<u64> {
        let room = case.hosts as u128 * u128::from(self.room);
        u64::try_from(room.checked_sub(self.work(case))?).ok()
    }

    /// A packing by best fit, longest task first, if it needs no more hosts than are left.
    pub fn best_fit(&self, case: &Case) -> Option<Vec<Filling>> {
        // Hosts in use by the room that they have left; those with equal room are alike.
        let mut by_room: std::collections::BTreeMap<u64, Vec<usize>> = Default::default();
        let mut fillings: Vec<Filling> = Vec::new();
        for class in case.left() {
            let time = self.times[class];
            for _ in 0..case.counts[class] {
                let fitting = by_room.range_mut(time..).next();
                let (room, host) = match fitting {
                    Some((&room, hosts)) => {
                        let host = hosts.pop()?;
                        if hosts.is_empty() {
                            by_room.remove(&room);
                        }
                        (room, host)
                    }
                    None if fillings.len() < case.hosts && time <= self.room => {
                        fillings.push(Vec::new());
                        (self.room, fillings.len() - 1)
                    }
                    None => return None,
                };
                fillings[host].push(class as u32);
                by_room.entry(room - time).or_default().push(host);
            }
        }
        Some(fillings)
    }
}

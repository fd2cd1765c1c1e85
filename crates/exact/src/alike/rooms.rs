//! The room of each host for work, in kinds of equal rooms.

/// Rooms with the number of hosts that have them, largest first. Hosts are numbered in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rooms {
    kinds: Vec<(u64, usize)>,
}

impl Rooms {
    /// From rooms in descending order; equal ones become one kind.
    pub fn new(rooms: Vec<(u64, usize)>) -> Self {
        let mut kinds: Vec<(u64, usize)> = Vec::new();
        for (room, count) in rooms {
            match kinds.last_mut() {
                Some(last) if last.0 == room => last.1 += count,
                _ => kinds.push((room, count)),
            }
        }
        Self { kinds }
    }

    /// So many hosts with the same room.
    pub fn equal(hosts: usize, room: u64) -> Self {
        Self { kinds: vec![(room, hosts)] }
    }

    pub fn kinds(&self) -> &[(u64, usize)] {
        &self.kinds
    }

    /// The number of hosts.
    pub fn hosts(&self) -> usize {
        self.kinds.iter().map(|&(_, count)| count).sum()
    }

    /// The largest room.
    pub fn largest(&self) -> u64 {
        self.kinds.first().map_or(0, |&(room, _)| room)
    }

    /// Host by host its room.
    pub fn each(&self) -> impl Iterator<Item = u64> + '_ {
        self.kinds.iter().flat_map(|&(room, count)| std::iter::repeat_n(room, count))
    }

    /// The room that is left if all these works are done; `None` if there is not enough.
    pub fn slack(&self, works: &[u64]) -> Option<u64> {
        let room: u128 = self.kinds.iter().map(|&(room, n)| u128::from(room) * n as u128).sum();
        let work: u128 = works.iter().map(|&work| u128::from(work)).sum();
        // A slack that large is as good as none.
        Some(u64::try_from(room.checked_sub(work)?).unwrap_or(u64::MAX))
    }
}
